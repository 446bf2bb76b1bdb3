//! Solved game in memory.

use std::path::Path;
use std::sync::Arc;

use treegauge_core::Watch;
use treegauge_engine::{SolutionGame, SolvedGame, StartingPoint};
use treegauge_solve::file::FileError;
use treegauge_solve::report::{InterestReport, PuzzlesReport, SolveReport, SolvedMargin};
use treegauge_solve::{AnySolution, InterestOptions, Options, PuzzleOptions, WorkError};

use super::{Rated, Run, Unfinished};
use crate::{Error, ErrorKind, Game};

/// A solved game in memory. A clone shares the solution.
#[derive(Clone)]
pub struct Solution {
    game: Game,
    solved: Arc<dyn AnySolution>,
}

impl std::fmt::Debug for Solution {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Solution").field(&self.game.name()).finish()
    }
}

impl Solution {
    pub(super) fn new(game: Game, solved: Arc<dyn AnySolution>) -> Solution {
        Solution { game, solved }
    }

    /// Game of the solution.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Number of stored positions. A solution reduced by symmetry stores one position of each
    /// class.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "the start is always there")]
    pub fn len(&self) -> usize {
        self.solved.len()
    }

    /// Report of the solve. Its time, memory, margin and file are empty.
    ///
    /// # Panics
    ///
    /// Never: nothing stops the work.
    #[must_use]
    pub fn report(&self) -> SolveReport {
        self.report_within(None, &()).expect("nothing stops it")
    }

    /// Report as in [`Solution::report`]. The solution and the work together take at most
    /// `memory_bytes_max`, but the work always gets 8 MB.
    ///
    /// # Errors
    ///
    /// If `watch` says stop; [`ErrorKind::Interrupted`].
    pub fn report_within(
        &self,
        memory_bytes_max: Option<u64>,
        watch: &dyn Watch,
    ) -> Result<SolveReport, Error> {
        let digest = self.solved.digest(memory_bytes_max, watch);
        let digest = digest.ok_or_else(|| Error::interrupted("the digest is not known"))?;
        Ok(self.solved.report(self.game.name(), digest, None))
    }

    /// Turns the solution back into a resumable checkpoint, from which a solve reaches the solution
    /// at once; `None` if the solution is shared.
    #[must_use]
    pub fn into_unfinished(self, options: Options) -> Option<Unfinished> {
        let Solution { game, solved } = self;
        let start =
            game.begin(&StartingPoint { position: Some(solved.start_text()), moves: Vec::new() });
        let run = Run::new(&game, &start.ok()?, options);
        Some(Unfinished { run, checkpoint: solved.into_checkpoint()? })
    }

    /// Margin of the start when both players play for the largest margin. `None` if the game is not
    /// decided by score or can return to a position, if the margins of all positions do not fit
    /// into `memory_bytes_max` with the solution, or if `watch` says stop.
    ///
    /// ```
    /// use treegauge::{Game, solve};
    ///
    /// let game = Game::parse("dots_and_boxes(rows=2,cols=2)").unwrap();
    /// let solved = solve(&game, &game.start(), Default::default(), &()).unwrap();
    /// let margin = solved.done().unwrap().margin(None, &()).unwrap();
    /// assert_eq!((margin.points, margin.unit.as_str()), (2, "boxes"));
    /// ```
    #[must_use]
    pub fn margin(&self, memory_bytes_max: Option<u64>, watch: &dyn Watch) -> Option<SolvedMargin> {
        self.solved.margin(memory_bytes_max, watch)
    }

    /// Writes the solution to a file, whole or not at all, and returns a report of both.
    ///
    /// # Errors
    ///
    /// If the file cannot be written. An earlier file then stays unchanged.
    pub fn write(&self, path: &Path) -> Result<SolveReport, Error> {
        self.write_within(path, None, &())
    }

    /// Writes the solution as [`Solution::write`] does. The solution and the work together take at
    /// most `memory_bytes_max`, but the work always gets 8 MB.
    ///
    /// # Errors
    ///
    /// As [`Solution::write`], and if `watch` says stop ([`ErrorKind::Interrupted`]).
    pub fn write_within(
        &self,
        path: &Path,
        memory_bytes_max: Option<u64>,
        watch: &dyn Watch,
    ) -> Result<SolveReport, Error> {
        let name = self.game.info().spec.canonical_with_path();
        match self.solved.write(path, &name, memory_bytes_max, watch) {
            Ok(header) => {
                let (digest, bytes) = (header.digest, Some(header.file_bytes));
                Ok(self.solved.report(self.game.name(), digest, bytes))
            }
            Err(FileError::Interrupted) => Err(Error::interrupted("the file is not written")),
            Err(error) => {
                let message = format!("cannot write {}: {error}", path.display());
                Err(Error::new(ErrorKind::Write, message))
            }
        }
    }

    /// Solved game for sessions, which looks up values of positions in the solution.
    #[must_use]
    pub fn as_solved_game(&self) -> Arc<dyn SolvedGame> {
        Arc::new(SolutionGame::new(self.game.engine().clone(), self.solved.clone()))
    }

    /// Rates every position by how well hidden its winning moves are. Uses all threads of the
    /// current rayon pool; the result does not depend on their number.
    ///
    /// # Errors
    ///
    /// If the ratings and the solution together take more than `memory_bytes_max`
    /// ([`ErrorKind::Limit`]), or `watch` says stop ([`ErrorKind::Interrupted`]).
    pub fn rate(
        &self,
        options: InterestOptions,
        memory_bytes_max: Option<u64>,
        watch: &dyn Watch,
    ) -> Result<Rated, Error> {
        match self.solved.clone().rate(options, memory_bytes_max, watch) {
            Ok(rated) => Ok(Rated::new(self.game.clone(), rated)),
            Err(WorkError::Interrupted) => Err(Error::interrupted("the positions are not rated")),
            Err(error) => {
                Err(Error::new(ErrorKind::Limit, format!("cannot rate the positions: {error}")))
            }
        }
    }

    /// Report of all ratings, without keeping them as [`Solution::rate`] does.
    ///
    /// # Errors
    ///
    /// As [`Solution::rate`].
    ///
    /// ```
    /// use treegauge::{Game, solve};
    ///
    /// let game = Game::parse("tic_tac_toe").unwrap();
    /// let solved = solve(&game, &game.start(), Default::default(), &()).unwrap();
    /// let report = solved.done().unwrap().interest(Default::default(), &()).unwrap();
    /// let most = report.analysis.most_interesting.unwrap();
    /// assert!(most.interestingness > report.analysis.start.interestingness);
    /// ```
    pub fn interest(
        &self,
        options: InterestOptions,
        watch: &dyn Watch,
    ) -> Result<InterestReport, Error> {
        Ok(self.rate(options, None, watch)?.report())
    }

    /// Report of the most interesting wins of each remoteness, with their solutions.
    ///
    /// # Errors
    ///
    /// As [`Solution::rate`].
    ///
    /// ```
    /// use treegauge::{Game, solve};
    ///
    /// let game = Game::parse("tic_tac_toe").unwrap();
    /// let solved = solve(&game, &game.start(), Default::default(), &()).unwrap();
    /// let solution = solved.done().unwrap();
    /// let report = solution.puzzles(Default::default(), Default::default(), &()).unwrap();
    /// for puzzle in &report.puzzles {
    ///     assert_eq!(puzzle.main_line.len(), usize::from(puzzle.remoteness));
    /// }
    /// ```
    pub fn puzzles(
        &self,
        options: InterestOptions,
        asked: PuzzleOptions,
        watch: &dyn Watch,
    ) -> Result<PuzzlesReport, Error> {
        self.rate(options, None, watch)?.puzzles(asked, watch)?.report(watch)
    }
}
