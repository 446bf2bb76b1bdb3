//! Games that people rated.

use treegauge_gauge::vetted::Question;

/// Ratings of games by people.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HumanRatings {
    /// Games, each once.
    pub games: Vec<RatedGame>,
}

/// Ratings of one game by people, before they played it.
#[derive(Clone, Debug, PartialEq)]
pub struct RatedGame {
    /// Canonical name of the game.
    pub game: String,
    /// Category of the game: games with the same kind of change share it.
    pub category: String,
    /// Fun, 0 to 100: mean over people; `None` if nobody was asked.
    pub fun: Option<f64>,
    /// Expected result for the first player, -1 to 1: mean over people; `None` if nobody was asked.
    pub payoff: Option<f64>,
}

impl RatedGame {
    /// Mean answer of people to a question; `None` if nobody was asked.
    #[must_use]
    pub fn answer(&self, question: Question) -> Option<f64> {
        match question {
            Question::Fun => self.fun,
            Question::Payoff => self.payoff,
        }
    }
}
