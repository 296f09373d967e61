//! Accounts: registration and login.

use std::net::SocketAddr;

use axum::{Json, extract::ConnectInfo, http::StatusCode};
use doorward::{OAuth2PasswordRequestFormStrict, Rejection, Scheme, Shared};
use doorward::{public, secured};
use doorward::{secrecy::ExposeSecret, secrecy::SecretString, token_endpoint::TokenError};
use serde::{Deserialize, Serialize};
use tracing::Span;
use utoipa::ToSchema;

use crate::error::{Detail, Internal, Result, SOON, bad_request};
use crate::passwords::{Network, Passwords, hash, network, verify};
use crate::scopes::{Caller, Login, OF_ACCOUNTS, OF_ADMINS, person};
use crate::{database::Database, logins, secrets};

pub(crate) struct Account {
    /// The subject of its tokens.
    pub(crate) id: String,
    pub(crate) is_admin: i64,
    pub(crate) password_hash: String,
}

/// Returns `true` if a token for an account may have a scope.
pub(crate) fn allows(is_admin: i64, scope: &str) -> bool {
    Login::CONFIG.grants(&OF_ACCOUNTS, scope)
        || (is_admin == 1 && Login::CONFIG.grants(&OF_ADMINS, scope))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct NewAccount {
    #[schema(example = "johndoe", pattern = "^[a-z0-9_-]{1,32}$")]
    username: String,
    #[schema(value_type = String, format = Password, min_length = 8, max_length = 256)]
    password: SecretString,
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct NewPassword {
    #[schema(value_type = String, format = Password)]
    old: SecretString,
    #[schema(value_type = String, format = Password, min_length = 8, max_length = 256)]
    new: SecretString,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct Registered {
    username: String,
}

const TAKEN: Rejection = Rejection::new(StatusCode::CONFLICT).with_detail("The name is taken");
/// The limit of a network.
const TOO_MANY: Rejection = Rejection::new(StatusCode::TOO_MANY_REQUESTS)
    .with_headers(&[("retry-after", "6")])
    .with_detail("Too many requests");
/// The limit of an account.
const TOO_OFTEN: Rejection = TOO_MANY.with_headers(&[("retry-after", "120")]);
const WRONG: Rejection =
    Rejection::new(StatusCode::FORBIDDEN).with_detail("The old password is wrong");

pub(crate) const WRONG_LOGIN: TokenError = TokenError::invalid_grant("wrong user name or password");

/// Registers an account.
#[public(reason = "everyone may have an account")]
#[utoipa::path(post, path = "/accounts", request_body = NewAccount, responses(
    (status = 201, description = "The account", body = Registered),
    (status = 409, description = "The name is taken", body = Detail),
    (status = 429, description = "Too many attempts", body = Detail, headers(("retry-after" = u64))),
))]
pub(crate) async fn register(
    db: Shared<Database>,
    passwords: Shared<Passwords>,
    ConnectInfo(address): ConnectInfo<SocketAddr>,
    Json(NewAccount { username, password }): Json<NewAccount>,
) -> Result<(StatusCode, Json<Registered>), Rejection> {
    if !is_name(&username) {
        return Err(bad_request("A name has 1 to 32 of a-z, 0-9, - and _"));
    }
    check_length(&password)?;
    let network = network(address.ip());
    passwords.count(&network).await?.map_err(|_| TOO_MANY)?;
    let place = passwords.queue(false).ok_or(TOO_MANY)?;
    let hash = passwords.run(place, move || hash(&password)).await?;
    let id = secrets::random_id()?;
    let sql = "INSERT INTO accounts (id, name, password_hash, is_admin) VALUES ($1, $2, $3, 0)
        ON CONFLICT (name) DO NOTHING";
    let query = sqlx::query(sql).bind(&id).bind(&username).bind(hash);
    let added = query.execute(&db.write).await.map_err(Internal::from)?;
    if added.rows_affected() == 0 {
        return Err(TAKEN);
    }
    // From here on, the log has the id.
    tracing::info!(username, id, "an account was registered");
    Ok((StatusCode::CREATED, Json(Registered { username })))
}

/// Changes the password, and ends all logins of the account.
#[secured]
#[utoipa::path(put, path = "/password", request_body = NewPassword, responses(
    (status = 204, description = "It is changed: log in again"),
    (status = 403, description = "The old password is wrong, or there is no account", body = Detail),
    (status = 429, description = "Too many attempts", body = Detail, headers(("retry-after" = u64))),
))]
pub(crate) async fn password(
    #[security(person)] caller: Caller,
    db: Shared<Database>,
    passwords: Shared<Passwords>,
    ConnectInfo(address): ConnectInfo<SocketAddr>,
    Json(NewPassword { old, new }): Json<NewPassword>,
) -> Result<StatusCode, Rejection> {
    check_length(&new)?;
    let network = network(address.ip());
    passwords.count(&network).await?.map_err(|_| TOO_MANY)?;
    let place = passwords.queue(true).ok_or(TOO_MANY)?;
    passwords.accounts.check(&caller.sub).await?.map_err(|_| TOO_OFTEN)?;
    let query = sqlx::query_scalar("SELECT password_hash FROM accounts WHERE id = $1");
    let found = query.bind(&caller.sub).fetch_one(&db.read).await;
    let old_hash: String = found.map_err(Internal::from)?;
    let stored = old_hash.clone();
    let work = move || verify(&old, &stored)?.then(|| hash(&new)).transpose();
    let new_hash = passwords.run(place, work).await?.ok_or(WRONG)?;
    let is_changed = change(&db, &caller.sub, [&network[0], &old_hash, &new_hash]).await?;
    if is_changed { Ok(StatusCode::NO_CONTENT) } else { Err(WRONG) }
}

/// Returns `false` if the password has been changed since it was checked.
async fn change(db: &Database, account: &str, [network, old, new]: [&str; 3]) -> Result<bool> {
    let mut transaction = db.begin().await?;
    let sql = "UPDATE accounts SET password_hash = $3 WHERE id = $1 AND password_hash = $2";
    let query = sqlx::query(sql).bind(account).bind(old).bind(new);
    if query.execute(&mut *transaction).await?.rows_affected() == 0 {
        return Ok(false);
    }
    logins::end_all(&mut transaction, account, network).await?;
    transaction.commit().await?;
    Ok(true)
}

fn check_length(password: &SecretString) -> Result<(), Rejection> {
    match password.expose_secret().chars().count() {
        8..=256 => Ok(()),
        _ => Err(bad_request("A password has 8 to 256 characters")),
    }
}

pub(crate) fn is_name(name: &str) -> bool {
    let is_allowed = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_');
    (1..=32).contains(&name.len()) && name.bytes().all(is_allowed)
}

/// Returns the account if the password is right. The outer error is a failure of the service.
pub(crate) async fn log_in(
    db: &Database,
    passwords: &Passwords,
    network: &Network,
    form: &OAuth2PasswordRequestFormStrict,
) -> Result<Result<Account, TokenError>> {
    let (name, guess) = (&*form.username, form.password.clone());
    let too_many = |wait| Ok(Err(TokenError::too_many_requests(wait)));
    if let Err(wait) = passwords.count(network).await? {
        return too_many(wait);
    }
    let sql = "SELECT id, is_admin, password_hash, (SELECT count(*) FROM known_networks
        WHERE account = id AND network = $2 AND expires_at > unixepoch())
        FROM accounts WHERE name = $1";
    // No account has any other name, which may have a NUL that PostgreSQL refuses.
    let name = if is_name(name) { name } else { "" };
    let found = sqlx::query_as(sql).bind(name).bind(&network[0]).fetch_optional(&db.read).await;
    let (account, known) = found?.map_or_else(Default::default, |row| {
        let (id, is_admin, password_hash, known): (_, _, _, i64) = row;
        (Some(Account { id, is_admin, password_hash }), known)
    });
    Span::current().record("account", account.as_ref().map(|account| &*account.id));
    let Some(place) = passwords.queue(known > 0) else {
        return too_many(SOON);
    };
    if known == 0
        && !name.is_empty()
        && let Err(wait) = passwords.guess(name, network).await?
    {
        return too_many(wait);
    }
    // The time of the check does not tell whether an account exists.
    let hash = account.as_ref().map_or(&passwords.decoy, |account| &account.password_hash).clone();
    let is_right = passwords.run(place, move || verify(&guess, &hash)).await?;
    Ok(account.filter(|_| is_right).ok_or(WRONG_LOGIN))
}
