//! Runs: commands as processes of their own, one folder each.

mod child;
mod run;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fs;
use std::io;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use serde_json::json;
use tokio::sync::mpsc;
use tokio::time::Instant;

use crate::answer::Refusal;
use crate::hub::Hub;
use crate::task_form::{Checked, Means, kind_of};
use crate::workspace::{OWN, RUNS, Workspace};

pub use child::ROOT;
use child::{Ask, Ended, News, Start};
pub(crate) use child::{is_out_of_memory, kill_group, limit};
pub(crate) use run::{End, Facts, LOG, PARTIAL, Progress, REPORT, Run, State};
use run::{number_of, short_name, slug, write_json};

/// The greatest number of runs that wait.
const QUEUED_MAX: usize = 32;

/// The greatest number of starts in a minute.
const STARTS_MAX: usize = 60;

/// No run begins with less free disk.
const FREE_BYTES_MIN: u64 = 1 << 30;

/// The least time between two messages about the progress of a run.
const PROGRESS_EVERY: Duration = Duration::from_millis(200);

/// The age at which the trash is emptied, in seconds.
const TRASH_S: u64 = 7 * 24 * 3600;

/// All runs of a workspace.
pub(crate) struct Runs {
    workspace: Workspace,
    program: PathBuf,
    means: Means,
    at_once: usize,
    now_s: fn() -> u64,
    hub: Rc<Hub>,
    runs: RefCell<BTreeMap<u64, Run>>,
    queue: RefCell<VecDeque<u64>>,
    live: RefCell<HashMap<u64, Live>>,
    starts: RefCell<VecDeque<Instant>>,
    is_closing: Cell<bool>,
}

/// A run with a process.
struct Live {
    asks: mpsc::Sender<Ask>,
    /// The state in which the run ends, if it was asked to end.
    wish: Option<State>,
    told: Option<Instant>,
}

/// Settings of the runs of a workbench.
#[derive(Debug)]
pub(crate) struct How {
    pub(crate) program: PathBuf,
    pub(crate) means: Means,
    pub(crate) at_once: usize,
    pub(crate) now_s: fn() -> u64,
}

impl Runs {
    /// Reads the runs of a workspace, and empties its trash of what is old.
    pub(crate) fn open(workspace: &Workspace, how: How, hub: Rc<Hub>) -> io::Result<Rc<Runs>> {
        let folder = workspace.folder(RUNS)?;
        // A link could lead out of the workspace.
        let is_folder = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
        let found = fs::read_dir(&folder)?.flatten().filter(is_folder);
        let found = found.filter_map(|entry| Run::read(&entry.path()));
        let How { program, means, at_once, now_s } = how;
        let known =
            |run: Run| Some((number_of(&run.id)?, Run { engine: means.engine.clone(), ..run }));
        let runs = found.filter_map(known).collect();
        let runs = Rc::new(Runs {
            workspace: workspace.clone(),
            program,
            means,
            at_once,
            now_s,
            hub,
            runs: RefCell::new(runs),
            queue: RefCell::default(),
            live: RefCell::default(),
            starts: RefCell::default(),
            is_closing: Cell::new(false),
        });
        runs.empty_trash();
        Ok(runs)
    }

    /// Folder of all runs.
    fn folder(&self) -> PathBuf {
        self.workspace.root().join(RUNS)
    }

    /// Path of a file in the folder of a run.
    pub(crate) fn file(&self, run: &Run, name: &str) -> PathBuf {
        run.folder(&self.folder()).join(name)
    }

    /// The run of a name.
    pub(crate) fn get(&self, id: &str) -> Result<Run, Refusal> {
        let found = number_of(id).and_then(|number| self.runs.borrow().get(&number).cloned());
        found.filter(|run| run.id == id).ok_or_else(no_run)
    }

    /// All runs, the latest first.
    pub(crate) fn all(&self) -> Vec<Run> {
        self.runs.borrow().values().rev().cloned().collect()
    }

    /// Number of runs that wait before this one; `None` if it does not wait.
    pub(crate) fn place(&self, id: &str) -> Option<usize> {
        let number = number_of(id)?;
        self.queue.borrow().iter().position(|queued| *queued == number)
    }

    /// Memory that a run gives to positions of a solve.
    pub(crate) fn memory_of_positions(&self) -> u64 {
        self.means.memory_bytes / 4 * 3
    }

    /// Starts a run of a task, or puts it into the queue.
    pub(crate) fn start(
        self: &Rc<Self>,
        task: serde_json::Map<String, serde_json::Value>,
        title: Option<String>,
    ) -> Result<Run, Refusal> {
        let checked = Checked::of(&task)?;
        self.workspace.check_task(&task)?;
        self.admit()?;
        let number = self.runs.borrow().last_key_value().map_or(0, |(number, _)| *number) + 1;
        let created_s = (self.now_s)();
        let subject = short_name(checked.subject.as_deref().unwrap_or_default());
        let name = [checked.kind.name.to_owned(), slug(subject)];
        let name = name.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-");
        let id = format!("{}-{number}-{name}", crate::dates::day(created_s));
        let title = title.unwrap_or_else(|| match subject {
            "" => checked.kind.name.to_owned(),
            subject => format!("{} {subject}", checked.kind.name),
        });
        let facts = Facts {
            schema: 1,
            kind: "run".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            title,
            note: String::new(),
            task,
            command: checked.shown_with(&id, self.means.engine.as_deref()),
            argv: checked.argv(&id, &self.means),
            continues: checked.continues(),
            created_s,
        };
        let engine = self.means.engine.clone();
        let run = Run { id, facts, state: State::Queued, end: None, progress: None, engine };
        let made = (self.workspace.folder(&format!("{RUNS}/{}", run.id)))
            .and_then(|_| write_json(&self.file(&run, run::FACTS), &run.facts));
        made.map_err(|error| cannot_write(&error))?;
        self.runs.borrow_mut().insert(number, run.clone());
        self.enqueue(number);
        self.get(&run.id)
    }

    /// Checks that one more run may begin.
    fn admit(&self) -> Result<(), Refusal> {
        if self.is_closing.get() {
            return Err(Refusal::busy("The workbench is ending."));
        }
        self.check_disk()?;
        let mut starts = self.starts.borrow_mut();
        let now = Instant::now();
        starts.retain(|at| now - *at < Duration::from_secs(60));
        if starts.len() >= STARTS_MAX {
            return Err(Refusal::new(429, "60 runs began within a minute. Wait a minute."));
        }
        let is_full = self.queue.borrow().len() >= QUEUED_MAX;
        if is_full && self.live.borrow().len() >= self.at_once {
            let error =
                format!("{QUEUED_MAX} runs wait already. Wait for one to begin, or stop one.");
            return Err(Refusal::new(429, error));
        }
        starts.push_back(now);
        Ok(())
    }

    /// Checks that the disk has room for the work of a run.
    fn check_disk(&self) -> Result<(), Refusal> {
        if self.workspace.free_bytes().is_none_or(|free| free >= FREE_BYTES_MIN) {
            return Ok(());
        }
        let error = "Less than 1 GB of the disk is free, and no run begins then.";
        Err(Refusal::busy(error).hint("Make room, or choose a folder on another disk."))
    }

    fn enqueue(self: &Rc<Self>, number: u64) {
        self.queue.borrow_mut().push_back(number);
        self.set(number, State::Queued, None);
        self.begin_next();
    }

    /// Begins runs while there is room.
    fn begin_next(self: &Rc<Self>) {
        while !self.is_closing.get() && self.live.borrow().len() < self.at_once {
            let Some(number) = self.queue.borrow_mut().pop_front() else { return };
            let run = self.runs.borrow().get(&number).cloned();
            let Some(run) = run else { continue };
            // The disk may have filled while a run waited. Others that wait fail when it is their turn, which
            // is after a run that ends and may leave room.
            if let Err(refusal) = self.check_disk() {
                self.fail(&run, number, &refusal);
                if self.live.borrow().is_empty() {
                    continue;
                }
                return;
            }
            let argv = match self.argv(&run) {
                Ok(argv) => argv,
                Err(refusal) => {
                    self.fail(&run, number, &refusal);
                    continue;
                }
            };
            let (asks, heard) = mpsc::channel(4);
            self.live.borrow_mut().insert(number, Live { asks, wish: None, told: None });
            self.set(number, State::Running, None);
            let start = Start {
                program: self.program.clone(),
                argv,
                root: self.workspace.root().to_owned(),
                folder: run.folder(&self.folder()),
                memory_bytes_max: self.means.memory_bytes,
            };
            let runs = Rc::clone(self);
            tokio::task::spawn_local(async move {
                let teller = Rc::clone(&runs);
                let ended = start.run(heard, move |news| teller.tell(number, news)).await;
                runs.end(number, ended);
            });
        }
    }

    /// Ends a run that could not begin.
    fn fail(&self, run: &Run, number: u64, refusal: &Refusal) {
        let end = End { error: Some(refusal.words()), ..self.unstarted(State::Failed) };
        _ = write_json(&self.file(run, run::END), &end);
        self.set(number, State::Failed, Some(end));
    }

    /// Words of the process of a run. They follow from its task and not from its file, which may come from somebody
    /// else. So may links in its folder, through which the process would read and write.
    fn argv(&self, run: &Run) -> Result<Vec<String>, Refusal> {
        let folder = run.folder(&self.folder());
        let refused = |reason| Refusal::new(409, format!("The folder of the run: {reason}."));
        self.workspace.check(&folder).map_err(refused)?;
        self.workspace.check_task(&run.facts.task)?;
        Ok(Checked::of(&run.facts.task)?.argv(&run.id, &self.means))
    }

    /// Notes what is new about a process, and tells all pages.
    fn tell(&self, number: u64, news: News) {
        let mut runs = self.runs.borrow_mut();
        let Some(run) = runs.get_mut(&number) else { return };
        match news {
            News::Partial => self.hub.send(&json!({"run": run.id, "change": "report"})),
            News::Progress(progress) => {
                let has_limit = kind_of(run.command()).is_some_and(|kind| kind.means.memory);
                let memory_bytes_max = has_limit.then(|| self.memory_of_positions());
                run.progress = Some(Progress { memory_bytes_max, ..progress });
                let mut live = self.live.borrow_mut();
                let Some(live) = live.get_mut(&number) else { return };
                let now = Instant::now();
                if live.told.is_none_or(|told| now - told >= PROGRESS_EVERY) {
                    live.told = Some(now);
                    let words = crate::pages::progress_words(run);
                    let share = crate::pages::progress_share(run);
                    self.hub.send(&json!({
                        "run": run.id, "change": "progress", "words": words, "share": share,
                    }));
                }
            }
        }
    }

    /// Notes the end of a process.
    fn end(self: &Rc<Self>, number: u64, ended: Ended) {
        let live = self.live.borrow_mut().remove(&number);
        let wish = live.and_then(|live| live.wish);
        let run = self.runs.borrow().get(&number).cloned();
        if let Some(run) = run {
            let end = self.judge(&run, wish, ended);
            // A folder that is gone was deleted by others.
            _ = write_json(&self.file(&run, run::END), &end);
            self.set(number, end.state, Some(end));
        }
        self.begin_next();
    }

    /// The end that the exit of a process is, with its report in place.
    fn judge(&self, run: &Run, wish: Option<State>, ended: Ended) -> End {
        let exit = ended.status.and_then(|status| status.code());
        let output = self.file(run, run::OUTPUT);
        let has_report = fs::metadata(&output).is_ok_and(|facts| facts.len() > 0);
        // Some rows of a file may be wrong, or the engine may fail on some problems: the report says so.
        let is_list = run.command() == "difficulty" && matches!(exit, Some(65 | 69)) && has_report;
        let is_over =
            matches!(exit, Some(0 | 1)) || (exit == Some(65) && ended.error.is_none()) || is_list;
        let place = if is_over { REPORT } else { PARTIAL };
        if has_report {
            _ = fs::rename(&output, self.file(run, place));
        } else {
            _ = fs::remove_file(&output);
        }
        if is_over {
            _ = fs::remove_file(self.file(run, PARTIAL));
        }
        let (state, error) = match (exit, wish) {
            _ if is_over && has_report => (State::Done, ended.error),
            (Some(130), _) | (None | Some(143), Some(_)) => {
                let paused = if run.can_pause() { State::Paused } else { State::Stopped };
                (
                    wish.map_or(paused, |wish| if wish == State::Paused { paused } else { wish }),
                    None,
                )
            }
            _ => (State::Failed, Some(self.failure(run, &ended))),
        };
        End {
            state,
            exit,
            error,
            cpu_s: ended.cpu_s,
            peak_memory_bytes: ended.peak_memory_bytes,
            ended_s: (self.now_s)(),
            seconds: ended.seconds,
        }
    }

    /// Reason of a failure in words.
    fn failure(&self, run: &Run, ended: &Ended) -> String {
        let kept = if run.can_pause() {
            "; what it kept is there, and Resume continues it"
        } else {
            ". Nothing of it is kept"
        };
        if ended.is_memory {
            let limit = self.means.memory_bytes as f64 / f64::from(1 << 30);
            return format!(
                "The run needed more than {limit:.1} GiB and was ended{kept}. For a larger limit: \
                 `treegauge serve --memory-per-run {}G`.",
                (2.0 * limit).ceil()
            );
        }
        if let Some(error) = &ended.error {
            let is_missing = error.starts_with("no engine was found")
                || error.contains(" is in no folder of PATH");
            if is_missing {
                return crate::pages::NO_ENGINE.to_owned();
            }
            return crate::task_form::sentence(error);
        }
        match ended.status.map(|status| (status.code(), signal_of(status))) {
            Some((Some(code), _)) => {
                format!("The command ended with code {code} and without a report.")
            }
            Some((None, Some(signal))) => {
                format!("The command was ended by signal {signal}{kept}.")
            }
            _ => "The command could not be started.".to_owned(),
        }
    }

    /// Asks a run to keep its work and end.
    pub(crate) fn pause(&self, id: &str) -> Result<(), Refusal> {
        let run = self.get(id)?;
        if !run.can_pause() {
            let error =
                format!("`{}` keeps nothing, so it cannot be paused, only stopped.", run.command());
            return Err(Refusal::new(409, error));
        }
        self.ask(&run, Ask::Pause, State::Paused)
    }

    /// Asks a run to end.
    pub(crate) fn stop(&self, id: &str) -> Result<(), Refusal> {
        let run = self.get(id)?;
        self.ask(&run, Ask::Stop, State::Stopped)
    }

    fn ask(&self, run: &Run, ask: Ask, wish: State) -> Result<(), Refusal> {
        let number = number_of(&run.id).ok_or_else(no_run)?;
        let place = self.queue.borrow().iter().position(|queued| *queued == number);
        if let Some(place) = place {
            self.queue.borrow_mut().remove(place);
            let end = self.unstarted(wish);
            write_json(&self.file(run, run::END), &end).map_err(|error| cannot_write(&error))?;
            self.set(number, wish, Some(end));
            return Ok(());
        }
        let is_asked = self.live.borrow_mut().get_mut(&number).is_some_and(|live| {
            live.wish = Some(wish);
            live.asks.try_send(ask).is_ok()
        });
        if is_asked {
            self.set(number, State::Pausing, None);
            return Ok(());
        }
        // A second wish while the first one is being fulfilled changes nothing.
        if self.live.borrow().contains_key(&number) {
            return Ok(());
        }
        Err(Refusal::new(409, format!("The run is {}.", run.state.name())))
    }

    fn unstarted(&self, state: State) -> End {
        let ended_s = (self.now_s)();
        End {
            state,
            exit: None,
            error: None,
            cpu_s: None,
            peak_memory_bytes: None,
            ended_s,
            seconds: 0.0,
        }
    }

    /// Continues a run, or begins it again where nothing was kept.
    pub(crate) fn resume(self: &Rc<Self>, id: &str) -> Result<(), Refusal> {
        let run = self.get(id)?;
        if run.state.is_live() || run.state == State::Done {
            return Err(Refusal::new(409, format!("The run is {}.", run.state.name())));
        }
        self.admit()?;
        let number = number_of(id).ok_or_else(no_run)?;
        match fs::remove_file(self.file(&run, run::END)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(cannot_write(&error));
            }
            _ => {}
        }
        self.enqueue(number);
        Ok(())
    }

    /// Moves the folder of a run to the trash.
    pub(crate) fn delete(&self, id: &str) -> Result<(), Refusal> {
        let run = self.get(id)?;
        if run.state.is_live() {
            return Err(Refusal::new(409, "The run is not over. Stop it first."));
        }
        let to = format!("{}-{}", (self.now_s)(), run.id);
        (self.workspace.folder(&format!("{OWN}/trash")))
            .and_then(|trash| fs::rename(run.folder(&self.folder()), trash.join(to)))
            .map_err(|error| cannot_write(&error))?;
        number_of(id).and_then(|number| self.runs.borrow_mut().remove(&number));
        self.hub.send(&json!({"run": run.id, "change": "deleted"}));
        self.empty_trash();
        Ok(())
    }

    /// Sets the title and the note of a run.
    pub(crate) fn edit(
        &self,
        id: &str,
        title: Option<String>,
        note: Option<String>,
    ) -> Result<Run, Refusal> {
        let mut run = self.get(id)?;
        run.facts.title = title.filter(|title| !title.trim().is_empty()).unwrap_or(run.facts.title);
        run.facts.note = note.unwrap_or(run.facts.note);
        write_json(&self.file(&run, run::FACTS), &run.facts)
            .map_err(|error| cannot_write(&error))?;
        let mut runs = self.runs.borrow_mut();
        if let Some(known) = number_of(id).and_then(|number| runs.get_mut(&number)) {
            known.facts = run.facts.clone();
        }
        self.hub.send(&json!({"run": run.id, "change": "state", "state": run.state}));
        Ok(run)
    }

    fn set(&self, number: u64, state: State, end: Option<End>) {
        let mut runs = self.runs.borrow_mut();
        let Some(run) = runs.get_mut(&number) else { return };
        run.state = state;
        run.end = end;
        if state == State::Queued {
            run.progress = None;
        }
        let words = crate::pages::state_words(run);
        self.hub.send(&json!({"run": run.id, "change": "state", "state": state, "words": words}));
    }

    fn empty_trash(&self) {
        let name = format!("{OWN}/trash");
        let Some(trash) = Some(self.workspace.root().join(&name))
            .filter(|trash| trash.is_dir())
            .and_then(|_| self.workspace.folder(&name).ok())
        else {
            return;
        };
        let now_s = (self.now_s)();
        for entry in fs::read_dir(trash).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let thrown_s =
                name.to_str().and_then(|name| name.split('-').next()?.parse::<u64>().ok());
            if thrown_s.is_some_and(|thrown_s| thrown_s + TRASH_S < now_s) {
                // The next time tries again.
                _ = fs::remove_dir_all(entry.path());
            }
        }
    }

    /// Ends all runs, with their work kept.
    pub(crate) async fn close(&self) {
        self.is_closing.set(true);
        for number in std::mem::take(&mut *self.queue.borrow_mut()) {
            let run = self.runs.borrow().get(&number).cloned();
            let Some(run) = run else { continue };
            let end = self.unstarted(State::Paused);
            _ = write_json(&self.file(&run, run::END), &end);
            self.set(number, State::Paused, Some(end));
        }
        for live in self.live.borrow_mut().values_mut() {
            live.wish = live.wish.or(Some(State::Paused));
            _ = live.asks.try_send(Ask::Pause);
        }
        let patience = Instant::now() + Duration::from_millis(2_500);
        while !self.live.borrow().is_empty() && Instant::now() < patience {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

#[cfg(unix)]
fn signal_of(status: std::process::ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal_of(_: std::process::ExitStatus) -> Option<i32> {
    None
}

fn no_run() -> Refusal {
    Refusal::not_found("There is no such run.").hint("The page `Runs` lists all runs.")
}

fn cannot_write(error: &io::Error) -> Refusal {
    Refusal::busy(format!("The workspace cannot be written: {}.", error.kind()))
}
