//! Checks of movers and of the words that combine them.

use super::{Checker, Sites, When};
use crate::board::Track;
use crate::error::Mistake;
use crate::reader::{Is, Node};
use crate::tree::{Chain, Laps, Mover, Moves, Owner, Set, Verb};
use crate::words::{Int, MOVERS_MAX, Sort, Word, clauses, word, words_of};

impl Checker<'_> {
    pub(super) fn moves(&mut self, node: &Node, when: When) -> Option<Moves<Sites>> {
        let sort = Sort::Moves;
        let head = self.head(sort, node)?;
        let rest = node.rest();
        match head {
            "or" | "first-of" | "seq" => {
                if !self.arguments(sort, node) {
                    return None;
                }
                let mut parts = Vec::new();
                for (n, part) in rest.iter().enumerate() {
                    let later = head == "seq" && n > 0;
                    parts.push(self.moves(part, if later { When::OfMove } else { when }));
                }
                let parts: Vec<_> = parts.into_iter().collect::<Option<_>>()?;
                Some(match head {
                    "or" => Moves::Or(parts),
                    "first-of" => Moves::FirstOf(parts),
                    _ => Moves::Seq(parts),
                })
            }
            "if" => {
                if !self.arguments(sort, node) {
                    return None;
                }
                let cond = self.cond(&rest[0], when);
                let yes = self.moves(&rest[1], when);
                let no = rest.get(2).map(|no| self.moves(no, when));
                let no = match no {
                    Some(no) => Some(Box::new(no?)),
                    None => None,
                };
                Some(Moves::If(cond?, Box::new(yes?), no))
            }
            _ => self.mover(head, node, when),
        }
    }

    fn mover(&mut self, head: &str, node: &Node, when: When) -> Option<Moves<Sites>> {
        let id = self.movers;
        self.movers += 1;
        self.mover_places.push((node.place, head.to_owned()));
        if id == MOVERS_MAX {
            let message = format!("there are more than {MOVERS_MAX} movers");
            return self.fail(Mistake::new(node.place, message));
        }
        let mut mover = Mover {
            id,
            verb: Verb::Pass,
            kind: None,
            to: Set::Empty,
            then: Vec::new(),
            only_if: None,
        };
        let pits = self.board.is_pits();
        if pits && !matches!(head, "sow" | "pass") {
            let message = format!("on pits nothing moves by `{head}`");
            return self.fail_of_board(
                Mistake::new(node.head_place(), message).hint("seeds move by `sow`"),
            );
        }
        let mut rest = node.rest();
        match head {
            "pass" => {
                if !self.arguments(Sort::Moves, node) {
                    return None;
                }
                return Some(Moves::Mover(Box::new(mover)));
            }
            "swap" => {
                self.memory.plies = self.memory.plies.max(2);
                if when == When::OfMove {
                    let message = "`swap` is a whole move, so it cannot follow another part";
                    return self.fail(Mistake::new(node.head_place(), message));
                }
                if self.kinds.iter().any(|kind| matches!(kind.owner, Owner::Only(_))) {
                    let message = "`swap` needs kinds that both players may own";
                    return self.fail(Mistake::new(node.head_place(), message));
                }
                mover.verb = Verb::Swap { mirror: self.mirror(node)? };
                return Some(Moves::Mover(Box::new(mover)));
            }
            "remove" => {
                if !self.arguments(Sort::Moves, node) {
                    return None;
                }
                mover.verb = Verb::Remove;
                mover.to = self.set(&rest[0], when)?;
                return Some(Moves::Mover(Box::new(mover)));
            }
            "sow" if !pits => {
                let message =
                    format!("`sow` needs a board of pits, and this is {}", self.board.shape.name());
                return self.fail_of_board(Mistake::new(node.head_place(), message));
            }
            _ => {}
        }
        if head == "ride" && self.board.tracks.is_empty() {
            let message = format!(
                "`ride` needs a track, and this is {} without one",
                self.board.shape.name()
            );
            return self.fail_of_board(Mistake::new(node.head_place(), message).hint(
                "a grid or a drawn board has tracks, as in (grid 3 3 (track (line a1 b1 c1) (line c2 b2 a2)))",
            ));
        }
        // The first argument may be a kind. It is read as one only where a kind can stand.
        if head != "sow"
            && let Some(first) = rest.first()
            && let Is::Word(name) = &first.is
            && (self.is_kind(first)
                || head == "place"
                || head == "fly"
                || head == "ride"
                || word(Sort::Directions, name).is_none()
                    && rest.len() > 1
                    && !matches!(rest[1].head(), Some(next) if clauses(head).contains(&next)))
        {
            mover.kind = Some(self.kind(first)?);
            rest = &rest[1..];
        }
        mover.verb = match head {
            "place" => Verb::Place,
            "fly" => Verb::Fly,
            "ride" => Verb::Ride(0),
            "sow" => {
                Verb::Sow { stores: false, skip_origin: false, leave_one: false, laps: Laps::No }
            }
            _ => {
                let Some((first, more)) = rest.split_first() else {
                    let pattern = word(Sort::Moves, head).map_or_else(String::new, Word::pattern);
                    let what = if head == "leap" { "offsets" } else { "a direction" };
                    let message = format!("`{head}` needs {what}");
                    let hint = format!("it is written `{pattern}`");
                    return self.fail(Mistake::new(node.head_place(), message).hint(hint));
                };
                rest = more;
                match head {
                    "step" => Verb::Step(self.dirs(first)?),
                    "slide" => Verb::Slide(self.dirs(first)?, u32::MAX),
                    "hop" => Verb::Hop {
                        dirs: self.dirs(first)?,
                        over: Set::Theirs(None),
                        chain: Chain::No,
                    },
                    _ => Verb::Leap(self.offsets(first, id)?),
                }
            }
        };
        let (mut whole, mut misplaced) = (true, false);
        let mut seen: Vec<&str> = Vec::new();
        for clause in rest {
            let name = clause.head().unwrap_or_default();
            let is_list = matches!(clause.is, Is::List(_));
            if !(is_list && clauses(head).contains(&name)) {
                whole = false;
                // Words after a misplaced one are often misplaced because of it.
                if is_list || !misplaced {
                    let mistake = self.no_clause(head, clause);
                    self.mistake(mistake);
                }
                misplaced |= !is_list;
                continue;
            }
            if seen.contains(&name) {
                whole = false;
                let message = format!("`{name}` stands here a second time");
                self.mistake(Mistake::new(clause.head_place(), message));
                continue;
            }
            seen.push(name);
            whole &= self.clause(&mut mover, name, clause, when).is_some();
        }
        if head == "place" && mover.kind.is_none() {
            mover.kind = Some(0);
        }
        if !whole {
            return None;
        }
        if let (Verb::Place, Some(kind)) = (&mover.verb, mover.kind)
            && self.kinds[kind as usize].owner == Owner::Neutral
            && self.kinds[kind as usize].hand.is_some()
        {
            return self.fail(Mistake::new(node.place, "a neutral kind cannot be in a hand"));
        }
        Some(Moves::Mover(Box::new(mover)))
    }

    fn mirror(&mut self, node: &Node) -> Option<bool> {
        if !self.arguments(Sort::Moves, node) {
            return None;
        }
        let Some(word) = node.rest().first() else { return Some(false) };
        if word.head() != Some("mirror") {
            let message = format!("`{}` cannot follow `swap`", word.text());
            return self.fail(Mistake::new(word.place, message).hint("only `mirror` can"));
        }
        if !self.board.has_mirror() {
            return self.fail_of_board(
                Mistake::new(word.place, "this board has no long diagonal to mirror in")
                    .hint("it needs as many columns as rows"),
            );
        }
        Some(true)
    }

    fn offsets(&mut self, node: &Node, mover: usize) -> Option<Vec<Vec<u16>>> {
        if node.head() != Some("offsets") || node.rest().is_empty() {
            let mistake = Mistake::new(node.place, "`leap` needs offsets")
                .hint("for example `(offsets (1 2))`, the leap of a knight");
            return self.fail(mistake);
        }
        let offsets = self.pairs(node.rest())?;
        if !self.board.is_flat() {
            let message = format!("leaps need a grid, and this is {}", self.board.shape.name());
            return self.fail_of_board(Mistake::new(node.head_place(), message));
        }
        let leaps = self.board.leaps(&offsets);
        self.said.leaps.push((mover, offsets));
        Some(leaps)
    }

    /// Mistake for a clause that a mover does not take.
    fn no_clause(&self, head: &str, clause: &Node) -> Mistake {
        let takes = clauses(head);
        let name = clause.head().unwrap_or_default();
        let listed = format!("It takes {}.", takes.join(", "));
        let place = clause.head_place();
        if takes.contains(&name) {
            let message = format!("`{name}` needs parentheses and something after it");
            return Mistake::new(place, message).hint(format!("as in `({name} ..)`"));
        }
        if let Some(mistake) = self.no_word_of_mover(head, clause) {
            return mistake;
        }
        if name.is_empty() {
            let message = format!("what follows `{head}` in parentheses begins with a word");
            return Mistake::new(place, message).hint(listed);
        }
        let mistake = Mistake::new(place, format!("`{head}` takes no `{name}`"));
        let others: Vec<String> = words_of(Sort::Moves)
            .filter(|mover| mover.clauses.contains(&name))
            .map(|mover| format!("`{}`", mover.name))
            .collect();
        if !others.is_empty() {
            let does = if others.len() == 1 { "does" } else { "do" };
            return mistake.hint(format!(
                "{} {does}. `{head}` takes {}.",
                others.join(", "),
                takes.join(", ")
            ));
        }
        if word(Sort::Effect, name).is_some() {
            return mistake.hint(format!("effects stand in `(then {})`", clause.text()));
        }
        if word(Sort::Set, name).is_some() {
            return mistake.hint(format!("where it may arrive stands in `(to {})`", clause.text()));
        }
        mistake.near(name, takes.iter().copied()).hint(listed)
    }

    /// Mistake for a number, a text, a kind or a direction where only clauses can follow a mover; `None`
    /// for anything else.
    fn no_word_of_mover(&self, head: &str, node: &Node) -> Option<Mistake> {
        let pattern = word(Sort::Moves, head).map_or_else(String::new, Word::pattern);
        let mut hint = format!("it is written `{pattern}`");
        let message = match &node.is {
            Is::Number(number) => {
                if clauses(head).contains(&"at-most") {
                    hint = format!("the greatest length is written `(at-most {number})`");
                }
                format!("`{head}` takes no number here")
            }
            Is::Text(_) => format!("`{head}` takes no text"),
            Is::Word(_) if self.is_kind(node) => {
                format!("`{head}` takes one kind of piece, right behind it")
            }
            Is::Word(name) if word(Sort::Directions, name).is_some() => {
                if matches!(head, "step" | "slide" | "hop") {
                    hint = "several directions stand in `(or n e)`".to_owned();
                    format!("`{head}` has a direction before `{name}` already")
                } else {
                    format!("`{head}` takes no direction")
                }
            }
            _ => return None,
        };
        Some(Mistake::new(node.place, message).hint(hint))
    }

    fn clause(
        &mut self,
        mover: &mut Mover<Sites>,
        name: &str,
        clause: &Node,
        when: When,
    ) -> Option<()> {
        let rest = clause.rest();
        let most = if name == "then" { 64 } else { 1 };
        if rest.is_empty() || rest.len() > most {
            let message = if rest.is_empty() {
                format!("`{name}` needs arguments")
            } else {
                format!("`{name}` has too many arguments")
            };
            let place = rest.get(most).map_or(clause.head_place(), |node| node.place);
            return self.fail(Mistake::new(place, message));
        }
        match (name, &mut mover.verb) {
            ("to", _) => mover.to = self.set(&rest[0], when)?,
            ("then", _) => mover.then = self.effects(rest)?,
            ("only-if", _) => mover.only_if = Some(self.cond(&rest[0], When::OfMove)?),
            ("at-most", Verb::Slide(_, most)) => {
                *most = self.int_of(&rest[0], Int::Slide)? as u32;
            }
            ("bends", Verb::Ride(bends)) => {
                let most = self.board.tracks.iter().map(Track::bend_count).max().unwrap_or(0);
                let least = self.int_of(&rest[0], Int::Bends)? as u32;
                if least > most {
                    let message = format!(
                        "no ride passes {least} bends: a track of this board has at most {most}"
                    );
                    return self.fail_of_board(Mistake::new(rest[0].place, message));
                }
                *bends = least;
            }
            ("over", Verb::Hop { over, .. }) => *over = self.set(&rest[0], when)?,
            ("chain", Verb::Hop { chain, .. }) => {
                *chain = match rest[0].head() {
                    Some("no") => Chain::No,
                    Some("must") => Chain::Must,
                    Some("may") => Chain::May,
                    _ => {
                        let message = format!("a chain cannot be `{}`", rest[0].text());
                        return self.fail(
                            Mistake::new(rest[0].place, message)
                                .hint("one of `no`, `must` or `may`"),
                        );
                    }
                };
            }
            ("stores", Verb::Sow { stores, .. }) => {
                if rest[0].head() != Some("own") {
                    let message = format!("stores cannot be `{}`", rest[0].text());
                    return self
                        .fail(Mistake::new(rest[0].place, message).hint("write `(stores own)`"));
                }
                *stores = true;
            }
            ("skip", Verb::Sow { skip_origin, .. }) => {
                if rest[0].head() != Some("origin") {
                    let message = format!("`{}` cannot be skipped", rest[0].text());
                    return self
                        .fail(Mistake::new(rest[0].place, message).hint("write `(skip origin)`"));
                }
                *skip_origin = true;
            }
            ("leave", Verb::Sow { leave_one, .. }) => {
                if rest[0].head() != Some("one") {
                    let message = format!("a sowing cannot leave `{}`", rest[0].text());
                    return self
                        .fail(Mistake::new(rest[0].place, message).hint("write `(leave one)`"));
                }
                *leave_one = true;
            }
            ("laps", Verb::Sow { laps, .. }) => {
                *laps = match rest[0].head() {
                    Some("to") => Laps::To,
                    Some("next") => Laps::Next,
                    _ => {
                        let message = format!("laps cannot go on from `{}`", rest[0].text());
                        return self.fail(Mistake::new(rest[0].place, message).hint(
                            "`(laps to)` sows the pit of the last seed, `(laps next)` the pit after it",
                        ));
                    }
                };
            }
            _ => unreachable!("`{name}` is a clause of the mover"),
        }
        Some(())
    }
}
