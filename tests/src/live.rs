//! A stream that ends with its token, and users whom a client locks out.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use futures_util::Stream;
use futures_util::stream::unfold;
use serde::Deserialize;

/// What is said of the tokens of a user, if anything was.
static SAID: Mutex<Option<HashMap<String, Option<bool>>>> = Mutex::new(None);

/// How often a requirement is asked.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Every {
    every: u64,
}

impl From<Every> for Duration {
    fn from(Every { every }: Every) -> Self {
        Self::from_millis(every)
    }
}

/// Says that the tokens of a user are refused (`lock`), may be (`unknown`), or are not (`unlock`).
/// Returns `false` for another word.
pub fn say(word: &str, user: String) -> bool {
    let is_refused = match word {
        "lock" => Some(true),
        "unknown" => None,
        "unlock" => Some(false),
        _ => return false,
    };
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    said.get_or_insert_default().insert(user, is_refused);
    true
}

/// Returns whether the tokens of a user are refused.
///
/// # Errors
///
/// Returns an error if nothing is known.
pub fn is_refused(user: &str) -> Result<bool, &'static str> {
    let said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    let is_refused = said.as_ref().and_then(|said| said.get(user).copied());
    is_refused.unwrap_or(Some(false)).ok_or("nothing is known")
}

/// Yields a server-sent event every 20 milliseconds.
pub fn ticks() -> impl Stream<Item = Result<&'static str, Infallible>> + Send + 'static {
    unfold((), |()| async {
        tokio::time::sleep(Duration::from_millis(20)).await;
        Some((Ok("data: tick\n\n"), ()))
    })
}
