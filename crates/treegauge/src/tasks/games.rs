//! The list of games.

use clap::Args;
use treegauge_core::Call;
use treegauge_report::{GameListing, GamesReport, NamesReport, SavedKind};

use super::{Context, Done, Group, Task};
use crate::Error;
use crate::list_games::{describe_library, describe_preset, list_games, name_games};

/// List the games and their parameters
#[derive(Debug, Args)]
pub struct GamesTask {
    /// Games to list, by any of their names [default: all]
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Print the canonical name of each game, in the order given
    ///
    /// NAME may then be several games, separated by commas, where `'mnk(rows=3..9)'` stands for one game per number of
    /// rows; `all` for the 28 games of Williams 2010; a FILE with one game per line, with a CSV column `game`, or with
    /// labelled games in TOML; or `-` for such a list on standard input
    #[arg(long, requires = "names")]
    canonical: bool,
}

impl Task for GamesTask {
    const NAME: &'static str = "games";
    const GROUP: Group = Group::Make;
    const EXAMPLES: &'static [&'static str] = &["games", "games othello", "games konane"];
    const COMMON: &'static [&'static str] = &["canonical", "json"];
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
                context.game_of_file(name)?;
            }
            let mut names: Vec<String> = self.names.iter().map(|name| base(name)).collect();
            names.dedup();
            report.games.retain(|listing| names.iter().any(|name| is_called(listing, name)));
            for name in &names {
                report.games.extend(describe_preset(name)?);
            }
            describe_library(&mut report, |game| names.iter().any(|name| game.is_called(name)))?;
        }
        Ok(Done::new(report))
    }
}

/// Whether the listed game has this name.
fn is_called(listing: &GameListing, name: &str) -> bool {
    std::iter::once(&listing.name).chain(&listing.aliases).any(|known| known == name)
}

/// Name of a game without parameters, in lower case with underscores; of a file, its path.
fn base(game: &str) -> String {
    Call::parse(game).map_or_else(|_| game.to_owned(), |call| call.name)
}
