//! `treegauge solve`.

use std::fs;
use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{ArgGroup, Args};
use cpu_time::ProcessTime;
use treegauge::engine::Line;
use treegauge::report::{Document, NoBoards};
use treegauge::solve::report::SolveReport;
use treegauge::{
    Error, ErrorKind, Game, Progress, Solution, Solved, Unfinished, Watch, open_solution,
    read_unfinished, solve,
};
use treegauge_files::{WholeFile, open};

use crate::common::game;
use crate::exit::{Exit, Failure, OrExit, Outcome};
use crate::files::{Kind, Output, cannot_read, is_forced, not_ours, to_extend, to_write};
use crate::memory::peak_bytes;
use crate::output::{complain, counted, print, print_report};
use crate::resume::{command_with, offer};
use crate::solving::{Bar, SolveArgs};
use crate::temporary::{self, KEPT_WORDS};
use crate::terminal::terminal;
use treegauge::tasks::PositionArgs;

/// The option that names a checkpoint.
const RESUME: &str = "--resume";

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("kept").args(["output", "resume"]).multiple(true))]
pub(crate) struct Arguments {
    /// The game, as `games` lists it
    game: String,

    /// Write the solution to FILE, for `probe`, `verify`, `play --perfect` and others
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    at: PositionArgs,

    /// Continue from what an interrupted run left; with -o FILE that is FILE.checkpoint, if it
    /// exists
    #[arg(long, value_name = "CHECKPOINT")]
    resume: Option<PathBuf>,

    /// With -o or --resume, minutes between two checkpoints, from which the same command continues
    /// after a crash; 0 for none except at Ctrl-C or SIGTERM
    #[arg(long, value_name = "MINUTES", default_value = "10", value_parser = parse_minutes, requires = "kept")]
    checkpoint_minutes: Duration,

    /// Print JSON
    #[arg(long)]
    json: bool,

    // Last, for what follows stands under its heading.
    #[command(flatten)]
    how: SolveArgs,
}

/// Reads minutes, which may be fractions.
fn parse_minutes(text: &str) -> Result<Duration, String> {
    let minutes = text.parse().ok().filter(|minutes: &f64| (0.0..=1e6).contains(minutes));
    let minutes = minutes.ok_or("expected a number of minutes from 0 to 1000000")?;
    Ok(Duration::from_secs_f64(60.0 * minutes))
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let game = game(&arguments.game)?;
    let start = arguments.at.line_of(&game)?;
    let output = arguments.output.as_deref().map(|path| output(path, &game, &start)).transpose()?;
    let named = arguments.resume.clone();
    let kept_in = named.or_else(|| arguments.output.as_deref().map(beside));
    kept_in.as_deref().map_or(Ok(()), to_extend)?;
    let run = Run { arguments, game, start, output, kept_in };
    let (report, written) = arguments.how.pool()?.install(|| run.report())?;
    let printed = if arguments.json {
        print_report(&report)
    } else {
        print(&report.doc(&NoBoards).text(terminal()))
    };
    written.and(printed)
}

/// The file for the solution. One that is there must be of the same game from the same start, and
/// nothing that a later command has added to it is thrown away.
fn output(path: &Path, game: &Game, start: &Line) -> Outcome<Output> {
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        let message = format!("cannot write {}: that is not a file", path.display());
        return Err(Failure::new(Exit::Data, message));
    }
    let output = to_write(path, Kind::Solution)?;
    if is_forced() || fs::metadata(path).map_or(0, |found| found.len()) == 0 {
        return Ok(output);
    }
    let refused = |why: &str| Err(not_ours(path, why));
    let there = match open_solution(path) {
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
        None => Ok(output),
    }
}

struct Run<'a> {
    arguments: &'a Arguments,
    game: Game,
    start: Line,
    output: Option<Output>,
    /// Where checkpoints go: the file that the user named, or the one next to the output.
    kept_in: Option<PathBuf>,
}

impl Run<'_> {
    /// The report, and whether the solution is in its file.
    fn report(&self) -> Outcome<(SolveReport, Outcome)> {
        let begun = ProcessTime::now();
        let solution = self.solved()?;
        let memory_bytes_max = self.arguments.how.memory_bytes_max();
        let bar = Bar::new();
        let reported = self.written(&solution, memory_bytes_max, &bar);
        bar.finish();
        let (mut report, written) = match reported {
            Err(error) if error.kind() == ErrorKind::Interrupted => {
                let options = self.arguments.how.options(&self.game);
                let Some(checkpoint) = solution.into_unfinished(options) else {
                    return Err(error.into());
                };
                return Err(self.interrupted(&checkpoint, self.keep(&checkpoint)));
            }
            reported => reported?,
        };
        if written.is_ok() {
            self.forget_checkpoint();
        }
        let bar = Bar::new();
        report.margin = solution.margin(memory_bytes_max, &bar);
        bar.finish();
        if bar.stop() {
            complain(
                "stopped when the game was solved: a margin, if the game has one, is left out",
            );
        }
        report.peak_memory_bytes = peak_bytes();
        report.cpu_s = Some(begun.elapsed().as_secs_f64());
        Ok((report, written))
    }

    /// Writes the file, if one is asked for, and reports the solution.
    fn written(
        &self,
        solution: &Solution,
        memory_bytes_max: Option<u64>,
        bar: &Bar,
    ) -> Result<(SolveReport, Outcome), Error> {
        let report = || solution.report_within(memory_bytes_max, bar);
        let Some(output) = &self.output else { return Ok((report()?, Ok(()))) };
        match solution.write_within(output.path(), memory_bytes_max, bar) {
            Ok(report) => Ok((report, Ok(()))),
            Err(error) if error.kind() == ErrorKind::Interrupted => Err(error),
            // The result need not be lost as well.
            Err(error) => Ok((report()?, Err(error.into()))),
        }
    }

    /// Removes the checkpoint of a solve that is done, unless the user gave it a name.
    fn forget_checkpoint(&self) {
        let Some(path) = &self.kept_in else { return };
        if self.arguments.resume.is_some() {
            temporary::remove(path);
        } else {
            let _ = fs::remove_file(path);
        }
        treegauge_files::remove_left(path);
    }

    /// Solves, from a checkpoint if there is one.
    fn solved(&self) -> Outcome<Solution> {
        let checkpoint = self.checkpoint()?;
        let bar = Bar::new();
        let solved = self.solved_from(checkpoint, &bar);
        bar.finish();
        solved
    }

    /// Solves, and now and then stops to write a checkpoint.
    fn solved_from(&self, checkpoint: Option<Unfinished>, bar: &Bar) -> Outcome<Solution> {
        let every = self.arguments.checkpoint_minutes;
        self.arguments.how.announce(&self.game);
        let mut due = Due { bar, at: None, every, wait: Duration::ZERO, done: 0 };
        if self.kept_in.is_some() && !every.is_zero() {
            due.after(checkpoint.as_ref());
        }
        let options = self.arguments.how.options(&self.game);
        let mut solved = match checkpoint {
            Some(checkpoint) => checkpoint.resume(&due),
            None => solve(&self.game, &self.start, options, &due),
        };
        loop {
            let refused = |error| self.arguments.how.refused(error, &self.game, &self.start);
            let checkpoint = match solved.map_err(refused)? {
                Solved::Done(solution) => return Ok(solution),
                Solved::Stopped(checkpoint) => checkpoint,
            };
            let kept = self.keep(&checkpoint);
            if bar.stop() {
                return Err(self.interrupted(&checkpoint, kept));
            }
            match kept {
                Ok(path) => offer(command_with(RESUME, &path)),
                // There is no need to throw away what was solved.
                Err(error) => bar.say(&format!("{}; going on", not_kept(&error))),
            }
            due.after(Some(&checkpoint));
            solved = checkpoint.resume(&due);
        }
    }

    /// The end of a run that Ctrl-C ended: where its positions are kept, and how to go on.
    fn interrupted(&self, checkpoint: &Unfinished, kept: anyhow::Result<PathBuf>) -> Failure {
        let path = match kept {
            Ok(path) => path,
            Err(error) => return Failure::new(Exit::Data, not_kept(&error)),
        };
        let within = match self.kept_in {
            Some(_) => String::new(),
            None => format!(" {KEPT_WORDS}"),
        };
        Failure::interrupted(format!(
            "interrupted; {} found so far, kept in {}; to continue{within}:\n  {}",
            counted(checkpoint.positions(), "position"),
            path.display(),
            command_with(RESUME, &path),
        ))
    }

    /// Reads the checkpoint, if there is one; that which the user named must be there.
    fn checkpoint(&self) -> Outcome<Option<Unfinished>> {
        let Some(path) = &self.kept_in else { return Ok(None) };
        let named = self.arguments.resume.is_some();
        if !named && !path.exists() {
            return Ok(None);
        }
        let mut input = BufReader::new(open(path).map_err(|error| cannot_read(path, &error))?);
        let options = self.arguments.how.options(&self.game);
        let read = read_unfinished(&self.game, &self.start, options, &mut input);
        let hint = if named { "" } else { "; remove it to begin anew" };
        read.map(Some).map_err(|error| format!("{}: {error}{hint}", path.display())).or_data()
    }

    /// Writes a checkpoint to its place, or else to the folder of temporary files.
    fn keep(&self, checkpoint: &Unfinished) -> anyhow::Result<PathBuf> {
        if let Some(path) = &self.kept_in {
            let mut file = BufWriter::new(WholeFile::create(path)?);
            checkpoint.write(&mut file)?;
            file.into_inner()?.finish()?;
            return Ok(path.clone());
        }
        let mut file = BufWriter::new(temporary::create(temporary::CHECKPOINT)?);
        checkpoint.write(&mut file)?;
        let file = file.into_inner()?;
        file.as_file().sync_all()?;
        Ok(file.keep()?.1)
    }
}

fn not_kept(error: &anyhow::Error) -> String {
    format!("the positions were not kept: {error}")
}

/// A bar, and when to stop for the next checkpoint.
struct Due<'a> {
    bar: &'a Bar,
    /// When to stop; never without it.
    at: Option<Instant>,
    every: Duration,
    /// The last wait.
    wait: Duration,
    /// What the last checkpoint kept.
    done: u64,
}

impl Due<'_> {
    /// Called when a solve begins, from a checkpoint or not: sets the time of the next checkpoint.
    fn after(&mut self, checkpoint: Option<&Unfinished>) {
        let done = checkpoint.map_or(0, Unfinished::done);
        // A step that takes longer than the wait begins anew at every stop: without longer and
        // longer waits it would never end.
        self.wait = if done > self.done { self.every } else { self.every.max(2 * self.wait) };
        self.done = done;
        let can_grow = checkpoint.is_none_or(Unfinished::can_grow);
        self.at = can_grow.then(|| Instant::now() + self.wait);
    }
}

impl Watch for Due<'_> {
    fn progress(&self, progress: Progress) {
        self.bar.progress(progress);
    }

    fn stop(&self) -> bool {
        self.bar.stop() || self.at.is_some_and(|at| Instant::now() >= at)
    }
}

/// Where the checkpoint of a file lies.
fn beside(output: &Path) -> PathBuf {
    let mut name = output.as_os_str().to_owned();
    name.push(".checkpoint");
    PathBuf::from(name)
}
