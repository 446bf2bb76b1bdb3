//! File format for the games of a match.

use serde::{Deserialize, Serialize};
use treegauge_core::{Ending, Outcome, Player};
use treegauge_store::GamesHeader;
use treegauge_store::journal::Piece;

/// Player of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Player a; the score is reported for this player.
    A,
    /// Player b.
    B,
}

impl Side {
    /// Returns the opponent.
    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::A => Side::B,
            Side::B => Side::A,
        }
    }

    /// Returns the player who moves first in a game; players swap sides within a pair.
    #[must_use]
    pub fn of_first(game: u32) -> Side {
        if game.is_multiple_of(2) { Side::A } else { Side::B }
    }

    /// Returns 0 for a, 1 for b.
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }
}

/// Kind of rule violation that lost the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ForfeitKind {
    /// The player chose no move.
    NoMove,
    /// The move was not legal.
    IllegalMove,
    /// The search used more nodes than allowed.
    Nodes,
    /// The move took more time than allowed.
    Time,
    /// The program behind the player failed.
    #[serde(alias = "panic")]
    Failed,
}

impl ForfeitKind {
    /// Describes the violation in words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            ForfeitKind::NoMove => "returned no move",
            ForfeitKind::IllegalMove => "returned an illegal move",
            ForfeitKind::Nodes => "searched more nodes than allowed",
            ForfeitKind::Time => "took more time than allowed",
            ForfeitKind::Failed => "failed",
        }
    }
}

/// Forfeit that ended a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedForfeit {
    /// Player that forfeited.
    pub side: Side,
    /// Kind of violation.
    pub kind: ForfeitKind,
    /// Details in words.
    pub detail: String,
}

/// Total effort of a player's searches in one game or several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effort {
    /// Number of moves chosen.
    pub moves: u64,
    /// Number of nodes searched, as counted by the player.
    pub nodes: u64,
    /// Number of searches that report a depth.
    pub searches: u64,
    /// Sum of these depths, in plies.
    pub depth_sum: u64,
    /// Time in microseconds if the player's budget is time; otherwise 0, so that repeated games are
    /// identical.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub time_us: u64,
}

/// Tests whether a field can be left out.
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Upper limit of each field of a record.
const EFFORT_MAX: u64 = 1 << 53;

impl Effort {
    /// Returns the sum of two efforts.
    #[must_use]
    pub fn and(self, other: Effort) -> Effort {
        Effort {
            moves: self.moves.saturating_add(other.moves),
            nodes: self.nodes.saturating_add(other.nodes),
            searches: self.searches.saturating_add(other.searches),
            depth_sum: self.depth_sum.saturating_add(other.depth_sum),
            time_us: self.time_us.saturating_add(other.time_us),
        }
    }
}

/// Finished game of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchGame {
    /// Number of the game, counted from 0; games 2k and 2k + 1 have the same opening.
    pub game: u32,
    /// Player who moves first.
    pub first: Side,
    /// Random moves at the beginning.
    pub opening: Vec<String>,
    /// Chosen moves after the opening.
    pub moves: Vec<String>,
    /// Result of the game.
    pub outcome: Outcome,
    /// Rule that ended the game; `None` for a forfeit.
    pub by: Option<Ending>,
    /// Forfeit that ended the game; `None` if a rule did.
    #[serde(rename = "fault", default, skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<RecordedForfeit>,
    /// Effort of a and of b.
    pub effort: [Effort; 2],
}

impl MatchGame {
    /// Returns who plays as the first or second player.
    #[must_use]
    pub fn side(&self, player: Player) -> Side {
        if player == Player::First { self.first } else { self.first.other() }
    }

    /// Returns twice the points of a: 0, 1 or 2.
    #[must_use]
    pub fn half_points_of_a(&self) -> u8 {
        let player = if self.first == Side::A { Player::First } else { Player::Second };
        (1 + self.outcome.value_for(player)) as u8
    }
}

impl Piece for MatchGame {
    type Key = u32;

    fn key(&self) -> u32 {
        self.game
    }

    fn check(&self) -> Result<(), String> {
        if self.by.is_some() == self.forfeit.is_some() {
            return Err("a game ends either by the rules or by a forfeit".to_owned());
        }
        let can_be = |effort: &Effort| {
            let Effort { moves, nodes, searches, depth_sum, time_us } = *effort;
            [moves, nodes, searches, depth_sum, time_us].iter().all(|&number| number <= EFFORT_MAX)
        };
        if !self.effort.iter().all(can_be) {
            return Err("`effort` is out of range".to_owned());
        }
        Ok(())
    }
}

/// Header of a file of games: everything that the games depend on. Under equal headers, games with
/// equal numbers are equal, unless a player's budget is time. The number of games and the shard are
/// not in the header.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchHeader {
    /// Game and position at which the games begin.
    #[serde(flatten)]
    pub games: GamesHeader,
    /// Name of player a.
    pub a: String,
    /// Name of player b.
    pub b: String,
}

impl MatchHeader {
    /// Value of the field that names the file's content.
    pub const HOLDS: &str = "games of a match";

    /// Creates the header of the games between two players.
    #[must_use]
    pub fn of(games: GamesHeader, [a, b]: [String; 2]) -> Self {
        MatchHeader { games: games.holding(Self::HOLDS), a, b }
    }
}
