//! Texts that describe games, from files and from standard input.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use treegauge::catalog::TEXT_BYTES_MAX;
use treegauge::tasks::Files;

use crate::exit::{Failure, Outcome};
use crate::files::to_read;
use crate::standard_input::StandardInput;
use crate::{engines, interrupt};
use treegauge::cannot_read;

/// What stands for standard input.
const STANDARD: &str = "-";

/// Returns the reason that a text is not read: a request to stop comes before a problem of the input.
fn refused(failure: Failure) -> Failure {
    if interrupt::requested() {
        return Failure::interrupted("interrupted before the text was read");
    }
    failure
}

/// The files that tasks name: those of the machine, and standard input as the text of a game.
pub(crate) struct ReadFiles;

impl Files for ReadFiles {
    fn rules(&self, name: &str) -> Result<String, String> {
        if name == STANDARD { standard_input() } else { treegauge::rules_text(Path::new(name)) }
    }

    fn list(&self, name: &str) -> Result<Option<String>, treegauge::Error> {
        if name == STANDARD {
            return standard_list(name).map(Some).map_err(Failure::into_error);
        }
        if Path::new(name).exists() {
            to_read(Path::new(name)).map_err(Failure::into_error)?;
        }
        Ok(None)
    }

    fn path(&self, name: &Path) -> Result<PathBuf, treegauge::Error> {
        Ok(name.to_owned())
    }

    fn open(&self, name: &Path) -> io::Result<Box<dyn Read + Send>> {
        if name == Path::new(STANDARD) {
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

/// The longest list of games on standard input.
const LIST_BYTES_MAX: u64 = 1 << 28;

/// A text that describes a game, on standard input.
fn standard_input() -> Result<String, String> {
    // A text that is too long is refused by its reader, which says so in its own words.
    standard_text(TEXT_BYTES_MAX as u64 + 1)
}

/// All of standard input, up to a number of bytes.
fn standard_text(bytes_max: u64) -> Result<String, String> {
    let mut bytes = Vec::new();
    let read = StandardInput::open().take(bytes_max).read_to_end(&mut bytes);
    read.map_err(|error| error.to_string())?;
    treegauge_store::text_of(bytes).map_err(|reason| reason.to_string())
}
