//! Text notation and pictures of positions and moves.

use std::fmt::{self, Write};

use treegauge_core::{
    Actions, Contents, Game, MoveError, Notation, PathCell, PlaneShape, Planes, Player,
    PositionError, Role, Tensor,
};

use super::rules::{Board, ConnectFour, State};
use crate::position::{PositionErrors, Reader, column, grid_text, letter, write_board};
use treegauge_bits::Word;

impl<B: Board> ConnectFour<B> {
    fn stone_at(&self, state: &State<B::Bits>, row: u32, col: u32) -> Option<Player> {
        let cell = self.cell(row, col);
        Player::BOTH.into_iter().find(|p| state.stones[p.index()].has(cell))
    }

    fn symbol(&self, state: &State<B::Bits>, row: u32, col: u32) -> char {
        self.stone_at(state, row, col).map_or('.', letter)
    }

    /// Notes every rule that a position breaks. All discs must rest on one another.
    pub(super) fn check(&self, state: &State<B::Bits>, errors: &mut PositionErrors) {
        let turn = state.turn;
        errors.check_turns(state.stones.map(Word::count), turn);
        if self.has_line(state.stones[turn.index()]) {
            errors.breaks(format!("{} has a line already and is to move", letter(turn)));
        }
    }
}

impl<B: Board> Notation for ConnectFour<B> {
    fn write_move(&self, _: &Self::State, col: u8, out: &mut dyn Write) -> fmt::Result {
        out.write_char(column(u32::from(col)))
    }

    fn parse_move(&self, state: &Self::State, text: &str) -> Result<u8, MoveError> {
        let name = text.trim().to_ascii_lowercase();
        let col = match (name.parse::<u8>(), name.as_bytes()) {
            (Ok(number), _) => number.checked_sub(1),
            (_, [letter @ b'a'..=b'z']) => Some(letter - b'a'),
            _ => None,
        };
        col.filter(|&col| self.outcome(state).is_none() && self.is_legal(state, col))
            .ok_or_else(|| MoveError { text: text.trim().to_owned() })
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
            let mut stones = [B::Bits::ZERO; 2];
            for col in 0..cols {
                let mut gap = false;
                for row in 0..rows {
                    let symbol = cells.at(row, col);
                    let Some(player) = Player::BOTH.into_iter().find(|&p| letter(p) == symbol)
                    else {
                        gap = true;
                        continue;
                    };
                    stones[player.index()] |= B::Bits::bit(self.cell(row, col));
                    if std::mem::take(&mut gap) {
                        let col = column(col);
                        reader.breaks(format!("the disc on {col}{} hangs in the air", row + 1));
                    }
                }
            }
            let state = State { stones, turn };
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
        treegauge_core::Board::squares(rows, cols, |row, col| {
            Contents::piece_or_empty(self.stone_at(state, row, col), "stone")
        })
    }

    /// Finds the cell that the stone falls to.
    fn move_cells(&self, state: &Self::State, col: u8, _: &treegauge_core::Board) -> Vec<PathCell> {
        let (cols, col) = (self.board().cols(), u32::from(col));
        let row = (0..self.board().rows()).find(|&row| self.stone_at(state, row, col).is_none());
        let touch = |row| PathCell { cell: (row * cols + col) as usize, role: Role::To };
        row.map(touch).into_iter().collect()
    }
}

/// Ids are columns.
impl<B: Board> Actions for ConnectFour<B> {
    fn action_count(&self) -> u32 {
        self.board().cols()
    }

    fn action_of(&self, _: &Self::State, col: u8) -> u32 {
        u32::from(col)
    }
}

/// Planes: stones of each player, the turn.
impl<B: Board> Tensor for ConnectFour<B> {
    fn plane_shape(&self) -> PlaneShape {
        PlaneShape::Grid([self.board().rows(), self.board().cols()])
    }

    fn write_planes(&self, state: &Self::State, planes: &mut Planes<'_>) {
        planes.owners(|row, col| self.stone_at(state, row, col));
        planes.turn(state.turn);
    }
}
