//! Tables as written by spreadsheets and data frames.

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};

use crate::text::TextReader;

/// Characters that may separate cells.
const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];

/// Greatest length of the line of titles in bytes.
const TITLES_BYTES_MAX: u64 = 1 << 20;

/// Texts that readers of tables treat as a missing value.
const NO_VALUES: [&str; 8] = ["", "nan", "na", "<na>", "n/a", "null", "none", "nat"];

/// Reader of the titles and the rows.
type Rest<R> = Chain<Cursor<Vec<u8>>, BufReader<TextReader<R>>>;

/// Table of text with a line of titles.
///
/// Cells are separated by commas, semicolons or tabs. The separator that gives the most known
/// titles is used, unless a line such as `sep=;` comes first. Empty lines may come first too.
/// Columns without a title, such as the row numbers of data frames, are left out of
/// [`Sheet::titles`]. With semicolons or tabs a comma in a number is its decimal point.
///
/// ```
/// use treegauge_store::Sheet;
///
/// # fn main() -> std::io::Result<()> {
/// let text = "sep=;\r\n;fun;game\r\n0;3,5;\"achi\"\r\n";
/// let mut sheet = Sheet::open(text.as_bytes(), &["game", "fun"])?;
/// let (fun, game) = (sheet.column("fun").unwrap(), sheet.column("game").unwrap());
/// let row = sheet.next().unwrap()?;
/// assert_eq!((&row.cells[game], sheet.number(&row.cells[fun])), ("achi", Some(3.5)));
/// assert_eq!((row.line, sheet.titles().count()), (3, 2));
/// # Ok(())
/// # }
/// ```
pub struct Sheet<R: Read> {
    titles: Vec<String>,
    separator: u8,
    /// Number of lines before the titles.
    skipped: u64,
    rows: csv::StringRecordsIntoIter<Rest<R>>,
}

/// Row of a table.
#[derive(Clone, Debug)]
pub struct SheetRow {
    /// Line number in the file, from 1.
    pub line: u64,
    /// Cells without surrounding blanks.
    pub cells: csv::StringRecord,
}

impl<R: Read> Sheet<R> {
    /// Reads the titles of a table; `known` are titles that may occur.
    ///
    /// # Errors
    ///
    /// When the input cannot be read, is not a text, or begins with a line that is too long.
    pub fn open(input: R, known: &[&str]) -> io::Result<Self> {
        Sheet::of(input, known, None)
    }

    /// Like [`Sheet::open`], for a table that people write: lines that begin with `#` are comments.
    ///
    /// # Errors
    ///
    /// As [`Sheet::open`].
    pub fn open_commented(input: R, known: &[&str]) -> io::Result<Self> {
        Sheet::of(input, known, Some(b'#'))
    }

    fn of(input: R, known: &[&str], comment: Option<u8>) -> io::Result<Self> {
        let mut input = BufReader::new(TextReader::new(input));
        let (mut skipped, mut stated) = (0, None);
        let mut line = Vec::new();
        loop {
            line.clear();
            let len = input.by_ref().take(TITLES_BYTES_MAX).read_until(b'\n', &mut line)?;
            if len as u64 == TITLES_BYTES_MAX {
                return Err(io::Error::new(
                    io::ErrorKind::InvalidData,
                    "its first line is too long",
                ));
            }
            let text = line.trim_ascii();
            let names_separator = text.len() == 5 && text[..4].eq_ignore_ascii_case(b"sep=");
            let is_comment = comment.is_some_and(|mark| text.first() == Some(&mark));
            if len == 0 || !(text.is_empty() || is_comment || names_separator) {
                break;
            }
            if names_separator {
                stated = Some(text[4]);
            }
            skipped += 1;
        }
        let titles_by = |separator: u8| titles(&line, separator);
        let found = |separator: &u8| {
            let titles = titles_by(*separator);
            let is_known = |title: &&String| known.contains(&title.as_str());
            titles.iter().filter(is_known).count()
        };
        // `max_by_key` returns the last of equals, so the order is reversed.
        let guessed = SEPARATORS.into_iter().rev().max_by_key(found).unwrap_or(b',');
        let separator = stated.filter(u8::is_ascii).unwrap_or(guessed);
        let titles = titles_by(separator);
        let rows = csv::ReaderBuilder::new()
            .delimiter(separator)
            .comment(comment)
            .trim(csv::Trim::All)
            .flexible(true)
            .from_reader(Cursor::new(line).chain(input))
            .into_records();
        Ok(Sheet { titles, separator, skipped, rows })
    }

    /// Index of a column; `None` if no column has this title.
    #[must_use]
    pub fn column(&self, title: &str) -> Option<usize> {
        let is_alike = |known: &String| known.eq_ignore_ascii_case(title);
        let exact = self.titles.iter().position(|known| known == title);
        exact.or_else(|| self.titles.iter().position(is_alike))
    }

    /// Number of columns, including those that have no title.
    #[must_use]
    pub fn width(&self) -> usize {
        self.titles.len()
    }

    /// Columns that have a title, in their order, each with its index.
    pub fn titles(&self) -> impl Iterator<Item = (usize, &str)> {
        let titles = self.titles.iter().enumerate().map(|(n, title)| (n, title.as_str()));
        titles.filter(|(_, title)| !is_row_number(title))
    }

    /// Formats a cell as this program would write it: numbers with a decimal point, truth values in
    /// lower case.
    #[must_use]
    pub fn plain<'c>(&self, cell: &'c str) -> Cow<'c, str> {
        match cell {
            "True" | "TRUE" => return Cow::Borrowed("true"),
            "False" | "FALSE" => return Cow::Borrowed("false"),
            "true" | "false" => return Cow::Borrowed(cell),
            _ => {}
        }
        match (self.whole(cell), self.number(cell)) {
            (Some(whole), _) => Cow::Owned(whole.to_string()),
            (None, Some(number)) => Cow::Owned(number.to_string()),
            (None, None) => Cow::Borrowed(cell),
        }
    }

    /// Number in a cell; truth values are 1 and 0. `None` if it is not a number.
    #[must_use]
    pub fn number(&self, cell: &str) -> Option<f64> {
        match cell {
            "true" | "True" | "TRUE" => return Some(1.0),
            "false" | "False" | "FALSE" => return Some(0.0),
            _ => {}
        }
        let has_decimal_comma = self.separator != b',' && !cell.contains('.');
        match cell.split_once(',') {
            Some((whole, part)) if has_decimal_comma && !part.contains(',') => {
                format!("{whole}.{part}").parse().ok()
            }
            _ => cell.parse().ok(),
        }
    }

    /// Whole number in a cell, also if it is written as `3.0`. `None` if it is not a whole number.
    #[must_use]
    pub fn whole(&self, cell: &str) -> Option<u64> {
        let exact = |number: &f64| number.fract() == 0.0 && (0.0..9e15).contains(number);
        let real = || self.number(cell).filter(exact).map(|number| number as u64);
        cell.parse().ok().or_else(real)
    }
}

impl<R: Read> Iterator for Sheet<R> {
    type Item = csv::Result<SheetRow>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let row = self.rows.next()?;
            // Spreadsheets write empty rows where cells once had contents.
            if row.as_ref().is_ok_and(|cells| cells.iter().all(str::is_empty)) {
                continue;
            }
            return Some(row.map(|cells| {
                let line = cells.position().map_or(0, csv::Position::line) + self.skipped;
                SheetRow { line, cells }
            }));
        }
    }
}

/// Returns whether a cell has no value, by the texts that data frames write there.
#[must_use]
pub fn has_no_value(cell: &str) -> bool {
    NO_VALUES.iter().any(|none| cell.eq_ignore_ascii_case(none))
}

/// Returns whether a column numbers the rows of a data frame.
fn is_row_number(title: &str) -> bool {
    title.is_empty() || title.starts_with("Unnamed: ") || title == "__index_level_0__"
}

/// Cells of a line of titles.
fn titles(line: &[u8], separator: u8) -> Vec<String> {
    let reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .trim(csv::Trim::All)
        .from_reader(line);
    let first = reader.into_byte_records().next().and_then(Result::ok).unwrap_or_default();
    first.iter().map(|cell| String::from_utf8_lossy(cell).into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 3] = ["game", "fun", "is_new"];

    /// Game, fun and novelty of all rows, with their lines.
    fn read(text: &str) -> Vec<(u64, String, Option<f64>, Option<f64>)> {
        let mut sheet = Sheet::open_commented(text.as_bytes(), &KNOWN).unwrap();
        let [game, fun, new] = KNOWN.map(|title| sheet.column(title).unwrap());
        let mut rows = Vec::new();
        while let Some(row) = sheet.next() {
            let SheetRow { line, cells } = row.unwrap();
            let number = |n: usize| sheet.number(&cells[n]);
            rows.push((line, cells[game].to_owned(), number(fun), number(new)));
        }
        rows
    }

    #[test]
    fn every_disguise_of_a_table_is_the_same_table() {
        let plain = "game,fun,is_new\n\"mnk(rows=3,cols=4)\",3.5,True\nachi,-2,False\n";
        let rows = |first: u64| {
            vec![
                (first, "mnk(rows=3,cols=4)".to_owned(), Some(3.5), Some(1.0)),
                (first + 1, "achi".to_owned(), Some(-2.0), Some(0.0)),
            ]
        };
        assert_eq!(read(plain), rows(2));
        assert_eq!(read(&plain.replace('\n', "\r\n")), rows(2));
        assert_eq!(read(&plain.replace('\n', "\r")), rows(2));
        assert_eq!(read(&format!("\u{feff}\n  \n# why\n{plain}")), rows(5));
        let decimal = "game;fun;is_new\nmnk(rows=3,cols=4);3,5;TRUE\nachi;-2,0;0\n";
        assert_eq!(read(decimal), rows(2));
        assert_eq!(read(&format!("sep=;\n{decimal}")), rows(3));
        assert_eq!(read(&decimal.replace(';', "\t")), rows(2));
        assert_eq!(read(&decimal.replace(';', " ; ")), rows(2));
        assert_eq!(read(&format!("{decimal};;\n")), rows(2));
        let framed = ",is_new,fun,game\n0,1,3.5,\"mnk(rows=3,cols=4)\"\n1,0,-2,achi\n";
        assert_eq!(read(framed), rows(2));
        let quoted = "\"game\",\"fun\",\"is_new\"\n\"mnk(rows=3,cols=4)\",\"3.5\",\"1.0\"\n\"achi\",\"-2\",\"0\"\n";
        assert_eq!(read(quoted), rows(2));
    }

    #[test]
    fn row_numbers_of_data_frames_have_no_title() {
        for first in ["", "Unnamed: 0", "__index_level_0__"] {
            let text = format!("{first},game,fun\n0,achi,1\n");
            let sheet = Sheet::open(text.as_bytes(), &KNOWN).unwrap();
            assert_eq!(sheet.titles().collect::<Vec<_>>(), [(1, "game"), (2, "fun")]);
            assert_eq!(sheet.width(), 3);
        }
    }

    #[test]
    fn whole_numbers_may_be_written_as_real_ones() {
        let sheet = Sheet::open(&b"game\n"[..], &KNOWN).unwrap();
        assert_eq!([sheet.whole("3"), sheet.whole("3.0")], [Some(3), Some(3)]);
        assert_eq!(sheet.whole("18446744073709551615"), Some(u64::MAX));
        for text in ["3.5", "-1", "", "1e300", "NaN", "3,0"] {
            assert_eq!(sheet.whole(text), None, "{text}");
        }
        for (cell, plain) in [("TRUE", "true"), ("8.0", "8"), ("-1.50", "-1.5"), ("a b", "a b")] {
            assert_eq!(sheet.plain(cell), plain);
        }
        assert!(["", "NaN", "NA", "null"].into_iter().all(has_no_value));
        assert!(!has_no_value("0"));
    }
}
