//! Records: open journals while games are played.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use treegauge_core::Watch;

use crate::journal::{Journal, JournalError, Piece};
use crate::keep::PieceSink;

/// Receiver that keeps the pieces of an experiment in a journal, or discards them.
///
/// A piece that cannot be written does not end the experiment. The first error is stored:
/// [`Record::has_failed`] reports it, and closing the record returns it.
#[derive(Debug)]
pub struct Record<L> {
    state: Mutex<State<L>>,
    failed: AtomicBool,
}

#[derive(Debug)]
struct State<L> {
    journal: Option<Journal<L>>,
    failed: Option<JournalError>,
}

impl<L: Piece> Record<L> {
    /// Creates a record that discards all pieces.
    #[must_use]
    pub fn none() -> Self {
        Record::of(None)
    }

    fn of(journal: Option<Journal<L>>) -> Self {
        let state = Mutex::new(State { journal, failed: None });
        Record { state, failed: AtomicBool::new(false) }
    }

    /// Opens the journal of the run that `header` describes, or begins one. Returns the pieces that
    /// it holds.
    ///
    /// # Errors
    ///
    /// As [`Journal::open`].
    pub fn open<H: Serialize>(path: &Path, header: &H) -> Result<(Self, Vec<L>), JournalError> {
        let (journal, known) = Journal::open(path, header)?;
        Ok((Record::of(Some(journal)), known))
    }

    /// Like [`Record::open`], for more pieces than fit memory: `seen` takes the existing ones, in
    /// any order.
    ///
    /// # Errors
    ///
    /// As [`Journal::open_with`].
    pub fn open_with<H: Serialize>(
        path: &Path,
        header: &H,
        watch: &dyn Watch,
        seen: &mut dyn FnMut(L),
    ) -> Result<Self, JournalError> {
        Ok(Record::of(Some(Journal::open_with(path, header, watch, seen)?)))
    }

    /// Returns whether a piece could not be written. Later pieces are not written either.
    pub fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// Ends the record of a complete experiment, and sorts its pieces.
    ///
    /// # Errors
    ///
    /// When a piece could not be written, or the file cannot be written now.
    pub fn finish(self) -> Result<(), JournalError> {
        self.finish_watched(&())
    }

    /// Like [`Record::finish`], unless `watch` says stop before the pieces are sorted; all of them
    /// are kept then, too.
    ///
    /// # Errors
    ///
    /// As [`Record::finish`], and when `watch` says stop.
    pub fn finish_watched(self, watch: &dyn Watch) -> Result<(), JournalError> {
        match self.into_state() {
            State { failed: Some(error), .. } => Err(error),
            State { journal: Some(journal), .. } => journal.finish_watched(watch),
            State { journal: None, .. } => Ok(()),
        }
    }

    /// Closes the record of an experiment that will continue later.
    ///
    /// # Errors
    ///
    /// When a piece could not be written, or another program removed or changed the file.
    pub fn close(self) -> Result<(), JournalError> {
        match self.into_state() {
            State { failed: Some(error), .. } => Err(error),
            State { journal: Some(journal), .. } => journal.close(),
            State { journal: None, .. } => Ok(()),
        }
    }

    fn into_state(self) -> State<L> {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, piece: &L) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let State { journal: Some(journal), failed: failed @ None } = &mut *state {
            *failed = journal.add(piece).err();
            self.failed.store(failed.is_some(), Ordering::Relaxed);
        }
    }
}

impl<L: Piece + Send> PieceSink<L> for Record<L> {
    fn keep(&self, piece: &L) {
        self.add(piece);
    }
}
