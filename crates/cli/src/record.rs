//! Where the games of a long run are kept.

use std::fmt::Display;
use std::path::Path;

use serde::Serialize;
use serde_json::Value;
use tempfile::TempPath;
use treegauge_study::journal::{Header, Journal, Line, read_header};

use crate::exit::{Exit, Failure, OrExit, Outcome};
use crate::resume;

/// Where games are kept while the run goes on.
pub(crate) struct Record<L> {
    journal: Option<Journal<L>>,
    /// Without `--record`: a file that is taken away when the run ends by itself.
    temporary: Option<TempPath>,
    /// Why games are not kept. They are played all the same.
    failed: Option<anyhow::Error>,
}

impl<L: Line> Record<L> {
    /// Keeps nothing: the games are played again sooner than they would be read.
    pub(crate) fn nothing() -> Self {
        Record { journal: None, temporary: None, failed: None }
    }

    /// Opens the file that the user named, or else a temporary one.
    pub(crate) fn open<H: Serialize>(path: Option<&Path>, header: &H) -> Outcome<(Self, Vec<L>)> {
        if let Some(path) = path {
            let (journal, known) = Journal::open(path, header).or_data()?;
            resume::offer(resume::command(path));
            return Ok((Record { journal: Some(journal), temporary: None, failed: None }, known));
        }
        let open = || -> anyhow::Result<_> {
            let mut builder = tempfile::Builder::new();
            let file = builder.prefix("treegauge-").suffix(".jsonl").tempfile()?;
            let path = file.into_temp_path();
            let (journal, _) = Journal::open(&path, header)?;
            resume::offer(resume::command(&path));
            Ok((journal, path))
        };
        let record = match open() {
            Ok((journal, path)) => {
                Record { journal: Some(journal), temporary: Some(path), failed: None }
            }
            Err(error) => Record { journal: None, temporary: None, failed: Some(error) },
        };
        Ok((record, Vec::new()))
    }

    pub(crate) fn add(&mut self, game: &L) {
        if let (Some(journal), None) = (&mut self.journal, &self.failed) {
            self.failed = journal.add(game).err().map(anyhow::Error::from);
        }
    }

    /// The report was printed: ends the run, or says how to go on with one that was interrupted.
    pub(crate) fn end(self, incomplete: bool) -> Outcome {
        if !incomplete {
            return self.finish();
        }
        let report = "interrupted: the report above covers the games that were over by then";
        let go_on = match self.keep()? {
            Some(command) => format!("to go on:\n  {command}"),
            None => "none of them was kept, and the same command plays all of them".to_owned(),
        };
        Err(Failure::interrupted(format!("{report}; {go_on}")))
    }

    /// The run is complete. A temporary file is no longer needed, nor were its failures.
    fn finish(self) -> Outcome {
        match (self.journal, self.failed) {
            (Some(_), _) if self.temporary.is_some() => Ok(()),
            (Some(_), Some(error)) => Err(not_kept(error)),
            (Some(journal), None) => journal.finish().map_err(not_kept),
            (None, _) => Ok(()),
        }
    }

    /// The run was interrupted; says how to go on, if anything was to be kept.
    fn keep(self) -> Outcome<Option<String>> {
        if let Some(error) = self.failed {
            return Err(not_kept(error));
        }
        let Some(journal) = self.journal else { return Ok(None) };
        if let Some(temporary) = self.temporary {
            temporary.keep().map_err(not_kept)?;
        }
        Ok(Some(resume::command(journal.path())))
    }
}

/// What the record at `path` says that it holds.
pub(crate) fn holds(path: &Path) -> Outcome<String> {
    let header = read_header(path).or_data()?;
    let held = header.get("holds").and_then(Value::as_str).map(str::to_owned);
    held.ok_or_else(|| format!("the first line of {} is none of a record", path.display()))
        .or_data()
}

/// A record of this kind, as another run left it or is still writing it.
pub(crate) fn read<L: Line>(path: &Path, what: &str) -> Outcome<(Header, Vec<L>)> {
    let held = holds(path)?;
    if held != what {
        return Err(format!("{} holds {held:?}, not {what:?}", path.display())).or_data();
    }
    Journal::read(path).or_data()
}

fn not_kept(error: impl Display) -> Failure {
    Failure::new(Exit::Internal, format!("the games were not kept: {error}"))
}
