//! Sentences and lists about the moves.

use super::nouns::{a, capital, counted, list, number, sentence};
use super::sets::Phrase;
use super::{Paragraph, Speaker};
use crate::board::Site;
use crate::tree::{Chain, Cond, Effect, LAPS_MAX, Laps, Mover, Moves, Owner, Set, Verb};

type MoverOf = Mover<Vec<Site>>;
type MovesOf = Moves<Vec<Site>>;
type SetOf = Set<Vec<Site>>;

/// Wording of a mover. Alternatives with the same head and the same later sentences are merged.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Said {
    /// Subject and verb: `a man steps`.
    head: String,
    /// Alternatives after the head: `straight forward to an empty cell`.
    ways: Vec<String>,
    /// Clauses for the effects.
    after: Vec<String>,
}

impl Said {
    /// All sentences. `lead` comes before the first one.
    fn text(&self, lead: &str) -> String {
        let first = match self.ways.iter().any(|way| way.is_empty()) {
            true => self.head.clone(),
            false => format!("{} {}", self.head, self.ways.join(", or ")),
        };
        // If the condition has named the player, the sentence says `it`.
        let again = lead.contains("if the player ");
        let first = match first.strip_prefix("the player ") {
            Some(rest) if again => format!("it {rest}"),
            _ => first,
        };
        let first = if lead.is_empty() { first } else { format!("{lead} {first}") };
        let mut sentences = vec![sentence(&first)];
        sentences.extend(self.after.iter().map(|clause| sentence(clause)));
        sentences.join(" ")
    }
}

impl Speaker<'_> {
    pub(super) fn moves_section(&mut self) -> Vec<Paragraph> {
        let mut paragraphs = Vec::new();
        let program = self.program;
        self.block(&program.body.play, "", 0, &mut paragraphs);
        paragraphs
    }

    /// Writes the paragraphs of a part of `play`. `lead` comes before the first sentence; it is
    /// empty or ends with a comma or colon.
    fn block(&mut self, moves: &MovesOf, lead: &str, level: usize, out: &mut Vec<Paragraph>) {
        let mut say = |level: usize, text: String| out.push(Paragraph { level, text });
        match moves {
            Moves::Mover(mover) => {
                let said = self.mover(mover);
                say(level, said.text(lead));
            }
            Moves::Or(_) => {
                let mut parts = Vec::new();
                flatten(moves, &mut parts);
                let before = self.actor.clone();
                let mut actors: Vec<String> = Vec::new();
                let mut items: Vec<Result<Said, &MovesOf>> = Vec::new();
                for part in parts {
                    let Moves::Mover(mover) = part else {
                        items.push(Err(part));
                        continue;
                    };
                    self.actor.clone_from(&before);
                    let said = self.mover(mover);
                    actors.push(self.actor.clone());
                    let same = items.iter_mut().find_map(|item| {
                        let known = item.as_mut().ok()?;
                        (known.head == said.head && known.after == said.after).then_some(known)
                    });
                    match same {
                        Some(known) => {
                            let news =
                                said.ways.into_iter().filter(|way| !known.ways.contains(way));
                            let news: Vec<String> = news.collect();
                            known.ways.extend(news);
                        }
                        None => items.push(Ok(said)),
                    }
                }
                if let [Ok(only)] = &items[..] {
                    say(level, only.text(lead));
                } else {
                    say(level, format!("{}:", capital(&one_of(lead))));
                    for item in items {
                        self.actor.clone_from(&before);
                        match item {
                            Ok(said) => {
                                out.push(Paragraph { level: level + 1, text: said.text("") });
                            }
                            Err(part) => {
                                self.block(part, "", level + 1, out);
                                actors.push(self.actor.clone());
                            }
                        }
                    }
                }
                self.actor = shared(&actors);
            }
            Moves::FirstOf(parts) => {
                let level = if lead.is_empty() {
                    level
                } else {
                    say(level, format!("{}:", capital(lead.trim_end_matches([',', ':']))));
                    level + 1
                };
                let before = self.actor.clone();
                let mut actors = Vec::new();
                for (n, part) in parts.iter().enumerate() {
                    let several = !self.is_one(part);
                    let lead = match (n, several) {
                        (0, false) => "where this is possible, it must be played:",
                        (0, true) => "where any of these is possible, one of them must be played:",
                        (n, _) if n + 1 == parts.len() => "otherwise,",
                        (_, false) => "otherwise, where this is possible, it must be played:",
                        (_, true) => {
                            "otherwise, where any of these is possible, one of them must be played:"
                        }
                    };
                    self.actor.clone_from(&before);
                    self.block(part, lead, level, out);
                    actors.push(self.actor.clone());
                }
                self.actor = shared(&actors);
            }
            Moves::Seq(parts) => {
                let parts_word = counted(parts.len() as i64, "part");
                let skip = if parts.len() == 2 {
                    "the second is left out where it is not possible"
                } else {
                    "a later part is left out where it is not possible"
                };
                let intro = format!("A move has {parts_word}, one after the other; {skip}.");
                let intro = match lead {
                    "" => intro,
                    lead => format!("{} {}", capital(lead), intro.replacen('A', "a", 1)),
                };
                say(level, intro);
                for (n, part) in parts.iter().enumerate() {
                    let lead = if n == 0 { "first," } else { "then," };
                    self.block(part, lead, level + 1, out);
                }
            }
            Moves::If(cond, yes, no) => {
                let when = self.cond(cond, true);
                let lead = lead.trim_end_matches([',', ':']);
                // Two conditions in one sentence are hard to read, so they are nested in a list.
                let (lead, level) = match (lead, no) {
                    ("", _) => (String::new(), level),
                    ("then", None) => ("then, ".to_owned(), level),
                    (lead, _) => {
                        say(level, format!("{}:", capital(lead)));
                        (String::new(), level + 1)
                    }
                };
                let before = self.actor.clone();
                self.block(yes, &format!("{lead}if {when},"), level, out);
                let mut actors = vec![self.actor.clone()];
                if let Some(no) = no {
                    self.actor.clone_from(&before);
                    self.block(no, "otherwise,", level, out);
                    actors.push(self.actor.clone());
                } else {
                    actors.push(before);
                }
                actors.retain(|actor| !actor.is_empty());
                self.actor = shared(&actors);
            }
        }
    }

    /// Tests whether a part of `play` takes a single paragraph.
    fn is_one(&self, moves: &MovesOf) -> bool {
        let mut out = Vec::new();
        self.clone().block(moves, "", 0, &mut out);
        out.len() == 1
    }

    /// Wording of a mover. The mover's piece becomes the actor of later clauses.
    fn mover(&mut self, mover: &MoverOf) -> Said {
        let site = self.site();
        let noun = match mover.kind {
            Some(_) => self.kind(mover.kind),
            None => self.kind(None),
        };
        let neutral = mover
            .kind
            .is_some_and(|kind| self.program.kinds[kind as usize].owner == Owner::Neutral);
        let player = self.voice.mover.clone();
        let piece = a(&noun);
        let hop = matches!(mover.verb, Verb::Hop { .. });
        let mut after = Vec::new();
        let (head, way, actor) = match &mover.verb {
            Verb::Place => {
                let from = mover.kind.and_then(|kind| self.program.kinds[kind as usize].hand);
                let from = if from.is_some() { " from its hand" } else { "" };
                let head = format!("{player} places {piece}{from}");
                (head, self.target(&mover.to, "on", "on"), Some(format!("the {noun} placed")))
            }
            Verb::Step(dirs) => {
                let way = format!("{} {}", self.adverb(dirs), self.target(&mover.to, "to", "onto"));
                (format!("{piece} steps"), way, Some(format!("the {noun} moved")))
            }
            Verb::Slide(dirs, most) => {
                let far = match most {
                    1 => "one cell".replace("cell", site),
                    n if *n < 512 => format!("up to {} {site}s", number(i64::from(*n))),
                    _ => "any distance".to_owned(),
                };
                let way = format!("{far} {} over empty {site}s", self.adverb(dirs));
                let way = match &mover.to {
                    Set::Empty => way,
                    to => format!("{way} and stops {}", self.target(to, "on", "on")),
                };
                (format!("{piece} slides"), way, Some(format!("the {noun} moved")))
            }
            Verb::Leap(_) => {
                let offsets = self.program.said.leap(mover.id).iter();
                let offsets: Vec<String> = offsets.map(|&(x, y)| offset(x, y)).collect();
                let target = self.target(&mover.to, "to", "onto");
                let way = format!("{} {target}", list(&offsets, "or"));
                (format!("{piece} leaps"), way, Some(format!("the {noun} moved")))
            }
            Verb::Fly => {
                let way = self.target(&mover.to, "to", "onto").replacen("to an ", "to any ", 1);
                (format!("{piece} flies"), way, Some(format!("the {noun} moved")))
            }
            Verb::Ride(bends) => {
                let past = match bends {
                    0 => String::new(),
                    n => format!(" and past {} or more", counted(i64::from(*n), "bend")),
                };
                let target = self.target(&mover.to, "to", "onto");
                let way = format!(
                    "along a track, either way and at most once round, over empty {site}s (its own counts as \
                     empty){past}, {target}"
                );
                (format!("{piece} rides"), way, Some(format!("the {noun} moved")))
            }
            Verb::Hop { dirs, over, chain } => {
                let over = self.phrase(over).one(site);
                let behind = match &mover.to {
                    Set::Empty => format!("to the empty {site} right behind"),
                    to => {
                        let free =
                            if to.is_free() { "" } else { "; what stands there is captured" };
                        format!(
                            "to the {site} right behind, which must be {}{free}",
                            self.phrase(to).one(site)
                        )
                    }
                };
                let way = format!("{} over {over} {behind}", self.adverb(dirs));
                // A chain turns only among the directions of its own words.
                let on = match dirs.iter().all(|of| of.len() <= 1) {
                    true => "in the same direction",
                    false if self.adverb(dirs) == "in any direction" => "in any direction",
                    false => "in any of these directions",
                };
                match chain {
                    Chain::No => {}
                    Chain::Must => after
                        .push(format!("it hops on {on} as long as it can, over no piece twice")),
                    Chain::May => after.push(format!("it may hop on {on}, over no piece twice")),
                    Chain::Reach => after.push(format!("it may hop on {on}, by any way")),
                }
                (format!("{piece} hops"), way, Some(format!("the {noun} moved")))
            }
            Verb::Remove => {
                let what = self.removed(&mover.to);
                (format!("{player} takes {what} off the board"), String::new(), None)
            }
            Verb::Sow { stores, skip_origin, leave_one, laps } => {
                let pits = match stores {
                    true => {
                        "into the following pits and its own store, but not into that of the opponent"
                    }
                    false => "into the following pits, but not into stores",
                };
                if *skip_origin {
                    after.push(
                        "the pit that was sown is left out when the seeds come round".to_owned(),
                    );
                }
                if *leave_one {
                    after.push("one seed stays in the pit unless it is the only one".to_owned());
                }
                if self.program.memory.claims {
                    after.push(
                        "a seed that falls into a claimed pit goes to the store of its owner"
                            .to_owned(),
                    );
                }
                let on = match laps {
                    Laps::No => None,
                    Laps::To => Some((
                        "if the last seed falls into a pit with seeds",
                        "all seeds of that pit",
                        "falls into an empty pit",
                    )),
                    Laps::Next => Some((
                        "if the pit after that of the last seed has seeds",
                        "these",
                        "falls in front of an empty pit",
                    )),
                };
                if let Some((when, which, ends)) = on {
                    let store = if *stores { " or into the store" } else { "" };
                    after.push(format!(
                        "{when}, {which} are taken up and sown on in the same way, again and again until a \
                         last seed {ends}{store}, in at most {LAPS_MAX} laps"
                    ));
                }
                let head = format!(
                    "{player} takes all seeds out of a pit of its row and sows them counter-clockwise, one by \
                     one, {pits}"
                );
                (head, String::new(), Some("the last pit".to_owned()))
            }
            Verb::Swap { mirror } => {
                let mirrored = if *mirror { ", mirrored in the long diagonal" } else { "" };
                let head = format!(
                    "only in the second ply of the game, the second player exchanges the pieces of \
                     both players{mirrored}"
                );
                (head, String::new(), None)
            }
            Verb::Pass => (format!("{player} passes"), String::new(), None),
        };
        if neutral && mover.verb != Verb::Place {
            after.push(format!("either player may move {}", super::nouns::plural(&noun)));
        }
        if let Some(actor) = actor {
            self.actor = actor;
        }
        let chained = matches!(mover.verb, Verb::Hop { chain: Chain::Must | Chain::May, .. });
        let mut happens = self.effects(&mover.then);
        if chained && !happens.is_empty() {
            // The effects follow each hop. A piece that becomes another kind stops hopping.
            for clause in &mut happens {
                match clause.strip_prefix("this ") {
                    Some(rest) => *clause = format!("each hop {rest}"),
                    None => *clause = format!("after each hop, {clause}"),
                }
            }
            if mover.then.iter().any(changes_kind) {
                happens.push(format!("{} that changes its kind hops no further", a(&noun)));
            }
        } else if hop && let [Effect::Capture(Set::Over)] = &mover.then[..] {
            happens = vec!["this captures the piece hopped over".to_owned()];
        }
        after.extend(happens);
        if let Some(cond) = &mover.only_if {
            after.push(format!("this is allowed only if {}", self.allowed(cond)));
        }
        Said { head, ways: vec![way], after }
    }

    /// Clause for a condition that is checked after a part of a move.
    fn allowed(&self, cond: &Cond<Vec<Site>>) -> String {
        match cond {
            Cond::Some(Set::Taken) => format!("something is {} by it", self.taking()),
            cond => format!("afterwards {}", self.cond(cond, true)),
        }
    }

    fn removed(&self, set: &SetOf) -> String {
        match set {
            Set::FirstOf(sets) if sets.len() > 1 => {
                let sets: Vec<String> = sets.iter().map(|set| self.removed(set)).collect();
                sets.join(" or, if there is none, ")
            }
            set => match self.phrase(set) {
                Phrase::Simple(simple) if simple.piece.is_none() => {
                    self.with_piece(simple).one(self.site())
                }
                phrase => phrase.one(self.site()),
            },
        }
    }

    /// Phrase for the target of a move: free sites after `free_word`, occupied ones after
    /// `taken_word`.
    fn target(&self, to: &SetOf, free_word: &str, taken_word: &str) -> String {
        let site = self.site();
        let mut parts: Vec<&SetOf> = Vec::new();
        flatten_set(to, &mut parts);
        let (free, taken): (Vec<&SetOf>, Vec<&SetOf>) =
            parts.into_iter().partition(|set| set.is_free());
        let one = |set: &&SetOf| self.phrase(set).one(site);
        let mut text = Vec::new();
        if !free.is_empty() {
            text.push(format!(
                "{free_word} {}",
                list(&free.iter().map(one).collect::<Vec<_>>(), "or")
            ));
        }
        if !taken.is_empty() {
            let pieces = taken.iter().all(
                |set| matches!(self.phrase(set), Phrase::Simple(simple) if simple.piece.is_some()),
            );
            let what = list(&taken.iter().map(one).collect::<Vec<_>>(), "or");
            text.push(match pieces {
                true => format!("{taken_word} {what}, which is captured"),
                false => format!("{free_word} {what}, where a piece that stands there is captured"),
            });
        }
        text.join(" or ")
    }
}

/// Tests whether an effect changes the kind of the moved piece.
fn changes_kind(effect: &Effect<Vec<Site>>) -> bool {
    match effect {
        Effect::Become(_) => true,
        Effect::If(_, effects) => effects.iter().any(changes_kind),
        _ => false,
    }
}

fn one_of(lead: &str) -> String {
    match lead.trim_end_matches([',', ':']) {
        "" => "a move is one of these".to_owned(),
        lead if lead.contains("must be played") => lead.to_owned(),
        lead => format!("{lead}, one of these"),
    }
}

/// Common noun phrase for several pieces that may have moved last.
fn shared(actors: &[String]) -> String {
    match actors {
        [] => String::new(),
        [first, rest @ ..] if rest.iter().all(|actor| actor == first) => first.clone(),
        actors => {
            let noun = |actor: &String| {
                let words: Vec<&str> = actor.split(' ').collect();
                words.get(1..words.len().saturating_sub(1)).map(|words| words.join(" "))
            };
            let first = noun(&actors[0]);
            match first {
                Some(first) if actors.iter().all(|actor| noun(actor).as_ref() == Some(&first)) => {
                    format!("the {first} placed or moved")
                }
                _ => "the piece placed or moved".to_owned(),
            }
        }
    }
}

fn flatten<'m>(moves: &'m MovesOf, out: &mut Vec<&'m MovesOf>) {
    match moves {
        Moves::Or(parts) => parts.iter().for_each(|part| flatten(part, out)),
        other => out.push(other),
    }
}

fn flatten_set<'s>(set: &'s SetOf, out: &mut Vec<&'s SetOf>) {
    match set {
        Set::Or(sets) => sets.iter().for_each(|set| flatten_set(set, out)),
        other => out.push(other),
    }
}

/// Phrase for a leap by an offset and its rotations and reflections.
fn offset(x: i32, y: i32) -> String {
    let (long, short) = (x.abs().max(y.abs()), x.abs().min(y.abs()));
    let cells = |n: i32| counted(i64::from(n), "cell");
    match short {
        0 => format!("{} straight", cells(long)),
        n if n == long => format!("{} diagonally", cells(long)),
        n => format!("{} one way and {} across", cells(long), number(i64::from(n))),
    }
}
