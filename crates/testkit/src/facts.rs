//! Known counts of games, read from `testdata/`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;

/// Contents of `testdata/perft.json`: perft counts and solved games.
#[derive(Clone, Debug, Deserialize)]
pub struct Facts {
    /// Source of the numbers.
    pub source: String,
    /// Numbers of move sequences, one row per game.
    pub perft: Vec<PerftRow>,
    /// Solved games, one row each.
    pub solved: Vec<SolvedRow>,
    /// Boxes of the first player minus those of the second with best play, by board, such as `2x3`.
    pub dots_boxes_margin_first_minus_second: BTreeMap<String, i32>,
    /// Seeds of the first player minus those of the second with best play in Kalah.
    pub kalah_margin_first_minus_second: KalahMargins,
    /// Winner of Isolation with free placement, by piece and board, such as `knight_3x3`: +1 if the
    /// first player wins, -1 if the second does.
    pub isolation_solved: BTreeMap<String, i32>,
    /// Perft counts that others have published, by depth.
    pub published_not_recomputed: PublishedCounts,
}

/// Margins by number of houses and seeds in each, such as `6,3`.
#[derive(Clone, Debug, Deserialize)]
pub struct KalahMargins {
    /// Variant that captures only if the house opposite holds seeds.
    pub standard: BTreeMap<String, i32>,
    /// Variant in which a last seed goes to the store even if the house opposite is empty.
    pub empty_capture: BTreeMap<String, i32>,
}

/// Numbers of move sequences by number of plies.
#[derive(Clone, Debug, Deserialize)]
pub struct PublishedCounts {
    /// English draughts.
    #[serde(rename = "checkers_english")]
    pub checkers: BTreeMap<usize, u64>,
    /// Othello on 8 x 8. A pass counts as a ply.
    #[serde(rename = "othello_8x8")]
    pub othello: BTreeMap<usize, u64>,
}

/// Known counts of a game with every position solved. Ties and endless draws count together.
#[derive(Clone, Debug, Deserialize)]
pub struct SolvedRow {
    /// Canonical name of the game.
    pub spec: String,
    /// Number of states reachable from the start.
    pub reachable_states: u64,
    /// Number of reachable states that are finished.
    pub terminal: Option<u64>,
    /// Number of states that the player to move wins.
    pub win_to_move: u64,
    /// Number of states that the player to move loses.
    pub lose_to_move: u64,
    /// Number of states that neither player wins.
    pub draw: u64,
    /// Value of the start for the first player: +1, 0 or -1.
    pub start_value_for_first_player: i32,
    /// Plies to the end with best play, if known.
    #[serde(default)]
    pub start_remoteness: Option<u32>,
    /// Number of states first reached at each ply, if known.
    #[serde(alias = "states_by_ply")]
    pub positions_by_ply: Option<Vec<u64>>,
    /// Number of states that no symmetry maps onto each other, if known.
    #[serde(alias = "up_to_board_and_symbol_symmetry")]
    pub positions_up_to_symmetry: Option<u64>,
    /// The same number by ply, if known.
    pub positions_up_to_symmetry_by_ply: Option<Vec<u64>>,
    /// Number of courses that the first player wins, if known.
    pub games_p1: Option<u64>,
    /// Number of courses that the second player wins, if known.
    pub games_p2: Option<u64>,
    /// Number of courses that nobody wins, if known.
    pub games_draw: Option<u64>,
}

/// Perft counts of one game.
#[derive(Clone, Debug, Deserialize)]
pub struct PerftRow {
    /// Canonical name of the game, `name` or `name(param=value,...)`.
    pub spec: String,
    /// `leaf_counts[d]` is the number of sequences of exactly `d + 1` plies from the start.
    pub leaf_counts: Vec<u64>,
}

impl PerftRow {
    /// Greatest depth with at most `leaves_max` leaves; 0 if depth 1 has more.
    #[must_use]
    pub fn depth_within(&self, leaves_max: u64) -> usize {
        self.leaf_counts.iter().take_while(|&&count| count <= leaves_max).count()
    }
}

/// Reads `testdata/perft.json`.
///
/// # Panics
///
/// If the file is missing or malformed: a test cannot run without it.
#[must_use]
pub fn facts() -> Facts {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/perft.json");
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{} cannot be read: {error}", path.display()));
    serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{} is not the file of facts: {error}", path.display()))
}
