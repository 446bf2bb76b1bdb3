//! Known counts of games, read from `testdata/`.

use std::path::PathBuf;

use serde::Deserialize;

/// The file of perft counts and solved positions.
#[derive(Clone, Debug, Deserialize)]
pub struct Facts {
    /// Where the numbers come from.
    pub source: String,
    /// Counts of move sequences, one row a game.
    pub perft: Vec<PerftRow>,
}

/// The perft counts of one game.
#[derive(Clone, Debug, Deserialize)]
pub struct PerftRow {
    /// The game as the registry writes it, `name` or `name(param=value,...)`.
    pub spec: String,
    /// `leaf_counts[d]` is the number of sequences of exactly `d + 1` plies from the start.
    pub leaf_counts: Vec<u64>,
}

impl PerftRow {
    /// The depth to count to so that at most `leaves_max` leaves are visited.
    #[must_use]
    pub fn depth_within(&self, leaves_max: u64) -> usize {
        self.leaf_counts.iter().take_while(|&&count| count <= leaves_max).count()
    }
}

/// Reads `testdata/perft.json`.
///
/// # Panics
///
/// When the file is missing or is not what it should be: a test cannot go on without it.
#[must_use]
pub fn facts() -> Facts {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/perft.json");
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{} cannot be read: {error}", path.display()));
    serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{} is not the file of facts: {error}", path.display()))
}
