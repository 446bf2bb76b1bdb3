//! How hard people find problems, from the attributes of their meaningful trees.
//!
//! [`RatedProblems`] is a table of problems that people solved, with their ratings. [`RatingModel`] learns
//! from it to predict the ratings of others, with intervals that come from problems left out, and says
//! why. [`DifficultyEvaluation`] asks how well attributes and learners do it (Stoiljkovikj 2015, section
//! 2.6). For games that nobody rated there are the attributes alone, by a [`LineSource`].

mod evaluate;
mod line_source;
mod model;
mod reasons;
mod report;
mod table;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use treegauge_learn::LearnError;

pub use evaluate::{
    Banded, ClassScores, DIFFICULT_ABOVE, DifficultyEvaluation, EASY_BELOW, ExtremeScores,
    ProblemAttributes, RegressionScores, SAMPLED, THESIS_CLASSES,
};
pub use line_source::{LineSource, LineSourceError};
pub use model::{
    ClassChances, PredictedDifficulty, RatingModel, RatingModelCard, RatingModelReport,
    RatingModelScores, TrainedRatingModel,
};
pub use reasons::{DifficultyReason, tree_words};
pub use report::{
    BadRow, DifficultyReport, GradedPuzzle, GradedReport, MeasuredWith, ProblemReport,
    RatedProblem, ScoreUnit, UNRATED_MAX,
};
pub use table::{ProblemToLearn, RatedProblems};

/// How hard a problem is for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DifficultyClass {
    /// Rated below [`MEDIUM_FROM`].
    Easy,
    /// Between the other two.
    Medium,
    /// Rated at least [`HARD_FROM`].
    Hard,
}

impl DifficultyClass {
    /// All, from the easiest.
    pub const ALL: [DifficultyClass; 3] =
        [DifficultyClass::Easy, DifficultyClass::Medium, DifficultyClass::Hard];

    /// The name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            DifficultyClass::Easy => "easy",
            DifficultyClass::Medium => "medium",
            DifficultyClass::Hard => "hard",
        }
    }

    /// The class of a rating.
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

/// The least rating of a problem of medium difficulty: half-way between the mean ratings of easy and medium
/// problems of Stoiljkovikj 2015, 1254.6 and 1669.3.
pub const MEDIUM_FROM: f64 = 1462.0;

/// The least rating of a hard problem: half-way between those of medium and hard ones, 1669.3 and 2088.8.
pub const HARD_FROM: f64 = 1879.0;

/// The fewest rated problems that are learned from.
pub const PROBLEMS_MIN: usize = 100;

/// Why nothing can be learned from rated problems.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum DifficultyError {
    /// There are too few.
    #[error("{found} rated problems were measured; at least {PROBLEMS_MIN} are needed")]
    Few {
        /// Those that are rated and were measured.
        found: usize,
    },
    /// A column is missing.
    #[error("the table has no column `{0}`; it needs all attributes of the trees")]
    Column(String),
    /// A row has an error.
    #[error("line {line}: {problem}")]
    Row {
        /// The line of the file, from 1.
        line: u64,
        /// What is wrong.
        problem: String,
    },
    /// The file cannot be read.
    #[error("{0}")]
    Io(String),
    /// All problems are rated the same.
    #[error("all problems have the same rating, so there is nothing to predict")]
    Constant,
    /// The problems were not all measured alike.
    #[error("the problems were measured in different ways: {first}; {other}")]
    Mixed {
        /// How the first one was.
        first: String,
        /// How another one was.
        other: String,
    },
    /// A learner failed, or the caller stopped the work.
    #[error(transparent)]
    Learn(#[from] LearnError),
}
