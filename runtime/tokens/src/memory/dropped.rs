//! Tokens that a full memory has dropped. If many of them come again, the memory is too small.

use core::hash::BuildHasher;
use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use core::time::Duration;
use std::hash::RandomState;
use std::sync::Arc;

use quick_cache::Lifecycle;

use super::Entry;
use super::lookup::{Key, Lookup};
use super::share::Counts;
use crate::trace;

/// A table of the tokens that were dropped last, by their hashes, and how many come again in a
/// minute.
pub(super) struct Dropped {
    hash: RandomState,
    table: Box<[AtomicU32]>,
    bytes_of_memory: u32,
    /// When the minute has begun, in seconds since 1970.
    begun: AtomicU64,
    /// How many look-ups in this minute were for tokens of the table.
    again: AtomicU64,
    /// How many tokens had been looked up when the minute began.
    looked_up_before: AtomicU64,
    has_warned: AtomicBool,
}

/// The bytes of a memory for each place of the table, so the table has a 128th of them, and more
/// places than the memory has tokens.
const BYTES_OF_PLACE: u32 = 512;

/// How long look-ups are counted together.
const MINUTE: Duration = Duration::from_secs(60);

/// The least number of look-ups in a minute that says something.
const ENOUGH: u64 = 100;

impl Dropped {
    pub(super) fn new(bytes_of_memory: u32, hash: RandomState) -> Self {
        let places = 0..bytes_of_memory / BYTES_OF_PLACE;
        Self {
            hash,
            table: places.map(|_| AtomicU32::new(0)).collect(),
            bytes_of_memory,
            begun: AtomicU64::new(0),
            again: AtomicU64::new(0),
            looked_up_before: AtomicU64::new(0),
            has_warned: AtomicBool::new(false),
        }
    }

    /// Returns the bytes of the table.
    pub(super) fn bytes(&self) -> u64 {
        u64::try_from(size_of_val(&*self.table)).unwrap_or(u64::MAX)
    }

    /// Notes a look-up at a time, in seconds since 1970, that found nothing. `looked_up` returns how
    /// many there were since the memory was created.
    pub(super) fn miss(&self, token: &[u8], now: f64, looked_up: impl FnOnce() -> u64) {
        if self.place(token).is_some_and(|(place, mark)| place.load(Ordering::Relaxed) == mark) {
            self.again.fetch_add(1, Ordering::Relaxed);
        }
        let now = Duration::try_from_secs_f64(now).unwrap_or_default().as_secs();
        let begun = self.begun.load(Ordering::Relaxed);
        let order = Ordering::Relaxed;
        // Of several requests at once, one ends the minute.
        if now.abs_diff(begun) >= MINUTE.as_secs()
            && self.begun.compare_exchange(begun, now, order, order).is_ok()
        {
            self.end_minute(looked_up());
        }
    }

    fn end_minute(&self, looked_up: u64) {
        let before = self.looked_up_before.swap(looked_up, Ordering::Relaxed);
        let again = self.again.swap(0, Ordering::Relaxed);
        let looked_up = looked_up.saturating_sub(before);
        let is_too_small = looked_up >= ENOUGH && again >= looked_up.div_ceil(2);
        if is_too_small && !self.has_warned.swap(true, Ordering::Relaxed) {
            trace::memory_too_small(self.bytes_of_memory);
        }
    }

    /// Returns the place of a token in the table, and the mark that is there after it was dropped.
    fn place(&self, token: &[u8]) -> Option<(&AtomicU32, u32)> {
        let hash = self.hash.hash_one(Lookup::by_signature(token));
        let places = u64::try_from(self.table.len()).ok()?;
        let place = usize::try_from(hash.checked_rem(places)?).ok()?;
        // The other half of the hash. An empty place has a 0.
        let mark = u32::try_from(hash >> 32).ok()? | 1;
        Some((self.table.get(place)?, mark))
    }
}

/// The callback of the cache for each token that it drops.
#[derive(Clone)]
pub(super) struct Eviction {
    counts: Arc<Counts>,
    dropped: Arc<Dropped>,
}

impl Eviction {
    pub(super) fn new(counts: &Arc<Counts>, dropped: &Arc<Dropped>) -> Self {
        Self { counts: Arc::clone(counts), dropped: Arc::clone(dropped) }
    }
}

impl<C, B> Lifecycle<Key, Arc<Entry<C, B>>> for Eviction {
    /// The tokens, which are freed after the cache is unlocked.
    type RequestState = Vec<(Key, Arc<Entry<C, B>>)>;

    fn on_evict(&self, state: &mut Self::RequestState, key: Key, kept: Arc<Entry<C, B>>) {
        if let Some((place, mark)) = self.dropped.place(key.token()) {
            place.store(mark, Ordering::Relaxed);
        }
        self.counts.drop_one();
        state.push((key, kept));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether a memory says that it is too small, after so many look-ups in a minute, some
    /// of them for tokens that were dropped.
    fn warns(looked_up: u64, again: usize) -> bool {
        let dropped = Dropped::new(64 * 1024, RandomState::new());
        dropped.miss(b"first", 1e9, || 1000);
        for index in 0..again {
            let token = index.to_string();
            let (place, mark) = dropped.place(token.as_bytes()).unwrap();
            place.store(mark, Ordering::Relaxed);
            dropped.miss(token.as_bytes(), 1e9 + 59.0, || unreachable!());
        }
        dropped.miss(b"last", 1e9 + 60.0, || 1000 + looked_up);
        dropped.has_warned.load(Ordering::Relaxed)
    }

    #[test]
    fn a_memory_is_too_small_if_half_of_the_look_ups_are_for_dropped_tokens() {
        for (looked_up, again, expected) in [
            (100, 100, true),
            (200, 100, true),
            (201, 100, false),
            (1000, 0, false),
            // Too few to say anything.
            (99, 99, false),
        ] {
            assert_eq!(warns(looked_up, again), expected, "{looked_up}, {again}");
        }
    }
}
