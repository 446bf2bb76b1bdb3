//! Text notation and pictures of positions and moves.

use std::fmt::{self, Write};

use treegauge_core::{
    Actions, Board, Contents, Notation, PlaneShape, Planes, Player, PositionError, Tensor,
};

use super::rules::{Forms, Move, State};
use crate::position::{PositionErrors, Reader, grid_text, letter, write_board, write_cell};
use treegauge_bits::Word;

impl<W: Word> Forms<W> {
    fn stone_at(&self, state: &State<W>, row: u32, col: u32) -> Option<Player> {
        let cell = self.cell(row, col);
        Player::BOTH.into_iter().find(|p| state.stones[p.index()].has(cell))
    }

    fn symbol(&self, state: &State<W>, row: u32, col: u32) -> char {
        self.stone_at(state, row, col).map_or('.', letter)
    }

    /// Notes every rule that a position breaks. In a position without errors the player to move has
    /// a legal move or has just lost the last stone.
    pub(super) fn check(&self, state: &State<W>, errors: &mut PositionErrors) {
        for player in Player::BOTH {
            let stones = state.stones[player.index()].count();
            if stones > self.half() {
                errors.breaks(format!("{stones} {} where {} began", letter(player), self.half()));
            }
        }
        let last = state.turn.other();
        if state.stones[last.index()].is_zero() {
            errors.breaks(format!("{} has just moved and has no stones", letter(last)));
        }
        let all = state.stones[0] | state.stones[1];
        if !all.is_zero() && self.connected(W::bit(all.lowest()), all) != all {
            errors.breaks("the stones are not connected");
        }
    }
}

impl<W: Word> Notation for Forms<W> {
    fn write_move(&self, _: &State<W>, m: Move, out: &mut dyn Write) -> fmt::Result {
        let stride = self.cols() + 1;
        let (from, to) = (u32::from(m.from), u32::from(m.to));
        write_cell(from / stride, from % stride, out)?;
        out.write_char('x')?;
        write_cell(to / stride, to % stride, out)
    }

    fn write_position(&self, state: &State<W>, out: &mut dyn Write) -> fmt::Result {
        write_board(self.rows(), self.cols(), |row, col| self.symbol(state, row, col), out)?;
        write!(out, " {}", letter(state.turn))
    }

    fn parse_position(&self, text: &str) -> Result<State<W>, PositionError> {
        let (rows, cols) = (self.rows(), self.cols());
        let mut reader = Reader::new(text);
        let cells = reader.board(rows, cols, ".xo");
        let turn = reader.turn();
        let state = cells.zip(turn).map(|(cells, turn)| {
            let mut state = State { stones: [W::ZERO; 2], turn };
            for (row, col) in (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))) {
                for player in Player::BOTH {
                    if cells.at(row, col) == letter(player) {
                        state.stones[player.index()].set(self.cell(row, col));
                    }
                }
            }
            self.check(&state, reader.errors());
            state
        });
        reader.finish(state)
    }

    fn board_text(&self, state: &State<W>) -> String {
        grid_text(self.rows(), self.cols(), |row, col| self.symbol(state, row, col))
    }

    fn board(&self, state: &State<W>) -> Board {
        Board::squares(self.rows(), self.cols(), |row, col| {
            Contents::piece_or_empty(self.stone_at(state, row, col), "stone")
        })
    }
}

/// Ids are pairs of cells: that of the stone that moves times the number of cells, plus that of the
/// captured one.
impl<W: Word> Actions for Forms<W> {
    fn action_count(&self) -> u32 {
        (self.rows() * self.cols()).pow(2)
    }

    fn action_of(&self, _: &State<W>, m: Move) -> u32 {
        // The bits of cells leave out a column.
        let [from, to] = [m.from, m.to].map(u32::from).map(|bit| bit - bit / (self.cols() + 1));
        from * self.rows() * self.cols() + to
    }
}

/// Planes: stones of each player, the turn.
impl<W: Word> Tensor for Forms<W> {
    fn plane_shape(&self) -> PlaneShape {
        PlaneShape::Grid([self.rows(), self.cols()])
    }

    fn write_planes(&self, state: &State<W>, planes: &mut Planes<'_>) {
        planes.owners(|row, col| self.stone_at(state, row, col));
        planes.turn(state.turn);
    }
}
