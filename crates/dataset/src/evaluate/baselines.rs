//! Baselines that need no search tree: the length of the games of self-play, and how they end.

use serde::{Deserialize, Serialize};
use treegauge_learn::learners::OneAttribute;
use treegauge_learn::scores::{Confusion, auc};
use treegauge_learn::{Examples, Score, ScoreFn, Table, Task};

use super::contenders::contenders;
use super::{
    EvaluateError, EvaluateOptions, Evaluation, Labelled, Predicted, Protocol, cost_of_choice,
};
use crate::aggregate::{GameAggregate, GameResults, Shapes, Split};

/// Attributes that playable games are told by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BaselineAttributes {
    /// Mean number of plies of a game of self-play.
    Length,
    /// Share of draws in self-play.
    Draws,
    /// Distance of the first player's share of the points from one half.
    Bias,
    /// Length, draws and bias together.
    Play,
    /// Search trees.
    Trees,
    /// Search trees, and length, draws and bias.
    TreesAndPlay,
}

impl BaselineAttributes {
    /// All sets of attributes.
    pub const ALL: [BaselineAttributes; 6] = [
        BaselineAttributes::Length,
        BaselineAttributes::Draws,
        BaselineAttributes::Bias,
        BaselineAttributes::Play,
        BaselineAttributes::Trees,
        BaselineAttributes::TreesAndPlay,
    ];
}

/// Scores of a set of attributes in telling playable games from unplayable ones, each game
/// predicted without its group.
///
/// A single attribute has one threshold. A set of attributes has the best learner, chosen without
/// the predicted group; in the training of a model, it has the learner of the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Baseline {
    /// Iterations per move.
    pub iterations: u32,
    /// Division of the searches that the attributes of trees come from.
    pub split: Split,
    /// Attributes of the games.
    pub attributes: BaselineAttributes,
    /// Share of right predictions.
    pub accuracy: Option<Score>,
    /// Area under the receiver operating characteristic.
    pub auc: Option<Score>,
    /// Share of unplayable games that are predicted to be unplayable.
    pub unplayable_found: Option<Score>,
}

/// Gain of search trees over the length and the results of self-play.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TreesGain {
    /// Iterations per move.
    pub iterations: u32,
    /// Division of the searches that the attributes of trees come from.
    pub split: Split,
    /// Accuracy with trees and [`BaselineAttributes::Play`] less that without trees, -1 to 1. Its
    /// interval is by bootstrap over groups; both predict the same games in each resample.
    pub accuracy: Option<Score>,
    /// The same difference of the areas under the receiver operating characteristic.
    pub auc: Option<Score>,
}

/// Length, draws and bias of the self-play of a game; `None` in tables without results.
pub(crate) fn play_of(game: &GameAggregate) -> Option<[f64; 3]> {
    let GameResults { first_wins, draws, second_wins, .. } = game.results?;
    let games = (first_wins + draws + second_wins) as f64;
    if games == 0.0 {
        return None;
    }
    let first = (first_wins as f64 + draws as f64 / 2.0) / games;
    Some([game.trees as f64 / games, draws as f64 / games, (first - 0.5).abs()])
}

/// Names of the columns of [`play_of`].
const COLUMNS: [&str; 3] = ["length", "draws", "bias"];

/// A table of the length, draws and bias of games, behind the columns of another table.
fn joined(table: &Table, play: &[[f64; 3]], with_trees: bool) -> Result<Table, EvaluateError> {
    let own = if with_trees { table.columns() } else { &[] };
    let columns = own.iter().cloned().chain(COLUMNS.map(str::to_owned)).collect();
    let rows = table.rows().zip(play).zip(table.names()).map(|((row, play), name)| {
        let own = if with_trees { row } else { &[] };
        (name.clone(), own.iter().chain(play).copied().collect())
    });
    Ok(Table::new(columns, rows)?)
}

/// Cost of the baselines of games in `groups` groups, in approximate microseconds.
pub(super) fn cost(table: &Table, play: &[[f64; 3]], groups: usize) -> u64 {
    let of_set = |with_trees| {
        let table = joined(table, play, with_trees);
        table.map_or(0, |table| cost_of_choice(&contenders(&table)))
    };
    let each = of_set(false) + of_set(true) + COLUMNS.len() as u64 * ALONE_COST;
    each * groups as u64
}

/// Cost of a threshold on one attribute, in approximate microseconds.
const ALONE_COST: u64 = 1;

impl Evaluation<'_> {
    /// Baselines of the dataset, and the gain of its trees over them. Empty if the dataset has no
    /// results, and for webs. `trees` are the predictions of the best learner from trees.
    pub(super) fn baselines(
        &self,
        trees: &Predicted,
    ) -> Result<(Vec<Baseline>, Option<TreesGain>), EvaluateError> {
        if self.known.play.is_none() || self.shapes != Shapes::Trees {
            return Ok((Vec::new(), None));
        }
        let tables = |with_trees: bool| -> Result<Vec<Table>, EvaluateError> {
            let table = |Labelled { table, play, .. }: &Labelled| {
                joined(table, play.as_deref().unwrap_or_default(), with_trees)
            };
            self.all_known().map(table).collect()
        };
        let (own, all) = (tables(false)?, tables(true)?);
        let examples = |tables| -> Result<Vec<Examples<'_>>, EvaluateError> {
            let tables: &[Table] = tables;
            tables.iter().map(|table| self.examples_of(table)).collect()
        };
        let (examples_of_own, examples_of_all) = (examples(&own)?, examples(&all)?);
        let alone = |attribute: usize| -> Result<Predicted, EvaluateError> {
            let learner = OneAttribute { attribute };
            Ok(self.predicted(&learner, ALONE_COST, &examples_of_own, Protocol::Grouped)?.1)
        };
        let without = self.best(&own[0], &examples_of_own)?;
        let with = self.best(&all[0], &examples_of_all)?;
        let of = Scored {
            iterations: self.iterations,
            split: self.split,
            examples: &examples_of_own[0],
            options: self.options,
        };
        let alone = [alone(0)?, alone(1)?, alone(2)?];
        let (baselines, gain) = of.all(&alone, &without, trees, &with);
        Ok((baselines, Some(gain)))
    }

    /// Examples of another table of the same games.
    pub(super) fn examples_of<'t>(&self, table: &'t Table) -> Result<Examples<'t>, EvaluateError> {
        let (playable, groups) = (self.known.playable.clone(), self.known.groups.clone());
        Ok(Examples::new(Task::Classes, table.rows().collect(), playable, groups)?)
    }
}

/// Games that predictions are scored on.
pub(crate) struct Scored<'a> {
    pub(crate) iterations: u32,
    pub(crate) split: Split,
    pub(crate) examples: &'a Examples<'a>,
    pub(crate) options: EvaluateOptions,
}

impl Scored<'_> {
    /// Scores of the predictions from length, draws and bias, each alone and together, from trees, and
    /// from both; and the gain of trees over length, draws and bias.
    pub(crate) fn all(
        &self,
        alone: &[Predicted; 3],
        play: &Predicted,
        trees: &Predicted,
        both: &Predicted,
    ) -> (Vec<Baseline>, TreesGain) {
        let [length, draws, bias] = alone;
        let baselines = [
            (BaselineAttributes::Length, length),
            (BaselineAttributes::Draws, draws),
            (BaselineAttributes::Bias, bias),
            (BaselineAttributes::Play, play),
            (BaselineAttributes::Trees, trees),
            (BaselineAttributes::TreesAndPlay, both),
        ]
        .map(|(attributes, predicted)| self.baseline(attributes, predicted));
        (baselines.into(), self.gain(both, play))
    }

    /// Scores of predictions from some attributes.
    fn baseline(&self, attributes: BaselineAttributes, predicted: &Predicted) -> Baseline {
        let score = |of: ScoreFn<'_>| predicted.score(self.examples, of, self.options);
        Baseline {
            iterations: self.iterations,
            split: self.split,
            attributes,
            accuracy: score(&accuracy),
            auc: score(&auc),
            unplayable_found: score(&|p, c| Confusion::of(p, c).recall(0)),
        }
    }

    /// Gain of the predictions with trees over those without.
    fn gain(&self, with: &Predicted, without: &Predicted) -> TreesGain {
        let difference =
            |score: ScoreFn<'_>| with.gain(without, self.examples, score, self.options);
        TreesGain {
            iterations: self.iterations,
            split: self.split,
            accuracy: difference(&accuracy),
            auc: difference(&auc),
        }
    }
}

fn accuracy(predictions: &[f64], classes: &[f64]) -> Option<f64> {
    Confusion::of(predictions, classes).accuracy()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn length_draws_and_bias_come_from_the_results() {
        let results = GameResults { first_wins: 6, draws: 2, second_wins: 2, ..results() };
        let game = |results| GameAggregate {
            game: "a".to_owned(),
            instances: 10,
            trees: 125,
            results,
            attributes: Vec::new(),
        };
        let [length, draws, bias] = play_of(&game(Some(results))).unwrap();
        assert_eq!((length, draws), (12.5, 0.2));
        assert!((bias - 0.2).abs() < 1e-12, "7 of 10 points");
        // The second player's advantage counts as much.
        let mirrored = GameResults { first_wins: 2, draws: 2, second_wins: 6, ..results };
        assert!((play_of(&game(Some(mirrored))).unwrap()[2] - 0.2).abs() < 1e-12);
        assert_eq!(play_of(&game(None)), None);
    }

    fn results() -> GameResults {
        GameResults { first_wins: 0, draws: 0, second_wins: 0, plies_min: 1, plies_max: 1 }
    }
}
