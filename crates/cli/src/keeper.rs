//! The place of the work of a task, from which a stopped run continues.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempPath;
use treegauge::tasks::{Ending, Keeping, KeptPlace, KeptWork};

use crate::engines::standard_answers;
use crate::exit::{Exit, Failure, Outcome};
use crate::files::{to_extend, to_read};
use crate::temporary::KEPT_WORDS;
use crate::{interrupt, resume, temporary};

/// The place of the work of a task: the file or folder that the user named, or a temporary file, from which an interrupted
/// run can continue.
#[derive(Debug)]
pub(crate) struct Keeper {
    kept: Option<KeptWork>,
    path: Option<PathBuf>,
    /// Whether the user named the place; a checkpoint may lie next to the output.
    is_named: bool,
    continues: bool,
    every: Option<Duration>,
    /// The temporary file if the user named no place; a run that is not interrupted removes it.
    temporary: Option<TempPath>,
}

/// The requested place.
#[derive(Debug, Default)]
pub(crate) struct Asked<'a> {
    /// The place that the user named.
    pub(crate) named: Option<&'a Path>,
    /// The file for the result.
    pub(crate) output: Option<&'a Path>,
    /// The time between two checkpoints.
    pub(crate) every: Option<Duration>,
    /// Whether the task only reads the kept work.
    pub(crate) is_read: bool,
    /// Whether the same command continues a stopped run.
    pub(crate) continues: bool,
}

impl Keeper {
    /// The place for the work that a task keeps or reads.
    pub(crate) fn of(kept: Option<KeptWork>, asked: &Asked<'_>) -> Outcome<Keeper> {
        let place = kept.map(|kept| kept.place);
        let is_checkpoint = place == Some(KeptPlace::Checkpoint);
        let is_answers = place == Some(KeptPlace::Answers);
        let is_file = is_checkpoint || is_answers || place == Some(KeptPlace::File);
        let standard = match place {
            Some(KeptPlace::Checkpoint) => asked.output.map(beside),
            Some(KeptPlace::Answers) => standard_answers(),
            _ => None,
        };
        let path = asked.named.map(Path::to_owned).or(standard);
        let mut temporary = None;
        match &path {
            Some(path) if asked.is_read => to_read(path)?,
            // A standard file in use is not an error.
            Some(_) if is_answers && asked.named.is_none() => {}
            Some(path) if is_file => to_extend(path)?,
            // The run continues without a temporary file if none can be made.
            None if is_file && !is_answers && !asked.is_read => {
                let suffix = if is_checkpoint { temporary::CHECKPOINT } else { temporary::RECORD };
                let file = temporary::create(suffix).ok();
                temporary = file.map(tempfile::NamedTempFile::into_temp_path);
                if let Some(place) = temporary.as_deref().filter(|_| is_checkpoint) {
                    interrupt::keep_briefly(place);
                }
            }
            _ => {}
        }
        // Only a stopped run writes a temporary checkpoint.
        let every = asked.every.filter(|_| path.is_some());
        let is_named = asked.named.is_some();
        let keeper = Keeper { kept, path, is_named, continues: asked.continues, every, temporary };
        if let Some(command) = keeper.command().filter(|_| every.is_some() || !is_checkpoint) {
            resume::offer(command);
        }
        Ok(keeper)
    }

    /// The command that continues the run, if its work is kept.
    fn command(&self) -> Option<String> {
        if !self.continues {
            return None;
        }
        Some(match (&self.path, &self.temporary, self.kept) {
            (Some(_), _, _) => resume::same_command(),
            (None, Some(place), Some(kept)) => {
                resume::command_with(&format!("--{}", kept.option()), place)
            }
            _ => return None,
        })
    }

    /// The place for the context of a task.
    pub(crate) fn keeping(&self) -> Option<Keeping<'_>> {
        let path = self.path.as_deref().or(self.temporary.as_deref())?;
        Some(Keeping { path, is_required: self.is_named, every: self.every })
    }

    /// Removes the checkpoint of a finished run, unless the user named it.
    fn forget_checkpoint(&self) {
        let Some(path) = &self.path else { return };
        if self.is_named {
            temporary::remove(path);
        } else {
            let _ = fs::remove_file(path);
        }
        treegauge_store::remove_left(path);
    }

    /// The words on how to continue an interrupted run. A temporary file remains then.
    pub(crate) fn how_to_go_on(self) -> Outcome<String> {
        let Some(kept) = self.kept.filter(|_| self.continues) else { return Ok(String::new()) };
        let Some(command) = self.command() else {
            return Ok(match kept.place {
                KeptPlace::File | KeptPlace::Checkpoint | KeptPlace::Answers => {
                    "; nothing was kept, and the same command begins anew".to_owned()
                }
                _ => format!("; with --{} DIR the same command would continue it", kept.option()),
            });
        };
        let within = match self.temporary {
            None => String::new(),
            Some(temporary) => {
                temporary.keep().map_err(|error| {
                    let pieces = kept.pieces;
                    Failure::new(Exit::Data, format!("the {pieces} are not all kept: {error}"))
                })?;
                format!(" {KEPT_WORDS}")
            }
        };
        resume::announce(&command);
        Ok(format!("; to continue{within}:\n  {command}"))
    }

    /// Ends the run. The error of an interrupted run says how to continue it.
    pub(crate) fn end(self, ending: &Ending) -> Outcome {
        let missing = match ending {
            Ending::Good => {
                if self.kept.is_some_and(|kept| kept.place == KeptPlace::Checkpoint) {
                    self.forget_checkpoint();
                }
                return Ok(());
            }
            Ending::No(found) => {
                let error = found.as_ref().map(|found| anyhow::anyhow!("{found}"));
                return Err(Failure { exit: Exit::No, error });
            }
            Ending::Incomplete(missing) => missing,
            // The report says it.
            _ => return Err(Failure { exit: Exit::Data, error: None }),
        };
        let pieces = self.kept.map_or("pieces", |kept| kept.pieces);
        let all = format!("the report covers the {pieces} that were over by then");
        let missing = missing.as_ref().unwrap_or(&all).clone();
        Err(Failure::interrupted(format!("interrupted: {missing}{}", self.how_to_go_on()?)))
    }
}

/// The checkpoint of a file.
fn beside(output: &Path) -> PathBuf {
    let mut name = output.as_os_str().to_owned();
    name.push(".checkpoint");
    PathBuf::from(name)
}
