//! Logins: refresh tokens, each of which is valid once.
//!
//! Each refresh spends a token and issues the next one. The tokens of a login are a family, of
//! which one is valid.
//!
//! **A spent token ends its family.** If one comes back, two parties have it, and one may be a
//! thief ([RFC 9700, 4.14.2](https://www.rfc-editor.org/rfc/rfc9700#section-4.14.2)). There is no
//! grace period: a client that sends one token twice, at once or after a lost response, has to log
//! in again. It should refresh in one place, and store a new token before it uses it.
//!
//! A login expires after 30 days, however often it was refreshed. Until then its spent tokens stay
//! in the database, because a deleted one could not end its family.

//! An access token names its login, and is valid as long as it: `scopes.rs`.

use tollgate::{secrecy::SecretString, token_endpoint::TokenError};

use crate::accounts::{self, Account};
use crate::database::{Connection, Database};
use crate::{error::Result, scopes, secrets, token_endpoint::Client};

/// In seconds.
const LIFETIME: i64 = 30 * 24 * 60 * 60;

const INVALID: TokenError =
    TokenError::invalid_grant("the refresh token is unknown, used, expired or revoked");
const OF_ANOTHER_CLIENT: TokenError = TokenError::invalid_grant("the token is another client's");

/// A login, and its refresh token.
pub(crate) struct Login {
    pub(crate) id: String,
    pub(crate) refresh_token: SecretString,
}

/// Starts a login, and remembers its network. Returns `None` if the password has been changed since
/// it was checked.
pub(crate) async fn start(
    db: &Database,
    account: &Account,
    network: &str,
    client: &str,
    scopes: &[String],
) -> Result<Option<Login>> {
    let mut transaction = db.write.begin().await?;
    // Whoever changes the password now waits, and then ends this login.
    let sql = "UPDATE accounts SET is_admin = is_admin WHERE id = $1 AND password_hash = $2";
    let query = sqlx::query(sql)
        .bind(&account.id)
        .bind(&account.password_hash);
    if query.execute(&mut *transaction).await?.rows_affected() == 0 {
        return Ok(None);
    }
    let sql = "INSERT INTO known_networks (account, network, expires_at)
        VALUES ($1, $2, unixepoch() + $3)
        ON CONFLICT (account, network) DO UPDATE SET expires_at = excluded.expires_at";
    let query = sqlx::query(sql)
        .bind(&account.id)
        .bind(network)
        .bind(LIFETIME);
    query.execute(&mut *transaction).await?;
    let id = secrets::random_id()?;
    let sql = "INSERT INTO logins (id, account, client, scopes, expires_at)
        VALUES ($1, $2, $3, $4, unixepoch() + $5)";
    let query = sqlx::query(sql).bind(&id).bind(&account.id).bind(client);
    let query = query.bind(scopes.join(" ")).bind(LIFETIME);
    query.execute(&mut *transaction).await?;
    let refresh_token = add_token(&mut transaction, &id).await?;
    transaction.commit().await?;
    Ok(Some(Login { id, refresh_token }))
}

async fn add_token(on: &mut Connection, login: &str) -> Result<SecretString> {
    let token = secrets::random()?;
    let sql = "INSERT INTO refresh_tokens (hash, login, is_spent) VALUES ($1, $2, 0)";
    let query = sqlx::query(sql).bind(secrets::hash(&token)).bind(login);
    query.execute(on).await?;
    Ok(token)
}

/// The account, the scopes of the access token, and the login with its next refresh token.
type Refreshed = (String, Vec<String>, Login);

/// Replaces a token by the next one. If a requested scope is not allowed, the token stays valid.
pub(crate) async fn refresh(
    db: &Database,
    token: &SecretString,
    client: &Client,
    requested: &[String],
) -> Result<Result<Refreshed, TokenError>> {
    let hash = secrets::hash(token);
    let mut transaction = db.write.begin().await?;
    // Another request with a token of this login waits, and then finds what this one leaves.
    let sql = "UPDATE logins SET expires_at = expires_at
        WHERE id = (SELECT login FROM refresh_tokens WHERE hash = $1)
        AND client = $2 AND expires_at > unixepoch() RETURNING id, account, scopes";
    let query = sqlx::query_as(sql).bind(&hash).bind(&client.id);
    let found: Option<(String, String, String)> = query.fetch_optional(&mut *transaction).await?;
    let Some((id, account, allowed)) = found else {
        return Ok(Err(INVALID));
    };
    let sql = "SELECT is_spent, is_admin FROM refresh_tokens JOIN accounts ON accounts.id = $2
        WHERE hash = $1";
    let query = sqlx::query_as(sql).bind(&hash).bind(&account);
    let (is_spent, is_admin): (i64, i64) = query.fetch_one(&mut *transaction).await?;
    if is_spent == 1 {
        let query = sqlx::query("DELETE FROM logins WHERE id = $1").bind(&id);
        query.execute(&mut *transaction).await?;
        transaction.commit().await?;
        tracing::warn!(account, client.id, "a spent refresh token came back");
        return Ok(Err(INVALID));
    }
    // The account or the client may have lost a scope since the login.
    let allowed = allowed.split(' ').map(str::to_owned);
    let allowed = allowed.filter(|scope| accounts::allows(is_admin, scope) && client.allows(scope));
    let scopes = match scopes::grant(requested, allowed.collect()) {
        Ok(scopes) => scopes,
        Err(error) => return Ok(Err(error)),
    };
    let query = sqlx::query("UPDATE refresh_tokens SET is_spent = 1 WHERE hash = $1").bind(&hash);
    query.execute(&mut *transaction).await?;
    let refresh_token = add_token(&mut transaction, &id).await?;
    transaction.commit().await?;
    Ok(Ok((account, scopes, Login { id, refresh_token })))
}

/// Ends the family of a token, spent or not.
pub(crate) async fn end(
    db: &Database,
    token: &SecretString,
    client: &str,
) -> Result<Result<(), TokenError>> {
    let sql = "SELECT login, client FROM refresh_tokens JOIN logins ON logins.id = login
        WHERE hash = $1";
    let query = sqlx::query_as(sql).bind(secrets::hash(token));
    let found: Option<(String, String)> = query.fetch_optional(&db.read).await?;
    if let Some((login, owner)) = found {
        if owner != client {
            return Ok(Err(OF_ANOTHER_CLIENT));
        }
        let query = sqlx::query("DELETE FROM logins WHERE id = $1").bind(login);
        query.execute(&db.write).await?;
    }
    Ok(Ok(()))
}

/// Deletes expired logins and returns their number. Forgets networks after the same time.
pub(crate) async fn purge(db: &Database) -> Result<u64> {
    let networks = sqlx::query("DELETE FROM known_networks WHERE expires_at <= unixepoch()");
    networks.execute(&db.write).await?;
    let logins = sqlx::query("DELETE FROM logins WHERE expires_at <= unixepoch()");
    Ok(logins.execute(&db.write).await?.rows_affected())
}
