//! Coverage of a text in play: counts for each part of its moves whether it ever matters.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::Warning;
use super::walk::{Found, Item};
use crate::fast::{Code, Moment, PASS};
use crate::layout::MOVES_MAX;
use crate::state::{BoardWord, State};
use crate::tree::{Chain, Effect, Mover, Moves, Program, Verb};

/// Largest number of ways to move that are examined part by part, over all games.
const LOOKS_MAX: u64 = 3_000_000;

/// Number of times that an effect was applied, and that it changed something.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    asked: u64,
    mattered: u64,
}

/// Counts of one mover.
#[derive(Clone, Debug, Default)]
struct OfMover {
    /// Number of legal moves that the mover is part of.
    legal: u64,
    /// Number of ways to move before its `only-if` is applied.
    asked: u64,
    /// Number of these ways that its `only-if` did not refuse.
    passed: u64,
    /// Counts of its effects in the order of the text, each before the effects nested in it.
    effects: Vec<Count>,
    has_only_if: bool,
}

impl OfMover {
    /// Tests whether further games cannot change the findings about it.
    fn is_settled(&self) -> bool {
        self.legal > 0
            && (!self.has_only_if || self.passed < self.asked)
            && self.effects.iter().all(|effect| effect.mattered > 0)
    }
}

/// Counts so far, and the remaining budget.
#[derive(Clone, Debug)]
struct Tally {
    counts: Vec<OfMover>,
    /// Number of ways to move that may still be examined.
    left: u64,
}

/// Program of a game in three variants.
struct Forms<W: BoardWord> {
    /// Unchanged.
    code: Arc<Code<W>>,
    /// Without any `only-if`, so that refused ways are visible.
    loose: Code<W>,
    /// Without `only-if` and without effects, so that effects can be applied one by one.
    bare: Code<W>,
}

/// Counter of what matters in the moves of a program.
pub(super) struct Coverage<W: BoardWord> {
    forms: Forms<W>,
    tally: Tally,
    /// Number of games in which every way to move that could show anything new was examined.
    games: u32,
}

/// Visitor of the moment after each way to move, with the number of its parts.
type Way<'a, W> = &'a mut dyn FnMut(&mut Tally, &Moment<W>, usize) -> ControlFlow<()>;

fn without(moves: &mut Moves<Vec<u16>>, effects: bool) {
    match moves {
        Moves::Mover(mover) => {
            mover.only_if = None;
            if effects {
                mover.then.clear();
            }
        }
        Moves::Or(parts) | Moves::FirstOf(parts) | Moves::Seq(parts) => {
            parts.iter_mut().for_each(|part| without(part, effects));
        }
        Moves::If(_, yes, no) => {
            without(yes, effects);
            no.iter_mut().for_each(|no| without(no, effects));
        }
    }
}

fn size<C>(effects: &[Effect<C>]) -> usize {
    let one = |effect: &Effect<C>| match effect {
        Effect::If(_, inner) => 1 + size(inner),
        _ => 1,
    };
    effects.iter().map(one).sum()
}

impl<W: BoardWord> Forms<W> {
    /// Calls `visit` after each way to move, in the order of [`Code::walk`], and counts the parts
    /// on the way.
    fn walk(
        &self,
        tally: &mut Tally,
        now: &Moment<W>,
        (moves, loose): (&Moves<W>, &Moves<W>),
        at: usize,
        visit: Way<'_, W>,
    ) -> ControlFlow<()> {
        match (moves, loose) {
            (Moves::Mover(mover), _) => {
                self.loose.walk(now, loose, at, 0, &mut |then, next, code| {
                    tally.left = tally.left.saturating_sub(1);
                    if tally.left == 0 {
                        return ControlFlow::Break(());
                    }
                    self.effects(tally, now, at, code, mover);
                    let counts = &mut tally.counts[mover.id];
                    counts.asked += 1;
                    if mover.only_if.as_ref().is_some_and(|cond| !self.code.cond(then, cond)) {
                        return ControlFlow::Continue(());
                    }
                    counts.passed += 1;
                    visit(tally, then, next)
                })
            }
            (Moves::Or(parts), Moves::Or(loose)) => {
                let mut both = parts.iter().zip(loose);
                both.try_for_each(|both| self.walk(tally, now, both, at, visit))
            }
            (Moves::FirstOf(parts), Moves::FirstOf(loose)) => {
                for both in parts.iter().zip(loose) {
                    let mut any = false;
                    self.walk(tally, now, both, at, &mut |tally, then, at| {
                        any = true;
                        visit(tally, then, at)
                    })?;
                    if any {
                        break;
                    }
                }
                ControlFlow::Continue(())
            }
            (Moves::If(cond, yes, no), Moves::If(_, loose_yes, loose_no)) => {
                match (self.code.cond(now, cond), no, loose_no) {
                    (true, ..) => self.walk(tally, now, (yes, loose_yes), at, visit),
                    (false, Some(no), Some(loose)) => self.walk(tally, now, (no, loose), at, visit),
                    _ => ControlFlow::Continue(()),
                }
            }
            (Moves::Seq(parts), Moves::Seq(loose)) => {
                let first = (&parts[0], &loose[0]);
                self.walk(tally, now, first, at, &mut |tally, then, at| {
                    self.rest(tally, then, (&parts[1..], &loose[1..]), at, visit)
                })
            }
            _ => unreachable!("a form has the shape of the program"),
        }
    }

    /// Walks the later parts of a `seq`. A part without moves is skipped.
    fn rest(
        &self,
        tally: &mut Tally,
        now: &Moment<W>,
        (parts, loose): (&[Moves<W>], &[Moves<W>]),
        at: usize,
        visit: Way<'_, W>,
    ) -> ControlFlow<()> {
        let [first, rest @ ..] = parts else { return visit(tally, now, at) };
        let (mut any, rest) = (false, (rest, &loose[1..]));
        self.walk(tally, now, (first, &loose[0]), at, &mut |tally, then, at| {
            any = true;
            self.rest(tally, then, rest, at, visit)
        })?;
        if any { ControlFlow::Continue(()) } else { self.rest(tally, now, rest, at, visit) }
    }

    /// Applies the effects of one part of a move one by one, unless each is known to matter.
    fn effects(&self, tally: &mut Tally, now: &Moment<W>, at: usize, code: u64, mover: &Mover<W>) {
        let counts = &mut tally.counts[mover.id].effects;
        if counts.iter().all(|effect| effect.mattered > 0) {
            return;
        }
        let Some(part) = self.bare.layout.decode(code, at) else { return };
        let mut now = *now;
        if let Verb::Hop { dirs, chain, .. } = &mover.verb
            && *chain != Chain::Reach
        {
            let dirs = &dirs[now.mover.index()];
            let mut site = part.from as u32;
            now.from = W::bit(site);
            for hop in 0..part.hops {
                let d = dirs[self.bare.layout.direction(at, &part, hop)];
                site = self.bare.hop(&mut now, &self.bare.movers[mover.id], site, d);
                effects(&self.code, &mut now, &mover.then, counts, 0);
            }
        } else {
            self.bare.part(&mut now, at, &part);
            effects(&self.code, &mut now, &mover.then, counts, 0);
        }
    }
}

impl<W: BoardWord> Coverage<W> {
    pub(super) fn of(program: &Arc<Program>, code: &Arc<Code<W>>) -> Coverage<W> {
        let changed = |effects: bool| {
            let mut program = Program::clone(program);
            without(&mut program.body.play, effects);
            Code::of(Arc::new(program))
        };
        let of_mover = |mover: &Mover<W>| OfMover {
            effects: vec![Count::default(); size(&mover.then)],
            has_only_if: mover.only_if.is_some(),
            ..OfMover::default()
        };
        let counts = code.movers.iter().map(of_mover).collect();
        Coverage {
            tally: Tally { counts, left: LOOKS_MAX },
            forms: Forms { code: code.clone(), loose: changed(false), bare: changed(true) },
            games: 0,
        }
    }

    /// Examines a position of a game: its legal moves, and the ways to move that may still show
    /// anything new.
    pub(super) fn look(&mut self, state: &State<W>, legal: impl Iterator<Item = u64>) {
        let Coverage { forms, tally, .. } = self;
        for code in legal.filter(|&code| code != PASS) {
            for at in 0..forms.code.layout.parts.len() {
                let Some(part) = forms.code.layout.decode(code, at) else { break };
                tally.counts[part.mover].legal += 1;
            }
        }
        if tally.left == 0 || tally.counts.iter().all(OfMover::is_settled) {
            return;
        }
        let now = Moment::before(state, state.rest.turn);
        let both = (&forms.code.body.play, &forms.loose.body.play);
        // Ways beyond this number are not legal.
        let mut ways = MOVES_MAX;
        let _ = forms.walk(tally, &now, both, 0, &mut |_, _, _| {
            ways -= 1;
            if ways == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
    }

    /// Counts a finished game.
    pub(super) fn game_over(&mut self) {
        self.games += u32::from(self.tally.left > 0);
    }

    /// Warnings about the parts that never mattered, if they were examined at all.
    pub(super) fn warnings(
        &self,
        program: &Program,
        games: u32,
        found: &[Found<'_>],
    ) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let mut seen = vec![0; self.tally.counts.len()];
        // Legal moves were counted in all games, other parts only in examined ones.
        let in_games = format!("in {games} random games");
        let in_looked = format!("in {} random games", self.games);
        for part in found {
            let Some(mover) = part.mover else { continue };
            let counts = &self.tally.counts[mover];
            let message = match part.item {
                Item::Mover if counts.legal == 0 => {
                    let head = part.node.head().unwrap_or_default();
                    Some(match (counts.asked, counts.passed) {
                        (0, _) if self.tally.left == 0 => {
                            format!("no legal move was this `{head}` {in_games}")
                        }
                        (0, _) => format!("this `{head}` was never possible {in_games}"),
                        (_, 0) => {
                            format!("`only-if` refused every move of this `{head}` {in_games}")
                        }
                        _ => format!(
                            "every move of this `{head}` was also one of an earlier part, which counts, {in_games}"
                        ),
                    })
                }
                Item::OnlyIf if counts.asked > 0 && counts.passed == counts.asked => {
                    Some(format!("this `only-if` never refused a move {in_looked}"))
                }
                Item::Effect(effect) => {
                    let number = seen[mover];
                    seen[mover] += 1;
                    let count = counts.effects[number];
                    (count.asked > 0 && count.mattered == 0).then(|| match effect {
                        Effect::If(..) => format!("this `if` never held {in_looked}"),
                        Effect::Become(kind) => {
                            let into = &program.kinds[usize::from(*kind)].name;
                            format!("no piece ever became a `{into}` {in_looked}")
                        }
                        _ => format!("`{}` never changed anything {in_looked}", part.node.text()),
                    })
                }
                _ => None,
            };
            // Parts that were not examined in any complete game give no warning.
            let of_mover = matches!(part.item, Item::Mover);
            if let Some(message) = message.filter(|_| of_mover || self.games > 0) {
                warnings.push(Warning::remark("W8", part.place(), message));
            }
        }
        warnings
    }
}

/// Applies effects one by one. Each is counted at its index, from `at` on.
fn effects<W: BoardWord>(
    code: &Code<W>,
    now: &mut Moment<W>,
    list: &[Effect<W>],
    counts: &mut [Count],
    mut at: usize,
) {
    for effect in list {
        counts[at].asked += 1;
        match effect {
            Effect::If(cond, inner) => {
                if code.cond(now, cond) {
                    counts[at].mattered += 1;
                    effects(code, now, inner, counts, at + 1);
                }
                at += 1 + size(inner);
            }
            effect => {
                let before = (now.state, now.again);
                code.effects(now, std::slice::from_ref(effect));
                counts[at].mattered += u64::from(before != (now.state, now.again));
                at += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rand_core::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use treegauge_core::{Game, Played, Plies, uniform_below};

    use super::*;
    use crate::game::{MoveBits, RulesVisitor, TextRules, visit};
    use crate::lint::walk;
    use crate::position::Position;
    use crate::reference::Reference;
    use crate::tests::{program, programs};
    use crate::tree::Cond;

    /// Random games counted twice: by this module, and by the reference interpreter, which reports
    /// the ways of the text behind each legal move.
    struct Counted {
        games: u32,
        plies: u32,
        seed: u64,
    }

    /// Counts, warnings, and the positions of the games.
    struct Found {
        tally: Tally,
        warnings: Vec<Warning>,
        legal: Vec<u64>,
        positions: Vec<Position>,
    }

    impl RulesVisitor for Counted {
        type Output = Found;

        fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) -> Found {
            let slow = Reference::new(game.program().clone());
            let mut coverage = Coverage::of(game.program(), &game.code);
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed);
            let mut legal = vec![0; game.program().movers];
            let (mut positions, mut moves) = (Vec::new(), Vec::new());
            let mut plies = 0;
            for _ in 0..self.games {
                let mut played = Played::start(&game);
                while played.ended(&game).is_none() && plies < self.plies {
                    plies += 1;
                    game.moves_into(played.state(), &mut moves);
                    coverage.look(played.state(), moves.iter().map(|m| m.bits()));
                    let position = game.position(played.state());
                    for m in slow.moves(&position).expect("the game is not over") {
                        m.movers.iter().for_each(|&mover| legal[mover] += 1);
                    }
                    positions.push(position);
                    let n = uniform_below(&mut rng, moves.len() as u32);
                    played.play(&game, moves[n as usize]);
                }
                coverage.game_over();
            }
            let found = walk::walk(game.program());
            let warnings = coverage.warnings(game.program(), self.games, &found);
            Found { tally: coverage.tally, warnings, legal, positions }
        }
    }

    /// Removes an effect from a list by its index in the order of the text.
    fn take_out(effects: &mut Vec<Effect<Vec<u16>>>, number: usize) {
        let mut at = 0;
        for n in 0..effects.len() {
            if at == number {
                effects.remove(n);
                return;
            }
            let inside = match &effects[n] {
                Effect::If(_, inner) => size(inner),
                _ => 0,
            };
            if let (Effect::If(_, inner), true) = (&mut effects[n], number <= at + inside) {
                return take_out(inner, number - at - 1);
            }
            at += 1 + inside;
        }
    }

    fn mover_of(moves: &mut Moves<Vec<u16>>, id: usize) -> Option<&mut Mover<Vec<u16>>> {
        match moves {
            Moves::Mover(mover) => (mover.id == id).then_some(mover),
            Moves::Or(parts) | Moves::FirstOf(parts) | Moves::Seq(parts) => {
                parts.iter_mut().find_map(|part| mover_of(part, id))
            }
            Moves::If(_, yes, no) => {
                mover_of(yes, id).or_else(|| no.as_mut().and_then(|no| mover_of(no, id)))
            }
        }
    }

    /// Reference interpreter of a program with one mover changed.
    fn changed(of: &Program, id: usize, change: &dyn Fn(&mut Mover<Vec<u16>>)) -> Reference {
        let mut program = of.clone();
        change(mover_of(&mut program.body.play, id).expect("the mover is there"));
        Reference::new(Arc::new(program))
    }

    /// Counts a text both ways. Removes everything that is reported not to matter, and checks that
    /// nothing changes.
    fn check(name: &str, program: &Arc<Program>, of: Counted) -> Found {
        let found = visit(program, Plies(200), of);
        let counts = &found.tally.counts;
        let legal: Vec<u64> = counts.iter().map(|count| count.legal).collect();
        assert_eq!(legal, found.legal, "{name}: legal moves by the way that made them");
        // The warnings name exactly the movers without legal moves.
        for (id, (place, _)) in program.mover_places.iter().enumerate() {
            let warned = found.warnings.iter().any(|warning| warning.place == *place);
            assert_eq!(warned, found.legal[id] == 0, "{name}: mover {id} of {:?}", found.warnings);
        }
        let mut less: Vec<(String, Reference)> = Vec::new();
        for (id, count) in counts.iter().enumerate() {
            if count.legal == 0 {
                let never = |mover: &mut Mover<_>| mover.only_if = Some(Cond::Or(Vec::new()));
                less.push((format!("mover {id}"), changed(program, id, &never)));
            }
            if count.has_only_if && count.passed == count.asked {
                let free = |mover: &mut Mover<_>| mover.only_if = None;
                less.push((format!("only-if of mover {id}"), changed(program, id, &free)));
            }
            for (n, effect) in count.effects.iter().enumerate() {
                if effect.mattered == 0 {
                    let without = |mover: &mut Mover<_>| take_out(&mut mover.then, n);
                    less.push((format!("effect {n} of {id}"), changed(program, id, &without)));
                }
            }
        }
        let slow = Reference::new(program.clone());
        let after = |of: &Reference, at: &Position| -> Vec<Position> {
            of.moves(at).into_iter().flatten().map(|played| played.after).collect()
        };
        let mut known = HashSet::new();
        let every = found.positions.len() / 100 + 1;
        for position in found.positions.iter().step_by(every) {
            if known.insert(format!("{position:?}")) {
                for (what, less) in &less {
                    assert_eq!(after(less, position), after(&slow, position), "{name}: {what}");
                }
            }
        }
        found
    }

    #[test]
    fn what_is_said_not_to_matter_can_be_taken_out() {
        for (seed, (name, program)) in programs().into_iter().enumerate() {
            check(&name, &program, Counted { games: 6, plies: 400, seed: seed as u64 });
        }
    }

    #[test]
    fn moves_of_one_text_are_those_of_the_way_that_made_them() {
        let (_, program) =
            programs().into_iter().find(|(name, _)| name == "withdrawal").expect("it is there");
        let found = check("withdrawal", &program, Counted { games: 20, plies: 2_000, seed: 3 });
        assert!(found.legal.iter().all(|&legal| legal > 0), "{:?}", found.legal);
    }

    #[test]
    fn a_way_behind_another_is_told_from_one_that_is_refused() {
        let text = |moves: &str| {
            program(&format!(
                "(game \"T\" (board (grid 4 4)) (pieces (man each)) (start (put each man (home 1)))\n\
                 (play (or (step man forward)\n{moves}))\n(end (if (in to (far 1)) (win mover)) (stuck draw)))"
            ))
        };
        let said = |moves: &str| {
            let found = check(moves, &text(moves), Counted { games: 10, plies: 500, seed: 1 });
            let [one] = &found.warnings[..] else { panic!("{:?}", found.warnings) };
            assert_eq!(one.place.line, 3, "{one:?}");
            one.message.clone()
        };
        let behind = said("(step man forward)");
        assert!(behind.contains("also one of an earlier part"), "{behind}");
        let refused = said("(step man sideways (only-if (none mine)))");
        assert!(refused.starts_with("`only-if` refused every move of this `step`"), "{refused}");
        let never = said("(hop man all (over (and mine theirs)))");
        assert!(never.starts_with("this `hop` was never possible"), "{never}");
    }
}
