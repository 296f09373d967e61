//! Passwords: Argon2, which is slow on purpose.
//!
//! It runs on threads for blocking work, at most one for each core at a time. So a flood of logins
//! delays other logins, and no other request. Some may wait for their turn; more are refused at
//! once, since they would wait until they are timed out. Each run needs 19 MiB. They are kept for
//! the next password, so there are at most as many pieces of that size as cores.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;
use std::time::Duration;

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{ARGON2ID_IDENT, Argon2, Block, Params, Version};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tollgate::secrecy::{ExposeSecret, SecretString};
use unicode_normalization::UnicodeNormalization;

use crate::error::Internal;
use crate::secrets;

/// How many may wait for each core. A hash takes well below a second.
const QUEUE: usize = 8;

#[derive(Clone)]
pub(crate) struct Passwords {
    turns: Arc<Semaphore>,
    permits: Arc<Semaphore>,
    idle: Arc<Mutex<Vec<Memory>>>,
    /// The hash of a password that nobody knows.
    decoy: Arc<str>,
}

type Memory = Vec<Block>;

/// A place in the queue.
pub(crate) type Turn = OwnedSemaphorePermit;

impl Passwords {
    pub(crate) fn new() -> Result<Self, Internal> {
        let cores = available_parallelism().map_or(1, usize::from);
        let mut memory = Memory::new();
        let decoy = hash(&secrets::random()?, &mut memory)?;
        Ok(Self {
            turns: Arc::new(Semaphore::new(cores * (1 + QUEUE))),
            permits: Arc::new(Semaphore::new(cores)),
            idle: Arc::new(Mutex::new(vec![memory])),
            decoy: decoy.into(),
        })
    }

    /// Returns the time to wait, if the queue is full.
    pub(crate) fn queue(&self) -> Result<Turn, Duration> {
        let turn = self.turns.clone().try_acquire_owned();
        turn.map_err(|_| Duration::from_secs(1))
    }

    pub(crate) async fn hash(
        &self,
        turn: Turn,
        password: SecretString,
    ) -> Result<String, Internal> {
        self.run(turn, move |memory| hash(&password, memory)).await
    }

    /// Checks a password. It takes as long if there is no hash, because nobody has that name: the
    /// time does not tell who has an account.
    pub(crate) async fn is_right(
        &self,
        turn: Turn,
        password: SecretString,
        expected: Option<String>,
    ) -> Result<bool, Internal> {
        let decoy = self.decoy.clone();
        self.run(turn, move |memory| {
            let is_right = verify(&password, expected.as_deref().unwrap_or(&decoy), memory)?;
            Ok(is_right && expected.is_some())
        })
        .await
    }

    async fn run<T: Send + 'static>(
        &self,
        turn: Turn,
        work: impl FnOnce(&mut Memory) -> Result<T, Internal> + Send + 'static,
    ) -> Result<T, Internal> {
        let permit = self.permits.clone().acquire_owned().await?;
        let idle = self.idle.clone();
        let done = tokio::task::spawn_blocking(move || {
            let lock = || idle.lock().unwrap_or_else(PoisonError::into_inner);
            let mut memory = lock().pop().unwrap_or_default();
            let result = work(&mut memory);
            lock().push(memory);
            drop((permit, turn));
            result
        });
        done.await?
    }
}

pub(crate) fn hash(password: &SecretString, memory: &mut Memory) -> Result<String, Internal> {
    let (params, salt) = (Params::default(), Salt::generate());
    let hash = PasswordHash {
        algorithm: ARGON2ID_IDENT,
        version: Some(Version::V0x13.into()),
        params: ParamsString::try_from(&params)?,
        salt: Some(salt),
        hash: Some(compute(password, &salt, params, memory)?),
    };
    Ok(hash.to_string())
}

fn verify(password: &SecretString, hash: &str, memory: &mut Memory) -> Result<bool, Internal> {
    let hash = PasswordHash::new(hash)?;
    let (Some(salt), Some(expected)) = (hash.salt, hash.hash) else {
        return Ok(false);
    };
    // An `Output` is compared in constant time.
    Ok(compute(password, &salt, Params::try_from(&hash)?, memory)? == expected)
}

fn compute(
    password: &SecretString,
    salt: &[u8],
    params: Params,
    memory: &mut Memory,
) -> Result<Output, Internal> {
    let password = prepared(password);
    let password = password.expose_secret().as_bytes();
    memory.resize(params.block_count(), Block::new());
    let length = params.output_len().unwrap_or(Params::DEFAULT_OUTPUT_LEN);
    let mut output = vec![0; length];
    // Argon2id, version 19.
    Argon2::from(params).hash_password_into_with_memory(password, salt, &mut output, memory)?;
    Ok(Output::new(&output)?)
}

/// Some keyboards send `é` as one character, others as two, and some send a wide space. The mapping
/// is that of `OpaqueString` (RFC 8265, 4.2.2), but nothing is refused: its tables are of
/// Unicode 6.3, which has not half of the emoji.
fn prepared(password: &SecretString) -> SecretString {
    let is_space = |character: char| character.is_whitespace() && !character.is_control();
    let characters = password.expose_secret().chars();
    let characters = characters.map(|character| if is_space(character) { ' ' } else { character });
    characters.nfc().collect::<String>().into()
}

#[cfg(test)]
mod tests {
    use argon2::password_hash::PasswordVerifier;

    use super::*;

    #[test]
    fn a_hash_is_one_of_argon2() {
        let (right, wrong) = ("correct horse".into(), "wrong horse".into());
        let mut memory = Memory::new();
        let stored = hash(&right, &mut memory).unwrap();
        assert!(verify(&right, &stored, &mut memory).unwrap());
        assert!(!verify(&wrong, &stored, &mut memory).unwrap());
        // The library agrees, which takes memory of its own.
        let is_right = Argon2::default().verify_password(b"correct horse", stored.as_str());
        assert!(is_right.is_ok(), "{stored}");
    }

    #[test]
    fn a_password_is_the_same_on_every_keyboard() {
        let prepared = |text: &str| prepared(&text.into()).expose_secret().to_owned();
        for (typed, text) in [
            ("cafe\u{301} noir", "caf\u{e9} noir"),
            ("caf\u{e9}\u{a0}noir", "caf\u{e9} noir"),
            ("\u{212b}\u{3000}\u{1100}\u{1161}", "\u{c5} \u{ac00}"),
            // Compatible characters are other characters, and so is a tab.
            ("\u{fb01}\t\u{1fae0}", "\u{fb01}\t\u{1fae0}"),
        ] {
            assert_eq!(prepared(typed), text, "{typed:?}");
        }
    }

    #[tokio::test]
    async fn the_queue_is_bounded() {
        let passwords = Passwords::new().unwrap();
        let mut turns: Vec<_> = std::iter::from_fn(|| passwords.queue().ok()).collect();
        assert!(turns.len() > QUEUE);
        let hash = passwords.hash(turns.pop().unwrap(), "a password".into());
        assert!(passwords.queue().is_err());
        hash.await.unwrap();
        assert!(passwords.queue().is_ok());
    }
}
