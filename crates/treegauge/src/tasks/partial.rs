//! Reports on unfinished work.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use treegauge_core::{Clock, Interim, Watch};
use treegauge_store::PieceSink;

use super::{Context, Report};

/// Receives interim reports.
pub trait Partial: Sync {
    /// The least time between the end of one report and the beginning of the next.
    fn every(&self) -> Duration;

    /// Receives a report. It is called from any thread, by one at a time.
    fn report(&self, report: &dyn Report);
}

/// The receiver of interim reports with the time of the next one.
pub(super) struct Asked<'a> {
    partial: Option<&'a dyn Partial>,
    clock: &'a dyn Clock,
    /// The time of the next report; `None` while a report is made.
    due: Mutex<Option<Duration>>,
}

impl<'a> Asked<'a> {
    pub(super) fn of(context: &'a Context<'_>) -> Asked<'a> {
        let Context { partial, clock, .. } = context;
        let due = partial.map(|partial| clock.now() + partial.every());
        Asked { partial: *partial, clock: &**clock, due: Mutex::new(due) }
    }

    /// The time now, if a report is due. No other is due until this one is made.
    fn due(&self) -> Option<Duration> {
        let mut due = self.due.lock().unwrap_or_else(PoisonError::into_inner);
        let now = due.map(|_| self.clock.now())?;
        due.take_if(|due| now >= *due).map(|_| now)
    }

    /// Passes on a report that was due at `begun`. Reports take up to a twentieth of the time.
    fn made(&self, begun: Duration, report: Option<&dyn Report>) {
        let Some(partial) = self.partial else { return };
        if let Some(report) = report {
            partial.report(report);
        }
        let now = self.clock.now();
        let next = now + partial.every().max(20 * now.saturating_sub(begun));
        *self.due.lock().unwrap_or_else(PoisonError::into_inner) = Some(next);
    }
}

impl<R: Report> Interim<R> for Asked<'_> {
    fn is_asked(&self) -> bool {
        self.partial.is_some()
    }

    fn offer(&self, report: &mut dyn FnMut() -> Option<R>) {
        if let Some(begun) = self.due() {
            let report = report();
            self.made(begun, report.as_ref().map(|report| report as &dyn Report));
        }
    }
}

/// Keeps pieces, and reports on all pieces so far.
pub(super) struct Partials<'a, L, F> {
    keep: &'a dyn PieceSink<L>,
    asked: Asked<'a>,
    report: F,
    pieces: Mutex<Vec<L>>,
}

impl<'a, L, F> Partials<'a, L, F>
where
    L: Clone + Send,
    F: Fn(Vec<L>) -> Option<Box<dyn Report>> + Sync,
{
    /// Passes pieces on to `keep`; `known` are those of an earlier run. `report` reports on the pieces it is given.
    pub(super) fn new(
        keep: &'a dyn PieceSink<L>,
        known: &[L],
        context: &'a Context<'_>,
        report: F,
    ) -> Partials<'a, L, F> {
        let known = if context.partial.is_some() { known } else { &[] };
        let pieces = Mutex::new(known.to_vec());
        Partials { keep, asked: Asked::of(context), report, pieces }
    }

    /// Adds a piece; returns the time and all pieces if a report is due.
    fn noted(&self, piece: &L) -> Option<(Duration, Vec<L>)> {
        let mut pieces = self.pieces.lock().unwrap_or_else(PoisonError::into_inner);
        pieces.push(piece.clone());
        self.asked.due().map(|begun| (begun, pieces.clone()))
    }
}

impl<L, F> PieceSink<L> for Partials<'_, L, F>
where
    L: Clone + Send,
    F: Fn(Vec<L>) -> Option<Box<dyn Report>> + Sync,
{
    fn keep(&self, piece: &L) {
        self.keep.keep(piece);
        if self.asked.partial.is_none() {
            return;
        }
        let Some((begun, pieces)) = self.noted(piece) else { return };
        self.asked.made(begun, (self.report)(pieces).as_deref());
    }
}

/// A watch that always stops: a run with it only judges the known pieces.
pub(super) struct Stopped;

impl Watch for Stopped {
    fn stop(&self) -> bool {
        true
    }
}
