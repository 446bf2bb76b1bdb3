//! Search for the moves of a position, for all that count, choose, list or record them.
//!
//! Moves come in one order, that of the text. Those that differ only in one site come together, as a
//! lane; the others come one by one.

use std::ops::ControlFlow;

use super::duplicates::Duplicates;
use super::forecast::{Filter, Known, Permits};
use super::moves::{ASKED, Origin, is_chain};
use super::sets::go;
use super::{Code, Moment};
use crate::layout::MOVES_MAX;
use crate::state::BoardWord;
use crate::tree::{Mover, Moves, Verb};

/// Moves that differ only in one site.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lane<W> {
    pub(super) mover: usize,
    pub(super) origin: Origin,
    pub(super) sites: W,
    /// Index of the part that arrives at one of the sites, and the code of the parts before it.
    pub(super) at: usize,
    pub(super) code: u64,
}

impl<W: BoardWord> Lane<W> {
    /// Code of the move to a site.
    fn to(&self, code: &Code<W>, now: &Moment<W>, site: u32) -> u64 {
        let part = code.part_of(now, &code.movers[self.mover], self.origin, site);
        self.code | code.layout.encode(self.at, &part)
    }
}

/// Receiver of moves. It breaks off the search when it needs no more of them.
pub(super) trait Sink<W> {
    /// Receives a lane, found in the moment before the part that arrives at its sites.
    fn lane(&mut self, code: &Code<W>, now: &Moment<W>, lane: Lane<W>) -> ControlFlow<()>;

    /// Receives the code of one move.
    fn one(&mut self, m: u64) -> ControlFlow<()>;

    /// Hears of sites where a mover may play the first part of moves, which follow.
    #[inline]
    fn begins(&mut self, _: &Mover<W>, _: W) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Number of moves received.
    fn received(&self) -> u32;
}

/// Breaks at more moves than the limit.
#[inline]
pub(super) fn full_at(count: u32) -> ControlFlow<()> {
    if count > MOVES_MAX as u32 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// Number of moves.
#[derive(Debug, Default)]
struct Count(u32);

impl<W: BoardWord> Sink<W> for Count {
    #[inline]
    fn lane(&mut self, _: &Code<W>, _: &Moment<W>, lane: Lane<W>) -> ControlFlow<()> {
        self.0 += lane.sites.count();
        full_at(self.0)
    }

    #[inline]
    fn one(&mut self, _: u64) -> ControlFlow<()> {
        self.0 += 1;
        full_at(self.0)
    }

    fn received(&self) -> u32 {
        self.0
    }
}

/// Whether there is a move.
#[derive(Debug, Default)]
struct Any(bool);

impl<W: BoardWord> Sink<W> for Any {
    #[inline]
    fn lane(&mut self, _: &Code<W>, _: &Moment<W>, lane: Lane<W>) -> ControlFlow<()> {
        self.0 = !lane.sites.is_zero();
        if self.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn one(&mut self, _: u64) -> ControlFlow<()> {
        self.0 = true;
        ControlFlow::Break(())
    }

    fn received(&self) -> u32 {
        u32::from(self.0)
    }
}

/// Move of a number.
#[derive(Debug)]
struct Nth {
    n: u32,
    passed: u32,
    found: Option<u64>,
}

impl<W: BoardWord> Sink<W> for Nth {
    #[inline]
    fn lane(&mut self, code: &Code<W>, now: &Moment<W>, lane: Lane<W>) -> ControlFlow<()> {
        let (left, count) = (self.n - self.passed, lane.sites.count());
        if left < count {
            self.found = Some(lane.to(code, now, lane.sites.nth(left)));
            return ControlFlow::Break(());
        }
        self.passed += count;
        ControlFlow::Continue(())
    }

    #[inline]
    fn one(&mut self, m: u64) -> ControlFlow<()> {
        if self.passed == self.n {
            self.found = Some(m);
            return ControlFlow::Break(());
        }
        self.passed += 1;
        ControlFlow::Continue(())
    }

    fn received(&self) -> u32 {
        self.passed
    }
}

/// Moves one by one, at most the limit.
struct Each<'a> {
    visit: &'a mut dyn FnMut(u64) -> ControlFlow<()>,
    visited: u32,
}

impl<W: BoardWord> Sink<W> for Each<'_> {
    fn lane(&mut self, code: &Code<W>, now: &Moment<W>, lane: Lane<W>) -> ControlFlow<()> {
        lane.sites.ones().try_for_each(|site| Sink::<W>::one(self, lane.to(code, now, site)))
    }

    #[inline]
    fn one(&mut self, m: u64) -> ControlFlow<()> {
        if self.visited == MOVES_MAX as u32 {
            return ControlFlow::Break(());
        }
        self.visited += 1;
        (self.visit)(m)
    }

    fn received(&self) -> u32 {
        self.visited
    }
}

/// Later parts of a `seq`, and those of the `seq`s around it.
struct Rest<'a, W> {
    parts: &'a [Moves<W>],
    next: Option<&'a Rest<'a, W>>,
}

/// Parts before the next part of a move, and parts that may follow it.
struct Place<'a, W> {
    rest: Option<&'a Rest<'a, W>>,
    /// Number of parts before, and their code.
    at: usize,
    code: u64,
}

impl<W> Clone for Place<'_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W> Copy for Place<'_, W> {}

/// Tests whether the lanes of a mover are its moves in every position.
fn is_plain<W>(mover: &Mover<W>) -> bool {
    mover.only_if.is_none() && !is_chain(mover)
}

impl<W: BoardWord> Code<W> {
    /// Number of moves of a player, at most [`MOVES_MAX`].
    pub(crate) fn count(&self, now: &Moment<W>) -> u32 {
        let mut count = Count(0);
        if !self.find_distinct(now, &mut count) {
            count = Count(0);
            self.each_distinct(now, &mut |m| Sink::<W>::one(&mut count, m));
        }
        count.0.min(MOVES_MAX as u32)
    }

    /// The `n`-th move of a player, in the order of [`Code::each`].
    pub(crate) fn nth(&self, now: &Moment<W>, n: u32) -> Option<u64> {
        let mut nth = Nth { n, passed: 0, found: None };
        // Ways before the first that may repeat one are moves in their order.
        if !self.find_distinct(now, &mut nth) && nth.found.is_none() {
            nth = Nth { n, passed: 0, found: None };
            self.each_distinct(now, &mut |m| Sink::<W>::one(&mut nth, m));
        }
        nth.found
    }

    /// Calls `visit` with every move of a player until it breaks.
    pub(crate) fn each(&self, now: &Moment<W>, visit: &mut dyn FnMut(u64) -> ControlFlow<()>) {
        if self.duplicates != Duplicates::Never {
            self.each_distinct(now, visit);
        } else {
            self.each_way(now, visit);
        }
    }

    /// Calls `visit` with every way to move until it breaks. Two ways may be one move.
    pub(super) fn each_way(&self, now: &Moment<W>, visit: &mut dyn FnMut(u64) -> ControlFlow<()>) {
        let _ = self.find(now, &self.body.play, &mut 0, &mut Each { visit, visited: 0 });
    }

    /// Tests whether a player has a move.
    pub(crate) fn any(&self, now: &Moment<W>) -> bool {
        let mut moves = &self.body.play;
        // A later part without moves is skipped, so the first part decides.
        while let (Moves::Seq(parts), false) = (moves, self.asks_later) {
            moves = &parts[0];
        }
        if let Moves::Mover(mover) = moves
            && mover.only_if.is_none()
            && !self.by_site[mover.id]
        {
            // A player who can hop once has a chain.
            return self.lanes(now, mover, |lane, _| (!lane.is_zero()).then_some(())).is_some();
        }
        let mut any = Any(false);
        let _ = self.find(now, moves, &mut 0, &mut any);
        any.0
    }

    /// Passes the moves of a player on. `asked` counts the evaluations of `only-if` in this ply. The
    /// search ends early if they are spent, or if the receiver breaks it off.
    pub(super) fn find<S: Sink<W>>(
        &self,
        now: &Moment<W>,
        moves: &Moves<W>,
        asked: &mut u32,
        sink: &mut S,
    ) -> ControlFlow<()> {
        if self.is_spent(*asked) {
            return ControlFlow::Break(());
        }
        match moves {
            Moves::Mover(mover)
                if is_plain(mover)
                    || self.has_flanks(now, mover, asked)
                    || self.no_chain_goes_on(now, mover) =>
            {
                let stopped = self.lanes(now, mover, |sites, origin| {
                    if sites.is_zero() {
                        return None;
                    }
                    let lane = Lane { mover: mover.id, origin, sites, at: 0, code: 0 };
                    if sink.begins(mover, sites).is_break() {
                        return Some(());
                    }
                    sink.lane(self, now, lane).is_break().then_some(())
                });
                if stopped.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            }
            Moves::Mover(_) | Moves::Seq(_) => {
                let place = Place { rest: None, at: 0, code: 0 };
                self.find_parts(now, moves, place, asked, sink).map_continue(|_| ())
            }
            Moves::Or(parts) => parts.iter().try_for_each(|part| self.find(now, part, asked, sink)),
            Moves::FirstOf(parts) => {
                let before = sink.received();
                for part in parts {
                    self.find(now, part, asked, sink)?;
                    if sink.received() > before {
                        break;
                    }
                }
                ControlFlow::Continue(())
            }
            Moves::If(cond, yes, no) => match (self.cond(now, cond), no) {
                (true, _) => self.find(now, yes, asked, sink),
                (false, Some(no)) => self.find(now, no, asked, sink),
                (false, None) => ControlFlow::Continue(()),
            },
        }
    }

    /// Tests whether a mover places a piece only where it encloses opposing ones, so that its lanes
    /// are its moves. Each site of its `to` counts as an evaluation; the test fails if that exceeds
    /// the limit.
    #[inline]
    fn has_flanks(&self, now: &Moment<W>, mover: &Mover<W>, asked: &mut u32) -> bool {
        if self.flanks[mover.id].is_none() {
            return false;
        }
        let all = *asked + self.set(now, &mover.to).count();
        if self.is_spent(all) {
            return false;
        }
        *asked = all;
        true
    }

    /// Passes on the ways to play some moves and the rest of a `seq` after each of them, as
    /// [`Code::walk`] visits them. Returns whether there is a way to play the moves.
    fn find_parts<S: Sink<W>>(
        &self,
        now: &Moment<W>,
        moves: &Moves<W>,
        place: Place<'_, W>,
        asked: &mut u32,
        sink: &mut S,
    ) -> ControlFlow<(), bool> {
        match moves {
            Moves::Mover(mover) if is_chain(mover) || self.flanks[mover.id].is_some() => {
                let mut any = false;
                self.walk_mover(now, mover, place.at, place.code, &mut |then, at, code| {
                    if at == ASKED {
                        return self.ask(asked, 1);
                    }
                    any = true;
                    self.find_rest(then, Place { at, code, ..place }, asked, sink)
                })?;
                ControlFlow::Continue(any)
            }
            Moves::Mover(mover) => self.find_lanes(now, mover, place, asked, sink),
            Moves::Or(parts) => {
                let mut any = false;
                for part in parts {
                    any |= self.find_parts(now, part, place, asked, sink)?;
                }
                ControlFlow::Continue(any)
            }
            Moves::FirstOf(parts) => {
                for part in parts {
                    if self.find_parts(now, part, place, asked, sink)? {
                        return ControlFlow::Continue(true);
                    }
                }
                ControlFlow::Continue(false)
            }
            Moves::If(cond, yes, no) => match (self.cond(now, cond), no) {
                (true, _) => self.find_parts(now, yes, place, asked, sink),
                (false, Some(no)) => self.find_parts(now, no, place, asked, sink),
                (false, None) => ControlFlow::Continue(false),
            },
            Moves::Seq(parts) => {
                let (first, parts) = parts.split_first().expect("a seq has parts");
                let own = Rest { parts, next: place.rest };
                let rest = if parts.is_empty() { place.rest } else { Some(&own) };
                self.find_parts(now, first, Place { rest, ..place }, asked, sink)
            }
        }
    }

    /// Counts evaluations of `only-if`, and breaks if there are too many.
    #[inline]
    fn ask(&self, asked: &mut u32, number: u32) -> ControlFlow<()> {
        *asked += number;
        if self.is_spent(*asked) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Passes on the ways of a mover. Moves that end with it stay together in lanes; for the others
    /// the part is played.
    fn find_lanes<S: Sink<W>>(
        &self,
        now: &Moment<W>,
        mover: &Mover<W>,
        place: Place<'_, W>,
        asked: &mut u32,
        sink: &mut S,
    ) -> ControlFlow<(), bool> {
        if let (Some(Filter::Ends(dirs)), None) = (&self.filters[mover.id], place.rest) {
            let d = dirs[now.mover.index()];
            return self.find_ends(now, mover, d, place, asked, sink);
        }
        let permits = self.permits(now, mover);
        // The lane of a later part must not depend on the parts before it.
        let depends = matches!(mover.verb, Verb::Hop { .. }) && !mover.is_reach() && place.at > 0;
        let goes_on = match place.rest {
            _ if depends => self.all,
            None => W::ZERO,
            Some(Rest { parts: [Moves::If(_, _, None)], next: None }) => {
                self.may_branch(now, mover)
            }
            Some(_) => self.all,
        };
        let mut any = false;
        let is_last = permits.is_none() && goes_on.is_zero();
        let stopped = self.lanes(now, mover, |sites, origin| {
            if sites.is_zero() {
                return None;
            }
            let lane = Lane { mover: mover.id, origin, sites, at: place.at, code: place.code };
            if is_last {
                any = true;
                if place.at == 0 && sink.begins(mover, sites).is_break() {
                    return Some(());
                }
                return sink.lane(self, now, lane).is_break().then_some(());
            }
            let found = self.find_sites(now, lane, (permits, goes_on), place.rest, asked, sink);
            match found {
                ControlFlow::Continue(found) => {
                    any |= found;
                    None
                }
                ControlFlow::Break(()) => Some(()),
            }
        });
        if stopped.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(any) }
    }

    /// Passes on the slides of a mover along a direction to the last empty site.
    fn find_ends<S: Sink<W>>(
        &self,
        now: &Moment<W>,
        mover: &Mover<W>,
        d: u8,
        place: Place<'_, W>,
        asked: &mut u32,
        sink: &mut S,
    ) -> ControlFlow<(), bool> {
        let Verb::Slide(_, most) = mover.verb else { unreachable!("the mover slides") };
        let (arcs, empty) = (&self.arcs[usize::from(d)], self.empty(&now.state));
        let ends = self.ends(now, d);
        let (mut at, mut any) = (self.movable(now, mover), false);
        for steps in 1..=most {
            at = go(arcs, at) & empty;
            if at.is_zero() {
                break;
            }
            let origin = Origin::Back(d, steps);
            let lane = Lane { mover: mover.id, origin, sites: at, at: place.at, code: place.code };
            // Every site on the way counts as an evaluation.
            let count = at.count();
            if self.is_spent(*asked + count) {
                let known = Known { surely: at & ends, maybe: at & ends };
                return self.find_one_by_one(now, lane, known, None, asked, sink);
            }
            *asked += count;
            let sites = at & ends;
            if !sites.is_zero() {
                any = true;
                sink.lane(self, now, Lane { sites, ..lane })?;
            }
        }
        ControlFlow::Continue(any)
    }

    /// Passes on the moves of a lane that are permitted. Those to sites of `goes_on` may have more
    /// parts.
    #[inline]
    fn find_sites<S: Sink<W>>(
        &self,
        now: &Moment<W>,
        lane: Lane<W>,
        (permits, goes_on): (Option<Permits<'_, W>>, W),
        rest: Option<&Rest<'_, W>>,
        asked: &mut u32,
        sink: &mut S,
    ) -> ControlFlow<(), bool> {
        let mut known = Known { surely: lane.sites, maybe: lane.sites };
        if let Some(permits) = permits {
            let by_condition = permits.of(lane.origin);
            (known.surely, known.maybe) =
                (lane.sites & by_condition.surely, lane.sites & by_condition.maybe);
        }
        if lane.at == 0 {
            sink.begins(&self.movers[lane.mover], known.maybe)?;
        }
        if permits.is_some() {
            let count = lane.sites.count();
            // Later parts that evaluate conditions too are counted in the order of the ways.
            if self.is_spent(*asked + count) || self.asks_later && rest.is_some() {
                return self.find_one_by_one(now, lane, known, rest, asked, sink);
            }
            *asked += count;
        }
        let (mut plain, mut played) =
            (known.surely & !goes_on, known.maybe & (!known.surely | goes_on));
        let mut any = false;
        while !played.is_zero() {
            let site = played.lowest();
            played &= !W::bit(site);
            let before = plain & W::lowest_bits(site);
            if !before.is_zero() {
                any = true;
                plain &= !before;
                sink.lane(self, now, Lane { sites: before, ..lane })?;
            }
            any |= self.find_after(now, lane, site, known.surely.has(site), rest, asked, sink)?;
        }
        if !plain.is_zero() {
            any = true;
            sink.lane(self, now, Lane { sites: plain, ..lane })?;
        }
        ControlFlow::Continue(any)
    }

    /// Does the same site by site, until the evaluations of `only-if` are spent.
    fn find_one_by_one<S: Sink<W>>(
        &self,
        now: &Moment<W>,
        lane: Lane<W>,
        known: Known<W>,
        rest: Option<&Rest<'_, W>>,
        asked: &mut u32,
        sink: &mut S,
    ) -> ControlFlow<(), bool> {
        let mut any = false;
        for site in lane.sites.ones() {
            self.ask(asked, 1)?;
            if known.maybe.has(site) {
                any |=
                    self.find_after(now, lane, site, known.surely.has(site), rest, asked, sink)?;
            }
        }
        ControlFlow::Continue(any)
    }

    /// Plays the part of a lane that arrives at a site and passes on the moves that begin so.
    /// Returns whether the part is permitted.
    #[expect(clippy::too_many_arguments, reason = "the state of a search, which makes no struct")]
    fn find_after<S: Sink<W>>(
        &self,
        now: &Moment<W>,
        lane: Lane<W>,
        site: u32,
        is_permitted: bool,
        rest: Option<&Rest<'_, W>>,
        asked: &mut u32,
        sink: &mut S,
    ) -> ControlFlow<(), bool> {
        let mover = &self.movers[lane.mover];
        let part = self.part_of(now, mover, lane.origin, site);
        let mut then = *now;
        self.part(&mut then, lane.at, &part);
        let refuses = |cond| !self.cond(&then, cond);
        if !is_permitted && mover.only_if.as_ref().is_some_and(refuses) {
            return ControlFlow::Continue(false);
        }
        let code = lane.code | self.layout.encode(lane.at, &part);
        self.find_rest(&then, Place { rest, at: lane.at + 1, code }, asked, sink)?;
        ControlFlow::Continue(true)
    }

    /// Passes on the ways to play the later parts of a `seq`. A part without moves is skipped.
    fn find_rest<S: Sink<W>>(
        &self,
        now: &Moment<W>,
        place: Place<'_, W>,
        asked: &mut u32,
        sink: &mut S,
    ) -> ControlFlow<()> {
        let Some(Rest { parts, next }) = place.rest else { return sink.one(place.code) };
        let (first, parts) = parts.split_first().expect("a rest has parts");
        let own = Rest { parts, next: *next };
        let rest = if parts.is_empty() { *next } else { Some(&own) };
        let later = Place { rest, ..place };
        if self.find_parts(now, first, later, asked, sink)? {
            return ControlFlow::Continue(());
        }
        self.find_rest(now, later, asked, sink)
    }
}
