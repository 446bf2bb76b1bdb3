//! Loops of playouts for kinds of games that need less than the general one.
//!
//! A loop is chosen when a game is loaded: each branch that a loop does not need would cost it.

mod flips;
mod hops;
mod lone;
mod open_list;
mod steps;

pub(crate) use flips::Flips;
pub(crate) use hops::Hops;
pub(crate) use lone::Lone;
pub(crate) use open_list::OpenList;
pub(crate) use steps::Steps;

use rand_core::Rng;
use treegauge_bits::Choices;
use treegauge_core::{Outcome as GameOutcome, Playout, PlayoutLimits, Plies};

use super::{Code, Moment, PASS};
use crate::state::{BoardWord, State};
use crate::tree::{Cond, Outcome, Rule, Set, Who};

/// The loop of a game, where one other than the general serves it.
#[derive(Clone, Debug)]
pub(crate) enum Playouts<W> {
    OpenList(OpenList<W>),
    Steps(Steps<W>),
    Flips(Box<Flips<W>>),
    Hops(Hops<W>),
    Lone(Lone<W>),
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
        let narrow = || {
            let open = OpenList::of(code).map(Playouts::OpenList);
            open.or_else(|| Steps::of(code).map(Playouts::Steps))
        };
        let narrow = if plain { narrow() } else { None };
        let wide = || {
            let flips = Flips::of(code).map(|flips| Playouts::Flips(Box::new(flips)));
            let hops = || Hops::of(code).map(Playouts::Hops);
            flips.or_else(hops).or_else(|| Lone::of(code).map(Playouts::Lone))
        };
        narrow.or_else(wide)
    }

    /// What the loop is for.
    #[cfg(test)]
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Playouts::OpenList(_) => "open list",
            Playouts::Steps(_) => "steps",
            Playouts::Flips(_) => "flips",
            Playouts::Hops(_) => "steps and hops",
            Playouts::Lone(_) => "lone pieces",
        }
    }

    /// Plays random moves to an end or a limit; `None` where the loop does not serve the position.
    pub(crate) fn run<R: Rng + ?Sized>(
        &self,
        code: &Code<W>,
        state: &mut State<W>,
        limits: PlayoutLimits,
        rng: &mut R,
    ) -> Option<Playout> {
        let choices = Choices::new(rng);
        Some(match self {
            Playouts::OpenList(open) => open.run(code, state, limits.plies_left.0, choices),
            Playouts::Steps(steps) => steps.run(code, state, limits.plies_left.0, choices),
            Playouts::Flips(flips) => flips.run(code, state, limits, choices),
            Playouts::Hops(hops) => hops.run(code, state, limits, choices),
            Playouts::Lone(lone) => return lone.run(code, state, limits.plies_left.0, choices),
        })
    }
}

/// Single plies, as a search asks for them on its way down: the same as [`Code`] says of them, by a
/// shorter way where the loop of the game knows one.
impl<W: BoardWord> Playouts<W> {
    /// Plays a whole move; whether it was progress.
    #[inline]
    pub(crate) fn play(&self, code: &Code<W>, state: &mut State<W>, m: u64) -> bool {
        match self {
            Playouts::OpenList(open) if m != PASS => open.play(state, m),
            Playouts::Lone(lone) if m != PASS => lone.play(code, state, m),
            Playouts::Hops(hops) if m != PASS => hops.play(code, state, m),
            _ => code.play(state, m),
        }
    }

    /// The number of moves of whose turn it is.
    #[inline]
    pub(crate) fn count(&self, code: &Code<W>, state: &State<W>) -> u32 {
        match self {
            Playouts::OpenList(open) => open.open(code, state).count(),
            Playouts::Lone(lone) => lone.count(code, state),
            Playouts::Hops(hops) => hops.count(code, state),
            _ => code.count(&Moment::before(state, state.rest.turn)),
        }
    }

    /// Whether there is one.
    #[inline]
    pub(crate) fn any(&self, code: &Code<W>, state: &State<W>) -> bool {
        match self {
            Playouts::OpenList(open) => !open.open(code, state).is_zero(),
            Playouts::Lone(lone) => lone.any(code, state),
            Playouts::Hops(hops) => hops.any(code, state),
            _ => code.any(&Moment::before(state, state.rest.turn)),
        }
    }

    /// The `n`-th of them.
    #[inline]
    pub(crate) fn nth(&self, code: &Code<W>, state: &State<W>, n: u32) -> Option<u64> {
        match self {
            Playouts::OpenList(open) => nth_of(open.open(code, state), n).map(u64::from),
            Playouts::Lone(lone) => lone.nth(code, state, n),
            _ => code.nth(&Moment::before(state, state.rest.turn), n),
        }
    }
}

/// The `n`-th site of a set, if there are so many.
#[inline]
fn nth_of<W: BoardWord>(set: W, n: u32) -> Option<u32> {
    (n < set.count()).then(|| set.nth(n))
}

/// How the moves of one kind of games are counted and made. Whose games end by rules or limits that
/// do not matter to that shares the loop of [`run`], which is compiled for each.
trait Mechanism<W> {
    /// What a position offers: what was found while its moves were counted.
    type Offer;

    /// Room for what positions offer.
    fn room(&self) -> Self::Offer;

    /// Finds the moves of whose turn it is, and counts them.
    fn offer(&self, code: &Code<W>, now: &Moment<W>, offer: &mut Self::Offer) -> u32;

    /// Makes the `n`-th of them.
    fn make(&self, code: &Code<W>, now: &mut Moment<W>, offer: &Self::Offer, n: u32);
}

/// So many moves take so long to be counted that it costs nothing to ask then whether to go on.
pub(crate) const MANY: u32 = 255;

/// Plays random moves as the general loop does.
#[inline(always)]
fn run<W: BoardWord, M: Mechanism<W>, R: Rng + ?Sized>(
    mechanism: &M,
    code: &Code<W>,
    state: &mut State<W>,
    limits: PlayoutLimits,
    mut choices: Choices<'_, R>,
) -> Playout {
    let quiet_max = code.body.quiet.as_ref().map_or(u32::MAX, |(plies, _)| *plies);
    let mut now = Moment::before(state, state.rest.turn);
    let mut offer = mechanism.room();
    let (mut plies, mut quiet) = (0, limits.quiet.0);
    let plies_max = limits.plies_left.0;
    let (outcome, capped) = loop {
        if let Some(outcome) = now.state.rest.result {
            break (outcome, false);
        }
        now.begin();
        let count = mechanism.offer(code, &now, &mut offer);
        if count == 0
            && let Some(outcome) = code.stuck(&now.state)
        {
            break (outcome, false);
        }
        if quiet >= quiet_max {
            break (code.settle_quiet(&now.state), false);
        }
        if plies >= plies_max || count > MANY && limits.stopped() {
            break (GameOutcome::Draw, true);
        }
        if count == 0 {
            code.next_turn(&mut now.state, false);
        } else {
            mechanism.make(code, &mut now, &offer, choices.below_any(count));
            code.finish(&mut now);
        }
        quiet = if now.progress || !code.cyclic { 0 } else { quiet + 1 };
        plies += 1;
    };
    *state = now.state;
    Playout { outcome, plies: Plies(plies), capped }
}

/// Whether the mover wins or loses by a rule without effects; `None` where it is another rule.
fn decides<W>(rule: &Rule<W>) -> Option<bool> {
    match rule.settled.outcome {
        _ if !rule.settled.effects.is_empty() => None,
        Outcome::Win(Who::Mover) | Outcome::Lose(Who::Opponent) => Some(true),
        Outcome::Lose(Who::Mover) | Outcome::Win(Who::Opponent) => Some(false),
        _ => None,
    }
}

/// When a rule of a game of pieces that move holds.
#[derive(Clone, Copy, Debug)]
enum Reason<W> {
    /// The piece has arrived in a region, which is another one for each player.
    Reached([W; 2]),
    /// The opponent has no piece.
    NoneLeft,
}

impl<W: BoardWord> Reason<W> {
    /// Of each rule of `end`, when it holds and whether the mover wins by it; `None` where a rule is
    /// another.
    fn all_of(code: &Code<W>) -> Option<Vec<(Reason<W>, bool)>> {
        let reason = |rule| {
            let (when, wins) = rule_of(rule)?;
            let reason = match when {
                Cond::In(Set::To, Set::Const(region)) => Reason::Reached(*region),
                Cond::None(Set::Theirs(None)) => Reason::NoneLeft,
                _ => return None,
            };
            Some((reason, wins))
        };
        code.body.end.iter().map(reason).collect()
    }

    /// Whether it holds after a player's move to a site, which has left the opponent some pieces.
    #[inline(always)]
    fn holds(&self, player: usize, to: W, other: W) -> bool {
        match self {
            Reason::Reached(region) => !(region[player] & to).is_zero(),
            Reason::NoneLeft => other.is_zero(),
        }
    }
}

/// The condition of a rule and whether the mover wins by it.
fn rule_of<W>(rule: &Rule<W>) -> Option<(&Cond<W>, bool)> {
    decides(rule).map(|wins| (&rule.when, wins))
}
