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

use sqlx::types::Json;
use tollgate::{secrecy::SecretString, token_endpoint::TokenError};

use crate::database::{Connection, Database};
use crate::error::{Internal, Result};
use crate::{accounts::Account, scopes, secrets, signing::now, token_endpoint::Client};

/// In seconds.
const LIFETIME: i64 = 30 * 24 * 60 * 60;

const INVALID: TokenError =
    TokenError::invalid_grant("the refresh token is unknown, used, expired or revoked");
const OF_ANOTHER_CLIENT: TokenError = TokenError::invalid_grant("the token is another client's");

/// Starts a login, remembers its network, and returns its first refresh token.
pub(crate) async fn start(
    db: &Database,
    account: &str,
    network: &str,
    client: &str,
    scopes: &[String],
) -> Result<SecretString> {
    let end = now() + LIFETIME;
    let mut transaction = db.write.begin().await?;
    let sql = "INSERT INTO known_networks (account, network, expires_at) VALUES ($1, $2, $3)
        ON CONFLICT (account, network) DO UPDATE SET expires_at = excluded.expires_at";
    let query = sqlx::query(sql).bind(account).bind(network).bind(end);
    query.execute(&mut *transaction).await?;
    let sql = "INSERT INTO logins (account, client, scopes, expires_at) VALUES ($1, $2, $3, $4)
        RETURNING id";
    let query = sqlx::query_scalar(sql).bind(account).bind(client);
    let query = query.bind(Json(scopes)).bind(end);
    let login = query.fetch_one(&mut *transaction).await?;
    let token = add_token(&mut transaction, login).await?;
    transaction.commit().await?;
    Ok(token)
}

async fn add_token(database: &mut Connection, login: i64) -> Result<SecretString> {
    let token = secrets::random()?;
    let sql = "INSERT INTO refresh_tokens (hash, login) VALUES ($1, $2)";
    let query = sqlx::query(sql).bind(secrets::hash(&token)).bind(login);
    query.execute(database).await?;
    Ok(token)
}

/// The account, the scopes of the access token, and the next refresh token.
type Refreshed = (String, Vec<String>, Option<SecretString>);

/// Spends a token. If a requested scope is not allowed, the token stays valid.
pub(crate) async fn refresh(
    db: &Database,
    token: &SecretString,
    client: &Client,
    requested: &[String],
) -> Result<Refreshed, TokenError> {
    let hash = secrets::hash(token);
    let sql = "SELECT login, is_spent, account, is_admin, scopes FROM refresh_tokens
        JOIN logins ON logins.id = login JOIN accounts ON accounts.id = account
        WHERE hash = $1 AND client = $2 AND expires_at > $3";
    let query = sqlx::query_as(sql).bind(&hash).bind(&client.id).bind(now());
    let found = query.fetch_optional(&db.read).await;
    let row = found.map_err(Internal::from)?.ok_or(INVALID)?;
    let (login, spent, id, is_admin, Json(mut allowed)): (_, bool, _, _, Json<Vec<String>>) = row;
    let account = Account { id, is_admin };
    if !spent {
        // The account or the client may have lost a scope since the login.
        allowed.retain(|scope| account.allows(scope) && client.allows(scope));
        let scopes = scopes::grant(requested, allowed)?;
        if let Some(next) = spend(db, &hash, login).await? {
            return Ok((account.id, scopes, Some(next)));
        }
    }
    delete(db, login).await?;
    tracing::warn!(account.id, client.id, "a spent refresh token came back");
    Err(INVALID)
}

/// Replaces a token by the next one. Of several requests with it, this succeeds for the first only.
async fn spend(db: &Database, hash: &str, login: i64) -> Result<Option<SecretString>> {
    let mut transaction = db.write.begin().await?;
    let sql = "UPDATE refresh_tokens SET is_spent = TRUE WHERE hash = $1 AND NOT is_spent";
    let spent = sqlx::query(sql).bind(hash).execute(&mut *transaction);
    if spent.await?.rows_affected() == 0 {
        return Ok(None);
    }
    let next = add_token(&mut transaction, login).await?;
    transaction.commit().await?;
    Ok(Some(next))
}

/// Ends the family of a token, spent or not.
pub(crate) async fn end(
    db: &Database,
    token: &SecretString,
    client: &str,
) -> Result<(), TokenError> {
    let sql = "SELECT login, client FROM refresh_tokens JOIN logins ON logins.id = login
        WHERE hash = $1";
    let query = sqlx::query_as(sql).bind(secrets::hash(token));
    let found: sqlx::Result<Option<(i64, String)>> = query.fetch_optional(&db.read).await;
    match found.map_err(Internal::from)? {
        Some((_, owner)) if owner != client => Err(OF_ANOTHER_CLIENT),
        Some((login, _)) => Ok(delete(db, login).await?),
        None => Ok(()),
    }
}

async fn delete(db: &Database, login: i64) -> Result<()> {
    let query = sqlx::query("DELETE FROM logins WHERE id = $1").bind(login);
    query.execute(&db.write).await?;
    Ok(())
}

/// Deletes expired logins and returns their number. Forgets networks after the same time.
pub(crate) async fn purge(db: &Database) -> Result<u64> {
    let networks = sqlx::query("DELETE FROM known_networks WHERE expires_at <= $1").bind(now());
    networks.execute(&db.write).await?;
    let logins = sqlx::query("DELETE FROM logins WHERE expires_at <= $1").bind(now());
    Ok(logins.execute(&db.write).await?.rows_affected())
}
