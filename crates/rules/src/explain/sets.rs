//! Phrases for sets of sites, either as cells or as the pieces on them.

use super::Speaker;
use super::nouns::{a, list, number, plural};
use super::places::Part;
use crate::board::Site;
use crate::said::Pattern;
use crate::tree::Set;

type SetOf = Set<Vec<Site>>;

/// Owner of the pieces in a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Friendly,
    Opposing,
}

/// Phrase for sites or pieces with their attributes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Simple {
    pub(super) side: Option<Side>,
    /// Noun for the pieces; `None` for sites.
    pub(super) piece: Option<String>,
    adjectives: Vec<String>,
    pub(super) parts: Vec<Part>,
    /// Relative clauses, each in singular and plural.
    clauses: Vec<(String, String)>,
}

/// Phrase for a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Phrase {
    Simple(Simple),
    /// Finished phrase, such as `the cell hopped over`.
    Whole(String),
    /// Union of several sets.
    Any(Vec<Phrase>),
    /// First set that is not empty.
    First(Vec<Phrase>),
}

impl Simple {
    fn adjective(word: &str) -> Simple {
        Simple { adjectives: vec![word.to_owned()], ..Simple::default() }
    }

    fn clause(one: impl Into<String>, many: impl Into<String>) -> Simple {
        Simple { clauses: vec![(one.into(), many.into())], ..Simple::default() }
    }

    /// Intersection of two phrases; `None` if they cannot be combined.
    fn and(mut self, other: Simple) -> Option<Simple> {
        if self.piece.is_some() && other.piece.is_some() && self.piece != other.piece
            || self.side.is_some() && other.side.is_some() && self.side != other.side
        {
            return None;
        }
        let several = |simple: &Simple| simple.parts.iter().any(|part| !part.names.is_empty());
        if several(&self) && several(&other) {
            return None;
        }
        self.side = self.side.or(other.side);
        self.piece = self.piece.or(other.piece);
        for adjective in other.adjectives {
            if !self.adjectives.contains(&adjective) {
                self.adjectives.push(adjective);
            }
        }
        if self.piece.is_some() {
            // Pieces always stand on occupied sites, so the adjective is dropped.
            self.adjectives.retain(|adjective| adjective != "occupied");
        }
        self.parts.extend(other.parts);
        self.clauses.extend(other.clauses);
        Some(self)
    }

    /// Phrase without an article: `opposing men on row 1`.
    fn bare(&self, site: &str, many: bool) -> String {
        let mut words: Vec<String> = Vec::new();
        words.extend(
            self.side.map(|side| {
                if side == Side::Friendly { "friendly" } else { "opposing" }.to_owned()
            }),
        );
        words.extend(self.adjectives.iter().cloned());
        let in_number = |noun: &str| if many { plural(noun) } else { noun.to_owned() };
        let adjectives = || {
            let adjectives = self.parts.iter().map(|part| part.adjective.clone());
            adjectives.filter(|adjective| !adjective.is_empty())
        };
        let of: Vec<String> =
            self.parts.iter().map(|part| part.of.clone()).filter(|of| !of.is_empty()).collect();
        let named: Vec<String> = self.parts.iter().flat_map(|part| part.names.clone()).collect();
        match &self.piece {
            Some(piece) => {
                words.push(in_number(piece));
                let adjectives: Vec<String> = adjectives().collect();
                if !adjectives.is_empty() {
                    let sites = if many { plural(site) } else { site.to_owned() };
                    let article = if many { "" } else { "a " };
                    let sites = format!("{article}{} {sites}", adjectives.join(" "));
                    let sites = sites.replace("a edge", "an edge");
                    words.push(format!("on {sites}"));
                    words.extend(of.iter().map(|of| format!("of {of}")));
                } else {
                    words.extend(of.iter().map(|of| format!("on {of}")));
                }
                if !named.is_empty() {
                    words.push(format!("on {}", list(&named, "or")));
                }
            }
            None => {
                words.extend(adjectives());
                words.push(in_number(site));
                words.extend(of.iter().map(|of| format!("of {of}")));
                if !named.is_empty() {
                    words.push(format!("among {}", list(&named, "and")));
                }
            }
        }
        let clauses: Vec<&str> =
            self.clauses.iter().map(|(one, all)| if many { all } else { one }.as_str()).collect();
        if !clauses.is_empty() {
            words.push(clauses.join(" and "));
        }
        words.join(" ")
    }

    /// Tests whether the phrase consists of one part of the board only.
    pub(super) fn is_one_part(&self) -> bool {
        let plain = self.piece.is_none() && self.adjectives.is_empty() && self.clauses.is_empty();
        plain && self.parts.len() == 1
    }

    /// Names of the sites, if the phrase consists of named sites only.
    pub(super) fn only_names(&self) -> Option<&[String]> {
        let plain = self.piece.is_none() && self.adjectives.is_empty() && self.clauses.is_empty();
        match &self.parts[..] {
            [part] if plain && !part.names.is_empty() => Some(&part.names),
            _ => None,
        }
    }

    /// Tests whether the phrase means every site of the board.
    fn is_everywhere(&self) -> bool {
        *self == Simple { parts: vec![Part::default()], ..Simple::default() }
    }
}

impl Phrase {
    /// Tests whether the words of the phrase could be taken for a part of the phrase around it.
    fn is_compound(&self) -> bool {
        match self {
            Phrase::Simple(simple) => simple.clauses.len() > 1,
            Phrase::Whole(_) => false,
            Phrase::Any(_) | Phrase::First(_) => true,
        }
    }

    /// Words of the phrase within another phrase: those of a compound stand in parentheses.
    fn within(&self, words: String) -> String {
        if self.is_compound() { format!("({words})") } else { words }
    }

    /// [`Phrase::one`] within another phrase.
    pub(super) fn one_within(&self, site: &str) -> String {
        self.within(self.one(site))
    }

    /// [`Phrase::many`] within another phrase.
    pub(super) fn many_within(&self, site: &str) -> String {
        self.within(self.many(site))
    }

    /// Singular with an article: `an empty cell`.
    pub(super) fn one(&self, site: &str) -> String {
        match self {
            Phrase::Simple(simple) if simple.is_everywhere() => format!("any {site}"),
            Phrase::Simple(simple) => match simple.only_names() {
                Some([name]) => name.clone(),
                Some(some) => list(some, "or"),
                None => a(&simple.bare(site, false)),
            },
            Phrase::Whole(text) => text.clone(),
            Phrase::Any(all) => {
                list(&all.iter().map(|phrase| phrase.one_within(site)).collect::<Vec<_>>(), "or")
            }
            Phrase::First(all) => firsts(all.iter().map(|phrase| phrase.one_within(site))),
        }
    }

    /// Plural: `empty cells`.
    pub(super) fn many(&self, site: &str) -> String {
        match self {
            Phrase::Simple(simple) if simple.is_everywhere() => format!("all {}", plural(site)),
            Phrase::Simple(simple) => match simple.only_names() {
                Some(some) => list(some, "and"),
                None => simple.bare(site, true),
            },
            Phrase::Whole(text) => text.clone(),
            Phrase::Any(all) => {
                list(&all.iter().map(|phrase| phrase.many_within(site)).collect::<Vec<_>>(), "and")
            }
            Phrase::First(all) => firsts(all.iter().map(|phrase| phrase.many_within(site))),
        }
    }

    /// Form after a count, such as `men` after `at least two`.
    pub(super) fn counted(&self, site: &str, many: bool) -> String {
        match self {
            Phrase::Simple(simple) if simple.is_everywhere() => {
                if many {
                    plural(site)
                } else {
                    site.to_owned()
                }
            }
            Phrase::Simple(simple) => simple.bare(site, many),
            other => {
                let sites = if many { plural(site) } else { site.to_owned() };
                format!("{sites} among {}", other.many_within(site))
            }
        }
    }

    /// [`Phrase::counted`] within another phrase.
    pub(super) fn counted_within(&self, site: &str, many: bool) -> String {
        let words = self.counted(site, many);
        // Other phrases have their parentheses already.
        if matches!(self, Phrase::Simple(_)) { self.within(words) } else { words }
    }

    /// Tests whether a verb after [`Phrase::many`] is in the plural.
    pub(super) fn is_many(&self) -> bool {
        match self {
            Phrase::Simple(simple) => simple.only_names().is_none_or(|names| names.len() > 1),
            Phrase::Whole(text) => text.starts_with("the sites"),
            Phrase::Any(_) => true,
            Phrase::First(all) => all.first().is_some_and(Phrase::is_many),
        }
    }
}

fn firsts(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    items.join(" or, if there is none, ")
}

impl Speaker<'_> {
    /// Phrase for a set.
    pub(super) fn phrase(&self, set: &SetOf) -> Phrase {
        let simple = |simple| Phrase::Simple(simple);
        let pits = self.program.board.is_pits();
        let site = self.site();
        match set {
            Set::Const(sites) => {
                simple(Simple { parts: vec![self.part(sites)], ..Simple::default() })
            }
            Set::Empty => simple(Simple::adjective("empty")),
            Set::Occupied if pits => simple(Simple::clause("with seeds", "with seeds")),
            Set::Occupied => simple(Simple::adjective("occupied")),
            Set::Mine(_) | Set::Theirs(_) if pits => {
                let mine = matches!(set, Set::Mine(_));
                let whose = if mine { &self.voice.mover } else { &self.voice.other };
                let clause = format!("with seeds of {} row", super::possessive(whose));
                simple(Simple::clause(clause.clone(), clause))
            }
            Set::Mine(kind) => simple(Simple {
                side: Some(Side::Friendly),
                piece: Some(self.kind(*kind)),
                ..Simple::default()
            }),
            Set::Theirs(kind) => simple(Simple {
                side: Some(Side::Opposing),
                piece: Some(self.kind(*kind)),
                ..Simple::default()
            }),
            Set::Piece(kind) => {
                simple(Simple { piece: Some(self.kind(Some(*kind))), ..Simple::default() })
            }
            Set::To if pits => Phrase::Whole("the last pit".to_owned()),
            Set::To => Phrase::Whole(format!("the {site} of {}", self.actor())),
            Set::From if pits => Phrase::Whole("the pit that was sown".to_owned()),
            Set::From => Phrase::Whole(format!("the {site} that was left")),
            Set::Over => Phrase::Whole(format!("the {site} hopped over")),
            Set::Taken => {
                let how = self.taking();
                let clause = format!("where a piece was {how}");
                simple(Simple::clause(clause.clone(), clause))
            }
            Set::Last(who) => {
                Phrase::Whole(format!("the {site} where {} arrived last", self.who(*who)))
            }
            Set::And(sets) => self.both(sets),
            Set::Or(sets) => match &sets[..] {
                [one] => self.phrase(one),
                _ => Phrase::Any(sets.iter().map(|set| self.phrase(set)).collect()),
            },
            Set::FirstOf(sets) => match &sets[..] {
                [one] => self.phrase(one),
                _ => Phrase::First(sets.iter().map(|set| self.phrase(set)).collect()),
            },
            Set::Not(set) => self.not(set, &[]),
            Set::Next(set, dirs) => {
                let near = self.near(set);
                // Points of the compass stand before the noun, so that nested sets are understood.
                let clause = self.bearing(dirs).map_or_else(
                    || format!("next to {near}{}", self.adverb_of_lines(dirs)),
                    |bearing| format!("directly {bearing} of {near}"),
                );
                simple(Simple::clause(clause.clone(), clause))
            }
            Set::Rays(set, dirs) => {
                let clause =
                    format!("in sight of {}{}", self.near(set), self.adverb_of_lines(dirs));
                simple(Simple {
                    adjectives: vec!["empty".to_owned()],
                    clauses: vec![(clause.clone(), clause)],
                    ..Simple::default()
                })
            }
            Set::Custodial(dirs, most) => {
                let lines = self.adverb_of_lines(dirs);
                let most =
                    most.map_or(String::new(), |n| format!(" of at most {}", number(i64::from(n))));
                let clause = format!(
                    "in an unbroken run{most}{lines} between {} and another friendly {}",
                    self.actor(),
                    self.kind(None)
                );
                simple(Simple {
                    side: Some(Side::Opposing),
                    piece: Some(self.kind(None)),
                    clauses: vec![(
                        clause.clone(),
                        clause.replacen("an unbroken run", "unbroken runs", 1),
                    )],
                    ..Simple::default()
                })
            }
            Set::Joined(_, within) | Set::Enclosed(within) | Set::Covered(_, within) => {
                let (one, many) = self.grouped(set, true);
                let clause = Simple::clause(one, many);
                // Owner and kind are said before the clause, which says the rest.
                Phrase::Simple(match self.phrase(within) {
                    Phrase::Simple(Simple { side, piece, .. }) => Simple { side, piece, ..clause },
                    _ => clause,
                })
            }
            Set::Supported => {
                let clause = format!("with no empty {site} right below");
                simple(Simple {
                    adjectives: vec!["empty".to_owned()],
                    clauses: vec![(clause.clone(), clause)],
                    ..Simple::default()
                })
            }
            Set::Store => Phrase::Whole(format!("{} store", super::possessive(&self.voice.mover))),
            Set::Opposite(set) => {
                let phrase = self.phrase(set);
                match phrase {
                    Phrase::Whole(text) => Phrase::Whole(format!("the pit facing {text}")),
                    other => {
                        let clause = format!("facing {}", other.many_within(site));
                        simple(Simple::clause(clause.clone(), clause))
                    }
                }
            }
            Set::After(set) => match self.phrase(set) {
                Phrase::Whole(text) => Phrase::Whole(match text.strip_prefix("the pit after ") {
                    Some(text) => format!("the second pit after {text}"),
                    None => format!("the pit after {text}"),
                }),
                other => {
                    let clause = format!("right after {}", other.many_within(site));
                    simple(Simple::clause(clause.clone(), clause))
                }
            },
            Set::Counterpart(set) => {
                let clause = format!("of the same number as {}", self.phrase(set).one_within(site));
                simple(Simple::clause(clause.clone(), clause))
            }
            Set::Claimed(who) => {
                let clause = format!("claimed by {}", self.who(*who));
                simple(Simple::clause(clause.clone(), clause))
            }
            Set::Back(set, numbers) => {
                let noun = if numbers[..] == [1] { "seed" } else { "seeds" };
                let numbers: Vec<String> = numbers.iter().map(|&n| number(i64::from(n))).collect();
                let of = match self.phrase(set) {
                    Phrase::Simple(simple)
                        if simple.is_one_part() && !simple.parts[0].of.is_empty() =>
                    {
                        format!("in {}", simple.parts[0].of)
                    }
                    other => format!("among {}", other.many_within(site)),
                };
                Phrase::Whole(format!(
                    "the unbroken run of pits {of} that ends at the last pit and has {} {noun} in each",
                    list(&numbers, "or")
                ))
            }
        }
    }

    /// Past participle for the ways in which pieces are lost or change sides.
    pub(super) fn taking(&self) -> &'static str {
        let flow = self.program.flow();
        match (flow.leave, self.program.flips()) {
            (true, true) => "captured or turned",
            (false, true) => "turned",
            _ => "captured",
        }
    }

    /// Phrase for the piece that moved last in this move.
    pub(super) fn actor(&self) -> String {
        if self.actor.is_empty() { "the piece moved".to_owned() } else { self.actor.clone() }
    }

    /// Phrase for the set whose neighbours are meant.
    fn near(&self, set: &SetOf) -> String {
        match set {
            Set::To if !self.program.board.is_pits() => self.actor(),
            Set::Last(who) => format!("the {} where {} arrived last", self.site(), self.who(*who)),
            set => match self.phrase(set) {
                Phrase::Simple(simple) => Phrase::Simple(simple).one_within(self.site()),
                other => other.many_within(self.site()),
            },
        }
    }

    /// Clause of a set of sites that depend on their group or pattern, in singular and plural. If
    /// `is` is false, it is denied.
    ///
    /// The group of a player's own or opposing pieces need not be said, because the words before the
    /// clause name them.
    fn grouped(&self, set: &SetOf, is: bool) -> (String, String) {
        let site = self.site();
        let said = |within: &SetOf| match within {
            Set::Mine(_) | Set::Theirs(_) => None,
            within => Some(self.phrase(within).many_within(site)),
        };
        let both = |clause: String| (clause.clone(), clause);
        match set {
            Set::Joined(seeds, within) => {
                let not = if is { "" } else { "not " };
                let through = said(within).map_or(String::new(), |all| format!(" through {all}"));
                both(format!("{not}connected with {}{through}", self.near(seeds)))
            }
            Set::Enclosed(within) => match (said(within), is) {
                (None, true) => (
                    format!("whose group touches no empty {site}"),
                    format!("in groups that touch no empty {site}"),
                ),
                (None, false) => (
                    format!("whose group touches an empty {site}"),
                    format!("in groups that touch an empty {site}"),
                ),
                (Some(all), true) => {
                    both(format!("in a group of {all} that touches no empty {site}"))
                }
                (Some(all), false) => {
                    both(format!("not in a group of {all} that touches no empty {site}"))
                }
            },
            Set::Covered(family, within) => {
                let of = match said(within) {
                    Some(_) => self.made_of(*family, within),
                    None => String::new(),
                };
                let pattern = a(&self.pattern(*family, &of));
                let not = if is { "" } else { " not" };
                (
                    format!("that is{not} part of {pattern}"),
                    format!("that are{not} part of {pattern}"),
                )
            }
            _ => unreachable!("the set has no groups"),
        }
    }

    fn both(&self, sets: &[SetOf]) -> Phrase {
        let mut all: Option<Simple> = None;
        let mut rest = Vec::new();
        for set in sets {
            let phrase = match set {
                Set::Not(set) => self.not(set, sets),
                set => self.phrase(set),
            };
            match phrase {
                Phrase::Simple(simple) => match all.clone() {
                    None => all = Some(simple),
                    Some(before) => match before.and(simple.clone()) {
                        Some(both) => all = Some(both),
                        None => rest.push(Phrase::Simple(simple)),
                    },
                },
                other => rest.push(other),
            }
        }
        let site = self.site();
        let mut all = match (all, rest.len()) {
            (None, 1) => return rest.remove(0),
            (all, _) => all.unwrap_or_default(),
        };
        for other in rest {
            let clause = match &other {
                Phrase::Whole(text) => (format!("that is {text}"), format!("that are {text}")),
                other => {
                    let among = format!("among {}", other.many_within(site));
                    (among.clone(), among)
                }
            };
            all.clauses.push(clause);
        }
        Phrase::Simple(all)
    }

    /// Phrase for the sites outside a set, said beside the sets of the same intersection.
    fn not(&self, set: &SetOf, beside: &[SetOf]) -> Phrase {
        let site = self.site();
        match set {
            Set::Empty => return self.phrase(&Set::Occupied),
            Set::Occupied => return Phrase::Simple(Simple::adjective("empty")),
            Set::Not(set) => return self.phrase(set),
            _ => {}
        }
        let clause = match (set, self.phrase(set)) {
            // The words for the set beside it name the pieces, so only the clause is denied.
            (Set::Covered(_, within) | Set::Joined(_, within) | Set::Enclosed(within), _)
                if beside.contains(within) =>
            {
                self.grouped(set, false)
            }
            (Set::Joined(_, within), _) if !matches!(**within, Set::Mine(_) | Set::Theirs(_)) => {
                self.grouped(set, false)
            }
            (_, Phrase::Simple(simple)) if simple.side.is_some() || simple.piece.is_some() => {
                let without = format!("without {}", Phrase::Simple(simple).one_within(site));
                (without.clone(), without)
            }
            (_, Phrase::Simple(simple)) if simple.is_one_part() => {
                let part = &simple.parts[0];
                let away = match part.of.is_empty() {
                    true => format!("away from {}", Phrase::Simple(simple.clone()).many(site)),
                    false => format!("away from {}", part.of),
                };
                (away.clone(), away)
            }
            (_, Phrase::Simple(simple)) => {
                let phrase = Phrase::Simple(simple);
                (
                    format!("that is not {}", phrase.one_within(site)),
                    format!("that are not {}", phrase.many_within(site)),
                )
            }
            (_, Phrase::Whole(text)) => {
                (format!("other than {text}"), format!("other than {text}"))
            }
            (_, other) => (
                format!("that is not among {}", other.many_within(site)),
                format!("that are not among {}", other.many_within(site)),
            ),
        };
        Phrase::Simple(Simple::clause(clause.0, clause.1))
    }

    /// Phrase for the pieces on a set that an effect applies to.
    pub(super) fn pieces_on(&self, set: &SetOf) -> String {
        match set {
            Set::To => self.actor(),
            Set::Over => "the piece hopped over".to_owned(),
            Set::FirstOf(sets) if sets.len() > 1 => {
                firsts(sets.iter().map(|set| self.pieces_among(set)))
            }
            Set::Or(sets) if sets.len() > 1 => {
                list(&sets.iter().map(|set| self.pieces_among(set)).collect::<Vec<_>>(), "and")
            }
            set => match self.phrase(set) {
                Phrase::Simple(mut simple) => {
                    if simple.piece.is_none() {
                        if simple.adjectives.iter().any(|adjective| adjective == "empty") {
                            return format!(
                                "what stands on {}",
                                Phrase::Simple(simple).many(self.site())
                            );
                        }
                        simple.adjectives.retain(|adjective| adjective != "occupied");
                        simple.piece = Some(self.any_piece());
                    }
                    match simple.is_all_pieces() {
                        true => format!("all {}", Phrase::Simple(simple).many(self.site())),
                        false => Phrase::Simple(simple).many(self.site()),
                    }
                }
                other => format!("what stands on {}", other.many(self.site())),
            },
        }
    }

    /// [`Speaker::pieces_on`] within another phrase.
    fn pieces_among(&self, set: &SetOf) -> String {
        self.phrase(set).within(self.pieces_on(set))
    }

    /// Noun for any piece on the board.
    pub(super) fn any_piece(&self) -> String {
        match &self.program.kinds[..] {
            [only] => super::noun(&only.name),
            _ => "piece".to_owned(),
        }
    }

    /// Line or shape without an article: `line of four stones`. `of` is the noun for its members.
    pub(super) fn pattern(&self, family: usize, of: &str) -> String {
        let of = if of.is_empty() { String::new() } else { format!(" {of}") };
        let pattern = &self.program.said.patterns[family];
        match pattern {
            Pattern::Line { length, dirs, exactly } => {
                let n = number(i64::from(*length));
                let exactly = if *exactly { "exactly " } else { "" };
                format!("{}line of {exactly}{n}{of}", self.adjective(dirs))
            }
            Pattern::Shape(cells) => format!(
                "pattern of{} on the cells {}",
                if of.is_empty() { " pieces" } else { &of },
                self.shape_cells(cells)
            ),
            Pattern::Boxes if of.is_empty() => "box".to_owned(),
            Pattern::Boxes => format!("box of{of}"),
        }
    }

    fn shape_cells(&self, cells: &[(i32, i32)]) -> String {
        let cells: Vec<String> = cells.iter().map(|(x, y)| format!("({x}, {y})")).collect();
        format!("{}, in any place, turned or mirrored", list(&cells, "and"))
    }
}

impl Simple {
    /// Tests whether the phrase means pieces and tells no more than their owner.
    fn is_all_pieces(&self) -> bool {
        let everywhere = self.parts.iter().all(|part| *part == Part::default());
        self.piece.is_some() && everywhere && self.clauses.is_empty()
    }
}

impl Speaker<'_> {
    /// Turns a phrase for sites into one for the pieces on them.
    pub(super) fn with_piece(&self, mut simple: Simple) -> Phrase {
        simple.adjectives.retain(|adjective| adjective != "occupied");
        simple.piece = Some(self.any_piece());
        Phrase::Simple(simple)
    }
}
