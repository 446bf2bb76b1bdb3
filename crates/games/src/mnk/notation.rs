//! Text notation and pictures of positions and moves.

use std::fmt::{self, Write};

use treegauge_core::{
    Actions, Board, CellMark, Contents, Game, Notation, PlaneShape, Planes, Player, PositionError,
    Tensor,
};

use super::rules::{Mnk, State};
use crate::position::{PositionErrors, Reader, column, grid_text, letter, write_board, write_cell};
use treegauge_bits::Word;

impl<W: Word> Mnk<W> {
    fn stone_at(&self, state: &State<W>, row: u32, col: u32) -> Option<Player> {
        let cell = self.bit(row, col);
        Player::BOTH.into_iter().find(|p| state.stones[p.index()].has(cell))
    }

    fn symbol(&self, state: &State<W>, row: u32, col: u32) -> char {
        self.stone_at(state, row, col).map_or('.', letter)
    }

    /// Number of stones that each player has put down when `placed` are on the board.
    fn shares(&self, placed: u32) -> [u32; 2] {
        let second = (0..placed).filter(|&n| self.player_of(n) == Player::Second).count() as u32;
        [placed - second, second]
    }
}

impl<W: Word> Mnk<W> {
    /// Notes every rule that a position breaks. The caller has checked that stones do not hang in
    /// the air.
    pub(super) fn check(&self, stones: [W; 2], turn: Player, errors: &mut PositionErrors) {
        let counts = stones.map(Word::count);
        let placed = counts[0] + counts[1];
        if counts != self.shares(placed) || turn != self.player_of(placed) {
            errors.breaks(format!(
                "{} x and {} o cannot be with {} to move",
                counts[0],
                counts[1],
                letter(turn)
            ));
        }
        let lines = self.find_line(stones);
        if lines == [true; 2] {
            errors.breaks("both players have a line");
        }
        // The game ends with the stone that makes the line.
        let last = placed.checked_sub(1).map(|before| self.player_of(before));
        for player in Player::BOTH {
            if lines[player.index()] && !lines[player.other().index()] && last != Some(player) {
                errors.breaks(format!("{} has a line and did not move last", letter(player)));
            }
        }
    }
}

impl<W: Word> Notation for Mnk<W> {
    fn write_move(&self, _: &State<W>, m: u16, out: &mut dyn Write) -> fmt::Result {
        write_cell(u32::from(m) / self.stride(), u32::from(m) % self.stride(), out)
    }

    fn write_position(&self, state: &State<W>, out: &mut dyn Write) -> fmt::Result {
        let (rows, cols) = (self.setup().rows, self.setup().cols);
        write_board(rows, cols, |row, col| self.symbol(state, row, col), out)?;
        write!(out, " {}", letter(self.player_of(u32::from(state.placed))))
    }

    fn parse_position(&self, text: &str) -> Result<State<W>, PositionError> {
        let (rows, cols) = (self.setup().rows, self.setup().cols);
        let mut reader = Reader::new(text);
        let cells = reader.board(rows, cols, ".xo");
        let turn = reader.turn();
        let state = cells.zip(turn).map(|(cells, turn)| {
            let mut stones = [W::ZERO; 2];
            for col in 0..cols {
                let mut gap = false;
                for row in 0..rows {
                    let symbol = cells.at(row, col);
                    match Player::BOTH.into_iter().find(|&p| letter(p) == symbol) {
                        Some(player) => {
                            stones[player.index()].set(self.bit(row, col));
                            if self.setup().gravity && std::mem::take(&mut gap) {
                                let col = column(col);
                                reader.breaks(format!(
                                    "the stone on {col}{} hangs in the air",
                                    row + 1
                                ));
                            }
                        }
                        None => gap = true,
                    }
                }
            }
            self.check(stones, turn, reader.errors());
            self.state_of(stones)
        });
        reader.finish(state)
    }

    fn board_text(&self, state: &State<W>) -> String {
        let (rows, cols) = (self.setup().rows, self.setup().cols);
        grid_text(rows, cols, |row, col| self.symbol(state, row, col))
    }

    fn board(&self, state: &State<W>) -> Board {
        let (rows, cols) = (self.setup().rows, self.setup().cols);
        // Tic-Tac-Toe is drawn as everybody draws it.
        let is_tic_tac_toe = rows == 3 && cols == 3;
        Board::squares(rows, cols, |row, col| match self.stone_at(state, row, col) {
            Some(Player::First) if is_tic_tac_toe => {
                Contents::new("cross", CellMark::Text("X".to_owned()))
            }
            Some(Player::Second) if is_tic_tac_toe => {
                Contents::new("nought", CellMark::Text("O".to_owned()))
            }
            owner => Contents::piece_or_empty(owner, "stone"),
        })
    }
}

/// Ids are cells.
impl<W: Word> Actions for Mnk<W> {
    fn action_count(&self) -> u32 {
        self.setup().rows * self.setup().cols
    }

    fn action_of(&self, _: &State<W>, m: u16) -> u32 {
        // The bits of cells leave out a column.
        u32::from(m) - u32::from(m) / self.stride()
    }
}

/// Planes: stones of each player, the turn.
impl<W: Word> Tensor for Mnk<W> {
    fn plane_shape(&self) -> PlaneShape {
        PlaneShape::Grid([self.setup().rows, self.setup().cols])
    }

    fn write_planes(&self, state: &State<W>, planes: &mut Planes<'_>) {
        planes.owners(|row, col| self.stone_at(state, row, col));
        planes.turn(self.turn(state));
    }
}
