//! Estimates with intervals.
//!
//! All intervals are at 95 %. Those of proportions and means never have zero width: that every
//! game of a sample went the same way does not show that every game does. The interval of a
//! median lies between two values of the sample and may, where values are whole numbers.

use serde::Serialize;
use statrs::distribution::{Binomial, ContinuousCDF, DiscreteCDF, StudentsT};

/// The two-sided 95 % point of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// A mean or a proportion with its 95 % interval and the number of observations behind it.
///
/// The ends are `None` where the sample is too small to give any; the mean too, where there is
/// no observation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean of the sample.
    pub mean: Option<f64>,
    /// The lower end of the interval.
    pub low: Option<f64>,
    /// The upper end of the interval.
    pub high: Option<f64>,
    /// Observations.
    pub n: u64,
}

/// How an interval lies to a threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// All of it is above.
    Above,
    /// None of it is above.
    NotAbove,
    /// It straddles the threshold, or there is no interval.
    Unknown,
}

impl Estimate {
    /// Nothing was observed.
    pub const UNRATED: Estimate = Estimate { mean: None, low: None, high: None, n: 0 };

    /// Whether the quantity is above `threshold`, as far as the interval can say.
    #[must_use]
    pub fn above(&self, threshold: f64) -> Side {
        match (self.low, self.high) {
            (Some(low), _) if low > threshold => Side::Above,
            (_, Some(high)) if high <= threshold => Side::NotAbove,
            _ => Side::Unknown,
        }
    }

    /// The estimate of one minus the quantity.
    #[must_use]
    pub fn complement(self) -> Estimate {
        let flip = |x: Option<f64>| x.map(|x| 1.0 - x);
        Estimate { mean: flip(self.mean), low: flip(self.high), high: flip(self.low), n: self.n }
    }
}

/// A proportion with Wilson's score interval (Wilson 1927).
///
/// `successes` is between 0 and `n` and may be fractional: points of games in which a draw
/// counts half. Their variance is at most that of whole successes with the same mean, so the
/// interval is then on the wide side.
///
/// ```
/// use treegauge_study::stats::wilson;
/// let none_of_ten = wilson(0.0, 10);
/// assert_eq!(none_of_ten.low, Some(0.0));
/// assert!((none_of_ten.high.unwrap() - 0.2775).abs() < 1e-4);
/// ```
#[must_use]
pub fn wilson(successes: f64, n: u64) -> Estimate {
    if n == 0 {
        return Estimate::UNRATED;
    }
    let count = n as f64;
    let p = successes / count;
    let z2 = Z * Z;
    let middle = (p + z2 / (2.0 * count)) / (1.0 + z2 / count);
    let half = Z / (1.0 + z2 / count) * (p * (1.0 - p) / count + z2 / (4.0 * count * count)).sqrt();
    // At the ends the formula gives exactly 0 and 1 but for rounding.
    let low = if successes <= 0.0 { 0.0 } else { (middle - half).max(0.0) };
    let high = if successes >= count { 1.0 } else { (middle + half).min(1.0) };
    Estimate { mean: Some(p), low: Some(low), high: Some(high), n }
}

/// A mean with Student's t interval.
///
/// The standard deviation is taken to be at least `unit / sqrt(n)`: what it would be if one more
/// game had differed from all others by one `unit`. Without that floor a sample of equal values
/// would claim to be certain. The interval is cut to `range`, which the quantity cannot leave.
/// One value gives no interval, unless the range is finite: then it is the range.
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
    let deviation = (squares / (count - 1.0)).sqrt().max(unit / count.sqrt());
    let student = StudentsT::new(0.0, 1.0, count - 1.0).expect("there are degrees of freedom");
    let half = student.inverse_cdf(0.975) * deviation / count.sqrt();
    Estimate {
        mean: Some(mean),
        low: Some((mean - half).max(range.0)),
        high: Some((mean + half).min(range.1)),
        n: n as u64,
    }
}

/// The median of a sample with the interval between two order statistics that covers it with at
/// least 95 % whatever the distribution (David and Nagaraja 2003, section 7.1).
///
/// `mean` holds the median. Samples of fewer than six have no such interval.
#[must_use]
pub fn median_interval(values: &[f64]) -> Estimate {
    let n = values.len();
    if n == 0 {
        return Estimate::UNRATED;
    }
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let median = f64::midpoint(sorted[(n - 1) / 2], sorted[n / 2]);
    // The largest r with P(fewer than r of n values lie below the median) <= 2.5 %.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn close(found: Option<f64>, expected: f64) {
        let found = found.expect("there is a number");
        assert!((found - expected).abs() < 5e-4, "{found} is not {expected}");
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
        // For n = 40 tables give the 14th and the 27th value.
        assert_eq!(
            (estimate.mean, estimate.low, estimate.high),
            (Some(20.5), Some(14.0), Some(27.0))
        );
        let six = median_interval(&values[..6]);
        assert_eq!((six.low, six.high), (Some(1.0), Some(6.0)));
        assert_eq!(median_interval(&values[..5]).low, None);
    }

    #[test]
    fn nothing_observed_is_unrated() {
        assert_eq!(wilson(0.0, 0), Estimate::UNRATED);
        assert_eq!(mean_interval(&[], 1.0, (0.0, 1.0)), Estimate::UNRATED);
        assert_eq!(median_interval(&[]), Estimate::UNRATED);
        assert_eq!(Estimate::UNRATED.above(0.5), Side::Unknown);
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
        fn no_mean_is_certain(n in 2usize..300, value in 0.0..100.0f64) {
            let estimate = mean_interval(&vec![value; n], 1.0, (0.0, 100.0));
            prop_assert!(estimate.high.unwrap() > estimate.low.unwrap());
        }
    }
}
