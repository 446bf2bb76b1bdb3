//! Moves and positions as text and as pictures.

use std::error::Error;
use std::fmt::{self, Write};

use crate::{Board, Game, PathCell, counted};

/// Game whose moves and positions can be written, parsed and drawn.
///
/// Texts are one line of ASCII and round-trip: parsing a written text returns the same move or
/// state. Columns are letters from `a` and rows are numbers from 1, both from the first player's
/// side.
pub trait Notation: Game {
    /// Writes a legal move of `state`.
    ///
    /// # Errors
    ///
    /// Only errors of `out`.
    fn write_move(&self, state: &Self::State, m: Self::Move, out: &mut dyn Write) -> fmt::Result;

    /// Writes a position, the side to move included.
    ///
    /// # Errors
    ///
    /// Only errors of `out`.
    fn write_position(&self, state: &Self::State, out: &mut dyn Write) -> fmt::Result;

    /// Parses a position.
    ///
    /// # Errors
    ///
    /// When the text is not a valid position. The error lists every fault, not only the first.
    fn parse_position(&self, text: &str) -> Result<Self::State, PositionError>;

    /// The board as text for a terminal: several lines, with coordinates, ending in a line feed.
    fn board_text(&self, state: &Self::State) -> String;

    /// Position as a board of cells. Only the contents of the cells differ between positions.
    fn board(&self, state: &Self::State) -> Board;

    /// Cells that a legal move of `state` touches, in the order in which a player touches them.
    /// Empty for a move without cells, such as a pass. `board` is the board of `state`.
    ///
    /// The provided method finds the names of cells in the text of the move ([`Board::path`]).
    fn move_cells(&self, state: &Self::State, m: Self::Move, board: &Board) -> Vec<PathCell> {
        board.path(&self.move_text(state, m))
    }

    /// The board as one complete SVG document.
    fn board_svg(&self, state: &Self::State) -> String {
        self.board(state).svg()
    }

    /// Parses a move of `state`. Letter case and surrounding space are ignored.
    ///
    /// # Errors
    ///
    /// When the text is not a legal move of `state`.
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

    /// Legal move of `state` as text.
    fn move_text(&self, state: &Self::State, m: Self::Move) -> String {
        let mut text = String::new();
        self.write_move(state, m, &mut text).expect("a string takes all text");
        text
    }

    /// Position as text.
    fn position_text(&self, state: &Self::State) -> String {
        let mut text = String::new();
        self.write_position(state, &mut text).expect("a string takes all text");
        text
    }
}

/// Error of a text that is not a legal move of the position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveError {
    /// Text that was parsed.
    pub text: String,
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a legal move here", self.text)
    }
}

impl Error for MoveError {}

/// Error of a text that is not a valid position, with every reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionError {
    /// Text that was parsed.
    pub text: String,
    /// Faults in the order of the text; at least one.
    pub reasons: Vec<PositionReason>,
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bad position {:?}: ", self.text)?;
        let mut is_first = true;
        for alike in self.reasons.chunk_by(PositionReason::is_like) {
            for reason in &alike[..alike.len().min(ALIKE_MAX)] {
                f.write_str(if std::mem::take(&mut is_first) { "" } else { "; " })?;
                reason.fmt(f)?;
            }
            if alike.len() > ALIKE_MAX {
                write!(f, " (and {} more of these)", alike.len() - ALIKE_MAX)?;
            }
        }
        Ok(())
    }
}

impl Error for PositionError {}

/// Greatest number of unexpected texts in a row that are named where the same was expected.
const ALIKE_MAX: usize = 3;

/// One fault of the text of a position. Characters of the text are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PositionReason {
    /// A part of the text is missing or empty.
    Missing {
        /// Name of the missing part.
        what: String,
    },
    /// Text follows the end of the position.
    Trailing {
        /// Surplus text.
        found: String,
        /// Character at which it begins.
        at: usize,
    },
    /// The board has the wrong number of rows.
    RowCount {
        /// Number of rows of the board.
        expected: usize,
        /// Number of rows in the text.
        found: usize,
    },
    /// A row has the wrong number of cells.
    RowLength {
        /// Number of the row, from 1 at the first player's side.
        row: usize,
        /// Number of cells of a row of the board.
        expected: usize,
        /// Number of cells in the text.
        found: usize,
    },
    /// A part of the text is not one of the expected texts.
    Unknown {
        /// Text found.
        found: String,
        /// Character at which it begins.
        at: usize,
        /// Expected texts, in words.
        expected: String,
    },
    /// The text is well-formed, but the rules do not allow the position.
    Rules {
        /// Broken rule, in words.
        what: String,
    },
}

impl PositionReason {
    /// Tests whether both are unexpected texts where the same was expected.
    fn is_like(&self, other: &PositionReason) -> bool {
        match (self, other) {
            (
                PositionReason::Unknown { expected: own, .. },
                PositionReason::Unknown { expected: others, .. },
            ) => own == others,
            _ => false,
        }
    }
}

impl fmt::Display for PositionReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionReason::Missing { what } => write!(f, "{what} is missing"),
            PositionReason::Trailing { found, at } => {
                write!(f, "unexpected {found:?} at character {at}")
            }
            PositionReason::RowCount { expected, found } => {
                write!(f, "expected {}, found {found}", counted(*expected as u64, "row"))
            }
            PositionReason::RowLength { row, expected, found } => {
                write!(
                    f,
                    "expected {} in row {row}, found {found}",
                    counted(*expected as u64, "cell")
                )
            }
            PositionReason::Unknown { found, at, expected } => {
                write!(f, "unexpected {found:?} at character {at}: expected {expected}")
            }
            PositionReason::Rules { what } => f.write_str(what),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_unexpected_texts_in_a_row_three_are_named() {
        let unknown = |at: usize, expected: &str| PositionReason::Unknown {
            found: "z".to_owned(),
            at,
            expected: expected.to_owned(),
        };
        let mut reasons: Vec<_> = (1..=5).map(|at| unknown(at, "x o")).collect();
        reasons.push(unknown(6, "a digit"));
        let said = PositionError { text: "zzzzzz".to_owned(), reasons }.to_string();
        let expected = "\"z\" at character 3: expected x o (and 2 more of these); unexpected \"z\" at character 6";
        assert!(said.contains(expected) && !said.contains("character 4"), "{said}");
    }
}
