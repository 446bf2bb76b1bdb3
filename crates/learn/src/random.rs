//! The random numbers of learners and tests.

use rand_core::{Rng, SeedableRng};

/// xoshiro256++ (Blackman and Vigna 2019).
#[derive(Clone, Debug)]
pub struct Random(rand_xoshiro::Xoshiro256PlusPlus);

impl Random {
    /// The stream of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Random {
        Random(rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A number from 0 to `n - 1`, each equally likely but for a part in 2^32.
    ///
    /// # Panics
    ///
    /// When `n` is 0 or more than 2^32.
    pub fn below(&mut self, n: usize) -> usize {
        assert!(n > 0 && n <= 1 << 32, "there is no number below {n}");
        ((u128::from(self.0.next_u64()) * n as u128) >> 64) as usize
    }

    /// A number from 0 to 1, less than 1, in steps of 2^-53.
    pub fn share(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Puts a list in random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for n in (1..list.len()).rev() {
            list.swap(n, self.below(n + 1));
        }
    }
}
