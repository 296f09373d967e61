//! The memory of tokens that were verified before.

mod footprint;
mod lookup;
mod share;

use core::cell::Cell;
use core::fmt;
use core::sync::atomic::{AtomicBool, Ordering};
use std::hash::RandomState;
use std::sync::Arc;

use doorward_core::verify::Verified;
use quick_cache::sync::Cache;
use quick_cache::{Lifecycle, Weighter};

pub(crate) use self::lookup::{Key, Lookup};
pub use self::share::Remembered;
use self::share::{Counts, Share, Slot};

/// The tokens that were verified last, each by its whole text, in a number of bytes. Several
/// verifiers may have one memory together, each with a share of it. `B` is the basis on which a token
/// was verified, such as the keys.
pub(crate) struct Memory<C, B> {
    tokens: Arc<Tokens<C, B>>,
    share: Arc<Share>,
    /// The bytes of the share at most.
    limit: u64,
}

/// The tokens of all verifiers that have the memory together.
struct Tokens<C, B> {
    cache: Cache<Key, Arc<Entry<C, B>>, Bytes, RandomState, Eviction>,
    counts: Arc<Counts>,
    /// `true` once there was a token whose whole text is hashed.
    has_whole: AtomicBool,
}

/// The bytes that all tokens take at most, unless a service sets another number: more than 10,000
/// usual tokens. In a browser or on a worker, there is less memory, and one caller.
pub(crate) const USUAL_BYTES: usize =
    if cfg!(target_family = "wasm") { 1024 * 1024 } else { 32 * 1024 * 1024 };

/// The bytes that all tokens take at most. With more, the sums of the cache could overflow.
const MAX_BYTES: u32 = u32::MAX;

/// The bytes of one token at most. A larger one is not remembered.
const MAX_BYTES_OF_ONE: u64 = 64 * 1024;

/// The bytes of a large token, from which the cache reckons for how many it reserves memory.
const BYTES_OF_ONE: usize = 16 * 1024;

/// The tokens for which the cache reserves memory at once.
const RESERVED: usize = 10_000;

/// The part of a memory that the tokens of one of several verifiers take at most.
const PART: u64 = 4;

/// Weighs an entry by its bytes.
#[derive(Clone)]
struct Bytes;

impl<C, B> Weighter<Key, Arc<Entry<C, B>>> for Bytes {
    fn weight(&self, _: &Key, kept: &Arc<Entry<C, B>>) -> u64 {
        kept.slot.bytes
    }
}

/// Counts the tokens that the cache drops because it is full.
#[derive(Clone)]
struct Eviction(Arc<Counts>);

impl<C, B> Lifecycle<Key, Arc<Entry<C, B>>> for Eviction {
    /// The tokens, which are freed after the cache is unlocked.
    type RequestState = Vec<(Key, Arc<Entry<C, B>>)>;

    fn on_evict(&self, state: &mut Self::RequestState, key: Key, kept: Arc<Entry<C, B>>) {
        self.0.drop_one();
        state.push((key, kept));
    }
}

/// A token that was verified, as it is kept.
pub(crate) struct Entry<C, B> {
    pub(crate) token: Known<C, B>,
    slot: Slot,
}

/// The facts about a token that was verified.
pub(crate) struct Known<C, B> {
    pub(crate) verified: Verified<C>,
    /// Whom the token is for.
    pub(crate) audiences: Vec<String>,
    pub(crate) client: Option<String>,
    /// The basis on which it was verified.
    pub(crate) basis: B,
    /// When it expires, in seconds since 1970.
    pub(crate) exp: f64,
}

impl<C, B> Memory<C, B> {
    /// Creates a memory of this many bytes for one verifier, or none.
    pub(crate) fn new(bytes: usize) -> Option<Self> {
        let tokens = bytes.div_ceil(BYTES_OF_ONE).min(RESERVED);
        let bytes = u32::try_from(bytes).unwrap_or(MAX_BYTES);
        let counts = Arc::<Counts>::default();
        let eviction = Eviction(Arc::clone(&counts));
        (bytes > 0).then(|| Self {
            share: Share::of(&counts),
            tokens: Arc::new(Tokens {
                cache: Cache::with(tokens, bytes.into(), Bytes, RandomState::new(), eviction),
                counts,
                has_whole: AtomicBool::new(false),
            }),
            limit: u64::MAX,
        })
    }

    /// Returns the same memory for one of several verifiers, which has a share of it.
    pub(crate) fn shared(&self) -> Self {
        Self {
            tokens: Arc::clone(&self.tokens),
            share: Share::of(&self.tokens.counts),
            limit: self.tokens.cache.capacity() / PART,
        }
    }

    /// Returns a token, unless it has expired or its basis is no longer current. If that says
    /// `Some(false)`, no other token of this verifier is kept either.
    pub(crate) fn get(
        &self,
        token: &[u8],
        is_current: impl FnOnce(&B) -> Option<bool>,
        now: f64,
    ) -> Option<Arc<Entry<C, B>>> {
        let kept = self.tokens.get(token).filter(|kept| kept.slot.is_of(&self.share));
        match kept.map(|kept| (is_current(&kept.token.basis), kept)) {
            Some((Some(true), kept)) if now < kept.token.exp => {
                kept.slot.find();
                return Some(kept);
            }
            Some((Some(false), _)) => self.clear(),
            _ => {}
        }
        self.tokens.counts.miss();
        None
    }

    /// Remembers a token with this payload, unless it is very large. If `is_whole`, its whole text is
    /// hashed. A verifier whose share is full begins anew, so its expired tokens cannot keep it full.
    pub(crate) fn insert(&self, token: &str, is_whole: bool, payload: &[u8], known: Known<C, B>) {
        let bytes = u64::try_from(known.bytes(token, payload)).unwrap_or(u64::MAX);
        if bytes > MAX_BYTES_OF_ONE || bytes > self.limit {
            return;
        }
        if self.share.bytes().saturating_add(bytes) > self.limit {
            self.clear();
        }
        let key = Key::new(token.as_bytes(), is_whole);
        if key.is_whole() {
            self.tokens.has_whole.store(true, Ordering::Relaxed);
        }
        let slot = Slot::new(bytes, &self.share);
        self.tokens.cache.insert(key, Arc::new(Entry { token: known, slot }));
    }

    /// Forgets the tokens whose claims match.
    pub(crate) fn forget(&self, is_forgotten: impl Fn(&Verified<C>) -> bool) {
        let is_mine = |kept: &Entry<C, B>| kept.slot.is_of(&self.share);
        let is_kept = |kept: &Entry<C, B>| !(is_mine(kept) && is_forgotten(&kept.token.verified));
        self.tokens.cache.retain(|_, kept| is_kept(kept));
    }

    fn clear(&self) {
        self.forget(|_| true);
    }

    /// Returns how often tokens were looked up and found, by all verifiers that have the memory.
    pub(crate) fn remembered(&self) -> Remembered {
        let found = Cell::new(0_u64);
        // The cache's own iterator would copy the tokens.
        self.tokens.cache.retain(|_, kept| {
            found.set(found.get().saturating_add(kept.slot.found()));
            true
        });
        self.tokens.counts.with(found.get(), self.tokens.cache.weight())
    }
}

impl<C, B> Tokens<C, B> {
    fn get(&self, token: &[u8]) -> Option<Arc<Entry<C, B>>> {
        let found = self.cache.get(&Lookup::by_signature(token));
        let has_whole = || self.has_whole.load(Ordering::Relaxed);
        found.or_else(|| has_whole().then(|| self.cache.get(&Lookup::whole(token)))?)
    }
}

impl<C, B> Known<C, B> {
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

impl<C, B> fmt::Debug for Memory<C, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cache = &self.tokens.cache;
        write!(f, "Remembered({} in {} of {} bytes)", cache.len(), cache.weight(), cache.capacity())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An issuer that is looked up anew has another verifier, which may have other rules.
    #[test]
    fn a_verifier_finds_and_forgets_only_tokens_of_its_own_share() {
        let memory = Memory::<(), ()>::new(1 << 20).unwrap();
        let (before, after) = (memory.shared(), memory.shared());
        let known = || Known {
            verified: Verified::new((), Vec::new()),
            audiences: Vec::new(),
            client: None,
            basis: (),
            exp: 2.0,
        };
        let has = |memory: &Memory<(), ()>, token: &[u8]| {
            memory.get(token, |()| Some(true), 1.0).is_some()
        };
        before.insert("a.b.first", false, b"{}", known());
        after.insert("a.b.second", false, b"{}", known());
        assert!(has(&before, b"a.b.first") && !has(&after, b"a.b.first"));
        assert!(has(&after, b"a.b.second") && !has(&before, b"a.b.second"));
        before.forget(|_| true);
        assert!(!has(&before, b"a.b.first") && has(&after, b"a.b.second"));
        // Of other keys, no token of the verifier is kept, and those of others are.
        before.insert("a.b.first", false, b"{}", known());
        assert!(after.get(b"a.b.second", |()| Some(false), 1.0).is_none());
        assert!(has(&before, b"a.b.first") && !has(&after, b"a.b.second"));
    }
}
