//! Uniform random choice, from a generator that the caller owns.

use rand_core::Rng;

/// Returns a random number from 0 to `n - 1`. The probability of each differs from `1 / n` by less
/// than `1 / 2^32`.
///
/// The result is the upper half of the product of `n` and 32 random bits: Lemire 2019, "Fast random
/// integer generation in an interval", without its rejection step. The bias is below 1e-6 for the
/// branching factors of games, too small for any experiment here to detect, and the code has no
/// branch.
///
/// # Panics
///
/// In debug builds when `n` is 0.
#[inline]
pub fn uniform_below<R: Rng + ?Sized>(rng: &mut R, n: u32) -> u32 {
    debug_assert!(n > 0, "there must be something to choose from");
    ((u64::from(rng.next_u32()) * u64::from(n)) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

    #[test]
    fn every_number_below_the_bound_comes_up_and_none_above() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut seen = [0u32; 5];
        for _ in 0..5_000 {
            seen[super::uniform_below(&mut rng, 5) as usize] += 1;
        }
        // Five standard deviations of a binomial count with n = 5,000 and p = 1/5 are 141.
        assert!(seen.iter().all(|&n| n.abs_diff(1_000) < 141), "{seen:?}");
    }
}
