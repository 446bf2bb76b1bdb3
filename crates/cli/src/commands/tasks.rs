//! The commands that run a task of the library and print its report.

use std::io;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use clap::{Arg, ArgGroup, ArgMatches, Args, Command, FromArgMatches};
use cpu_time::ProcessTime;
use treegauge::report::Boards;
use treegauge::tasks::{
    AnyTask, Context, Done, Duel, FileOption, KeptPlace, KeptWork, Meter, Partial, Report,
    ReportForms, TASKS, TaskFile, TaskKind, Wanted, with_task,
};
use treegauge::{Error, ErrorKind, TextBoards, Watch, make_folder};

use super::{layout, play};
use crate::common::clock;
use crate::events::print_partial;
use crate::exit::{Exit, Failure, Outcome};
use crate::files::{places, to_read, to_write};
use crate::interrupt::{self, Stop};
use crate::keeper::{Asked, Keeper};
use crate::output::{complain, print, print_report_text};
use crate::picture::{Picture, PictureArgs};
use crate::rules_text::ReadFiles;
use crate::solving::{Bar, MemoryArgs, ThreadsArg, pool};
use crate::task::asked;
use crate::terminal::{hint, is_quiet, partial_every, terminal};
use crate::web_page::{Page, PageArgs};
use treegauge_store::memory::{peak_bytes, share};

/// A task with the means of its run.
#[derive(Debug)]
pub(crate) struct TaskCommand {
    kind: &'static TaskKind,
    task: Box<dyn AnyTask>,
    printing: PrintingArgs,
    picture: PictureArgs,
    threads: Option<ThreadsArg>,
    memory: Option<MemoryArgs>,
    /// The place of its work.
    kept: Option<PathBuf>,
    /// The time between two checkpoints.
    every: Option<Duration>,
    /// The requested files besides the report.
    files: Vec<(FileOption, PathBuf)>,
}

/// The requests of the user besides the task.
struct OutputMeans<'a> {
    wanted: &'a [Wanted],
    forms: ReportForms,
    /// The time between two interim reports.
    partial: Option<Duration>,
}

/// The form of the printed report.
#[derive(Debug, Args)]
struct PrintingArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    page: PageArgs,
}

/// The kind of task of a command.
fn kind_of(command: &str) -> Option<&'static TaskKind> {
    TASKS.iter().find(|kind| kind.name == command)
}

/// The group of the options for the place of checkpoints.
const KEPT: &str = "kept";

/// The option for the time between two checkpoints.
const CHECKPOINT_MINUTES: &str = "checkpoint_minutes";

fn kept_args(kept: KeptWork) -> Vec<Arg> {
    let option = kept.option();
    let arg = Arg::new(option).long(option).value_parser(clap::value_parser!(PathBuf));
    let arg = arg.required(kept.is_required).help(kept.help);
    match kept.place {
        KeptPlace::Result => vec![arg.short('o').value_name("DIR")],
        KeptPlace::Whole => vec![arg.short('o').value_name("FILE|DIR")],
        KeptPlace::Folder => vec![arg.value_name("DIR")],
        KeptPlace::Checkpoint => {
            let help = "With -o or --resume, minutes between two checkpoints, from which the same command continues \
                        after a crash; 0 writes one only at Ctrl-C or SIGTERM";
            let minutes = Arg::new(CHECKPOINT_MINUTES)
                .long("checkpoint-minutes")
                .value_name("MINUTES")
                .default_value("10")
                .value_parser(parse_minutes)
                .requires(KEPT)
                .help(help);
            vec![arg.value_name("CHECKPOINT"), minutes]
        }
        _ => vec![arg.value_name("FILE")],
    }
}

/// Reads a number of minutes, which may have a fraction.
fn parse_minutes(text: &str) -> Result<Duration, String> {
    let minutes = text.parse().ok().filter(|minutes: &f64| (0.0..=1e6).contains(minutes));
    let minutes = minutes.ok_or("expected a number of minutes from 0 to 1000000")?;
    Ok(Duration::from_secs_f64(60.0 * minutes))
}

fn file_arg(option: &FileOption) -> Arg {
    let arg = Arg::new(option.name)
        .long(option.name.replace('_', "-"))
        .value_parser(clap::value_parser!(PathBuf))
        .value_name(if option.is_folder { "DIR" } else { "FILE" })
        .required(option.is_required)
        .help(option.help);
    if option.name == FileOption::OUTPUT { arg.short('o') } else { arg }
}

/// The time between two checkpoints.
fn every(matches: &ArgMatches) -> Option<Duration> {
    let every = matches.try_get_one::<Duration>(CHECKPOINT_MINUTES).ok().flatten();
    every.copied().filter(|every| !every.is_zero())
}

/// The commands of all tasks.
pub(crate) fn commands() -> impl Iterator<Item = Command> {
    TASKS.iter().map(|kind| {
        let command = kind.command();
        let about = command.get_about().cloned().unwrap_or_default();
        // The headings of the task are not those of its means.
        let command = command.next_help_heading(layout::OUTPUT);
        let command = command.args(kind.means.files.iter().map(file_arg));
        let mut command = PrintingArgs::augment_args(command);
        if kind.has_picture {
            command = PictureArgs::augment_args(command);
        }
        let mut command = command.next_help_heading(layout::RUNNING);
        if kind.means.threads {
            command = ThreadsArg::augment_args(command);
        }
        if kind.means.memory {
            command = MemoryArgs::augment_args(command);
        }
        command = command.args(kind.means.kept.into_iter().flat_map(kept_args));
        if let Some(kept) = kind.means.kept.filter(|kept| kept.place == KeptPlace::Checkpoint) {
            let places = [FileOption::OUTPUT, kept.option()];
            command = command.group(ArgGroup::new(KEPT).args(places).multiple(true));
        }
        // The groups of options have summaries of their own, which replace that of the command.
        layout::arranged(command.about(about), kind.common, kind.examples)
    })
}

impl TaskCommand {
    /// Whether this is the command of a task.
    pub(crate) fn is_one(command: &str) -> bool {
        kind_of(command).is_some()
    }

    /// The task of a command line; `None` if the command does not run a task.
    pub(crate) fn of(command: &str, matches: &ArgMatches) -> Option<Result<Self, clap::Error>> {
        let kind = kind_of(command)?;
        let read = || {
            let means = kind.means;
            let kept = means.kept.and_then(|kept| matches.get_one(kept.option()).cloned());
            let file =
                |option: &FileOption| Some((*option, matches.get_one(option.name).cloned()?));
            Ok(TaskCommand {
                kind,
                files: means.files.iter().filter_map(file).collect(),
                task: kind.of_matches(matches)?,
                printing: PrintingArgs::from_arg_matches(matches)?,
                picture: match kind.has_picture {
                    true => PictureArgs::from_arg_matches(matches)?,
                    false => PictureArgs::default(),
                },
                threads: means
                    .threads
                    .then(|| ThreadsArg::from_arg_matches(matches))
                    .transpose()?,
                memory: means.memory.then(|| MemoryArgs::from_arg_matches(matches)).transpose()?,
                kept,
                every: every(matches),
            })
        };
        Some(read())
    }

    /// Runs the task, and prints or writes its report as requested.
    pub(crate) fn run(&self) -> Outcome {
        for path in self.task.inputs()? {
            to_read(&path)?;
        }
        let PrintingArgs { json, page } = &self.printing;
        let page = page.page(*json)?;
        let picture = self.picture.picture(*json, &page)?;
        let outputs = self.outputs()?;
        let output = self.files.iter().find(|(option, _)| option.name == FileOption::OUTPUT);
        let asked = Asked {
            named: self.kept.as_deref(),
            output: output.map(|(_, path)| path.as_path()),
            every: self.every,
            is_read: self.task.reads_record(),
            continues: self.task.continues(),
        };
        let keeper = Keeper::of(self.kind.means.kept, &asked)?;
        let forms = match page.is_asked() || picture.is_asked() {
            true => ReportForms::All,
            false if *json => ReportForms::Json,
            false => ReportForms::Text,
        };
        let means = OutputMeans { wanted: &outputs.0, forms, partial: partial_every()? };
        let done = self.done(&keeper, &means);
        interrupt::work_is_kept();
        let mut done = match done {
            Ok(done) => done,
            Err(error) => return Err(self.failed(error, keeper)),
        };
        done.notes.iter().for_each(|note| complain(note));
        let boards: &dyn Boards = match &done.game {
            Some(game) => game,
            None => &TextBoards,
        };
        // The report is printed before any failure to keep or write something; and a failure to print it does not affect
        // the kept work.
        let problem = done.problem.clone().map_or(Ok(()), |problem| Err(Failure::from(problem)));
        let ended = problem.and_then(|()| keeper.end(&done.ending));
        let filed =
            std::mem::take(&mut done.files).into_iter().try_for_each(|file| outputs.write(file));
        let pictured = picture.write(|| done.report.picture(boards));
        let written = filed.and(page.write(|| done.page(boards))).and(pictured);
        let printed = self.print(&done, boards, &page, &picture);
        written.and(ended).and(printed)?;
        match done.duel.take() {
            Some(Duel { game, position, solved }) => {
                // A game against perfect play needs the memory of the report.
                drop(done);
                play::against(&game, &position, solved)
            }
            None => Ok(()),
        }
    }

    /// The requested files, after a check that they can be written.
    fn outputs(&self) -> Outcome<Outputs> {
        let wanted = self.files.iter().map(|(option, path)| {
            let kind = self.task.file_kind(option, path)?;
            let file = (!option.is_folder).then(|| to_write(path, kind)).transpose()?;
            Ok(Wanted { option: option.name, path: path.clone(), kind, file })
        });
        Ok(Outputs(wanted.collect::<Outcome<_>>()?))
    }

    fn print(&self, done: &Done, boards: &dyn Boards, page: &Page, picture: &Picture) -> Outcome {
        if self.printing.json {
            return done.report.json(&Stop).map_err(Failure::from).and_then(print_report_text);
        }
        if page.is_printed() || picture.is_printed() {
            return Ok(());
        }
        let terminal = terminal();
        let doc = done.text.as_ref().map_or_else(|| done.report.doc(boards), Clone::clone);
        let mut doc = done.with_next(doc);
        if is_quiet() {
            doc.leave_out_next();
        }
        let mut text = doc.text(terminal);
        if let Some(details) = &done.details {
            text.push('\n');
            text.push_str(&details.text(terminal));
        }
        print(&text)?;
        done.hints.iter().for_each(|line| hint(line));
        if !terminal.explain && doc.has_reasons() {
            hint("`--explain` adds reasons and methods");
        }
        if let Some(does) = done.page_hint.filter(|_| !page.is_asked()) {
            hint(&format!("`--html FILE` writes a page that {does}; `--open` shows it"));
        }
        Ok(())
    }

    fn done(&self, keeper: &Keeper, means: &OutputMeans<'_>) -> Result<Done, Error> {
        let memory_bytes_max = self.memory.as_ref().map_or_else(share, MemoryArgs::bytes_max);
        let read = ReadFiles::new().map_err(Failure::into_error)?;
        let with = |watch: &dyn Watch| {
            let (files, keeping) = (&read, keeper.keeping());
            let rows = Mutex::new(io::stdout());
            let partial = means.partial.map(Events);
            self.task.run(&Context {
                watch,
                clock: clock(),
                files,
                memory_bytes_max,
                wanted: means.wanted,
                rows: Some(&rows),
                forms: means.forms,
                keeping,
                places: places().clone(),
                meter: &Process,
                partial: partial.as_ref().map(|partial| partial as &dyn Partial),
                task: asked(),
            })
        };
        let bar = Bar::new();
        let done = match &self.threads {
            Some(threads) => {
                pool(threads.threads).map_err(Failure::into_error)?.install(|| with(&bar))
            }
            None => with(&bar),
        };
        bar.finish();
        done
    }

    fn failed(&self, error: Error, keeper: Keeper) -> Failure {
        // A closed pipe for rows ends the program silently.
        let broken = error.get::<io::Error>().map(io::Error::kind);
        if broken == Some(io::ErrorKind::BrokenPipe) {
            return Failure { exit: Exit::Silent, error: None };
        }
        match error.kind() {
            ErrorKind::Limit if self.memory.is_some() => {
                Failure::new(Exit::Usage, format!("{error}; --memory-max allows more"))
            }
            ErrorKind::Interrupted => match keeper.how_to_go_on() {
                Ok(way) => Failure::interrupted(format!("{error}{way}")),
                Err(failure) => failure,
            },
            _ => error.into(),
        }
    }
}

/// Prints interim reports as events.
struct Events(Duration);

impl Partial for Events {
    fn every(&self) -> Duration {
        self.0
    }

    fn report(&self, report: &dyn Report) {
        if let Ok(json) = report.json(&()).and_then(|json| with_task(json, asked())) {
            print_partial(&json);
        }
    }
}

/// Measures this process.
struct Process;

impl Meter for Process {
    fn cpu(&self) -> Option<Duration> {
        Some(ProcessTime::now().as_duration())
    }

    fn peak_memory_bytes(&self) -> Option<u64> {
        peak_bytes()
    }
}

/// The requested files besides a report.
#[derive(Debug)]
struct Outputs(Vec<Wanted>);

impl Outputs {
    fn write(&self, file: TaskFile) -> Outcome {
        let TaskFile { option, name, write } = file;
        let Some(wanted) = self.0.iter().find(|wanted| wanted.option == option) else {
            return Ok(());
        };
        let file = match (&wanted.file, name) {
            (Some(file), _) => file.clone(),
            (None, None) => return Ok(()),
            (None, Some(name)) => {
                make_folder(&wanted.path)?;
                to_write(&wanted.path.join(name), wanted.kind)?
            }
        };
        file.write_with(|out| write(out, &Stop))?;
        if wanted.file.is_some() {
            hint(&format!("{} is in {}", wanted.kind.contents(), wanted.path.display()));
        }
        Ok(())
    }
}
