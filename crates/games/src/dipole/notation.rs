//! Text notation and pictures of positions and moves.

use std::fmt::{self, Write};

use treegauge_core::{
    Actions, Board, Contents, Notation, PathCell, PlaneShape, Planes, Player, PositionError, Role,
    Tensor,
};

use super::rules::{CHECKERS, Dipole, Move, OFF, SIDE, SQUARES, State, place};
use crate::position::{PositionErrors, Reader, grid_text, letter, write_board, write_cell};
use treegauge_bits::Word;

/// Symbols of stacks: `A` (one checker) to `L` (twelve) for the first player, `a` to `l` for the
/// second.
const SYMBOLS: &str = ".ABCDEFGHIJKLabcdefghijkl";

/// Bit of a dark square; `None` for a light one.
fn dark(row: u32, col: u32) -> Option<usize> {
    (row + col).is_multiple_of(2).then_some((4 * row + col / 2) as usize)
}

/// Owner and height of the stack on a square; `None` for an empty square.
fn stack_at(state: &State, square: usize) -> Option<(Player, u8)> {
    let player = Player::BOTH.into_iter().find(|p| state.stacks[p.index()] >> square & 1 == 1)?;
    Some((player, state.heights[square]))
}

fn symbol(state: &State, row: u32, col: u32) -> char {
    let stack = dark(row, col).and_then(|square| stack_at(state, square));
    stack.map_or('.', |(player, height)| {
        let one = if player == Player::First { b'A' } else { b'a' };
        char::from(one - 1 + height)
    })
}

/// Stack with a symbol; `None` for other characters.
fn stack_of(symbol: char) -> Option<(Player, u8)> {
    let letter = u8::try_from(symbol).ok()?;
    match symbol {
        'A'..='L' => Some((Player::First, letter - b'A' + 1)),
        'a'..='l' => Some((Player::Second, letter - b'a' + 1)),
        _ => None,
    }
}

/// Notes every rule that a position breaks.
pub(super) fn check(state: &State, errors: &mut PositionErrors) {
    let checkers = Player::BOTH.map(|player| {
        let squares = u64::from(state.stacks[player.index()]).ones();
        squares.map(|square| u32::from(state.heights[square as usize])).sum::<u32>()
    });
    for player in Player::BOTH {
        let count = checkers[player.index()];
        if count > CHECKERS {
            errors.breaks(format!("{count} checkers of {} where {CHECKERS} began", letter(player)));
        }
    }
    if checkers == [0; 2] {
        errors.breaks("neither player has checkers");
    }
}

impl Notation for Dipole {
    fn write_move(&self, _: &State, m: Move, out: &mut dyn Write) -> fmt::Result {
        if m == Move::PASS {
            return out.write_str("pass");
        }
        let (row, col) = place(u32::from(m.from));
        write_cell(row, col, out)?;
        if m.to == OFF {
            return write!(out, "-off:{}", m.count);
        }
        let (row, col) = place(u32::from(m.to));
        out.write_char('-')?;
        write_cell(row, col, out)
    }

    fn write_position(&self, state: &State, out: &mut dyn Write) -> fmt::Result {
        write_board(SIDE, SIDE, |row, col| symbol(state, row, col), out)?;
        write!(out, " {}", letter(state.turn))
    }

    /// Parses a position. A position without errors has a legal move or is finished: if both
    /// players have at most 12 checkers, at least one of them can always move.
    fn parse_position(&self, text: &str) -> Result<State, PositionError> {
        let mut reader = Reader::new(text);
        let cells = reader.board(SIDE, SIDE, SYMBOLS);
        let turn = reader.turn();
        let state = cells.zip(turn).map(|(cells, turn)| {
            let mut state = State { stacks: [0; 2], heights: [0; SQUARES], turn };
            for (row, col) in (0..SIDE).flat_map(|row| (0..SIDE).map(move |col| (row, col))) {
                let Some((player, height)) = stack_of(cells.at(row, col)) else { continue };
                if let Some(square) = dark(row, col) {
                    state.stacks[player.index()] |= 1 << square;
                    state.heights[square] = height;
                } else {
                    let mut name = String::new();
                    write_cell(row, col, &mut name).expect("a string takes all text");
                    reader.breaks(format!("{name} is a light square"));
                }
            }
            check(&state, reader.errors());
            state
        });
        reader.finish(state)
    }

    fn board_text(&self, state: &State) -> String {
        grid_text(SIDE, SIDE, |row, col| symbol(state, row, col))
    }

    /// Draws the height on each stack.
    fn board(&self, state: &State) -> Board {
        Board::chequered(SIDE, SIDE, |row, col| {
            let stack = dark(row, col).and_then(|square| stack_at(state, square));
            stack.map_or_else(Contents::empty, |(player, height)| {
                let stack = format!("stack of {height}");
                Contents::piece(Some(player), &stack).with_text(height.to_string())
            })
        })
    }

    /// A move off the board touches only the square that it leaves.
    fn move_cells(&self, state: &State, m: Move, board: &Board) -> Vec<PathCell> {
        let text = self.move_text(state, m);
        match text.split_once("-off") {
            Some((from, _)) => {
                board.path(from).into_iter().map(|on| PathCell { role: Role::From, ..on }).collect()
            }
            None => board.path(&text),
        }
    }
}

/// Number of ways of checkers from a square: to another, or off the board.
const WAYS: u32 = SQUARES as u32 + CHECKERS + 1;

/// Ids are the square left and the way: the square entered, or the number of checkers that leave the
/// board.
impl Actions for Dipole {
    fn action_count(&self) -> u32 {
        (SQUARES as u32 + 1) * WAYS
    }

    fn action_of(&self, _: &State, m: Move) -> u32 {
        let way = if m.to == OFF { SQUARES as u32 + u32::from(m.count) } else { u32::from(m.to) };
        u32::from(m.from) * WAYS + way
    }
}

/// Planes: checkers of each player, the turn.
impl Tensor for Dipole {
    fn plane_shape(&self) -> PlaneShape {
        PlaneShape::Grid([SIDE; 2])
    }

    fn write_planes(&self, state: &State, planes: &mut Planes<'_>) {
        for player in Player::BOTH {
            planes.numbers(|row, col| {
                let stack = dark(row, col).and_then(|square| stack_at(state, square));
                stack.filter(|stack| stack.0 == player).map_or(0.0, |stack| f32::from(stack.1))
            });
        }
        planes.turn(state.turn);
    }
}
