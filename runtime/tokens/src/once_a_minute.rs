//! Events that are for an alarm, and would fill the log if each request recorded one.

use core::sync::atomic::{AtomicU64, Ordering};

/// The minute of the last event.
#[derive(Default)]
pub(crate) struct OnceAMinute(AtomicU64);

impl OnceAMinute {
    pub(crate) const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// Returns `true` at most once in a minute. The time is in seconds since 1970.
    pub(crate) fn is_due(&self, now: f64) -> bool {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a time in minutes"
        )]
        let minute = (now / 60.0) as u64;
        self.0.swap(minute, Ordering::Relaxed) != minute
    }
}
