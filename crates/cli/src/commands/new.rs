//! `treegauge new`.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use treegauge::{families_without_template, template, templates};

use crate::exit::Outcome;
use crate::files::{Kind, to_write};
use crate::output::print;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The built-in game to begin from, as `--list` lists it
    #[arg(required_unless_present = "list", conflicts_with = "list")]
    game: Option<String>,

    /// List the games that there is a text of, and why there is none of the others
    #[arg(long, conflicts_with = "output")]
    list: bool,

    /// Write the text to this file [default: print it]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let Some(game) = &arguments.game else { return print(&list()) };
    let text = template(game)?;
    match &arguments.output {
        Some(path) => to_write(path, Kind::Template)?.write(&text),
        None => print(&text),
    }
}

/// The games with a text, and the families without one.
fn list() -> String {
    let games = templates();
    let width = games.iter().map(|(game, _)| game.len()).max().unwrap_or(0).min(40);
    let mut text = String::new();
    for (game, title) in games {
        let _ = writeln!(text, "{game:width$}  {title}");
    }
    text.push_str("\nwithout a text:\n");
    for (family, reason) in families_without_template() {
        let _ = writeln!(text, "{family:width$}  {reason}");
    }
    text
}
