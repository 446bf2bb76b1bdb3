//! Reports of solved games, as values that are written to JSON and read back.
//!
//! Each file holds one report. A report begins with its schema and its kind ([`ReportHeader`]), names its
//! units in its fields, and holds positions and moves as text, so that it can be shown without the
//! rules.

mod interest;
mod kept_interest;
mod landscape;
mod probe;
mod puzzles;
mod solve;
mod value_words;
mod verify;

pub use interest::{
    InterestAnalysis, InterestPosition, InterestReport, InterestTerms, WinsOfRemoteness,
};
pub use kept_interest::{
    KeptInterestError, KeptPositionReport, check_kept, keep_interest, kept_interest,
};
pub use landscape::LandscapeReport;
pub use probe::{ProbeReport, ProbedMove};
pub use puzzles::{
    FoundPuzzles, FromPlay, JSON_POSITIONS_MAX, OtherMove, PlayedGames, PuzzleList, PuzzleReport,
    PuzzleSolution, PuzzlesReport, QuickestSolution, SolutionMove, SolutionPosition, SolutionSide,
    SolutionSize, StreamedPositions, StreamedPuzzles, WRITTEN_POSITIONS_MAX, WrittenSolution,
    solution_positions,
};
pub use solve::{RemotenessCounts, SolveReport, SolvedMargin, SolvedStart};
pub use treegauge_core::{ReportHeader, ReportKind};
pub use value_words::value_words;
pub use verify::{ReportedMismatch, VerifyReport};

/// Rounds to 12 decimals, as reports do, to drop the rounding errors of sums: 0.01 instead of
/// 0.010000000000000009.
#[must_use]
pub fn rounded(x: f64) -> f64 {
    (x * 1e12).round() / 1e12
}
