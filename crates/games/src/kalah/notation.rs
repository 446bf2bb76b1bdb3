//! Text notation and pictures of positions and moves.

use std::fmt::{self, Write};

use treegauge_core::{
    Actions, Board, Notation, PathCell, PlaneShape, Planes, PositionError, Tensor,
};

use super::rules::Kalah;
use crate::pits::{self, State, mask};
use crate::position::{PositionErrors, Reader};

impl<const STORES: bool> Kalah<STORES> {
    /// Notes every rule that a position breaks.
    pub(super) fn check(&self, state: &State, errors: &mut PositionErrors) {
        let empty = state.sides.map(|side| side & mask(self.houses()) == 0);
        if empty[0] != empty[1] {
            errors.breaks("one row is empty, so the seeds of the other are in its store");
        }
    }
}

impl<const STORES: bool> Notation for Kalah<STORES> {
    fn write_move(&self, _: &State, house: u8, out: &mut dyn Write) -> fmt::Result {
        write!(out, "{}", house + 1)
    }

    fn write_position(&self, state: &State, out: &mut dyn Write) -> fmt::Result {
        pits::write_position(self.houses(), state, out)
    }

    fn parse_position(&self, text: &str) -> Result<State, PositionError> {
        let mut reader = Reader::new(text);
        let state = pits::read_position(&mut reader, self.houses(), self.total());
        if let Some(state) = &state {
            self.check(state, reader.errors());
        }
        reader.finish(state)
    }

    fn board_text(&self, state: &State) -> String {
        pits::board_text(self.houses(), state)
    }

    fn board(&self, state: &State) -> Board {
        pits::board(self.houses(), state)
    }

    fn move_cells(&self, state: &State, house: u8, _: &Board) -> Vec<PathCell> {
        pits::move_cells(self.houses(), state, house)
    }
}

/// Ids are houses.
impl<const STORES: bool> Actions for Kalah<STORES> {
    fn action_count(&self) -> u32 {
        self.houses()
    }

    fn action_of(&self, _: &State, house: u8) -> u32 {
        u32::from(house)
    }
}

/// Planes of houses and stores.
impl<const STORES: bool> Tensor for Kalah<STORES> {
    fn plane_shape(&self) -> PlaneShape {
        PlaneShape::Cells(self.houses() + 1)
    }

    fn write_planes(&self, state: &State, planes: &mut Planes<'_>) {
        pits::write_planes(state, self.houses(), planes);
    }
}
