//! Known counts of the games of the library, read from `testdata/library.json`.

use std::collections::BTreeMap;

use serde::Deserialize;

/// Contents of `testdata/library.json`.
#[derive(Clone, Debug, Deserialize)]
pub struct LibraryFacts {
    /// Source of the numbers.
    pub source: String,
    /// Facts about each game, by its name.
    pub games: BTreeMap<String, LibraryCounts>,
    /// Solved games, one row each.
    pub solved: Vec<LibrarySolved>,
    /// Values that others have published and that no test computes, each with its source.
    pub published_not_recomputed: BTreeMap<String, [String; 2]>,
}

/// Counts of a game with its options at their defaults.
#[derive(Clone, Debug, Deserialize)]
pub struct LibraryCounts {
    /// `perft[d]` is the number of sequences of exactly `d + 1` plies from the start.
    pub perft: Vec<u64>,
    /// Publication of the counts; `None` if only the two interpreters agree on them.
    #[serde(default)]
    pub published: Option<String>,
    /// Codes of the warnings of the text that are true of the published game.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// Game with every position solved.
#[derive(Clone, Debug, Deserialize)]
pub struct LibrarySolved {
    /// Game, as `name` or `name(option=value,...)`.
    pub game: String,
    /// Number of positions reachable from the start.
    pub positions: usize,
    /// Number of positions that the player to move wins.
    pub wins: usize,
    /// Number of positions that the player to move loses.
    pub losses: usize,
    /// Number of positions that neither player wins.
    pub draws: usize,
    /// Winner from the start: `first`, `second` or `nobody`.
    pub winner: String,
    /// Plies to the end with best play; `None` if nobody wins.
    pub plies: Option<u32>,
    /// Publication of the value or the counts; `None` if two solvers agree on them.
    #[serde(default)]
    pub published: Option<String>,
}

/// Reads `testdata/library.json`.
///
/// # Panics
///
/// If the file is missing or malformed: a test cannot run without it.
#[must_use]
pub fn library_facts() -> LibraryFacts {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/library.json");
    let text = std::fs::read_to_string(path)
        .unwrap_or_else(|error| panic!("{path} cannot be read: {error}"));
    serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{path} is not the file of facts: {error}"))
}
