//! Random choices that follow from a seed.

use std::time::Duration;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// Random choices of one try.
pub(crate) struct Random(Xoshiro256PlusPlus);

impl Random {
    /// Choices of the try with this number. They do not depend on earlier tries.
    pub(crate) fn of(seed: u64, class: &str, number: u64) -> Random {
        let mut mixed = 0xcbf2_9ce4_8422_2325_u64;
        for byte in class.bytes().chain(seed.to_le_bytes()).chain(number.to_le_bytes()) {
            mixed = (mixed ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Random(Xoshiro256PlusPlus::seed_from_u64(mixed))
    }

    /// Random number below `n`, which must not be 0.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.0.next_u64() % n as u64) as usize
    }

    /// One random item of a non-empty slice.
    pub(crate) fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    /// Returns true with probability 1/n.
    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// Random time from `low` to `high`.
    pub(crate) fn between(&mut self, low: Duration, high: Duration) -> Duration {
        let share = self.below(1 << 20) as f64 / f64::from(1 << 20);
        low + high.saturating_sub(low).mul_f64(share)
    }

    /// Random bytes.
    pub(crate) fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.below(256) as u8).collect()
    }

    /// Shuffles a slice.
    pub(crate) fn shuffle<T>(&mut self, things: &mut [T]) {
        for n in (1..things.len()).rev() {
            things.swap(n, self.below(n + 1));
        }
    }
}
