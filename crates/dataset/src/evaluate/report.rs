//! The report of an evaluation.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use treegauge_core::{Head, ReportKind};
use treegauge_gauge::vetted::{LabelSource, SourceScore};
use treegauge_learn::scores::{Confusion, auc};
use treegauge_learn::{Examples, Node, Score, ScoreOf, Tree, bootstrap};

use super::observed::Observed;
use super::ratings::{AttributeWeight, CurvePoint, RatingResult};
use super::shapes::ShapesDifference;
use super::{EvaluateOptions, Protocol, Published};
use crate::aggregate::{Shapes, Split};
use crate::collect::MissingInstances;

/// How well learners tell playable games from the others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvaluateReport {
    /// The kind and the schema.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// The seed.
    #[serde(with = "treegauge_core::seed_json")]
    pub seed: u64,
    /// Draws of each bootstrap.
    pub draws: usize,
    /// Permutations of each test.
    pub permutations: usize,
    /// Where the labels come from, if from conditions of self-play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conditions: Option<ConditionLabels>,
    /// The datasets that lack instances, and which.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub incomplete: Vec<MissingInstances>,
    /// What the datasets have.
    pub games: Vec<DatasetGames>,
    /// A result for each dataset, learner and protocol.
    #[serde(rename = "datasets")]
    pub results: Vec<ClassResult>,
    /// How much better attributes of webs do than those of trees, where a dataset has both.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<ShapesDifference>,
    /// The decision trees of all games of a dataset.
    pub trees: Vec<TreePicture>,
    /// How well learners predict ratings.
    pub quality: Vec<QualityResult>,
    /// What the source observed of single games, beside the same of the datasets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observed: Vec<Observed>,
    /// How well what people say is predicted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ratings: Vec<RatingResult>,
    /// What the kinds of attributes carry in that, the most first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rating_weights: Vec<AttributeWeight>,
    /// How well fewer games do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub learning_curve: Vec<CurvePoint>,
}

/// The datasets of an evaluation, each split and kind of search by itself, at most.
const DATASETS_MAX: usize = 256;

impl ReportKind for EvaluateReport {
    const KIND: &'static str = "evaluation";

    fn check(&self) -> Result<(), String> {
        let same = |a: &DatasetGames, b: &DatasetGames| {
            (a.iterations, a.split, a.shapes) == (b.iterations, b.split, b.shapes)
        };
        let is_again = |(n, games): (usize, &DatasetGames)| {
            self.games[..n].iter().any(|before| same(before, games))
        };
        if self.games.len() > DATASETS_MAX || self.games.iter().enumerate().any(is_again) {
            return Err("there are too many datasets, or one is there twice".to_owned());
        }
        let bad = |picture: &&TreePicture| !picture.tree.is_sound(picture.attributes.len());
        match self.trees.iter().find(bad) {
            Some(_) => Err("a decision tree has nodes or attributes that are not there".to_owned()),
            None => Ok(()),
        }
    }
}

impl EvaluateReport {
    pub(super) fn new(options: EvaluateOptions) -> Self {
        EvaluateReport {
            head: Head::NEW,
            seed: options.seed,
            draws: options.draws,
            permutations: options.permutations,
            conditions: None,
            incomplete: Vec::new(),
            games: Vec::new(),
            results: Vec::new(),
            shapes: Vec::new(),
            trees: Vec::new(),
            quality: Vec::new(),
            observed: Vec::new(),
            ratings: Vec::new(),
            rating_weights: Vec::new(),
            learning_curve: Vec::new(),
        }
    }
}

/// Labels by the four conditions of Williams 2010: see [`crate::Corpus::by_conditions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConditionLabels {
    /// The seed of the self-play.
    #[serde(with = "treegauge_core::seed_json")]
    pub seed: u64,
    /// Its iterations per move.
    pub iterations: u32,
    /// The games that are playable.
    pub playable: usize,
    /// All games.
    pub games: usize,
}

/// The labelled games of a dataset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatasetGames {
    /// Iterations per move.
    pub iterations: u32,
    /// The searches of which attributes are made: all, or those of each player apart.
    pub split: Split,
    /// Whether they are those of trees or of webs.
    #[serde(default)]
    pub shapes: Shapes,
    /// Games that are playable.
    pub playable: usize,
    /// Games that are not.
    pub unplayable: usize,
    /// Games of the labels that the dataset lacks.
    pub missing: usize,
}

/// How well a learner tells playable games from the others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassResult {
    /// Iterations per move.
    pub iterations: u32,
    /// The searches of which attributes are made: all, or those of each player apart.
    pub split: Split,
    /// Whether they are those of trees or of webs.
    #[serde(default)]
    pub shapes: Shapes,
    /// The learner.
    pub learner: String,
    /// How predictions were made.
    pub protocol: Protocol,
    /// True and predicted classes, class 1 being playable.
    pub confusion: Confusion,
    /// The share of right predictions, with its interval by the bootstrap over groups.
    pub accuracy: Option<Score>,
    /// The mean of the recalls of both classes.
    pub balanced_accuracy: Option<Score>,
    /// The area under the receiver operating characteristic.
    pub auc: Option<Score>,
    /// The mean squared error of the probabilities.
    pub brier: Option<Score>,
    /// The p-value of the source's test against the naive classifier: the games count as independent.
    pub p: Option<f64>,
    /// The p-value of a permutation test of the accuracy, where it was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permutation_p: Option<f64>,
    /// The range of the accuracy of a decision tree, by which of equally good splits it takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tie_breaks: Option<TieBreaks>,
    /// What the source found.
    pub published: Option<Published>,
    /// The scores of games whose labels come from one source, where labels come from several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_source: Vec<SourceScore>,
    /// The predictions, game by game.
    pub predictions: Vec<GamePrediction>,
}

/// The accuracies of decision trees that differ in nothing but which of several equally good splits they take.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TieBreaks {
    /// Orders of preference among the attributes, that of the report included.
    pub orders: usize,
    /// The least accuracy.
    pub least: f64,
    /// The greatest accuracy.
    pub greatest: f64,
}

/// The scores by the source of the label of each example; none where all are of one.
pub(crate) fn scores_by_source(
    predictions: &[f64],
    examples: &Examples<'_>,
    sources: &[LabelSource],
    draws: usize,
    seed: u64,
) -> Vec<SourceScore> {
    let kinds: BTreeSet<LabelSource> = sources.iter().copied().collect();
    let score = |&by: &LabelSource| {
        let own: Vec<usize> = (0..examples.len()).filter(|&n| sources[n] == by).collect();
        let predictions: Vec<f64> = own.iter().map(|&n| predictions[n]).collect();
        let examples = examples.some(&own);
        let score = |of: ScoreOf<'_>| bootstrap(&predictions, &examples, of, draws, seed);
        let playable = examples.targets().iter().filter(|class| **class == 1.0).count();
        SourceScore {
            by,
            playable,
            unplayable: examples.len() - playable,
            accuracy: score(&|p, c| Confusion::of(p, c).accuracy()),
            auc: score(&auc),
        }
    };
    if kinds.len() < 2 { Vec::new() } else { kinds.iter().map(score).collect() }
}

/// What a learner predicts for a game that it has not seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GamePrediction {
    /// The game.
    pub game: String,
    /// Whether it is playable.
    pub playable: bool,
    /// The probability that it is, as predicted.
    pub probability: f64,
}

/// The decision tree of a dataset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TreePicture {
    /// Iterations per move.
    pub iterations: u32,
    /// The searches of which attributes are made: all, or those of each player apart.
    pub split: Split,
    /// Whether they are those of trees or of webs.
    #[serde(default)]
    pub shapes: Shapes,
    /// The decision tree of all games.
    pub tree: Tree,
    /// The names of the attributes that it uses, by their numbers in it.
    pub attributes: Vec<String>,
    /// The attributes of the decisions of all trees that leave one game out, the most used first.
    pub used: Vec<AttributeUse>,
}

impl TreePicture {
    /// A node of the tree in words: the games that reached it.
    #[must_use]
    pub fn node_words(node: &Node) -> String {
        let playable = (node.mean * node.examples as f64).round();
        format!("{playable} playable, {} unplayable", node.examples as f64 - playable)
    }

    /// The decision tree as indented text.
    #[must_use]
    pub fn text(&self) -> String {
        self.tree.text(&self.attributes, &TreePicture::node_words)
    }

    /// The decision tree in the language of Graphviz.
    #[must_use]
    pub fn dot(&self) -> String {
        self.tree.dot(&self.attributes, &TreePicture::node_words)
    }
}

/// How often an attribute decides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttributeUse {
    /// The attribute.
    pub attribute: String,
    /// In how many decisions.
    pub count: usize,
}

/// How well a learner predicts ratings from 1 to 5, each by a model of the games of other groups.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QualityResult {
    /// Iterations per move.
    pub iterations: u32,
    /// The searches of which attributes are made: all, or those of each player apart.
    pub split: Split,
    /// Whether they are those of trees or of webs.
    #[serde(default)]
    pub shapes: Shapes,
    /// The learner.
    pub learner: String,
    /// The games with ratings.
    pub games: usize,
    /// The correlation of predicted and true ratings, -1 to 1.
    pub correlation: Option<Score>,
    /// 1 less the squared errors as a part of those of the mean; less than 0 is worse than the mean.
    pub r_squared: Option<Score>,
}
