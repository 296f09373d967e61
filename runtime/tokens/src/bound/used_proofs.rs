//! The proofs that were used, each of which is good once
//! ([RFC 9449, 11.1](https://www.rfc-editor.org/rfc/rfc9449#section-11.1)).

use core::time::Duration;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use doorward_core::__debug_only as debug_only;

use crate::reason::Reason;

/// The identity of a proof: a part of the hash of its key and its `jti`. Nobody finds another one
/// with the same 16 bytes.
pub(super) type Id = [u8; 16];

/// The proofs that were used and are still good. It never forgets one of them, so it is full at some
/// time.
pub(super) struct UsedProofs {
    shards: [Mutex<Shard>; SHARDS],
    /// The proofs of one shard at most.
    limit: usize,
}

/// A part of the proofs, so that requests seldom wait for each other.
#[derive(Default)]
struct Shard {
    /// Until when each is good, in seconds since 1970.
    proofs: HashMap<Id, f64>,
    /// Nothing can be forgotten before this time.
    next: f64,
}

const SHARDS: usize = 16;

/// The bytes that a proof takes at most in a table that has just grown.
const BYTES_OF_ONE: usize = 64;

/// The bytes of all proofs, unless a service sets another number.
pub(super) const USUAL_BYTES: usize = 64 * 1024 * 1024;

impl UsedProofs {
    pub(super) fn new(bytes: usize) -> Self {
        Self { shards: Default::default(), limit: (bytes / BYTES_OF_ONE / SHARDS).max(1) }
    }

    /// Uses a proof that is good until a time, if it was not used before. Times are in seconds since
    /// 1970.
    pub(super) fn spend(&self, id: Id, until: f64, now: f64) -> Result<(), Reason> {
        let number = usize::from(id.first().copied().unwrap_or_default()) % SHARDS;
        let Some(shard) = self.shards.get(number) else {
            return Err(Reason::TooManyProofs(Duration::ZERO));
        };
        let Shard { proofs, next } = &mut *shard.lock().unwrap_or_else(PoisonError::into_inner);
        if proofs.get(&id).is_some_and(|until| now <= *until) {
            return Err(Reason::Proof("the proof was used before"));
        }
        let is_full = proofs.len() >= self.limit;
        if (is_full || proofs.len() == proofs.capacity()) && now > *next {
            proofs.retain(|_, until| now <= *until);
            *next = proofs.values().copied().fold(f64::INFINITY, f64::min);
        }
        if proofs.len() >= self.limit {
            let wait = Duration::try_from_secs_f64(*next - now);
            return Err(Reason::TooManyProofs(wait.unwrap_or_default()));
        }
        *next = next.min(until);
        proofs.insert(id, until);
        Ok(())
    }
}

debug_only!([] UsedProofs { limit });

#[cfg(test)]
mod tests {
    use super::*;

    const fn id(number: u8) -> Id {
        let mut id = [0; 16];
        // Always in the same shard.
        id[1] = number;
        id
    }

    #[test]
    fn a_full_memory_forgets_no_proof_that_is_good() {
        let used = UsedProofs::new(4 * BYTES_OF_ONE * SHARDS);
        for number in 0..4 {
            assert_eq!(used.spend(id(number), 100.0 + f64::from(number), 50.0), Ok(()));
        }
        let repeated = Err(Reason::Proof("the proof was used before"));
        let full = |millis| Err(Reason::TooManyProofs(Duration::from_millis(millis)));
        assert_eq!(used.spend(id(4), 200.0, 60.0), full(40_000));
        assert_eq!(used.spend(id(4), 200.0, 100.0), full(0));
        for number in 0..4 {
            assert_eq!(used.spend(id(number), 200.0, 60.0), repeated);
        }
        // Only the first one is over.
        assert_eq!(used.spend(id(4), 200.0, 100.5), Ok(()));
        assert_eq!(used.spend(id(5), 200.0, 100.5), full(500));
        assert_eq!(used.spend(id(1), 200.0, 100.5), repeated);
        // Another shard has room.
        assert_eq!(used.spend([1; 16], 200.0, 100.5), Ok(()));
    }

    #[test]
    fn what_is_over_makes_room_before_a_table_grows() {
        let used = UsedProofs::new(USUAL_BYTES);
        for second in 0..100_000_u32 {
            let mut id = [0; 16];
            id[1..5].copy_from_slice(&second.to_be_bytes());
            let now = f64::from(second);
            assert_eq!(used.spend(id, now + 60.0, now), Ok(()));
        }
        let shard = used.shards[0].lock().unwrap();
        assert!(shard.proofs.capacity() < 500, "{}", shard.proofs.capacity());
    }
}
