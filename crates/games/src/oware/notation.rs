//! Text notation and pictures of positions and moves.

use std::fmt::{self, Write};

use treegauge_core::{
    Actions, Board, Game, Notation, PathCell, PlaneShape, Planes, PositionError, Tensor,
};

use super::rules::Oware;
use crate::pits::{self, State};
use crate::position::{PositionErrors, Reader, letter};

impl Oware {
    /// Notes every rule that a position breaks.
    pub(super) fn check(&self, state: &State, errors: &mut PositionErrors) {
        if self.outcome(state).is_none() && self.move_count(state) == 0 {
            let turn = letter(state.turn);
            errors.breaks(format!("{turn} cannot move, so all seeds are in their owners' stores"));
        }
    }
}

impl Notation for Oware {
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
impl Actions for Oware {
    fn action_count(&self) -> u32 {
        self.houses()
    }

    fn action_of(&self, _: &State, house: u8) -> u32 {
        u32::from(house)
    }
}

/// Planes of houses and stores.
impl Tensor for Oware {
    fn plane_shape(&self) -> PlaneShape {
        PlaneShape::Cells(self.houses() + 1)
    }

    fn write_planes(&self, state: &State, planes: &mut Planes<'_>) {
        pits::write_planes(state, self.houses(), planes);
    }
}
