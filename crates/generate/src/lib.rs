//! Generates games and judges them: a funnel of gates.
//!
//! A candidate is a text changed by operators. It passes through gates, each more expensive than
//! the one before:
//!
//! 1. Is it a valid game, and a new one?
//! 2. Do its rules show a forced win at once?
//! 3. Do random games go well?
//! 4. Do games of a weak search go well?
//! 5. Is it among the most probably playable and the newest of its generation?
//! 6. Does a quick gauge find a flaw?
//! 7. Does a thorough gauge find a flaw?
//!
//! A candidate depends only on the seed, its number and the generations before its own. Costs are
//! counted in moves and iterations, so neither threads nor interruptions change the result. Some
//! candidates are controls, which no gate stops: they show what the gates stop wrongly.

mod again;
mod archive;
mod axis;
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
pub use axis::{Axis, axes_words};
pub use gate::{Fall, Gate, Rejection};
pub use line::{CandidateLine, DerivedText, Gauged, Glance, Work};
pub use novelty::{NEAREST, Neighbour, Novelty};
pub use origin::Origin;
pub use plan::{
    Budgets, CANDIDATES_MAX, DEFAULT_CANDIDATES, DEFAULT_GLANCE, GaugeBudget, GenerateHeader,
    GeneratePlan, StartHeader,
};
pub use random_play::RandomPlay;
pub use report::{
    Ancestor, BestGame, ControlCount, Fallen, GateCount, GenerateReport, MapCell, ParentDifference,
    StartRow,
};
pub use run::GenerateStudy;
pub use score::Score;

/// Error that ends a run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// The watch said stop.
    #[error("the run was stopped")]
    Interrupted,
    /// Another version of the program wrote the journal.
    #[error(
        "the text of game {game} in the journal differs from the one that this program makes: another version wrote the journal"
    )]
    Changed {
        /// Game whose text differs.
        game: Origin,
    },
    /// The first line of the journal is not the header of a run.
    #[error("not a `generate` journal: invalid header: {reason}")]
    Header {
        /// Fault of the header, in words.
        reason: String,
    },
    /// The journal lacks a game.
    #[error("the journal lacks results of game {game}: its run is incomplete")]
    Missing {
        /// Missing game.
        game: Origin,
    },
    /// A start text cannot be played.
    #[error("{name} cannot be a parent: {reason}")]
    Start {
        /// Name of the game.
        name: String,
        /// Fault of the text, in words.
        reason: String,
    },
}
