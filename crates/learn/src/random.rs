//! Random numbers of learners and tests.

use rand_core::{Rng, SeedableRng};

/// Generator xoshiro256++ (Blackman and Vigna 2019).
#[derive(Clone, Debug)]
pub struct Random(rand_xoshiro::Xoshiro256PlusPlus);

impl Random {
    /// Creates the generator of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Random {
        Random(rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Draws an integer from 0 to `n - 1`. Probabilities are equal up to a relative error of 2^-32.
    ///
    /// # Panics
    ///
    /// If `n` is 0 or more than 2^32.
    pub fn below(&mut self, n: usize) -> usize {
        assert!(n > 0 && n <= 1 << 32, "there is no number below {n}");
        ((u128::from(self.0.next_u64()) * n as u128) >> 64) as usize
    }

    /// Draws a number in [0, 1), a multiple of 2^-53.
    pub fn share(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Shuffles a list (Fisher and Yates).
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for n in (1..list.len()).rev() {
            list.swap(n, self.below(n + 1));
        }
    }
}
