//! The declaration of a task, and its results.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt::{self, Debug};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{ArgMatches, Args, Command};
use serde::Serialize;
use serde_json::{Map, Value};
use treegauge_core::{ReportKind, Watch};
use treegauge_engine::SolvedGame;
use treegauge_report::{Boards, Doc, Document, SavedKind};

use super::context::Context;
use super::fields::{FieldError, task_of, words_of, words_of_caller};
use super::{Group, quoted};
use crate::{Error, ErrorKind, FileKind, Game, Searched, Solution};

/// An operation with its options. Its declaration is that of its command line; the fields are private, so that the values
/// of a task that exists are in range.
pub trait Task: Args + Debug + Send + Sync + 'static {
    /// The name of the command.
    const NAME: &'static str;

    /// The group of the command in help.
    const GROUP: Group;

    /// Command lines that show its use.
    const EXAMPLES: &'static [&'static str];

    /// The two to four options that most people need, as fields of the task or options of the run.
    const COMMON: &'static [&'static str];

    /// The means of the run that the task can use.
    const MEANS: Means = Means::NONE;

    /// The kinds of its reports.
    const REPORTS: &'static [SavedKind];

    /// Whether its reports have pictures, as [`Document::picture`].
    const HAS_PICTURE: bool = false;

    /// Whether the task reads its record and adds nothing to it.
    fn reads_record(&self) -> bool {
        false
    }

    /// Whether the task solves a game, so that an option for the file of the solution may be given.
    fn solves(&self) -> bool {
        true
    }

    /// Whether the same task continues the work of a run that was stopped.
    fn continues(&self) -> bool {
        true
    }

    /// The files that the task reads, but for the texts of games: nothing may be written there.
    ///
    /// # Errors
    ///
    /// When an option that names files is invalid.
    fn inputs(&self) -> Result<Vec<PathBuf>, Error> {
        Ok(Vec::new())
    }

    /// The kind of a requested file, which may depend on the task or on the ending of the name.
    ///
    /// # Errors
    ///
    /// When the task cannot write the kind of this ending.
    fn file_kind(&self, option: &FileOption, path: &Path) -> Result<FileKind, Error> {
        _ = path;
        Ok(option.kind)
    }

    /// Does the task, on rayon's current thread pool. The result does not depend on the number of threads.
    ///
    /// # Errors
    ///
    /// When the task asks for something that does not exist or does not fit together, a file cannot be read, a limit is
    /// reached, or the watch says stop and there is nothing to report.
    fn run(&self, context: &Context<'_>) -> Result<Done, Error>;
}

/// The means of a run that a command line lets its user choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Means {
    /// More than one thread.
    pub threads: bool,
    /// Memory that grows with the game.
    pub memory: bool,
    /// Files that can be requested besides the report.
    pub files: &'static [FileOption],
    /// A place for its work, from which a stopped run continues.
    pub kept: Option<KeptWork>,
}

/// A place for the work of a run, and its option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptWork {
    /// The kind of place.
    pub place: KeptPlace,
    /// Whether the option must be there.
    pub is_required: bool,
    /// The plural noun for the pieces of the work.
    pub pieces: &'static str,
    /// The help of the option.
    pub help: &'static str,
}

/// A kind of place where work is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeptPlace {
    /// A record.
    File,
    /// A folder of records.
    Folder,
    /// A folder that is also the result of the run.
    Result,
    /// The result of a run, a record or a folder.
    Whole,
    /// A checkpoint, which is written regularly: next to the file of [`FileOption::OUTPUT`] unless the option names
    /// another place.
    Checkpoint,
    /// The answers of engines.
    Answers,
}

impl KeptWork {
    /// The name of the option.
    #[must_use]
    pub const fn option(self) -> &'static str {
        match self.place {
            KeptPlace::File | KeptPlace::Folder => "record",
            KeptPlace::Result | KeptPlace::Whole => "output",
            KeptPlace::Checkpoint => "resume",
            KeptPlace::Answers => "cache",
        }
    }
}

impl Means {
    /// One thread, little memory, no files, and no kept work.
    pub const NONE: Means = Means { threads: false, memory: false, files: &[], kept: None };
}

/// An option that requests files besides the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileOption {
    /// The name of the option. That of [`FileOption::OUTPUT`] has a short form.
    pub name: &'static str,
    /// Whether its value is a folder for several files.
    pub is_folder: bool,
    /// Whether the option must be there.
    pub is_required: bool,
    /// The kind of the files, unless [`Task::file_kind`] says another.
    pub kind: FileKind,
    /// The help of the option.
    pub help: &'static str,
}

impl FileOption {
    /// The name of the option for a result that is a file.
    pub const OUTPUT: &'static str = "output";

    /// An option for one file.
    #[must_use]
    pub const fn file(name: &'static str, kind: FileKind, help: &'static str) -> FileOption {
        FileOption { name, is_folder: false, is_required: false, kind, help }
    }

    /// An option for a folder of files.
    #[must_use]
    pub const fn folder(name: &'static str, kind: FileKind, help: &'static str) -> FileOption {
        FileOption { is_folder: true, ..FileOption::file(name, kind, help) }
    }

    /// The same option, but required.
    #[must_use]
    pub const fn required(self) -> FileOption {
        FileOption { is_required: true, ..self }
    }
}

/// A requested file that a task makes.
pub struct TaskFile {
    /// The option that requested it.
    pub option: &'static str,
    /// Its name, if the value of the option is a folder.
    pub name: Option<String>,
    /// Writes its contents.
    pub write: WriteContents,
}

/// Writes the contents of a file once, unless the watch says stop.
pub type WriteContents = Box<dyn FnOnce(&mut dyn Write, &dyn Watch) -> Result<(), Error> + Send>;

impl TaskFile {
    /// A file with these contents.
    #[must_use]
    pub fn new(option: &'static str, contents: String) -> TaskFile {
        TaskFile::of_bytes(option, contents.into_bytes())
    }

    /// A file with these bytes.
    #[must_use]
    pub fn of_bytes(option: &'static str, contents: Vec<u8>) -> TaskFile {
        let write = move |out: &mut dyn Write, _: &dyn Watch| Ok(out.write_all(&contents)?);
        TaskFile { option, name: None, write: Box::new(write) }
    }

    /// The same file, with a name in a folder.
    #[must_use]
    pub fn named(self, name: String) -> TaskFile {
        TaskFile { name: Some(name), ..self }
    }
}

impl Debug for TaskFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TaskFile").field("option", &self.option).finish_non_exhaustive()
    }
}

/// A task that has been done.
#[derive(Debug)]
pub struct Done {
    /// The end of the task.
    pub ending: Ending,
    /// A failure that does not affect the report: the work cannot be kept, for example.
    pub problem: Option<Error>,
    /// The game whose boards the report shows; `None` if it is about no single game.
    pub game: Option<Game>,
    /// The requested files besides the report.
    pub files: Vec<TaskFile>,
    /// Notes on the input, which every reader of the report needs.
    pub notes: Vec<String>,
    /// The document for text, if it differs from that of the report.
    pub text: Option<Doc>,
    /// Details that follow the report in text.
    pub details: Option<Doc>,
    /// Words in the command that the report names as the next one, each with its name in this run,
    /// quoted for a POSIX shell: `FILE` and `achi.tgs`.
    pub named: Vec<(String, String)>,
    /// The next step, if it is another than the report says: a command with its effect.
    pub next: Option<String>,
    /// Commands that may help next, each with its effect.
    pub hints: Vec<String>,
    /// A position to play against perfect play, if requested.
    pub duel: Option<Duel>,
    /// The use of a page beside the text, as a verb with its object.
    pub page_hint: Option<&'static str>,
    /// The result itself, for callers that go on with it.
    pub product: Option<Product>,
    /// The report.
    pub report: Box<dyn Report>,
}

/// A result of a task that is more than its report.
#[derive(Debug)]
#[non_exhaustive]
pub enum Product {
    /// A search that can grow.
    Search(Box<Searched>),
    /// A solved game in memory.
    Solution(Box<Solution>),
}

/// A position of a solved game, to play against perfect play.
pub struct Duel {
    /// The game.
    pub game: Game,
    /// The position.
    pub position: String,
    /// The values of its positions.
    pub solved: Arc<dyn SolvedGame>,
}

impl Debug for Duel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Duel").field("position", &self.position).finish_non_exhaustive()
    }
}

/// The end of a task that has a report.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ending {
    /// Nothing is wrong.
    Good,
    /// A check failed; holds the finding, unless the report says it.
    No(Option<String>),
    /// The input is invalid, and the report says how.
    Invalid,
    /// The watch stopped the work early; holds the missing parts, unless these are the unfinished pieces.
    Incomplete(Option<String>),
}

impl Done {
    /// A report of no single game.
    pub fn new(report: impl Report + 'static) -> Done {
        Done::answered(Box::new(report))
    }

    pub(super) fn answered(report: Box<dyn Report>) -> Done {
        Done {
            ending: Ending::Good,
            problem: None,
            game: None,
            files: Vec::new(),
            notes: Vec::new(),
            text: None,
            details: None,
            named: Vec::new(),
            next: None,
            hints: Vec::new(),
            duel: None,
            page_hint: None,
            product: None,
            report,
        }
    }

    /// A report with boards of a game.
    pub fn of(report: impl Report + 'static, game: Game) -> Done {
        Done { game: Some(game), ..Done::new(report) }
    }

    /// The same with the name that a word of the next command stands for.
    #[must_use]
    pub(super) fn naming(mut self, word: &str, name: &Path) -> Done {
        self.named.push((word.to_owned(), quoted(name.as_os_str())));
        self
    }

    /// A document of the report with the next step of this run.
    #[must_use]
    pub fn with_next(&self, mut doc: Doc) -> Doc {
        self.named.iter().for_each(|(word, name)| doc.name_in_next(word, name));
        if let Some(next) = &self.next {
            doc.next(next.as_str());
        }
        doc
    }

    /// The page of the report, with the next step of this run.
    #[must_use]
    pub fn page(&self, boards: &dyn Boards) -> String {
        let report = &self.report;
        report.sheet(boards).unwrap_or_else(|| self.with_next(report.doc(boards)).page())
    }

    /// The same with another end.
    #[must_use]
    pub fn ending(self, ending: Ending) -> Done {
        Done { ending, ..self }
    }
}

/// A report of any kind.
pub trait Report: Document + Send {
    /// Kind of the report, as its JSON has it.
    fn kind(&self) -> &'static str;

    /// Its JSON, an object on one line.
    ///
    /// # Errors
    ///
    /// When `watch` says stop before a long report is written.
    fn json(&self, watch: &dyn Watch) -> Result<String, Error>;
}

impl<R: Document + ReportKind + Serialize + Send> Report for R {
    fn kind(&self) -> &'static str {
        R::KIND
    }

    fn json(&self, _: &dyn Watch) -> Result<String, Error> {
        serde_json::to_string(self).map_err(|error| Error::new(ErrorKind::Internal, error))
    }
}

/// A task of any kind, as an object.
pub trait AnyTask: Debug + Send + Sync {
    /// Whether the task reads its record and adds nothing to it.
    fn reads_record(&self) -> bool;

    /// Whether the task solves a game, as [`Task::solves`].
    fn solves(&self) -> bool;

    /// Whether the task continues, as [`Task::continues`].
    fn continues(&self) -> bool;

    /// The files that the task reads, as [`Task::inputs`].
    ///
    /// # Errors
    ///
    /// As [`Task::inputs`].
    fn inputs(&self) -> Result<Vec<PathBuf>, Error>;

    /// The kind of a file that is asked for, as [`Task::file_kind`].
    ///
    /// # Errors
    ///
    /// As [`Task::file_kind`].
    fn file_kind(&self, option: &FileOption, path: &Path) -> Result<FileKind, Error>;

    /// Does the task, as [`Task::run`].
    ///
    /// # Errors
    ///
    /// As [`Task::run`].
    fn run(&self, context: &Context<'_>) -> Result<Done, Error>;
}

impl<T: Task> AnyTask for T {
    fn reads_record(&self) -> bool {
        Task::reads_record(self)
    }

    fn solves(&self) -> bool {
        Task::solves(self)
    }

    fn continues(&self) -> bool {
        Task::continues(self)
    }

    fn inputs(&self) -> Result<Vec<PathBuf>, Error> {
        Task::inputs(self)
    }

    fn file_kind(&self, option: &FileOption, path: &Path) -> Result<FileKind, Error> {
        Task::file_kind(self, option, path)
    }

    fn run(&self, context: &Context<'_>) -> Result<Done, Error> {
        Task::run(self, context)
    }
}

/// A task, and its fields as reports repeat them.
pub type ReadTask = (Box<dyn AnyTask>, Map<String, Value>);

/// A kind of task, as a table entry.
#[derive(Clone, Copy, Debug)]
pub struct TaskKind {
    /// The name of its command.
    pub name: &'static str,
    /// The group of its command in help.
    pub group: Group,
    /// Command lines that show its use.
    pub examples: &'static [&'static str],
    /// The ids of the options that most people need: fields of the task, or options of the run.
    pub common: &'static [&'static str],
    /// The means of the run that it can use.
    pub means: Means,
    /// The kinds of its reports.
    pub reports: &'static [SavedKind],
    /// Whether its reports have pictures, as [`Document::picture`].
    pub has_picture: bool,
    arguments: fn(Command) -> Command,
    read: fn(&ArgMatches) -> Result<Box<dyn AnyTask>, clap::Error>,
}

impl TaskKind {
    pub(super) const fn of<T: Task>() -> TaskKind {
        TaskKind {
            name: T::NAME,
            group: T::GROUP,
            examples: T::EXAMPLES,
            common: T::COMMON,
            means: T::MEANS,
            reports: T::REPORTS,
            has_picture: T::HAS_PICTURE,
            arguments: T::augment_args,
            read: |matches| Ok(Box::new(T::from_arg_matches(matches)?)),
        }
    }

    /// Its command line, with the options of the task alone.
    #[must_use]
    pub fn command(&self) -> Command {
        (self.arguments)(Command::new(self.name))
    }

    /// The task of a command line that clap has read.
    ///
    /// # Errors
    ///
    /// When the matches are those of another command.
    pub fn of_matches(&self, matches: &ArgMatches) -> Result<Box<dyn AnyTask>, clap::Error> {
        (self.read)(matches)
    }

    /// The task with these fields.
    ///
    /// # Errors
    ///
    /// When there is no such field, one is missing, or a value is out of range; the error names the field.
    pub fn task(&self, fields: &Map<String, Value>) -> Result<Box<dyn AnyTask>, Error> {
        self.with_reader(|command| {
            let words = words_of(command, fields)?;
            self.read_words(command, words).map(|(task, _)| task)
        })
    }

    /// The task with these fields, which may be options of the run too, and the task as reports
    /// repeat it.
    ///
    /// # Errors
    ///
    /// As [`TaskKind::task`].
    pub fn task_of_caller(&self, fields: &Map<String, Value>) -> Result<ReadTask, Error> {
        self.with_reader(|command| {
            let words = words_of_caller(command, fields)?;
            let (task, echo) = self.read_words(command, words)?;
            // The order of the help of the program, whose reports repeat tasks in it.
            let place = |field: &str| {
                let arg = command.get_arguments().find(|arg| arg.get_id() == field);
                arg.map_or(0, |arg| match arg.get_help_heading() {
                    _ if arg.is_positional() => 1,
                    _ if self.common.contains(&field) => 2,
                    None => 3,
                    Some(_) => 4,
                })
            };
            let mut entries: Vec<(String, Value)> = echo.into_iter().collect();
            entries.sort_by_key(|(field, _)| place(field));
            Ok((task, entries.into_iter().collect()))
        })
    }

    /// Lends the command that reads the words of a task. Building one takes several times as long as
    /// reading with it, so each thread keeps those that it has used.
    fn with_reader<T>(&self, work: impl FnOnce(&mut Command) -> T) -> T {
        thread_local! {
            static READERS: RefCell<HashMap<&'static str, Command>> = RefCell::default();
        }
        let kept = READERS.with_borrow_mut(|readers| readers.remove(self.name));
        let mut command = kept.unwrap_or_else(|| {
            let mut command = self.command().no_binary_name(true).disable_help_flag(true);
            command.build();
            command
        });
        let result = work(&mut command);
        READERS.with_borrow_mut(|readers| readers.insert(self.name, command));
        result
    }

    fn read_words(&self, command: &mut Command, words: Vec<OsString>) -> Result<ReadTask, Error> {
        let refused = |error: &clap::Error| Error::new(ErrorKind::Usage, FieldError::of(error));
        let matches = command.try_get_matches_from_mut(words).map_err(|error| refused(&error))?;
        let task = task_of(command, &matches);
        Ok((self.of_matches(&matches).map_err(|error| refused(&error))?, task))
    }
}
