//! Text and pictures.

use std::fmt::{self, Write};

use treegauge_core::{Notation, PositionError};

use super::rules::{OneToTen, State};
use crate::position::{Reader, letter};
use crate::svg::{CELL, MARGIN, Svg, colour};

/// The target up to which a board shows every point.
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
                reader.breaks(format!("no play comes to {total} with {turn} to move"));
            }
            state
        });
        reader.finish(state)
    }

    /// A row of points, `#` for those reached, and the numbers.
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

    fn board_svg(&self, state: &State) -> String {
        let width = CELL * 10.0;
        let mut svg = Svg::new(width + 2.0 * MARGIN, CELL + 2.0 * MARGIN);
        let share = f64::from(state.total) / f64::from(self.target());
        svg.rect(MARGIN, MARGIN, width, CELL, colour::BOARD);
        svg.rect(MARGIN, MARGIN, width * share, CELL, colour::FIRST);
        if self.target() <= MAX_DRAWN {
            for point in 0..=self.target() {
                let x = MARGIN + width * f64::from(point) / f64::from(self.target());
                svg.line(x, MARGIN, x, MARGIN + CELL, 1.0, colour::LINE);
            }
        }
        let text = format!("{} of {}", state.total, self.target());
        let (x, y) = (MARGIN + width / 2.0, MARGIN * 1.5 + CELL);
        svg.text(x, y, 13.0, colour::LABEL, &text);
        svg.finish()
    }
}
