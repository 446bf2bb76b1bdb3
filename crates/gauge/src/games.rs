//! Games of a gauge, prepared for the measures.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use treegauge_core::{Ended, Player};
use treegauge_stats::{Estimate, Pairs, mean_interval, ratio_interval, wilson};

use super::curve::Curve;
use super::record::RecordedGame;
use super::shapes::ShapeFold;
use crate::{GameRecord, PlyRecord};

/// Games of a gauge, prepared for the measures.
#[derive(Debug)]
pub struct GaugeGames<'a> {
    records: Vec<&'a GameRecord>,
    curves: Vec<Curve>,
    /// Search trees of the games that have them: all trees of a game together.
    trees: Vec<ShapeFold>,
    skill: Pairs,
    skill_factor: u32,
}

impl<'a> GaugeGames<'a> {
    /// Takes games of self-play.
    pub(super) fn of_self_play(games: impl IntoIterator<Item = &'a RecordedGame>) -> Self {
        let (mut records, mut curves, mut trees) = (Vec::new(), Vec::new(), Vec::new());
        for game in games {
            records.push(&game.record);
            curves.push(Curve::of(game.number.game, &game.record));
            trees.extend(game.shapes.as_ref().map(|[first, second]| {
                let mut both = first.clone();
                both.merge(second);
                both
            }));
        }
        GaugeGames { records, curves, trees, skill: Pairs::default(), skill_factor: 1 }
    }

    /// Takes self-play games known only by their records, and numbers them from 0.
    pub fn of_records(records: &'a [GameRecord]) -> Self {
        let curve = |(n, record): (u32, &'a GameRecord)| (record, Curve::of(n, record));
        let (records, curves) = (0..).zip(records).map(curve).unzip();
        let trees = Vec::new();
        GaugeGames { records, curves, trees, skill: Pairs::default(), skill_factor: 1 }
    }

    /// Adds games between unequal searches; the stronger side had `skill_factor` times the
    /// iterations.
    pub(super) fn with_skill(self, games: &[RecordedGame], skill_factor: u32) -> Self {
        GaugeGames { skill: skill_pairs(games), skill_factor, ..self }
    }

    /// Returns the games between unequal searches, as a match of the stronger against the weaker.
    #[must_use]
    pub fn skill(&self) -> Pairs {
        self.skill
    }

    /// Factor between the iterations of the stronger and the weaker search.
    #[must_use]
    pub fn skill_factor(&self) -> u32 {
        self.skill_factor
    }

    /// Returns the records of the self-play games.
    #[must_use]
    pub fn records(&self) -> &[&'a GameRecord] {
        &self.records
    }

    /// Returns the curves of the games, in the order of the records.
    #[must_use]
    pub fn curves(&self) -> &[Curve] {
        &self.curves
    }

    pub(super) fn into_curves(self) -> Vec<Curve> {
        self.curves
    }

    /// Returns the lengths in plies, in the order of the records.
    pub fn lengths(&self) -> impl Iterator<Item = u32> {
        self.records.iter().map(|record| record.len() as u32)
    }

    /// Returns the share of games whose end satisfies a condition.
    pub(super) fn share(&self, holds: fn(&Ended) -> bool) -> Estimate {
        let holding = self.records.iter().filter(|record| holds(&record.ended)).count();
        wilson(holding as f64, self.records.len() as u64)
    }

    /// Returns the mean over all searched plies. The games, not the plies, are the independent
    /// observations.
    pub(super) fn over_plies(&self, range: (f64, f64), of: fn(&PlyRecord) -> f64) -> Estimate {
        let with_plies = self.records.iter().filter(|record| !record.plies.is_empty());
        let sums =
            with_plies.map(|record| (record.plies.len() as f64, record.plies.iter().map(of).sum()));
        let sums: Vec<(f64, f64)> = sums.collect();
        // Floor of the standard error: the effect of one ply of one game that differs by 1.
        let searched: f64 = sums.iter().map(|(plies, _)| plies).sum();
        ratio_interval(&sums, 1.0 / searched, range)
    }

    /// Returns the mean over the search trees of the games. For the trees of a game `of` returns a
    /// weight and a sum; the estimate is the ratio of the totals. Games are the independent
    /// observations.
    pub(super) fn over_trees(
        &self,
        range: (f64, f64),
        of: fn(&ShapeFold) -> Option<(f64, f64)>,
    ) -> Estimate {
        let sums: Vec<(f64, f64)> =
            self.trees.iter().filter_map(of).filter(|(weight, _)| *weight > 0.0).collect();
        let all: f64 = sums.iter().map(|(weight, _)| weight).sum();
        ratio_interval(&sums, 1.0 / all, range)
    }

    /// Returns the mean share of the moves that two games do not have in common, over disjoint
    /// pairs of games in their order.
    pub(super) fn variety(&self) -> Estimate {
        let pairs = self.records.chunks_exact(2).filter_map(|pair| unlike(pair[0], pair[1]));
        let values: Vec<f64> = pairs.collect();
        mean_interval(&values, 1.0, (0.0, 1.0))
    }

    /// Returns the mean over the games for which `of` returns a value.
    pub(super) fn over_curves(&self, range: (f64, f64), of: fn(&Curve) -> Option<f64>) -> Estimate {
        let values: Vec<f64> = self.curves.iter().filter_map(of).collect();
        mean_interval(&values, 1.0, range)
    }
}

/// Share of the moves of two games that the same player did not make in the other game, in whatever
/// order; `None` if neither has a move.
fn unlike(one: &GameRecord, other: &GameRecord) -> Option<f64> {
    let mut counts: FxHashMap<(Player, &str), [u32; 2]> = FxHashMap::default();
    for (game, record) in [one, other].into_iter().enumerate() {
        for ply in &record.plies {
            counts.entry((ply.turn, &ply.m)).or_default()[game] += 1;
        }
    }
    let all = one.plies.len() + other.plies.len();
    let common: u32 = counts.values().map(|&[one, other]| one.min(other)).sum();
    (all > 0).then(|| 1.0 - 2.0 * f64::from(common) / all as f64)
}

/// Collects the games between unequal searches as a match of the stronger against the weaker. Games
/// 2k and 2k + 1 are a pair.
fn skill_pairs(games: &[RecordedGame]) -> Pairs {
    let mut by_pair: BTreeMap<u32, [Option<&RecordedGame>; 2]> = BTreeMap::new();
    for game in games {
        let number = game.number.game;
        by_pair.entry(number / 2).or_default()[number as usize % 2] = Some(game);
    }
    let mut pairs = Pairs::default();
    for both in by_pair.into_values() {
        match both {
            [Some(one), Some(other)] => {
                pairs.add(one.record.ended.outcome, other.record.ended.outcome);
            }
            [single, other] => {
                for game in single.into_iter().chain(other) {
                    let stronger = game.stronger.unwrap_or(Player::First);
                    pairs.add_single(game.record.ended.outcome, stronger);
                }
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use treegauge_core::{Ending, Outcome};
    use treegauge_search::Shape;

    use super::super::Measures;
    use super::super::record::{GameNumber, GamePart};
    use super::*;

    /// Game in which both players move in turn.
    fn game(moves: &str) -> GameRecord {
        let plies =
            moves.split_whitespace().zip([Player::First, Player::Second].into_iter().cycle());
        let ply = |(m, turn): (&str, Player)| PlyRecord {
            m: m.to_owned(),
            turn,
            legal_moves: 4,
            value_for_first: 0.0,
            visits: 10,
        };
        let ended = Ended { by: Ending::Outcome, outcome: Outcome::FirstWins };
        GameRecord { opening: Vec::new(), plies: plies.map(ply).collect(), ended }
    }

    #[test]
    fn variety_is_the_share_of_moves_that_two_games_do_not_share() {
        for (one, other, expected) in [
            ("a b c d", "a b c d", 0.0),
            ("a b c d", "c d a b", 0.0),
            // The second player makes the moves of the first.
            ("a b", "b a", 1.0),
            // a and b of ten moves are common.
            ("a b c d", "a b e f g h", 0.6),
            // A move that is made twice counts twice.
            ("a x a y", "a p q r", 0.75),
        ] {
            let found = unlike(&game(one), &game(other)).unwrap();
            assert!((found - expected).abs() < 1e-12, "{one}, {other}: {found}");
        }
        assert_eq!(unlike(&game(""), &game("")), None);
        // Pairs of games do not overlap, so that they are independent.
        let games = ["a b", "a b", "a b", "b a", "a b"].map(game);
        let variety = GaugeGames::of_records(&games).variety();
        assert_eq!((variety.mean, variety.n), (Some(0.5), 2));
    }

    #[test]
    fn tension_and_clarity_come_from_the_trees_of_self_play() {
        let shape = |best, mean_l1, legal_moves, effective_branching| Shape {
            best,
            mean_l1,
            legal_moves,
            effective_branching,
            ..Shape::default()
        };
        let recorded = |number: u32, shapes: &[Shape]| {
            let mut folds = <[ShapeFold; 2]>::default();
            shapes.iter().enumerate().for_each(|(n, shape)| folds[n % 2].add(shape));
            let number = GameNumber { part: GamePart::SelfPlay, iterations: None, game: number };
            RecordedGame { number, stronger: None, record: game("a b"), shapes: Some(folds) }
        };
        let games = [
            recorded(0, &[shape(1.0, -0.6, 4.0, 1.0), shape(0.2, 0.2, 1.0, 1.0)]),
            recorded(1, &[shape(0.5, 0.3, 6.0, 3.0)]),
        ];
        let measures = Measures::of(&GaugeGames::of_self_play(&games));
        // Half of 1.6, 0 and 0.2, over three plies; 3, 0 and 3 of 11 moves.
        let tension = measures.get("tension");
        assert!((tension.mean.unwrap() - 0.3).abs() < 1e-12 && tension.n == 2, "{tension:?}");
        assert!((measures.get("clarity").mean.unwrap() - 6.0 / 11.0).abs() < 1e-12);
        let records = [game("a b"), game("a b")];
        let measures = Measures::of(&GaugeGames::of_records(&records));
        assert_eq!((measures.get("tension").mean, measures.get("clarity").mean), (None, None));
    }
}
