//! Accounts: names and passwords.

use std::net::{IpAddr, SocketAddr};

use axum::Json;
use axum::extract::{ConnectInfo, State};
use axum::http::StatusCode;
use rusqlite::{OptionalExtension, Transaction};
use serde::{Deserialize, Serialize};
use tollgate::secrecy::{ExposeSecret, SecretString};
use tollgate::token_endpoint::TokenError;
use tollgate::{Rejection, Scheme};
use tracing::Span;
use utoipa::ToSchema;

use crate::App;
use crate::error::{Detail, Internal, Refused};
use crate::limits::network;
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
    #[schema(example = "johndoe", pattern = "^[a-z0-9_-]{1,32}$")]
    username: String,
    #[schema(value_type = String, format = Password, min_length = 8, max_length = 256)]
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
        (status = 400, description = "The body is not JSON, or the name or the password does not do", body = Detail),
        (status = 409, description = "The name is taken", body = Detail),
        (status = 429, description = "Too many attempts", body = Detail, headers(("retry-after" = u64))),
    )
)]
pub(crate) async fn register(
    State(app): State<App>,
    ConnectInfo(address): ConnectInfo<SocketAddr>,
    Json(NewAccount { username, password }): Json<NewAccount>,
) -> Result<(StatusCode, Json<Registered>), Refused> {
    const BAD_NAME: Rejection = Rejection::new(StatusCode::BAD_REQUEST)
        .with_detail("A name has 1 to 32 of a-z, 0-9, - and _");
    const BAD_PASSWORD: Rejection =
        Rejection::new(StatusCode::BAD_REQUEST).with_detail("A password has 8 to 256 characters");
    const TAKEN: Rejection = Rejection::new(StatusCode::CONFLICT).with_detail("The name is taken");

    if !is_name(&username) {
        return Err(BAD_NAME.into());
    }
    if !(8..=256).contains(&password.expose_secret().chars().count()) {
        return Err(BAD_PASSWORD.into());
    }
    let checked = app.limits.check_network(network(address.ip()));
    checked.map_err(Refused::TooMany)?;
    let turn = app.passwords.queue().map_err(Refused::TooMany)?;
    let hash = app.passwords.hash(turn, password).await?;
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

fn is_name(name: &str) -> bool {
    let is_allowed = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_');
    (1..=32).contains(&name.len()) && name.bytes().all(is_allowed)
}

/// Returns the account if the password is right.
pub(crate) async fn log_in(
    app: &App,
    network: IpAddr,
    name: String,
    password: SecretString,
) -> Result<Account, TokenError> {
    let checked = app.limits.check_network(network);
    checked.map_err(TokenError::too_many_requests)?;
    let turn = app.passwords.queue();
    let turn = turn.map_err(TokenError::too_many_requests)?;
    // A name that nobody can have needs no limit, and no memory for one.
    let limited = is_name(&name).then(|| name.clone());
    let found = app.store.read(move |database| {
        let sql = "SELECT id, is_admin, password_hash, EXISTS (SELECT 1 FROM known_networks
            WHERE account = id AND network = ?2) FROM accounts WHERE name = ?1";
        let row = database.query_row(sql, (name, network.to_string()), |row| {
            let (id, is_admin) = (row.get(0)?, row.get(1)?);
            Ok((row.get(3)?, (Account { id, is_admin }, row.get(2)?)))
        });
        Ok(row.optional()?)
    });
    let (is_known, found) = found.await?.unzip();
    let (account, hash): (Option<Account>, _) = found.unzip();
    Span::current().record("account", account.as_ref().map(|account| &*account.id));
    if let Some(name) = limited.filter(|_| is_known != Some(true)) {
        let checked = app.limits.check_account(name);
        checked.map_err(TokenError::too_many_requests)?;
    }
    let is_right = app.passwords.is_right(turn, password, hash).await?;
    let wrong = TokenError::invalid_grant("wrong user name or password");
    account.filter(|_| is_right).ok_or(wrong)
}

/// What a subject without an account gets: a machine, or a person whose account is gone.
pub(crate) const NO_ACCOUNT: Rejection =
    Rejection::new(StatusCode::FORBIDDEN).with_detail("The token is for no account");

/// Says whether there is an account for the subject of a token.
pub(crate) fn is_there(database: &Transaction<'_>, subject: &str) -> Result<bool, Internal> {
    let mut statement = database.prepare("SELECT 1 FROM accounts WHERE id = ?1")?;
    Ok(statement.exists([subject])?)
}
