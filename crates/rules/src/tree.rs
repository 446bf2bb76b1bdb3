//! Typed tree: a game with every word checked.
//!
//! `C` is the representation of a constant set of sites: a list for the reference interpreter, a
//! word of bits for fast play. Constants and directions are pairs, one for each player, since the
//! meaning of some words depends on the player.

use treegauge_core::{HistoryEnd, Player};

use crate::board::{Board, Site};
use crate::error::Place;
use crate::reader::Node;
use crate::said::Said;
use crate::terms::{Map, Operand};

pub(crate) use crate::terms::{Cond, Effect, Num, Outcome, Part, Set};

/// Index of a kind of piece, in the order of the text.
pub(crate) type Kind = u8;

/// Directions for each player, as their indices on the board.
pub(crate) type Dirs = [Vec<u8>; 2];

/// Player, relative to the mover or by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Who {
    Mover,
    Opponent,
    First,
    Second,
}

impl Who {
    /// Player meant when `mover` moves.
    #[inline]
    pub(crate) fn of(self, mover: Player) -> Player {
        match self {
            Who::Mover => mover,
            Who::Opponent => mover.other(),
            Who::First => Player::First,
            Who::Second => Player::Second,
        }
    }

    /// The opponent of the player.
    pub(crate) fn other(self) -> Who {
        match self {
            Who::Mover => Who::Opponent,
            Who::Opponent => Who::Mover,
            Who::First => Who::Second,
            Who::Second => Who::First,
        }
    }
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

/// Owner of a piece that is put on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Of(Who),
    Neutral,
}

impl<C> Outcome<C> {
    /// Result if it is the same in every position, whichever side is to move; `None` if it varies.
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

/// Continuation of a chain of hops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chain {
    No,
    Must,
    May,
    /// The piece may stop after any hop, and nothing happens on the way: moves from one site to
    /// another are one move, whichever way they take. Such a chain has no limit of hops and may hop
    /// over a piece again.
    Reach,
}

/// Continuation of a sowing after its last seed has fallen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Laps {
    No,
    /// The pit of the last seed is sown if it held seeds before.
    To,
    /// The pit after that of the last seed is sown if it holds seeds.
    Next,
}

/// Largest number of laps of a sowing. Without a store in the way, laps could go on for ever.
pub(crate) const LAPS_MAX: usize = 500;

/// Largest number of hops of a chain.
pub(crate) const HOPS_MAX: usize = 16;

/// Manner in which a piece reaches its site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verb<C> {
    Place,
    Step(Dirs),
    Slide(Dirs, u32),
    /// Targets of the leap from each site.
    Leap(Vec<Vec<Site>>),
    Fly,
    /// Along tracks, past at least this many bends.
    Ride(u32),
    Hop {
        dirs: Dirs,
        over: Set<C>,
        chain: Chain,
    },
    Remove,
    Sow {
        stores: bool,
        skip_origin: bool,
        leave_one: bool,
        laps: Laps,
    },
    Swap {
        mirror: bool,
    },
    Pass,
}

/// One way to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mover<C> {
    /// Index among all movers of the text, in its order.
    pub(crate) id: usize,
    pub(crate) verb: Verb<C>,
    /// Kind that moves; `None` for all kinds that the player owns.
    pub(crate) kind: Option<Kind>,
    /// Sites where the piece may arrive; for `remove`, the pieces that may be taken.
    pub(crate) to: Set<C>,
    pub(crate) then: Vec<Effect<C>>,
    pub(crate) only_if: Option<Cond<C>>,
}

/// Legal moves that `play` describes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Moves<C> {
    Mover(Box<Mover<C>>),
    Or(Vec<Moves<C>>),
    FirstOf(Vec<Moves<C>>),
    Seq(Vec<Moves<C>>),
    If(Cond<C>, Box<Moves<C>>, Option<Box<Moves<C>>>),
}

/// Effects followed by a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Settled<C> {
    pub(crate) effects: Vec<Effect<C>>,
    pub(crate) outcome: Outcome<C>,
}

/// Rule of `end`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rule<C> {
    pub(crate) when: Cond<C>,
    pub(crate) settled: Settled<C>,
}

/// Action of a player without a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stuck<C> {
    /// The player passes. If the other player cannot move either, the game has this result.
    Pass(Outcome<C>),
    Ends(Settled<C>),
}

/// Rules that apply during play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Body<C> {
    pub(crate) play: Moves<C>,
    pub(crate) end: Vec<Rule<C>>,
    pub(crate) stuck: Stuck<C>,
    /// Number of plies without progress that end the game, with effects and result.
    pub(crate) quiet: Option<(u32, Settled<C>)>,
    pub(crate) repetition: Option<Settled<C>>,
}

impl<C> Body<C> {
    /// Result of an ending by history; `None` if the text does not name one, which means a draw.
    pub(crate) fn limit(&self, end: HistoryEnd) -> Option<&Settled<C>> {
        match end {
            HistoryEnd::DrawPlies => self.quiet.as_ref().map(|(_, settled)| settled),
            HistoryEnd::Repetition => self.repetition.as_ref(),
            _ => None,
        }
    }
}

/// Players who may own a kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    Each,
    Only(Player),
    Neutral,
}

/// Kind of piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KindOf {
    pub(crate) name: String,
    pub(crate) owner: Owner,
    /// Number of pieces that each owner has in hand at first; `None` for an unlimited supply.
    pub(crate) hand: Option<u8>,
    /// Capital letter that the text gives the kind on boards and in positions; `None` if the
    /// program chooses.
    pub(crate) letter: Option<char>,
}

/// Piece on the board at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Put {
    /// Owner; `None` for a neutral piece.
    pub(crate) player: Option<Player>,
    pub(crate) kind: Kind,
    pub(crate) site: Site,
}

/// Order of turns, if players do not simply alternate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Turns {
    /// Players to move in the opening, followed by those of the cycle.
    pub(crate) seats: Vec<Player>,
    /// Index of the first seat of the cycle.
    pub(crate) cycle: usize,
}

impl Turns {
    /// Index of the seat after a seat.
    #[inline]
    pub(crate) fn after(&self, place: usize) -> usize {
        if place + 1 < self.seats.len() { place + 1 } else { self.cycle }
    }
}

/// Family of sets. Each set comes with the neighbouring sites that must not belong to the pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Family {
    pub(crate) sets: Vec<(Vec<Site>, Vec<Site>)>,
}

impl Family {
    /// Memory use in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let list = |sites: &Vec<Site>| size_of::<Vec<Site>>() + size_of_val(&sites[..]);
        self.sets.iter().map(|(sites, ends)| list(sites) + list(ends)).sum()
    }
}

/// Data that a state must store because a word reads it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Memory {
    pub(crate) last: bool,
    /// Number up to which plies are counted.
    pub(crate) plies: u32,
    pub(crate) score: bool,
    /// Owners of pits that were claimed.
    pub(crate) claims: bool,
}

/// Option with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionValue {
    /// Name of the option.
    pub name: String,
    /// Current value.
    pub value: i32,
    /// Value unless another is chosen.
    pub default: i32,
    /// Smallest valid value.
    pub lowest: i32,
    /// Largest valid value.
    pub highest: i32,
}

/// Game that was read and checked, with a value for each of its options.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) name: String,
    pub(crate) about: Option<String>,
    pub(crate) options: Vec<OptionValue>,
    pub(crate) board: Board,
    pub(crate) kinds: Vec<KindOf>,
    pub(crate) start: Vec<Put>,
    /// Number of seeds in each pit at the start.
    pub(crate) seeds: u8,
    pub(crate) turns: Option<Turns>,
    pub(crate) families: Vec<Family>,
    pub(crate) body: Body<Vec<Site>>,
    /// Ply cap named in the text.
    pub(crate) cap: Option<u32>,
    pub(crate) memory: Memory,
    /// Number of movers.
    pub(crate) movers: usize,
    /// Place and head word of each mover. The next field has the place and text of each rule of
    /// `end`.
    pub(crate) mover_places: Vec<(Place, String)>,
    pub(crate) rule_places: Vec<(Place, String)>,
    pub(crate) allowed: Vec<String>,
    pub(crate) digest: u64,
    /// Wording of the text for its sets and families.
    pub(crate) said: Said,
    /// Tree of the text, for the places of its words.
    pub(crate) game: Node,
    /// Text on one line, without comments and `about`.
    pub(crate) normal: String,
}

impl<C> Verb<C> {
    pub(crate) fn map<D>(&self, by: &impl Map<C, D>) -> Verb<D> {
        match self {
            Verb::Place => Verb::Place,
            Verb::Step(dirs) => Verb::Step(dirs.clone()),
            Verb::Slide(dirs, most) => Verb::Slide(dirs.clone(), *most),
            Verb::Leap(to) => Verb::Leap(to.clone()),
            Verb::Fly => Verb::Fly,
            Verb::Ride(bends) => Verb::Ride(*bends),
            Verb::Hop { dirs, over, chain } => {
                Verb::Hop { dirs: dirs.clone(), over: by.set(over), chain: *chain }
            }
            Verb::Remove => Verb::Remove,
            Verb::Sow { stores, skip_origin, leave_one, laps } => Verb::Sow {
                stores: *stores,
                skip_origin: *skip_origin,
                leave_one: *leave_one,
                laps: *laps,
            },
            Verb::Swap { mirror } => Verb::Swap { mirror: *mirror },
            Verb::Pass => Verb::Pass,
        }
    }
}

impl<C> Mover<C> {
    /// Tests whether only the end counts of the chains of hops that the mover makes.
    pub(crate) fn is_reach(&self) -> bool {
        matches!(self.verb, Verb::Hop { chain: Chain::Reach, .. })
    }

    fn map<D>(&self, by: &impl Map<C, D>) -> Mover<D> {
        Mover {
            id: self.id,
            verb: self.verb.map(by),
            kind: self.kind,
            to: by.set(&self.to),
            then: by.effects(&self.then),
            only_if: self.only_if.as_ref().map(|cond| by.cond(cond)),
        }
    }
}

impl<C> Moves<C> {
    fn map<D>(&self, by: &impl Map<C, D>) -> Moves<D> {
        let list = |parts: &[Moves<C>]| parts.iter().map(|part| part.map(by)).collect();
        match self {
            Moves::Or(parts) => Moves::Or(list(parts)),
            Moves::FirstOf(parts) => Moves::FirstOf(list(parts)),
            Moves::Seq(parts) => Moves::Seq(list(parts)),
            Moves::Mover(mover) => Moves::Mover(Box::new(mover.map(by))),
            Moves::If(cond, yes, no) => Moves::If(
                by.cond(cond),
                Box::new(yes.map(by)),
                no.as_ref().map(|no| Box::new(no.map(by))),
            ),
        }
    }

    fn each_mover_mut(&mut self, visit: &mut dyn FnMut(&mut Mover<C>)) {
        match self {
            Moves::Or(parts) | Moves::FirstOf(parts) | Moves::Seq(parts) => {
                parts.iter_mut().for_each(|part| part.each_mover_mut(visit));
            }
            Moves::If(_, yes, no) => {
                yes.each_mover_mut(visit);
                no.iter_mut().for_each(|no| no.each_mover_mut(visit));
            }
            Moves::Mover(mover) => visit(mover),
        }
    }

    /// Calls `visit` with every part of every expression, in the order of the text.
    fn walk<'t>(&'t self, visit: &mut dyn FnMut(&Part<'t, C>)) {
        match self {
            Moves::Or(parts) | Moves::FirstOf(parts) | Moves::Seq(parts) => {
                parts.iter().for_each(|part| part.walk(visit));
            }
            Moves::If(cond, yes, no) => {
                cond.part().walk(visit);
                yes.walk(visit);
                no.iter().for_each(|no| no.walk(visit));
            }
            Moves::Mover(mover) => {
                match &mover.verb {
                    Verb::Step(dirs) | Verb::Slide(dirs, _) => visit(&Part::Dirs(dirs)),
                    Verb::Hop { dirs, over, .. } => {
                        visit(&Part::Dirs(dirs));
                        over.part().walk(visit);
                    }
                    _ => {}
                }
                mover.to.part().walk(visit);
                mover.then.part().walk(visit);
                mover.only_if.iter().for_each(|cond| cond.part().walk(visit));
            }
        }
    }
}

impl<C> Settled<C> {
    pub(crate) fn map<D>(&self, by: &impl Map<C, D>) -> Settled<D> {
        Settled { effects: by.effects(&self.effects), outcome: by.outcome(&self.outcome) }
    }

    fn walk<'t>(&'t self, visit: &mut dyn FnMut(&Part<'t, C>)) {
        self.effects.part().walk(visit);
        self.outcome.part().walk(visit);
    }
}

impl<C> Stuck<C> {
    pub(crate) fn map<D>(&self, by: &impl Map<C, D>) -> Stuck<D> {
        match self {
            Stuck::Pass(outcome) => Stuck::Pass(by.outcome(outcome)),
            Stuck::Ends(settled) => Stuck::Ends(settled.map(by)),
        }
    }
}

impl<C> Body<C> {
    /// Marks the chains of hops whose way changes nothing but the text of the move.
    ///
    /// The site where such a piece has arrived determines the rest of its chain: there are no effects,
    /// the piece lands on empty sites, and no word of the game means the site hopped over.
    pub(crate) fn merge_ways(&mut self) {
        let mut names_over = false;
        self.walk(&mut |part| names_over |= matches!(part, Part::Set(Set::Over)));
        if !names_over {
            self.play.each_mover_mut(&mut |mover| {
                if let Verb::Hop { chain, .. } = &mut mover.verb
                    && *chain == Chain::May
                    && mover.then.is_empty()
                    && mover.to.is_free()
                {
                    *chain = Chain::Reach;
                }
            });
        }
    }

    /// Body with other constants.
    pub(crate) fn map<D>(&self, by: &impl Map<C, D>) -> Body<D> {
        let rule =
            |rule: &Rule<C>| Rule { when: by.cond(&rule.when), settled: rule.settled.map(by) };
        Body {
            play: self.play.map(by),
            end: self.end.iter().map(rule).collect(),
            stuck: self.stuck.map(by),
            quiet: self.quiet.as_ref().map(|(n, settled)| (*n, settled.map(by))),
            repetition: self.repetition.as_ref().map(|settled| settled.map(by)),
        }
    }

    /// Calls `visit` with every part of every expression, each before the parts nested in it.
    pub(crate) fn walk<'t>(&'t self, visit: &mut dyn FnMut(&Part<'t, C>)) {
        self.play.walk(visit);
        for rule in &self.end {
            rule.when.part().walk(visit);
            rule.settled.walk(visit);
        }
        match &self.stuck {
            Stuck::Pass(outcome) => outcome.part().walk(visit),
            Stuck::Ends(settled) => settled.walk(visit),
        }
        let quiet = self.quiet.iter().map(|(_, settled)| settled);
        quiet.chain(&self.repetition).for_each(|settled| settled.walk(visit));
    }
}
