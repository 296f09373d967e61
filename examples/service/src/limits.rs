//! How many passwords may be tried: from an address, and for an account.
//!
//! A login is limited, and a refresh is not: nobody can guess 256 random bits. Only the form says
//! which of the two a request is, and a layer around the route does not see the form. So the
//! handlers ask, before they hash a password.
//!
//! An account has one limit for all networks in which it has not logged in lately, so many
//! addresses allow no more guesses. Tries from the other networks do not count: whoever uses the
//! limit up cannot keep the owner out.
//!
//! Behind a proxy, the address is that of the proxy. Take the one that the proxy vouches for.

use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use governor::clock::Clock;
use governor::{DefaultKeyedRateLimiter, Quota};

const OF_ADDRESS: Quota = Quota::per_minute(number(10)).allow_burst(number(20));
const OF_ACCOUNT: Quota = Quota::per_hour(number(30)).allow_burst(number(10));

const fn number(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).unwrap()
}

#[derive(Clone)]
pub(crate) struct Limits {
    addresses: Limiter<IpAddr>,
    accounts: Limiter<String>,
}

type Limiter<K> = Arc<DefaultKeyedRateLimiter<K>>;

impl Limits {
    pub(crate) fn start() -> Self {
        Self {
            addresses: start(OF_ADDRESS),
            accounts: start(OF_ACCOUNT),
        }
    }

    /// Returns the time to wait, if it was one try too many.
    pub(crate) fn check_network(&self, network: IpAddr) -> Result<(), Duration> {
        check(&self.addresses, &network)
    }

    /// Returns the time to wait, if it was one try too many. Whether there is an account of this
    /// name makes no difference.
    pub(crate) fn check_account(&self, name: String) -> Result<(), Duration> {
        check(&self.accounts, &name)
    }
}

fn start<K: Hash + Eq + Clone + Send + Sync + 'static>(quota: Quota) -> Limiter<K> {
    let limiter = Arc::new(DefaultKeyedRateLimiter::keyed(quota));
    let kept = limiter.clone();
    // What was not seen for a while takes no memory.
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(Duration::from_secs(60)).await;
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
    });
    kept
}

fn check<K: Hash + Eq + Clone>(limiter: &Limiter<K>, key: &K) -> Result<(), Duration> {
    let checked = limiter.check_key(key);
    checked.map_err(|until| until.wait_time_from(limiter.clock().now()))
}

/// Who has one address of IPv6 has 2^64 of them.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        address @ IpAddr::V4(_) => address,
    }
}
