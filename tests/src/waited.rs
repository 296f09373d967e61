//! A check that waits, as one that asks a database does.

use core::time::Duration;

use doorward::{BearerError, BearerToken, dependency, http_bearer};
use serde::Deserialize;

/// Takes the token `in:MILLISECONDS`, or any other text with such an end.
#[http_bearer]
pub struct Waits;

/// A caller who has waited.
#[derive(Clone, Debug)]
pub struct Waited;

/// Waits, and then lets in the token that says `in`.
///
/// # Errors
///
/// Returns an error for any other token.
#[dependency(extract)]
pub async fn waited(#[security(Waits)] token: BearerToken) -> Result<Waited, BearerError> {
    let (word, milliseconds) = token.as_str().split_once(':').unwrap_or_default();
    let milliseconds = milliseconds.parse().map_err(|_| BearerError::invalid_token())?;
    tokio::time::sleep(Duration::from_millis(milliseconds)).await;
    if word == "in" { Ok(Waited) } else { Err(BearerError::invalid_token()) }
}

/// What the query and the bodies have.
#[derive(Debug, Deserialize)]
pub struct Number {
    /// Any number.
    pub number: u32,
}
