//! Accounts: names and passwords.

use std::net::SocketAddr;

use axum::Json;
use axum::extract::{ConnectInfo, State};
use axum::http::StatusCode;
use rusqlite::OptionalExtension;
use serde::{Deserialize, Serialize};
use tollgate::Rejection;
use tollgate::secrecy::{ExposeSecret, SecretString};
use utoipa::ToSchema;

use crate::App;
use crate::error::Refused;
use crate::scopes::{OF_ACCOUNTS, OF_ADMINS};

pub(crate) struct Account {
    pub(crate) name: String,
    pub(crate) is_admin: bool,
}

impl Account {
    /// Says whether a token for this account may have a scope.
    pub(crate) fn may(&self, scope: &str) -> bool {
        OF_ACCOUNTS.contains(&scope) || (self.is_admin && OF_ADMINS.contains(&scope))
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
    responses(
        (status = 201, description = "The account", body = Registered),
        (status = 400, description = "The name or the password does not do"),
        (status = 409, description = "The name is taken"),
        (status = 429, description = "Too many attempts; `Retry-After` has the seconds to wait"),
    )
)]
pub(crate) async fn register(
    State(app): State<App>,
    ConnectInfo(address): ConnectInfo<SocketAddr>,
    Json(NewAccount { username, password }): Json<NewAccount>,
) -> Result<(StatusCode, Json<Registered>), Refused> {
    const BAD_NAME: Rejection = Rejection::detail(400, "A name has 1 to 32 of a-z, 0-9, - and _");
    const BAD_PASSWORD: Rejection = Rejection::detail(400, "A password has 8 to 256 bytes");
    const TAKEN: Rejection = Rejection::detail(409, "The name is taken");

    let is_allowed = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_');
    if !(1..=32).contains(&username.len()) || !username.bytes().all(is_allowed) {
        return Err(BAD_NAME.into());
    }
    if !(8..=256).contains(&password.expose_secret().len()) {
        return Err(BAD_PASSWORD.into());
    }
    app.limits.check(address).map_err(Refused::TooMany)?;
    let hash = app.passwords.hash(password).await?;
    let name = username.clone();
    let added = app.store.write(move |database| {
        let sql = "INSERT INTO accounts (name, password_hash) VALUES (?1, ?2)
            ON CONFLICT DO NOTHING";
        Ok(database.execute(sql, (name, hash))? == 1)
    });
    if !added.await? {
        return Err(TAKEN.into());
    }
    tracing::info!(username, "an account was registered");
    Ok((StatusCode::CREATED, Json(Registered { username })))
}

/// Returns the account if the password is right.
pub(crate) async fn log_in(
    app: &App,
    name: String,
    password: SecretString,
) -> Result<Option<Account>, Refused> {
    let found = app.store.read(move |database| {
        let sql = "SELECT is_admin, password_hash FROM accounts WHERE name = ?1";
        let row = database.query_row(sql, [&name], |row| Ok((row.get(0)?, row.get(1)?)));
        let row: Option<(bool, String)> = row.optional()?;
        Ok(row.map(|(is_admin, hash)| (Account { name, is_admin }, hash)))
    });
    let (account, hash) = found.await?.unzip();
    let is_right = app.passwords.is_right(password, hash).await?;
    Ok(account.filter(|_| is_right))
}
