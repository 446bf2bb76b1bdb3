//! Kinds of files: their marks, by which the program recognizes its own files, and their endings.

use std::fs;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use treegauge_gauge::RecordHeader;
use treegauge_gauge::corridor::CorridorHeader;
use treegauge_generate::GenerateHeader;
use treegauge_solve::file::is_solution_file;
use treegauge_store::open;

/// Kind of a file written for users.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileKind {
    /// Values of a solved game.
    Solution,
    /// Games of a run, one per line.
    Record,
    /// A report as a web page.
    Page,
    /// Interestingness of positions.
    Table,
    /// Search trees of a dataset.
    TreeTable,
    /// Instances of a dataset.
    InstanceTable,
    /// Games between players of a dataset.
    PlayerGameTable,
    /// Attributes of games.
    AttributeTable,
    /// Rated puzzles as CSV.
    PuzzleTable,
    /// Rated puzzles as JSON Lines.
    PuzzleLines,
    /// Rated puzzles as PGN.
    PuzzleGames,
    /// A table of a dataset as Parquet.
    Parquet,
    /// Columns of a dataset.
    Schema,
    /// A model of games.
    Model,
    /// A model of the difficulty of puzzles.
    RatingModel,
    /// A picture of a position.
    Board,
    /// A picture of a search tree.
    TreeSvg,
    /// A search tree for GraphViz.
    TreeDot,
    /// A search tree as JSON.
    TreeJson,
    /// A manual page.
    Manual,
    /// Searches of corridors.
    CorridorTable,
    /// A chart.
    Chart,
    /// A picture of a report.
    Picture,
    /// The report of a run of `generate`.
    Generation,
    /// The rules text of a built-in game, to begin a new game from.
    Template,
    /// The rules text of a generated game.
    Rules,
}

/// Mark at the end of a picture.
const OF_PICTURE: &str = "<!-- treegauge -->\n";

/// Numbers of bytes at the beginning and at the end of a file that are searched for a mark.
const HEAD_BYTES: u64 = 4096;
const TAIL_BYTES: u64 = 4096;

impl FileKind {
    /// Text near the beginning or at the end of every file of the kind.
    #[must_use]
    pub fn mark(self) -> &'static str {
        match self {
            FileKind::Solution => "treegauge solution",
            FileKind::Record => "\"crc32\":\"",
            FileKind::Page => "<meta name=\"generator\" content=\"treegauge\">",
            FileKind::Table => "position,value,remoteness,interestingness,",
            FileKind::TreeTable => "game,instance,ply,player,",
            FileKind::InstanceTable => "game,instance,plies,result,",
            FileKind::PlayerGameTable => "game,instance,first,second,",
            FileKind::AttributeTable => "game,iterations,instances,trees,",
            FileKind::PuzzleTable => "id,line,fen,rating,",
            FileKind::PuzzleLines => "{\"id\":\"",
            FileKind::PuzzleGames => "[Annotator \"treegauge\"]",
            FileKind::Parquet => "treegauge 0",
            FileKind::Schema => "\"holds\": \"instances of a study\"",
            FileKind::Model => "{\"schema\":1,\"kind\":\"model\"",
            FileKind::RatingModel => "{\"schema\":1,\"kind\":\"difficulty_model\"",
            FileKind::Board | FileKind::TreeSvg | FileKind::Chart | FileKind::Picture => OF_PICTURE,
            FileKind::CorridorTable => "length,iterations,merge,",
            FileKind::TreeDot => "digraph tree {\n  ordering=out;\n",
            FileKind::TreeJson => "{\"schema\":1,\"game\":",
            FileKind::Manual => ".TH treegauge",
            // Users change templates, so none counts as the program's own.
            FileKind::Template => unreachable!("texts have no mark"),
            FileKind::Generation => "{\"schema\":1,\"kind\":\"generation\"",
            FileKind::Rules => "(game \"",
        }
    }

    /// Text written after the contents, as the mark of the program; empty for kinds that have a
    /// mark anyway.
    #[must_use]
    pub fn trailer(self) -> &'static str {
        match self {
            FileKind::Board | FileKind::TreeSvg | FileKind::Chart | FileKind::Picture => OF_PICTURE,
            _ => "",
        }
    }

    /// Allowed endings of file names, without the dot. A table needs one of them, because the
    /// ending decides its format. Other files may also have an ending that no format uses.
    #[must_use]
    pub fn endings(self) -> &'static [&'static str] {
        match self {
            FileKind::Solution => &["tgs"],
            FileKind::Record => &["jsonl", "json"],
            FileKind::Page => &["html"],
            FileKind::Table
            | FileKind::TreeTable
            | FileKind::InstanceTable
            | FileKind::PlayerGameTable
            | FileKind::PuzzleTable
            | FileKind::CorridorTable
            | FileKind::AttributeTable => &["csv"],
            FileKind::PuzzleLines => &["jsonl"],
            FileKind::PuzzleGames => &["pgn"],
            FileKind::Parquet => &["parquet"],
            FileKind::Schema | FileKind::TreeJson | FileKind::Generation => &["json"],
            FileKind::Model | FileKind::RatingModel => &["json", "zst"],
            FileKind::Board | FileKind::TreeSvg | FileKind::Chart | FileKind::Picture => &["svg"],
            FileKind::TreeDot => &["dot"],
            FileKind::Manual => &[],
            FileKind::Template | FileKind::Rules => &["rules"],
        }
    }

    /// Name of the kind, in words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            FileKind::Solution => "a solution file",
            FileKind::Record => "a record",
            FileKind::Page => "a page of this program",
            FileKind::Table => "a table of interestingness",
            FileKind::TreeTable
            | FileKind::InstanceTable
            | FileKind::PlayerGameTable
            | FileKind::Parquet => "a table of a dataset",
            FileKind::AttributeTable => "a table of attributes",
            FileKind::PuzzleTable | FileKind::PuzzleLines => "a table of rated puzzles",
            FileKind::PuzzleGames => "a file of rated puzzles",
            FileKind::Schema => "the schema of a dataset",
            FileKind::Model => "a model",
            FileKind::RatingModel => "a model of difficulty",
            FileKind::Board | FileKind::TreeSvg | FileKind::Chart | FileKind::Picture => {
                "a picture of this program"
            }
            FileKind::CorridorTable => "a table of corridors",
            FileKind::TreeDot | FileKind::TreeJson => "a search tree of this program",
            FileKind::Manual => "a manual page of this program",
            FileKind::Template => "empty",
            FileKind::Generation => "a report of `generate`",
            FileKind::Rules => "a text that describes a game",
        }
    }

    /// Contents of a file of the kind, with the definite article.
    #[must_use]
    pub fn contents(self) -> String {
        match self {
            FileKind::Template => "the text".to_owned(),
            _ => {
                let words = self.words();
                let noun = words.strip_prefix("a ").unwrap_or(words);
                format!("the {}", noun.strip_suffix(" of this program").unwrap_or(noun))
            }
        }
    }

    /// Tests whether the file is of the kind. An empty file counts as any kind.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn is_of(self, path: &Path) -> io::Result<bool> {
        if self == FileKind::Template {
            return Ok(fs::metadata(path)?.len() == 0);
        }
        let mut file = open(path)?;
        let mark = self.mark().as_bytes();
        let mut has_mark = |from: SeekFrom, len: u64| -> io::Result<bool> {
            let mut bytes = Vec::new();
            file.seek(from)?;
            (&file).take(len).read_to_end(&mut bytes)?;
            Ok(bytes.windows(mark.len()).any(|part| part == mark))
        };
        let len = fs::metadata(path)?.len();
        Ok(len == 0
            || has_mark(SeekFrom::Start(0), HEAD_BYTES)?
            || has_mark(SeekFrom::Start(len.saturating_sub(TAIL_BYTES)), TAIL_BYTES)?)
    }
}

/// Kind of a file that is not a report, and the commands that read it; `None` if its beginning does
/// not show the kind.
#[must_use]
pub fn kind_hint(bytes: &[u8]) -> Option<&'static str> {
    let line = bytes.split(|&byte| byte == b'\n').next()?;
    let holds = |what: &str| {
        let text = format!("\"holds\":\"{what}");
        line.windows(text.len()).any(|part| part == text.as_bytes())
    };
    if is_solution_file(bytes) {
        Some("this is the file of a solved game: use `probe`, `interest`, `puzzles` or `verify`")
    } else if holds(RecordHeader::HOLDS) {
        Some("this is the record of a gauge: use `gauge --record` or `replay`")
    } else if holds(CorridorHeader::HOLDS) {
        Some("this is the record of `corridor`: use `corridor --record`")
    } else if holds(GenerateHeader::HOLDS) {
        Some("this is the record of `generate`: its report is the file `report.json` beside it")
    } else if holds("games of a ") {
        Some("this is a record: use `merge` or `replay`")
    } else {
        None
    }
}
