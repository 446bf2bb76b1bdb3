//! The difficulty of puzzles for people.

mod engine;
mod input;
mod people;
mod rated;
mod shown;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use treegauge_difficulty::chess::RATING_MAX;
use treegauge_difficulty::{DifficultyReport, GradedReport, ProblemReport};
use treegauge_grammar::{count, number};
use treegauge_report::{Document, NoBoards, SavedKind};

use super::{
    Context, DEFAULT_SEED, Done, FileOption, GivenOptions, Group, KeptPlace, KeptWork, Means,
    PositionArgs, Task, TaskFile,
};
use crate::{Error, ErrorKind, FileKind, TableFormat};
use engine::EngineArgs;
use input::{Input, is_standard};
use people::People;

/// Rate chess puzzles by how hard people find them, and say why
#[derive(Debug, Args)]
pub struct DifficultyTask {
    #[command(flatten)]
    given: GivenOptions,

    /// Chess puzzles: a table of the Lichess database or your own, EPD, PGN, or one FEN per line, also as .zst or .gz;
    /// `-` reads standard input
    ///
    /// Or puzzles of another game, which `puzzles --json` printed: this sorts them by difficulty
    #[arg(value_name = "FILE", required_unless_present_any = ["show", "game"])]
    file: Option<PathBuf>,

    /// Show the meaningful tree of one position: a FEN, whose solution --moves may give, or a game of the catalog
    /// with --position
    #[arg(long, value_name = "FEN|GAME", conflicts_with = "file")]
    show: Option<String>,

    /// Show the meaningful tree of a position of this game, for the player to move
    #[arg(long, value_name = "GAME", conflicts_with_all = ["file", "show"])]
    game: Option<String>,

    /// Model that predicts ratings: a model file, or `none` to measure without rating [default: built-in]
    #[arg(long, value_name = "MODEL")]
    model: Option<PathBuf>,

    /// Network of people's moves, in the format of Lc0: its name says the rating of the people, as maia-1500.pb.gz
    /// does; may be repeated
    #[arg(long, value_name = "FILE")]
    human_network: Vec<PathBuf>,

    /// Read the moves of a table as the solver's from the first on; in the Lichess database the opponent moves first
    #[arg(long)]
    solver_first: bool,

    /// Sort the puzzles by the distance of their rating from R, the rating of a solver
    #[arg(long, value_name = "R", allow_negative_numbers = true, value_parser = number(-10_000.0, 10_000.0))]
    for_rating: Option<f64>,

    /// Choose N puzzles of mixed difficulty for a class or an exam: their ratings rise in equal steps, and no two are
    /// of the same game
    #[arg(long, value_name = "N", conflicts_with = "for_rating", value_parser = count::<u32>(1..=10_000))]
    set: Option<u32>,

    /// Least and greatest rating of the set [default: those of the easiest and the hardest puzzle]
    #[arg(long, value_name = "FROM..TO", requires = "set", value_parser = parse_ratings)]
    ratings: Option<RatingRange>,

    /// Write a row for each puzzle instead of the report
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Output")]
    out: Option<TableFormat>,

    /// Attributes in a row: those of the tree, or all that a model learns from
    #[arg(long, value_enum, default_value = "tree", help_heading = "Output")]
    attributes: AttributesArg,

    /// Take the values of moves from this file of the solved game, which `solve -o` wrote
    #[arg(long, value_name = "FILE", conflicts_with = "iterations", help_heading = OTHER_GAMES)]
    solved: Option<PathBuf>,

    /// Take the values of moves from UCT searches with this many iterations
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = count::<u32>(1..=1_000_000_000), help_heading = OTHER_GAMES)]
    iterations: u32,

    /// Random seed of these searches
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED, value_parser = count::<u64>(..), help_heading = OTHER_GAMES)]
    seed: u64,

    #[command(flatten)]
    engine: EngineArgs,

    #[command(flatten)]
    at: PositionArgs,
}

/// A range of ratings.
#[derive(Clone, Copy, Debug, PartialEq)]
struct RatingRange {
    low: f64,
    high: f64,
}

fn parse_ratings(text: &str) -> Result<RatingRange, String> {
    let rating =
        |text: &str| text.trim().parse().ok().filter(|one| (0.0..=RATING_MAX).contains(one));
    let both = text.split_once("..").and_then(|(low, high)| rating(low).zip(rating(high)));
    match both {
        Some((low, high)) if low < high => Ok(RatingRange { low, high }),
        _ => Err(format!(
            "expected two ratings up to {RATING_MAX}, the smaller first, as in 1200..1800"
        )),
    }
}

/// The heading of the options about games of the catalog.
const OTHER_GAMES: &str = "Games other than chess";

/// The attributes of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum AttributesArg {
    /// The 17 families of attributes of the tree
    Tree,
    /// All attributes that a model learns from
    All,
}

/// Options of one position, which a file of puzzles does not have.
const OF_ONE: [&str; 7] = ["position", "moves", "solved", "iterations", "seed", "dot", "board"];

/// Options of one position, which puzzles of a game do not have.
const OF_PICTURES: [&str; 6] = ["position", "moves", "dot", "board", "html", "open"];

/// Options of a file of puzzles, which one position does not have.
const OF_FILE: [&str; 10] = [
    "solver_first",
    "for_rating",
    "set",
    "ratings",
    "out",
    "output",
    "attributes",
    "recover",
    PRACTICE,
    WORKSHEET,
];

/// Options of a game, which chess does not have.
const OF_GAME: [&str; 4] = ["position", "solved", "iterations", "seed"];

/// Options of engines, which a game of the catalog does not have.
const OF_ENGINE: [&str; 13] = [
    "engine",
    "human_network",
    "engine_option",
    "depth",
    "multipv",
    "engines",
    "timeout",
    "cache",
    "no_cache",
    "distances",
    "model",
    "settings",
    "recover",
];

/// The option for a tree for GraphViz.
const DOT: &str = "dot";

/// The option for a picture of a tree.
const SVG: &str = "svg";

/// The option for a picture of the board.
const BOARD: &str = "board";

/// The option for the file of the problems to solve.
const PRACTICE: &str = "practice";

/// The option for the file of the problems to print.
const WORKSHEET: &str = "worksheet";

impl Task for DifficultyTask {
    const NAME: &'static str = "difficulty";
    const GROUP: Group = Group::Chess;
    const EXAMPLES: &'static [&'static str] = &[
        "difficulty puzzles.csv --engines 2 --html sheet.html",
        "difficulty puzzles.csv --out csv --attributes all -o rated.csv",
        "difficulty puzzles.epd --for-rating 1500",
        "difficulty puzzles.csv --set 20 --ratings 1200..1800 --html exam.html",
        "difficulty --show '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1' --svg tree.svg",
        "difficulty --game achi --iterations 20000 --moves 'b2 a1'",
        "difficulty achi-puzzles.json --solved achi.tgs",
    ];
    const COMMON: &'static [&'static str] = &["for_rating", "engines", "html"];
    const MEANS: Means = Means {
        files: &[
            FileOption::file(
                FileOption::OUTPUT,
                FileKind::PuzzleTable,
                "Write the rows to a file, in the format of its ending (`.csv`, `.jsonl`, `.parquet` or `.pgn`) [default: print \
                 them]",
            ),
            FileOption::file(DOT, FileKind::TreeDot, "Write the tree for GraphViz"),
            FileOption::file(
                SVG,
                FileKind::TreeSvg,
                "Write a picture as SVG: of one position its tree, of a file the ratings",
            ),
            FileOption::file(BOARD, FileKind::Board, "Write a picture of the board"),
            FileOption::file(
                PRACTICE,
                FileKind::Page,
                "Write the first 50 problems to FILE, the easiest first: one HTML file in which they are solved without a \
                 server",
            ),
            FileOption::file(
                WORKSHEET,
                FileKind::Page,
                "Write the first 60 problems with a solution to FILE, the easiest first: one HTML file to print, with \
                 boards, lines to write on, and the solutions on pages of their own",
            ),
        ],
        kept: Some(ANSWERS),
        ..Means::NONE
    };
    const REPORTS: &'static [SavedKind] = &[
        SavedKind::of::<DifficultyReport>(),
        SavedKind::of::<ProblemReport>(),
        SavedKind::of::<GradedReport>(),
    ];

    fn continues(&self) -> bool {
        !self.engine.no_cache && self.file.as_deref().is_some_and(|file| !is_standard(file))
    }

    fn inputs(&self) -> Result<Vec<PathBuf>, Error> {
        let model = self.model.iter().filter(|path| *path != Path::new("none"));
        let file = self.file.iter().filter(|file| file.is_file());
        Ok(file.chain(&self.solved).chain(model).chain(&self.human_network).cloned().collect())
    }

    fn file_kind(&self, option: &FileOption, path: &Path) -> Result<FileKind, Error> {
        if option.name != FileOption::OUTPUT {
            return Ok(option.kind);
        }
        Ok(match self.rows(Some(path))? {
            Some(TableFormat::Parquet) => FileKind::Parquet,
            Some(TableFormat::Jsonl) => FileKind::PuzzleLines,
            Some(TableFormat::Pgn) => FileKind::PuzzleGames,
            _ => option.kind,
        })
    }

    fn run(&self, context: &Context<'_>) -> Result<Done, Error> {
        let given = &self.given;
        if self.engine.no_cache {
            given.refuse(&["cache"], "--no-cache")?;
        }
        let Some(file) = &self.file else { return self.one(context) };
        let mut input = Input::open(file, context)?;
        if input.is_json() {
            let puzzles = shown::puzzles(&mut input, context)?;
            given.refuse(&OF_PICTURES, "puzzles of a game")?;
            given.refuse(&OF_FILE, "puzzles of a game")?;
            given.refuse(&OF_ENGINE, "puzzles of a game")?;
            return shown::graded(self, &puzzles, context);
        }
        given.refuse(&OF_ONE, "a file of puzzles")?;
        let done = rated::run(self, input, context)?;
        let page_hint = self.out.is_none().then_some("shows boards and solutions");
        let done = Done { page_hint, ..done };
        Ok(if is_standard(file) { done } else { done.naming("FILE", file) })
    }
}

impl DifficultyTask {
    /// Shows one position.
    fn one(&self, context: &Context<'_>) -> Result<Done, Error> {
        let given = &self.given;
        given.refuse(&OF_FILE, "one position")?;
        let text = self.show.as_deref().or(self.game.as_deref()).unwrap_or_default();
        if self.game.is_none() && is_fen(text) {
            given.refuse(&OF_GAME, "a FEN")?;
            return shown::chess(self, text, context);
        }
        if text == "chess" {
            let message =
                "chess has no list of positions here: give the position as FEN, with --show";
            return Err(Error::new(ErrorKind::Usage, message));
        }
        let fen = "; a FEN begins with the eight ranks of the board, as in '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - -'";
        let game = context.game(text).map_err(|error| match &self.show {
            Some(_) => Error::new(error.kind(), format!("{error}{fen}")),
            None => error,
        })?;
        given.refuse(&OF_ENGINE, "a game of the catalog")?;
        shown::game(self, &game, context)
    }

    /// The people whose moves are predicted.
    fn people(&self) -> People<'_> {
        People { networks: &self.human_network, rating: self.for_rating }
    }

    /// The format of the rows; `None` if none are requested.
    fn rows(&self, output: Option<&Path>) -> Result<Option<TableFormat>, Error> {
        match (self.out, output) {
            (None, Some(path)) => Ok(Some(TableFormat::of(path, TableFormat::value_variants())?)),
            (out, _) => Ok(out),
        }
    }
}

/// The picture of the ratings of many problems, if it was asked for.
fn picture(report: &impl Document, context: &Context<'_>) -> Result<Vec<TaskFile>, Error> {
    if !context.wants(SVG) {
        return Ok(Vec::new());
    }
    let figure = report.picture(&NoBoards).ok_or_else(|| {
        let message = "there is no picture, because no problem has a rating";
        Error::new(ErrorKind::Data, message)
    })?;
    Ok(vec![TaskFile::new(SVG, figure.picture.to_string())])
}

/// Whether a text is a position of chess rather than a game of the catalog.
fn is_fen(text: &str) -> bool {
    text.split_whitespace().next().is_some_and(|board| board.matches('/').count() >= 2)
}

/// The file of the answers of engines.
const ANSWERS: KeptWork = KeptWork {
    place: KeptPlace::Answers,
    is_required: false,
    pieces: "answers",
    help: "Keep the answers of engines in this file, so that nothing is searched twice [default: a file in the cache \
           folder of the user]",
};
