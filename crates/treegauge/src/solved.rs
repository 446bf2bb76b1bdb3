//! Solved games: solving one, reading and checking its file, rating its positions, and puzzles.

use std::io;
use std::path::Path;
use std::sync::Arc;

use treegauge_core::{Game as _, KeyCode, Watch};
use treegauge_engine::{Beginning, Line, SolutionGame, SolvedGame, open_solved};
use treegauge_solve::file::{FileError, Header};
use treegauge_solve::report::{
    FoundPuzzles, InterestReport, ProbeReport, PuzzlesReport, SolveReport, VerifyReport,
};
use treegauge_solve::{
    Checkpoint, Erased, Interest, InterestOptions, Options, PuzzleCounts, PuzzleOptions, Puzzles,
    Reduction, Rules, RulesVisitor, SolveError, SolvedFile,
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
    game.rules().visit(Solve { game, at, options, watch })
}

/// Whether [`Options::symmetry`] can be used in a solve from `at`: the game has symmetries that keep
/// the position.
#[must_use]
pub fn can_reduce(game: &Game, at: &Line) -> bool {
    struct CanReduce<'a>(&'a Line);

    impl RulesVisitor for CanReduce<'_> {
        type Output = bool;

        fn visit<K: KeyCode>(self, rules: Rules<Erased<K>>) -> bool {
            Reduction::of(&rules, &self.0.code::<K>()).is_ok()
        }
    }

    game.rules().visit(CanReduce(at))
}

struct Solve<'a> {
    game: &'a Game,
    at: &'a Line,
    options: Options,
    watch: &'a dyn Watch,
}

impl RulesVisitor for Solve<'_> {
    type Output = Result<Solved, Error>;

    fn visit<K: KeyCode>(self, rules: Rules<Erased<K>>) -> Self::Output {
        let Solve { game, at, options, watch } = self;
        let solved = treegauge_solve::solve(&rules, &at.code::<K>(), options, watch)?;
        Ok(solved_of(game, rules, options, solved))
    }
}

fn solved_of<K: KeyCode>(
    game: &Game,
    rules: Rules<Erased<K>>,
    options: Options,
    solved: treegauge_solve::Solved<Erased<K>>,
) -> Solved {
    match solved {
        treegauge_solve::Solved::Done(solution) => {
            Solved::Done(Solution::of(game.clone(), *solution))
        }
        treegauge_solve::Solved::Stopped(checkpoint) => {
            let game = game.clone();
            Solved::Stopped(Unfinished(Box::new(Stopped { game, rules, options, checkpoint })))
        }
    }
}

/// A solve that a watch stopped.
pub struct Unfinished(Box<dyn AnyStopped>);

trait AnyStopped: Send {
    fn positions(&self) -> u64;
    fn resume(self: Box<Self>, watch: &dyn Watch) -> Result<Solved, Error>;
}

struct Stopped<K: KeyCode> {
    game: Game,
    rules: Rules<Erased<K>>,
    options: Options,
    checkpoint: Checkpoint<K>,
}

impl<K: KeyCode> AnyStopped for Stopped<K> {
    fn positions(&self) -> u64 {
        self.checkpoint.len()
    }

    fn resume(self: Box<Self>, watch: &dyn Watch) -> Result<Solved, Error> {
        let Stopped { game, rules, options, checkpoint } = *self;
        let solved = treegauge_solve::resume(&rules, checkpoint, options, watch)?;
        Ok(solved_of(&game, rules, options, solved))
    }
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
        self.0.positions()
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
        self.0.resume(watch)
    }
}

/// A solved game in memory. A clone is the same solution.
#[derive(Clone)]
pub struct Solution {
    game: Game,
    solved: Arc<dyn AnySolution>,
}

/// A solution of which the type of its keys is hidden.
trait AnySolution: Send + Sync {
    fn report(&self, game: &Game, file: Option<&Header>) -> SolveReport;
    fn write(&self, path: &Path, canonical_name: &str) -> Result<Header, FileError>;
    fn as_solved_game(&self, game: &Game) -> Arc<dyn SolvedGame>;
    fn rate(&self, options: InterestOptions, watch: &dyn Watch) -> Option<Arc<dyn AnyRated>>;
}

/// Shared, since solutions are large.
#[derive(Clone)]
struct Typed<K: KeyCode>(Arc<treegauge_solve::Solution<Erased<K>>>);

impl<K: KeyCode> AnySolution for Typed<K> {
    fn report(&self, game: &Game, file: Option<&Header>) -> SolveReport {
        SolveReport::new(game.name(), &self.0, file)
    }

    fn write(&self, path: &Path, canonical_name: &str) -> Result<Header, FileError> {
        treegauge_solve::file::write_file(path, &self.0, canonical_name)
    }

    fn as_solved_game(&self, game: &Game) -> Arc<dyn SolvedGame> {
        Arc::new(SolutionGame::new(game.engine().clone(), self.0.clone()))
    }

    fn rate(&self, options: InterestOptions, watch: &dyn Watch) -> Option<Arc<dyn AnyRated>> {
        let interest = treegauge_solve::interest(&self.0, options, watch)?;
        Some(Arc::new(TypedRated { solution: self.clone(), interest }))
    }
}

impl std::fmt::Debug for Solution {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Solution").field(&self.game.name()).finish()
    }
}

impl Solution {
    fn of<K: KeyCode>(game: Game, solution: treegauge_solve::Solution<Erased<K>>) -> Solution {
        Solution { game, solved: Arc::new(Typed(Arc::new(solution))) }
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// What the solve found. Time, memory and the file are left empty.
    #[must_use]
    pub fn report(&self) -> SolveReport {
        self.solved.report(&self.game, None)
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
        Ok(self.solved.report(&self.game, Some(&header)))
    }

    /// The solution as sessions take it, which asks it for the values of positions.
    #[must_use]
    pub fn as_solved_game(&self) -> Arc<dyn SolvedGame> {
        self.solved.as_solved_game(&self.game)
    }

    /// Rates every position: how well hidden its winning moves are. Uses all threads of the current
    /// rayon pool; the result does not depend on their number.
    ///
    /// # Errors
    ///
    /// When `watch` says stop; [`ErrorKind::Interrupted`].
    pub fn rate(&self, options: InterestOptions, watch: &dyn Watch) -> Result<Rated, Error> {
        let rated = self.solved.rate(options, watch);
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

trait AnyRated: Send + Sync {
    fn report(&self, game: &Game) -> InterestReport;
    fn write_csv(&self, out: &mut dyn io::Write, stop: &dyn Fn() -> bool) -> io::Result<()>;
    fn puzzles(
        self: Arc<Self>,
        game: &Game,
        asked: PuzzleOptions,
        stop: &dyn Fn() -> bool,
    ) -> Option<Box<dyn AnyPuzzles>>;
}

struct TypedRated<K: KeyCode> {
    solution: Typed<K>,
    interest: Interest<K>,
}

impl<K: KeyCode> AnyRated for TypedRated<K> {
    fn report(&self, game: &Game) -> InterestReport {
        InterestReport::new(game.name(), &self.solution.0, &self.interest)
    }

    fn write_csv(&self, out: &mut dyn io::Write, stop: &dyn Fn() -> bool) -> io::Result<()> {
        treegauge_report::write_interest_csv(&self.solution.0, &self.interest, out, stop)
    }

    fn puzzles(
        self: Arc<Self>,
        game: &Game,
        asked: PuzzleOptions,
        stop: &dyn Fn() -> bool,
    ) -> Option<Box<dyn AnyPuzzles>> {
        let rating = |index| self.interest.of(index);
        let found = treegauge_solve::puzzles(&self.solution.0, rating, asked, stop);
        if found.stopped {
            return None;
        }
        Some(Box::new(TypedPuzzles { game: game.clone(), rated: self, asked, found }))
    }
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
        self.rated.report(&self.game)
    }

    /// Writes every position with its rating as comma-separated values. `stop` is asked now and
    /// then.
    ///
    /// # Errors
    ///
    /// Those of the writer, and [`io::ErrorKind::Interrupted`] when `stop` says so.
    pub fn write_csv(&self, out: &mut dyn io::Write, stop: &dyn Fn() -> bool) -> io::Result<()> {
        self.rated.write_csv(out, stop)
    }

    /// The most interesting wins of each remoteness.
    ///
    /// # Errors
    ///
    /// When `watch` says stop; [`ErrorKind::Interrupted`].
    pub fn puzzles(&self, asked: PuzzleOptions, watch: &dyn Watch) -> Result<PuzzleSet, Error> {
        let found = self.rated.clone().puzzles(&self.game, asked, &|| watch.stop());
        found.map(PuzzleSet).ok_or_else(|| interrupted("the puzzles are not found"))
    }
}

/// Puzzles that were found in a solution. Their solutions are made when a report asks for them.
pub struct PuzzleSet(Box<dyn AnyPuzzles>);

trait AnyPuzzles {
    fn len(&self) -> usize;
    fn counts(&self) -> &[PuzzleCounts];
    fn task(&self, n: usize) -> Option<PuzzleTask>;
    fn report(&self, stop: &dyn Fn() -> bool) -> Option<PuzzlesReport>;
    fn json(&self, stop: &dyn Fn() -> bool) -> serde_json::Result<String>;
}

struct TypedPuzzles<K: KeyCode> {
    game: Game,
    rated: Arc<TypedRated<K>>,
    asked: PuzzleOptions,
    found: Puzzles<Erased<K>>,
}

impl<K: KeyCode> TypedPuzzles<K> {
    fn found(&self) -> FoundPuzzles<'_, Erased<K>> {
        let TypedRated { solution, interest } = &*self.rated;
        FoundPuzzles::new(self.game.name(), &solution.0, interest, self.asked, &self.found)
    }
}

impl<K: KeyCode> AnyPuzzles for TypedPuzzles<K> {
    fn len(&self) -> usize {
        self.found.puzzles.len()
    }

    fn counts(&self) -> &[PuzzleCounts] {
        &self.found.counts
    }

    fn task(&self, n: usize) -> Option<PuzzleTask> {
        let puzzle = self.found.puzzles.get(n)?;
        let rules = self.rated.solution.0.rules().game();
        let position = treegauge_core::Notation::position_text(rules, &puzzle.state);
        Some(PuzzleTask {
            position,
            turn: rules.turn(&puzzle.state),
            remoteness: puzzle.remoteness,
            mate_in: puzzle.mate_in,
        })
    }

    fn report(&self, stop: &dyn Fn() -> bool) -> Option<PuzzlesReport> {
        self.found().report(stop)
    }

    fn json(&self, stop: &dyn Fn() -> bool) -> serde_json::Result<String> {
        serde_json::to_string(&self.found().streamed(stop))
    }
}

impl std::fmt::Debug for PuzzleSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PuzzleSet").field("len", &self.len()).finish()
    }
}

/// A puzzle without its solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleTask {
    /// The position as text.
    pub position: String,
    /// The player to move, who wins.
    pub turn: treegauge_core::Player,
    /// Plies to the end with best play.
    pub remoteness: u16,
    /// The winner's moves among them.
    pub mate_in: u32,
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
    file: Box<dyn AnyFile>,
}

trait AnyFile: Send + Sync {
    fn path(&self) -> &Path;
    fn start_text(&self) -> String;
    fn probe(&self, game: &Game, at: &Line) -> Result<ProbeReport, Error>;
    fn verify(&self, game: &Game, watch: &dyn Watch) -> Result<VerifyReport, Error>;
    fn load(&self, game: &Game) -> Result<Solution, Error>;
}

impl<K: KeyCode> AnyFile for SolvedFile<K> {
    fn path(&self) -> &Path {
        SolvedFile::path(self)
    }

    fn start_text(&self) -> String {
        self.file().header().start.clone()
    }

    fn probe(&self, game: &Game, at: &Line) -> Result<ProbeReport, Error> {
        Ok(ProbeReport::new(game.name(), self, &at.code::<K>())?)
    }

    fn verify(&self, game: &Game, watch: &dyn Watch) -> Result<VerifyReport, Error> {
        let verdict = treegauge_solve::verify::verify(self.file(), watch);
        let verdict = verdict.map_err(|error| unreadable(AnyFile::path(self), &error))?;
        let verdict = verdict.ok_or_else(|| interrupted("the file is not checked"))?;
        Ok(VerifyReport::new(game.name(), self.file().rules().game(), &verdict))
    }

    fn load(&self, game: &Game) -> Result<Solution, Error> {
        let solution = self.file().load();
        let solution = solution.map_err(|error| unreadable(AnyFile::path(self), &error))?;
        Ok(Solution::of(game.clone(), solution))
    }
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
    let file = game.rules().visit(Open { path, game: &game })?;
    Ok(SolutionFile { game, file })
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

struct Open<'a> {
    path: &'a Path,
    game: &'a Game,
}

impl RulesVisitor for Open<'_> {
    type Output = Result<Box<dyn AnyFile>, Error>;

    fn visit<K: KeyCode>(self, rules: Rules<Erased<K>>) -> Self::Output {
        let canonical_name = &self.game.info().canonical_name;
        Ok(Box::new(SolvedFile::open(self.path, rules, canonical_name)?))
    }
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
        self.file.probe(&self.game, at)
    }

    /// Checks every position against the rules. Uses all threads of the current rayon pool.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or `watch` says stop ([`ErrorKind::Interrupted`]). Mismatches
    /// are no error: the report has them.
    pub fn verify(&self, watch: &dyn Watch) -> Result<VerifyReport, Error> {
        self.file.verify(&self.game, watch)
    }

    /// Reads the whole solution into memory.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or is damaged.
    pub fn load(&self) -> Result<Solution, Error> {
        self.file.load(&self.game)
    }

    /// The file as sessions take it, which asks it for the values of positions.
    ///
    /// # Errors
    ///
    /// When the file can no longer be opened.
    pub fn as_solved_game(&self) -> Result<Arc<dyn SolvedGame>, Error> {
        Ok(Arc::from(open_solved(self.game.engine(), self.file.path())?))
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

fn interrupted(so: &str) -> Error {
    Error::new(ErrorKind::Interrupted, format!("interrupted: {so}"))
}

fn unwritten() -> Error {
    Error::new(ErrorKind::Interrupted, "interrupted before all solutions were written")
}

fn unreadable(path: &Path, error: &FileError) -> Error {
    Error::new(ErrorKind::Data, format!("cannot read {}: {error}", path.display()))
}
