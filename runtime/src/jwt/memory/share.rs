//! What the tokens of one verifier take of a memory, and how often they were found.

use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

/// How well a verifier remembers tokens, since it was built. The numbers are for metrics: those of
/// requests that come at the same time may be missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Remembered {
    /// How many tokens were looked up.
    pub looked_up: u64,
    /// How many of them were found, so no signature was checked.
    pub found: u64,
    /// How many were dropped before they expired, because the memory was full.
    pub dropped: u64,
    /// The bytes of the tokens that are remembered now, an estimate that is rather too high.
    pub bytes: u64,
}

/// The tokens of one verifier.
#[derive(Default)]
pub(super) struct Share {
    bytes: AtomicU64,
    /// How often tokens were found that are no longer here.
    found: AtomicU64,
    missed: AtomicU64,
    dropped: AtomicU64,
}

/// The place of a token in the share of its verifier.
pub(super) struct Slot {
    pub(super) bytes: u64,
    share: Arc<Share>,
    /// How often the token was found. Counted here, because a counter that all tokens share would be
    /// written by all processors.
    found: AtomicU64,
}

impl Share {
    pub(super) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    pub(super) fn miss(&self) {
        self.missed.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the numbers of the verifier, whose tokens that are here were found this often.
    pub(super) fn counts(&self, found: u64) -> Remembered {
        let found = self.found.load(Ordering::Relaxed).saturating_add(found);
        Remembered {
            looked_up: self.missed.load(Ordering::Relaxed).saturating_add(found),
            found,
            dropped: self.dropped.load(Ordering::Relaxed),
            bytes: self.bytes(),
        }
    }
}

impl Slot {
    pub(super) fn new(bytes: u64, share: Arc<Share>) -> Self {
        share.bytes.fetch_add(bytes, Ordering::Relaxed);
        Self { bytes, share, found: AtomicU64::new(0) }
    }

    pub(super) fn is_of(&self, share: &Arc<Share>) -> bool {
        Arc::ptr_eq(&self.share, share)
    }

    pub(super) fn count(&self) {
        self.found.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn found(&self) -> u64 {
        self.found.load(Ordering::Relaxed)
    }

    /// Counts that the token was dropped because the memory is full.
    pub(super) fn dropped(&self) {
        self.share.dropped.fetch_add(1, Ordering::Relaxed);
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.share.bytes.fetch_sub(self.bytes, Ordering::Relaxed);
        self.share.found.fetch_add(self.found(), Ordering::Relaxed);
    }
}
