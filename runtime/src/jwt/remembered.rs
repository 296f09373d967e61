//! Tokens that were verified before.

use core::fmt;
use std::sync::Arc;

use quick_cache::sync::Cache;

use super::keys::KeySet;
use super::verify::Verified;

/// The tokens that were verified last, each by its whole text.
pub(super) struct Remembered<C>(Cache<Box<str>, Entry<C>>);

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
        Self(Cache::new(tokens))
    }

    /// Returns a token, unless it has expired or the keys have changed.
    pub(super) fn get(&self, token: &str, keys: &Arc<KeySet>, now: f64) -> Option<Entry<C>> {
        let entry = self.0.get(token)?;
        if !Arc::ptr_eq(&entry.keys, keys) {
            self.0.clear();
            return None;
        }
        (now < entry.exp).then_some(entry)
    }

    pub(super) fn insert(&self, token: &str, entry: Entry<C>) {
        self.0.insert(token.into(), entry);
    }
}

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

impl<C> fmt::Debug for Remembered<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Remembered({} of {})", self.0.len(), self.0.capacity())
    }
}
