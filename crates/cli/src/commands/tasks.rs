//! The commands that do a task of the library and print its report.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use treegauge::report::{Boards, NoBoards};
use treegauge::tasks::{AnyTask, Context, Done, FileOption, Kept, TASKS, TaskFile, TaskKind};
use treegauge::{Error, ErrorKind, Watch};

use crate::common::clock;
use crate::exit::{Failure, Outcome};
use crate::files::{Output, make_folder, to_read, to_write};
use crate::keeper::Keeper;
use crate::memory::share;
use crate::output::{complain, print, print_report_text};
use crate::rules_text::ReadFiles;
use crate::solving::{Bar, MemoryArgs, ThreadsArg, pool, too_large};
use crate::terminal::{hint, terminal};
use crate::web_page::{Page, PageArgs};

/// A task with the means of its run.
#[derive(Debug)]
pub(crate) struct TaskCommand {
    kind: &'static TaskKind,
    task: Box<dyn AnyTask>,
    printing: PrintingArgs,
    threads: Option<ThreadsArg>,
    memory: Option<MemoryArgs>,
    record: Option<PathBuf>,
    /// The files that are asked for besides the report.
    files: Vec<(FileOption, PathBuf)>,
}

/// The form in which a report is printed.
#[derive(Debug, Args)]
struct PrintingArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    page: PageArgs,
}

/// The kind of task that a command does.
fn kind_of(command: &str) -> Option<&'static TaskKind> {
    TASKS.iter().find(|kind| kind.name == command)
}

/// The option that says where the work of a run is kept.
const RECORD: &str = "record";

fn record_arg(kept: Kept) -> Arg {
    let arg = Arg::new(RECORD).long(RECORD).value_parser(clap::value_parser!(PathBuf));
    match kept {
        Kept::File(pieces) => {
            let piece = pieces.strip_suffix('s').unwrap_or(pieces);
            arg.value_name("FILE").help(format!(
                "Keep each {piece} as a line of JSON; {pieces} that are already in FILE are not played again, so a \
                 killed run continues, and a larger --{pieces} adds to the record"
            ))
        }
        Kept::Folder(pieces) => arg.value_name("DIR").help(format!(
            "Keep the {pieces} that are played in files in this folder, one for each variant, so that a killed run \
             continues"
        )),
    }
}

fn file_arg(option: &FileOption) -> Arg {
    Arg::new(option.name)
        .long(option.name.replace('_', "-"))
        .value_parser(clap::value_parser!(PathBuf))
        .value_name(if option.is_folder { "DIR" } else { "FILE" })
        .help(option.help)
}

/// The commands of all tasks.
pub(crate) fn commands() -> impl Iterator<Item = Command> {
    TASKS.iter().map(|kind| {
        let command = kind.command();
        let about = command.get_about().cloned().unwrap_or_default();
        let command = command.args(kind.means.files.iter().map(file_arg));
        let mut command = PrintingArgs::augment_args(command);
        if kind.means.threads {
            command = ThreadsArg::augment_args(command);
        }
        if kind.means.memory {
            command = MemoryArgs::augment_args(command);
        }
        command = command.args(kind.means.kept.map(record_arg));
        // The options have summaries of their own, which would stand in its place.
        command.about(about).long_about(None).after_help(super::examples::list(kind.examples))
    })
}

impl TaskCommand {
    /// Whether a task has this command.
    pub(crate) fn is_one(command: &str) -> bool {
        kind_of(command).is_some()
    }

    /// The task of a command line, if its command is that of one.
    pub(crate) fn of(command: &str, matches: &ArgMatches) -> Option<Result<Self, clap::Error>> {
        let kind = kind_of(command)?;
        let read = || {
            let means = kind.means;
            let record = means.kept.and_then(|_| matches.get_one(RECORD).cloned());
            let file =
                |option: &FileOption| Some((*option, matches.get_one(option.name).cloned()?));
            Ok(TaskCommand {
                kind,
                files: means.files.iter().filter_map(file).collect(),
                task: kind.of_matches(matches)?,
                printing: PrintingArgs::from_arg_matches(matches)?,
                threads: means
                    .threads
                    .then(|| ThreadsArg::from_arg_matches(matches))
                    .transpose()?,
                memory: means.memory.then(|| MemoryArgs::from_arg_matches(matches)).transpose()?,
                record,
            })
        };
        Some(read())
    }

    /// Does the task, and prints or writes its report as far as was asked for.
    pub(crate) fn run(&self) -> Outcome {
        for path in self.task.inputs()? {
            to_read(&path)?;
        }
        let PrintingArgs { json, page } = &self.printing;
        let page = page.page(*json)?;
        let keeper = {
            let reads = self.task.reads_record();
            Keeper::of(self.kind.means.kept, self.record.as_deref(), reads)?
        };
        let outputs = self.outputs()?;
        let mut done = self.done(&keeper)?;
        done.notes.iter().for_each(|note| complain(note));
        let boards: &dyn Boards = match &done.game {
            Some(game) => game,
            None => &NoBoards,
        };
        // What cannot be kept or written is said after the report, which is printed all the same; and what is kept
        // does not depend on whether somebody reads the report.
        let problem = done.problem.clone().map_or(Ok(()), |problem| Err(Failure::from(problem)));
        let ended = problem.and_then(|()| keeper.end(&done.ending));
        let filed =
            std::mem::take(&mut done.files).into_iter().try_for_each(|file| outputs.write(file));
        let written = filed.and(page.write(|| done.report.page(boards)));
        let printed = self.print(&done, boards, &page);
        written.and(ended).and(printed)
    }

    /// The files that were asked for, where they can be written.
    fn outputs(&self) -> Outcome<Outputs> {
        let mut outputs = Outputs::default();
        for (option, path) in &self.files {
            if option.is_folder {
                outputs.folders.push((*option, path.clone()));
            } else {
                outputs.files.push((option.name, to_write(path, option.kind)?));
            }
        }
        Ok(outputs)
    }

    fn print(&self, done: &Done, boards: &dyn Boards, page: &Page) -> Outcome {
        if self.printing.json {
            return done.report.json().map_err(Failure::from).and_then(print_report_text);
        }
        if page.is_printed() {
            return Ok(());
        }
        let mut text = match &done.text {
            Some(doc) => doc.text(terminal()),
            None => done.report.doc(boards).text(terminal()),
        };
        if let Some(details) = &done.details {
            text.push('\n');
            text.push_str(&details.text(terminal()));
        }
        print(&text)?;
        done.hints.iter().for_each(|line| hint(line));
        if let Some(does) = done.page_hint.filter(|_| !page.is_asked()) {
            hint(&format!("`--html FILE` writes a page that {does}; `--open` shows it"));
        }
        Ok(())
    }

    fn done(&self, keeper: &Keeper) -> Outcome<Done> {
        let memory_bytes_max = self.memory.as_ref().map_or_else(share, MemoryArgs::bytes_max);
        let with = |watch: &dyn Watch| {
            let (files, keeping) = (&ReadFiles, keeper.keeping());
            let wanted: Vec<&str> = self.files.iter().map(|(option, _)| option.name).collect();
            let wanted = &wanted[..];
            let clock = clock();
            self.task.run(&Context { watch, clock, files, memory_bytes_max, wanted, keeping })
        };
        let bar = Bar::new();
        let done = match &self.threads {
            Some(threads) => pool(threads.threads)?.install(|| with(&bar)),
            None => with(&bar),
        };
        bar.finish();
        done.map_err(|error| self.failed(error, keeper))
    }

    fn failed(&self, error: Error, keeper: &Keeper) -> Failure {
        match error.kind() {
            ErrorKind::Limit if self.memory.is_some() => too_large(error),
            ErrorKind::Interrupted if self.kind.means.kept.is_some() => {
                Failure::interrupted(format!("{error}; {}", keeper.how_to_go_on()))
            }
            _ => error.into(),
        }
    }
}

/// Where the files go that are asked for besides a report.
#[derive(Debug, Default)]
struct Outputs {
    files: Vec<(&'static str, Output)>,
    folders: Vec<(FileOption, PathBuf)>,
}

impl Outputs {
    fn write(&self, file: TaskFile) -> Outcome {
        let TaskFile { option, name, write } = file;
        let output = match name {
            None => {
                self.files.iter().find(|(name, _)| *name == option).map(|(_, file)| file.clone())
            }
            Some(name) => {
                let folder = self.folders.iter().find(|(one, _)| one.name == option);
                let file = folder.map(|(one, path)| {
                    make_folder(path)?;
                    to_write(&path.join(name), one.kind)
                });
                file.transpose()?
            }
        };
        output.map_or(Ok(()), |output| output.write_with(write))
    }
}
