//! File format for the games of a gauge.

use serde::{Deserialize, Serialize};
use treegauge_core::{Player, is_default};
use treegauge_search::{Expansion, ShapeOptions, UctVariant};
use treegauge_store::GamesHeader;
use treegauge_store::journal::Piece;

use super::Plan;
use super::shapes::ShapeFold;
use crate::GameRecord;

/// Part of a gauge that a game belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GamePart {
    /// Self-play at the plan's own strength.
    SelfPlay,
    /// Stronger search against a weaker one.
    Skill,
    /// Self-play at another strength.
    Ladder,
}

/// Identity of a game within a gauge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct GameNumber {
    /// Part that the game belongs to.
    pub part: GamePart,
    /// Iterations per move; `None` unless it is a game of the ladder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
    /// Number of the game within its part, counted from 0. The seed and this number determine the
    /// game.
    pub game: u32,
}

/// Finished game of a gauge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedGame {
    /// Identity of the game.
    #[serde(flatten)]
    pub number: GameNumber,
    /// Player with more iterations; `None` unless it is a skill game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stronger: Option<Player>,
    /// Moves, the searches' values for them, and the end.
    #[serde(flatten)]
    pub record: GameRecord,
    /// Tree features at the first player's moves and at the second player's moves; `None` unless it
    /// is self-play at the plan's own strength.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shapes: Option<[ShapeFold; 2]>,
}

impl Piece for RecordedGame {
    type Key = GameNumber;

    fn key(&self) -> GameNumber {
        self.number
    }

    fn check(&self) -> Result<(), String> {
        self.record.check()?;
        self.shapes.iter().flatten().try_for_each(ShapeFold::check)
    }
}

/// Header of a file of games: everything that their moves depend on. Under equal headers, games
/// with equal numbers are equal. The number of games, the other strengths and the limits of the
/// verdict are not in the header.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RecordHeader {
    /// Game and position at which the games begin.
    #[serde(flatten)]
    pub games: GamesHeader,
    /// Iterations per move.
    pub iterations: u32,
    /// Exploration constant `C_p` for rewards in \[0, 1\].
    pub cp: f64,
    /// Order in which searches try moves.
    #[serde(skip_serializing_if = "is_default")]
    pub expansion: Expansion,
    /// Further differences of the search from that of Williams 2010.
    #[serde(flatten)]
    pub variant: UctVariant,
    /// Factor between the iterations of the stronger and the weaker side.
    pub skill_factor: u32,
    /// Options of the tree features.
    pub shape_options: ShapeOptions,
}

impl RecordHeader {
    /// Value of the field that names the file's content.
    pub const HOLDS: &str = "games of a gauge";

    /// Creates the header for the games of a plan.
    #[must_use]
    pub fn of(games: GamesHeader, plan: &Plan) -> Self {
        RecordHeader {
            games: games.holding(Self::HOLDS),
            iterations: plan.iterations,
            cp: plan.cp,
            expansion: plan.expansion,
            variant: plan.variant,
            skill_factor: plan.skill_factor,
            shape_options: plan.shape,
        }
    }
}
