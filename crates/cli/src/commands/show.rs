//! `treegauge show`.

use std::path::PathBuf;

use clap::Args;
use treegauge::report::Document;
use treegauge::show;

use crate::exit::Outcome;
use crate::files::{Kind, to_write};
use crate::output::{print, print_report};
use crate::rules_text::game_or_standard;
use crate::terminal::terminal;
use treegauge::tasks::PositionArgs;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The game, as `games` lists it; `-` for a text that describes one on standard input
    game: String,

    #[command(flatten)]
    at: PositionArgs,

    /// Write the picture to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let game = game_or_standard(&arguments.game)?;
    let line = arguments.at.line_of(&game)?;
    if let Some(path) = &arguments.svg {
        to_write(path, Kind::Board)?.write(&line.board_svg())?;
    }
    let report = show(&game, &line);
    if arguments.json {
        return print_report(&report);
    }
    print(&report.doc(&game).text(terminal()))
}
