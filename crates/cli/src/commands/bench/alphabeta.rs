//! `treegauge bench --alphabeta`.

use std::time::Duration;

use serde::Serialize;
use treegauge::engine::EvaluatorSpec;
use treegauge::report::NameRow;
use treegauge::search::{AlphaBetaLimits, AlphaBetaOptions, Seed};
use treegauge::{Error, Game, name_games};

use super::{CHUNKS, median, rate, thousands};

use crate::exit::Outcome;
use crate::output::{counted, print, print_json};
use crate::terminal::hint;
use treegauge::report::table;
use treegauge::tasks::DEFAULT_SEED;

/// The nodes of each measured search.
const NODES: u64 = 1_000_000;

/// Random plies before the search.
const OPENING_PLIES: u32 = 2;

#[derive(Serialize)]
struct Report {
    threads: u32,
    seed: u64,
    eval: String,
    nodes: u64,
    opening_plies: u32,
    rows: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    #[serde(flatten)]
    name: NameRow,
    nodes_per_s: f64,
    nodes_per_s_with_table: f64,
    depth: u32,
    depth_with_table: u32,
}

/// Measures the nodes per second of alpha-beta with an evaluator, without and with a table.
pub(super) fn run(games: &[Game], eval: &str, seconds: f64, json: bool) -> Outcome {
    let chunk = Duration::from_secs_f64(seconds / CHUNKS as f64);
    let spec = EvaluatorSpec::parse(eval).map_err(Error::from)?;
    let mut rows = Vec::new();
    for (name, game) in name_games(games).rows.into_iter().zip(games) {
        hint(&format!("measuring {}", name.game));
        rows.push(measure(name, game, &spec, chunk)?);
    }
    let (eval, opening_plies) = (eval.to_owned(), OPENING_PLIES);
    let report = Report { threads: 1, seed: DEFAULT_SEED, eval, nodes: NODES, opening_plies, rows };
    if json {
        return print_json(&report);
    }
    let rows = report.rows.iter().map(|row| {
        [
            row.name.game.clone(),
            thousands(row.nodes_per_s),
            row.depth.to_string(),
            thousands(row.nodes_per_s_with_table),
            row.depth_with_table.to_string(),
        ]
    });
    let table = table(["game", "nodes/s", "plies", "nodes/s with table", "plies"], rows, 1..5);
    print(&format!(
        "{table}\none thread; nodes per second of its CPU time, medians of {CHUNKS} chunks; searches \
         of {} nodes by {}, after {}, seed {DEFAULT_SEED}; plies are what such a search completes\n",
        thousands(NODES as f64),
        report.eval,
        counted(OPENING_PLIES, "random move")
    ))
}

fn measure(
    name: NameRow,
    game: &Game,
    spec: &EvaluatorSpec,
    chunk: Duration,
) -> Result<Row, Error> {
    let mut line = game.start();
    line.random_plies(OPENING_PLIES, &mut Seed(DEFAULT_SEED).generator());
    let mut measured = [(0.0, 0); 2];
    let tables = [None, AlphaBetaOptions::default().table_bytes];
    for (measured, table_bytes) in measured.iter_mut().zip(tables) {
        let options = AlphaBetaOptions { table_bytes, ..AlphaBetaOptions::default() };
        let mut search = game.engine().alpha_beta(options, spec)?;
        let mut last = Ok(0);
        let mut searches = || {
            // Forget what the last search learned: it would change this one.
            search.forget();
            let found = search.search(&line, AlphaBetaLimits::nodes(NODES), &mut || false);
            let nodes = found.as_ref().map_or(0, |found| found.nodes);
            last = found.map(|found| found.depth);
            [nodes, 0]
        };
        rate(chunk / 4, &mut searches);
        let rates = (0..CHUNKS).map(|_| rate(chunk, &mut searches)[0]).collect();
        *measured = (median(rates), last?);
    }
    let [(nodes_per_s, depth), (nodes_per_s_with_table, depth_with_table)] = measured;
    Ok(Row { name, nodes_per_s, nodes_per_s_with_table, depth, depth_with_table })
}
