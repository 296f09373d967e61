//! Passwords: how they are hashed, and how many may be tried.
//!
//! Argon2 is slow and takes 19 MiB, on purpose. One password per core is hashed at a time, so a
//! flood of logins delays other logins, but no other requests. A few logins wait for a core, and
//! the rest are refused.
//!
//! Tries are limited per network and per account. Networks that an account has not logged in from
//! share its limit: many addresses allow no more guesses, and do not lock out its own networks.

use std::net::{IpAddr, Ipv6Addr};
use std::{sync::Arc, thread::available_parallelism, time::Duration};

use argon2::{Argon2, PasswordHasher, PasswordVerifier, password_hash::Error::PasswordInvalid};
use tokio::{sync::OwnedSemaphorePermit as Place, sync::Semaphore, task::spawn_blocking};
use tollgate::secrecy::{ExposeSecret, SecretString};
use unicode_normalization::UnicodeNormalization;

use crate::{error::Result, limits::Limit, limits::Valkey, secrets};

/// How many logins may wait per core. A hash takes well below a second.
const QUEUE: usize = 8;

pub(crate) struct Passwords {
    networks: Limit,
    /// Counts tries from networks that an account has not logged in from. Whether the account
    /// exists makes no difference.
    pub(crate) accounts: Limit,
    queue: Arc<Semaphore>,
    cores: Arc<Semaphore>,
    /// The hash of a password that nobody knows.
    pub(crate) decoy: String,
}

impl Passwords {
    pub(crate) fn new(shared: Option<&Valkey>) -> Result<Self> {
        let cores = available_parallelism().map_or(1, usize::from);
        Ok(Self {
            networks: Limit::new("network", 20, 6, shared)?,
            accounts: Limit::new("account", 10, 2 * 60, shared)?,
            queue: Arc::new(Semaphore::new(cores * (1 + QUEUE))),
            cores: Arc::new(Semaphore::new(cores)),
            decoy: hash(&secrets::random()?)?,
        })
    }

    /// Counts a try and takes a place in the queue for a core, or returns the time to wait.
    pub(crate) async fn queue(&self, network: &str) -> Result<Place, Duration> {
        self.networks.check(network).await?;
        let place = self.queue.clone().try_acquire_owned();
        place.map_err(|_| Duration::from_secs(1))
    }

    /// Hashes or verifies a password, when a core is free.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        place: Place,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let core = self.cores.clone().acquire_owned().await?;
        // If the request is dropped, the work goes on, and keeps its core until it is done.
        spawn_blocking(move || (work(), core, place).0).await?
    }
}

/// Returns the network of an address. An IPv6 user controls at least a /64.
pub(crate) fn network(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).to_string(),
        IpAddr::V4(address) => address.to_string(),
    }
}

pub(crate) fn hash(password: &SecretString) -> Result<String> {
    let password = normalized(password);
    let hash = Argon2::default().hash_password(password.expose_secret().as_bytes())?;
    Ok(hash.to_string())
}

pub(crate) fn verify(password: &SecretString, stored: &str) -> Result<bool> {
    let password = normalized(password);
    match Argon2::default().verify_password(password.expose_secret().as_bytes(), stored) {
        Ok(()) => Ok(true),
        Err(PasswordInvalid) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Some keyboards send `é` as one character, others as two, and some send a wide space. The mapping
/// is that of `OpaqueString` (RFC 8265, 4.2.2), without its tables, which lack half of the emoji.
fn normalized(password: &SecretString) -> SecretString {
    let is_space = |c: char| c.is_whitespace() && !c.is_control();
    let characters = password.expose_secret().chars();
    let characters = characters.map(|c| if is_space(c) { ' ' } else { c });
    characters.nfc().collect::<String>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_for_one_password() {
        let stored = hash(&"correct horse".into()).unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        assert!(verify(&"correct horse".into(), &stored).unwrap());
        assert!(!verify(&"wrong horse".into(), &stored).unwrap());
        assert!(verify(&"correct horse".into(), "not a hash").is_err());
    }

    #[test]
    fn a_password_is_the_same_on_every_keyboard() {
        let normalized = |text: &str| normalized(&text.into()).expose_secret().to_owned();
        for (typed, text) in [
            ("cafe\u{301} noir", "caf\u{e9} noir"),
            ("caf\u{e9}\u{a0}noir", "caf\u{e9} noir"),
            ("\u{212b}\u{3000}\u{1100}\u{1161}", "\u{c5} \u{ac00}"),
            // Compatible characters are other characters, and so is a tab.
            ("\u{fb01}\t\u{1fae0}", "\u{fb01}\t\u{1fae0}"),
        ] {
            assert_eq!(normalized(typed), text, "{typed:?}");
        }
    }

    #[tokio::test]
    async fn the_queue_is_bounded() {
        let passwords = Passwords::new(None).unwrap();
        let queue = async |number: usize| passwords.queue(&number.to_string()).await.ok();
        let mut places = Vec::new();
        while let Some(place) = queue(places.len()).await {
            places.push(place);
        }
        assert!(places.len() > QUEUE);
        let hash = passwords.run(places.pop().unwrap(), || hash(&"a password".into()));
        assert!(queue(0).await.is_none());
        hash.await.unwrap();
        assert!(queue(0).await.is_some());
    }

    #[test]
    fn an_ipv6_user_is_limited_as_a_whole() {
        let network = |address: &str| network(address.parse().unwrap());
        assert_eq!(network("2001:db8::1:1"), network("2001:db8::ffff:2"));
        assert_ne!(network("2001:db8::1"), network("2001:db8:0:1::1"));
        assert_eq!(network("::ffff:192.0.2.1"), network("192.0.2.1"));
        assert_ne!(network("192.0.2.1"), network("192.0.2.2"));
    }
}
