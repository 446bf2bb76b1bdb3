//! Moves of a position, recorded while they are counted, so that one of them can be chosen without
//! a second search.

use std::ops::ControlFlow;

use super::distinct::Distinct;
use super::find::{Lane, Sink, full_at};
use super::shots::Seen;
use super::{Code, Moment};
use crate::layout::{MOVES_MAX, Part};
use crate::state::BoardWord;

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

impl<W: BoardWord> Sink<W> for Offer<W> {
    #[inline]
    fn lane(&mut self, _: &Code<W>, _: &Moment<W>, lane: Lane<W>) -> ControlFlow<()> {
        let count = lane.sites.count();
        if count > 0 {
            self.count += count;
            self.runs.push(Run { end: self.count, moving: Moving::Lane(lane) });
        }
        full_at(self.count)
    }

    #[inline]
    fn one(&mut self, m: u64) -> ControlFlow<()> {
        self.count += 1;
        match self.runs.last_mut() {
            Some(Run { end, moving: Moving::Listed(_) }) => *end += 1,
            _ => {
                let moving = Moving::Listed(self.listed.len() as u32);
                self.runs.push(Run { end: self.count, moving });
            }
        }
        self.listed.push(m);
        full_at(self.count)
    }

    fn received(&self) -> u32 {
        self.count
    }
}

impl<W: BoardWord> Code<W> {
    /// Records the moves of a player and returns their number, at most [`MOVES_MAX`].
    pub(crate) fn offer(&self, now: &Moment<W>, offer: &mut Offer<W>) -> u32 {
        offer.clear();
        if let Some(shots) = &self.shots {
            let seen = offer.seen.get_or_insert_with(|| Seen::new(shots));
            offer.count = seen.count(self, shots, now);
        } else if !self.find_distinct(now, offer) {
            offer.clear();
            let distinct = offer.distinct.take();
            let mut distinct = distinct.unwrap_or_else(|| Box::new(Distinct::new()));
            self.each_distinct_in(&mut distinct, now, &mut |code| offer.one(code));
            offer.distinct = Some(distinct);
        }
        offer.count.min(MOVES_MAX as u32)
    }
}
