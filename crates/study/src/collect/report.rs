//! What a dataset holds.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use treegauge_core::{Ending, Head, Outcome, ReportKind};
use treegauge_search::{Expansion, UctVariant};

use super::{DatasetHeader, Instance};
use crate::gauge::is_default;
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
    /// In which order searches try moves.
    #[serde(default, skip_serializing_if = "is_default")]
    pub expansion: Expansion,
    /// How searches differ otherwise from those of Williams 2010.
    #[serde(flatten)]
    pub variant: UctVariant,
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

/// Instances that a dataset lacks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MissingInstances {
    /// Iterations per move of the dataset.
    pub iterations: u32,
    /// The instances that each game should have, as far as the dataset shows: one more than the greatest
    /// number of an instance.
    pub planned: u64,
    /// Whether the collection ended before its tables were written.
    pub unfinished: bool,
    /// The games that lack instances, in the order of their names.
    pub games: Vec<GameMissing>,
}

/// How many instances a game lacks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameMissing {
    /// The canonical name of the game.
    pub game: String,
    /// The instances that are missing, 1 or more.
    pub missing: u64,
}

impl MissingInstances {
    /// What is missing where each game should have `planned` instances, from the instances that each has;
    /// nothing where none is missing and the collection was finished.
    #[must_use]
    pub fn of<'a>(
        iterations: u32,
        planned: u64,
        unfinished: bool,
        games: impl IntoIterator<Item = (&'a str, u64)>,
    ) -> Option<MissingInstances> {
        let lacking = |(game, instances): (&str, u64)| {
            let missing = planned.saturating_sub(instances);
            (missing > 0).then(|| GameMissing { game: game.to_owned(), missing })
        };
        let games: Vec<GameMissing> = games.into_iter().filter_map(lacking).collect();
        let is_whole = games.is_empty() && !unfinished;
        (!is_whole).then_some(MissingInstances { iterations, planned, unfinished, games })
    }

    /// The instances that are missing, of all games together.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.games.iter().map(|game| game.missing).sum()
    }
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
    /// One more than the greatest number of an instance.
    end: u64,
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
        tally.end = tally.end.max(u64::from(instance.instance) + 1);
    }

    /// The instances of all games.
    #[must_use]
    pub fn instances(&self) -> u64 {
        self.games.values().map(|tally| tally.plies.len() as u64).sum()
    }

    /// The instances that the plan of each game has at least: one more than the greatest number of an
    /// instance of any game.
    #[must_use]
    pub fn planned(&self) -> u64 {
        self.games.values().map(|tally| tally.end).max().unwrap_or(0)
    }

    /// What is missing where each game should have `planned` instances; see [`MissingInstances::of`].
    #[must_use]
    pub fn missing(
        &self,
        header: &DatasetHeader,
        planned: u64,
        unfinished: bool,
    ) -> Option<MissingInstances> {
        let games = self.games.iter().map(|(game, tally)| (&game[..], tally.plies.len() as u64));
        MissingInstances::of(header.iterations, planned, unfinished, games)
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
            expansion: header.expansion,
            variant: header.variant,
            missing,
            games: games.collect(),
        }
    }
}
