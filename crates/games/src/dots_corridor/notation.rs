//! Text notation and pictures of positions and moves.

use std::fmt::{self, Write};

use treegauge_core::{
    Actions, Board, Cell, CellShape, Contents, Notation, PlaneShape, Planes, Player, PositionError,
    PositionReason, Tensor,
};

use super::rules::{DotsCorridor, State, closed};
use crate::position::{PositionErrors, Reader, letter};
use treegauge_bits::Word;

fn owner(state: &State, number: u32) -> Option<Player> {
    closed(state.lines)
        .has(number)
        .then(|| if state.second.has(number) { Player::Second } else { Player::First })
}

fn line_sign(state: &State, number: u32) -> char {
    if state.lines.has(number) { '|' } else { ':' }
}

impl DotsCorridor {
    /// Parses the boxes and lines and notes every error; `at` is the character number of their
    /// beginning.
    fn parse_corridor(&self, reader: &mut Reader<'_>, at: usize, text: &str) -> Option<State> {
        let found = text.chars().count();
        let expected = 2 * self.length() as usize + 1;
        let mut sound = found == expected;
        if !sound {
            reader.error(PositionReason::RowLength { row: 1, expected, found });
        }
        let mut state = State { lines: 0, second: 0, turn: Player::First };
        let mut owned = 0;
        for (n, c) in text.chars().enumerate().take(expected) {
            let number = (n as u32).div_ceil(2);
            let may_stand = match n {
                0 => "|",
                _ if n % 2 == 0 => ": |",
                _ => ". x o",
            };
            if c == ' ' || !may_stand.contains(c) {
                reader.error(PositionReason::Unknown {
                    found: c.to_string(),
                    at: at + n,
                    expected: may_stand.to_owned(),
                });
                sound = false;
            }
            match c {
                '|' => state.lines |= 1 << number,
                'x' => owned |= 1 << number,
                'o' => {
                    owned |= 1 << number;
                    state.second |= 1 << number;
                }
                _ => {}
            }
        }
        if !sound {
            return None;
        }
        for number in (closed(state.lines) ^ owned).ones() {
            let what = if owned.has(number) {
                "has an owner and no two walls"
            } else {
                "is closed and has no owner"
            };
            reader.breaks(format!("box {number} {what}"));
        }
        Some(state)
    }
}

/// Notes every rule that a position breaks. Exactly the closed boxes must have owners.
pub(super) fn check(state: &State, errors: &mut PositionErrors) {
    // One closed box means one move that kept the turn. More boxes may have been closed in fewer
    // moves, so that either player can be to move.
    let drawn = state.lines.count() - 1;
    let boxes = closed(state.lines).count();
    if boxes <= 1 && state.turn != Player::BOTH[drawn.saturating_sub(boxes) as usize % 2] {
        errors.breaks(format!(
            "with {drawn} lines and {boxes} boxes {} is to move",
            letter(state.turn.other())
        ));
    }
}

impl Notation for DotsCorridor {
    fn write_move(&self, _: &State, line: u8, out: &mut dyn Write) -> fmt::Result {
        write!(out, "{line}")
    }

    fn write_position(&self, state: &State, out: &mut dyn Write) -> fmt::Result {
        out.write_char('|')?;
        for number in 1..=self.length() {
            out.write_char(owner(state, number).map_or('.', letter))?;
            out.write_char(line_sign(state, number))?;
        }
        write!(out, " {}", letter(state.turn))
    }

    fn parse_position(&self, text: &str) -> Result<State, PositionError> {
        let mut reader = Reader::new(text);
        let part = reader.part("the corridor");
        let corridor = part.and_then(|(at, text)| self.parse_corridor(&mut reader, at, text));
        let turn = reader.turn();
        let state = corridor.zip(turn).map(|(corridor, turn)| {
            let state = State { turn, ..corridor };
            check(&state, reader.errors());
            state
        });
        reader.finish(state)
    }

    /// Draws the corridor between its long walls, with the numbers of the lines below.
    fn board_text(&self, state: &State) -> String {
        let wall = format!("+{}\n", "---+".repeat(self.length() as usize));
        let mut text = wall.clone();
        text.push('|');
        for number in 1..=self.length() {
            let owner = owner(state, number).map_or(' ', letter);
            let _ = write!(text, " {owner} {}", if state.lines.has(number) { '|' } else { ' ' });
        }
        text.push('\n');
        text.push_str(&wall);
        text.push(' ');
        for number in 1..=self.length() {
            let _ = write!(text, "{number:>4}");
        }
        text.push('\n');
        text
    }

    /// Represents the lines that can be drawn as cells, and also the boxes between them.
    fn board(&self, state: &State) -> Board {
        let mut board = Board::new(f64::from(self.length()), 1.0);
        for number in 1..=self.length() {
            let x = f64::from(number);
            let line = Contents::edge(state.lines.has(number));
            board.cells.push(Cell::new(number.to_string(), (x, 0.5), CellShape::Upright, line));
            let man = Contents::piece_or_empty(owner(state, number), "box");
            let name = format!("box {number}");
            board.cells.push(Cell::new(name, (x - 0.5, 0.5), CellShape::Box, man));
        }
        // The walls are drawn from the start.
        let wall = || Contents::edge(true);
        board.cells.push(Cell::new("0", (0.0, 0.5), CellShape::Upright, wall()));
        for number in 1..=self.length() {
            let x = f64::from(number) - 0.5;
            for (name, y) in [("above", 0.0), ("below", 1.0)] {
                let name = format!("{name} {number}");
                board.cells.push(Cell::new(name, (x, y), CellShape::Across, wall()));
            }
        }
        board
    }
}

/// Ids are the numbers of lines; 0 does not occur.
impl Actions for DotsCorridor {
    fn action_count(&self) -> u32 {
        self.length() + 1
    }

    fn action_of(&self, _: &State, line: u8) -> u32 {
        u32::from(line)
    }
}

/// Planes: boxes of each player under the number of their far wall, lines, the turn.
impl Tensor for DotsCorridor {
    fn plane_shape(&self) -> PlaneShape {
        PlaneShape::Cells(self.length() + 1)
    }

    fn write_planes(&self, state: &State, planes: &mut Planes<'_>) {
        planes.owners(|_, number| owner(state, number));
        planes.marks(state.lines.ones());
        planes.turn(state.turn);
    }
}
