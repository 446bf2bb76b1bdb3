//! Difficulty of problems for people, from the attributes of their meaningful trees.
//!
//! [`RatedProblems`] is a table of problems that people solved, with their ratings. [`RatingModel`]
//! learns from it to predict the ratings of other problems, with intervals from held-out problems,
//! and gives reasons. [`DifficultyEvaluation`] measures how well attributes and learners predict
//! ratings (Stoiljkovikj 2015, section 2.6). For games without ratings, a [`GameSource`] yields the
//! attributes alone.

mod attribute_sets;
mod claims;
mod evaluate;
mod evidence;
mod line_source;
mod model;
mod predictor;
mod reasons;
mod report;
mod table;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use treegauge_learn::LearnError;

pub use attribute_sets::{LeftOutSet, ProblemAttributes};
pub use claims::{ClaimVerdict, ExplosionTest};
pub use evaluate::{
    CLASS_SAMPLE_MAX, ClassScores, DIFFICULT_ABOVE, DifficultyEvaluation, EASY_BELOW,
    ExtremeScores, RatingBin, RegressionScores, THESIS_CLASSES, TreeGain,
};
pub use evidence::Evidence;
pub use line_source::{GameSource, LineSourceError};
pub use model::{
    ClassChances, PredictedDifficulty, PredictorCard, RatingModel, RatingModelCard,
    RatingModelReport, RatingModelScores, TrainedRatingModel,
};
pub use reasons::{DifficultyReason, puzzle_tree_words, tree_words};
pub use report::{
    BadRow, DifficultyReport, GradedPuzzle, GradedReport, MeasuredWith, PredictedProblem,
    ProblemReport, ProblemSet, ScoreUnit, UNRATED_MAX,
};
pub use table::{ProblemToLearn, RatedProblems};

/// Class of a problem by its difficulty for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DifficultyClass {
    /// Rated below [`MEDIUM_FROM`].
    Easy,
    /// Rated at least [`MEDIUM_FROM`], but below [`HARD_FROM`].
    Medium,
    /// Rated at least [`HARD_FROM`].
    Hard,
}

impl DifficultyClass {
    /// All classes, easiest first.
    pub const ALL: [DifficultyClass; 3] =
        [DifficultyClass::Easy, DifficultyClass::Medium, DifficultyClass::Hard];

    /// Name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            DifficultyClass::Easy => "easy",
            DifficultyClass::Medium => "medium",
            DifficultyClass::Hard => "hard",
        }
    }

    /// Class of a rating.
    #[must_use]
    pub fn of(rating: f64) -> DifficultyClass {
        if rating < MEDIUM_FROM {
            DifficultyClass::Easy
        } else if rating < HARD_FROM {
            DifficultyClass::Medium
        } else {
            DifficultyClass::Hard
        }
    }
}

/// Least rating of a problem of medium difficulty: half-way between the mean ratings of easy and
/// medium problems of Stoiljkovikj 2015, 1254.6 and 1669.3.
pub const MEDIUM_FROM: f64 = 1462.0;

/// Least rating of a hard problem: half-way between the mean ratings of medium and hard problems
/// there, 1669.3 and 2088.8.
pub const HARD_FROM: f64 = 1879.0;

/// Minimum number of rated problems to learn from.
pub const PROBLEMS_MIN: usize = 100;

/// Reason that nothing can be learned from rated problems.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum DifficultyError {
    /// There are too few problems.
    #[error(
        "{found} rated problems with a solution were measured; at least {PROBLEMS_MIN} are needed"
    )]
    Few {
        /// Number of problems that are rated and were measured.
        found: usize,
    },
    /// A column is missing.
    #[error("the table has no column `{0}`; `difficulty --out csv --attributes all` writes all")]
    Column(String),
    /// A row has an error.
    #[error("line {line}: {problem}")]
    Row {
        /// Line number in the file, from 1.
        line: u64,
        /// Description of the error.
        problem: String,
    },
    /// The file cannot be read.
    #[error("{0}")]
    Io(String),
    /// All problems are rated the same.
    #[error("all problems have the same rating, so there is nothing to predict")]
    Constant,
    /// Some problems were measured with other settings than the first.
    #[error("the problems were measured in different ways: {first}; {other}")]
    Mixed {
        /// Settings of the first problem, in words.
        first: String,
        /// Settings that differ from them, in words.
        other: String,
    },
    /// A learner failed, or the caller stopped the work.
    #[error(transparent)]
    Learn(#[from] LearnError),
}
