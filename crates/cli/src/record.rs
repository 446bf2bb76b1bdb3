//! Where the games, or other pieces, of a long run are kept.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use serde::Serialize;
use tempfile::TempPath;
use treegauge::study::Record;
use treegauge::study::journal::Line;
use treegauge::{Error, Progress, Watch};

use crate::exit::{Exit, Failure, Outcome};
use crate::files::to_extend;
use crate::output::complain;
use crate::solving::Bar;
use crate::temporary::KEPT_WORDS;
use crate::{resume, temporary};

/// Where the pieces of a run, its games for example, are kept while it lasts: the file that the user named, or
/// else a temporary one, from which an interrupted run can continue.
pub(crate) struct RunRecord<L> {
    record: Record<L>,
    path: Option<PathBuf>,
    /// Without `--record`: removed when the run ends by itself.
    temporary: Option<TempPath>,
    /// Why there is no record. The run goes on all the same.
    failed: Option<anyhow::Error>,
}

impl<L: Line> RunRecord<L> {
    /// Keeps nothing: making the pieces again is faster than reading them.
    pub(crate) fn none() -> Self {
        RunRecord { record: Record::none(), path: None, temporary: None, failed: None }
    }

    /// Opens the file that the user named, or else a temporary one; returns the pieces that it holds.
    pub(crate) fn open<H: Serialize>(path: Option<&Path>, header: &H) -> Outcome<(Self, Vec<L>)> {
        if let Some(path) = path {
            to_extend(path)?;
            let (record, known) = Record::open(path, header).map_err(Error::from)?;
            resume::offer(resume::command(path));
            let path = Some(path.to_owned());
            return Ok((RunRecord { record, path, temporary: None, failed: None }, known));
        }
        let open = || -> anyhow::Result<_> {
            let temporary = temporary::create(temporary::RECORD)?.into_temp_path();
            let (record, _) = Record::open(&temporary, header)?;
            resume::offer(resume::command(&temporary));
            let path = Some(temporary.to_path_buf());
            Ok(RunRecord { record, path, temporary: Some(temporary), failed: None })
        };
        let record =
            open().unwrap_or_else(|error| RunRecord { failed: Some(error), ..RunRecord::none() });
        Ok((record, Vec::new()))
    }

    /// Where pieces go.
    pub(crate) fn pieces(&self) -> &Record<L> {
        &self.record
    }

    /// A watch for the run, which also ends it when pieces can no longer be kept where the user asked
    /// for it.
    pub(crate) fn watch<'a>(&'a self, bar: &'a Bar) -> RecordWatch<'a, L> {
        RecordWatch { record: self.temporary.is_none().then_some(&self.record), bar }
    }

    /// Ends the run; of one that was interrupted the error says how to continue it.
    pub(crate) fn end(self, incomplete: bool) -> Outcome {
        if !incomplete {
            return self.finish();
        }
        let pieces = L::PIECES;
        let report = format!("interrupted: the report covers the {pieces} that were over by then");
        let go_on = match self.keep()? {
            Some(command) => command,
            None => "none of them was kept, and the same command begins anew".to_owned(),
        };
        Err(Failure::interrupted(format!("{report}; {go_on}")))
    }

    /// The run is complete. A temporary file is no longer needed, nor are its failures.
    pub(crate) fn finish(self) -> Outcome {
        if self.temporary.is_some() || self.path.is_none() {
            return Ok(());
        }
        self.record.finish().map_err(not_kept::<L>)
    }

    /// The run was interrupted; says how to continue, if anything was to be kept.
    fn keep(self) -> Outcome<Option<String>> {
        if let Some(error) = self.failed {
            return Err(not_kept::<L>(error));
        }
        self.record.close().map_err(not_kept::<L>)?;
        let Some(path) = self.path else { return Ok(None) };
        let within = match self.temporary {
            None => String::new(),
            Some(temporary) => {
                temporary.keep().map_err(not_kept::<L>)?;
                format!(" {KEPT_WORDS}")
            }
        };
        let command = resume::command(&path);
        resume::announce(&command);
        Ok(Some(format!("to continue{within}:\n  {command}")))
    }
}

/// Says where the last game of a record is left out.
pub(crate) fn say_cut(path: &Path) {
    treegauge::cut_words(path).iter().for_each(|words| complain(words));
}

fn not_kept<L: Line>(error: impl Display) -> Failure {
    Failure::new(Exit::Data, format!("the {} are not all kept: {error}", L::PIECES))
}

/// Watches a run with a record.
pub(crate) struct RecordWatch<'a, L> {
    record: Option<&'a Record<L>>,
    bar: &'a Bar,
}

impl<L: Line + Send> Watch for RecordWatch<'_, L> {
    fn progress(&self, progress: Progress) {
        self.bar.progress(progress);
    }

    fn stop(&self) -> bool {
        self.bar.stop() || self.record.is_some_and(Record::has_failed)
    }
}
