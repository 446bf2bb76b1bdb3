//! `treegauge replay`.

use std::path::PathBuf;

use clap::Args;
use treegauge::RecordedGames;
use treegauge::report::{Boards, Document, NoBoards};

use crate::exit::Outcome;
use crate::files::{Kind, make_folder, to_read, to_write};
use crate::interrupt::{self, Stop};
use crate::output::{print, print_report};
use crate::record::say_cut;
use crate::terminal::{hint, terminal};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The record, written by `match`, `tournament` or `gauge` with --record
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Show this game position by position; without it, list the games
    #[arg(long, value_name = "NAME")]
    game: Option<String>,

    /// Write a picture of each position of the game into this folder
    #[arg(long, value_name = "DIR", requires = "game")]
    svg_dir: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    to_read(&arguments.file)?;
    interrupt::flag();
    let record = RecordedGames::read(&arguments.file)?;
    say_cut(&arguments.file);
    let Some(name) = &arguments.game else {
        let report = record.replay(&Stop)?;
        if arguments.json {
            return print_report(&report);
        }
        print(&report.doc(&NoBoards).text(terminal()))?;
        if !report.games.is_empty() {
            hint("`--game NAME` shows one game");
        }
        return Ok(());
    };
    let report = record.replay_game(name)?;
    if let Some(folder) = &arguments.svg_dir {
        make_folder(folder)?;
        for (ply, place) in report.positions.iter().enumerate() {
            let board = record.game().svg(&place.position);
            to_write(&folder.join(format!("ply-{ply:04}.svg")), Kind::Board)?
                .write(board.as_str())?;
        }
    }
    if arguments.json {
        return print_report(&report);
    }
    print(&report.doc(record.game()).text(terminal()))
}
