//! Text notation and pictures of positions and moves.

use std::fmt::{self, Write};

use treegauge_core::{
    Board, Contents, Game, MoveError, Notation, PathCell, PlaneShape, Planes, Player,
    PositionError, Tensor,
};

use super::rules::{Checkers, FAR_ROW, Move, PIECES_MAX, State, next, row_and_column, square_at};
use crate::position::{PositionErrors, Reader, grid_text, letter, write_board, write_cell};

/// Number of rows, and of columns, of the board.
const SIZE: u32 = 8;

/// Number of a square in the usual notation: 1 to 32, from the first player's right.
const fn number(row: u32, col: u32) -> u32 {
    4 * row + 4 - col / 2
}

/// Squares of a move's path, as rows and columns.
fn path(m: Move) -> impl Iterator<Item = (u32, u32)> {
    let mut square = 1 << m.from();
    let reached = m.directions().map(move |direction| {
        let over = next(square, direction);
        square = if m.jumps() { next(over, direction) } else { over };
        square.trailing_zeros()
    });
    std::iter::once(m.from()).chain(reached).map(row_and_column)
}

fn write_path(
    m: Move,
    out: &mut dyn Write,
    write_square: impl Fn(u32, u32, &mut dyn Write) -> fmt::Result,
) -> fmt::Result {
    for (n, (row, col)) in path(m).enumerate() {
        if n > 0 {
            out.write_char(if m.jumps() { 'x' } else { '-' })?;
        }
        write_square(row, col, out)?;
    }
    Ok(())
}

/// Letter of a piece.
const fn symbol_of(player: Player, king: bool) -> char {
    if king { letter(player).to_ascii_uppercase() } else { letter(player) }
}

/// Owner of the piece on a square, and whether it is a king; `None` for an empty square.
fn piece_at(state: &State, row: u32, col: u32) -> Option<(Player, bool)> {
    if (row + col) % 2 == 1 {
        return None;
    }
    let square = square_at(row, col);
    let player = Player::BOTH.into_iter().find(|p| state.pieces[p.index()] >> square & 1 == 1)?;
    Some((player, state.kings >> square & 1 == 1))
}

fn symbol(state: &State, row: u32, col: u32) -> char {
    piece_at(state, row, col).map_or('.', |(player, king)| symbol_of(player, king))
}

/// All squares of the board, including light ones, as rows and columns.
fn all_squares() -> impl Iterator<Item = (u32, u32)> {
    (0..SIZE).flat_map(|row| (0..SIZE).map(move |col| (row, col)))
}

impl Checkers {
    /// Notes every rule that a position breaks. A position without errors has a legal move, or is
    /// lost for the player to move.
    pub(super) fn check(&self, state: &State, errors: &mut PositionErrors) {
        for player in Player::BOTH {
            let (pieces, x) = (state.pieces[player.index()], letter(player));
            if pieces.count_ones() > PIECES_MAX {
                errors.breaks(format!("{} {x} where {PIECES_MAX} began", pieces.count_ones()));
            }
            if pieces & !state.kings & FAR_ROW[player.index()] != 0 {
                errors.breaks(format!("a man of {x} is on the last row, where men become kings"));
            }
            if self.only_kings() && pieces & !state.kings != 0 {
                errors.breaks(format!("{x} has a man in a game of kings"));
            }
        }
        let last = state.turn.other();
        if state.pieces[last.index()] == 0 {
            errors.breaks(format!("{} has just moved and has no pieces", letter(last)));
        }
    }
}

impl Notation for Checkers {
    fn write_move(&self, _: &State, m: Move, out: &mut dyn Write) -> fmt::Result {
        write_path(m, out, write_cell)
    }

    /// Parses a move; squares may also be written as numbers.
    fn parse_move(&self, state: &State, text: &str) -> Result<Move, MoveError> {
        let text = text.trim();
        let mut moves = Vec::new();
        if self.outcome(state).is_none() {
            self.moves_into(state, &mut moves);
        }
        let numbered = |m| {
            let mut text = String::new();
            write_path(m, &mut text, |row, col, out| write!(out, "{}", number(row, col)))
                .expect("a string takes all text");
            text
        };
        let is_written = |&m: &Move| {
            self.move_text(state, m).eq_ignore_ascii_case(text)
                || numbered(m).eq_ignore_ascii_case(text)
        };
        moves.into_iter().find(is_written).ok_or_else(|| MoveError { text: text.to_owned() })
    }

    fn write_position(&self, state: &State, out: &mut dyn Write) -> fmt::Result {
        write_board(SIZE, SIZE, |row, col| symbol(state, row, col), out)?;
        write!(out, " {}", letter(state.turn))
    }

    fn parse_position(&self, text: &str) -> Result<State, PositionError> {
        let mut reader = Reader::new(text);
        let cells = reader.board(SIZE, SIZE, ".xoXO");
        let turn = reader.turn();
        let state = cells.zip(turn).map(|(cells, turn)| {
            let (mut pieces, mut kings) = ([0; 2], 0);
            for (row, col) in all_squares() {
                let found = cells.at(row, col);
                if found == '.' {
                    continue;
                }
                if (row + col) % 2 == 1 {
                    let mut cell = String::new();
                    write_cell(row, col, &mut cell).expect("a string takes all text");
                    reader.breaks(format!("{found} is on the light square {cell}"));
                    continue;
                }
                let square = 1 << square_at(row, col);
                for player in Player::BOTH {
                    for king in [false, true] {
                        if found == symbol_of(player, king) {
                            pieces[player.index()] |= square;
                            kings |= if king { square } else { 0 };
                        }
                    }
                }
            }
            let state = State { pieces, kings, turn };
            self.check(&state, reader.errors());
            state
        });
        reader.finish(state)
    }

    fn board_text(&self, state: &State) -> String {
        grid_text(SIZE, SIZE, |row, col| symbol(state, row, col))
    }

    /// Draws kings with a letter.
    fn board(&self, state: &State) -> Board {
        Board::chequered(SIZE, SIZE, |row, col| match piece_at(state, row, col) {
            None => Contents::empty(),
            Some((player, false)) => Contents::piece(Some(player), "man"),
            Some((player, true)) => Contents::piece(Some(player), "king").with_text("K"),
        })
    }

    fn move_cells(&self, state: &State, m: Move, board: &Board) -> Vec<PathCell> {
        board.jumping_path(&self.move_text(state, m))
    }
}

/// Planes: men of each player, kings of each player, the turn.
impl Tensor for Checkers {
    fn plane_shape(&self) -> PlaneShape {
        PlaneShape::Grid([SIZE; 2])
    }

    fn write_planes(&self, state: &State, planes: &mut Planes<'_>) {
        for kings in [false, true] {
            planes.owners(|row, col| {
                let piece = piece_at(state, row, col).filter(|&(_, is_king)| is_king == kings);
                piece.map(|(player, _)| player)
            });
        }
        planes.turn(state.turn);
    }
}
