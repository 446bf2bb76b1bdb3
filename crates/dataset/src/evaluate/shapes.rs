//! Comparison of attributes of webs with those of trees, in telling playable games from others.

use serde::{Deserialize, Serialize};
use treegauge_learn::scores::{Confusion, auc};
use treegauge_learn::{Examples, Score, ScoreFn};

use super::report::ClassResult;
use super::{EvaluateOptions, Predicted, Protocol};
use crate::aggregate::{Shapes, Split};

/// Gain of a learner from attributes of webs over those of trees of the same games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShapesDifference {
    /// Iterations per move.
    pub iterations: u32,
    /// Division of the searches that attributes come from.
    pub split: Split,
    /// Shapes that are compared with trees: webs alone, or both together.
    pub shapes: Shapes,
    /// Name of the learner.
    pub learner: String,
    /// Cross-validation of the predictions.
    pub protocol: Protocol,
    /// Accuracy less that with trees, -1 to 1. Its interval is by bootstrap over groups; both
    /// predict the same games in each resample.
    pub accuracy: Option<Score>,
    /// Area under the receiver operating characteristic less that with trees, -1 to 1.
    pub auc: Option<Score>,
}

impl ShapesDifference {
    /// Differences between results of webs, or of both shapes, and those of trees with the same
    /// dataset, learner and protocol. Leave-one-out results are skipped. All are predictions of
    /// `examples`.
    pub(super) fn each(
        results: &[ClassResult],
        of: impl Fn(&ClassResult) -> bool,
        examples: &Examples<'_>,
        options: EvaluateOptions,
    ) -> Vec<ShapesDifference> {
        let difference = |result: &ClassResult| {
            let is_counterpart = |other: &&ClassResult| {
                other.shapes == Shapes::Trees
                    && other.iterations == result.iterations
                    && other.split == result.split
                    && other.learner == result.learner
                    && other.protocol == result.protocol
            };
            let trees = probabilities(results.iter().find(is_counterpart)?);
            let webs = probabilities(result);
            let gain = |score: ScoreFn<'_>| webs.gain(&trees, examples, score, options);
            Some(ShapesDifference {
                iterations: result.iterations,
                split: result.split,
                shapes: result.shapes,
                learner: result.learner.clone(),
                protocol: result.protocol,
                accuracy: gain(&|predictions, classes| {
                    Confusion::of(predictions, classes).accuracy()
                }),
                auc: gain(&auc),
            })
        };
        let honest = |result: &&ClassResult| {
            result.shapes != Shapes::Trees && result.protocol != Protocol::LeaveOneOut
        };
        results.iter().filter(honest).filter(|one| of(one)).filter_map(difference).collect()
    }
}

fn probabilities(result: &ClassResult) -> Predicted {
    let predictions: Vec<f64> = result.predictions.iter().map(|one| one.probability).collect();
    predictions.into()
}
