//! Prediction of the ratings of people.

use serde::{Deserialize, Serialize};
use treegauge_gauge::vetted::{PredictedRating, Question, RatingScores};
use treegauge_learn::learners::{ExtraTrees, KernelRidge, Mixture, Scaled};
use treegauge_learn::scores::{correlation, r_squared};
use treegauge_learn::{Examples, Fitted, Folds, Learner, Task, bootstrap, cross_validate};

use super::basis::{KnownGame, TrainingBasis, TrainingData};
use super::{TrainError, TrainOptions};
use crate::HumanRatings;
use crate::aggregate::Source;
use crate::evaluate::RATED_MIN;

/// Sources of attributes: the parameters, and games between players.
const SOURCES: [Source; 2] = [Source::Rules, Source::Players];

/// Predictor of people's answers to a question about a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatingPredictor {
    /// Question that people answered.
    pub question: Question,
    /// Known games, and the self-play that attributes come from.
    pub basis: TrainingBasis,
    /// Name of the learner.
    pub learner: String,
    /// Model of all known games.
    pub model: Fitted,
    /// Prediction for each known game by a model of the other nine tenths.
    pub left_out: Vec<f64>,
    /// Half-width of the 95% interval. Nineteen of 20 ratings are nearer than this to the
    /// prediction of a model of the other nine tenths of the games.
    pub error: f64,
    /// Scores of the predictions of held-out tenths.
    pub scores: RatingScores,
}

/// Learner of ratings.
pub(super) fn learner() -> impl Learner {
    let kernels = Scaled(KernelRidge { width: 3.0, penalty: 0.03 });
    Mixture(vec![Box::new(kernels), Box::new(ExtraTrees { trees: 50, leaf_min: 2 })])
}

const TENTHS: Folds = Folds::Stratified(10);

impl RatingPredictor {
    /// Trains on the rated games that every dataset has; `None` if nobody answered the question.
    pub(super) fn train(
        datasets: &[TrainingData],
        ratings: &HumanRatings,
        question: Question,
        options: TrainOptions,
        learner: &dyn Learner,
    ) -> Result<Option<RatingPredictor>, TrainError> {
        let in_all = |name: &str| {
            datasets.iter().all(|one| one.aggregate.games.iter().any(|row| row.game == name))
        };
        let known = |game: &crate::RatedGame| {
            let target = game.answer(question).filter(|_| in_all(&game.game))?;
            let (game, group) = (game.game.clone(), game.category.clone());
            Some(KnownGame { game, group, target, by: None, row: Vec::new() })
        };
        let games: Vec<KnownGame> = ratings.games.iter().filter_map(known).collect();
        if games.is_empty() && ratings.games.iter().all(|game| game.answer(question).is_none()) {
            return Ok(None);
        }
        if games.len() < RATED_MIN {
            return Err(TrainError::FewRated { found: games.len() });
        }
        let basis = TrainingBasis::new(datasets, &SOURCES, games);
        let rows = basis.rows();
        let targets = basis.games.iter().map(|game| game.target).collect();
        let slices = rows.iter().map(Vec::as_slice).collect();
        let examples = Examples::new(Task::Values, slices, targets, basis.groups())?;
        if examples.is_constant() {
            return Err(TrainError::ConstantRating(question));
        }
        let TrainOptions { draws, seed, .. } = options;
        let found = cross_validate(learner, &examples, TENTHS, seed)?;
        let mut errors: Vec<f64> = found
            .predictions
            .iter()
            .zip(examples.targets())
            .map(|(prediction, target)| (prediction - target).abs())
            .collect();
        errors.sort_by(f64::total_cmp);
        // The rank of split conformal prediction (Vovk, Gammerman and Shafer 2005).
        let rank = ((errors.len() + 1) as f64 * 0.95).ceil() as usize;
        let model = learner.fit(&examples, seed)?;
        Ok(Some(RatingPredictor {
            question,
            learner: learner.name(),
            model,
            left_out: found.predictions.clone(),
            error: errors[rank.min(errors.len()) - 1],
            scores: RatingScores {
                question,
                games: examples.len(),
                r_squared: bootstrap(&found.predictions, &examples, &r_squared, draws, seed),
                correlation: bootstrap(&found.predictions, &examples, &correlation, draws, seed),
            },
            basis,
        }))
    }

    /// Predicts the rating of a game with these attributes; `None` if it lies outside the training
    /// data. The prediction for a known game is that of the model that has not seen it.
    #[must_use]
    pub fn predict(&self, row: &[f64], game: &str) -> Option<PredictedRating> {
        let known = self.basis.games.iter().position(|known| known.game == game);
        let prediction = match known {
            Some(n) => self.left_out[n],
            None if self.basis.is_outside(row, None) => return None,
            None => self.model.predict(row),
        };
        let (least, most) = self.question.range();
        let at = |off: f64| (prediction + off).clamp(least, most);
        Some(PredictedRating {
            mean: at(0.0),
            low: at(-self.error),
            high: at(self.error),
            rated: known.map(|n| self.basis.games[n].target),
        })
    }

    pub(super) fn check(&self) -> Result<(), String> {
        self.basis.check()?;
        if !self.model.is_sound(self.basis.attributes.len()) {
            return Err("a model of ratings is not one of its attributes".to_owned());
        }
        let left_out = &self.left_out;
        if left_out.len() != self.basis.games.len() || !left_out.iter().all(|x| x.is_finite()) {
            return Err("a known game lacks its rating by a model of the others".to_owned());
        }
        if !self.error.is_finite() || self.error < 0.0 {
            return Err("the error of a model of ratings is negative or not finite".to_owned());
        }
        Ok(())
    }
}
