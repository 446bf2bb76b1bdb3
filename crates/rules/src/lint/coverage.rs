//! Which parts of the moves of a text ever matter in play: each is counted by its place in the text.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::Warning;
use super::walk::{Found, Item};
use crate::fast::{Code, Moment};
use crate::state::{BoardWord, State};
use crate::tree::{Effect, Moves, Program, Verb};

/// The moves of a position that are looked at.
const LOOKS: usize = 40;

/// How often a part was asked, and how often it held, refused or changed something.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    asked: u64,
    mattered: u64,
}

/// The counts of one mover.
#[derive(Clone, Debug, Default)]
struct OfMover {
    offered: u64,
    only_if: Count,
    /// In the order of the text, each effect before those within it.
    effects: Vec<Count>,
}

/// Whoever counts what happens in the moves of a program.
pub(super) struct Coverage<W: BoardWord> {
    code: Arc<Code<W>>,
    /// The same without any `only-if`, so that what is refused can be seen.
    loose: Code<W>,
    /// The same without effects too, so that they can be asked one by one.
    bare: Code<W>,
    counts: Vec<OfMover>,
}

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

impl<W: BoardWord> Coverage<W> {
    pub(super) fn of(program: &Arc<Program>, code: &Arc<Code<W>>) -> Coverage<W> {
        let changed = |effects: bool| {
            let mut program = Program::clone(program);
            without(&mut program.body.play, effects);
            Code::of(Arc::new(program))
        };
        let of_mover = |mover: &crate::tree::Mover<W>| OfMover {
            effects: vec![Count::default(); size(&mover.then)],
            ..OfMover::default()
        };
        Coverage {
            counts: code.movers.iter().map(of_mover).collect(),
            code: code.clone(),
            loose: changed(false),
            bare: changed(true),
        }
    }

    /// Looks at moves of a position, evenly spread where there are many.
    pub(super) fn look(&mut self, state: &State<W>) {
        let now = Moment::before(state, state.rest.turn);
        let mut codes: Vec<u64> = Vec::new();
        self.loose.each(&now, &mut |code| {
            codes.push(code);
            if codes.len() < 10_000 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        let step = codes.len().div_ceil(LOOKS).max(1);
        for &code in codes.iter().step_by(step) {
            self.play(state, code);
        }
    }

    /// Looks at one move, until an `only-if` refuses it.
    fn play(&mut self, state: &State<W>, code: u64) {
        let mut now = Moment::before(state, state.rest.turn);
        for at in 0..self.bare.layout.parts.len() {
            let Some(part) = self.bare.layout.decode(code, at) else { break };
            let mover = part.mover;
            let Some(kept) = self.code.movers.get(mover) else { return };
            if let Verb::Hop { dirs, .. } = &self.bare.movers[mover].verb {
                let dirs = &dirs[now.mover.index()];
                let mut site = part.from as u32;
                now.from = W::bit(site);
                for hop in 0..part.hops {
                    let d = dirs[self.bare.layout.direction(at, &part, hop)];
                    site = self.bare.hop(&mut now, &self.bare.movers[mover], site, d);
                    effects(&self.code, &mut now, &kept.then, &mut self.counts[mover].effects, 0);
                }
            } else {
                self.bare.part(&mut now, at, &part);
                effects(&self.code, &mut now, &kept.then, &mut self.counts[mover].effects, 0);
            }
            if let Some(cond) = &kept.only_if {
                let count = &mut self.counts[mover].only_if;
                count.asked += 1;
                if !self.code.cond(&now, cond) {
                    count.mattered += 1;
                    return;
                }
            }
            self.counts[mover].offered += 1;
        }
    }

    /// What never mattered, as far as it was asked at all.
    pub(super) fn warnings(
        &self,
        program: &Program,
        games: u32,
        found: &[Found<'_>],
    ) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let mut seen = vec![0; self.counts.len()];
        let in_games = format!("in {games} random games");
        for part in found {
            let Some(mover) = part.mover else { continue };
            let counts = &self.counts[mover];
            let message = match part.item {
                Item::Mover if counts.offered == 0 && counts.only_if.asked == 0 => {
                    let head = part.node.head().unwrap_or_default();
                    Some(format!("this `{head}` was never possible {in_games}"))
                }
                Item::Mover if counts.offered == 0 => {
                    let head = part.node.head().unwrap_or_default();
                    Some(format!("`only-if` refused every move of this `{head}` {in_games}"))
                }
                Item::OnlyIf if counts.only_if.asked > 0 && counts.only_if.mattered == 0 => {
                    Some(format!("this `only-if` never refused a move {in_games}"))
                }
                Item::Effect(effect) => {
                    let number = seen[mover];
                    seen[mover] += 1;
                    let count = counts.effects[number];
                    (count.asked > 0 && count.mattered == 0).then(|| match effect {
                        Effect::If(..) => format!("this `if` never held {in_games}"),
                        Effect::Become(kind) => {
                            let into = &program.kinds[usize::from(*kind)].name;
                            format!("no piece ever became a `{into}` {in_games}")
                        }
                        _ => format!("`{}` never changed anything {in_games}", part.node.text()),
                    })
                }
                _ => None,
            };
            if let Some(message) = message {
                warnings.push(Warning::remark("W8", part.place(), message));
            }
        }
        warnings
    }
}

/// Does effects one by one; each is counted at its number from `at` on.
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
