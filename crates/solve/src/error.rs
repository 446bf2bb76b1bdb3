//! Errors of solves and of work on solutions.

use thiserror::Error;

use crate::memory::Full;

/// Reason that a game cannot be solved.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The solve takes too much memory.
    #[error(
        "solving takes {needed}, and {allowed} is allowed",
        needed = reached.whole.bytes_words(*needed_bytes),
        allowed = size_in_words(*bytes_max, f64::floor)
    )]
    Memory {
        /// Bytes needed for the next step; the whole solve may need more.
        needed_bytes: u64,
        /// Bytes allowed.
        bytes_max: u64,
        /// Progress of the solve, with an estimate of the memory for the whole.
        reached: Reached,
    },
    /// The game has more positions than allowed.
    #[error("the game has more than the {positions_max} positions allowed")]
    ManyPositions {
        /// Number of positions allowed.
        positions_max: u64,
    },
    /// Symmetry was requested, but the game has no symmetries.
    #[error("the game has no symmetries")]
    NoSymmetries,
    /// Symmetry was requested, but no symmetry keeps the start.
    #[error("every symmetry of the game moves the start, so none can be used")]
    StartMoves,
    /// A remoteness exceeds its 16 bits.
    #[error("a position is more than 65535 plies from the end")]
    TooRemote,
    /// A table has more positions than can be numbered.
    #[error("a table has more than {max} positions")]
    TooMany {
        /// Most positions of a table.
        max: u64,
    },
    /// The checkpoint was made with other rules or options.
    #[error("the checkpoint was made with other rules or options")]
    OtherCheckpoint,
    /// The checkpoint has contents that no solve of the game produces, though its checksum is
    /// right.
    #[error("the checkpoint is invalid: no solve of the game has this content")]
    BadCheckpoint,
}

/// Progress of a solve when memory did not suffice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// Number of positions found.
    pub positions: u64,
    /// Number of complete levels: tiers, or sets of positions at the same distance in plies from
    /// the start. 0 if they were not counted, for example after a resume in a game without tiers.
    pub levels: u64,
    /// Memory that the whole solve takes, if known.
    pub whole: Whole,
}

/// Knowledge about the memory that a whole solve takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Whole {
    /// Unknown, except that it is more than was used so far.
    #[default]
    Unknown,
    /// Extrapolated from the numbers of positions level by level. The estimate may be wrong by a
    /// factor of three.
    About {
        /// Expected number of positions.
        positions: u64,
        /// Bytes needed for them.
        bytes: u64,
    },
    /// All positions were found, so that the need is known exactly.
    Exactly {
        /// Bytes needed.
        bytes: u64,
    },
}

impl Whole {
    /// Bytes of the whole solve in words, or "at least" those of the next step.
    fn bytes_words(&self, needed_bytes: u64) -> String {
        match self {
            Whole::Exactly { bytes } => size_words(*bytes),
            _ => format!("at least {}", size_words(needed_bytes)),
        }
    }
}

/// Formats a size of memory with three digits, rounded up: 1 MB is 1024 KB.
#[must_use]
pub fn size_words(bytes: u64) -> String {
    size_in_words(bytes, f64::ceil)
}

fn size_in_words(bytes: u64, round: fn(f64) -> f64) -> String {
    let mut size = bytes as f64;
    if bytes == 1 {
        return "1 byte".to_owned();
    }
    let mut units = ["bytes", "KB", "MB", "GB"].into_iter();
    let mut unit = units.next().expect("there are units");
    for larger in units {
        if size < 1024.0 {
            break;
        }
        (size, unit) = (size / 1024.0, larger);
    }
    let digits = match size {
        _ if unit == "bytes" => 0,
        size if size < 10.0 => 2,
        size if size < 100.0 => 1,
        _ => 0,
    };
    let scale = 10f64.powi(digits);
    format!("{:.*} {unit}", digits as usize, round(size * scale) / scale)
}

impl SolveError {
    /// Sets the progress of a memory error; other errors stay as they are.
    pub(crate) fn at(mut self, how_far: Reached) -> Self {
        if let SolveError::Memory { reached, .. } = &mut self {
            *reached = how_far;
        }
        self
    }
}

impl From<Full> for SolveError {
    fn from(Full { needed_bytes, bytes_max }: Full) -> Self {
        SolveError::Memory { needed_bytes, bytes_max, reached: Reached::default() }
    }
}

/// The watch said stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interrupted;

/// Reason that work on a solution ended early.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WorkError {
    /// The watch said stop.
    #[error("interrupted")]
    Interrupted,
    /// The work takes, together with the solution, too much memory.
    #[error(
        "this takes at least {}, and {} is allowed",
        size_words(*needed_bytes),
        size_in_words(*bytes_max, f64::floor)
    )]
    Memory {
        /// Bytes needed to go on.
        needed_bytes: u64,
        /// Bytes allowed.
        bytes_max: u64,
    },
}

impl From<Interrupted> for WorkError {
    fn from(_: Interrupted) -> Self {
        WorkError::Interrupted
    }
}

impl From<Full> for WorkError {
    fn from(Full { needed_bytes, bytes_max }: Full) -> Self {
        WorkError::Memory { needed_bytes, bytes_max }
    }
}

/// Reason that no more children were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// The watch said stop.
    Stopped,
    /// The children of one position do not fit the memory.
    Full(Full),
}

impl From<Full> for Halt {
    fn from(full: Full) -> Self {
        Halt::Full(full)
    }
}

impl From<Halt> for WorkError {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Stopped => WorkError::Interrupted,
            Halt::Full(full) => full.into(),
        }
    }
}

/// Reason that a solve did not go on to its end.
pub(crate) enum Break {
    Stopped,
    Failed(SolveError),
}

impl From<Halt> for Break {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Stopped => Break::Stopped,
            Halt::Full(full) => full.into(),
        }
    }
}

impl From<Full> for Break {
    fn from(full: Full) -> Self {
        Break::Failed(full.into())
    }
}

impl From<SolveError> for Break {
    fn from(error: SolveError) -> Self {
        Break::Failed(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_three_digits_and_are_rounded_up() {
        let cases = [
            (0, "0 bytes"),
            (1023, "1023 bytes"),
            (1 << 20, "1.00 MB"),
            ((1 << 20) + 1, "1.01 MB"),
            (57_000_000, "54.4 MB"),
            (500 << 20, "500 MB"),
            (6 << 30, "6.00 GB"),
            (5_000 << 30, "5000 GB"),
        ];
        for (bytes, words) in cases {
            assert_eq!(size_words(bytes), words);
        }
    }

    #[test]
    fn what_is_needed_is_more_than_what_is_allowed() {
        let error = SolveError::Memory {
            needed_bytes: 2_000_001,
            bytes_max: 2_000_000,
            reached: Reached::default(),
        };
        let words = "solving takes at least 1.91 MB, and 1.90 MB is allowed";
        assert_eq!(error.to_string(), words);
    }
}
