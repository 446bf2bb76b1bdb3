//! `treegauge solve`.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{ArgGroup, Args};
use cpu_time::ProcessTime;
use serde::Serialize;
use treegauge_core::{KeyCode, Notation};
use treegauge_files::WholeFile;
use treegauge_solve::file::{rules_hash, write_file};
use treegauge_solve::{
    Checkpoint, Counts, Erased, Progress, Reduction, RemotenessTable, Rules, RulesVisitor,
    Solution, Solved, Value, Valued, Watch, resume, solve,
};

use crate::common::{PositionArgs, game_spec};
use crate::exit::{Exit, Failure, OrExit, Outcome};
use crate::memory::peak_bytes;
use crate::output::{check_file, counted, print, print_json};
use crate::resume::{command_with, offer};
use crate::solving::{Bar, SolveArgs, refused, with_rules, worth_sentence};

/// The option that names a checkpoint.
const RESUME: &str = "--resume";

/// Rows of the table that are printed; the file and JSON have all.
const ROWS_MAX: usize = 60;

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

    /// Go on from what an interrupted run left; with -o FILE that is FILE.checkpoint, if it is
    /// there
    #[arg(long, value_name = "CHECKPOINT")]
    resume: Option<PathBuf>,

    /// With -o or --resume, minutes between two checkpoints, from which the same command goes on
    /// after a crash; 0 for none but at Ctrl-C or SIGTERM
    #[arg(long, value_name = "MINUTES", default_value = "10", value_parser = parse_minutes, requires = "kept")]
    checkpoint_minutes: Duration,

    /// Print JSON
    #[arg(long)]
    json: bool,

    // Last, for what follows comes under its heading.
    #[command(flatten)]
    how: SolveArgs,
}

/// Reads minutes, which may be fractions.
fn parse_minutes(text: &str) -> Result<Duration, String> {
    let minutes = text.parse().ok().filter(|minutes: &f64| (0.0..=1e6).contains(minutes));
    let minutes = minutes.ok_or("a number of minutes from 0 to 1000000 is wanted")?;
    Ok(Duration::from_secs_f64(60.0 * minutes))
}

#[derive(Serialize)]
struct Report {
    game: String,
    position: String,
    positions: u64,
    /// Those that no symmetry makes equal; not known unless --symmetry looked for them.
    canonical_positions: Option<usize>,
    stored_positions: usize,
    win: u64,
    lose: u64,
    tie: u64,
    draw: u64,
    finished: u64,
    start: Start,
    table: Vec<Row>,
    digest: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    file_bytes: Option<u64>,
    peak_memory_bytes: Option<u64>,
    cpu_s: f64,
}

#[derive(Serialize)]
struct Start {
    value: &'static str,
    remoteness: Option<u16>,
    #[serde(skip)]
    words: String,
}

/// Positions by value at one remoteness.
#[derive(Serialize)]
struct Row {
    remoteness: usize,
    win: u64,
    lose: u64,
    tie: u64,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let spec = game_spec(&arguments.game)?;
    if let Some(path) = &arguments.output {
        if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            let message = format!("cannot write {}: that is not a file", path.display());
            return Err(Failure::new(Exit::Data, message));
        }
        check_file(path)?;
    }
    let visitor = Run { arguments, spec: spec.to_string(), canonical: spec.canonical() };
    let pool = arguments.how.pool()?;
    let report = pool.install(|| with_rules(&spec, visitor))??;
    if arguments.json { print_json(&report) } else { print(&in_words(&report)) }
}

struct Run<'a> {
    arguments: &'a Arguments,
    spec: String,
    canonical: String,
}

impl RulesVisitor for Run<'_> {
    type Output = Outcome<Report>;

    fn visit<K: KeyCode>(self, rules: Rules<Erased<K>>) -> Outcome<Report> {
        let begun = ProcessTime::now();
        let game = rules.game();
        let start = *self.arguments.at.played(game)?.state();
        let solution = self.solved(&rules, &start)?;
        let header = match &self.arguments.output {
            None => None,
            Some(path) => {
                let written = write_file(path, &solution, &self.canonical);
                let failed = |error| format!("cannot write {}: {error}", path.display());
                Some(written.map_err(failed).or_data()?)
            }
        };
        // The file is whole now, so what led to it is not needed any longer.
        if let Some(path) = self.arguments.output.as_deref().map(beside) {
            let _ = fs::remove_file(&path);
            treegauge_files::remove_left(&path);
        }
        let digest = match &header {
            Some(header) => header.digest,
            None => solution.digest(),
        };
        let Counts { win, lose, tie, draw, finished } = solution.reachable();
        let valued = solution.start_valued();
        Ok(Report {
            position: game.position_text(&start),
            game: self.spec,
            positions: solution.reachable().total(),
            canonical_positions: solution.canonical_len(),
            stored_positions: solution.len(),
            win,
            lose,
            tie,
            draw,
            finished,
            start: Start {
                value: valued.value.name(),
                remoteness: (valued.value != Value::Draw).then_some(valued.remoteness),
                words: start_words(game, &start, valued),
            },
            table: table(solution.remoteness_table()),
            digest: digest.to_string(),
            file_bytes: header.map(|header| header.file_bytes),
            peak_memory_bytes: peak_bytes(),
            cpu_s: begun.elapsed().as_secs_f64(),
        })
    }
}

impl Run<'_> {
    /// Solves, from a checkpoint if there is one.
    fn solved<K: KeyCode>(
        &self,
        rules: &Rules<Erased<K>>,
        start: &K,
    ) -> Outcome<Solution<Erased<K>>> {
        let checkpoint = self.checkpoint(rules, start)?;
        let bar = Bar::new();
        let solved = self.solved_from(rules, start, checkpoint, &bar);
        bar.finish();
        solved
    }

    /// Solves, and now and then stops to write a checkpoint.
    fn solved_from<K: KeyCode>(
        &self,
        rules: &Rules<Erased<K>>,
        start: &K,
        checkpoint: Option<Checkpoint<K>>,
        bar: &Bar,
    ) -> Outcome<Solution<Erased<K>>> {
        let options = self.arguments.how.options();
        let name = self.name(rules, start);
        let every = self.arguments.checkpoint_minutes;
        let mut due = Due { bar, at: None, every, wait: Duration::ZERO, done: 0 };
        if self.kept_in().is_some() && !every.is_zero() {
            due.after(checkpoint.as_ref());
        }
        let mut solved = match checkpoint {
            Some(checkpoint) => resume(rules, checkpoint, options, &due),
            None => solve(rules, start, options, &due),
        };
        loop {
            let checkpoint = match solved
                .map_err(|error| refused(&error, self.arguments.how.could_reduce(rules, start)))?
            {
                Solved::Done(solution) => return Ok(*solution),
                Solved::Stopped(checkpoint) => checkpoint,
            };
            let kept = self.keep(&checkpoint, &name);
            if bar.stop() {
                let path = kept.map_err(|error| Failure::new(Exit::Internal, not_kept(&error)))?;
                return Err(Failure::interrupted(format!(
                    "interrupted; {} found so far, kept in {}; to go on:\n  {}",
                    counted(checkpoint.len(), "position"),
                    path.display(),
                    command_with(RESUME, &path),
                )));
            }
            match kept {
                Ok(path) => offer(command_with(RESUME, &path)),
                // There is no need to throw away what was solved.
                Err(error) => bar.say(&format!("{}; going on", not_kept(&error))),
            }
            due.after(Some(&checkpoint));
            solved = resume(rules, checkpoint, options, &due);
        }
    }

    /// What a checkpoint is good for: this game, these rules, this start, this reduction.
    fn name<K: KeyCode>(&self, rules: &Rules<Erased<K>>, start: &K) -> String {
        let reduction = Reduction::of(rules, start)
            .ok()
            .filter(|_| self.arguments.how.symmetry)
            .unwrap_or_else(Reduction::none);
        let reduced = if reduction.is_none() { "" } else { " by symmetry" };
        let hash = rules_hash(rules, &reduction, &self.canonical, start);
        let position = rules.game().position_text(start);
        format!("{} from {position}{reduced}, rules {hash:016x}", self.canonical)
    }

    /// The checkpoint that the user named, or the one that lies beside the output.
    fn kept_in(&self) -> Option<PathBuf> {
        let named = self.arguments.resume.clone();
        named.or_else(|| self.arguments.output.as_deref().map(beside))
    }

    /// Reads the checkpoint, if there is one; that which the user named must be there.
    fn checkpoint<K: KeyCode>(
        &self,
        rules: &Rules<Erased<K>>,
        start: &K,
    ) -> Outcome<Option<Checkpoint<K>>> {
        let Some(path) = self.kept_in() else { return Ok(None) };
        let named = self.arguments.resume.is_some();
        let file = match File::open(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound && !named => return Ok(None),
            other => other.map_err(|error| format!("cannot read {}: {error}", path.display())),
        };
        let name = self.name(rules, start);
        let read = Checkpoint::read(&name, &mut BufReader::new(file.or_data()?));
        let hint = if named { "" } else { "; remove it to begin anew" };
        read.map(Some).map_err(|error| format!("{}: {error}{hint}", path.display())).or_data()
    }

    /// Writes a checkpoint to its place, or else to the folder of temporary files.
    fn keep<K: KeyCode>(&self, checkpoint: &Checkpoint<K>, name: &str) -> anyhow::Result<PathBuf> {
        if let Some(path) = self.kept_in() {
            let mut file = BufWriter::new(WholeFile::create(&path)?);
            checkpoint.write(name, &mut file)?;
            file.into_inner()?.finish()?;
            return Ok(path);
        }
        let mut builder = tempfile::Builder::new();
        let mut file =
            BufWriter::new(builder.prefix("treegauge-").suffix(".checkpoint").tempfile()?);
        checkpoint.write(name, &mut file)?;
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
    /// A solve begins, from a checkpoint or not: when comes the next one?
    fn after<K: KeyCode>(&mut self, checkpoint: Option<&Checkpoint<K>>) {
        let done = checkpoint.map_or(0, Checkpoint::done);
        // A step that takes longer than the wait begins anew at every stop: without longer and
        // longer waits it would never end.
        self.wait = if done > self.done { self.every } else { self.every.max(2 * self.wait) };
        self.done = done;
        let can_grow = checkpoint.is_none_or(Checkpoint::can_grow);
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

fn table(table: &RemotenessTable) -> Vec<Row> {
    let rows = table.rows().iter().enumerate();
    rows.map(|(remoteness, &[win, lose, tie])| Row { remoteness, win, lose, tie }).collect()
}

/// What the start is worth, in a sentence.
fn start_words<G: Notation>(game: &G, start: &G::State, valued: Valued) -> String {
    if game.outcome(start).is_some() {
        return "The game is over at the start.".to_owned();
    }
    worth_sentence(game.turn(start), valued)
}

fn in_words(report: &Report) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{}: {}", report.game, report.start.words);
    let _ = write!(text, "\n{} positions can be reached", report.positions);
    if let Some(canonical) = report.canonical_positions {
        let _ = write!(text, ", {canonical} that no symmetry makes equal");
    }
    let _ = writeln!(text, "; for the player to move:\n");
    for (name, count) in [
        ("win", report.win),
        ("lose", report.lose),
        ("tie", report.tie),
        ("draw (endless)", report.draw),
        ("finished among them", report.finished),
    ] {
        let _ = writeln!(text, "{name:>20} {count:>14}");
    }
    let _ =
        writeln!(text, "\n{:>20} {:>14} {:>14} {:>14}", "plies to the end", "win", "lose", "tie");
    let hidden = report.table.len().saturating_sub(ROWS_MAX);
    for (n, row) in report.table.iter().enumerate() {
        // The shortest and the longest tell most.
        if hidden > 0 && n == ROWS_MAX / 2 {
            let _ = writeln!(text, "{:>20}", format!("({hidden} rows left out)"));
        }
        if hidden == 0 || n < ROWS_MAX / 2 || n >= ROWS_MAX / 2 + hidden {
            let Row { remoteness, win, lose, tie } = row;
            let _ = writeln!(text, "{remoteness:>20} {win:>14} {lose:>14} {tie:>14}");
        }
    }
    let _ = writeln!(text, "\ndigest {}", report.digest);
    if let Some(bytes) = report.file_bytes {
        let each = bytes as f64 / report.stored_positions as f64;
        let _ = writeln!(text, "file of {bytes} bytes, {each:.2} a stored position");
    }
    let memory = report.peak_memory_bytes.map_or(String::new(), |bytes| {
        format!(", at most {:.0} MB of memory", bytes as f64 / f64::from(1 << 20))
    });
    let _ = writeln!(text, "{:.2} s of CPU time{memory}", report.cpu_s);
    text
}
