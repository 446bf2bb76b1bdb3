//! Text notation and pictures of positions and moves.

use std::fmt::{self, Write};

use treegauge_core::{
    Actions, Board, CellMark, Contents, Notation, PathCell, PlaneShape, Planes, PositionError,
    Tensor,
};

use super::rules::{State, WildTicTacToe, has_line};
use crate::position::{PositionErrors, Reader, grid_text, letter, write_board, write_cell};
use treegauge_bits::Word;

/// Letters of the two marks.
const MARKS: [char; 2] = ['X', 'O'];

fn symbol(state: State, row: u32, col: u32) -> char {
    let mark = (0..2).find(|&kind| state.marks[kind] >> (3 * row + col) & 1 == 1);
    mark.map_or('.', |kind| MARKS[kind])
}

/// Notes every rule that the marks of a position break.
pub(super) fn check(state: &State, errors: &mut PositionErrors) {
    let [crosses, noughts] = state.marks;
    if has_line(crosses) && has_line(noughts) {
        errors.breaks("both marks have a line");
    }
    for (marks, name) in [(crosses, MARKS[0]), (noughts, MARKS[1])] {
        let one_mark_made_it =
            || u64::from(marks).ones().any(|cell| !has_line(marks & !(1 << cell)));
        if has_line(marks) && !one_mark_made_it() {
            errors.breaks(format!("{name} has lines that no single mark can have made"));
        }
    }
}

impl Notation for WildTicTacToe {
    fn write_move(&self, _: &State, m: u8, out: &mut dyn Write) -> fmt::Result {
        out.write_char(MARKS[usize::from(m & 1)])?;
        let cell = u32::from(m >> 1);
        write_cell(cell / 3, cell % 3, out)
    }

    fn write_position(&self, state: &State, out: &mut dyn Write) -> fmt::Result {
        write_board(3, 3, |row, col| symbol(*state, row, col), out)?;
        write!(out, " {}", letter(state.turn()))
    }

    fn parse_position(&self, text: &str) -> Result<State, PositionError> {
        let mut reader = Reader::new(text);
        let cells = reader.board(3, 3, ".XO");
        let turn = reader.turn();
        let state = cells.zip(turn).map(|(cells, turn)| {
            let state = State {
                marks: MARKS.map(|mark| {
                    (0..9)
                        .filter(|cell| cells.at(cell / 3, cell % 3) == mark)
                        .fold(0, |marks, cell| marks | 1 << cell)
                }),
            };
            if state.turn() != turn {
                let count = (state.marks[0] | state.marks[1]).count_ones();
                reader.breaks(format!("after {count} marks {} is not to move", letter(turn)));
            }
            check(&state, reader.errors());
            state
        });
        reader.finish(state)
    }

    fn board_text(&self, state: &State) -> String {
        grid_text(3, 3, |row, col| symbol(*state, row, col))
    }

    /// Draws marks as letters: they belong to neither player.
    fn board(&self, state: &State) -> Board {
        Board::squares(3, 3, |row, col| match symbol(*state, row, col) {
            '.' => Contents::empty(),
            mark => Contents::new(mark, CellMark::Text(mark.to_string())),
        })
    }

    fn move_cells(&self, state: &State, m: u8, board: &Board) -> Vec<PathCell> {
        board.path(&self.move_text(state, m)[1..])
    }
}

/// Ids are cells, doubled, and 1 more for the second mark.
impl Actions for WildTicTacToe {
    fn action_count(&self) -> u32 {
        18
    }

    fn action_of(&self, _: &State, m: u8) -> u32 {
        u32::from(m)
    }
}

/// Planes: crosses, noughts, the turn.
impl Tensor for WildTicTacToe {
    fn plane_shape(&self) -> PlaneShape {
        PlaneShape::Grid([3; 2])
    }

    fn write_planes(&self, state: &State, planes: &mut Planes<'_>) {
        for marks in state.marks {
            planes.marks(u64::from(marks).ones());
        }
        planes.turn(state.turn());
    }
}
