//! Judgement of new games by models of labelled and rated games.
//!
//! A [`Model`] is trained on datasets and labels. It stores the plan of its data, so that the same
//! data can be collected for a new game. It also stores how well it predicts games of kinds that it
//! has not seen, which every answer states.

mod baselines;
mod basis;
mod model;
mod order;
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

use crate::evaluate::{EvaluateError, EvaluateOptions, RATED_MIN};

pub use basis::{
    Attribute, DataPlan, KnownGame, NEAREST, NEAREST_MIN, TrainingBasis, TrainingData,
};
pub use model::{Measurement, Measuring, Model, PARTS, Trained};
pub use order::{Variant, Votes, family_orders, group_of};
pub use playable::{Measured, PlayablePredictor, Standard};
pub use rating::RatingPredictor;
pub use report::{ModelReport, VetReport};

/// Settings of a training.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrainOptions {
    /// Seed of the training.
    #[serde(with = "treegauge_core::seed_json")]
    pub seed: u64,
    /// Number of models, each of a bootstrap sample.
    pub replicates: usize,
    /// Number of resamples of each bootstrap of a score.
    pub draws: usize,
}

impl Default for TrainOptions {
    fn default() -> Self {
        TrainOptions { seed: 1, replicates: 40, draws: 2_000 }
    }
}

impl TrainOptions {
    /// Settings of scores.
    const fn of_scores(self) -> EvaluateOptions {
        EvaluateOptions { seed: self.seed, draws: self.draws, permutations: 0, networks: false }
    }
}

/// Reason that nothing can be trained.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrainError {
    /// The labels and the games do not match.
    #[error(transparent)]
    Labels(#[from] EvaluateError),
    /// Two labels are about the same game.
    #[error("two of the labels are about {0}")]
    Twice(String),
    /// Too few games are labelled.
    #[error(
        "the dataset has {playable} playable and {unplayable} unplayable games with labels; at least {min} of each are needed: collect more games, and label them",
        min = playable::EACH_CLASS_MIN
    )]
    FewLabelled {
        /// Number of playable games.
        playable: usize,
        /// Number of unplayable games.
        unplayable: usize,
    },
    /// Too few games are rated.
    #[error("too few rated games: the datasets have {found}, and at least {min} are needed", min = RATED_MIN)]
    FewRated {
        /// Number of rated games that all datasets have.
        found: usize,
    },
    /// All ratings are the same.
    #[error("the {} of all games is rated the same, so there is nothing to predict", .0.name())]
    ConstantRating(Question),
    /// A game is in the samples of all models, so none can predict it unseen.
    #[error("too few samples are drawn: every one of them has some game")]
    FewReplicates,
    /// A learner failed.
    #[error(transparent)]
    Learn(#[from] LearnError),
}
