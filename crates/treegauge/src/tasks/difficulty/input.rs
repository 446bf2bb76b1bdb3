//! The file of puzzles, or standard input.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use treegauge_store::NotText;

use super::super::{Context, STANDARD_INPUT};
use crate::{Error, cannot_read, expanded_text};

/// An open file or standard input. Its beginning may have been read already.
pub(super) struct Input {
    path: PathBuf,
    begin: Vec<u8>,
    rest: Box<dyn Read + Send>,
}

/// The maximum number of blanks before a JSON object.
const BLANKS_MAX: usize = 1 << 16;

/// An input that fails once, and then ends.
struct Failed(Option<io::Error>);

impl Read for Failed {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

impl Input {
    /// Opens a file, or [`STANDARD_INPUT`].
    pub(super) fn open(name: &Path, context: &Context<'_>) -> Result<Input, Error> {
        let (path, rest) = if is_standard(name) {
            (name.to_owned(), context.files.open(name))
        } else {
            let path = context.files.path(name)?;
            context.places.to_read(&path)?;
            let file = context.files.open(&path);
            (path, file)
        };
        let rest = rest.map_err(|error| cannot_read(name, &error))?;
        let rest: Box<dyn Read + Send> = match expanded_text(rest) {
            Ok(rest) => rest,
            // The error comes again where the text is read.
            Err(error) => Box::new(Failed(Some(error))),
        };
        Ok(Input { path, begin: Vec::new(), rest })
    }

    /// Whether it is a JSON object, and so not a file of chess puzzles. An error of reading is reported later.
    pub(super) fn is_json(&mut self) -> bool {
        let marks = |begin: &[u8]| -> Vec<u8> {
            begin.iter().filter(|byte| !byte.is_ascii_whitespace()).take(2).copied().collect()
        };
        while marks(&self.begin).len() < 2 && self.begin.len() < BLANKS_MAX {
            match (&mut self.rest).take(1).read_to_end(&mut self.begin) {
                Ok(1..) => {}
                Ok(0) => break,
                Err(error) => {
                    // The error comes again where the text is read.
                    self.rest = Box::new(Failed(Some(error)));
                    break;
                }
            }
        }
        // A row may begin with a brace, too.
        matches!(&marks(&self.begin)[..], [b'{'] | [b'{', b'"' | b'}'])
    }

    /// Number of puzzles by the lines, without the header of a table: in PGN each has a tag `FEN`. 0 for
    /// standard input and compressed files.
    pub(super) fn puzzle_count(&self) -> Result<u64, Error> {
        if is_standard(&self.path) {
            return Ok(0);
        }
        let refused = |error: io::Error| cannot_read(&self.path, &error);
        let mut file = BufReader::new(File::open(&self.path).map_err(refused)?);
        let begin = file.fill_buf().map_err(refused)?;
        if NotText::of(begin).is_some() {
            return Ok(0);
        }
        let (mut line, mut rows, mut tags, mut has_header) = (Vec::new(), 0_u64, 0, false);
        loop {
            line.clear();
            // The beginning tells; the rest of a long line is skipped.
            let length = (&mut file).take(64).read_until(b'\n', &mut line).map_err(refused)?;
            if length == 0 {
                break;
            }
            if line.last() != Some(&b'\n') {
                file.skip_until(b'\n').map_err(refused)?;
            }
            let text = line.trim_ascii();
            if text.is_empty() || text.starts_with(b"#") {
                continue;
            }
            has_header |= rows == 0 && text.windows(3).any(|word| word == b"FEN");
            rows += 1;
            tags += u64::from(text.starts_with(b"[FEN "));
        }
        Ok(if tags > 0 { tags } else { rows - u64::from(has_header) })
    }

    /// The error of reading the input.
    pub(super) fn cannot_read(
        &self,
        error: &dyn std::fmt::Display,
        context: &Context<'_>,
    ) -> Error {
        if context.watch.stop() {
            return Error::interrupted("nothing is kept");
        }
        cannot_read(&self.path, error)
    }

    /// Reads all of its bytes.
    pub(super) fn reader(&mut self) -> impl Read + Send + use<> {
        let begin = Cursor::new(std::mem::take(&mut self.begin));
        begin.chain(std::mem::replace(&mut self.rest, Box::new(io::empty())))
    }
}

/// Whether a name is that of standard input, which can be read once only.
pub(super) fn is_standard(name: &Path) -> bool {
    name == Path::new(STANDARD_INPUT)
}
