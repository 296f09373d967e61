//! The clock. In a browser and on a worker, that of the standard library panics.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(super) use std::time::{Instant, SystemTime, UNIX_EPOCH};
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(super) use web_time::{Instant, SystemTime, UNIX_EPOCH};

/// A date that a service passes: that of the standard library everywhere, since it is not read from
/// a clock.
pub(super) use std::time::SystemTime as Date;
