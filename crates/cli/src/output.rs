//! Writing to standard output and to files.

use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;
use serde::Serialize;

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

/// Writes a file whole or not at all: under a temporary name in the same folder, synced, then
/// renamed.
pub(crate) fn write_file(path: &Path, contents: &str) -> Outcome {
    let write = || -> anyhow::Result<()> {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let mut file = temporary(folder)?;
        file.write_all(contents.as_bytes())?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok(())
    };
    write()
        .with_context(|| format!("cannot write {}", path.display()))
        .map_err(|error| Failure { exit: Exit::Data, error: Some(error) })
}

/// A temporary file that, once renamed, has the permissions of an ordinary new file: those of
/// temporary files are for their owner only.
fn temporary(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".treegauge-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The user's mask is taken off these.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}
