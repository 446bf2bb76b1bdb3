//! Data of a finished search besides its tree or web.

use treegauge_core::Player;

use crate::budget::Stopped;
use crate::shape::MoveAverages;

/// Course of a search.
#[derive(Clone, Debug)]
pub(crate) struct Ran {
    /// Player to move at the root.
    pub(crate) turn: Player,
    /// Number of iterations made.
    pub(crate) iterations: u32,
    pub(crate) stopped: Stopped,
    pub(crate) drift: MoveAverages,
}

impl Ran {
    /// State before the first search.
    pub(crate) fn new() -> Ran {
        Ran {
            turn: Player::First,
            iterations: 0,
            stopped: Stopped::Iterations,
            drift: MoveAverages::default(),
        }
    }

    /// Begins a search of a position where `turn` is to move.
    pub(crate) fn begin(&mut self, turn: Player) {
        self.drift.clear();
        (self.turn, self.iterations, self.stopped) = (turn, 0, Stopped::Iterations);
    }
}

/// Finished search with its [`Tree`](crate::Tree) or [`Web`](crate::Web).
#[derive(Debug)]
pub struct Search<'u, T> {
    pub(crate) grown: &'u T,
    pub(crate) ran: &'u Ran,
    pub(crate) cp: f64,
}

impl<'u, T> Search<'u, T> {
    /// Player to move at the root.
    #[must_use]
    pub fn turn(&self) -> Player {
        self.ran.turn
    }

    /// Exploration constant C_p on rewards in \[0, 1\].
    #[must_use]
    pub fn cp(&self) -> f64 {
        self.cp
    }

    /// Number of iterations made, without those of earlier searches whose visits were kept.
    #[must_use]
    pub fn iterations(&self) -> u32 {
        self.ran.iterations
    }

    /// Reason that the search ended.
    #[must_use]
    pub fn stopped(&self) -> Stopped {
        self.ran.stopped
    }

    /// Changes of the moves' averages during the search.
    #[must_use]
    pub fn drift(&self) -> &'u MoveAverages {
        &self.ran.drift
    }
}
