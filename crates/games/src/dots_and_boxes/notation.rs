//! Text and pictures.

use std::fmt::{self, Write};

use treegauge_core::{Game, MoveError, Notation, Player, PositionError, PositionReason};

use super::rules::{Board, DotsAndBoxes, State};
use crate::position::{PositionErrors, Reader, letter};
use crate::svg::{CELL, MARGIN, Svg, colour};
use treegauge_bits::{Word, has_bit};

impl<B: Board> DotsAndBoxes<B> {
    /// The rows of the lattice from the bottom: for each the bit of its first line, how many
    /// lines it has, and the sign of a drawn one.
    fn lattice(&self) -> impl DoubleEndedIterator<Item = (u32, u32, char)> + '_ {
        let (rows, cols) = (self.board().rows(), self.board().cols());
        (0..=2 * rows).map(move |n| {
            if n % 2 == 0 {
                (self.across(n / 2, 0), cols, '-')
            } else {
                (self.upright(n / 2, 0), cols + 1, '|')
            }
        })
    }

    /// Reads the lattice and notes every error; `at` is the character number of its beginning.
    fn parse_lattice(&self, reader: &mut Reader<'_>, at: usize, text: &str) -> Option<B::Bits> {
        let (mut lines, mut sound) = (B::Bits::ZERO, true);
        let expected = 2 * self.board().rows() as usize + 1;
        let found = text.split('/').count();
        if found != expected {
            reader.error(PositionReason::RowCount { expected, found });
            sound = false;
        }
        let mut at = at;
        for (n, (row, (first, count, sign))) in
            text.split('/').zip(self.lattice().rev()).enumerate()
        {
            let (mut cell, mut run) = (0u32, 0u32);
            for c in row.chars() {
                if let Some(digit) = c.to_digit(10) {
                    run = run.saturating_mul(10).saturating_add(digit);
                } else {
                    cell = cell.saturating_add(std::mem::take(&mut run));
                    if c == sign && cell < count {
                        lines.set(first + cell);
                    } else if c != sign && c != '.' {
                        reader.error(PositionReason::Unknown {
                            found: c.to_string(),
                            at,
                            expected: format!(". {sign} or a number of lines not drawn"),
                        });
                        sound = false;
                    }
                    cell = cell.saturating_add(1);
                }
                at += 1;
            }
            cell = cell.saturating_add(run);
            if cell != count {
                reader.error(PositionReason::RowLength {
                    row: expected - n,
                    expected: count as usize,
                    found: cell as usize,
                });
                sound = false;
            }
            at += 1;
        }
        sound.then_some(lines)
    }

    /// The corner of the lattice with `row` rows below it and `col` columns to its left.
    fn dot(&self, row: u32, col: u32) -> (f64, f64) {
        (MARGIN + f64::from(col) * CELL, MARGIN + f64::from(self.board().rows() - row) * CELL)
    }
}

/// Row and column, both from 1: two digits, or two numbers with a comma between them.
fn parse_numbers(text: &str) -> Option<(u32, u32)> {
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if digits { text.parse().ok() } else { None }
    };
    match text.split_once(',') {
        Some((row, col)) => Some((number(row)?, number(col)?)),
        None if text.len() == 2 && text.is_ascii() => {
            Some((number(&text[..1])?, number(&text[1..])?))
        }
        None => None,
    }
}

/// Notes which rules a position breaks that has `closed` boxes.
pub(super) fn check<W: Word>(state: &State<W>, closed: u32, errors: &mut PositionErrors) {
    // One closed box is one move that kept the turn. More can have come in fewer moves, so that
    // either player can be to move.
    let (lines, turn) = (state.lines.count(), state.turn);
    let passes = lines.saturating_sub(closed);
    if closed <= 1 && turn != Player::BOTH[passes as usize % 2] {
        errors.breaks(format!(
            "with {lines} lines and {closed} boxes {} is to move",
            letter(turn.other())
        ));
    }
}

impl<B: Board> Notation for DotsAndBoxes<B> {
    fn write_move(&self, _: &Self::State, line: u16, out: &mut dyn Write) -> fmt::Result {
        let (is_across, row, col) = self.place(u32::from(line));
        let kind = if is_across { 'h' } else { 'v' };
        let comma = if row.max(col) < 9 { "" } else { "," };
        write!(out, "{kind}{}{comma}{}", row + 1, col + 1)
    }

    fn parse_move(&self, state: &Self::State, text: &str) -> Result<u16, MoveError> {
        let name = text.trim().to_ascii_lowercase();
        let (rows, cols) = (self.board().rows(), self.board().cols());
        let across = name.strip_prefix('h').and_then(parse_numbers).map(|at| (true, at));
        let upright = || name.strip_prefix('v').and_then(parse_numbers).map(|at| (false, at));
        across
            .or_else(upright)
            .and_then(|(is_across, (row, col))| {
                let (row, col) = (row.checked_sub(1)?, col.checked_sub(1)?);
                let (last_row, last_col) =
                    if is_across { (rows, cols - 1) } else { (rows - 1, cols) };
                (row <= last_row && col <= last_col).then(|| {
                    (if is_across { self.across(row, col) } else { self.upright(row, col) }) as u16
                })
            })
            .filter(|&line| self.is_legal(state, line))
            .ok_or_else(|| MoveError { text: text.trim().to_owned() })
    }

    fn write_position(&self, state: &Self::State, out: &mut dyn Write) -> fmt::Result {
        for (n, (first, count, sign)) in self.lattice().rev().enumerate() {
            if n > 0 {
                out.write_char('/')?;
            }
            for line in first..first + count {
                out.write_char(if has_bit(state.lines, line) { sign } else { '.' })?;
            }
        }
        write!(out, " {} {} {}", letter(state.turn), state.boxes[0], state.boxes[1])
    }

    fn parse_position(&self, text: &str) -> Result<Self::State, PositionError> {
        let mut reader = Reader::new(text);
        let lattice = reader.part("the lattice");
        let lines = lattice.and_then(|(at, text)| self.parse_lattice(&mut reader, at, text));
        let turn = reader.turn();
        let most = i64::from(self.board().rows() * self.board().cols());
        let first = reader.number("the boxes of x", 0..=most);
        let second = reader.number("the boxes of o", 0..=most);
        let state =
            lines.zip(turn).zip(first.zip(second)).map(|((lines, turn), (first, second))| {
                let closed = self.closed_count(lines);
                if first + second != i64::from(closed) {
                    reader.breaks(format!("{closed} boxes are closed, not {first} + {second}"));
                }
                let state = State { lines, boxes: [first as u8, second as u8], turn };
                check(&state, closed, reader.errors());
                state
            });
        reader.finish(state)
    }

    /// Dots as `+`, closed boxes as `#`; row and column numbers, as moves have them, at the left
    /// and below.
    fn board_text(&self, state: &Self::State) -> String {
        let (rows, cols) = (self.board().rows(), self.board().cols());
        let mut text = String::new();
        let drawn = |line, sign| if has_bit(state.lines, line) { sign } else { "   " };
        for row in (0..=rows).rev() {
            let _ = write!(text, "h{:<3}+", row + 1);
            for col in 0..cols {
                let _ = write!(text, "{}+", drawn(self.across(row, col), "---"));
            }
            text.push('\n');
            if row == 0 {
                break;
            }
            let _ = write!(text, "v{row:<3}");
            for col in 0..=cols {
                let line = drawn(self.upright(row - 1, col), "|");
                let closed = col < cols && self.is_closed(state.lines, row - 1, col);
                text.push_str(&line[..1]);
                if col < cols {
                    text.push_str(if closed { " # " } else { "   " });
                }
            }
            text.push('\n');
        }
        for (kind, indent, count) in [("h", 2, cols), ("v", 0, cols + 1)] {
            let _ = write!(text, "{kind}{:indent$}", "");
            for col in 1..=count {
                let _ = write!(text, "{col:>4}");
            }
            text.push('\n');
        }
        let _ = writeln!(text, "boxes: x {}, o {}", state.boxes[0], state.boxes[1]);
        text
    }

    /// A line that is not drawn has the name of its move in its place: row and column numbers would
    /// not distinguish lines across from upright ones.
    fn board_svg(&self, state: &Self::State) -> String {
        let (rows, cols) = (self.board().rows(), self.board().cols());
        let (width, height) = (f64::from(cols) * CELL, f64::from(rows) * CELL);
        let mut svg = Svg::new((width + 2.0 * MARGIN).max(5.0 * CELL), height + 3.0 * MARGIN);
        for row in 0..rows {
            for col in 0..cols {
                if self.is_closed(state.lines, row, col) {
                    let (x, y) = self.dot(row + 1, col);
                    svg.rect(x, y, CELL, CELL, colour::BOARD);
                }
            }
        }
        let mut line = |bit, from: (f64, f64), to: (f64, f64)| {
            if has_bit(state.lines, bit) {
                svg.line(from.0, from.1, to.0, to.1, 4.0, colour::FIRST);
            } else {
                let (x, y) = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
                let name = self.move_text(state, bit as u16);
                let size = if name.len() > 5 { 8.0 } else { 10.0 };
                svg.text(x, y, size, colour::LABEL, &name);
            }
        };
        for row in 0..=rows {
            for col in 0..=cols {
                let dot = self.dot(row, col);
                if col < cols {
                    line(self.across(row, col), dot, self.dot(row, col + 1));
                }
                if row < rows {
                    line(self.upright(row, col), dot, self.dot(row + 1, col));
                }
            }
        }
        for row in 0..=rows {
            for col in 0..=cols {
                svg.circle(self.dot(row, col), 3.0, colour::LINE, colour::LINE);
            }
        }
        let score = format!("x {} : o {}", state.boxes[0], state.boxes[1]);
        let y = height + 2.4 * MARGIN;
        svg.text(MARGIN + CELL, y, 15.0, colour::LABEL, &score);
        svg.finish()
    }
}
