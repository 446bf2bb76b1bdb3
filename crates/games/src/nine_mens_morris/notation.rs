//! Text notation and pictures of positions and moves.

use std::fmt::{self, Write};

use treegauge_core::{
    Actions, Board, CellShape, Contents, Notation, PathCell, PlaneShape, Planes, Player,
    PositionError, Role, Tensor,
};

use super::rules::{MEN, Move, NineMensMorris, POINT_COUNT, State, in_mills};
use crate::position::{PositionErrors, Reader, column, letter, write_board, write_cell};

/// Number of rows, and of columns, of the grid of the points.
const SIZE: u32 = 7;

/// Row and column of a point, both from 0.
fn cell(point: u32) -> (u32, u32) {
    let half = 3 - point / 8;
    let (low, middle, high) = (3 - half, 3, 3 + half);
    match point % 8 {
        0 => (low, low),
        1 => (low, middle),
        2 => (low, high),
        3 => (middle, high),
        4 => (high, high),
        5 => (high, middle),
        6 => (high, low),
        _ => (middle, low),
    }
}

/// Point at a row and column; `None` if there is none.
fn point_at(row: u32, col: u32) -> Option<u32> {
    (0..POINT_COUNT).find(|&point| cell(point) == (row, col))
}

/// Letter of the man on a point; `.` if it is empty.
fn symbol(state: &State, point: u32) -> char {
    let man = Player::BOTH.into_iter().find(|p| state.men[p.index()] >> point & 1 == 1);
    man.map_or('.', letter)
}

fn write_point(point: u32, out: &mut dyn Write) -> fmt::Result {
    let (row, col) = cell(point);
    write_cell(row, col, out)
}

/// Number of men that a player has placed when both together have placed `placed`.
fn placed_by(player: Player, placed: u32) -> u32 {
    match player {
        Player::First => placed.div_ceil(2),
        Player::Second => placed / 2,
    }
}

impl NineMensMorris {
    /// Notes every rule that a position breaks whose parts could be parsed.
    pub(super) fn check(&self, state: &State, errors: &mut PositionErrors) {
        let placed = u32::from(state.placed);
        let left = 2 * MEN - placed;
        let next = if placed.is_multiple_of(2) { Player::First } else { Player::Second };
        if left > 0 && state.turn != next {
            errors
                .breaks(format!("{} is not to move with {left} men to place", letter(state.turn)));
        }
        for player in Player::BOTH {
            let (count, placed) =
                (state.men[player.index()].count_ones(), placed_by(player, placed));
            if count > placed || (self.first_mill_wins && count < placed) {
                errors.breaks(format!(
                    "{} has {count} men on the board with {placed} placed",
                    letter(player)
                ));
            }
        }
        let last = state.turn.other();
        let men = state.men[last.index()];
        // Only the second player, who places last, can have placed a man and have fewer.
        let has_placed = last == Player::Second && men != 0;
        if left == 0 && men.count_ones() < 3 && !has_placed {
            errors.breaks(format!("{} has fewer than three men and is not to move", letter(last)));
        }
        if self.first_mill_wins {
            if in_mills(state.men[state.turn.index()]) != 0 {
                errors.breaks(format!("{} has a mill and is to move", letter(state.turn)));
            }
            let one_man_made_them = || {
                (0..POINT_COUNT).any(|man| men >> man & 1 == 1 && in_mills(men & !(1 << man)) == 0)
            };
            if in_mills(men) != 0 && !one_man_made_them() {
                errors
                    .breaks(format!("{} has mills that no single man can have made", letter(last)));
            }
        }
    }
}

impl Notation for NineMensMorris {
    fn write_move(&self, _: &State, m: Move, out: &mut dyn Write) -> fmt::Result {
        if m.from() != m.to() {
            write_point(m.from(), out)?;
            out.write_char('-')?;
        }
        write_point(m.to(), out)?;
        if let Some(man) = m.removed() {
            out.write_char('x')?;
            write_point(man, out)?;
        }
        Ok(())
    }

    fn write_position(&self, state: &State, out: &mut dyn Write) -> fmt::Result {
        let at = |row, col| point_at(row, col).map_or('-', |point| symbol(state, point));
        write_board(SIZE, SIZE, at, out)?;
        write!(out, " {} {}", letter(state.turn), 2 * MEN - u32::from(state.placed))
    }

    /// Parses a position. Cells that are not points may be `.` as well as `-`, so that a number can
    /// replace any part of a row without men.
    fn parse_position(&self, text: &str) -> Result<State, PositionError> {
        let mut reader = Reader::new(text);
        let cells = reader.board(SIZE, SIZE, ".xo-");
        let turn = reader.turn();
        let left = reader.number("the number of men to place", 0..=i64::from(2 * MEN));
        if let Some(cells) = &cells {
            for (row, col) in (0..SIZE * SIZE).map(|cell| (cell / SIZE, cell % SIZE)) {
                let (point, c) = (point_at(row, col), cells.at(row, col));
                if point.is_none() && (c == 'x' || c == 'o') {
                    reader.breaks(format!("{}{} is not a point", column(col), row + 1));
                } else if point.is_some() && c == '-' {
                    reader.breaks(format!("{}{} is a point", column(col), row + 1));
                }
            }
        }
        let state = cells.zip(turn).zip(left).map(|((cells, turn), left)| {
            let men = Player::BOTH.map(|player| {
                (0..POINT_COUNT)
                    .filter(|&point| {
                        let (row, col) = cell(point);
                        cells.at(row, col) == letter(player)
                    })
                    .fold(0, |men, point| men | 1u32 << point)
            });
            let state = State { men, placed: (2 * i64::from(MEN) - left) as u8, turn };
            self.check(&state, reader.errors());
            state
        });
        reader.finish(state)
    }

    fn board_text(&self, state: &State) -> String {
        let mut text = String::new();
        for row in (0..SIZE).rev() {
            let _ = write!(text, "{} ", row + 1);
            let up = row.abs_diff(3);
            for col in 0..SIZE {
                // In a row, lines reach as far from the centre as the row is; the middle row has
                // them between the squares.
                let along = |col: u32| if up == 0 { col != 3 } else { col.abs_diff(3) <= up };
                let joined = col > 0 && along(col - 1) && along(col);
                text.push(if joined { '-' } else { ' ' });
                text.push(match point_at(row, col) {
                    Some(point) => symbol(state, point),
                    None if up == col.abs_diff(3) => ' ',
                    None if up > col.abs_diff(3) => '-',
                    None => '|',
                });
            }
            text.push('\n');
        }
        text.push_str("  ");
        for col in 0..SIZE {
            let _ = write!(text, " {}", column(col));
        }
        let _ = writeln!(text, "\n{} to place", 2 * MEN - u32::from(state.placed));
        text
    }

    /// Represents the points as cells of a grid.
    fn board(&self, state: &State) -> Board {
        let mut board = Board::grid(SIZE, SIZE, |row, col| {
            let man = symbol(state, point_at(row, col)?);
            let player = Player::BOTH.into_iter().find(|&p| letter(p) == man);
            Some((CellShape::Point, Contents::piece_or_empty(player, "man")))
        });
        let mut join = |a: u32, b: u32| {
            let ends = [a, b].map(|point| {
                let mut name = String::new();
                write_point(point, &mut name).expect("a string takes all text");
                board.cell(&name).expect("every point is a cell")
            });
            board.links.push(ends);
        };
        for corner in (0..POINT_COUNT).step_by(2) {
            let square = corner / 8 * 8;
            join(corner, corner + 1);
            join(corner + 1, square + (corner + 2) % 8);
        }
        for middle in (1..POINT_COUNT - 8).step_by(2) {
            join(middle, middle + 8);
        }
        let left = 2 * MEN - u32::from(state.placed);
        if left > 0 {
            board.beside.push(format!("{left} to place"));
        }
        board
    }

    fn move_cells(&self, state: &State, m: Move, board: &Board) -> Vec<PathCell> {
        let text = self.move_text(state, m);
        let (ends, removed) = text.split_once('x').unwrap_or((&text, ""));
        let mut path = board.path(ends);
        path.extend(board.cell(removed).map(|cell| PathCell { cell, role: Role::Removed }));
        path
    }
}

/// Ids are the points left, entered and removed; equal points stand for none.
impl Actions for NineMensMorris {
    fn action_count(&self) -> u32 {
        POINT_COUNT.pow(3)
    }

    fn action_of(&self, _: &State, m: Move) -> u32 {
        (m.from() * POINT_COUNT + m.to()) * POINT_COUNT + m.removed().unwrap_or(m.to())
    }
}

/// Planes: men of each player, the turn, the number of men that both have placed. Cells are points.
impl Tensor for NineMensMorris {
    fn plane_shape(&self) -> PlaneShape {
        PlaneShape::Cells(POINT_COUNT)
    }

    fn write_planes(&self, state: &State, planes: &mut Planes<'_>) {
        planes.owners(|_, point| {
            Player::BOTH.into_iter().find(|p| state.men[p.index()] >> point & 1 == 1)
        });
        planes.turn(state.turn);
        planes.uniform(f32::from(state.placed));
    }
}
