//! Who calls, and what they may do. Handlers name `user` or `role`, and nothing else of this file.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use doorward::http::StatusCode;
use doorward::verify::Verified;
use doorward::{Rejection, Shared, dependency, http_bearer};
use serde::Deserialize;

/// The claims that this service reads. The verifier checks the issuer, the audience and the times by itself.
#[derive(Deserialize)]
pub struct Claims {
    pub sub: String,
    pub preferred_username: Option<String>,
    /// Where Keycloak writes the roles of a realm.
    #[serde(default)]
    pub realm_access: RealmAccess,
}

#[derive(Default, Deserialize)]
pub struct RealmAccess {
    #[serde(default)]
    pub roles: Vec<String>,
}

/// Tokens of the issuer in `TOKENS`.
#[http_bearer(
    scopes("items" = "Read items.", "items:write" implies("items") = "Change items."),
    verified = Claims,
)]
pub struct Api;

#[derive(Clone)]
pub struct User {
    pub name: String,
    pub is_closed: bool,
}

/// Replace it by the pool of your database.
#[derive(Default)]
pub struct Users(Mutex<HashMap<String, User>>);

impl Users {
    /// Loads the account of a subject, and adds it at the first request.
    fn load(&self, claims: &Claims) -> User {
        let mut users = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let name = || claims.preferred_username.as_ref().unwrap_or(&claims.sub).clone();
        let user = users.entry(claims.sub.clone());
        user.or_insert_with(|| User { name: name(), is_closed: false }).clone()
    }

    #[cfg(test)]
    pub fn close(&self, subject: &str) {
        let closed = User { name: subject.to_owned(), is_closed: true };
        self.0.lock().unwrap().insert(subject.to_owned(), closed);
    }
}

const CLOSED: Rejection = Rejection::new(StatusCode::FORBIDDEN).with_detail("No open account");
const FORBIDDEN: Rejection = Rejection::new(StatusCode::FORBIDDEN).with_detail("Not enough rights");

/// The caller's account, unless it is closed.
#[dependency]
pub async fn user(
    #[security(Api)] caller: Verified<Claims>,
    users: Shared<Users>,
) -> Result<User, Rejection> {
    let user = users.load(&caller);
    if user.is_closed { Err(CLOSED) } else { Ok(user) }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Role {
    Admin,
}

impl Role {
    /// The name that the issuer gives it.
    const fn name(self) -> &'static str {
        match self {
            Self::Admin => "admin",
        }
    }
}

/// The caller's account, if the issuer has given them this role.
#[dependency]
pub fn role(
    #[argument] needed: Role,
    #[security(Api)] caller: Verified<Claims>,
    #[security(user)] user: User,
) -> Result<User, Rejection> {
    let has_role = caller.realm_access.roles.iter().any(|role| role == needed.name());
    if has_role { Ok(user) } else { Err(FORBIDDEN) }
}
