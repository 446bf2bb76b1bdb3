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
        let none = || vec![Moments::default(); FEATURES.len()];
        Folds {
            features: [none(), none()],
            records: Vec::new(),
            player_games: vec![[Moments::default(); 3]; players * players],
        }
    }

    fn add(&mut self, instance: &Instance) {
        for row in instance.rows() {
            let features = &mut self.features[row.player().index()];
            for (fold, &value) in features.iter_mut().zip(row.features()) {
                fold.add(value);
            }
        }
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
            let [first, second] = &folds.features;
            let both: Vec<Moments> = first
                .iter()
                .zip(second)
                .map(|(first, second)| {
                    let mut both = *first;
                    both.merge(second);
                    both
                })
                .collect();
            let trees = both.first().map_or(0, |fold| fold.n);
            let all = both.iter().chain(first).chain(second);
            let of_trees = all.flat_map(|fold| SUMMARIES.iter().map(move |(_, of)| of(fold)));
            let played = GaugeGames::of_records(&folds.records);
            let of_play = play_measures().map(|measure| (measure.of)(&played).mean.unwrap_or(0.0));
            let attributes = of_trees.chain(of_play).chain(folds.of_players(players)).collect();
            let results = Some(results_of(&folds.records));
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

/// Counts of results, and range of lengths, of games.
fn results_of(records: &[GameRecord]) -> GameResults {
    let count = |of: Outcome| records.iter().filter(|game| game.ended.outcome == of).count() as u64;
    let plies = || records.iter().map(|game| game.len() as u64);
    GameResults {
        first_wins: count(Outcome::FirstWins),
        draws: count(Outcome::Draw),
        second_wins: count(Outcome::SecondWins),
        plies_min: plies().min().unwrap_or(0),
        plies_max: plies().max().unwrap_or(0),
    }
}
