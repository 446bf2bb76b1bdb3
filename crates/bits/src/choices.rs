//! Many small random choices from few random numbers.

use rand_core::Rng;
use treegauge_core::uniform_below;

/// Generator of uniform choices, four from each 64-bit random number.
///
/// The number is read as a fraction f of 1: floor(n f) is the choice, and the fractional part of n
/// f is again a uniform fraction, from which the next choice is made. A choice among at most 512
/// uses up to 9 bits, so the fourth one is still uniform to within 2^-28. No number of playouts can
/// detect that. A new random number for every choice measured a quarter slower on Dots and Boxes,
/// where a ply is little more than its choice.
#[derive(Debug)]
pub struct Choices<'r, R: ?Sized> {
    rng: &'r mut R,
    fraction: u64,
    left: u32,
}

impl<'r, R: Rng + ?Sized> Choices<'r, R> {
    /// Creates choices from `rng`; no random number is drawn yet.
    #[inline]
    pub fn new(rng: &'r mut R) -> Self {
        Choices { rng, fraction: 0, left: 0 }
    }

    /// Returns a number from 0 to `n - 1`. `n` must be 1 to 512.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        debug_assert!((1..=512).contains(&n), "{n} things to choose from");
        if self.left == 0 {
            self.fraction = self.rng.next_u64();
            self.left = 4;
        }
        self.left -= 1;
        take(&mut self.fraction, n)
    }

    /// Returns a number from 0 to `n - 1` for any `n` but 0. An `n` above 512 takes a random number
    /// of its own.
    #[inline]
    pub fn below_any(&mut self, n: u32) -> u32 {
        if n <= 512 { self.below(n) } else { uniform_below(self.rng, n) }
    }
}

/// Returns the choice among `n` that a fraction of 2^64 makes, and leaves the unused part in it.
#[inline]
pub fn take(fraction: &mut u64, n: u32) -> u32 {
    let product = u128::from(*fraction) * u128::from(n);
    *fraction = product as u64;
    (product >> 64) as u32
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

    use super::*;

    #[test]
    fn four_choices_of_one_draw_are_even_and_independent() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
        let mut choices = Choices::new(&mut rng);
        let mut counts = [0u32; 256];
        for _ in 0..256_000 {
            let word = (0..4).fold(0, |word, _| word * 4 + choices.below(4));
            counts[word as usize] += 1;
        }
        // Each of the 256 sequences is expected 1,000 times; six standard deviations are 190.
        assert!(counts.iter().all(|&n| n.abs_diff(1_000) < 190), "{counts:?}");
    }

    #[test]
    fn a_fraction_gives_its_digits() {
        // 0.6 in tenths and then in halves is 6 and 0; a remainder of 2^-64 is lost to rounding.
        let mut fraction = u64::MAX / 10 * 6 + 6;
        assert_eq!(take(&mut fraction, 10), 6);
        assert_eq!(take(&mut fraction, 2), 0);
    }
}
