//! Random numbers that are the same everywhere.

use std::env;

/// A linear congruential generator with Knuth's constants.
pub(crate) struct Random(u64);

impl Random {
    /// Starts from the seed in `DOORWARD_TREES_SEED`, or from a fixed one.
    pub(crate) fn seeded() -> Self {
        let seed = env::var("DOORWARD_TREES_SEED").ok();
        Self(seed.and_then(|seed| seed.parse().ok()).unwrap_or(20_261_121))
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).map_or(0, |number| number % end)
    }
}
