//! Solved games: solving one, reading and checking its file, rating its positions, and puzzles.

use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;

use treegauge_core::Watch;
use treegauge_engine::{Beginning, FileGame, Line, SolutionGame, SolvedGame};
use treegauge_solve::file::{FileError, Header};
use treegauge_solve::report::{
    InterestAnalysis, InterestPosition, InterestReport, KeptInterestError, ProbeReport,
    PuzzlesReport, SolveReport, VerifyReport,
};
use treegauge_solve::{
    AnyCheckpoint, AnyCode, AnyPuzzles, AnyRated, AnySolution, AnySolved, AnySolvedFile,
    CheckpointError, InterestOptions, Options, PuzzleCounts, PuzzleOptions, PuzzleTask, SolveError,
};

use crate::{Error, ErrorKind, Game};

/// What came of a solve.
#[derive(Debug)]
pub enum Solved {
    /// The value of every position is known.
    Done(Solution),
    /// The watch said stop.
    Stopped(Unfinished),
}

impl Solved {
    /// The solution.
    ///
    /// # Errors
    ///
    /// When the watch said stop; [`ErrorKind::Interrupted`].
    pub fn done(self) -> Result<Solution, Error> {
        match self {
            Solved::Done(solution) => Ok(solution),
            Solved::Stopped(_) => Err(interrupted("the game is not solved")),
        }
    }
}

/// Finds the value of every position that can be reached from `at`, whose history plays no part.
///
/// Uses all threads of the current rayon pool; the result does not depend on their number.
///
/// # Errors
///
/// When memory does not suffice ([`ErrorKind::Limit`]), or the options do not fit the game.
///
/// ```
/// use treegauge::solve::{Options, Value};
/// use treegauge::{Game, solve};
///
/// let game = Game::parse("tic_tac_toe").unwrap();
/// let solved = solve(&game, &game.start(), Options::default(), &()).unwrap();
/// let report = solved.done().unwrap().report();
/// assert_eq!(report.positions, 5_478);
/// assert_eq!((report.start.value, report.start.remoteness), (Value::Tie, Some(9)));
/// ```
pub fn solve(game: &Game, at: &Line, options: Options, watch: &dyn Watch) -> Result<Solved, Error> {
    let run = Run::new(game, at, options);
    let solved = game.rules().solve(&run.start, options, watch)?;
    Ok(solved_of(run, solved))
}

/// Whether [`Options::symmetry`] can be used in a solve from `at`: the game has symmetries that keep
/// the position.
#[must_use]
pub fn can_reduce(game: &Game, at: &Line) -> bool {
    game.rules().can_reduce(&at.code())
}

/// Reads a solve that was stopped and that [`Unfinished::write`] wrote.
///
/// # Errors
///
/// When it is damaged, or was made by a solve of another game, of other rules, from another position
/// or with the other choice of [`Options::symmetry`].
pub fn read_unfinished(
    game: &Game,
    at: &Line,
    options: Options,
    input: &mut dyn Read,
) -> Result<Unfinished, Error> {
    let run = Run::new(game, at, options);
    let checkpoint = game.rules().read_checkpoint(&run.name(), input)?;
    Ok(Unfinished { run, checkpoint })
}

/// What is solved and how.
struct Run {
    game: Game,
    start: AnyCode,
    options: Options,
}

impl Run {
    fn new(game: &Game, at: &Line, options: Options) -> Run {
        Run { game: game.clone(), start: at.code(), options }
    }

    /// What a checkpoint of it is valid for.
    fn name(&self) -> String {
        let canonical_name = &self.game.info().canonical_name;
        self.game.rules().run_name(&self.start, self.options.symmetry, canonical_name)
    }
}

fn solved_of(run: Run, solved: AnySolved) -> Solved {
    match solved {
        AnySolved::Done(solved) => Solved::Done(Solution { game: run.game, solved }),
        AnySolved::Stopped(checkpoint) => Solved::Stopped(Unfinished { run, checkpoint }),
    }
}

/// A solve that a watch stopped.
pub struct Unfinished {
    run: Run,
    checkpoint: Box<dyn AnyCheckpoint>,
}

impl std::fmt::Debug for Unfinished {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Unfinished").field("positions", &self.positions()).finish()
    }
}

impl Unfinished {
    /// The positions that were found so far.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.checkpoint.positions()
    }

    /// Continues, to the same solution as if nothing had stopped the solve.
    ///
    /// # Errors
    ///
    /// As [`solve()`].
    ///
    /// ```
    /// use treegauge::solve::Options;
    /// use treegauge::{Game, Progress, Solved, Watch, solve};
    ///
    /// struct Stop;
    /// impl Watch for Stop {
    ///     fn progress(&self, _: Progress) {}
    ///     fn stop(&self) -> bool {
    ///         true
    ///     }
    /// }
    ///
    /// let game = Game::parse("tic_tac_toe").unwrap();
    /// let stopped = solve(&game, &game.start(), Options::default(), &Stop).unwrap();
    /// let Solved::Stopped(unfinished) = stopped else { panic!("the watch says stop") };
    /// let solution = unfinished.resume(&()).unwrap().done().unwrap();
    /// assert_eq!(solution.report().positions, 5_478);
    /// ```
    pub fn resume(self, watch: &dyn Watch) -> Result<Solved, Error> {
        let Unfinished { run, checkpoint } = self;
        let solved = checkpoint.resume(run.options, watch)?;
        Ok(solved_of(run, solved))
    }

    /// A number that grows with the work that is done. A step that was begun and not ended does not
    /// count: it begins anew.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.checkpoint.done()
    }

    /// Whether a solve that continues and is stopped later can have done more than this one.
    #[must_use]
    pub fn can_grow(&self) -> bool {
        self.checkpoint.can_grow()
    }

    /// Writes what was done, for [`read_unfinished`].
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.checkpoint.write(&self.run.name(), out)
    }
}

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

    /// What the solve found. Time, memory and the file are left empty.
    #[must_use]
    pub fn report(&self) -> SolveReport {
        self.solved.report(self.game.name(), None)
    }

    /// Writes the solution to a file, which appears whole or not at all, and reports both.
    ///
    /// # Errors
    ///
    /// When the file cannot be written. What was there before is then still there.
    pub fn write(&self, path: &Path) -> Result<SolveReport, Error> {
        let written = self.solved.write(path, &self.game.info().canonical_name);
        let failed = |error| format!("cannot write {}: {error}", path.display());
        let header = written.map_err(|error| Error::new(ErrorKind::Data, failed(error)))?;
        Ok(self.solved.report(self.game.name(), Some(&header)))
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
    /// When `watch` says stop; [`ErrorKind::Interrupted`].
    pub fn rate(&self, options: InterestOptions, watch: &dyn Watch) -> Result<Rated, Error> {
        let rated = self.solved.clone().rate(options, watch);
        let rated = rated.ok_or_else(|| interrupted("the positions are not rated"))?;
        Ok(Rated { game: self.game.clone(), rated })
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
        Ok(self.rate(options, watch)?.report())
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
        self.rate(options, watch)?.puzzles(asked, watch)?.report(&|| watch.stop())
    }
}

/// The positions of a solution with their ratings. A clone is the same.
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
    /// The distribution of the ratings, with the most interesting position of each remoteness.
    #[must_use]
    pub fn report(&self) -> InterestReport {
        self.rated.report(self.game.name())
    }

    /// Writes every position with its rating as comma-separated values. `stop` is asked now and
    /// then.
    ///
    /// # Errors
    ///
    /// Those of the writer, and [`io::ErrorKind::Interrupted`] when `stop` says so.
    pub fn write_csv(&self, out: &mut dyn io::Write, stop: &dyn Fn() -> bool) -> io::Result<()> {
        treegauge_report::write_interest_csv(&*self.rated, out, stop)
    }

    /// The most interesting wins of each remoteness.
    ///
    /// # Errors
    ///
    /// When `watch` says stop; [`ErrorKind::Interrupted`].
    pub fn puzzles(&self, asked: PuzzleOptions, watch: &dyn Watch) -> Result<PuzzleSet, Error> {
        let found = self.rated.clone().puzzles(self.game.name(), asked, &|| watch.stop());
        found.map(PuzzleSet).ok_or_else(|| interrupted("the puzzles are not found"))
    }
}

/// Puzzles that were found in a solution. Their solutions are made when a report asks for them.
pub struct PuzzleSet(Box<dyn AnyPuzzles>);

impl std::fmt::Debug for PuzzleSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PuzzleSet").field("len", &self.len()).finish()
    }
}

impl PuzzleSet {
    /// The number of puzzles.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The wins of each remoteness, and what became of them.
    #[must_use]
    pub fn counts(&self) -> &[PuzzleCounts] {
        self.0.counts()
    }

    /// The puzzle at a place, from 0.
    #[must_use]
    pub fn task(&self, n: usize) -> Option<PuzzleTask> {
        self.0.task(n)
    }

    /// The report of which text and sheets are made. `stop` is asked before each puzzle.
    ///
    /// # Errors
    ///
    /// When `stop` says so; [`ErrorKind::Interrupted`].
    pub fn report(&self, stop: &dyn Fn() -> bool) -> Result<PuzzlesReport, Error> {
        self.0.report(stop).ok_or_else(unwritten)
    }

    /// The report as JSON, with the solutions that follow all quickest wins, which may be long.
    /// `stop` is asked before each puzzle.
    ///
    /// # Errors
    ///
    /// When `stop` says so; [`ErrorKind::Interrupted`].
    pub fn to_json(&self, stop: &dyn Fn() -> bool) -> Result<String, Error> {
        // Nothing else can fail: the text is in memory.
        self.0.json(stop).map_err(|_| unwritten())
    }
}

/// The file of a solved game, open for questions.
pub struct SolutionFile {
    game: Game,
    file: Arc<dyn AnySolvedFile>,
}

impl std::fmt::Debug for SolutionFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("SolutionFile").field(&self.file.path()).finish()
    }
}

/// Opens the file of a solved game. The file says which game it is.
///
/// # Errors
///
/// When it cannot be read, is damaged, or is of a game or of rules that are not in the catalog.
pub fn open_solution(path: &Path) -> Result<SolutionFile, Error> {
    let game = solved_game_of(path)?;
    let file = game.rules().open(path, &game.info().canonical_name)?;
    Ok(SolutionFile { game, file: file.into() })
}

/// The game of the file of a solved game, of which only the header is read.
///
/// # Errors
///
/// When the file cannot be read, or is of a game that is not in the catalog.
pub fn solved_game_of(path: &Path) -> Result<Game, Error> {
    let header = Header::of_file(path).map_err(|error| unreadable(path, &error))?;
    let of_file = |error| format!("{}: {error}", path.display());
    Game::parse(&header.spec).map_err(|error| Error::new(ErrorKind::Data, of_file(error)))
}

impl SolutionFile {
    /// The game.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The position from which the game was solved.
    ///
    /// # Errors
    ///
    /// When the text of the position, as the file has it, has errors.
    pub fn start(&self) -> Result<Line, Error> {
        let position = Some(self.file.start_text());
        Ok(self.game.begin(&Beginning { position, moves: Vec::new() })?)
    }

    /// The value of a position and of each of its moves. History plays no part. The rest of the file
    /// is not read.
    ///
    /// # Errors
    ///
    /// When the file lacks the position or cannot be read.
    ///
    /// # Panics
    ///
    /// When the line is one of another game.
    pub fn probe(&self, at: &Line) -> Result<ProbeReport, Error> {
        Ok(self.file.probe(self.game.name(), &at.code())?)
    }

    /// Checks every position against the rules. Uses all threads of the current rayon pool.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or `watch` says stop ([`ErrorKind::Interrupted`]). Mismatches
    /// are no error: the report has them.
    pub fn verify(&self, watch: &dyn Watch) -> Result<VerifyReport, Error> {
        let verified = self.file.verify(self.game.name(), watch);
        let verified = verified.map_err(|error| unreadable(self.file.path(), &error))?;
        verified.ok_or_else(|| interrupted("the check is not complete"))
    }

    /// Reads the whole solution into memory.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or is damaged.
    pub fn load(&self) -> Result<Solution, Error> {
        let solved = self.file.load();
        let solved = solved.map_err(|error| unreadable(self.file.path(), &error))?;
        Ok(Solution { game: self.game.clone(), solved })
    }

    /// The file as sessions take it, which asks it for the values of positions.
    #[must_use]
    pub fn as_solved_game(&self) -> Arc<dyn SolvedGame> {
        Arc::new(FileGame::new(self.game.engine().clone(), self.file.clone()))
    }

    /// The analysis of interestingness that the file keeps.
    ///
    /// # Errors
    ///
    /// When it keeps none of use ([`KeptInterestError`]), or cannot be read.
    pub fn kept_interest(&self) -> Result<InterestAnalysis, Error> {
        self.file.kept_interest().map_err(|error| self.kept_error(error))
    }

    /// Checks that a position of the kept analysis is one of the file, with the value that the
    /// analysis has.
    ///
    /// # Errors
    ///
    /// When it is not ([`KeptInterestError`]), or the file cannot be read.
    pub fn check_kept(&self, position: &InterestPosition) -> Result<(), Error> {
        self.file.check_kept(position).map_err(|error| self.kept_error(error))
    }

    fn kept_error(&self, error: KeptInterestError) -> Error {
        match error {
            KeptInterestError::File(error) => unreadable(self.file.path(), &error),
            other => Error::new(ErrorKind::Data, other),
        }
    }
}

/// Looks up a position in the file of a solved game. Without a position of its own the beginning
/// starts where the game was solved from.
///
/// # Errors
///
/// As [`open_solution`] and [`SolutionFile::probe`], and when the game cannot begin so.
///
/// ```
/// use treegauge::engine::Beginning;
/// use treegauge::solve::Value;
/// use treegauge::{Game, probe, solve, verify};
///
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("game.solved");
/// let game = Game::parse("tic_tac_toe").unwrap();
/// let solved = solve(&game, &game.start(), Default::default(), &()).unwrap();
/// solved.done().unwrap().write(&path).unwrap();
///
/// // b1 is a bad answer to a1.
/// let moves = vec!["a1".to_owned(), "b1".to_owned()];
/// let found = probe(&path, &Beginning { position: None, moves }).unwrap();
/// assert_eq!((found.value, found.remoteness), (Value::Win, Some(5)));
/// assert!(verify(&path, &()).unwrap().ok);
/// ```
pub fn probe(path: &Path, beginning: &Beginning) -> Result<ProbeReport, Error> {
    let file = open_solution(path)?;
    let position = beginning.position.clone().unwrap_or_else(|| file.file.start_text());
    let moves = beginning.moves.clone();
    let at = file.game.begin(&Beginning { position: Some(position), moves })?;
    file.probe(&at)
}

/// Checks the file of a solved game against the rules.
///
/// # Errors
///
/// As [`open_solution`] and [`SolutionFile::verify`].
pub fn verify(path: &Path, watch: &dyn Watch) -> Result<VerifyReport, Error> {
    open_solution(path)?.verify(watch)
}

impl From<SolveError> for Error {
    fn from(error: SolveError) -> Error {
        let kind = match error {
            SolveError::Memory { .. } => ErrorKind::Limit,
            _ => ErrorKind::Usage,
        };
        Error::new(kind, error)
    }
}

impl From<CheckpointError> for Error {
    fn from(error: CheckpointError) -> Error {
        Error::new(ErrorKind::Data, error)
    }
}

fn interrupted(so: &str) -> Error {
    Error::new(ErrorKind::Interrupted, format!("interrupted: {so}"))
}

fn unwritten() -> Error {
    Error::new(ErrorKind::Interrupted, "interrupted before all solutions were written")
}

fn unreadable(path: &Path, error: &FileError) -> Error {
    Error::new(ErrorKind::Data, error.at(path))
}
