//! Cache of engine answers in a file.
//!
//! The file is text. Its first line is a title, and each further line is one answer:
//!
//! ```text
//! treegauge engine answers 2
//! 93a2e0c1f7d45b06 0f3c...9a {"lines":[["e2e4",{"score":31.0}]],"best_by_depth":["e2e4"]}
//! ^ checksum       ^ hash of the question, 32 digits
//! ```
//!
//! The checksum is the XXH3 sum of the rest of its line, in 16 hexadecimal digits. A line that does
//! not match its checksum is ignored, and the next line begins after the next line feed. Damage
//! therefore never spreads beyond the lines that it touches. (An earlier version used an embedded
//! database. Its pages have checksums only while it writes, and damaged pages made it panic or
//! recurse without end.)

use std::collections::HashMap;
use std::fs::{File, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

/// First line of a cache.
const TITLE: &[u8] = b"treegauge engine answers 2\n";

/// First bytes of a file of the earlier format, a `redb` database.
const DATABASE: &[u8] = b"redb\x1A\x0A\xA9\x0D\x0A";

/// Most bits in which the beginning of a file may differ from a known one and still count as
/// damaged.
const DAMAGED_BITS_MAX: u32 = 8;

/// Maximum length of a line, in bytes; a longer one is not an answer.
const LINE_BYTES_MAX: u64 = 1 << 20;

/// Digits of a checksum and of a question, and bytes of both with the blank after each.
const SUM_DIGITS: usize = 16;
const QUESTION_DIGITS: usize = 32;
const HEAD_BYTES: usize = SUM_DIGITS + 1 + QUESTION_DIGITS + 1;

/// Reason that a cache cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CacheError {
    /// Another program holds the lock of the file.
    #[error("{} is in use by another run", .0.display())]
    InUse(PathBuf),
    /// The file is not a cache, or cannot be read or written.
    #[error("{} cannot be used as a cache: {}", .0.display(), .1)]
    Unusable(PathBuf, Box<dyn std::error::Error + Send + Sync>),
}

/// File of engine answers, so that nothing is searched twice.
///
/// The file is valid at every moment: a run that is killed loses at most the answer that it was
/// writing. One run at a time may use the file; the engines of a run share it. A damaged answer
/// counts as missing.
pub struct Cache {
    path: PathBuf,
    mended: Option<String>,
    kept: Mutex<Kept>,
}

/// File, index of its answers, and state of writing.
struct Kept {
    file: File,
    answers: HashMap<u128, Place>,
    /// Offset at which the next line goes, in bytes.
    end: u64,
    /// First error of writing; nothing more is written after it.
    error: Option<CacheError>,
}

/// Offset and length of a line in bytes, without its line feed.
#[derive(Clone, Copy)]
struct Place {
    begin: u64,
    len: u32,
}

impl Cache {
    /// Opens a cache, or creates it. Damaged parts are blanked, and a file of the earlier format is
    /// begun anew. [`Cache::mended`] reports both.
    ///
    /// # Errors
    ///
    /// When another run uses the file, the file is not a cache, or it cannot be read or written.
    pub fn open(path: &Path) -> Result<Cache, CacheError> {
        let unusable = |error: io::Error| CacheError::Unusable(path.into(), error.into());
        let mut options = File::options();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(unusable)?;
        match treegauge_store::lock(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(CacheError::InUse(path.into())),
            Err(TryLockError::Error(error)) => return Err(unusable(error)),
        }
        let found = Found::read(&file).map_err(unusable)?;
        let mended = found.mend(&mut file).map_err(unusable)?;
        let mended = mended.map(|what| format!("{}: {what}", path.display()));
        let end = file.seek(SeekFrom::End(0)).map_err(unusable)?;
        let kept = Kept { file, answers: found.answers, end, error: None };
        Ok(Cache { path: path.into(), mended, kept: Mutex::new(kept) })
    }

    /// Sentence about the damage or the earlier format that [`Cache::open`] found; `None` if there
    /// was neither.
    #[must_use]
    pub fn mended(&self) -> Option<&str> {
        self.mended.as_deref()
    }

    /// Stored answer to a question; `None` if it is missing or cannot be read.
    pub(crate) fn get<A: DeserializeOwned>(&self, question: u128) -> Option<A> {
        let line = self.kept().read(question)?;
        let (read, answer) = answer_of(&line)?;
        serde_json::from_slice(answer).ok().filter(|_| read == question)
    }

    pub(crate) fn put<A: Serialize>(&self, question: u128, answer: &A) {
        let answer = serde_json::to_string(answer).expect("an answer is plain data");
        let rest = format!("{question:032x} {answer}");
        let line = format!("{:016x} {rest}\n", xxh3_64(rest.as_bytes()));
        let mut kept = self.kept();
        if let Err(error) = kept.append(question, line.as_bytes()) {
            kept.error = Some(CacheError::Unusable(self.path.clone(), error.into()));
        }
    }

    /// Has the system write the answers to the disk.
    ///
    /// # Errors
    ///
    /// When an answer could not be written, now or earlier. The answers that the cache returned are
    /// still right.
    pub fn finish(&self) -> Result<(), CacheError> {
        let mut kept = self.kept();
        if let Some(error) = kept.error.take() {
            return Err(error);
        }
        let synced = kept.file.sync_data();
        synced.map_err(|error| CacheError::Unusable(self.path.clone(), error.into()))
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn read(&mut self, question: u128) -> Option<Vec<u8>> {
        let Place { begin, len } = *self.answers.get(&question)?;
        let mut line = vec![0; len as usize];
        self.file.seek(SeekFrom::Start(begin)).ok()?;
        self.file.read_exact(&mut line).ok()?;
        Some(line)
    }

    /// Appends a line; if that fails, cuts the file back to its length before. Does nothing after a
    /// failure or if the line is too long.
    fn append(&mut self, question: u128, line: &[u8]) -> io::Result<()> {
        if self.error.is_some() || line.len() as u64 > LINE_BYTES_MAX {
            return Ok(());
        }
        self.file.seek(SeekFrom::Start(self.end))?;
        if let Err(error) = self.file.write_all(line) {
            let _ = self.file.set_len(self.end);
            return Err(error);
        }
        let place = Place { begin: self.end, len: line.len() as u32 - 1 };
        self.answers.insert(question, place);
        self.end += line.len() as u64;
        Ok(())
    }
}

/// Question and text of the answer in a line; `None` if the line does not match its checksum.
fn answer_of(line: &[u8]) -> Option<(u128, &[u8])> {
    let (sum, rest) = line.split_at_checked(SUM_DIGITS + 1)?;
    let digits = rest.get(..QUESTION_DIGITS)?;
    if sum != format!("{:016x} ", xxh3_64(rest)).as_bytes() {
        return None;
    }
    let question = u128::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()?;
    Some((question, line.get(HEAD_BYTES..)?))
}

/// Contents of a file when it was opened.
#[derive(Default)]
struct Found {
    answers: HashMap<u128, Place>,
    /// First bytes of the file, at most as many as the title has.
    begin: Vec<u8>,
    /// Byte ranges that are neither title, answer nor blank; the first of them may be the title.
    damaged: Vec<Range<u64>>,
    /// Offset of an unfinished last line, which a killed run leaves behind.
    unfinished: Option<u64>,
    is_zero: bool,
}

impl Found {
    fn read(file: &File) -> io::Result<Found> {
        let mut found = Found { is_zero: true, ..Found::default() };
        let mut file = BufReader::with_capacity(1 << 18, file);
        let (mut line, mut at) = (Vec::new(), 0);
        // Whether this piece continues a line that was cut at the maximum length.
        let mut goes_on = false;
        loop {
            line.clear();
            let read = file.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut line)? as u64;
            if read == 0 {
                return Ok(found);
            }
            let missing = TITLE.len() - found.begin.len();
            found.begin.extend_from_slice(&line[..line.len().min(missing)]);
            found.is_zero &= line.iter().all(|byte| *byte == 0);
            let place = at..at + read;
            let is_whole = line.ends_with(b"\n");
            let text = line.strip_suffix(b"\n").unwrap_or(&line);
            match answer_of(text).filter(|_| is_whole && !goes_on) {
                Some((question, _)) => {
                    let place = Place { begin: at, len: text.len() as u32 };
                    found.answers.insert(question, place);
                }
                None if at == 0 && line == TITLE || text.is_empty() && !goes_on => {}
                None if !is_whole && read < LINE_BYTES_MAX && !goes_on => {
                    found.unfinished = Some(at);
                }
                None => match found.damaged.last_mut() {
                    Some(last) if last.end == at => last.end = place.end,
                    _ => found.damaged.push(place),
                },
            }
            goes_on = !is_whole;
            at += read;
        }
    }

    /// Makes the file a valid cache; returns a sentence about the damage, or `None` if there was
    /// none.
    fn mend(&self, file: &mut File) -> io::Result<Option<String>> {
        let has_title = self.begin == TITLE;
        if !has_title && self.answers.is_empty() {
            let is_empty = self.begin.is_empty();
            let is_earlier = self.begin.len() >= DATABASE.len() && is_near(&self.begin, DATABASE);
            if !is_empty && !is_earlier && !self.is_zero && !is_near(&self.begin, TITLE) {
                return Err(io::Error::other("it is something else"));
            }
            file.set_len(0)?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(TITLE)?;
            // A file with a part of the title alone comes from a run that was killed.
            let is_new = TITLE.starts_with(&self.begin);
            let why = if is_earlier { "is of an earlier version" } else { "is damaged" };
            return Ok((!is_new).then(|| format!("the cache {why} and is begun anew")));
        }
        if let Some(begin) = self.unfinished {
            file.set_len(begin)?;
        }
        for part in &self.damaged {
            file.seek(SeekFrom::Start(part.start))?;
            let mut left = part.end - part.start;
            if part.start == 0 && left >= TITLE.len() as u64 {
                file.write_all(TITLE)?;
                left -= TITLE.len() as u64;
            }
            io::copy(&mut io::repeat(b'\n').take(left), file)?;
        }
        let is_damaged = !self.damaged.is_empty();
        let sentence = "the cache was damaged; the answers in the damaged parts are asked anew";
        Ok(is_damaged.then(|| sentence.to_owned()))
    }
}

/// Tests whether a file begins like `like`, apart from a few flipped bits or an early end.
fn is_near(begin: &[u8], like: &[u8]) -> bool {
    let differ = begin.iter().zip(like).map(|(a, b)| (a ^ b).count_ones());
    let compared = begin.len().min(like.len()) as u32;
    differ.sum::<u32>() <= DAMAGED_BITS_MAX.min(compared / 2)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    type Answer = (String, Option<u32>);

    fn answer(n: u128) -> Answer {
        (format!("e2e4 {n}"), n.is_multiple_of(2).then_some(n as u32))
    }

    fn filled(path: &Path, questions: Range<u128>) -> Cache {
        let cache = Cache::open(path).unwrap();
        for question in questions {
            cache.put(question, &answer(question));
        }
        cache
    }

    #[test]
    fn answers_are_kept_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answers");
        let cache = filled(&path, 0..200);
        assert_eq!((cache.get(3), cache.get(199)), (Some(answer(3)), Some(answer(199))));
        assert!(matches!(Cache::open(&path), Err(CacheError::InUse(_))));
        // A killed run does not call `finish`: the copy is such a file.
        let copy = folder.path().join("copy");
        fs::copy(&path, &copy).unwrap();
        drop(cache);
        for path in [path, copy] {
            let cache = Cache::open(&path).unwrap();
            assert_eq!((cache.get(199), cache.get::<Answer>(200)), (Some(answer(199)), None));
            assert_eq!(cache.mended(), None);
            cache.finish().unwrap();
        }
    }

    #[test]
    fn the_last_answer_to_a_question_counts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answers");
        let cache = filled(&path, 0..2);
        cache.put(1, &answer(7));
        assert_eq!(cache.get(1), Some(answer(7)));
        drop(cache);
        assert_eq!(Cache::open(&path).unwrap().get(1), Some(answer(7)));
    }

    #[test]
    fn another_file_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes");
        for text in ["my notes\n".repeat(10), "my notes\n".repeat(10_000), "x".repeat(3 << 20)] {
            fs::write(&path, &text).unwrap();
            let error = Cache::open(&path).map(|_| ()).unwrap_err();
            assert!(error.to_string().contains("cannot be used as a cache"), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
    }

    /// Questions that a damaged file still answers, and the sentence about its damage. Panics if an
    /// answer is wrong.
    fn left(path: &Path, bytes: &[u8]) -> (Vec<u128>, Option<String>) {
        fs::write(path, bytes).unwrap();
        let cache = Cache::open(path).unwrap();
        let is_left = |question: &u128| match cache.get::<Answer>(*question) {
            None => false,
            Some(found) => {
                assert_eq!(found, answer(*question));
                true
            }
        };
        let left = (0..6).filter(is_left).collect();
        let mended = cache.mended().map(str::to_owned);
        // From here on it works like any other cache.
        cache.put(0, &answer(0));
        cache.put(9, &answer(9));
        drop(cache);
        let cache = Cache::open(path).unwrap();
        assert_eq!((cache.get(0), cache.get(9)), (Some(answer(0)), Some(answer(9))));
        assert_eq!(cache.mended(), None);
        (left, mended)
    }

    #[test]
    fn no_flipped_bit_is_an_answer_or_a_failure() {
        let folder = tempfile::tempdir().unwrap();
        let (whole, path) = (folder.path().join("whole"), folder.path().join("damaged"));
        drop(filled(&whole, 0..6));
        let whole = fs::read(whole).unwrap();
        assert_eq!(left(&path, &whole), ((0..6).collect(), None));
        for at in 0..whole.len() {
            for bit in 0..8 {
                let mut bytes = whole.clone();
                bytes[at] ^= 1 << bit;
                let (left, mended) = left(&path, &bytes);
                let is_end = at + 1 == whole.len();
                assert!(left.len() >= 4, "{left:?} of 6 with bit {bit} of byte {at}");
                assert!(mended.is_some() || is_end, "bit {bit} of byte {at}");
            }
        }
    }

    #[test]
    fn a_file_without_its_end_has_the_answers_before_it() {
        let folder = tempfile::tempdir().unwrap();
        let (whole, path) = (folder.path().join("whole"), folder.path().join("damaged"));
        drop(filled(&whole, 0..6));
        let whole = fs::read(whole).unwrap();
        for len in 0..whole.len() {
            let lines = whole[..len].iter().filter(|byte| **byte == b'\n').count() as u128;
            let expected = (0..lines.saturating_sub(1)).collect();
            assert_eq!(left(&path, &whole[..len]), (expected, None), "{len} bytes");
        }
    }

    #[test]
    fn pages_that_are_zeroed_or_copied_cost_their_answers_only() {
        const PAGE: usize = 64;
        let folder = tempfile::tempdir().unwrap();
        let (whole, path) = (folder.path().join("whole"), folder.path().join("damaged"));
        drop(filled(&whole, 0..6));
        let whole = fs::read(whole).unwrap();
        for to in (0..whole.len() - PAGE).step_by(PAGE) {
            for from in (0..whole.len() - PAGE).step_by(PAGE) {
                let mut bytes = whole.clone();
                bytes.copy_within(from..from + PAGE, to);
                assert!(left(&path, &bytes).0.len() >= 3);
                bytes[to..to + PAGE].fill(0);
                assert!(left(&path, &bytes).0.len() >= 3);
            }
        }
        assert_eq!(left(&path, &vec![0; 3 << 20]).0, []);
    }

    #[test]
    fn a_cache_of_the_earlier_format_is_begun_anew() {
        let folder = tempfile::tempdir().unwrap();
        let mut bytes = [DATABASE, &[7; 5_000]].concat();
        for _ in 0..2 {
            let (left, mended) = left(&folder.path().join("old"), &bytes);
            assert_eq!(left, []);
            assert!(mended.unwrap().ends_with("is of an earlier version and is begun anew"));
            bytes[3] ^= 16;
        }
    }
}
