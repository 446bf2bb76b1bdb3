//! Making games and judging them: a funnel.
//!
//! A candidate is a text that operators have changed, and goes through gates, each of which costs more than the one
//! before: is it a game, and a new one; do its rules show a forced win at once; do random games go well; do games of a
//! weak search; is it among the most probably playable and the newest of its generation; does a quick gauge find a
//! flaw; does a thorough one. A candidate follows from the seed, its number and the generations before its own, and
//! every cost is counted in moves and iterations, so that neither threads nor interruptions change anything. Some
//! candidates are stopped by no gate: they show what the gates stop wrongly.

mod again;
mod archive;
mod candidate;
mod gate;
mod gauging;
mod glance;
mod history;
mod limits;
mod line;
mod lint;
mod novelty;
mod origin;
mod plan;
mod progress;
mod random_play;
mod report;
mod run;
mod score;
#[cfg(test)]
mod tests;
mod watch;

use thiserror::Error;

pub use again::{again, merged};
pub use gate::{Fall, Gate, Rejection};
pub use line::{CandidateLine, Gauged, Glance, Made, Work};
pub use novelty::{NEAREST, Neighbour, Novelty};
pub use origin::Origin;
pub use plan::{
    Budgets, CANDIDATES_MAX, DEFAULT_CANDIDATES, DEFAULT_GLANCE, GaugeBudget, GenerateHeader,
    GeneratePlan, StartHeader,
};
pub use random_play::RandomPlay;
pub use report::{
    Ancestor, BestGame, ControlCount, Fallen, GateCount, GenerateReport, ParentDifference, StartRow,
};
pub use run::GenerateStudy;
pub use score::Score;

/// Why a run cannot go on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// A watch said stop.
    #[error("the run was stopped")]
    Interrupted,
    /// The journal is of another version of the program.
    #[error(
        "the journal has another text for the game {game} than this program makes: it was written by another version"
    )]
    Changed {
        /// The game.
        game: Origin,
    },
    /// The first line of the journal is none of a run.
    #[error("the first line of the journal is none of a run: {reason}")]
    Header {
        /// What is wrong with it.
        reason: String,
    },
    /// The journal lacks a game.
    #[error(
        "the journal has not all that there is to know of game {game}: its run is not complete"
    )]
    Missing {
        /// The game.
        game: Origin,
    },
    /// A text of the start cannot be played.
    #[error("{name} cannot be a parent: {reason}")]
    Start {
        /// The name of the game.
        name: String,
        /// Why not.
        reason: String,
    },
}
