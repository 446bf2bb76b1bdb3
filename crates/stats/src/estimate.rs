//! Estimates with intervals.
//!
//! All intervals are at 95%. Those of proportions and means never have zero width, because a sample
//! in which all games went the same way does not show that every game does. The interval of a
//! median lies between two values of the sample and may have zero width if values are whole
//! numbers.

use serde::{Deserialize, Serialize};
use statrs::distribution::{
    Binomial, ContinuousCDF, Discrete, DiscreteCDF, Hypergeometric, Normal, StudentsT,
};

/// Two-sided 95% point of the normal distribution.
pub const Z: f64 = 1.959_963_984_540_054;

/// Mean or proportion with its 95% interval and the number of observations.
///
/// The ends are `None` if the sample is too small for an interval, and the mean is `None` without
/// observations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// Mean of the sample.
    pub mean: Option<f64>,
    /// Lower end of the interval.
    pub low: Option<f64>,
    /// Upper end of the interval.
    pub high: Option<f64>,
    /// Number of observations.
    pub n: u64,
}

/// Running mean, variance and range of numbers, which are not stored.
///
/// Updates the mean and the sum of squared deviations, and merges those of two parts, by the
/// formulas of Chan, Golub and LeVeque 1979.
///
/// ```
/// use treegauge_stats::Moments;
///
/// let mut moments = Moments::default();
/// [1.0, 2.0, 6.0].into_iter().for_each(|x| moments.add(x));
/// assert_eq!((moments.n, moments.mean, moments.max), (3, 3.0, 6.0));
/// assert!((moments.variance() - 14.0 / 3.0).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    /// Number of values.
    pub n: u64,
    /// Mean of the values.
    pub mean: f64,
    /// Sum of the squared deviations from the mean.
    pub squares: f64,
    /// Least value.
    pub min: f64,
    /// Greatest value.
    pub max: f64,
}

impl Moments {
    /// Adds one value.
    pub fn add(&mut self, x: f64) {
        self.merge(&Moments { n: 1, mean: x, squares: 0.0, min: x, max: x });
    }

    /// Adds the values of `other`.
    pub fn merge(&mut self, other: &Moments) {
        if other.n == 0 {
            return;
        }
        if self.n == 0 {
            *self = *other;
            return;
        }
        let (a, b) = (self.n as f64, other.n as f64);
        let apart = other.mean - self.mean;
        *self = Moments {
            n: self.n + other.n,
            mean: self.mean + apart * b / (a + b),
            squares: self.squares + other.squares + apart * apart * a * b / (a + b),
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        };
    }

    /// Population variance; 0 without values.
    #[must_use]
    pub fn variance(&self) -> f64 {
        if self.n == 0 { 0.0 } else { self.squares / self.n as f64 }
    }
}

/// Position of an interval relative to a threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThresholdSide {
    /// The whole interval is above.
    Above,
    /// No part of the interval is above.
    NotAbove,
    /// The interval straddles the threshold or is missing.
    Unknown,
}

impl Estimate {
    /// Estimate without observations.
    pub const UNRATED: Estimate = Estimate { mean: None, low: None, high: None, n: 0 };

    /// Compares the interval with `threshold`.
    #[must_use]
    pub fn above(&self, threshold: f64) -> ThresholdSide {
        match (self.low, self.high) {
            (Some(low), _) if low > threshold => ThresholdSide::Above,
            (_, Some(high)) if high <= threshold => ThresholdSide::NotAbove,
            _ => ThresholdSide::Unknown,
        }
    }

    /// Returns the number of observations with which the interval would exclude `value`, if the
    /// mean stayed as it is: an interval narrows with the root of their number. `None` without an
    /// interval, or if the mean is that value.
    ///
    /// ```
    /// use treegauge_stats::Estimate;
    /// let length = Estimate { mean: Some(10.0), low: Some(6.0), high: Some(14.0), n: 40 };
    /// assert_eq!(length.n_to_exclude(8.0), Some(160.0));
    /// ```
    #[must_use]
    pub fn n_to_exclude(&self, value: f64) -> Option<f64> {
        let mean = self.mean?;
        let end = if value > mean { self.high? } else { self.low? };
        let n = self.n as f64 * ((end - mean) / (value - mean)).powi(2);
        n.is_finite().then_some(n)
    }

    /// Returns the estimate of one minus the quantity.
    #[must_use]
    pub fn complement(self) -> Estimate {
        let flip = |x: Option<f64>| x.map(|x| 1.0 - x);
        Estimate { mean: flip(self.mean), low: flip(self.high), high: flip(self.low), n: self.n }
    }
}

/// Returns a proportion with Wilson's score interval (Wilson 1927).
///
/// `successes` is between 0 and `n` and may be fractional, as the points of games in which a draw
/// counts half. The variance of points is at most that of whole successes with the same mean, so
/// the interval is then too wide rather than too narrow.
///
/// ```
/// use treegauge_stats::wilson;
/// let none_of_ten = wilson(0.0, 10);
/// assert_eq!(none_of_ten.low, Some(0.0));
/// assert!((none_of_ten.high.unwrap() - 0.2775).abs() < 1e-4);
/// ```
#[must_use]
pub fn wilson(successes: f64, n: u64) -> Estimate {
    if n == 0 {
        return Estimate::UNRATED;
    }
    let p = successes / n as f64;
    let (low, high) = score_interval(p, n as f64, Z);
    Estimate { mean: Some(p), low: Some(low), high: Some(high), n }
}

/// Returns the number of observations with which Wilson's interval of a share (Wilson 1927) would
/// exclude `value`, if the share stayed `share`. `None` if they are equal.
///
/// ```
/// use treegauge_stats::{wilson, wilson_n_to_exclude};
/// let n = wilson_n_to_exclude(0.0, 0.1).unwrap().ceil() as u64;
/// assert!(wilson(0.0, n).high < Some(0.1) && wilson(0.0, n - 1).high > Some(0.1));
/// ```
#[must_use]
pub fn wilson_n_to_exclude(share: f64, value: f64) -> Option<f64> {
    let n = Z * Z * value * (1.0 - value) / (share - value).powi(2);
    n.is_finite().then_some(n)
}

/// Returns the number of observations with which a two-sided test at 5% tells a true share `other`
/// from `share`, with the probability `power` (Fleiss 1981, section 1.5). `None` if they are equal.
///
/// ```
/// let n = treegauge_stats::n_to_tell(0.5, 0.7, 0.8).unwrap();
/// assert_eq!(n.ceil(), 47.0);
/// ```
#[must_use]
pub fn n_to_tell(share: f64, other: f64, power: f64) -> Option<f64> {
    let deviation = |p: f64| (p * (1.0 - p)).sqrt();
    let reach = Z * deviation(share) + normal_quantile(power) * deviation(other);
    let n = (reach / (other - share)).powi(2);
    n.is_finite().then_some(n)
}

/// Returns the number of observations with which a two-sided test at 5% shows a true correlation,
/// with the probability `power`, by Fisher's transformation (Fisher 1921). `None` for 0.
///
/// ```
/// let n = treegauge_stats::n_to_correlate(0.5, 0.8).unwrap();
/// assert_eq!(n.ceil(), 30.0);
/// ```
#[must_use]
pub fn n_to_correlate(correlation: f64, power: f64) -> Option<f64> {
    let n = ((Z + normal_quantile(power)) / correlation.atanh()).powi(2) + 3.0;
    n.is_finite().then_some(n)
}

/// Returns the share of points in independent games (lost, drawn, won) with its score interval; a
/// draw counts half.
///
/// A share is in the interval if the observed share is at most 1.96 standard errors away. The
/// standard error is that of the likeliest probabilities of the three results among those with that
/// share (Rao 1948). Without draws this is [`wilson`]. Draws vary less than wins and losses, so
/// they narrow the interval, but its width is never zero.
///
/// ```
/// use treegauge_stats::{share_of_points, wilson};
/// assert_eq!(share_of_points([4, 0, 6]).mean, wilson(6.0, 10).mean);
/// let width = |e: treegauge_stats::Estimate| e.high.unwrap() - e.low.unwrap();
/// assert!(width(share_of_points([10, 80, 10])) < 0.6 * width(wilson(50.0, 100)));
/// ```
#[must_use]
pub fn share_of_points([losses, draws, wins]: [u64; 3]) -> Estimate {
    let n = losses + draws + wins;
    if n == 0 {
        return Estimate::UNRATED;
    }
    let count = n as f64;
    let [lost, drawn, won] = [losses, draws, wins].map(|results| results as f64 / count);
    let mean = won + drawn / 2.0;
    // Variance of a game with the expected share `s`.
    let variance = |s: f64| {
        // The likeliest share d of draws satisfies drawn / d = won / (2 s - d) + lost / (2 - 2 s -
        // d): it is the smaller root of d^2 - b d + c.
        let b = 2.0 * s * (lost + drawn) + 2.0 * (1.0 - s) * (won + drawn);
        let c = 4.0 * s * (1.0 - s) * drawn;
        let d = (b - (b * b - 4.0 * c).max(0.0).sqrt()) / 2.0;
        (s * (1.0 - s) - d.clamp(0.0, 2.0 * s.min(1.0 - s)) / 4.0).max(0.0)
    };
    let within = |s: f64| (mean - s).powi(2) <= Z * Z * variance(s) / count;
    // Bisects between the mean, which is in the interval, and the extreme share.
    let end = |last: f64| {
        let (mut inside, mut outside) = (mean, last);
        loop {
            let middle = f64::midpoint(inside, outside);
            if middle == inside || middle == outside {
                return middle;
            }
            if within(middle) { inside = middle } else { outside = middle }
        }
    };
    let low = if mean > 0.0 { end(0.0) } else { 0.0 };
    let high = if mean < 1.0 { end(1.0) } else { 1.0 };
    Estimate { mean: Some(mean), low: Some(low), high: Some(high), n }
}

/// Returns Wilson's interval for any real number of observations above 0 and any level: all values
/// s such that the observed proportion `p` is at most `quantile` standard errors
/// `sqrt(s (1 - s) / n)` away.
pub fn score_interval(p: f64, n: f64, quantile: f64) -> (f64, f64) {
    let z2 = quantile * quantile;
    let middle = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = quantile / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    // At the ends the formula gives 0 and 1 exactly except for rounding.
    let low = if p <= 0.0 { 0.0 } else { (middle - half).max(0.0) };
    let high = if p >= 1.0 { 1.0 } else { (middle + half).min(1.0) };
    (low, high)
}

/// Returns the probability that a standard normal variable is above `point`.
pub fn normal_probability_beyond(point: f64) -> f64 {
    Normal::standard().sf(point)
}

/// Returns the point below which the standard normal distribution has `probability`, between 0 and
/// 1 exclusive.
pub fn normal_quantile(probability: f64) -> f64 {
    Normal::standard().inverse_cdf(probability)
}

/// Returns the probability that a standard normal variable is below `z`.
pub fn normal_cdf(z: f64) -> f64 {
    Normal::standard().cdf(z)
}

/// Degrees of freedom from which the normal distribution replaces Student's t. The quantiles then
/// differ by 0.02%. Well above this number the continued fraction of `statrs` ends too early.
const NORMAL_FROM: f64 = 10_000.0;

fn student(freedom: f64) -> Option<StudentsT> {
    let t = || StudentsT::new(0.0, 1.0, freedom).expect("there are degrees of freedom");
    (freedom < NORMAL_FROM).then(t)
}

/// Returns the two-sided 95% point of Student's t with `freedom` degrees of freedom, more than 0.
pub fn student_z(freedom: f64) -> f64 {
    student(freedom).map_or(Z, |t| t.inverse_cdf(0.975))
}

/// Returns the probability that a variable of Student's t with `freedom` degrees of freedom, more
/// than 0, is below `t`.
pub fn student_cdf(t: f64, freedom: f64) -> f64 {
    student(freedom).map_or_else(|| normal_cdf(t), |student| student.cdf(t))
}

/// Returns the distances of the ends of a 95% interval below and above a mean, from the deviations
/// of two or more observations and the standard error. The standard error is at least `floor`; at
/// the floor the skewness is unknown and the interval symmetric.
///
/// The ends are the points of Student's t after Hall's transformation for skewed samples (Hall
/// 1992, "On the removal of skewness by transformation", section 3): with a long tail of large
/// values the sample mean is too small more often than too large. Without skewness the interval is
/// that of Student's t.
fn skewed_reach(deviations: impl Iterator<Item = f64>, error: f64, floor: f64) -> (f64, f64) {
    let (mut n, mut squares, mut cubes) = (0.0, 0.0, 0.0);
    for deviation in deviations {
        n += 1.0;
        squares += deviation * deviation;
        cubes += deviation * deviation * deviation;
    }
    let point = student_z(n - 1.0);
    let skewness = cubes / n / (squares / (n - 1.0)).powf(1.5);
    if error <= floor || skewness.abs() < 1e-6 {
        return (point * error.max(floor), point * error.max(floor));
    }
    let root = f64::sqrt(n);
    let moved = |x: f64| {
        let inner = 1.0 + skewness * (x / root - skewness / (6.0 * n));
        3.0 * root / skewness * (inner.cbrt() - 1.0)
    };
    (moved(point) * error, -moved(-point) * error)
}

/// Returns a mean with an interval by Student's t, corrected for skewness.
///
/// The standard error is at least `unit / n`: roughly that of a sample in which one value differs
/// from all others by one `unit`. Without this floor a sample of equal values would have an
/// interval of zero width. The interval is cut to `range`, the possible values of the quantity.
/// With a single value the interval is the range if that is finite; otherwise there is none.
#[must_use]
pub fn mean_interval(values: &[f64], unit: f64, range: (f64, f64)) -> Estimate {
    let n = values.len();
    if n == 0 {
        return Estimate::UNRATED;
    }
    let count = n as f64;
    let mean = values.iter().sum::<f64>() / count;
    if n == 1 {
        let ends = (range.0.is_finite() && range.1.is_finite()).then_some(range);
        return Estimate {
            mean: Some(mean),
            low: ends.map(|ends| ends.0),
            high: ends.map(|ends| ends.1),
            n: 1,
        };
    }
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let error = (squares / (count - 1.0) / count).sqrt();
    let (below, above) = skewed_reach(values.iter().map(|value| value - mean), error, unit / count);
    Estimate {
        mean: Some(mean),
        low: Some((mean - below).max(range.0)),
        high: Some((mean + above).min(range.1)),
        n: n as u64,
    }
}

/// Returns a mean over the members of clusters, such as the plies of games, with an interval for
/// which the clusters are the independent observations: the ratio estimator for clusters of unequal
/// size (Cochran 1977, section 6.3), by Student's t corrected for skewness.
///
/// Each cluster is the number of its members, more than 0, and the sum of their values. The
/// standard error is at least `floor`, and the interval is cut to `range`. With a single cluster
/// the interval is the range if that is finite; otherwise there is none. `n` is the number of
/// clusters.
///
/// ```
/// use treegauge_stats::ratio_interval;
/// let mean = ratio_interval(&[(10.0, 20.0), (30.0, 90.0)], 0.0, (0.0, f64::INFINITY));
/// assert_eq!((mean.mean, mean.n), (Some(110.0 / 40.0), 2));
/// ```
#[must_use]
pub fn ratio_interval(clusters: &[(f64, f64)], floor: f64, range: (f64, f64)) -> Estimate {
    let n = clusters.len();
    if n == 0 {
        return Estimate::UNRATED;
    }
    let members: f64 = clusters.iter().map(|(members, _)| members).sum();
    let mean = clusters.iter().map(|(_, sum)| sum).sum::<f64>() / members;
    if n == 1 {
        let ends = (range.0.is_finite() && range.1.is_finite()).then_some(range);
        let (low, high) = (ends.map(|ends| ends.0), ends.map(|ends| ends.1));
        return Estimate { mean: Some(mean), low, high, n: 1 };
    }
    let count = n as f64;
    let squares: f64 = clusters.iter().map(|(members, sum)| (sum - members * mean).powi(2)).sum();
    let error = (count / (count - 1.0) * squares).sqrt() / members;
    let deviations = clusters.iter().map(|(members, sum)| sum - members * mean);
    let (below, above) = skewed_reach(deviations, error, floor);
    Estimate {
        mean: Some(mean),
        low: Some((mean - below).max(range.0)),
        high: Some((mean + above).min(range.1)),
        n: n as u64,
    }
}

/// Returns the median of a sample with an interval between two order statistics, which covers the
/// true median with at least 95% for every distribution (David and Nagaraja 2003, section 7.1).
///
/// The field `mean` holds the median. Samples of fewer than six values have no such interval.
#[must_use]
pub fn median_interval(values: &[f64]) -> Estimate {
    let n = values.len();
    if n == 0 {
        return Estimate::UNRATED;
    }
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let median = f64::midpoint(sorted[(n - 1) / 2], sorted[n / 2]);
    // The largest r with P(fewer than r of n values lie below the median) <= 2.5%.
    let binomial = Binomial::new(0.5, n as u64).expect("a half is a probability");
    let ranks = (1..=n / 2).take_while(|&r| binomial.cdf(r as u64 - 1) <= 0.025).count();
    let ends = (ranks > 0).then(|| (sorted[ranks - 1], sorted[n - ranks]));
    Estimate {
        mean: Some(median),
        low: ends.map(|(low, _)| low),
        high: ends.map(|(_, high)| high),
        n: n as u64,
    }
}

/// Comparison of two proportions from independent samples.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TwoProportions {
    /// First proportion minus the second, -1 to 1, with an interval composed of Wilson's for each
    /// (Newcombe 1998, "Interval estimation for the difference", method 10).
    pub difference: Estimate,
    /// Difference in standard errors of the pooled proportion; 0 if these are 0.
    pub z: Option<f64>,
    /// Two-sided probability of a `z` at least this large if the proportions are equal.
    pub p_value: Option<f64>,
    /// Two-sided p-value of Fisher's exact test: the total probability of all tables with these
    /// margins that are at most as probable as this one.
    pub fisher_p_value: Option<f64>,
}

/// Compares two proportions, each a number of successes and a number of observations. If a sample
/// is empty, all fields are `None`.
///
/// # Panics
///
/// If there are more successes than observations.
///
/// ```
/// use treegauge_stats::two_proportions;
/// // Winning 53 of 70 games rather than 46 of 70 shows next to nothing.
/// let p = two_proportions((53, 70), (46, 70)).p_value.unwrap();
/// assert!((p - 0.19).abs() < 0.005);
/// ```
#[must_use]
pub fn two_proportions(one: (u64, u64), other: (u64, u64)) -> TwoProportions {
    assert!(one.0 <= one.1 && other.0 <= other.1, "more successes than observations");
    let a = wilson(one.0 as f64, one.1);
    let b = wilson(other.0 as f64, other.1);
    let n = one.1 + other.1;
    let ends = |e: Estimate| Some((e.mean?, e.low?, e.high?));
    let (Some((a, a_low, a_high)), Some((b, b_low, b_high))) = (ends(a), ends(b)) else {
        let difference = Estimate { n, ..Estimate::UNRATED };
        return TwoProportions { difference, z: None, p_value: None, fisher_p_value: None };
    };
    let low = a - b - (a - a_low).hypot(b_high - b);
    let high = a - b + (a_high - a).hypot(b - b_low);
    let successes = one.0 + other.0;
    let pooled = successes as f64 / n as f64;
    let variance = pooled * (1.0 - pooled) * (1.0 / one.1 as f64 + 1.0 / other.1 as f64);
    let z = if variance > 0.0 { (a - b) / variance.sqrt() } else { 0.0 };
    let tables = Hypergeometric::new(n, successes, one.1).expect("no margin is above the total");
    let here = tables.pmf(one.0);
    // The tolerance keeps tables that are equally probable except for rounding.
    let fisher: f64 = (successes.saturating_sub(other.1)..=successes.min(one.1))
        .map(|x| tables.pmf(x))
        .filter(|&p| p <= here * (1.0 + 1e-7))
        .sum();
    TwoProportions {
        difference: Estimate { mean: Some(a - b), low: Some(low), high: Some(high), n },
        z: Some(z),
        p_value: Some(2.0 * normal_cdf(-z.abs())),
        fisher_p_value: Some(fisher.min(1.0)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use treegauge_core::uniform_below;
    use treegauge_search::Seed;

    use super::*;

    fn close(found: Option<f64>, expected: f64) {
        let found = found.expect("there is a number");
        assert!((found - expected).abs() < 5e-4, "{found} is not {expected}");
    }

    /// Counts how often the interval of a mean over plies misses the true mean, in `runs` samples
    /// of `n` games of 5 to 24 plies. The mean of a game is `of_game` of a uniform number; the mean
    /// over all games is `truth`.
    fn misses_of_ratio(of_game: fn(f64) -> f64, truth: f64, n: u32, runs: u64) -> f64 {
        let mut missed = 0.0;
        for run in 0..runs {
            let mut rng = Seed(4).child(run).generator();
            let mut uniform = || (f64::from(uniform_below(&mut rng, 1 << 20)) + 0.5) / 1_048_576.0;
            let clusters: Vec<(f64, f64)> = (0..n)
                .map(|_| {
                    let members = (5.0 + 20.0 * uniform()).floor();
                    (members, members * of_game(uniform()))
                })
                .collect();
            let range = (f64::NEG_INFINITY, f64::INFINITY);
            let mean = ratio_interval(&clusters, 0.0, range);
            let outside = mean.low.unwrap() > truth || mean.high.unwrap() < truth;
            missed += f64::from(u8::from(outside)) / runs as f64;
        }
        missed
    }

    /// Student's t without correction misses the mean of an exponential distribution in 8% of
    /// samples of 20.
    #[test]
    fn means_of_skewed_games_are_held_as_often_as_they_say() {
        let uniform = misses_of_ratio(|u| u, 0.5, 20, 2_000);
        assert!((0.035..0.07).contains(&uniform), "{uniform}");
        let exponential = misses_of_ratio(|u| -u.ln(), 1.0, 20, 2_000);
        assert!((0.035..0.075).contains(&exponential), "{exponential}");
        // Ten to the power of a uniform number.
        let tenfold = misses_of_ratio(|u| 10f64.powf(u), 9.0 / 10f64.ln(), 20, 2_000);
        assert!((0.035..0.07).contains(&tenfold), "{tenfold}");
    }

    /// Counts how often the interval of a share of points misses the truth in `runs` samples of `n`
    /// games, lost, drawn and won with `odds` out of 20; also returns its mean width.
    fn misses(odds: [u32; 3], n: u32, runs: u64) -> (f64, f64) {
        let truth = f64::from(2 * odds[2] + odds[1]) / 40.0;
        let (mut missed, mut width) = (0.0, 0.0);
        for run in 0..runs {
            let mut rng = Seed(9).child(run).generator();
            let mut results = [0; 3];
            for _ in 0..n {
                let chosen = uniform_below(&mut rng, 20);
                results
                    [usize::from(chosen >= odds[0]) + usize::from(chosen >= odds[0] + odds[1])] +=
                    1;
            }
            let share = share_of_points(results);
            let (low, high) = (share.low.unwrap(), share.high.unwrap());
            missed += f64::from(u8::from(truth < low || high < truth)) / runs as f64;
            width += (high - low) / runs as f64;
        }
        (missed, width)
    }

    /// Wilson's interval treats every game as a win or a loss, and has a width of 0.30 at 40 games.
    #[test]
    fn draws_narrow_the_interval_of_a_share_of_points() {
        for (odds, n, widest) in [
            ([9, 2, 9], 40, 0.30),
            ([4, 12, 4], 40, 0.20),
            ([1, 18, 1], 40, 0.13),
            ([0, 18, 2], 40, 0.13),
            ([1, 19, 0], 100, 0.06),
            ([0, 10, 10], 40, 0.16),
            ([1, 2, 17], 40, 0.22),
            ([5, 5, 10], 12, 0.48),
        ] {
            let (missed, width) = misses(odds, n, 4_000);
            // Three standard errors of 5% over 4,000 runs are 1 point.
            assert!((0.015..0.065).contains(&missed), "{odds:?} {n}: {missed}");
            assert!(width < widest, "{odds:?} {n}: {width}");
        }
    }

    proptest! {
        #[test]
        fn the_interval_of_a_share_of_points_is_that_of_the_likeliest_probabilities(
            results in prop::array::uniform3(0u64..40),
        ) {
            prop_assume!(results.iter().sum::<u64>() > 0);
            let share = share_of_points(results);
            let n = share.n as f64;
            let [lost, drawn, won] = results.map(|results| results as f64);
            let mean = share.mean.unwrap();
            // Likeliest share of draws, by trying many.
            let distance = |s: f64| {
                let most = 2.0 * s.min(1.0 - s);
                let log = |count: f64, p: f64| if count == 0.0 { 0.0 } else { count * p.ln() };
                let tried = (0..=20_000).map(|step| most * f64::from(step) / 20_000.0);
                let (_, d) = tried
                    .map(|d| (log(drawn, d) + log(won, s - d / 2.0) + log(lost, 1.0 - s - d / 2.0), d))
                    .max_by(|a, b| a.0.total_cmp(&b.0))
                    .unwrap();
                (mean - s).abs() / ((s * (1.0 - s) - d / 4.0) / n).sqrt()
            };
            for (end, last) in [(share.low.unwrap(), 0.0), (share.high.unwrap(), 1.0)] {
                prop_assert!((mean - end).abs() > 1e-3 || mean == last, "{share:?}");
                if end != last {
                    prop_assert!((distance(end) - Z).abs() < 0.02, "{share:?} {}", distance(end));
                }
            }
            let swapped = share_of_points([results[2], results[1], results[0]]).complement();
            prop_assert!((swapped.low.unwrap() - share.low.unwrap()).abs() < 1e-9);
            if drawn == 0.0 {
                let wilson = wilson(won, share.n);
                prop_assert!((wilson.low.unwrap() - share.low.unwrap()).abs() < 1e-9);
                prop_assert!((wilson.high.unwrap() - share.high.unwrap()).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn wilson_gives_the_values_of_published_tables() {
        // Newcombe 1998, table I: 81/263, 15/148, 0/20, 1/29.
        for (x, n, low, high) in [
            (81.0, 263, 0.2553, 0.3662),
            (15.0, 148, 0.0624, 0.1605),
            (0.0, 20, 0.0, 0.1611),
            (1.0, 29, 0.0061, 0.1718),
        ] {
            let estimate = wilson(x, n);
            close(estimate.low, low);
            close(estimate.high, high);
        }
    }

    #[test]
    fn a_mean_has_the_interval_of_students_t() {
        // By hand: mean 3, s = sqrt(2.5), t(4) = 2.7764, half = 1.9634.
        let estimate = mean_interval(&[1.0, 2.0, 3.0, 4.0, 5.0], 1.0, (0.0, f64::INFINITY));
        close(estimate.low, 1.0366);
        close(estimate.high, 4.9634);
    }

    #[test]
    fn a_median_has_the_interval_of_order_statistics() {
        let values: Vec<f64> = (1..=40).map(f64::from).collect();
        let estimate = median_interval(&values);
        // Tables give the 14th and the 27th value for n = 40.
        assert_eq!(
            (estimate.mean, estimate.low, estimate.high),
            (Some(20.5), Some(14.0), Some(27.0))
        );
        let six = median_interval(&values[..6]);
        assert_eq!((six.low, six.high), (Some(1.0), Some(6.0)));
        assert_eq!(median_interval(&values[..5]).low, None);
    }

    #[test]
    fn two_proportions_give_the_values_of_published_tables() {
        // Newcombe 1998, "Interval estimation for the difference", table II, method 10.
        for (one, other, low, high) in [
            ((56, 70), (48, 80), 0.0524, 0.3339),
            ((9, 10), (3, 10), 0.1705, 0.8090),
            ((10, 10), (0, 10), 0.6075, 1.0),
        ] {
            let difference = two_proportions(one, other).difference;
            close(difference.low, low);
            close(difference.high, high);
        }
        // Fisher's lady tasting tea (1935): 34 of the 70 tables.
        close(two_proportions((3, 4), (1, 4)).fisher_p_value, 34.0 / 70.0);
    }

    #[test]
    fn two_proportions_without_a_difference_or_an_observation_are_numbers_or_nothing() {
        let nothing = two_proportions((0, 0), (3, 4));
        assert_eq!((nothing.difference.mean, nothing.z, nothing.p_value), (None, None, None));
        let same = two_proportions((5, 5), (7, 7));
        assert_eq!((same.z, same.p_value), (Some(0.0), Some(1.0)));
        close(same.fisher_p_value, 1.0);
    }

    #[test]
    fn student_becomes_normal_without_a_step() {
        assert!((student_z(NORMAL_FROM - 1.0) / student_z(NORMAL_FROM) - 1.0).abs() < 2e-4);
        assert!((student_cdf(1.5, NORMAL_FROM - 1.0) - student_cdf(1.5, NORMAL_FROM)).abs() < 2e-4);
        // Student's t with one degree of freedom is Cauchy's distribution: a quarter lies above 1.
        assert!((student_cdf(1.0, 1.0) - 0.75).abs() < 1e-9);
    }

    #[test]
    fn nothing_observed_is_unrated() {
        assert_eq!(wilson(0.0, 0), Estimate::UNRATED);
        assert_eq!(mean_interval(&[], 1.0, (0.0, 1.0)), Estimate::UNRATED);
        assert_eq!(median_interval(&[]), Estimate::UNRATED);
        assert_eq!(Estimate::UNRATED.above(0.5), ThresholdSide::Unknown);
    }

    proptest! {
        #[test]
        fn a_proportion_lies_strictly_within_a_part_of_the_unit(n in 1u64..500, share in 0.0..=1.0) {
            let estimate = wilson(share * n as f64, n);
            let (low, mean, high) =
                (estimate.low.unwrap(), estimate.mean.unwrap(), estimate.high.unwrap());
            prop_assert!(0.0 <= low && low <= mean + 1e-12 && mean <= high + 1e-12 && high <= 1.0);
            prop_assert!(high > low);
        }

        #[test]
        fn exchanging_two_samples_negates_their_difference(
            (n, a) in (1u64..60).prop_flat_map(|n| (Just(n), 0..=n)),
            (m, b) in (1u64..60).prop_flat_map(|m| (Just(m), 0..=m)),
        ) {
            let one = two_proportions((a, n), (b, m));
            let other = two_proportions((b, m), (a, n));
            prop_assert!((one.z.unwrap() + other.z.unwrap()).abs() < 1e-12);
            prop_assert!((one.difference.low.unwrap() + other.difference.high.unwrap()).abs() < 1e-12);
            let (p, q) = (one.fisher_p_value.unwrap(), other.fisher_p_value.unwrap());
            prop_assert!((p - q).abs() < 1e-9 && 0.0 < p && p <= 1.0);
        }

        #[test]
        fn no_mean_is_certain(n in 2usize..300, value in 0.0..100.0f64) {
            let estimate = mean_interval(&vec![value; n], 1.0, (0.0, 100.0));
            prop_assert!(estimate.high.unwrap() > estimate.low.unwrap());
        }
    }
}
