//! Text notation and pictures of positions and moves.

use std::fmt::{self, Write};

use treegauge_core::{
    Actions, Board, Cell, CellMark, CellShape, Contents, Notation, PathCell, PlaneShape, Planes,
    PositionError, Role, Tensor,
};

use super::rules::{OneToTen, State};
use crate::position::{Reader, letter};

/// Greatest target for which the board shows every point.
const MAX_DRAWN: u32 = 60;

impl Notation for OneToTen {
    fn write_move(&self, _: &State, step: u8, out: &mut dyn Write) -> fmt::Result {
        write!(out, "{step}")
    }

    fn write_position(&self, state: &State, out: &mut dyn Write) -> fmt::Result {
        write!(out, "{} {}", state.total, letter(state.turn))
    }

    fn parse_position(&self, text: &str) -> Result<State, PositionError> {
        let mut reader = Reader::new(text);
        let total = reader.number("the total", 0..=i64::from(self.target()));
        let turn = reader.turn();
        let state = total.zip(turn).map(|(total, turn)| {
            let state = State { total: total as u32, turn };
            if !self.is_reachable(&state) {
                let turn = letter(turn);
                reader.breaks(format!("no game reaches {total} with {turn} to move"));
            }
            state
        });
        reader.finish(state)
    }

    /// Draws a row of points, `#` for those reached, and the numbers.
    fn board_text(&self, state: &State) -> String {
        let mut text = String::new();
        if self.target() <= MAX_DRAWN {
            for point in 1..=self.target() {
                text.push(if point <= state.total { '#' } else { '.' });
            }
            text.push(' ');
        }
        let _ = writeln!(text, "{} of {}", state.total, self.target());
        text
    }

    /// Fills the points that are reached. Above a target of 60 the board has no cells.
    fn board(&self, state: &State) -> Board {
        let drawn = if self.target() <= MAX_DRAWN { self.target() } else { 0 };
        let mut board = Board::new(f64::from(drawn), f64::from(drawn.min(1)));
        for point in 1..=drawn {
            let x = f64::from(point) - 0.5;
            let contents = if point <= state.total {
                Contents::new("reached", CellMark::Filled)
            } else {
                Contents::empty()
            };
            board.label(x, 1.3, point);
            let name = format!("point {point}");
            board.cells.push(Cell::new(name, (x, 0.5), CellShape::Square, contents));
        }
        board.beside.push(format!("{} of {}", state.total, self.target()));
        board
    }

    /// Returns the point that is reached.
    fn move_cells(&self, state: &State, step: u8, board: &Board) -> Vec<PathCell> {
        let reached = board.cell(&format!("point {}", state.total + u32::from(step)));
        reached.map(|cell| PathCell { cell, role: Role::To }).into_iter().collect()
    }
}

/// Ids are the numbers added; 0 does not occur.
impl Actions for OneToTen {
    fn action_count(&self) -> u32 {
        self.max_step() + 1
    }

    fn action_of(&self, _: &State, step: u8) -> u32 {
        u32::from(step)
    }
}

/// Planes, each a single number: the total, the turn.
impl Tensor for OneToTen {
    fn plane_shape(&self) -> PlaneShape {
        PlaneShape::Cells(1)
    }

    fn write_planes(&self, state: &State, planes: &mut Planes<'_>) {
        // A total is at most 1,000,000, so a number holds it exactly.
        planes.uniform(state.total as f32);
        planes.turn(state.turn);
    }
}
