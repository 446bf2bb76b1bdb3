//! Common text form of positions: `<board> <player to move> <more>`.
//!
//! A board is its rows from the last one down to row 1, separated by `/`. A cell is one symbol, `.`
//! if it is empty, and a number is that many empty cells. `x` is the first player and `o` the
//! second.

use std::fmt::{self, Write};

use treegauge_core::{Player, PositionError, PositionReason};

/// Letter of a player in position texts and pictures.
pub(crate) const fn letter(player: Player) -> char {
    match player {
        Player::First => 'x',
        Player::Second => 'o',
    }
}

/// Writes the name of a cell: column letter and row number, both counted from 0 here.
pub(crate) fn write_cell(row: u32, col: u32, out: &mut dyn Write) -> fmt::Result {
    write!(out, "{}{}", column(col), row + 1)
}

/// Letter of a column, counted from 0: `a` to `z`.
pub(crate) fn column(col: u32) -> char {
    char::from(b'a' + u8::try_from(col).expect("boards have fewer than 26 columns"))
}

/// Writes the rows of a board from the last to the first.
pub(crate) fn write_board(
    rows: u32,
    cols: u32,
    symbol: impl Fn(u32, u32) -> char,
    out: &mut dyn Write,
) -> fmt::Result {
    for row in (0..rows).rev() {
        for col in 0..cols {
            out.write_char(symbol(row, col))?;
        }
        if row > 0 {
            out.write_char('/')?;
        }
    }
    Ok(())
}

/// Formats a board as text: a row number before each row, column letters below.
pub(crate) fn grid_text(rows: u32, cols: u32, symbol: impl Fn(u32, u32) -> char) -> String {
    let width = rows.to_string().len();
    let mut text = String::new();
    for row in (0..rows).rev() {
        let _ = write!(text, "{:>width$} ", row + 1);
        for col in 0..cols {
            let _ = write!(text, " {}", symbol(row, col));
        }
        text.push('\n');
    }
    let _ = write!(text, "{:width$} ", "");
    for col in 0..cols {
        let _ = write!(text, " {}", column(col));
    }
    text.push('\n');
    text
}

/// Cells of a parsed board: symbols by row and column, both from 0.
#[derive(Debug)]
pub(crate) struct Cells {
    cols: usize,
    symbols: Vec<char>,
}

impl Cells {
    /// Symbol of a cell.
    pub(crate) fn at(&self, row: u32, col: u32) -> char {
        self.symbols[row as usize * self.cols + col as usize]
    }
}

/// Errors of a position, in the order in which they are found.
#[derive(Debug, Default)]
pub(crate) struct PositionErrors(Vec<PositionReason>);

impl PositionErrors {
    /// Adds an error.
    pub(crate) fn note(&mut self, reason: PositionReason) {
        self.0.push(reason);
    }

    /// Adds the error that the position breaks a rule.
    pub(crate) fn breaks(&mut self, what: impl Into<String>) {
        self.note(PositionReason::Rules { what: what.into() });
    }

    /// Adds an error if the numbers of stones do not fit players who put down one stone each in
    /// turn, with `turn` to move.
    pub(crate) fn check_turns(&mut self, stones: [u32; 2], turn: Player) {
        let [first, second] = stones;
        if first != second + u32::from(turn == Player::Second) {
            let turn = letter(turn);
            self.breaks(format!("{first} x and {second} o cannot be with {turn} to move"));
        }
    }

    /// Returns the state if the check finds no errors.
    pub(crate) fn none_in<S>(state: S, check: impl FnOnce(&S, &mut PositionErrors)) -> Option<S> {
        let mut errors = PositionErrors::default();
        check(&state, &mut errors);
        errors.0.is_empty().then_some(state)
    }
}

/// Parser of the parts of a position text one after the other, which collects every error.
///
/// Each part is `None` after an error. [`Reader::finish`] returns the position only if there was
/// none.
#[derive(Debug)]
pub(crate) struct Reader<'t> {
    text: &'t str,
    /// Parts not yet read, each with the character number of its beginning, from 1.
    parts: std::vec::IntoIter<(usize, &'t str)>,
    errors: PositionErrors,
}

impl<'t> Reader<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let mut parts = Vec::new();
        let mut from = None;
        let ends = text.char_indices().enumerate().map(|(n, (i, c))| (n + 1, i, c));
        let past = std::iter::once((text.chars().count() + 1, text.len(), ' '));
        for (number, i, c) in ends.chain(past) {
            match (from, c.is_whitespace()) {
                (None, false) => from = Some((number, i)),
                (Some((begin, start)), true) => {
                    parts.push((begin, &text[start..i]));
                    from = None;
                }
                _ => {}
            }
        }
        Reader { text, parts: parts.into_iter(), errors: PositionErrors::default() }
    }

    /// Next part as it is, with the number of its first character.
    pub(crate) fn part(&mut self, what: &str) -> Option<(usize, &'t str)> {
        let part = self.parts.next();
        if part.is_none() {
            self.error(PositionReason::Missing { what: what.to_owned() });
        }
        part
    }

    /// Parses the board. `symbols` are the characters allowed in a cell, `.` first.
    pub(crate) fn board(&mut self, rows: u32, cols: u32, symbols: &str) -> Option<Cells> {
        let (begin, part) = self.part("the board")?;
        let before = self.errors.0.len();
        let (rows, cols) = (rows as usize, cols as usize);
        let found: Vec<&str> = part.split('/').collect();
        if found.len() != rows {
            self.error(PositionReason::RowCount { expected: rows, found: found.len() });
        }
        let mut grid = vec!['.'; rows * cols];
        let mut at = begin;
        for (line, row_text) in found.iter().enumerate() {
            let (mut cells, mut run) = (Vec::new(), 0usize);
            for c in row_text.chars() {
                if let Some(digit) = c.to_digit(10) {
                    run = run.saturating_mul(10).saturating_add(digit as usize);
                } else {
                    // A run longer than a row is one error, not a list of a billion cells.
                    cells.resize(cells.len() + run.min(cols + 1), '.');
                    run = 0;
                    if !symbols.contains(c) {
                        let listed: Vec<String> = symbols.chars().map(|s| s.to_string()).collect();
                        self.error(PositionReason::Unknown {
                            found: c.to_string(),
                            at,
                            expected: format!("{} or a number of empty cells", listed.join(" ")),
                        });
                    }
                    cells.push(c);
                }
                at += 1;
            }
            cells.resize(cells.len() + run.min(cols + 1), '.');
            at += 1;
            if line < rows {
                let row = rows - 1 - line;
                if cells.len() == cols {
                    grid[row * cols..(row + 1) * cols].copy_from_slice(&cells);
                } else {
                    let reason = PositionReason::RowLength {
                        row: row + 1,
                        expected: cols,
                        found: cells.len(),
                    };
                    self.error(reason);
                }
            }
        }
        (self.errors.0.len() == before).then_some(Cells { cols, symbols: grid })
    }

    /// Parses the player to move.
    pub(crate) fn turn(&mut self) -> Option<Player> {
        let (at, part) = self.part("the player to move (x or o)")?;
        let player = Player::BOTH.into_iter().find(|&p| part.chars().eq([letter(p)]));
        if player.is_none() {
            self.error(PositionReason::Unknown {
                found: part.to_owned(),
                at,
                expected: "the player to move (x or o)".to_owned(),
            });
        }
        player
    }

    /// Parses a whole number within `range`.
    pub(crate) fn number(
        &mut self,
        what: &str,
        range: std::ops::RangeInclusive<i64>,
    ) -> Option<i64> {
        let (at, part) = self.part(what)?;
        let number = part.parse().ok().filter(|n| range.contains(n));
        if number.is_none() {
            self.error(PositionReason::Unknown {
                found: part.to_owned(),
                at,
                expected: format!("{what} ({} to {})", range.start(), range.end()),
            });
        }
        number
    }

    /// Adds an error that the caller found.
    pub(crate) fn error(&mut self, reason: PositionReason) {
        self.errors.note(reason);
    }

    /// Adds the error that the position breaks a rule.
    pub(crate) fn breaks(&mut self, what: impl Into<String>) {
        self.errors.breaks(what);
    }

    /// Errors found so far, to which a check of the rules can add.
    pub(crate) fn errors(&mut self) -> &mut PositionErrors {
        &mut self.errors
    }

    /// Returns the position if it was read whole and without an error.
    pub(crate) fn finish<S>(mut self, state: Option<S>) -> Result<S, PositionError> {
        if let Some((at, part)) = self.parts.next() {
            self.error(PositionReason::Trailing { found: part.to_owned(), at });
        }
        match state {
            Some(state) if self.errors.0.is_empty() => Ok(state),
            _ => {
                debug_assert!(!self.errors.0.is_empty(), "a position is missing for a reason");
                Err(PositionError { text: self.text.to_owned(), reasons: self.errors.0 })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(text: &str) -> Vec<String> {
        let mut reader = Reader::new(text);
        let board = reader.board(2, 3, ".xo");
        let turn = reader.turn();
        match reader.finish(board.zip(turn)) {
            Ok(_) => Vec::new(),
            Err(error) => error.reasons.iter().map(ToString::to_string).collect(),
        }
    }

    #[test]
    fn a_number_stands_for_empty_cells() {
        let mut reader = Reader::new("  3/x1o  o ");
        let board = reader.board(2, 3, ".xo").unwrap();
        assert_eq!([board.at(0, 0), board.at(0, 1), board.at(0, 2)], ['x', '.', 'o']);
        assert_eq!(board.at(1, 2), '.');
        assert_eq!(reader.turn(), Some(Player::Second));
        assert!(reader.finish(Some(())).is_ok());
    }

    #[test]
    fn every_fault_is_named_with_its_place() {
        assert_eq!(
            errors("x?./.. z ü"),
            [
                "unexpected \"?\" at character 2: expected . x o or a number of empty cells",
                "expected 3 cells in row 1, found 2",
                "unexpected \"z\" at character 8: expected the player to move (x or o)",
                "unexpected \"ü\" at character 10",
            ]
        );
        assert_eq!(errors(""), ["the board is missing", "the player to move (x or o) is missing"]);
        assert_eq!(
            errors("3/3/99999999999999999999999 x"),
            ["expected 2 rows, found 3"],
            "surplus rows are one error"
        );
    }
}
