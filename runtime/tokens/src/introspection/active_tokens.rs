//! The tokens whose last answer was active, by their hashes.

use core::hash::BuildHasher;
use core::sync::atomic::{AtomicU64, Ordering};
use std::hash::RandomState;

/// A table of a fixed size. It has no answers, so it proves nothing about a token: the issuer is
/// asked again, and only the place in the queue depends on it.
pub(super) struct ActiveTokens {
    hash: RandomState,
    buckets: Box<[[AtomicU64; PLACES]]>,
}

/// The tokens of one bucket: more of them come rarely together.
const PLACES: usize = 8;

/// 16,384 tokens, in 128 KiB.
const BUCKETS: u64 = 2048;

impl ActiveTokens {
    pub(super) fn new() -> Self {
        let buckets = (0..BUCKETS).map(|_| [const { AtomicU64::new(0) }; PLACES]);
        Self { hash: RandomState::new(), buckets: buckets.collect() }
    }

    pub(super) fn has(&self, token: &[u8]) -> bool {
        let (own, places) = self.places(token);
        places.iter().any(|place| place.load(Ordering::Relaxed) == own)
    }

    /// Notes the answer about a token. If its bucket is full, another token leaves it.
    pub(super) fn note(&self, token: &[u8], is_active: bool) {
        let (own, places) = self.places(token);
        let find = |mark| places.iter().find(|place| place.load(Ordering::Relaxed) == mark);
        match (find(own), is_active) {
            (Some(place), false) => place.store(0, Ordering::Relaxed),
            (None, true) => {
                if let Some(place) = find(0).or_else(|| places.first()) {
                    place.store(own, Ordering::Relaxed);
                }
            }
            _ => {}
        }
    }

    /// Returns the mark of a token, and the places where it may be. An empty place has a 0.
    fn places(&self, token: &[u8]) -> (u64, &[AtomicU64]) {
        let hash = self.hash.hash_one(token);
        let bucket = usize::try_from(hash % BUCKETS).ok();
        let places = bucket.and_then(|bucket| self.buckets.get(bucket));
        (hash | 1, places.map_or(&[], |places| places))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_there_while_its_last_answer_was_active() {
        let tokens = ActiveTokens::new();
        let names = Vec::from_iter((0..1000).map(|number: u32| number.to_be_bytes()));
        for name in &names {
            assert!(!tokens.has(name));
            tokens.note(name, true);
            tokens.note(name, true);
        }
        assert!(names.iter().all(|name| tokens.has(name)));
        let (gone, kept) = names.split_at(500);
        for name in gone {
            tokens.note(name, false);
        }
        assert!(!gone.iter().any(|name| tokens.has(name)));
        assert!(kept.iter().all(|name| tokens.has(name)));
    }

    #[test]
    fn a_full_table_takes_new_tokens() {
        let tokens = ActiveTokens::new();
        for number in 0..100_000_u32 {
            tokens.note(&number.to_be_bytes(), true);
            assert!(tokens.has(&number.to_be_bytes()));
        }
    }
}
