//! Looking up positions of a solved game and their moves.

use std::path::{Path, PathBuf};

use thiserror::Error;
use treegauge_core::KeyCode;

use crate::counts::Counts;
use crate::file::{FileError, SolutionFile};
use crate::limit::PlyLimit;
use crate::move_value::{MoveValue, move_values};
use crate::rules::Solvable;
use crate::solution::Solution;
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

/// A solved game, in memory or in its file.
pub(crate) trait LookUp: Send + Sync {
    /// The codes of positions.
    type Code: KeyCode;

    fn rules(&self) -> &Solvable<Self::Code>;

    /// The position from which all others are reached.
    fn start(&self) -> Self::Code;

    /// All reachable positions by value, symmetry not reduced.
    fn reachable(&self) -> Counts;

    /// The value of a position for the player to move; `None` when no line leads there.
    fn find(&self, state: Self::Code) -> Result<Option<Valued>, ProbeError>;

    /// The file.
    fn path(&self) -> Option<&Path>;

    /// The value of a position for the player to move.
    fn value(&self, state: Self::Code) -> Result<Valued, ProbeError> {
        self.find(state)?.ok_or_else(|| {
            let [position, start] =
                [state, self.start()].map(|state| self.rules().position_text(state));
            match self.path().map(Path::to_owned) {
                Some(path) => ProbeError::MissingPosition { path, position, start },
                None => ProbeError::Unreached { position, start },
            }
        })
    }

    /// The moves of a position with their values, best first.
    fn moves(&self, state: Self::Code) -> Result<Vec<MoveValue>, ProbeError> {
        self.value(state)?;
        move_values(self.rules(), state, |child| match (self.find(child)?, self.path()) {
            (None, Some(path)) => Err(ProbeError::LacksChild { path: path.to_owned() }),
            (None, None) => self.value(child),
            (Some(valued), _) => Ok(valued),
        })
    }

    /// The number of positions whose value the history decides.
    fn undecided(&self) -> u64 {
        self.rules().endless().undecided(&self.reachable())
    }

    /// Refuses a solved game that leaves positions to the history, or whose start has an end that a
    /// limit of plies may prevent: perfect play is not known there.
    fn known_throughout(&self) -> Result<(), ProbeError> {
        let positions = self.undecided();
        if positions > 0 {
            return Err(ProbeError::Undecided { positions });
        }
        let valued = self.value(self.start())?;
        match PlyLimit::before(self.rules(), valued, self.reachable().total()) {
            Some(limit) => Err(ProbeError::Limited { remoteness: valued.plies(), limit }),
            None => Ok(()),
        }
    }
}

impl<K: KeyCode> LookUp for Solution<K> {
    type Code = K;

    fn rules(&self) -> &Solvable<K> {
        self.rules()
    }

    fn start(&self) -> K {
        self.start()
    }

    fn reachable(&self) -> Counts {
        self.reachable()
    }

    fn find(&self, state: K) -> Result<Option<Valued>, ProbeError> {
        Ok(self.get(state))
    }

    fn path(&self) -> Option<&Path> {
        None
    }
}

impl<K: KeyCode> LookUp for SolutionFile<K> {
    type Code = K;

    fn rules(&self) -> &Solvable<K> {
        self.rules()
    }

    fn start(&self) -> K {
        self.start()
    }

    fn reachable(&self) -> Counts {
        self.header().reachable
    }

    fn find(&self, state: K) -> Result<Option<Valued>, ProbeError> {
        let file = |source| ProbeError::File { path: self.path().to_owned(), source };
        self.get(state).map_err(file)
    }

    fn path(&self) -> Option<&Path> {
        Some(self.path())
    }
}
