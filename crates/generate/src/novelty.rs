//! Novelty of a game: its distance to other games.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use treegauge_gauge::{Measures, REFERENCE, ReferenceRow};
use treegauge_search::FEATURES;

/// Measures that enter the distance, beside the features of search trees.
const MEASURED: [&str; 9] = [
    "plies",
    "branching",
    "decision_moves",
    "lead_changes",
    "drama",
    "decisiveness",
    "draw_rate",
    "first_player",
    "completion",
];

/// Number of nearest games that novelty averages over.
pub const NEAREST: usize = 5;

/// Behaviour of a game: measures and features in standard deviations over the built-in games, and
/// the words used by its text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Behaviour {
    numbers: Vec<Option<f64>>,
    /// Use of each word of the rule language; `None` for a game without a text.
    words: Option<Vec<bool>>,
}

/// Standard deviation of each number over the built-in games that are not broken on purpose.
static SPREADS: LazyLock<Vec<f64>> = LazyLock::new(|| {
    let rows: Vec<Vec<Option<f64>>> =
        REFERENCE.rows.iter().filter(|row| !row.broken).map(raw_of_known).collect();
    let width = rows.first().map_or(0, Vec::len);
    (0..width)
        .map(|n| {
            let values: Vec<f64> = rows.iter().filter_map(|row| row[n]).collect();
            let count = values.len().max(1) as f64;
            let mean = values.iter().sum::<f64>() / count;
            (values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count).sqrt()
        })
        .collect()
});

fn raw(measures: &Measures, features: &BTreeMap<String, f64>) -> Vec<Option<f64>> {
    let measured = MEASURED.iter().map(|name| measures.get(name).mean);
    measured.chain(FEATURES.iter().map(|feature| features.get(feature.name).copied())).collect()
}

fn raw_of_known(row: &ReferenceRow) -> Vec<Option<f64>> {
    raw(&row.measures, &row.features)
}

fn scaled(raw: Vec<Option<f64>>) -> Vec<Option<f64>> {
    let scaled = |(x, &spread): (Option<f64>, &f64)| x.filter(|_| spread > 0.0).map(|x| x / spread);
    raw.into_iter().zip(SPREADS.iter()).map(scaled).collect()
}

impl Behaviour {
    /// Computes the behaviour of a game with a text.
    pub(super) fn new(
        measures: &Measures,
        features: &BTreeMap<String, f64>,
        words: Vec<bool>,
    ) -> Behaviour {
        Behaviour { numbers: scaled(raw(measures, features)), words: Some(words) }
    }

    /// Returns the distance of two games. It is the root of the mean squared difference of the
    /// numbers that both have, plus the share of words that only one text uses among those that
    /// either uses.
    pub(super) fn distance(&self, other: &Behaviour) -> f64 {
        let both = || self.numbers.iter().zip(&other.numbers).filter_map(|(a, b)| a.zip(*b));
        let count = both().count();
        let square: f64 = both().map(|(a, b)| (a - b).powi(2)).sum();
        let numbers = if count == 0 { 0.0 } else { (square / count as f64).sqrt() };
        let words = self.words.as_ref().zip(other.words.as_ref());
        numbers + words.map_or(0.0, |(one, other)| apart(one, other))
    }
}

/// Returns the share of words that only one text uses, among those that either uses.
fn apart(one: &[bool], other: &[bool]) -> f64 {
    let either = one.iter().zip(other).filter(|(a, b)| **a || **b).count();
    let only_one = one.iter().zip(other).filter(|(a, b)| a != b).count();
    if either == 0 { 0.0 } else { only_one as f64 / either as f64 }
}

/// Known game and its distance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Neighbour {
    /// Name of a built-in game or of a game of the run.
    pub game: String,
    /// Distance as defined at [`Novelty::novelty`].
    pub distance: f64,
}

/// Novelty of a game with respect to the known games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Novelty {
    /// Mean distance to the [`NEAREST`] nearest games.
    ///
    /// The distance of two games is the root of the mean squared difference of measures and tree
    /// features, each in standard deviations over the built-in games. Between two texts it also
    /// includes the share of words that only one of them uses. The numbers of built-in games come
    /// from a gauge, whose searches are stronger than those of a glance.
    pub novelty: f64,
    /// Nearest game.
    pub nearest: Option<Neighbour>,
}

/// Games that novelty is measured against.
#[derive(Clone, Debug)]
pub(super) struct Known(Vec<(String, Behaviour)>);

impl Known {
    /// Takes the built-in games that are not broken on purpose.
    pub(super) fn built_in() -> Known {
        let behaviour =
            |row: &ReferenceRow| Behaviour { numbers: scaled(raw_of_known(row)), words: None };
        let rows = REFERENCE.rows.iter().filter(|row| !row.broken);
        Known(rows.map(|row| (row.game.clone(), behaviour(row))).collect())
    }

    /// Adds a game.
    pub(super) fn add(&mut self, name: String, behaviour: Behaviour) {
        self.0.push((name, behaviour));
    }

    /// Computes the novelty of a game with respect to all known games of another name.
    pub(super) fn novelty(&self, name: &str, of: &Behaviour) -> Novelty {
        let others = self.0.iter().filter(|(known, _)| known != name);
        let mut near: Vec<(f64, &String)> =
            others.map(|(known, behaviour)| (of.distance(behaviour), known)).collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(b.1)));
        near.truncate(NEAREST);
        let sum: f64 = near.iter().map(|(distance, _)| distance).sum();
        let nearest = near.first();
        Novelty {
            novelty: sum / near.len().max(1) as f64,
            nearest: nearest.map(|&(distance, game)| Neighbour { game: game.clone(), distance }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(numbers: &[f64], words: &[bool]) -> Behaviour {
        Behaviour {
            numbers: numbers.iter().copied().map(Some).collect(),
            words: Some(words.to_vec()),
        }
    }

    #[test]
    fn a_distance_has_a_part_of_numbers_and_a_part_of_words() {
        let one = of(&[0.0, 3.0], &[true, true, false]);
        assert_eq!(one.distance(&one), 0.0);
        // The root of the mean of 16 and 0.
        assert_eq!(one.distance(&of(&[4.0, 3.0], &[true, true, false])), 8f64.sqrt());
        // The two texts use three words, one of them in both.
        let other = of(&[0.0, 3.0], &[true, false, true]);
        assert_eq!(one.distance(&other), 2.0 / 3.0);
        let silent = Behaviour { words: None, ..other };
        assert_eq!(one.distance(&silent), 0.0);
        let unrated = Behaviour { numbers: vec![None, Some(5.0)], words: None };
        assert_eq!(one.distance(&unrated), 2.0, "what one has not does not count");
    }

    #[test]
    fn the_nearest_game_is_named_and_a_game_is_not_its_own_neighbour() {
        let mut known = Known(Vec::new());
        for n in 0..7 {
            known.add(n.to_string(), of(&[f64::from(n)], &[true]));
        }
        let found = known.novelty("0", &of(&[0.0], &[true]));
        assert_eq!(found.nearest, Some(Neighbour { game: "1".to_owned(), distance: 1.0 }));
        assert_eq!(found.novelty, 3.0, "the mean of 1 to 5");
    }

    #[test]
    fn built_in_games_are_apart_from_each_other() {
        let known = Known::built_in();
        assert!(known.0.len() >= 6);
        for (name, behaviour) in &known.0 {
            let found = known.novelty(name, behaviour);
            assert!(found.novelty > 0.1 && found.nearest.is_some(), "{name}: {found:?}");
        }
    }
}
