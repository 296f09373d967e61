//! Who may do what: the credentials, the scopes, and the functions that check both.

use axum::extract::State;
use axum::http::StatusCode;
use rusqlite::OptionalExtension;
use serde::Deserialize;
use tollgate::jwt::TokenVerifier;
use tollgate::secrecy::SecretString;
use tollgate::verify::{Verified, VerifyError};
use tollgate::{
    ApiKey, BearerToken, Rejection, Scheme, SecurityScopes, api_key, dependency, oauth2_bearer,
    one_of,
};
use tracing::Span;

use crate::App;
use crate::error::Refused;
use crate::secrets;

/// Log in with the name and the password of an account, or with the secret of a client. Without
/// scopes, the token has all that are possible.
// `strict`: only what RFC 6750's grammar allows is taken.
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
    )
)]
pub(crate) struct Login;

/// The scopes of every account.
pub(crate) const OF_ACCOUNTS: [&str; 2] = [Login::NOTES_READ, Login::NOTES_WRITE];

/// The scopes that an administrator has besides.
pub(crate) const OF_ADMINS: [&str; 3] = [Login::STATS_READ, Login::MAINTENANCE, Login::ADMIN];

/// Returns the scopes that are wanted, or all that are possible if none is. Returns `None` if one
/// is neither possible nor implied by one that is, or if nothing is possible. A scope that is named
/// again is left out, so a long request makes no long token.
pub(crate) fn granted<'a>(
    wanted: &[String],
    possible: impl Iterator<Item = &'a str>,
) -> Option<Vec<String>> {
    let possible: Vec<_> = possible.map(str::to_owned).collect();
    if wanted.is_empty() {
        return Some(possible).filter(|scopes| !scopes.is_empty());
    }
    let mut granted = Vec::new();
    for scope in wanted {
        if !Login::CONFIG.grants(&possible, scope) {
            return None;
        }
        if !granted.contains(scope) {
            granted.push(scope.clone());
        }
    }
    Some(granted)
}

/// The key of a job that runs by the clock.
#[api_key(header = "x-api-key", scopes("maintenance" = "Delete what has expired."))]
pub(crate) struct JobKey;

#[derive(Deserialize)]
pub(crate) struct Claims {
    /// The id of an account, or `client:` and the name of a client. No id has a `:`.
    pub(crate) sub: String,
}

pub(crate) type Tokens = TokenVerifier<Claims>;
pub(crate) type Caller = Verified<Claims>;

/// The subject of a token that this service has signed.
#[dependency]
pub(crate) async fn caller(
    #[security(Login)] token: BearerToken,
    scopes: SecurityScopes,
    State(app): State<App>,
) -> Result<Caller, VerifyError> {
    let caller = app.tokens.verify(&token, scopes).await?;
    Span::current().record("caller", &*caller.sub);
    Ok(caller)
}

/// The name of a job, which is the first part of its key.
#[dependency]
pub(crate) async fn job(
    #[security(JobKey)] key: ApiKey,
    scopes: SecurityScopes,
    State(app): State<App>,
) -> Result<String, Refused> {
    const UNKNOWN: Rejection = Rejection::new(StatusCode::UNAUTHORIZED)
        .with_detail("Unknown key")
        .with_challenge("APIKey");
    let (id, secret) = key.as_str().split_once('.').ok_or(UNKNOWN)?;
    let (id, secret) = (id.to_owned(), SecretString::from(secret));
    let name = id.clone();
    let row = app.store.read(move |database| {
        let sql = "SELECT secret_hash, scopes FROM api_keys WHERE id = ?1";
        let row = database.query_row(sql, [id], |row| Ok((row.get(0)?, row.get(1)?)));
        Ok(row.optional()?)
    });
    let (hash, granted): (String, String) = row.await?.ok_or(UNKNOWN)?;
    if !secrets::is_hashed_as(&secret, &hash) {
        return Err(UNKNOWN.into());
    }
    let denied = |_| Rejection::new(StatusCode::FORBIDDEN).with_detail("Not for this key");
    scopes.check(&granted).map_err(denied)?;
    Span::current().record("caller", &*name);
    Ok(name)
}

/// Whoever does maintenance: a person with a token, or a job with its key.
#[one_of]
pub(crate) enum Operator {
    #[security(caller)]
    Person(Caller),
    #[security(job)]
    Job(String),
}
