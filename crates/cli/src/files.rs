//! Files that a command reads and writes.

use std::fmt::Display;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use clap::Args;
use treegauge::{FileKind, OutputFile, Places};

use crate::commands::GLOBAL;
use crate::exit::{Failure, Outcome};

/// The permission to replace files.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = GLOBAL)]
pub(crate) struct FilesArgs {
    /// Replace files of another kind, another game or another program
    #[arg(long, global = true, hide_short_help = true)]
    force: bool,
}

impl FilesArgs {
    /// Sets it for the whole run.
    pub(crate) fn set(self) {
        if self.force {
            PLACES.allow_replacing();
        }
    }
}

/// The files that this run has named so far.
static PLACES: LazyLock<Arc<Places>> = LazyLock::new(Arc::default);

/// The files that this run has named so far.
pub(crate) fn places() -> &'static Arc<Places> {
    &PLACES
}

/// Announces that the command reads a file, as [`Places::to_read`].
pub(crate) fn to_read(path: &Path) -> Outcome {
    Ok(PLACES.to_read(path)?)
}

/// Announces that the command writes a file, as [`Places::to_write`].
pub(crate) fn to_write(path: &Path, kind: FileKind) -> Outcome<OutputFile> {
    Ok(PLACES.to_write(path, kind)?)
}

/// Announces that the command adds to a record, as [`Places::to_extend`].
pub(crate) fn to_extend(path: &Path) -> Outcome {
    Ok(PLACES.to_extend(path)?)
}

/// The failure of reading a file.
pub(crate) fn cannot_read(path: &Path, error: &dyn Display) -> Failure {
    treegauge::cannot_read(path, error).into()
}

/// Makes a folder for files, unless it is there.
pub(crate) fn make_folder(path: &Path) -> Outcome {
    Ok(treegauge::make_folder(path)?)
}
