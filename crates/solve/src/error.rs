//! Why a solve ends without a solution.

use thiserror::Error;

/// Why a game cannot be solved.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// It takes too much memory.
    #[error(
        "solving takes {bytes}, and {bytes_max} are allowed",
        bytes = reached.whole.bytes_words(*needed_bytes)
    )]
    Memory {
        /// The bytes that are needed to go on; the whole may need more.
        needed_bytes: u64,
        /// The bytes that are allowed.
        bytes_max: u64,
        /// The progress of the solve, which shows more of the whole.
        reached: Reached,
    },
    /// Symmetry was asked for and there is none.
    #[error("the game has no symmetries")]
    NoSymmetries,
    /// Symmetry was requested, but none keeps the start.
    #[error("every symmetry of the game moves the start, so none can be used")]
    StartMoves,
    /// Remoteness does not fit its 16 bits.
    #[error("a position is more than 65535 plies from the end")]
    TooRemote,
    /// There are more positions than can be numbered.
    #[error("there are more than {max} positions in a table")]
    TooMany {
        /// The most that a table can have.
        max: u64,
    },
    /// The checkpoint was made with other rules or options.
    #[error("the checkpoint was made with other rules or options")]
    OtherCheckpoint,
}

/// How far a solve was when memory did not suffice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// The positions that were found.
    pub positions: u64,
    /// The levels of which all moves were made: tiers, or positions by their plies from the start.
    /// 0 when they were not counted, for example before a checkpoint of a game without tiers.
    pub levels: u64,
    /// What is known of the memory that the whole solve takes.
    pub whole: Whole,
}

/// What is known of the memory that a whole solve takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Whole {
    /// Unknown, except that it is more than was used so far.
    #[default]
    Unknown,
    /// An estimate from the numbers of positions level by level, which may be wrong by a factor of
    /// three.
    About {
        /// The positions that there will be.
        positions: u64,
        /// The bytes that are needed for them.
        bytes: u64,
    },
    /// All positions were found, so that the rest is known.
    Exactly {
        /// The bytes that are needed.
        bytes: u64,
    },
}

impl Whole {
    /// The bytes that the whole takes, or `at least` those that are needed to go on.
    fn bytes_words(&self, needed_bytes: u64) -> String {
        match self {
            Whole::Exactly { bytes } => format!("{bytes} bytes"),
            _ => format!("at least {needed_bytes} bytes"),
        }
    }
}

impl SolveError {
    /// The same, and how far the solve was.
    pub(crate) fn at(mut self, how_far: Reached) -> Self {
        if let SolveError::Memory { reached, .. } = &mut self {
            *reached = how_far;
        }
        self
    }
}

/// Why a solve did not go on to its end.
pub(crate) enum Break {
    Stopped,
    Failed(SolveError),
}

impl From<SolveError> for Break {
    fn from(error: SolveError) -> Self {
        Break::Failed(error)
    }
}
