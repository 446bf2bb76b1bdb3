//! Differences of estimates, and a significance test for several of them at once.

use crate::{Estimate, Z, normal_probability_beyond};

/// Returns the difference `of - than` of two independent estimates with its 95% interval, and the
/// two-sided p-value: the chance of a difference at least this great if the quantities are equal.
#[must_use]
pub fn difference(of: &Estimate, than: &Estimate) -> (Estimate, Option<f64>) {
    let n = of.n.min(than.n);
    let (Some(b), Some(a)) = (of.mean, than.mean) else { return (Estimate::UNRATED, None) };
    let mean = b - a;
    let reach = |one: Option<f64>, other: Option<f64>| Some((b - one?).hypot(a - other?));
    let (below, above) = (reach(of.low, than.high), reach(of.high, than.low));
    let difference = Estimate {
        mean: Some(mean),
        low: below.map(|below| mean - below),
        high: above.map(|above| mean + above),
        n,
    };
    // The distance to the end on the side of 0 is 1.96 standard errors.
    let towards_zero = if mean > 0.0 { below } else { above };
    let chance = towards_zero
        .filter(|&reach| reach > 0.0)
        .map(|reach| 2.0 * normal_probability_beyond(Z * mean.abs() / reach));
    (difference, chance)
}

/// Tests which of several differences are significant together at 5%, from their p-values (Holm
/// 1979). `None` counts as not significant.
#[must_use]
pub fn holm(chances: &[Option<f64>]) -> Vec<bool> {
    let mut order: Vec<(usize, f64)> =
        chances.iter().enumerate().filter_map(|(n, chance)| Some((n, (*chance)?))).collect();
    order.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut real = vec![false; chances.len()];
    let mut left = order.len();
    for (n, chance) in order {
        if chance * left as f64 > 0.05 {
            break;
        }
        real[n] = true;
        left -= 1;
    }
    real
}

#[cfg(test)]
mod tests {
    use treegauge_core::uniform_below;
    use treegauge_search::Seed;

    use super::*;
    use crate::wilson;

    /// Counts how often the interval of the difference misses, for shares of 30% and 50% in 40
    /// games, and how often one of twelve equal pairs is called significant.
    #[test]
    fn intervals_and_corrections_hold_what_they_say() {
        let (runs, n) = (2_000, 40);
        let (mut missed, mut called) = (0.0, 0.0);
        for run in 0..runs {
            let mut rng = Seed(9).child(run).generator();
            let mut share = |percent: u32| {
                let wins = (0..n).filter(|_| uniform_below(&mut rng, 100) < percent).count();
                wilson(wins as f64, n)
            };
            let (found, _) = difference(&share(30), &share(50));
            let outside = found.low > Some(-0.2) || found.high < Some(-0.2);
            missed += f64::from(u8::from(outside)) / runs as f64;
            let chances: Vec<Option<f64>> =
                (0..12).map(|_| difference(&share(40), &share(40)).1).collect();
            called += f64::from(u8::from(holm(&chances).contains(&true))) / runs as f64;
        }
        // The standard error of 5% over 2,000 runs is 0.5 points, so this allows three of them.
        assert!((0.03..0.065).contains(&missed), "{missed}");
        assert!(called < 0.065, "{called}");
    }

    #[test]
    fn the_correction_is_that_of_holm() {
        // Holm's limits for four p-values at .05: .0125, .0167, .025, .05.
        let chances = [Some(0.02), Some(0.001), None, Some(0.016), Some(0.04)];
        assert_eq!(holm(&chances), [true, true, false, true, true]);
        let chances = [Some(0.03), Some(0.001), Some(0.03), Some(0.03)];
        assert_eq!(holm(&chances), [false, true, false, false]);
        assert_eq!(holm(&[]), Vec::<bool>::new());
    }
}
