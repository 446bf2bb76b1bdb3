//! Predictors of ratings, each from one kind of evidence.

use serde::{Deserialize, Serialize};
use treegauge_learn::learners::{Boosting, Mixture};
use treegauge_learn::scores::{mean_absolute_error, r_squared, rank_correlation};
use treegauge_learn::{
    Examples, Fitted, Folds, LearnError, Learner, PredictionErrors, Random, ScoreFn, Task,
    bootstrap, cross_validate,
};

use super::evidence::Evidence;
use super::model::{ClassChances, PredictedDifficulty, RatingModelScores, extremes_auc};
use super::report::MeasuredWith;
use super::table::RatedProblems;
use super::{DifficultyClass, DifficultyError, HARD_FROM, MEDIUM_FROM};
use crate::chess::chess_attributes;

/// Number of folds of a cross-validation.
pub(super) const FOLDS: usize = 10;
/// Number of bootstrap resamples.
const DRAWS: usize = 500;
/// Number of bins of predictions, each with its own errors.
const BINS: usize = 8;
/// Number of training problems that lend their attributes to reasons.
const LENDERS: usize = 24;
/// Share of ratings in an interval.
const SHARE: f64 = 0.8;
/// Shift of the intervals: with it, easy and hard problems lie in them almost as often as others. With
/// none, half of those below 1,000 do.
const SHIFT: f64 = 1.0;

/// Learner of ratings.
pub(super) fn rating_learner() -> Mixture {
    Mixture(vec![Box::new(Boosting {
        trees: 700,
        rate: 0.035,
        depth: 4,
        columns: 0.4,
        leaf_min: 20.0,
    })])
}

/// Predictor from one kind of evidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Predictor {
    pub(super) evidence: Evidence,
    /// Evidence of the predictor whose prediction is its last attribute; `None` if it stands alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) base: Option<Evidence>,
    pub(super) attributes: Vec<String>,
    model: Fitted,
    spread: PredictionErrors,
    /// Attributes of some training problems, chosen at random: those of the base, then its own. They
    /// replace the attributes of a problem to find reasons.
    lenders: Vec<Vec<f64>>,
    pub(super) scores: RatingModelScores,
}

/// Predictor with its base.
#[derive(Clone, Copy)]
pub(super) struct Chain<'a> {
    base: Option<&'a Predictor>,
    own: &'a Predictor,
}

/// Ratings that models predict for problems whose games they have not seen, by the index of the
/// problem.
pub(super) type HeldOut = Vec<(usize, f64)>;

impl<'a> Chain<'a> {
    /// Predictor with its base from the others; `None` if the base is missing.
    pub(super) fn of(own: &'a Predictor, all: &'a [Predictor]) -> Option<Chain<'a>> {
        let base = match own.base {
            None => None,
            Some(evidence) => Some(all.iter().find(|one| one.evidence == evidence)?),
        };
        Some(Chain { base, own })
    }

    /// Names of all attributes: those of the base, then its own.
    pub(super) fn names(self) -> impl Iterator<Item = &'a String> {
        self.base.into_iter().chain([self.own]).flat_map(|one| &one.attributes)
    }

    pub(super) fn lenders(self) -> &'a [Vec<f64>] {
        &self.own.lenders
    }

    /// Rating by the values of [`Chain::names`].
    pub(super) fn rating(self, row: &[f64]) -> f64 {
        let Some(base) = self.base else { return self.own.model.predict(row) };
        let (of_base, own) = row.split_at(base.attributes.len());
        let mut own = own.to_vec();
        own.push(base.model.predict(of_base));
        self.own.model.predict(&own)
    }

    /// Difficulty that follows from a predicted rating and the errors of other predictions.
    pub(super) fn difficulty(self, rating: f64) -> PredictedDifficulty {
        let spread = &self.own.spread;
        let easy = spread.probability_below(rating, MEDIUM_FROM);
        let hard = 1.0 - spread.probability_below(rating, HARD_FROM);
        let chances = ClassChances { easy, medium: (1.0 - easy - hard).max(0.0), hard };
        let by_class = [chances.easy, chances.medium, chances.hard];
        let best = (0..3).rev().max_by(|&a, &b| by_class[a].total_cmp(&by_class[b])).unwrap_or(1);
        let [low, high] = spread.interval(rating, SHARE, SHIFT);
        PredictedDifficulty {
            rating,
            rating_low: low.min(rating),
            rating_high: high.max(rating),
            class: DifficultyClass::ALL[best],
            chances,
            evidence: self.own.evidence,
        }
    }

    /// Tests whether the parts of the predictor fit together.
    pub(super) fn is_sound(self) -> bool {
        let own = self.own;
        let width = self.names().count();
        let is_row = |row: &Vec<f64>| row.len() == width && row.iter().all(|x| x.is_finite());
        self.base.is_none_or(|base| base.base.is_none())
            && own.model.is_sound(own.attributes.len() + usize::from(self.base.is_some()))
            && own.spread.is_sound()
            && !own.lenders.is_empty()
            && own.lenders.iter().all(is_row)
    }
}

impl Predictor {
    /// Trains a predictor on the problems `which`. `base` is the predictor that it stands on, with its
    /// predictions for at least these problems.
    pub(super) fn train(
        learner: &dyn Learner,
        data: &RatedProblems,
        which: &[usize],
        evidence: Evidence,
        base: Option<(&Predictor, &HeldOut)>,
        seed: u64,
    ) -> Result<(Predictor, HeldOut), DifficultyError> {
        let known = chess_attributes(MeasuredWith::LEVELS);
        let columns: Vec<usize> = (0..known.len())
            .filter(|&n| match base {
                Some(_) => known[n].kind.is_of_engine(),
                None => evidence.has(&known[n]),
            })
            .collect();
        let attributes: Vec<String> = columns.iter().map(|&n| known[n].name.clone()).collect();
        let mut rows = data.rows(which, &columns);
        if let Some((_, held_out)) = base {
            for (row, problem) in rows.iter_mut().zip(which) {
                let place = held_out.binary_search_by_key(problem, |(problem, _)| *problem);
                row.push(held_out[place.expect("the base knows all problems")].1);
            }
        }
        let examples = data.examples(&rows, Task::Values, which, |problem| problem.rating)?;
        let found = cross_validate(learner, &examples, Folds::Grouped(FOLDS), seed)?;
        let predictions = found.predictions;
        let spread = errors(&predictions, examples.targets())?;
        let scores = scores(&examples, &predictions, seed)?;
        let mut order = which.to_vec();
        Random::new(seed).shuffle(&mut order);
        order.truncate(LENDERS);
        let of_base = base.into_iter().flat_map(|(base, _)| &base.attributes);
        let names: Vec<&String> = of_base.chain(&attributes).collect();
        let place = |name: &&String| known.iter().position(|one| one.name == **name);
        let lent: Vec<usize> = names.iter().filter_map(place).collect();
        let lenders = data.rows(&order, &lent);
        let model = learner.fit(&examples, seed)?;
        let base = base.map(|(base, _)| base.evidence);
        let predictor = Predictor { evidence, base, attributes, model, spread, lenders, scores };
        Ok((predictor, which.iter().copied().zip(predictions).collect()))
    }
}

fn errors(predictions: &[f64], targets: &[f64]) -> Result<PredictionErrors, LearnError> {
    PredictionErrors::fit(predictions, targets, BINS).ok_or(LearnError::NoExamples)
}

/// For each target, whether it lies in the 80% interval of its prediction, and the width of the
/// interval. The interval comes from the errors of the other folds.
pub(super) fn covered(
    examples: &Examples<'_>,
    predictions: &[f64],
    seed: u64,
) -> Result<Vec<(bool, f64)>, LearnError> {
    let folds = Folds::Grouped(FOLDS).of(examples, seed)?;
    let targets = examples.targets();
    let mut found = vec![(false, 0.0); predictions.len()];
    for fold in &folds {
        let others: Vec<usize> =
            (0..predictions.len()).filter(|n| fold.binary_search(n).is_err()).collect();
        let of = |from: &[f64]| others.iter().map(|&n| from[n]).collect::<Vec<f64>>();
        let spread = errors(&of(predictions), &of(targets))?;
        for &n in fold {
            let [low, high] = spread.interval(predictions[n], SHARE, SHIFT);
            found[n] = ((low..=high).contains(&targets[n]), high - low);
        }
    }
    Ok(found)
}

/// Scores of predictions by models that have not seen the games.
fn scores(
    examples: &Examples<'_>,
    predictions: &[f64],
    seed: u64,
) -> Result<RatingModelScores, LearnError> {
    let score = |of: ScoreFn<'_>| {
        bootstrap(predictions, examples, of, DRAWS, seed).ok_or(LearnError::NoExamples)
    };
    let covered = covered(examples, predictions, seed)?;
    let inside: Vec<f64> = covered.iter().map(|(inside, _)| f64::from(u8::from(*inside))).collect();
    let mean = |values: &[f64], _: &[f64]| Some(values.iter().sum::<f64>() / values.len() as f64);
    let coverage =
        bootstrap(&inside, examples, &mean, DRAWS, seed).ok_or(LearnError::NoExamples)?;
    let mut games = examples.groups().to_vec();
    games.sort_unstable();
    games.dedup();
    Ok(RatingModelScores {
        problems: examples.len(),
        games: games.len(),
        mean_absolute_error: score(&mean_absolute_error)?,
        rank_correlation: score(&rank_correlation)?,
        r_squared: score(&r_squared)?,
        coverage,
        interval_width: covered.iter().map(|(_, width)| width).sum::<f64>() / covered.len() as f64,
        extremes_auc: bootstrap(predictions, examples, &extremes_auc, DRAWS, seed),
    })
}
