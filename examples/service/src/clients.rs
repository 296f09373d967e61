//! Clients: the programs that ask for tokens.
//!
//! - `web` is public: it has no secret. It takes the password of a user and refreshes, and is
//!   Swagger UI or our own page. No other site may have it, because it sees passwords.
//! - `reporter` is a machine: it proves itself with its secret, and acts for itself.

use rusqlite::OptionalExtension;
use tollgate::Scheme;
use tollgate::token_endpoint::{self, TokenError};

use crate::scopes::Login;
use crate::secrets;
use crate::store::Store;

pub(crate) struct Client {
    pub(crate) id: String,
    secret_hash: Option<String>,
    grants: String,
    scopes: String,
}

/// Returns the client that a request names, if it proves itself.
pub(crate) async fn authenticate(
    store: &Store,
    sent: Option<token_endpoint::Client>,
) -> Result<Client, TokenError> {
    let sent = token_endpoint::Client::require(sent)?;
    let id = sent.client_id().to_owned();
    let found = store.read(move |database| {
        let sql = "SELECT secret_hash, grants, scopes FROM clients WHERE id = ?1";
        let row = database.query_row(sql, [&id], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        });
        Ok(row.optional()?.map(|(secret_hash, grants, scopes)| Client {
            id,
            secret_hash,
            grants,
            scopes,
        }))
    });
    let client = found.await?.ok_or_else(|| sent.invalid_client())?;
    let is_right = match (sent.client_secret(), &client.secret_hash) {
        (Some(secret), Some(hash)) => secrets::is_hashed_as(secret, hash),
        (None, None) => true,
        _ => false,
    };
    if is_right {
        Ok(client)
    } else {
        tracing::info!(client = client.id, "a client did not prove itself");
        Err(sent.invalid_client())
    }
}

impl Client {
    /// Returns the scopes of its tokens.
    pub(crate) fn scopes(&self) -> impl Iterator<Item = &str> {
        self.scopes.split(' ')
    }

    /// Says whether a token for it may have a scope, which one of its own may imply.
    pub(crate) fn may(&self, scope: &str) -> bool {
        Login::CONFIG.grants(&self.scopes().collect::<Vec<_>>(), scope)
    }

    pub(crate) fn check_grant(&self, grant: &str) -> Result<(), TokenError> {
        if self.grants.split(' ').any(|allowed| allowed == grant) {
            Ok(())
        } else {
            Err(TokenError::unauthorized_client(
                "this client may not use this grant",
            ))
        }
    }
}
