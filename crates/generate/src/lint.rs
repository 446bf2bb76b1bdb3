//! Gate of the rules: flaws visible without playing a game.

use std::sync::Arc;

use treegauge_catalog::rules::{Program, forced_win};
use treegauge_core::Watch;

use super::gate::{Fall, Gate, Rejection};

/// Checks the rules of a candidate; returns the fall if there is one. Only W12 counts: a win of the
/// first player within three plies.
///
/// Of the other warnings of `check`, those on whether a game ends are left to random games, which
/// judge better. Parts without effect make a text longer but its game no worse. A text that allows
/// W12 declares its win intended and does not fall. Once `watch` says stop, no candidate falls.
pub(super) fn lint(program: &Arc<Program>, watch: &dyn Watch) -> Option<Fall> {
    let won = forced_win(program, &mut || !watch.stop())?;
    Some(Fall::of(Gate::Lint, Rejection::WonAtOnce).with(won.message))
}
