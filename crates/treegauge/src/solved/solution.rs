//! A solved game in memory.

use std::path::Path;
use std::sync::Arc;

use treegauge_core::Watch;
use treegauge_engine::{Beginning, SolutionGame, SolvedGame};
use treegauge_solve::file::FileError;
use treegauge_solve::report::{InterestReport, PuzzlesReport, SolveReport, SolvedMargin};
use treegauge_solve::{AnySolution, InterestOptions, Options, PuzzleOptions, WorkError};

use super::{Rated, Run, Unfinished};
use crate::{Error, ErrorKind, Game};

/// A solved game in memory. A clone is the same solution.
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

    /// The game.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The number of stored positions: of a solution that was reduced by symmetry, one of each class.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "the start is always there")]
    pub fn len(&self) -> usize {
        self.solved.len()
    }

    /// What the solve found. Time, memory, margin and the file are left empty.
    ///
    /// # Panics
    ///
    /// Never: nothing stops it.
    #[must_use]
    pub fn report(&self) -> SolveReport {
        self.report_within(None, &()).expect("nothing stops it")
    }

    /// The same, made with at most `memory_bytes_max` next to the solution, or 8 MB where that is
    /// little.
    ///
    /// # Errors
    ///
    /// When `watch` says stop; [`ErrorKind::Interrupted`].
    pub fn report_within(
        &self,
        memory_bytes_max: Option<u64>,
        watch: &dyn Watch,
    ) -> Result<SolveReport, Error> {
        let digest = self.solved.digest(memory_bytes_max, watch);
        let digest = digest.ok_or_else(|| Error::interrupted("the digest is not known"))?;
        Ok(self.solved.report(self.game.name(), digest, None))
    }

    /// The solve that led here, which comes to the solution again at once: what a stop keeps. Nothing
    /// where something else shares the solution.
    #[must_use]
    pub fn into_unfinished(self, options: Options) -> Option<Unfinished> {
        let Solution { game, solved } = self;
        let start =
            game.begin(&Beginning { position: Some(solved.start_text()), moves: Vec::new() });
        let run = Run::new(&game, &start.ok()?, options);
        Some(Unfinished { run, checkpoint: solved.into_checkpoint()? })
    }

    /// The margin of the start when both players play for the largest, in games that are decided by
    /// score and cannot go round; for others nothing. Nothing, too, when the margins of all positions
    /// do not fit into `memory_bytes_max` next to the solution, and when `watch` says stop.
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

    /// Writes the solution to a file, which appears whole or not at all, and reports both.
    ///
    /// # Errors
    ///
    /// When the file cannot be written. What was there before is then still there.
    pub fn write(&self, path: &Path) -> Result<SolveReport, Error> {
        self.write_within(path, None, &())
    }

    /// The same with at most `memory_bytes_max` next to the solution, or 8 MB where that is little.
    ///
    /// # Errors
    ///
    /// As [`Solution::write`], and when `watch` says stop ([`ErrorKind::Interrupted`]).
    pub fn write_within(
        &self,
        path: &Path,
        memory_bytes_max: Option<u64>,
        watch: &dyn Watch,
    ) -> Result<SolveReport, Error> {
        let canonical_name = &self.game.info().canonical_name;
        match self.solved.write(path, canonical_name, memory_bytes_max, watch) {
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

    /// The solution as sessions take it, which asks it for the values of positions.
    #[must_use]
    pub fn as_solved_game(&self) -> Arc<dyn SolvedGame> {
        Arc::new(SolutionGame::new(self.game.engine().clone(), self.solved.clone()))
    }

    /// Rates every position: how well hidden its winning moves are. Uses all threads of the current
    /// rayon pool; the result does not depend on their number.
    ///
    /// # Errors
    ///
    /// When it takes more than `memory_bytes_max` with the solution ([`ErrorKind::Limit`]), or `watch`
    /// says stop ([`ErrorKind::Interrupted`]).
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

    /// The report of all ratings: [`Solution::rate`] without what else ratings are good for.
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

    /// The report of the most interesting wins of each remoteness, with their solutions.
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
