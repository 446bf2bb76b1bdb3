//! Reports on the contents of a dataset.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use treegauge_core::{Ending, Outcome, ReportHeader, ReportKind, is_default};
use treegauge_search::{Expansion, UctVariant};
use treegauge_stats::{Estimate, mean_interval};
use treegauge_store::{MissingParts, Pieces, Shard};

use super::{DatasetHeader, Instance};

/// Contents of a dataset, game by game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DatasetReport {
    /// Kind and schema version of the document.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Iterations per move.
    pub iterations: u32,
    /// Seed of the study.
    #[serde(with = "treegauge_core::seed_json")]
    pub seed: u64,
    /// Exploration constant on rewards in \[0, 1\].
    pub cp: f64,
    /// Order in which searches try moves.
    #[serde(default, skip_serializing_if = "is_default")]
    pub expansion: Expansion,
    /// Other differences of the searches from those of Williams 2010.
    #[serde(flatten)]
    pub variant: UctVariant,
    /// Number of planned instances that were not played.
    pub missing: u64,
    /// Missing instances, if parts were merged; `None` otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub incomplete: Option<MissingInstances>,
    /// Games in the order of the list that was collected, or else in that of their names.
    pub games: Vec<GameInstances>,
}

impl ReportKind for DatasetReport {
    const KIND: &'static str = "dataset";
}

/// Counts of the instances of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameInstances {
    /// Canonical name of the game.
    pub game: String,
    /// Place in the list that was collected, from 1; `None` in merged parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<u64>,
    /// Game as it was written in the list; `None` in merged parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// Number of instances.
    pub instances: u64,
    /// Number of their trees.
    pub trees: u64,
    /// Instances that the first player won.
    pub first_wins: u64,
    /// Drawn instances.
    pub draws: u64,
    /// Instances that the second player won.
    pub second_wins: u64,
    /// Instances that the ply cap ended.
    pub capped: u64,
    /// Mean length in plies, with its interval.
    pub plies: Estimate,
}

/// Instances that a dataset lacks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MissingInstances {
    /// Iterations per move of the dataset.
    pub iterations: u32,
    /// Number of instances that each game should have: the most that are planned of any game.
    /// Without a plan, one more than the greatest number of an instance.
    pub planned: u64,
    /// Whether the collection ended before its tables were written.
    pub unfinished: bool,
    /// Absent and incomplete parts, if parts of a dataset were merged or this is one; `None`
    /// otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<MissingParts>,
    /// Games that lack instances, in the order of their names.
    pub games: Vec<GameMissing>,
}

/// Number of instances that a game lacks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameMissing {
    /// Canonical name of the game.
    pub game: String,
    /// Number of missing instances, at least 1.
    pub missing: u64,
    /// Numbers of the first 20 missing instances; empty if they are unknown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub first: Vec<u32>,
}

impl MissingInstances {
    /// Computes the missing instances if each game should have `planned` of them, from the number
    /// that each has. `None` if all are there and the collection was finished.
    #[must_use]
    pub fn of<'a>(
        iterations: u32,
        planned: u64,
        unfinished: bool,
        games: impl IntoIterator<Item = (&'a str, u64)>,
    ) -> Option<MissingInstances> {
        let lacking = |(game, instances): (&str, u64)| {
            let missing = planned.saturating_sub(instances);
            let game = GameMissing { game: game.to_owned(), missing, first: Vec::new() };
            (missing > 0).then_some(game)
        };
        let games: Vec<GameMissing> = games.into_iter().filter_map(lacking).collect();
        let is_whole = games.is_empty() && !unfinished;
        (!is_whole).then_some(MissingInstances {
            iterations,
            planned,
            unfinished,
            parts: None,
            games,
        })
    }

    /// Number of missing instances of all games together.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.games.iter().map(|game| game.missing).sum()
    }
}

/// Counter of instances by game.
#[derive(Clone, Debug, Default)]
pub struct DatasetTally {
    games: BTreeMap<String, GameTally>,
}

#[derive(Clone, Debug, Default)]
struct GameTally {
    trees: u64,
    results: [u64; 3],
    capped: u64,
    plies: Vec<f64>,
    /// Numbers of the instances.
    numbers: Vec<u32>,
}

impl DatasetTally {
    /// Adds an instance.
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
        tally.numbers.push(instance.instance);
    }

    /// Number of instances of all games.
    #[must_use]
    pub fn instances(&self) -> u64 {
        self.games.values().map(|tally| tally.plies.len() as u64).sum()
    }

    /// One more than the greatest number of an instance of any game: the plan has at least this
    /// many.
    #[must_use]
    pub fn found(&self) -> u32 {
        let numbers = self.games.values().flat_map(|tally| &tally.numbers);
        numbers.max().map_or(0, |&number| number.saturating_add(1))
    }

    /// Missing instances of a plan; `None` if it is complete. A game that the plan does not name
    /// should have as many instances as [`found`](Self::found) returns.
    #[must_use]
    pub fn missing(
        &self,
        header: &DatasetHeader,
        planned: &BTreeMap<String, u32>,
        given: &BTreeSet<Option<Shard>>,
        unfinished: bool,
    ) -> Option<MissingInstances> {
        let (found, unplayed) = (self.found(), Vec::new());
        let names: BTreeSet<&String> = self.games.keys().chain(planned.keys()).collect();
        let pieces = names.into_iter().map(|game| {
            let known = self.games.get(game).map_or(&unplayed, |tally| &tally.numbers).clone();
            let planned = planned.get(game).copied().unwrap_or(found);
            (game, Pieces { planned, known, together: 1 })
        });
        let pieces: Vec<(&String, Pieces)> = pieces.collect();
        let lacking = pieces.iter().filter(|(_, pieces)| pieces.missing() > 0);
        let games = lacking.map(|(game, pieces)| GameMissing {
            game: (*game).clone(),
            missing: pieces.missing(),
            first: pieces.first_missing(),
        });
        let games: Vec<GameMissing> = games.collect();
        let most = pieces.iter().map(|(_, pieces)| pieces.planned).max().unwrap_or(0);
        let is_whole = games.is_empty() && !unfinished;
        (!is_whole).then(|| MissingInstances {
            iterations: header.iterations,
            planned: most.into(),
            unfinished,
            parts: MissingParts::of(given, pieces.iter().map(|(_, pieces)| pieces)),
            games,
        })
    }

    /// Builds the report; `missing` is the number of planned instances that were not played.
    #[must_use]
    pub fn report(self, header: &DatasetHeader, missing: u64) -> DatasetReport {
        let games = self.games.into_iter().map(|(game, mut tally)| {
            // The sum of lengths must not depend on the order in which instances were added.
            tally.plies.sort_by(f64::total_cmp);
            let [first_wins, draws, second_wins] = tally.results;
            // A game has a ply unless its start is an end.
            let plies_min = if tally.plies.first() == Some(&0.0) { 0.0 } else { 1.0 };
            GameInstances {
                game,
                place: None,
                input: None,
                instances: tally.plies.len() as u64,
                trees: tally.trees,
                first_wins,
                draws,
                second_wins,
                capped: tally.capped,
                plies: mean_interval(&tally.plies, 1.0, (plies_min, f64::INFINITY)),
            }
        });
        DatasetReport {
            head: ReportHeader::NEW,
            iterations: header.iterations,
            seed: header.seed,
            cp: header.cp,
            expansion: header.expansion,
            variant: header.variant,
            missing,
            incomplete: None,
            games: games.collect(),
        }
    }
}
