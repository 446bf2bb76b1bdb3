//! Solved games of which the type of the codes is hidden too, behind traits.
//!
//! [`AnyRules`] has a game's rules with one of four types of codes. What is here is compiled for
//! each of them in this crate, so that a program that solves, reads and rates is compiled once.

use std::any::Any;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use treegauge_core::{Game, KeyCode, Keyed, Notation, Player, Watch};

use crate::checkpoint::{Checkpoint, CheckpointError};
use crate::erased::{AnyRules, Erased, ErasedMove, RulesVisitor};
use crate::error::SolveError;
use crate::file::{FileError, Header, rules_hash, write_file};
use crate::interest::{Interest, InterestOptions, interest};
use crate::move_value::{MoveValue, MoveValues, move_values};
use crate::puzzle::{PuzzleCounts, PuzzleOptions, Puzzles, puzzles};
use crate::report::{
    FoundPuzzles, InterestAnalysis, InterestPosition, InterestReport, InterestTerms,
    KeptInterestError, ProbeReport, PuzzlesReport, SolveReport, VerifyReport, kept_interest,
    kept_state, rounded,
};
use crate::rules::{Reduction, Rules};
use crate::solution::Solution;
use crate::solved_file::{SolvedFile, SolvedFileError};
use crate::solver::{Options, Solved, resume, solve};
use crate::value::Valued;
use crate::verify::verify;

/// The code of a position's key, of any of the four types.
#[derive(Debug)]
pub struct AnyCode(Box<dyn Any + Send + Sync>);

impl AnyCode {
    /// Hides the type of a code.
    #[must_use]
    pub fn new<K: KeyCode>(code: K) -> AnyCode {
        AnyCode(Box::new(code))
    }

    fn get<K: KeyCode>(&self) -> K {
        *self.0.downcast_ref().expect("the code is of the type that the game's rules have")
    }
}

/// What came of a solve.
pub enum AnySolved {
    /// The value of every position is known.
    Done(Arc<dyn AnySolution>),
    /// The watch said stop.
    Stopped(Box<dyn AnyCheckpoint>),
}

/// A solve that was stopped; see [`Checkpoint`].
pub trait AnyCheckpoint: Send {
    /// The number of positions that were found.
    fn positions(&self) -> u64;

    /// A number that grows with the work that is kept.
    fn done(&self) -> u64;

    /// Whether a later checkpoint can keep more than this one.
    fn can_grow(&self) -> bool;

    /// Writes the checkpoint under the name of its run.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    fn write(&self, name: &str, out: &mut dyn Write) -> io::Result<()>;

    /// Continues, to the same solution as if nothing had stopped the solve.
    ///
    /// # Errors
    ///
    /// As [`resume`].
    fn resume(
        self: Box<Self>,
        options: Options,
        watch: &dyn Watch,
    ) -> Result<AnySolved, SolveError>;
}

/// A solved game in memory; see [`Solution`].
pub trait AnySolution: Send + Sync {
    /// The number of stored positions.
    fn len(&self) -> usize;

    /// Never: the start is stored.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The position from which the game was solved, as text.
    fn start_text(&self) -> String;

    /// The value of a position for the player to move; nothing when no line leads there.
    fn value(&self, at: &AnyCode) -> Option<Valued>;

    /// The legal moves, by number, with their values, best first.
    ///
    /// # Panics
    ///
    /// When no line from where the game was solved leads to the position.
    fn moves(&self, at: &AnyCode) -> MoveValues<usize>;

    /// What the solve found, and the file that it was written to.
    fn report(&self, game: String, file: Option<&Header>) -> SolveReport;

    /// Writes the file of the solution, which appears whole or not at all.
    ///
    /// # Errors
    ///
    /// When it cannot be written. What was there before is then still there.
    fn write(&self, path: &Path, canonical_name: &str) -> Result<Header, FileError>;

    /// Rates every position; nothing when `watch` says stop.
    fn rate(
        self: Arc<Self>,
        options: InterestOptions,
        watch: &dyn Watch,
    ) -> Option<Arc<dyn AnyRated>>;
}

/// The positions of a solution with their interestingness; see [`Interest`].
pub trait AnyRated: Send + Sync {
    /// The report of all ratings.
    fn report(&self, game: String) -> InterestReport;

    /// All positions that can be reached in ascending order of their keys, which is the same
    /// whether or not the solution is reduced.
    fn sorted(&self) -> Box<dyn RatedRows + '_>;

    /// The most interesting wins of each remoteness; nothing when `stop` says so.
    fn puzzles(
        self: Arc<Self>,
        game: String,
        asked: PuzzleOptions,
        stop: &dyn Fn() -> bool,
    ) -> Option<Box<dyn AnyPuzzles>>;
}

/// Rated positions in a fixed order, made when they are asked for.
pub trait RatedRows: Sync {
    /// The number of positions.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Some of them.
    ///
    /// # Panics
    ///
    /// When the range ends after [`RatedRows::len`].
    fn rows(&self, range: Range<usize>) -> Vec<RatedRow>;
}

/// A rated position.
#[derive(Clone, Debug)]
pub struct RatedRow {
    /// The position as text.
    pub position: String,
    /// Its value for the player to move.
    pub valued: Valued,
    /// Its interestingness, in \[0, 1\], rounded as reports have it.
    pub interestingness: f64,
    /// What the interestingness is made of; nothing where it is set by rule.
    pub terms: Option<InterestTerms>,
}

/// Puzzles that were found in a solution. Their solutions are made when a report asks for them.
pub trait AnyPuzzles {
    /// The number of puzzles.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The wins of each remoteness, and what became of them.
    fn counts(&self) -> &[PuzzleCounts];

    /// The puzzle at a place, from 0.
    fn task(&self, n: usize) -> Option<PuzzleTask>;

    /// The report of which text and sheets are made; nothing when `stop`, which is asked before
    /// each puzzle, says so.
    fn report(&self, stop: &dyn Fn() -> bool) -> Option<PuzzlesReport>;

    /// The report as JSON, with the solutions that follow all quickest wins, which may be long.
    ///
    /// # Errors
    ///
    /// When `stop` says so.
    fn json(&self, stop: &dyn Fn() -> bool) -> serde_json::Result<String>;
}

/// A puzzle without its solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleTask {
    /// The position as text.
    pub position: String,
    /// The player to move, who wins.
    pub turn: Player,
    /// Plies to the end with best play.
    pub remoteness: u16,
    /// The winner's moves among them.
    pub mate_in: u32,
}

/// The file of a solved game, open for look-ups; see [`SolvedFile`].
pub trait AnySolvedFile: Send + Sync {
    /// Where the file is.
    fn path(&self) -> &Path;

    /// The position from which the game was solved, as text.
    fn start_text(&self) -> String;

    /// The value of a position for the player to move.
    ///
    /// # Errors
    ///
    /// When the file lacks the position or cannot be read.
    fn value(&self, at: &AnyCode) -> Result<Valued, SolvedFileError>;

    /// The legal moves, by number, with their values, best first.
    ///
    /// # Errors
    ///
    /// When the file lacks the position or one behind a move, or cannot be read.
    fn moves(&self, at: &AnyCode) -> Result<MoveValues<usize>, SolvedFileError>;

    /// The report of a position and its moves.
    ///
    /// # Errors
    ///
    /// As [`AnySolvedFile::moves`].
    fn probe(&self, game: String, at: &AnyCode) -> Result<ProbeReport, SolvedFileError>;

    /// Checks every position against the rules; nothing when `watch` says stop.
    ///
    /// # Errors
    ///
    /// When the file cannot be read.
    fn verify(&self, game: String, watch: &dyn Watch) -> Result<Option<VerifyReport>, FileError>;

    /// Reads the whole solution into memory.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or is damaged.
    fn load(&self) -> Result<Arc<dyn AnySolution>, FileError>;

    /// The analysis of interestingness that the file keeps.
    ///
    /// # Errors
    ///
    /// When it keeps none of use, or cannot be read.
    fn kept_interest(&self) -> Result<InterestAnalysis, KeptInterestError>;

    /// Checks that a position of the kept analysis is one of the file, with the value that the
    /// analysis has.
    ///
    /// # Errors
    ///
    /// When it is not, or the file cannot be read.
    fn check_kept(&self, position: &InterestPosition) -> Result<(), KeptInterestError>;
}

impl AnyRules {
    /// Solves the game from a position; see [`solve`].
    ///
    /// # Errors
    ///
    /// Those of [`solve`].
    pub fn solve(
        self,
        start: &AnyCode,
        options: Options,
        watch: &dyn Watch,
    ) -> Result<AnySolved, SolveError> {
        self.visit(Solve { start, options, watch })
    }

    /// Whether the positions from a start can be reduced by symmetry; see [`Reduction::of`].
    #[must_use]
    pub fn can_reduce(self, start: &AnyCode) -> bool {
        self.visit(CanReduce(start))
    }

    /// The name of the run that a checkpoint is valid for: this game, these rules, this start, this
    /// reduction.
    #[must_use]
    pub fn run_name(self, start: &AnyCode, symmetry: bool, canonical_name: &str) -> String {
        self.visit(RunName { start, symmetry, canonical_name })
    }

    /// Reads a checkpoint of the run of a name.
    ///
    /// # Errors
    ///
    /// Those of [`Checkpoint::read`].
    pub fn read_checkpoint(
        self,
        name: &str,
        input: &mut dyn Read,
    ) -> Result<Box<dyn AnyCheckpoint>, CheckpointError> {
        self.visit(ReadCheckpoint { name, input })
    }

    /// Opens the file of the solved game, by the game's canonical name.
    ///
    /// # Errors
    ///
    /// Those of [`SolvedFile::open`].
    pub fn open(
        self,
        path: &Path,
        canonical_name: &str,
    ) -> Result<Box<dyn AnySolvedFile>, SolvedFileError> {
        self.visit(Open { path, canonical_name })
    }
}

struct Solve<'a> {
    start: &'a AnyCode,
    options: Options,
    watch: &'a dyn Watch,
}

impl RulesVisitor for Solve<'_> {
    type Output = Result<AnySolved, SolveError>;

    fn visit<K: KeyCode>(self, rules: Rules<Erased<K>>) -> Self::Output {
        let solved = solve(&rules, &self.start.get::<K>(), self.options, self.watch)?;
        Ok(any_solved(rules, solved))
    }
}

struct CanReduce<'a>(&'a AnyCode);

impl RulesVisitor for CanReduce<'_> {
    type Output = bool;

    fn visit<K: KeyCode>(self, rules: Rules<Erased<K>>) -> bool {
        Reduction::of(&rules, &self.0.get::<K>()).is_ok()
    }
}

struct RunName<'a> {
    start: &'a AnyCode,
    symmetry: bool,
    canonical_name: &'a str,
}

impl RulesVisitor for RunName<'_> {
    type Output = String;

    fn visit<K: KeyCode>(self, rules: Rules<Erased<K>>) -> String {
        let start: K = self.start.get();
        let reduction = Reduction::of(&rules, &start)
            .ok()
            .filter(|_| self.symmetry)
            .unwrap_or_else(Reduction::none);
        let reduced = if reduction.is_none() { "" } else { " by symmetry" };
        let hash = rules_hash(&rules, &reduction, self.canonical_name, &start);
        let position = rules.game().position_text(&start);
        format!("{} from {position}{reduced}, rules {hash:016x}", self.canonical_name)
    }
}

struct ReadCheckpoint<'a> {
    name: &'a str,
    input: &'a mut dyn Read,
}

impl RulesVisitor for ReadCheckpoint<'_> {
    type Output = Result<Box<dyn AnyCheckpoint>, CheckpointError>;

    fn visit<K: KeyCode>(self, rules: Rules<Erased<K>>) -> Self::Output {
        let checkpoint = Checkpoint::read(self.name, self.input)?;
        Ok(Box::new(Stopped { rules, checkpoint }))
    }
}

struct Open<'a> {
    path: &'a Path,
    canonical_name: &'a str,
}

impl RulesVisitor for Open<'_> {
    type Output = Result<Box<dyn AnySolvedFile>, SolvedFileError>;

    fn visit<K: KeyCode>(self, rules: Rules<Erased<K>>) -> Self::Output {
        Ok(Box::new(SolvedFile::open(self.path, rules, self.canonical_name)?))
    }
}

fn any_solved<K: KeyCode>(rules: Rules<Erased<K>>, solved: Solved<Erased<K>>) -> AnySolved {
    match solved {
        Solved::Done(solution) => AnySolved::Done(Arc::new(*solution)),
        Solved::Stopped(checkpoint) => AnySolved::Stopped(Box::new(Stopped { rules, checkpoint })),
    }
}

struct Stopped<K: KeyCode> {
    rules: Rules<Erased<K>>,
    checkpoint: Checkpoint<K>,
}

impl<K: KeyCode> AnyCheckpoint for Stopped<K> {
    fn positions(&self) -> u64 {
        self.checkpoint.len()
    }

    fn done(&self) -> u64 {
        self.checkpoint.done()
    }

    fn can_grow(&self) -> bool {
        self.checkpoint.can_grow()
    }

    fn write(&self, name: &str, out: &mut dyn Write) -> io::Result<()> {
        self.checkpoint.write(name, out)
    }

    fn resume(
        self: Box<Self>,
        options: Options,
        watch: &dyn Watch,
    ) -> Result<AnySolved, SolveError> {
        let Stopped { rules, checkpoint } = *self;
        let solved = resume(&rules, checkpoint, options, watch)?;
        Ok(any_solved(rules, solved))
    }
}

fn numbered<K: KeyCode>(rows: MoveValues<ErasedMove<K>>) -> MoveValues<usize> {
    rows.into_iter().map(|row| MoveValue { m: row.m.number(), valued: row.valued }).collect()
}

impl<K: KeyCode> AnySolution for Solution<Erased<K>> {
    fn len(&self) -> usize {
        Solution::len(self)
    }

    fn start_text(&self) -> String {
        self.rules().game().position_text(self.start())
    }

    fn value(&self, at: &AnyCode) -> Option<Valued> {
        self.get(&at.get::<K>())
    }

    fn moves(&self, at: &AnyCode) -> MoveValues<usize> {
        let get = |state: &K| self.get(state).ok_or(());
        let moves = move_values(self.rules().game(), &at.get::<K>(), get);
        numbered(moves.expect("the position can be reached"))
    }

    fn report(&self, game: String, file: Option<&Header>) -> SolveReport {
        SolveReport::new(game, self, file)
    }

    fn write(&self, path: &Path, canonical_name: &str) -> Result<Header, FileError> {
        write_file(path, self, canonical_name)
    }

    fn rate(
        self: Arc<Self>,
        options: InterestOptions,
        watch: &dyn Watch,
    ) -> Option<Arc<dyn AnyRated>> {
        let interest = interest(&self, options, watch)?;
        Some(Arc::new(Rated { solution: self, interest }))
    }
}

struct Rated<K: KeyCode> {
    solution: Arc<Solution<Erased<K>>>,
    interest: Interest<K>,
}

impl<K: KeyCode> AnyRated for Rated<K> {
    fn report(&self, game: String) -> InterestReport {
        InterestReport::new(game, &self.solution, &self.interest)
    }

    fn sorted(&self) -> Box<dyn RatedRows + '_> {
        let expander = self.solution.expander();
        let mut images = Vec::new();
        let mut keys: Vec<(K, usize)> = Vec::new();
        for (index, key, _) in self.solution.iter() {
            expander.images_into(key, &mut images);
            keys.extend(images.iter().map(|&image| (image, index)));
        }
        rayon::slice::ParallelSliceMut::par_sort_unstable_by_key(&mut *keys, |&(key, _)| key);
        Box::new(Sorted { rated: self, keys })
    }

    fn puzzles(
        self: Arc<Self>,
        game: String,
        asked: PuzzleOptions,
        stop: &dyn Fn() -> bool,
    ) -> Option<Box<dyn AnyPuzzles>> {
        let found = puzzles(&self.solution, |index| self.interest.of(index), asked, stop);
        if found.stopped {
            return None;
        }
        Some(Box::new(FoundIn { game, rated: self, asked, found }))
    }
}

/// The keys of all positions, in order, each with its index in the solution.
struct Sorted<'a, K: KeyCode> {
    rated: &'a Rated<K>,
    keys: Vec<(K, usize)>,
}

impl<K: KeyCode> RatedRows for Sorted<'_, K> {
    fn len(&self) -> usize {
        self.keys.len()
    }

    fn rows(&self, range: Range<usize>) -> Vec<RatedRow> {
        let Rated { solution, interest } = self.rated;
        let game = solution.rules().game();
        let row = |&(key, index): &(K, usize)| RatedRow {
            position: game.position_text(&game.unkey(key)),
            valued: solution.valued(index),
            interestingness: rounded(interest.of(index)),
            terms: InterestTerms::of(&interest.terms(solution, index)),
        };
        self.keys[range].iter().map(row).collect()
    }
}

struct FoundIn<K: KeyCode> {
    game: String,
    rated: Arc<Rated<K>>,
    asked: PuzzleOptions,
    found: Puzzles<Erased<K>>,
}

impl<K: KeyCode> FoundIn<K> {
    fn found(&self) -> FoundPuzzles<'_, Erased<K>> {
        let Rated { solution, interest } = &*self.rated;
        FoundPuzzles::new(self.game.clone(), solution, interest, self.asked, &self.found)
    }
}

impl<K: KeyCode> AnyPuzzles for FoundIn<K> {
    fn len(&self) -> usize {
        self.found.puzzles.len()
    }

    fn counts(&self) -> &[PuzzleCounts] {
        &self.found.counts
    }

    fn task(&self, n: usize) -> Option<PuzzleTask> {
        let puzzle = self.found.puzzles.get(n)?;
        let game = self.rated.solution.rules().game();
        Some(PuzzleTask {
            position: game.position_text(&puzzle.state),
            turn: game.turn(&puzzle.state),
            remoteness: puzzle.remoteness,
            mate_in: puzzle.mate_in,
        })
    }

    fn report(&self, stop: &dyn Fn() -> bool) -> Option<PuzzlesReport> {
        self.found().report(stop)
    }

    fn json(&self, stop: &dyn Fn() -> bool) -> serde_json::Result<String> {
        let mut json = Vec::new();
        let found = self.found();
        found.streamed(stop).serialize(&mut serde_json::Serializer::new(&mut json))?;
        Ok(String::from_utf8(json).expect("JSON is UTF-8"))
    }
}

impl<K: KeyCode> AnySolvedFile for SolvedFile<K> {
    fn path(&self) -> &Path {
        SolvedFile::path(self)
    }

    fn start_text(&self) -> String {
        self.file().header().start.clone()
    }

    fn value(&self, at: &AnyCode) -> Result<Valued, SolvedFileError> {
        SolvedFile::value(self, &at.get::<K>())
    }

    fn moves(&self, at: &AnyCode) -> Result<MoveValues<usize>, SolvedFileError> {
        SolvedFile::moves(self, &at.get::<K>()).map(numbered)
    }

    fn probe(&self, game: String, at: &AnyCode) -> Result<ProbeReport, SolvedFileError> {
        ProbeReport::new(game, self, &at.get::<K>())
    }

    fn verify(&self, game: String, watch: &dyn Watch) -> Result<Option<VerifyReport>, FileError> {
        let verdict = verify(self.file(), watch)?;
        let report = |verdict| VerifyReport::new(game, self.file().rules().game(), &verdict);
        Ok(verdict.map(report))
    }

    fn load(&self) -> Result<Arc<dyn AnySolution>, FileError> {
        Ok(Arc::new(self.file().load()?))
    }

    fn kept_interest(&self) -> Result<InterestAnalysis, KeptInterestError> {
        kept_interest(self.file())
    }

    fn check_kept(&self, position: &InterestPosition) -> Result<(), KeptInterestError> {
        kept_state(self.file(), position).map(|_| ())
    }
}
