//! Text notation and pictures of positions and moves.

use std::fmt::{self, Write};

use treegauge_core::{
    Actions, Cell, CellMark, CellShape, Contents, Game, MoveError, Notation, PlaneShape, Planes,
    Player, PositionError, PositionReason, Tensor,
};

use super::rules::{Board, DotsAndBoxes, State};
use crate::position::{PositionErrors, Reader, letter};
use treegauge_bits::{Word, has_bit};

impl<B: Board> DotsAndBoxes<B> {
    /// Rows of the lattice from the bottom: for each the bit of its first line, the number of its
    /// lines, and the sign of a drawn one.
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

    /// Parses the lattice and notes every error; `at` is the character number of its beginning.
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
}

/// Parses a row and a column, both from 1: two digits, or two numbers with a comma between them.
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

/// Notes every rule that a position with `closed` boxes breaks.
pub(super) fn check<W: Word>(state: &State<W>, closed: u32, errors: &mut PositionErrors) {
    // One closed box means one move that kept the turn. More boxes may have been closed in fewer
    // moves, so that either player can be to move.
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

    /// Draws dots as `+` and closed boxes as `#`, with the row and column numbers of moves at the
    /// left and below.
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

    /// Represents the lines as cells, and also the boxes between them.
    fn board(&self, state: &Self::State) -> treegauge_core::Board {
        let (rows, cols) = (self.board().rows(), self.board().cols());
        let mut board = treegauge_core::Board::new(f64::from(cols), f64::from(rows));
        for line in 0..self.line_count() {
            let (is_across, row, col) = self.place(line);
            let (x, y) = (f64::from(col), f64::from(rows - row));
            let (shape, at) = if is_across {
                (CellShape::Across, (x + 0.5, y))
            } else {
                (CellShape::Upright, (x, y - 0.5))
            };
            let contents = Contents::edge(has_bit(state.lines, line));
            board.cells.push(Cell::new(self.move_text(state, line as u16), at, shape, contents));
        }
        for (row, col) in (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))) {
            let at = (f64::from(col) + 0.5, f64::from(rows - row) - 0.5);
            let contents = if self.is_closed(state.lines, row, col) {
                Contents::new("closed", CellMark::Filled)
            } else {
                Contents::empty()
            };
            let name = format!("box {},{}", row + 1, col + 1);
            board.cells.push(Cell::new(name, at, CellShape::Box, contents));
        }
        board.beside.push(format!("x {} : o {}", state.boxes[0], state.boxes[1]));
        board
    }
}

/// Ids are lines.
impl<B: Board> Actions for DotsAndBoxes<B> {
    fn action_count(&self) -> u32 {
        self.line_count()
    }

    fn action_of(&self, _: &Self::State, line: u16) -> u32 {
        u32::from(line)
    }
}

/// Planes: lines on the lattice of dots, lines and boxes, the turn, the number of boxes of each
/// player.
impl<B: Board> Tensor for DotsAndBoxes<B> {
    fn plane_shape(&self) -> PlaneShape {
        PlaneShape::Grid([2 * self.board().rows() + 1, 2 * self.board().cols() + 1])
    }

    fn write_planes(&self, state: &Self::State, planes: &mut Planes<'_>) {
        planes.numbers(|y, x| {
            let drawn = match (y % 2, x % 2) {
                (0, 1) => has_bit(state.lines, self.across(y / 2, x / 2)),
                (1, 0) => has_bit(state.lines, self.upright(y / 2, x / 2)),
                _ => false,
            };
            f32::from(u8::from(drawn))
        });
        planes.turn(state.turn);
        state.boxes.into_iter().for_each(|boxes| planes.uniform(f32::from(boxes)));
    }
}
