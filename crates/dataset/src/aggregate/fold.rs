//! Summary of a dataset, computed instance by instance.

use std::collections::BTreeMap;

use treegauge_core::Outcome;
use treegauge_gauge::{GameRecord, GaugeGames};
use treegauge_search::FEATURES;
use treegauge_stats::Moments;

use super::attributes::{SUMMARIES, attribute_names, pairs, play_measures, player_attribute_names};
use super::{Aggregate, GameAggregate, GameResults};
use crate::collect::{DatasetHeader, Instance};

/// Accumulator that sums up instances by game.
#[derive(Debug)]
pub struct Aggregator {
    iterations: u32,
    players: Vec<String>,
    games: BTreeMap<String, Folds>,
}

#[derive(Debug)]
struct Folds {
    /// Features of trees, by player, then by feature.
    features: [Vec<Moments>; 2],
    /// Games of self-play, without the texts of their moves.
    records: Vec<GameRecord>,
    /// For each pair of players in order: points of the first seat, draws, plies.
    player_games: Vec<[Moments; 3]>,
}

impl Folds {
    fn new(players: usize) -> Folds {
        Folds {
            features: [no_trees(), no_trees()],
            records: Vec::new(),
            player_games: vec![[Moments::default(); 3]; players * players],
        }
    }

    fn add(&mut self, instance: &Instance) {
        add_trees(&mut self.features, instance);
        let mut record = instance.record.clone();
        record.opening = vec![String::new(); record.opening.len()];
        record.plies.iter_mut().for_each(|ply| ply.m = String::new());
        self.records.push(record);
        for (folds, game) in self.player_games.iter_mut().zip(&instance.player_games) {
            let value = f64::from(game.ended.outcome.value());
            let draw = f64::from(u8::from(value == 0.0));
            let numbers = [(1.0 + value) / 2.0, draw, f64::from(game.plies)];
            folds.iter_mut().zip(numbers).for_each(|(fold, number)| fold.add(number));
        }
    }

    /// Attributes of the games between `players` players.
    fn of_players(&self, players: usize) -> Vec<f64> {
        let games = self.player_games.iter().flat_map(|[points, draws, plies]| {
            let mean = plies.mean.max(1.0);
            [
                points.mean,
                (points.mean - 0.5).abs(),
                draws.mean,
                plies.mean,
                mean.ln(),
                plies.variance().sqrt() / mean,
            ]
        });
        let points =
            |first: usize, second: usize| self.player_games[first * players + second][0].mean;
        let skill = pairs(players)
            .map(|[weak, strong]| (points(strong, weak) + 1.0 - points(weak, strong)) / 2.0);
        games.chain(skill).collect()
    }
}

impl Aggregator {
    /// Starts an empty summary of a dataset with this header.
    #[must_use]
    pub fn new(header: &DatasetHeader) -> Aggregator {
        let DatasetHeader { iterations, players, .. } = header;
        Aggregator { iterations: *iterations, players: players.clone(), games: BTreeMap::new() }
    }

    /// Adds an instance. The same instances of a game in the same order yield bit-identical
    /// attributes. If an instance lacks games between players of the header, only those that it has
    /// are counted.
    pub fn add(&mut self, instance: &Instance) {
        if !self.games.contains_key(&instance.game) {
            self.games.insert(instance.game.clone(), Folds::new(self.players.len()));
        }
        self.games.get_mut(&instance.game).expect("it is there now").add(instance);
    }

    /// Attributes of all games: of their trees, their play and their players.
    #[must_use]
    pub fn finish(self) -> Aggregate {
        let players = self.players.len();
        let games = self.games.into_iter().map(|(game, folds)| {
            let (trees, of_trees) = of_trees(&folds.features);
            let played = GaugeGames::of_records(&folds.records);
            let of_play = play_measures().map(|measure| (measure.of)(&played).mean.unwrap_or(0.0));
            let attributes =
                of_trees.into_iter().chain(of_play).chain(folds.of_players(players)).collect();
            let results = Some(results_of(folds.records.iter().map(ended)));
            GameAggregate {
                game,
                instances: folds.records.len() as u64,
                trees,
                results,
                attributes,
            }
        });
        let play = play_measures().map(|measure| format!("play.{}", measure.name));
        let attributes = attribute_names().into_iter().chain(play);
        Aggregate {
            iterations: self.iterations,
            attributes: attributes.chain(player_attribute_names(&self.players)).collect(),
            games: games.collect(),
        }
    }
}

/// Sums of the features of no tree.
pub(super) fn no_trees() -> Vec<Moments> {
    vec![Moments::default(); FEATURES.len()]
}

/// Adds the features of the trees of an instance to the sums by player.
pub(super) fn add_trees(features: &mut [Vec<Moments>; 2], instance: &Instance) {
    for row in instance.rows() {
        let features = &mut features[row.player().index()];
        features.iter_mut().zip(row.features()).for_each(|(sum, &value)| sum.add(value));
    }
}

/// Number of trees with these sums by player, and their attributes, in the order of
/// [`attribute_names`].
pub(super) fn of_trees([first, second]: &[Vec<Moments>; 2]) -> (u64, Vec<f64>) {
    let both = first.iter().zip(second).map(|(first, second)| {
        let mut both = *first;
        both.merge(second);
        both
    });
    let both: Vec<Moments> = both.collect();
    let all = both.iter().chain(first).chain(second);
    let attributes = all.flat_map(|sum| SUMMARIES.iter().map(move |(_, of)| of(sum)));
    (both.first().map_or(0, |sum| sum.n), attributes.collect())
}

/// Result of a game, and its length in plies.
pub(super) fn ended(game: &GameRecord) -> (Outcome, u64) {
    (game.ended.outcome, game.len() as u64)
}

/// Counts of results, and range of lengths, of games with these results and lengths.
pub(super) fn results_of(games: impl Iterator<Item = (Outcome, u64)> + Clone) -> GameResults {
    let count = |of: Outcome| games.clone().filter(|(outcome, _)| *outcome == of).count() as u64;
    let plies = || games.clone().map(|(_, plies)| plies);
    GameResults {
        first_wins: count(Outcome::FirstWins),
        draws: count(Outcome::Draw),
        second_wins: count(Outcome::SecondWins),
        plies_min: plies().min().unwrap_or(0),
        plies_max: plies().max().unwrap_or(0),
    }
}
