//! Model that predicts people's ratings of problems.

use serde::{Deserialize, Serialize};
use treegauge_core::{ReportHeader, ReportKind, Watch};
use treegauge_learn::learners::{Boosting, Mixture};
use treegauge_learn::scores::{auc, mean_absolute_error, r_squared, rank_correlation};
use treegauge_learn::{
    Examples, Fitted, Folds, LearnError, Learner, PredictionErrors, Random, Score, ScoreFn, Task,
    Watched, bootstrap, cross_validate,
};
use xxhash_rust::xxh3::xxh3_64;

use super::evaluate::{DIFFICULT_ABOVE, EASY_BELOW};
use super::evidence::Evidence;
use super::reasons::{DifficultyReason, reasons};
use super::report::MeasuredWith;
use super::table::RatedProblems;
use super::{DifficultyClass, DifficultyError, HARD_FROM, MEDIUM_FROM};
use crate::Tree;
use crate::chess::{PeopleChoice, chess_attributes};

/// Model that predicts the ratings of problems from their attributes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Fields")]
pub struct RatingModel {
    /// Kind and schema version of the document.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Name.
    pub name: String,
    /// Version of the program that trained it.
    pub version: String,
    /// Day of training, such as `2026-11-24`; `None` if it was not recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Settings of the measurement of the training problems.
    pub measured: MeasuredWith,
    /// Hashes of the training positions, in increasing order.
    known: Vec<u32>,
    /// Predictors, those with the most reliable evidence first; at most one for each evidence.
    predictors: Vec<Predictor>,
}

/// Fields of a model file. With a flattened head, unknown fields would be kept as trees; so the
/// head has fields of its own here, and unknown ones are refused.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    schema: u32,
    kind: String,
    name: String,
    version: String,
    #[serde(default)]
    date: Option<String>,
    measured: MeasuredWith,
    known: Vec<u32>,
    predictors: Vec<Predictor>,
}

impl TryFrom<Fields> for RatingModel {
    type Error = String;

    fn try_from(fields: Fields) -> Result<RatingModel, String> {
        let Fields { schema, kind, .. } = &fields;
        let head = ReportHeader::of(*schema, kind)?;
        let Fields { name, version, date, measured, known, predictors, .. } = fields;
        Ok(RatingModel { head, name, version, date, measured, known, predictors })
    }
}

impl ReportKind for RatingModel {
    const KIND: &'static str = "difficulty_model";

    fn check(&self) -> Result<(), String> {
        if !self.known.is_sorted() {
            return Err("its parts are inconsistent".to_owned());
        }
        let known = chess_attributes(MeasuredWith::LEVELS);
        let evidence: Vec<Evidence> = self.predictors.iter().map(|one| one.evidence).collect();
        if evidence.is_empty() || !evidence.is_sorted_by(|a, b| a < b) {
            return Err("its parts are inconsistent".to_owned());
        }
        for predictor in &self.predictors {
            for name in &predictor.attributes {
                match known.iter().find(|one| one.name == *name) {
                    None => return Err(format!("this program has no attribute {name:?}")),
                    Some(one) if !predictor.evidence.has(one) => {
                        let evidence = predictor.evidence.words();
                        return Err(format!("{name:?} does not follow from {evidence}"));
                    }
                    Some(_) => {}
                }
            }
            let width = predictor.attributes.len();
            let is_row = |row: &Vec<f64>| row.len() == width && row.iter().all(|x| x.is_finite());
            let is_sound = predictor.model.is_sound(width)
                && predictor.spread.is_sound()
                && !predictor.lenders.is_empty()
                && predictor.lenders.iter().all(is_row);
            if !is_sound {
                return Err("its parts are inconsistent".to_owned());
            }
        }
        Ok(())
    }
}

/// Predictor from one set of attributes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Predictor {
    evidence: Evidence,
    attributes: Vec<String>,
    model: Fitted,
    spread: PredictionErrors,
    /// Attributes of some training problems, chosen at random. They replace the attributes of a
    /// problem to find reasons.
    lenders: Vec<Vec<f64>>,
    scores: RatingModelScores,
}

/// Scores of predicted ratings, by a cross-validation of ten folds that keep the problems of a game
/// together. Intervals are by bootstrap over games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatingModelScores {
    /// Number of problems.
    pub problems: usize,
    /// Number of games that they come from.
    pub games: usize,
    /// Mean absolute error, in points of the rating.
    pub mean_absolute_error: Score,
    /// Rank correlation (Spearman), -1 to 1.
    pub rank_correlation: Score,
    /// 1 less the squared errors as a part of those of the mean, at most 1.
    pub r_squared: Score,
    /// Share of problems whose rating lies in the 80% interval, which comes from the errors of the
    /// other folds.
    pub coverage: Score,
    /// Mean width of these intervals, in points.
    pub interval_width: f64,
    /// Area under the receiver operating characteristic of the predicted rating, for problems rated
    /// above 2,100 against those below 1,000; `None` if either kind is missing.
    pub extremes_auc: Option<Score>,
}

/// Report of a trained model of puzzle difficulty.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatingModelReport {
    /// Kind and schema version of the document.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Description of the model.
    pub model: RatingModelCard,
}

impl ReportKind for RatingModelReport {
    const KIND: &'static str = "trained_difficulty";
}

/// Description of a model: its origin and its scores.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatingModelCard {
    /// Name.
    pub name: String,
    /// Digest of its file.
    pub digest: String,
    /// Version of the program that trained it.
    pub version: String,
    /// Day of training; `None` if it was not recorded.
    pub date: Option<String>,
    /// Settings of the measurement of the training problems.
    pub measured: MeasuredWith,
    /// Predictors, those with the most reliable evidence first; empty in reports of versions whose
    /// models had no kinds of evidence.
    #[serde(default)]
    pub predictors: Vec<PredictorCard>,
}

/// Predictor of a model with its scores.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PredictorCard {
    /// Evidence that it needs.
    pub evidence: Evidence,
    /// Scores of its predictions.
    pub scores: RatingModelScores,
}

impl RatingModelCard {
    /// Scores of the predictor with this evidence; `None` if the model has none.
    #[must_use]
    pub fn scores(&self, evidence: Evidence) -> Option<&RatingModelScores> {
        let found = self.predictors.iter().find(|one| one.evidence == evidence);
        found.map(|one| &one.scores)
    }
}

/// Probabilities of the classes, which add up to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassChances {
    /// Probability of a rating below [`MEDIUM_FROM`].
    pub easy: f64,
    /// Probability of a rating between these two.
    pub medium: f64,
    /// Probability of a rating of at least [`HARD_FROM`].
    pub hard: f64,
}

/// Predicted difficulty of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PredictedDifficulty {
    /// Rating, on the scale of the training ratings.
    pub rating: f64,
    /// Lower end of the 80% interval of the rating.
    pub rating_low: f64,
    /// Upper end of the interval.
    pub rating_high: f64,
    /// Class with the greatest probability.
    pub class: DifficultyClass,
    /// Probabilities of all classes.
    pub chances: ClassChances,
    /// Evidence of the prediction. Reports of versions without networks do not name it.
    #[serde(default)]
    pub evidence: Evidence,
}

impl PredictedDifficulty {
    /// Probability that a person of a rating solves the problem, 0 to 1: the expected score of the
    /// person against an opponent of the problem's rating (Elo 1978). The uncertainty of the rating
    /// flattens it, as MacKay 1992 approximates the mean of a logistic function under a normal
    /// distribution.
    #[must_use]
    pub fn chance_to_solve(&self, solver: f64) -> f64 {
        // An 80% interval of a normal distribution is 2.563 standard deviations wide.
        let unit = std::f64::consts::LN_10 / 400.0;
        let deviation = (self.rating_high - self.rating_low) / 2.563 * unit;
        let flattened = (1.0 + std::f64::consts::PI / 8.0 * deviation * deviation).sqrt();
        1.0 / (1.0 + libm::exp(-(solver - self.rating) * unit / flattened))
    }
}

/// Model, and the predictions of its cross-validation.
#[derive(Clone, Debug)]
pub struct TrainedRatingModel {
    /// The model.
    pub model: RatingModel,
    /// For each predictor, in order, the indices of its problems, each with the rating that is
    /// predicted by models that have not seen its game.
    pub predictions: Vec<Vec<(usize, f64)>>,
}

/// Number of folds of a cross-validation.
pub(super) const FOLDS: usize = 10;
/// Number of bootstrap resamples.
const DRAWS: usize = 500;
/// Number of bins of predictions, each with its own errors.
pub(super) const BINS: usize = 8;
/// Number of training problems that lend their attributes to reasons.
const LENDERS: usize = 24;
/// Share of ratings below an 80% interval; as many lie above it.
const TAIL: f64 = 0.1;

/// Trees that see some of the attributes, with many examples in a leaf.
const SPARSE: Boosting = Boosting { trees: 100, rate: 0.1, depth: 3, columns: 0.4, leaf_min: 20.0 };

/// Learner of ratings: the mean of two boosted ensembles of trees.
pub(super) fn rating_learner() -> Mixture {
    Mixture(vec![
        Box::new(Boosting { trees: 350, rate: 0.04, depth: 4, ..SPARSE }),
        Box::new(Boosting { trees: 250, rate: 0.03, depth: 6, ..SPARSE }),
    ])
}

impl RatingModel {
    /// Trains a model on rated problems. The same problems and seed yield the same model, for any
    /// number of threads.
    ///
    /// # Errors
    ///
    /// When there are too few games for the folds, or `watch` says stop.
    pub fn train(
        data: &RatedProblems,
        name: String,
        date: Option<String>,
        seed: u64,
        watch: &dyn Watch,
    ) -> Result<TrainedRatingModel, DifficultyError> {
        RatingModel::train_by(&rating_learner, data, name, date, seed, watch)
    }

    /// Trains a model by another learner.
    pub(super) fn train_by(
        learner: &dyn Fn() -> Mixture,
        data: &RatedProblems,
        name: String,
        date: Option<String>,
        seed: u64,
        watch: &dyn Watch,
    ) -> Result<TrainedRatingModel, DifficultyError> {
        data.check_columns()?;
        let attributes = chess_attributes(MeasuredWith::LEVELS);
        let with_line = data.problems.iter().filter(|one| one.has_line).count();
        if with_line < super::PROBLEMS_MIN {
            return Err(DifficultyError::Few { found: with_line });
        }
        let mut predictors = Vec::new();
        let mut predictions = Vec::new();
        for evidence in Evidence::ALL {
            let columns: Vec<usize> =
                (0..attributes.len()).filter(|&n| evidence.has(&attributes[n])).collect();
            let which = data.complete(&columns);
            if which.len() < super::PROBLEMS_MIN {
                continue;
            }
            let learner = Watched { learner: learner(), watch };
            let (predictor, found) =
                Predictor::train(&learner, data, &which, &columns, evidence, seed)?;
            predictors.push(predictor);
            predictions.push(which.into_iter().zip(found).collect());
        }
        let mut known: Vec<u32> = data.problems.iter().map(|one| hash_of(&one.fen)).collect();
        known.sort_unstable();
        known.dedup();
        let model = RatingModel {
            head: ReportHeader::NEW,
            name,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            date,
            measured: data.measured.clone(),
            known,
            predictors,
        };
        Ok(TrainedRatingModel { model, predictions })
    }

    /// Description of the model; `digest` is that of its file.
    #[must_use]
    pub fn card(&self, digest: String) -> RatingModelCard {
        RatingModelCard {
            name: self.name.clone(),
            digest,
            version: self.version.clone(),
            date: self.date.clone(),
            measured: self.measured.clone(),
            predictors: {
                let card =
                    |one: &Predictor| PredictorCard { evidence: one.evidence, scores: one.scores };
                self.predictors.iter().map(card).collect()
            },
        }
    }

    /// Tests whether the model learned from a problem with this position, and so may remember its
    /// rating. About one in a million other positions is mistaken for a training position.
    #[must_use]
    pub fn knows(&self, fen: &str) -> bool {
        self.known.binary_search(&hash_of(fen)).is_ok()
    }

    /// Predicts the difficulty of a problem, with at most `reasons_max` reasons.
    ///
    /// `tree` is its meaningful tree, if an engine measured it, and `attributes` are in the order of
    /// [`chess_attributes`]; those of missing evidence are `None`. The first predictor whose
    /// attributes are all known answers. `people` has the moves of people for the reasons. Returns
    /// `None` if the evidence is enough for no predictor.
    #[must_use]
    pub fn predict(
        &self,
        tree: Option<&Tree>,
        attributes: &[Option<f64>],
        people: &[PeopleChoice],
        reasons_max: usize,
    ) -> Option<(PredictedDifficulty, Vec<DifficultyReason>)> {
        let known = chess_attributes(MeasuredWith::LEVELS);
        let value = |name: &str| {
            let place = known.iter().position(|one| one.name == name)?;
            attributes.get(place).copied().flatten()
        };
        let row_of = |predictor: &Predictor| -> Option<Vec<f64>> {
            predictor.attributes.iter().map(|name| value(name)).collect()
        };
        let mut fitting = self.predictors.iter();
        let (predictor, row) = fitting.find_map(|one| row_of(one).map(|row| (one, row)))?;
        let rating = predictor.model.predict(&row);
        let found = predicted(rating, &predictor.spread, predictor.evidence);
        let why = reasons(
            &predictor.attributes,
            &row,
            tree,
            people,
            &predictor.lenders,
            &|row| predictor.model.predict(row),
            reasons_max,
        );
        Some((found, why))
    }
}

/// Hash of a position without its counters.
fn hash_of(fen: &str) -> u32 {
    let fields: Vec<&str> = fen.split_whitespace().take(4).collect();
    xxh3_64(fields.join(" ").as_bytes()) as u32
}

/// Difficulty that follows from a predicted rating and the errors of other predictions.
fn predicted(rating: f64, spread: &PredictionErrors, evidence: Evidence) -> PredictedDifficulty {
    let easy = spread.probability_below(rating, MEDIUM_FROM);
    let hard = 1.0 - spread.probability_below(rating, HARD_FROM);
    let chances = ClassChances { easy, medium: (1.0 - easy - hard).max(0.0), hard };
    let by_class = [chances.easy, chances.medium, chances.hard];
    let best = (0..3).rev().max_by(|&a, &b| by_class[a].total_cmp(&by_class[b])).unwrap_or(1);
    PredictedDifficulty {
        rating,
        rating_low: spread.quantile(rating, TAIL),
        rating_high: spread.quantile(rating, 1.0 - TAIL),
        class: DifficultyClass::ALL[best],
        chances,
        evidence,
    }
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
        let spread = PredictionErrors::fit(&of(predictions), &of(targets), BINS)
            .ok_or(LearnError::NoExamples)?;
        for &n in fold {
            let [low, high] = [TAIL, 1.0 - TAIL].map(|p| spread.quantile(predictions[n], p));
            found[n] = ((low..=high).contains(&targets[n]), high - low);
        }
    }
    Ok(found)
}

impl Predictor {
    fn train(
        learner: &dyn Learner,
        data: &RatedProblems,
        which: &[usize],
        columns: &[usize],
        evidence: Evidence,
        seed: u64,
    ) -> Result<(Predictor, Vec<f64>), DifficultyError> {
        let known = chess_attributes(MeasuredWith::LEVELS);
        let attributes = columns.iter().map(|&n| known[n].name.clone()).collect();
        let rows = data.rows(which, columns);
        let examples = data.examples(&rows, Task::Values, which, |problem| problem.rating)?;
        let found = cross_validate(learner, &examples, Folds::Grouped(FOLDS), seed)?;
        let predictions = found.predictions;
        let spread = PredictionErrors::fit(&predictions, examples.targets(), BINS)
            .ok_or(LearnError::NoExamples)?;
        let scores = scores(&examples, &predictions, seed)?;
        let mut order: Vec<usize> = (0..rows.len()).collect();
        Random::new(seed).shuffle(&mut order);
        let lenders = order.iter().take(LENDERS).map(|&n| rows[n].clone()).collect();
        let model = learner.fit(&examples, seed)?;
        Ok((Predictor { evidence, attributes, model, spread, lenders, scores }, predictions))
    }
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

/// Area under the receiver operating characteristic of the predictions for problems rated far
/// apart; `None` if either kind is missing.
pub(super) fn extremes_auc(predictions: &[f64], ratings: &[f64]) -> Option<f64> {
    let is_extreme = |rating: f64| !(EASY_BELOW..=DIFFICULT_ABOVE).contains(&rating);
    let which: Vec<usize> = (0..ratings.len()).filter(|&n| is_extreme(ratings[n])).collect();
    let own: Vec<f64> = which.iter().map(|&n| predictions[n]).collect();
    let classes: Vec<f64> =
        which.iter().map(|&n| f64::from(u8::from(ratings[n] > DIFFICULT_ABOVE))).collect();
    auc(&own, &classes)
}
