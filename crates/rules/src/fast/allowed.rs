//! Sites where the `only-if` of a placement holds, for all sites at once.
//!
//! Each condition is turned into a set: the sites such that the condition holds after a piece was
//! placed there. So the board is not copied for each site. Conditions on the sites beside the piece
//! are shifts of sets; conditions that no group of stones is enclosed need the liberties of groups.

use super::sets::{back, go};
use super::{Code, Moment};
use crate::state::BoardWord;
use crate::tree::{Compare, Cond, Dirs, Effect, Mover, Num, Set, Verb};

/// Largest number of directions whose neighbours are counted.
const COUNTED_MAX: usize = 15;

/// Condition on a placed piece, as the sites for which it holds.
#[derive(Clone, Debug)]
pub(crate) enum Allowed<W> {
    And(Vec<Allowed<W>>),
    Or(Vec<Allowed<W>>),
    Not(Box<Allowed<W>>),
    /// Some site beside the piece belongs to all of some sets.
    Beside(Vec<Set<W>>, Dirs),
    /// The number of sites beside the piece that belong to all of some sets.
    Number(Vec<Set<W>>, Dirs, Compare, i32),
    /// After the placement no stone of the mover is enclosed.
    MineFree,
    /// After the placement no stone of the opponent is enclosed.
    TheirsFree,
    /// Enclosed stones of the opponent are captured, and then no stone of the mover is enclosed.
    Captures,
}

/// Groups of stones by their liberties, the empty sites beside them.
struct Groups<W> {
    /// Stones of groups with two liberties or more.
    roomy: W,
    /// Only liberties of groups that have one.
    last: W,
    /// Whether a group has no liberty.
    enclosed: bool,
}

/// Tests whether a placed piece changes such a set at most on its own site.
fn is_local<W>(set: &Set<W>) -> bool {
    match set {
        Set::Const(_) | Set::Empty | Set::Occupied => true,
        Set::Mine(_) | Set::Theirs(_) | Set::Piece(_) => true,
        Set::And(sets) | Set::Or(sets) => sets.iter().all(is_local),
        Set::Not(set) => is_local(set),
        _ => false,
    }
}

impl<W: BoardWord> Allowed<W> {
    /// Condition of a mover; `None` if its sites cannot be found at once.
    pub(crate) fn of_mover(code: &Code<W>, mover: &Mover<W>) -> Option<Allowed<W>> {
        let cond = mover.only_if.as_ref()?;
        if mover.verb != Verb::Place || !mover.to.is_free() || code.pits > 0 {
            return None;
        }
        let stones = code.kinds[mover.kind.unwrap_or(0) as usize];
        let own = !stones.neutral && stones.players == [true; 2];
        // A player who cannot place the piece evaluates no condition.
        if stones.has_hand || !own && !stones.neutral {
            return None;
        }
        match &mover.then[..] {
            [] => Allowed::of(code, cond, own),
            [Effect::Capture(Set::Enclosed(set))] if own && code.is_mutual() => match cond {
                Cond::None(Set::Enclosed(mine))
                    if **set == Set::Theirs(None) && **mine == Set::Mine(None) =>
                {
                    Some(Allowed::Captures)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// `own` tells whether the placed piece belongs to the mover.
    fn of(code: &Code<W>, cond: &Cond<W>, own: bool) -> Option<Allowed<W>> {
        let all = |parts: &[Cond<W>]| -> Option<Vec<Allowed<W>>> {
            parts.iter().map(|part| Allowed::of(code, part, own)).collect()
        };
        let not = |allowed: Option<Allowed<W>>| allowed.map(|one| Allowed::Not(Box::new(one)));
        match cond {
            Cond::And(parts) => all(parts).map(Allowed::And),
            Cond::Or(parts) => all(parts).map(Allowed::Or),
            Cond::Not(cond) => not(Allowed::of(code, cond, own)),
            Cond::None(Set::Enclosed(set)) if own && code.is_mutual() => match **set {
                Set::Mine(None) => Some(Allowed::MineFree),
                Set::Theirs(None) => Some(Allowed::TheirsFree),
                _ => None,
            },
            Cond::Some(set) => Allowed::beside(code, set),
            Cond::None(set) => not(Allowed::beside(code, set)),
            Cond::In(set, within) if is_local(within) => {
                let (mut sets, dirs) = parts_beside(set)?;
                let some = Allowed::with(code, sets.clone(), dirs.clone())?;
                sets.push(Set::Not(Box::new(within.clone())));
                let outside = Allowed::with(code, sets, dirs)?;
                Some(Allowed::And(vec![some, Allowed::Not(Box::new(outside))]))
            }
            Cond::Compare(how, Num::Count(set), Num::Int(n)) => {
                let (sets, dirs) = parts_beside(set)?;
                let few = dirs.iter().all(|dirs| dirs.len() <= COUNTED_MAX);
                let fits = few && code.leads_apart(&dirs);
                fits.then_some(Allowed::Number(sets, dirs, *how, *n))
            }
            _ => None,
        }
    }

    fn beside(code: &Code<W>, set: &Set<W>) -> Option<Allowed<W>> {
        let (sets, dirs) = parts_beside(set)?;
        Allowed::with(code, sets, dirs)
    }

    fn with(code: &Code<W>, sets: Vec<Set<W>>, dirs: Dirs) -> Option<Allowed<W>> {
        code.leads_apart(&dirs).then_some(Allowed::Beside(sets, dirs))
    }

    /// Sites of `open` where the condition of a mover holds. All of them are empty.
    pub(crate) fn sites(&self, code: &Code<W>, now: &Moment<W>, mover: &Mover<W>, open: W) -> W {
        let player = now.mover.index();
        let common =
            |sets: &[Set<W>]| sets.iter().fold(code.all, |all, set| all & code.set(now, set));
        match self {
            Allowed::And(parts) => {
                parts.iter().fold(open, |open, part| part.sites(code, now, mover, open))
            }
            Allowed::Or(parts) => {
                parts.iter().fold(W::ZERO, |all, part| all | part.sites(code, now, mover, open))
            }
            Allowed::Not(part) => open & !part.sites(code, now, mover, open),
            Allowed::Beside(sets, dirs) => {
                let set = common(sets);
                let dirs = dirs[player].iter();
                open & dirs.fold(W::ZERO, |all, &d| all | back(&code.arcs[d as usize], set))
            }
            Allowed::Number(sets, dirs, how, n) => {
                let set = common(sets);
                // Bit `i` of the number of neighbours, by site.
                let mut bits = [W::ZERO; 4];
                for &d in &dirs[player] {
                    let mut carry = back(&code.arcs[d as usize], set);
                    for bit in &mut bits {
                        (*bit, carry) = (*bit ^ carry, *bit & carry);
                    }
                }
                let most = dirs[player].len() as i32;
                let mut found = W::ZERO;
                for number in (0..=most).filter(|&number| how.holds(number, *n)) {
                    found |= bits.iter().enumerate().fold(open, |equal, (i, &bit)| {
                        equal & if number >> i & 1 == 1 { bit } else { !bit }
                    });
                }
                found
            }
            Allowed::MineFree => {
                let empty = code.empty(&now.state);
                let groups = code.groups_of(now.state.owners[player], empty);
                if groups.enclosed { W::ZERO } else { open & code.breathing(&groups, empty) }
            }
            Allowed::TheirsFree => {
                let empty = code.empty(&now.state);
                let groups = code.groups_of(now.state.owners[1 - player], empty);
                if groups.enclosed { W::ZERO } else { open & !groups.last }
            }
            Allowed::Captures => {
                let empty = code.empty(&now.state);
                let mine = code.groups_of(now.state.owners[player], empty);
                let theirs = code.groups_of(now.state.owners[1 - player], empty);
                if mine.enclosed || theirs.enclosed {
                    return code.asked_one_by_one(now, mover, open);
                }
                // The only liberty of an opposing group captures it, which frees the stone.
                open & (code.breathing(&mine, empty) | theirs.last)
            }
        }
    }
}

/// Sets whose common sites beside the placed piece an expression means, and the directions to them.
fn parts_beside<W: Clone>(set: &Set<W>) -> Option<(Vec<Set<W>>, Dirs)> {
    let parts = match set {
        Set::And(parts) => &parts[..],
        other => std::slice::from_ref(other),
    };
    let (mut sets, mut found) = (Vec::new(), None);
    for part in parts {
        match part {
            Set::Next(set, dirs) if matches!(**set, Set::To) && found.is_none() => {
                found = Some(dirs.clone());
            }
            local if is_local(local) => sets.push(local.clone()),
            _ => return None,
        }
    }
    found.map(|dirs| (sets, dirs))
}

impl<W: BoardWord> Code<W> {
    /// Tests whether directions lead from each site to different sites, and never back to it.
    fn leads_apart(&self, dirs: &Dirs) -> bool {
        dirs.iter().all(|dirs| {
            (0..self.program.board.len()).all(|site| {
                let mut ends: Vec<usize> = dirs
                    .iter()
                    .map(|&d| usize::from(self.next[d as usize][site]))
                    .filter(|&to| to != usize::from(super::code::NOWHERE))
                    .collect();
                ends.push(site);
                let all = ends.len();
                ends.sort_unstable();
                ends.dedup();
                ends.len() == all
            })
        })
    }

    /// Tests whether each site lies beside the sites beside it, and no site beside itself.
    pub(super) fn is_mutual(&self) -> bool {
        self.next.iter().zip(&self.back).all(|(next, &back)| {
            next.iter().enumerate().all(|(site, &to)| {
                let returns = || usize::from(self.next[back][usize::from(to)]) == site;
                to == super::code::NOWHERE || usize::from(to) != site && returns()
            })
        })
    }

    /// Liberties of the groups of a set.
    fn groups_of(&self, set: W, empty: W) -> Groups<W> {
        // A stone with two empty neighbours makes its group roomy.
        let (mut once, mut twice) = (W::ZERO, W::ZERO);
        for arc in &self.spread {
            let beside = arc.go(empty);
            twice |= once & beside;
            once |= beside;
        }
        let mut groups =
            Groups { roomy: self.flood(twice & set, set), last: W::ZERO, enclosed: false };
        let mut left = set & !groups.roomy;
        while !left.is_zero() {
            let group = self.flood(W::bit(left.lowest()), left);
            left &= !group;
            let liberties = go(&self.spread, group) & empty;
            match liberties.count() {
                0 => groups.enclosed = true,
                1 => groups.last |= liberties,
                _ => groups.roomy |= group,
            }
        }
        groups
    }

    /// Sites where a stone would have a liberty, of its own or by the groups that it joins.
    fn breathing(&self, groups: &Groups<W>, empty: W) -> W {
        go(&self.spread, empty) | go(&self.spread, groups.roomy)
    }

    /// Sites of `open` where the `only-if` of a mover holds, found one by one.
    #[cold]
    fn asked_one_by_one(&self, now: &Moment<W>, mover: &Mover<W>, open: W) -> W {
        let cond = mover.only_if.as_ref().expect("the mover has a condition");
        let mut found = W::ZERO;
        for site in open.ones() {
            let mut then = *now;
            self.place(&mut then, mover, site);
            self.effects(&mut then, &mover.then);
            if self.cond(&then, cond) {
                found.set(site);
            }
        }
        found
    }
}
