//! A file that keeps the finished work of a long experiment.
//!
//! Every line is a JSON object. The first says what decides the results; each further one is a
//! piece of work that is done, for example a game. Lines are added as the pieces come, so a run
//! that is killed loses only those in progress, and the same run with the same file does the rest.
//! When all is done the lines are put in the order of their keys, so the file then has the same
//! bytes however many threads worked on it and however often it was interrupted.
//!
//! The last field of a line, `crc32`, is the checksum of the bytes before it (the comma in front
//! of it excluded), as eight hexadecimal digits. What a kill can leave behind, a last line without
//! its end, is dropped; any other damage is an error.

use std::fs::{File, TryLockError};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use thiserror::Error;
use treegauge_files::WholeFile;

/// A piece of work that is done.
pub trait Line: Serialize + DeserializeOwned {
    /// Names the piece; sorts the finished file.
    type Key: Ord + std::hash::Hash + std::fmt::Debug;

    /// The name of this piece.
    fn key(&self) -> Self::Key;
}

/// Why a journal cannot be opened or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The system says no.
    #[error("cannot read or write {path}: {source}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It is a folder or a device.
    #[error("{path} is not a file", path = path.display())]
    NotAFile {
        /// The file.
        path: PathBuf,
    },
    /// Another run has it.
    #[error("another run is writing {path}", path = path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// It belongs to a run with other settings.
    #[error(
        "{path} belongs to another run: `{field}` is {there} there and {here} here", path = path.display()
    )]
    OtherRun {
        /// The file.
        path: PathBuf,
        /// The first setting that differs.
        field: String,
        /// Its value in the file.
        there: String,
        /// Its value now.
        here: String,
    },
    /// A line is not what was once written.
    #[error("{path} is damaged or not a record, at line {line}: {reason}", path = path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
}

/// An open journal, locked against other runs.
#[derive(Debug)]
pub struct Journal<L> {
    path: PathBuf,
    file: File,
    lines: PhantomData<L>,
}

impl<L: Line> Journal<L> {
    /// Opens the journal of the run that `header` describes, or begins one; returns the pieces
    /// that it holds.
    ///
    /// # Errors
    ///
    /// When the file cannot be opened, is in use, belongs to a run with another header, or is
    /// damaged. The file is then left as it was.
    pub fn open<H: Serialize>(path: &Path, header: &H) -> Result<(Self, Vec<L>), JournalError> {
        let failed = |source| JournalError::Io { path: path.to_owned(), source };
        if path.metadata().is_ok_and(|found| !found.is_file()) {
            return Err(JournalError::NotAFile { path: path.to_owned() });
        }
        let mut file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(JournalError::Busy { path: path.to_owned() });
            }
            // Some network file systems have no locks; then two runs are the user's care.
            Err(TryLockError::Error(_)) | Ok(()) => (),
        }
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(failed)?;
        let whole = whole_lines(&text);
        let header = sealed(header);
        let mut lines = Vec::new();
        if whole == 0 {
            // Nothing was written, or not even the first line to its end.
            if !header.as_bytes().starts_with(&text) {
                return Err(damaged(
                    path,
                    1,
                    "the line has no end, and a journal does not begin like this",
                ));
            }
        } else {
            same_run(path, &header_of(path, &text)?, &header)?;
            lines = lines_of(path, &text[..whole])?;
        }
        file.set_len(whole as u64).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        let mut journal = Journal { path: path.to_owned(), file, lines: PhantomData };
        if whole == 0 {
            journal.write(&header)?;
        }
        Ok((journal, lines))
    }

    /// Reads the journal of a run that may be in progress; a last line without its end is left out.
    /// Returns the header and the pieces as they stand in the file.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, has no header, or is damaged.
    pub fn read(path: &Path) -> Result<(Header, Vec<L>), JournalError> {
        let text = bytes(path)?;
        let header = header_of(path, &text)?;
        let whole = whole_lines(&text);
        Ok((header, lines_of(path, &text[..whole])?))
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a piece.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn add(&mut self, line: &L) -> Result<(), JournalError> {
        self.write(&sealed(line))
    }

    /// One call of the system for the whole line: a kill does not leave a hole.
    fn write(&mut self, line: &str) -> Result<(), JournalError> {
        self.file
            .write_all(line.as_bytes())
            .map_err(|source| JournalError::Io { path: self.path.clone(), source })
    }

    /// Puts the lines in order and makes sure that they are on the disk.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or written; it is then as it was before.
    pub fn finish(mut self) -> Result<(), JournalError> {
        self.sort().map_err(|source| JournalError::Io { path: self.path.clone(), source })
    }

    fn sort(&mut self) -> io::Result<()> {
        let mut text = String::new();
        self.file.seek(SeekFrom::Start(0))?;
        self.file.read_to_string(&mut text)?;
        let mut lines: Vec<&str> = text.lines().collect();
        lines[1..].sort_by_cached_key(|line| {
            serde_json::from_str::<L>(line).expect("the line was written or checked by us").key()
        });
        let mut sorted = BufWriter::new(WholeFile::create(&self.path)?);
        for line in lines {
            writeln!(sorted, "{line}")?;
        }
        sorted.into_inner()?.finish()
    }
}

/// The first line of a journal: names and values in their order.
pub type Header = Map<String, Value>;

/// Writes the journal that a run with this header would have left when it had done these pieces.
///
/// # Errors
///
/// When `out` takes no more.
pub fn write<H: Serialize, L: Line>(
    out: &mut dyn Write,
    header: &H,
    lines: &[L],
) -> io::Result<()> {
    let mut lines: Vec<&L> = lines.iter().collect();
    lines.sort_by_cached_key(|line| line.key());
    out.write_all(sealed(header).as_bytes())?;
    lines.into_iter().try_for_each(|line| out.write_all(sealed(line).as_bytes()))
}

/// The first field of two headers that differs, with its two values.
#[must_use]
pub fn difference(one: &Header, other: &Header) -> Option<(String, Value, Value)> {
    let mut fields = one.keys().chain(other.keys());
    let field = fields.find(|field| one.get(*field) != other.get(*field))?;
    let value = |header: &Header| header.get(field).cloned().unwrap_or_default();
    Some((field.clone(), value(one), value(other)))
}

/// How many bytes the lines have that were written to their end.
fn whole_lines(text: &[u8]) -> usize {
    text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1)
}

/// The first line of the journal at `path`, whatever its pieces are.
///
/// # Errors
///
/// When the file cannot be read, or its first line is damaged.
pub fn read_header(path: &Path) -> Result<Header, JournalError> {
    header_of(path, &bytes(path)?)
}

fn bytes(path: &Path) -> Result<Vec<u8>, JournalError> {
    if path.metadata().is_ok_and(|found| !found.is_file()) {
        return Err(JournalError::NotAFile { path: path.to_owned() });
    }
    std::fs::read(path).map_err(|source| JournalError::Io { path: path.to_owned(), source })
}

fn header_of(path: &Path, text: &[u8]) -> Result<Header, JournalError> {
    let end = text.iter().position(|&byte| byte == b'\n');
    let end = end.ok_or_else(|| damaged(path, 1, "the line has no end"))?;
    unsealed(&text[..end]).map_err(|reason| damaged(path, 1, &reason))
}

/// The pieces in a text of whole lines of which the first is the header.
fn lines_of<L: Line>(path: &Path, text: &[u8]) -> Result<Vec<L>, JournalError> {
    let mut seen = FxHashSet::default();
    let texts = text[..text.len() - 1].split(|&byte| byte == b'\n').enumerate().skip(1);
    texts
        .map(|(n, text)| {
            let line = unsealed(text).map_err(|reason| damaged(path, n + 1, &reason))?;
            let line: L = serde_json::from_value(Value::Object(line))
                .map_err(|error| damaged(path, n + 1, &error.to_string()))?;
            if !seen.insert(line.key()) {
                return Err(damaged(path, n + 1, &format!("{:?} occurs twice", line.key())));
            }
            Ok(line)
        })
        .collect()
}

fn damaged(path: &Path, line: usize, reason: &str) -> JournalError {
    JournalError::Damaged { path: path.to_owned(), line, reason: reason.to_owned() }
}

const SEAL: &str = ",\"crc32\":\"";

/// The line of an object, with its checksum and its end.
fn sealed<T: Serialize>(object: &T) -> String {
    let mut line = serde_json::to_string(object).expect("lines can be written as JSON");
    let brace = line.pop();
    debug_assert_eq!(brace, Some('}'), "a line is an object");
    let sum = crc32fast::hash(line.as_bytes());
    line + SEAL + &format!("{sum:08x}\"}}\n")
}

/// The object of a line without its end, the checksum compared and taken off.
fn unsealed(line: &[u8]) -> Result<Header, String> {
    let line = std::str::from_utf8(line).map_err(|error| error.to_string())?;
    let (object, sum) = line.rsplit_once(SEAL).ok_or("the line has no checksum")?;
    if sum != format!("{:08x}\"}}", crc32fast::hash(object.as_bytes())) {
        return Err("its checksum is wrong".to_owned());
    }
    serde_json::from_str(&format!("{object}}}")).map_err(|error| error.to_string())
}

/// Compares the header of a file with that of this run.
fn same_run(path: &Path, there: &Header, header: &str) -> Result<(), JournalError> {
    let here = unsealed(header.trim_end().as_bytes()).expect("it was sealed by us");
    match difference(there, &here) {
        None => Ok(()),
        Some((field, there, here)) => Err(JournalError::OtherRun {
            path: path.to_owned(),
            field,
            there: there.to_string(),
            here: here.to_string(),
        }),
    }
}

#[cfg(test)]
mod tests;
