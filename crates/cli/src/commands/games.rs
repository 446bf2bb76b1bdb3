//! `treegauge games`.

use clap::Args;
use treegauge::report::{Document, NoBoards};
use treegauge::study::{GameListing, GamesReport};
use treegauge::{list_games, name_games};

use crate::common::{game, listed};
use crate::exit::Outcome;
use crate::output::{print, print_report};
use crate::terminal::terminal;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The games to list, by any of their names [default: all]
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Print the canonical name of each game, in the order given: of games with commas between them, where
    /// `'mnk(rows=3..9)'` stands for one for each number of rows; of `all`, the 28 games of Williams 2010; of a FILE with
    /// one game in each line or in a CSV column `game`, or with labelled games in TOML; of such a list from the standard
    /// input, `-`
    #[arg(long, requires = "names")]
    canonical: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    if arguments.canonical {
        let report = name_games(&listed(&arguments.names)?);
        return if arguments.json {
            print_report(&report)
        } else {
            print(&report.doc(&NoBoards).text(terminal()))
        };
    }
    let mut report = list_games();
    if !arguments.names.is_empty() {
        report = chosen(report, &arguments.names)?;
    }
    if arguments.json {
        print_report(&report)
    } else {
        print(&report.doc(&NoBoards).text(terminal()))
    }
}

/// The games of these names, in the order of the list.
fn chosen(mut report: GamesReport, names: &[String]) -> Outcome<GamesReport> {
    for name in names {
        // The error names the nearest game.
        game(name)?;
    }
    report.games.retain(|listing| names.iter().any(|name| is_called(listing, name)));
    Ok(report)
}

/// Whether a name, with or without parameters, is one of a game.
fn is_called(listing: &GameListing, name: &str) -> bool {
    let name = name.split('(').next().unwrap_or(name).trim();
    let presets = listing.presets.iter().map(|preset| &preset.name);
    std::iter::once(&listing.name).chain(&listing.aliases).chain(presets).any(|known| known == name)
}
