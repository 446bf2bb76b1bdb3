//! Text and pictures.

use std::fmt::{self, Write};

use treegauge_core::{Notation, PositionError};

use super::rules::{State, WildTicTacToe, has_line};
use crate::position::{PositionErrors, Reader, letter, write_board, write_cell};
use crate::svg::{CELL, Svg, colour, grid_text};
use treegauge_bits::Word;

/// The letters of the two marks.
const MARKS: [char; 2] = ['X', 'O'];

fn symbol(state: State, row: u32, col: u32) -> char {
    let mark = (0..2).find(|&kind| state.marks[kind] >> (3 * row + col) & 1 == 1);
    mark.map_or('.', |kind| MARKS[kind])
}

/// Notes which rules the marks of a position break.
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

    /// Marks are letters in one colour: they belong to neither player.
    fn board_svg(&self, state: &State) -> String {
        let mut svg = Svg::board(3, 3);
        svg.grid(3, 3);
        for row in 0..3 {
            for col in 0..3 {
                let mark = symbol(*state, row, col);
                if mark != '.' {
                    let (x, y) = Svg::centre(3, row, col);
                    svg.text(x, y, CELL * 0.7, colour::FIRST, &mark.to_string());
                }
            }
        }
        svg.finish()
    }
}
