//! `treegauge difficulty`.

mod engine;
mod input;
mod rated;
mod shown;

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};
use treegauge::search::DEFAULT_CP;

use crate::common;
use crate::exit::{Exit, Failure, Outcome};
use crate::files::TableFormat;
use crate::web_page::PageArgs;
use engine::EngineArgs;
use input::Input;
use treegauge::grammar::count;
use treegauge::tasks::Given;
use treegauge::tasks::{DEFAULT_SEED, PositionArgs};

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("rows").args(["out", "output"]).multiple(true))]
pub(crate) struct Arguments {
    #[command(flatten)]
    given: Given,

    /// Chess puzzles: the CSV of the Lichess database, EPD, or a FEN in each line; `-` reads standard
    /// input. Or a file of puzzles of another game, which `puzzles --json` printed: then they are put in
    /// order by how hard they are
    #[arg(value_name = "FILE", required_unless_present_any = ["show", "game"])]
    file: Option<PathBuf>,

    /// Show the meaningful tree of one position: FEN, or a game of the catalog (then --position says where)
    #[arg(long, value_name = "FEN|GAME", conflicts_with = "file")]
    show: Option<String>,

    /// Show the meaningful tree of a position of this game, for the player to move
    #[arg(long, value_name = "GAME", conflicts_with_all = ["file", "show"])]
    game: Option<String>,

    #[command(flatten)]
    at: PositionArgs,

    /// Take the values of moves from this file of the solved game, which `solve -o` wrote
    #[arg(long, value_name = "FILE", conflicts_with = "iterations")]
    solved: Option<PathBuf>,

    /// Take the values of moves from UCT searches of this many iterations
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = count::<u32>(1..=1_000_000_000))]
    iterations: u32,

    /// Random seed of these searches
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED)]
    seed: u64,

    #[command(flatten)]
    engine: EngineArgs,

    /// The model of ratings, which `train` wrote; `none` measures without rating [default: the one of
    /// this program]
    #[arg(long, value_name = "MODEL")]
    model: Option<PathBuf>,

    /// Put the puzzles whose rating is nearest to this one first: those for a solver of this rating
    #[arg(long, value_name = "R")]
    for_rating: Option<f64>,

    /// Write a row for each puzzle instead of the report
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with = "json")]
    out: Option<TableFormat>,

    /// Write these rows to a file, whose ending says the format (`.csv`, `.jsonl` or `.parquet`) [default:
    /// standard output]
    #[arg(short, long, value_name = "FILE", conflicts_with = "json")]
    output: Option<PathBuf>,

    /// The attributes of a row: those of the tree, or all that a model learns from
    #[arg(long, value_enum, default_value = "tree", requires = "rows")]
    attributes: AttributesArg,

    /// Write the tree for GraphViz
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,

    /// Write a picture of the tree
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Write a picture of the board
    #[arg(long, value_name = "FILE")]
    board: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    page: PageArgs,
}

/// The attributes of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum AttributesArg {
    /// The 17 families of the tree.
    Tree,
    /// All that a model learns from.
    All,
}

/// Options of one position, which puzzles of a file do not have.
const OF_ONE: [&str; 8] =
    ["position", "moves", "solved", "iterations", "seed", "dot", "svg", "board"];

/// Options of one position, which puzzles of a game do not have.
const OF_PICTURES: [&str; 7] = ["position", "moves", "dot", "svg", "board", "html", "open"];

/// Options of a file of puzzles, which one position does not have.
const OF_FILE: [&str; 5] = ["for_rating", "out", "output", "attributes", "recover"];

/// Options of a game, which chess does not have.
const OF_GAME: [&str; 5] = ["position", "moves", "solved", "iterations", "seed"];

/// Options of engines, which a game of the catalog does not have.
const OF_ENGINE: [&str; 12] = [
    "engine",
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

impl Arguments {
    /// The format of the rows, if there are to be rows.
    fn rows(&self) -> Outcome<Option<TableFormat>> {
        match (self.out, &self.output) {
            (None, Some(path)) => Ok(Some(TableFormat::of(path, TableFormat::value_variants())?)),
            (out, _) => Ok(out),
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let given = &arguments.given;
    if let Some(file) = &arguments.file {
        let mut input = Input::open(file)?;
        if input.is_json() {
            let puzzles = shown::puzzles(&mut input)?;
            given.refuse(&OF_PICTURES, "puzzles of a game")?;
            given.refuse(&OF_FILE, "puzzles of a game")?;
            given.refuse(&OF_ENGINE, "puzzles of a game")?;
            return shown::graded(arguments, &puzzles, DEFAULT_CP);
        }
        given.refuse(&OF_ONE, "a file of puzzles")?;
        return rated::run(arguments, input);
    }
    given.refuse(&OF_FILE, "one position")?;
    let text = arguments.show.as_deref().or(arguments.game.as_deref()).unwrap_or_default();
    if arguments.game.is_none() && is_fen(text) {
        given.refuse(&OF_GAME, "a FEN")?;
        return shown::chess(arguments, text);
    }
    if text == "chess" {
        let message = "chess has no list of positions here: give the position as FEN, with --show";
        return Err(Failure::new(Exit::Usage, message));
    }
    common::game(text)?;
    given.refuse(&OF_ENGINE, "a game of the catalog")?;
    shown::game(arguments, text, DEFAULT_CP)
}

/// Whether a text means a position of chess and no game of the catalog.
fn is_fen(text: &str) -> bool {
    text.split_whitespace().next().is_some_and(|board| board.matches('/').count() >= 2)
}
