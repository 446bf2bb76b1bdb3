//! The reports of a record of games and of one of its games.

use serde::{Deserialize, Serialize};
use treegauge_core::{Outcome, Player};

use super::winner;
use treegauge_core::{Head, ReportKind};

/// The games of a record, each of which was replayed to its result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReplayReport {
    /// The kind and the schema.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// The canonical name of the game.
    pub game: String,
    /// What the record holds, as its first line has it.
    pub holds: String,
    /// The seed of the games.
    #[serde(with = "treegauge_core::seed_json")]
    pub seed: u64,
    /// The position from which `moves` lead to the beginning; none for the start of the game.
    pub position: Option<String>,
    /// The moves before the games.
    pub moves: Vec<String>,
    /// The players: the name of each in the games, and what it is.
    pub players: Vec<(String, String)>,
    /// The games in order.
    pub games: Vec<ReplayedGame>,
}

/// A game of a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReplayedGame {
    /// Names it in its record.
    pub name: String,
    /// The name of the first player.
    pub first: String,
    /// The name of the second player.
    pub second: String,
    /// The result.
    #[serde(with = "winner")]
    pub outcome: Outcome,
    /// Its length, the opening included.
    pub plies: usize,
    /// What ended it, in words; none for a forfeit.
    pub ended_by: Option<String>,
    /// The player that forfeited the game, and how, in words.
    #[serde(rename = "fault")]
    pub forfeit: Option<String>,
}

impl ReplayedGame {
    /// The name of the player of a side.
    #[must_use]
    pub fn side(&self, player: Player) -> &str {
        match player {
            Player::First => &self.first,
            Player::Second => &self.second,
        }
    }

    /// The winner; `None` for a draw.
    #[must_use]
    pub fn winner(&self) -> Option<&str> {
        self.outcome.winner().map(|winner| self.side(winner))
    }
}

/// A game of a record, position by position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReplayedGameReport {
    /// The kind and the schema.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// The canonical name of the game.
    pub game: String,
    /// How it went.
    #[serde(flatten)]
    pub replayed: ReplayedGame,
    /// Random plies at its beginning.
    pub opening_plies: usize,
    /// The players of the record: the name of each in the games, and what it is.
    pub players: Vec<(String, String)>,
    /// The positions from the first to the last.
    pub positions: Vec<ReplayedPosition>,
}

/// A position of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReplayedPosition {
    /// The move that led to it; none at the beginning.
    #[serde(rename = "move")]
    pub m: Option<String>,
    /// The position.
    pub position: String,
    /// The player to move, also where the game is over.
    pub turn: Player,
}

impl ReportKind for ReplayReport {
    const KIND: &'static str = "replay";
}

impl ReportKind for ReplayedGameReport {
    const KIND: &'static str = "replayed_game";
}
