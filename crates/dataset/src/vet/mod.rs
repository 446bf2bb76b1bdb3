//! Judging games that nobody has judged, by what is known of others.
//!
//! A [`Model`] is trained on datasets and labels. It knows how its data were collected, so the same can be
//! collected of a new game, and it knows how well it predicts games of kinds that it has not seen, which
//! every answer says.

mod basis;
mod model;
mod playable;
mod rating;
mod reasons;
mod report;
#[cfg(test)]
mod tests;
mod twin;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use treegauge_gauge::vetted::Question;
use treegauge_learn::LearnError;

use crate::evaluate::{EvaluateError, RATED_MIN};

pub use basis::{Attribute, Basis, DataPlan, KIN, KIN_MIN, KnownGame, TrainingData};
pub use model::{Measurement, Measuring, Model, PARTS, Trained};
pub use playable::{Measured, PlayablePredictor, Standard};
pub use rating::RatingPredictor;
pub use report::{ModelReport, VetReport};

/// How a model is trained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrainOptions {
    /// The seed.
    #[serde(with = "treegauge_core::seed_json")]
    pub seed: u64,
    /// The models of bootstrap samples.
    pub replicates: usize,
    /// Draws of each bootstrap of a score.
    pub draws: usize,
}

impl Default for TrainOptions {
    fn default() -> Self {
        TrainOptions { seed: 1, replicates: 40, draws: 2_000 }
    }
}

/// Why nothing can be trained.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrainError {
    /// The labels and the games do not fit together.
    #[error(transparent)]
    Labels(#[from] EvaluateError),
    /// Two labels are about one game.
    #[error("two of the labels are about {0}")]
    Twice(String),
    /// Too few labelled games.
    #[error(
        "the dataset has {playable} playable and {unplayable} unplayable games with labels; at least {min} of each are needed",
        min = playable::EACH_CLASS_MIN
    )]
    FewLabelled {
        /// The playable ones.
        playable: usize,
        /// The others.
        unplayable: usize,
    },
    /// Too few rated games.
    #[error("too few rated games: the datasets have {found}, and at least {min} are needed", min = RATED_MIN)]
    FewRated {
        /// The rated ones that all datasets have.
        found: usize,
    },
    /// All ratings are the same.
    #[error("the {} of all games is rated the same, so there is nothing to predict", .0.name())]
    ConstantRating(Question),
    /// A game was seen by the models of all samples.
    #[error("too few samples are drawn: every one of them has some game")]
    FewReplicates,
    /// A learner failed.
    #[error(transparent)]
    Learn(#[from] LearnError),
}
