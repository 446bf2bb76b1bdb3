//! Where the work of a task is kept, and how a run that was stopped continues.

use std::path::{Path, PathBuf};

use tempfile::TempPath;
use treegauge::tasks::{Ending, Keeping, Kept};

use crate::exit::{Exit, Failure, Outcome};
use crate::files::{make_folder, to_extend, to_read};
use crate::temporary::KEPT_WORDS;
use crate::{resume, temporary};

/// The place of the work of a task: the file or folder that the user named, or else a temporary file, from which an
/// interrupted run can continue.
#[derive(Debug)]
pub(crate) struct Keeper {
    kept: Option<Kept>,
    path: Option<PathBuf>,
    /// Without `--record`: removed when the run ends by itself.
    temporary: Option<TempPath>,
}

impl Keeper {
    /// The place for what a task keeps, or reads only.
    pub(crate) fn of(kept: Option<Kept>, named: Option<&Path>, is_read: bool) -> Outcome<Keeper> {
        let mut keeper = Keeper { kept, path: named.map(Path::to_owned), temporary: None };
        match (kept, named) {
            (_, Some(path)) if is_read => to_read(path)?,
            (_, None) if is_read => {}
            (Some(Kept::File(_)), Some(path)) => to_extend(path)?,
            (Some(Kept::Folder(_)), Some(path)) => make_folder(path)?,
            // Without a temporary file the run goes on all the same.
            (Some(Kept::File(_)), None) => {
                let file = temporary::create(temporary::RECORD).ok();
                keeper.temporary = file.map(tempfile::NamedTempFile::into_temp_path);
            }
            _ => {}
        }
        if let (Some(Kept::File(_)), Some(path)) = (kept, keeper.place()) {
            resume::offer(resume::command(path));
        }
        Ok(keeper)
    }

    fn place(&self) -> Option<&Path> {
        self.path.as_deref().or(self.temporary.as_deref())
    }

    /// The place, as a task takes it.
    pub(crate) fn keeping(&self) -> Option<Keeping<'_>> {
        let is_required = self.path.is_some();
        self.place().map(|path| Keeping { path, is_required })
    }

    /// The way to continue a run that has no report.
    pub(crate) fn how_to_go_on(&self) -> &'static str {
        match (self.kept, &self.path) {
            (_, Some(_)) => "the same command continues it",
            (Some(Kept::Folder(_)), None) => "with --record DIR the same command would continue it",
            _ => "the same command begins anew",
        }
    }

    /// Ends the run; of one that was interrupted the error says how to continue it.
    pub(crate) fn end(self, ending: &Ending) -> Outcome {
        let missing = match ending {
            Ending::Good => return Ok(()),
            Ending::No(found) => {
                let error = found.as_ref().map(|found| anyhow::anyhow!("{found}"));
                return Err(Failure { exit: Exit::No, error });
            }
            Ending::Incomplete(missing) => missing,
            // The report says it.
            _ => return Err(Failure { exit: Exit::Data, error: None }),
        };
        let pieces = match self.kept {
            Some(Kept::File(pieces) | Kept::Folder(pieces)) => pieces,
            None => "pieces",
        };
        let all = format!("the report covers the {pieces} that were over by then");
        let missing = missing.as_ref().unwrap_or(&all);
        if self.kept.is_none() {
            return Err(Failure::interrupted(format!("interrupted: {missing}")));
        }
        let go_on = match (self.kept, &self.path, self.temporary) {
            (Some(Kept::File(_)), Some(path), _) => {
                let command = resume::command(path);
                resume::announce(&command);
                format!("to continue:\n  {command}")
            }
            (Some(Kept::File(_)), None, Some(temporary)) => {
                let path = temporary.keep().map_err(|error| {
                    Failure::new(Exit::Data, format!("the {pieces} are not all kept: {error}"))
                })?;
                let command = resume::command(&path);
                resume::announce(&command);
                format!("to continue {KEPT_WORDS}:\n  {command}")
            }
            (Some(Kept::File(_)), None, None) => {
                "none of them was kept, and the same command begins anew".to_owned()
            }
            (_, Some(_), _) => "the same command continues it".to_owned(),
            _ => "with --record DIR the same command would continue it".to_owned(),
        };
        Err(Failure::interrupted(format!("interrupted: {missing}; {go_on}")))
    }
}
