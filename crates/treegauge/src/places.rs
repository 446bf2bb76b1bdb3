//! Files that a run reads and writes. They are checked before the work begins, so that no file is
//! lost.
//!
//! A run that writes a file calls [`Places::to_write`] first, and writes to the returned
//! [`OutputFile`]. A run that reads a file calls [`Places::to_read`]. Refused are two outputs in
//! one place, an output in the place of an input, and an output in the place of a file that is not
//! the program's own.

use std::fmt::Display;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use clap::ValueEnum;
use treegauge_store::{Place, WholeFile, check_regular, open_device};

use crate::tasks::STANDARD_INPUT;
use crate::{Error, ErrorKind, FileKind};

/// Files of one run.
#[derive(Debug, Default)]
pub struct Places {
    replaces: AtomicBool,
    used: Mutex<Vec<Used>>,
}

/// A file of the run.
#[derive(Debug)]
struct Used {
    place: Place,
    is_written: bool,
}

impl Places {
    /// Allows the run to replace files that are not the program's own.
    pub fn allow_replacing(&self) {
        self.replaces.store(true, Ordering::Relaxed);
    }

    /// Tests whether the run may replace files that are not the program's own.
    #[must_use]
    pub fn is_replacing(&self) -> bool {
        self.replaces.load(Ordering::Relaxed)
    }

    /// Registers a file that the run reads.
    ///
    /// # Errors
    ///
    /// If it is not a file, or the run writes there.
    pub fn to_read(&self, path: &Path) -> Result<(), Error> {
        let place = check_regular(path).and_then(|()| Place::of(path));
        let place = place.map_err(|error| cannot_read(path, &error))?;
        let mut used = self.used();
        if used.iter().any(|used| used.is_written && used.place.is_same(&place)) {
            let message = format!("cannot read {}: this command writes it", path.display());
            return Err(Error::new(ErrorKind::Usage, message));
        }
        used.push(Used { place, is_written: false });
        Ok(())
    }

    /// Registers a file that the run writes.
    ///
    /// # Errors
    ///
    /// If it cannot be written, its ending belongs to another format, the run already uses it, or
    /// it would replace a file of another kind.
    pub fn to_write(&self, path: &Path, kind: FileKind) -> Result<OutputFile, Error> {
        let refused = |error: io::Error| cannot_write(path, &error);
        if path == Path::new("-") {
            let message = "`-` is not a file: give a name here (`./-` for a file called `-`)";
            return Err(Error::new(ErrorKind::Usage, message));
        }
        check_ending(kind, path)?;
        let mut device = None;
        if is_device(path) {
            device = Some(Arc::new(open_device(path).map_err(refused)?));
        } else {
            self.take_place(path)?;
            if path.exists() {
                check_regular(path).map_err(refused)?;
                if !self.is_replacing() && !kind.is_of(path).map_err(refused)? {
                    return Err(not_ours(
                        path,
                        &format!("a file is there that is not {}", kind.words()),
                    ));
                }
            }
            WholeFile::create(path).map_err(refused)?;
        }
        Ok(OutputFile { path: path.to_owned(), kind, device })
    }

    /// Registers a record that the run creates, or extends while keeping its pieces.
    ///
    /// # Errors
    ///
    /// If it cannot be written, its ending belongs to another format, or the run already uses it.
    pub fn to_extend(&self, path: &Path) -> Result<(), Error> {
        check_ending(FileKind::Record, path)?;
        if path.exists() {
            check_regular(path).map_err(|error| cannot_write(path, &error))?;
        }
        self.take_place(path)
    }

    /// Registers a file that the run reads and adds something to.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn to_add_to(&self, path: &Path) -> Result<(), Error> {
        let place = Place::of(path).and_then(|place| WholeFile::create(path).map(|_| place));
        let place = place.map_err(|error| cannot_write(path, &error))?;
        self.used().retain(|used| !used.place.is_same(&place));
        self.take_place(path)
    }

    /// Registers a place that the run writes. It must not use the place for another file.
    fn take_place(&self, path: &Path) -> Result<(), Error> {
        let place = Place::of(path).map_err(|error| cannot_write(path, &error))?;
        let mut used = self.used();
        if let Some(other) = used.iter().find(|used| used.place.is_same(&place)) {
            let other = if other.is_written { "writes another file there" } else { "reads it" };
            let message = format!("cannot write {}: this command {other}", path.display());
            return Err(Error::new(ErrorKind::Usage, message));
        }
        used.push(Used { place, is_written: true });
        Ok(())
    }

    fn used(&self) -> MutexGuard<'_, Vec<Used>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A file that may be written.
#[derive(Clone, Debug)]
pub struct OutputFile {
    path: PathBuf,
    kind: FileKind,
    /// An open pipe, terminal or null device at the path. Renaming onto it would replace it by an
    /// ordinary file.
    device: Option<Arc<fs::File>>,
}

impl OutputFile {
    /// Path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the whole file or nothing: under a temporary name in the same folder, synced, then
    /// renamed.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn write(&self, contents: &str) -> Result<(), Error> {
        self.write_with(|out| Ok(out.write_all(contents.as_bytes())?))
    }

    /// Writes the file as [`OutputFile::write`] does, with contents produced while writing.
    ///
    /// # Errors
    ///
    /// If it cannot be written, or `contents` fails.
    pub fn write_with(
        &self,
        contents: impl FnOnce(&mut dyn Write) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let contents = |out: &mut dyn Write| -> Result<(), Error> {
            contents(out)?;
            out.write_all(self.kind.trailer().as_bytes())?;
            Ok(())
        };
        let write = || -> Result<(), Error> {
            if let Some(device) = &self.device {
                let mut out = BufWriter::new(&**device);
                contents(&mut out)?;
                return Ok(out.flush()?);
            }
            let mut out = BufWriter::new(WholeFile::create(&self.path)?);
            contents(&mut out)?;
            let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
            Ok(file.finish()?)
        };
        write().map_err(|error| match error.kind() {
            ErrorKind::Write => cannot_write(&self.path, &error),
            _ => error,
        })
    }
}

/// A format of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TableFormat {
    /// Comma-separated values.
    Csv,
    /// A JSON object in each line.
    Jsonl,
    /// Parquet.
    Parquet,
    /// Chess games of PGN.
    Pgn,
}

impl TableFormat {
    fn ending(self) -> &'static str {
        match self {
            TableFormat::Csv => "csv",
            TableFormat::Jsonl => "jsonl",
            TableFormat::Parquet => "parquet",
            TableFormat::Pgn => "pgn",
        }
    }

    /// Format that the ending of a name selects among the allowed ones; for a pipe or a device the
    /// first.
    ///
    /// # Errors
    ///
    /// If the ending selects no allowed format.
    pub fn of(path: &Path, formats: &[TableFormat]) -> Result<TableFormat, Error> {
        if is_device(path) {
            return Ok(formats[0]);
        }
        let ending = ending_of(path);
        let found = formats.iter().find(|format| format.ending() == ending);
        found.copied().ok_or_else(|| {
            let endings: Vec<&str> = formats.iter().map(|format| format.ending()).collect();
            other_ending(path, &endings)
        })
    }
}

/// Endings that decide the format of a file.
const FORMATS: [&str; 12] =
    ["csv", "dot", "html", "json", "jsonl", "parquet", "pgn", "rules", "svg", "tgs", "toml", "zst"];

fn ending_of(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// Refuses a name with the ending of another format.
fn check_ending(kind: FileKind, path: &Path) -> Result<(), Error> {
    let ending = ending_of(path);
    if !FORMATS.contains(&ending.as_str()) || kind.endings().contains(&ending.as_str()) {
        return Ok(());
    }
    Err(other_ending(path, kind.endings()))
}

fn other_ending(path: &Path, endings: &[&str]) -> Error {
    let endings: Vec<String> = endings.iter().map(|ending| format!(".{ending}")).collect();
    let endings = endings.join(" or ");
    let message = format!(
        "cannot write {}: the ending of its name says the format, and is {endings} here",
        path.display()
    );
    Error::new(ErrorKind::Usage, message)
}

/// Creates a folder for files if it does not exist.
///
/// # Errors
///
/// If it cannot be created.
pub fn make_folder(path: &Path) -> Result<(), Error> {
    fs::create_dir_all(path).map_err(|error| {
        let message = format!("cannot make the folder {}: {error}", path.display());
        Error::new(ErrorKind::Data, message)
    })
}

/// Error for a folder that holds the work of another command.
pub(crate) fn holds_other(folder: &Path, what: &str) -> Error {
    let message =
        format!("cannot write to {}: it holds {what}; name another folder", folder.display());
    Error::new(ErrorKind::Data, message)
}

/// Error for an existing file that may only be replaced with `--force`.
#[must_use]
pub fn not_ours(path: &Path, why: &str) -> Error {
    let message = format!("cannot write {}: {why}; --force replaces it", path.display());
    Error::new(ErrorKind::Data, message)
}

/// Error of reading a file.
pub fn cannot_read(path: &Path, error: &dyn Display) -> Error {
    Error::new(ErrorKind::Data, format!("cannot read {}: {error}", input_name(path)))
}

/// The name of an input in messages: its path, or standard input for [`STANDARD_INPUT`].
pub fn input_name(path: &Path) -> String {
    if path == Path::new(STANDARD_INPUT) {
        return "standard input".to_owned();
    }
    path.display().to_string()
}

/// Error of writing to a path.
pub fn cannot_write(path: &Path, error: &dyn Display) -> Error {
    Error::new(ErrorKind::Data, format!("cannot write {}: {error}", path.display()))
}

/// Tests whether the path is something other than a file or a folder.
fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}
