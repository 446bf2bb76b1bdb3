//! Walk along the typed tree and the text together, so that each part has its place in the text.

use crate::board::Site;
use crate::error::Place;
use crate::reader::{Is, Node};
use crate::tree::{Cond, Effect, Mover, Moves, Num, Part, Program, Set, Settled, Stuck};

type Sites = Vec<Site>;

/// Part of the tree.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item<'p> {
    Moves(&'p Moves<Sites>),
    Mover,
    /// `only-if` of the enclosing mover.
    OnlyIf,
    Set(&'p Set<Sites>),
    Num(&'p Num<Sites>),
    Cond(&'p Cond<Sites>),
    Effect(&'p Effect<Sites>),
    /// Rule of `end`, by its index.
    Rule(usize),
}

/// Part of the tree and its node in the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found<'p> {
    pub(super) node: &'p Node,
    pub(super) item: Item<'p>,
    /// Index of the enclosing mover.
    pub(super) mover: Option<usize>,
}

impl Found<'_> {
    pub(super) fn place(&self) -> Place {
        self.node.place
    }

    /// Tests whether this part is inside another part, or is the same part.
    pub(super) fn is_within(&self, other: &Found<'_>) -> bool {
        other.node.place <= self.node.place && self.node.end <= other.node.end
    }
}

/// Section with this name; the whole game if the text lacks it.
pub(super) fn section<'p>(program: &'p Program, name: &str) -> &'p Node {
    let found = program.game.rest().iter().find(|node| node.head() == Some(name));
    found.unwrap_or(&program.game)
}

/// All parts of `play`, `end` and `limits` that are written out, each before the parts inside it.
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
        if let [when, settled @ ..] = rest {
            walk.part(when, Part::Cond(&rule.when));
            walk.settled(settled, &rule.settled);
        }
    }
    let stuck = section(program, "end").rest().iter().find(|node| node.head() == Some("stuck"));
    if let Some(node) = stuck {
        match &program.body.stuck {
            Stuck::Pass(outcome) => {
                if let Some(node) = node.rest().get(1) {
                    walk.part(node, Part::Outcome(outcome));
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
                self.part(&rest[0], Part::Cond(cond));
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
            self.part(&node.rest()[0], Part::Set(&mover.to));
        }
        for clause in node.rest().iter().filter(|clause| matches!(clause.is, Is::List(_))) {
            let rest = clause.rest();
            match (clause.head(), &mover.verb, &mover.only_if) {
                (Some("to"), verb, _) if *verb != Verb::Remove => {
                    self.part(&rest[0], Part::Set(&mover.to))
                }
                (Some("over"), Verb::Hop { over, .. }, _) => self.part(&rest[0], Part::Set(over)),
                (Some("then"), ..) => self.effects(rest, &mover.then),
                (Some("only-if"), _, Some(cond)) => {
                    self.push(clause, Item::OnlyIf);
                    self.part(&rest[0], Part::Cond(cond));
                }
                _ => {}
            }
        }
        self.mover = None;
    }

    /// Adds a part of an expression and the parts inside it. Omitted arguments are not parts.
    fn part(&mut self, node: &'p Node, part: Part<'p, Sites>) {
        match part {
            Part::Set(set) => self.push(node, Item::Set(set)),
            Part::Num(n) => self.push(node, Item::Num(n)),
            Part::Cond(cond) => self.push(node, Item::Cond(cond)),
            Part::Effect(effect) => self.push(node, Item::Effect(effect)),
            _ => {}
        }
        self.parts(node.rest(), part.args());
    }

    fn parts(&mut self, nodes: &'p [Node], parts: Vec<Part<'p, Sites>>) {
        nodes.iter().zip(parts).for_each(|(node, part)| self.part(node, part));
    }

    fn effects(&mut self, nodes: &'p [Node], effects: &'p [Effect<Sites>]) {
        self.parts(nodes, effects.iter().map(Part::Effect).collect());
    }

    fn settled(&mut self, nodes: &'p [Node], settled: &'p Settled<Sites>) {
        if let [effects @ .., outcome] = nodes {
            self.effects(effects, &settled.effects);
            self.part(outcome, Part::Outcome(&settled.outcome));
        }
    }
}
