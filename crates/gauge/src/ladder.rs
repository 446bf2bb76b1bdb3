//! Playing strengths of a gauge, as multiples of its iterations.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Plan;
use super::games::GaugeGames;
use super::measures::Measures;
use super::record::RecordedGame;

/// Multiple or fraction of the iterations of a gauge, written `4` or `1/4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Multiple {
    times: u32,
    by: u32,
}

/// Greatest numerator and denominator of a [`Multiple`].
const MULTIPLE_MAX: u32 = 1_000;

/// Error for a text that is not a [`Multiple`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected a whole number from 1 to {MULTIPLE_MAX}, or a fraction of two, like 1/4")]
pub struct MultipleError;

impl Multiple {
    /// The iterations themselves.
    pub const ONCE: Multiple = Multiple { times: 1, by: 1 };

    /// A quarter of the iterations.
    pub(super) const QUARTER: Multiple = Multiple { times: 1, by: 4 };

    /// Default strengths of a gauge: a sixteenth, a quarter, once and four times its iterations.
    pub const DEFAULT_LADDER: [Multiple; 4] = [
        Multiple { times: 1, by: 16 },
        Multiple::QUARTER,
        Multiple::ONCE,
        Multiple { times: 4, by: 1 },
    ];

    /// Multiplies a number of iterations and rounds to the nearest whole number, at least 1.
    #[must_use]
    pub fn of(self, iterations: u32) -> u32 {
        let (times, by) = (u64::from(self.times), u64::from(self.by));
        let product = (2 * times * u64::from(iterations) + by) / (2 * by);
        u32::try_from(product.max(1)).unwrap_or(u32::MAX)
    }
}

impl FromStr for Multiple {
    type Err = MultipleError;

    fn from_str(text: &str) -> Result<Self, MultipleError> {
        let number = |text: &str| {
            let number = text.trim().parse().ok();
            number.filter(|number| (1..=MULTIPLE_MAX).contains(number)).ok_or(MultipleError)
        };
        let (times, by) = text.split_once('/').unwrap_or((text, "1"));
        Ok(Multiple { times: number(times)?, by: number(by)? })
    }
}

impl fmt::Display for Multiple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.by {
            1 => write!(f, "{}", self.times),
            by => write!(f, "{}/{by}", self.times),
        }
    }
}

/// Measures of self-play at one strength.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rung {
    /// Iterations per move.
    pub iterations: u32,
    /// Number of finished games.
    pub games: u32,
    /// Measures by the names of [`MEASURES`](super::MEASURES). The depth of skill compares two
    /// strengths, so it has no estimate here.
    #[serde(flatten)]
    pub measures: Measures,
}

impl Plan {
    /// Returns the iterations per move of all strengths in ascending order. The plan's own
    /// iterations are always among them.
    #[must_use]
    pub fn strengths(&self) -> Vec<u32> {
        let multiples = self.ladder.iter().map(|multiple| multiple.of(self.iterations));
        let mut strengths: Vec<u32> = multiples.chain([self.iterations]).collect();
        strengths.sort_unstable();
        strengths.dedup();
        strengths
    }

    /// Returns the number of games and the mean iterations per move for each part of a gauge:
    /// self-play at the plan's own strength, games between unequal searches, then self-play at the
    /// other strengths.
    pub fn searches(&self) -> impl Iterator<Item = (u32, u64)> + use<> {
        let own = u64::from(self.iterations);
        let skill = own * (1 + u64::from(self.skill_factor)) / 2;
        let games = self.games;
        let rungs = self.strengths().into_iter().map(u64::from);
        let others = rungs.filter(move |&iterations| iterations != own);
        let parts = [(games, own), (self.skill_games, skill)].into_iter();
        parts.chain(others.map(move |iterations| (games, iterations)))
    }
}

/// Games of self-play at one strength.
#[derive(Debug)]
pub(super) struct RungGames {
    pub(super) iterations: u32,
    pub(super) games: Vec<RecordedGame>,
}

impl RungGames {
    pub(super) fn measured(&self) -> Rung {
        Rung {
            iterations: self.iterations,
            games: self.games.len() as u32,
            measures: Measures::of(&GaugeGames::of_self_play(&self.games)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiples_are_read_and_written() {
        for (text, of_2000) in
            [("1/16", 125), ("1/4", 500), ("1", 2_000), ("4", 8_000), ("3/2", 3_000)]
        {
            let multiple: Multiple = text.parse().unwrap();
            assert_eq!((multiple.to_string().as_str(), multiple.of(2_000)), (text, of_2000));
        }
        let of = |text: &str, iterations| text.parse::<Multiple>().unwrap().of(iterations);
        assert_eq!((of("1/16", 1), of("1/16", 24), of("1/3", 5)), (1, 2, 2));
        assert_eq!(of("1000", u32::MAX), u32::MAX);
        for wrong in ["", "0", "1/0", "x", "1/2/3", "-1", "1001", "1.5"] {
            assert_eq!(wrong.parse::<Multiple>(), Err(MultipleError), "{wrong}");
        }
    }

    #[test]
    fn the_iterations_of_the_plan_are_one_strength() {
        let strengths = |ladder: &[&str]| {
            let ladder = ladder.iter().map(|text| text.parse().unwrap()).collect();
            Plan { iterations: 8, ladder, ..Plan::default() }.strengths()
        };
        assert_eq!(strengths(&["4", "1/16", "1/4", "1"]), [1, 2, 8, 32]);
        assert_eq!(strengths(&["2"]), [8, 16]);
        assert_eq!(strengths(&[]), [8]);
    }
}
