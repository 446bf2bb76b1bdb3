//! Listing games.

use clap::Args;
use treegauge_report::{GameListing, GamesReport, NamesReport, SavedKind};

use super::{Context, Done, Task};
use crate::{Error, Game, list_games, name_games};

/// List the games with their parameters
#[derive(Debug, Args)]
pub struct GamesTask {
    /// The games to list, by any of their names [default: all]
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Print the canonical name of each game, in the order given: of games with commas between them, where
    /// `'mnk(rows=3..9)'` stands for one for each number of rows; of `all`, the 28 games of Williams 2010; of a FILE with
    /// one game in each line or in a CSV column `game`, or with labelled games in TOML; of such a list from the standard
    /// input, `-`
    #[arg(long, requires = "names")]
    canonical: bool,
}

impl Task for GamesTask {
    const NAME: &'static str = "games";
    const EXAMPLES: &'static [&'static str] = &["games", "games othello"];
    const REPORTS: &'static [SavedKind] =
        &[SavedKind::of::<GamesReport>(), SavedKind::of::<NamesReport>()];

    fn run(&self, context: &Context<'_>) -> Result<Done, Error> {
        if self.canonical {
            return Ok(Done::new(name_games(&context.listed(&self.names)?)));
        }
        let mut report = list_games();
        if !self.names.is_empty() {
            for name in &self.names {
                // The error names the nearest game.
                Game::parse(name)?;
            }
            report.games.retain(|listing| self.names.iter().any(|name| is_called(listing, name)));
        }
        Ok(Done::new(report))
    }
}

/// Whether a name, with or without parameters, is one of a game.
fn is_called(listing: &GameListing, name: &str) -> bool {
    let name = name.split('(').next().unwrap_or(name).trim();
    let presets = listing.presets.iter().map(|preset| &preset.name);
    std::iter::once(&listing.name).chain(&listing.aliases).chain(presets).any(|known| known == name)
}
