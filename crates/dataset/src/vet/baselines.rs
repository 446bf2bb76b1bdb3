//! Rivals of a predictor of playable games: the length of the games of self-play and how they end,
//! learned from the same samples of the labelled games as the predictor is.

use treegauge_gauge::vetted::LabelSource;
use treegauge_learn::learners::OneAttribute;
use treegauge_learn::{Bag, Examples, Learner, Task};

use super::playable::{calibrated, unseen};
use super::{TrainError, TrainOptions};
use crate::aggregate::Split;
use crate::evaluate::{Baseline, Predicted, Scored, TreesGain};

/// Labelled games of a predictor.
pub(super) struct Rivals<'a> {
    pub(super) iterations: u32,
    /// Attributes of the predictor, and classes.
    pub(super) examples: &'a Examples<'a>,
    /// Length, draws and bias of each game.
    pub(super) play: &'a [[f64; 3]],
    /// Source of each label.
    pub(super) sources: &'a [LabelSource],
    pub(super) options: TrainOptions,
    /// Learner of the predictor.
    pub(super) learner: &'a dyn Learner,
}

impl Rivals<'_> {
    /// Scores of the rivals and of the predictor, whose probabilities for its unseen games are
    /// `trees`; and the gain of trees over length, draws and bias.
    pub(super) fn scores(&self, trees: &[f64]) -> Result<(Vec<Baseline>, TreesGain), TrainError> {
        let own: Vec<Vec<f64>> = self.play.iter().map(|play| play.to_vec()).collect();
        let rows = self.examples.rows().iter().zip(self.play);
        let all: Vec<Vec<f64>> = rows.map(|(row, play)| [*row, &play[..]].concat()).collect();
        let alone = |attribute: usize| -> Result<Predicted, TrainError> {
            self.predictions(&own, &OneAttribute { attribute })
        };
        let (without, with) =
            (self.predictions(&own, self.learner)?, self.predictions(&all, self.learner)?);
        let alone = [alone(0)?, alone(1)?, alone(2)?];
        let scored = Scored {
            iterations: self.iterations,
            split: Split::None,
            examples: self.examples,
            options: self.options.of_scores(),
        };
        Ok(scored.all(&alone, &without, &trees.to_vec().into(), &with))
    }

    /// Calibrated probabilities from other attributes of the games.
    fn predictions(
        &self,
        rows: &[Vec<f64>],
        learner: &dyn Learner,
    ) -> Result<Predicted, TrainError> {
        let groups = self.examples.groups().to_vec();
        let classes = self.examples.targets().to_vec();
        let slices = rows.iter().map(Vec::as_slice).collect();
        let examples = Examples::new(Task::Classes, slices, classes, groups)?;
        let bag = Bag::fit(learner, &examples, self.options.replicates, self.options.seed)?;
        let means = unseen(&bag, &examples)?;
        Ok(calibrated(&means, &examples, self.sources, self.options).into())
    }
}
