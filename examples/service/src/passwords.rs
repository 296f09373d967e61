//! Passwords: how they are hashed, and how many may be tried.
//!
//! Argon2 is slow and takes 19 MiB, on purpose. One password per core is hashed at a time, so a
//! flood of logins delays other logins, but no other requests. A few logins wait for a core, and
//! the rest are refused.
//!
//! Tries are limited per network and per account. Networks that an account has not logged in from
//! share its limits, so many addresses allow no more guesses, and do not lock out its own networks.
//! The first tries of each have a limit of their own: a few networks that fail lock out no others.

use std::net::{IpAddr, Ipv6Addr};
use std::{sync::Arc, thread::available_parallelism};

use argon2::{Argon2, PasswordHasher, PasswordVerifier, password_hash::Error::PasswordInvalid};
use doorward::secrecy::{ExposeSecret, SecretString};
use tokio::{sync::OwnedSemaphorePermit as Place, sync::Semaphore, task::spawn_blocking};
use unicode_normalization::UnicodeNormalization;

use crate::limits::{Limit, Tried, Valkey};
use crate::{error::Result, secrets};

/// How many logins may wait or run per core, in each queue. A hash takes well below a second.
const QUEUE: usize = 5;

pub(crate) struct Passwords {
    networks: [Limit; 2],
    /// Counts the tries of one account from one network that it has not logged in from.
    firsts: Limit,
    /// Counts these for all networks. Whether the account exists makes no difference.
    newcomers: Limit,
    /// Counts the other tries from networks that an account has not logged in from.
    pub(crate) accounts: Limit,
    /// The first one is for networks that the account knows.
    queues: [Arc<Semaphore>; 2],
    cores: Arc<Semaphore>,
    /// The hash of a password that nobody knows.
    pub(crate) decoy: String,
}

impl Passwords {
    pub(crate) fn new(shared: Option<&Valkey>) -> Result<Self> {
        let cores = available_parallelism().map_or(1, usize::from);
        Ok(Self {
            networks: [Limit::new("network", 20, 6, shared)?, Limit::new("wide", 100, 1, shared)?],
            firsts: Limit::new("first", 3, 60 * 60, shared)?,
            newcomers: Limit::new("newcomer", 1000, 60, shared)?,
            accounts: Limit::new("account", 10, 2 * 60, shared)?,
            queues: [(); 2].map(|()| Arc::new(Semaphore::new(cores * QUEUE))),
            cores: Arc::new(Semaphore::new(cores)),
            decoy: hash(&secrets::random()?)?,
        })
    }

    /// Counts a try of a network.
    pub(crate) async fn count(&self, network: &Network) -> Tried {
        for (limit, network) in self.networks.iter().zip(network) {
            if let Err(wait) = limit.check(network).await? {
                return Ok(Err(wait));
            }
        }
        Ok(Ok(()))
    }

    /// Counts a try of an account from a network that it does not know.
    pub(crate) async fn guess(&self, account: &str, [_, wide]: &Network) -> Tried {
        let is_first = self.firsts.check(&format!("{account} {wide}")).await?.is_ok();
        if is_first && self.newcomers.check(account).await?.is_ok() {
            return Ok(Ok(()));
        }
        self.accounts.check(account).await
    }

    /// Takes a place in the queue for a core.
    pub(crate) fn queue(&self, is_known: bool) -> Option<Place> {
        let mut queues = self.queues[usize::from(!is_known)..].iter();
        queues.find_map(|queue| queue.clone().try_acquire_owned().ok())
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

/// A network, and the wide one that it is a part of.
pub(crate) type Network = [String; 2];

/// Returns the networks of an address. An IPv6 user controls at least a /64, and often a /48.
pub(crate) fn network(address: IpAddr) -> Network {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            [64, 80].map(|host| Ipv6Addr::from_bits(address.to_bits() >> host << host).to_string())
        }
        IpAddr::V4(address) => [(); 2].map(|()| address.to_string()),
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
        let mut places = Vec::new();
        while let Some(place) = passwords.queue(false) {
            places.push(place);
        }
        assert!(places.len() >= QUEUE);
        // As many are for networks that the account knows.
        for _ in 0..places.len() {
            places.push(passwords.queue(true).unwrap());
        }
        assert!(passwords.queue(true).is_none());
        let hash = passwords.run(places.remove(0), || hash(&"a password".into()));
        assert!(passwords.queue(false).is_none());
        hash.await.unwrap();
        assert!(passwords.queue(false).is_some());
    }

    #[tokio::test]
    async fn guesses_from_many_networks_are_bounded() {
        let passwords = Passwords::new(None).unwrap();
        let started = std::time::Instant::now();
        let mut tried = 0;
        for number in 0..3000 {
            let network = [(); 2].map(|()| number.to_string());
            tried += u64::from(passwords.guess("johndoe", &network).await.unwrap().is_ok());
        }
        let most = 1010 + started.elapsed().as_secs() / 30;
        assert!((1010..=most + 1).contains(&tried), "{tried}");
        // Another account is not concerned.
        let network = [(); 2].map(|()| "0".to_owned());
        assert!(passwords.guess("alice", &network).await.unwrap().is_ok());
    }

    #[test]
    fn an_ipv6_user_is_limited_as_a_whole() {
        let network = |address: &str| network(address.parse().unwrap());
        assert_eq!(network("2001:db8::1:1"), network("2001:db8::ffff:2"));
        assert_ne!(network("2001:db8::1")[0], network("2001:db8:0:1::1")[0]);
        assert_eq!(network("2001:db8::1")[1], network("2001:db8:0:ffff::1")[1]);
        assert_ne!(network("2001:db8::1")[1], network("2001:db8:1::1")[1]);
        assert_eq!(network("::ffff:192.0.2.1"), network("192.0.2.1"));
        assert_ne!(network("192.0.2.1"), network("192.0.2.2"));
    }
}
