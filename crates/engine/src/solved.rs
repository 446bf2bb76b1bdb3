//! Solved games, asked about games in progress.

use std::path::Path;
use std::sync::Arc;

use treegauge_catalog::Entry;
use treegauge_core::{KeyCode, Keyed, Notation};
use treegauge_solve::{
    CodeOf, Erased, ErasedMove, Rules, RulesVisitor, Solution, SolvedFile, Valued,
};

use crate::engine::Engine;
use crate::line::{Beginning, Line, MoveNumber};
use crate::typed::rules_of;

pub use treegauge_solve::{MoveValue, SolvedFileError};

/// A solved game.
pub trait SolvedGame: Send + Sync {
    /// The position from which the game was solved.
    fn start(&self) -> Line;

    /// The value of the current position for the player to move. History plays no part.
    ///
    /// # Errors
    ///
    /// When the file lacks the position or cannot be read.
    fn value(&self, at: &Line) -> Result<Valued, SolvedFileError>;

    /// The legal moves with their values for the player that makes them, best first, moves of equal
    /// value in the order of the game.
    ///
    /// # Errors
    ///
    /// When the file lacks the position or one behind a move, or cannot be read.
    fn moves(&self, at: &Line) -> Result<Vec<MoveValue<MoveNumber>>, SolvedFileError>;
}

/// Opens the file of a solved game.
///
/// # Errors
///
/// When the file cannot be read, is damaged or is one of another game.
pub fn open_solved(
    engine: &Arc<dyn Engine>,
    path: &Path,
) -> Result<Box<dyn SolvedGame>, SolvedFileError> {
    engine.rules().visit(Open { engine, path })
}

struct Open<'a> {
    engine: &'a Arc<dyn Engine>,
    path: &'a Path,
}

impl RulesVisitor for Open<'_> {
    type Output = Result<Box<dyn SolvedGame>, SolvedFileError>;

    fn visit<K: KeyCode>(self, rules: Rules<Erased<K>>) -> Self::Output {
        let file = SolvedFile::open(self.path, rules.clone(), &self.engine.info().canonical_name)?;
        Ok(Box::new(FileGame { engine: self.engine.clone(), rules, file }))
    }
}

/// A solved game in its file.
struct FileGame<K: KeyCode> {
    engine: Arc<dyn Engine>,
    rules: Rules<Erased<K>>,
    file: SolvedFile<K>,
}

impl<K: KeyCode> SolvedGame for FileGame<K> {
    fn start(&self) -> Line {
        line_at(&self.engine, &self.rules, &self.file.start())
    }

    fn value(&self, at: &Line) -> Result<Valued, SolvedFileError> {
        self.file.value(&at.code())
    }

    fn moves(&self, at: &Line) -> Result<Vec<MoveValue<MoveNumber>>, SolvedFileError> {
        Ok(numbered(self.file.moves(&at.code())?))
    }
}

/// A solved game in memory. Every line from where it was solved can be asked about.
pub struct SolutionGame<K: KeyCode> {
    engine: Arc<dyn Engine>,
    solution: Arc<Solution<Erased<K>>>,
}

impl<K: KeyCode> SolutionGame<K> {
    /// The solution of the engine's game, which others may share.
    #[must_use]
    pub fn new(engine: Arc<dyn Engine>, solution: impl Into<Arc<Solution<Erased<K>>>>) -> Self {
        SolutionGame { engine, solution: solution.into() }
    }
}

impl<K: KeyCode> SolvedGame for SolutionGame<K> {
    fn start(&self) -> Line {
        line_at(&self.engine, self.solution.rules(), self.solution.start())
    }

    /// # Panics
    ///
    /// When no line from where the game was solved leads to the position.
    fn value(&self, at: &Line) -> Result<Valued, SolvedFileError> {
        Ok(self.solution.get(&at.code()).expect("the position can be reached"))
    }

    /// # Panics
    ///
    /// As [`SolvedGame::value`].
    fn moves(&self, at: &Line) -> Result<Vec<MoveValue<MoveNumber>>, SolvedFileError> {
        let get = |state: &K| Ok(self.solution.get(state).expect("the position can be reached"));
        treegauge_solve::move_values(self.solution.rules().game(), &at.code(), get).map(numbered)
    }
}

fn numbered<K: KeyCode>(rows: Vec<MoveValue<ErasedMove<K>>>) -> Vec<MoveValue<MoveNumber>> {
    let numbered = |row: MoveValue<ErasedMove<K>>| MoveValue {
        m: row.m.number() as MoveNumber,
        valued: row.valued,
    };
    rows.into_iter().map(numbered).collect()
}

fn line_at<K: KeyCode>(engine: &Arc<dyn Engine>, rules: &Rules<Erased<K>>, state: &K) -> Line {
    let position = Some(rules.game().position_text(state));
    let line = engine.begin(&Beginning { position, moves: Vec::new() });
    line.expect("a game reads the positions that it writes")
}

/// The file of a solved game, for an evaluator: positions are asked for by their states.
pub(crate) struct TypedSolved<G: Notation + Keyed> {
    entry: Arc<Entry<G>>,
    file: SolvedFile<CodeOf<G>>,
}

impl<G: Notation + Keyed> TypedSolved<G> {
    pub(crate) fn open(
        entry: &Arc<Entry<G>>,
        path: &Path,
        canonical_name: &str,
    ) -> Result<Self, SolvedFileError> {
        let file = SolvedFile::open(path, rules_of(entry).erase(), canonical_name)?;
        Ok(TypedSolved { entry: entry.clone(), file })
    }

    /// The value of a state for the player to move.
    pub(crate) fn value_of(&self, state: &G::State) -> Result<Valued, SolvedFileError> {
        self.file.value(&self.entry.game.key(state).code())
    }
}
