//! Course of a game as seen by the search that played it.

use serde::{Deserialize, Serialize};
use treegauge_core::{Outcome, Player};
use treegauge_stats::wilson;

use crate::{GameRecord, PlyRecord};

/// Value of a game ply by ply, and its result.
///
/// A search's opinion at a ply is the average result of the move that it chose. The chosen move has
/// the greatest of several averages, so the opinion leans towards the side to move. The value of a
/// ply is therefore the mean of the latest opinions of both players, in which the two leanings
/// cancel. The curve begins at the first ply by which both players have moved.
///
/// Drama, decisiveness and lead changes are the ideas of Thompson 2000 ("Defining the Abstract"),
/// measured on values as in Browne 2008 ("Automatic generation and evaluation of recombination
/// games", chapter 5). Browne evaluates positions with rule-of-thumb advisers; this curve uses the
/// averages of the search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// Number of the game in the record.
    #[serde(default)]
    pub game: u32,
    /// Ply of the first value, counted from 1.
    pub first_ply: u32,
    /// Values **for the first player**, -1 to 1, with their intervals: one per ply, from
    /// `first_ply` on.
    pub values: Vec<CurveValue>,
    /// Result of the game.
    pub outcome: Outcome,
}

/// Value with its interval, for the first player, -1 to 1. Serialised as the list
/// `[mean, low, high]`, because a report has thousands of them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "[f64; 3]", into = "[f64; 3]")]
pub struct CurveValue {
    /// Mean of both players' opinions.
    pub mean: f64,
    /// Lower end of a 95% interval.
    ///
    /// The interval of one opinion is Wilson's over its playouts, as if these were independent;
    /// they are not quite, since the search steers them. The two searches are independent, so the
    /// distances of the two lower ends from their means are combined as the root of the sum of
    /// their squares (Zou and Donner 2008).
    pub low: f64,
    /// Upper end, computed likewise.
    pub high: f64,
}

impl CurveValue {
    /// Returns the mean of two independent values.
    fn mean_with(self, other: CurveValue) -> CurveValue {
        let mean = f64::midpoint(self.mean, other.mean);
        let reach = |end: fn(CurveValue) -> f64| {
            let distance = |value: CurveValue| end(value) - value.mean;
            distance(self).hypot(distance(other)) / 2.0
        };
        CurveValue {
            mean,
            low: mean - reach(|value| value.low),
            high: mean + reach(|value| value.high),
        }
    }
}

impl Curve {
    /// Computes the curve of a game from its record.
    pub(super) fn of(game: u32, record: &GameRecord) -> Curve {
        let mut latest: [Option<CurveValue>; 2] = [None; 2];
        let (mut first_ply, mut values) = (0, Vec::new());
        for (n, ply) in record.plies.iter().enumerate() {
            latest[ply.turn.index()] = Some(CurveValue::of(ply));
            if let [Some(a), Some(b)] = latest {
                if values.is_empty() {
                    first_ply = record.opening.len() + n + 1;
                }
                values.push(a.mean_with(b));
            }
        }
        Curve { game, first_ply: first_ply as u32, values, outcome: record.ended.outcome }
    }

    /// Number of times that the lead passed from one player to the other; `None` for a curve
    /// without values.
    ///
    /// A player leads at a ply if the whole interval of the value is on that player's side of 0.
    /// Plies without a leader are skipped, so that noise around an even value does not count.
    #[must_use]
    pub fn lead_changes(&self) -> Option<u32> {
        let leaders = self.values.iter().filter_map(|value| {
            if value.low > 0.0 {
                Some(Player::First)
            } else if value.high < 0.0 {
                Some(Player::Second)
            } else {
                None
            }
        });
        let mut changes = 0;
        let mut last = None;
        for leader in leaders {
            if last.is_some_and(|last| last != leader) {
                changes += 1;
            }
            last = Some(leader);
        }
        (!self.values.is_empty()).then_some(changes)
    }

    /// Mean value for the winner, -1 to 1; `None` without a winner or without a value.
    pub(super) fn lead_of_winner(&self) -> Option<f64> {
        let values = self.values_for_winner()?;
        Some(values.iter().sum::<f64>() / values.len() as f64)
    }

    /// Tests whether some player leads at any ply.
    pub(super) fn is_ever_clear(&self) -> bool {
        self.values.iter().any(|value| value.low > 0.0 || value.high < 0.0)
    }

    /// Deficit of the winner, 0 to 1: the mean of `sqrt(deficit)` over the plies at which the
    /// winner was behind, or 0 if there are none. The deficit at a ply is the value for the
    /// opponent. `None` without a winner or without a value.
    #[must_use]
    pub fn drama(&self) -> Option<f64> {
        let values = self.values_for_winner()?;
        let behind: Vec<f64> = values.iter().filter(|&&v| v < 0.0).map(|v| (-v).sqrt()).collect();
        if behind.is_empty() {
            return Some(0.0);
        }
        Some(behind.iter().sum::<f64>() / behind.len() as f64)
    }

    /// Measure of how soon the game ended once it was decided, 0 to 1. It is decided at the first
    /// value at which the winner stands better than the loser ever did. The number is 1 minus the
    /// share of values after that one, so a long rest that changes nothing makes it small. `None`
    /// without a winner or without a value.
    #[must_use]
    pub fn decisiveness(&self) -> Option<f64> {
        let (decided, values) = (self.decided()?, self.values.len());
        Some(1.0 - (values - 1 - decided) as f64 / values as f64)
    }

    /// Ply at which the winner first stands better than the loser ever did, counted from 1; the
    /// last ply of the curve if this never happens. `None` without a winner or without a value.
    #[must_use]
    pub fn decided_ply(&self) -> Option<u32> {
        Some(self.first_ply + self.decided()? as u32)
    }

    /// Index of the deciding value in `values`.
    fn decided(&self) -> Option<usize> {
        let values = self.values_for_winner()?;
        let best_of_loser = values.iter().map(|v| -v).fold(0.0, f64::max);
        Some(values.iter().position(|&v| v > best_of_loser).unwrap_or(values.len() - 1))
    }

    fn values_for_winner(&self) -> Option<Vec<f64>> {
        let sign = f64::from(self.outcome.winner()?.sign());
        let values: Vec<f64> = self.values.iter().map(|value| sign * value.mean).collect();
        (!values.is_empty()).then_some(values)
    }
}

impl From<[f64; 3]> for CurveValue {
    fn from([mean, low, high]: [f64; 3]) -> CurveValue {
        CurveValue { mean, low, high }
    }
}

impl From<CurveValue> for [f64; 3] {
    fn from(CurveValue { mean, low, high }: CurveValue) -> [f64; 3] {
        [mean, low, high]
    }
}

impl CurveValue {
    /// Opinion of one search: the average result of the chosen move with Wilson's interval.
    fn of(ply: &PlyRecord) -> CurveValue {
        let n = u64::from(ply.visits.max(1));
        let share = f64::midpoint(ply.value_for_first, 1.0) * n as f64;
        let interval = wilson(share.clamp(0.0, n as f64), n);
        let signed = |end: Option<f64>| 2.0 * end.expect("there are visits") - 1.0;
        CurveValue {
            mean: ply.value_for_first,
            low: signed(interval.low),
            high: signed(interval.high),
        }
    }
}

#[cfg(test)]
mod tests {
    use treegauge_core::{Ended, Ending, uniform_below};
    use treegauge_search::Seed;

    use super::*;

    /// Counts how often the interval of the mean of two searches misses the true mean. Each has 200
    /// playouts, and their true averages differ.
    #[test]
    fn the_interval_of_a_value_is_held_as_often_as_it_says() {
        let (runs, n) = (2_000, 200);
        let mut missed = 0.0;
        for run in 0..runs {
            let mut rng = Seed(5).child(run).generator();
            let mut opinion = |percent: u32| {
                let wins = (0..n).filter(|_| uniform_below(&mut rng, 100) < percent).count();
                let share = wilson(wins as f64, n);
                let value = |share: Option<f64>| 2.0 * share.unwrap() - 1.0;
                CurveValue {
                    mean: value(share.mean),
                    low: value(share.low),
                    high: value(share.high),
                }
            };
            let value = opinion(70).mean_with(opinion(40));
            missed += f64::from(u8::from(value.low > 0.1 || value.high < 0.1)) / runs as f64;
        }
        // The standard error of 5% over 2,000 runs is 0.5 points, so this allows three of them.
        assert!((0.035..0.065).contains(&missed), "{missed}");
    }

    fn curve(values: &[f64], outcome: Outcome) -> Curve {
        let values = values
            .iter()
            .map(|&mean| CurveValue { mean, low: mean - 0.1, high: mean + 0.1 })
            .collect();
        Curve { game: 0, first_ply: 1, values, outcome }
    }

    #[test]
    fn the_lead_changes_only_when_it_is_significant() {
        let c = curve(&[0.5, 0.05, -0.05, 0.3, -0.2, -0.4, 0.2], Outcome::FirstWins);
        assert_eq!(c.lead_changes(), Some(2));
        assert_eq!(curve(&[0.05, -0.05], Outcome::Draw).lead_changes(), Some(0));
        assert_eq!(curve(&[], Outcome::Draw).lead_changes(), None);
    }

    #[test]
    fn drama_is_the_root_of_the_deficit_while_behind() {
        let c = curve(&[0.1, -0.25, -0.49, 0.9], Outcome::FirstWins);
        assert!((c.drama().unwrap() - f64::midpoint(0.5, 0.7)).abs() < 1e-12);
        // The same values for a second player who wins and was behind at two plies.
        let c = curve(&[0.1, -0.25, -0.49, 0.9], Outcome::SecondWins);
        let expected = f64::midpoint(0.1f64.sqrt(), 0.9f64.sqrt());
        assert!((c.drama().unwrap() - expected).abs() < 1e-12);
        assert_eq!(curve(&[0.1, 0.2], Outcome::FirstWins).drama(), Some(0.0));
        assert_eq!(curve(&[0.1, 0.2], Outcome::Draw).drama(), None);
        assert_eq!(curve(&[], Outcome::FirstWins).drama(), None);
    }

    #[test]
    fn a_decided_game_that_goes_on_is_not_decisive() {
        // The loser's best value is 0.3, at ply 2; the winner passes it at ply 3 of 10.
        let mut values = vec![0.1, -0.3, 0.4];
        values.extend([0.5; 7]);
        let c = curve(&values, Outcome::FirstWins);
        assert!((c.decisiveness().unwrap() - 0.3).abs() < 1e-12);
        assert_eq!(c.decided_ply(), Some(3));
        // Decided at the last ply.
        assert_eq!(curve(&[0.0, -0.2, 0.9], Outcome::FirstWins).decisiveness(), Some(1.0));
        // Never decided by the values: the winner won against them.
        assert_eq!(curve(&[-0.5, -0.2], Outcome::FirstWins).decisiveness(), Some(1.0));
    }

    /// Each search favours its own player by 0.2, and neither player is ever ahead.
    #[test]
    fn the_optimism_of_the_mover_is_no_change_of_the_lead() {
        let plies: Vec<PlyRecord> = [0, 1, 0, 1, 1, 0, 0, 1]
            .into_iter()
            .map(|mover| {
                let turn = Player::BOTH[mover];
                let value_for_first = 0.2 * f64::from(turn.sign());
                PlyRecord { m: String::new(), turn, legal_moves: 5, value_for_first, visits: 1_000 }
            })
            .collect();
        let ended = Ended { by: Ending::Outcome, outcome: Outcome::FirstWins };
        // The game starts with one random ply.
        let record = GameRecord { opening: vec![String::new()], plies, ended };
        let curve = Curve::of(3, &record);
        assert_eq!((curve.game, curve.first_ply, curve.values.len()), (3, 3, 7));
        assert!(curve.values.iter().all(|v| v.mean.abs() < 1e-12 && v.low < 0.0 && v.high > 0.0));
        assert_eq!(curve.lead_changes(), Some(0));
        assert_eq!(curve.drama(), Some(0.0));
    }
}
