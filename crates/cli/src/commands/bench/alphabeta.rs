//! `treegauge bench --alphabeta`.

use std::time::Duration;

use serde::Serialize;
use treegauge_catalog::{Entry, GameSpec, Visitor};
use treegauge_core::{Keyed, Notation, Played};
use treegauge_search::{AlphaBeta, AlphaBetaLimits, AlphaBetaOptions, Seed, random_opening};

use super::{CHUNKS, median, rate, thousands};
use crate::common::DEFAULT_SEED;
use crate::exit::{OrExit, Outcome};
use crate::output::{complain, counted, print, print_json};
use crate::players::evaluator;
use crate::table::table;

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
    game: String,
    nodes_per_s: f64,
    nodes_per_s_with_table: f64,
    depth: u32,
    depth_with_table: u32,
}

/// Measures the nodes a second of alpha-beta with an evaluator, without and with a table.
pub(super) fn run(specs: &[GameSpec], eval: &str, seconds: f64, json: bool) -> Outcome {
    let chunk = Duration::from_secs_f64(seconds / CHUNKS as f64);
    let mut rows = Vec::new();
    for spec in specs {
        complain(&format!("measuring {spec}"));
        let (game, canonical) = (spec.to_string(), spec.canonical());
        rows.push(spec.with_game(Nodes { eval, chunk, game, canonical }).or_usage()??);
    }
    let (eval, opening_plies) = (eval.to_owned(), OPENING_PLIES);
    let report = Report { threads: 1, seed: DEFAULT_SEED, eval, nodes: NODES, opening_plies, rows };
    if json {
        return print_json(&report);
    }
    let rows = report.rows.iter().map(|row| {
        [
            row.game.clone(),
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

struct Nodes<'a> {
    eval: &'a str,
    chunk: Duration,
    game: String,
    canonical: String,
}

impl Visitor for Nodes<'_> {
    type Output = Outcome<Row>;

    fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> Outcome<Row> {
        let game = &entry.game;
        let evaluator = evaluator(&entry, self.eval, &self.canonical)?;
        let mut played = Played::start(game);
        let rng = &mut Seed(DEFAULT_SEED).generator();
        random_opening(game, &mut played, OPENING_PLIES, rng);
        let measured = [None, AlphaBetaOptions::default().table_bytes].map(|table_bytes| {
            let options = AlphaBetaOptions { table_bytes, ..AlphaBetaOptions::default() };
            let mut search = AlphaBeta::new(options);
            let mut depth = 0;
            let mut searches = || {
                // What the last search learned would make this one another.
                search.forget();
                let limits = AlphaBetaLimits::nodes(NODES);
                let report = search.search(game, &played, evaluator.as_ref(), limits);
                depth = report.depth;
                [report.nodes, 0]
            };
            rate(self.chunk / 4, &mut searches);
            let rates = (0..CHUNKS).map(|_| rate(self.chunk, &mut searches)[0]).collect();
            (median(rates), depth)
        });
        let [(nodes_per_s, depth), (nodes_per_s_with_table, depth_with_table)] = measured;
        Ok(Row { game: self.game, nodes_per_s, nodes_per_s_with_table, depth, depth_with_table })
    }
}
