//! The scopes, and the dependencies that check a token or an API key.

use std::collections::BTreeSet;

use axum::http::StatusCode;
use doorward::token_endpoint::TokenError;
use doorward::verify::{Verified, VerifyError};
use doorward::{ApiKey, Rejection, Scheme, SecurityScopes, Shared, api_key, dependency};
use doorward::{jwt::TokenVerifier, oauth2_bearer, one_of};
use serde::Deserialize;
use tracing::Span;

use crate::{database::Database, error::Internal, secrets};

/// Log in with the name and the password of an account, or with the secret of a client. Without
/// scopes, the token has all that are possible.
// `strict`: only what the grammar of RFC 6750 allows is accepted.
#[oauth2_bearer(
    strict,
    realm = "notes",
    flows(
        password(token_url = "/token", refresh_url = "/token"),
        client_credentials(token_url = "/token")
    ),
    scopes(
        "notes:read" as NOTES_READ = "Read your notes.",
        "notes:write" as NOTES_WRITE implies("notes:read") = "Add and delete your notes.",
        "stats:read" as STATS_READ = "Read how much is stored.",
        "maintenance" as MAINTENANCE = "Delete what has expired.",
        "admin" as ADMIN implies("stats:read", "maintenance") = "Run the service."
    ),
    verified = Claims
)]
pub(crate) struct Login;

/// The scopes of every account.
pub(crate) const OF_ACCOUNTS: [&str; 2] = [Login::NOTES_READ, Login::NOTES_WRITE];

/// The scopes that an administrator has besides.
pub(crate) const OF_ADMINS: [&str; 3] = [Login::STATS_READ, Login::MAINTENANCE, Login::ADMIN];

/// Returns the requested scopes, each once, or all that are allowed if none is requested. Refuses a
/// scope that is neither allowed nor implied by one that is.
pub(crate) fn grant(requested: &[String], allowed: Vec<String>) -> Result<Vec<String>, TokenError> {
    let is_allowed = |scope: &String| Login::CONFIG.grants(&allowed, scope);
    if allowed.is_empty() || !requested.iter().all(is_allowed) {
        let description = "a scope is unknown, or more than is possible here";
        return Err(TokenError::invalid_scope(description));
    }
    if requested.is_empty() {
        return Ok(allowed);
    }
    Ok(BTreeSet::from_iter(requested).into_iter().cloned().collect())
}

/// The key of a scheduled job.
#[api_key(header = "x-api-key", scopes("maintenance" = "Delete what has expired."))]
pub(crate) struct JobKey;

const UNKNOWN_KEY: Rejection = Rejection::new(StatusCode::UNAUTHORIZED).with_detail("Unknown key");
const NO_ACCOUNT: Rejection =
    Rejection::new(StatusCode::FORBIDDEN).with_detail("The token is not for an account");
const KEY_LACKS_SCOPE: Rejection =
    Rejection::new(StatusCode::FORBIDDEN).with_detail("Not for this key");

#[derive(Deserialize)]
pub(crate) struct Claims {
    /// The id of an account, or `client:` and the id of a client. Ids of accounts have no `:`.
    pub(crate) sub: String,
    pub(crate) client_id: String,
    /// In seconds since 1970.
    pub(crate) exp: u64,
    /// The id of a login. The token of a machine has none.
    pub(crate) sid: Option<String>,
}

pub(crate) type Tokens = TokenVerifier<Claims>;
pub(crate) type Caller = Verified<Claims>;

const LOGIN: &str = "SELECT id FROM logins WHERE id = $1 AND expires_at > unixepoch()";

/// The caller, whose token this service has signed. It is refused once its login has ended, on any
/// node, or, if a client acts for itself, once that was revoked.
#[dependency]
pub(crate) async fn caller(
    #[security(Login)] caller: Caller,
    scopes: SecurityScopes,
    db: Shared<Database>,
) -> Result<Caller, VerifyError> {
    Span::current().record("caller", &*caller.sub);
    if is_live(&db, &caller).await? { Ok(caller) } else { Err(VerifyError::invalid_token(scopes)) }
}

/// Returns `true` unless the login of a token has ended, or, if a client acts for itself, that was
/// revoked.
pub(crate) async fn is_live(db: &Database, claims: &Claims) -> Result<bool, Internal> {
    let query = match &claims.sid {
        Some(login) => sqlx::query(LOGIN).bind(login),
        None => sqlx::query("SELECT id FROM clients WHERE id = $1").bind(&claims.client_id),
    };
    Ok(query.fetch_optional(&db.read).await?.is_some())
}

/// A caller who has an account: `sub` is its id. A machine has none.
#[dependency]
pub(crate) fn person(#[security(caller)] caller: Caller) -> Result<Caller, Rejection> {
    if caller.sid.is_some() { Ok(caller) } else { Err(NO_ACCOUNT) }
}

/// The name of a job, which is the first part of its key.
#[dependency]
pub(crate) async fn job(
    #[security(JobKey)] key: ApiKey,
    scopes: SecurityScopes,
    db: Shared<Database>,
) -> Result<String, Rejection> {
    let (name, secret) = key.as_str().split_once('.').ok_or(UNKNOWN_KEY)?;
    let sql = "SELECT secret_hash, scopes FROM api_keys WHERE id = $1";
    let query = sqlx::query_as(sql).bind(name);
    let found = query.fetch_optional(&db.read).await;
    let found = found.map_err(Internal::from)?.ok_or(UNKNOWN_KEY)?;
    let (hash, granted): (String, String) = found;
    if !secrets::matches(&secret.into(), &hash) {
        return Err(UNKNOWN_KEY);
    }
    let granted: Vec<_> = granted.split(' ').collect();
    scopes.check(&granted).map_err(|_| KEY_LACKS_SCOPE)?;
    Span::current().record("caller", name);
    Ok(name.to_owned())
}

/// Somebody with a token, or a job with its key.
#[one_of]
pub(crate) enum Operator {
    #[security(caller)]
    Caller(Caller),
    #[security(job)]
    Job(String),
}
