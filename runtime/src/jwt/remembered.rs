//! Tokens that were verified before.

use core::fmt;
use std::sync::Arc;

use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::jwt::footprint;
use crate::jwt::key_sources::KeySources;
use crate::jwt::keys::KeySet;
use crate::verify::Verified;

/// The tokens that were verified last, each by its whole text, in a number of bytes.
pub(super) struct Remembered<C>(Cache<Box<str>, Arc<Weighed<C>>, Bytes>);

/// The bytes that all tokens take, unless a service sets another number.
pub(super) const USUAL_BYTES: usize = 1024 * 1024;

/// The bytes that all tokens take at most. With more, the sums of the cache could overflow.
const MAX_BYTES: u32 = u32::MAX;

/// The bytes of one token at most. A larger one is not remembered.
const MAX_BYTES_OF_ONE: u64 = 64 * 1024;

/// The bytes of a usual token, from which the cache reckons how many it may have.
const BYTES_OF_ONE: usize = 16 * 1024;

/// The tokens for which the cache reserves memory at once.
const RESERVED: usize = 10_000;

/// An entry with its size.
pub(super) struct Weighed<C> {
    pub(super) entry: Entry<C>,
    bytes: u64,
}

/// Weighs an entry by its bytes.
#[derive(Clone)]
struct Bytes;

impl<C> Weighter<Box<str>, Arc<Weighed<C>>> for Bytes {
    fn weight(&self, _: &Box<str>, kept: &Arc<Weighed<C>>) -> u64 {
        kept.bytes
    }
}

/// A token that was verified.
pub(super) struct Entry<C> {
    pub(super) verified: Verified<C>,
    /// Whom the token is for.
    pub(super) audiences: Vec<String>,
    pub(super) client: Option<String>,
    /// The keys that have verified it.
    pub(super) keys: Arc<KeySet>,
    /// When it expires, in seconds since 1970.
    pub(super) exp: f64,
}

impl<C> Remembered<C> {
    /// Creates a memory of this many bytes, or none.
    pub(super) fn new(bytes: usize) -> Option<Self> {
        let tokens = bytes.div_ceil(BYTES_OF_ONE).min(RESERVED);
        let bytes = u32::try_from(bytes).unwrap_or(MAX_BYTES);
        (bytes > 0).then(|| Self(Cache::with_weighter(tokens, bytes.into(), Bytes)))
    }

    /// Returns a token, unless it has expired or the keys have changed.
    pub(super) fn get(&self, token: &str, keys: &KeySources, now: f64) -> Option<Arc<Weighed<C>>> {
        let kept = self.0.get(token)?;
        if !keys.are_current(&kept.entry.keys)? {
            self.0.clear();
            return None;
        }
        (now < kept.entry.exp).then_some(kept)
    }

    /// Remembers a token with this payload, unless it is very large.
    pub(super) fn insert(&self, token: &str, payload: &[u8], entry: Entry<C>) {
        let bytes = u64::try_from(entry.bytes(token, payload)).unwrap_or(u64::MAX);
        if bytes <= MAX_BYTES_OF_ONE {
            self.0.insert(token.into(), Arc::new(Weighed { entry, bytes }));
        }
    }

    /// Forgets the tokens whose claims match.
    pub(super) fn forget(&self, is_forgotten: impl Fn(&Verified<C>) -> bool) {
        self.0.retain(|_, kept| !is_forgotten(&kept.entry.verified));
    }
}

impl<C> Entry<C> {
    /// Returns about how many bytes this takes, with the text of the token.
    fn bytes(&self, token: &str, payload: &[u8]) -> usize {
        let client = self.client.as_deref().map_or(0, str::len);
        let parts = [
            OVERHEAD,
            size_of::<C>(),
            token.len(),
            footprint::of_claims(payload),
            footprint::of_texts(self.verified.scopes()),
            footprint::of_texts(&self.audiences),
            client,
        ];
        parts.into_iter().fold(0, usize::saturating_add)
    }
}

/// The bytes of an entry without its texts and claims, and of its place in the cache.
const OVERHEAD: usize = 512;

impl<C> fmt::Debug for Remembered<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (bytes, max) = (self.0.weight(), self.0.capacity());
        write!(f, "Remembered({} in {bytes} of {max} bytes)", self.0.len())
    }
}
