//! Matches for tests.

use proptest::prelude::*;
use treegauge_core::{Outcome, Player, uniform_below};
use treegauge_search::Generator;

use super::Pairs;
use crate::Estimate;

/// All outcomes, in the order of their values.
pub(super) const OUTCOMES: [Outcome; 3] = [Outcome::SecondWins, Outcome::Draw, Outcome::FirstWins];

/// Generates matches with few or no games of each kind.
pub(super) fn any_pairs() -> impl Strategy<Value = Pairs> {
    let counts = || prop_oneof![3 => Just(0u64), 1 => 1u64..4, 1 => 0u64..200];
    (prop::collection::vec(counts(), 9), prop::collection::vec(0u64..2, 3)).prop_map(
        |(paired, single)| {
            let mut pairs = Pairs::default();
            for (cell, n) in paired.into_iter().enumerate() {
                (0..n).for_each(|_| pairs.add(OUTCOMES[cell / 3], OUTCOMES[cell % 3]));
            }
            for (result, n) in single.into_iter().enumerate() {
                (0..n).for_each(|_| pairs.add_single(OUTCOMES[result], Player::First));
            }
            pairs
        },
    )
}

/// Creates a match with these counts of pairs by the points of a.
pub(super) fn pairs_of(counts: [u64; 5]) -> Pairs {
    let games = [(0, 2), (0, 1), (1, 1), (1, 0), (2, 0)];
    let mut pairs = Pairs::default();
    for (n, (i, j)) in counts.into_iter().zip(games) {
        (0..n).for_each(|_| pairs.add(OUTCOMES[i], OUTCOMES[j]));
    }
    pairs
}

/// Draws one of five categories with these odds.
pub(super) fn draw_from(odds: [u32; 5], rng: &mut Generator) -> usize {
    let mut left = uniform_below(rng, odds.iter().sum());
    odds.iter()
        .position(|&odds| {
            let here = left < odds;
            left = left.saturating_sub(odds);
            here
        })
        .expect("the number picked is below the sum")
}

/// Tests whether all numbers of an estimate are finite.
pub(super) fn finite(estimate: Estimate) -> bool {
    [estimate.mean, estimate.low, estimate.high].into_iter().flatten().all(f64::is_finite)
}
