//! `treegauge perft`.

use std::fmt::Write;

use clap::Args;
use serde::Serialize;
use treegauge_catalog::{Entry, Visitor};
use treegauge_core::{Keyed, Notation, perft, perft_divide};

use crate::common::{PositionArgs, game_spec};
use crate::exit::{OrExit, Outcome};
use crate::output::{print, print_json};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The game, as `games` lists it
    game: String,

    /// Plies to count to
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,

    /// Count the greatest depth for each first move
    #[arg(long)]
    divide: bool,

    #[command(flatten)]
    at: PositionArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    game: String,
    position: String,
    counts: Vec<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<Row>>,
}

#[derive(Serialize)]
struct Row {
    #[serde(rename = "move")]
    m: String,
    count: u64,
}

struct Count<'a>(&'a Arguments, String);

impl Visitor for Count<'_> {
    type Output = Outcome<Report>;

    fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> Outcome<Report> {
        let (Count(arguments, spec), game) = (self, &entry.game);
        let played = arguments.at.played(game)?;
        let state = played.state();
        let depth = arguments.depth as usize;
        let divide = arguments.divide.then(|| {
            perft_divide(game, state, depth)
                .into_iter()
                .map(|(m, count)| Row { m: game.move_text(state, m), count })
                .collect()
        });
        Ok(Report {
            game: spec,
            position: game.position_text(state),
            counts: perft(game, state, depth),
            divide,
        })
    }
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let spec = game_spec(&arguments.game)?;
    let report = spec.with_game(Count(arguments, spec.to_string())).or_usage()??;
    if arguments.json {
        return print_json(&report);
    }
    let mut text = String::new();
    for (n, count) in report.counts.iter().enumerate() {
        let _ = writeln!(text, "{:>3} {count:>20}", n + 1);
    }
    if let Some(rows) = &report.divide {
        let _ = writeln!(
            text,
            "\nof the {} sequences of {} plies:",
            report.counts[arguments.depth as usize - 1],
            arguments.depth
        );
        for row in rows {
            let _ = writeln!(text, "{:>10} {:>20}", row.m, row.count);
        }
    }
    print(&text)
}
