//! Accounts: registration and login.

use std::net::SocketAddr;

use axum::{Json, extract::ConnectInfo, http::StatusCode};
use serde::{Deserialize, Serialize};
use tollgate::{OAuth2PasswordRequestFormStrict, Rejection, Scheme, Shared, dependency, public};
use tollgate::{secrecy::ExposeSecret, secrecy::SecretString, token_endpoint::TokenError};
use tracing::Span;
use utoipa::ToSchema;

use crate::error::{Detail, Internal, bad_request};
use crate::passwords::{Passwords, hash, network, verify};
use crate::scopes::{Caller, Login, OF_ACCOUNTS, OF_ADMINS, caller};
use crate::{database::Database, secrets};

pub(crate) struct Account {
    /// The subject of its tokens.
    pub(crate) id: String,
    pub(crate) is_admin: bool,
}

impl Account {
    /// Returns `true` if a token for this account may have a scope.
    pub(crate) fn allows(&self, scope: &str) -> bool {
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

const TAKEN: Rejection = Rejection::new(StatusCode::CONFLICT).with_detail("The name is taken");
const TOO_MANY: Rejection = Rejection::new(StatusCode::TOO_MANY_REQUESTS)
    .with_headers(&[("retry-after", "6")])
    .with_detail("Too many requests");
const NO_ACCOUNT: Rejection =
    Rejection::new(StatusCode::FORBIDDEN).with_detail("The token is for no account");

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
    if !(8..=256).contains(&password.expose_secret().chars().count()) {
        return Err(bad_request("A password has 8 to 256 characters"));
    }
    let network = network(address.ip());
    let place = passwords.queue(&network).map_err(|_| TOO_MANY)?;
    let hash = passwords.run(place, move || hash(&password)).await?;
    let id = secrets::random_id()?;
    let sql = "INSERT INTO accounts (id, name, password_hash) VALUES ($1, $2, $3)
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

fn is_name(name: &str) -> bool {
    let is_allowed = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_');
    (1..=32).contains(&name.len()) && name.bytes().all(is_allowed)
}

/// Returns the account if the password is right.
pub(crate) async fn log_in(
    db: &Database,
    passwords: &Passwords,
    network: &str,
    form: &OAuth2PasswordRequestFormStrict,
) -> Result<Account, TokenError> {
    let (name, guess) = (&*form.username, form.password.clone());
    let too_many = TokenError::too_many_requests;
    let place = passwords.queue(network).map_err(too_many)?;
    let sql = "SELECT id, is_admin, password_hash, EXISTS (SELECT 1 FROM known_networks
        WHERE account = id AND network = $2) FROM accounts WHERE name = $1";
    let query = sqlx::query_as(sql).bind(name).bind(network);
    let found = query.fetch_optional(&db.read).await;
    let (account, hash, is_known_network) = match found.map_err(Internal::from)? {
        Some((id, is_admin, hash, known)) => (Some(Account { id, is_admin }), hash, known),
        // The time of the check does not tell whether an account exists.
        None => (None, passwords.decoy.clone(), false),
    };
    Span::current().record("account", account.as_ref().map(|account| &*account.id));
    // A name that nobody can have needs no limit, and no memory for one.
    if !is_known_network && is_name(name) {
        passwords.check_account(name).map_err(too_many)?;
    }
    let is_right = passwords.run(place, move || verify(&guess, &hash)).await?;
    let wrong = TokenError::invalid_grant("wrong user name or password");
    account.filter(|_| is_right).ok_or(wrong)
}

/// The id of the caller's account. A machine has none, nor has a person whose account was deleted.
#[dependency]
pub(crate) async fn account(
    #[security(caller)] caller: Caller,
    db: Shared<Database>,
) -> Result<String, Rejection> {
    let query = sqlx::query_scalar("SELECT id FROM accounts WHERE id = $1").bind(&caller.sub);
    let found = query.fetch_optional(&db.read).await;
    found.map_err(Internal::from)?.ok_or(NO_ACCOUNT)
}
