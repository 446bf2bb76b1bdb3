//! Texts that describe games, from files and from standard input.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use treegauge::catalog::TEXT_BYTES_MAX;
use treegauge::tasks::{Files, Root, STANDARD_INPUT};

use crate::exit::{Failure, OrExit, Outcome};
use crate::files::to_read;
use crate::standard_input::StandardInput;
use crate::{engines, interrupt};
use treegauge::cannot_read;

/// The failure to read a text; an interruption takes precedence over a problem of the input.
fn refused(failure: Failure) -> Failure {
    if interrupt::requested() {
        return Failure::interrupted("interrupted before the text was read");
    }
    failure
}

/// The files that tasks name: files of the machine, or of the workspace for a run of a workbench, and standard input.
#[derive(Debug)]
pub(crate) struct ReadFiles {
    /// The workspace, for a run of a workbench: it reads no other files.
    root: Option<Root>,
}

impl ReadFiles {
    /// The files of this run.
    pub(crate) fn new() -> Outcome<ReadFiles> {
        Ok(ReadFiles { root: workspace().as_deref().map(Root::new).transpose().or_data()? })
    }

    fn check(&self, path: &Path) -> Result<(), String> {
        self.root.as_ref().map_or(Ok(()), |root| root.check(path))
    }
}

#[cfg(feature = "serve")]
fn workspace() -> Option<PathBuf> {
    std::env::var_os(treegauge_web::ROOT).map(PathBuf::from)
}

#[cfg(not(feature = "serve"))]
fn workspace() -> Option<PathBuf> {
    None
}

impl Files for ReadFiles {
    fn rules(&self, name: &str) -> Result<String, String> {
        if name == STANDARD_INPUT {
            return standard_input();
        }
        self.check(Path::new(name))?;
        treegauge::rules_text(Path::new(name))
    }

    fn list(&self, name: &str) -> Result<Option<String>, treegauge::Error> {
        if name == STANDARD_INPUT {
            return standard_list(name).map(Some).map_err(Failure::into_error);
        }
        let path = Path::new(name);
        if path.exists() {
            self.check(path).map_err(|reason| cannot_read(path, &reason))?;
            to_read(path).map_err(Failure::into_error)?;
        }
        Ok(None)
    }

    fn path(&self, name: &Path) -> Result<PathBuf, treegauge::Error> {
        self.check(name).map_err(|reason| cannot_read(name, &reason))?;
        Ok(name.to_owned())
    }

    fn open(&self, name: &Path) -> io::Result<Box<dyn Read + Send>> {
        if name == Path::new(STANDARD_INPUT) {
            return Ok(Box::new(StandardInput::open()));
        }
        Ok(Box::new(File::open(name)?))
    }

    fn engine(&self, name: Option<&Path>) -> Result<PathBuf, treegauge::Error> {
        engines::engine(name)
    }
}

/// The list of games on standard input.
fn standard_list(name: &str) -> Outcome<String> {
    standard_text(LIST_BYTES_MAX)
        .map_err(|reason| refused(cannot_read(Path::new(name), &reason).into()))
}

/// The maximum length of a list of games on standard input.
const LIST_BYTES_MAX: u64 = 1 << 28;

/// A text that describes a game, on standard input.
fn standard_input() -> Result<String, String> {
    // One byte more than allowed, so that the reader of the text refuses one that is too long.
    standard_text(TEXT_BYTES_MAX as u64 + 1)
}

/// All of standard input, up to a number of bytes.
fn standard_text(bytes_max: u64) -> Result<String, String> {
    let mut bytes = Vec::new();
    let read = StandardInput::open().take(bytes_max).read_to_end(&mut bytes);
    read.map_err(|error| error.to_string())?;
    treegauge_store::text_of(bytes).map_err(|reason| reason.to_string())
}
