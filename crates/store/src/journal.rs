//! Journals: files that keep the finished work of long experiments.
//!
//! Every line is a JSON object. The first is a header with the settings that decide the results;
//! each further line is a finished piece of work, for example a game. A line is added as soon as
//! its piece is finished, so a run that is killed loses only the pieces in progress, and the same
//! run with the same file does the rest. At the end the lines are sorted by their keys, so that the
//! bytes of the file do not depend on the number of threads or on interruptions.
//!
//! The last field of a line, `crc32`, is the checksum of the bytes before it (without the preceding
//! comma), as eight hexadecimal digits. A kill can leave a last line without its end, which is
//! dropped. Any other damage is an error.

use std::fs::{File, TryLockError};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use crate::{Place, WholeFile, lock};
use rustc_hash::FxHashSet;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use thiserror::Error;
use treegauge_core::Watch;
use treegauge_core::seed_json;

use crate::planned::{OtherPart, Planned};

/// Finished piece of work.
pub trait Piece: Serialize + DeserializeOwned {
    /// Type of the key, which identifies a piece and sorts the finished file.
    type Key: Ord + std::hash::Hash + std::fmt::Debug;

    /// Name of several pieces in messages.
    const PIECES: &'static str = "games";

    /// Key of this piece.
    fn key(&self) -> Self::Key;

    /// Checks the contents, which a checksum cannot do: whether such a piece is possible.
    ///
    /// # Errors
    ///
    /// A description of the fault.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }
}

/// Reason that a journal cannot be opened or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The file cannot be read.
    #[error("cannot read {path}: {source}", path = path.display())]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write {path}: {source}", path = path.display())]
    Write {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// The file is not what this run wrote: another program changed or replaced it.
    #[error("another program changed {path} while this one was writing it", path = path.display())]
    Changed {
        /// Path of the file.
        path: PathBuf,
    },
    /// The path is a folder or a device.
    #[error("{path} is not a file", path = path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// Another run has locked the file.
    #[error("another run is writing {path}", path = path.display())]
    Busy {
        /// Path of the file.
        path: PathBuf,
    },
    /// The file belongs to a run with other settings.
    #[error(
        "{path} belongs to another run: `{field}` is {there} there and {here} here", path = path.display()
    )]
    OtherRun {
        /// Path of the file.
        path: PathBuf,
        /// First setting that differs.
        field: String,
        /// Value in the file.
        there: String,
        /// Value of this run.
        here: String,
    },
    /// The file belongs to another part of the run.
    #[error("cannot write {path}: {source}", path = path.display())]
    OtherPart {
        /// Path of the file.
        path: PathBuf,
        /// The two parts.
        source: OtherPart,
    },
    /// A line was changed after it was written.
    #[error("{path} is damaged or not a record, at line {line}: {reason}", path = path.display())]
    Damaged {
        /// Path of the file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// Description of the damage.
        reason: String,
    },
    /// The watch said stop before the file was read to its end.
    #[error("interrupted while {path} was read", path = path.display())]
    Interrupted {
        /// Path of the file.
        path: PathBuf,
    },
}

/// Greatest length of a line in bytes. The longest recorded games take a hundredth of it.
const LINE_BYTES_MAX: usize = 1 << 26;

/// Greatest length of the first line in bytes. That of a dataset lists its games.
const HEADER_BYTES_MAX: usize = 1 << 24;

/// Open journal, locked against other runs.
#[derive(Debug)]
pub struct Journal<L> {
    path: PathBuf,
    file: File,
    /// Place of the file when it was opened.
    place: Option<Place>,
    /// Length of the complete lines in bytes.
    len: u64,
    lines: PhantomData<L>,
}

/// Contents of a journal.
#[derive(Clone, Debug, PartialEq)]
pub struct Contents<L> {
    /// The first line.
    pub header: Header,
    /// Pieces in the order of the file.
    pub lines: Vec<L>,
}

/// Step of reading pieces in order.
#[derive(Clone, Debug, PartialEq)]
pub enum InOrder<L> {
    /// The next piece.
    Piece(L),
    /// The file is not sorted: the pieces so far must be forgotten, and follow again.
    Anew,
}

impl<L: Piece> Journal<L> {
    /// Opens the journal of the run that `header` describes, or begins one. Returns the pieces that
    /// it holds. If the header has a [plan](Planned), it is merged into that of the file.
    ///
    /// # Errors
    ///
    /// When the file cannot be opened, is in use, belongs to a run with another header or to
    /// another part, or is damaged. The file is then unchanged.
    pub fn open<H: Serialize>(path: &Path, header: &H) -> Result<(Self, Vec<L>), JournalError> {
        let mut lines = Vec::new();
        let journal = Journal::open_with(path, header, &(), &mut |line| lines.push(line))?;
        Ok((journal, lines))
    }

    /// Like [`Journal::open`], for more pieces than fit memory: `seen` takes the existing ones, in
    /// any order.
    ///
    /// # Errors
    ///
    /// As [`Journal::open`], and when `watch` says stop.
    pub fn open_with<H: Serialize>(
        path: &Path,
        header: &H,
        watch: &dyn Watch,
        seen: &mut dyn FnMut(L),
    ) -> Result<Self, JournalError> {
        let failed = |source| JournalError::Write { path: path.to_owned(), source };
        if path.metadata().is_ok_and(|found| !found.is_file()) {
            return Err(JournalError::NotAFile { path: path.to_owned() });
        }
        let file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed)?;
        match lock(&file) {
            Err(TryLockError::WouldBlock) => {
                return Err(JournalError::Busy { path: path.to_owned() });
            }
            // Some network file systems have no locks; then users must not start two runs.
            Err(TryLockError::Error(_)) | Ok(()) => (),
        }
        let header = sealed(header);
        let mut reader = Reader::new(path, &file);
        let mut renewed = None;
        match reader.first_line()? {
            // The file is empty, or its first line is incomplete.
            None if header.as_bytes().starts_with(&reader.text) => {}
            None => {
                return Err(
                    reader.damaged("the line has no end, and a journal does not begin like this")
                );
            }
            Some(object) => {
                renewed = same_run(path, object, &header)?.map(|header| (header, reader.whole_len));
                reader.pieces(watch, seen)?;
            }
        }
        let len = reader.whole_len;
        let place = Place::of(path).ok();
        let mut journal = Journal { path: path.to_owned(), file, place, len, lines: PhantomData };
        journal.file.set_len(len).map_err(failed)?;
        if let Some((header, header_len)) = renewed {
            journal.renew(&header, header_len)?;
        }
        journal.file.seek(SeekFrom::End(0)).map_err(failed)?;
        if len == 0 {
            journal.write(&header)?;
        }
        Ok(journal)
    }

    /// Reads the journal of a run that may be in progress. A last line without its end is ignored.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, has no header, or is damaged.
    pub fn read(path: &Path) -> Result<Contents<L>, JournalError> {
        let mut lines = Vec::new();
        let header = Journal::read_with(path, &(), &mut |line| lines.push(line))?;
        Ok(Contents { header, lines })
    }

    /// Like [`Journal::read`], for more pieces than fit memory: `seen` takes them in the order of
    /// the file. Returns the first line.
    ///
    /// # Errors
    ///
    /// As [`Journal::read`], and when `watch` says stop; `seen` may have taken pieces by then.
    pub fn read_with(
        path: &Path,
        watch: &dyn Watch,
        seen: &mut dyn FnMut(L),
    ) -> Result<Header, JournalError> {
        let file = open_to_read(path)?;
        let mut reader = Reader::new(path, &file);
        let header = reader.header()?;
        reader.pieces(watch, seen)?;
        Ok(header)
    }

    /// Like [`Journal::read_with`], in the order of the keys: the journal of a run that was killed
    /// is not sorted. Returns the first line.
    ///
    /// # Errors
    ///
    /// As [`Journal::read_with`].
    pub fn read_in_order(
        path: &Path,
        watch: &dyn Watch,
        seen: &mut dyn FnMut(InOrder<L>),
    ) -> Result<Header, JournalError> {
        let file = open_to_read(path)?;
        let mut reader = Reader::new(path, &file);
        let header = reader.header()?;
        let begin = reader.whole_len;
        let mut last: Option<L::Key> = None;
        while let Some(line) = reader.piece::<L>()? {
            reader.go_on(watch)?;
            let key = line.key();
            match &last {
                Some(last) if *last == key => return Err(reader.twice(&key)),
                Some(last) if *last > key => {
                    seen(InOrder::Anew);
                    reader.sorted(begin, watch, seen)?;
                    break;
                }
                _ => {}
            }
            last = Some(key);
            seen(InOrder::Piece(line));
        }
        Ok(header)
    }

    /// Path of the journal.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a piece.
    ///
    /// # Errors
    ///
    /// When the file cannot be written, or does not have the length that was written so far.
    pub fn add(&mut self, line: &L) -> Result<(), JournalError> {
        self.write(&sealed(line))
    }

    /// Writes the whole line with one system call, so that a kill leaves no gap.
    fn write(&mut self, line: &str) -> Result<(), JournalError> {
        let failed = |source| JournalError::Write { path: self.path.clone(), source };
        // Writing after the end of a truncated file would fill the gap with zeros.
        if self.file.metadata().map_err(failed)?.len() != self.len {
            return Err(JournalError::Changed { path: self.path.clone() });
        }
        if let Err(source) = self.file.write_all(line.as_bytes()) {
            // A partial line would be damage as soon as another line follows.
            let _ = self.file.set_len(self.len);
            return Err(JournalError::Write { path: self.path.clone(), source });
        }
        self.len += line.len() as u64;
        Ok(())
    }

    /// Replaces the first line, which has `header_len` bytes.
    fn renew(&mut self, header: &Header, header_len: u64) -> Result<(), JournalError> {
        let header = sealed(header);
        let copied = |this: &mut Self| -> io::Result<()> {
            let mut whole = BufWriter::new(WholeFile::create(&this.path)?);
            whole.write_all(header.as_bytes())?;
            this.file.seek(SeekFrom::Start(header_len))?;
            io::copy(&mut this.file, &mut whole)?;
            whole.into_inner()?.finish()?;
            this.file = File::options().read(true).write(true).open(&this.path)?;
            Ok(())
        };
        let path = self.path.clone();
        copied(self).map_err(|source| JournalError::Write { path, source })?;
        if let Err(TryLockError::WouldBlock) = lock(&self.file) {
            return Err(JournalError::Busy { path: self.path.clone() });
        }
        self.place = Place::of(&self.path).ok();
        self.len = self.len - header_len + header.len() as u64;
        Ok(())
    }

    /// Sorts the lines and makes sure that they are on the disk.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or written, or is not what was written; it is then unchanged.
    pub fn finish(self) -> Result<(), JournalError> {
        self.finish_watched(&())
    }

    /// Like [`Journal::finish`], unless `watch` says stop before the sorted lines are written.
    ///
    /// # Errors
    ///
    /// As [`Journal::finish`], and when `watch` says stop.
    pub fn finish_watched(mut self, watch: &dyn Watch) -> Result<(), JournalError> {
        self.check_place()?;
        let failed = |source| JournalError::Read { path: self.path.clone(), source };
        self.file.seek(SeekFrom::Start(0)).map_err(failed)?;
        let mut reader = Reader::new(&self.path, &self.file);
        reader.header()?;
        let header_len = reader.whole_len;
        let places = reader.places::<L>(watch)?;
        if reader.whole_len != self.len || !reader.text.is_empty() {
            return Err(JournalError::Changed { path: self.path });
        }
        let lines = places.into_iter().map(|(_, begin, end)| (begin, end));
        self.copy(std::iter::once((0, header_len)).chain(lines))
            .map_err(|source| JournalError::Write { path: self.path.clone(), source })
    }

    /// Ends a run that will continue later; the lines keep the order in which they were added.
    ///
    /// # Errors
    ///
    /// When another program removed, replaced or changed the file.
    pub fn close(self) -> Result<(), JournalError> {
        self.check_place()?;
        let failed = |source| JournalError::Read { path: self.path.clone(), source };
        if self.file.metadata().map_err(failed)?.len() != self.len {
            return Err(JournalError::Changed { path: self.path });
        }
        Ok(())
    }

    /// Fails unless the open file is still at its path.
    fn check_place(&self) -> Result<(), JournalError> {
        let here = Place::of(&self.path).ok();
        let is_same = |(here, place): (&Place, &Place)| here.is_unchanged(place);
        if here.as_ref().zip(self.place.as_ref()).is_some_and(is_same) {
            return Ok(());
        }
        Err(JournalError::Changed { path: self.path.clone() })
    }

    /// Copies these ranges of the file one after the other to a new file, and replaces the old one
    /// by it.
    fn copy(&mut self, parts: impl Iterator<Item = (u64, u64)>) -> io::Result<()> {
        let mut sorted = BufWriter::new(WholeFile::create(&self.path)?);
        let mut bytes = Vec::new();
        let mut reader = BufReader::new(&self.file);
        let mut at = reader.seek(SeekFrom::Start(0))?;
        for (begin, end) in parts {
            // A range after the last one may still be in the buffer.
            reader.seek_relative(begin as i64 - at as i64)?;
            bytes.resize((end - begin) as usize, 0);
            reader.read_exact(&mut bytes)?;
            sorted.write_all(&bytes)?;
            at = end;
        }
        sorted.into_inner()?.finish()
    }
}

/// Reader of a journal line by line.
struct Reader<'a> {
    path: &'a Path,
    input: BufReader<&'a File>,
    /// Last line read, without its end; at the end of the file an incomplete line.
    text: Vec<u8>,
    /// Number of the line, from 1.
    number: usize,
    /// Length in bytes of the lines that have an end.
    whole_len: u64,
}

impl<'a> Reader<'a> {
    fn new(path: &'a Path, file: &'a File) -> Self {
        Reader { path, input: BufReader::new(file), text: Vec::new(), number: 0, whole_len: 0 }
    }

    /// Object of the next line; `None` after the last complete line.
    fn line(&mut self, bytes_max: usize) -> Result<Option<Header>, JournalError> {
        self.text.clear();
        self.number += 1;
        let read = (&mut self.input).take(bytes_max as u64 + 1).read_until(b'\n', &mut self.text);
        let len =
            read.map_err(|source| JournalError::Read { path: self.path.to_owned(), source })?;
        if len > bytes_max {
            return Err(self.damaged("the line has no end"));
        }
        if self.text.pop_if(|byte| *byte == b'\n').is_none() {
            return Ok(None);
        }
        self.whole_len += len as u64;
        let object = unsealed(&self.text).map_err(|reason| self.damaged(&reason))?;
        self.text.clear();
        Ok(Some(object))
    }

    /// Object of the first line.
    fn first_line(&mut self) -> Result<Option<Header>, JournalError> {
        let object = self.line(HEADER_BYTES_MAX)?;
        if let Some(header) = &object {
            Planned::of(header).map_err(|reason| self.damaged(&reason))?;
        }
        Ok(object)
    }

    fn header(&mut self) -> Result<Header, JournalError> {
        self.first_line()?.ok_or_else(|| self.damaged("the line has no end"))
    }

    /// Next piece; `None` at the end.
    fn piece<L: Piece>(&mut self) -> Result<Option<L>, JournalError> {
        let Some(object) = self.line(LINE_BYTES_MAX)? else { return Ok(None) };
        let line: L = serde_json::from_value(Value::Object(object))
            .map_err(|error| self.damaged(&error.to_string()))?;
        line.check().map_err(|reason| self.damaged(&reason))?;
        Ok(Some(line))
    }

    /// Checks the watch after a piece, which may be long.
    fn go_on(&self, watch: &dyn Watch) -> Result<(), JournalError> {
        if watch.stop() {
            return Err(JournalError::Interrupted { path: self.path.to_owned() });
        }
        Ok(())
    }

    /// Begin and end of the following pieces in the file, sorted by their keys.
    fn places<L: Piece>(
        &mut self,
        watch: &dyn Watch,
    ) -> Result<Vec<(L::Key, u64, u64)>, JournalError> {
        let mut places = Vec::new();
        let mut begin = self.whole_len;
        while let Some(line) = self.piece::<L>()? {
            self.go_on(watch)?;
            places.push((line.key(), begin, self.whole_len));
            begin = self.whole_len;
        }
        places.sort();
        Ok(places)
    }

    /// Continues with the line that begins at an offset.
    fn seek(&mut self, to: u64) -> Result<(), JournalError> {
        let sought = self.input.seek(SeekFrom::Start(to));
        sought.map_err(|source| JournalError::Read { path: self.path.to_owned(), source })?;
        self.whole_len = to;
        Ok(())
    }

    /// Reads all pieces from an offset on, sorted by their keys.
    fn sorted<L: Piece>(
        &mut self,
        begin: u64,
        watch: &dyn Watch,
        seen: &mut dyn FnMut(InOrder<L>),
    ) -> Result<(), JournalError> {
        self.seek(begin)?;
        self.number = 1;
        let places = self.places::<L>(watch)?;
        if let Some([(key, ..), _]) = places.array_windows().find(|[one, other]| one.0 == other.0) {
            return Err(self.twice(key));
        }
        for (_, begin, _) in places {
            self.go_on(watch)?;
            self.seek(begin)?;
            if let Some(line) = self.piece()? {
                seen(InOrder::Piece(line));
            }
        }
        Ok(())
    }

    fn twice(&self, key: &impl std::fmt::Debug) -> JournalError {
        self.damaged(&format!("{key:?} occurs twice"))
    }

    /// Reads all following pieces.
    fn pieces<L: Piece>(
        &mut self,
        watch: &dyn Watch,
        seen: &mut dyn FnMut(L),
    ) -> Result<(), JournalError> {
        let mut keys = FxHashSet::default();
        while let Some(line) = self.piece::<L>()? {
            self.go_on(watch)?;
            if !keys.insert(line.key()) {
                return Err(self.twice(&line.key()));
            }
            seen(line);
        }
        Ok(())
    }

    fn damaged(&self, reason: &str) -> JournalError {
        let (path, reason) = (self.path.to_owned(), reason.to_owned());
        JournalError::Damaged { path, line: self.number, reason }
    }
}

/// First line of a journal: names and values in their order.
pub type Header = Map<String, Value>;

/// Writes the journal that a run with this header and these pieces would have left.
///
/// # Errors
///
/// When writing to `out` fails.
pub fn write<H: Serialize, L: Piece>(
    out: &mut dyn Write,
    header: &H,
    lines: &[L],
) -> io::Result<()> {
    let mut lines: Vec<&L> = lines.iter().collect();
    lines.sort_by_cached_key(|line| line.key());
    out.write_all(sealed(header).as_bytes())?;
    lines.into_iter().try_for_each(|line| out.write_all(sealed(line).as_bytes()))
}

/// First field in which two headers differ, with its two values. The user's name of the game and
/// the plan are ignored, since they do not affect the pieces.
#[must_use]
pub fn difference(one: &Header, other: &Header) -> Option<(String, Value, Value)> {
    let decides = |field: &&String| !["name", Planned::FIELD].contains(&field.as_str());
    let mut fields = one.keys().chain(other.keys()).filter(decides);
    let is_same = |field: &str| match (one.get(field), other.get(field)) {
        (Some(one), Some(other)) => is_same_seed(one, other),
        (one, other) => one == other,
    };
    let field = fields.find(|field| !is_same(field))?;
    let value = |header: &Header| header.get(field).cloned().unwrap_or_default();
    Some((field.clone(), value(one), value(other)))
}

/// Reads the first line of the journal at `path`, whatever its pieces are.
///
/// # Errors
///
/// When the file cannot be read, or its first line is damaged.
pub fn read_header(path: &Path) -> Result<Header, JournalError> {
    Reader::new(path, &open_to_read(path)?).header()
}

/// Returns whether the last line of the journal at `path` has no end, so that [`Journal::read`]
/// ignores it: its run was killed, or is still in progress.
///
/// # Errors
///
/// When the file cannot be read.
pub fn is_cut(path: &Path) -> Result<bool, JournalError> {
    let mut file = open_to_read(path)?;
    let mut last = [0];
    let read = file.seek(SeekFrom::End(-1)).and_then(|_| file.read_exact(&mut last));
    read.map_err(|source| JournalError::Read { path: path.to_owned(), source })?;
    Ok(last != *b"\n")
}

fn open_to_read(path: &Path) -> Result<File, JournalError> {
    if path.metadata().is_ok_and(|found| !found.is_file()) {
        return Err(JournalError::NotAFile { path: path.to_owned() });
    }
    File::open(path).map_err(|source| JournalError::Read { path: path.to_owned(), source })
}

const SEAL: &str = ",\"crc32\":\"";

/// Formats the line of an object, with its checksum and its end.
fn sealed<T: Serialize>(object: &T) -> String {
    let mut line = serde_json::to_string(object).expect("lines can be written as JSON");
    let brace = line.pop();
    debug_assert_eq!(brace, Some('}'), "a line is an object");
    let sum = crc32fast::hash(line.as_bytes());
    line + SEAL + &format!("{sum:08x}\"}}\n")
}

/// Parses a line without its end: checks the checksum and removes it.
fn unsealed(line: &[u8]) -> Result<Header, String> {
    let line = std::str::from_utf8(line).map_err(|error| error.to_string())?;
    let (object, sum) = line.rsplit_once(SEAL).ok_or("the line has no checksum")?;
    if sum != format!("{:08x}\"}}", crc32fast::hash(object.as_bytes())) {
        return Err("its checksum is wrong".to_owned());
    }
    serde_json::from_str(&format!("{object}}}")).map_err(|error| error.to_string())
}

/// Compares the header of a file with that of this run. Returns the new header of the file if it
/// must change.
fn same_run(path: &Path, there: Header, header: &str) -> Result<Option<Header>, JournalError> {
    let here = unsealed(header.trim_end().as_bytes()).expect("it was sealed by us");
    if let Some((field, there, here)) = difference(&there, &here) {
        return Err(JournalError::OtherRun {
            path: path.to_owned(),
            field,
            there: there.to_string(),
            here: here.to_string(),
        });
    }
    let plan = |header: &Header| Planned::of(header).ok().flatten();
    let Some(new) = plan(&here) else { return Ok(None) };
    let Some(old) = plan(&there) else { return Ok(Some(new.set(there))) };
    let both = old.clone().and(new);
    let both = both.map_err(|source| JournalError::OtherPart { path: path.to_owned(), source })?;
    Ok((both != old).then(|| both.set(there)))
}

#[cfg(test)]
mod tests;

/// Returns whether two values are the same seed, each in one of its forms.
fn is_same_seed(one: &Value, other: &Value) -> bool {
    let seed = |value: &Value| seed_json::deserialize(value).ok();
    one == other || seed(one).is_some_and(|one| seed(other) == Some(one))
}
