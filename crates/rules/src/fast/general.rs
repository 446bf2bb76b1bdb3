//! Loop of random games for all texts without a specialized loop.
//!
//! It records the moves of a position while it counts them, and remembers what the rules of `end`
//! have found out about connections.

use rand_core::Rng;
use treegauge_core::{Outcome as GameOutcome, Playout, PlayoutLimits, Plies, uniform_below};

use super::offer::{Chosen, Offer};
use super::{Code, MANY, Moment};
use crate::state::{BoardWord, State};

/// Number of plies between two checks of the stop condition. A ply with many moves is slow, and one
/// with few moves but many conditions may be.
const UNCHECKED: u32 = 16;

/// Plays random moves to an end or a limit.
pub(crate) fn run<W: BoardWord, R: Rng + ?Sized>(
    code: &Code<W>,
    state: &mut State<W>,
    limits: PlayoutLimits,
    rng: &mut R,
) -> Playout {
    let quiet_max = code.body.quiet.as_ref().map_or(u32::MAX, |(plies, _)| *plies);
    let mut now = Moment::before(state, state.rest.turn);
    let mut offer = Offer::new();
    let mut known = code.nothing_known();
    let (mut plies, mut quiet) = (0, limits.quiet.0);
    let (outcome, capped) = loop {
        if let Some(outcome) = now.state.rest.result {
            break (outcome, false);
        }
        now.begin();
        let count = code.offer(&now, &mut offer);
        if count == 0
            && let Some(outcome) = code.stuck(&now.state)
        {
            break (outcome, false);
        }
        if quiet >= quiet_max {
            break (code.settle_quiet(&now.state), false);
        }
        let stops = || {
            let asks = count > MANY || plies % UNCHECKED == UNCHECKED - 1;
            asks && limits.stopped()
        };
        if plies >= limits.plies_left.0 || stops() {
            break (GameOutcome::Draw, true);
        }
        if count == 0 {
            code.next_turn(&mut now.state, false);
        } else {
            let n = if count > 1 { uniform_below(rng, count) } else { 0 };
            match offer.nth(code, &now, n) {
                Chosen::Part(part) => code.part(&mut now, 0, &part),
                Chosen::Code(m) => code.parts_of(&mut now, m),
            }
            code.finish_knowing(&mut now, &mut known);
        }
        quiet = if now.progress || !code.cyclic { 0 } else { quiet + 1 };
        plies += 1;
    };
    *state = now.state;
    Playout { outcome, plies: Plies(plies), capped }
}
