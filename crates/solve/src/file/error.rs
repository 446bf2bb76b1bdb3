//! Errors of solution files.

use std::fmt;
use std::io;
use std::path::Path;

use thiserror::Error;

use crate::error::{Halt, Interrupted, size_words};
use crate::memory::Full;

/// Part of a solution file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// Header: the game and the result.
    Header,
    /// Block of positions with this number, from 0.
    Block(usize),
    /// Index of the blocks.
    Index,
    /// Directory of the sections.
    Directory,
    /// Section with this name.
    Section(String),
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Header => f.write_str("its header"),
            Part::Block(n) => write!(f, "block {n}"),
            Part::Index => f.write_str("its index"),
            Part::Directory => f.write_str("its directory of sections"),
            Part::Section(name) => write!(f, "section `{name}`"),
        }
    }
}

/// Reason that a solution file cannot be read or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// The system reports an error.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file is not a solution file.
    #[error("this is not a solution file")]
    NotASolution,
    /// The file has another version of the format.
    #[error("the file is of format {there}; this program reads format {here}")]
    OtherVersion {
        /// Version of the file.
        there: u32,
        /// Version that this program reads.
        here: u32,
    },
    /// The file solves another game.
    #[error("the file solves `{there}`, not `{here}`")]
    OtherGame {
        /// Game of the file.
        there: String,
        /// Game that was expected.
        here: String,
    },
    /// The file was made with other rules of the game, or with other keys of its positions.
    #[error(
        "the file was made with rules of `{game}` other than those of this program, or with other keys"
    )]
    OtherRules {
        /// Name of the game.
        game: String,
    },
    /// The file was made when solutions ignored repetition and limits of quiet plies, which decide
    /// games with these rules.
    #[error(
        "the file takes all endless play of `{game}` for a draw, which its rules do not; solve the game again"
    )]
    WithoutLimits {
        /// Name of the game.
        game: String,
    },
    /// The file is shorter than its header says.
    #[error("the file is cut short: it has {found} bytes of {expected}")]
    Truncated {
        /// Bytes found.
        found: u64,
        /// Bytes expected, at least.
        expected: u64,
    },
    /// The file is longer than its header says.
    #[error("the file has {found} bytes and should have {expected}")]
    TooLong {
        /// Bytes found.
        found: u64,
        /// Bytes expected.
        expected: u64,
    },
    /// A part of the file was changed after it was written.
    #[error("the file is damaged: {0} is not as it was written")]
    Damaged(Part),
    /// The checksums are right, but a value is wrong.
    #[error("the file is wrong: the value of `{position}` does not follow from those of its moves")]
    Contradiction {
        /// Position as text.
        position: String,
    },
    /// The path to write to is a folder or a device.
    #[error("that is not a file")]
    NotAFile,
    /// Reading the file takes too much memory.
    #[error(
        "reading it takes {needed}, and {allowed} is allowed",
        needed = size_words(*needed_bytes),
        allowed = size_words(*bytes_max)
    )]
    Memory {
        /// Bytes needed, at least.
        needed_bytes: u64,
        /// Bytes allowed.
        bytes_max: u64,
    },
    /// The watch said stop.
    #[error("interrupted")]
    Interrupted,
    /// A section's name or contents are too long.
    #[error("a section has a name of 1 to 255 bytes and at most 64 MB of contents")]
    BadSection,
}

impl From<Full> for FileError {
    fn from(Full { needed_bytes, bytes_max }: Full) -> Self {
        FileError::Memory { needed_bytes, bytes_max }
    }
}

impl From<Interrupted> for FileError {
    fn from(_: Interrupted) -> Self {
        FileError::Interrupted
    }
}

impl From<Halt> for FileError {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Stopped => FileError::Interrupted,
            Halt::Full(full) => full.into(),
        }
    }
}

impl FileError {
    /// Describes the error of the file at `path` in a sentence.
    #[must_use]
    pub fn at(&self, path: &Path) -> String {
        let path = path.display();
        match self {
            FileError::OtherGame { there, here } => {
                format!("{path} solves `{there}`, not `{here}`")
            }
            FileError::Interrupted => format!("interrupted before {path} was read"),
            _ => format!("cannot read {path}: {self}"),
        }
    }
}
