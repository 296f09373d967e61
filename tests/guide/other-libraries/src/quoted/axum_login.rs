//! Routes that people call with a session of axum-login, and programs with a token. The login and the
//! session stay as they are, and `#[secured(person)]` is `login_required!(Users)`. However, a request
//! without a login was a 403 and is a 401, and a write that another site has caused is a 403.

use axum_login::{AuthSession, AuthzBackend};
use doorward::http::StatusCode;
use doorward::{
    ApiKey, BearerError, BearerToken, Rejection, SecurityScopes, api_key, dependency, http_bearer,
    one_of, secured,
};

use crate::for_axum_login::{User, Users};

#[http_bearer(scopes("items" = "Read items."))]
struct Api;

#[dependency]
fn program(
    #[security(Api)] _token: BearerToken,
    scopes: SecurityScopes,
) -> Result<String, BearerError> {
    Err(scopes.invalid_token())
}

/// The cookie of tower-sessions.
#[api_key(cookie = "id")]
struct SessionCookie;

#[dependency]
async fn person(
    #[security(SessionCookie)] _cookie: ApiKey,
    scopes: SecurityScopes,
    session: AuthSession<Users>,
) -> Result<User, Rejection> {
    let user = session
        .user
        .ok_or(Rejection::new(StatusCode::UNAUTHORIZED).with_detail("Not logged in"))?;
    let granted = session.backend.get_all_permissions(&user).await;
    let granted = granted.map_err(|_| {
        Rejection::new(StatusCode::INTERNAL_SERVER_ERROR).with_detail("No permissions")
    })?;
    scopes
        .check(&granted)
        .map_err(|_| Rejection::new(StatusCode::FORBIDDEN).with_detail("Not enough permissions"))?;
    Ok(user)
}

#[one_of]
enum Caller {
    #[security(program)] // takes a token
    Program(String),
    #[security(person)]
    Person(User),
}

#[secured]
async fn items(#[security(Caller, scopes("items"))] caller: Caller) -> String {
    match caller {
        Caller::Program(name) => format!("the items of {name}"),
        Caller::Person(user) => format!("the items of {}", user.name),
    }
}

#[test]
fn the_handler_is_one_of_axum() {
    let _: axum::routing::MethodRouter = axum::routing::get(items);
}
