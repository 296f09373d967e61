//! Accounts: names and passwords.

use std::net::SocketAddr;

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{ConnectInfo, State};
use axum::http::StatusCode;
use rusqlite::{OptionalExtension, Transaction};
use serde::{Deserialize, Serialize};
use tollgate::secrecy::{ExposeSecret, SecretString};
use tollgate::{Rejection, Scheme};
use utoipa::ToSchema;

use crate::App;
use crate::error::{Internal, Refused};
use crate::scopes::{Login, OF_ACCOUNTS, OF_ADMINS};
use crate::secrets;

pub(crate) struct Account {
    /// The subject of its tokens.
    pub(crate) id: String,
    pub(crate) is_admin: bool,
}

impl Account {
    /// Says whether a token for this account may have a scope.
    pub(crate) fn may(&self, scope: &str) -> bool {
        Login::CONFIG.grants(&OF_ACCOUNTS, scope)
            || (self.is_admin && Login::CONFIG.grants(&OF_ADMINS, scope))
    }
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct NewAccount {
    /// 1 to 32 of the characters `a` to `z`, `0` to `9`, `-` and `_`.
    #[schema(example = "johndoe")]
    username: String,
    /// 8 to 256 bytes.
    #[schema(value_type = String, format = Password)]
    password: SecretString,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct Registered {
    username: String,
}

/// Registers an account.
#[utoipa::path(
    post,
    path = "/accounts",
    request_body = NewAccount,
    responses(
        (status = 201, description = "The account", body = Registered),
        (status = 400, description = "The body is not JSON, or the name or the password does not do"),
        (status = 409, description = "The name is taken"),
        (status = 413, description = "The body is too long"),
        (status = 415, description = "The media type is not JSON"),
        (status = 422, description = "A member is missing, or of another type"),
        (status = 429, description = "Too many attempts; `Retry-After` has the seconds to wait"),
    )
)]
pub(crate) async fn register(
    State(app): State<App>,
    ConnectInfo(address): ConnectInfo<SocketAddr>,
    sent: Result<Json<NewAccount>, JsonRejection>,
) -> Result<(StatusCode, Json<Registered>), Refused> {
    const BAD_NAME: Rejection = Rejection::detail(400, "A name has 1 to 32 of a-z, 0-9, - and _");
    const BAD_PASSWORD: Rejection = Rejection::detail(400, "A password has 8 to 256 bytes");
    const TAKEN: Rejection = Rejection::detail(409, "The name is taken");

    let Json(NewAccount { username, password }) = sent?;
    let is_allowed = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_');
    if !(1..=32).contains(&username.len()) || !username.bytes().all(is_allowed) {
        return Err(BAD_NAME.into());
    }
    if !(8..=256).contains(&password.expose_secret().len()) {
        return Err(BAD_PASSWORD.into());
    }
    app.limits.check(address).map_err(Refused::TooMany)?;
    let hash = app.passwords.hash(password).await?;
    let id = secrets::random_id()?;
    let row = (id.clone(), username.clone(), hash);
    let added = app.store.write(move |database| {
        let sql = "INSERT INTO accounts (id, name, password_hash) VALUES (?1, ?2, ?3)
            ON CONFLICT (name) DO NOTHING";
        Ok(database.execute(sql, row)? == 1)
    });
    if !added.await? {
        return Err(TAKEN.into());
    }
    // From here on, the log has the id.
    tracing::info!(username, id, "an account was registered");
    Ok((StatusCode::CREATED, Json(Registered { username })))
}

/// Returns the account if the password is right.
pub(crate) async fn log_in(
    app: &App,
    name: String,
    password: SecretString,
) -> Result<Option<Account>, Internal> {
    let found = app.store.read(move |database| {
        let sql = "SELECT id, is_admin, password_hash FROM accounts WHERE name = ?1";
        let row = database.query_row(sql, [name], |row| {
            let (id, is_admin) = (row.get(0)?, row.get(1)?);
            Ok((Account { id, is_admin }, row.get(2)?))
        });
        Ok(row.optional()?)
    });
    let (account, hash) = found.await?.unzip();
    let is_right = app.passwords.is_right(password, hash).await?;
    Ok(account.filter(|_| is_right))
}

/// What a subject without an account gets: a machine, or a person whose account is gone.
pub(crate) const NO_ACCOUNT: Rejection = Rejection::detail(403, "The token is for no account");

/// Says whether there is an account for the subject of a token.
pub(crate) fn is_there(database: &Transaction<'_>, subject: &str) -> Result<bool, Internal> {
    let mut statement = database.prepare("SELECT 1 FROM accounts WHERE id = ?1")?;
    Ok(statement.exists([subject])?)
}
