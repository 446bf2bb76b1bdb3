//! Estimates with their intervals in words.

use treegauge_doc::{Cell, Scale};
use treegauge_gauge::Unit;
use treegauge_stats::Estimate;

/// Formats an estimate as `mean (low to high)`.
pub(crate) fn estimate_words(estimate: &Estimate, unit: Unit) -> String {
    // A narrow interval has one more digit, so that its ends differ.
    let narrow = estimate.low.zip(estimate.high).is_some_and(|(low, high)| high - low < 0.02);
    let (sign, scale, digits) = match unit {
        Unit::Share => ("%", 100.0, usize::from(narrow)),
        Unit::Plies(digits) | Unit::Number(digits) => ("", 1.0, digits),
        Unit::Elo => return bounded_words(estimate, 0),
    };
    // The median of an even number of whole numbers may lie halfway between two of them.
    let half = |x: f64| unit == Unit::Plies(0) && x.fract() != 0.0;
    let one = |x: f64| {
        let digits = digits + usize::from(half(x));
        // Rounds a half away from 0, as a reader expects; formatting alone rounds it to even.
        let ten = 10f64.powi(digits as i32);
        format!("{:.digits$}", (scale * x * ten).round() / ten)
    };
    match (estimate.mean, estimate.low, estimate.high) {
        (None, ..) => "unrated".to_owned(),
        (Some(mean), Some(low), Some(high)) => {
            format!("{}{sign} ({} to {}{sign})", one(mean), one(low), one(high))
        }
        (Some(mean), ..) => format!("{}{sign} (no interval)", one(mean)),
    }
}

/// Title of a column of [`share_chart`]: its scale.
pub(crate) const SHARE_SCALE: &str = "0%      50%     100%";

/// Small chart of a share with its interval.
pub(crate) fn share_chart(share: &Estimate) -> Cell {
    Cell::from(Scale::SHARES.interval(share.mean, share.low, share.high))
}

/// Words for whether a difference among several is real. Its own interval may exclude 0 while the
/// correction for all of them does not call it real.
pub(crate) fn chance_words(real: bool, difference: &Estimate) -> &'static str {
    let excludes_0 = difference.low.is_some_and(|low| low > 0.0)
        || difference.high.is_some_and(|high| high < 0.0);
    match (real, excludes_0) {
        (true, _) => "real",
        (false, true) => "unlikely by chance alone, but not among this many",
        (false, false) => "may be chance",
    }
}

/// Formats an estimate with an end that may be unbounded.
pub(crate) fn bounded_words(estimate: &Estimate, digits: usize) -> String {
    let ten = 10f64.powi(digits as i32);
    // Adding 0 after rounding turns a negative zero into 0.
    let one = |x: f64| format!("{:+.digits$}", (x * ten).round() / ten + 0.0);
    match (estimate.mean, estimate.low, estimate.high) {
        (Some(mean), Some(low), Some(high)) => {
            format!("{} ({} to {})", one(mean), one(low), one(high))
        }
        (_, Some(low), None) => format!("at least {}", one(low)),
        (_, None, Some(high)) => format!("at most {}", one(high)),
        (Some(mean), None, None) => format!("{} (no interval)", one(mean)),
        (None, ..) => "unrated".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_never_looks_like_a_point() {
        let estimate =
            |mean, low, high| Estimate { mean: Some(mean), low: Some(low), high: Some(high), n: 9 };
        let words = |estimate| estimate_words(&estimate, Unit::Share);
        assert_eq!(words(estimate(0.5, 0.25, 0.75)), "50% (25 to 75%)");
        assert_eq!(words(estimate(0.5, 0.496, 0.504)), "50.0% (49.6 to 50.4%)");
        assert_eq!(words(estimate(0.525, 0.376, 0.668)), "53% (38 to 67%)");
        assert_eq!(words(Estimate::UNRATED), "unrated");
        let one = Estimate { mean: Some(7.0), ..Estimate::UNRATED };
        assert_eq!(estimate_words(&one, Unit::Number(1)), "7.0 (no interval)");
    }

    #[test]
    fn words_about_chance_agree_with_the_interval() {
        let of = |low, high| Estimate { mean: Some(1.0), low, high, n: 9 };
        assert_eq!(chance_words(false, &of(Some(-1.0), Some(2.0))), "may be chance");
        assert_eq!(chance_words(false, &of(None, Some(2.0))), "may be chance");
        for clear in [of(Some(0.1), Some(2.0)), of(None, Some(-0.1))] {
            assert!(chance_words(false, &clear).starts_with("unlikely by chance alone"));
            assert_eq!(chance_words(true, &clear), "real");
        }
    }

    #[test]
    fn a_bound_that_is_missing_is_said() {
        let estimate = |mean, low, high| Estimate { mean, low, high, n: 9 };
        assert_eq!(
            bounded_words(&estimate(Some(8.0), Some(-4.0), Some(20.0)), 0),
            "+8 (-4 to +20)"
        );
        assert_eq!(bounded_words(&estimate(Some(-0.3), None, None), 0), "+0 (no interval)");
        assert_eq!(bounded_words(&estimate(None, Some(30.0), None), 0), "at least +30");
        assert_eq!(bounded_words(&estimate(Some(1.0), None, Some(-30.0)), 0), "at most -30");
    }
}
