//! Logins: refresh tokens, each of which is valid once.
//!
//! Each refresh spends a token and issues the next one. Its first part names the login, and stays;
//! its second part is new each time.
//!
//! **A spent token ends its login.** If one comes back, two parties have it, and one may be a thief
//! ([RFC 9700, 4.14.2](https://www.rfc-editor.org/rfc/rfc9700#section-4.14.2)). There is no grace
//! period: a client that sends one token twice, at once or after a lost response, has to log in
//! again. It should refresh in one place, and store a new token before it uses it.
//!
//! A login expires after 30 days, however often it was refreshed. An access token names its login,
//! and is refused once that has ended: `scopes.rs`.

use doorward::secrecy::{ExposeSecret, SecretString};
use doorward::token_endpoint::TokenError;

use crate::accounts::{self, Account};
use crate::database::{Connection, Database};
use crate::{error::Result, scopes, secrets, token_endpoint::Client};

/// In seconds.
const LIFETIME: i64 = 30 * 24 * 60 * 60;

const INVALID: TokenError =
    TokenError::invalid_grant("the refresh token is unknown, used, expired or revoked");
const OF_ANOTHER_CLIENT: TokenError = TokenError::invalid_grant("the token is another client's");

/// A refresh token that was issued, and the id of its login.
pub(crate) struct Issued {
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
) -> Result<Option<Issued>> {
    let mut transaction = db.begin().await?;
    // Whoever changes the password now waits, and then ends this login.
    let sql = "UPDATE accounts SET is_admin = is_admin WHERE id = $1 AND password_hash = $2";
    let query = sqlx::query(sql).bind(&account.id).bind(&account.password_hash);
    if query.execute(&mut *transaction).await?.rows_affected() == 0 {
        return Ok(None);
    }
    let sql = "INSERT INTO known_networks (account, network, expires_at)
        VALUES ($1, $2, unixepoch() + $3)
        ON CONFLICT (account, network) DO UPDATE SET expires_at = excluded.expires_at";
    // Known for longer than the login, so that the next one is from a known network.
    let query = sqlx::query(sql).bind(&account.id).bind(network).bind(2 * LIFETIME);
    query.execute(&mut *transaction).await?;
    let (first, second) = (secrets::random()?, secrets::random()?);
    let id = secrets::hash(&first);
    let sql = "INSERT INTO logins (id, token_hash, account, client, scopes, expires_at)
        VALUES ($1, $2, $3, $4, $5, unixepoch() + $6)";
    let query = sqlx::query(sql).bind(&id).bind(secrets::hash(&second)).bind(&account.id);
    let query = query.bind(client).bind(scopes.join(" ")).bind(LIFETIME);
    query.execute(&mut *transaction).await?;
    transaction.commit().await?;
    let refresh_token = token(first.expose_secret(), &second);
    Ok(Some(Issued { id, refresh_token }))
}

fn token(first: &str, second: &SecretString) -> SecretString {
    format!("{first}.{}", second.expose_secret()).into()
}

/// A value or a refusal. The outer error is a failure of the service.
type Answer<T> = Result<Result<T, TokenError>>;

/// Replaces a token by the next one, and returns it with the account and the scopes of the access
/// token. If a requested scope is not allowed, the token stays valid.
pub(crate) async fn refresh(
    db: &Database,
    sent: &SecretString,
    client: &Client,
    requested: &[String],
) -> Answer<(String, Vec<String>, Issued)> {
    let Some((first, second)) = sent.expose_secret().split_once('.') else {
        return Ok(Err(INVALID));
    };
    let (id, old) = (secrets::hash(&first.into()), secrets::hash(&second.into()));
    let next = secrets::random()?;
    let mut transaction = db.begin().await?;
    // Of several requests with one token, the first has the row, and the others wait.
    let sql = "UPDATE logins SET token_hash = $1
        WHERE id = $2 AND token_hash = $3 AND client = $4 AND expires_at > unixepoch()
        RETURNING account, scopes, (SELECT is_admin FROM accounts WHERE accounts.id = account)";
    let query = sqlx::query_as(sql).bind(secrets::hash(&next)).bind(&id).bind(old);
    let found = query.bind(&client.id).fetch_optional(&mut *transaction).await?;
    let Some((account, allowed, is_admin)): Option<(String, String, i64)> = found else {
        let sql = "DELETE FROM logins WHERE id = $1 AND client = $2 AND expires_at > unixepoch()
            RETURNING account";
        let query = sqlx::query_scalar(sql).bind(&id).bind(&client.id);
        let ended: Option<String> = query.fetch_optional(&mut *transaction).await?;
        transaction.commit().await?;
        if let Some(account) = ended {
            tracing::warn!(login = id, account, client.id, "a spent refresh token came back");
        }
        return Ok(Err(INVALID));
    };
    // The account or the client may have lost a scope since the login.
    let allowed = allowed.split(' ').map(str::to_owned);
    let allowed = allowed.filter(|scope| accounts::allows(is_admin, scope) && client.allows(scope));
    let scopes = match scopes::grant(requested, allowed.collect()) {
        Ok(scopes) => scopes,
        // The transaction is not committed, so the token was not spent.
        Err(error) => return Ok(Err(error)),
    };
    transaction.commit().await?;
    let refresh_token = token(first, &next);
    Ok(Ok((account, scopes, Issued { id, refresh_token })))
}

/// Ends the login of a token, spent or not.
pub(crate) async fn end(db: &Database, sent: &SecretString, client: &str) -> Answer<()> {
    let (first, _) = sent.expose_secret().split_once('.').unwrap_or_default();
    let id = secrets::hash(&first.into());
    let query = sqlx::query_scalar("SELECT client FROM logins WHERE id = $1").bind(&id);
    let owner: Option<String> = query.fetch_optional(&db.read).await?;
    if owner.is_some_and(|owner| owner != client) {
        return Ok(Err(OF_ANOTHER_CLIENT));
    }
    sqlx::query("DELETE FROM logins WHERE id = $1").bind(id).execute(&db.write).await?;
    Ok(Ok(()))
}

/// Ends all logins of an account, and forgets all networks but one: another may be a thief's.
pub(crate) async fn end_all(on: &mut Connection, account: &str, network: &str) -> Result<()> {
    sqlx::query("DELETE FROM logins WHERE account = $1").bind(account).execute(&mut *on).await?;
    let sql = "DELETE FROM known_networks WHERE account = $1 AND network <> $2";
    sqlx::query(sql).bind(account).bind(network).execute(on).await?;
    Ok(())
}

/// Deletes expired logins and networks, and returns the number of the logins.
pub(crate) async fn purge(db: &Database) -> Result<u64> {
    let networks = sqlx::query("DELETE FROM known_networks WHERE expires_at <= unixepoch()");
    networks.execute(&db.write).await?;
    let logins = sqlx::query("DELETE FROM logins WHERE expires_at <= unixepoch()");
    Ok(logins.execute(&db.write).await?.rows_affected())
}
