//! Text notation and pictures of positions and moves.

use std::fmt::{self, Write};

use treegauge_core::{
    Actions, CellMark, Contents, Notation, PlaneShape, Planes, Player, PositionError, Tensor,
};

use super::rules::{Board, State, TicTacToe};
use crate::position::{PositionErrors, Reader, grid_text, letter, write_board, write_cell};
use treegauge_bits::{Word, has_bit};

impl<B: Board> TicTacToe<B> {
    fn stone_at(&self, state: &State<B::Bits>, row: u32, col: u32) -> Option<Player> {
        let cell = row * self.board().size() + col;
        Player::BOTH.into_iter().find(|p| has_bit(state.stones[p.index()], cell))
    }

    fn symbol(&self, state: &State<B::Bits>, row: u32, col: u32) -> char {
        self.stone_at(state, row, col).map_or('.', letter)
    }
}

impl<B: Board> TicTacToe<B> {
    /// Notes every rule that a position breaks.
    pub(super) fn check(&self, state: &State<B::Bits>, errors: &mut PositionErrors) {
        let turn = state.turn;
        errors.check_turns(state.stones.map(Word::count), turn);
        if self.has_line(state.stones[turn.index()]) {
            errors.breaks(format!("{} has a line already and is to move", letter(turn)));
        }
        let last = state.stones[turn.other().index()];
        let one_stone_made_it =
            || last.ones().any(|cell| !self.has_line(last & !B::Bits::bit(cell)));
        if self.has_line(last) && !one_stone_made_it() {
            errors.breaks(format!(
                "{} has lines that no single stone can have made",
                letter(turn.other())
            ));
        }
    }
}

impl<B: Board> Notation for TicTacToe<B> {
    fn write_move(&self, _: &Self::State, cell: u16, out: &mut dyn Write) -> fmt::Result {
        let size = self.board().size();
        write_cell(u32::from(cell) / size, u32::from(cell) % size, out)
    }

    fn write_position(&self, state: &Self::State, out: &mut dyn Write) -> fmt::Result {
        let size = self.board().size();
        write_board(size, size, |row, col| self.symbol(state, row, col), out)?;
        write!(out, " {}", letter(state.turn))
    }

    fn parse_position(&self, text: &str) -> Result<Self::State, PositionError> {
        let size = self.board().size();
        let mut reader = Reader::new(text);
        let cells = reader.board(size, size, ".xo");
        let turn = reader.turn();
        let state = cells.zip(turn).map(|(cells, turn)| {
            let stones = Player::BOTH.map(|player| {
                (0..size * size)
                    .filter(|cell| cells.at(cell / size, cell % size) == letter(player))
                    .fold(B::Bits::ZERO, |stones, cell| stones | B::Bits::bit(cell))
            });
            let state = State { stones, turn };
            self.check(&state, reader.errors());
            state
        });
        reader.finish(state)
    }

    fn board_text(&self, state: &Self::State) -> String {
        let size = self.board().size();
        grid_text(size, size, |row, col| self.symbol(state, row, col))
    }

    fn board(&self, state: &Self::State) -> treegauge_core::Board {
        let size = self.board().size();
        treegauge_core::Board::squares(size, size, |row, col| {
            match self.stone_at(state, row, col) {
                Some(Player::First) => Contents::new("cross", CellMark::Text("X".to_owned())),
                Some(Player::Second) => Contents::new("nought", CellMark::Text("O".to_owned())),
                None => Contents::empty(),
            }
        })
    }
}

/// Ids are cells.
impl<B: Board> Actions for TicTacToe<B> {
    fn action_count(&self) -> u32 {
        self.board().size() * self.board().size()
    }

    fn action_of(&self, _: &Self::State, cell: u16) -> u32 {
        u32::from(cell)
    }
}

/// Planes: stones of each player, the turn.
impl<B: Board> Tensor for TicTacToe<B> {
    fn plane_shape(&self) -> PlaneShape {
        PlaneShape::Grid([self.board().size(); 2])
    }

    fn write_planes(&self, state: &Self::State, planes: &mut Planes<'_>) {
        planes.owners(|row, col| self.stone_at(state, row, col));
        planes.turn(state.turn);
    }
}
