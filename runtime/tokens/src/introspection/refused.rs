//! The tokens that were refused just now.

use core::time::Duration;

use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::clock::Instant;
use crate::memory::{Key, Lookup};
use crate::reason::Reason;

/// A memory of their own, because any caller can invent tokens, and these must not push out good ones.
pub(super) struct RefusedTokens {
    cache: Cache<Key, (Reason, Instant), Bytes>,
    /// How long a refusal counts.
    duration: Duration,
}

/// How long a refusal counts at most: a token may be active a moment later, when the issuer's nodes know
/// of it.
const LONGEST: Duration = Duration::from_secs(1);

/// The bytes of an entry without its token, and of its place in the cache.
const OVERHEAD: u64 = 128;

#[derive(Clone)]
struct Bytes;

impl Weighter<Key, (Reason, Instant)> for Bytes {
    fn weight(&self, key: &Key, _: &(Reason, Instant)) -> u64 {
        u64::try_from(key.token().len()).unwrap_or(u64::MAX).saturating_add(OVERHEAD)
    }
}

impl RefusedTokens {
    pub(super) fn new(bytes: usize, duration: Duration) -> Self {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX).min(u32::MAX.into());
        let tokens = usize::try_from(bytes / (OVERHEAD * 2)).unwrap_or(usize::MAX).min(1024);
        Self { cache: Cache::with_weighter(tokens, bytes, Bytes), duration: duration.min(LONGEST) }
    }

    pub(super) fn get(&self, token: &[u8], now: Instant) -> Option<Reason> {
        let (reason, until) = self.cache.get(&Lookup::whole(token))?;
        (now < until).then_some(reason)
    }

    /// Notes a token that was refused by the answer to a question that has begun at this time.
    pub(super) fn insert(&self, token: &[u8], reason: Reason, begun: Instant) {
        if let Some(until) = begun.checked_add(self.duration) {
            self.cache.insert(Key::new(token, true), (reason, until));
        }
    }
}
