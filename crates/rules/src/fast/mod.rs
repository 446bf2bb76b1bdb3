//! Fast play on bits. It gives the same results as the reference interpreter, with words for sets.

mod apply;
mod code;
mod distinct;
mod duplicates;
mod find;
mod flank;
mod forecast;
mod general;
mod lines;
mod move_text;
mod moves;
mod offer;
mod playouts;
mod routes;
mod sets;
mod shots;
mod simpler;
mod sizes;
mod sowing;
mod ways;

pub(crate) use apply::PASS;
pub(crate) use code::Code;
pub(crate) use general::run as run_general;
pub(crate) use offer::Offer;
pub(crate) use playouts::{MANY, Playouts};

use treegauge_bits::Word;
use treegauge_core::Player;

use crate::state::State;

/// State in the middle of a move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment<W> {
    pub(crate) state: State<W>,
    pub(crate) mover: Player,
    pub(crate) to: W,
    pub(crate) from: W,
    pub(crate) over: W,
    pub(crate) taken: W,
    pub(crate) again: bool,
    pub(crate) progress: bool,
}

impl<W: Word> Moment<W> {
    /// Moment before a player's move.
    #[inline]
    pub(crate) fn before(state: &State<W>, mover: Player) -> Moment<W> {
        Moment {
            state: *state,
            mover,
            to: W::ZERO,
            from: W::ZERO,
            over: W::ZERO,
            taken: W::ZERO,
            again: false,
            progress: false,
        }
    }

    /// Begins the move of the side to move, after another move has been played.
    #[inline]
    pub(crate) fn begin(&mut self) {
        self.mover = self.state.rest.turn;
        (self.to, self.from, self.over, self.taken) = (W::ZERO, W::ZERO, W::ZERO, W::ZERO);
        (self.again, self.progress) = (false, false);
    }
}
