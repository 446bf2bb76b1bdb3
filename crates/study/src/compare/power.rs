//! How many games are needed to see a difference.

use serde::Serialize;
use thiserror::Error;

use super::Pentanomial;
use crate::stats::{normal_cdf, normal_quantile};

/// How the points of pairs spread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Spread {
    /// What is known or guessed before any game.
    Assumed {
        /// The share of drawn games, 0 or more and below 1.
        draw_rate: f64,
        /// The correlation of a player's points in the two games of a pair, above -1 and at most 1:
        /// 0 for independent games, negative where openings favour a side.
        correlation: f64,
    },
    /// What a match showed.
    Measured {
        /// The variance of a pair's share of points, as a part of that of a pair which is either
        /// won or lost as a whole; above 0, at most 1.
        design_effect: f64,
    },
}

/// Plans matches whose question is whether one player is better, at 5 % two-sided.
///
/// The pairs needed are those at which a normal test of the mean has the power asked for, with the
/// variance of equal players under the hypothesis and that of the true score under the alternative
/// (Fleiss, Levin and Paik 2003, section 2.5):
/// `n = ((1.96 sqrt(v(1/2)) + z sqrt(v(1/2 + gap))) / gap)^2`. The gap is what the expected score of
/// the better player is above 1/2: 0.04 is 54 % against 46 %.
///
/// ```
/// use treegauge_study::compare::{Power, Spread};
/// let games = Spread::Assumed { draw_rate: 0.0, correlation: 0.0 };
/// assert_eq!(Power::new(games).unwrap().games(0.04, 0.8).unwrap(), 1_226);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Power {
    spread: Spread,
}

/// Why there is no such plan.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PowerError {
    /// The share of draws is not one.
    #[error("a draw rate of {draw_rate} is impossible: it is from 0 to below 1")]
    DrawRate {
        /// The share.
        draw_rate: f64,
    },
    /// The correlation is not one.
    #[error("a correlation of {correlation} is impossible: it is above -1 and at most 1")]
    Correlation {
        /// The correlation.
        correlation: f64,
    },
    /// The part of the greatest variance is not one.
    #[error("a design effect of {design_effect} is impossible: it is above 0 and at most 1")]
    DesignEffect {
        /// The part.
        design_effect: f64,
    },
    /// The gap is not above 0, or too large for so many draws.
    #[error("a gap of {gap} is impossible: it is above 0 and below {gap_max}")]
    Gap {
        /// The gap.
        gap: f64,
        /// What it must be below.
        gap_max: f64,
    },
    /// The power is out of range.
    #[error("a power of {power} cannot be planned for: it is from 0.5 to below 1")]
    Power {
        /// The power.
        power: f64,
    },
}

/// The games needed to see a gap, by power.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PowerTable {
    /// What the expected score of the better player is above 1/2.
    pub gap: f64,
    /// How the points of pairs spread.
    pub spread: Spread,
    /// A row for each of [`Power::LEVELS`].
    pub rows: Vec<PowerRow>,
}

/// A row of a [`PowerTable`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PowerRow {
    /// The probability that the match shows the better player to be better.
    pub power: f64,
    /// The pairs needed.
    pub pairs: u64,
    /// The games needed: two for each pair.
    pub games: u64,
}

impl Spread {
    /// The spread that these pairs show; `None` without any.
    #[must_use]
    pub fn measured(pairs: Pentanomial) -> Option<Spread> {
        pairs.design_effect().map(|design_effect| Spread::Measured { design_effect })
    }

    /// The variance of a pair's share of points where the expected share is `score`.
    fn variance(self, score: f64) -> f64 {
        let whole = score * (1.0 - score);
        match self {
            // Draws take a quarter of their share from the variance of wins and losses.
            Spread::Assumed { draw_rate, correlation } => {
                (whole - draw_rate / 4.0).max(0.0) * f64::midpoint(1.0, correlation)
            }
            Spread::Measured { design_effect } => whole * design_effect,
        }
    }
}

impl Power {
    /// The powers of a table.
    pub const LEVELS: [f64; 4] = [0.5, 0.8, 0.9, 0.95];

    /// The power when none is given.
    pub const DEFAULT: f64 = 0.8;

    /// Plans with this spread.
    ///
    /// # Errors
    ///
    /// When a number of the spread is out of range.
    pub fn new(spread: Spread) -> Result<Power, PowerError> {
        match spread {
            Spread::Assumed { draw_rate, .. } if !(0.0..1.0).contains(&draw_rate) => {
                Err(PowerError::DrawRate { draw_rate })
            }
            Spread::Assumed { correlation, .. } if !(-1.0 < correlation && correlation <= 1.0) => {
                Err(PowerError::Correlation { correlation })
            }
            Spread::Measured { design_effect }
                if !(0.0 < design_effect && design_effect <= 1.0) =>
            {
                Err(PowerError::DesignEffect { design_effect })
            }
            spread => Ok(Power { spread }),
        }
    }

    /// The largest gap that there is: with it the worse player wins no game.
    #[must_use]
    pub fn gap_max(&self) -> f64 {
        match self.spread {
            Spread::Assumed { draw_rate, .. } => (1.0 - draw_rate) / 2.0,
            Spread::Measured { .. } => 0.5,
        }
    }

    /// The pairs needed to see a gap with this power.
    ///
    /// # Errors
    ///
    /// When the gap or the power is out of range.
    pub fn pairs(&self, gap: f64, power: f64) -> Result<u64, PowerError> {
        let gap_max = self.gap_max();
        if !(0.0 < gap && gap < gap_max) {
            return Err(PowerError::Gap { gap, gap_max });
        }
        let z = quantile(power)?;
        let pairs = (self.reach(gap, z) / gap).powi(2).ceil();
        // A float beyond the range becomes the largest number.
        Ok((pairs as u64).max(1))
    }

    /// The games needed to see a gap with this power: whole pairs.
    ///
    /// # Errors
    ///
    /// When the gap or the power is out of range.
    pub fn games(&self, gap: f64, power: f64) -> Result<u64, PowerError> {
        Ok(self.pairs(gap, power)?.saturating_mul(2))
    }

    /// The games needed to see a gap, by power.
    ///
    /// # Errors
    ///
    /// When the gap is out of range.
    pub fn table(&self, gap: f64) -> Result<PowerTable, PowerError> {
        let row = |&power: &f64| {
            let pairs = self.pairs(gap, power)?;
            Ok(PowerRow { power, pairs, games: pairs.saturating_mul(2) })
        };
        let rows = Self::LEVELS.iter().map(row).collect::<Result<_, _>>()?;
        Ok(PowerTable { gap, spread: self.spread, rows })
    }

    /// The smallest gap that so many pairs show with this power; `None` where they are too few to
    /// show any.
    ///
    /// # Errors
    ///
    /// When the power is out of range.
    pub fn smallest_gap(&self, pairs: u64, power: f64) -> Result<Option<f64>, PowerError> {
        let z = quantile(power)?;
        let root = (pairs as f64).sqrt();
        let shown = |gap: f64| gap * root >= self.reach(gap, z);
        let (mut low, mut high) = (0.0, self.gap_max());
        if !shown(high) {
            return Ok(None);
        }
        // The variance falls as the gap grows, so that there is one crossing.
        for _ in 0..60 {
            let gap = f64::midpoint(low, high);
            if shown(gap) { high = gap } else { low = gap }
        }
        Ok(Some(high))
    }

    /// The probability that so many pairs show a gap from 0 to [`Power::gap_max`].
    #[must_use]
    pub fn power(&self, pairs: u64, gap: f64) -> f64 {
        let root = (pairs as f64).sqrt();
        let beyond = gap * root - normal_quantile(0.975) * self.spread.variance(0.5).sqrt();
        let deviation = self.spread.variance(0.5 + gap).sqrt();
        if deviation > 0.0 {
            normal_cdf(beyond / deviation)
        } else {
            f64::from(u8::from(beyond >= 0.0))
        }
    }

    /// What a gap must be, in standard errors of one pair, to be seen with the power of `z`.
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

    use super::super::testing::draw_from;
    use super::*;

    fn assumed(draw_rate: f64, correlation: f64) -> Power {
        Power::new(Spread::Assumed { draw_rate, correlation }).unwrap()
    }

    #[test]
    fn textbook_numbers_come_out() {
        let independent = assumed(0.0, 0.0);
        // (1.95996 * 0.5 + 0.84162 * 0.49840)^2 / 0.04^2 = 1224.03 games, by hand.
        assert_eq!(independent.pairs(0.04, 0.8), Ok(613));
        // Half of all matches show a difference of 1.96 standard errors: 600.2 games.
        assert_eq!(independent.pairs(0.04, 0.5), Ok(301));
        // Half the games drawn: half the variance of equal players.
        let drawn = independent.pairs(0.01, 0.5).unwrap() as f64;
        assert!((assumed(0.5, 0.0).pairs(0.01, 0.5).unwrap() as f64 / drawn - 0.5).abs() < 1e-3);
        // So do pairs in which half of the variance cancels.
        assert!((assumed(0.0, -0.5).pairs(0.01, 0.5).unwrap() as f64 / drawn - 0.5).abs() < 1e-3);
    }

    #[test]
    fn matches_of_the_size_planned_show_the_gap_as_often_as_planned() {
        // Independent games, a fifth drawn, 60 % expected: 0.5 won, 0.2 drawn, 0.3 lost.
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
        // Three standard errors are 3.8 %; the interval itself is a little on the wide side.
        assert!((750..840).contains(&seen), "{seen} at {pairs}");
    }

    #[test]
    fn a_match_tells_how_long_the_next_must_be() {
        // What independent games without draws give: a spread of half the greatest.
        let spread = Spread::measured(Pentanomial([250, 0, 500, 0, 250])).unwrap();
        let power = Power::new(spread).unwrap();
        assert!(power.pairs(0.04, 0.8).unwrap().abs_diff(613) <= 1);
        assert_eq!(Spread::measured(Pentanomial::default()), None);
        // All draws so far is no reason to plan without a spread.
        let equal = Spread::measured(Pentanomial([0, 0, 50, 0, 0])).unwrap();
        assert!(Power::new(equal).unwrap().pairs(0.01, 0.8).unwrap() > 100);
    }

    #[test]
    fn what_is_out_of_range_is_refused() {
        let spread =
            |draw_rate, correlation| Power::new(Spread::Assumed { draw_rate, correlation });
        assert_eq!(spread(1.0, 0.0), Err(PowerError::DrawRate { draw_rate: 1.0 }));
        assert_eq!(spread(0.0, -1.0), Err(PowerError::Correlation { correlation: -1.0 }));
        assert!(spread(f64::NAN, 0.0).is_err() && spread(0.0, f64::NAN).is_err());
        assert!(Power::new(Spread::Measured { design_effect: 0.0 }).is_err());
        let drawish = assumed(0.8, 0.0);
        let gap_max = drawish.gap_max();
        assert!((gap_max - 0.1).abs() < 1e-12);
        assert_eq!(drawish.pairs(0.2, 0.8), Err(PowerError::Gap { gap: 0.2, gap_max }));
        assert!(drawish.pairs(0.0, 0.8).is_err() && drawish.pairs(f64::NAN, 0.8).is_err());
        assert_eq!(drawish.pairs(0.05, 1.0), Err(PowerError::Power { power: 1.0 }));
        assert_eq!(assumed(0.0, 0.0).smallest_gap(1, 0.9), Ok(None));
        assert_eq!(assumed(0.0, 0.0).smallest_gap(0, 0.9), Ok(None));
    }

    proptest! {
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
