//! The share of one verifier's tokens in a memory, and how often tokens were found.

use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

/// How well tokens are remembered, since their verifier was built. The numbers are for metrics:
/// those of requests that come at the same time may be missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Remembered {
    /// How many tokens were looked up.
    pub looked_up: u64,
    /// How many of them were found, so no signature was checked.
    pub found: u64,
    /// How many were dropped because the memory was full.
    pub dropped: u64,
    /// The bytes of the tokens that are remembered now, by an estimate that is rather too high.
    pub bytes: u64,
}

impl Remembered {
    /// Adds the numbers of another memory.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self {
            looked_up: self.looked_up.saturating_add(other.looked_up),
            found: self.found.saturating_add(other.found),
            dropped: self.dropped.saturating_add(other.dropped),
            bytes: self.bytes.saturating_add(other.bytes),
        }
    }
}

/// Counts of what happened to the tokens of a memory.
#[derive(Default)]
pub(super) struct Counts {
    missed: AtomicU64,
    dropped: AtomicU64,
    /// How often tokens were found that are no longer here.
    found_of_gone: AtomicU64,
}

/// The tokens of one verifier.
#[derive(Default)]
pub(super) struct Share {
    bytes: AtomicU64,
    counts: Arc<Counts>,
}

/// The place of a token in the share of its verifier.
pub(super) struct Slot {
    pub(super) bytes: u64,
    share: Arc<Share>,
    /// How often the token was found. It is counted here, because a counter that all tokens share
    /// would be written by all processors.
    found: AtomicU64,
}

impl Counts {
    pub(super) fn miss(&self) {
        self.missed.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a token that is dropped because the memory is full.
    pub(super) fn drop_one(&self) {
        self.dropped.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the numbers of a memory whose tokens were found this often and take these bytes.
    pub(super) fn with(&self, found_of_kept: u64, bytes: u64) -> Remembered {
        let found = self.found_of_gone.load(Ordering::Relaxed).saturating_add(found_of_kept);
        Remembered {
            looked_up: self.missed.load(Ordering::Relaxed).saturating_add(found),
            found,
            dropped: self.dropped.load(Ordering::Relaxed),
            bytes,
        }
    }
}

impl Share {
    pub(super) fn of(counts: &Arc<Counts>) -> Arc<Self> {
        Arc::new(Self { bytes: AtomicU64::new(0), counts: Arc::clone(counts) })
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }
}

impl Slot {
    pub(super) fn new(bytes: u64, share: &Arc<Share>) -> Self {
        share.bytes.fetch_add(bytes, Ordering::Relaxed);
        Self { bytes, share: Arc::clone(share), found: AtomicU64::new(0) }
    }

    pub(super) fn is_of(&self, share: &Arc<Share>) -> bool {
        Arc::ptr_eq(&self.share, share)
    }

    pub(super) fn find(&self) {
        self.found.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn found(&self) -> u64 {
        self.found.load(Ordering::Relaxed)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.share.bytes.fetch_sub(self.bytes, Ordering::Relaxed);
        self.share.counts.found_of_gone.fetch_add(self.found(), Ordering::Relaxed);
    }
}
