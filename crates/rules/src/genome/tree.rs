//! Expressions as trees in which every node knows what may stand in its place.

use crate::error::Place;
use crate::reader::{Is, Node};
use crate::tree::{KindOf, OptionValue};
use crate::words::{Arg, Int, Kinds, Role, Sort, clause, clauses, word};

/// Stage of a move at which an expression is evaluated. It limits the words that the expression may
/// use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum When {
    /// Before the game, with an empty board.
    Start,
    /// Before the move.
    Before,
    /// During or after the move, so that words about the move are allowed.
    OfMove,
}

/// Place for a node. Two nodes of the same slot can be exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Slot {
    /// Expression of a sort, evaluated at a stage.
    Word(Sort, When),
    Taker,
    Kind(Kinds),
    Int(Int),
    Site,
    Side,
    Pair(Int),
    Offsets,
    Only(&'static str),
    Chain,
    Laps,
    /// Clause of a mover, evaluated at a stage.
    Clause(When),
    /// Rule of `end`.
    Rule,
    Stuck,
    Quiet,
    Repetition,
}

/// Content of a node apart from its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Atom {
    Word(String),
    Number(i32),
    /// List without a head.
    Pair,
}

/// Expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Tree {
    pub(super) slot: Slot,
    pub(super) atom: Atom,
    pub(super) args: Vec<Tree>,
}

impl Tree {
    pub(super) fn word(slot: Slot, word: &str, args: Vec<Tree>) -> Tree {
        Tree { slot, atom: Atom::Word(word.to_owned()), args }
    }

    pub(super) fn number(slot: Slot, number: i32) -> Tree {
        Tree { slot, atom: Atom::Number(number), args: Vec::new() }
    }

    /// Word of the node; empty for a number or a pair.
    pub(super) fn head(&self) -> &str {
        match &self.atom {
            Atom::Word(word) => word,
            _ => "",
        }
    }

    pub(super) fn int(&self) -> Option<i32> {
        match self.atom {
            Atom::Number(number) => Some(number),
            _ => None,
        }
    }

    pub(super) fn sort(&self) -> Option<Sort> {
        match self.slot {
            Slot::Word(sort, _) => Some(sort),
            _ => None,
        }
    }

    pub(super) fn when(&self) -> When {
        match self.slot {
            Slot::Word(_, when) | Slot::Clause(when) => when,
            _ => When::OfMove,
        }
    }

    /// Range of the arguments that are effects, or between which effects may be inserted; `None` if
    /// the node takes none.
    pub(super) fn effects(&self) -> Option<std::ops::Range<usize>> {
        let range = match (self.slot, self.head()) {
            (Slot::Word(Sort::Effect, _), "if") => 1..self.args.len(),
            (Slot::Clause(_), "then") => 0..self.args.len(),
            (Slot::Rule, _) => 1..self.args.len() - 1,
            // Effects come before a result. `pass` is followed by a result only.
            (Slot::Stuck | Slot::Quiet | Slot::Repetition, _) => {
                let first = self.args.first()?;
                let begin = usize::from(self.slot == Slot::Quiet);
                if matches!(first.slot, Slot::Only(_)) || self.args.len() == begin {
                    return None;
                }
                begin..self.args.len() - 1
            }
            _ => return None,
        };
        Some(range)
    }

    /// Number of nodes.
    pub(super) fn nodes(&self) -> usize {
        1 + self.args.iter().map(Tree::nodes).sum::<usize>()
    }

    /// Calls `visit` with every node and its parent, each before its arguments.
    pub(super) fn walk<'t>(
        &'t self,
        parent: Option<&'t Tree>,
        visit: &mut dyn FnMut(&'t Tree, Option<&'t Tree>),
    ) {
        visit(self, parent);
        self.args.iter().for_each(|arg| arg.walk(Some(self), visit));
    }

    /// Calls `change` with every node, each after its arguments.
    pub(super) fn change(&mut self, change: &mut dyn FnMut(&mut Tree)) {
        self.args.iter_mut().for_each(|arg| arg.change(change));
        change(self);
    }

    /// Node of an index in the order of [`Tree::walk`]. `number` decreases by the number of nodes
    /// passed.
    pub(super) fn nth(&mut self, number: &mut usize) -> Option<&mut Tree> {
        if *number == 0 {
            return Some(self);
        }
        *number -= 1;
        self.args.iter_mut().find_map(|arg| arg.nth(number))
    }

    /// Tree as a node of a text.
    pub(super) fn node(&self) -> Node {
        let args = || self.args.iter().map(Tree::node);
        match &self.atom {
            Atom::Number(number) => bare(Is::Number(i64::from(*number))),
            Atom::Pair => bare(Is::List(args().collect())),
            Atom::Word(word) if self.args.is_empty() && self.may_be_bare() => named(word),
            Atom::Word(word) => list(word, args()),
        }
    }

    /// Tests whether the word may be written without parentheses if it has no arguments.
    fn may_be_bare(&self) -> bool {
        // Movers are written `(place)`, as in the examples of the language.
        self.sort() != Some(Sort::Moves) || self.head() == "pass"
    }
}

/// Node that does not come from a text.
pub(super) fn bare(is: Is) -> Node {
    Node { place: Place::default(), end: Place::default(), is }
}

pub(super) fn named(word: &str) -> Node {
    bare(Is::Word(word.to_owned()))
}

pub(super) fn int(number: i32) -> Node {
    bare(Is::Number(i64::from(number)))
}

pub(super) fn list(head: &str, rest: impl IntoIterator<Item = Node>) -> Node {
    bare(Is::List(std::iter::once(named(head)).chain(rest).collect()))
}

/// Slot of an argument of an expression evaluated at `when`.
pub(super) fn slot(role: Role, when: When) -> Slot {
    let word = |sort| Slot::Word(sort, when);
    match role {
        // These mean the same at every stage.
        Role::Player => Slot::Word(Sort::Player, When::OfMove),
        Role::Directions => Slot::Word(Sort::Directions, When::OfMove),
        Role::Family => Slot::Word(Sort::Family, When::OfMove),
        Role::Effect => Slot::Word(Sort::Effect, When::OfMove),
        Role::Later => Slot::Word(Sort::Moves, When::OfMove),
        Role::Set => word(Sort::Set),
        Role::Number => word(Sort::Number),
        Role::Condition => word(Sort::Condition),
        Role::Moves => word(Sort::Moves),
        Role::Taker => Slot::Taker,
        Role::Kind(kinds) => Slot::Kind(kinds),
        Role::Int(int) => Slot::Int(int),
        Role::Site => Slot::Site,
        Role::Side => Slot::Side,
        Role::Pair(int) => Slot::Pair(int),
        Role::Offsets => Slot::Offsets,
        Role::Only(word) => Slot::Only(word),
        Role::Chain => Slot::Chain,
        Role::Laps => Slot::Laps,
    }
}

/// Stage at which a clause is evaluated, for a mover evaluated at `when`.
pub(super) fn clause_when(name: &str, when: When) -> When {
    if matches!(name, "then" | "only-if") { When::OfMove } else { when }
}

/// Stage at which the arguments of a node are evaluated.
pub(super) fn when_of_args(sort: Sort, when: When) -> When {
    match sort {
        Sort::Effect => When::OfMove,
        Sort::Result => When::Before,
        _ => when,
    }
}

/// Context for reading a text as trees.
pub(super) struct Reading<'t> {
    pub(super) kinds: &'t [KindOf],
    /// Options, which are replaced by their values.
    pub(super) options: &'t [OptionValue],
}

impl Reading<'_> {
    /// Tree of a node of a checked text.
    pub(super) fn tree(&self, slot: Slot, node: &Node) -> Tree {
        let atom = match &node.is {
            // Sites of drawn boards may have numbers as names.
            _ if slot == Slot::Site => Atom::Word(node.text()),
            Is::Number(number) => Atom::Number(*number as i32),
            Is::Word(name) if self.value(slot, name).is_some() => {
                Atom::Number(self.value(slot, name).unwrap_or_default())
            }
            _ => Atom::Word(node.head().unwrap_or_default().to_owned()),
        };
        let rest = node.rest();
        let args = match slot {
            Slot::Word(sort, when) => self.expression(sort, when, node),
            Slot::Clause(when) => {
                let name = node.head().unwrap_or_default();
                self.args(clause(name), clause_when(name, when), rest)
            }
            Slot::Pair(int) => {
                let Is::List(pair) = &node.is else {
                    return Tree { slot, atom, args: Vec::new() };
                };
                let args = pair.iter().map(|n| self.tree(Slot::Int(int), n)).collect();
                return Tree { slot, atom: Atom::Pair, args };
            }
            Slot::Offsets => {
                self.args(&[Arg::Many(Role::Pair(Int::Offset), 1, 1)], When::OfMove, rest)
            }
            Slot::Rule => {
                let mut args = self.args(&[Arg::One(Role::Condition)], When::OfMove, &rest[..1]);
                args.extend(self.settled(&rest[1..]));
                args
            }
            Slot::Stuck if rest[0].head() == Some("pass") => {
                let mut args = vec![self.tree(Slot::Only("pass"), &rest[0])];
                args.extend(self.settled(&rest[1..]));
                args
            }
            Slot::Quiet => {
                let mut args = vec![self.tree(Slot::Int(Int::Quiet), &rest[0])];
                args.extend(self.settled(&rest[1..]));
                args
            }
            Slot::Stuck | Slot::Repetition => self.settled(rest),
            _ => Vec::new(),
        };
        Tree { slot, atom, args }
    }

    /// Value of an option; `None` if the name is not an option or no number may stand in the slot.
    fn value(&self, slot: Slot, name: &str) -> Option<i32> {
        let wanted = matches!(slot, Slot::Int(_) | Slot::Word(Sort::Number, _));
        let option = self.options.iter().find(|option| wanted && option.name == name)?;
        Some(option.value)
    }

    /// Effects followed by a result; empty if `nodes` is empty.
    fn settled(&self, nodes: &[Node]) -> Vec<Tree> {
        let Some((result, effects)) = nodes.split_last() else { return Vec::new() };
        let effect = Slot::Word(Sort::Effect, When::OfMove);
        let mut trees: Vec<Tree> = effects.iter().map(|node| self.tree(effect, node)).collect();
        trees.push(self.tree(Slot::Word(Sort::Result, When::Before), result));
        trees
    }

    fn expression(&self, sort: Sort, when: When, node: &Node) -> Vec<Tree> {
        let name = node.head().unwrap_or_default();
        let Some(known) = word(sort, name) else { return Vec::new() };
        let mut rest: Vec<Node> = node.rest().to_vec();
        if name == "line" {
            // The two optional arguments after the length may come in any order.
            rest[1..].sort_by_key(|node| node.head() == Some("exactly"));
        }
        let taken = clauses(name);
        let is_clause = |node: &Node| {
            sort == Sort::Moves
                && matches!(node.is, Is::List(_))
                && node.head().is_some_and(|head| taken.contains(&head))
        };
        let first = rest.iter().position(is_clause).unwrap_or(rest.len());
        let mut args = self.args(known.args, when_of_args(sort, when), &rest[..first]);
        let mut trees: Vec<Tree> =
            rest[first..].iter().map(|node| self.tree(Slot::Clause(when), node)).collect();
        trees.sort_by_key(|tree| clause_order(name, tree.head()));
        args.extend(trees);
        args
    }

    fn args(&self, wanted: &[Arg], when: When, nodes: &[Node]) -> Vec<Tree> {
        let mut nodes = nodes.iter().peekable();
        let mut args = Vec::new();
        for &arg in wanted {
            match arg {
                Arg::One(role) => {
                    args.extend(nodes.next().map(|node| self.tree(slot(role, when), node)));
                }
                Arg::May(role) => {
                    let found = nodes.next_if(|node| self.may_be(role, node));
                    args.extend(found.map(|node| self.tree(slot(role, when), node)));
                }
                Arg::Many(role, ..) => {
                    args.extend(nodes.by_ref().map(|node| self.tree(slot(role, when), node)));
                }
            }
        }
        args
    }

    /// Tests whether a node can be an optional argument.
    fn may_be(&self, role: Role, node: &Node) -> bool {
        let head = node.head().unwrap_or_default();
        match role {
            Role::Kind(_) => self.kinds.iter().any(|kind| kind.name == head),
            Role::Directions => word(Sort::Directions, head).is_some(),
            Role::Only(only) => head == only,
            _ => true,
        }
    }
}

/// Index of a clause among those of a mover.
pub(super) fn clause_order(mover: &str, clause: &str) -> usize {
    clauses(mover).iter().position(|name| *name == clause).unwrap_or(usize::MAX)
}
