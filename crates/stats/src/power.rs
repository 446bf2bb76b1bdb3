//! Power of matches: the number of games that shows a difference.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Pentanomial;
use super::pairs::student_t;
use super::root::crossing;
use crate::{normal_cdf, normal_quantile, student_z};

/// Greatest number of pairs for which the power is computed exactly.
const EXACT: usize = 60;

/// Variation of the points of pairs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PairSpread {
    /// Assumptions before any game.
    Assumed {
        /// Share of drawn games, at least 0 and below 1.
        draw_rate: f64,
        /// Correlation of a player's points in the two games of a pair, above -1 and at most 1: 0
        /// for independent games, negative if openings favour a side.
        correlation: f64,
    },
    /// Measurement from a match.
    Measured {
        /// Variance of a pair's share of points relative to that of a pair that is either won or
        /// lost as a whole; above 0, at most 1.
        design_effect: f64,
    },
}

/// Plans matches that ask which of two players is better, tested at 5% two-sided.
///
/// The gap is the expected score of the better player minus 1/2: 0.04 is 54% against 46%.
///
/// Up to 60 pairs the power is exact: the total probability of the results that a match calls
/// better ([`Comparison::score`](super::Comparison::score)), for pairs drawn from the five
/// probabilities of the spread. The power does not always grow with the pairs. The pairs needed are
/// the smallest number such that it and all larger numbers have the required power.
///
/// Beyond 60 pairs, the pairs needed are those of a normal test of the mean. The variance is that
/// of equal players under the hypothesis and that of the true score under the alternative (Fleiss,
/// Levin and Paik 2003, section 2.5): `n = ((1.96 sqrt(v(1/2)) + z sqrt(v(1/2 + gap))) / gap)^2`.
///
/// ```
/// use treegauge_stats::{Power, PairSpread};
/// let games = PairSpread::Assumed { draw_rate: 0.0, correlation: 0.0 };
/// assert_eq!(Power::new(games).unwrap().games(0.04, 0.8).unwrap(), 1_226);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Power {
    spread: PairSpread,
}

/// Error for a plan with values out of range.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PowerError {
    /// The share of draws is out of range.
    #[error("the draw rate is {draw_rate}; it must be at least 0 and below 1")]
    DrawRate {
        /// Share of draws.
        draw_rate: f64,
    },
    /// The correlation is out of range.
    #[error("the correlation is {correlation}; it must be above -1 and at most 1")]
    Correlation {
        /// Correlation.
        correlation: f64,
    },
    /// The design effect is out of range.
    #[error("the design effect is {design_effect}; it must be above 0 and at most 1")]
    DesignEffect {
        /// Design effect.
        design_effect: f64,
    },
    /// The gap is not above 0, or too large for the share of draws.
    #[error("the gap is {gap}; it must be above 0 and below {}", (gap_max * 1e6).round() / 1e6)]
    Gap {
        /// Gap.
        gap: f64,
        /// Exclusive upper limit of the gap.
        gap_max: f64,
    },
    /// The power is out of range.
    #[error("the power is {power}; it must be at least 0.5 and below 1")]
    Power {
        /// Power.
        power: f64,
    },
}

/// Number of games that shows a gap, by power.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PowerTable {
    /// Expected score of the better player minus 1/2.
    pub gap: f64,
    /// Variation of the points of pairs.
    pub spread: PairSpread,
    /// One row for each of [`Power::LEVELS`].
    pub rows: Vec<PowerRow>,
}

/// Row of a [`PowerTable`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PowerRow {
    /// Probability that the match shows the better player to be better.
    pub power: f64,
    /// Number of pairs needed.
    pub pairs: u64,
    /// Number of games needed: two per pair.
    pub games: u64,
}

impl PairSpread {
    /// Measures the spread of these pairs; `None` without pairs.
    #[must_use]
    pub fn measured(pairs: Pentanomial) -> Option<PairSpread> {
        pairs.design_effect().map(|design_effect| PairSpread::Measured { design_effect })
    }

    /// Returns the probabilities of 0, 1/2, 1, 3/2 and 2 points in a pair, for an expected share of
    /// points `score`, from 1/2 to 1.
    ///
    /// For an assumed spread with a positive correlation, the two games of a pair have the same
    /// result with that probability and are independent otherwise. A negative correlation mixes
    /// independent games with games of results as opposite as possible; lower correlations than
    /// that cannot be reached. For a measured spread only the variance is reproduced: by pairs that
    /// are lost, split or won if possible, otherwise by points closer to the mean.
    fn probabilities(self, score: f64) -> [f64; 5] {
        let whole = score * (1.0 - score);
        match self {
            PairSpread::Assumed { draw_rate, correlation } => {
                let won = (score - draw_rate / 2.0).clamp(0.0, 1.0);
                let lost = (1.0 - score - draw_rate / 2.0).clamp(0.0, 1.0);
                let game = [lost, 1.0 - won - lost, won];
                let mut independent = [0.0; 5];
                let mut opposite = [0.0; 5];
                // A uniform number from 0 to 1 determines the first game, and one minus it the
                // second.
                let bounds = [0.0, lost, 1.0 - won, 1.0];
                for (i, j) in (0..9).map(|cell| (cell / 3, cell % 3)) {
                    independent[i + j] += game[i] * game[j];
                    let low = bounds[i].max(1.0 - bounds[j + 1]);
                    opposite[i + j] += (bounds[i + 1].min(1.0 - bounds[j]) - low).max(0.0);
                }
                let least = variance(opposite) / variance(independent) - 1.0;
                if correlation >= 0.0 {
                    mixture([lost, 0.0, game[1], 0.0, won], independent, correlation)
                } else if least < 0.0 {
                    mixture(opposite, independent, (correlation / least).min(1.0))
                } else {
                    independent
                }
            }
            PairSpread::Measured { design_effect } => {
                let split = 4.0 * (1.0 - design_effect) * whole;
                let few = 2.0 * (1.0 - score);
                if split <= few {
                    return [few - split, 0.0, 2.0 * split, 0.0, 2.0 - few - split]
                        .map(|x| x / 2.0);
                }
                let splits = [0.0, 0.0, few, 0.0, 1.0 - few];
                let mut narrow = [0.0; 5];
                let below = (4.0 * score).floor().min(3.0);
                narrow[below as usize] = 1.0 - (4.0 * score - below);
                narrow[below as usize + 1] = 4.0 * score - below;
                let (most, least) = (variance(splits), variance(narrow));
                let part = if most > least {
                    (whole * design_effect - least) / (most - least)
                } else {
                    0.0
                };
                mixture(splits, narrow, part.clamp(0.0, 1.0))
            }
        }
    }

    /// Returns the variance of a pair's share of points if the expected share is `score`.
    fn variance(self, score: f64) -> f64 {
        variance(self.probabilities(score))
    }
}

/// Returns the variance of a pair's share of points with these probabilities.
fn variance(probabilities: [f64; 5]) -> f64 {
    let sum = |f: &dyn Fn(f64) -> f64| -> f64 {
        (0..5).map(|half| probabilities[half] * f(half as f64 / 4.0)).sum()
    };
    let mean = sum(&|x| x);
    sum(&|x| (x - mean).powi(2))
}

/// Mixes two distributions: `one` with the probability `part`, otherwise `other`.
fn mixture(one: [f64; 5], other: [f64; 5], part: f64) -> [f64; 5] {
    std::array::from_fn(|half| part * one[half] + (1.0 - part) * other[half])
}

/// Distribution of the results of some pairs, reduced to what the test needs: the number of half
/// points and the sum of their squares by pair.
struct Results {
    pairs: usize,
    /// Half points per unit: 2 if odd numbers of half points do not occur, otherwise 1.
    unit: usize,
    /// Probabilities of 0, 1, ... units in a pair.
    pair: Vec<f64>,
    /// Number of sums of squares per row; the row is the number of units.
    width: usize,
    probabilities: Vec<f64>,
}

impl Results {
    /// Starts without pairs. Each pair will have the probabilities `pair`; at most `last` pairs
    /// will be added.
    fn new(pair: [f64; 5], last: usize) -> Results {
        let unit = if pair[1] + pair[3] > 0.0 { 1 } else { 2 };
        let pair: Vec<f64> = pair.into_iter().step_by(unit).collect();
        let most = pair.len() - 1;
        let width = most * most * last + 1;
        let mut probabilities = vec![0.0; (most * last + 1) * width];
        probabilities[0] = 1.0;
        Results { pairs: 0, unit, pair, width, probabilities }
    }

    /// Adds one pair.
    fn add_pair(&mut self) {
        self.pairs += 1;
        let most = self.pair.len() - 1;
        // Descending order, so that the smaller sums still have the values before this pair. The
        // squares of a sum range from the sum itself to the sum times the greatest number of units
        // of a pair.
        for sum in (0..=most * self.pairs).rev() {
            let (lower, row) = self.probabilities.split_at_mut(sum * self.width);
            row[sum..=most * sum].iter_mut().for_each(|p| *p *= self.pair[0]);
            for step in 1..=most.min(sum) {
                let from = sum - step;
                let before = &lower[from * self.width + from..=from * self.width + most * from];
                let p = self.pair[step];
                let to = &mut row[from + step * step..];
                to.iter_mut().zip(before).for_each(|(to, before)| *to += p * before);
            }
        }
    }

    /// Returns the probability that the match calls the player better; there must be a pair.
    fn power(&self) -> f64 {
        let most = self.pair.len() - 1;
        let point = student_z(self.pairs as f64);
        let mut power = 0.0;
        for sum in most * self.pairs / 2 + 1..=most * self.pairs {
            for square in sum..=most * sum {
                let p = self.probabilities[sum * self.width + square];
                let (halves, squares) = (sum * self.unit, square * self.unit * self.unit);
                if p > 0.0 && student_t(self.pairs as u64, halves as u64, squares as u64) > point {
                    power += p;
                }
            }
        }
        power
    }
}

impl Power {
    /// Powers in the rows of a table.
    pub const LEVELS: [f64; 4] = [0.5, 0.8, 0.9, 0.95];

    /// Default power.
    pub const DEFAULT: f64 = 0.8;

    /// Creates a plan for this spread.
    ///
    /// # Errors
    ///
    /// If a number of the spread is out of range.
    pub fn new(spread: PairSpread) -> Result<Power, PowerError> {
        match spread {
            PairSpread::Assumed { draw_rate, .. } if !(0.0..1.0).contains(&draw_rate) => {
                Err(PowerError::DrawRate { draw_rate })
            }
            PairSpread::Assumed { correlation, .. }
                if !(-1.0 < correlation && correlation <= 1.0) =>
            {
                Err(PowerError::Correlation { correlation })
            }
            PairSpread::Measured { design_effect }
                if !(0.0 < design_effect && design_effect <= 1.0) =>
            {
                Err(PowerError::DesignEffect { design_effect })
            }
            spread => Ok(Power { spread }),
        }
    }

    /// Largest possible gap, with which the worse player wins no game.
    #[must_use]
    pub fn gap_max(&self) -> f64 {
        match self.spread {
            PairSpread::Assumed { draw_rate, .. } => (1.0 - draw_rate) / 2.0,
            PairSpread::Measured { .. } => 0.5,
        }
    }

    /// Returns the number of pairs that shows a gap with this power.
    ///
    /// # Errors
    ///
    /// If the gap or the power is out of range.
    pub fn pairs(&self, gap: f64, power: f64) -> Result<u64, PowerError> {
        Ok(self.pairs_each(gap, &[power])?[0])
    }

    /// Returns the number of pairs that shows a gap, for each of these powers.
    fn pairs_each(&self, gap: f64, powers: &[f64]) -> Result<Vec<u64>, PowerError> {
        let gap_max = self.gap_max();
        if !(0.0 < gap && gap < gap_max) {
            return Err(PowerError::Gap { gap, gap_max });
        }
        let mut exact = None;
        powers
            .iter()
            .map(|&power| {
                // The conversion saturates: a float beyond the range becomes the largest integer.
                let pairs = (self.reach(gap, quantile(power)?) / gap).powi(2).ceil() as u64;
                if pairs > EXACT as u64 + 1 {
                    return Ok(pairs);
                }
                let exact = exact.get_or_insert_with(|| self.exact_powers(gap));
                let too_few = exact.iter().rposition(|&reached| reached < power);
                Ok(too_few.map_or(1, |last| last as u64 + 2))
            })
            .collect()
    }

    /// Returns the number of games, in whole pairs, that shows a gap with this power.
    ///
    /// # Errors
    ///
    /// If the gap or the power is out of range.
    pub fn games(&self, gap: f64, power: f64) -> Result<u64, PowerError> {
        Ok(self.pairs(gap, power)?.saturating_mul(2))
    }

    /// Returns the number of games that shows a gap, by power.
    ///
    /// # Errors
    ///
    /// If the gap is out of range.
    pub fn table(&self, gap: f64) -> Result<PowerTable, PowerError> {
        let pairs = self.pairs_each(gap, &Self::LEVELS)?;
        let row =
            |(power, pairs): (f64, u64)| PowerRow { power, pairs, games: pairs.saturating_mul(2) };
        let rows = Self::LEVELS.into_iter().zip(pairs).map(row).collect();
        Ok(PowerTable { gap, spread: self.spread, rows })
    }

    /// Returns the smallest gap that `pairs` pairs show with this power; `None` if they are too few
    /// to show any gap.
    ///
    /// # Errors
    ///
    /// If the power is out of range.
    pub fn smallest_gap(&self, pairs: u64, power: f64) -> Result<Option<f64>, PowerError> {
        quantile(power)?;
        let high = self.gap_max();
        if self.power(pairs, high) < power {
            return Ok(None);
        }
        // The power grows with the gap, so there is only one crossing.
        Ok(Some(crossing(|gap| self.power(pairs, gap) - power, 0.0, high, 1e-9)))
    }

    /// Returns the probability that `pairs` pairs show a gap from 0 to [`Power::gap_max`].
    #[must_use]
    pub fn power(&self, pairs: u64, gap: f64) -> f64 {
        if pairs <= EXACT as u64 {
            let mut results = Results::new(self.spread.probabilities(0.5 + gap), pairs as usize);
            (0..pairs).for_each(|_| results.add_pair());
            return if pairs > 0 { results.power() } else { 0.0 };
        }
        let root = (pairs as f64).sqrt();
        let beyond = gap * root - normal_quantile(0.975) * self.spread.variance(0.5).sqrt();
        let deviation = self.spread.variance(0.5 + gap).sqrt();
        if deviation > 0.0 {
            normal_cdf(beyond / deviation)
        } else {
            f64::from(u8::from(beyond >= 0.0))
        }
    }

    /// Returns the powers of 1, 2, ... up to [`EXACT`] pairs.
    fn exact_powers(&self, gap: f64) -> Vec<f64> {
        let mut results = Results::new(self.spread.probabilities(0.5 + gap), EXACT);
        let powers = (0..EXACT).map(|_| {
            results.add_pair();
            results.power()
        });
        powers.collect()
    }

    /// Returns the gap that the power of `z` requires, in standard errors of one pair.
    fn reach(&self, gap: f64, z: f64) -> f64 {
        normal_quantile(0.975) * self.spread.variance(0.5).sqrt()
            + z * self.spread.variance(0.5 + gap).sqrt()
    }
}

fn quantile(power: f64) -> Result<f64, PowerError> {
    if !(0.5..1.0).contains(&power) {
        return Err(PowerError::Power { power });
    }
    Ok(normal_quantile(power))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use treegauge_search::Seed;

    use super::super::testing::{draw_from, pairs_of};
    use super::*;

    fn assumed(draw_rate: f64, correlation: f64) -> Power {
        Power::new(PairSpread::Assumed { draw_rate, correlation }).unwrap()
    }

    #[test]
    fn textbook_numbers_come_out() {
        let independent = assumed(0.0, 0.0);
        // (1.95996 * 0.5 + 0.84162 * 0.49840)^2 / 0.04^2 = 1224.03 games, by hand.
        assert_eq!(independent.pairs(0.04, 0.8), Ok(613));
        // Half of all matches show a difference of 1.96 standard errors: 600.2 games.
        assert_eq!(independent.pairs(0.04, 0.5), Ok(301));
        // With half of the games drawn, the variance of equal players is halved.
        let drawn = independent.pairs(0.01, 0.5).unwrap() as f64;
        assert!((assumed(0.5, 0.0).pairs(0.01, 0.5).unwrap() as f64 / drawn - 0.5).abs() < 1e-3);
        // A correlation of -1/2 halves the variance too.
        assert!((assumed(0.0, -0.5).pairs(0.01, 0.5).unwrap() as f64 / drawn - 0.5).abs() < 1e-3);
    }

    #[test]
    fn matches_of_the_size_planned_show_the_gap_as_often_as_planned() {
        // Independent games, a fifth of them drawn, 60% expected: 0.5 won, 0.2 drawn, 0.3 lost.
        let odds = [9, 12, 34, 20, 25];
        let pairs = assumed(0.2, 0.0).pairs(0.1, 0.8).unwrap();
        let seen = (0..1_000)
            .filter(|&run| {
                let mut rng = Seed(5).child(run).generator();
                let mut counts = [0; 5];
                for _ in 0..pairs {
                    counts[draw_from(odds, &mut rng)] += 1;
                }
                Pentanomial(counts).score().low.unwrap() > 0.5
            })
            .count();
        // Three standard errors are 3.8 points; the interval itself is slightly too wide.
        assert!((750..840).contains(&seen), "{seen} at {pairs}");
    }

    #[test]
    fn a_match_shows_how_long_the_next_must_be() {
        // Spread of independent games without draws: half of the greatest.
        let spread = PairSpread::measured(Pentanomial([250, 0, 500, 0, 250])).unwrap();
        let power = Power::new(spread).unwrap();
        assert!(power.pairs(0.04, 0.8).unwrap().abs_diff(613) <= 1);
        assert_eq!(PairSpread::measured(Pentanomial::default()), None);
        // A sample of nothing but draws still has a spread above 0.
        let equal = PairSpread::measured(Pentanomial([0, 0, 50, 0, 0])).unwrap();
        assert!(Power::new(equal).unwrap().pairs(0.01, 0.8).unwrap() > 100);
    }

    #[test]
    fn what_is_out_of_range_is_refused() {
        let spread =
            |draw_rate, correlation| Power::new(PairSpread::Assumed { draw_rate, correlation });
        assert_eq!(spread(1.0, 0.0), Err(PowerError::DrawRate { draw_rate: 1.0 }));
        assert_eq!(spread(0.0, -1.0), Err(PowerError::Correlation { correlation: -1.0 }));
        assert!(spread(f64::NAN, 0.0).is_err() && spread(0.0, f64::NAN).is_err());
        assert!(Power::new(PairSpread::Measured { design_effect: 0.0 }).is_err());
        let drawish = assumed(0.8, 0.0);
        let gap_max = drawish.gap_max();
        assert!((gap_max - 0.1).abs() < 1e-12);
        let refused = drawish.pairs(0.2, 0.8).unwrap_err();
        assert_eq!(refused, PowerError::Gap { gap: 0.2, gap_max });
        assert_eq!(refused.to_string(), "the gap is 0.2; it must be above 0 and below 0.1");
        assert!(drawish.pairs(0.0, 0.8).is_err() && drawish.pairs(f64::NAN, 0.8).is_err());
        assert_eq!(drawish.pairs(0.05, 1.0), Err(PowerError::Power { power: 1.0 }));
        assert_eq!(assumed(0.0, 0.0).smallest_gap(1, 0.9), Ok(None));
        assert_eq!(assumed(0.0, 0.0).smallest_gap(0, 0.9), Ok(None));
    }

    /// Returns the share of `runs` matches that the test calls won. Each has `pairs` pairs with
    /// these probabilities, rounded to multiples of 1 / `1 << 20`.
    fn seen(probabilities: [f64; 5], pairs: u64, runs: u64) -> f64 {
        let odds = probabilities.map(|p| (p * f64::from(1 << 20)).round() as u32);
        let seen = |&run: &u64| {
            let mut rng = Seed(11).child(run).generator();
            let mut counts = [0; 5];
            (0..pairs).for_each(|_| counts[draw_from(odds, &mut rng)] += 1);
            let match_ = pairs_of(counts).comparison();
            match_.p_value < Some(0.05) && match_.score.mean > Some(0.5)
        };
        (0..runs).filter(seen).count() as f64 / runs as f64
    }

    #[test]
    fn few_pairs_show_large_gaps_as_often_as_the_test_does() {
        for (draw_rate, correlation, gap, pairs) in [
            (0.0, 0.0, 0.4, 5),
            (0.0, 0.0, 0.3, 10),
            (0.0, 0.0, 0.2, 25),
            (0.3, 0.0, 0.2, 12),
            (0.3, -0.4, 0.1, 30),
            (0.0, 0.5, 0.3, 15),
        ] {
            let plan = assumed(draw_rate, correlation);
            let power = plan.power(pairs, gap);
            let found = seen(plan.spread.probabilities(0.5 + gap), pairs, 4_000);
            // Three standard errors.
            assert!((power - found).abs() < 0.024, "{gap} {pairs}: {power} {found}");
        }
    }

    #[test]
    fn the_exact_power_is_the_sum_over_all_results() {
        // Five pairs of independent games, by hand; the better player wins nine games in ten. 10
        // wins show it (t = sqrt(10) = 3.16, beyond 2.571), and so do 9 (t = 0.8 sqrt(effective) =
        // 2.645). 8 wins do not, neither with two split pairs (t = 2.125) nor with a lost pair.
        let won = 0.9f64.powi(10);
        let nine = 10.0 * 0.1 * 0.9f64.powi(9);
        assert!((assumed(0.0, 0.0).power(5, 0.4) - won - nine).abs() < 1e-12);
        // Three pairs never show a difference, whatever their results.
        assert!(assumed(0.0, 0.0).pairs(0.49, 0.5).unwrap() > 3);
    }

    #[test]
    fn pairs_have_the_moments_that_they_are_given() {
        for score in [0.5, 0.52, 0.6, 0.75] {
            for (draw_rate, correlation) in [(0.0, 0.0), (0.3, 0.6), (0.4, -0.2), (0.0, 1.0)] {
                let pair = PairSpread::Assumed { draw_rate, correlation }.probabilities(score);
                let game = score * (1.0 - score) - draw_rate / 4.0;
                check(pair, score, game * (1.0 + correlation) / 2.0);
            }
            for design_effect in [1.0, 0.7, 0.5, 0.4] {
                let pair = PairSpread::Measured { design_effect }.probabilities(score);
                check(pair, score, score * (1.0 - score) * design_effect);
            }
        }
        // Split pairs alone cannot vary this little: 0.7 is between 1/2 and 3/4.
        check(PairSpread::Measured { design_effect: 0.15 }.probabilities(0.7), 0.7, 0.0315);
        // Games are never this opposite if one side mostly wins: at best no pair is lost.
        let opposite = PairSpread::Assumed { draw_rate: 0.0, correlation: -0.9 }.probabilities(0.8);
        check(opposite, 0.8, 0.4 / 4.0 + 0.6 - 0.64);
    }

    fn check(pair: [f64; 5], mean: f64, spread: f64) {
        let points: f64 = (0..5).map(|half| pair[half] * half as f64 / 4.0).sum();
        assert!(pair.iter().all(|&p| p > -1e-12), "{pair:?}");
        assert!((pair.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{pair:?}");
        assert!(
            (points - mean).abs() < 1e-12 && (variance(pair) - spread).abs() < 1e-12,
            "{pair:?}"
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn the_functions_are_inverse(
            draw_rate in 0.0..0.8f64, correlation in -0.9..1.0f64,
            share in 0.01..0.9f64, power in 0.5..0.99f64,
        ) {
            let plan = assumed(draw_rate, correlation);
            let gap = share * plan.gap_max();
            let pairs = plan.pairs(gap, power).unwrap();
            prop_assert!(plan.power(pairs, gap) >= power - 1e-9);
            prop_assert!(pairs == 1 || plan.power(pairs - 1, gap) < power + 1e-9);
            let smallest = plan.smallest_gap(pairs, power).unwrap().unwrap();
            prop_assert!(smallest <= gap + 1e-9);
            prop_assert!(plan.pairs(smallest.max(1e-9), power).unwrap() >= pairs - u64::from(pairs > 1));
        }

        #[test]
        fn more_is_needed_for_less(gap in 0.001..0.4f64, power in 0.5..0.9f64) {
            let plan = assumed(0.1, 0.2);
            let pairs = plan.pairs(gap, power).unwrap();
            prop_assert!(plan.pairs(gap / 1.5, power).unwrap() >= pairs);
            prop_assert!(plan.pairs(gap, power + 0.09).unwrap() >= pairs);
            prop_assert!(assumed(0.1, 0.6).pairs(gap, power).unwrap() >= pairs);
        }
    }
}
