//! Solved games, asked about games in progress.

use std::path::Path;
use std::sync::Arc;

use treegauge_solve::{AnySolution, AnySolvedFile, PlyLimit, Valued};

use crate::engine::Engine;
use crate::line::{Beginning, Line, MoveNumber};

pub use treegauge_solve::{MoveValue, ProbeError};

/// A solved game.
///
/// # Panics
///
/// Every method that takes a [`Line`] panics when the line is one of another game.
pub trait SolvedGame: Send + Sync {
    /// The position from which the game was solved.
    fn start(&self) -> Line;

    /// The number of positions whose value the history decides, so that perfect play is not known.
    fn undecided(&self) -> u64;

    /// The limit of plies that may stop a game from the start before the end of best play, so that perfect play is not
    /// known.
    ///
    /// # Errors
    ///
    /// As [`SolvedGame::value`].
    fn limit(&self) -> Result<Option<PlyLimit>, ProbeError>;

    /// The value of the current position for the player to move, as a start without history.
    ///
    /// # Errors
    ///
    /// When no line from the start leads to the position, or the file cannot be read.
    fn value(&self, at: &Line) -> Result<Valued, ProbeError>;

    /// The legal moves with their values for the player that makes them, best first, moves of equal
    /// value in the order of the game.
    ///
    /// # Errors
    ///
    /// As [`SolvedGame::value`], and when the file lacks a position that a move leads to.
    fn moves(&self, at: &Line) -> Result<Vec<MoveValue<MoveNumber>>, ProbeError>;
}

/// Opens the file of a solved game.
///
/// # Errors
///
/// When the file cannot be read, is damaged or is one of another game.
pub fn open_solved(
    engine: &Arc<dyn Engine>,
    path: &Path,
) -> Result<Box<dyn SolvedGame>, ProbeError> {
    let file = engine.rules().open(path, &engine.info().canonical_name)?;
    Ok(Box::new(FileGame::new(engine.clone(), file.into())))
}

/// A solved game in its file.
pub struct FileGame {
    engine: Arc<dyn Engine>,
    file: Arc<dyn AnySolvedFile>,
}

impl FileGame {
    /// The file of the engine's game, which others may share.
    #[must_use]
    pub fn new(engine: Arc<dyn Engine>, file: Arc<dyn AnySolvedFile>) -> FileGame {
        FileGame { engine, file }
    }
}

impl SolvedGame for FileGame {
    fn start(&self) -> Line {
        line_at(&self.engine, self.file.start_text())
    }

    fn undecided(&self) -> u64 {
        self.file.undecided()
    }

    fn limit(&self) -> Result<Option<PlyLimit>, ProbeError> {
        Ok(self.engine.ply_limit(self.value(&self.start())?, self.file.reachable_positions()))
    }

    fn value(&self, at: &Line) -> Result<Valued, ProbeError> {
        self.file.value(&self.engine.code(at))
    }

    fn moves(&self, at: &Line) -> Result<Vec<MoveValue<MoveNumber>>, ProbeError> {
        Ok(numbered(self.file.moves(&self.engine.code(at))?))
    }
}

/// A solved game in memory.
pub struct SolutionGame {
    engine: Arc<dyn Engine>,
    solution: Arc<dyn AnySolution>,
}

impl SolutionGame {
    /// The solution of the engine's game, which others may share.
    #[must_use]
    pub fn new(engine: Arc<dyn Engine>, solution: Arc<dyn AnySolution>) -> SolutionGame {
        SolutionGame { engine, solution }
    }

    fn unreached(&self, at: &Line) -> ProbeError {
        let (position, start) = (at.position_text(), self.solution.start_text());
        ProbeError::Unreached { position, start }
    }
}

impl SolvedGame for SolutionGame {
    fn start(&self) -> Line {
        line_at(&self.engine, self.solution.start_text())
    }

    fn undecided(&self) -> u64 {
        self.solution.undecided()
    }

    fn limit(&self) -> Result<Option<PlyLimit>, ProbeError> {
        Ok(self.engine.ply_limit(self.value(&self.start())?, self.solution.reachable_positions()))
    }

    fn value(&self, at: &Line) -> Result<Valued, ProbeError> {
        self.solution.value(&self.engine.code(at)).ok_or_else(|| self.unreached(at))
    }

    fn moves(&self, at: &Line) -> Result<Vec<MoveValue<MoveNumber>>, ProbeError> {
        let moves = self.solution.moves(&self.engine.code(at));
        moves.map(numbered).ok_or_else(|| self.unreached(at))
    }
}

fn numbered(rows: Vec<MoveValue<usize>>) -> Vec<MoveValue<MoveNumber>> {
    let numbered = |row: MoveValue<usize>| MoveValue { m: row.m as MoveNumber, valued: row.valued };
    rows.into_iter().map(numbered).collect()
}

fn line_at(engine: &Arc<dyn Engine>, position: String) -> Line {
    let line = engine.begin(&Beginning { position: Some(position), moves: Vec::new() });
    line.expect("a game reads the positions that it writes")
}

/// Refuses a solved game that leaves positions to the history, or whose start has an end that a limit of plies may
/// prevent: perfect play is not known there.
pub(crate) fn known_throughout(
    undecided: u64,
    start: Valued,
    limit: Option<PlyLimit>,
) -> Result<(), ProbeError> {
    match (undecided, limit) {
        (0, None) => Ok(()),
        (0, Some(limit)) => {
            let remoteness = start.plies();
            Err(ProbeError::Limited { remoteness, limit })
        }
        (positions, _) => Err(ProbeError::Undecided { positions }),
    }
}
