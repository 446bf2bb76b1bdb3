//! What a dataset holds.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use treegauge_core::{Ending, Head, Outcome, ReportKind};

use super::{DatasetHeader, Instance};
use crate::stats::{Estimate, mean_interval};

/// What a dataset holds, game by game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DatasetReport {
    /// The kind and the schema.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// Iterations per move.
    pub iterations: u32,
    /// The seed of the study.
    pub seed: u64,
    /// The exploration constant on rewards in \[0, 1\].
    pub cp: f64,
    /// Instances that are planned and were not played.
    pub missing: u64,
    /// The games in the order of their names.
    pub games: Vec<GameInstances>,
}

impl ReportKind for DatasetReport {
    const KIND: &'static str = "dataset";
}

/// The instances of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameInstances {
    /// The canonical name of the game.
    pub game: String,
    /// The instances.
    pub instances: u64,
    /// Their trees.
    pub trees: u64,
    /// Instances that the first player won.
    pub first_wins: u64,
    /// Drawn instances.
    pub draws: u64,
    /// Instances that the second player won.
    pub second_wins: u64,
    /// Instances that the ply cap ended.
    pub capped: u64,
    /// The length in plies.
    pub plies: Estimate,
}

/// Counts instances as they come.
#[derive(Debug, Default)]
pub struct DatasetTally {
    games: BTreeMap<String, GameTally>,
}

#[derive(Debug, Default)]
struct GameTally {
    trees: u64,
    results: [u64; 3],
    capped: u64,
    plies: Vec<f64>,
}

impl DatasetTally {
    /// One more instance.
    pub fn add(&mut self, instance: &Instance) {
        if !self.games.contains_key(&instance.game) {
            self.games.insert(instance.game.clone(), GameTally::default());
        }
        let tally = self.games.get_mut(&instance.game).expect("it is there now");
        let ended = instance.record.ended;
        tally.trees += instance.trees.len() as u64;
        tally.results[match ended.outcome {
            Outcome::FirstWins => 0,
            Outcome::Draw => 1,
            Outcome::SecondWins => 2,
        }] += 1;
        tally.capped += u64::from(ended.by == Ending::Capped);
        tally.plies.push(instance.record.len() as f64);
    }

    /// The instances of all games.
    #[must_use]
    pub fn instances(&self) -> u64 {
        self.games.values().map(|tally| tally.plies.len() as u64).sum()
    }

    /// The most instances that a game has.
    #[must_use]
    pub fn most(&self) -> u64 {
        self.games.values().map(|tally| tally.plies.len() as u64).max().unwrap_or(0)
    }

    /// The report.
    #[must_use]
    pub fn report(self, header: &DatasetHeader, missing: u64) -> DatasetReport {
        let games = self.games.into_iter().map(|(game, tally)| {
            let [first_wins, draws, second_wins] = tally.results;
            GameInstances {
                game,
                instances: tally.plies.len() as u64,
                trees: tally.trees,
                first_wins,
                draws,
                second_wins,
                capped: tally.capped,
                plies: mean_interval(&tally.plies, 1.0, (0.0, f64::INFINITY)),
            }
        });
        DatasetReport {
            head: Head::NEW,
            iterations: header.iterations,
            seed: header.seed,
            cp: header.cp,
            missing,
            games: games.collect(),
        }
    }
}
