//! Specialized playout loops for kinds of games that need less than the general loop.
//!
//! A game chooses its loop when it is loaded, because any branch in a loop that the game does not
//! need would slow it down.

mod flips;
mod hops;
mod lone;
mod open_list;
mod sowing;
mod steps;

pub(crate) use flips::Flips;
pub(crate) use hops::Hops;
pub(crate) use lone::Lone;
pub(crate) use open_list::OpenList;
pub(crate) use sowing::Sowing;
pub(crate) use steps::Steps;

use rand_core::Rng;
use treegauge_bits::Choices;
use treegauge_core::{Outcome as GameOutcome, Playout, PlayoutLimits, Plies};

use super::{Code, Moment, PASS};
use crate::state::{BoardWord, State};
use crate::tree::{Cond, Outcome, Rule, Set, Who};

/// Specialized playout loop of a game.
#[derive(Clone, Debug)]
pub(crate) enum Playouts<W> {
    OpenList(OpenList<W>),
    Steps(Steps<W>),
    Flips(Box<Flips<W>>),
    Hops(Hops<W>),
    Lone(Lone<W>),
    Sowing(Sowing),
}

impl<W: BoardWord> Playouts<W> {
    /// Chooses the loop for a program; `None` if only the general loop fits.
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
            let lone = || Lone::of(code).map(Playouts::Lone);
            let sowing = || Sowing::of(code).map(Playouts::Sowing);
            flips.or_else(hops).or_else(lone).or_else(sowing)
        };
        narrow.or_else(wide)
    }

    /// Name of the loop.
    #[cfg(test)]
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Playouts::OpenList(_) => "open list",
            Playouts::Steps(_) => "steps",
            Playouts::Flips(_) => "flips",
            Playouts::Hops(_) => "steps and hops",
            Playouts::Lone(_) => "lone pieces",
            Playouts::Sowing(_) => "sowing",
        }
    }

    /// Plays random moves to an end or a limit; `None` if the loop does not handle the position.
    pub(crate) fn run<R: Rng + ?Sized>(
        &self,
        code: &Code<W>,
        state: &mut State<W>,
        limits: PlayoutLimits,
        rng: &mut R,
    ) -> Option<Playout> {
        let plies = limits.plies_left.0;
        Some(match self {
            Playouts::OpenList(open) => open.run(code, state, plies, Choices::new(rng)),
            Playouts::Steps(steps) => steps.run(code, state, plies, Choices::new(rng)),
            Playouts::Flips(flips) => flips.run(code, state, limits, Choices::new(rng)),
            Playouts::Hops(hops) => hops.run(code, state, limits, Choices::new(rng)),
            Playouts::Lone(lone) => return lone.run(code, state, plies, Choices::new(rng)),
            Playouts::Sowing(sowing) => sowing.run(code, state, limits, rng),
        })
    }
}

/// Single plies, which a search plays on its way down. The results equal those of [`Code`]; the
/// loop of the game may compute them faster.
impl<W: BoardWord> Playouts<W> {
    /// Plays a whole move. Returns whether it was progress.
    #[inline]
    pub(crate) fn play(&self, code: &Code<W>, state: &mut State<W>, m: u64) -> bool {
        match self {
            Playouts::OpenList(open) if m != PASS => open.play(state, m),
            Playouts::Lone(lone) if m != PASS => lone.play(code, state, m),
            Playouts::Hops(hops) if m != PASS => hops.play(code, state, m),
            Playouts::Sowing(sowing) if m != PASS => sowing.play(code, state, m),
            _ => code.play(state, m),
        }
    }

    /// Number of moves of the side to move.
    #[inline]
    pub(crate) fn count(&self, code: &Code<W>, state: &State<W>) -> u32 {
        match self {
            Playouts::OpenList(open) => open.open(code, state).count(),
            Playouts::Lone(lone) => lone.count(code, state),
            Playouts::Hops(hops) => hops.count(code, state),
            Playouts::Sowing(sowing) => sowing.count(state),
            _ => code.count(&Moment::before(state, state.rest.turn)),
        }
    }

    /// Tests whether the side to move has a move.
    #[inline]
    pub(crate) fn any(&self, code: &Code<W>, state: &State<W>) -> bool {
        match self {
            Playouts::OpenList(open) => !open.open(code, state).is_zero(),
            Playouts::Lone(lone) => lone.any(code, state),
            Playouts::Hops(hops) => hops.any(code, state),
            Playouts::Sowing(sowing) => sowing.count(state) > 0,
            _ => code.any(&Moment::before(state, state.rest.turn)),
        }
    }

    /// The `n`-th move of the side to move.
    #[inline]
    pub(crate) fn nth(&self, code: &Code<W>, state: &State<W>, n: u32) -> Option<u64> {
        match self {
            Playouts::OpenList(open) => nth_of(open.open(code, state), n).map(u64::from),
            Playouts::Lone(lone) => lone.nth(code, state, n),
            Playouts::Sowing(sowing) => sowing.nth_move(code, state, n),
            _ => code.nth(&Moment::before(state, state.rest.turn), n),
        }
    }
}

/// The `n`-th site of a set; `None` if the set has at most `n` sites.
#[inline]
fn nth_of<W: BoardWord>(set: W, n: u32) -> Option<u32> {
    (n < set.count()).then(|| set.nth(n))
}

/// Counting and playing of moves for one kind of game. All games whose ends fit share the loop
/// [`run`], which is compiled for each mechanism.
trait Mechanism<W> {
    /// Moves of a position in the form in which they were counted.
    type Offer;

    /// Empty offer, to be reused for each position.
    fn room(&self) -> Self::Offer;

    /// Finds and counts the moves of the side to move.
    fn offer(&self, code: &Code<W>, now: &Moment<W>, offer: &mut Self::Offer) -> u32;

    /// Plays the `n`-th of the offered moves.
    fn make(&self, code: &Code<W>, now: &mut Moment<W>, offer: &Self::Offer, n: u32);
}

/// Number of moves beyond which counting takes so long that a check of the stop condition costs
/// nothing in comparison.
pub(crate) const MANY: u32 = 255;

/// Plays random moves with the same results as the general loop.
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

/// Outcome of a rule for the mover: `true` for a win, `false` for a loss. `None` if the rule has
/// effects or another outcome.
fn decides<W>(rule: &Rule<W>) -> Option<bool> {
    match rule.settled.outcome {
        _ if !rule.settled.effects.is_empty() => None,
        Outcome::Win(Who::Mover) | Outcome::Lose(Who::Opponent) => Some(true),
        Outcome::Lose(Who::Mover) | Outcome::Win(Who::Opponent) => Some(false),
        _ => None,
    }
}

/// Condition of a rule of `end` in a game of moving pieces.
#[derive(Clone, Copy, Debug)]
enum Reason<W> {
    /// The moved piece has arrived in a region, which is given for each player.
    Reached([W; 2]),
    /// The opponent has no pieces.
    NoneLeft,
}

impl<W: BoardWord> Reason<W> {
    /// Condition of each rule of `end`, and whether the mover wins by it. `None` if some rule has
    /// another form.
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

    /// Tests whether the condition holds after a player's move to a site, which left the opponent
    /// the pieces `other`.
    #[inline(always)]
    fn holds(&self, player: usize, to: W, other: W) -> bool {
        match self {
            Reason::Reached(region) => !(region[player] & to).is_zero(),
            Reason::NoneLeft => other.is_zero(),
        }
    }
}

/// Condition of a rule, and whether the mover wins by it; `None` if the result is not a win or loss
/// without effects.
fn rule_of<W>(rule: &Rule<W>) -> Option<(&Cond<W>, bool)> {
    decides(rule).map(|wins| (&rule.when, wins))
}
