//! Loops of playouts for kinds of games that need less than the general one.
//!
//! A loop is chosen when a game is loaded: each branch that a loop does not need would cost it.

mod open_list;
mod steps;

pub(crate) use open_list::OpenList;
pub(crate) use steps::Steps;

use rand_core::Rng;
use treegauge_bits::Choices;
use treegauge_core::{Playout, PlayoutLimits};

use super::Code;
use crate::state::{BoardWord, State};
use crate::tree::{Cond, Outcome, Rule, Who};

/// The loop of a game, where one other than the general serves it.
#[derive(Clone, Debug)]
pub(crate) enum Playouts<W> {
    OpenList(OpenList<W>),
    Steps(Steps<W>),
}

impl<W: BoardWord> Playouts<W> {
    /// The loop for a program; `None` where only the general one serves.
    pub(crate) fn of(code: &Code<W>) -> Option<Playouts<W>> {
        let program = &code.program;
        let plain = program.turns.is_none()
            && !program.memory.last
            && !program.memory.score
            && program.memory.plies == 0
            && code.body.quiet.is_none()
            && code.pits == 0
            && !code.passes()
            && code.kinds.len() == 1
            && code.kinds[0].players == [true; 2]
            && !code.kinds[0].has_hand;
        if !plain {
            return None;
        }
        let open = OpenList::of(code).map(Playouts::OpenList);
        open.or_else(|| Steps::of(code).map(Playouts::Steps))
    }

    /// Plays random moves to an end or a limit.
    pub(crate) fn run<R: Rng + ?Sized>(
        &self,
        code: &Code<W>,
        state: &mut State<W>,
        limits: PlayoutLimits,
        rng: &mut R,
    ) -> Playout {
        let choices = Choices::new(rng);
        match self {
            Playouts::OpenList(open) => open.run(code, state, limits, choices),
            Playouts::Steps(steps) => steps.run(code, state, limits, choices),
        }
    }
}

/// Whether the mover wins or loses by a rule without effects; `None` where it is another rule.
fn decides<W>(rule: &Rule<W>) -> Option<bool> {
    match rule.outcome {
        _ if !rule.effects.is_empty() => None,
        Outcome::Win(Who::Mover) | Outcome::Lose(Who::Opponent) => Some(true),
        Outcome::Lose(Who::Mover) | Outcome::Win(Who::Opponent) => Some(false),
        _ => None,
    }
}

/// The condition of a rule and whether the mover wins by it.
fn rule_of<W>(rule: &Rule<W>) -> Option<(&Cond<W>, bool)> {
    decides(rule).map(|wins| (&rule.when, wins))
}
