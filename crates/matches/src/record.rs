//! Games of a match as they are kept in a file.

use serde::{Deserialize, Serialize};
use treegauge_core::{Ending, Outcome, Player};
use treegauge_store::GamesHeader;
use treegauge_store::journal::Piece;

/// One of the two players of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The player from whose point of view the score is reported.
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

    /// Which player plays first in a game: they swap sides within a pair.
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

/// How a player broke the rules and so lost the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ForfeitKind {
    /// It gave no move.
    NoMove,
    /// Its move was not legal.
    IllegalMove,
    /// It searched more nodes than allowed.
    Nodes,
    /// It took more time than allowed.
    Time,
    /// The program behind it failed.
    #[serde(alias = "panic")]
    Failed,
}

impl ForfeitKind {
    /// What it did, in words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            ForfeitKind::NoMove => "gave no move",
            ForfeitKind::IllegalMove => "gave a move that is not legal",
            ForfeitKind::Nodes => "searched more nodes than allowed",
            ForfeitKind::Time => "took more time than allowed",
            ForfeitKind::Failed => "failed",
        }
    }
}

/// The forfeit that ended a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedForfeit {
    /// The player that forfeited.
    pub side: Side,
    /// How.
    pub kind: ForfeitKind,
    /// More about it.
    pub detail: String,
}

/// What a player's searches of a game took together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effort {
    /// Moves that it chose.
    pub moves: u64,
    /// Nodes that it searched, by its own count.
    pub nodes: u64,
    /// Searches that report a depth.
    pub searches: u64,
    /// The sum of their depths in plies.
    pub depth_sum: u64,
    /// Microseconds, of a player whose budget is time; 0 for others, so that their games are the
    /// same whenever they are played.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub time_us: u64,
}

/// Whether there is nothing to report.
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The most of anything that the searches of one game can take.
const EFFORT_MAX: u64 = 1 << 53;

impl Effort {
    /// This and another game's.
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

/// A game of a match that is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchGame {
    /// Its number, from 0; 2k and 2k + 1 have the same opening.
    pub game: u32,
    /// The player that plays first.
    pub first: Side,
    /// The random moves at the beginning.
    pub opening: Vec<String>,
    /// The moves that were chosen, which come after it.
    pub moves: Vec<String>,
    /// How it ended.
    pub outcome: Outcome,
    /// What ended it; `None` for a forfeit.
    pub by: Option<Ending>,
    /// The forfeit that ended it.
    #[serde(rename = "fault", default, skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<RecordedForfeit>,
    /// What the searches of a took, and those of b.
    pub effort: [Effort; 2],
}

impl MatchGame {
    /// Which player plays a side.
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

/// What decides the games of a match: equal headers have equal games under equal numbers, unless
/// a player's budget is time. The number of games and the part of them to play are not in it.
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
