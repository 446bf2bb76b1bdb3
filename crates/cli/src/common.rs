//! Steps that several commands share.

use std::sync::Arc;
use std::time::{Duration, Instant};

use treegauge::{Clock, Game};

use crate::exit::Outcome;

/// The game that a user named.
pub(crate) fn game(text: &str) -> Outcome<Game> {
    Ok(Game::parse(text)?)
}

/// The time since the start of the clock.
struct SystemClock(Instant);

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// The clock of players with a time budget.
pub(crate) fn clock() -> Arc<dyn Clock> {
    Arc::new(SystemClock(Instant::now()))
}
