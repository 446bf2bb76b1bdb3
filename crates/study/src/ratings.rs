//! Games that people rated.

use serde::{Deserialize, Serialize};

/// What people said of games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ratings {
    /// The games, each once.
    pub games: Vec<RatedGame>,
}

/// What people said of a game before they played it.
#[derive(Clone, Debug, PartialEq)]
pub struct RatedGame {
    /// The canonical name of the game.
    pub game: String,
    /// Games of one kind of change are one category.
    pub category: String,
    /// How much fun it is, 0 to 100: the mean over people.
    pub fun: Option<f64>,
    /// The result that they expect for the first player, -1 to 1: the mean over people.
    pub payoff: Option<f64>,
}

/// What people were asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// How much fun is the game?
    Fun,
    /// How will it end?
    Payoff,
}

impl Question {
    /// Both.
    pub const BOTH: [Question; 2] = [Question::Fun, Question::Payoff];

    /// The name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Question::Fun => "fun",
            Question::Payoff => "payoff",
        }
    }

    /// The least and the greatest answer.
    #[must_use]
    pub const fn range(self) -> (f64, f64) {
        match self {
            Question::Fun => (0.0, 100.0),
            Question::Payoff => (-1.0, 1.0),
        }
    }

    /// The answer about a game.
    #[must_use]
    pub fn answer(self, game: &RatedGame) -> Option<f64> {
        match self {
            Question::Fun => game.fun,
            Question::Payoff => game.payoff,
        }
    }

    /// The part of the variance between games that Collins and others 2025 explain by a shallow, fast
    /// simulation of play, by a search of experts and by random play: the bootstrap means of fits to the
    /// games themselves.
    #[must_use]
    pub const fn published(self) -> [(&'static str, f64); 3] {
        match self {
            Question::Fun => {
                [("shallow simulation", 0.64), ("expert search", 0.49), ("random play", 0.50)]
            }
            Question::Payoff => {
                [("shallow simulation", 0.81), ("expert search", 0.65), ("random play", 0.47)]
            }
        }
    }
}
