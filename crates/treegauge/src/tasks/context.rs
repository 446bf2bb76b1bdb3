//! The surroundings of a task, which do not affect its result.

use std::borrow::Cow;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value};
use treegauge_catalog::rules::is_game;
use treegauge_core::{Clock, NoClock, Progress, Watch};
use treegauge_engine::PlayerSpec;
use treegauge_store::Record;
use treegauge_store::journal::{JournalError, Piece};

use super::{Partial, Report};
use crate::lists::{add_games, games_of_with, listed_games_with};
use crate::places::make_folder;
use crate::{Error, ErrorKind, FileKind, Game, OutputFile, Places, StoredModel, rules_text};

/// The surroundings of a task: its watch, the files that it may read, its limits, and the place of its work.
#[derive(Clone)]
pub struct Context<'a> {
    /// Receives progress, and may stop the task.
    pub watch: &'a dyn Watch,
    /// Measures time, for players with a time budget, checkpoints and interim reports.
    pub clock: Arc<dyn Clock>,
    /// The files that the task names.
    pub files: &'a dyn Files,
    /// The maximum memory for positions, in bytes; `None` for no limit.
    pub memory_bytes_max: Option<u64>,
    /// The requested files besides the report.
    pub wanted: &'a [Wanted],
    /// Receives the rows of a table that is requested without a file.
    pub rows: Option<&'a Mutex<dyn Write + Send>>,
    /// The forms of the report that are used. Parts that no form shows may be left out.
    pub forms: ReportForms,
    /// The files that the run reads and writes.
    pub places: Arc<Places>,
    /// Measures the resources of the run.
    pub meter: &'a dyn Meter,
    /// Receives interim reports, if anybody wants them.
    pub partial: Option<&'a dyn Partial>,
    /// The task as JSON, which reports in files repeat.
    pub task: Option<&'a Map<String, Value>>,
    /// The place of the work, from which a stopped task continues; `None` if no work is kept.
    pub keeping: Option<Keeping<'a>>,
}

/// The forms in which a report is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReportForms {
    /// Text only.
    Text,
    /// Text and JSON.
    Json,
    /// Text, JSON and pages, or pictures of the report.
    #[default]
    All,
}

/// A file, or a folder of files, that is requested besides a report.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The option that requests it.
    pub option: &'static str,
    /// The value of the option.
    pub path: PathBuf,
    /// The kind of the file, or of the files in the folder.
    pub kind: FileKind,
    /// The file, unless it is a folder.
    pub file: Option<OutputFile>,
}

/// The place of the work of a task.
#[derive(Clone, Copy, Debug)]
pub struct Keeping<'a> {
    /// The record, or the folder of records.
    pub path: &'a Path,
    /// Whether the user named it. If so, the task ends once its work cannot be kept there.
    pub is_required: bool,
    /// The time between two checkpoints; `None` if only a stopped run writes one.
    pub every: Option<Duration>,
}

/// Measures the resources of a run.
pub trait Meter: Sync {
    /// The CPU time of the process.
    fn cpu(&self) -> Option<Duration> {
        None
    }

    /// The peak memory of the process, in bytes.
    fn peak_memory_bytes(&self) -> Option<u64> {
        None
    }
}

/// Measures nothing.
impl Meter for () {}

impl fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let memory = self.memory_bytes_max;
        f.debug_struct("Context").field("memory_bytes_max", &memory).finish_non_exhaustive()
    }
}

/// Ignores progress, never stops, has no clock and no limit, and reads any file.
impl Default for Context<'_> {
    fn default() -> Self {
        Context {
            watch: &(),
            clock: NoClock::shared(),
            files: &AnyFile,
            memory_bytes_max: None,
            wanted: &[],
            rows: None,
            forms: ReportForms::All,
            places: Arc::default(),
            meter: &(),
            partial: None,
            task: None,
            keeping: None,
        }
    }
}

impl Context<'_> {
    /// The game that `text` names; texts of games come from the files of the context. A file that describes a game may
    /// have any ending.
    ///
    /// # Errors
    ///
    /// As [`Game::parse`], and when `text` is [`STANDARD_INPUT`].
    pub fn game(&self, text: &str) -> Result<Game, Error> {
        if text == STANDARD_INPUT {
            let message = "this command does not read a game from standard input, since reports and records name the file of \
                           their game: save the text in a file";
            return Err(Error::new(ErrorKind::Usage, message));
        }
        let open = &mut |file: &str| self.files.rules(file);
        let game = Game::parse_with(text, open);
        if game.is_err() && Path::new(text).extension().is_some() {
            let is_rules = self.files.rules(text).is_ok_and(|text| is_game(&text));
            if is_rules {
                return Game::parse_with(&format!("rules(file={text})"), open);
            }
        }
        game
    }

    /// The game that a file of the task names, as a record or a solution does; texts of games come from the files of the
    /// context.
    pub(crate) fn game_of_file(&self, name: &str) -> Result<Game, Error> {
        Game::parse_with(name, &mut |file| self.files.rules(file))
    }

    /// As [`Context::game`], but [`STANDARD_INPUT`] is the text of a game. It is for tasks without records, since a record
    /// names the file of its game.
    ///
    /// # Errors
    ///
    /// As [`Game::parse`].
    pub fn game_or_input(&self, text: &str) -> Result<Game, Error> {
        self.game(if text == STANDARD_INPUT { "rules(file=-)" } else { text })
    }

    /// The path of a file or a folder that the task reads.
    ///
    /// # Errors
    ///
    /// When the task may not read it, it is not a file, or the run writes to it.
    pub fn path(&self, name: &Path) -> Result<PathBuf, Error> {
        let path = self.files.path(name)?;
        if !path.is_dir() {
            self.places.to_read(&path)?;
        }
        Ok(path)
    }

    /// A player with the files of the context.
    ///
    /// # Errors
    ///
    /// When the task may not read one of its files.
    pub fn player(&self, player: &PlayerSpec) -> Result<PlayerSpec, Error> {
        let mut found = Vec::new();
        for file in player.files() {
            found.push((file.to_owned(), self.path(file)?));
        }
        Ok(player.with_files(&|file| {
            let found = found.iter().find(|(name, _)| name == file);
            found.map_or(file, |(_, path)| path).to_owned()
        }))
    }

    /// The model of a file, or the built-in model if `path` is `None`.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or is not a model.
    pub fn model(&self, path: Option<&Path>) -> Result<Cow<'static, StoredModel>, Error> {
        match path {
            None => Ok(Cow::Borrowed(StoredModel::standard())),
            Some(path) => Ok(Cow::Owned(StoredModel::read(&self.path(path)?)?)),
        }
    }

    /// The games of some lists, as [`crate::listed_games`] reads them; [`STANDARD_INPUT`] may be one of the lists.
    ///
    /// # Errors
    ///
    /// As [`crate::listed_games`].
    pub fn listed(&self, lists: &[String]) -> Result<Vec<Game>, Error> {
        let open = |file: &str| self.files.rules(file);
        let read = |text: &str| Game::parse_with(text, &mut &open);
        let mut games = Vec::new();
        for list in lists {
            let more = match self.files.list(list)? {
                Some(text) => games_of_with(&text, "standard input", &read)?,
                None => listed_games_with(list, &read)?,
            };
            add_games(&mut games, more)?;
        }
        Ok(games)
    }

    /// Whether the files of an option are requested.
    #[must_use]
    pub fn wants(&self, option: &str) -> bool {
        self.wanted(option).is_some()
    }

    /// The file, or the folder of files, that an option requests.
    #[must_use]
    pub fn wanted(&self, option: &str) -> Option<&'_ Path> {
        let wanted = self.wanted.iter().find(|wanted| wanted.option == option);
        wanted.map(|wanted| wanted.path.as_path())
    }

    /// The file that an option requests, for a task that writes it while it works.
    #[must_use]
    pub fn output(&self, option: &str) -> Option<&'_ OutputFile> {
        self.wanted.iter().find(|wanted| wanted.option == option)?.file.as_ref()
    }

    /// The folder that a task makes or continues.
    ///
    /// # Errors
    ///
    /// When no folder is given.
    pub fn result_folder(&self) -> Result<&'_ Path, Error> {
        let missing = || {
            Error::new(
                ErrorKind::Usage,
                "the folder for the result is missing: name one with --output DIR",
            )
        };
        self.keeping.map(|keeping| keeping.path).ok_or_else(missing)
    }

    /// The JSON of a report with its task, for a file.
    ///
    /// # Errors
    ///
    /// As [`Report::json`].
    pub fn echoed(&self, report: &dyn Report) -> Result<String, Error> {
        with_task(report.json(self.watch)?, self.task)
    }

    /// Opens the record of the run that `header` describes; returns its pieces.
    ///
    /// # Errors
    ///
    /// When keeping is required, and the record belongs to another run or cannot be opened.
    pub fn record<L: Piece>(
        &self,
        header: &impl Serialize,
    ) -> Result<(TaskRecord<L>, Vec<L>), Error> {
        self.opened(self.keeping.map(|keeping| keeping.path.to_owned()), header)
    }

    /// As [`Context::record`], but without a record if it is not required and playing is faster than reading it.
    ///
    /// # Errors
    ///
    /// As [`Context::record`].
    pub fn record_unless<L: Piece>(
        &self,
        is_fast: bool,
        header: &impl Serialize,
    ) -> Result<(TaskRecord<L>, Vec<L>), Error> {
        let keeping = self.keeping.filter(|keeping| keeping.is_required || !is_fast);
        self.opened(keeping.map(|keeping| keeping.path.to_owned()), header)
    }

    /// As [`Context::record`], with a record of this name in the folder of records.
    ///
    /// # Errors
    ///
    /// As [`Context::record`].
    pub fn record_in<L: Piece>(
        &self,
        name: &str,
        header: &impl Serialize,
    ) -> Result<(TaskRecord<L>, Vec<L>), Error> {
        self.keeping.map_or(Ok(()), |keeping| make_folder(keeping.path))?;
        self.opened(self.keeping.map(|keeping| keeping.path.join(name)), header)
    }

    fn opened<L: Piece>(
        &self,
        path: Option<PathBuf>,
        header: &impl Serialize,
    ) -> Result<(TaskRecord<L>, Vec<L>), Error> {
        let is_required = self.keeping.is_some_and(|keeping| keeping.is_required);
        let (none, lost) =
            (TaskRecord { record: Record::none(), is_required, lost: None }, Vec::new());
        let Some(path) = path else { return Ok((none, lost)) };
        match Record::open(&path, header) {
            Ok((record, known)) => Ok((TaskRecord { record, ..none }, known)),
            Err(error) if is_required => Err(error.into()),
            Err(error) => Ok((TaskRecord { lost: Some(error), ..none }, lost)),
        }
    }
}

/// Adds its task to the JSON of a report, a non-empty object.
///
/// # Errors
///
/// Errors of the serialisation, which no task causes.
pub fn with_task(mut json: String, task: Option<&Map<String, Value>>) -> Result<String, Error> {
    let Some(task) = task.filter(|_| json.ends_with('}')) else { return Ok(json) };
    let task = serde_json::to_string(task);
    let task = task.map_err(|error| Error::new(ErrorKind::Internal, error))?;
    json.pop();
    Ok(format!("{json},\"task\":{task}}}"))
}

/// The name that stands for standard input, if the files of a context support it.
pub const STANDARD_INPUT: &str = "-";

/// The files that tasks name.
pub trait Files: Sync {
    /// The text of a game.
    ///
    /// # Errors
    ///
    /// The reason why the text cannot be read, in words.
    fn rules(&self, name: &str) -> Result<String, String>;

    /// The text of a list of games that is not a file; `None` for files and for other names.
    ///
    /// # Errors
    ///
    /// When the task may not read the list, or it cannot be read.
    fn list(&self, name: &str) -> Result<Option<String>, Error>;

    /// The path to open for a file of another kind, or a folder.
    ///
    /// # Errors
    ///
    /// When the task may not read it.
    fn path(&self, name: &Path) -> Result<PathBuf, Error>;

    /// Opens a file to read it once; paths come from [`Files::path`].
    ///
    /// # Errors
    ///
    /// When it cannot be opened.
    fn open(&self, name: &Path) -> io::Result<Box<dyn Read + Send>> {
        Ok(Box::new(File::open(name)?))
    }

    /// The program of a chess engine: the named one, or an installed one.
    ///
    /// # Errors
    ///
    /// When there is no such engine.
    fn engine(&self, name: Option<&Path>) -> Result<PathBuf, Error> {
        let missing = || Error::new(ErrorKind::Engine, "no engine is named");
        name.map(Path::to_owned).ok_or_else(missing)
    }
}

/// All files of the machine, by their paths.
#[derive(Clone, Copy, Debug, Default)]
pub struct AnyFile;

impl Files for AnyFile {
    fn rules(&self, name: &str) -> Result<String, String> {
        rules_text(Path::new(name))
    }

    fn list(&self, _: &str) -> Result<Option<String>, Error> {
        Ok(None)
    }

    fn path(&self, name: &Path) -> Result<PathBuf, Error> {
        Ok(name.to_owned())
    }
}

/// The record of a task.
#[derive(Debug)]
pub struct TaskRecord<L> {
    record: Record<L>,
    is_required: bool,
    /// The reason why a wanted record is missing.
    lost: Option<JournalError>,
}

impl<L: Piece> TaskRecord<L> {
    /// The record that takes the pieces.
    pub fn pieces(&self) -> &Record<L> {
        &self.record
    }

    /// A watch that also stops once pieces can no longer be kept, if keeping is required.
    pub fn watch<'w>(&'w self, watch: &'w dyn Watch) -> impl Watch + 'w
    where
        L: Send,
    {
        RecordWatch { record: self.is_required.then_some(&self.record), watch }
    }

    /// Ends the record of a complete run, or of a run that continues later. Returns the error if pieces that are needed
    /// later are not all kept.
    #[must_use]
    pub fn end(self, incomplete: bool) -> Option<Error> {
        let ended = match (self.lost, incomplete) {
            (Some(error), _) => Err(error),
            (None, true) => self.record.close(),
            (None, false) => self.record.finish(),
        };
        // A record that the user did not request only serves to continue.
        let error = ended.err().filter(|_| self.is_required || incomplete)?;
        let message = format!("the {} are not all kept: {error}", L::PIECES);
        Some(Error::new(ErrorKind::Data, message))
    }
}

struct RecordWatch<'a, L> {
    record: Option<&'a Record<L>>,
    watch: &'a dyn Watch,
}

impl<L: Piece + Send> Watch for RecordWatch<'_, L> {
    fn progress(&self, progress: Progress) {
        self.watch.progress(progress);
    }

    fn note(&self, text: &str) {
        self.watch.note(text);
    }

    fn stop(&self) -> bool {
        self.watch.stop() || self.record.is_some_and(Record::has_failed)
    }
}
