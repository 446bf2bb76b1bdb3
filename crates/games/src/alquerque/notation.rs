//! Text notation and pictures of positions and moves.

use std::fmt::{self, Write};

use treegauge_core::{
    Board, CellShape, Contents, Notation, PathCell, PlaneShape, Planes, Player, PositionError,
    Tensor,
};

use super::rules::{
    Alquerque, MEN_MAX, Move, SIZE, State, lines_from, next, point_at, row_and_column,
};
use crate::position::{PositionErrors, Reader, grid_text, letter, write_board, write_cell};
use treegauge_bits::each_bit;

fn man_at(state: &State, row: u32, col: u32) -> Option<Player> {
    let point = point_at(row, col);
    Player::BOTH.into_iter().find(|p| state.men[p.index()] >> point & 1 == 1)
}

fn symbol(state: &State, row: u32, col: u32) -> char {
    man_at(state, row, col).map_or('.', letter)
}

/// All points as rows and columns.
fn all_points() -> impl Iterator<Item = (u32, u32)> {
    (0..SIZE).flat_map(|row| (0..SIZE).map(move |col| (row, col)))
}

/// Notes every rule that a position breaks. A position without errors has a legal move, or is lost
/// for the player to move.
pub(super) fn check(state: &State, errors: &mut PositionErrors) {
    for player in Player::BOTH {
        let men = state.men[player.index()].count_ones();
        if men > MEN_MAX {
            errors.breaks(format!("{men} {} where {MEN_MAX} began", letter(player)));
        }
    }
    let last = state.turn.other();
    if state.men[last.index()] == 0 {
        errors.breaks(format!("{} has just moved and has no men", letter(last)));
    }
}

impl Notation for Alquerque {
    fn write_move(&self, _: &State, m: Move, out: &mut dyn Write) -> fmt::Result {
        let write_point = |point: u32, out: &mut dyn Write| {
            let (row, col) = row_and_column(point);
            write_cell(row, col, out)
        };
        write_point(m.from(), out)?;
        let mut point = 1 << m.from();
        for direction in m.directions() {
            point = next(point, direction);
            if m.jumps() {
                point = next(point, direction);
            }
            out.write_char(if m.jumps() { 'x' } else { '-' })?;
            write_point(point.trailing_zeros(), out)?;
        }
        Ok(())
    }

    fn write_position(&self, state: &State, out: &mut dyn Write) -> fmt::Result {
        write_board(SIZE, SIZE, |row, col| symbol(state, row, col), out)?;
        write!(out, " {}", letter(state.turn))
    }

    fn parse_position(&self, text: &str) -> Result<State, PositionError> {
        let mut reader = Reader::new(text);
        let cells = reader.board(SIZE, SIZE, ".xo");
        let turn = reader.turn();
        let state = cells.zip(turn).map(|(cells, turn)| {
            let men = Player::BOTH.map(|player| {
                all_points()
                    .filter(|&(row, col)| cells.at(row, col) == letter(player))
                    .fold(0, |men, (row, col)| men | 1 << point_at(row, col))
            });
            let state = State { men, turn };
            check(&state, reader.errors());
            state
        });
        reader.finish(state)
    }

    fn board_text(&self, state: &State) -> String {
        grid_text(SIZE, SIZE, |row, col| symbol(state, row, col))
    }

    /// Draws lines between neighbouring points.
    fn board(&self, state: &State) -> Board {
        let mut board = Board::grid(SIZE, SIZE, |row, col| {
            let man = Contents::piece_or_empty(man_at(state, row, col), "man");
            Some((CellShape::Point, man))
        });
        let cell = |(row, col): (u32, u32)| (row * SIZE + col) as usize;
        for at in all_points() {
            let point = point_at(at.0, at.1);
            // Each pair of neighbours is joined once.
            each_bit(u64::from(lines_from(point) >> point << point), |to| {
                board.links.push([cell(at), cell(row_and_column(to))]);
            });
        }
        board
    }

    fn move_cells(&self, state: &State, m: Move, board: &Board) -> Vec<PathCell> {
        board.jumping_path(&self.move_text(state, m))
    }
}

/// Planes: men of each player, the turn.
impl Tensor for Alquerque {
    fn plane_shape(&self) -> PlaneShape {
        PlaneShape::Grid([SIZE; 2])
    }

    fn write_planes(&self, state: &State, planes: &mut Planes<'_>) {
        planes.owners(|row, col| man_at(state, row, col));
        planes.turn(state.turn);
    }
}
