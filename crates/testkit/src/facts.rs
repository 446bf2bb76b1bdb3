//! Known counts of games, read from `testdata/`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;

/// The file of perft counts and solved positions.
#[derive(Clone, Debug, Deserialize)]
pub struct Facts {
    /// Where the numbers come from.
    pub source: String,
    /// Counts of move sequences, one row per game.
    pub perft: Vec<PerftRow>,
    /// Solved games, one row each.
    pub solved: Vec<SolvedRow>,
    /// The first player's boxes less the second's with best play, by the board, as in `2x3`.
    pub dots_boxes_margin_first_minus_second: BTreeMap<String, i32>,
    /// The same for seeds in Kalah.
    pub kalah_margin_first_minus_second: KalahMargins,
    /// The winner of Isolation with free placement, +1 or -1 for the first player, by piece and
    /// board, as in `knight_3x3`.
    pub isolation_solved: BTreeMap<String, i32>,
    /// Perft counts that others have published, by depth.
    pub published_not_recomputed: PublishedCounts,
}

/// Margins by the houses and the seeds in each, as in `6,3`.
#[derive(Clone, Debug, Deserialize)]
pub struct KalahMargins {
    /// When only seeds in the house opposite are captured.
    pub standard: BTreeMap<String, i32>,
    /// When a last seed goes to the store though the house opposite is empty.
    pub empty_capture: BTreeMap<String, i32>,
}

/// Counts of sequences by number of plies.
#[derive(Clone, Debug, Deserialize)]
pub struct PublishedCounts {
    /// English draughts.
    #[serde(rename = "checkers_english")]
    pub checkers: BTreeMap<usize, u64>,
    /// Othello on 8 x 8, a pass counted as a ply.
    #[serde(rename = "othello_8x8")]
    pub othello: BTreeMap<usize, u64>,
}

/// What is known of a game whose every position was solved. Ties and endless draws are counted
/// together.
#[derive(Clone, Debug, Deserialize)]
pub struct SolvedRow {
    /// The canonical name of the game.
    pub spec: String,
    /// The states that can be reached from the start.
    pub reachable_states: u64,
    /// The finished ones among them.
    pub terminal: Option<u64>,
    /// States that the player to move wins.
    pub win_to_move: u64,
    /// States that the player to move loses.
    pub lose_to_move: u64,
    /// The rest.
    pub draw: u64,
    /// The value of the start for the first player: +1, 0 or -1.
    pub start_value_for_first_player: i32,
    /// The plies to the end with best play, where given.
    #[serde(default)]
    pub start_remoteness: Option<u32>,
    /// The states first reached at each ply, where given.
    #[serde(alias = "states_by_ply")]
    pub positions_by_ply: Option<Vec<u64>>,
    /// The states that no symmetry makes equal, where given.
    #[serde(alias = "up_to_board_and_symbol_symmetry")]
    pub positions_up_to_symmetry: Option<u64>,
    /// The same by ply, where given.
    pub positions_up_to_symmetry_by_ply: Option<Vec<u64>>,
    /// The courses that the first player wins, where given.
    pub games_p1: Option<u64>,
    /// The courses that the second player wins, where given.
    pub games_p2: Option<u64>,
    /// The courses that nobody wins, where given.
    pub games_draw: Option<u64>,
}

/// The perft counts of one game.
#[derive(Clone, Debug, Deserialize)]
pub struct PerftRow {
    /// The canonical name of the game, `name` or `name(param=value,...)`.
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
/// When the file is missing or malformed: a test cannot run without it.
#[must_use]
pub fn facts() -> Facts {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/perft.json");
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{} cannot be read: {error}", path.display()));
    serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{} is not the file of facts: {error}", path.display()))
}
