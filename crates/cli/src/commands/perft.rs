//! `treegauge perft`.

use clap::Args;
use treegauge::perft;
use treegauge::report::{Document, NoBoards};

use crate::common::PositionArgs;
use crate::exit::Outcome;
use crate::interrupt::{self, Stop};
use crate::numbers::count;
use crate::output::{print, print_report};
use crate::rules_text::game_or_standard;
use crate::terminal::terminal;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The game, as `games` lists it; `-` for a text that describes one on standard input
    game: String,

    /// Plies to count to
    #[arg(long, value_name = "N", value_parser = count::<u32>(1..=100))]
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

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let game = game_or_standard(&arguments.game)?;
    let line = arguments.at.line_of(&game)?;
    interrupt::flag();
    let report = perft(&game, &line, arguments.depth as usize, arguments.divide, &Stop)?;
    if arguments.json {
        print_report(&report)
    } else {
        print(&report.doc(&NoBoards).text(terminal()))
    }
}
