//! The gate of the rules themselves: a flaw that no game is needed to see.

use std::sync::Arc;

use treegauge_catalog::rules::{Program, forced_win};
use treegauge_core::Watch;

use super::gate::{Fall, Gate, Rejection};

/// Why a candidate falls by its rules alone, if it does: by W12, a win of the first player within three plies. Random
/// games judge better than the other warnings of `check` whether a game ends, and parts without effect make a text
/// longer and its game no worse. A text that allows W12 says that its win is meant, and does not fall. None falls
/// once `watch` says stop.
pub(super) fn lint(program: &Arc<Program>, watch: &dyn Watch) -> Option<Fall> {
    let won = forced_win(program, &mut || !watch.stop())?;
    Some(Fall::of(Gate::Lint, Rejection::WonAtOnce).with(won.message))
}
