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

/// Formats a score between two players as [`estimate_words`] does, with further digits where rounding
/// would move an end of the interval onto 50%.
pub(crate) fn score_words(score: &Estimate) -> String {
    let ends = [score.low, score.high].into_iter().flatten();
    let hidden = |digits: i32| {
        let ten = 10f64.powi(digits);
        let rounded = |end: f64| (100.0 * end * ten).round() / ten;
        ends.clone().any(|end| end != 0.5 && rounded(end) == 50.0)
    };
    let (Some(mean), Some(low), Some(high), true) = (score.mean, score.low, score.high, hidden(0))
    else {
        return estimate_words(score, Unit::Share);
    };
    let digits = (1..DIGITS_MAX).find(|&digits| !hidden(digits)).unwrap_or(DIGITS_MAX);
    let one = |x: f64| format!("{:.*}", digits as usize, 100.0 * x);
    format!("{}% ({} to {}%)", one(mean), one(low), one(high))
}

/// Greatest number of digits after the point that shows the side of an end of an interval.
const DIGITS_MAX: i32 = 4;

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

/// Formats an estimate with an end that may be unbounded. An end that is not 0 but would round to it
/// has further digits, so that its sign is seen.
pub(crate) fn bounded_words(estimate: &Estimate, digits: usize) -> String {
    let ends = [estimate.low, estimate.high].into_iter().flatten();
    let hidden = |&digits: &usize| {
        let ten = 10f64.powi(digits as i32);
        ends.clone().any(|end| end != 0.0 && (end * ten).round() == 0.0)
    };
    let most = digits + DIGITS_MAX as usize;
    let digits = (digits..most).find(|digits| !hidden(digits)).unwrap_or(digits);
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
    fn an_end_beside_50_percent_shows_its_side() {
        let words = |mean, low, high| {
            score_words(&Estimate { mean: Some(mean), low: Some(low), high: Some(high), n: 9 })
        };
        assert_eq!(words(0.45, 0.401, 0.4963), "45.0% (40.1 to 49.6%)");
        assert_eq!(words(0.45, 0.4, 0.49998), "45.000% (40.000 to 49.998%)");
        assert_eq!(words(0.55, 0.5, 0.6), "55% (50 to 60%)", "the end is 50%");
        assert_eq!(words(0.45, 0.4, 0.494), "45% (40 to 49%)");
        assert_eq!(score_words(&Estimate::UNRATED), "unrated");
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
        assert_eq!(
            bounded_words(&estimate(Some(20.0), Some(0.3), Some(40.0)), 0),
            "+20.0 (+0.3 to +40.0)"
        );
        assert_eq!(
            bounded_words(&estimate(Some(20.0), Some(0.0), Some(40.0)), 0),
            "+20 (+0 to +40)"
        );
        assert_eq!(bounded_words(&estimate(Some(1.0), None, Some(-30.0)), 0), "at most -30");
    }
}
