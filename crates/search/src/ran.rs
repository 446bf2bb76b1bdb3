//! What is known of a search besides what it grew.

use treegauge_core::Player;

use crate::budget::Stopped;
use crate::shape::Drift;

/// How a search went.
#[derive(Clone, Debug)]
pub(crate) struct Ran {
    /// The player to move at the root.
    pub(crate) turn: Player,
    /// The iterations made.
    pub(crate) iterations: u32,
    pub(crate) stopped: Stopped,
    pub(crate) drift: Drift,
}

impl Ran {
    /// Before the first search.
    pub(crate) fn new() -> Ran {
        Ran {
            turn: Player::First,
            iterations: 0,
            stopped: Stopped::Iterations,
            drift: Drift::default(),
        }
    }

    /// A search begins where it is `turn`'s move.
    pub(crate) fn begin(&mut self, turn: Player) {
        self.drift.clear();
        (self.turn, self.iterations, self.stopped) = (turn, 0, Stopped::Iterations);
    }
}

/// A finished search and what it grew: a [`Tree`](crate::Tree) or a [`Web`](crate::Web).
#[derive(Debug)]
pub struct Search<'u, T> {
    pub(crate) grown: &'u T,
    pub(crate) ran: &'u Ran,
    pub(crate) cp: f64,
}

impl<'u, T> Search<'u, T> {
    /// The player to move at the root.
    #[must_use]
    pub fn turn(&self) -> Player {
        self.ran.turn
    }

    /// The exploration constant on rewards in \[0, 1\].
    #[must_use]
    pub fn cp(&self) -> f64 {
        self.cp
    }

    /// The iterations made; those of earlier searches whose visits were kept do not count.
    #[must_use]
    pub fn iterations(&self) -> u32 {
        self.ran.iterations
    }

    /// Why the search ended.
    #[must_use]
    pub fn stopped(&self) -> Stopped {
        self.ran.stopped
    }

    /// How the averages of the moves changed during the search.
    #[must_use]
    pub fn drift(&self) -> &'u Drift {
        &self.ran.drift
    }
}
