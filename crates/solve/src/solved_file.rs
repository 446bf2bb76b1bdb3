//! The file of a solved game, open for look-ups.

use std::path::{Path, PathBuf};

use thiserror::Error;
use treegauge_core::{KeyCode, Notation};

use crate::endless::Endless;
use crate::erased::{Erased, ErasedMove};
use crate::file::{FileError, SolutionFile};
use crate::limit::PlyLimit;
use crate::move_value::{MoveValues, move_values};
use crate::rules::Solvable;
use crate::value::Valued;

/// Why a solved game does not give the value of a position.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// The file cannot be read, is damaged, or is of another game.
    #[error("{}", source.at(path))]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: FileError,
    },
    /// The position cannot be reached from the one that was solved.
    #[error("`{position}` is not in {}: no line from `{start}` leads there", path.display())]
    MissingPosition {
        /// The file.
        path: PathBuf,
        /// The position as text.
        position: String,
        /// The position that was solved, as text.
        start: String,
    },
    /// The position cannot be reached from the one that was solved in memory.
    #[error("`{position}` is not in the solution: no line from `{start}` leads there")]
    Unreached {
        /// The position as text.
        position: String,
        /// The position that was solved, as text.
        start: String,
    },
    /// Perfect play is not known, since the history decides some positions.
    #[error(
        "perfect play is not known: the value of {positions} positions of the solution depends on \
         repetition or quiet plies, and so on the moves before"
    )]
    Undecided {
        /// The positions whose value is not known.
        positions: u64,
    },
    /// Perfect play is not known, since a limit of plies comes before the end of the values.
    #[error(
        "perfect play is not known: {}, and the rules stop it after {limit}",
        end_words(*remoteness)
    )]
    Limited {
        /// The plies from the start to the end; `None` for endless play.
        remoteness: Option<u16>,
        /// The limit.
        limit: PlyLimit,
    },
    /// The position is there, and one that a move of it leads to is not: the file is wrong.
    #[error("{} is wrong: it lacks a position that a move leads to", path.display())]
    LacksChild {
        /// The file.
        path: PathBuf,
    },
}

fn end_words(remoteness: Option<u16>) -> String {
    match remoteness {
        Some(plies) => format!("the solution has an end of the game after {plies} plies"),
        None => "in the solution a player wins by endless play".to_owned(),
    }
}

/// The file of a solved game, which knows its path and looks up positions and moves.
#[derive(Debug)]
pub struct SolvedFile<K: KeyCode> {
    path: PathBuf,
    file: SolutionFile<Erased<K>>,
}

impl<K: KeyCode> SolvedFile<K> {
    /// Opens the file of a game, by the game's canonical name.
    ///
    /// # Errors
    ///
    /// When it cannot be read, is damaged, or is of another game or other rules.
    pub fn open(
        path: &Path,
        rules: Solvable<Erased<K>>,
        canonical: &str,
    ) -> Result<SolvedFile<K>, ProbeError> {
        let path = path.to_owned();
        match SolutionFile::open(&path, rules, canonical) {
            Ok(file) => Ok(SolvedFile { path, file }),
            Err(source) => Err(ProbeError::File { path, source }),
        }
    }

    /// Where the file is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file itself.
    #[must_use]
    pub fn file(&self) -> &SolutionFile<Erased<K>> {
        &self.file
    }

    /// The position from which all others of the file are reached.
    #[must_use]
    pub fn start(&self) -> K {
        *self.file.start()
    }

    /// The number of positions that can be reached, symmetry not reduced.
    #[must_use]
    pub fn reachable_positions(&self) -> u64 {
        self.file.header().reachable.total()
    }

    /// The number of positions whose value the history decides.
    #[must_use]
    pub fn undecided(&self) -> u64 {
        Endless::of(self.file.rules()).undecided(&self.file.header().reachable)
    }

    /// The value of a position for the player to move.
    ///
    /// # Errors
    ///
    /// When the position is not in the file, or the file cannot be read.
    pub fn value(&self, state: &K) -> Result<Valued, ProbeError> {
        self.get(state)?.ok_or_else(|| ProbeError::MissingPosition {
            path: self.path.clone(),
            position: self.file.rules().game().position_text(state),
            start: self.file.header().start.clone(),
        })
    }

    /// The moves of a position with their values, best first.
    ///
    /// # Errors
    ///
    /// When the position or one that a move leads to is not in the file, or the file cannot be
    /// read.
    pub fn moves(&self, state: &K) -> Result<MoveValues<ErasedMove<K>>, ProbeError> {
        self.value(state)?;
        let endless = Endless::of(self.file.rules());
        move_values(self.file.rules().game(), state, endless, |child| {
            let path = || self.path.clone();
            self.get(child)?.ok_or_else(|| ProbeError::LacksChild { path: path() })
        })
    }

    fn get(&self, state: &K) -> Result<Option<Valued>, ProbeError> {
        let file = |source| ProbeError::File { path: self.path.clone(), source };
        self.file.get(state).map_err(file)
    }
}
