//! The clock. In a browser and on a worker, that of the standard library panics.
#![expect(clippy::disallowed_methods, reason = "the clock is read here, and nowhere else")]

use core::time::Duration;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) use std::time::Instant;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use std::time::SystemTime;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(crate) use web_time::Instant;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
use web_time::SystemTime;

/// A date that a service passes: that of the standard library everywhere, since it is not read from
/// a clock.
pub(crate) use std::time::SystemTime as Date;

/// Returns the time for measuring how much of it passes.
pub(crate) fn instant() -> Instant {
    Instant::now()
}

/// Returns the time from 1970 to now, or `None` if the clock is before that.
pub(crate) fn now() -> Option<Duration> {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()
}

/// Returns the date after this many seconds from 1970, if there is one.
pub(crate) fn date(seconds: f64) -> Option<Date> {
    Date::UNIX_EPOCH.checked_add(Duration::try_from_secs_f64(seconds).ok()?)
}

/// Returns the time from 1970 to a date, which is zero for an earlier date.
pub(crate) fn since_1970(date: Date) -> Duration {
    date.duration_since(Date::UNIX_EPOCH).unwrap_or_default()
}
