//! Tree features of known games, to compare a game with.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

/// The means of the tree features of some games, all gauged in one way.
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

/// The features of one game.
#[derive(Clone, Debug, Deserialize)]
pub struct ReferenceRow {
    /// The game as the registry writes it.
    pub game: String,
    /// The mean over all trees of each feature by its name; a feature that is newer than the
    /// reference is missing.
    pub means: BTreeMap<String, f64>,
}

/// The reference that comes with the program.
pub static REFERENCE: LazyLock<Reference> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../data/shapes.json"))
        .expect("the file next to the code is a reference")
});

#[cfg(test)]
mod tests {
    use treegauge_search::Feature;

    use super::REFERENCE;

    #[test]
    fn the_reference_has_a_sane_row_for_each_game() {
        assert!(REFERENCE.rows.len() >= 6, "{} rows", REFERENCE.rows.len());
        for row in &REFERENCE.rows {
            let mean = |name: &str| row.means[name];
            assert!(mean("legal_moves") >= 1.0 && mean("depth") >= 1.0, "{}", row.game);
            let (worst, best) = (mean("worst"), mean("best"));
            assert!(-1.0 <= worst && worst <= best && best <= 1.0, "{}", row.game);
            assert!(row.means.keys().all(|name| Feature::named(name).is_some()), "{}", row.game);
        }
    }
}
