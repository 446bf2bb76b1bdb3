//! Evaluation of attributes and learners: how well they tell hard problems from easy ones, and
//! predict ratings.

use serde::{Deserialize, Serialize};
use treegauge_core::{ReportHeader, ReportKind, Watch, is_default};
use treegauge_learn::learners::{
    Boosting, DecisionTree, Logistic, Mlp, NaiveBayes, RandomForest, Ridge, Scaled,
};
use treegauge_learn::scores::{
    RocPoint, auc, brier, mean_absolute_error, r_squared, rank_correlation, roc,
};
use treegauge_learn::{
    Examples, Folds, Growth, LearnError, Learner, Random, Score, ScoreFn, Task, Watched,
    accuracy_of_classes, auc_of_classes, bootstrap, brier_of_classes, cross_validate,
    cross_validate_classes,
};

use super::DifficultyError;
use super::attribute_sets::{LeftOutSet, ProblemAttributes, UsableSets};
use super::claims::{ExplosionTest, explosion_tests};
use super::predictor::{FOLDS, covered, rating_learner};
use super::report::MeasuredWith;
use super::table::RatedProblems;
use crate::chess::{ChessAttribute, chess_attributes};

/// Rating below which a problem is easy in the comparison of extremes.
pub const EASY_BELOW: f64 = 1_000.0;

/// Rating above which a problem is difficult in the comparison of extremes.
pub const DIFFICULT_ABOVE: f64 = 2_100.0;

/// Mean ratings of the classes of Stoiljkovikj 2015, section 2.6: easy, medium, hard.
pub const THESIS_CLASSES: [f64; 3] = [1_254.6, 1_669.3, 2_088.8];

/// Number of problems in each class of the source, and the maximum here.
pub const CLASS_SAMPLE_MAX: usize = 300;

/// Most by which the rating of a sampled problem may differ from the mean of its class. With it the
/// standard deviation is about that of the source, 74 to 96, and classes do not touch.
const REACH: f64 = 160.0;

/// Number of bootstrap resamples.
pub(super) const DRAWS: usize = 500;

/// Evaluation of how well attributes predict the ratings of problems for people.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DifficultyEvaluation {
    /// Kind and schema version of the document.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Settings of the measurement. Those of a table that was measured without an engine have no name
    /// of an engine.
    pub measured: MeasuredWith,
    /// Seed of folds, learners and bootstraps.
    pub seed: u64,
    /// Number of problems with a solution and values of all attributes that are compared.
    pub problems: usize,
    /// Number of other rated problems in the table.
    #[serde(default, skip_serializing_if = "is_default")]
    pub other_problems: usize,
    /// Sets of attributes that the table lacks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOutSet>,
    /// Names of attributes that the set of all is without, because the table has no column for
    /// them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing_attributes: Vec<String>,
    /// Number of games that they come from.
    pub games: usize,
    /// Mean and standard deviation of the ratings.
    pub rating: (f64, f64),
    /// Numbers of problems rated below 1,000 and above 2,100.
    pub extremes: [usize; 2],
    /// Scores of telling these two apart; empty if either has fewer than ten problems.
    pub extreme_scores: Vec<ExtremeScores>,
    /// Tests of whether the trees of easy problems explode at level 5; empty without trees, or if
    /// either kind has fewer than ten problems.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub explosion: Vec<ExplosionTest>,
    /// Gain by the tree over the length of the solution and whether it ends in mate; `None` if the
    /// table lacks one of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree_gain: Option<TreeGain>,
    /// Numbers of sampled problems in three classes, as in Stoiljkovikj 2015.
    pub sampled: [usize; 3],
    /// Scores of telling these classes apart; empty if one has fewer than ten problems.
    pub class_scores: Vec<ClassScores>,
    /// Scores of predicting ratings.
    pub rating_scores: Vec<RegressionScores>,
    /// Share of problems whose rating lies in the 80% interval of its prediction by boosting from all
    /// attributes.
    pub coverage: Score,
    /// Mean width of the intervals, in points.
    pub interval_width: f64,
    /// Mean predicted and true ratings in ten bins of predicted rating.
    pub bands: Vec<RatingBin>,
}

impl ReportKind for DifficultyEvaluation {
    const KIND: &'static str = "difficulty_evaluation";
}

/// Scores of one learner and set of attributes in telling easy problems from difficult ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExtremeScores {
    /// Set of attributes.
    pub attributes: ProblemAttributes,
    /// Number of attributes.
    pub width: usize,
    /// Name of the learner.
    pub learner: String,
    /// Share of right answers.
    pub accuracy: Score,
    /// Area under the receiver operating characteristic (ROC).
    pub auc: Score,
    /// Mean squared error of the probabilities.
    pub brier: f64,
    /// ROC curve, thinned to at most 101 points.
    pub roc: Vec<RocPoint>,
}

/// Scores of one learner and set of attributes in telling three classes apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassScores {
    /// Set of attributes.
    pub attributes: ProblemAttributes,
    /// Name of the learner, which fits one model per class against the others.
    pub learner: String,
    /// Share of right answers.
    pub accuracy: Score,
    /// Mean area under the ROC over pairs of classes (Hand and Till 2001).
    pub auc: Score,
    /// Squared errors of the probabilities, added up over the classes: 0 to 2.
    pub brier: f64,
}

/// Scores of one learner and set of attributes in predicting ratings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RegressionScores {
    /// Set of attributes.
    pub attributes: ProblemAttributes,
    /// Number of attributes.
    pub width: usize,
    /// Name of the learner.
    pub learner: String,
    /// Mean absolute error, in points.
    pub mean_absolute_error: Score,
    /// Rank correlation (Spearman), -1 to 1.
    pub rank_correlation: Score,
    /// 1 less the squared errors as a part of those of the mean, at most 1.
    pub r_squared: Score,
}

/// Gain by the tree over [`ProblemAttributes::LengthAndMate`]: the scores of
/// [`ProblemAttributes::TreeAndLengthAndMate`] less those of these two alone, for the same problems.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TreeGain {
    /// Name of the learner of both.
    pub learner: String,
    /// Difference of the areas under the ROC in telling easy problems from difficult ones, more than
    /// 0 if the tree helps; `None` if either has fewer than ten problems.
    pub auc: Option<Score>,
    /// Difference of the mean absolute errors of predicted ratings, in points, less than 0 if the
    /// tree helps.
    pub mean_absolute_error: Score,
}

/// One bin of problems with similar predicted ratings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatingBin {
    /// Number of problems.
    pub problems: usize,
    /// Mean of the predictions.
    pub predicted: f64,
    /// Mean of the ratings.
    pub rated: f64,
    /// Share of ratings inside their 80% intervals.
    pub covered: f64,
}

/// Classifiers of the source: naive Bayes, logistic regression, tree, random forest and, with
/// `networks`, a network of 20 hidden units. Boosting is added to them.
fn classifiers(networks: bool) -> Vec<(&'static str, Box<dyn Learner>)> {
    let tree = Growth { leaf_min: 5, parent_min: 10, ..Growth::FULL };
    let mut all: Vec<(&'static str, Box<dyn Learner>)> = vec![
        ("naive_bayes", Box::new(NaiveBayes)),
        ("logistic", Box::new(Scaled(Logistic { penalty: 1.0 }))),
        ("tree", Box::new(DecisionTree(tree))),
        ("forest", Box::new(RandomForest { trees: 200, leaf_min: 2 })),
        ("boosting", Box::new(Boosting::default())),
    ];
    if networks {
        let network =
            Mlp { hidden: vec![20], epochs: 300, penalty: 1.0, repeats: 1, ..Mlp::default() };
        all.insert(4, ("network", Box::new(Scaled(network))));
    }
    all
}

impl DifficultyEvaluation {
    /// Evaluates how well the attributes of rated problems that have a solution predict their ratings.
    /// Sets of attributes that the table lacks, such as those of an engine, are left out.
    ///
    /// All scores come from a cross-validation of ten folds that keep the problems of a game
    /// together. With `networks` they are among the classifiers, which takes several times as long.
    ///
    /// # Errors
    ///
    /// When there are too few problems, or `watch` says stop.
    pub fn of(
        data: &RatedProblems,
        networks: bool,
        seed: u64,
        watch: &dyn Watch,
    ) -> Result<DifficultyEvaluation, DifficultyError> {
        let known = chess_attributes(MeasuredWith::LEVELS);
        DifficultyEvaluation::by(data, &known, networks, seed, watch)
    }

    /// Evaluates problems whose attributes are those in `known`.
    pub(super) fn by(
        data: &RatedProblems,
        known: &[ChessAttribute],
        networks: bool,
        seed: u64,
        watch: &dyn Watch,
    ) -> Result<DifficultyEvaluation, DifficultyError> {
        let UsableSets { problems: all, sets, left_out, missing } = UsableSets::of(data, known);
        let whole = sets.iter().find(|(attributes, _)| *attributes == ProblemAttributes::All);
        let Some((_, usable)) = whole.filter(|_| all.len() >= super::PROBLEMS_MIN) else {
            return Err(DifficultyError::Few { found: all.len() });
        };
        let run = Run { data, sets: &sets, networks, seed, watch };
        let rating = |n: usize| data.problems[n].rating;
        let extreme: Vec<usize> = all
            .iter()
            .copied()
            .filter(|&n| rating(n) < EASY_BELOW || rating(n) > DIFFICULT_ABOVE)
            .collect();
        let hard = extreme.iter().filter(|&&n| rating(n) > DIFFICULT_ABOVE).count();
        let (sampled, counts) = run.sampled(&all);
        let ratings = run.ratings(&all)?;
        let (extreme_scores, auc_gain) = run.extremes(&extreme)?;
        let tree_gain = ratings.gain.map(|gain| TreeGain {
            learner: GAIN_LEARNER.to_owned(),
            auc: auc_gain,
            mean_absolute_error: gain,
        });
        let mean = all.iter().map(|&n| rating(n)).sum::<f64>() / all.len() as f64;
        let squares = all.iter().map(|&n| (rating(n) - mean).powi(2)).sum::<f64>();
        Ok(DifficultyEvaluation {
            head: ReportHeader::NEW,
            measured: data.measured.clone(),
            seed,
            problems: all.len(),
            other_problems: data.problems.len() - all.len(),
            left_out,
            missing_attributes: missing,
            games: ratings.games,
            rating: (mean, (squares / all.len() as f64).sqrt()),
            extremes: [extreme.len() - hard, hard],
            extreme_scores,
            explosion: explosion_tests(data, known, usable, &extreme, seed)?,
            tree_gain,
            sampled: counts,
            class_scores: run.classes(&sampled)?,
            rating_scores: ratings.scores,
            coverage: ratings.coverage,
            interval_width: ratings.width,
            bands: ratings.bands,
        })
    }
}

/// Learner of the gain by the tree: the best one of most sets.
const GAIN_LEARNER: &str = "boosting";

struct Run<'a> {
    data: &'a RatedProblems,
    /// Sets of attributes, each with their indices.
    sets: &'a [(ProblemAttributes, Vec<usize>)],
    /// Whether networks are among the classifiers.
    networks: bool,
    seed: u64,
    watch: &'a dyn Watch,
}

struct Ratings {
    games: usize,
    scores: Vec<RegressionScores>,
    gain: Option<Score>,
    coverage: Score,
    width: f64,
    bands: Vec<RatingBin>,
}

/// Gain by the tree, from the predictions of two sets of attributes.
#[derive(Default)]
struct Gain {
    /// Predictions by length and mate alone.
    alone: Option<Vec<f64>>,
    score: Option<Score>,
}

impl Gain {
    /// Adds the predictions of a set of attributes. `alone` comes before `both` in the order of sets.
    fn add(
        &mut self,
        run: &Run<'_>,
        attributes: ProblemAttributes,
        predictions: Vec<f64>,
        examples: &Examples<'_>,
        of: ScoreFn<'_>,
    ) -> Result<(), LearnError> {
        match attributes {
            ProblemAttributes::LengthAndMate => self.alone = Some(predictions),
            ProblemAttributes::TreeAndLengthAndMate => {
                let Some(alone) = &self.alone else { return Ok(()) };
                // The prediction of an example is its index, so that a bootstrap can find both of its
                // predictions.
                let numbers: Vec<f64> = (0..alone.len()).map(|n| n as f64).collect();
                let difference = |drawn: &[f64], targets: &[f64]| {
                    let score = |from: &[f64]| {
                        let own: Vec<f64> = drawn.iter().map(|&n| from[n as usize]).collect();
                        of(&own, targets)
                    };
                    Some(score(&predictions)? - score(alone)?)
                };
                self.score = Some(run.score(&numbers, examples, &difference)?);
            }
            _ => {}
        }
        Ok(())
    }
}

impl Run<'_> {
    /// Scores of telling the extremes apart, and the gain by the tree; empty if either has fewer
    /// problems than there are folds.
    fn extremes(
        &self,
        which: &[usize],
    ) -> Result<(Vec<ExtremeScores>, Option<Score>), DifficultyError> {
        let class = |n: usize| f64::from(u8::from(self.data.problems[n].rating > DIFFICULT_ABOVE));
        let hard = which.iter().filter(|&&n| class(n) == 1.0).count();
        if hard.min(which.len() - hard) < FOLDS {
            return Ok((Vec::new(), None));
        }
        let mut found = Vec::new();
        let mut gain = Gain::default();
        for &(attributes, ref columns) in self.sets {
            let rows = self.data.rows(which, columns);
            let examples = self.data.examples(&rows, Task::Classes, which, |one| {
                f64::from(u8::from(one.rating > DIFFICULT_ABOVE))
            })?;
            for (name, learner) in classifiers(self.networks) {
                let learner = Watched { learner, watch: self.watch };
                let validated =
                    cross_validate(&learner, &examples, Folds::Grouped(FOLDS), self.seed)?;
                let predictions = validated.predictions;
                let points = roc(&predictions, examples.targets());
                let step = points.len().div_ceil(100).max(1);
                let last = points.last().copied();
                found.push(ExtremeScores {
                    attributes,
                    width: columns.len(),
                    learner: name.to_owned(),
                    accuracy: self.score(&predictions, &examples, &accuracy)?,
                    auc: self.score(&predictions, &examples, &auc)?,
                    brier: brier(&predictions, examples.targets()).ok_or(LearnError::NoExamples)?,
                    roc: points.into_iter().step_by(step).chain(last).collect(),
                });
                if name == GAIN_LEARNER {
                    gain.add(self, attributes, predictions, &examples, &auc)?;
                }
            }
        }
        Ok((found, gain.score))
    }

    /// Sample of problems near the mean ratings of the source's classes, and its size per class.
    fn sampled(&self, all: &[usize]) -> (Vec<usize>, [usize; 3]) {
        let mut random = Random::new(self.seed);
        let mut counts = [0; 3];
        let mut sampled = Vec::new();
        for (class, mean) in THESIS_CLASSES.into_iter().enumerate() {
            let near = |n: &usize| (self.data.problems[*n].rating - mean).abs() <= REACH;
            let mut own: Vec<usize> = all.iter().copied().filter(near).collect();
            random.shuffle(&mut own);
            own.truncate(CLASS_SAMPLE_MAX);
            counts[class] = own.len();
            sampled.extend(own);
        }
        sampled.sort_unstable();
        (sampled, counts)
    }

    fn classes(&self, which: &[usize]) -> Result<Vec<ClassScores>, DifficultyError> {
        let nearest = |n: usize| {
            let away = |class: usize| (self.data.problems[n].rating - THESIS_CLASSES[class]).abs();
            (0..3).min_by(|&a, &b| away(a).total_cmp(&away(b))).unwrap_or(0)
        };
        let classes: Vec<usize> = which.iter().map(|&n| nearest(n)).collect();
        if (0..3).any(|class| classes.iter().filter(|&&one| one == class).count() < FOLDS) {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        for &(attributes, ref columns) in self.sets {
            let rows = self.data.rows(which, columns);
            // The target of an example is its index, so that a bootstrap can find its
            // probabilities.
            let numbers: Vec<f64> = (0..which.len()).map(|n| n as f64).collect();
            let examples = self.data.examples(&rows, Task::Values, which, |one| one.rating)?;
            let numbered = examples.with_targets(numbers.clone());
            for (name, learner) in classifiers(self.networks) {
                let learner = Watched { learner, watch: self.watch };
                let chances = cross_validate_classes(
                    &learner,
                    &examples,
                    &classes,
                    3,
                    Folds::Grouped(FOLDS),
                    self.seed,
                )?;
                let of = |score: fn(&[Vec<f64>], &[usize]) -> Option<f64>| {
                    let some = |_: &[f64], drawn: &[f64]| {
                        let own: Vec<Vec<f64>> =
                            drawn.iter().map(|&n| chances[n as usize].clone()).collect();
                        let true_classes: Vec<usize> =
                            drawn.iter().map(|&n| classes[n as usize]).collect();
                        score(&own, &true_classes)
                    };
                    self.score(&numbers, &numbered, &some)
                };
                found.push(ClassScores {
                    attributes,
                    learner: name.to_owned(),
                    accuracy: of(accuracy_of_classes)?,
                    auc: of(auc_of_classes)?,
                    brier: brier_of_classes(&chances, &classes).ok_or(LearnError::NoExamples)?,
                });
            }
        }
        Ok(found)
    }

    fn ratings(&self, which: &[usize]) -> Result<Ratings, DifficultyError> {
        let mut scores = Vec::new();
        let mut last = None;
        let mut gain = Gain::default();
        for &(attributes, ref columns) in self.sets {
            let rows = self.data.rows(which, columns);
            let examples = self.data.examples(&rows, Task::Values, which, |one| one.rating)?;
            let learners: [(&str, Box<dyn Learner>); 2] = [
                ("ridge", Box::new(Scaled(Ridge { penalty: 0.03 }))),
                ("boosting", Box::new(rating_learner())),
            ];
            for (name, learner) in learners {
                let learner = Watched { learner, watch: self.watch };
                let validated =
                    cross_validate(&learner, &examples, Folds::Grouped(FOLDS), self.seed)?;
                let predictions = validated.predictions;
                scores.push(RegressionScores {
                    attributes,
                    width: columns.len(),
                    learner: name.to_owned(),
                    mean_absolute_error: self.score(
                        &predictions,
                        &examples,
                        &mean_absolute_error,
                    )?,
                    rank_correlation: self.score(&predictions, &examples, &rank_correlation)?,
                    r_squared: self.score(&predictions, &examples, &r_squared)?,
                });
                if (attributes, name) == (ProblemAttributes::All, "boosting") {
                    last = Some(self.intervals(&examples, &predictions)?);
                }
                if name == GAIN_LEARNER {
                    gain.add(self, attributes, predictions, &examples, &mean_absolute_error)?;
                }
            }
        }
        let (games, coverage, width, bands) = last.ok_or(LearnError::NoExamples)?;
        Ok(Ratings { games, scores, gain: gain.score, coverage, width, bands })
    }

    fn intervals(
        &self,
        examples: &Examples<'_>,
        predictions: &[f64],
    ) -> Result<(usize, Score, f64, Vec<RatingBin>), LearnError> {
        let found = covered(examples, predictions, self.seed)?;
        let inside: Vec<f64> =
            found.iter().map(|(inside, _)| f64::from(u8::from(*inside))).collect();
        let mean = |of: &[f64], _: &[f64]| Some(of.iter().sum::<f64>() / of.len() as f64);
        let coverage = self.score(&inside, examples, &mean)?;
        let mut games = examples.groups().to_vec();
        games.sort_unstable();
        games.dedup();
        let mut order: Vec<usize> = (0..predictions.len()).collect();
        order.sort_by(|&a, &b| predictions[a].total_cmp(&predictions[b]));
        let band = |n: usize| {
            let own = &order[n * order.len() / FOLDS..(n + 1) * order.len() / FOLDS];
            let mean = |of: &[f64]| own.iter().map(|&n| of[n]).sum::<f64>() / own.len() as f64;
            RatingBin {
                problems: own.len(),
                predicted: mean(predictions),
                rated: mean(examples.targets()),
                covered: mean(&inside),
            }
        };
        let width = found.iter().map(|(_, width)| width).sum::<f64>() / found.len() as f64;
        Ok((games.len(), coverage, width, (0..FOLDS).map(band).collect()))
    }

    fn score(
        &self,
        predictions: &[f64],
        examples: &Examples<'_>,
        of: ScoreFn<'_>,
    ) -> Result<Score, LearnError> {
        bootstrap(predictions, examples, of, DRAWS, self.seed).ok_or(LearnError::NoExamples)
    }
}

fn accuracy(predictions: &[f64], classes: &[f64]) -> Option<f64> {
    treegauge_learn::scores::Confusion::of(predictions, classes).accuracy()
}
