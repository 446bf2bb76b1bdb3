//! Checks of sets, numbers, conditions, effects and results.

use super::args::Args;
use super::{Checker, Sites, When};
use crate::board::{Region, Shape};
use crate::error::Mistake;
use crate::reader::{Is, Node};
use crate::said::Pattern;
use crate::tree::{Cond, Dirs, Effect, Family, KindOf, Num, Outcome, Set, Side};
use crate::words::{Int, Role, Sort, Word, word};

impl Checker<'_> {
    /// Word of an expression with a valid number of arguments in a valid place. Otherwise records a
    /// mistake and returns `None`.
    fn word(&mut self, sort: Sort, node: &Node, when: When) -> Option<&'static Word> {
        let head = self.head(sort, node)?;
        let word = word(sort, head)?;
        if !self.arguments(sort, node) {
            return None;
        }
        if when == When::Before && word.of_move {
            let message = format!("`{head}` refers to the move, which is not made yet here");
            return self.fail(
                Mistake::new(node.head_place(), message)
                    .hint("it is allowed in then, only-if, later parts of seq, and end"),
            );
        }
        if word.of_pits && !self.board.is_pits() {
            let board = self.board.shape.name();
            let message = format!("`{head}` needs a board of pits, and this is {board}");
            return self.fail_of_board(Mistake::new(node.head_place(), message));
        }
        Some(word)
    }

    pub(super) fn set(&mut self, node: &Node, when: When) -> Option<Set<Sites>> {
        let word = self.word(Sort::Set, node, when)?;
        if word.is_region() {
            return self.region(word, node);
        }
        if word.name == "supported" && !self.board.falls() {
            let message = if self.board.wrap.rows {
                "nothing falls where rows are joined in a ring".to_owned()
            } else {
                let board = self.board.shape.name();
                format!("nothing falls on {board}: `supported` needs a grid")
            };
            return self.fail_of_board(Mistake::new(node.head_place(), message));
        }
        self.memory.last |= word.name == "last";
        Set::of_args(&mut Args::of(self, word, node, when))
    }

    /// Parses a named part of the board.
    fn region(&mut self, word: &Word, node: &Node) -> Option<Set<Sites>> {
        let rest = node.rest();
        // A row of pits is near or far as a whole.
        let is_row = self.board.is_pits() && matches!(word.name, "home" | "far");
        let extent = self.board.extent().or(is_row.then_some((1, 1)));
        let (mut numbers, mut names) = (Vec::new(), Vec::new());
        match word.args.first().map(|arg| arg.role()) {
            // A later check reports that the board lacks the region.
            Some(Role::Int(_)) if extent.is_none() => {}
            Some(Role::Int(int)) => {
                let (cols, rows) = extent.unwrap_or_default();
                let (what, most) = match int {
                    Int::Row => ("a row of this board", rows),
                    Int::Column => ("a column of this board", cols),
                    _ => ("the number of rows", rows),
                };
                let most = if self.board_unknown { i32::MAX } else { most };
                for node in rest {
                    numbers.push(self.int_in(node, what, 1, most)?);
                }
            }
            Some(Role::Site) => {
                let known: Vec<_> = rest.iter().map(|node| self.site(node)).collect();
                known.into_iter().collect::<Option<Sites>>()?;
                names.extend(rest.iter().map(Node::text));
            }
            Some(_) => names.push(self.side_of_board(&rest[0])?),
            None => {}
        }
        let region = Region::of_word(word.name, &numbers, names);
        let found = region.and_then(|region| Some((self.board.region(&region)?, region)));
        let Some((sites, region)) = found else {
            let message = format!("{} has no `{}`", self.board.shape.name(), word.name);
            return self.fail_of_board(Mistake::new(node.head_place(), message));
        };
        self.said.note(&sites, region);
        Some(Set::Const(sites))
    }

    /// Parses the name of a side of the board.
    fn side_of_board(&mut self, node: &Node) -> Option<String> {
        let side = node.head().unwrap_or_default();
        let sides = self.board.sides();
        if sides.contains(&side) {
            return Some(side.to_owned());
        }
        let message = format!("{} has no side `{side}`", self.board.shape.name());
        let hint = if sides.is_empty() {
            "it has no sides".to_owned()
        } else {
            format!("its sides are {}", sides.join(", "))
        };
        self.fail_of_board(Mistake::new(node.place, message).hint(hint))
    }

    pub(super) fn all_dirs(&self) -> Dirs {
        self.board.directions("all").unwrap_or_default()
    }

    /// Parses a family of sets and returns its index.
    pub(super) fn groups(&mut self, node: &Node) -> Option<usize> {
        let sort = Sort::Family;
        let head = self.head(sort, node)?;
        let rest = node.rest();
        match head {
            "line" => {
                if !self.arguments(sort, node) {
                    return None;
                }
                let most = if self.board_unknown { i32::MAX } else { 512 };
                let length = self.int_in(&rest[0], "the length of a line", 1, most)?;
                let (mut dirs, mut exactly) = (None, false);
                for part in &rest[1..] {
                    if part.head() == Some("exactly") && !exactly {
                        exactly = true;
                    } else if dirs.is_none() {
                        dirs = Some(self.dirs(part)?);
                    } else {
                        let message = format!("`{}` is too much in a line", part.text());
                        return self.fail(Mistake::new(part.place, message));
                    }
                }
                let dirs = dirs.unwrap_or_else(|| self.all_dirs())[0].clone();
                let longest = self.board.longest_line(&dirs);
                if longest < length as usize {
                    let message = format!(
                        "a line of {length} does not fit: the longest line of this board has {longest} sites"
                    );
                    return self.fail_of_board(
                        Mistake::new(rest[0].place, message).hint("no player could ever make it"),
                    );
                }
                let mut sets = self.board.lines(length as usize, &dirs);
                if !exactly {
                    sets.iter_mut().for_each(|(_, ends)| ends.clear());
                }
                let pattern = Pattern::Line { length, dirs, exactly };
                self.family(node, Family { sets }, pattern)
            }
            "shape" => {
                if !self.arguments(sort, node) {
                    return None;
                }
                let cells = self.pairs(rest)?;
                if !self.board.is_flat() {
                    let message =
                        format!("shapes need a grid, and this is {}", self.board.shape.name());
                    return self.fail_of_board(Mistake::new(node.head_place(), message));
                }
                let sets = self.board.shapes(&cells);
                if sets.is_empty() {
                    return self.fail_of_board(
                        Mistake::new(node.head_place(), "the shape does not fit on this board")
                            .hint("no player could ever make it"),
                    );
                }
                let sets = sets.into_iter().map(|sites| (sites, Vec::new())).collect();
                self.family(node, Family { sets }, Pattern::Shape(cells))
            }
            _ => {
                if !self.arguments(sort, node) {
                    return None;
                }
                if !matches!(self.board.shape, Shape::Lattice { .. }) {
                    let message =
                        format!("`boxes` needs a lattice, and this is {}", self.board.shape.name());
                    return self.fail_of_board(Mistake::new(node.head_place(), message));
                }
                let sets =
                    self.board.boxes().into_iter().map(|sites| (sites, Vec::new())).collect();
                self.family(node, Family { sets }, Pattern::Boxes)
            }
        }
    }

    /// Parses pairs of numbers, as in offsets and shapes.
    pub(super) fn pairs(&mut self, nodes: &[Node]) -> Option<Vec<(i32, i32)>> {
        let mut pairs = Vec::new();
        for node in nodes {
            let pair = match &node.is {
                Is::List(pair) if pair.len() == 2 => {
                    let x = self.int_of(&pair[0], Int::Cell);
                    let y = self.int_of(&pair[1], Int::Cell);
                    x.zip(y)?
                }
                _ => {
                    return self.fail(
                        Mistake::new(node.place, "expected two numbers in parentheses")
                            .hint("for example `(1 2)`"),
                    );
                }
            };
            pairs.push(pair);
        }
        Some(pairs)
    }

    pub(super) fn num(&mut self, node: &Node, when: When) -> Option<Num<Sites>> {
        if let Is::Number(number) = node.is {
            return Some(Num::Int(number as i32));
        }
        if let Is::Word(name) = &node.is
            && let Some(option) = self.options.iter().find(|option| option.name == *name)
        {
            return Some(Num::Int(option.value));
        }
        let word = self.word(Sort::Number, node, when)?;
        self.memory.score |= word.name == "score" && !self.board.is_pits();
        if word.name == "hand" {
            self.has_hand(node);
        }
        Num::of_args(&mut Args::of(self, word, node, when))
    }

    /// Records a mistake if no kind of piece meant by a `hand` has a hand.
    fn has_hand(&mut self, node: &Node) {
        let kind = node.rest().get(1);
        let named = |of: &&KindOf| kind.is_none_or(|kind| kind.head() == Some(&of.name));
        let mut kinds = self.kinds.iter().filter(named);
        let Some(first) = kinds.next().filter(|first| first.hand.is_none()) else { return };
        if kinds.any(|kind| kind.hand.is_some()) {
            return;
        }
        let (place, message, name) = match kind {
            Some(kind) => (kind.place, format!("`{}` has no hand", first.name), &first.name[..]),
            None => (node.head_place(), "no kind of piece has a hand".to_owned(), "man"),
        };
        let hint = format!("a hand is given in pieces: `({name} each (hand 9))`");
        self.mistake(Mistake::new(place, message).hint(hint));
    }

    pub(super) fn cond(&mut self, node: &Node, when: When) -> Option<Cond<Sites>> {
        let word = self.word(Sort::Condition, node, when)?;
        let cond = Cond::of_args(&mut Args::of(self, word, node, when))?;
        if let Cond::Opening(plies) = cond {
            self.memory.plies = self.memory.plies.max(plies);
        }
        Some(cond)
    }

    pub(super) fn effects(&mut self, nodes: &[Node]) -> Option<Vec<Effect<Sites>>> {
        let effects: Vec<_> = nodes.iter().map(|node| self.effect(node)).collect();
        effects.into_iter().collect()
    }

    pub(super) fn effect(&mut self, node: &Node) -> Option<Effect<Sites>> {
        let word = self.word(Sort::Effect, node, When::OfMove)?;
        let of_pits = match word.name {
            head @ ("capture" | "flip") => {
                Some((format!("pits have no pieces to {head}"), "seeds are taken by `collect`"))
            }
            "add" => {
                Some(("points of pits are the seeds in the store".to_owned(), "use `collect`"))
            }
            _ => None,
        };
        if let Some((message, hint)) = of_pits.filter(|_| self.board.is_pits()) {
            return self.fail_of_board(Mistake::new(node.head_place(), message).hint(hint));
        }
        self.memory.score |= word.name == "add";
        self.memory.claims |= word.name == "claim";
        if word.name == "again" {
            self.again.get_or_insert(node.head_place());
        }
        let effect = Effect::of_args(&mut Args::of(self, word, node, When::OfMove))?;
        if let Effect::Put(side, kind, _) = effect {
            self.owned(&node.rest()[1], kind, side == Side::Neutral)?;
        }
        Some(effect)
    }

    /// Checks that a kind is neutral if `neutral` is set, and owned by players otherwise. Records a
    /// mistake if not.
    pub(super) fn owned(&mut self, node: &Node, kind: u8, neutral: bool) -> Option<()> {
        let of = &self.kinds[kind as usize];
        if (of.owner == crate::tree::Owner::Neutral) == neutral {
            return Some(());
        }
        let name = &of.name;
        let (message, hint) = if neutral {
            (format!("`{name}` belongs to players"), format!("`({name} neutral)` would not"))
        } else {
            (
                format!("`{name}` belongs to neither player"),
                "write `neutral` as the player".to_owned(),
            )
        };
        self.fail(Mistake::new(node.place, message).hint(hint))
    }

    pub(super) fn result(&mut self, node: &Node) -> Option<Outcome<Sites>> {
        let word = self.word(Sort::Result, node, When::Before)?;
        Outcome::of_args(&mut Args::of(self, word, node, When::Before))
    }
}
