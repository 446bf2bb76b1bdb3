//! Texts as other programs write them.

use std::fmt;
use std::io::{self, Read};
use std::path::Path;

use crate::regular::read;

/// Byte order mark that some programs write before UTF-8.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// Number of bytes by which all kinds of files are recognized.
const MAGIC_BYTES: u64 = 10;

/// Kind of a file that is not a text in UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotText {
    /// Text in UTF-16, as the notepads of some systems save it.
    Utf16,
    /// Parquet file.
    Parquet,
    /// File compressed by zstd.
    Zstd,
    /// File compressed by gzip.
    Gzip,
    /// File compressed by a program whose files are not read.
    Packed(&'static str),
    /// Picture, or another file that no text is.
    Binary(&'static str),
    /// Zip archive, for example a workbook of a spreadsheet.
    Zip,
    /// Text with a NUL in this line.
    Nul {
        /// Number of the line, from 1.
        line: usize,
    },
    /// Text with bytes that are not UTF-8 in this line.
    NotUtf8 {
        /// Number of the line, from 1.
        line: usize,
    },
}

impl fmt::Display for NotText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotText::Utf16 => f.write_str("it is text in UTF-16; save it as UTF-8"),
            NotText::Parquet => {
                f.write_str("it is Parquet, which is written and not read; give the table as CSV")
            }
            NotText::Zstd => f.write_str("it is compressed by zstd; expand it first"),
            NotText::Gzip => f.write_str("it is compressed by gzip; expand it first"),
            NotText::Packed(by) => write!(f, "it is compressed by {by}; expand it first"),
            NotText::Binary(kind) => write!(f, "it is {kind}, and not a text"),
            NotText::Zip => f.write_str(
                "it is a zip archive, as workbooks of spreadsheets are; save the table as CSV in UTF-8",
            ),
            NotText::Nul { line } => write!(f, "line {line} has a NUL, which no text has"),
            NotText::NotUtf8 { line } => {
                write!(f, "it is not text in UTF-8: line {line} has other bytes")
            }
        }
    }
}

impl std::error::Error for NotText {}

impl From<NotText> for io::Error {
    fn from(error: NotText) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, error)
    }
}

impl NotText {
    /// Recognizes the kind of a file from its first bytes; `None` if it may be a text in UTF-8.
    #[must_use]
    pub fn of(begin: &[u8]) -> Option<NotText> {
        let is = |magic: &[u8]| begin.starts_with(magic);
        // ASCII letters in UTF-16 without a mark have a NUL on one side.
        let has_wide_letters = matches!(begin, [a, 0, b, 0, ..] | [0, a, 0, b, ..]
            if a.is_ascii() && b.is_ascii() && *a != 0 && *b != 0);
        match begin {
            _ if is(b"\xFF\xFE") || is(b"\xFE\xFF") || has_wide_letters => Some(NotText::Utf16),
            // A row of a text may begin so, too.
            _ if is(b"PAR1") && begin.get(4).is_none_or(u8::is_ascii_control) => {
                Some(NotText::Parquet)
            }
            _ if is(b"\x28\xB5\x2F\xFD") => Some(NotText::Zstd),
            _ if is(b"\x1F\x8B") => Some(NotText::Gzip),
            _ if is(b"PK\x03\x04") => Some(NotText::Zip),
            _ if is(b"\xFD7zXZ\0") => Some(NotText::Packed("xz")),
            _ if is(b"BZh") && begin.get(4..10) == Some(b"1AY&SY") => {
                Some(NotText::Packed("bzip2"))
            }
            _ if is(b"7z\xBC\xAF\x27\x1C") => Some(NotText::Packed("7-Zip")),
            _ if is(b"\x89PNG\r\n\x1A\n") => Some(NotText::Binary("a picture (PNG)")),
            _ if is(b"\xFF\xD8\xFF") => Some(NotText::Binary("a picture (JPEG)")),
            _ if is(b"%PDF-") => Some(NotText::Binary("a document (PDF)")),
            _ => None,
        }
    }
}

/// Converts the bytes of a file or standard input to text. Removes a byte order mark, turns single
/// carriage returns, the line ends of old systems, into line feeds, and removes a Ctrl-Z at the
/// end. Line ends of two characters stay.
///
/// # Errors
///
/// When the bytes are not a text in UTF-8.
///
/// ```
/// use treegauge_store::{NotText, text_of};
///
/// assert_eq!(text_of(b"\xEF\xBB\xBFone\rtwo\r\nthree".to_vec()).unwrap(), "one\ntwo\r\nthree");
/// assert_eq!(text_of(b"one\r\n\x1a".to_vec()).unwrap(), "one\r\n");
/// assert_eq!(text_of(b"\xFF\xFEo\0n\0e\0".to_vec()), Err(NotText::Utf16));
/// ```
pub fn text_of(mut bytes: Vec<u8>) -> Result<String, NotText> {
    if let Some(other) = NotText::of(&bytes) {
        return Err(other);
    }
    if bytes.starts_with(MARK) {
        bytes.drain(..MARK.len());
    }
    // Old systems end a text with this character.
    if bytes.last() == Some(&b'\x1a') {
        bytes.pop();
    }
    for n in 0..bytes.len() {
        if bytes[n] == b'\r' && bytes.get(n + 1) != Some(&b'\n') {
            bytes[n] = b'\n';
        }
    }
    let line = |end: usize, bytes: &[u8]| bytes[..end].iter().filter(|&&b| b == b'\n').count() + 1;
    if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
        return Err(NotText::Nul { line: line(at, &bytes) });
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        NotText::NotUtf8 { line: line(at, error.as_bytes()) }
    })
}

/// Reads the text of a regular file of at most `bytes_max` bytes; see [`text_of`].
///
/// # Errors
///
/// When it does not exist, is larger, cannot be read, or is not a text.
pub fn read_text(path: &Path, bytes_max: u64) -> io::Result<String> {
    Ok(text_of(read(path, bytes_max)?)?)
}

/// Reader of a text in pieces. It removes a byte order mark, and turns all line ends into line
/// feeds.
#[derive(Debug)]
pub struct TextReader<R> {
    input: R,
    /// Bytes that were read from the input but not returned yet.
    waiting: Vec<u8>,
    /// Number of these bytes that were already returned.
    given: usize,
    is_begun: bool,
    /// Whether the last byte was a carriage return, which was returned as a line feed.
    after_return: bool,
}

impl<R: Read> TextReader<R> {
    /// Creates a reader of an input from its beginning.
    pub fn new(input: R) -> Self {
        TextReader { input, waiting: Vec::new(), given: 0, is_begun: false, after_return: false }
    }

    /// Reads the first bytes, and checks that they may begin a text.
    fn begin(&mut self) -> io::Result<()> {
        self.is_begun = true;
        (&mut self.input).take(MAGIC_BYTES).read_to_end(&mut self.waiting)?;
        if let Some(other) = NotText::of(&self.waiting) {
            return Err(other.into());
        }
        if self.waiting.starts_with(MARK) {
            self.waiting.drain(..MARK.len());
        }
        let begin = std::mem::take(&mut self.waiting);
        self.waiting = self.line_ends(begin);
        Ok(())
    }

    fn line_ends(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        let mut out = Vec::with_capacity(bytes.len());
        for byte in bytes {
            let was_return = std::mem::replace(&mut self.after_return, byte == b'\r');
            match byte {
                b'\n' if was_return => {}
                b'\r' => out.push(b'\n'),
                byte => out.push(byte),
            }
        }
        out
    }
}

impl<R: Read> Read for TextReader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        if !self.is_begun {
            self.begin()?;
        }
        while self.given == self.waiting.len() {
            let mut bytes = vec![0; out.len()];
            let len = self.input.read(&mut bytes)?;
            if len == 0 {
                return Ok(0);
            }
            bytes.truncate(len);
            self.waiting = self.line_ends(bytes);
            self.given = 0;
        }
        let len = out.len().min(self.waiting.len() - self.given);
        out[..len].copy_from_slice(&self.waiting[self.given..][..len]);
        self.given += len;
        Ok(len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reader that returns one byte at a time.
    struct Drops<'a>(&'a [u8]);

    impl Read for Drops<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let Some((first, rest)) = self.0.split_first() else { return Ok(0) };
            (out[0], self.0) = (*first, rest);
            Ok(1)
        }
    }

    #[test]
    fn every_disguise_of_a_text_is_the_same_text() {
        let plain = "game,fun\nforms,3\n\nachi,4\n";
        for ends in ["\n", "\r\n", "\r"] {
            for mark in ["", "\u{feff}"] {
                let text = format!("{mark}{}", plain.replace('\n', ends)).into_bytes();
                assert_eq!(text_of(text.clone()).unwrap().replace("\r\n", "\n"), plain);
                let mut whole = String::new();
                TextReader::new(&text[..]).read_to_string(&mut whole).unwrap();
                assert_eq!(whole, plain, "{text:?}");
                let mut dropped = String::new();
                TextReader::new(Drops(&text)).read_to_string(&mut dropped).unwrap();
                assert_eq!(dropped, plain, "{text:?}");
            }
        }
    }

    #[test]
    fn what_is_not_a_text_is_named() {
        let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        let cases = [
            (wide("\u{feff}game"), "UTF-16"),
            (wide("game"), "UTF-16"),
            (b"PAR1\x15\x04".to_vec(), "Parquet"),
            (b"\x28\xB5\x2F\xFD\0".to_vec(), "zstd"),
            (b"\x1F\x8B\x08".to_vec(), "gzip"),
            (b"PK\x03\x04".to_vec(), "zip"),
            (b"\xFD7zXZ\0".to_vec(), "compressed by xz"),
            (b"BZh91AY&SY\0".to_vec(), "compressed by bzip2"),
            (b"\x89PNG\r\n\x1A\n".to_vec(), "a picture"),
            (b"%PDF-1.4".to_vec(), "PDF"),
        ];
        for (bytes, part) in cases {
            let error = TextReader::new(&bytes[..]).read_to_end(&mut Vec::new()).unwrap_err();
            let reason = text_of(bytes).unwrap_err();
            assert!(reason.to_string().contains(part), "{reason}");
            assert_eq!(error.to_string(), reason.to_string());
        }
        // Rows of texts may begin as such files do.
        for text in ["PAR1x,8/8", "BZh,8/8", "%note"] {
            assert_eq!(text_of(text.as_bytes().to_vec()), Ok(text.to_owned()));
        }
        assert_eq!(text_of(b"a\n\0".to_vec()), Err(NotText::Nul { line: 2 }));
        assert_eq!(text_of(b"a\rb\r\n\xE4".to_vec()), Err(NotText::NotUtf8 { line: 3 }));
        assert_eq!(text_of(Vec::new()), Ok(String::new()));
    }
}
