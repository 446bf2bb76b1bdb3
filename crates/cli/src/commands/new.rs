//! `treegauge new`.

use std::path::PathBuf;

use clap::Args;
use treegauge::report::{Document, NoBoards};
use treegauge::{template, templates};

use crate::exit::Outcome;
use crate::files::{Kind, to_write};
use crate::output::{print, print_report};
use crate::terminal::terminal;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The built-in game to begin from, as `--list` lists it
    #[arg(required_unless_present = "list", conflicts_with = "list")]
    game: Option<String>,

    /// List the games that there is a text of, and why there is none of the others
    #[arg(long, conflicts_with = "output")]
    list: bool,

    /// Print the list as JSON
    #[arg(long, requires = "list", conflicts_with_all = ["game", "output"])]
    json: bool,

    /// Write the text to this file [default: print it]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let Some(game) = &arguments.game else {
        let list = templates();
        return if arguments.json {
            print_report(&list)
        } else {
            print(&list.doc(&NoBoards).text(terminal()))
        };
    };
    let text = template(game)?;
    match &arguments.output {
        Some(path) => to_write(path, Kind::Template)?.write(&text),
        None => print(&text),
    }
}
