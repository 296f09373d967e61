//! How many passwords an address may try.
//!
//! A login is limited, and a refresh is not: nobody can guess 256 random bits. Only the form says
//! which of the two a request is, and a layer around the route does not see the form. So the
//! handlers ask, before they hash a password.
//!
//! Behind a proxy, the address is that of the proxy. Take the one that the proxy vouches for.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use governor::clock::Clock;
use governor::{DefaultKeyedRateLimiter, Quota};

const AT_ONCE: NonZeroU32 = NonZeroU32::new(20).unwrap();
const PER_MINUTE: NonZeroU32 = NonZeroU32::new(10).unwrap();

#[derive(Clone)]
pub(crate) struct Limits(Arc<DefaultKeyedRateLimiter<IpAddr>>);

impl Limits {
    pub(crate) fn start() -> Self {
        let quota = Quota::per_minute(PER_MINUTE).allow_burst(AT_ONCE);
        let limiter = Arc::new(DefaultKeyedRateLimiter::keyed(quota));
        let limits = Self(limiter.clone());
        // An address that was not seen for a while takes no memory.
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(Duration::from_secs(60)).await;
                limiter.retain_recent();
                limiter.shrink_to_fit();
            }
        });
        limits
    }

    /// Returns the time to wait, if it was one try too many.
    pub(crate) fn check(&self, address: SocketAddr) -> Result<(), Duration> {
        let checked = self.0.check_key(&network(address.ip()));
        checked.map_err(|until| until.wait_time_from(self.0.clock().now()))
    }
}

/// Who has one address of IPv6 has 2^64 of them.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        address @ IpAddr::V4(_) => address,
    }
}
