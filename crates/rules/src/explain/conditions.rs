//! Phrases for numbers and conditions.

use super::nouns::{a, counted, digits, list, number, plural};
use super::sets::{Phrase, Side};
use super::{Speaker, player_name};
use crate::board::Site;
use crate::tree::{Compare, Cond, Kind, Num, Owner, Set, Who};

type SetOf = Set<Vec<Site>>;
type NumOf = Num<Vec<Site>>;
type CondOf = Cond<Vec<Site>>;

/// Comparison that holds exactly if another one does not; `None` for equality.
fn denied(how: Compare) -> Option<Compare> {
    Some(match how {
        Compare::Less => Compare::AtLeast,
        Compare::AtLeast => Compare::Less,
        Compare::Greater => Compare::AtMost,
        Compare::AtMost => Compare::Greater,
        Compare::Equal => return None,
    })
}

/// Words for a comparison with a count, and the number after them; `None` if the phrase is `no`.
fn how_many(how: Compare, n: i32) -> Option<(&'static str, i32)> {
    match (how, n) {
        (Compare::Equal | Compare::AtMost, 0) | (Compare::Less, 1) => None,
        (Compare::Greater, 0) => Some(("at least", 1)),
        (Compare::Equal, n) => Some(("exactly", n)),
        (Compare::Less, n) => Some(("fewer than", n)),
        (Compare::Greater, n) => Some(("more than", n)),
        (Compare::AtMost, n) => Some(("at most", n)),
        (Compare::AtLeast, n) => Some(("at least", n)),
    }
}

impl Speaker<'_> {
    /// Phrase for a count of something, such as `at least two men` or `no men`, and whether it is
    /// plural.
    fn many_of(how: Compare, n: i32, noun: &dyn Fn(bool) -> String) -> (String, bool) {
        match how_many(how, n) {
            None => (format!("no {}", noun(true)), true),
            Some((words, n)) => {
                let many = n != 1;
                (format!("{words} {} {}", quantity(n), noun(many)), many)
            }
        }
    }

    /// Noun phrase for a number.
    pub(super) fn num(&self, n: &NumOf) -> String {
        let site = self.site();
        match n {
            Num::Int(n) => number_or_zero(*n),
            Num::Count(set) => format!("the number of {}", self.phrase(set).many(site)),
            Num::Groups(set) => {
                format!("the number of connected groups of {}", self.phrase(set).many(site))
            }
            Num::Largest(set) => format!(
                "the size of the largest connected group of {}",
                self.phrase(set).many(site)
            ),
            Num::Score(who) if self.program.board.is_pits() => {
                format!("the number of seeds in {} store", self.whose(*who))
            }
            Num::Score(who) => format!("{} score", self.whose(*who)),
            Num::Hand(who, kind) => {
                format!("the number of {} in {} hand", self.in_hand(*kind), self.whose(*who))
            }
            Num::Made(family, set) => {
                format!(
                    "the number of {} made",
                    plural_of_pattern(&self.pattern(*family, &self.made_of(*family, set)))
                )
            }
            Num::Seeds(set) => format!("the number of seeds in {}", self.in_pits(set)),
            Num::Add(parts) => {
                let parts: Vec<String> = parts.iter().map(|n| self.num(n)).collect();
                parts.join(" plus ")
            }
            Num::Sub(a, b) => match **b {
                Num::Add(_) | Num::Sub(..) => format!("{} minus ({})", self.num(a), self.num(b)),
                _ => format!("{} minus {}", self.num(a), self.num(b)),
            },
        }
    }

    /// Noun phrase for pits as a place. A row has its own name.
    pub(super) fn in_pits(&self, set: &SetOf) -> String {
        match self.phrase(set) {
            Phrase::Simple(simple) if simple.is_one_part() && !simple.parts[0].of.is_empty() => {
                simple.parts[0].of.clone()
            }
            phrase => phrase.many(self.site()),
        }
    }

    /// Noun for the pieces in a hand.
    fn in_hand(&self, kind: Option<Kind>) -> String {
        let with_hand: Vec<usize> = (0..self.program.kinds.len())
            .filter(|&kind| self.program.kinds[kind].hand.is_some())
            .collect();
        match (kind, &with_hand[..]) {
            (Some(kind), _) => plural(&self.kind(Some(kind))),
            (None, [only]) => plural(&self.kind(Some(*only as Kind))),
            _ => "pieces".to_owned(),
        }
    }

    /// Noun for the pieces or sites that make a line or shape, for [`Speaker::pattern`].
    pub(super) fn made_of(&self, family: usize, set: &SetOf) -> String {
        use crate::said::Pattern;
        let one = matches!(self.program.said.patterns[family], Pattern::Line { length: 1, .. });
        let in_number = |noun: String| if one { noun } else { plural(&noun) };
        match set {
            // A box means drawn lines unless other words say otherwise.
            Set::Occupied if self.program.said.patterns[family] == Pattern::Boxes => String::new(),
            Set::Mine(kind) => in_number(self.kind(*kind)),
            Set::Theirs(kind) => format!("opposing {}", in_number(self.kind(*kind))),
            Set::Piece(kind) => {
                let noun = in_number(self.kind(Some(*kind)));
                match self.program.kinds[*kind as usize].owner {
                    Owner::Each => format!("{noun} of either player"),
                    Owner::Only(_) | Owner::Neutral => noun,
                }
            }
            set => self.phrase(set).counted_within(self.site(), !one),
        }
    }

    /// Clause for a condition, such as `it has no men left`. `is` being false negates it.
    pub(super) fn cond(&self, cond: &CondOf, is: bool) -> String {
        let site = self.site();
        match cond {
            Cond::Compare(how, a, b) => self.compare(*how, a, b, is),
            Cond::Some(set) => self.some(set, is),
            Cond::None(set) => self.some(set, !is),
            Cond::In(set, within) => self.within(set, within, is),
            Cond::Is(a, b) => self.is_same(*a, *b, is),
            Cond::Makes(family, set) => {
                let what = a(&self.pattern(*family, &self.made_of(*family, set)));
                let mover = &self.voice.mover;
                match is {
                    true => format!("{mover} makes {what}"),
                    false => format!("{mover} does not make {what}"),
                }
            }
            Cond::Connects(set, ends) => {
                let ends: Vec<String> = ends.iter().map(|set| self.touched(set)).collect();
                let touches = if is { "connects" } else { "does not connect" };
                if let Set::Mine(kind) = set {
                    let of = plural(&self.kind(*kind));
                    let mover = &self.voice.mover;
                    return format!(
                        "{mover} {touches} {} with one group of {of}",
                        list(&ends, "and")
                    );
                }
                format!(
                    "a group of {} {touches} {}",
                    self.phrase(set).many(site),
                    list(&ends, "and")
                )
            }
            Cond::Opening(n) => {
                let plies = match n {
                    1 => "the first ply of the game".to_owned(),
                    n => format!("one of the first {} plies of the game", number(i64::from(*n))),
                };
                format!("this is {}{plies}", if is { "" } else { "not " })
            }
            Cond::And(parts) | Cond::Or(parts) => {
                let all = matches!(cond, Cond::And(_)) == is;
                let either = |part: &CondOf| {
                    let text = self.cond(part, is);
                    let compound = matches!(part, Cond::And(p) | Cond::Or(p) if p.len() > 1);
                    if compound && parts.len() > 1 { format!("({text})") } else { text }
                };
                let parts: Vec<String> = parts.iter().map(either).collect();
                parts.join(if all { " and " } else { " or " })
            }
            Cond::Not(cond) => self.cond(cond, !is),
            Cond::Even(n) => {
                let parity = if is { "even" } else { "odd" };
                match n {
                    Num::Seeds(set) => match self.phrase(set) {
                        Phrase::Whole(pit) => format!("{pit} has an {parity} number of seeds"),
                        _ => format!("{} is {parity}", self.num(n)),
                    },
                    n => format!("{} is {parity}", self.num(n)),
                }
            }
        }
    }

    /// Phrase for the set that a group touches. A side of the board has its own name.
    fn touched(&self, set: &SetOf) -> String {
        match self.phrase(set) {
            Phrase::Simple(simple) if simple.is_one_part() && !simple.parts[0].of.is_empty() => {
                simple.parts[0].of.clone()
            }
            other => other.one_within(self.site()),
        }
    }

    fn is_same(&self, a: Who, b: Who, is: bool) -> String {
        let name = |who: Who| match who {
            Who::First => Some("the first player"),
            Who::Second => Some("the second player"),
            _ => None,
        };
        match (name(a), name(b)) {
            (Some(a), Some(b)) => format!("{a} {} {b}", if is { "is" } else { "is not" }),
            (None, None) => {
                format!("{} {} {}", self.who(a), if is { "is" } else { "is not" }, self.who(b))
            }
            (named, other) => {
                let named = named.or(other).expect("one of them has a name");
                let who = if name(a).is_some() { b } else { a };
                format!("{} {} {named}", self.who(who), if is { "is" } else { "is not" })
            }
        }
    }

    fn some(&self, set: &SetOf, is: bool) -> String {
        let site = self.site();
        let pits = self.program.board.is_pits();
        match (set, is) {
            (Set::Taken, true) => format!("something was {}", self.taking()),
            (Set::Taken, false) => format!("nothing was {}", self.taking()),
            (Set::Empty, true) => format!("there is an empty {site}"),
            (Set::Empty, false) => format!("no {site} is empty"),
            (Set::Mine(_) | Set::Theirs(_), _) if pits => {
                let who = if matches!(set, Set::Mine(_)) { Who::Mover } else { Who::Opponent };
                let seeds = if is { "seeds" } else { "no seeds" };
                format!("{} has {seeds} in its row", self.who(who))
            }
            (Set::Mine(kind), _) => self.has(Who::Mover, *kind, is),
            (Set::Theirs(kind), _) => self.has(Who::Opponent, *kind, is),
            (set, is) => match self.phrase(set) {
                Phrase::Simple(simple) if simple.piece.is_none() || simple.side.is_none() => {
                    let phrase = Phrase::Simple(simple);
                    match is {
                        true => format!("there is {}", phrase.one(site)),
                        false => format!("there is no {}", phrase.counted(site, false)),
                    }
                }
                Phrase::Whole(text) if is => format!("at least one {site} is in this set: {text}"),
                Phrase::Whole(text) => format!("no {site} is in this set: {text}"),
                phrase if is => format!("there is {}", phrase.one(site)),
                phrase => format!("there is no {}", phrase.counted(site, false)),
            },
        }
    }

    /// Clause for having pieces on the board, or none if `is` is false.
    fn has(&self, who: Who, kind: Option<Kind>, is: bool) -> String {
        let (who, noun) = (self.who(who), self.kind(kind));
        match is {
            true => format!("{who} has {} on the board", a(&noun)),
            false => format!("{who} has no {} left", plural(&noun)),
        }
    }

    fn within(&self, set: &SetOf, within: &SetOf, is: bool) -> String {
        let site = self.site();
        let place = match (set, self.phrase(within)) {
            (_, Phrase::Whole(text)) => text,
            // Sites as a place: `the row`, `a dark cell`, `d4 or e5`.
            (_, Phrase::Simple(simple)) if simple.piece.is_none() => {
                let one = simple.is_one_part();
                let of = simple.parts.first().map(|part| part.of.clone()).unwrap_or_default();
                match one && !of.is_empty() {
                    true => of,
                    false => Phrase::Simple(simple).one(site),
                }
            }
            (_, phrase) => phrase.many(site),
        };
        let pits = self.program.board.is_pits();
        let preposition = if pits { "in" } else { "on" };
        match set {
            Set::To if pits => {
                let be = if is { "falls" } else { "does not fall" };
                format!("the last seed {be} into {place}")
            }
            Set::To => {
                format!("{} is {}{preposition} {place}", self.actor(), if is { "" } else { "not " })
            }
            set => {
                let phrase = self.phrase(set);
                let many = phrase.is_many();
                let be = match (many, is) {
                    (true, true) => "are",
                    (true, false) => "are not",
                    (false, true) => "is",
                    (false, false) => "is not",
                };
                let all = if many { "all " } else { "" };
                let text = phrase.many(site).replacen("all ", "", 1);
                let text = match set {
                    Set::Mine(_) => text.replacen("friendly", &self.whose(Who::Mover), 1),
                    _ => text,
                };
                format!("{all}{text} {be} {preposition} {place}")
            }
        }
    }

    fn compare(&self, how: Compare, a: &NumOf, b: &NumOf, is: bool) -> String {
        let (how, is) = match (is, denied(how)) {
            (false, Some(other)) => (other, true),
            (is, _) => (how, is),
        };
        if !is {
            return format!("{} is not {}", self.num(a), self.num(b));
        }
        if let Num::Int(n) = b
            && let Some(text) = self.compare_to(how, a, *n)
        {
            return text;
        }
        let than = match how {
            Compare::Equal => "is",
            Compare::Less => "is less than",
            Compare::Greater => "is greater than",
            Compare::AtMost => "is at most",
            Compare::AtLeast => "is at least",
        };
        format!("{} {than} {}", self.num(a), self.num(b))
    }

    /// Clause for a comparison with a written number; `None` if it has no short phrase.
    fn compare_to(&self, how: Compare, left: &NumOf, n: i32) -> Option<String> {
        let site = self.site();
        if n < 0 {
            return None;
        }
        match left {
            Num::Count(set) => {
                let owner = match self.phrase(set) {
                    Phrase::Simple(simple) if !self.program.board.is_pits() => simple.side,
                    _ => None,
                };
                let phrase = self.phrase(set);
                let Some(side) = owner else {
                    let noun = |many: bool| phrase.counted(site, many);
                    let (text, many) = Self::many_of(how, n, &noun);
                    return Some(format!("there {} {text}", if many { "are" } else { "is" }));
                };
                let Phrase::Simple(mut simple) = phrase else { return None };
                simple.side = None;
                let who = if side == Side::Friendly { Who::Mover } else { Who::Opponent };
                let phrase = Phrase::Simple(simple);
                let noun = |many: bool| phrase.counted(site, many);
                let (text, _) = Self::many_of(how, n, &noun);
                let left = if how_many(how, n).is_none() { " left" } else { "" };
                Some(format!("{} has {text}{left}", self.who(who)))
            }
            Num::Hand(who, kind) => {
                let noun = self.in_hand(*kind);
                Some(match how_many(how, n) {
                    None => format!("{} has no {noun} in hand", self.who(*who)),
                    Some(("at least", 1)) => format!("{} has {noun} in hand", self.who(*who)),
                    Some((words, n)) => {
                        format!("{} has {words} {} {noun} in hand", self.who(*who), quantity(n))
                    }
                })
            }
            Num::Add(parts) => match &parts[..] {
                [Num::Hand(one, None), Num::Hand(other, None)]
                    if *one == other.other() && how_many(how, n).is_none() =>
                {
                    Some(format!("neither player has {} in hand", self.in_hand(None)))
                }
                _ => None,
            },
            Num::Score(who) => {
                let noun = if self.program.board.is_pits() { "seed" } else { "point" };
                let where_ = if self.program.board.is_pits() { " in its store" } else { "" };
                let nouns = |many: bool| if many { plural(noun) } else { noun.to_owned() };
                let (text, _) = Self::many_of(how, n, &nouns);
                Some(format!("{} has {text}{where_}", self.who(*who)))
            }
            Num::Seeds(set) => {
                let phrase = self.phrase(set);
                let nouns = |many: bool| if many { "seeds".to_owned() } else { "seed".to_owned() };
                let (text, _) = Self::many_of(how, n, &nouns);
                let text = if text == "at least one seed" { "seeds".to_owned() } else { text };
                let (be, many) = match phrase {
                    Phrase::Whole(_) => ("has", phrase.many(site)),
                    _ => ("have", phrase.many(site)),
                };
                let together = if be == "have" { " together" } else { "" };
                Some(format!("{many}{together} {be} {text}"))
            }
            Num::Groups(set) => {
                let groups = |many: bool| if many { "connected groups" } else { "connected group" };
                let (text, _) = Self::many_of(how, n, &|many| groups(many).to_owned());
                Some(format!("{} form {text}", self.phrase(set).many(site)))
            }
            Num::Made(family, set) => {
                let pattern = self.pattern(*family, &self.made_of(*family, set));
                let nouns = |many: bool| {
                    if many { plural_of_pattern(&pattern) } else { pattern.clone() }
                };
                let (text, _) = Self::many_of(how, n, &nouns);
                Some(format!("{} makes {text}", self.voice.mover))
            }
            _ => None,
        }
    }

    /// Player whom a condition names as the mover, and the remaining conditions. `None` if it names
    /// none or both.
    pub(super) fn named(cond: &CondOf) -> Option<(&'static str, Vec<&CondOf>)> {
        use treegauge_core::Player;
        let of = |cond: &CondOf| match cond {
            Cond::Is(Who::Mover, Who::First) | Cond::Is(Who::First, Who::Mover) => {
                Some(player_name(Player::First))
            }
            Cond::Is(Who::Mover, Who::Second) | Cond::Is(Who::Second, Who::Mover) => {
                Some(player_name(Player::Second))
            }
            _ => None,
        };
        let Cond::And(parts) = cond else {
            return of(cond).map(|name| (name, Vec::new()));
        };
        let name = parts.iter().find_map(of)?;
        let mut names = parts.iter().filter_map(of);
        // A condition that names both players never holds; it is worded literally.
        if names.any(|other| other != name) {
            return None;
        }
        Some((name, parts.iter().filter(|part| of(part).is_none()).collect()))
    }
}

fn quantity(n: i32) -> String {
    number_or_zero(n)
}

fn number_or_zero(n: i32) -> String {
    if n == 0 { "zero".to_owned() } else { number_of(n) }
}

fn number_of(n: i32) -> String {
    if !(0..=12).contains(&n) { digits(i64::from(n)) } else { number(i64::from(n)) }
}

/// Plural of a line or shape: its first noun changes.
pub(super) fn plural_of_pattern(pattern: &str) -> String {
    match pattern.find(" of ") {
        Some(at) => format!("{}{}", plural(&pattern[..at]), &pattern[at..]),
        None => plural(pattern),
    }
}

/// Number of points or moves, such as `one point`.
pub(super) fn amount(n: i32, noun: &str) -> String {
    match n {
        0 => format!("zero {}", plural(noun)),
        n => counted(i64::from(n), noun),
    }
}
