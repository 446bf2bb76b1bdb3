//! Values of solved games for games in progress.

use std::path::Path;
use std::sync::Arc;

use treegauge_solve::{AnyValues, ExactValue};

use crate::engine::Engine;
use crate::line::{Line, StartingPoint};

pub use treegauge_solve::{MoveValue, ProbeError};

/// Solved game.
///
/// # Panics
///
/// Every method that takes a [`Line`] panics when the line is one of another game.
pub trait SolvedGame: Send + Sync {
    /// Position from which the game was solved.
    fn start(&self) -> Line;

    /// Checks that perfect play is known.
    ///
    /// # Errors
    ///
    /// When the value of some positions depends on the history, a limit of plies may stop a game
    /// from the start before the end of best play, or the file cannot be read.
    fn known_throughout(&self) -> Result<(), ProbeError>;

    /// Value of the current position for the player to move, as a start without history.
    ///
    /// # Errors
    ///
    /// When the position cannot be reached from the start, or the file cannot be read.
    fn value(&self, at: &Line) -> Result<ExactValue, ProbeError>;

    /// Legal moves with their values for the player that makes them, best first; moves of equal
    /// value keep the order of the game.
    ///
    /// # Errors
    ///
    /// As [`SolvedGame::value`], and when the file lacks a position that a move leads to.
    fn moves(&self, at: &Line) -> Result<Vec<MoveValue>, ProbeError>;
}

/// Opens the file of a solved game.
///
/// # Errors
///
/// When the file cannot be read, is damaged or belongs to another game.
pub fn open_solved(
    engine: &Arc<dyn Engine>,
    path: &Path,
) -> Result<Box<dyn SolvedGame>, ProbeError> {
    let file = engine.rules().open(path, &engine.info().canonical_name)?;
    Ok(Box::new(SolutionGame::new(engine.clone(), file)))
}

/// Solved game, in memory or in its file.
pub struct SolutionGame {
    engine: Arc<dyn Engine>,
    values: Arc<dyn AnyValues>,
}

impl SolutionGame {
    /// Wraps the solution of the engine's game, which may be shared.
    #[must_use]
    pub fn new(engine: Arc<dyn Engine>, values: Arc<dyn AnyValues>) -> SolutionGame {
        SolutionGame { engine, values }
    }
}

impl SolvedGame for SolutionGame {
    fn start(&self) -> Line {
        let position = Some(self.values.start_text());
        let line = self.engine.begin(&StartingPoint { position, moves: Vec::new() });
        line.expect("a game reads the positions that it writes")
    }

    fn known_throughout(&self) -> Result<(), ProbeError> {
        self.values.known_throughout()
    }

    fn value(&self, at: &Line) -> Result<ExactValue, ProbeError> {
        self.values.value(&self.engine.code(at))
    }

    fn moves(&self, at: &Line) -> Result<Vec<MoveValue>, ProbeError> {
        self.values.moves(&self.engine.code(at))
    }
}
