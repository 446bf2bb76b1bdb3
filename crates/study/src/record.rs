//! Records: journals that are open while games are played.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use treegauge_core::Watch;

use crate::journal::{Journal, JournalError, Line};
use crate::keep::Keep;
use crate::matches::{MatchGame, PairingGame, TournamentGame};

/// Keeps the pieces of an experiment in a journal, or nowhere.
///
/// A piece that cannot be written does not end the experiment by itself: the first error is kept,
/// [`Record::has_failed`] says so, and it comes out when the record is closed.
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

impl<L: Line> Record<L> {
    /// Keeps nothing.
    #[must_use]
    pub fn none() -> Self {
        Record::of(None)
    }

    fn of(journal: Option<Journal<L>>) -> Self {
        let state = Mutex::new(State { journal, failed: None });
        Record { state, failed: AtomicBool::new(false) }
    }

    /// Opens the journal of the run that `header` describes, or begins one; returns the pieces that
    /// it holds.
    ///
    /// # Errors
    ///
    /// As [`Journal::open`].
    pub fn open<H: Serialize>(path: &Path, header: &H) -> Result<(Self, Vec<L>), JournalError> {
        let (journal, known) = Journal::open(path, header)?;
        Ok((Record::of(Some(journal)), known))
    }

    /// The same for more pieces than memory holds: `seen` takes those that it holds, in any order.
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

    /// Whether a piece could not be written. Those that come later are not written either.
    pub fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// Ends the record of an experiment that is complete: its pieces are put in order.
    ///
    /// # Errors
    ///
    /// When a piece could not be written, or the file cannot be now.
    pub fn finish(self) -> Result<(), JournalError> {
        self.finish_watched(&())
    }

    /// The same, unless `watch` says stop before the pieces are in order; all of them are kept then, too.
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
    /// When a piece could not be written, or what was written is no longer there.
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

impl<L: Line + Send> Keep<L> for Record<L> {
    fn keep(&self, piece: &L) {
        self.add(piece);
    }
}

/// Keeps the games of the one match of a list.
pub struct OneMatch<'a>(pub &'a dyn Keep<MatchGame>);

impl Keep<PairingGame> for OneMatch<'_> {
    fn keep(&self, (_, game): &PairingGame) {
        self.0.keep(game);
    }
}

/// Keeps the games of a tournament, whose pairings are in the order of
/// [`encounters`](crate::encounters).
pub struct TournamentRecord<'a> {
    /// Keeps each game with its players.
    pub keep: &'a dyn Keep<TournamentGame>,
    /// The players of each pairing.
    pub pairings: &'a [[u32; 2]],
}

impl Keep<PairingGame> for TournamentRecord<'_> {
    fn keep(&self, (place, game): &PairingGame) {
        self.keep.keep(&TournamentGame { players: self.pairings[*place], game: game.clone() });
    }
}
