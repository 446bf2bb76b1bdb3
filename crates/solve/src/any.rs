//! Traits of solved games that hide the type of the codes.
//!
//! [`AnySolvable`] is a game with one of four types of codes. The implementations are compiled for
//! each of them in this crate, so that a program that solves, reads and rates is compiled once.

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
use crate::file::{FileError, Header, Landscape, Wanted};
use crate::interest::InterestOptions;
use crate::move_value::MoveValue;
use crate::probe::ProbeError;
use crate::puzzle::{PuzzleCounts, PuzzleOptions};
use crate::report::{
    InterestAnalysis, InterestPosition, InterestReport, InterestTerms, KeptInterestError,
    PlayedGames, ProbeReport, PuzzlesReport, SolveReport, SolvedMargin, VerifyReport,
};
use crate::solver::Options;
use crate::value::{ExactValue, Value};

pub use rules::AnySolvable;

/// Code of a position's key, of any of the four types.
#[derive(Debug)]
pub struct AnyCode(Box<dyn Any + Send + Sync>);

impl AnyCode {
    /// Wraps a code.
    #[must_use]
    pub fn new<K: KeyCode>(code: K) -> AnyCode {
        AnyCode(Box::new(code))
    }

    fn get<K: KeyCode>(&self) -> K {
        *self.0.downcast_ref().expect("the code is of the type that the game's rules have")
    }
}

/// Result of a solve.
pub enum AnySolved {
    /// All positions are valued.
    Done(Arc<dyn AnySolution>),
    /// The watch said stop; the checkpoint continues from here.
    Stopped(Box<dyn AnyCheckpoint>),
}

/// Stopped solve; see [`Checkpoint`](crate::Checkpoint).
pub trait AnyCheckpoint: Send {
    /// Number of positions found so far.
    fn positions(&self) -> u64;

    /// Amount of work kept, as in [`Checkpoint::done`](crate::Checkpoint::done): a count that only
    /// grows.
    fn done(&self) -> u64;

    /// Returns whether a later checkpoint of the same solve can keep more work.
    fn can_grow(&self) -> bool;

    /// Writes the checkpoint of the run `name`.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    fn write(&self, name: &str, out: &mut dyn Write) -> io::Result<()>;

    /// Resumes the solve. The solution is the same as that of a solve that was never stopped.
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

/// Solved game, in memory or in its file, that values single positions.
pub trait AnyValues: Send + Sync {
    /// Position from which the game was solved, as text.
    fn start_text(&self) -> String;

    /// Number of positions whose value depends on the history of play.
    fn undecided(&self) -> u64;

    /// Checks that perfect play is known from every position.
    ///
    /// # Errors
    ///
    /// When the value of some positions depends on the history, when a limit of plies may stop a
    /// game before the end of best play, or when the file cannot be read.
    fn known_throughout(&self) -> Result<(), ProbeError>;

    /// Value of a position for the player to move.
    ///
    /// # Errors
    ///
    /// When the position cannot be reached from the start, or the file cannot be read.
    fn value(&self, at: &AnyCode) -> Result<ExactValue, ProbeError>;

    /// Returns the legal moves with their values, best first; moves of equal value keep the order
    /// of the game.
    ///
    /// # Errors
    ///
    /// As [`AnyValues::value`], and when a file lacks a position that a move leads to.
    fn moves(&self, at: &AnyCode) -> Result<Vec<MoveValue>, ProbeError>;
}

/// Solved game in memory; see [`Solution`](crate::Solution).
pub trait AnySolution: AnyValues {
    /// Number of stored positions.
    fn len(&self) -> usize;

    /// Always false: the start is stored.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Value of the start if it depends on the history; see
    /// [`Solution::start_by_history`](crate::Solution::start_by_history).
    fn start_by_history(&self) -> Option<Value>;

    /// Computes the digest of the solution; `None` if `watch` says stop. See
    /// [`Solution::digest`](crate::Solution::digest).
    fn digest(&self, memory_bytes_max: Option<u64>, watch: &dyn Watch) -> Option<Digest>;

    /// Report of the solve. `file_bytes` is the length of the file that the solution was written
    /// to.
    fn report(&self, game: String, digest: Digest, file_bytes: Option<u64>) -> SolveReport;

    /// Turns the solution back into a checkpoint that can be resumed at once; `None` if the
    /// solution is shared.
    fn into_checkpoint(self: Arc<Self>) -> Option<Box<dyn AnyCheckpoint>>;

    /// Margin of the start when both players play for the largest margin; `None` if it cannot be
    /// found, see [`Solution::start_margin`](crate::Solution::start_margin).
    fn margin(&self, memory_bytes_max: Option<u64>, watch: &dyn Watch) -> Option<SolvedMargin>;

    /// Writes the file of the solution. The file appears whole or not at all.
    ///
    /// # Errors
    ///
    /// When it cannot be written, or `watch` says stop. A file that was at `path` before is then
    /// unchanged.
    fn write(
        &self,
        path: &Path,
        name: &str,
        memory_bytes_max: Option<u64>,
        watch: &dyn Watch,
    ) -> Result<Header, FileError>;

    /// Computes the interestingness of every position.
    ///
    /// # Errors
    ///
    /// When this takes, together with the solution, more than `memory_bytes_max`, or `watch` says
    /// stop.
    fn rate(
        self: Arc<Self>,
        options: InterestOptions,
        memory_bytes_max: Option<u64>,
        watch: &dyn Watch,
    ) -> Result<Arc<dyn AnyRated>, WorkError>;
}

/// Forced wins of a game that is not solved; see [`ForcedWins`](crate::ForcedWins).
pub trait AnyForcedWins: Send + Sync {
    /// Values of the positions of the proof of a win; `None` if the position is not a won one of those
    /// tried. A tie says that a move does not win as quickly as another.
    fn values(&self, at: &AnyCode) -> Option<Arc<dyn AnyValues>>;

    /// Picks the most interesting wins of each remoteness. The interestingness always averages over the
    /// quickest wins only ([`LoseChildren::Fastest`](crate::LoseChildren::Fastest)): the proofs do not
    /// have all positions after slower ones. `played` are the games that the positions come from.
    ///
    /// # Errors
    ///
    /// When this takes, together with the proofs, more than `memory_bytes_max`, or `watch` says stop.
    fn puzzles(
        &self,
        game: String,
        choices: InterestOptions,
        asked: PuzzleOptions,
        played: PlayedGames,
        memory_bytes_max: Option<u64>,
        watch: &dyn Watch,
    ) -> Result<Box<dyn AnyPuzzles>, WorkError>;
}

/// Positions of a solution with their interestingness; see [`Interest`](crate::Interest).
pub trait AnyRated: Send + Sync {
    /// Report of the ratings of all positions.
    fn report(&self, game: String) -> InterestReport;

    /// Returns all reachable positions in ascending order of their keys. The order does not depend
    /// on whether the solution is reduced by symmetry.
    ///
    /// # Errors
    ///
    /// When the list of keys exceeds the memory that is left for the ratings.
    fn sorted(&self) -> Result<Box<dyn RatedRows + '_>, WorkError>;

    /// Picks the most interesting wins of each remoteness; `None` if `watch` says stop.
    fn puzzles(
        &self,
        game: String,
        asked: PuzzleOptions,
        watch: &dyn Watch,
    ) -> Option<Box<dyn AnyPuzzles>>;
}

/// Rated positions in a fixed order, computed on request.
pub trait RatedRows: Sync {
    /// Number of positions.
    fn len(&self) -> usize;

    /// Returns whether the list is empty.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the positions with these numbers.
    ///
    /// # Panics
    ///
    /// When the range ends after [`RatedRows::len`].
    fn rows(&self, range: Range<usize>) -> Vec<RatedRow>;
}

/// One rated position.
#[derive(Clone, Debug)]
pub struct RatedRow {
    /// Position as text.
    pub position: String,
    /// Value for the player to move.
    pub valued: ExactValue,
    /// Interestingness in \[0, 1\], rounded to 12 decimals as in reports.
    pub interestingness: f64,
    /// Terms of the interestingness; `None` if a rule sets it.
    pub terms: Option<InterestTerms>,
}

/// Puzzles found in a solution. Their solutions are computed when a report asks for them.
pub trait AnyPuzzles: Send + Sync {
    /// Number of puzzles.
    fn len(&self) -> usize;

    /// Returns whether the list is empty.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Counts per remoteness: the wins, and the reasons for which wins were left out.
    fn counts(&self) -> &[PuzzleCounts];

    /// Puzzle `n`, counted from 0; `None` if `n` is too large.
    fn task(&self, n: usize) -> Option<PuzzleTask>;

    /// Report for text and tables, without the long solutions. Asks `watch` before each puzzle;
    /// `None` if it says stop.
    fn report(&self, watch: &dyn Watch) -> Option<PuzzlesReport>;

    /// Report as JSON, with the solutions that follow all quickest wins, which may be long.
    ///
    /// # Errors
    ///
    /// When `watch` says stop.
    fn json(&self, watch: &dyn Watch) -> serde_json::Result<String>;
}

/// Puzzle without its solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleTask {
    /// Position as text.
    pub position: String,
    /// Player to move, who wins.
    pub turn: Player,
    /// Plies to the end with best play.
    pub remoteness: u16,
    /// Number of those plies that the winner makes.
    pub mate_in: u32,
}

/// File of a solved game; see [`SolutionFile`](crate::file::SolutionFile).
pub trait AnySolvedFile: AnyValues {
    /// Path of the file.
    fn path(&self) -> &Path;

    /// Header of the file.
    fn header(&self) -> &Header;

    /// Counts further positions; see [`SolutionFile::count`](crate::file::SolutionFile::count).
    ///
    /// # Errors
    ///
    /// Those of [`SolutionFile::count`](crate::file::SolutionFile::count).
    fn count(&self, landscape: &mut Landscape, watch: &dyn Watch) -> Result<bool, FileError>;

    /// Finds a position and returns its text; see
    /// [`SolutionFile::find`](crate::file::SolutionFile::find).
    ///
    /// # Errors
    ///
    /// Those of [`SolutionFile::find`](crate::file::SolutionFile::find).
    fn find(
        &self,
        wanted: &Wanted,
        seed: u64,
        watch: &dyn Watch,
    ) -> Result<Option<String>, FileError>;

    /// Names of the sections that were added to the file.
    fn section_names(&self) -> Vec<String>;

    /// Reports a position and its moves.
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

    /// Reads the analysis of interestingness that is stored in the file.
    ///
    /// # Errors
    ///
    /// When the file has no readable analysis, or cannot be read.
    fn kept_interest(&self) -> Result<InterestAnalysis, KeptInterestError>;

    /// Checks that the file holds a position of the stored analysis with the same value.
    ///
    /// # Errors
    ///
    /// When it does not, or the file cannot be read.
    fn check_kept(&self, position: &InterestPosition) -> Result<(), KeptInterestError>;
}
