//! The clock. In a browser and on a worker, that of the standard library panics.

use core::time::Duration;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(super) use std::time::{Instant, SystemTime, UNIX_EPOCH};
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(super) use web_time::{Instant, SystemTime, UNIX_EPOCH};

/// A date that a service passes: that of the standard library everywhere, since it is not read from
/// a clock.
pub(super) use std::time::SystemTime as Date;

/// Returns the time from 1970 to a date, which is none for an earlier one.
pub(super) fn since_1970(date: Date) -> Duration {
    date.duration_since(Date::UNIX_EPOCH).unwrap_or_default()
}
