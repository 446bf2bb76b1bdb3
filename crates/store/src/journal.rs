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
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use crate::{Place, WholeFile};
use rustc_hash::FxHashSet;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use thiserror::Error;
use treegauge_core::Watch;
use treegauge_core::seed_json;

use crate::planned::{OtherPart, Planned};

/// A piece of work that is done.
pub trait Piece: Serialize + DeserializeOwned {
    /// Names the piece; sorts the finished file.
    type Key: Ord + std::hash::Hash + std::fmt::Debug;

    /// What several pieces are called in messages.
    const PIECES: &'static str = "games";

    /// The name of this piece.
    fn key(&self) -> Self::Key;

    /// Checks numbers that a checksum says nothing about: whether such a piece can be.
    ///
    /// # Errors
    ///
    /// What is wrong with it, in words.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }
}

/// Why a journal cannot be opened or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JournalError {
    /// It cannot be read.
    #[error("cannot read {path}: {source}", path = path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It cannot be written.
    #[error("cannot write {path}: {source}", path = path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It is not what this run wrote: another program wrote to it, or put another file in its place.
    #[error("another program changed {path} while this one was writing it", path = path.display())]
    Changed {
        /// The file.
        path: PathBuf,
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
    /// It belongs to another part of the run.
    #[error("cannot write {path}: {source}", path = path.display())]
    OtherPart {
        /// The file.
        path: PathBuf,
        /// Which parts.
        source: OtherPart,
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
    /// The watch said stop before it was read to its end.
    #[error("interrupted while {path} was read", path = path.display())]
    Interrupted {
        /// The file.
        path: PathBuf,
    },
}

/// The longest line that is read. The longest games that are recorded take a hundredth of it.
const LINE_BYTES_MAX: usize = 1 << 26;

/// The longest first line: that of a dataset names its games.
const HEADER_BYTES_MAX: usize = 1 << 24;

/// An open journal, locked against other runs.
#[derive(Debug)]
pub struct Journal<L> {
    path: PathBuf,
    file: File,
    /// The file when it was opened.
    place: Option<Place>,
    /// The bytes of the lines that are there.
    len: u64,
    lines: PhantomData<L>,
}

/// What a journal holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Contents<L> {
    /// The first line.
    pub header: Header,
    /// The pieces as they stand in the file.
    pub lines: Vec<L>,
}

/// A step of a reading in order.
#[derive(Clone, Debug, PartialEq)]
pub enum InOrder<L> {
    /// The next piece.
    Piece(L),
    /// The file is not in order: what came until now is to be forgotten, and comes again.
    Anew,
}

impl<L: Piece> Journal<L> {
    /// Opens the journal of the run that `header` describes, or begins one; returns the pieces
    /// that it holds. Where the header has a [plan](Planned), the file has it from then on beside its own.
    ///
    /// # Errors
    ///
    /// When the file cannot be opened, is in use, belongs to a run with another header or to another part,
    /// or is damaged. The file is then left as it was.
    pub fn open<H: Serialize>(path: &Path, header: &H) -> Result<(Self, Vec<L>), JournalError> {
        let mut lines = Vec::new();
        let journal = Journal::open_with(path, header, &(), &mut |line| lines.push(line))?;
        Ok((journal, lines))
    }

    /// The same for more pieces than memory holds: `seen` takes those that are there, in any order.
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
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(JournalError::Busy { path: path.to_owned() });
            }
            // Some network file systems have no locks; then two runs are the user's care.
            Err(TryLockError::Error(_)) | Ok(()) => (),
        }
        let header = sealed(header);
        let mut reader = Reader::new(path, &file);
        let mut renewed = None;
        match reader.first_line()? {
            // Nothing was written, or not even the first line to its end.
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

    /// Reads the journal of a run that may be in progress; a last line without its end is left out.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, has no header, or is damaged.
    pub fn read(path: &Path) -> Result<Contents<L>, JournalError> {
        let mut lines = Vec::new();
        let header = Journal::read_with(path, &(), &mut |line| lines.push(line))?;
        Ok(Contents { header, lines })
    }

    /// The same for more pieces than memory holds: `seen` takes them as they stand in the file. Returns
    /// the first line.
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

    /// The same in the order of the keys, whatever the order in the file: the journal of a run that was killed
    /// is not in order. Returns the first line.
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

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a piece.
    ///
    /// # Errors
    ///
    /// When the file cannot be written, or is not what was written until now.
    pub fn add(&mut self, line: &L) -> Result<(), JournalError> {
        self.write(&sealed(line))
    }

    /// One call of the system for the whole line: a kill does not leave a hole.
    fn write(&mut self, line: &str) -> Result<(), JournalError> {
        let failed = |source| JournalError::Write { path: self.path.clone(), source };
        // Writing behind the end of a file that was cut short would fill it up with zeros.
        if self.file.metadata().map_err(failed)?.len() != self.len {
            return Err(JournalError::Changed { path: self.path.clone() });
        }
        if let Err(source) = self.file.write_all(line.as_bytes()) {
            // Part of a line would be damage as soon as another line follows.
            let _ = self.file.set_len(self.len);
            return Err(JournalError::Write { path: self.path.clone(), source });
        }
        self.len += line.len() as u64;
        Ok(())
    }

    /// Puts another first line in the place of the one that is there, which has `header_len` bytes.
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
        if let Err(TryLockError::WouldBlock) = self.file.try_lock() {
            return Err(JournalError::Busy { path: self.path.clone() });
        }
        self.place = Place::of(&self.path).ok();
        self.len = self.len - header_len + header.len() as u64;
        Ok(())
    }

    /// Puts the lines in order and makes sure that they are on the disk.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or written, or is not what was written; it is then as it was
    /// before.
    pub fn finish(self) -> Result<(), JournalError> {
        self.finish_watched(&())
    }

    /// The same, unless `watch` says stop before the lines are written in order.
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

    /// Ends a run that will continue later; the lines stay in the order in which they came.
    ///
    /// # Errors
    ///
    /// When what was written is not there: the file was removed, replaced or changed by another program.
    pub fn close(self) -> Result<(), JournalError> {
        self.check_place()?;
        let failed = |source| JournalError::Read { path: self.path.clone(), source };
        if self.file.metadata().map_err(failed)?.len() != self.len {
            return Err(JournalError::Changed { path: self.path });
        }
        Ok(())
    }

    /// Fails unless the file that is written is still at its path.
    fn check_place(&self) -> Result<(), JournalError> {
        let here = Place::of(&self.path).ok();
        let is_same = |(here, place): (&Place, &Place)| here.is_unchanged(place);
        if here.as_ref().zip(self.place.as_ref()).is_some_and(is_same) {
            return Ok(());
        }
        Err(JournalError::Changed { path: self.path.clone() })
    }

    /// Writes these parts of the file one after the other, and puts them in its place.
    fn copy(&mut self, parts: impl Iterator<Item = (u64, u64)>) -> io::Result<()> {
        let mut sorted = BufWriter::new(WholeFile::create(&self.path)?);
        let mut bytes = Vec::new();
        let mut reader = BufReader::new(&self.file);
        let mut at = reader.seek(SeekFrom::Start(0))?;
        for (begin, end) in parts {
            // A part that follows the last one is in the buffer.
            reader.seek_relative(begin as i64 - at as i64)?;
            bytes.resize((end - begin) as usize, 0);
            reader.read_exact(&mut bytes)?;
            sorted.write_all(&bytes)?;
            at = end;
        }
        sorted.into_inner()?.finish()
    }
}

/// Reads a journal line by line.
struct Reader<'a> {
    path: &'a Path,
    input: BufReader<&'a File>,
    /// The last line that was read, without its end; at the end what stands there without one.
    text: Vec<u8>,
    /// The number of the line, from 1.
    number: usize,
    /// The bytes of the lines that have an end.
    whole_len: u64,
}

impl<'a> Reader<'a> {
    fn new(path: &'a Path, file: &'a File) -> Self {
        Reader { path, input: BufReader::new(file), text: Vec::new(), number: 0, whole_len: 0 }
    }

    /// The object of the next line; `None` when there is no other line with its end.
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

    /// The object of the first line.
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

    /// The next piece.
    fn piece<L: Piece>(&mut self) -> Result<Option<L>, JournalError> {
        let Some(object) = self.line(LINE_BYTES_MAX)? else { return Ok(None) };
        let line: L = serde_json::from_value(Value::Object(object))
            .map_err(|error| self.damaged(&error.to_string()))?;
        line.check().map_err(|reason| self.damaged(&reason))?;
        Ok(Some(line))
    }

    /// Looks at a watch after a piece, which may be long.
    fn go_on(&self, watch: &dyn Watch) -> Result<(), JournalError> {
        if watch.stop() {
            return Err(JournalError::Interrupted { path: self.path.to_owned() });
        }
        Ok(())
    }

    /// Where the pieces that follow begin and end, in the order of their keys.
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

    /// Goes on with the line that begins in a place.
    fn seek(&mut self, to: u64) -> Result<(), JournalError> {
        let sought = self.input.seek(SeekFrom::Start(to));
        sought.map_err(|source| JournalError::Read { path: self.path.to_owned(), source })?;
        self.whole_len = to;
        Ok(())
    }

    /// All pieces from a place on, in the order of their keys.
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

    /// All pieces that follow.
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

/// The first line of a journal: names and values in their order.
pub type Header = Map<String, Value>;

/// Writes the journal that a run with this header would have left when it had done these pieces.
///
/// # Errors
///
/// When `out` takes no more.
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

/// The first field of two headers that differs, with its two values. The name that a user gave to the
/// game is none, and the plan is none: they decide nothing.
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

/// The first line of the journal at `path`, whatever its pieces are.
///
/// # Errors
///
/// When the file cannot be read, or its first line is damaged.
pub fn read_header(path: &Path) -> Result<Header, JournalError> {
    Reader::new(path, &open_to_read(path)?).header()
}

/// Whether the last line of the journal at `path` has no end, so that [`Journal::read`] leaves it out:
/// its run was killed, or is still in progress.
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

/// Compares the header of a file with that of this run; returns the header that the file should have, if
/// that is another one.
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

/// Whether two values are one seed, each in one of its forms.
fn is_same_seed(one: &Value, other: &Value) -> bool {
    let seed = |value: &Value| seed_json::deserialize(value).ok();
    one == other || seed(one).is_some_and(|one| seed(other) == Some(one))
}
