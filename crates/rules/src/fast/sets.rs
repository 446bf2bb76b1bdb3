//! Values of sets, numbers and conditions.

use treegauge_bits::{Word, each_bit, has_bit};
use treegauge_core::Player;

use super::sowing::seeds_of;
use super::{Code, Moment};
use crate::fast::code::{Arc1, FamilyCode, NOWHERE, Path};
use crate::state::{BoardWord, State};
use crate::tree::{Cond, Kind, Num, Set};

/// Number of sites up to which steps from site to site take less time than shifts of wide words.
const FEW_SITES: u32 = 3;

/// Sites that a set is moved to by some shifts.
#[inline]
pub(crate) fn go<W: Word>(arcs: &[Arc1<W>], set: W) -> W {
    match arcs {
        [one] => one.go(set),
        _ => arcs.iter().fold(W::ZERO, |all, arc| all | arc.go(set)),
    }
}

/// Sites that some shifts move to a set.
#[inline]
pub(crate) fn back<W: Word>(arcs: &[Arc1<W>], set: W) -> W {
    let from = |arc: &Arc1<W>| {
        let from = if arc.up > 0 { set >> arc.up } else { set << arc.down };
        from & arc.from
    };
    match arcs {
        [one] => from(one),
        _ => arcs.iter().fold(W::ZERO, |all, arc| all | from(arc)),
    }
}

impl<W: BoardWord> State<W> {
    /// Occupied sites of a board with pieces.
    #[inline]
    pub(crate) fn occupied(&self) -> W {
        self.owners[0] | self.owners[1] | self.owners[2]
    }

    /// Pits that players have claimed, on a board of pits.
    #[inline]
    pub(crate) fn claimed(&self) -> W {
        self.owners[1] | self.owners[2]
    }
}

impl<W: BoardWord> Code<W> {
    /// Sites where the planes of kinds hold the number of a kind, whatever the class of the pieces.
    #[inline]
    pub(crate) fn of_kind(&self, state: &State<W>, kind: Kind) -> W {
        let number = self.kinds[kind as usize].number;
        let low = if number & 1 == 0 { !state.kinds[0] } else { state.kinds[0] };
        let high = if number & 2 == 0 { !state.kinds[1] } else { state.kinds[1] };
        low & high
    }

    /// Pieces of a player, of one kind or of all.
    #[inline]
    pub(crate) fn pieces(&self, state: &State<W>, player: Player, kind: Option<Kind>) -> W {
        let own = state.owners[player.index()];
        match kind {
            None => own,
            Some(kind) if self.kinds[kind as usize].neutral => W::ZERO,
            Some(kind) => own & self.of_kind(state, kind),
        }
    }

    /// Sites of a kind, whoever owns the pieces.
    #[inline]
    pub(crate) fn piece(&self, state: &State<W>, kind: Kind) -> W {
        let class = if self.kinds[kind as usize].neutral {
            state.owners[2]
        } else {
            state.owners[0] | state.owners[1]
        };
        class & self.of_kind(state, kind)
    }

    /// Pits of a player's row that contain seeds.
    #[inline]
    fn row(&self, state: &State<W>, player: Player) -> W {
        let row = W::lowest_bits(self.pits) << (player.index() as u32 * self.pits);
        state.seeded() & row
    }

    pub(crate) fn empty(&self, state: &State<W>) -> W {
        if self.pits > 0 {
            return self.playing & !state.seeded();
        }
        self.all & !state.occupied()
    }

    pub(crate) fn set(&self, now: &Moment<W>, set: &Set<W>) -> W {
        let state = &now.state;
        let player = now.mover.index();
        match set {
            Set::Const(of) => of[player],
            Set::Empty => self.empty(state),
            Set::Occupied => self.playing & !self.empty(state),
            Set::Mine(_) if self.pits > 0 => self.row(state, now.mover),
            Set::Theirs(_) if self.pits > 0 => self.row(state, now.mover.other()),
            Set::Mine(kind) => self.pieces(state, now.mover, *kind),
            Set::Theirs(kind) => self.pieces(state, now.mover.other(), *kind),
            Set::Piece(_) if self.pits > 0 => W::ZERO,
            Set::Piece(kind) => self.piece(state, *kind),
            Set::To => now.to,
            Set::From => now.from,
            Set::Over => now.over,
            Set::Taken => now.taken,
            Set::Last(who) => match state.rest.last[who.of(now.mover).index()] {
                0 => W::ZERO,
                site => W::bit(u32::from(site) - 1),
            },
            Set::And(sets) => {
                let all = self.set(now, &sets[0]);
                sets[1..].iter().fold(all, |all, set| self.set_within(now, set, all))
            }
            Set::Or(sets) => {
                let mut all = self.set(now, &sets[0]);
                for set in &sets[1..] {
                    all |= self.set(now, set);
                }
                all
            }
            Set::Not(set) => self.playing & !self.set(now, set),
            Set::FirstOf(sets) => {
                for set in sets {
                    let found = self.set(now, set);
                    if !found.is_zero() {
                        return found;
                    }
                }
                W::ZERO
            }
            Set::Next(set, dirs) => {
                let set = self.set(now, set);
                self.next_to(set, &dirs[player])
            }
            Set::Rays(set, dirs) => {
                let (set, empty) = (self.set(now, set), self.empty(state));
                let mut all = W::ZERO;
                if set.is_single() {
                    return self.rays_by_site(set.lowest(), empty, &dirs[player]);
                }
                for &d in &dirs[player] {
                    let (mut seen, mut at) = (W::ZERO, set);
                    loop {
                        at = go(&self.arcs[d as usize], at) & empty & !seen;
                        if at.is_zero() {
                            break;
                        }
                        seen |= at;
                    }
                    all |= seen;
                }
                all
            }
            Set::Custodial(dirs, most) => self.custodial(now, &dirs[player], *most),
            Set::Joined(seeds, within) => {
                let (seeds, within) = (self.set(now, seeds), self.set(now, within));
                self.flood(seeds & within, within)
            }
            Set::Enclosed(set) => {
                let set = self.set(now, set);
                let free = go(&self.spread, self.empty(state)) & set;
                set & !self.flood(free, set)
            }
            Set::Covered(family, set) => {
                let set = self.set(now, set);
                let mut all = W::ZERO;
                for member in &self.families[*family].members {
                    if (member.sites & !set).is_zero() && (member.ends & set).is_zero() {
                        all |= member.sites;
                    }
                }
                all
            }
            Set::Supported => {
                let empty = self.empty(state);
                empty & !go(&self.above, empty)
            }
            Set::Store => W::bit(2 * self.pits + player as u32),
            Set::Opposite(set) => {
                let set = self.set(now, set) & self.playing;
                let mut found = W::ZERO;
                each_bit(set, |pit| found.set(2 * self.pits - 1 - pit));
                found
            }
            Set::After(set) => {
                let set = self.set(now, set) & self.playing;
                let last = 2 * self.pits - 1;
                let wraps = if set.has(last) { W::bit(0) } else { W::ZERO };
                (set << 1) & self.playing | wraps
            }
            Set::Counterpart(set) => {
                let set = self.set(now, set) & self.playing;
                (set << self.pits | set >> self.pits) & self.playing
            }
            Set::Claimed(_) if self.pits == 0 => W::ZERO,
            Set::Claimed(who) => state.owners[1 + who.of(now.mover).index()],
            Set::Back(set, numbers) => {
                let set = self.set(now, set) & self.playing;
                let mut found = W::ZERO;
                each_bit(now.to & self.playing, |mut at| {
                    while set.has(at)
                        && !found.has(at)
                        && numbers.contains(&i32::from(state.seeds(at)))
                    {
                        found.set(at);
                        at = if at == 0 { 2 * self.pits - 1 } else { at - 1 };
                    }
                });
                found
            }
        }
    }

    /// Sites of a set that are sites of `bound` too. Parts of the set that cannot have such sites
    /// are left out, which costs as little as the first empty operand of an `and`.
    pub(super) fn set_within(&self, now: &Moment<W>, set: &Set<W>, bound: W) -> W {
        if bound.is_zero() {
            return W::ZERO;
        }
        match set {
            Set::And(sets) => sets.iter().fold(bound, |all, set| self.set_within(now, set, all)),
            Set::Or(sets) => {
                sets.iter().fold(W::ZERO, |all, set| all | self.set_within(now, set, bound))
            }
            Set::Not(set) => bound & self.playing & !self.set_within(now, set, bound),
            set => self.set(now, set) & bound,
        }
    }

    /// Sites beside those of a set in some directions.
    #[inline]
    fn next_to(&self, set: W, dirs: &[u8]) -> W {
        // Shifts of wide words take longer than a few steps from site to site.
        if W::BITS > 128 && set.count() <= FEW_SITES {
            let mut found = W::ZERO;
            for site in set.ones() {
                for &d in dirs {
                    let next = self.next[d as usize][site as usize];
                    if next != NOWHERE {
                        found.set(next.into());
                    }
                }
            }
            return found;
        }
        dirs.iter().fold(W::ZERO, |all, &d| all | go(&self.arcs[d as usize], set))
    }

    /// Empty sites in unbroken lines from a site, followed from site to site.
    fn rays_by_site(&self, from: u32, empty: W, dirs: &[u8]) -> W {
        let mut all = W::ZERO;
        for &d in dirs {
            let next = &self.next[d as usize];
            let (mut seen, mut at) = (W::ZERO, next[from as usize]);
            // A line that returns to its own sites circles the board.
            while at != NOWHERE && has_bit(empty, at.into()) && !has_bit(seen, at.into()) {
                seen.set(at.into());
                at = next[usize::from(at)];
            }
            all |= seen;
        }
        all
    }

    /// Sites of `within` that are connected to `from`, which must be part of it.
    pub(crate) fn flood(&self, from: W, within: W) -> W {
        if !self.beside.is_empty() {
            return self.flood_by_site(from, within);
        }
        let mut all = from;
        loop {
            let before = all;
            for arc in &self.spread {
                all |= arc.go(all) & within;
            }
            if all == before {
                return all;
            }
        }
    }

    /// Does the same from site to site.
    fn flood_by_site(&self, from: W, within: W) -> W {
        let (mut all, mut last) = (from, from);
        while !last.is_zero() {
            let mut reached = W::ZERO;
            each_bit(last, |site| reached |= self.beside[site as usize]);
            last = reached & within & !all;
            all |= last;
        }
        all
    }

    /// Tests whether `set` contains a set of the family through a site of `to`.
    pub(crate) fn makes(&self, to: W, family: usize, set: W) -> bool {
        let FamilyCode { through, paths, .. } = &self.families[family];
        if !paths.is_empty() {
            let held = |path: &Path| {
                path.sites.iter().all(|&site| has_bit(set, site.into()))
                    && !path.ends.iter().any(|&site| has_bit(set, site.into()))
            };
            let mut to = (to & set).ones();
            return to.any(|site| paths[site as usize].iter().any(held));
        }
        let mut to = to;
        while !to.is_zero() {
            let site = to.lowest();
            to &= !W::bit(site);
            let held = through[site as usize]
                .iter()
                .any(|member| (member.sites & !set).is_zero() && (member.ends & set).is_zero());
            if held {
                return true;
            }
        }
        false
    }

    pub(crate) fn num(&self, now: &Moment<W>, n: &Num<W>) -> i32 {
        match n {
            Num::Int(n) => *n,
            Num::Count(set) => self.set(now, set).count() as i32,
            Num::Groups(set) => self.groups(self.set(now, set)).0,
            Num::Largest(set) => self.groups(self.set(now, set)).1,
            Num::Score(who) => {
                let player = who.of(now.mover).index();
                if self.pits > 0 {
                    i32::from(now.state.seeds(2 * self.pits + player as u32))
                } else {
                    i32::from(now.state.rest.score[player])
                }
            }
            Num::Hand(who, kind) => {
                let hands = &now.state.rest.hands[who.of(now.mover).index()];
                match kind {
                    Some(kind) => i32::from(hands[self.kinds[*kind as usize].number]),
                    None => hands.iter().map(|&n| i32::from(n)).sum(),
                }
            }
            Num::Made(family, set) => {
                let set = self.set(now, set);
                let held = |member: &&crate::fast::code::Member<W>| {
                    !(member.sites & now.to).is_zero()
                        && (member.sites & !set).is_zero()
                        && (member.ends & set).is_zero()
                };
                let FamilyCode { members, through, .. } = &self.families[*family];
                let members =
                    if now.to.is_single() { &through[now.to.lowest() as usize] } else { members };
                members.iter().filter(held).count() as i32
            }
            Num::Seeds(set) => {
                if self.pits > 0 {
                    seeds_of(&now.state, self.set(now, set))
                } else {
                    0
                }
            }
            Num::Add(parts) => {
                parts.iter().fold(0i32, |sum, n| sum.saturating_add(self.num(now, n)))
            }
            Num::Sub(a, b) => self.num(now, a).saturating_sub(self.num(now, b)),
        }
    }

    /// Number of connected groups of a set, and the size of the largest.
    fn groups(&self, set: W) -> (i32, i32) {
        let (mut left, mut count, mut largest) = (set, 0, 0);
        while !left.is_zero() {
            let group = self.flood(W::bit(left.lowest()), left);
            left &= !group;
            count += 1;
            largest = largest.max(group.count() as i32);
        }
        (count, largest)
    }

    pub(crate) fn cond(&self, now: &Moment<W>, cond: &Cond<W>) -> bool {
        match cond {
            Cond::Compare(how, a, b) => how.holds(self.num(now, a), self.num(now, b)),
            Cond::Some(set) => !self.set(now, set).is_zero(),
            Cond::None(set) => self.set(now, set).is_zero(),
            Cond::In(a, b) => {
                let a = self.set(now, a);
                !a.is_zero() && self.set_within(now, b, a) == a
            }
            Cond::Is(a, b) => a.of(now.mover) == b.of(now.mover),
            Cond::Makes(family, set) => {
                !now.to.is_zero() && self.makes(now.to, *family, self.set(now, set))
            }
            Cond::Connects(set, ends) => {
                let set = self.set(now, set);
                let first = self.set(now, &ends[0]) & set;
                let reached = self.flood(first, set);
                if ends.len() == 1 {
                    return !first.is_zero();
                }
                if ends.len() == 2 {
                    return !(reached & self.set(now, &ends[1])).is_zero();
                }
                let mut left = first;
                while !left.is_zero() {
                    let group = self.flood(W::bit(left.lowest()), set);
                    left &= !group;
                    let touches = |end| !(group & self.set(now, end)).is_zero();
                    if ends[1..].iter().all(touches) {
                        return true;
                    }
                }
                false
            }
            Cond::Opening(n) => u32::from(now.state.rest.plies) < *n,
            Cond::And(parts) => parts.iter().all(|cond| self.cond(now, cond)),
            Cond::Or(parts) => parts.iter().any(|cond| self.cond(now, cond)),
            Cond::Not(cond) => !self.cond(now, cond),
            Cond::Even(n) => self.num(now, n) % 2 == 0,
        }
    }
}
