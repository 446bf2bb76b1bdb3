//! A run: its facts, its folder and its state.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use treegauge_store::WholeFile;

use crate::task_form::Checked;
use crate::workspace::RUNS;

/// State of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum State {
    /// Waits for its turn.
    Queued,
    /// Its process works.
    Running,
    /// Its process was asked to keep its work and end.
    Pausing,
    /// Ended with its work kept.
    Paused,
    /// Ended with its report.
    Done,
    /// Ended by the user.
    Stopped,
    /// Ended with an error.
    Failed,
    /// The server ended before the run did.
    Interrupted,
}

impl State {
    /// All of them.
    pub(crate) const ALL: [State; 8] = [
        State::Queued,
        State::Running,
        State::Pausing,
        State::Paused,
        State::Done,
        State::Stopped,
        State::Failed,
        State::Interrupted,
    ];

    /// Name in JSON and on pages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            State::Queued => "queued",
            State::Running => "running",
            State::Pausing => "pausing",
            State::Paused => "paused",
            State::Done => "done",
            State::Stopped => "stopped",
            State::Failed => "failed",
            State::Interrupted => "interrupted",
        }
    }

    /// Whether the run has a process, or waits for one.
    pub(crate) fn is_live(self) -> bool {
        matches!(self, State::Queued | State::Running | State::Pausing)
    }
}

/// Facts of a run that its start decides, but for the title and the note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Facts {
    pub(crate) schema: u32,
    pub(crate) kind: String,
    /// Version of the program.
    pub(crate) version: String,
    pub(crate) title: String,
    #[serde(default)]
    pub(crate) note: String,
    pub(crate) task: Map<String, Value>,
    /// Command line that prints the report.
    pub(crate) command: Vec<String>,
    /// Words of the process. Paths are relative to the workspace.
    pub(crate) argv: Vec<String>,
    /// Whether a run that was stopped continues from what it kept.
    pub(crate) continues: bool,
    pub(crate) created_s: u64,
}

/// End of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct End {
    pub(crate) state: State,
    /// Exit code of the process; `None` if a signal ended it or there was none.
    pub(crate) exit: Option<i32>,
    /// Reason in words, unless all is well.
    pub(crate) error: Option<String>,
    /// CPU time and greatest memory of the process; `None` if the system does not say.
    pub(crate) cpu_s: Option<f64>,
    pub(crate) peak_memory_bytes: Option<u64>,
    pub(crate) ended_s: u64,
    /// Time from the start of the process to its end.
    pub(crate) seconds: f64,
}

/// Progress of a process.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Progress {
    pub(crate) phase: String,
    pub(crate) done: u64,
    pub(crate) known: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) games: Option<(u64, u64)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) expected: Option<u64>,
    #[serde(default)]
    pub(crate) memory_bytes: u64,
    /// Memory that positions may take, of a command that has such a limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) memory_bytes_max: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) left_s: Option<f64>,
}

/// A run.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) id: String,
    pub(crate) facts: Facts,
    pub(crate) state: State,
    pub(crate) end: Option<End>,
    pub(crate) progress: Option<Progress>,
    /// Engine that the workbench was started with.
    pub(crate) engine: Option<String>,
}

/// Names of the files in the folder of a run.
pub(crate) const FACTS: &str = "run.json";
pub(crate) const END: &str = "end.json";
pub(crate) const REPORT: &str = "report.json";
pub(crate) const PARTIAL: &str = "partial.json";
pub(crate) const LOG: &str = "log.jsonl";
/// Standard output of a process that works.
pub(crate) const OUTPUT: &str = ".output";

/// The longest file of facts that is read.
const BYTES_MAX: u64 = 1 << 20;

impl Run {
    /// Path of the report in the workspace: of the whole, or of the work until now.
    pub(crate) fn report_path(&self) -> String {
        let file = if self.state == State::Done { REPORT } else { PARTIAL };
        format!("{RUNS}/{}/{file}", self.id)
    }

    /// Reads the folder of a run; `None` if it is not one.
    pub(crate) fn read(folder: &Path) -> Option<Run> {
        let id = folder.file_name()?.to_str().filter(|id| is_id(id))?.to_owned();
        let read = |name: &str| {
            let path = folder.join(name);
            // A link could lead out of the workspace.
            let is_file = fs::symlink_metadata(&path).is_ok_and(|found| found.is_file());
            treegauge_store::read(&path, BYTES_MAX).ok().filter(|_| is_file)
        };
        let facts: Facts = serde_json::from_slice(&read(FACTS)?).ok()?;
        let end: Option<End> = read(END).and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let end = end.filter(|end| !end.state.is_live());
        let state = end.as_ref().map_or(State::Interrupted, |end| end.state);
        Some(Run { id, facts, state, end, progress: None, engine: None })
    }

    /// Command line that prints the report. It follows from the task, since the file of a run may come
    /// from somebody else.
    pub(crate) fn shown(&self) -> Vec<String> {
        let checked = Checked::of(&self.facts.task);
        let shown = checked.map(|checked| checked.shown_with(&self.id, self.engine.as_deref()));
        shown.unwrap_or_else(|_| self.facts.command.clone())
    }

    /// Folder of the run in that of all runs.
    pub(crate) fn folder(&self, runs: &Path) -> PathBuf {
        runs.join(&self.id)
    }

    /// Whether the run can be paused and continued.
    pub(crate) fn can_pause(&self) -> bool {
        self.facts.continues
    }

    /// Name of the command.
    pub(crate) fn command(&self) -> &str {
        self.facts.command.first().map_or("", String::as_str)
    }

    /// The run as JSON, for lists and for the changes of a run.
    pub(crate) fn json(&self) -> Value {
        serde_json::json!({
            "id": self.id,
            "title": self.facts.title,
            "note": self.facts.note,
            "state": self.state,
            "command": self.facts.command,
            "task": self.facts.task,
            "can_pause": self.can_pause(),
            "created_s": self.facts.created_s,
            "progress": self.progress,
            "end": self.end,
        })
    }
}

/// Whether a text is the name of a run: a date, a number, and words.
pub(crate) fn is_id(text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    text.len() <= 120 && number_of(text).is_some() && text.chars().all(is_plain)
}

/// The number in the name of a run.
pub(crate) fn number_of(id: &str) -> Option<u64> {
    let date = id.get(..11)?;
    let is_date = date.bytes().enumerate().all(|(n, byte)| match n {
        4 | 7 | 10 => byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    id[11..].split('-').next()?.parse().ok().filter(|_| is_date)
}

/// Subject of a run as its title names it: `rules(file=a.rules,digest=D)` is `a.rules`.
pub(super) fn short_name(subject: &str) -> &str {
    let inner = subject.strip_prefix("rules(file=").and_then(|rest| rest.strip_suffix(')'));
    let path = inner.map(|inner| inner.split_once(",digest=").map_or(inner, |(path, _)| path));
    // Other options of the game stay in the title.
    let is_whole = inner
        .is_some_and(|inner| inner.matches(',').count() <= usize::from(inner.contains(",digest=")));
    path.filter(|_| is_whole).unwrap_or(subject)
}

/// Words of a name that stand for a game, a file or several.
pub(crate) fn slug(text: &str) -> String {
    let mut words = String::new();
    for c in text.chars().take(60) {
        if c.is_ascii_alphanumeric() {
            words.push(c);
        } else if !words.is_empty() && !words.ends_with('_') {
            words.push('_');
        }
    }
    words.truncate(40);
    words.trim_end_matches('_').to_owned()
}

/// Writes JSON to a file, whole or not at all.
pub(crate) fn write_json(path: &Path, value: &impl Serialize) -> io::Result<()> {
    let mut file = WholeFile::create(path)?;
    serde_json::to_writer(&mut file, value)?;
    file.write_all(b"\n")?;
    file.finish()
}

/// Replaces a file that may be lost when the machine stops, but is never torn.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut hidden = path.as_os_str().to_owned();
    hidden.push(".new");
    create(hidden.as_ref())?.write_all(bytes)?;
    fs::rename(&hidden, path)
}

/// Creates a file in place of what is there, which may be a link.
pub(crate) fn create(path: &Path) -> io::Result<File> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => File::create_new(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_runs_are_plain() {
        assert!(is_id("2026-11-27-12-gauge-tic_tac_toe"));
        assert_eq!(number_of("2026-11-27-12-gauge-x"), Some(12));
        for text in
            ["", "..", "2026-11-27", "2026-11-27-x", "2026-11-27-1-../x", "trash", "2026-11-27-1-é"]
        {
            assert!(!is_id(text), "{text}");
        }
        assert_eq!(slug("mnk(rows=3,cols=3)"), "mnk_rows_3_cols_3");
        assert_eq!(short_name("rules(file=a/b.rules,digest=01)"), "a/b.rules");
        assert_eq!(short_name("rules(file=a.rules)"), "a.rules");
        for name in ["rules(file=a.rules,size=3)", "rules(file=a.rules,digest=01,size=3)", "achi"] {
            assert_eq!(short_name(name), name);
        }
        assert_eq!(slug("../../<script>"), "script");
    }
}
