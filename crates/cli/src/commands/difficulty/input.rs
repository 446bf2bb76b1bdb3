//! The file of puzzles, or standard input.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use crate::exit::{Failure, Outcome};
use crate::files::{cannot_read, to_read};
use crate::interrupt;
use crate::standard_input::StandardInput;

/// A file that is open, or standard input, of which the begin may have been looked at.
pub(super) struct Input {
    path: PathBuf,
    begin: Vec<u8>,
    rest: Box<dyn Read + Send>,
}

impl Input {
    /// Opens a file; `-` is standard input.
    pub(super) fn open(path: &Path) -> Outcome<Input> {
        let rest: Box<dyn Read + Send> = if path == Path::new("-") {
            Box::new(StandardInput::open())
        } else {
            to_read(path)?;
            Box::new(File::open(path).map_err(|error| cannot_read(path, &error))?)
        };
        Ok(Input { path: path.to_owned(), begin: Vec::new(), rest })
    }

    /// Whether it begins with these bytes. What cannot be read fails later, where it is read.
    pub(super) fn begins_with(&mut self, head: &[u8]) -> bool {
        let missing = head.len().saturating_sub(self.begin.len());
        let _ = (&mut self.rest).take(missing as u64).read_to_end(&mut self.begin);
        self.begin.starts_with(head)
    }

    /// The lines of a file, so at most that many puzzles; 0 where that is not known.
    pub(super) fn line_count(&self) -> Outcome<u64> {
        if self.is_standard() {
            return Ok(0);
        }
        let refused = |error: io::Error| self.cannot_read(&error);
        let mut file = BufReader::new(File::open(&self.path).map_err(refused)?);
        let mut lines = 0;
        while file.skip_until(b'\n').map_err(refused)? > 0 {
            lines += 1;
        }
        Ok(lines)
    }

    /// Whether it is standard input, which can be read once only.
    pub(super) fn is_standard(&self) -> bool {
        self.path == Path::new("-")
    }

    /// The failure of reading it.
    pub(super) fn cannot_read(&self, error: &dyn std::fmt::Display) -> Failure {
        if interrupt::requested() {
            return Failure::interrupted("interrupted, and nothing is kept");
        }
        cannot_read(&self.path, error)
    }

    /// All of its bytes.
    pub(super) fn reader(&mut self) -> impl Read + Send + use<> {
        let begin = Cursor::new(std::mem::take(&mut self.begin));
        begin.chain(std::mem::replace(&mut self.rest, Box::new(io::empty())))
    }
}
