//! Options that several tasks have.

use clap::Args;
use treegauge_catalog::rules::MOVES_MAX;
use treegauge_engine::{Line, StartingPoint};

use super::{KeptPlace, KeptWork};
use crate::{Error, ErrorKind, Game};

/// A note on a position whose list of moves has the maximum length, so that legal moves may be missing.
pub(super) fn full_list_note(game: &Game, at: &Line) -> Option<String> {
    let is_text = game.info().spec.program().is_some();
    let is_full = is_text && at.move_count() as usize >= MOVES_MAX;
    is_full.then(|| {
        format!("this position has {MOVES_MAX} moves, the most that a text can have: if its rules allow more, these are left out")
    })
}

/// The default seed.
pub const DEFAULT_SEED: u64 = 1;

/// The position at which a task begins.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Starting position")]
pub struct PositionArgs {
    /// Position to begin at, as `show` prints it [default: the start of the game]
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,

    /// Moves to play first, separated by spaces
    #[arg(long, value_name = "LINE")]
    moves: Option<String>,
}

impl PositionArgs {
    /// The beginning that the options describe.
    #[must_use]
    pub fn beginning(&self) -> StartingPoint {
        let moves = self.line().map(str::to_owned).collect();
        StartingPoint { position: self.position.clone(), moves }
    }

    /// The game in progress that the options describe.
    ///
    /// # Errors
    ///
    /// When the position or a move is not one of the game.
    pub fn line_of(&self, game: &Game) -> Result<Line, Error> {
        self.line_from(game, || game.start())
    }

    /// As [`PositionArgs::line_of`], but from `start` if no position is given.
    ///
    /// # Errors
    ///
    /// As [`PositionArgs::line_of`].
    pub fn line_from(&self, game: &Game, start: impl FnOnce() -> Line) -> Result<Line, Error> {
        let data = |error: &dyn std::fmt::Display| Error::new(ErrorKind::Data, error.to_string());
        let mut line = match self.position.clone() {
            None => start(),
            position => {
                let at = StartingPoint { position, moves: Vec::new() };
                game.begin(&at).map_err(|error| data(&error))?
            }
        };
        line.play_texts(&self.line().collect::<Vec<_>>()).map_err(|error| data(&error))?;
        Ok(line)
    }

    /// The moves of `--moves`. A comma after a move is ignored; a comma inside belongs to the move.
    pub(super) fn line(&self) -> impl Iterator<Item = &str> {
        let line = self.moves.as_deref().unwrap_or_default();
        line.split_whitespace()
            .map(|text| text.trim_end_matches(','))
            .filter(|text| !text.is_empty())
    }
}

/// The record of games, as a place where work is kept.
pub(super) const GAMES_RECORD: KeptWork = KeptWork {
    place: KeptPlace::File,
    is_required: false,
    pieces: "games",
    help: "Record each game in FILE, a line of JSON each; the same command continues an interrupted run, and a larger \
           --games adds games",
};
