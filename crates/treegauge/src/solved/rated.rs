//! Positions of a solution with their interestingness, and the puzzles among them.

use std::io::{self, Write};
use std::sync::Arc;

use treegauge_core::Watch;
use treegauge_solve::report::{InterestReport, PuzzlesReport};
use treegauge_solve::{AnyPuzzles, AnyRated, PuzzleCounts, PuzzleOptions, PuzzleTask};

use crate::{Error, ErrorKind, Game};

/// Positions of a solution with their ratings. A clone shares the ratings.
#[derive(Clone)]
pub struct Rated {
    game: Game,
    rated: Arc<dyn AnyRated>,
}

impl std::fmt::Debug for Rated {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Rated").field(&self.game.name()).finish()
    }
}

impl Rated {
    pub(super) fn new(game: Game, rated: Arc<dyn AnyRated>) -> Rated {
        Rated { game, rated }
    }

    /// Distribution of the ratings, with the most interesting position of each remoteness.
    #[must_use]
    pub fn report(&self) -> InterestReport {
        self.rated.report(self.game.name())
    }

    /// Writes every position with its rating as comma-separated values.
    ///
    /// # Errors
    ///
    /// Those of the writer ([`ErrorKind::Write`]); if sorting the positions takes more than the
    /// remaining memory of the ratings ([`ErrorKind::Limit`]); and if `watch` says stop
    /// ([`ErrorKind::Interrupted`]).
    pub fn write_csv(&self, out: &mut dyn Write, watch: &dyn Watch) -> Result<(), Error> {
        treegauge_report::write_interest_csv(&*self.rated, out, watch).map_err(|error| match error
            .kind()
        {
            io::ErrorKind::Interrupted => Error::interrupted("not all positions are written"),
            io::ErrorKind::OutOfMemory => {
                Error::new(ErrorKind::Limit, format!("cannot put the positions in order: {error}"))
            }
            _ => error.into(),
        })
    }

    /// Finds the most interesting wins of each remoteness.
    ///
    /// # Errors
    ///
    /// If `watch` says stop; [`ErrorKind::Interrupted`](crate::ErrorKind::Interrupted).
    pub fn puzzles(&self, asked: PuzzleOptions, watch: &dyn Watch) -> Result<PuzzleSet, Error> {
        let found = self.rated.puzzles(self.game.name(), asked, watch);
        found.map(PuzzleSet::new).ok_or_else(|| Error::interrupted("the puzzles are not found"))
    }
}

/// Puzzles found in a solution. Their solutions are computed when a report needs them.
pub struct PuzzleSet(Box<dyn AnyPuzzles>);

impl std::fmt::Debug for PuzzleSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PuzzleSet").field("len", &self.len()).finish()
    }
}

impl PuzzleSet {
    pub(super) fn new(found: Box<dyn AnyPuzzles>) -> PuzzleSet {
        PuzzleSet(found)
    }

    /// Number of puzzles.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Tests whether the set has no puzzle.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Numbers of wins of each remoteness: found, used and left out.
    #[must_use]
    pub fn counts(&self) -> &[PuzzleCounts] {
        self.0.counts()
    }

    /// Task of the puzzle at index `n`, from 0; `None` if there is none.
    #[must_use]
    pub fn task(&self, n: usize) -> Option<PuzzleTask> {
        self.0.task(n)
    }

    /// Report for text and sheets. `watch` is polled before each puzzle.
    ///
    /// # Errors
    ///
    /// If `watch` says stop; [`ErrorKind::Interrupted`](crate::ErrorKind::Interrupted).
    pub fn report(&self, watch: &dyn Watch) -> Result<PuzzlesReport, Error> {
        self.0.report(watch).ok_or_else(unwritten)
    }

    /// Report as JSON. Its solutions follow all quickest wins, so it may be long. `watch` is polled
    /// before each puzzle.
    ///
    /// # Errors
    ///
    /// If `watch` says stop; [`ErrorKind::Interrupted`](crate::ErrorKind::Interrupted).
    pub fn to_json(&self, watch: &dyn Watch) -> Result<String, Error> {
        // Writing to memory cannot fail, so only `watch` can be the cause.
        self.0.json(watch).map_err(|_| unwritten())
    }
}

fn unwritten() -> Error {
    Error::interrupted("not all solutions are written")
}
