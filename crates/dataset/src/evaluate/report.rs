//! Report of an evaluation.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use treegauge_core::{ReportHeader, ReportKind};
use treegauge_gauge::vetted::{LabelSource, SourceScore};
use treegauge_learn::scores::{Confusion, auc};
use treegauge_learn::{Examples, Node, Score, ScoreFn, Tree};

use super::baselines::{Baseline, TreesGain};
use super::networks::NetworksResult;
use super::observed::Observed;
use super::ratings::{AttributeWeight, CurvePoint, RatingResult};
use super::shapes::ShapesDifference;
use super::{EvaluateOptions, Predicted, Protocol, Published};
use crate::aggregate::{Shapes, Split};
use crate::collect::MissingInstances;

/// Scores of learners in telling playable games from unplayable ones, and in predicting ratings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvaluateReport {
    /// Kind and schema version of the document.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Seed of the evaluation.
    #[serde(with = "treegauge_core::seed_json")]
    pub seed: u64,
    /// Number of resamples of each bootstrap.
    pub draws: usize,
    /// Number of permutations of each test.
    pub permutations: usize,
    /// Number of resamples of self-play that the intervals cover; 0 if they do not cover it.
    #[serde(default, skip_serializing_if = "is_0")]
    pub play_resamples: usize,
    /// Conditions of self-play that the labels come from; `None` for labels of a corpus.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conditions: Option<ConditionLabels>,
    /// Missing instances of the datasets that lack some.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub incomplete: Vec<MissingInstances>,
    /// Labelled games of each dataset.
    pub games: Vec<DatasetGames>,
    /// One result for each dataset, learner and protocol.
    #[serde(rename = "datasets")]
    pub results: Vec<ClassResult>,
    /// Scores of the length and the results of self-play, by themselves and beside search trees.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub baselines: Vec<Baseline>,
    /// Gains of search trees over the length and the results of self-play, one for each dataset.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trees_gain: Vec<TreesGain>,
    /// Results of networks, one for each dataset, target and protocol; empty if none were trained.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub networks: Vec<NetworksResult>,
    /// Gains from attributes of webs over those of trees, for datasets that have both.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<ShapesDifference>,
    /// Decision trees of all games of a dataset.
    pub trees: Vec<TreePicture>,
    /// Scores of learners in predicting ratings from 1 to 5.
    pub quality: Vec<QualityResult>,
    /// Observations of single games in Williams 2010, compared with the datasets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observed: Vec<Observed>,
    /// Scores of learners in predicting the ratings of people.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ratings: Vec<RatingResult>,
    /// Importance of the kinds of attributes for these ratings, greatest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rating_weights: Vec<AttributeWeight>,
    /// Scores with fewer training games.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub learning_curve: Vec<CurvePoint>,
}

const fn is_0(count: &usize) -> bool {
    *count == 0
}

/// Maximum number of datasets of an evaluation; each split and kind of search counts as one.
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
            Some(_) => Err("a decision tree refers to missing nodes or attributes".to_owned()),
            None => Ok(()),
        }
    }
}

impl EvaluateReport {
    pub(super) fn new(options: EvaluateOptions) -> Self {
        EvaluateReport {
            head: ReportHeader::NEW,
            seed: options.seed,
            draws: options.draws,
            permutations: options.permutations,
            play_resamples: 0,
            conditions: None,
            incomplete: Vec::new(),
            games: Vec::new(),
            results: Vec::new(),
            baselines: Vec::new(),
            trees_gain: Vec::new(),
            networks: Vec::new(),
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
    /// Seed of the self-play.
    #[serde(with = "treegauge_core::seed_json")]
    pub seed: u64,
    /// Iterations per move of the self-play.
    pub iterations: u32,
    /// Number of playable games.
    pub playable: usize,
    /// Number of all games.
    pub games: usize,
}

/// Counts of the labelled games of a dataset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatasetGames {
    /// Iterations per move.
    pub iterations: u32,
    /// Division of the searches that attributes come from: all, or those of each player apart.
    pub split: Split,
    /// Shapes of these searches: trees, webs or both.
    #[serde(default)]
    pub shapes: Shapes,
    /// Number of playable games.
    pub playable: usize,
    /// Number of unplayable games.
    pub unplayable: usize,
    /// Number of labelled games that the dataset lacks.
    pub missing: usize,
}

/// Scores of one learner in telling playable games from unplayable ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassResult {
    /// Iterations per move.
    pub iterations: u32,
    /// Division of the searches that attributes come from: all, or those of each player apart.
    pub split: Split,
    /// Shapes of these searches: trees, webs or both.
    #[serde(default)]
    pub shapes: Shapes,
    /// Name of the learner.
    pub learner: String,
    /// Cross-validation of the predictions.
    pub protocol: Protocol,
    /// True and predicted classes, class 1 being playable.
    pub confusion: Confusion,
    /// Share of right predictions. Its interval is by bootstrap over groups.
    pub accuracy: Option<Score>,
    /// Mean of the recalls of both classes.
    pub balanced_accuracy: Option<Score>,
    /// Area under the receiver operating characteristic.
    pub auc: Option<Score>,
    /// Mean squared error of the probabilities.
    pub brier: Option<Score>,
    /// p-value of Williams's test against the naive classifier, which takes the games for
    /// independent.
    pub p: Option<f64>,
    /// p-value of a permutation test of the accuracy; `None` if it was not run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permutation_p: Option<f64>,
    /// Range of the accuracy of a decision tree over its choices among equally good splits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tie_breaks: Option<TieBreaks>,
    /// Published result of Williams 2010; `None` if there is none.
    pub published: Option<Published>,
    /// Scores by source of the labels; empty if all have one source.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_source: Vec<SourceScore>,
    /// Predictions, game by game.
    pub predictions: Vec<GamePrediction>,
}

/// Range of the accuracy of decision trees that differ only in their choices among equally good
/// splits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TieBreaks {
    /// Number of orders of preference among the attributes, that of the report included.
    pub orders: usize,
    /// Least accuracy.
    pub least: f64,
    /// Greatest accuracy.
    pub greatest: f64,
}

/// Scores by the source of each example's label; empty if all have one source.
pub(crate) fn scores_by_source(
    predicted: &Predicted,
    examples: &Examples<'_>,
    sources: &[LabelSource],
    options: EvaluateOptions,
) -> Vec<SourceScore> {
    let kinds: BTreeSet<LabelSource> = sources.iter().copied().collect();
    let score = |&by: &LabelSource| {
        let own: Vec<usize> = (0..examples.len()).filter(|&n| sources[n] == by).collect();
        let predicted = predicted.of(&own);
        let examples = examples.some(&own);
        let score = |of: ScoreFn<'_>| predicted.score(&examples, of, options);
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

/// Prediction for a held-out game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GamePrediction {
    /// Name of the game.
    pub game: String,
    /// Number of the game's group in the labels, from 0 in the order of their first games.
    #[serde(default)]
    pub group: usize,
    /// Whether it is playable.
    pub playable: bool,
    /// Predicted probability that it is playable.
    pub probability: f64,
}

/// Decision tree of a dataset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TreePicture {
    /// Iterations per move.
    pub iterations: u32,
    /// Division of the searches that attributes come from: all, or those of each player apart.
    pub split: Split,
    /// Shapes of these searches: trees, webs or both.
    #[serde(default)]
    pub shapes: Shapes,
    /// Decision tree of all games.
    pub tree: Tree,
    /// Names of the attributes that it uses, by their index in the tree.
    pub attributes: Vec<String>,
    /// Attributes by which the trees decide that leave one game out, most used first.
    pub used: Vec<AttributeUse>,
}

impl TreePicture {
    /// Node of the tree in words: the numbers of playable and unplayable games that reached it.
    #[must_use]
    pub fn node_words(node: &Node) -> String {
        let playable = (node.mean * node.examples as f64).round();
        format!("{playable} playable, {} unplayable", node.examples as f64 - playable)
    }

    /// Decision tree as indented text.
    #[must_use]
    pub fn text(&self) -> String {
        self.tree.text(&self.attributes, &TreePicture::node_words)
    }

    /// Decision tree in the language of Graphviz.
    #[must_use]
    pub fn dot(&self) -> String {
        self.tree.dot(&self.attributes, &TreePicture::node_words)
    }
}

/// Attribute, and the number of decisions by it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttributeUse {
    /// Name of the attribute.
    pub attribute: String,
    /// Number of decisions.
    pub count: usize,
}

/// Scores of one learner in predicting ratings from 1 to 5, each by a model of the games of other
/// groups.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QualityResult {
    /// Iterations per move.
    pub iterations: u32,
    /// Division of the searches that attributes come from: all, or those of each player apart.
    pub split: Split,
    /// Shapes of these searches: trees, webs or both.
    #[serde(default)]
    pub shapes: Shapes,
    /// Name of the learner.
    pub learner: String,
    /// Number of games with ratings.
    pub games: usize,
    /// Correlation of predicted and true ratings, -1 to 1.
    pub correlation: Option<Score>,
    /// 1 less the squared errors as a part of those of the mean; a value below 0 is worse than the
    /// mean.
    pub r_squared: Option<Score>,
}
