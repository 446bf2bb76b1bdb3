//! Exact solutions of games.

use std::fs;
use std::io::{BufReader, BufWriter};
use std::path::Path;
use std::time::Duration;

use clap::Args;
use treegauge_core::{Clock, Progress, Watch};
use treegauge_engine::Line;
use treegauge_report::{SavedKind, counted};
use treegauge_solve::report::SolveReport;
use treegauge_store::{WholeFile, open};

use super::solving::SolveArgs;
use super::{
    Context, Done, FileOption, Group, Keeping, KeptPlace, KeptWork, Means, PositionArgs, Product,
    Task,
};
use crate::solved::{open_solution_of, open_solution_with};
use crate::{
    Error, ErrorKind, FileKind, Game, Solution, Solved, Unfinished, cannot_read, cannot_write,
    not_ours, read_unfinished, solve,
};

/// Solve a game: the exact value of every position
#[derive(Debug, Args)]
pub struct SolveTask {
    /// Game, as `games` lists it
    game: String,

    #[command(flatten)]
    how: SolveArgs,

    #[command(flatten)]
    at: PositionArgs,
}

impl Task for SolveTask {
    const NAME: &'static str = "solve";
    const GROUP: Group = Group::Solve;
    const EXAMPLES: &'static [&'static str] =
        &["solve achi -o achi.tgs", "solve 'connect_four(cols=5,rows=4)' -o four.tgs"];
    const COMMON: &'static [&'static str] = &["output", "memory_max", "threads"];
    const MEANS: Means = Means {
        threads: true,
        memory: true,
        files: &[FileOption::file(
            FileOption::OUTPUT,
            FileKind::Solution,
            "Write the solution to FILE, for `probe`, `verify`, `play --perfect` and others",
        )],
        kept: Some(POSITIONS),
    };
    const REPORTS: &'static [SavedKind] = &[SavedKind::of::<SolveReport>()];
    const HAS_PICTURE: bool = true;

    fn run(&self, context: &Context<'_>) -> Result<Done, Error> {
        let game = context.game(&self.game)?;
        let start = self.at.line_of(&game)?;
        let output = context.wanted(FileOption::OUTPUT);
        output.map_or(Ok(()), |path| check_output(path, &game, &start, context))?;
        Run { task: self, game, start, output, context }.done()
    }
}

/// The checkpoint of a solve.
const POSITIONS: KeptWork = KeptWork {
    place: KeptPlace::Checkpoint,
    is_required: false,
    pieces: "positions",
    help: "Continue from the checkpoint of an interrupted run [default: FILE.checkpoint of -o FILE, if it exists]",
};

/// Checks the file for the solution: an existing one must solve the same game from the same start, and must not have
/// sections that a later command added.
fn check_output(
    path: &Path,
    game: &Game,
    start: &Line,
    context: &Context<'_>,
) -> Result<(), Error> {
    let found = fs::metadata(path);
    if found.as_ref().is_ok_and(|found| !found.is_file()) {
        return Err(cannot_write(path, &"that is not a file"));
    }
    if context.places.is_replacing() || found.map_or(0, |found| found.len()) == 0 {
        return Ok(());
    }
    let refused = |why: &str| Err(not_ours(path, why));
    // The text of the game may have been moved since the file was written.
    let opened = open_solution_of(game, path)
        .or_else(|_| open_solution_with(path, &|name| context.game_of_file(name)));
    let there = match opened {
        Ok(there) => there,
        Err(error) => return refused(&format!("a file is there that cannot be used ({error})")),
    };
    let begins = there.start()?.position_text();
    let is_same = there.game().info().canonical_name == game.info().canonical_name;
    if !is_same || begins != start.position_text() {
        let there = there.game().name();
        return refused(&format!("the file solves {there} from `{begins}`"));
    }
    match there.section_names().first() {
        Some(name) => refused(&format!("the file keeps the section `{name}`, which would be lost")),
        None => Ok(()),
    }
}

struct Run<'a> {
    task: &'a SolveTask,
    game: Game,
    start: Line,
    output: Option<&'a Path>,
    context: &'a Context<'a>,
}

impl Run<'_> {
    /// Solves, and reports. The result has a problem if the solution could not be written.
    fn done(&self) -> Result<Done, Error> {
        let Context { watch, memory_bytes_max, meter, .. } = *self.context;
        let begun = meter.cpu();
        let solution = self.solved()?;
        let (mut report, problem) = match self.written(&solution) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {
                let options = self.task.how.options(&self.game, self.context);
                let Some(checkpoint) = solution.into_unfinished(options) else {
                    return Err(error);
                };
                return Err(self.interrupted(&checkpoint, self.keep(&checkpoint)));
            }
            reported => reported?,
        };
        report.margin = solution.margin(memory_bytes_max, watch);
        let stopped = watch.stop().then(|| {
            "stopped when the game was solved: a margin, if the game has one, is left out"
                .to_owned()
        });
        report.peak_memory_bytes = meter.peak_memory_bytes();
        let cpu = meter.cpu().zip(begun).map(|(now, begun)| now.saturating_sub(begun));
        report.cpu_s = cpu.map(|cpu| cpu.as_secs_f64());
        let notes = stopped.into_iter().collect();
        let product = Some(Product::Solution(Box::new(solution)));
        let done = Done { problem, notes, product, ..Done::of(report, self.game.clone()) };
        Ok(self.output.into_iter().fold(done, |done, path| done.naming("FILE", path)))
    }

    /// Writes the file, if one is asked for, and reports the solution.
    fn written(&self, solution: &Solution) -> Result<(SolveReport, Option<Error>), Error> {
        let Context { watch, memory_bytes_max, .. } = *self.context;
        let report = || solution.report_within(memory_bytes_max, watch);
        let Some(output) = self.output else { return Ok((report()?, None)) };
        match solution.write_within(output, memory_bytes_max, watch) {
            Ok(report) => Ok((report, None)),
            Err(error) if error.kind() == ErrorKind::Interrupted => Err(error),
            // The report is kept although the file is lost.
            Err(error) => Ok((report()?, Some(error))),
        }
    }

    /// Solves, from a checkpoint if there is one, and stops regularly to write one.
    fn solved(&self) -> Result<Solution, Error> {
        let checkpoint = self.checkpoint()?;
        let Context { watch, clock, keeping, .. } = self.context;
        let how = &self.task.how;
        how.announce(&self.game, self.context);
        let every = keeping.and_then(|keeping| keeping.every);
        let mut due =
            Due { watch: *watch, clock: &**clock, at: None, every, wait: Duration::ZERO, done: 0 };
        due.after(checkpoint.as_ref());
        let options = how.options(&self.game, self.context);
        let mut solved = match checkpoint {
            Some(checkpoint) => checkpoint.resume(&due),
            None => solve(&self.game, &self.start, options, &due),
        };
        loop {
            let refused = |error| how.refused(error, &self.game, &self.start);
            let checkpoint = match solved.map_err(refused)? {
                Solved::Done(solution) => return Ok(solution),
                Solved::Stopped(checkpoint) => checkpoint,
            };
            let kept = self.keep(&checkpoint);
            if watch.stop() {
                return Err(self.interrupted(&checkpoint, kept));
            }
            // The work so far is not thrown away.
            if let Err(error) = kept {
                watch.note(&format!("{}; going on", not_kept(&error)));
            }
            due.after(Some(&checkpoint));
            solved = checkpoint.resume(&due);
        }
    }

    /// The error of a run that was stopped.
    fn interrupted(&self, checkpoint: &Unfinished, kept: Result<(), Error>) -> Error {
        if let Err(error) = kept {
            return Error::new(ErrorKind::Data, not_kept(&error));
        }
        let kept = match self.context.keeping {
            Some(Keeping { path, .. }) => format!(", kept in {}", path.display()),
            None => String::new(),
        };
        let positions = counted(checkpoint.positions(), "position");
        Error::interrupted(&format!("{positions} found so far{kept}"))
    }

    /// Reads the checkpoint, if there is one; a checkpoint that the user named must exist.
    fn checkpoint(&self) -> Result<Option<Unfinished>, Error> {
        let Some(Keeping { path, is_required, .. }) = self.context.keeping else { return Ok(None) };
        let is_there = fs::metadata(path).is_ok_and(|there| there.len() > 0);
        if !is_required && !is_there {
            return Ok(None);
        }
        let mut input = BufReader::new(open(path).map_err(|error| cannot_read(path, &error))?);
        let options = self.task.how.options(&self.game, self.context);
        let read = read_unfinished(&self.game, &self.start, options, &mut input);
        let hint = if is_required { "" } else { "; remove it to begin anew" };
        read.map(Some).map_err(|error| {
            Error::new(ErrorKind::Data, format!("{}: {error}{hint}", path.display()))
        })
    }

    /// Writes a checkpoint.
    fn keep(&self, checkpoint: &Unfinished) -> Result<(), Error> {
        let Some(Keeping { path, .. }) = self.context.keeping else { return Ok(()) };
        let mut file = BufWriter::new(WholeFile::create(path)?);
        checkpoint.write(&mut file)?;
        file.into_inner().map_err(|error| error.into_error())?.finish()?;
        Ok(())
    }
}

fn not_kept(error: &Error) -> String {
    format!("the positions were not kept: {error}")
}

/// A watch that also stops for the next checkpoint.
struct Due<'a> {
    watch: &'a dyn Watch,
    clock: &'a dyn Clock,
    /// The time of the next stop; `None` for never.
    at: Option<Duration>,
    every: Option<Duration>,
    /// The last wait.
    wait: Duration,
    /// The work that the last checkpoint kept.
    done: u64,
}

impl Due<'_> {
    /// Sets the time of the next checkpoint when a solve begins, from a checkpoint or not.
    fn after(&mut self, checkpoint: Option<&Unfinished>) {
        let Some(every) = self.every else { return };
        let done = checkpoint.map_or(0, Unfinished::done);
        // A step that takes longer than the wait starts over at every stop, so the waits grow until it
        // ends.
        self.wait = if done > self.done { every } else { every.max(2 * self.wait) };
        self.done = done;
        let can_grow = checkpoint.is_none_or(Unfinished::can_grow);
        self.at = can_grow.then(|| self.clock.now() + self.wait);
    }
}

impl Watch for Due<'_> {
    fn progress(&self, progress: Progress) {
        self.watch.progress(progress);
    }

    fn note(&self, text: &str) {
        self.watch.note(text);
    }

    fn stop(&self) -> bool {
        self.watch.stop() || self.at.is_some_and(|at| self.clock.now() >= at)
    }
}
