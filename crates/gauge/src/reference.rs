//! Known games, to compare a game with.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use treegauge_search::{DEFAULT_CP, ShapeOptions};

use crate::{GaugeReport, Measures};

/// The measures and tree features of some games, all gauged in one way: from the start, with the
/// default C_p and no random openings.
#[derive(Clone, Debug, Deserialize)]
pub struct Reference {
    /// How the numbers were made.
    pub source: String,
    /// Iterations per move. Features depend on them, so only games gauged with as many compare.
    pub iterations: u32,
    /// Self-play games behind each row.
    pub games: u32,
    /// One row per game.
    pub rows: Vec<ReferenceRow>,
}

/// One known game.
#[derive(Clone, Debug, Deserialize)]
pub struct ReferenceRow {
    /// The game as the registry writes it.
    pub game: String,
    /// Whether its rules are broken on purpose.
    pub broken: bool,
    /// Its measures.
    pub measures: Measures,
    /// The mean over all trees of each feature by its name; a feature that is newer than the
    /// reference is missing.
    pub features: BTreeMap<String, f64>,
}

/// Where a value lies among those of the known games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AmongKnown<'a> {
    /// The games that have a value.
    pub games: usize,
    /// Those with a smaller value.
    pub below: usize,
    /// Those with a greater value.
    pub above: usize,
    /// The game with the value nearest to it.
    pub nearest: &'a str,
}

impl Reference {
    /// Whether a game was gauged as the known games were.
    #[must_use]
    pub fn compares_with(&self, report: &GaugeReport) -> bool {
        let gauge = &report.gauge;
        gauge.iterations == self.iterations
            && gauge.cp.to_bits() == DEFAULT_CP.to_bits()
            && gauge.opening_plies == 0
            && gauge.shape_options == ShapeOptions::default()
            && !report.moved
    }

    /// The known games that `game` is compared with: all but itself and those that are broken on
    /// purpose.
    pub fn others<'a>(&'a self, game: &'a str) -> impl Iterator<Item = &'a ReferenceRow> {
        self.rows.iter().filter(move |row| !row.broken && row.game != game)
    }

    /// Where a value of `game` lies among those `of` the other games; `None` where none of them has
    /// one.
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

/// The reference that comes with the program.
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
            // The legal moves of a ply are counted twice: over plies, and over trees.
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
        // A game among its equals: itself is not one of them.
        let row = REFERENCE.others("othello").next().unwrap();
        let same = of(row.measures.get("plies").mean.unwrap());
        assert!(same.below + same.above < same.games);
        assert_ne!(of(60.0).nearest, "othello");
    }
}
