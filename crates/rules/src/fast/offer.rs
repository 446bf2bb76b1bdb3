//! Moves of a position, recorded while they are counted, so that one of them can be chosen without
//! a second search.

use std::ops::ControlFlow;

use super::distinct::Distinct;
use super::moves::{ASKED, Origin, is_chain};
use super::shots::Seen;
use super::{Code, Moment};
use crate::layout::{MOVES_MAX, Part};
use crate::state::BoardWord;
use crate::tree::{Mover, Moves, Verb};

/// Moves that differ only in one site.
#[derive(Clone, Copy, Debug)]
struct Lane<W> {
    mover: usize,
    origin: Origin,
    sites: W,
    /// Index of the part that arrives at one of the sites, and the code of the parts before it.
    at: usize,
    code: u64,
}

#[derive(Clone, Copy, Debug)]
enum Moving<W> {
    Lane(Lane<W>),
    /// Moves of the list, from this index.
    Listed(u32),
}

/// Some moves in their order.
#[derive(Clone, Copy, Debug)]
struct Run<W> {
    /// Number of moves up to the last of the run.
    end: u32,
    moving: Moving<W>,
}

/// Move of an [`Offer`].
pub(super) enum Chosen {
    /// Move of one part.
    Part(Part),
    /// Code of a move of one part or more.
    Code(u64),
}

/// Moves of a position in the order of [`Code::each`].
#[derive(Debug)]
pub(crate) struct Offer<W> {
    runs: Vec<Run<W>>,
    listed: Vec<u64>,
    count: u32,
    /// Ids of the moves, in games where two ways to move may be one move.
    distinct: Option<Box<Distinct>>,
    /// Moves of a slide and a shot, in games of such moves.
    seen: Option<Seen<W>>,
}

/// Later parts of a `seq`, and those of the `seq`s around it.
struct Rest<'a, W> {
    parts: &'a [Moves<W>],
    next: Option<&'a Rest<'a, W>>,
}

/// The limit of moves or of evaluations of `only-if` is reached.
struct Full;

impl<W: BoardWord> Offer<W> {
    /// Offer without moves, to be reused for each position.
    pub(crate) fn new() -> Offer<W> {
        Offer { runs: Vec::new(), listed: Vec::new(), count: 0, distinct: None, seen: None }
    }

    fn clear(&mut self) {
        self.runs.clear();
        self.listed.clear();
        self.count = 0;
    }

    #[inline]
    fn lane(&mut self, lane: Lane<W>) {
        let count = lane.sites.count();
        if count > 0 {
            self.count += count;
            self.runs.push(Run { end: self.count, moving: Moving::Lane(lane) });
        }
    }

    #[inline]
    fn list(&mut self, code: u64) {
        self.count += 1;
        match self.runs.last_mut() {
            Some(Run { end, moving: Moving::Listed(_) }) => *end += 1,
            _ => {
                let moving = Moving::Listed(self.listed.len() as u32);
                self.runs.push(Run { end: self.count, moving });
            }
        }
        self.listed.push(code);
    }

    /// Fails if there are more moves than the limit.
    #[inline]
    fn within_limit(&self) -> Result<(), Full> {
        if self.count > MOVES_MAX as u32 { Err(Full) } else { Ok(()) }
    }

    /// Code of the `n`-th move. `n` is less than the number of moves.
    pub(crate) fn code(&self, code: &Code<W>, now: &Moment<W>, n: u32) -> u64 {
        match self.nth(code, now, n) {
            Chosen::Part(part) => code.layout.encode(0, &part),
            Chosen::Code(m) => m,
        }
    }

    /// The `n`-th move. `n` is less than the number of moves.
    pub(super) fn nth(&self, code: &Code<W>, now: &Moment<W>, n: u32) -> Chosen {
        if let (Some(shots), Some(seen)) = (&code.shots, &self.seen) {
            return Chosen::Code(seen.nth(code, shots, now, n));
        }
        let at = self.runs.partition_point(|run| run.end <= n);
        let begin = if at == 0 { 0 } else { self.runs[at - 1].end };
        match &self.runs[at].moving {
            Moving::Listed(from) => Chosen::Code(self.listed[(from + n - begin) as usize]),
            Moving::Lane(lane) => {
                let site = lane.sites.nth(n - begin);
                let part = code.part_of(now, &code.movers[lane.mover], lane.origin, site);
                if lane.at == 0 && lane.code == 0 && code.layout.parts.len() == 1 {
                    return Chosen::Part(part);
                }
                Chosen::Code(lane.code | code.layout.encode(lane.at, &part))
            }
        }
    }
}

impl<W: BoardWord> Code<W> {
    /// Records the moves of a player and returns their number, at most [`MOVES_MAX`].
    pub(crate) fn offer(&self, now: &Moment<W>, offer: &mut Offer<W>) -> u32 {
        offer.clear();
        if let Some(shots) = &self.shots {
            let seen = offer.seen.get_or_insert_with(|| Seen::new(shots));
            offer.count = seen.count(self, shots, now);
        } else if self.duplicates {
            let distinct = offer.distinct.take();
            let mut distinct = distinct.unwrap_or_else(|| Box::new(Distinct::new()));
            self.each_distinct_in(&mut distinct, now, &mut |code| {
                offer.list(code);
                ControlFlow::Continue(())
            });
            offer.distinct = Some(distinct);
        } else {
            // If a limit is reached, the moves found before it are the moves.
            let _ = self.offer_of(now, &self.body.play, &mut 0, offer);
        }
        offer.count.min(MOVES_MAX as u32)
    }

    fn offer_of(
        &self,
        now: &Moment<W>,
        moves: &Moves<W>,
        asked: &mut u32,
        offer: &mut Offer<W>,
    ) -> Result<(), Full> {
        if self.is_spent(*asked) {
            return Err(Full);
        }
        match moves {
            Moves::Mover(mover)
                if self.has_lanes(now, mover, asked) || self.no_chain_goes_on(now, mover) =>
            {
                self.offer_lanes(now, mover, 0, 0, offer);
                Ok(())
            }
            Moves::Mover(_) | Moves::Seq(_) => {
                self.record(now, moves, None, 0, 0, asked, offer).map(|_| ())
            }
            Moves::Or(parts) => {
                parts.iter().try_for_each(|part| self.offer_of(now, part, asked, offer))
            }
            Moves::FirstOf(parts) => {
                let before = offer.count;
                for part in parts {
                    self.offer_of(now, part, asked, offer)?;
                    if offer.count > before {
                        break;
                    }
                }
                Ok(())
            }
            Moves::If(cond, yes, no) => match (self.cond(now, cond), no) {
                (true, _) => self.offer_of(now, yes, asked, offer),
                (false, Some(no)) => self.offer_of(now, no, asked, offer),
                (false, None) => Ok(()),
            },
        }
    }

    /// Records the lanes of a mover. Returns whether there are any.
    fn offer_lanes(
        &self,
        now: &Moment<W>,
        mover: &Mover<W>,
        at: usize,
        code: u64,
        offer: &mut Offer<W>,
    ) -> bool {
        let before = offer.count;
        let _: Option<()> = self.lanes(now, mover, |sites, origin| {
            offer.lane(Lane { mover: mover.id, origin, sites, at, code });
            None
        });
        offer.count > before
    }

    /// Records the ways to play some moves and the rest of a `seq` after each of them, as
    /// [`Code::walk`] visits them. Returns whether there is a way to play the moves.
    #[expect(clippy::too_many_arguments, reason = "the state of a walk, which makes no struct")]
    fn record(
        &self,
        now: &Moment<W>,
        moves: &Moves<W>,
        rest: Option<&Rest<'_, W>>,
        at: usize,
        code: u64,
        asked: &mut u32,
        offer: &mut Offer<W>,
    ) -> Result<bool, Full> {
        match moves {
            Moves::Mover(mover) => {
                if rest.is_none() && ends_in_lanes(mover) {
                    let any = self.offer_lanes(now, mover, at, code, offer);
                    return offer.within_limit().map(|()| any);
                }
                let mut any = false;
                let walked = self.walk_mover(now, mover, at, code, &mut |then, at, code| {
                    if at == ASKED {
                        *asked += 1;
                        let spent = self.is_spent(*asked);
                        return if spent {
                            ControlFlow::Break(())
                        } else {
                            ControlFlow::Continue(())
                        };
                    }
                    any = true;
                    match self.record_rest(then, rest, at, code, asked, offer) {
                        Ok(()) => ControlFlow::Continue(()),
                        Err(Full) => ControlFlow::Break(()),
                    }
                });
                if walked.is_break() { Err(Full) } else { Ok(any) }
            }
            Moves::Or(parts) => {
                let mut any = false;
                for part in parts {
                    any |= self.record(now, part, rest, at, code, asked, offer)?;
                }
                Ok(any)
            }
            Moves::FirstOf(parts) => {
                for part in parts {
                    if self.record(now, part, rest, at, code, asked, offer)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Moves::If(cond, yes, no) => match (self.cond(now, cond), no) {
                (true, _) => self.record(now, yes, rest, at, code, asked, offer),
                (false, Some(no)) => self.record(now, no, rest, at, code, asked, offer),
                (false, None) => Ok(false),
            },
            Moves::Seq(parts) => {
                let (first, parts) = parts.split_first().expect("a seq has parts");
                let own = Rest { parts, next: rest };
                let rest = if parts.is_empty() { rest } else { Some(&own) };
                self.record(now, first, rest, at, code, asked, offer)
            }
        }
    }

    /// Records the later parts of a `seq`. A part without moves is skipped.
    fn record_rest(
        &self,
        now: &Moment<W>,
        rest: Option<&Rest<'_, W>>,
        at: usize,
        code: u64,
        asked: &mut u32,
        offer: &mut Offer<W>,
    ) -> Result<(), Full> {
        let Some(Rest { parts, next }) = rest else {
            offer.list(code);
            return offer.within_limit();
        };
        let (first, parts) = parts.split_first().expect("a rest has parts");
        let own = Rest { parts, next: *next };
        let rest = if parts.is_empty() { *next } else { Some(&own) };
        if !self.record(now, first, rest, at, code, asked, offer)? {
            self.record_rest(now, rest, at, code, asked, offer)?;
        }
        Ok(())
    }
}

/// Tests whether all moves of a mover, as the last part of a move, are those of its lanes, and do
/// not depend on the moment before them.
fn ends_in_lanes<W>(mover: &Mover<W>) -> bool {
    let hops = matches!(mover.verb, Verb::Hop { .. }) && !mover.is_reach();
    mover.only_if.is_none() && !is_chain(mover) && !hops
}
