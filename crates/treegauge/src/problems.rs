//! Chess problems of a file as they are understood, before any is rated.

use std::io::{self, Cursor, Read};

use flate2::read::MultiGzDecoder;
use serde::{Deserialize, Serialize};
use treegauge_core::{ReportHeader, ReportKind};
use treegauge_difficulty::BadRow;
use treegauge_difficulty::chess::{Puzzle, PuzzleFormat, Puzzles, PuzzlesError};
use treegauge_store::TextReader;

use crate::models::ZSTD_MAGIC;
use crate::{Error, ErrorKind};

/// Chess problems of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReadProblems {
    /// Kind and schema version of the document.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Format of the file in words.
    pub format: String,
    /// Usual ending of names of such files: `csv`, `epd` or `pgn`.
    pub ending: String,
    /// Problems, in order.
    pub problems: Vec<ReadProblem>,
    /// Rows of the file that are not valid problems, in order.
    pub bad_rows: Vec<BadRow>,
    /// Whether the file has more rows than were read.
    pub has_more: bool,
}

impl ReportKind for ReadProblems {
    const KIND: &'static str = "read_problems";
}

/// Chess problem of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReadProblem {
    /// Name in the file, or the line number if it has none.
    pub id: String,
    /// Line number in the file, from 1.
    pub line: u64,
    /// FEN of the position, with the solver to move.
    pub fen: String,
    /// Side to move in words: `White to move` or `Black to move`.
    pub side: String,
    /// Solution in algebraic notation; empty if the file has none.
    pub solution: Vec<String>,
    /// Whether the solution is a whole line, not just a first move.
    pub has_line: bool,
    /// Rating in the file; `None` if it has none.
    pub given_rating: Option<f64>,
    /// Themes in the file.
    pub themes: Vec<String>,
    /// Note about the parts of the row that were skipped; `None` if all were read.
    pub unread: Option<String>,
}

impl ReadProblem {
    fn of(puzzle: &Puzzle) -> ReadProblem {
        let is_white = puzzle.position.white_to_move();
        ReadProblem {
            id: puzzle.id.clone(),
            line: puzzle.line,
            fen: puzzle.position.fen(),
            side: if is_white { "White to move" } else { "Black to move" }.to_owned(),
            solution: puzzle.solution_text(),
            has_line: puzzle.has_line,
            given_rating: puzzle.rating,
            themes: puzzle.themes.clone(),
            unread: puzzle.unread.clone(),
        }
    }
}

/// Text of a file that zstd or gzip may have compressed, known by its first bytes. Only the parts that
/// are read are expanded.
///
/// # Errors
///
/// If the first bytes cannot be read.
pub fn expanded_text<'a, R: Read + Send + 'a>(
    mut file: R,
) -> io::Result<Box<dyn Read + Send + 'a>> {
    let mut begin = Vec::new();
    (&mut file).take(4).read_to_end(&mut begin)?;
    let kind = begin.clone();
    let whole = Cursor::new(begin).chain(file);
    Ok(match &kind[..] {
        magic if magic == ZSTD_MAGIC => Box::new(TextReader::new(zstd::Decoder::new(whole)?)),
        [0x1F, 0x8B, ..] => Box::new(TextReader::new(MultiGzDecoder::new(whole))),
        _ => Box::new(TextReader::new(whole)),
    })
}

/// Reads up to `most` rows of a file of chess problems, as [`DifficultyRun::rate`] understands them:
/// a table, EPD, one FEN per line, or PGN, plain or compressed by zstd or gzip.
///
/// [`DifficultyRun::rate`]: crate::DifficultyRun::rate
///
/// # Errors
///
/// If the file cannot be read, has no rows, or is of another kind.
pub fn read_problems(file: impl Read + Send, most: usize) -> Result<ReadProblems, Error> {
    let data = |error: PuzzlesError| Error::new(ErrorKind::Data, error.to_string());
    let file = expanded_text(file).map_err(|error| data(error.into()))?;
    let mut puzzles = Puzzles::open(file).map_err(data)?;
    let (format, ending) = match puzzles.format() {
        PuzzleFormat::Table => ("a table", "csv"),
        PuzzleFormat::Lines => ("FEN or EPD, one a line", "epd"),
        PuzzleFormat::Pgn => ("PGN", "pgn"),
    };
    let mut read = ReadProblems {
        head: ReportHeader::NEW,
        format: format.to_owned(),
        ending: ending.to_owned(),
        problems: Vec::new(),
        bad_rows: Vec::new(),
        has_more: false,
    };
    for row in puzzles.by_ref().take(most) {
        match row {
            Ok(puzzle) => read.problems.push(ReadProblem::of(&puzzle)),
            Err(error) => {
                read.bad_rows.push(BadRow { line: error.line, problem: error.problem });
            }
        }
    }
    read.has_more = puzzles.next().is_some();
    Ok(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compressed_files_are_read_and_damaged_ones_are_errors() {
        use std::io::Write;
        let text = "PuzzleId,FEN,Moves\na,6k1/5ppp/8/8/8/7P/5PP1/3R2K1 b - - 0 1,g8h8 d1d8\n";
        let plain = read_problems(text.as_bytes(), 9).unwrap();
        assert_eq!(plain.problems[0].solution, ["Rd8#"]);
        let zst = zstd::bulk::compress(text.as_bytes(), 1).unwrap();
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gz.write_all(text.as_bytes()).unwrap();
        let gz = gz.finish().unwrap();
        for packed in [&zst, &gz] {
            assert_eq!(read_problems(&packed[..], 9).unwrap(), plain);
            assert!(read_problems(&packed[..12], 9).is_err());
        }
    }

    #[test]
    fn problems_are_read_with_their_lines_and_errors() {
        let text = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id \"back rank\";\n\nnonsense\n\
                    6k1/5ppp/8/8/8/8/5PPP/3R2K1 b - - 0 1\n";
        let found = read_problems(text.as_bytes(), 9).unwrap();
        let [first, second] = &found.problems[..] else { panic!("{found:?}") };
        assert_eq!((first.id.as_str(), first.line, first.has_line), ("back rank", 1, true));
        assert_eq!(
            (first.side.as_str(), &first.solution[..]),
            ("White to move", &["Rd8#".to_owned()][..])
        );
        assert_eq!((second.line, second.side.as_str()), (4, "Black to move"));
        assert_eq!(
            (found.bad_rows[0].line, found.ending.as_str(), found.has_more),
            (3, "epd", false)
        );
        let some = read_problems(text.as_bytes(), 2).unwrap();
        assert!(some.has_more && some.problems.len() == 1 && some.bad_rows.len() == 1);
        for (text, part) in [("", "no puzzles"), ("{}", "JSON"), ("a,b\n", "column `FEN`")] {
            let error = read_problems(text.as_bytes(), 9).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
