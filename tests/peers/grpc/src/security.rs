//! Who may call: the token is the scope that it grants.

use doorward::{
    BearerError, BearerToken, Rejection, SecurityScopes, Shared, dependency, http_bearer,
};
use http::StatusCode;

/// The scheme of the service.
#[http_bearer(
    realm = "health",
    scopes(
        "read" = "Read the health.",
        "watch" implies("read") = "Watch it.",
        "busy" implies("read") = "Come at a bad time."
    )
)]
pub struct Token;

/// A caller who is let in.
#[derive(Clone, Debug)]
pub struct Caller(pub String);

/// Finds the caller.
///
/// # Errors
///
/// Returns an error if the token does not grant the scopes.
#[dependency]
pub fn caller(
    #[security(Token)] token: BearerToken,
    scopes: SecurityScopes,
) -> Result<Caller, BearerError> {
    scopes.check(token.as_str())?;
    Ok(Caller(token.as_str().to_owned()))
}

const BUSY: Rejection = Rejection::new(StatusCode::SERVICE_UNAVAILABLE)
    .with_text("Später, zu 100%\n")
    .with_headers(&[("Retry-After", "120"), ("grpc-status", "0")]);

/// The caller for whom the service is busy.
#[derive(Clone, Debug)]
pub struct BusyFor(pub &'static str);

/// Finds the caller, unless the service is busy.
///
/// # Errors
///
/// Returns an error if the service is busy.
#[dependency]
pub fn available(
    #[security(caller)] caller: Caller,
    busy: Shared<BusyFor>,
) -> Result<Caller, Rejection> {
    if caller.0 == busy.0 { Err(BUSY) } else { Ok(caller) }
}
