//! A typed tree beside the text that it was made of, so that each part has its place.

use crate::board::Site;
use crate::error::Place;
use crate::reader::{Is, Node};
use crate::tree::{Cond, Effect, Mover, Moves, Num, Outcome, Program, Set, Settled, Stuck};

type Sites = Vec<Site>;

/// A part of the tree.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item<'p> {
    Moves(&'p Moves<Sites>),
    Mover,
    /// The `only-if` of the mover around it.
    OnlyIf,
    Set(&'p Set<Sites>),
    Num(&'p Num<Sites>),
    Cond(&'p Cond<Sites>),
    Effect(&'p Effect<Sites>),
    /// A rule of `end`, by its number.
    Rule(usize),
}

/// A part of the tree and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found<'p> {
    pub(super) node: &'p Node,
    pub(super) item: Item<'p>,
    /// The mover around it, by its number.
    pub(super) mover: Option<usize>,
}

impl Found<'_> {
    pub(super) fn place(&self) -> Place {
        self.node.place
    }

    /// Whether it stands within another part, or is it.
    pub(super) fn is_within(&self, other: &Found<'_>) -> bool {
        other.node.place <= self.node.place && self.node.end <= other.node.end
    }
}

/// The section of a name; the whole game where there is none.
pub(super) fn section<'p>(program: &'p Program, name: &str) -> &'p Node {
    let found = program.game.rest().iter().find(|node| node.head() == Some(name));
    found.unwrap_or(&program.game)
}

/// Every part of `play`, `end` and `limits` that is written, each before what stands within it.
pub(super) fn walk(program: &Program) -> Vec<Found<'_>> {
    let mut walk = Walk { found: Vec::new(), mover: None };
    if let Some(node) = section(program, "play").rest().first() {
        walk.moves(node, &program.body.play);
    }
    let end = section(program, "end").rest().iter();
    let rules = end.filter(|node| node.head() == Some("if"));
    for (n, (node, rule)) in rules.zip(&program.body.end).enumerate() {
        walk.push(node, Item::Rule(n));
        let rest = node.rest();
        if let [when, effects @ .., outcome] = rest {
            walk.cond(when, &rule.when);
            walk.effects(effects, &rule.effects);
            walk.outcome(outcome, &rule.outcome);
        }
    }
    let stuck = section(program, "end").rest().iter().find(|node| node.head() == Some("stuck"));
    if let Some(node) = stuck {
        match &program.body.stuck {
            Stuck::Pass(outcome) => {
                if let Some(node) = node.rest().get(1) {
                    walk.outcome(node, outcome);
                }
            }
            Stuck::Ends(settled) => walk.settled(node.rest(), settled),
        }
    }
    for node in section(program, "limits").rest() {
        match (node.head(), &program.body.quiet, &program.body.repetition) {
            (Some("quiet"), Some((_, settled)), _) if node.rest().len() > 1 => {
                walk.settled(&node.rest()[1..], settled);
            }
            (Some("repetition"), _, Some(settled)) => walk.settled(node.rest(), settled),
            _ => {}
        }
    }
    walk.found
}

struct Walk<'p> {
    found: Vec<Found<'p>>,
    mover: Option<usize>,
}

impl<'p> Walk<'p> {
    fn push(&mut self, node: &'p Node, item: Item<'p>) {
        self.found.push(Found { node, item, mover: self.mover });
    }

    fn moves(&mut self, node: &'p Node, moves: &'p Moves<Sites>) {
        let rest = node.rest();
        match moves {
            Moves::Mover(mover) => self.in_mover(node, mover),
            Moves::Or(parts) | Moves::FirstOf(parts) | Moves::Seq(parts) => {
                self.push(node, Item::Moves(moves));
                for (node, part) in rest.iter().zip(parts) {
                    self.moves(node, part);
                }
            }
            Moves::If(cond, yes, no) => {
                self.push(node, Item::Moves(moves));
                self.cond(&rest[0], cond);
                self.moves(&rest[1], yes);
                if let (Some(node), Some(no)) = (rest.get(2), no) {
                    self.moves(node, no);
                }
            }
        }
    }

    fn in_mover(&mut self, node: &'p Node, mover: &'p Mover<Sites>) {
        use crate::tree::Verb;
        self.mover = Some(mover.id);
        self.push(node, Item::Mover);
        if mover.verb == Verb::Remove {
            self.set(&node.rest()[0], &mover.to);
        }
        for clause in node.rest().iter().filter(|clause| matches!(clause.is, Is::List(_))) {
            let rest = clause.rest();
            match (clause.head(), &mover.verb, &mover.only_if) {
                (Some("to"), verb, _) if *verb != Verb::Remove => self.set(&rest[0], &mover.to),
                (Some("over"), Verb::Hop { over, .. }, _) => self.set(&rest[0], over),
                (Some("then"), ..) => self.effects(rest, &mover.then),
                (Some("only-if"), _, Some(cond)) => {
                    self.push(clause, Item::OnlyIf);
                    self.cond(&rest[0], cond);
                }
                _ => {}
            }
        }
        self.mover = None;
    }

    fn set(&mut self, node: &'p Node, set: &'p Set<Sites>) {
        self.push(node, Item::Set(set));
        let rest = node.rest();
        match set {
            Set::And(sets) | Set::Or(sets) | Set::FirstOf(sets) => {
                for (node, set) in rest.iter().zip(sets) {
                    self.set(node, set);
                }
            }
            Set::Not(set) | Set::Next(set, _) | Set::Rays(set, _) | Set::Enclosed(set) => {
                self.set(&rest[0], set);
            }
            Set::Opposite(set) | Set::Back(set, _) => self.set(&rest[0], set),
            Set::Joined(a, b) => {
                self.set(&rest[0], a);
                self.set(&rest[1], b);
            }
            Set::Covered(_, set) => self.set(&rest[1], set),
            _ => {}
        }
    }

    fn num(&mut self, node: &'p Node, n: &'p Num<Sites>) {
        self.push(node, Item::Num(n));
        let rest = node.rest();
        match n {
            Num::Count(set) | Num::Groups(set) | Num::Largest(set) | Num::Seeds(set) => {
                self.set(&rest[0], set);
            }
            Num::Made(_, set) => {
                if let Some(node) = rest.get(1) {
                    self.set(node, set);
                }
            }
            Num::Add(parts) => {
                for (node, part) in rest.iter().zip(parts) {
                    self.num(node, part);
                }
            }
            Num::Sub(a, b) => {
                self.num(&rest[0], a);
                self.num(&rest[1], b);
            }
            Num::Int(_) | Num::Score(_) | Num::Hand(..) => {}
        }
    }

    fn cond(&mut self, node: &'p Node, cond: &'p Cond<Sites>) {
        self.push(node, Item::Cond(cond));
        let rest = node.rest();
        match cond {
            Cond::Compare(_, a, b) => {
                self.num(&rest[0], a);
                self.num(&rest[1], b);
            }
            Cond::Some(set) | Cond::None(set) => self.set(&rest[0], set),
            Cond::In(a, b) => {
                self.set(&rest[0], a);
                self.set(&rest[1], b);
            }
            Cond::Makes(_, set) => {
                if let Some(node) = rest.get(1) {
                    self.set(node, set);
                }
            }
            Cond::Connects(set, ends) => {
                self.set(&rest[0], set);
                for (node, end) in rest[1..].iter().zip(ends) {
                    self.set(node, end);
                }
            }
            Cond::And(parts) | Cond::Or(parts) => {
                for (node, part) in rest.iter().zip(parts) {
                    self.cond(node, part);
                }
            }
            Cond::Not(cond) => self.cond(&rest[0], cond),
            Cond::Is(..) | Cond::Opening(_) => {}
        }
    }

    fn effects(&mut self, nodes: &'p [Node], effects: &'p [Effect<Sites>]) {
        for (node, effect) in nodes.iter().zip(effects) {
            self.push(node, Item::Effect(effect));
            let rest = node.rest();
            match effect {
                Effect::Capture(set) | Effect::Flip(set) | Effect::Collect(set) => {
                    self.set(&rest[0], set);
                }
                Effect::Put(_, _, set) => self.set(&rest[2], set),
                Effect::Add(n, _) => self.num(&rest[0], n),
                Effect::If(cond, effects) => {
                    self.cond(&rest[0], cond);
                    self.effects(&rest[1..], effects);
                }
                Effect::Become(_) | Effect::Again | Effect::Sweep => {}
            }
        }
    }

    fn settled(&mut self, nodes: &'p [Node], settled: &'p Settled<Sites>) {
        if let [effects @ .., outcome] = nodes {
            self.effects(effects, &settled.effects);
            self.outcome(outcome, &settled.outcome);
        }
    }

    fn outcome(&mut self, node: &'p Node, outcome: &'p Outcome<Sites>) {
        if let (Outcome::Most(n) | Outcome::Least(n), Some(node)) = (outcome, node.rest().first()) {
            self.num(node, n);
        }
    }
}
