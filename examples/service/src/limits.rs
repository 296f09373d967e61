//! How often something may be tried: counted in this process, or in Valkey for all nodes.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::{num::NonZeroU32, time::Duration};

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter, clock::Clock};
pub(crate) use redis::aio::ConnectionManager as Valkey;
use redis::{Client, IntoConnectionInfo, io::tcp::TcpSettings};

use crate::{error::Result, secrets};

/// A try that is counted, or how long to wait. The outer error is a failure of Valkey: uncounted
/// tries would be as many as an attacker likes.
pub(crate) type Tried = Result<Result<(), Duration>>;

/// How long Valkey may take.
const ANSWER_TIME: Duration = Duration::from_secs(1);

/// The generic cell rate algorithm, as in `governor`: a key has the time at which its tries will
/// have been paid for. Returns how long to wait. Times are in milliseconds.
const TRY: &str = "
    local time = redis.call('TIME')
    local now = time[1] * 1000 + math.floor(time[2] / 1000)
    local interval, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
    local paid = math.max(tonumber(redis.call('GET', KEYS[1]) or 0), now) + interval
    local wait = paid - now - interval * burst
    if wait <= 0 then redis.call('SET', KEYS[1], string.format('%.0f', paid), 'PX', paid - now) end
    return math.max(wait, 0)";

/// Allows `burst` tries at once, and one more after each interval.
pub(crate) struct Limit {
    of: &'static str,
    burst: NonZeroU32,
    interval: Duration,
    tries: Tries,
}

enum Tries {
    Here(DefaultKeyedRateLimiter<String>, AtomicU32),
    Shared(Valkey),
}

/// Connects to Valkey, when it is needed.
pub(crate) fn connect(url: &str) -> Result<Valkey> {
    let config = redis::aio::ConnectionManagerConfig::new()
        .set_connection_timeout(Some(ANSWER_TIME))
        .set_response_timeout(Some(ANSWER_TIME))
        .set_number_of_retries(0);
    // A server that vanishes without a word is noticed, too.
    let tcp = TcpSettings::default().set_user_timeout(ANSWER_TIME);
    let client = Client::open(url.into_connection_info()?.set_tcp_settings(tcp))?;
    Ok(Valkey::new_lazy_with_config(client, config)?)
}

impl Limit {
    pub(crate) fn new(
        of: &'static str,
        burst: u32,
        seconds: u64,
        shared: Option<&Valkey>,
    ) -> Result<Self> {
        let interval = Duration::from_secs(seconds);
        let burst = NonZeroU32::new(burst).ok_or("a burst must not be zero")?;
        let quota = Quota::with_period(interval).ok_or("an interval must not be zero")?;
        let here = || Tries::Here(RateLimiter::keyed(quota.allow_burst(burst)), AtomicU32::new(1));
        let tries = shared.cloned().map_or_else(here, Tries::Shared);
        Ok(Self { of, burst, interval, tries })
    }

    /// Counts a try, or returns how long to wait.
    pub(crate) async fn check(&self, key: &str) -> Tried {
        match &self.tries {
            Tries::Here(tries, checks) => {
                // Now and then, forgets those who have not tried lately.
                if checks.fetch_add(1, Relaxed).is_multiple_of(1024) {
                    tries.retain_recent();
                }
                let checked = tries.check_key(&key.to_owned());
                Ok(checked.map_err(|until| until.wait_time_from(tries.clock().now())))
            }
            Tries::Shared(valkey) => Ok(match self.check_shared(valkey.clone(), key).await? {
                0 => Ok(()),
                wait => Err(Duration::from_millis(wait)),
            }),
        }
    }

    async fn check_shared(&self, mut valkey: Valkey, key: &str) -> redis::RedisResult<u64> {
        // People type passwords where a name belongs, so the key is a hash.
        let key = format!("{}:{}", self.of, secrets::hash(&key.into()));
        let mut command = redis::cmd("EVAL");
        command.arg(TRY).arg(1).arg(key);
        command.arg(self.interval.as_millis().to_string()).arg(self.burst.get());
        command.query_async(&mut valkey).await
    }
}
