//! Text notation and pictures of positions and moves.

use std::fmt::{self, Write};

use treegauge_core::{
    Actions, Board, Cell, CellShape, Contents, Notation, PlaneShape, Planes, Player, PositionError,
    Tensor,
};

use super::rules::{Qubic, State};
use crate::position::{PositionErrors, Reader, letter, write_board};
use treegauge_bits::Word;

fn stone_at(state: State, cell: u32) -> Option<Player> {
    Player::BOTH.into_iter().find(|p| state.stones[p.index()] >> cell & 1 == 1)
}

/// Symbol of a cell; `row` counts the 16 rows of the cube, level by level.
fn symbol(state: State, row: u32, col: u32) -> char {
    stone_at(state, 4 * row + col).map_or('.', letter)
}

impl Qubic {
    /// Notes every rule that a position breaks.
    pub(super) fn check(&self, state: &State, turn: Player, errors: &mut PositionErrors) {
        errors.check_turns(state.stones.map(u64::count_ones), turn);
        if self.wins(state.stones[turn.index()]) {
            errors.breaks(format!("{} has won already and is to move", letter(turn)));
        }
        let last = state.stones[turn.other().index()];
        let one_stone_won = || last.ones().any(|cell| !self.wins(last & !(1 << cell)));
        if self.wins(last) && !one_stone_won() {
            errors.breaks(format!(
                "{} has lines that no single stone can have made",
                letter(turn.other())
            ));
        }
    }
}

impl Notation for Qubic {
    fn write_move(&self, _: &State, cell: u8, out: &mut dyn Write) -> fmt::Result {
        write!(out, "{}{}{}", cell % 4 + 1, cell / 4 % 4 + 1, cell / 16 + 1)
    }

    fn write_position(&self, state: &State, out: &mut dyn Write) -> fmt::Result {
        write_board(16, 4, |row, col| symbol(*state, row, col), out)?;
        write!(out, " {}", letter(state.turn()))
    }

    fn parse_position(&self, text: &str) -> Result<State, PositionError> {
        let mut reader = Reader::new(text);
        let cells = reader.board(16, 4, ".xo");
        let turn = reader.turn();
        let state = cells.zip(turn).map(|(cells, turn)| {
            let stones = Player::BOTH.map(|player| {
                (0..64)
                    .filter(|cell| cells.at(cell / 4, cell % 4) == letter(player))
                    .fold(0u64, |stones, cell| stones | 1 << cell)
            });
            let state = State { stones };
            self.check(&state, turn, reader.errors());
            state
        });
        reader.finish(state)
    }

    /// Draws the four levels side by side, the lowest at the left.
    fn board_text(&self, state: &State) -> String {
        let mut text = String::from("  level 1   level 2   level 3   level 4\n");
        for row in (0..4).rev() {
            let _ = write!(text, "{}", row + 1);
            for level in 0..4 {
                for col in 0..4 {
                    let _ = write!(text, " {}", symbol(*state, 4 * level + row, col));
                }
                text.push_str(if level < 3 { "  " } else { "\n" });
            }
        }
        text.push_str("  1 2 3 4   1 2 3 4   1 2 3 4   1 2 3 4\n");
        text
    }

    /// Represents the four levels side by side, the lowest at the left, each with its number above.
    fn board(&self, state: &State) -> Board {
        let mut board = Board::new(18.0, 4.0);
        for level in 0..4 {
            let left = 4.6 * f64::from(level);
            board.label(left + 2.0, -0.3, format!("level {}", level + 1));
            for row in 0..4 {
                let y = 3.5 - f64::from(row);
                if level == 0 {
                    board.label(-0.3, y, row + 1);
                }
                for col in 0..4 {
                    let x = left + f64::from(col) + 0.5;
                    if row == 0 {
                        board.label(x, 4.3, col + 1);
                    }
                    let cell = 16 * level + 4 * row + col;
                    let name = self.move_text(state, cell as u8);
                    let stone = Contents::piece_or_empty(stone_at(*state, cell), "stone");
                    board.cells.push(Cell::new(name, (x, y), CellShape::Square, stone));
                }
            }
        }
        board
    }
}

/// Ids are cells.
impl Actions for Qubic {
    fn action_count(&self) -> u32 {
        64
    }

    fn action_of(&self, _: &State, cell: u8) -> u32 {
        u32::from(cell)
    }
}

/// Planes: stones of each player, the turn.
impl Tensor for Qubic {
    fn plane_shape(&self) -> PlaneShape {
        PlaneShape::Levels([4; 3])
    }

    fn write_planes(&self, state: &State, planes: &mut Planes<'_>) {
        planes.owners(|row, col| stone_at(*state, 4 * row + col));
        planes.turn(state.turn());
    }
}
