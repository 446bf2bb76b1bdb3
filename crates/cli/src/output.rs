//! Writing to standard output and to files.

use std::fmt::Display;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde::Serialize;
pub(crate) use treegauge::report::counted;
use treegauge::study::ReportKind;
use treegauge::{Error, ErrorKind};
use treegauge_files::WholeFile;

use crate::exit::{Exit, Failure, Outcome};

/// Prints text to standard output. A reader that has gone away ends the program silently.
pub(crate) fn print(text: &str) -> Outcome {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            Err(Failure { exit: Exit::Silent, error: None })
        }
        Err(error) => Err(Failure::new(Exit::Internal, format!("cannot print: {error}"))),
    }
}

/// Prints a line to standard error. Where standard error is closed the line is dropped: unlike
/// with `eprintln!`, that is no panic.
pub(crate) fn complain(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// A report with the version that every JSON answer carries.
#[derive(Serialize)]
struct Versioned<'r, R> {
    schema: u32,
    #[serde(flatten)]
    report: &'r R,
}

/// Prints a report as one JSON object on one line.
pub(crate) fn print_json<R: Serialize>(report: &R) -> Outcome {
    let text = serde_json::to_string(&Versioned { schema: 1, report })
        .map_err(|error| Failure::new(Exit::Internal, error))?;
    print(&(text + "\n"))
}

/// Prints a report that brings its kind and schema along as one JSON object on one line.
pub(crate) fn print_report<R: ReportKind + Serialize>(report: &R) -> Outcome {
    let text =
        serde_json::to_string(report).map_err(|error| Failure::new(Exit::Internal, error))?;
    print(&(text + "\n"))
}

/// Writes a file whole or not at all: under a temporary name in the same folder, synced, then
/// renamed.
pub(crate) fn write_file(path: &Path, contents: &str) -> Outcome {
    write_file_with(path, |out| Ok(out.write_all(contents.as_bytes())?))
}

/// Does so with contents that are made while they are written.
pub(crate) fn write_file_with(
    path: &Path,
    contents: impl FnOnce(&mut dyn Write) -> Result<(), Error>,
) -> Outcome {
    let write = || -> Result<(), Error> {
        if is_device(path) {
            let mut out = BufWriter::new(fs::File::create(path)?);
            contents(&mut out)?;
            return Ok(out.flush()?);
        }
        let mut out = BufWriter::new(WholeFile::create(path)?);
        contents(&mut out)?;
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(file.finish()?)
    };
    write().map_err(|error| match error.kind() {
        ErrorKind::Write => cannot_write(path, &error),
        _ => error.into(),
    })
}

/// Fails as [`write_file`] would, without writing anything: asked before long work, so that its
/// result is not lost to a slip in the path.
pub(crate) fn check_file(path: &Path) -> Outcome {
    let check = || -> io::Result<()> {
        if path.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if !is_device(path) {
            WholeFile::create(path)?;
        }
        Ok(())
    };
    check().map_err(|error| cannot_write(path, &error))
}

/// The failure of writing to a place.
pub(crate) fn cannot_write(path: &Path, error: &dyn Display) -> Failure {
    Failure::new(Exit::Data, format!("cannot write {}: {error}", path.display()))
}

/// Whether something other than a file or a folder is there: a pipe, a terminal, the null
/// device. Renaming onto it would put an ordinary file in its place.
fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}
