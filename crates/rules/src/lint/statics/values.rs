//! Bounds on the values of sets, numbers and conditions that hold in every position.

use treegauge_core::Player;

use super::reach::{Flags, Reach, is_none};
use crate::board::Site;
use crate::tree::{Cond, Num, Owner, Program, Set, Who};

/// Bit flags for the contents of a site.
const EMPTY: u8 = 1;
const MINE: u8 = 2;
const THEIRS: u8 = 4;
const NEUTRAL: u8 = 8;

/// Upper bound on a set: its sites, and their possible contents.
#[derive(Clone, Debug)]
pub(super) struct Bounds {
    sites: Flags,
    stands: u8,
    /// Whether the set is exactly the sites of `sites` with contents in `stands`.
    exact: bool,
}

/// Evaluator of bounds, for one player to move.
#[derive(Clone, Copy)]
pub(super) struct Values<'p> {
    pub(super) program: &'p Program,
    pub(super) reach: &'p Reach,
    pub(super) mover: Player,
}

impl Bounds {
    pub(super) fn is_empty(&self) -> bool {
        self.stands == 0 || is_none(&self.sites)
    }

    /// Tests whether the set can contain a piece of the opponent.
    pub(super) fn has_theirs(&self) -> bool {
        self.stands & THEIRS != 0
    }

    /// Tests whether the set can contain an empty site.
    pub(super) fn has_empty(&self) -> bool {
        self.stands & EMPTY != 0
    }

    /// Tests whether the set can contain a piece.
    pub(super) fn has_piece(&self) -> bool {
        self.stands & (MINE | THEIRS | NEUTRAL) != 0
    }
}

impl Values<'_> {
    fn every_site(&self) -> Flags {
        self.program.board.on.clone()
    }

    /// Flags of all contents that a site can have in this game.
    fn anything(&self) -> u8 {
        let kinds = &self.program.kinds;
        let neutral = kinds.iter().any(|kind| kind.owner == Owner::Neutral);
        EMPTY | MINE | THEIRS | if neutral { NEUTRAL } else { 0 }
    }

    /// Tests whether a set contains all sites in every position.
    pub(super) fn is_full(&self, set: &Set<Vec<Site>>) -> bool {
        let bounds = self.set(set);
        bounds.exact && bounds.sites == self.every_site() && bounds.stands == self.anything()
    }

    pub(super) fn set(&self, set: &Set<Vec<Site>>) -> Bounds {
        let everything = self.anything();
        let exactly = |stands: u8| Bounds { sites: self.every_site(), stands, exact: true };
        let at_most = |stands: u8| Bounds {
            sites: self.reach.most(self.program, set, self.mover),
            stands,
            exact: false,
        };
        if self.program.board.is_pits() {
            return Bounds { sites: self.every_site(), stands: everything, exact: false };
        }
        let many =
            |sets: &[Set<Vec<Site>>]| -> Vec<Bounds> { sites_of(sets, &|set| self.set(set)) };
        match set {
            Set::Const(of) => {
                let mut sites = vec![false; self.program.board.len()];
                of[self.mover.index()].iter().for_each(|&site| sites[site as usize] = true);
                Bounds { sites, stands: everything, exact: true }
            }
            Set::Empty => exactly(EMPTY),
            Set::Occupied => exactly(everything & !EMPTY),
            Set::Mine(None) => exactly(MINE),
            Set::Theirs(None) => exactly(THEIRS),
            Set::Mine(_) => at_most(MINE),
            Set::Theirs(_) | Set::Custodial(..) => at_most(THEIRS),
            Set::Piece(kind) => at_most(match self.program.kinds[*kind as usize].owner {
                Owner::Neutral => NEUTRAL,
                _ => MINE | THEIRS,
            }),
            Set::Rays(..) | Set::Supported => at_most(EMPTY),
            Set::And(sets) => {
                let parts = many(sets);
                let mut all = Bounds {
                    sites: self.every_site(),
                    stands: everything,
                    exact: parts.iter().all(|part| part.exact),
                };
                for part in parts {
                    all.stands &= part.stands;
                    all.sites.iter_mut().zip(&part.sites).for_each(|(all, &part)| *all &= part);
                }
                all
            }
            Set::Or(sets) | Set::FirstOf(sets) => {
                let parts = many(sets);
                let same_sites = parts.windows(2).all(|two| two[0].sites == two[1].sites);
                let same_stands = parts.windows(2).all(|two| two[0].stands == two[1].stands);
                let exact = matches!(set, Set::Or(_))
                    && parts.iter().all(|part| part.exact)
                    && (same_sites || same_stands);
                let none = vec![false; self.program.board.len()];
                let mut all = Bounds { sites: none, stands: 0, exact };
                for part in parts.iter().filter(|part| !part.is_empty()) {
                    all.stands |= part.stands;
                    all.sites.iter_mut().zip(&part.sites).for_each(|(all, &part)| *all |= part);
                }
                all
            }
            Set::Not(inner) => {
                let inner = self.set(inner);
                if inner.exact && inner.sites == self.every_site() {
                    return exactly(everything & !inner.stands);
                }
                if inner.exact && inner.stands == everything {
                    let mut sites = self.every_site();
                    sites.iter_mut().zip(&inner.sites).for_each(|(all, &not)| *all &= !not);
                    return Bounds { sites, stands: everything, exact: true };
                }
                Bounds { sites: self.every_site(), stands: everything, exact: false }
            }
            Set::Enclosed(inner) | Set::Covered(_, inner) | Set::Joined(_, inner) => {
                Bounds { exact: false, ..self.set(inner) }
            }
            _ => at_most(everything),
        }
    }

    /// Smallest and largest value of a number.
    fn num(&self, n: &Num<Vec<Site>>) -> (i64, i64) {
        let board = &self.program.board;
        let most = |set: &Set<Vec<Site>>| {
            let bounds = self.set(set);
            if bounds.stands == 0 {
                0
            } else {
                bounds.sites.iter().filter(|&&on| on).count() as i64
            }
        };
        match n {
            Num::Int(n) => (i64::from(*n), i64::from(*n)),
            Num::Count(set) | Num::Groups(set) | Num::Largest(set) => (0, most(set)),
            Num::Hand(who, kind) => {
                let of = who.of(self.mover);
                let kinds = self.program.kinds.iter().enumerate();
                let hands = kinds.filter(|(number, of_kind)| {
                    kind.is_none_or(|kind| usize::from(kind) == *number)
                        && of_kind.owner != Owner::Only(of.other())
                });
                (0, hands.map(|(_, kind)| i64::from(kind.hand.unwrap_or(0))).sum())
            }
            Num::Seeds(_) => (0, 255),
            Num::Score(_) if board.is_pits() => (0, 255),
            Num::Score(_) => (i64::from(i16::MIN), i64::from(i16::MAX)),
            Num::Made(family, _) => (0, self.program.families[*family].sets.len() as i64),
            Num::Add(parts) => parts
                .iter()
                .map(|n| self.num(n))
                .fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1)),
            Num::Sub(a, b) => {
                let (a, b) = (self.num(a), self.num(b));
                (a.0 - b.1, a.1 - b.0)
            }
        }
    }

    /// Truth value of a condition if it is the same in every position; `None` if it varies.
    pub(super) fn cond(&self, cond: &Cond<Vec<Site>>) -> Option<bool> {
        use crate::tree::Compare;
        let known = |set: &Set<Vec<Site>>| {
            let bounds = self.set(set);
            match (bounds.is_empty(), self.is_full(set)) {
                (true, _) => Some(false),
                (_, true) => Some(true),
                _ => None,
            }
        };
        match cond {
            Cond::Some(set) => known(set),
            Cond::None(set) => known(set).map(|some| !some),
            Cond::In(a, b) => {
                let (a, b) = (self.set(a), self.set(b));
                let meet =
                    a.sites.iter().zip(&b.sites).any(|(&a, &b)| a && b) && a.stands & b.stands != 0;
                (a.is_empty() || b.is_empty() || !meet).then_some(false)
            }
            Cond::Is(a, b) => {
                let fixed = |who: Who| matches!(who, Who::First | Who::Second);
                (fixed(*a) == fixed(*b)).then(|| a.of(self.mover) == b.of(self.mover))
            }
            Cond::Compare(how, a, b) => {
                let (a, b) = (self.num(a), self.num(b));
                match how {
                    Compare::Equal if a.0 == a.1 && a == b => Some(true),
                    Compare::Equal => (a.1 < b.0 || b.1 < a.0).then_some(false),
                    Compare::Less => sure(a.1 < b.0, a.0 >= b.1),
                    Compare::Greater => sure(a.0 > b.1, a.1 <= b.0),
                    Compare::AtMost => sure(a.1 <= b.0, a.0 > b.1),
                    Compare::AtLeast => sure(a.0 >= b.1, a.1 < b.0),
                }
            }
            Cond::Even(n) => {
                let (least, most) = self.num(n);
                (least == most).then_some(least % 2 == 0)
            }
            Cond::Makes(_, set) | Cond::Connects(set, _) => {
                self.set(set).is_empty().then_some(false)
            }
            Cond::And(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.cond(part)).collect();
                match parts.contains(&Some(false)) {
                    true => Some(false),
                    false => parts.iter().all(|part| *part == Some(true)).then_some(true),
                }
            }
            Cond::Or(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.cond(part)).collect();
                match parts.contains(&Some(true)) {
                    true => Some(true),
                    false => parts.iter().all(|part| *part == Some(false)).then_some(false),
                }
            }
            Cond::Not(cond) => self.cond(cond).map(|holds| !holds),
            _ => None,
        }
    }
}

fn sure(yes: bool, no: bool) -> Option<bool> {
    match (yes, no) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

fn sites_of<T>(sets: &[Set<Vec<Site>>], of: &dyn Fn(&Set<Vec<Site>>) -> T) -> Vec<T> {
    sets.iter().map(of).collect()
}
