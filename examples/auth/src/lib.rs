//! What the services of one house share: the claims, the scheme, the roles, and what they answer to
//! a caller who is refused.

use doorward::http::{Response, StatusCode};
use doorward::scheme::RefusedRequest;
use doorward::verify::Verified;
use doorward::{SecurityScopes, dependency, http_bearer};

/// The claims that our services read.
#[derive(serde::Deserialize)]
pub struct Claims {
    /// The user.
    pub sub: String,
    /// What the user is with us.
    #[serde(default)]
    pub roles: Vec<String>,
}

/// Tokens of our users.
#[http_bearer(
    scopes("orders" = "Order.", "stock" = "Read the stock."),
    verified = Claims,
    error = Refused,
)]
pub struct Api;

/// The caller, for the handlers of each service.
pub type Caller = Verified<Claims>;

/// Requires a role of the caller.
///
/// # Errors
///
/// Returns an error if the caller has none of the roles.
#[dependency]
pub fn role(
    #[security(Api)] caller: Caller,
    #[argument(roles)] any: &[&str],
    _scopes: SecurityScopes,
) -> Result<Caller, Refused> {
    let has_one = caller.roles.iter().any(|role| any.contains(&role.as_str()));
    if has_one { Ok(caller) } else { Err(Refused(StatusCode::FORBIDDEN, "role")) }
}

/// What each service answers to a caller who is refused: the status, and the reason as a code.
#[derive(Debug)]
pub struct Refused(StatusCode, &'static str);

impl From<RefusedRequest> for Refused {
    fn from(refusal: RefusedRequest) -> Self {
        Self(refusal.status(), refusal.reason().as_str())
    }
}

/// For tonic.
impl From<Refused> for Response<String> {
    fn from(Refused(status, code): Refused) -> Self {
        let mut response = Self::new(code.to_owned());
        *response.status_mut() = status;
        response
    }
}

#[cfg(feature = "axum")]
impl axum::response::IntoResponse for Refused {
    fn into_response(self) -> axum::response::Response {
        (self.0, self.1).into_response()
    }
}

#[cfg(feature = "actix-web")]
impl From<Refused> for actix_web::Error {
    fn from(Refused(status, code): Refused) -> Self {
        let status = actix_web::http::StatusCode::from_u16(status.as_u16());
        let status = status.unwrap_or(actix_web::http::StatusCode::INTERNAL_SERVER_ERROR);
        actix_web::error::InternalError::new(code, status).into()
    }
}
