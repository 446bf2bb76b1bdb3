//! Reports on unfinished work.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use treegauge_core::{Clock, Watch};
use treegauge_store::PieceSink;

use super::{Context, Report};

/// Receives interim reports.
pub trait Partial: Sync {
    /// The least time between the end of one report and the beginning of the next.
    fn every(&self) -> Duration;

    /// Receives a report. It is called from any thread, by one at a time.
    fn report(&self, report: &dyn Report);
}

/// Keeps pieces, and reports on all pieces so far.
pub(super) struct Partials<'a, L, F> {
    keep: &'a dyn PieceSink<L>,
    partial: Option<&'a dyn Partial>,
    clock: &'a dyn Clock,
    report: F,
    state: Mutex<State<L>>,
}

struct State<L> {
    pieces: Vec<L>,
    /// The time of the next report; `None` while a report is made.
    due: Option<Duration>,
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
        let Context { partial, clock, .. } = context;
        let known = if partial.is_some() { known } else { &[] };
        let due = partial.map(|partial| clock.now() + partial.every());
        let state = Mutex::new(State { pieces: known.to_vec(), due });
        Partials { keep, partial: *partial, clock: &**clock, report, state }
    }

    /// Adds a piece; returns all pieces if a report is due.
    fn noted(&self, piece: &L) -> Option<Vec<L>> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.pieces.push(piece.clone());
        state.due.filter(|due| self.clock.now() >= *due)?;
        state.due = None;
        Some(state.pieces.clone())
    }
}

impl<L, F> PieceSink<L> for Partials<'_, L, F>
where
    L: Clone + Send,
    F: Fn(Vec<L>) -> Option<Box<dyn Report>> + Sync,
{
    fn keep(&self, piece: &L) {
        self.keep.keep(piece);
        let Some(partial) = self.partial else { return };
        let Some(pieces) = self.noted(piece) else { return };
        if let Some(report) = (self.report)(pieces) {
            partial.report(&*report);
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.due = Some(self.clock.now() + partial.every());
    }
}

/// A watch that always stops: a run with it only judges the known pieces.
pub(super) struct Stopped;

impl Watch for Stopped {
    fn stop(&self) -> bool {
        true
    }
}
