//! Tasks: every operation of the library through one function.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use cpu_time::ProcessTime;
use pyo3::prelude::*;
use serde_json::{Map, Value};
use treegauge::external::EXTERNAL_FAMILY;
use treegauge::report::{Boards, Doc, TextStyle};
use treegauge::tasks::{
    self, AnyTask, Context, Ending, FileOption, Files, Keeping, KeptPlace, Meter, Partial, Product,
    Report, TaskKind, Wanted, with_task,
};
use treegauge::{
    Error, ErrorKind, Game, Places, TextBoards, Watch, make_folder, memory, rules_text,
};

use crate::errors::{OrRaise, of_class};
use crate::search::Search;
use crate::solution::Solution;
use crate::wait::{Caller, Cut, Shared, SystemClock, wait, wait_here};

/// A task that has been done: its report, and what it left besides.
#[pyclass(module = "treegauge._treegauge", frozen)]
pub(crate) struct Done {
    /// The report as JSON on one line, with its task.
    #[pyo3(get)]
    json: String,
    /// Kind of the report.
    #[pyo3(get)]
    kind: &'static str,
    /// `good`, `no`, `invalid` or `incomplete`.
    #[pyo3(get)]
    ending: &'static str,
    /// The missing parts or the finding, in words.
    #[pyo3(get)]
    words: Option<String>,
    /// Notes on the input and on the run.
    #[pyo3(get)]
    notes: Vec<String>,
    text: Mutex<Text>,
    product: Mutex<Option<Product>>,
}

#[pymethods]
impl Done {
    /// The report as text, which is written when it is asked for first.
    fn text(&self) -> String {
        self.text.lock().unwrap_or_else(PoisonError::into_inner).written()
    }

    /// The search that can grow; `None` if there is none, or it was taken before.
    fn take_search(&self) -> Option<Search> {
        let mut product = self.product.lock().ok()?;
        match product.take() {
            Some(Product::Search(search)) => Some(Search::new(*search)),
            other => {
                *product = other;
                None
            }
        }
    }

    /// The solution in memory; `None` if there is none, or it was taken before.
    fn take_solution(&self) -> Option<Solution> {
        let mut product = self.product.lock().ok()?;
        match product.take() {
            Some(Product::Solution(solution)) => Some(Solution::new(*solution)),
            other => {
                *product = other;
                None
            }
        }
    }
}

/// The text of a report.
enum Text {
    Written(String),
    Unwritten(Box<Unwritten>),
}

/// A report with all that its text says.
struct Unwritten {
    report: Box<dyn Report>,
    game: Option<Game>,
    doc: Option<Doc>,
    details: Option<Doc>,
    named: Vec<(String, String)>,
}

impl Text {
    fn written(&mut self) -> String {
        let text = match self {
            Text::Written(text) => return text.clone(),
            Text::Unwritten(unwritten) => unwritten.write(),
        };
        *self = Text::Written(text.clone());
        text
    }
}

impl Unwritten {
    fn write(&mut self) -> String {
        let boards: &dyn Boards = match &self.game {
            Some(game) => game,
            None => &TextBoards,
        };
        let mut doc = self.doc.take().unwrap_or_else(|| self.report.doc(boards));
        self.named.iter().for_each(|(word, name)| doc.name_in_next(word, name));
        doc.leave_out_next();
        let mut text = doc.text(TextStyle::default());
        if let Some(details) = &self.details {
            text.push('\n');
            text.push_str(&details.text(TextStyle::default()));
        }
        text
    }
}

/// Files that tasks read: texts of games from memory first.
struct Sources {
    texts: HashMap<String, String>,
    engine: Option<PathBuf>,
    places: Arc<Places>,
}

impl Files for Sources {
    fn rules(&self, name: &str) -> Result<String, String> {
        match self.texts.get(name) {
            Some(text) => Ok(text.clone()),
            None => rules_text(Path::new(name)),
        }
    }

    fn list(&self, name: &str) -> Result<Option<String>, Error> {
        let path = Path::new(name);
        if path.exists() {
            self.places.to_read(path)?;
        }
        Ok(None)
    }

    fn path(&self, name: &Path) -> Result<PathBuf, Error> {
        Ok(name.to_owned())
    }

    fn engine(&self, name: Option<&Path>) -> Result<PathBuf, Error> {
        let missing = || {
            let message = "no engine was found: install `stockfish`, or name one with engine=PATH";
            Error::new(ErrorKind::Engine, message)
        };
        name.map(Path::to_owned).or_else(|| self.engine.clone()).ok_or_else(missing)
    }
}

/// Measures this process.
struct Process;

impl Meter for Process {
    fn cpu(&self) -> Option<Duration> {
        Some(ProcessTime::now().as_duration())
    }

    fn peak_memory_bytes(&self) -> Option<u64> {
        memory::peak_bytes()
    }
}

/// A run with all that its caller said.
struct Run {
    kind: &'static TaskKind,
    task: Box<dyn AnyTask>,
    echo: Map<String, Value>,
    memory_bytes_max: Option<u64>,
    files: HashMap<String, PathBuf>,
    kept: Option<PathBuf>,
    every: Option<Duration>,
    sources: Sources,
}

/// The result of a run.
struct Left {
    json: String,
    kind: &'static str,
    text: Text,
    ending: Ending,
    notes: Vec<String>,
    problem: Option<Error>,
    product: Option<Product>,
}

/// Passes interim reports on to the caller.
struct Interims<'a> {
    watch: &'a Shared,
    /// The task, which reports repeat.
    echo: &'a Map<String, Value>,
}

impl Partial for Interims<'_> {
    fn every(&self) -> Duration {
        PARTIAL
    }

    fn report(&self, report: &dyn Report) {
        let json = report.json(&()).and_then(|json| with_task(json, Some(self.echo)));
        if let Ok(json) = json {
            self.watch.set_partial(report.kind(), json);
        }
    }
}

/// Least time between two interim reports.
const PARTIAL: Duration = Duration::from_secs(1);

impl Run {
    fn done(self, watch: &Shared) -> Result<Left, Error> {
        let interims = Interims { watch, echo: &self.echo };
        let places = &self.sources.places;
        for path in self.task.inputs()? {
            places.to_read(&path)?;
        }
        let wanted = self.wanted()?;
        let kept = self.kept()?;
        let keeping = kept.as_deref().map(|path| Keeping {
            path,
            is_required: self.kept.is_some(),
            every: self.every,
        });
        let context = Context {
            watch,
            clock: SystemClock::shared(),
            files: &self.sources,
            memory_bytes_max: self.memory_bytes_max,
            wanted: &wanted,
            places: places.clone(),
            meter: &Process,
            task: Some(&self.echo),
            partial: watch.hears_partial.then_some(&interims as &dyn Partial),
            keeping,
            ..Context::default()
        };
        let mut done = self.task.run(&context)?;
        for file in std::mem::take(&mut done.files) {
            write(&wanted, file, places, watch)?;
        }
        let is_checkpoint =
            self.kind.means.kept.is_some_and(|kept| kept.place == KeptPlace::Checkpoint);
        if let (true, Ending::Good, Some(path)) = (is_checkpoint, &done.ending, &kept) {
            // The work is whole, so nothing continues from there.
            _ = std::fs::remove_file(path);
        }
        // An interrupted run has a report, too.
        let json = with_task(done.report.json(&())?, Some(&self.echo))?;
        let kind = done.report.kind();
        let tasks::Done { ending, notes, problem, product, report, .. } = done;
        let tasks::Done { game, text: doc, details, named, .. } = done;
        let mut text = Unwritten { report, game, doc, details, named };
        // A search of microseconds does not wait for its text. Others do, since their reports may hold
        // the memory of a solution.
        let text = match self.kind.name {
            "search" => Text::Unwritten(Box::new(text)),
            _ => Text::Written(text.write()),
        };
        Ok(Left { json, kind, text, ending, notes, problem, product })
    }

    /// The requested files, after a check that they can be written.
    fn wanted(&self) -> Result<Vec<Wanted>, Error> {
        let files = self.kind.means.files.iter();
        let asked = files.filter_map(|option| Some((option, self.files.get(option.name)?)));
        let wanted = asked.map(|(option, path)| {
            let kind = self.task.file_kind(option, path)?;
            let places = &self.sources.places;
            let file = (!option.is_folder).then(|| places.to_write(path, kind)).transpose()?;
            Ok(Wanted { option: option.name, path: path.clone(), kind, file })
        });
        wanted.collect()
    }

    /// The place of the work, after a check that it can be written.
    fn kept(&self) -> Result<Option<PathBuf>, Error> {
        let Some(kept) = self.kind.means.kept else { return Ok(None) };
        let is_checkpoint = kept.place == KeptPlace::Checkpoint;
        let output = self.files.get(FileOption::OUTPUT).filter(|_| is_checkpoint);
        let beside = || {
            let mut name = output?.clone().into_os_string();
            name.push(".checkpoint");
            Some(PathBuf::from(name))
        };
        let path = self.kept.clone().or_else(beside);
        let is_file =
            matches!(kept.place, KeptPlace::File | KeptPlace::Checkpoint | KeptPlace::Answers);
        match &path {
            Some(path) if self.task.reads_record() => self.sources.places.to_read(path)?,
            Some(path) if is_file => self.sources.places.to_extend(path)?,
            _ => {}
        }
        Ok(path)
    }
}

fn write(
    wanted: &[Wanted],
    file: tasks::TaskFile,
    places: &Places,
    watch: &dyn Watch,
) -> Result<(), Error> {
    let tasks::TaskFile { option, name, write } = file;
    let Some(wanted) = wanted.iter().find(|wanted| wanted.option == option) else { return Ok(()) };
    let file = match (&wanted.file, name) {
        (Some(file), _) => file.clone(),
        (None, None) => return Ok(()),
        (None, Some(name)) => {
            make_folder(&wanted.path)?;
            places.to_write(&wanted.path.join(name), wanted.kind)?
        }
    };
    file.write_with(|out| write(out, watch))
}

/// Does a task, a JSON object with the command and its options. The result has the report, also if
/// a check failed or work is missing.
///
/// `sources` are texts of games by file name. `files` are the requested files by option, and `kept`
/// is the place of the work. `engine` is the chess engine if the task names none.
///
/// An exception of a signal, of `stop` or of `progress` ends the work; it has the unfinished result
/// as `_done`, where there is one. `progress` is told interim reports if `hears_partial` is true.
#[pyfunction]
#[pyo3(signature = (task, sources, files, *, kept=None, checkpoint_minutes=10.0, force=false, engine=None, threads=None, memory_max=None, stop=None, progress=None, hears_partial=false))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword of Python")]
pub(crate) fn run(
    py: Python<'_>,
    task: &str,
    sources: HashMap<String, String>,
    files: HashMap<String, PathBuf>,
    kept: Option<PathBuf>,
    checkpoint_minutes: f64,
    force: bool,
    engine: Option<PathBuf>,
    threads: Option<usize>,
    memory_max: Option<u64>,
    stop: Option<Bound<'_, PyAny>>,
    progress: Option<Bound<'_, PyAny>>,
    hears_partial: bool,
) -> PyResult<Done> {
    let fields = tasks::object_of(task);
    let fields = fields.map_err(|error| Error::new(ErrorKind::Usage, error)).or_raise(py)?;
    let kind = tasks::kind_of_task(&fields).or_raise(py)?;
    let (task, echo) = kind.task_of_caller(&fields).or_raise(py)?;
    let places = Arc::new(Places::default());
    if force {
        places.allow_replacing();
    }
    // A search may grow several trees.
    let is_parallel = kind.means.threads || kind.name == "search";
    let threads = if is_parallel { threads } else { Some(1) };
    let is_single = kind.name == "search" && grows_one_tree(&echo);
    let every = Duration::try_from_secs_f64(60.0 * checkpoint_minutes).ok();
    let run = Run {
        kind,
        task,
        echo,
        memory_bytes_max: memory_max.or_else(memory::share),
        files,
        kept,
        every: every.filter(|every| !every.is_zero()),
        sources: Sources { texts: sources, engine, places },
    };
    let caller = Caller { threads, stop, progress, hears_partial };
    let work = move |watch: &Shared| {
        let mut left = run.done(watch)?;
        left.notes.extend(watch.take_notes());
        Ok(left)
    };
    let (result, cut) =
        if is_single { wait_here(py, caller, work) } else { wait(py, &caller, work) };
    let Some(cut) = cut else {
        let left = result.or_raise(py)?;
        return match &left.problem {
            Some(problem) => Err(crate::errors::exception(py, problem)),
            None => Ok(done_of(left)),
        };
    };
    let left = result.as_ref().err().map(ToString::to_string);
    let words = left.unwrap_or_else(|| "stopped by the caller".to_owned());
    let raised = match cut {
        Cut::Raised(raised) => {
            if result.is_err() {
                // The words say what was kept. Versions before 3.11 have no notes.
                _ = raised.value(py).call_method1("add_note", (&words,));
            }
            raised
        }
        Cut::Stopped => of_class(py, "Stopped", &words),
    };
    if let Ok(left) = result {
        // An exception may refuse attributes; then it is passed on as it is.
        _ = raised.value(py).setattr("_done", Py::new(py, done_of(left))?);
    }
    Err(raised)
}

/// Whether a search grows one tree of a game of the library, and so needs no other thread. A search of
/// a game object stays on a thread of its own, so that signals are raised in the call and not in a
/// method of the object.
fn grows_one_tree(task: &Map<String, Value>) -> bool {
    let game = task.get("game").and_then(Value::as_str).unwrap_or_default();
    let is_external = game.starts_with(EXTERNAL_FAMILY.name);
    !is_external && ["player", "trees"].iter().all(|field| !task.contains_key(*field))
}

fn done_of(left: Left) -> Done {
    let (ending, words) = match left.ending {
        Ending::Good => ("good", None),
        Ending::No(words) => ("no", words),
        Ending::Incomplete(words) => ("incomplete", words),
        _ => ("invalid", None),
    };
    let Left { json, kind, text, notes, product, .. } = left;
    let text = text.into();
    Done { json, kind, text, ending, words, notes, product: product.into() }
}

/// The command line of the program for a task, a JSON object.
#[pyfunction]
pub(crate) fn command_line(py: Python<'_>, task: &str) -> PyResult<String> {
    let fields = tasks::object_of(task);
    let fields = fields.map_err(|error| Error::new(ErrorKind::Usage, error)).or_raise(py)?;
    tasks::command_line(&fields).or_raise(py)
}
