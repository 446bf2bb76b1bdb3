//! Judges a measure by self-play at several strengths.

use treegauge_stats::{Estimate, ThresholdSide, Z};

use super::ladder::Rung;
use super::measure_table::{Flag, FlawSide, Measure, Unit};
use super::verdict::FlawState;

/// Fewest visits per legal move at which anything is judged. With fewer, a search knows hardly more
/// of a move than a few random games do.
pub const VISITS_MIN: f64 = 30.0;

/// Fewest games at each of the two greatest strengths from which a change is inferred. Intervals of
/// fewer are too far from those of a normal distribution.
const CHANGE_GAMES_MIN: u64 = 10;

/// Measure behind a flag at every strength, from the weakest to the strongest.
#[derive(Debug)]
pub(super) struct ByStrength {
    rungs: Vec<AtStrength>,
    side: FlawSide,
    limit: f64,
    /// Whether a trend may be extrapolated. Only shares are: falling lengths level off somewhere
    /// unknown.
    continues: bool,
}

/// Measure at one strength; for [`FlawSide::ComplementAbove`] its complement to 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct AtStrength {
    pub(super) iterations: u32,
    pub(super) estimate: Estimate,
}

/// Change of the answer with the strength of the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// Stronger players show the flaw less or not at all.
    Fades,
    /// Stronger players show the flaw more, or only they show it.
    Grows,
    /// Best play gives the opposite answer.
    OtherWithBestPlay,
}

impl ByStrength {
    pub(super) fn of(ladder: &[Rung], measure: &Measure, flag: &Flag, limit: f64) -> ByStrength {
        let of_rung = |rung: &Rung| AtStrength {
            iterations: rung.iterations,
            estimate: flag.side.of_flaw(rung.measures.get(measure.name)),
        };
        let rungs = ladder.iter().filter(|rung| rung.games > 0).map(of_rung).collect();
        let continues = measure.unit == Unit::Share;
        ByStrength { rungs, side: flag.side, limit, continues }
    }

    /// Returns the two greatest strengths, the weaker first; fewer if fewer played.
    pub(super) fn strongest(&self) -> &[AtStrength] {
        &self.rungs[self.rungs.len().saturating_sub(2)..]
    }

    /// Returns the answer at each of the two greatest strengths alone.
    pub(super) fn alone(&self) -> impl Iterator<Item = FlawState> {
        self.strongest().iter().map(|at| self.side.beyond(&at.estimate, self.limit))
    }

    /// Tests whether the answer depends on the strength of the players, and in which direction.
    ///
    /// It does in two cases. The two greatest strengths give opposite answers, each beyond chance.
    /// Or the measure moves between them, or along the line through all strengths, and crosses the
    /// limit; for a share it is enough that one further step of the same size would cross it. A
    /// move is a slope of more than 1.96 standard errors.
    pub(super) fn change(&self) -> Option<Change> {
        let [weaker, stronger] = self.strongest() else { return None };
        let (before, after) = (weaker.normal()?, stronger.normal()?);
        let change = |towards: bool| if towards { Change::Grows } else { Change::Fades };
        let mut alone = self.alone();
        match (alone.next(), alone.next()) {
            (Some(FlawState::No), Some(FlawState::Yes)) => return Some(Change::Grows),
            (Some(FlawState::Yes), Some(FlawState::No)) => return Some(Change::Fades),
            _ => {}
        }
        if weaker.estimate.n.min(stronger.estimate.n) < CHANGE_GAMES_MIN {
            return None;
        }
        let middle = f64::midpoint(before.mean, after.mean);
        let is_flaw = |x: f64| self.side.is_flaw(x, self.limit);
        let crosses =
            |ahead: f64| (is_flaw(ahead) != is_flaw(middle)).then(|| change(is_flaw(ahead)));
        let step = after.mean - before.mean;
        if step.abs() > Z * before.error.hypot(after.error) {
            if is_flaw(before.mean) != is_flaw(after.mean) {
                return Some(change(is_flaw(after.mean)));
            }
            if !self.continues {
                return None;
            }
            if let Some(change) = crosses(after.mean + step) {
                return Some(change);
            }
        }
        crosses(self.continued().filter(|_| self.continues)?)
    }

    /// Extrapolates the line of weighted least squares over the logarithm of the iterations, by one
    /// further step as wide as the last. `None` if the slope is not clearly different from 0.
    fn continued(&self) -> Option<f64> {
        let points: Option<Vec<(f64, Normal)>> = self
            .rungs
            .iter()
            .map(|at| Some((f64::from(at.iterations).ln(), at.normal()?)))
            .collect();
        let points = points?;
        let weighted = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
            points.iter().map(|(x, y)| of(*x, y.mean) / (y.error * y.error)).sum()
        };
        let all = weighted(&|_, _| 1.0);
        let (x_mean, y_mean) = (weighted(&|x, _| x) / all, weighted(&|_, y| y) / all);
        let across = weighted(&|x, _| (x - x_mean).powi(2));
        let slope = weighted(&|x, y| (x - x_mean) * (y - y_mean)) / across;
        let [.., (weaker, _), (stronger, _)] = points[..] else { return None };
        let clear = slope.abs() > Z / across.sqrt();
        clear.then_some(y_mean + slope * (2.0 * stronger - weaker - x_mean))
    }
}

/// Estimate approximated by a normal distribution.
#[derive(Clone, Copy, Debug)]
struct Normal {
    mean: f64,
    error: f64,
}

impl AtStrength {
    /// Approximates the estimate by a normal distribution with the same interval width.
    fn normal(&self) -> Option<Normal> {
        let Estimate { mean, low, high, .. } = self.estimate;
        let error = ((high? - low?) / (2.0 * Z)).max(f64::MIN_POSITIVE.sqrt());
        Some(Normal { mean: mean?, error })
    }
}

impl FlawSide {
    /// Turns an estimate of the measure into one of the flaw: its complement for
    /// [`FlawSide::ComplementAbove`].
    pub(super) fn of_flaw(self, estimate: Estimate) -> Estimate {
        if self == FlawSide::ComplementAbove { estimate.complement() } else { estimate }
    }

    /// Turns a value of the measure into one of the flaw: 1 - value for [`FlawSide::ComplementAbove`].
    #[must_use]
    pub fn value_of_flaw(self, value: f64) -> f64 {
        if self == FlawSide::ComplementAbove { 1.0 - value } else { value }
    }

    /// Tests whether such a value is on the flawed side of the limit. A value equal to the limit is
    /// not.
    #[must_use]
    pub fn is_flaw(self, value: f64, limit: f64) -> bool {
        match self {
            FlawSide::Above | FlawSide::ComplementAbove => value > limit,
            FlawSide::Below => value < limit,
        }
    }

    /// Tests whether the whole interval of an estimate is on the flawed side, or on the other.
    pub(super) fn beyond(self, estimate: &Estimate, limit: f64) -> FlawState {
        match self {
            FlawSide::Above | FlawSide::ComplementAbove => match estimate.above(limit) {
                ThresholdSide::Above => FlawState::Yes,
                ThresholdSide::NotAbove => FlawState::No,
                ThresholdSide::Unknown => FlawState::CannotTell,
            },
            FlawSide::Below => match (estimate.low, estimate.high) {
                (_, Some(high)) if high < limit => FlawState::Yes,
                (Some(low), _) if low >= limit => FlawState::No,
                _ => FlawState::CannotTell,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use treegauge_stats::wilson;

    /// Shares of 40 games at the strongest of 125, 500, 2,000 and 8,000 iterations, with a limit of
    /// 60%.
    fn shares(of_40: &[u32], side: FlawSide) -> ByStrength {
        let iterations = [125, 500, 2_000, 8_000].into_iter().skip(4 - of_40.len());
        let rungs = iterations
            .zip(of_40)
            .map(|(iterations, &n)| AtStrength { iterations, estimate: wilson(f64::from(n), 40) });
        ByStrength { rungs: rungs.collect(), side, limit: 0.6, continues: true }
    }

    fn change(of_40: &[u32]) -> Option<Change> {
        shares(of_40, FlawSide::Above).change()
    }

    #[test]
    fn answers_that_differ_depend_on_the_strength() {
        assert_eq!(change(&[1, 26, 31, 4]), Some(Change::Fades));
        assert_eq!(change(&[1, 2, 10, 38]), Some(Change::Grows));
        // The flaw is a small value, so it appears as the value falls.
        let below = |of_40| shares(of_40, FlawSide::Below).change();
        assert_eq!(below(&[39, 38, 37, 9]), Some(Change::Grows));
        assert_eq!(below(&[1, 2, 9, 37]), Some(Change::Fades));
    }

    #[test]
    fn a_trend_towards_the_limit_depends_on_the_strength() {
        // At most 50%, but rising by 20 points per step.
        assert_eq!(change(&[0, 4, 12, 20]), Some(Change::Grows));
        // All above the limit, but falling.
        assert_eq!(change(&[40, 39, 37, 28]), Some(Change::Fades));
        // Rising, but far from the limit.
        assert_eq!(change(&[0, 1, 3, 6]), None);
        let mut length = shares(&[40, 39, 37, 28], FlawSide::Above);
        length.continues = false;
        assert_eq!(length.change(), None);
    }

    #[test]
    fn chance_is_no_trend() {
        assert_eq!(change(&[20, 22, 19, 21]), None);
        assert_eq!(change(&[27, 26, 22, 25]), None);
        // Only one step, within chance.
        assert_eq!(change(&[22, 26]), None);
        assert_eq!(change(&[31]), None);
        assert_eq!(change(&[]), None);
    }

    #[test]
    fn a_change_takes_ten_games_at_each_strength() {
        let of = |n: u64| {
            let at = |iterations, share: f64| AtStrength {
                iterations,
                estimate: wilson((share * n as f64).round(), n),
            };
            let rungs = vec![at(500, 1.0), at(2_000, 0.4)];
            ByStrength { rungs, side: FlawSide::Above, limit: 0.6, continues: true }.change()
        };
        assert_eq!((of(5), of(10)), (None, Some(Change::Fades)));
    }

    #[test]
    fn a_sample_without_an_interval_shows_no_trend() {
        let none = AtStrength { iterations: 125, estimate: Estimate::UNRATED };
        let mut few = shares(&[1, 26, 31, 4], FlawSide::Above);
        few.rungs[3] = none;
        assert_eq!(few.change(), None);
    }
}
