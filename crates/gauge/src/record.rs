//! Games of a gauge as they are kept in a file.

use serde::{Deserialize, Serialize};
use treegauge_core::{Player, is_default};
use treegauge_search::{Expansion, ShapeOptions, UctVariant};
use treegauge_store::GamesHeader;
use treegauge_store::journal::Piece;

use super::Plan;
use super::shapes::ShapeFold;
use crate::GameRecord;

/// What a game was played for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GamePart {
    /// Self-play of one search.
    SelfPlay,
    /// A stronger search against a weaker one.
    Skill,
    /// Self-play of another strength than the plan's own.
    Ladder,
}

/// Which game of a gauge it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct GameNumber {
    /// What it was played for.
    pub part: GamePart,
    /// The iterations per move of a game of the ladder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
    /// Its number in that part, from 0. The seed and the number decide everything in the game.
    pub game: u32,
}

/// A game of a gauge that is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedGame {
    /// Which it is.
    #[serde(flatten)]
    pub number: GameNumber,
    /// The player with more iterations, in a skill game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stronger: Option<Player>,
    /// The moves, the searches' values for them, and the end.
    #[serde(flatten)]
    pub record: GameRecord,
    /// In self-play of the plan's own strength the features of the trees: of those in which the first player was to move,
    /// then of the others.
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

/// What decides the games of a gauge: equal headers have equal games under equal numbers. The
/// number of games, the other strengths at which they are played and how they are judged are not in
/// it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RecordHeader {
    /// Where the games begin.
    #[serde(flatten)]
    pub games: GamesHeader,
    /// Iterations per move.
    pub iterations: u32,
    /// The exploration constant on rewards in \[0, 1\].
    pub cp: f64,
    /// In which order searches try moves.
    #[serde(skip_serializing_if = "is_default")]
    pub expansion: Expansion,
    /// How searches differ otherwise from those of Williams 2010.
    #[serde(flatten)]
    pub variant: UctVariant,
    /// How many times the iterations the stronger side has.
    pub skill_factor: u32,
    /// The choices in the tree features.
    pub shape_options: ShapeOptions,
}

impl RecordHeader {
    /// What the file of a gauge says that it holds.
    pub const HOLDS: &str = "games of a gauge";

    /// The header of the games of a plan.
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
