//! Tokens that were verified before.

use core::fmt;
use std::sync::Arc;

use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::jwt::footprint;
use crate::jwt::keys::KeySet;
use crate::verify::Verified;

/// The tokens that were verified last, each by its whole text.
pub(super) struct Remembered<C>(Cache<Box<str>, Weighed<C>, Shares>);

/// The bytes of a share. A token takes one, or several if it is large, so the number of shares
/// limits both the tokens and their bytes. A token of about 2 KiB takes one.
const SHARE: usize = 16 * 1024;

/// The shares of a token at most. A larger one is not remembered.
const MAX_SHARES: usize = 4;

/// The tokens that are remembered at most. With more, the sums of the cache could overflow.
const MAX_TOKENS: u32 = u32::MAX;

/// The tokens for which the cache reserves memory at once.
const RESERVED: usize = 10_000;

/// An entry with the number of its shares.
struct Weighed<C> {
    entry: Entry<C>,
    shares: usize,
}

/// Weighs an entry by its shares.
#[derive(Clone)]
struct Shares;

impl<C> Weighter<Box<str>, Weighed<C>> for Shares {
    fn weight(&self, _: &Box<str>, kept: &Weighed<C>) -> u64 {
        u64::try_from(kept.shares).unwrap_or(u64::MAX)
    }
}

/// A token that was verified.
pub(super) struct Entry<C> {
    pub(super) verified: Verified<C>,
    /// Whom the token is for.
    pub(super) audiences: Arc<[String]>,
    pub(super) client_id: Option<Arc<str>>,
    /// The keys that have verified it.
    pub(super) keys: Arc<KeySet>,
    /// When it expires, in seconds since 1970.
    pub(super) exp: f64,
}

impl<C> Remembered<C> {
    pub(super) fn new(tokens: usize) -> Self {
        let shares = u32::try_from(tokens).unwrap_or(MAX_TOKENS);
        Self(Cache::with_weighter(
            tokens.min(RESERVED),
            shares.into(),
            Shares,
        ))
    }

    /// Returns a token, unless it has expired or the keys have changed.
    pub(super) fn get(&self, token: &str, keys: &Arc<KeySet>, now: f64) -> Option<Entry<C>> {
        let entry = self.0.get(token)?.entry;
        if !Arc::ptr_eq(&entry.keys, keys) {
            self.0.clear();
            return None;
        }
        (now < entry.exp).then_some(entry)
    }

    /// Remembers a token with this payload, unless it is very large.
    pub(super) fn insert(&self, token: &str, payload: &[u8], entry: Entry<C>) {
        let shares = entry.bytes(token, payload).div_ceil(SHARE);
        if shares <= MAX_SHARES {
            self.0.insert(token.into(), Weighed { entry, shares });
        }
    }
}

impl<C> Entry<C> {
    /// Returns about how many bytes this takes, with the text of the token.
    fn bytes(&self, token: &str, payload: &[u8]) -> usize {
        let client_id = self.client_id.as_deref().map_or(0, str::len);
        let parts = [
            OVERHEAD,
            size_of::<C>(),
            token.len(),
            footprint::of_claims(payload),
            footprint::of_texts(self.verified.scopes()),
            footprint::of_texts(&self.audiences),
            client_id,
        ];
        parts.into_iter().fold(0, usize::saturating_add)
    }
}

/// The bytes of an entry without its texts and claims, and of its place in the cache.
const OVERHEAD: usize = 512;

impl<C> Clone for Entry<C> {
    fn clone(&self) -> Self {
        Self {
            verified: self.verified.clone(),
            audiences: Arc::clone(&self.audiences),
            client_id: self.client_id.clone(),
            keys: Arc::clone(&self.keys),
            exp: self.exp,
        }
    }
}

impl<C> Clone for Weighed<C> {
    fn clone(&self) -> Self {
        Self {
            entry: self.entry.clone(),
            shares: self.shares,
        }
    }
}

impl<C> fmt::Debug for Remembered<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Remembered({} of {})", self.0.len(), self.0.capacity())
    }
}
