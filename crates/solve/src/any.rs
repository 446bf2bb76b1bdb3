//! Solved games whose type of codes is hidden too, behind traits.
//!
//! [`AnySolvable`] is a game with one of four types of codes. What is here is compiled for each of them
//! in this crate, so that a program that solves, reads and rates is compiled once.

mod rules;
mod typed;

use std::any::Any;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use treegauge_core::{KeyCode, Player, Watch};

use crate::digest::Digest;
use crate::error::{SolveError, WorkError};
use crate::file::{FileError, Header};
use crate::interest::InterestOptions;
use crate::move_value::MoveValue;
use crate::probe::ProbeError;
use crate::puzzle::{PuzzleCounts, PuzzleOptions};
use crate::report::{
    InterestAnalysis, InterestPosition, InterestReport, InterestTerms, KeptInterestError,
    ProbeReport, PuzzlesReport, SolveReport, SolvedMargin, VerifyReport,
};
use crate::solver::Options;
use crate::value::{Value, Valued};

pub use rules::AnySolvable;

/// The code of a position's key, of any of the four types.
#[derive(Debug)]
pub struct AnyCode(Box<dyn Any + Send + Sync>);

impl AnyCode {
    /// Hides the type of a code.
    #[must_use]
    pub fn new<K: KeyCode>(code: K) -> AnyCode {
        AnyCode(Box::new(code))
    }

    fn get<K: KeyCode>(&self) -> K {
        *self.0.downcast_ref().expect("the code is of the type that the game's rules have")
    }
}

/// What came of a solve.
pub enum AnySolved {
    /// The value of every position is known.
    Done(Arc<dyn AnySolution>),
    /// The watch said stop.
    Stopped(Box<dyn AnyCheckpoint>),
}

/// A solve that was stopped; see [`Checkpoint`](crate::Checkpoint).
pub trait AnyCheckpoint: Send {
    /// The number of positions that were found.
    fn positions(&self) -> u64;

    /// A number that grows with the work that is kept.
    fn done(&self) -> u64;

    /// Whether a later checkpoint can keep more than this one.
    fn can_grow(&self) -> bool;

    /// Writes the checkpoint under the name of its run.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    fn write(&self, name: &str, out: &mut dyn Write) -> io::Result<()>;

    /// Continues, to the same solution as if nothing had stopped the solve.
    ///
    /// # Errors
    ///
    /// As [`resume`](crate::resume).
    fn resume(
        self: Box<Self>,
        options: Options,
        watch: &dyn Watch,
    ) -> Result<AnySolved, SolveError>;
}

/// A solved game, in memory or in its file, asked about single positions.
pub trait AnyValues: Send + Sync {
    /// The position from which the game was solved, as text.
    fn start_text(&self) -> String;

    /// The number of positions whose value the history decides.
    fn undecided(&self) -> u64;

    /// Checks that perfect play is known.
    ///
    /// # Errors
    ///
    /// When the history decides positions, a limit of plies may stop a game before the end of best play,
    /// or the file cannot be read.
    fn known_throughout(&self) -> Result<(), ProbeError>;

    /// The value of a position for the player to move.
    ///
    /// # Errors
    ///
    /// When no line leads to the position, or the file cannot be read.
    fn value(&self, at: &AnyCode) -> Result<Valued, ProbeError>;

    /// The legal moves with their values, best first, moves of equal value in the order of the game.
    ///
    /// # Errors
    ///
    /// As [`AnyValues::value`], and when a file lacks a position that a move leads to.
    fn moves(&self, at: &AnyCode) -> Result<Vec<MoveValue>, ProbeError>;
}

/// A solved game in memory; see [`Solution`](crate::Solution).
pub trait AnySolution: AnyValues {
    /// The number of stored positions.
    fn len(&self) -> usize;

    /// Never: the start is stored.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of the start where its history decides it; see
    /// [`Solution::start_by_history`](crate::Solution::start_by_history).
    fn start_by_history(&self) -> Option<Value>;

    /// The digest of the solution; nothing when `watch` says stop. See
    /// [`Solution::digest`](crate::Solution::digest).
    fn digest(&self, memory_bytes_max: Option<u64>, watch: &dyn Watch) -> Option<Digest>;

    /// What the solve found, and the length of the file that it was written to.
    fn report(&self, game: String, digest: Digest, file_bytes: Option<u64>) -> SolveReport;

    /// The solve that led here, which solves the game again at once; nothing where something else
    /// shares the solution.
    fn into_checkpoint(self: Arc<Self>) -> Option<Box<dyn AnyCheckpoint>>;

    /// The margin of the start when both play for the largest; nothing where there is none, see
    /// [`Solution::start_margin`](crate::Solution::start_margin).
    fn margin(&self, memory_bytes_max: Option<u64>, watch: &dyn Watch) -> Option<SolvedMargin>;

    /// Writes the file of the solution, which appears whole or not at all.
    ///
    /// # Errors
    ///
    /// When it cannot be written, or `watch` says stop. What was there before is then still there.
    fn write(
        &self,
        path: &Path,
        canonical_name: &str,
        memory_bytes_max: Option<u64>,
        watch: &dyn Watch,
    ) -> Result<Header, FileError>;

    /// Rates every position.
    ///
    /// # Errors
    ///
    /// When it takes more than `memory_bytes_max` with the solution, or `watch` says stop.
    fn rate(
        self: Arc<Self>,
        options: InterestOptions,
        memory_bytes_max: Option<u64>,
        watch: &dyn Watch,
    ) -> Result<Arc<dyn AnyRated>, WorkError>;
}

/// The positions of a solution with their interestingness; see [`Interest`](crate::Interest).
pub trait AnyRated: Send + Sync {
    /// The report of all ratings.
    fn report(&self, game: String) -> InterestReport;

    /// All positions that can be reached in ascending order of their keys, which is the same
    /// whether or not the solution is reduced.
    ///
    /// # Errors
    ///
    /// When their keys take more memory than is left of what the ratings may take.
    fn sorted(&self) -> Result<Box<dyn RatedRows + '_>, WorkError>;

    /// The most interesting wins of each remoteness; nothing when `watch` says stop.
    fn puzzles(
        &self,
        game: String,
        asked: PuzzleOptions,
        watch: &dyn Watch,
    ) -> Option<Box<dyn AnyPuzzles>>;
}

/// Rated positions in a fixed order, made when they are asked for.
pub trait RatedRows: Sync {
    /// The number of positions.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Some of them.
    ///
    /// # Panics
    ///
    /// When the range ends after [`RatedRows::len`].
    fn rows(&self, range: Range<usize>) -> Vec<RatedRow>;
}

/// A rated position.
#[derive(Clone, Debug)]
pub struct RatedRow {
    /// The position as text.
    pub position: String,
    /// Its value for the player to move.
    pub valued: Valued,
    /// Its interestingness, in \[0, 1\], rounded as reports have it.
    pub interestingness: f64,
    /// What the interestingness is made of; nothing where it is set by rule.
    pub terms: Option<InterestTerms>,
}

/// Puzzles that were found in a solution. Their solutions are made when a report asks for them.
pub trait AnyPuzzles: Send + Sync {
    /// The number of puzzles.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The wins of each remoteness, and what became of them.
    fn counts(&self) -> &[PuzzleCounts];

    /// The puzzle at a place, from 0.
    fn task(&self, n: usize) -> Option<PuzzleTask>;

    /// The report of which text and sheets are made; nothing when `watch`, which is asked
    /// before each puzzle, says stop.
    fn report(&self, watch: &dyn Watch) -> Option<PuzzlesReport>;

    /// The report as JSON, with the solutions that follow all quickest wins, which may be long.
    ///
    /// # Errors
    ///
    /// When `watch` says stop.
    fn json(&self, watch: &dyn Watch) -> serde_json::Result<String>;
}

/// A puzzle without its solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleTask {
    /// The position as text.
    pub position: String,
    /// The player to move, who wins.
    pub turn: Player,
    /// Plies to the end with best play.
    pub remoteness: u16,
    /// The winner's moves among them.
    pub mate_in: u32,
}

/// The file of a solved game; see [`SolutionFile`](crate::file::SolutionFile).
pub trait AnySolvedFile: AnyValues {
    /// Where the file is.
    fn path(&self) -> &Path;

    /// The names of the sections that were added to the file.
    fn section_names(&self) -> Vec<String>;

    /// The report of a position and its moves.
    ///
    /// # Errors
    ///
    /// As [`AnyValues::moves`].
    fn probe(&self, game: String, at: &AnyCode) -> Result<ProbeReport, ProbeError>;

    /// Checks every position against the rules; see [`verify`](crate::verify::verify()).
    ///
    /// # Errors
    ///
    /// Those of [`verify`](crate::verify::verify()).
    fn verify(
        &self,
        game: String,
        memory_bytes_max: Option<u64>,
        watch: &dyn Watch,
    ) -> Result<VerifyReport, FileError>;

    /// Reads the whole solution into memory; see
    /// [`SolutionFile::load`](crate::file::SolutionFile::load).
    ///
    /// # Errors
    ///
    /// Those of [`SolutionFile::load`](crate::file::SolutionFile::load).
    fn load(
        &self,
        memory_bytes_max: Option<u64>,
        watch: &dyn Watch,
    ) -> Result<Arc<dyn AnySolution>, FileError>;

    /// The analysis of interestingness that the file keeps.
    ///
    /// # Errors
    ///
    /// When it keeps none of use, or cannot be read.
    fn kept_interest(&self) -> Result<InterestAnalysis, KeptInterestError>;

    /// Checks that a position of the kept analysis is one of the file, with the value that the
    /// analysis has.
    ///
    /// # Errors
    ///
    /// When it is not, or the file cannot be read.
    fn check_kept(&self, position: &InterestPosition) -> Result<(), KeptInterestError>;
}
