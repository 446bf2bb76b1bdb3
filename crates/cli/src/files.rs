//! The files that a command reads and writes: looked at before it works, so that none is lost.
//!
//! A command that writes a file asks [`to_write`] before anything else, and writes to the [`Output`]
//! that it gets; what a command reads is named by [`to_read`]. Two outputs in one place, an output
//! in the place of an input, and an output in the place of a file that is not the program's own are
//! refused.

use std::fmt::Display;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use clap::{Args, ValueEnum};
pub(crate) use treegauge::FileKind as Kind;
use treegauge::{Error, ErrorKind};
use treegauge_files::{Place, WholeFile, check_regular, open_device};

use crate::exit::{Exit, Failure, Outcome};

/// Which files may be replaced.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct FilesArgs {
    /// Replace files that this program would not have written there: of another kind, another game or
    /// another program
    #[arg(long, global = true)]
    force: bool,
}

impl FilesArgs {
    /// From now on this is what holds.
    pub(crate) fn set(self) {
        FORCE.fetch_or(self.force, Ordering::Relaxed);
    }
}

static FORCE: AtomicBool = AtomicBool::new(false);

/// Whether files that are not the program's own may be replaced.
pub(crate) fn is_forced() -> bool {
    FORCE.load(Ordering::Relaxed)
}

/// Refuses a name whose ending says another format.
fn check_ending(kind: Kind, path: &Path) -> Outcome {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if !FORMATS.contains(&ending.as_str()) || kind.endings().contains(&ending.as_str()) {
        return Ok(());
    }
    Err(other_ending(path, kind.endings()))
}

/// The endings that say what a file holds.
const FORMATS: [&str; 11] =
    ["csv", "dot", "html", "json", "jsonl", "parquet", "rules", "svg", "tgs", "toml", "zst"];

fn other_ending(path: &Path, endings: &[&str]) -> Failure {
    let endings: Vec<String> = endings.iter().map(|ending| format!(".{ending}")).collect();
    let endings = endings.join(" or ");
    let message = format!(
        "cannot write {}: the ending of its name says the format, and is {endings} here",
        path.display()
    );
    Failure::new(Exit::Usage, message)
}

/// A format in which a command can write a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// Comma-separated values.
    Csv,
    /// A JSON object in each line.
    Jsonl,
    /// Parquet.
    Parquet,
}

impl TableFormat {
    fn ending(self) -> &'static str {
        match self {
            TableFormat::Csv => "csv",
            TableFormat::Jsonl => "jsonl",
            TableFormat::Parquet => "parquet",
        }
    }

    /// The format that the ending of a name says, of those that a command can write. What is no file, a
    /// pipe or a device, has the first.
    pub(crate) fn of(path: &Path, formats: &[TableFormat]) -> Outcome<TableFormat> {
        if is_device(path) {
            return Ok(formats[0]);
        }
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let found = formats.iter().find(|format| format.ending() == ending);
        found.copied().ok_or_else(|| {
            let endings: Vec<&str> = formats.iter().map(|format| format.ending()).collect();
            other_ending(path, &endings)
        })
    }
}

/// A file of this command.
struct Used {
    place: Place,
    is_written: bool,
}

/// The files of this command until now.
static USED: Mutex<Vec<Used>> = Mutex::new(Vec::new());

/// The command reads a file: it must be one, and nothing may be written there.
pub(crate) fn to_read(path: &Path) -> Outcome {
    let place = check_regular(path).and_then(|()| Place::of(path));
    let place = place.map_err(|error| cannot_read(path, &error))?;
    let mut used = used();
    if used.iter().any(|used| used.is_written && used.place.is_same(&place)) {
        let message = format!("cannot read {}: this command writes it", path.display());
        return Err(Failure::new(Exit::Usage, message));
    }
    used.push(Used { place, is_written: false });
    Ok(())
}

/// The command writes a file. Fails where that could not be done, or would destroy something.
pub(crate) fn to_write(path: &Path, kind: Kind) -> Outcome<Output> {
    let refused = |error: io::Error| cannot_write(path, &error);
    if path == Path::new("-") {
        let message = "`-` is no file: give a name here (`./-` for a file with this one)";
        return Err(Failure::new(Exit::Usage, message));
    }
    check_ending(kind, path)?;
    let mut device = None;
    if is_device(path) {
        device = Some(Arc::new(open_device(path).map_err(refused)?));
    } else {
        take_place(path)?;
        if path.exists() {
            check_regular(path).map_err(refused)?;
            if !is_forced() && !kind.is_of(path).map_err(refused)? {
                return Err(not_ours(
                    path,
                    &format!("a file is there that is not {}", kind.words()),
                ));
            }
        }
        WholeFile::create(path).map_err(refused)?;
    }
    Ok(Output { path: path.to_owned(), kind, device })
}

/// The command adds to a record and keeps what it has, or begins it.
pub(crate) fn to_extend(path: &Path) -> Outcome {
    check_ending(Kind::Record, path)?;
    if path.exists() {
        check_regular(path).map_err(|error| cannot_write(path, &error))?;
    }
    take_place(path)
}

/// The command adds something to a file that it reads.
pub(crate) fn to_add_to(path: &Path) -> Outcome {
    let place = Place::of(path).and_then(|place| WholeFile::create(path).map(|_| place));
    let place = place.map_err(|error| cannot_write(path, &error))?;
    used().retain(|used| !used.place.is_same(&place));
    take_place(path)
}

fn used() -> MutexGuard<'static, Vec<Used>> {
    USED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes that the command writes in a place, where it must not use another file.
fn take_place(path: &Path) -> Outcome {
    let place = Place::of(path).map_err(|error| cannot_write(path, &error))?;
    let mut used = used();
    if let Some(other) = used.iter().find(|used| used.place.is_same(&place)) {
        let other = if other.is_written { "writes another file there" } else { "reads it" };
        let message = format!("cannot write {}: this command {other}", path.display());
        return Err(Failure::new(Exit::Usage, message));
    }
    used.push(Used { place, is_written: true });
    Ok(())
}

/// That a file is not replaced without `--force`, and why.
pub(crate) fn not_ours(path: &Path, why: &str) -> Failure {
    let message = format!("cannot write {}: {why}; --force replaces it", path.display());
    Failure::new(Exit::Data, message)
}

/// A file that may be written.
#[derive(Clone, Debug)]
pub(crate) struct Output {
    path: PathBuf,
    kind: Kind,
    /// What is open there, if it is no file: a pipe, a terminal, the null device. Renaming onto it would
    /// put an ordinary file in its place.
    device: Option<Arc<fs::File>>,
}

impl Output {
    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes it whole or not at all: under a temporary name in the same folder, synced, then
    /// renamed.
    pub(crate) fn write(&self, contents: &str) -> Outcome {
        self.write_with(|out| Ok(out.write_all(contents.as_bytes())?))
    }

    /// Does so with contents that are made while they are written.
    pub(crate) fn write_with(
        &self,
        contents: impl FnOnce(&mut dyn Write) -> Result<(), Error>,
    ) -> Outcome {
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
            _ => error.into(),
        })
    }
}

/// Makes a folder for files, unless it is there.
pub(crate) fn make_folder(path: &Path) -> Outcome {
    fs::create_dir_all(path).map_err(|error| {
        Failure::new(Exit::Data, format!("cannot make the folder {}: {error}", path.display()))
    })
}

/// That a folder is not mixed with what another command keeps there.
pub(crate) fn holds_other(folder: &Path, what: &str) -> Failure {
    let message =
        format!("cannot write to {}: it holds {what}; name another folder", folder.display());
    Failure::new(Exit::Data, message)
}

/// The failure of reading a file.
pub(crate) fn cannot_read(path: &Path, error: &dyn Display) -> Failure {
    Failure::new(Exit::Data, format!("cannot read {}: {error}", path.display()))
}

/// The failure of writing to a place.
pub(crate) fn cannot_write(path: &Path, error: &dyn Display) -> Failure {
    Failure::new(Exit::Data, format!("cannot write {}: {error}", path.display()))
}

/// Whether something other than a file or a folder is there.
fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}
