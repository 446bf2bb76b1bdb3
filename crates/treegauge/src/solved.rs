//! Solved games: solving one, reading and checking its file, rating its positions, and puzzles.

mod file;
mod forced;
mod outlook;
mod practice;
mod rated;
mod solution;
mod won;

use std::io::{Read, Write};

use treegauge_core::Watch;
use treegauge_engine::Line;
use treegauge_solve::{AnyCheckpoint, AnyCode, AnySolved, CheckpointError, Options, SolveError};

pub use file::{
    SolutionFile, may_name_solution, open_solution, open_solution_with, probe, solved_game_of,
    solved_game_with, verify,
};
pub(crate) use file::{open_solution_of, read_beside};
pub use forced::{ForcedWins, FromPlayOptions, forced_wins, forced_wins_from_play};
pub use outlook::{SolveOutlook, solve_outlook};
pub use practice::{PracticePuzzle, practice_file};
pub use rated::{PuzzleSet, Rated};
pub use solution::Solution;
pub use won::{Defence, WonPosition, WonState};

use crate::{Error, ErrorKind, Game};

/// Outcome of a solve.
#[derive(Debug)]
pub enum Solved {
    /// The value of every position is known.
    Done(Solution),
    /// The watch said stop.
    Stopped(Unfinished),
}

impl Solved {
    /// Returns the solution.
    ///
    /// # Errors
    ///
    /// If the watch said stop; [`ErrorKind::Interrupted`].
    pub fn done(self) -> Result<Solution, Error> {
        match self {
            Solved::Done(solution) => Ok(solution),
            Solved::Stopped(_) => Err(Error::interrupted("the game is not solved")),
        }
    }
}

/// Finds the value of every position that can be reached from `at`, each as a start without
/// history. Endless play counts as the rules settle it ([`solve::Endless`](crate::solve::Endless)).
///
/// Uses all threads of the current rayon pool; the result does not depend on their number.
///
/// # Errors
///
/// If there are too many positions or too little memory ([`ErrorKind::Limit`]), or the options do
/// not fit the game.
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
    if game.info().spec.is_external() {
        let message = format!("{} is a game of another program and cannot be solved", game.name());
        return Err(Error::new(ErrorKind::Usage, message));
    }
    let run = Run::new(game, at, options);
    let solved = game.engine().rules().solve(&run.start, options, watch)?;
    Ok(solved_of(run, solved))
}

/// Tests whether a solve from `at` takes less memory with [`Options::symmetry`]: the game must have
/// symmetries that keep the position, and they must save more than they cost.
#[must_use]
pub fn symmetry_saves(game: &Game, at: &Line) -> bool {
    game.engine().rules().symmetry_saves(&game.engine().code(at))
}

/// Reads the checkpoint of a stopped solve, as written by [`Unfinished::write`].
///
/// # Errors
///
/// If it is damaged, or belongs to a solve of another game, of other rules, from another position
/// or with the other choice of [`Options::symmetry`].
pub fn read_unfinished(
    game: &Game,
    at: &Line,
    options: Options,
    input: &mut dyn Read,
) -> Result<Unfinished, Error> {
    let run = Run::new(game, at, options);
    let checkpoint =
        game.engine().rules().read_checkpoint(&run.name(), options.memory_bytes_max, input)?;
    Ok(Unfinished { run, checkpoint })
}

/// Game, start and options of a solve.
struct Run {
    game: Game,
    start: AnyCode,
    options: Options,
}

impl Run {
    fn new(game: &Game, at: &Line, options: Options) -> Run {
        Run { game: game.clone(), start: game.engine().code(at), options }
    }

    /// Name of the solve in its checkpoints. A checkpoint is only valid for a solve with the same
    /// name.
    fn name(&self) -> String {
        let canonical_name = &self.game.info().canonical_name;
        self.game.engine().rules().run_name(&self.start, self.options.symmetry, canonical_name)
    }
}

fn solved_of(run: Run, solved: AnySolved) -> Solved {
    match solved {
        AnySolved::Done(solved) => Solved::Done(Solution::new(run.game, solved)),
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
    /// Number of positions found so far.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.checkpoint.positions()
    }

    /// Continues the solve. The solution is the same as without the stop.
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

    /// Amount of finished work: it grows as the solve proceeds. An unfinished step does not count,
    /// because it begins anew.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.checkpoint.done()
    }

    /// Tests whether a solve that is resumed and stopped later can have done more than this one.
    #[must_use]
    pub fn can_grow(&self) -> bool {
        self.checkpoint.can_grow()
    }

    /// Writes a checkpoint, for [`read_unfinished`].
    ///
    /// # Errors
    ///
    /// Those of the writer; [`ErrorKind::Write`].
    pub fn write(&self, out: &mut dyn Write) -> Result<(), Error> {
        Ok(self.checkpoint.write(&self.run.name(), out)?)
    }
}

impl From<SolveError> for Error {
    fn from(error: SolveError) -> Error {
        let kind = match error {
            SolveError::Memory { .. } | SolveError::ManyPositions { .. } => ErrorKind::Limit,
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
