//! Multilayer perceptrons of several shapes. Williams 2010 reports the best one.

use serde::{Deserialize, Serialize};
use treegauge_learn::learners::{Mlp, Scaled};
use treegauge_learn::scores::{Confusion, correlation};
use treegauge_learn::{Examples, LearnError, Learner, Score, Task, bootstrap, cross_validate};

use super::contenders::Size;
use super::{EvaluateError, Evaluation, Protocol, RATED_GAMES_MIN};
use crate::aggregate::{Shapes, Split};

/// Target of networks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NetworkTarget {
    /// Whether a game is playable.
    Playable,
    /// Rating of a game from 1 to 5.
    Quality,
}

/// Results of networks of several shapes, each trained [`REPEATS`] times with other initial weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NetworksResult {
    /// Iterations per move.
    pub iterations: u32,
    /// Division of the searches that attributes come from.
    pub split: Split,
    /// Shapes of the searches that attributes come from.
    pub shapes: Shapes,
    /// Target that they predict.
    pub target: NetworkTarget,
    /// Cross-validation of the predictions: [`Protocol::LeaveOneOut`] or [`Protocol::Grouped`].
    pub protocol: Protocol,
    /// Number of games.
    pub games: usize,
    /// Number of networks of each shape and game.
    pub repeats: usize,
    /// Results of each shape.
    pub networks: Vec<NetworkResult>,
    /// Agreement if each game is predicted by the shape that is best for the others, or for those of
    /// other groups with [`Protocol::Grouped`].
    pub chosen: Option<Score>,
}

impl NetworksResult {
    /// Result of the best shape.
    #[must_use]
    pub fn best(&self) -> Option<&NetworkResult> {
        self.networks.iter().find(|one| one.is_best)
    }

    /// Mean counts of the best shape for [`NetworkTarget::Playable`]; `None` for ratings.
    #[must_use]
    pub fn confusion(&self) -> Option<Confusion> {
        let [unplayable, playable] = &self.best()?.counts[..] else { return None };
        let row = |counts: &Vec<f64>| <[f64; 2]>::try_from(&counts[..]).ok();
        Some(Confusion { counts: [row(unplayable)?, row(playable)?] })
    }
}

/// Results of networks of one shape.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NetworkResult {
    /// Number of units of each hidden layer, in order from the inputs.
    pub hidden: Vec<usize>,
    /// Number of training steps.
    pub epochs: usize,
    /// Number of games by true and then by predicted class, a mean over the repetitions. The
    /// classes are unplayable and playable, or the ratings from 1 to 5, to which predictions are
    /// rounded.
    pub counts: Vec<Vec<f64>>,
    /// Share of right predictions, or correlation of predicted and true ratings: the mean over the
    /// repetitions, with an interval by the bootstrap over groups.
    pub agreement: Option<Score>,
    /// Whether no shape agrees better. Its agreement is too good, because it was chosen by it.
    pub is_best: bool,
}

/// Repetitions of each network, as in Williams 2010.
pub const REPEATS: usize = 10;

/// Numbers of hidden units and of training steps.
const SHAPES: [(&[usize], usize); 7] = [
    (&[3], 50),
    (&[3], 200),
    (&[10], 50),
    (&[10], 200),
    (&[10], 1_000),
    (&[10, 5], 50),
    (&[10, 5], 200),
];

/// Costs of a fit of one network of ten units and 200 steps, as [`Size::cost`] takes them.
const COST: [f64; 2] = [8_900.0, 24_500.0];

/// Predictions of one shape, by repetition and game.
type Repeated = Vec<Vec<f64>>;

impl NetworkTarget {
    /// Mean agreement of the repetitions at some games; repetitions with an undefined one are left
    /// out.
    fn agreement(self, repeated: &[Vec<f64>], places: &[usize], targets: &[f64]) -> Option<f64> {
        let own: Vec<f64> = places.iter().map(|&n| targets[n]).collect();
        let of = |predictions: &Vec<f64>| {
            let predictions: Vec<f64> = places.iter().map(|&n| predictions[n]).collect();
            match self {
                NetworkTarget::Playable => Confusion::of(&predictions, &own).accuracy(),
                NetworkTarget::Quality => correlation(&predictions, &own),
            }
        };
        let scores: Vec<f64> = repeated.iter().filter_map(of).collect();
        (!scores.is_empty()).then(|| scores.iter().sum::<f64>() / scores.len() as f64)
    }

    /// Mean number of games by true and predicted class.
    fn counts(self, repeated: &[Vec<f64>], targets: &[f64]) -> Vec<Vec<f64>> {
        let (classes, class): (usize, fn(f64) -> usize) = match self {
            NetworkTarget::Playable => (2, |x| usize::from(x >= 0.5)),
            NetworkTarget::Quality => (5, |x| (x.round().clamp(1.0, 5.0) - 1.0) as usize),
        };
        let mut counts = vec![vec![0.0; classes]; classes];
        for predictions in repeated {
            for (&prediction, &target) in predictions.iter().zip(targets) {
                counts[class(target)][class(prediction)] += 1.0 / repeated.len() as f64;
            }
        }
        counts
    }
}

/// Cost of the networks of `games` games, of them `groups` groups, in approximate microseconds.
pub(super) fn cost(size: Size, groups: usize) -> u64 {
    let fits = (size.games + groups) * REPEATS;
    SHAPES.iter().map(|shape| cost_of(shape, size)).sum::<u64>() * fits as u64
}

/// Cost of a fit, in proportion to the weights and the steps.
fn cost_of(&(hidden, epochs): &(&[usize], usize), size: Size) -> u64 {
    let units: usize = hidden.iter().sum();
    let share = units as f64 / 10.0 * epochs as f64 / 200.0;
    size.cost(COST.map(|cost| cost * share))
}

impl Evaluation<'_> {
    /// Results of networks for playability, and for ratings if there are enough rated games.
    pub(super) fn networks(&self) -> Result<Vec<NetworksResult>, EvaluateError> {
        let known = &self.known;
        let all: Vec<usize> = (0..known.playable.len()).collect();
        let mut results =
            self.networks_of(NetworkTarget::Playable, &all, known.playable.clone())?;
        let rated = known.rated();
        if rated.len() >= RATED_GAMES_MIN {
            let ratings = rated.iter().filter_map(|&n| known.ratings[n]).collect();
            results.extend(self.networks_of(NetworkTarget::Quality, &rated, ratings)?);
        }
        Ok(results)
    }

    /// Results of both protocols for some games with their targets.
    fn networks_of(
        &self,
        target: NetworkTarget,
        games: &[usize],
        targets: Vec<f64>,
    ) -> Result<Vec<NetworksResult>, EvaluateError> {
        let task = match target {
            NetworkTarget::Playable => Task::Classes,
            NetworkTarget::Quality => Task::Values,
        };
        let rows = games.iter().map(|&n| self.known.table.row(n)).collect();
        let groups = games.iter().map(|&n| self.known.groups[n]).collect();
        let examples = Examples::new(task, rows, targets, groups)?;
        let of = |protocol| self.networks_by(target, protocol, &examples);
        [Protocol::LeaveOneOut, Protocol::Grouped].map(of).into_iter().collect()
    }

    fn networks_by(
        &self,
        target: NetworkTarget,
        protocol: Protocol,
        examples: &Examples<'_>,
    ) -> Result<NetworksResult, EvaluateError> {
        let size = Size { games: examples.len(), attributes: examples.width() };
        let repeated = |shape @ &(hidden, epochs): &(&[usize], usize)| {
            let mlp = Mlp { hidden: hidden.to_vec(), epochs, repeats: 1, ..Mlp::default() };
            let learner = self.counted(Scaled(mlp), cost_of(shape, size));
            self.repeated(&learner, protocol, examples)
        };
        let predicted: Vec<Repeated> = SHAPES.iter().map(repeated).collect::<Result<_, _>>()?;
        let all: Vec<usize> = (0..examples.len()).collect();
        let best = best(target, &predicted, &all, examples.targets());
        let networks = SHAPES.iter().zip(&predicted).enumerate();
        let networks = networks.map(|(n, ((hidden, epochs), repeated))| NetworkResult {
            hidden: hidden.to_vec(),
            epochs: *epochs,
            counts: target.counts(repeated, examples.targets()),
            agreement: self.agreement(target, repeated, examples),
            is_best: n == best,
        });
        let chosen = chosen(target, protocol, &predicted, examples);
        Ok(NetworksResult {
            iterations: self.iterations,
            split: self.split,
            shapes: self.shapes,
            target,
            protocol,
            games: examples.len(),
            repeats: REPEATS,
            networks: networks.collect(),
            chosen: self.agreement(target, &chosen, examples),
        })
    }

    /// Predictions of each repetition.
    fn repeated(
        &self,
        learner: &dyn Learner,
        protocol: Protocol,
        examples: &Examples<'_>,
    ) -> Result<Repeated, LearnError> {
        let run = |repeat: usize| {
            // Fits of one validation have the same seed, so seeds of repetitions are far apart.
            let seed = self.options.seed.wrapping_add((repeat as u64).wrapping_mul(0x9e37_79b9));
            Ok(cross_validate(learner, examples, protocol.folds(), seed)?.predictions)
        };
        (0..REPEATS).map(run).collect()
    }

    /// Mean agreement of the repetitions with its interval.
    fn agreement(
        &self,
        target: NetworkTarget,
        repeated: &[Vec<f64>],
        examples: &Examples<'_>,
    ) -> Option<Score> {
        // The bootstrap draws indices of games, which find the predictions of each repetition.
        let places: Vec<f64> = (0..examples.len()).map(|n| n as f64).collect();
        let score = |places: &[f64], _: &[f64]| {
            let places: Vec<usize> = places.iter().map(|&n| n as usize).collect();
            target.agreement(repeated, &places, examples.targets())
        };
        bootstrap(&places, examples, &score, self.options.draws, self.options.seed)
    }
}

/// Index of the shape that agrees best at some games; the first of equally good ones.
fn best(target: NetworkTarget, predicted: &[Repeated], places: &[usize], targets: &[f64]) -> usize {
    let scores = predicted.iter().map(|repeated| target.agreement(repeated, places, targets));
    let mut found = (0, f64::NEG_INFINITY);
    for (n, score) in scores.enumerate() {
        if let Some(score) = score.filter(|score| *score > found.1) {
            found = (n, score);
        }
    }
    found.0
}

/// Predictions of each game by the shape that is best for the others.
fn chosen(
    target: NetworkTarget,
    protocol: Protocol,
    predicted: &[Repeated],
    examples: &Examples<'_>,
) -> Repeated {
    let mut chosen = vec![vec![0.0; examples.len()]; REPEATS];
    let groups = examples.groups();
    for n in 0..examples.len() {
        let is_other = |&other: &usize| match protocol {
            Protocol::LeaveOneOut => other != n,
            Protocol::Grouped | Protocol::Nested => groups[other] != groups[n],
        };
        let others: Vec<usize> = (0..examples.len()).filter(is_other).collect();
        let shape = best(target, predicted, &others, examples.targets());
        for (own, repeated) in chosen.iter_mut().zip(&predicted[shape]) {
            own[n] = repeated[n];
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_means_over_repetitions() {
        let repeated = [vec![0.4, 0.9, 0.5], vec![0.6, 0.8, 0.1]];
        let counts = NetworkTarget::Playable.counts(&repeated, &[0.0, 1.0, 1.0]);
        assert_eq!(counts, [[0.5, 0.5], [0.5, 1.5]]);
        // Predicted ratings are rounded, and lie from 1 to 5.
        let repeated = [vec![0.2, 2.5, 7.0]];
        let counts = NetworkTarget::Quality.counts(&repeated, &[2.0, 2.0, 5.0]);
        assert_eq!(counts[1], [1.0, 0.0, 1.0, 0.0, 0.0]);
        assert_eq!(counts[4], [0.0, 0.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn a_game_is_predicted_by_the_shape_that_is_best_for_the_others() {
        // The first shape is wrong about the last game only, the second about all others.
        let targets = vec![0.0, 1.0, 0.0, 1.0];
        let right = vec![0.0, 1.0, 0.0, 0.0];
        let wrong = vec![1.0, 0.0, 1.0, 1.0];
        let predicted = [vec![right; REPEATS], vec![wrong; REPEATS]];
        let rows = [[0.0]; 4];
        let rows = rows.iter().map(<[f64; 1]>::as_slice).collect();
        let examples =
            Examples::new(Task::Classes, rows, targets.clone(), vec![0, 1, 2, 2]).unwrap();
        let (target, all) = (NetworkTarget::Playable, [0, 1, 2, 3]);
        assert_eq!(best(target, &predicted, &all, &targets), 0);
        assert_eq!(target.agreement(&predicted[0], &all, &targets), Some(0.75));
        let chosen = chosen(target, Protocol::Grouped, &predicted, &examples);
        assert_eq!(chosen[0], [0.0, 1.0, 0.0, 0.0]);
        // A constant has no correlation.
        let constant = [vec![2.0; 4]];
        assert_eq!(NetworkTarget::Quality.agreement(&constant, &all, &targets), None);
    }
}
