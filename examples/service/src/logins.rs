//! Logins: refresh tokens that are good once.
//!
//! A login begins with a password. Each refresh spends the token that is good, and makes the next
//! one, in one transaction. All tokens of a login are a family, and one of them is good.
//!
//! **A spent token ends its family.** If it comes back, two parties have it, and one of them may be
//! a thief ([RFC 9700, 4.14.2](https://www.rfc-editor.org/rfc/rfc9700#section-4.14.2)). There is no
//! time in which it is forgiven, so this is also what a client gets
//!
//! - if it sends one token in several requests at once: one of them wins, the next one ends the
//!   family, and the token of the winner is worth nothing;
//! - if it has lost an answer, and tries again.
//!
//! In both cases the user logs in again. A client should refresh in one place, and keep the new
//! token before it uses it. A login also ends after 30 days, however often it was refreshed.
//!
//! Refreshes are not limited, and each leaves a row until its login ends and is purged: without
//! that row, a spent token that comes back would be refused, but would not end its family.
//!
//! Access tokens are good until they expire, minutes later, even if their login has ended.

use std::net::IpAddr;
use std::time::Duration;

use rusqlite::{OptionalExtension, Transaction};
use tollgate::secrecy::SecretString;

use crate::accounts::Account;
use crate::clients::Client;
use crate::error::Internal;
use crate::secrets;
use crate::signing::now;

const LIFETIME: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Starts a login, remembers its network, and returns its first token.
pub(crate) fn start(
    database: &Transaction<'_>,
    account: &str,
    network: IpAddr,
    client: &str,
    scopes: &[String],
) -> Result<SecretString, Internal> {
    let expires_at = now() + LIFETIME.as_secs();
    let sql = "INSERT OR REPLACE INTO known_networks (account, network, expires_at)
        VALUES (?1, ?2, ?3)";
    database.execute(sql, (account, network.to_string(), expires_at))?;
    let sql = "INSERT INTO logins (account, client, scopes, expires_at) VALUES (?1, ?2, ?3, ?4)";
    database.execute(sql, (account, client, scopes.join(" "), expires_at))?;
    add_token(database, database.last_insert_rowid())
}

fn add_token(database: &Transaction<'_>, login: i64) -> Result<SecretString, Internal> {
    let token = secrets::random()?;
    let sql = "INSERT INTO refresh_tokens (hash, login) VALUES (?1, ?2)";
    database.execute(sql, (secrets::hash(&token), login))?;
    Ok(token)
}

pub(crate) enum Refreshed {
    Done {
        account: String,
        scopes: Vec<String>,
        next: SecretString,
    },
    /// The token is unknown, expired or another client's, or its login has ended.
    Unknown,
    /// The token was spent before. Its family has ended now.
    Replayed { account: String },
    /// A scope is not one of the login, or the account or the client has lost it. The token stays
    /// good.
    TooWide,
}

/// Spends a token, for the scopes that are wanted of those of its login: all, if none is named.
pub(crate) fn refresh(
    database: &Transaction<'_>,
    token: &SecretString,
    client: &Client,
    wanted: &[String],
) -> Result<Refreshed, Internal> {
    let hash = secrets::hash(token);
    let sql = "SELECT login, is_spent, account, scopes, is_admin FROM refresh_tokens
        JOIN logins ON logins.id = login JOIN accounts ON accounts.id = account
        WHERE hash = ?1 AND client = ?2 AND expires_at > ?3";
    let row = database.query_row(sql, (&hash, &client.id, now()), |row| {
        let login: i64 = row.get("login")?;
        let scopes: String = row.get("scopes")?;
        let account = Account {
            id: row.get("account")?,
            is_admin: row.get("is_admin")?,
        };
        Ok((login, row.get("is_spent")?, account, scopes))
    });
    let Some((login, is_spent, account, scopes)) = row.optional()? else {
        return Ok(Refreshed::Unknown);
    };
    if is_spent {
        database.execute("DELETE FROM logins WHERE id = ?1", [login])?;
        let account = account.id;
        return Ok(Refreshed::Replayed { account });
    }
    let may = |scope: &&str| account.may(scope) && client.may(scope);
    let may = scopes.split(' ').filter(may);
    let Some(scopes) = crate::scopes::granted(wanted, may) else {
        return Ok(Refreshed::TooWide);
    };
    let sql = "UPDATE refresh_tokens SET is_spent = 1 WHERE hash = ?1";
    database.execute(sql, [hash])?;
    Ok(Refreshed::Done {
        account: account.id,
        scopes,
        next: add_token(database, login)?,
    })
}

pub(crate) enum Ended {
    Done,
    /// There is no such token, so there is nothing to end.
    Unknown,
    OfAnotherClient,
}

/// Ends the family of a token, spent or not.
pub(crate) fn end(
    database: &Transaction<'_>,
    token: &SecretString,
    client: &str,
) -> Result<Ended, Internal> {
    let sql = "SELECT login, client FROM refresh_tokens JOIN logins ON logins.id = login
        WHERE hash = ?1";
    let row = database.query_row(sql, [secrets::hash(token)], |row| {
        Ok((row.get(0)?, row.get(1)?))
    });
    let Some((login, owner)): Option<(i64, String)> = row.optional()? else {
        return Ok(Ended::Unknown);
    };
    if owner != client {
        return Ok(Ended::OfAnotherClient);
    }
    database.execute("DELETE FROM logins WHERE id = ?1", [login])?;
    Ok(Ended::Done)
}

/// Deletes the logins that have expired, and returns their number. Forgets networks after as long.
pub(crate) fn purge(database: &Transaction<'_>) -> Result<usize, Internal> {
    let sql = "DELETE FROM known_networks WHERE expires_at <= ?1";
    database.execute(sql, [now()])?;
    let sql = "DELETE FROM logins WHERE expires_at <= ?1";
    Ok(database.execute(sql, [now()])?)
}
