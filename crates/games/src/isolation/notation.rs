//! Text notation and pictures of positions and moves.

use std::fmt::{self, Write};

use treegauge_core::{
    Actions, Board, CellMark, Contents, Notation, PathCell, PlaneShape, Planes, Player,
    PositionError, Role, Tensor,
};

use super::rules::{Isolation, Move, Piece, Starts, State, UNPLACED};
use crate::position::{PositionErrors, Reader, grid_text, letter, write_board, write_cell};
use treegauge_bits::Word;

/// Symbol of a blocked square without a token.
const BLOCKED: char = '#';

impl<W: Word> Isolation<W> {
    fn symbol(&self, state: &State<W>, row: u32, col: u32) -> char {
        let square = row * self.setup().cols + col;
        let token = Player::BOTH.into_iter().find(|&p| state.token(p) == Some(square));
        let empty = if state.blocked.has(square) { BLOCKED } else { '.' };
        token.map_or(empty, letter)
    }

    /// Notes every rule that a position breaks; `counts` are the numbers of tokens of each player
    /// in it.
    pub(super) fn check(&self, state: &State<W>, counts: [u32; 2], errors: &mut PositionErrors) {
        for player in Player::BOTH.into_iter().filter(|p| counts[p.index()] > 1) {
            errors.breaks(format!("{} has {} tokens", letter(player), counts[player.index()]));
        }
        let removed = state.blocked.count() - counts[0] - counts[1];
        match counts {
            // Every ply blocks a square, and the first player is to move when two squares are
            // blocked.
            [1, 1] if removed as usize % 2 != state.turn.index() => {
                errors.breaks(format!(
                    "{} is not to move with {removed} blocked squares without a token",
                    letter(state.turn)
                ));
            }
            [0, 0] | [0, 1] | [1, 0] => {
                if self.setup().starts == Starts::Fixed {
                    errors.breaks("both tokens are on the board from the start");
                }
                let expected = [[0, 0], [1, 0]][state.turn.index()];
                if counts != expected {
                    errors.breaks(format!(
                        "{} is not to move with {} x and {} o on the board",
                        letter(state.turn),
                        counts[0],
                        counts[1]
                    ));
                }
                if removed > 0 {
                    errors.breaks("squares are blocked before both tokens are placed");
                }
            }
            _ => {}
        }
    }
}

impl<W: Word> Notation for Isolation<W> {
    fn write_move(&self, state: &State<W>, m: Move, out: &mut dyn Write) -> fmt::Result {
        let cols = self.setup().cols;
        let (to, removed) = (u32::from(m.to), u32::from(m.removed));
        write_cell(to / cols, to % cols, out)?;
        if self.setup().piece == Piece::KingRemove && state.token(state.turn).is_some() {
            out.write_char('-')?;
            write_cell(removed / cols, removed % cols, out)?;
        }
        Ok(())
    }

    fn write_position(&self, state: &State<W>, out: &mut dyn Write) -> fmt::Result {
        let setup = self.setup();
        write_board(setup.rows, setup.cols, |row, col| self.symbol(state, row, col), out)?;
        write!(out, " {}", letter(state.turn))
    }

    fn parse_position(&self, text: &str) -> Result<State<W>, PositionError> {
        let (rows, cols) = (self.setup().rows, self.setup().cols);
        let mut reader = Reader::new(text);
        let cells = reader.board(rows, cols, ".xo#");
        let turn = reader.turn();
        let state = cells.zip(turn).map(|(cells, turn)| {
            let mut state = State { blocked: W::ZERO, tokens: [UNPLACED; 2], turn };
            let mut counts = [0; 2];
            for (row, col) in (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))) {
                let (symbol, square) = (cells.at(row, col), row * cols + col);
                if symbol != '.' {
                    state.blocked.set(square);
                }
                for player in Player::BOTH.into_iter().filter(|&p| letter(p) == symbol) {
                    state.tokens[player.index()] = square as u8;
                    counts[player.index()] += 1;
                }
            }
            self.check(&state, counts, reader.errors());
            state
        });
        reader.finish(state)
    }

    fn board_text(&self, state: &State<W>) -> String {
        let (rows, cols) = (self.setup().rows, self.setup().cols);
        grid_text(rows, cols, |row, col| self.symbol(state, row, col))
    }

    fn board(&self, state: &State<W>) -> Board {
        let (rows, cols) = (self.setup().rows, self.setup().cols);
        Board::squares(rows, cols, |row, col| {
            let token =
                Player::BOTH.into_iter().find(|&p| letter(p) == self.symbol(state, row, col));
            match self.symbol(state, row, col) {
                BLOCKED => Contents::new("blocked", CellMark::Filled),
                _ => Contents::piece_or_empty(token, "token"),
            }
        })
    }

    /// Returns the square that the token leaves, if it is on the board, the one that it enters, and
    /// the one removed, if any.
    fn move_cells(&self, state: &State<W>, m: Move, _: &Board) -> Vec<PathCell> {
        let from = state.token(state.turn);
        let removes = self.setup().piece == Piece::KingRemove && from.is_some();
        let removed = removes.then_some(u32::from(m.removed));
        let all = [(from, Role::From), (Some(m.to.into()), Role::To), (removed, Role::Removed)];
        let touch =
            |(square, role): (Option<u32>, _)| Some(PathCell { cell: square? as usize, role });
        all.into_iter().filter_map(touch).collect()
    }
}

/// Ids are the square entered times the number of squares plus the square removed, which is that
/// entered if none is.
impl<W: Word> Actions for Isolation<W> {
    fn action_count(&self) -> u32 {
        (self.setup().rows * self.setup().cols).pow(2)
    }

    fn action_of(&self, _: &State<W>, m: Move) -> u32 {
        let squares = self.setup().rows * self.setup().cols;
        u32::from(m.to) * squares + u32::from(m.removed)
    }
}

/// Planes: the token of each player, the turn, blocked squares.
impl<W: Word> Tensor for Isolation<W> {
    fn plane_shape(&self) -> PlaneShape {
        PlaneShape::Grid([self.setup().rows, self.setup().cols])
    }

    fn write_planes(&self, state: &State<W>, planes: &mut Planes<'_>) {
        Player::BOTH.into_iter().for_each(|player| planes.marks(state.token(player)));
        planes.turn(state.turn);
        planes.marks(state.blocked.ones());
    }
}
