//! Baselines that need no search tree: the length of the games of self-play, and how they end.

use serde::{Deserialize, Serialize};
use treegauge_learn::learners::OneAttribute;
use treegauge_learn::scores::{Confusion, auc};
use treegauge_learn::{Examples, Score, ScoreFn, Table, Task, bootstrap};

use super::contenders::contenders;
use super::{EvaluateError, EvaluateOptions, Evaluation, Protocol, cost_of_choice, paired};
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
        trees: &[f64],
    ) -> Result<(Vec<Baseline>, Option<TreesGain>), EvaluateError> {
        let Some(play) = self.known.play.as_deref().filter(|_| self.shapes == Shapes::Trees) else {
            return Ok((Vec::new(), None));
        };
        let table = &self.known.table;
        let own = joined(table, play, false)?;
        let all = joined(table, play, true)?;
        let examples = self.examples_of(&own)?;
        let alone = |attribute: usize| -> Result<Vec<f64>, EvaluateError> {
            let learner = OneAttribute { attribute };
            Ok(self.validated(&learner, ALONE_COST, &examples, Protocol::Grouped)?.predictions)
        };
        let best = |table: &Table| -> Result<Vec<f64>, EvaluateError> {
            Ok(self.best(table, &self.examples_of(table)?)?.predictions)
        };
        let (without, with) = (best(&own)?, best(&all)?);
        let of = Scored {
            iterations: self.iterations,
            split: self.split,
            examples: &examples,
            options: self.options,
        };
        let alone = [alone(0)?, alone(1)?, alone(2)?];
        let (baselines, gain) = of.all(&alone, &without, trees, &with);
        Ok((baselines, Some(gain)))
    }

    /// Examples of another table of the same games.
    fn examples_of<'t>(&self, table: &'t Table) -> Result<Examples<'t>, EvaluateError> {
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
        alone: &[Vec<f64>; 3],
        play: &[f64],
        trees: &[f64],
        both: &[f64],
    ) -> (Vec<Baseline>, TreesGain) {
        let [length, draws, bias] = alone;
        let baselines = [
            (BaselineAttributes::Length, &length[..]),
            (BaselineAttributes::Draws, draws),
            (BaselineAttributes::Bias, bias),
            (BaselineAttributes::Play, play),
            (BaselineAttributes::Trees, trees),
            (BaselineAttributes::TreesAndPlay, both),
        ]
        .map(|(attributes, predictions)| self.baseline(attributes, predictions));
        (baselines.into(), self.gain([both, play]))
    }

    /// Scores of predictions from some attributes.
    fn baseline(&self, attributes: BaselineAttributes, predictions: &[f64]) -> Baseline {
        let EvaluateOptions { draws, seed, .. } = self.options;
        let score = |of: ScoreFn<'_>| bootstrap(predictions, self.examples, of, draws, seed);
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
    fn gain(&self, with_and_without: [&[f64]; 2]) -> TreesGain {
        let difference = |score| paired(with_and_without, self.examples, self.options, score);
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
