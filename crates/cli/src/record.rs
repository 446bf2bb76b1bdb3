//! Where the games of a long run are kept.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use serde::Serialize;
use tempfile::TempPath;
use treegauge::Error;
use treegauge::study::Record;
use treegauge::study::journal::Line;

use crate::exit::{Exit, Failure, Outcome};
use crate::resume;

/// Where games are kept while the run lasts: the file that the user named, or else a temporary
/// one, from which an interrupted run can continue.
pub(crate) struct RunRecord<L> {
    record: Record<L>,
    path: Option<PathBuf>,
    /// Without `--record`: removed when the run ends by itself.
    temporary: Option<TempPath>,
    /// Why there is no record. The games are played all the same.
    failed: Option<anyhow::Error>,
}

impl<L: Line> RunRecord<L> {
    /// Keeps nothing: playing the games again is faster than reading them.
    pub(crate) fn none() -> Self {
        RunRecord { record: Record::none(), path: None, temporary: None, failed: None }
    }

    /// Opens the file that the user named, or else a temporary one; returns the games that it holds.
    pub(crate) fn open<H: Serialize>(path: Option<&Path>, header: &H) -> Outcome<(Self, Vec<L>)> {
        if let Some(path) = path {
            let (record, known) = Record::open(path, header).map_err(Error::from)?;
            resume::offer(resume::command(path));
            let path = Some(path.to_owned());
            return Ok((RunRecord { record, path, temporary: None, failed: None }, known));
        }
        let open = || -> anyhow::Result<_> {
            let mut builder = tempfile::Builder::new();
            let file = builder.prefix("treegauge-").suffix(".jsonl").tempfile()?;
            let temporary = file.into_temp_path();
            let (record, _) = Record::open(&temporary, header)?;
            resume::offer(resume::command(&temporary));
            let path = Some(temporary.to_path_buf());
            Ok(RunRecord { record, path, temporary: Some(temporary), failed: None })
        };
        let record =
            open().unwrap_or_else(|error| RunRecord { failed: Some(error), ..RunRecord::none() });
        Ok((record, Vec::new()))
    }

    /// Where games go.
    pub(crate) fn games(&self) -> &Record<L> {
        &self.record
    }

    /// The report was printed: ends the run, or says how to continue an interrupted one.
    pub(crate) fn end(self, incomplete: bool) -> Outcome {
        if !incomplete {
            return self.finish();
        }
        let report = "interrupted: the report above covers the games that were over by then";
        let go_on = match self.keep()? {
            Some(command) => format!("to continue:\n  {command}"),
            None => "none of them was kept, and the same command plays all of them".to_owned(),
        };
        Err(Failure::interrupted(format!("{report}; {go_on}")))
    }

    /// The run failed; what was done is kept where the user asked for it.
    pub(crate) fn close(self) {
        let _ = self.record.close();
    }

    /// The run is complete. A temporary file is no longer needed, nor are its failures.
    pub(crate) fn finish(self) -> Outcome {
        if self.temporary.is_some() || self.path.is_none() {
            return Ok(());
        }
        self.record.finish().map_err(not_kept)
    }

    /// The run was interrupted; says how to continue, if anything was to be kept.
    fn keep(self) -> Outcome<Option<String>> {
        if let Some(error) = self.failed {
            return Err(not_kept(error));
        }
        self.record.close().map_err(not_kept)?;
        let Some(path) = self.path else { return Ok(None) };
        if let Some(temporary) = self.temporary {
            temporary.keep().map_err(not_kept)?;
        }
        Ok(Some(resume::command(&path)))
    }
}

fn not_kept(error: impl Display) -> Failure {
    Failure::new(Exit::Internal, format!("the games were not kept: {error}"))
}
