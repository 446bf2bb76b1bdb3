//! Lanes of moves, and walks along the ways to play moves of several parts.
//!
//! A lane is a set of target sites of moves that otherwise have the same form: one direction and
//! one distance, or one piece. A walk visits every way to move, with the moment after it.

use std::ops::ControlFlow;

use treegauge_bits::{each_bit, has_bit};
use treegauge_core::Player;

use super::sets::{back, go};
use super::{Code, Moment};
use crate::board::Site;
use crate::fast::code::NOWHERE;
use crate::layout::Part;
use crate::state::BoardWord;
use crate::tree::{Chain, Mover, Moves, Set, Verb};

/// Origin of the pieces of a lane.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Origin {
    /// No piece moves.
    Nowhere,
    /// One piece, from this site.
    Site(u32),
    /// Each piece comes from this many steps back along a direction.
    Back(u8, u32),
    /// Each piece comes from two steps back, over another piece. The first number is the index of
    /// the direction in the mover's list, the second that of the direction on the board.
    Hopped(u8, u8),
    /// The sites of the lane are themselves the origins.
    Here,
}

/// Largest number of sites of a board.
const SITES_MAX: usize = 512;

/// Tests whether a mover makes chains of hops that are moves of their own.
pub(super) fn is_chain<C>(mover: &Mover<C>) -> bool {
    matches!(&mover.verb, Verb::Hop { chain: Chain::Must | Chain::May, .. })
}

/// Sites that a piece reaches by chains of hops over the sites of `over`, to sites that are not
/// `occupied`. Each site has its jumps: the site hopped over, and the site of landing.
#[inline]
fn reached_by<W: BoardWord>(jumps: &[Vec<[Site; 2]>], over: W, occupied: W, from: u32) -> W {
    // Sites other than that of the piece keep their contents wherever it has arrived.
    let leads = |&[mid, land]: &[Site; 2]| {
        u32::from(mid) != from && has_bit(over, mid.into()) && !has_bit(occupied, land.into())
    };
    if !jumps[from as usize].iter().any(leads) {
        return W::ZERO;
    }
    let (mut left, mut count) = ([0; SITES_MAX], 1);
    left[0] = from as Site;
    let mut reached = W::ZERO;
    while count > 0 {
        count -= 1;
        for jump in jumps[usize::from(left[count])].iter().filter(|jump| leads(jump)) {
            let land = u32::from(jump[1]);
            if !has_bit(reached, land) {
                reached.set(land);
                left[count] = jump[1];
                count += 1;
            }
        }
    }
    reached
}

/// Passed to a visitor as the number of parts just before an `only-if` is evaluated. Such a visit
/// does not report a way to move.
pub(crate) const ASKED: usize = usize::MAX;

pub(crate) type Walked<'a, W> = &'a mut dyn FnMut(&Moment<W>, usize, u64) -> ControlFlow<()>;

impl<W: BoardWord> Code<W> {
    /// Pieces that a mover may move.
    pub(super) fn movable(&self, now: &Moment<W>, mover: &Mover<W>) -> W {
        match mover.kind {
            Some(kind) if self.kinds[kind as usize].neutral => self.piece(&now.state, kind),
            kind => self.pieces(&now.state, now.mover, kind),
        }
    }

    /// Calls `visit` with every lane of a mover, as if chains ended after one hop, until it returns
    /// a value.
    #[inline]
    pub(super) fn lanes<R>(
        &self,
        now: &Moment<W>,
        mover: &Mover<W>,
        mut visit: impl FnMut(W, Origin) -> Option<R>,
    ) -> Option<R> {
        let player = now.mover.index();
        match &mover.verb {
            Verb::Place => {
                let of = self.kinds[mover.kind.unwrap_or(0) as usize];
                let in_hand = !of.has_hand || now.state.rest.hands[player][of.number] > 0;
                if !in_hand || !of.neutral && !of.players[player] {
                    return None;
                }
                let mut lane = self.set(now, &mover.to);
                // Pieces captured by an earlier part of the move also satisfy the condition, so the
                // flank does not apply then.
                if let (Some(flank), true) = (&self.flanks[mover.id], now.taken.is_zero()) {
                    let [own, other] = [player, 1 - player].map(|player| now.state.owners[player]);
                    lane &= flank.reach(player, own, other);
                }
                visit(lane, Origin::Nowhere)
            }
            Verb::Remove => visit(self.set(now, &mover.to) & now.state.occupied(), Origin::Nowhere),
            Verb::Pass => visit(W::bit(0), Origin::Nowhere),
            Verb::Swap { .. } => {
                if now.mover == Player::Second && now.state.rest.plies == 1 {
                    visit(W::bit(0), Origin::Nowhere)
                } else {
                    None
                }
            }
            Verb::Sow { .. } => visit(self.set(now, &crate::tree::Set::Mine(None)), Origin::Here),
            _ if self.by_site[mover.id] => self.lanes_by_site(now, mover, visit),
            Verb::Step(dirs) => {
                let (from, to) = (self.movable(now, mover), self.set(now, &mover.to));
                for &d in &dirs[player] {
                    let lane = go(&self.arcs[d as usize], from) & to;
                    if let found @ Some(_) = visit(lane, Origin::Back(d, 1)) {
                        return found;
                    }
                }
                None
            }
            Verb::Slide(dirs, most) => {
                let (from, to) = (self.movable(now, mover), self.set(now, &mover.to));
                let empty = self.empty(&now.state);
                for &d in &dirs[player] {
                    let (mut at, mut steps) = (from, 0);
                    while steps < *most {
                        at = go(&self.arcs[d as usize], at);
                        steps += 1;
                        if at.is_zero() {
                            break;
                        }
                        if let found @ Some(_) = visit(at & to, Origin::Back(d, steps)) {
                            return found;
                        }
                        at &= empty;
                    }
                }
                None
            }
            Verb::Hop { dirs, over, .. } => {
                let (from, to) = (self.movable(now, mover), self.set(now, &mover.to));
                let over = self.set(now, over);
                if let Some(routes) = &self.routes[mover.id] {
                    return routes.lanes(player, &dirs[player], [from, over, to], visit);
                }
                for (n, &d) in dirs[player].iter().enumerate() {
                    let arcs = &self.arcs[d as usize];
                    let lane = go(arcs, go(arcs, from) & over) & to;
                    if let found @ Some(_) = visit(lane, Origin::Hopped(n as u8, d)) {
                        return found;
                    }
                }
                None
            }
            Verb::Leap(_) | Verb::Fly | Verb::Ride(_) => self.lanes_by_site(now, mover, visit),
        }
    }

    /// Calls `visit` with one lane for each piece.
    fn lanes_by_site<R>(
        &self,
        now: &Moment<W>,
        mover: &Mover<W>,
        mut visit: impl FnMut(W, Origin) -> Option<R>,
    ) -> Option<R> {
        let from = self.movable(now, mover);
        if let Verb::Hop { over, .. } = &mover.verb
            && let Some(jumps) = self.jumps[mover.id].get(now.mover.index())
        {
            let (over, occupied) = (self.set(now, over), now.state.occupied());
            for site in from.ones() {
                let targets = reached_by(jumps, over, occupied, site);
                if !targets.is_zero()
                    && let found @ Some(_) = visit(targets, Origin::Site(site))
                {
                    return found;
                }
            }
            return None;
        }
        let to = self.set(now, &mover.to);
        for site in from.ones() {
            let targets = match &mover.verb {
                Verb::Leap(_) => self.leaps[mover.id][site as usize],
                Verb::Fly => self.all,
                Verb::Ride(_) => self.ridden(now, mover, site),
                _ => self.targets(now, mover, site),
            };
            let targets = if mover.is_reach() { targets } else { targets & to & !W::bit(site) };
            if let found @ Some(_) = visit(targets, Origin::Site(site)) {
                return found;
            }
        }
        None
    }

    /// Targets of one piece by steps, slides and single hops, before `to` is applied.
    fn targets(&self, now: &Moment<W>, mover: &Mover<W>, site: u32) -> W {
        let player = now.mover.index();
        let occupied = now.state.occupied();
        let mut targets = W::ZERO;
        match &mover.verb {
            Verb::Step(dirs) => {
                for &d in &dirs[player] {
                    let next = self.next[d as usize][site as usize];
                    if next != NOWHERE {
                        targets.set(u32::from(next));
                    }
                }
            }
            Verb::Slide(dirs, most) => {
                for &d in &dirs[player] {
                    let mut at = site;
                    for _ in 0..*most {
                        let next = self.next[d as usize][at as usize];
                        if next == NOWHERE || u32::from(next) == site {
                            break;
                        }
                        at = u32::from(next);
                        targets.set(at);
                        if occupied.has(at) {
                            break;
                        }
                    }
                }
            }
            Verb::Hop { over, chain: Chain::Reach, dirs } => {
                return self.reached(now, mover, &dirs[player], over, site);
            }
            Verb::Hop { dirs, over, .. } => {
                let over = self.set(now, over);
                for &d in &dirs[player] {
                    if let Some(land) = self.land(over, site, d) {
                        targets.set(land);
                    }
                }
            }
            _ => {}
        }
        targets
    }

    /// Sites that a piece comes to by riding along tracks.
    fn ridden(&self, now: &Moment<W>, mover: &Mover<W>, from: u32) -> W {
        let occupied = now.state.occupied() & !W::bit(from);
        let mut found = W::ZERO;
        let rides = self.rides[mover.id].iter().flat_map(|rides| &rides[from as usize]);
        for ride in rides.filter(|ride| (ride.before & occupied).is_zero()) {
            for &site in &ride.sites {
                found.set(u32::from(site));
                if occupied.has(u32::from(site)) {
                    break;
                }
            }
        }
        found
    }

    /// Sites that a piece reaches by a chain of hops whose way does not matter.
    fn reached(
        &self,
        now: &Moment<W>,
        mover: &Mover<W>,
        dirs: &[u8],
        over: &Set<W>,
        from: u32,
    ) -> W {
        let origin = W::bit(from);
        let (mut reached, mut at, mut left) = (origin, from, W::ZERO);
        let mut then = *now;
        then.from = origin;
        loop {
            let (over, to) = (self.set(&then, over), self.set(&then, &mover.to));
            for &d in dirs {
                if let Some(land) = self.land(over, at, d)
                    && to.has(land)
                    && !reached.has(land)
                {
                    reached.set(land);
                    left.set(land);
                }
            }
            let Some(next) = left.ones().next() else { return reached & !origin };
            left &= !W::bit(next);
            then = *now;
            self.travel(&mut then, from, next);
            at = next;
        }
    }

    /// Landing site of a hop from `site` over a site of `over`; `None` if the hop is not possible.
    pub(super) fn land(&self, over: W, site: u32, d: u8) -> Option<u32> {
        let next = &self.next[d as usize];
        let mid = next[site as usize];
        if mid == NOWHERE || u32::from(mid) == site || !over.has(u32::from(mid)) {
            return None;
        }
        let land = next[mid as usize];
        (land != NOWHERE && u32::from(land) != site).then_some(u32::from(land))
    }

    /// Part of the move that arrives at a site of a lane.
    pub(super) fn part_of(
        &self,
        now: &Moment<W>,
        mover: &Mover<W>,
        origin: Origin,
        site: u32,
    ) -> Part {
        let back = |d: u8, steps: u32| {
            let mut at = site;
            for _ in 0..steps {
                at = u32::from(self.next[self.back[d as usize]][at as usize]);
            }
            at as usize
        };
        let part = Part { mover: mover.id, to: site as usize, ..Part::default() };
        match origin {
            Origin::Nowhere => part,
            Origin::Here => Part { from: site as usize, to: 0, ..part },
            Origin::Back(d, steps) => Part { from: back(d, steps), ..part },
            Origin::Hopped(n, d) => Part { from: back(d, 2), hops: 1, path: u64::from(n), ..part },
            Origin::Site(from) => {
                let part = Part { from: from as usize, ..part };
                let Verb::Hop { dirs, over, chain } = &mover.verb else { return part };
                if *chain == Chain::Reach {
                    return part;
                }
                let over = self.set(now, over);
                let dirs = &dirs[now.mover.index()];
                let leads = |&d: &u8| self.land(over, from, d) == Some(site);
                let n = dirs.iter().position(leads).expect("a hop leads there");
                Part { hops: 1, path: n as u64, ..part }
            }
        }
    }

    /// Tests whether `only-if` was evaluated more often than one ply allows.
    #[inline]
    pub(super) fn is_spent(&self, asked: u32) -> bool {
        asked > self.layout.asked_max
    }

    /// Calls `visit` with the moment after each way to play, the number of parts so far, and the
    /// code of the move so far. Also calls it with [`ASKED`] before each `only-if`.
    pub(crate) fn walk(
        &self,
        now: &Moment<W>,
        moves: &Moves<W>,
        at: usize,
        code: u64,
        visit: Walked<'_, W>,
    ) -> ControlFlow<()> {
        match moves {
            Moves::Mover(mover) => self.walk_mover(now, mover, at, code, visit),
            Moves::Or(parts) => {
                parts.iter().try_for_each(|part| self.walk(now, part, at, code, visit))
            }
            Moves::FirstOf(parts) => {
                for part in parts {
                    let mut any = false;
                    self.walk(now, part, at, code, &mut |then, at, code| {
                        any |= at != ASKED;
                        visit(then, at, code)
                    })?;
                    if any {
                        break;
                    }
                }
                ControlFlow::Continue(())
            }
            Moves::If(cond, yes, no) => match (self.cond(now, cond), no) {
                (true, _) => self.walk(now, yes, at, code, visit),
                (false, Some(no)) => self.walk(now, no, at, code, visit),
                (false, None) => ControlFlow::Continue(()),
            },
            Moves::Seq(parts) => self.walk(now, &parts[0], at, code, &mut |then, at, code| {
                if at == ASKED {
                    return visit(then, at, code);
                }
                self.walk_rest(then, &parts[1..], at, code, visit)
            }),
        }
    }

    /// Walks the later parts of a `seq`. A part without moves is skipped.
    fn walk_rest(
        &self,
        now: &Moment<W>,
        parts: &[Moves<W>],
        at: usize,
        code: u64,
        visit: Walked<'_, W>,
    ) -> ControlFlow<()> {
        let Some((first, rest)) = parts.split_first() else { return visit(now, at, code) };
        let mut any = false;
        self.walk(now, first, at, code, &mut |then, at, code| {
            if at == ASKED {
                return visit(then, at, code);
            }
            any = true;
            self.walk_rest(then, rest, at, code, visit)
        })?;
        if any { ControlFlow::Continue(()) } else { self.walk_rest(now, rest, at, code, visit) }
    }

    pub(super) fn walk_mover(
        &self,
        now: &Moment<W>,
        mover: &Mover<W>,
        at: usize,
        code: u64,
        visit: Walked<'_, W>,
    ) -> ControlFlow<()> {
        if is_chain(mover) {
            for from in self.hopping(now, mover).ones() {
                let mut start = *now;
                start.from = W::bit(from);
                let part = Part { mover: mover.id, from: from as usize, ..Part::default() };
                self.walk_chain(&start, mover, at, code, part, from, W::ZERO, visit)?;
            }
            return ControlFlow::Continue(());
        }
        let flanked = self.flanks[mover.id].as_ref().map(|_| self.set(now, &mover.to));
        let stopped = self.lanes(now, mover, |lane, origin| {
            // Sites of `to` that enclose nothing count as evaluated.
            for site in flanked.unwrap_or(lane).ones() {
                if mover.only_if.is_some() && visit(now, ASKED, code).is_break() {
                    return Some(());
                }
                if !lane.has(site) {
                    continue;
                }
                let part = self.part_of(now, mover, origin, site);
                let mut then = *now;
                self.part(&mut then, at, &part);
                if mover.only_if.as_ref().is_some_and(|cond| !self.cond(&then, cond)) {
                    continue;
                }
                if visit(&then, at + 1, code | self.layout.encode(at, &part)).is_break() {
                    return Some(());
                }
            }
            None
        });
        if stopped.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Pieces of a mover of chains among which are all that can hop.
    fn hopping(&self, now: &Moment<W>, mover: &Mover<W>) -> W {
        let from = self.movable(now, mover);
        let Verb::Hop { dirs, over, .. } = &mover.verb else { return from };
        // The sets must not depend on the piece that hops.
        let is_fixed = |set: &Set<W>| {
            matches!(
                set,
                Set::Const(_)
                    | Set::Empty
                    | Set::Occupied
                    | Set::Mine(_)
                    | Set::Theirs(_)
                    | Set::Piece(_)
            )
        };
        if !is_fixed(over) || !is_fixed(&mover.to) {
            return from;
        }
        let (over, to) = (self.set(now, over), self.set(now, &mover.to));
        let player = now.mover.index();
        if let Some(routes) = &self.routes[mover.id] {
            return routes.hopping(player, [from, over, to]);
        }
        let dirs = dirs[player].iter();
        from & dirs.fold(W::ZERO, |all, &d| {
            let arcs = &self.arcs[d as usize];
            all | back(arcs, over & back(arcs, to))
        })
    }

    /// Walks the chains of a piece that has reached `site` by the hops of `part`.
    #[expect(clippy::too_many_arguments, reason = "the state of a walk, which makes no struct")]
    fn walk_chain(
        &self,
        now: &Moment<W>,
        mover: &Mover<W>,
        at: usize,
        code: u64,
        part: Part,
        site: u32,
        hopped: W,
        visit: Walked<'_, W>,
    ) -> ControlFlow<()> {
        let Verb::Hop { dirs, over, chain } = &mover.verb else { unreachable!("it hops") };
        let ends = |now: &Moment<W>, part: &Part, visit: Walked<'_, W>| {
            if let Some(cond) = &mover.only_if {
                visit(now, ASKED, code)?;
                if !self.cond(now, cond) {
                    return ControlFlow::Continue(());
                }
            }
            visit(now, at + 1, code | self.layout.encode(at, part))
        };
        let mut goes_on = false;
        if part.hops < self.layout.hops_max {
            let (over, to) = (self.set(now, over), self.set(now, &mover.to));
            for (n, &d) in dirs[now.mover.index()].iter().enumerate() {
                let Some(land) = self.land(over & !hopped, site, d).filter(|&l| to.has(l)) else {
                    continue;
                };
                goes_on = true;
                let mid = u32::from(self.next[d as usize][site as usize]);
                let mut then = *now;
                let kinds = |moment: &Moment<W>, site: u32| {
                    let bit = W::bit(site);
                    let planes = moment.state.owners.iter().chain(&moment.state.kinds);
                    planes.fold(0u8, |all, plane| all << 1 | u8::from(!(*plane & bit).is_zero()))
                };
                let before = kinds(&then, site);
                self.hop(&mut then, mover, site, d);
                let shift = part.hops as u32 * self.layout.parts[at].hop;
                let part = Part {
                    to: land as usize,
                    hops: part.hops + 1,
                    path: part.path | (n as u64) << shift,
                    ..part
                };
                if kinds(&then, land) == before {
                    let hopped = hopped | W::bit(mid);
                    self.walk_chain(&then, mover, at, code, part, land, hopped, visit)?;
                } else {
                    ends(&then, &part, visit)?;
                }
            }
        }
        if part.hops > 0 && (*chain == Chain::May || !goes_on) {
            ends(now, &part, visit)?;
        }
        ControlFlow::Continue(())
    }

    /// Tests whether a mover is a chain without `only-if` that cannot continue after any first hop
    /// here, so that its lanes are its moves.
    pub(super) fn no_chain_goes_on(&self, now: &Moment<W>, mover: &Mover<W>) -> bool {
        let Verb::Hop { chain: Chain::Must, .. } = &mover.verb else { return false };
        if mover.only_if.is_some() || self.by_site[mover.id] {
            return false;
        }
        let mut goes_on = false;
        let _: Option<()> = self.lanes(now, mover, |lane, origin| {
            each_bit(lane, |site| {
                if goes_on {
                    return;
                }
                let part = self.part_of(now, mover, origin, site);
                let mut then = *now;
                then.from = W::bit(part.from as u32);
                self.part(&mut then, 0, &part);
                let (_, d) = match origin {
                    Origin::Hopped(n, d) => (n, d),
                    _ => unreachable!("a chain has lanes of hops"),
                };
                let mid = u32::from(self.next[d as usize][part.from]);
                let Verb::Hop { dirs, over, .. } = &mover.verb else { unreachable!("it hops") };
                let (over, to) = (self.set(&then, over), self.set(&then, &mover.to));
                let over = over & !W::bit(mid);
                // A piece that has become another kind stops.
                let mine = self.movable(&then, mover);
                goes_on |= mover.kind.is_none() || mine.has(site);
                goes_on &= dirs[now.mover.index()]
                    .iter()
                    .any(|&d| self.land(over, site, d).is_some_and(|land| to.has(land)));
            });
            None
        });
        !goes_on
    }
}
