//! `treegauge search`.

mod alphabeta;

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use treegauge_catalog::{Entry, Visitor};
use treegauge_core::{Keyed, Notation, Played};
use treegauge_search::draw::{self, Limits, Outline, Style};
use treegauge_search::{Budget, FEATURE_NAMES, Seed, Shape, Stopped, Uct, Unobserved};

use crate::common::{CpArg, DEFAULT_SEED, PositionArgs, ShapeArgs, game_spec};
use crate::exit::{Failure, OrExit, Outcome};
use crate::interrupt;
use crate::output::{check_file, counted, print, print_json, write_file};
use crate::table::table;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The game, as `games` lists it
    game: String,

    /// Iterations of the search
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=i64::from(Budget::ITERATIONS_MAX)))]
    iterations: u32,

    /// Search by alpha-beta instead of UCT: alphabeta(eval=NAME,nodes=N), with depth=N or time_ms=N
    /// in place of nodes
    #[arg(long, value_name = "PLAYER", conflicts_with_all = [
        "iterations", "seed", "nodes_max", "memory_max", "dot", "svg", "tree_json", "style",
        "draw_children", "draw_nodes", "top", "CpArg", "ShapeArgs",
    ])]
    player: Option<String>,

    #[command(flatten)]
    at: PositionArgs,

    /// Seed of all chance
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED)]
    seed: u64,

    #[command(flatten)]
    cp: CpArg,

    /// Stop before the tree has more nodes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    nodes_max: Option<u32>,

    /// Stop before the tree takes more bytes (default: 4 GiB)
    #[arg(long, value_name = "BYTES")]
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

    /// How the tree is drawn
    #[arg(long, value_parser = ["plain", "williams"], default_value = "plain")]
    style: String,

    /// Children of a node that a picture shows before it folds the rest
    #[arg(long, value_name = "N", default_value_t = Limits::default().children_max as u32, value_parser = clap::value_parser!(u32).range(1..))]
    draw_children: u32,

    /// Nodes that a picture shows
    #[arg(long, value_name = "N", default_value_t = Limits::default().nodes_max as u32, value_parser = clap::value_parser!(u32).range(1..))]
    draw_nodes: u32,

    /// Moves to list, the most visited first
    #[arg(long, value_name = "N", default_value_t = 20, conflicts_with = "json")]
    top: u32,

    #[command(flatten)]
    shape: ShapeArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    game: String,
    position: String,
    iterations: u32,
    seed: u64,
    cp: f64,
    turn: String,
    nodes: u32,
    memory_bytes: u64,
    stopped: Stopped,
    best_move: Option<String>,
    moves: Vec<Row>,
    features: Shape,
}

#[derive(Serialize)]
struct Row {
    #[serde(rename = "move")]
    m: String,
    visits: u32,
    mean_score: Option<f64>,
}

struct Run<'a>(&'a Arguments, String);

impl Visitor for Run<'_> {
    type Output = Outcome<(Report, Option<Outline>, Stopped)>;

    fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> Self::Output {
        let (Run(arguments, spec), game) = (self, &entry.game);
        let played = unfinished(game, &arguments.at)?;
        let budget = Budget {
            iterations_max: arguments.iterations,
            nodes_max: arguments.nodes_max.unwrap_or(u32::MAX),
            memory_bytes_max: arguments.memory_max.unwrap_or(Budget::DEFAULT_MEMORY_BYTES_MAX),
        };
        let mut uct = Uct::new(budget).with_cp(arguments.cp.cp);
        let mut rng = Seed(arguments.seed).generator();
        interrupt::flag();
        let search = uct.search_observed(
            game,
            &played,
            &mut rng,
            &mut Unobserved,
            &mut interrupt::requested,
        );
        let (tree, state, turn) = (search.tree(), played.state(), search.turn());

        let mut moves = Vec::new();
        game.moves_into(state, &mut moves);
        let features = Shape::of(tree, turn, search.drift(), arguments.shape.options())
            .ok_or("the limits allow not even one node")
            .or_usage()?;
        let tried = tree.children(treegauge_search::NodeId::ROOT);
        let rows = moves
            .iter()
            .enumerate()
            .map(|(n, &m)| {
                let child = tried.get(n);
                Row {
                    m: game.move_text(state, m),
                    visits: child.map_or(0, |child| child.visits()),
                    // Adding 0 makes a zero of a negative zero.
                    mean_score: child.map(|child| f64::from(turn.sign()) * child.mean() + 0.0),
                }
            })
            .collect();
        let report = Report {
            game: spec.clone(),
            position: game.position_text(state),
            iterations: search.iterations(),
            seed: arguments.seed,
            cp: arguments.cp.cp,
            turn: turn.to_string(),
            nodes: tree.node_count(),
            memory_bytes: tree.memory_bytes(),
            stopped: search.stopped(),
            best_move: search.best_move().map(|m| game.move_text(state, m)),
            moves: rows,
            features,
        };
        let wanted = [&arguments.dot, &arguments.svg, &arguments.tree_json];
        let outline = wanted
            .iter()
            .any(|path| path.is_some())
            .then(|| draw::outline(game, &spec, arguments.seed, state, &search));
        Ok((report, outline, search.stopped()))
    }
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let spec = game_spec(&arguments.game)?;
    if let Some(player) = &arguments.player {
        return alphabeta::run(arguments, &spec, player);
    }
    for path in [&arguments.dot, &arguments.svg, &arguments.tree_json].into_iter().flatten() {
        check_file(path)?;
    }
    let (report, outline, stopped) =
        spec.with_game(Run(arguments, spec.to_string())).or_usage()??;
    if let Some(outline) = &outline {
        write_trees(arguments, outline)?;
    }
    if arguments.json {
        print_json(&report)?;
    } else {
        print(&in_words(&report, arguments.top as usize))?;
    }
    if stopped == Stopped::Caller {
        return Err(Failure::interrupted("interrupted: the search is shorter than was asked for"));
    }
    Ok(())
}

/// The game at the position to search, which must go on there.
fn unfinished<G: Notation>(game: &G, at: &PositionArgs) -> Outcome<Played<G>> {
    let played = at.played(game)?;
    if let Some(ended) = played.ended(game) {
        return Err(format!("the game is over by {}: there is nothing to search", ended.by))
            .or_data();
    }
    Ok(played)
}

fn write_trees(arguments: &Arguments, outline: &Outline) -> Outcome {
    let style = if arguments.style == "williams" { Style::Williams } else { Style::Plain };
    let limits = Limits {
        children_max: arguments.draw_children as usize,
        nodes_max: arguments.draw_nodes as usize,
    };
    let picked = draw::pick(outline, style, limits);
    if let Some(path) = &arguments.dot {
        write_file(path, &draw::dot(&picked))?;
    }
    if let Some(path) = &arguments.svg {
        write_file(path, &draw::svg(&picked))?;
    }
    if let Some(path) = &arguments.tree_json {
        write_file(path, &draw::json(outline))?;
    }
    Ok(())
}

fn in_words(report: &Report, top: usize) -> String {
    let mut text = format!(
        "{} from {}\n{}, {}, seed {}, C_p {:.4}\n\n",
        report.game,
        report.position,
        counted(report.iterations, "iteration"),
        counted(report.nodes, "node"),
        report.seed,
        report.cp
    );
    let stopped = match report.stopped {
        Stopped::Nodes => "The search stopped early: the tree may have no more nodes.\n\n",
        Stopped::Memory => "The search stopped early: the tree may take no more memory.\n\n",
        Stopped::Caller => "INCOMPLETE: the search was interrupted.\n\n",
        _ => "",
    };
    text.push_str(stopped);
    let mut rows: Vec<&Row> = report.moves.iter().collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.visits));
    let hidden = rows.len().saturating_sub(top);
    let moves = rows.into_iter().take(top).map(|row| {
        let value = row.mean_score.map_or("untried".to_owned(), |value| format!("{value:+.3}"));
        let mark = if Some(&row.m) == report.best_move.as_ref() { " *" } else { "" };
        [format!("{}{mark}", row.m), row.visits.to_string(), value]
    });
    text.push_str(&table(["move", "visits", "value"], moves, 1..3));
    if hidden > 0 {
        let _ = writeln!(
            text,
            "and {} with fewer visits (--top shows more)",
            counted(hidden as u32, "move")
        );
    }
    let _ = writeln!(
        text,
        "\n* best value, the move to play; values are for the {} player, -1 to 1\n",
        report.turn
    );
    let features = FEATURE_NAMES
        .iter()
        .zip(report.features.values())
        .map(|(name, value)| [(*name).to_owned(), format!("{value:.4}")]);
    text.push_str(&table(["shape of the tree", "value"], features, 1..2));
    text
}
