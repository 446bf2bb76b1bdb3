//! Model that predicts people's ratings of problems.

use serde::{Deserialize, Serialize};
use treegauge_core::{ReportHeader, ReportKind, Watch};
use treegauge_learn::learners::Mixture;
use treegauge_learn::scores::auc;
use treegauge_learn::{Score, Watched};
use xxhash_rust::xxh3::xxh3_64;

use super::evaluate::{DIFFICULT_ABOVE, EASY_BELOW};
use super::evidence::Evidence;
use super::predictor::{Chain, HeldOut, Predictor, rating_learner};
use super::reasons::{DifficultyReason, reasons};
use super::report::MeasuredWith;
use super::table::RatedProblems;
use super::{DifficultyClass, DifficultyError};
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

impl RatingModel {
    /// Reads a model from its JSON. Its numbers may be of any size, and its parts may not fit
    /// together; [`ReportKind::check`] finds the latter.
    ///
    /// # Errors
    ///
    /// If the text is not JSON, or has other fields.
    pub fn of_json(text: &[u8]) -> Result<RatingModel, serde_json::Error> {
        serde_json::from_slice(text)
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
            let chain = Chain::of(predictor, &self.predictors);
            let is_sound = chain.is_some_and(Chain::is_sound);
            if !is_sound {
                return Err("its parts are inconsistent".to_owned());
            }
        }
        Ok(())
    }
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
    /// Probability of a rating below [`MEDIUM_FROM`](super::MEDIUM_FROM).
    pub easy: f64,
    /// Probability of a rating between these two.
    pub medium: f64,
    /// Probability of a rating of at least [`HARD_FROM`](super::HARD_FROM).
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
        let mut trained: Vec<(Predictor, HeldOut)> = Vec::new();
        for evidence in Evidence::TRAINED {
            let columns: Vec<usize> =
                (0..attributes.len()).filter(|&n| evidence.has(&attributes[n])).collect();
            let which = data.complete(&columns);
            if which.len() < super::PROBLEMS_MIN {
                continue;
            }
            let base = trained.iter().find(|(one, _)| Some(one.evidence) == evidence.base());
            let base = base.map(|(predictor, held_out)| (predictor, held_out));
            let learner = Watched { learner: learner(), watch };
            trained.push(Predictor::train(&learner, data, &which, evidence, base, seed)?);
        }
        trained.sort_by_key(|(predictor, _)| predictor.evidence);
        let (predictors, predictions) = trained.into_iter().unzip();
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
        let row_of = |chain: Chain<'_>| chain.names().map(|name| value(name)).collect();
        let chains = self.predictors.iter().filter_map(|one| Chain::of(one, &self.predictors));
        let mut fitting = chains.map(|chain| (chain, row_of(chain)));
        let (chain, row): (Chain<'_>, Vec<f64>) =
            fitting.find_map(|(chain, row): (_, Option<Vec<f64>>)| Some((chain, row?)))?;
        let found = chain.difficulty(chain.rating(&row));
        let names: Vec<&str> = chain.names().map(String::as_str).collect();
        let why = reasons(
            &names,
            &row,
            tree,
            people,
            chain.lenders(),
            &|row| chain.rating(row),
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
