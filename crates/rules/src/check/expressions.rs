//! Sets, numbers, conditions, effects and results.

use super::{Checker, Sites, When};
use crate::board::{Region, Shape};
use crate::error::Mistake;
use crate::reader::{Is, Node};
use crate::said::Pattern;
use crate::tree::{Compare, Cond, Dirs, Effect, Family, Num, Outcome, Set, Side, Who};
use crate::words::{Sort, word};

impl Checker<'_> {
    /// Whether a word may stand where it stands; a mistake where it speaks of a move too early.
    fn may_stand(&mut self, sort: Sort, node: &Node, when: When) -> bool {
        let head = node.head().unwrap_or_default();
        if when == When::Before && word(sort, head).is_some_and(|word| word.of_move) {
            let message = format!("`{head}` speaks of the move, and there is none yet here");
            self.mistake(
                Mistake::new(node.head_place(), message)
                    .hint("it may stand in then, only-if, later parts of seq, and end"),
            );
            return false;
        }
        true
    }

    /// Whether the board is one of pits, as a word needs it.
    fn needs_pits(&mut self, node: &Node) -> Option<()> {
        if self.board.is_pits() {
            return Some(());
        }
        let head = node.head().unwrap_or_default();
        let message =
            format!("`{head}` needs a board of pits, and this is {}", self.board.shape.name());
        self.fail_of_board(Mistake::new(node.head_place(), message))
    }

    fn no_such_region<T>(&mut self, node: &Node) -> Option<T> {
        let head = node.head().unwrap_or_default();
        let message = format!("{} has no `{head}`", self.board.shape.name());
        self.fail_of_board(Mistake::new(node.head_place(), message))
    }

    /// A region that is the same for both players.
    fn region(&mut self, node: &Node, region: Region<'_>) -> Option<Set<Sites>> {
        match self.board.region(region) {
            Some(sites) => Some(Set::Const([sites.clone(), sites])),
            None => self.no_such_region(node),
        }
    }

    /// Rows or columns, from and to.
    fn lines_of_board(&mut self, node: &Node, rows: bool) -> Option<Set<Sites>> {
        let Some((cols, all_rows)) = self.board.extent() else { return self.no_such_region(node) };
        let most = if rows { all_rows } else { cols };
        let what = if rows { "a row of this board" } else { "a column of this board" };
        let most = if self.board_unknown { i32::MAX } else { most };
        let mut numbers = Vec::new();
        for node in node.rest() {
            numbers.push(self.int_in(node, what, 1, most)?);
        }
        let (low, high) = (numbers[0], numbers[numbers.len() - 1]);
        let region = if rows { Region::Rows(low, high) } else { Region::Columns(low, high) };
        self.region(node, region)
    }

    /// `home` and `far`.
    fn turned_rows(&mut self, node: &Node, home: bool) -> Option<Set<Sites>> {
        if self.board.is_pits() {
            self.int_in(&node.rest()[0], "the number of rows", 1, 1)?;
            let pits = self.board.pits() as u16;
            let rows = [(0..pits).collect(), (pits..2 * pits).collect()];
            let [first, second]: [Sites; 2] = rows;
            return Some(Set::Const(if home { [first, second] } else { [second, first] }));
        }
        let Some((_, rows)) = self.board.extent() else { return self.no_such_region(node) };
        let most = if self.board_unknown { i32::MAX } else { rows };
        let n = self.int_in(&node.rest()[0], "the number of rows", 1, most)?;
        let low = self.board.region(Region::Rows(1, n))?;
        let high = self.board.region(Region::Rows(rows - n + 1, rows))?;
        Some(Set::Const(if home { [low, high] } else { [high, low] }))
    }

    pub(super) fn sets(&mut self, nodes: &[Node], when: When) -> Option<Vec<Set<Sites>>> {
        let sets: Vec<_> = nodes.iter().map(|node| self.set(node, when)).collect();
        sets.into_iter().collect()
    }

    pub(super) fn set(&mut self, node: &Node, when: When) -> Option<Set<Sites>> {
        let set = self.set_of(node, when);
        if let Some(Set::Const(sites)) = &set {
            self.note_region(node, sites);
        }
        set
    }

    fn set_of(&mut self, node: &Node, when: When) -> Option<Set<Sites>> {
        let sort = Sort::Set;
        let head = self.head(sort, node)?;
        let (least, most) = match head {
            "mine" | "theirs" => (0, 1),
            "piece" | "last" | "row" | "column" | "home" | "far" | "side" | "not" | "enclosed"
            | "opposite" => (1, 1),
            "rows" | "columns" | "rays" | "joined" | "covered" => (2, 2),
            "next" | "custodial" => (1, 2),
            "sites" | "and" | "or" | "first-of" => (1, 512),
            "back" => (2, 64),
            _ => (0, 0),
        };
        if !self.arguments(sort, node, least, most) || !self.may_stand(sort, node, when) {
            return None;
        }
        let rest = node.rest();
        Some(match head {
            "empty" => Set::Empty,
            "occupied" => Set::Occupied,
            "everywhere" => {
                let sites: Sites = self.board.sites().collect();
                let sites = if self.board.is_pits() {
                    sites[..2 * self.board.pits()].to_vec()
                } else {
                    sites
                };
                Set::Const([sites.clone(), sites])
            }
            "mine" | "theirs" => {
                let kind = match rest.first() {
                    Some(kind) => Some(self.kind(kind)?),
                    None => None,
                };
                if head == "mine" { Set::Mine(kind) } else { Set::Theirs(kind) }
            }
            "piece" => Set::Piece(self.kind(&rest[0])?),
            "to" => Set::To,
            "from" => Set::From,
            "over" => Set::Over,
            "taken" => Set::Taken,
            "last" => {
                self.memory.last = true;
                Set::Last(self.who(&rest[0])?)
            }
            "sites" => {
                let sites: Vec<_> = rest.iter().map(|node| self.site(node)).collect();
                let mut sites: Sites = sites.into_iter().collect::<Option<_>>()?;
                sites.sort_unstable();
                sites.dedup();
                Set::Const([sites.clone(), sites])
            }
            "row" | "rows" => self.lines_of_board(node, true)?,
            "column" | "columns" => self.lines_of_board(node, false)?,
            "home" => self.turned_rows(node, true)?,
            "far" => self.turned_rows(node, false)?,
            "side" => {
                let side = rest[0].head().unwrap_or_default();
                match self.board.region(Region::Side(side)) {
                    Some(sites) => Set::Const([sites.clone(), sites]),
                    None => {
                        let sides = self.board.sides();
                        let message = format!("{} has no side `{side}`", self.board.shape.name());
                        let hint = if sides.is_empty() {
                            "it has no sides".to_owned()
                        } else {
                            format!("its sides are {}", sides.join(", "))
                        };
                        return self.fail_of_board(Mistake::new(rest[0].place, message).hint(hint));
                    }
                }
            }
            "edges" => self.region(node, Region::Edges)?,
            "corners" => self.region(node, Region::Corners)?,
            "center" => self.region(node, Region::Center)?,
            "dark" => self.region(node, Region::Dark)?,
            "light" => self.region(node, Region::Light)?,
            "and" => Set::And(self.sets(rest, when)?),
            "or" => Set::Or(self.sets(rest, when)?),
            "first-of" => Set::FirstOf(self.sets(rest, when)?),
            "not" => Set::Not(Box::new(self.set(&rest[0], when)?)),
            "next" => {
                let set = self.set(&rest[0], when);
                let dirs = match rest.get(1) {
                    Some(dirs) => self.dirs(dirs)?,
                    None => self.all_dirs(),
                };
                Set::Next(Box::new(set?), dirs)
            }
            "rays" => {
                let set = self.set(&rest[0], when);
                let dirs = self.dirs(&rest[1]);
                Set::Rays(Box::new(set?), dirs?)
            }
            "custodial" => {
                let dirs = self.dirs(&rest[0]);
                let most = match rest.get(1) {
                    Some(n) => Some(self.int_in(n, "the length of a run", 1, 512)? as u32),
                    None => None,
                };
                Set::Custodial(dirs?, most)
            }
            "joined" => {
                let (a, b) = (self.set(&rest[0], when), self.set(&rest[1], when));
                Set::Joined(Box::new(a?), Box::new(b?))
            }
            "enclosed" => Set::Enclosed(Box::new(self.set(&rest[0], when)?)),
            "covered" => {
                let (family, set) = (self.groups(&rest[0]), self.set(&rest[1], when));
                Set::Covered(family?, Box::new(set?))
            }
            "supported" => {
                let falls = matches!(self.board.shape, Shape::Grid { .. }) && !self.board.wrap.rows;
                if !falls {
                    let message = format!(
                        "nothing falls on {}: `supported` needs a grid",
                        self.board.shape.name()
                    );
                    let message = if self.board.wrap.rows {
                        "nothing falls where rows are joined in a ring".to_owned()
                    } else {
                        message
                    };
                    return self.fail_of_board(Mistake::new(node.head_place(), message));
                }
                Set::Supported
            }
            "store" => {
                self.needs_pits(node)?;
                Set::Store
            }
            "opposite" => {
                self.needs_pits(node)?;
                Set::Opposite(Box::new(self.set(&rest[0], when)?))
            }
            "back" => {
                self.needs_pits(node)?;
                let set = self.set(&rest[0], when);
                let numbers: Vec<_> = rest[1..].iter().map(|node| self.int(node)).collect();
                Set::Back(Box::new(set?), numbers.into_iter().collect::<Option<_>>()?)
            }
            other => unreachable!("`{other}` is a word for sets"),
        })
    }

    pub(super) fn all_dirs(&self) -> Dirs {
        self.board.directions("all").unwrap_or_default()
    }

    /// The number of a family of sets.
    fn groups(&mut self, node: &Node) -> Option<usize> {
        let sort = Sort::Family;
        let head = self.head(sort, node)?;
        let rest = node.rest();
        match head {
            "line" => {
                if !self.arguments(sort, node, 1, 3) {
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
                        Mistake::new(rest[0].place, message).hint("nobody could ever make it"),
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
                if !self.arguments(sort, node, 1, 32) {
                    return None;
                }
                let cells = self.pairs(rest)?;
                let flat = matches!(self.board.shape, Shape::Grid { levels: 1, .. });
                if !flat {
                    let message =
                        format!("shapes need a grid, and this is {}", self.board.shape.name());
                    return self.fail_of_board(Mistake::new(node.head_place(), message));
                }
                let sets = self.board.shapes(&cells);
                if sets.is_empty() {
                    return self.fail_of_board(
                        Mistake::new(node.head_place(), "the shape does not fit on this board")
                            .hint("nobody could ever make it"),
                    );
                }
                let sets = sets.into_iter().map(|sites| (sites, Vec::new())).collect();
                self.family(node, Family { sets }, Pattern::Shape(cells))
            }
            _ => {
                if !self.arguments(sort, node, 0, 0) {
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

    /// Pairs of numbers, as offsets and shapes have them.
    pub(super) fn pairs(&mut self, nodes: &[Node]) -> Option<Vec<(i32, i32)>> {
        let mut pairs = Vec::new();
        for node in nodes {
            let pair = match &node.is {
                Is::List(pair) if pair.len() == 2 => {
                    let x = self.int_in(&pair[0], "a coordinate", -25, 25);
                    let y = self.int_in(&pair[1], "a coordinate", -25, 25);
                    x.zip(y)?
                }
                _ => {
                    return self.fail(
                        Mistake::new(node.place, "two numbers in parentheses are wanted here")
                            .hint("for example `(1 2)`"),
                    );
                }
            };
            pairs.push(pair);
        }
        Some(pairs)
    }

    pub(super) fn num(&mut self, node: &Node, when: When) -> Option<Num<Sites>> {
        let sort = Sort::Number;
        if let Is::Number(number) = node.is {
            return Some(Num::Int(number as i32));
        }
        if let Is::Word(name) = &node.is
            && let Some(option) = self.options.iter().find(|option| option.name == *name)
        {
            return Some(Num::Int(option.value));
        }
        let head = self.head(sort, node)?;
        let (least, most) = match head {
            "score" => (0, 1),
            "hand" | "made" => (1, 2),
            "+" => (1, 32),
            "-" => (2, 2),
            _ => (1, 1),
        };
        if !self.arguments(sort, node, least, most) || !self.may_stand(sort, node, when) {
            return None;
        }
        let rest = node.rest();
        Some(match head {
            "count" => Num::Count(self.set(&rest[0], when)?),
            "groups" => Num::Groups(self.set(&rest[0], when)?),
            "largest" => Num::Largest(self.set(&rest[0], when)?),
            "score" => {
                self.memory.score |= !self.board.is_pits();
                Num::Score(match rest.first() {
                    Some(who) => self.who(who)?,
                    None => Who::Mover,
                })
            }
            "hand" => {
                let who = self.who(&rest[0]);
                let kind = match rest.get(1) {
                    Some(node) => Some((self.kind(node)?, node)),
                    None => None,
                };
                match kind {
                    Some((kind, node)) if self.kinds[kind as usize].hand.is_none() => {
                        let name = &self.kinds[kind as usize].name;
                        let message = format!("`{name}` has no hand");
                        let hint = format!("a hand is given in pieces: `({name} each (hand 9))`");
                        return self.fail(Mistake::new(node.place, message).hint(hint));
                    }
                    None if self.kinds.iter().all(|kind| kind.hand.is_none()) => {
                        let message = "no kind of piece has a hand";
                        return self.fail(
                            Mistake::new(node.head_place(), message)
                                .hint("a hand is given in pieces: `(man each (hand 9))`"),
                        );
                    }
                    _ => {}
                }
                Num::Hand(who?, kind.map(|(kind, _)| kind))
            }
            "made" => {
                let family = self.groups(&rest[0]);
                let set = match rest.get(1) {
                    Some(set) => self.set(set, when),
                    None => Some(Set::Mine(None)),
                };
                Num::Made(family?, set?)
            }
            "seeds" => {
                self.needs_pits(node)?;
                Num::Seeds(self.set(&rest[0], when)?)
            }
            "+" => {
                let parts: Vec<_> = rest.iter().map(|node| self.num(node, when)).collect();
                Num::Add(parts.into_iter().collect::<Option<_>>()?)
            }
            _ => {
                let (a, b) = (self.num(&rest[0], when), self.num(&rest[1], when));
                Num::Sub(Box::new(a?), Box::new(b?))
            }
        })
    }

    pub(super) fn cond(&mut self, node: &Node, when: When) -> Option<Cond<Sites>> {
        let sort = Sort::Condition;
        let head = self.head(sort, node)?;
        let (least, most) = match head {
            "some" | "none" | "opening" | "not" => (1, 1),
            "makes" => (1, 2),
            "connects" => (2, 16),
            "and" | "or" => (1, 64),
            _ => (2, 2),
        };
        if !self.arguments(sort, node, least, most) || !self.may_stand(sort, node, when) {
            return None;
        }
        let rest = node.rest();
        let how = match head {
            "=" => Some(Compare::Equal),
            "<" => Some(Compare::Less),
            ">" => Some(Compare::Greater),
            "<=" => Some(Compare::AtMost),
            ">=" => Some(Compare::AtLeast),
            _ => None,
        };
        if let Some(how) = how {
            let (a, b) = (self.num(&rest[0], when), self.num(&rest[1], when));
            return Some(Cond::Compare(how, a?, b?));
        }
        Some(match head {
            "some" => Cond::Some(self.set(&rest[0], when)?),
            "none" => Cond::None(self.set(&rest[0], when)?),
            "in" => {
                let (a, b) = (self.set(&rest[0], when), self.set(&rest[1], when));
                Cond::In(a?, b?)
            }
            "is" => {
                let (a, b) = (self.who(&rest[0]), self.who(&rest[1]));
                Cond::Is(a?, b?)
            }
            "makes" => {
                let family = self.groups(&rest[0]);
                let set = match rest.get(1) {
                    Some(set) => self.set(set, when),
                    None => Some(Set::Mine(None)),
                };
                Cond::Makes(family?, set?)
            }
            "connects" => {
                let set = self.set(&rest[0], when);
                let ends = self.sets(&rest[1..], when);
                Cond::Connects(set?, ends?)
            }
            "opening" => {
                let n = self.int_in(&rest[0], "a number of plies", 1, 1_000)? as u32;
                self.memory.plies = self.memory.plies.max(n);
                Cond::Opening(n)
            }
            "not" => Cond::Not(Box::new(self.cond(&rest[0], when)?)),
            _ => {
                let parts: Vec<_> = rest.iter().map(|node| self.cond(node, when)).collect();
                let parts = parts.into_iter().collect::<Option<_>>()?;
                if head == "and" { Cond::And(parts) } else { Cond::Or(parts) }
            }
        })
    }

    pub(super) fn effects(&mut self, nodes: &[Node]) -> Option<Vec<Effect<Sites>>> {
        let effects: Vec<_> = nodes.iter().map(|node| self.effect(node)).collect();
        effects.into_iter().collect()
    }

    pub(super) fn effect(&mut self, node: &Node) -> Option<Effect<Sites>> {
        let (sort, when) = (Sort::Effect, When::OfMove);
        let head = self.head(sort, node)?;
        let (least, most) = match head {
            "capture" | "flip" | "become" | "collect" => (1, 1),
            "put" => (3, 3),
            "add" => (1, 2),
            "if" => (2, 64),
            _ => (0, 0),
        };
        if !self.arguments(sort, node, least, most) {
            return None;
        }
        let rest = node.rest();
        Some(match head {
            "capture" | "flip" if self.board.is_pits() => {
                let message = format!("pits have no pieces to {head}");
                return self.fail_of_board(
                    Mistake::new(node.head_place(), message).hint("seeds are taken by `collect`"),
                );
            }
            "capture" => Effect::Capture(self.set(&rest[0], when)?),
            "flip" => Effect::Flip(self.set(&rest[0], when)?),
            "put" => {
                let side = if rest[0].head() == Some("neutral") {
                    Some(Side::Neutral)
                } else {
                    self.who(&rest[0]).map(Side::Of)
                };
                let kind = self.kind(&rest[1]);
                let set = self.set(&rest[2], when);
                let (side, kind, set) = (side?, kind?, set?);
                self.owned(&rest[1], kind, side == Side::Neutral)?;
                Effect::Put(side, kind, set)
            }
            "become" => Effect::Become(self.kind(&rest[0])?),
            "add" => {
                if self.board.is_pits() {
                    let message = "points of pits are the seeds in the store";
                    return self.fail_of_board(
                        Mistake::new(node.head_place(), message).hint("use `collect`"),
                    );
                }
                self.memory.score = true;
                let n = self.num(&rest[0], when);
                let who = match rest.get(1) {
                    Some(who) => self.who(who),
                    None => Some(Who::Mover),
                };
                Effect::Add(n?, who?)
            }
            "again" => {
                self.again.get_or_insert(node.head_place());
                Effect::Again
            }
            "if" => {
                let cond = self.cond(&rest[0], when);
                let effects = self.effects(&rest[1..]);
                Effect::If(cond?, effects?)
            }
            "collect" => {
                self.needs_pits(node)?;
                Effect::Collect(self.set(&rest[0], when)?)
            }
            _ => {
                self.needs_pits(node)?;
                Effect::Sweep
            }
        })
    }

    /// Whether pieces of a kind may belong to somebody, or to nobody.
    pub(super) fn owned(&mut self, node: &Node, kind: u8, neutral: bool) -> Option<()> {
        let of = &self.kinds[kind as usize];
        if (of.owner == crate::tree::Owner::Neutral) == neutral {
            return Some(());
        }
        let name = &of.name;
        let (message, hint) = if neutral {
            (format!("`{name}` belongs to players"), format!("`({name} neutral)` would not"))
        } else {
            (format!("`{name}` belongs to nobody"), "write `neutral` for the player".to_owned())
        };
        self.fail(Mistake::new(node.place, message).hint(hint))
    }

    pub(super) fn result(&mut self, node: &Node) -> Option<Outcome<Sites>> {
        let sort = Sort::Result;
        let head = self.head(sort, node)?;
        let arguments = usize::from(head != "draw");
        if !self.arguments(sort, node, arguments, arguments) {
            return None;
        }
        let rest = node.rest();
        Some(match head {
            "win" => Outcome::Win(self.who(&rest[0])?),
            "lose" => Outcome::Lose(self.who(&rest[0])?),
            "draw" => Outcome::Draw,
            "most" => Outcome::Most(self.num(&rest[0], When::Before)?),
            _ => Outcome::Least(self.num(&rest[0], When::Before)?),
        })
    }
}
