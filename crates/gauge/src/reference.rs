//! Known games as a reference for comparison.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use treegauge_search::{DEFAULT_CP, ShapeOptions};

use crate::{GaugeReport, Measures};

/// Measures and tree features of known games, all gauged in one way: from the start, with the
/// default `C_p` and without random openings.
#[derive(Clone, Debug, Deserialize)]
pub struct Reference {
    /// Description of how the numbers were made.
    pub source: String,
    /// Iterations per move. Features depend on them, so a game compares only if gauged with this
    /// number.
    pub iterations: u32,
    /// Number of self-play games behind each row.
    pub games: u32,
    /// One row per game.
    pub rows: Vec<ReferenceRow>,
}

/// Row of a known game.
#[derive(Clone, Debug, Deserialize)]
pub struct ReferenceRow {
    /// Canonical name of the game.
    pub game: String,
    /// Whether its rules are broken on purpose.
    pub broken: bool,
    /// Measures of the game.
    pub measures: Measures,
    /// Mean of each feature over all trees, by the feature's name. Features newer than the
    /// reference are missing.
    pub features: BTreeMap<String, f64>,
}

/// Rank of a value among those of the known games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AmongKnown<'a> {
    /// Number of known games that have a value.
    pub games: usize,
    /// Number of known games with a smaller value.
    pub below: usize,
    /// Number of known games with a greater value.
    pub above: usize,
    /// Known game with the closest value.
    pub nearest: &'a str,
}

impl Reference {
    /// Tests whether a game was gauged in the same way as the known games.
    #[must_use]
    pub fn compares_with(&self, report: &GaugeReport) -> bool {
        let gauge = &report.gauge;
        gauge.iterations == self.iterations
            && gauge.cp.to_bits() == DEFAULT_CP.to_bits()
            && gauge.opening_plies == 0
            && gauge.shape_options == ShapeOptions::default()
            && !report.moved
    }

    /// Returns the known games to compare `game` with: all except itself and those broken on
    /// purpose.
    pub fn others<'a>(&'a self, game: &'a str) -> impl Iterator<Item = &'a ReferenceRow> {
        self.rows.iter().filter(move |row| !row.broken && row.game != game)
    }

    /// Ranks a value of `game` among the values that `of` returns for the other known games; `None`
    /// if none of them has one.
    #[must_use]
    pub fn place_of<'a>(
        &'a self,
        game: &'a str,
        value: f64,
        of: impl Fn(&ReferenceRow) -> Option<f64>,
    ) -> Option<AmongKnown<'a>> {
        let known: Vec<(&str, f64)> =
            self.others(game).filter_map(|row| Some((row.game.as_str(), of(row)?))).collect();
        let away = |&(_, x): &(&str, f64)| (x - value).abs();
        let nearest = known.iter().min_by(|a, b| away(a).total_cmp(&away(b)))?.0;
        Some(AmongKnown {
            games: known.len(),
            below: known.iter().filter(|(_, x)| *x < value).count(),
            above: known.iter().filter(|(_, x)| *x > value).count(),
            nearest,
        })
    }
}

/// Reference built into the program.
pub static REFERENCE: LazyLock<Reference> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../data/known_games.json"))
        .expect("the file next to the code is a reference")
});

#[cfg(test)]
mod tests {
    use treegauge_search::Feature;

    use super::{AmongKnown, REFERENCE, ReferenceRow};

    #[test]
    fn the_reference_has_a_sane_row_for_each_game() {
        assert!(REFERENCE.rows.len() >= 6, "{} rows", REFERENCE.rows.len());
        for row in &REFERENCE.rows {
            let mean = |name: &str| row.features[name];
            assert!(mean("legal_moves") >= 1.0 && mean("depth") >= 1.0, "{}", row.game);
            let (worst, best) = (mean("worst"), mean("best"));
            assert!(-1.0 <= worst && worst <= best && best <= 1.0, "{}", row.game);
            assert!(row.features.keys().all(|name| Feature::named(name).is_some()), "{}", row.game);
            let measured = |name: &str| row.measures.get(name).mean.unwrap();
            assert!((0.0..=1.0).contains(&measured("draw_rate")), "{}", row.game);
            assert!(measured("plies.median") >= 1.0, "{}", row.game);
            // Legal moves are counted twice: over plies, and over trees.
            let (plies, trees) = (measured("branching"), mean("legal_moves"));
            assert!((plies / trees - 1.0).abs() < 1e-9, "{}: {plies} and {trees}", row.game);
        }
    }

    #[test]
    fn a_game_stands_among_the_others_that_are_not_broken() {
        let others = REFERENCE.rows.iter().filter(|row| !row.broken).count() - 1;
        let plies = |row: &ReferenceRow| row.measures.get("plies").mean;
        let of = |value: f64| REFERENCE.place_of("othello", value, plies).unwrap();
        let nearest = of(0.0).nearest;
        assert_eq!(of(0.0), AmongKnown { games: others, below: 0, above: others, nearest });
        let chess = of(1e9);
        assert_eq!((chess.below, chess.above), (others, 0));
        // The game is not among those that it is compared with.
        let row = REFERENCE.others("othello").next().unwrap();
        let same = of(row.measures.get("plies").mean.unwrap());
        assert!(same.below + same.above < same.games);
        assert_ne!(of(60.0).nearest, "othello");
    }
}
