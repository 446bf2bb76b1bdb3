//! Text notation and pictures of positions and moves.

use std::fmt::{self, Write};

use treegauge_core::{
    Actions, Contents, Notation, PlaneShape, Planes, Player, PositionError, Tensor,
};

use super::rules::{Board, Breakthrough, Move, State};
use crate::position::{PositionErrors, Reader, grid_text, letter, write_board, write_cell};
use treegauge_bits::Word;

impl<B: Board> Breakthrough<B> {
    fn man_at(&self, state: &State<B::Bits>, row: u32, col: u32) -> Option<Player> {
        let cell = self.cell(row, col);
        Player::BOTH.into_iter().find(|p| state.men[p.index()].has(cell))
    }

    fn symbol(&self, state: &State<B::Bits>, row: u32, col: u32) -> char {
        self.man_at(state, row, col).map_or('.', letter)
    }

    /// Notes every rule that a position breaks. In a position without errors the player to move has
    /// a legal move, or the other player has just won.
    pub(super) fn check(&self, state: &State<B::Bits>, errors: &mut PositionErrors) {
        let (turn, last) = (state.turn, state.turn.other());
        for player in Player::BOTH {
            let (men, most) = (state.men[player.index()].count(), 2 * self.board().cols());
            if men > most {
                errors.breaks(format!("{men} {} where {most} began", letter(player)));
            }
        }
        let across = |player: Player| (state.men[player.index()] & self.far_row(player)).count();
        if across(turn) > 0 {
            errors.breaks(format!("{0} is across already and {0} is to move", letter(turn)));
        }
        if across(last) > 1 {
            errors.breaks(format!("{} men of {} are across", across(last), letter(last)));
        }
        if state.men[last.index()].is_zero() {
            errors.breaks(format!("{} has just moved and has no men", letter(last)));
        }
    }
}

impl<B: Board> Notation for Breakthrough<B> {
    fn write_move(&self, state: &Self::State, m: Move, out: &mut dyn Write) -> fmt::Result {
        let cols = self.board().cols();
        let (from, to) = (u32::from(m.from), u32::from(m.to));
        let captures = state.men[state.turn.other().index()].has(to);
        write_cell(from / cols, from % cols, out)?;
        out.write_char(if captures { 'x' } else { '-' })?;
        write_cell(to / cols, to % cols, out)
    }

    fn write_position(&self, state: &Self::State, out: &mut dyn Write) -> fmt::Result {
        let (rows, cols) = (self.board().rows(), self.board().cols());
        write_board(rows, cols, |row, col| self.symbol(state, row, col), out)?;
        write!(out, " {}", letter(state.turn))
    }

    fn parse_position(&self, text: &str) -> Result<Self::State, PositionError> {
        let (rows, cols) = (self.board().rows(), self.board().cols());
        let mut reader = Reader::new(text);
        let cells = reader.board(rows, cols, ".xo");
        let turn = reader.turn();
        let state = cells.zip(turn).map(|(cells, turn)| {
            let mut men = [B::Bits::ZERO; 2];
            for (row, col) in (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))) {
                for player in Player::BOTH {
                    if cells.at(row, col) == letter(player) {
                        men[player.index()] |= B::Bits::bit(self.cell(row, col));
                    }
                }
            }
            let state = State { men, turn };
            self.check(&state, reader.errors());
            state
        });
        reader.finish(state)
    }

    fn board_text(&self, state: &Self::State) -> String {
        let (rows, cols) = (self.board().rows(), self.board().cols());
        grid_text(rows, cols, |row, col| self.symbol(state, row, col))
    }

    fn board(&self, state: &Self::State) -> treegauge_core::Board {
        let (rows, cols) = (self.board().rows(), self.board().cols());
        treegauge_core::Board::chequered(rows, cols, |row, col| {
            Contents::piece_or_empty(self.man_at(state, row, col), "man")
        })
    }
}

/// Ids are pairs of cells, doubled, and 1 more for a capture.
impl<B: Board> Actions for Breakthrough<B> {
    fn action_count(&self) -> u32 {
        2 * (self.board().cols() * self.board().rows()).pow(2)
    }

    fn action_of(&self, state: &Self::State, m: Move) -> u32 {
        let cells = self.board().cols() * self.board().rows();
        let (from, to) = (u32::from(m.from), u32::from(m.to));
        let captures = state.men[state.turn.other().index()].has(to);
        2 * (from * cells + to) + u32::from(captures)
    }
}

/// Planes: men of each player, the turn.
impl<B: Board> Tensor for Breakthrough<B> {
    fn plane_shape(&self) -> PlaneShape {
        PlaneShape::Grid([self.board().rows(), self.board().cols()])
    }

    fn write_planes(&self, state: &Self::State, planes: &mut Planes<'_>) {
        planes.owners(|row, col| self.man_at(state, row, col));
        planes.turn(state.turn);
    }
}
