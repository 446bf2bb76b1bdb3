//! Text notation and pictures of positions and moves.

use std::fmt::{self, Write};

use treegauge_core::{
    Actions, Board, Cell, CellMark, CellShape, Contents, Notation, PlaneShape, Planes, Player,
    PositionError, Tensor,
};

use super::rules::{Alak, Ban, State};
use crate::position::{PositionErrors, Reader, column, letter, write_board};

/// Letter of the stone on a cell, `*` for a forbidden cell and `.` for another empty one.
fn symbol(state: &State, cell: u32) -> char {
    let has = |bits: u32| bits >> (cell + 1) & 1 == 1;
    match Player::BOTH.into_iter().find(|p| has(state.stones[p.index()])) {
        Some(player) => letter(player),
        None if has(state.forbidden) => '*',
        None => '.',
    }
}

impl Alak {
    /// Returns whether the last move can have forbidden exactly the forbidden cells.
    fn is_explained(&self, state: &State) -> bool {
        let [own, last] = [state.turn, state.turn.other()].map(|p| state.stones[p.index()]);
        let forbids = |stone: u32| {
            let captured = self.captured(last & !stone, own | state.forbidden, stone);
            captured == state.forbidden
                && self.forbidden(last, own, stone, captured) == state.forbidden
        };
        let stones = (1..=self.length()).map(|bit| 1 << bit).filter(|stone| last & stone != 0);
        state.forbidden == 0 || stones.into_iter().any(forbids)
    }

    /// Notes every rule that a position breaks.
    pub(super) fn check(&self, state: &State, errors: &mut PositionErrors) {
        if !self.is_explained(state) {
            errors.breaks(format!(
                "no last move of {} forbids just the cells marked *",
                letter(state.turn.other())
            ));
        }
    }
}

impl Notation for Alak {
    fn write_move(&self, _: &State, cell: u8, out: &mut dyn Write) -> fmt::Result {
        out.write_char(column(u32::from(cell)))
    }

    fn write_position(&self, state: &State, out: &mut dyn Write) -> fmt::Result {
        write_board(1, self.length(), |_, cell| symbol(state, cell), out)?;
        write!(out, " {}", letter(state.turn))
    }

    fn parse_position(&self, text: &str) -> Result<State, PositionError> {
        let mut reader = Reader::new(text);
        let symbols = if self.ban() == Ban::None { ".xo" } else { ".xo*" };
        let cells = reader.board(1, self.length(), symbols);
        let turn = reader.turn();
        let state = cells.zip(turn).map(|(cells, turn)| {
            let bits = |symbol: char| {
                (0..self.length())
                    .filter(|&cell| cells.at(0, cell) == symbol)
                    .fold(0, |bits, cell| bits | 2u32 << cell)
            };
            let stones = Player::BOTH.map(|player| bits(letter(player)));
            let state = State { stones, forbidden: bits('*'), turn };
            self.check(&state, reader.errors());
            state
        });
        reader.finish(state)
    }

    fn board_text(&self, state: &State) -> String {
        let line = |symbol: &dyn Fn(u32) -> char| {
            let symbols: Vec<String> =
                (0..self.length()).map(|cell| symbol(cell).to_string()).collect();
            symbols.join(" ") + "\n"
        };
        line(&|cell| symbol(state, cell)) + &line(&column)
    }

    /// Draws a dot on each forbidden cell.
    fn board(&self, state: &State) -> Board {
        let mut board = Board::new(f64::from(self.length()), 1.0);
        for cell in 0..self.length() {
            let x = f64::from(cell) + 0.5;
            let player = Player::BOTH.into_iter().find(|&p| letter(p) == symbol(state, cell));
            let contents = match symbol(state, cell) {
                '*' => Contents::new("forbidden", CellMark::Dot),
                _ => Contents::piece_or_empty(player, "stone"),
            };
            board.label(x, 1.3, column(cell));
            board.cells.push(Cell::new(column(cell), (x, 0.5), CellShape::Square, contents));
        }
        board
    }
}

/// Ids are cells.
impl Actions for Alak {
    fn action_count(&self) -> u32 {
        self.length()
    }

    fn action_of(&self, _: &State, cell: u8) -> u32 {
        u32::from(cell)
    }
}

/// Planes: stones of each player, the turn, forbidden cells if the rules have them.
impl Tensor for Alak {
    fn plane_shape(&self) -> PlaneShape {
        PlaneShape::Cells(self.length())
    }

    fn write_planes(&self, state: &State, planes: &mut Planes<'_>) {
        let has = |bits: u32, cell: u32| bits >> (cell + 1) & 1 == 1;
        planes.owners(|_, cell| {
            Player::BOTH.into_iter().find(|p| has(state.stones[p.index()], cell))
        });
        planes.turn(state.turn);
        if self.ban() != Ban::None {
            planes.marks((0..self.length()).filter(|&cell| has(state.forbidden, cell)));
        }
    }
}
