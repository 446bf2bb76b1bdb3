//! Moves and positions as text and as pictures.

use std::error::Error;
use std::fmt::{self, Write};

use crate::{Board, Game, Touch};

/// Moves and positions can be written, read back and rendered.
///
/// Texts are ASCII, one line, and round-trip: parsing what was written gives the same move or
/// state. Columns are letters from `a`, rows are numbers from 1, both from the first player's
/// side.
pub trait Notation: Game {
    /// Writes a legal move of `state`.
    ///
    /// # Errors
    ///
    /// Only those of `out`.
    fn write_move(&self, state: &Self::State, m: Self::Move, out: &mut dyn Write) -> fmt::Result;

    /// Writes a position, the player to move included.
    ///
    /// # Errors
    ///
    /// Only those of `out`.
    fn write_position(&self, state: &Self::State, out: &mut dyn Write) -> fmt::Result;

    /// Reads a position.
    ///
    /// # Errors
    ///
    /// Every error in the text, not just the first.
    fn parse_position(&self, text: &str) -> Result<Self::State, PositionError>;

    /// The board as text for a terminal: several lines, with coordinates, ending in a line feed.
    fn board_text(&self, state: &Self::State) -> String;

    /// The position as a board of cells. It has the same cells in every position but for their contents.
    fn board(&self, state: &Self::State) -> Board;

    /// The cells that a legal move of `state` touches, in the order in which a player touches them; empty for a move
    /// without cells, such as a pass. `board` is that of `state`.
    ///
    /// The provided method finds the names of cells in the text of the move ([`Board::path`]).
    fn move_cells(&self, state: &Self::State, m: Self::Move, board: &Board) -> Vec<Touch> {
        board.path(&self.move_text(state, m))
    }

    /// The board as one complete SVG document.
    fn board_svg(&self, state: &Self::State) -> String {
        self.board(state).svg()
    }

    /// Reads a move of `state`, letter case and surrounding space ignored.
    ///
    /// # Errors
    ///
    /// When the text is not that of a legal move of `state`.
    fn parse_move(&self, state: &Self::State, text: &str) -> Result<Self::Move, MoveError> {
        let text = text.trim();
        let mut moves = Vec::new();
        if self.outcome(state).is_none() {
            self.moves_into(state, &mut moves);
        }
        moves
            .into_iter()
            .find(|&m| self.move_text(state, m).eq_ignore_ascii_case(text))
            .ok_or_else(|| MoveError { text: text.to_owned() })
    }

    /// A legal move of `state` as text.
    fn move_text(&self, state: &Self::State, m: Self::Move) -> String {
        let mut text = String::new();
        self.write_move(state, m, &mut text).expect("a string takes all text");
        text
    }

    /// A position as text.
    fn position_text(&self, state: &Self::State) -> String {
        let mut text = String::new();
        self.write_position(state, &mut text).expect("a string takes all text");
        text
    }
}

/// The text is not a legal move of the position it was read for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveError {
    /// The text.
    pub text: String,
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a legal move here", self.text)
    }
}

impl Error for MoveError {}

/// The text is not a position. Holds every reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionError {
    /// The text that was read.
    pub text: String,
    /// What is wrong with it: at least one reason, in the order of the text.
    pub reasons: Vec<PositionReason>,
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bad position {:?}: ", self.text)?;
        for (i, reason) in self.reasons.iter().enumerate() {
            if i > 0 {
                f.write_str("; ")?;
            }
            reason.fmt(f)?;
        }
        Ok(())
    }
}

impl Error for PositionError {}

/// One thing that is wrong with the text of a position. Places are counted in characters from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PositionReason {
    /// A part of the text is missing or empty.
    Missing {
        /// What should stand there.
        what: String,
    },
    /// There is text after the end of the position.
    Trailing {
        /// The surplus text.
        found: String,
        /// Where it begins.
        at: usize,
    },
    /// The board has the wrong number of rows.
    RowCount {
        /// How many rows the board has.
        expected: usize,
        /// How many the text has.
        found: usize,
    },
    /// A row has the wrong number of cells.
    RowLength {
        /// The row's number, from 1 at the first player's side.
        row: usize,
        /// How many cells a row has.
        expected: usize,
        /// How many the text has.
        found: usize,
    },
    /// A part of the text is not one of those that may stand there.
    Unknown {
        /// What stands there.
        found: String,
        /// Where it begins.
        at: usize,
        /// What may stand there.
        expected: String,
    },
    /// The text can be read, but the rules do not allow the position.
    Rules {
        /// Which rule it breaks.
        what: String,
    },
}

impl fmt::Display for PositionReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionReason::Missing { what } => write!(f, "{what} is missing"),
            PositionReason::Trailing { found, at } => {
                write!(f, "unexpected {found:?} at character {at}")
            }
            PositionReason::RowCount { expected, found } => {
                write!(f, "the number of rows is {found}, where the board has {expected}")
            }
            PositionReason::RowLength { row, expected, found } => {
                write!(
                    f,
                    "the number of cells in row {row} is {found}, where the board has {expected}"
                )
            }
            PositionReason::Unknown { found, at, expected } => {
                write!(f, "{found:?} at character {at} where {expected} should stand")
            }
            PositionReason::Rules { what } => f.write_str(what),
        }
    }
}
