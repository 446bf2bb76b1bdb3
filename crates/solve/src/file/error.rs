//! The errors of solution files.

use std::fmt;
use std::io;
use std::path::Path;

use thiserror::Error;

use crate::error::{Halt, Interrupted, size_words};
use crate::memory::Full;

/// A part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// What was solved.
    Header,
    /// Positions, by the number of the block from 0.
    Block(usize),
    /// Where blocks begin.
    Index,
    /// Where sections begin.
    Directory,
    /// A section, by its name.
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

/// Why a solution file cannot be read or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// The system reports an error.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It is not a solution file.
    #[error("this is not a solution file")]
    NotASolution,
    /// Another version of the program wrote it.
    #[error("the file is of format {there}; this program reads format {here}")]
    OtherVersion {
        /// The version of the file.
        there: u32,
        /// The version that is read.
        here: u32,
    },
    /// It solves another game.
    #[error("the file solves `{there}`, not `{here}`")]
    OtherGame {
        /// The game of the file.
        there: String,
        /// The game that was expected.
        here: String,
    },
    /// It was made with other rules of the game, or with other keys of its positions.
    #[error(
        "the file was made with rules of `{game}` other than those of this program, or with other keys"
    )]
    OtherRules {
        /// The game.
        game: String,
    },
    /// It was made when solutions left out repetition and limits of quiet plies, which decide games
    /// of these rules.
    #[error(
        "the file takes all endless play of `{game}` for a draw, which its rules do not; solve the game again"
    )]
    WithoutLimits {
        /// The game.
        game: String,
    },
    /// It is shorter than it says.
    #[error("the file is cut short: it has {found} bytes of {expected}")]
    Truncated {
        /// The bytes that there are.
        found: u64,
        /// The bytes that there should be, at least.
        expected: u64,
    },
    /// It is longer than it says.
    #[error("the file has {found} bytes and should have {expected}")]
    TooLong {
        /// The bytes that there are.
        found: u64,
        /// The bytes that there should be.
        expected: u64,
    },
    /// A part is not what was once written.
    #[error("the file is damaged: {0} is not as it was written")]
    Damaged(Part),
    /// Its checksums are right and its values are not.
    #[error("the file is wrong: the value of `{position}` does not follow from those of its moves")]
    Contradiction {
        /// The position as text.
        position: String,
    },
    /// The place to write to is a folder or a device.
    #[error("that is not a file")]
    NotAFile,
    /// It takes too much memory to read.
    #[error(
        "reading it takes {needed}, and {allowed} is allowed",
        needed = size_words(*needed_bytes),
        allowed = size_words(*bytes_max)
    )]
    Memory {
        /// The bytes that are needed, at least.
        needed_bytes: u64,
        /// The bytes that are allowed.
        bytes_max: u64,
    },
    /// The watch said stop.
    #[error("interrupted")]
    Interrupted,
    /// A section's name is too long, or its contents are.
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
    /// What is wrong with the file at `path`, in a sentence.
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
