//! Logistic Elo scale, on which 400 points are odds of ten to one (Elo 1978, section 8.4).

use std::f64::consts::LN_10;

use crate::Estimate;

/// Elo points per unit of log odds.
pub(super) const ELO_PER_LOGIT: f64 = 400.0 / LN_10;

/// Returns the Elo difference of a player to the opponent from the player's share of the points,
/// `score`. `None` at 0 and at 1, which no finite difference explains.
///
/// `-400 log10(1 / score - 1)`.
///
/// ```
/// use treegauge_stats::elo;
/// assert!((elo(10.0 / 11.0).unwrap() - 400.0).abs() < 1e-9);
/// assert_eq!(elo(1.0), None);
/// ```
#[must_use]
pub fn elo(score: f64) -> Option<f64> {
    (0.0 < score && score < 1.0)
        .then(|| ELO_PER_LOGIT * (score / (1.0 - score)).ln())
        .filter(|elo| elo.is_finite())
}

/// Returns the expected share of points, 0 to 1, of a player who is `elo` points better than the
/// opponent: the inverse of [`elo`](elo()).
#[must_use]
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo / ELO_PER_LOGIT).exp())
}

/// Converts a score with its interval to Elo points.
pub(super) fn elo_estimate(score: Estimate) -> Estimate {
    Estimate {
        mean: score.mean.and_then(elo),
        low: score.low.and_then(elo),
        high: score.high.and_then(elo),
        n: score.n,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn known_differences() {
        // By every published table, 64% and 76% are 100 and 200 points.
        assert!((expected_score(100.0) - 0.640_065).abs() < 1e-6);
        assert!((expected_score(200.0) - 0.759_747).abs() < 1e-6);
        assert_eq!(elo(0.5), Some(0.0));
        assert_eq!((elo(0.0), elo(1.0)), (None, None));
    }

    proptest! {
        #[test]
        fn the_two_are_inverse_and_odd(points in -2_000.0..2_000.0f64) {
            let score = expected_score(points);
            prop_assert!((elo(score).unwrap() - points).abs() < 1e-6 * (1.0 + points.abs()));
            prop_assert!((expected_score(-points) - (1.0 - score)).abs() < 1e-12);
        }
    }
}
