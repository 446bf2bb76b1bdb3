//! The typed tree: a game whose every word has been understood.
//!
//! `C` is what a set of sites that never changes is written as: a list for the interpreter that
//! defines the language, a word of bits for the one that plays fast. Constants and directions are
//! pairs, one for each player, since some words are turned.

use treegauge_core::{HistoryEnd, Player};

use crate::board::{Board, Site};
use crate::error::Place;
use crate::reader::Node;
use crate::said::Said;

/// The number of a kind of piece, in the order of the text.
pub(crate) type Kind = u8;

/// Directions for each player, by their numbers on the board.
pub(crate) type Dirs = [Vec<u8>; 2];

/// A player, seen from who moves or by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Who {
    Mover,
    Opponent,
    First,
    Second,
}

impl Who {
    /// Who it is when `mover` moves.
    #[inline]
    pub(crate) fn of(self, mover: Player) -> Player {
        match self {
            Who::Mover => mover,
            Who::Opponent => mover.other(),
            Who::First => Player::First,
            Who::Second => Player::Second,
        }
    }
}

/// A set of sites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Set<C> {
    /// The same in every position, for each player.
    Const([C; 2]),
    Empty,
    Occupied,
    Mine(Option<Kind>),
    Theirs(Option<Kind>),
    Piece(Kind),
    To,
    From,
    Over,
    Taken,
    Last(Who),
    And(Vec<Set<C>>),
    Or(Vec<Set<C>>),
    Not(Box<Set<C>>),
    FirstOf(Vec<Set<C>>),
    Next(Box<Set<C>>, Dirs),
    Rays(Box<Set<C>>, Dirs),
    Custodial(Dirs, Option<u32>),
    Joined(Box<Set<C>>, Box<Set<C>>),
    Enclosed(Box<Set<C>>),
    /// The number of a family of sets.
    Covered(usize, Box<Set<C>>),
    Supported,
    Store,
    Opposite(Box<Set<C>>),
    Back(Box<Set<C>>, Vec<i32>),
}

/// A number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Num<C> {
    Int(i32),
    Count(Set<C>),
    Groups(Set<C>),
    Largest(Set<C>),
    Score(Who),
    Hand(Who, Option<Kind>),
    Made(usize, Set<C>),
    Seeds(Set<C>),
    Add(Vec<Num<C>>),
    Sub(Box<Num<C>>, Box<Num<C>>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compare {
    Equal,
    Less,
    Greater,
    AtMost,
    AtLeast,
}

impl Compare {
    #[inline]
    pub(crate) fn holds(self, a: i32, b: i32) -> bool {
        match self {
            Compare::Equal => a == b,
            Compare::Less => a < b,
            Compare::Greater => a > b,
            Compare::AtMost => a <= b,
            Compare::AtLeast => a >= b,
        }
    }
}

/// Yes or no.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cond<C> {
    Compare(Compare, Num<C>, Num<C>),
    Some(Set<C>),
    None(Set<C>),
    In(Set<C>, Set<C>),
    Is(Who, Who),
    Makes(usize, Set<C>),
    Connects(Set<C>, Vec<Set<C>>),
    Opening(u32),
    And(Vec<Cond<C>>),
    Or(Vec<Cond<C>>),
    Not(Box<Cond<C>>),
}

/// Whose piece is put down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Of(Who),
    Neutral,
}

/// What happens besides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effect<C> {
    Capture(Set<C>),
    Flip(Set<C>),
    Put(Side, Kind, Set<C>),
    Become(Kind),
    Add(Num<C>, Who),
    Again,
    If(Cond<C>, Vec<Effect<C>>),
    Collect(Set<C>),
    Sweep,
}

/// How a game ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome<C> {
    Win(Who),
    Lose(Who),
    Draw,
    Most(Num<C>),
    Least(Num<C>),
}

impl<C> Outcome<C> {
    /// The result if it is the same in every position, whoever is to move.
    pub(crate) fn everywhere(&self) -> Option<treegauge_core::Outcome> {
        let win = |who: Who, other: bool| {
            let player = match who {
                Who::First => Player::First,
                Who::Second => Player::Second,
                Who::Mover | Who::Opponent => return None,
            };
            Some(treegauge_core::Outcome::win_of(if other { player.other() } else { player }))
        };
        match self {
            Outcome::Win(who) => win(*who, false),
            Outcome::Lose(who) => win(*who, true),
            Outcome::Draw => Some(treegauge_core::Outcome::Draw),
            Outcome::Most(_) | Outcome::Least(_) => None,
        }
    }
}

/// How long a chain of hops goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chain {
    No,
    Must,
    May,
}

/// The greatest number of hops of a chain.
pub(crate) const HOPS_MAX: usize = 16;

/// How a piece comes to its site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verb<C> {
    Place,
    Step(Dirs),
    Slide(Dirs, u32),
    /// Where it leads from each site.
    Leap(Vec<Vec<Site>>),
    Fly,
    Hop {
        dirs: Dirs,
        over: Set<C>,
        chain: Chain,
    },
    Remove,
    Sow {
        stores: bool,
        skip_origin: bool,
    },
    Swap {
        mirror: bool,
    },
    Pass,
}

/// One way to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mover<C> {
    /// Its number among all of the text, in their order.
    pub(crate) id: usize,
    pub(crate) verb: Verb<C>,
    /// The kind that moves; all that the player owns if `None`.
    pub(crate) kind: Option<Kind>,
    /// Where it may arrive; of `remove`, what may be taken.
    pub(crate) to: Set<C>,
    pub(crate) then: Vec<Effect<C>>,
    pub(crate) only_if: Option<Cond<C>>,
}

/// What may be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Moves<C> {
    Mover(Box<Mover<C>>),
    Or(Vec<Moves<C>>),
    FirstOf(Vec<Moves<C>>),
    Seq(Vec<Moves<C>>),
    If(Cond<C>, Box<Moves<C>>, Option<Box<Moves<C>>>),
}

/// A rule of `end`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rule<C> {
    pub(crate) when: Cond<C>,
    pub(crate) effects: Vec<Effect<C>>,
    pub(crate) outcome: Outcome<C>,
}

/// What happens, and the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Settled<C> {
    pub(crate) effects: Vec<Effect<C>>,
    pub(crate) outcome: Outcome<C>,
}

/// What a player without a move does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stuck<C> {
    /// It passes; if the other cannot move either, this is the result.
    Pass(Outcome<C>),
    Ends(Settled<C>),
}

/// All that is asked in play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Body<C> {
    pub(crate) play: Moves<C>,
    pub(crate) end: Vec<Rule<C>>,
    pub(crate) stuck: Stuck<C>,
    /// Plies without progress that end the game.
    pub(crate) quiet: Option<(u32, Settled<C>)>,
    pub(crate) repetition: Option<Settled<C>>,
}

impl<C> Body<C> {
    /// Returns the result that the text gives an ending by history; `None` if it names none, for a draw.
    pub(crate) fn limit(&self, end: HistoryEnd) -> Option<&Settled<C>> {
        match end {
            HistoryEnd::DrawPlies => self.quiet.as_ref().map(|(_, settled)| settled),
            HistoryEnd::Repetition => self.repetition.as_ref(),
            _ => None,
        }
    }
}

/// Who may have a kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    Each,
    Only(Player),
    Neutral,
}

/// A kind of piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KindOf {
    pub(crate) name: String,
    pub(crate) owner: Owner,
    /// Pieces that each owner has in hand at first; `None` for an unlimited supply.
    pub(crate) hand: Option<u8>,
}

/// A piece at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Put {
    /// `None` for a neutral piece.
    pub(crate) player: Option<Player>,
    pub(crate) kind: Kind,
    pub(crate) site: Site,
}

/// Who plays when, where players do not simply alternate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Turns {
    /// The seats of the opening and then those of the cycle.
    pub(crate) seats: Vec<Player>,
    /// Where the cycle begins.
    pub(crate) cycle: usize,
}

impl Turns {
    /// The place after a place.
    #[inline]
    pub(crate) fn after(&self, place: usize) -> usize {
        if place + 1 < self.seats.len() { place + 1 } else { self.cycle }
    }
}

/// A family of sets: those sets, and the sites right beside each that must not be in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Family {
    pub(crate) sets: Vec<(Vec<Site>, Vec<Site>)>,
}

impl Family {
    /// The memory that it takes, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let list = |sites: &Vec<Site>| size_of::<Vec<Site>>() + size_of_val(&sites[..]);
        self.sets.iter().map(|(sites, ends)| list(sites) + list(ends)).sum()
    }
}

/// What a state must remember because a word reads it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Memory {
    pub(crate) last: bool,
    /// Plies are counted up to this many.
    pub(crate) plies: u32,
    pub(crate) score: bool,
}

/// An option with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionValue {
    /// Its name.
    pub name: String,
    /// The value that it has.
    pub value: i32,
    /// The value that it has unless somebody says otherwise.
    pub default: i32,
    /// The least value.
    pub lowest: i32,
    /// The greatest value.
    pub highest: i32,
}

/// A game that was read and checked, with a value for each of its options.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) name: String,
    pub(crate) about: Option<String>,
    pub(crate) options: Vec<OptionValue>,
    pub(crate) board: Board,
    pub(crate) kinds: Vec<KindOf>,
    pub(crate) start: Vec<Put>,
    /// Seeds in each pit at the start.
    pub(crate) seeds: u8,
    pub(crate) turns: Option<Turns>,
    pub(crate) families: Vec<Family>,
    pub(crate) body: Body<Vec<Site>>,
    /// The cap that the text has.
    pub(crate) cap: Option<u32>,
    pub(crate) memory: Memory,
    /// The number of movers.
    pub(crate) movers: usize,
    /// Where each mover and each rule of `end` stands in the text.
    pub(crate) mover_places: Vec<(Place, String)>,
    pub(crate) rule_places: Vec<(Place, String)>,
    pub(crate) allowed: Vec<String>,
    pub(crate) digest: u64,
    /// In which words the text says it.
    pub(crate) said: Said,
    /// The tree of the text, for the places of its words.
    pub(crate) game: Node,
    /// The text as the interpreter reads it, for words about it.
    pub(crate) normal: String,
}

macro_rules! converted {
    ($($name:ident($self:ident, $f:ident) $body:block)+) => {$(
        impl<C> $name<C> {
            /// The same with other constants.
            pub(crate) fn with<D>(&self, $f: &mut dyn FnMut(&C) -> D) -> $name<D> {
                let $self = self;
                $body
            }
        }
    )+};
}

fn all<C, D>(sets: &[Set<C>], f: &mut dyn FnMut(&C) -> D) -> Vec<Set<D>> {
    sets.iter().map(|set| set.with(f)).collect()
}

fn each<C, D>(effects: &[Effect<C>], f: &mut dyn FnMut(&C) -> D) -> Vec<Effect<D>> {
    effects.iter().map(|effect| effect.with(f)).collect()
}

converted! {
    Set(s, f) {
        match s {
            Set::Const([a, b]) => Set::Const([f(a), f(b)]),
            Set::Empty => Set::Empty,
            Set::Occupied => Set::Occupied,
            Set::Mine(kind) => Set::Mine(*kind),
            Set::Theirs(kind) => Set::Theirs(*kind),
            Set::Piece(kind) => Set::Piece(*kind),
            Set::To => Set::To,
            Set::From => Set::From,
            Set::Over => Set::Over,
            Set::Taken => Set::Taken,
            Set::Last(who) => Set::Last(*who),
            Set::And(sets) => Set::And(all(sets, f)),
            Set::Or(sets) => Set::Or(all(sets, f)),
            Set::Not(set) => Set::Not(Box::new(set.with(f))),
            Set::FirstOf(sets) => Set::FirstOf(all(sets, f)),
            Set::Next(set, dirs) => Set::Next(Box::new(set.with(f)), dirs.clone()),
            Set::Rays(set, dirs) => Set::Rays(Box::new(set.with(f)), dirs.clone()),
            Set::Custodial(dirs, most) => Set::Custodial(dirs.clone(), *most),
            Set::Joined(a, b) => Set::Joined(Box::new(a.with(f)), Box::new(b.with(f))),
            Set::Enclosed(set) => Set::Enclosed(Box::new(set.with(f))),
            Set::Covered(family, set) => Set::Covered(*family, Box::new(set.with(f))),
            Set::Supported => Set::Supported,
            Set::Store => Set::Store,
            Set::Opposite(set) => Set::Opposite(Box::new(set.with(f))),
            Set::Back(set, numbers) => Set::Back(Box::new(set.with(f)), numbers.clone()),
        }
    }
    Num(n, f) {
        match n {
            Num::Int(n) => Num::Int(*n),
            Num::Count(set) => Num::Count(set.with(f)),
            Num::Groups(set) => Num::Groups(set.with(f)),
            Num::Largest(set) => Num::Largest(set.with(f)),
            Num::Score(who) => Num::Score(*who),
            Num::Hand(who, kind) => Num::Hand(*who, *kind),
            Num::Made(family, set) => Num::Made(*family, set.with(f)),
            Num::Seeds(set) => Num::Seeds(set.with(f)),
            Num::Add(parts) => Num::Add(parts.iter().map(|n| n.with(f)).collect()),
            Num::Sub(a, b) => Num::Sub(Box::new(a.with(f)), Box::new(b.with(f))),
        }
    }
    Cond(c, f) {
        match c {
            Cond::Compare(how, a, b) => Cond::Compare(*how, a.with(f), b.with(f)),
            Cond::Some(set) => Cond::Some(set.with(f)),
            Cond::None(set) => Cond::None(set.with(f)),
            Cond::In(a, b) => Cond::In(a.with(f), b.with(f)),
            Cond::Is(a, b) => Cond::Is(*a, *b),
            Cond::Makes(family, set) => Cond::Makes(*family, set.with(f)),
            Cond::Connects(set, ends) => Cond::Connects(set.with(f), all(ends, f)),
            Cond::Opening(n) => Cond::Opening(*n),
            Cond::And(parts) => Cond::And(parts.iter().map(|c| c.with(f)).collect()),
            Cond::Or(parts) => Cond::Or(parts.iter().map(|c| c.with(f)).collect()),
            Cond::Not(cond) => Cond::Not(Box::new(cond.with(f))),
        }
    }
    Effect(e, f) {
        match e {
            Effect::Capture(set) => Effect::Capture(set.with(f)),
            Effect::Flip(set) => Effect::Flip(set.with(f)),
            Effect::Put(side, kind, set) => Effect::Put(*side, *kind, set.with(f)),
            Effect::Become(kind) => Effect::Become(*kind),
            Effect::Add(n, who) => Effect::Add(n.with(f), *who),
            Effect::Again => Effect::Again,
            Effect::If(cond, effects) => Effect::If(cond.with(f), each(effects, f)),
            Effect::Collect(set) => Effect::Collect(set.with(f)),
            Effect::Sweep => Effect::Sweep,
        }
    }
    Outcome(o, f) {
        match o {
            Outcome::Win(who) => Outcome::Win(*who),
            Outcome::Lose(who) => Outcome::Lose(*who),
            Outcome::Draw => Outcome::Draw,
            Outcome::Most(n) => Outcome::Most(n.with(f)),
            Outcome::Least(n) => Outcome::Least(n.with(f)),
        }
    }
    Verb(v, f) {
        match v {
            Verb::Place => Verb::Place,
            Verb::Step(dirs) => Verb::Step(dirs.clone()),
            Verb::Slide(dirs, most) => Verb::Slide(dirs.clone(), *most),
            Verb::Leap(to) => Verb::Leap(to.clone()),
            Verb::Fly => Verb::Fly,
            Verb::Hop { dirs, over, chain } => {
                Verb::Hop { dirs: dirs.clone(), over: over.with(f), chain: *chain }
            }
            Verb::Remove => Verb::Remove,
            Verb::Sow { stores, skip_origin } => {
                Verb::Sow { stores: *stores, skip_origin: *skip_origin }
            }
            Verb::Swap { mirror } => Verb::Swap { mirror: *mirror },
            Verb::Pass => Verb::Pass,
        }
    }
    Mover(m, f) {
        Mover {
            id: m.id,
            verb: m.verb.with(f),
            kind: m.kind,
            to: m.to.with(f),
            then: each(&m.then, f),
            only_if: m.only_if.as_ref().map(|cond| cond.with(f)),
        }
    }
    Moves(m, f) {
        let mut list = |parts: &[Moves<C>]| -> Vec<Moves<D>> {
            parts.iter().map(|part| part.with(f)).collect()
        };
        match m {
            Moves::Or(parts) => Moves::Or(list(parts)),
            Moves::FirstOf(parts) => Moves::FirstOf(list(parts)),
            Moves::Seq(parts) => Moves::Seq(list(parts)),
            Moves::Mover(mover) => Moves::Mover(Box::new(mover.with(f))),
            Moves::If(cond, yes, no) => Moves::If(
                cond.with(f),
                Box::new(yes.with(f)),
                no.as_ref().map(|no| Box::new(no.with(f))),
            ),
        }
    }
    Rule(r, f) {
        Rule {
            when: r.when.with(f),
            effects: each(&r.effects, f),
            outcome: r.outcome.with(f),
        }
    }
    Settled(s, f) {
        Settled { effects: each(&s.effects, f), outcome: s.outcome.with(f) }
    }
    Stuck(s, f) {
        match s {
            Stuck::Pass(outcome) => Stuck::Pass(outcome.with(f)),
            Stuck::Ends(settled) => Stuck::Ends(settled.with(f)),
        }
    }
    Body(b, f) {
        Body {
            play: b.play.with(f),
            end: b.end.iter().map(|rule| rule.with(f)).collect(),
            stuck: b.stuck.with(f),
            quiet: b.quiet.as_ref().map(|(n, settled)| (*n, settled.with(f))),
            repetition: b.repetition.as_ref().map(|settled| settled.with(f)),
        }
    }
}
