//! `treegauge search`.

mod alphabeta;

use std::path::PathBuf;

use clap::Args;
use treegauge::engine::{AlphaBetaPlayer, PlayerSpec, UctPlayer};
use treegauge::report::{NoBoards, search_doc};
use treegauge::search::picture::{self, Limits, Outline, Style};
use treegauge::search::{Budget, Stopped, UctVariant};
use treegauge::{SearchOptions, search};

use crate::common::game;
use crate::exit::{Exit, Failure, Outcome};
use crate::files::{Kind, Output, to_write};
use crate::given::Given;
use crate::interrupt::{self, Stop};
use crate::output::{print, print_report};
use crate::playing::player_of;
use crate::terminal::{hint, terminal};
use treegauge::grammar::{count, parse_size};
use treegauge::mirrored;
use treegauge::tasks::{CpArg, DEFAULT_SEED, PositionArgs, ShapeArgs, VariantArgs};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    given: Given,

    /// The game, as `games` lists it
    game: String,

    /// Iterations of the search
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = count::<u32>(1..=u64::from(Budget::ITERATIONS_MAX)))]
    iterations: u32,

    /// Search as this player: alphabeta(eval=NAME,nodes=N), with depth=N or time_ms=N in place of
    /// nodes, or uct(iterations=N,cp=X,...), which is the same as --iterations N --cp X ...
    #[arg(long, value_name = "PLAYER")]
    player: Option<String>,

    #[command(flatten)]
    at: PositionArgs,

    /// Random seed
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED)]
    seed: u64,

    #[command(flatten)]
    cp: CpArg,

    #[command(flatten)]
    variant: VariantArgs,

    /// Grow N trees independently, each with its part of --iterations and of the limits, and add up what they
    /// found of the moves; features and pictures are of the first. A player has this as threads=N. The result
    /// depends on N
    #[arg(
        long,
        value_name = "N",
        help_heading = "Variants of UCT",
        default_value_t = 1,
        value_parser = count::<u32>(1..=u64::from(UctVariant::THREADS_MAX))
    )]
    trees: u32,

    /// Stop before the tree exceeds this number of nodes
    #[arg(long, value_name = "N", value_parser = count::<u32>(1..))]
    nodes_max: Option<u32>,

    /// Stop before the tree takes more memory, in bytes or as 500M or 6G (1G is 1024M; default: 4G)
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory_max: Option<u64>,

    /// Write the tree for GraphViz
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,

    /// Write a picture of the tree
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Write the whole tree as JSON
    #[arg(long, value_name = "FILE")]
    tree_json: Option<PathBuf>,

    /// The style of the pictures
    #[arg(long, value_enum, default_value = "plain")]
    style: StyleArg,

    /// Children of a node that a picture shows; the rest is folded
    #[arg(long, alias = "draw-children", value_name = "N", default_value_t = Limits::default().children_max as u32, value_parser = count::<u32>(1..))]
    picture_children: u32,

    /// Nodes that a picture shows
    #[arg(long, alias = "draw-nodes", value_name = "N", default_value_t = Limits::default().nodes_max as u32, value_parser = count::<u32>(1..))]
    picture_nodes: u32,

    /// Plies from the root that a picture shows at most
    #[arg(long, value_name = "N", default_value_t = Limits::default().depth_max as u32, value_parser = count::<u32>(1..))]
    picture_depth: u32,

    /// Moves to list, the most visited first
    #[arg(long, value_name = "N", default_value_t = 20, conflicts_with = "json")]
    top: u32,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    shape: ShapeArgs,
}

/// What the text of a UCT player says too.
const OF_PLAYER: [&str; 8] =
    ["iterations", "cp", "expansion", "merge", "backup", "counts", "solver", "trees"];

/// Further options of UCT searches, which others do not have.
const OF_UCT: [&str; 15] = [
    "seed",
    "nodes_max",
    "memory_max",
    "dot",
    "svg",
    "tree_json",
    "style",
    "picture_children",
    "picture_nodes",
    "picture_depth",
    "top",
    "spread_third",
    "variance",
    "uct_nodes",
    "unvisited",
];

/// The player that `--player` names, if it fits the other options.
fn player(arguments: &Arguments, text: &str) -> Outcome<PlayerSpec> {
    let spec = player_of(text)?;
    let beside = format!("--player {text}");
    if spec.get::<AlphaBetaPlayer>().is_some() {
        arguments.given.refuse(&OF_UCT, &beside)?;
    } else if spec.get::<UctPlayer>().is_none() {
        let message = format!(
            "--player takes alphabeta(eval=NAME,nodes=N) or uct(iterations=N), and {text} is neither"
        );
        return Err(Failure::new(Exit::Usage, message));
    }
    arguments.given.refuse(&OF_PLAYER, &beside)?;
    Ok(spec)
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let game = game(&arguments.game)?;
    let line = arguments.at.line_of(&game)?;
    let mut uct = UctPlayer {
        iterations: arguments.iterations,
        cp: arguments.cp.cp,
        expansion: arguments.variant.expansion(),
        variant: UctVariant { threads: arguments.trees, ..arguments.variant.variant()? },
    };
    if let Some(text) = &arguments.player {
        let player = player(arguments, text)?;
        match player.get::<UctPlayer>() {
            Some(player) => uct = *player,
            None => return alphabeta::run(&game, &line, &player, arguments.json),
        }
    }
    let output =
        |path: &Option<PathBuf>, kind| path.as_deref().map(|path| to_write(path, kind)).transpose();
    let trees = Trees {
        dot: output(&arguments.dot, Kind::TreeDot)?,
        svg: output(&arguments.svg, Kind::TreeSvg)?,
        json: output(&arguments.tree_json, Kind::TreeJson)?,
    };
    let budget = Budget {
        iterations_max: uct.iterations,
        nodes_max: arguments.nodes_max.unwrap_or(u32::MAX),
        memory_bytes_max: arguments.memory_max.unwrap_or(Budget::DEFAULT_MEMORY_BYTES_MAX),
    };
    let UctPlayer { cp, expansion, variant, .. } = uct;
    let (seed, shape) = (arguments.seed, arguments.shape.options());
    let options = SearchOptions { budget, cp, expansion, variant, seed, shape };
    interrupt::flag();
    let found = search(&game, &line, &options, &Stop)?;
    let written = trees.write(arguments, || found.tree());
    let top = arguments.top as usize;
    let printed = if arguments.json {
        print_report(&found.report)
    } else {
        print(&search_doc(&found.report, &NoBoards, top).text(terminal()))
    };
    written.and(printed)?;
    if !arguments.json && found.report.moves.len() > top {
        hint("`--top N` lists more moves");
    }
    if found.report.stopped == Stopped::Caller {
        return Err(Failure::interrupted("interrupted: the search is shorter than was asked for"));
    }
    Ok(())
}

mirrored! {
    /// [`Style`] on the command line.
    StyleArg of Style { Plain, Williams }
}

/// Where the tree of a search goes.
struct Trees {
    dot: Option<Output>,
    svg: Option<Output>,
    json: Option<Output>,
}

impl Trees {
    fn write(&self, arguments: &Arguments, outline: impl FnOnce() -> Outline) -> Outcome {
        let Trees { dot, svg, json } = self;
        if dot.is_none() && svg.is_none() && json.is_none() {
            return Ok(());
        }
        let outline = outline();
        let limits = Limits {
            children_max: arguments.picture_children as usize,
            nodes_max: arguments.picture_nodes as usize,
            depth_max: arguments.picture_depth as usize,
        };
        let picked = picture::pick(&outline, arguments.style.into(), limits);
        let written = dot.as_ref().map_or(Ok(()), |file| file.write(&picture::dot(&picked)));
        let svg = svg.as_ref().map_or(Ok(()), |file| file.write(&picture::svg(&picked)));
        let json = json.as_ref().map_or(Ok(()), |file| file.write(&picture::json(&outline)));
        written.and(svg).and(json)
    }
}
