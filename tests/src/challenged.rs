//! Dependencies that refuse a credential in the server's own format, above schemes of each kind.

use doorward::head::FromHead;
use doorward::{
    ApiKey, BasicCredentials, BearerToken, SecurityScopes, api_key, dependency, http_basic,
    http_bearer, one_of,
};
use http::request::Parts;
use http::{Response, StatusCode};
use serde_json::{Value, json};

use crate::format::Problem;
use crate::shown::Shown;

/// A key, whose challenge is that of any API key.
#[api_key(header = "x-key")]
pub struct Key;

/// A token with complete challenges.
#[http_bearer(realm = "challenged", scopes("items" = "Read items."))]
pub struct Token;

/// The same, in requests that may lack it.
#[http_bearer(
    realm = "challenged",
    scopes("items" = "Read items."),
    auto_error = false,
    scheme_name = "Token"
)]
pub struct MaybeToken;

/// A login for which a browser opens no dialog.
#[http_basic(realm = "challenged", challenge = false)]
pub struct Quiet;

/// A caller that is known.
#[derive(Debug)]
pub struct Caller;

impl Shown for Caller {
    fn shown(&self) -> Value {
        json!({})
    }
}

/// Knows `good`, and forbids `blocked`.
fn known(credential: &str) -> Result<Caller, Problem> {
    match credential {
        "good" => Ok(Caller),
        "blocked" => Err(Problem::new(StatusCode::FORBIDDEN, "blocked")),
        _ => Err(Problem::new(StatusCode::UNAUTHORIZED, "unknown")),
    }
}

/// Requires a key.
///
/// # Errors
///
/// Returns a `401` for a key that is not known, and a `403` for one that is blocked.
#[dependency]
pub fn keyed(#[security(Key)] key: ApiKey) -> Result<Caller, Problem> {
    known(key.as_str())
}

/// Takes a token, and refuses a request without one itself.
///
/// # Errors
///
/// The same as those of [`keyed`].
#[dependency]
pub fn maybe(
    #[security(MaybeToken)] token: Option<BearerToken>,
    _scopes: SecurityScopes,
) -> Result<Caller, Problem> {
    known(token.as_ref().map_or("", BearerToken::as_str))
}

/// A key or a token.
#[one_of]
pub enum Either {
    /// A key.
    #[security(Key)]
    Key(ApiKey),
    /// A token.
    #[security(Token)]
    Token(BearerToken),
}

/// Requires either.
///
/// # Errors
///
/// The same as those of [`keyed`].
#[dependency]
pub fn either(
    #[security(Either)] either: Either,
    _scopes: SecurityScopes,
) -> Result<Caller, Problem> {
    match either {
        Either::Key(key) => known(key.as_str()),
        Either::Token(token) => known(token.as_str()),
    }
}

/// Requires a login.
///
/// # Errors
///
/// The same as those of [`keyed`], without a challenge.
#[dependency]
pub fn quiet(#[security(Quiet)] login: BasicCredentials) -> Result<Caller, Problem> {
    known(&login.username)
}

/// A value that no request has.
#[derive(Debug)]
pub struct Ticket;

/// Finds no ticket.
///
/// # Errors
///
/// Returns a `401`.
#[dependency(extract)]
pub fn ticket() -> Result<Ticket, Problem> {
    Err(Problem::new(StatusCode::UNAUTHORIZED, "no_ticket"))
}

impl FromHead for Ticket {
    type Rejection = Response<String>;

    fn from_head(_: &mut Parts) -> Result<Self, Response<String>> {
        Err(Problem::new(StatusCode::UNAUTHORIZED, "no_ticket").into())
    }
}

/// Requires a key, and extracts a ticket.
#[dependency]
#[must_use]
pub fn ticketed(#[security(keyed)] caller: Caller, _ticket: Ticket) -> Caller {
    caller
}

/// Calls a macro as [`for_each_plan`](crate::for_each_plan) does, for the routes whose dependencies
/// refuse in the server's own format.
#[macro_export]
macro_rules! for_each_challenged {
    ($route:ident) => {
        $route!("/challenged/key", challenged_key, (challenged::keyed), challenged::Caller);
        $route!(
            "/challenged/maybe",
            challenged_maybe,
            (challenged::maybe, scopes("items")),
            challenged::Caller
        );
        $route!(
            "/challenged/either",
            challenged_either,
            (challenged::either, scopes("items")),
            challenged::Caller
        );
        $route!("/challenged/quiet", challenged_quiet, (challenged::quiet), challenged::Caller);
        $route!(
            "/challenged/ticket",
            challenged_ticket,
            (challenged::ticketed),
            challenged::Caller
        );
    };
}
