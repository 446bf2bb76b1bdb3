//! `treegauge games`.

use clap::Args;
use treegauge::list_games;
use treegauge::report::games_text;
use treegauge::study::{GameListing, GamesReport};

use crate::common::game;
use crate::exit::Outcome;
use crate::output::{print, print_report};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The games to list, by any of their names [default: all]
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let mut report = list_games();
    if !arguments.names.is_empty() {
        report = listed(report, &arguments.names)?;
    }
    if arguments.json { print_report(&report) } else { print(&games_text(&report)) }
}

/// The games of these names, in the order of the list.
fn listed(mut report: GamesReport, names: &[String]) -> Outcome<GamesReport> {
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
