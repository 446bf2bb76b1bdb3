//! Upper confidence bounds, and the choice of the greatest.
//!
//! The bound of a child is `mean + factor * width`. Its mean is the average of its results for the
//! player who chooses, -1 to 1; its width is `1 / sqrt(n)` for its `n` visits; and the factor is
//! `2 C_p sqrt(2 ln t)`, the same for all children of a node with `t` visits. A mean and a width
//! change only when their child is visited, so they are kept, and a choice takes no root, no logarithm
//! and no division for each child.
//!
//! Only additions, multiplications, divisions, square roots and the logarithm of the `libm` crate
//! are used, which give the same bits on every platform; the last bit of the system's logarithm
//! does not, and would change searches.

/// Table of the factors for all visit counts, for one exploration constant.
#[derive(Clone, Debug)]
pub(crate) struct Exploration {
    cp: f64,
    /// Factors by visit count from 0; the entry of 0 is unused.
    factors: Vec<f64>,
}

impl Exploration {
    /// Greatest visit count in the table. Larger ones are computed each time, since a larger table
    /// would only push the tree out of the cache.
    const LEN_MAX: u32 = 1 << 20;

    /// Creates the factors of the exploration constant C_p, on rewards in \[0, 1\].
    pub(crate) fn new(cp: f64) -> Exploration {
        Exploration { cp, factors: Vec::new() }
    }

    /// Exploration constant C_p.
    pub(crate) fn cp(&self) -> f64 {
        self.cp
    }

    /// Extends the table to `visits`, but at most to its greatest length.
    pub(crate) fn extend_to(&mut self, visits: u32) {
        let len = visits.min(Self::LEN_MAX) + 1;
        for visits in self.factors.len() as u32..len {
            self.factors.push(if visits == 0 { 0.0 } else { self.computed(visits) });
        }
    }

    /// Factor of a node with this visit count, at least 1.
    #[inline]
    pub(crate) fn factor(&self, visits: u32) -> f64 {
        match self.factors.get(visits as usize) {
            Some(&factor) => factor,
            None => self.computed(visits),
        }
    }

    fn computed(&self, visits: u32) -> f64 {
        2.0 * self.cp * (2.0 * libm::log(f64::from(visits))).sqrt()
    }
}

/// Mean result for the player with this sign; `score` is the sum of results for the first player.
#[inline]
pub(crate) fn mean(sign: i32, score: i32, visits: u32) -> f64 {
    f64::from(sign * score) / f64::from(visits)
}

/// Width of a child with this visit count, at least 1. A table of widths measured no faster.
#[inline]
pub(crate) fn width(visits: u32) -> f64 {
    (1.0 / f64::from(visits)).sqrt()
}

/// Index of the greatest bound; the first of equals. Both slices have the same length.
#[inline]
pub(crate) fn greatest(means: &[f64], widths: &[f64], factor: f64) -> usize {
    if means.len() >= MANY {
        return greatest_of_many(means, widths, factor);
    }
    greatest_one_by_one(means, widths, factor, f64::NEG_INFINITY).map_or(0, |(n, _)| n)
}

/// Number of children from which they are compared block by block; fewer are faster one by one.
const MANY: usize = 16;

/// Children per block: four vectors of two, which every x86-64 and ARM64 processor has.
const BLOCK: usize = 8;

/// Index and bound of the first child with the greatest bound, if that is above `least`.
#[inline]
fn greatest_one_by_one(
    means: &[f64],
    widths: &[f64],
    factor: f64,
    least: f64,
) -> Option<(usize, f64)> {
    let (mut best, mut best_bound) = (usize::MAX, least);
    for (n, (mean, width)) in means.iter().zip(widths).enumerate() {
        let bound = mean + factor * width;
        if bound > best_bound {
            (best, best_bound) = (n, bound);
        }
    }
    (best != usize::MAX).then_some((best, best_bound))
}

/// Finds the block with the greatest bound, for which the order within a block does not matter, and
/// searches only that block.
///
/// It is not inlined, so that it takes no registers of the common case of few children.
#[inline(never)]
fn greatest_of_many(means: &[f64], widths: &[f64], factor: f64) -> usize {
    let (mean_blocks, mean_rest) = means.as_chunks::<BLOCK>();
    let (width_blocks, width_rest) = widths.as_chunks::<BLOCK>();
    let (mut best_block, mut best_bound) = (0, f64::NEG_INFINITY);
    for (block, (means, widths)) in mean_blocks.iter().zip(width_blocks).enumerate() {
        let bound = greatest_of_block(means, widths, factor);
        if bound > best_bound {
            (best_block, best_bound) = (block, bound);
        }
    }
    let rest = mean_blocks.len() * BLOCK;
    if let Some((n, _)) = greatest_one_by_one(mean_rest, width_rest, factor, best_bound) {
        return rest + n;
    }
    let (means, widths) = (&mean_blocks[best_block], &width_blocks[best_block]);
    let first = (0..BLOCK)
        .rev()
        .fold(0, |first, n| if means[n] + factor * widths[n] == best_bound { n } else { first });
    best_block * BLOCK + first
}

/// Greatest bound of a block, found by halving. The comparisons are written out because `f64::max`
/// also handles NaN.
#[inline]
fn greatest_of_block(means: &[f64; BLOCK], widths: &[f64; BLOCK], factor: f64) -> f64 {
    let mut bounds: [f64; BLOCK] = std::array::from_fn(|n| means[n] + factor * widths[n]);
    let mut len = BLOCK;
    while len > 1 {
        len /= 2;
        for n in 0..len {
            bounds[n] = if bounds[n] > bounds[n + len] { bounds[n] } else { bounds[n + len] };
        }
    }
    bounds[0]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_table_of_factors_is_their_formula() {
        let mut exploration = Exploration::new(0.7);
        exploration.extend_to(50);
        for t in 1..=60 {
            let factor = exploration.factor(t);
            assert_eq!(factor, exploration.computed(t), "inside the table and beyond it");
            let expected = 2.0 * 0.7 * (2.0 * f64::from(t).ln()).sqrt();
            assert!((factor - expected).abs() < 1e-14, "{t}: {factor}");
        }
    }

    proptest! {
        /// Compares a bound with the textbook form: the average on the scale 0 to 1 plus the
        /// exploration term, doubled and less 1.
        #[test]
        fn a_bound_is_that_of_the_books(
            score in -100i32..=100, more in 0u32..1_000, t in 1u32..100_000, cp in 0.0..2.0f64
        ) {
            let visits = score.unsigned_abs().max(1) + more;
            let bound = mean(-1, score, visits) + Exploration::new(cp).factor(t) * width(visits);
            let q = (-f64::from(score) / f64::from(visits) + 1.0) / 2.0;
            let expected = q + cp * (2.0 * f64::from(t).ln() / f64::from(visits)).sqrt();
            prop_assert!((bound - (2.0 * expected - 1.0)).abs() < 1e-12);
        }

        /// Few different children, so that many bounds are equal.
        #[test]
        fn the_first_of_the_greatest_bounds_is_chosen(
            children in prop::collection::vec((-2i32..=2, 2u32..5), 1..150), t in 1u32..10_000
        ) {
            let means: Vec<f64> = children.iter().map(|&(score, n)| mean(1, score, n)).collect();
            let widths: Vec<f64> = children.iter().map(|&(_, n)| width(n)).collect();
            let factor = Exploration::new(0.5).factor(t);
            let bounds: Vec<f64> =
                means.iter().zip(&widths).map(|(mean, width)| mean + factor * width).collect();
            let greatest_bound = bounds.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let expected = bounds.iter().position(|&bound| bound == greatest_bound);
            prop_assert_eq!(Some(greatest(&means, &widths, factor)), expected);
        }
    }
}
