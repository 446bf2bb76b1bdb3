//! The reports of single searches.

use serde::{Deserialize, Serialize};
use treegauge_core::Player;
use treegauge_engine::{GameInfo, Line, UctFound, UctSearch};
use treegauge_search::{Expansion, Shape, Stopped, UctVariant};

use treegauge_core::{Head, ReportKind};

use crate::gauge::is_default;

/// What a UCT search found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchReport {
    /// The kind and the schema.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// The game as the user wrote it.
    pub game: String,
    /// The position that was searched.
    pub position: String,
    /// The iterations made.
    pub iterations: u32,
    /// The seed.
    #[serde(with = "treegauge_core::seed_json")]
    pub seed: u64,
    /// The exploration constant on rewards in \[0, 1\].
    pub cp: f64,
    /// In which order moves were tried.
    #[serde(default, skip_serializing_if = "is_default")]
    pub expansion: Expansion,
    /// How the search differs otherwise from that of Williams 2010.
    #[serde(flatten)]
    pub variant: UctVariant,
    /// What the search proved, where it has a solver.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proved: Option<ProvedSearch>,
    /// The player to move.
    pub turn: Player,
    /// Nodes of the tree.
    pub nodes: u32,
    /// Bytes that the tree took.
    pub memory_bytes: u64,
    /// Why the search ended.
    pub stopped: Stopped,
    /// The move to play, the one with the best average; none where no move was tried.
    pub best_move: Option<String>,
    /// The legal moves in their order.
    pub moves: Vec<SearchedMove>,
    /// The shape of the tree.
    pub features: Shape,
}

/// What the search found of a move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchedMove {
    /// The move.
    #[serde(rename = "move")]
    pub m: String,
    /// Iterations that went through it.
    pub visits: u32,
    /// Its average result **for the player to move**, -1 to 1, moved to the nearest value that a solver has not
    /// excluded; none where it was not tried.
    pub mean_score: Option<f64>,
    /// The result of perfect play after it, for the same player, where a solver proved it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proved: Option<Proved>,
}

/// What a search with a solver proved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProvedSearch {
    /// The result of perfect play for the player to move. Repetitions and limits of plies are no part of the
    /// proof.
    pub result: Proved,
    /// A line that keeps it to the end of the game.
    pub line: Vec<String>,
    /// Whether the game has repetitions or limits of plies, so that the proof may not hold in play.
    #[serde(default = "unknown")]
    pub has_limits: bool,
}

/// Reports did not always say whether a game has limits.
fn unknown() -> bool {
    true
}

impl ProvedSearch {
    /// What the last search of `at` proved.
    #[must_use]
    pub fn of(
        info: &GameInfo,
        found: &UctFound,
        uct: &dyn UctSearch,
        at: &Line,
    ) -> Option<ProvedSearch> {
        let result = Proved::of_sign(found.proved?.value_for(found.turn));
        Some(ProvedSearch { result, line: uct.proved_line(at), has_limits: info.has_limits })
    }
}

/// What an alpha-beta search found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AlphaBetaSearchReport {
    /// The kind and the schema.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// The game as the user wrote it.
    pub game: String,
    /// The position that was searched.
    pub position: String,
    /// The player that searched.
    pub player: String,
    /// The player to move.
    pub turn: Player,
    /// The move to play.
    pub best_move: String,
    /// By the evaluator, **for the player to move**; none where the line ends with a win or loss,
    /// or the game is decided.
    pub value: Option<f64>,
    /// What is proved to be the result of perfect play.
    pub decided: Option<Proved>,
    /// Plies to the end of a line that is won or lost.
    pub plies_to_end: Option<u32>,
    /// Plies of the last iteration that was completed.
    pub depth: u32,
    /// Positions that the search visited.
    pub nodes: u64,
    /// Why the search ended.
    pub stopped: Stopped,
    /// The line that best play of both players follows.
    pub principal_variation: Vec<String>,
}

/// A result that is proved, for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Proved {
    /// It wins.
    Win,
    /// It loses.
    Lose,
    /// Neither player can win.
    Tie,
}

impl Proved {
    /// The result of a sign: +1 for a win of the player to move, -1 for a loss, 0 for a tie.
    #[must_use]
    pub fn of_sign(sign: i32) -> Proved {
        match sign {
            1.. => Proved::Win,
            0 => Proved::Tie,
            _ => Proved::Lose,
        }
    }
}

impl ReportKind for SearchReport {
    const KIND: &'static str = "search";
}

impl ReportKind for AlphaBetaSearchReport {
    const KIND: &'static str = "alphabeta_search";
}
