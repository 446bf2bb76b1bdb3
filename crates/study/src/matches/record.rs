//! Games of a match as they are kept in a file.

use serde::{Deserialize, Serialize};
use treegauge_core::{Ending, Outcome, Player};

use crate::games_header::GamesHeader;
use crate::journal::Line;

/// One of the two players of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The player whose score is told.
    A,
    /// The other one.
    B,
}

impl Side {
    /// The opponent.
    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::A => Side::B,
            Side::B => Side::A,
        }
    }

    /// Who has the first player in a game: they change sides in a pair.
    #[must_use]
    pub fn of_first(game: u32) -> Side {
        if game.is_multiple_of(2) { Side::A } else { Side::B }
    }

    /// 0 for a, 1 for b.
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }
}

/// What a player did wrong, for which he lost the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FaultKind {
    /// He gave no move.
    NoMove,
    /// His move was not legal.
    IllegalMove,
    /// He looked at more nodes than he may.
    Nodes,
    /// He took more time than he may.
    Time,
    /// The program that plays for him failed.
    Panic,
}

impl FaultKind {
    /// In words, what he did.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            FaultKind::NoMove => "gave no move",
            FaultKind::IllegalMove => "gave a move that is not legal",
            FaultKind::Nodes => "looked at more nodes than allowed",
            FaultKind::Time => "took more time than allowed",
            FaultKind::Panic => "failed",
        }
    }
}

/// A fault that ended a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Whose it was.
    pub side: Side,
    /// What it was.
    pub kind: FaultKind,
    /// More about it.
    pub detail: String,
}

/// What a player's searches of a game took together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effort {
    /// Moves that he chose.
    pub moves: u64,
    /// Nodes that he looked at, as he counts them.
    pub nodes: u64,
    /// Searches that tell a depth.
    pub searches: u64,
    /// The sum of their depths in plies.
    pub depth_sum: u64,
    /// Microseconds, of a player whose budget is time; of others nothing, so that their games are
    /// the same whenever they are played.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub time_us: u64,
}

/// Whether there is nothing to tell.
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Effort {
    /// This and another game's.
    #[must_use]
    pub fn and(self, other: Effort) -> Effort {
        Effort {
            moves: self.moves + other.moves,
            nodes: self.nodes + other.nodes,
            searches: self.searches + other.searches,
            depth_sum: self.depth_sum + other.depth_sum,
            time_us: self.time_us + other.time_us,
        }
    }
}

/// A game of a match that is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchGame {
    /// Its number, from 0; 2k and 2k + 1 have the same opening.
    pub game: u32,
    /// Who has the first player.
    pub first: Side,
    /// The random moves at the beginning.
    pub opening: Vec<String>,
    /// The moves that were chosen, which come after it.
    pub moves: Vec<String>,
    /// How it ended.
    pub outcome: Outcome,
    /// What ended it; `None` for a fault.
    pub by: Option<Ending>,
    /// The fault that ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// What the searches of a took, and those of b.
    pub effort: [Effort; 2],
}

impl MatchGame {
    /// Who has a player.
    #[must_use]
    pub fn side(&self, player: Player) -> Side {
        if player == Player::First { self.first } else { self.first.other() }
    }

    /// Twice the points of a: 0, 1 or 2.
    #[must_use]
    pub fn half_points_of_a(&self) -> u8 {
        let player = if self.first == Side::A { Player::First } else { Player::Second };
        (1 + self.outcome.value_for(player)) as u8
    }
}

impl Line for MatchGame {
    type Key = u32;

    fn key(&self) -> u32 {
        self.game
    }
}

/// What decides the games of a match: equal headers have equal games under equal numbers, unless
/// a player's budget is time. How many games are wanted, and which part of them, is not among it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchHeader {
    /// Where the games begin.
    #[serde(flatten)]
    pub games: GamesHeader,
    /// The player a.
    pub a: String,
    /// The player b.
    pub b: String,
}

impl MatchHeader {
    /// What the file of a match says that it holds.
    pub const HOLDS: &str = "games of a match";

    /// The header of the games between two players.
    #[must_use]
    pub fn of(games: GamesHeader, [a, b]: [String; 2]) -> Self {
        MatchHeader { games: games.holding(Self::HOLDS), a, b }
    }
}
