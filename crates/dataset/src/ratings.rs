//! Games that people rated.

use treegauge_gauge::vetted::Question;

/// What people said of games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HumanRatings {
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

impl RatedGame {
    /// The mean answer of people to a question.
    #[must_use]
    pub fn answer(&self, question: Question) -> Option<f64> {
        match question {
            Question::Fun => self.fun,
            Question::Payoff => self.payoff,
        }
    }
}
