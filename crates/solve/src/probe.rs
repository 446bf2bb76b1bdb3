//! Look-up of positions of a solved game and their moves.

use std::path::{Path, PathBuf};

use thiserror::Error;
use treegauge_core::KeyCode;

use crate::counts::Counts;
use crate::file::{FileError, SolutionFile};
use crate::limit::PlyLimit;
use crate::move_value::{MoveValue, move_values};
use crate::rules::Solvable;
use crate::solution::Solution;
use crate::value::ExactValue;

/// Reason that a solved game does not give the value of a position.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// The file cannot be read, is damaged, or belongs to another game.
    #[error("{}", source.at(path))]
    File {
        /// Path of the file.
        path: PathBuf,
        /// Error of the file.
        source: FileError,
    },
    /// The position cannot be reached from the start of the solved file.
    #[error("`{position}` is not in {}: no line from `{start}` leads there", path.display())]
    MissingPosition {
        /// Path of the file.
        path: PathBuf,
        /// Position as text.
        position: String,
        /// Start of the solution, as text.
        start: String,
    },
    /// The position cannot be reached from the start of the solution in memory.
    #[error("`{position}` is not in the solution: no line from `{start}` leads there")]
    Unreached {
        /// Position as text.
        position: String,
        /// Start of the solution, as text.
        start: String,
    },
    /// Perfect play is not known, since the value of some positions depends on the history.
    #[error(
        "perfect play is not known: the value of {positions} positions of the solution depends on \
         repetition or quiet plies, and so on the moves before"
    )]
    Undecided {
        /// Number of positions whose value is not known.
        positions: u64,
    },
    /// Perfect play is not known, since a limit of plies may come before the end of best play.
    #[error(
        "perfect play is not known: {}, and the rules stop it after {limit}",
        end_words(*remoteness)
    )]
    Limited {
        /// Plies from the start to the end; `None` for endless play.
        remoteness: Option<u16>,
        /// The limit that comes first.
        limit: PlyLimit,
    },
    /// The file is wrong: it holds the position, but lacks one that a move leads to.
    #[error("{} is wrong: it lacks a position that a move leads to", path.display())]
    LacksChild {
        /// Path of the file.
        path: PathBuf,
    },
}

fn end_words(remoteness: Option<u16>) -> String {
    match remoteness {
        Some(plies) => format!("the solution has an end of the game after {plies} plies"),
        None => "in the solution a player wins by endless play".to_owned(),
    }
}

/// Look-up in a solved game, in memory or in its file.
pub(crate) trait LookUp: Send + Sync {
    /// Type of the codes of positions.
    type Code: KeyCode;

    fn rules(&self) -> &Solvable<Self::Code>;

    /// Position from which all others are reached.
    fn start(&self) -> Self::Code;

    /// Counts of all reachable positions by value, symmetry not reduced.
    fn reachable(&self) -> Counts;

    /// Value of a position for the player to move; `None` if it cannot be reached from the start.
    fn find(&self, state: Self::Code) -> Result<Option<ExactValue>, ProbeError>;

    /// Path of the file; `None` for a solution in memory.
    fn path(&self) -> Option<&Path>;

    /// Value of a position for the player to move.
    fn value(&self, state: Self::Code) -> Result<ExactValue, ProbeError> {
        self.find(state)?.ok_or_else(|| {
            let [position, start] =
                [state, self.start()].map(|state| self.rules().position_text(state));
            match self.path().map(Path::to_owned) {
                Some(path) => ProbeError::MissingPosition { path, position, start },
                None => ProbeError::Unreached { position, start },
            }
        })
    }

    /// Moves of a position with their values, best first.
    fn moves(&self, state: Self::Code) -> Result<Vec<MoveValue>, ProbeError> {
        self.value(state)?;
        move_values(self.rules(), state, |child| match (self.find(child)?, self.path()) {
            (None, Some(path)) => Err(ProbeError::LacksChild { path: path.to_owned() }),
            (None, None) => self.value(child),
            (Some(valued), _) => Ok(valued),
        })
    }

    /// Number of positions whose value depends on the history.
    fn undecided(&self) -> u64 {
        self.rules().endless().undecided(&self.reachable())
    }

    /// Checks that perfect play is known: no value may depend on the history, and no limit of plies
    /// may come before the end of best play from the start.
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

    fn find(&self, state: K) -> Result<Option<ExactValue>, ProbeError> {
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

    fn find(&self, state: K) -> Result<Option<ExactValue>, ProbeError> {
        let file = |source| ProbeError::File { path: self.path().to_owned(), source };
        self.get(state).map_err(file)
    }

    fn path(&self) -> Option<&Path> {
        Some(self.path())
    }
}
