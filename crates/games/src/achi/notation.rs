//! Text notation and pictures of positions and moves.

use std::fmt::{self, Write};

use treegauge_core::{
    Actions, Board, CellShape, Contents, Notation, PlaneShape, Planes, Player, PositionError,
    Tensor,
};

use super::rules::{Achi, Move, State};
use crate::position::{PositionErrors, Reader, grid_text, letter, write_board, write_cell};
use treegauge_bits::{Word, each_bit};

impl Achi {
    fn man_at(&self, state: &State, row: u32, col: u32) -> Option<Player> {
        let point = row * self.size() + col;
        Player::BOTH.into_iter().find(|p| state.men[p.index()] >> point & 1 == 1)
    }

    fn symbol(&self, state: &State, row: u32, col: u32) -> char {
        self.man_at(state, row, col).map_or('.', letter)
    }

    /// Text for the men still to be placed; `None` if all are placed.
    fn to_place_words(&self, state: &State) -> Option<String> {
        let [first, second] = state.men.map(|men| self.men() - men.count_ones());
        let words = || format!("to place: first player {first}, second player {second}");
        (first + second > 0).then(words)
    }

    /// Notes every rule that a position breaks.
    pub(super) fn check(&self, &State { men, turn }: &State, errors: &mut PositionErrors) {
        let counts = men.map(u32::count_ones);
        let lead = u32::from(turn == Player::Second);
        // Once all men are placed, either player may be to move.
        let all = counts == [self.men(); 2];
        if !all && (counts[0] > self.men() || counts[0] != counts[1] + lead) {
            errors.breaks(format!(
                "{} x and {} o cannot be with {} to move and {} men each",
                counts[0],
                counts[1],
                letter(turn),
                self.men()
            ));
        }
        if self.has_line(men[turn.index()]) {
            errors.breaks(format!("{} has a line already and is to move", letter(turn)));
        }
        let last = men[turn.other().index()];
        let one_man_made_it = || {
            let mut points = u64::from(last).ones();
            points.any(|point| !self.has_line(last & !(1 << point)))
        };
        if self.has_line(last) && !one_man_made_it() {
            errors.breaks(format!(
                "{} has lines that no single man can have made",
                letter(turn.other())
            ));
        }
    }
}

impl Notation for Achi {
    fn write_move(&self, _: &State, m: Move, out: &mut dyn Write) -> fmt::Result {
        let size = self.size();
        let (from, to) = (u32::from(m.from), u32::from(m.to));
        if from != to {
            write_cell(from / size, from % size, out)?;
            out.write_char('-')?;
        }
        write_cell(to / size, to % size, out)
    }

    fn write_position(&self, state: &State, out: &mut dyn Write) -> fmt::Result {
        let size = self.size();
        write_board(size, size, |row, col| self.symbol(state, row, col), out)?;
        write!(out, " {}", letter(state.turn))
    }

    fn parse_position(&self, text: &str) -> Result<State, PositionError> {
        let size = self.size();
        let mut reader = Reader::new(text);
        let cells = reader.board(size, size, ".xo");
        let turn = reader.turn();
        let state = cells.zip(turn).map(|(cells, turn)| {
            let men = Player::BOTH.map(|player| {
                (0..size * size)
                    .filter(|point| cells.at(point / size, point % size) == letter(player))
                    .fold(0, |men, point| men | 1u32 << point)
            });
            let state = State { men, turn };
            self.check(&state, reader.errors());
            state
        });
        reader.finish(state)
    }

    fn board_text(&self, state: &State) -> String {
        let size = self.size();
        let mut text = grid_text(size, size, |row, col| self.symbol(state, row, col));
        if let Some(words) = self.to_place_words(state) {
            let _ = writeln!(text, "{words}");
        }
        text
    }

    /// Draws lines between neighbouring points.
    fn board(&self, state: &State) -> Board {
        let size = self.size();
        let mut board = Board::grid(size, size, |row, col| {
            let man = Contents::piece_or_empty(self.man_at(state, row, col), "man");
            Some((CellShape::Point, man))
        });
        for from in 0..size * size {
            // Each pair of neighbours is joined once.
            each_bit(u64::from(self.neighbours(from)) >> from << from, |to| {
                board.links.push([from as usize, to as usize]);
            });
        }
        board.beside.extend(self.to_place_words(state));
        board
    }
}

/// Ids are the point left times the number of points plus the point entered; a placement leaves the
/// point that it enters.
impl Actions for Achi {
    fn action_count(&self) -> u32 {
        (self.size() * self.size()).pow(2)
    }

    fn action_of(&self, _: &State, m: Move) -> u32 {
        u32::from(m.from) * self.size() * self.size() + u32::from(m.to)
    }
}

/// Planes: men of each player, the turn.
impl Tensor for Achi {
    fn plane_shape(&self) -> PlaneShape {
        PlaneShape::Grid([self.size(); 2])
    }

    fn write_planes(&self, state: &State, planes: &mut Planes<'_>) {
        planes.owners(|row, col| self.man_at(state, row, col));
        planes.turn(state.turn);
    }
}
