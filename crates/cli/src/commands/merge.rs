//! `treegauge merge`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use treegauge_study::journal::{self, Header};
use treegauge_study::{MatchGame, MatchHeader, MatchSummary};

use super::matches::Report;
use crate::exit::{OrExit, Outcome};
use crate::output::{check_file, write_file_with};
use crate::record::read_match;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The records of the parts, which `match --record` wrote
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Write the record of the whole match, as one run would have left it
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    if let Some(path) = &arguments.output {
        check_file(path)?;
    }
    let (header, games) = merged(&arguments.files)?;
    if let Some(path) = &arguments.output {
        write_file_with(path, |out| journal::write(out, &header, &games))?;
    }
    let known: MatchHeader = serde_json::from_value(header.into())
        .map_err(|error| {
            let first = arguments.files[0].display();
            format!("the first line of {first} is not that of a match: {error}")
        })
        .or_data()?;
    // How many games were asked for is not in a record: those up to the last one are expected.
    let wanted = games.last().map_or(0, |last| last.game.saturating_add(1));
    let report = Report {
        game: known.game,
        a: known.a,
        b: known.b,
        seed: known.seed,
        opening_plies: known.opening_plies,
        test: None,
        summary: MatchSummary::of(&games, wanted, None),
    };
    report.print(arguments.json)
}

/// The header that all files have, and the games of all of them in order.
fn merged(files: &[PathBuf]) -> Outcome<(Header, Vec<MatchGame>)> {
    let mut common: Option<(&Path, Header)> = None;
    // Each game with the file in which it was first.
    let mut games: BTreeMap<u32, (&Path, MatchGame)> = BTreeMap::new();
    for path in files {
        let (header, more) = read_match(path)?;
        let (first, common) = common.get_or_insert_with(|| (path, header.clone()));
        if let Some((field, there, here)) = journal::difference(&header, common) {
            let message = format!(
                "{} is of another match: `{field}` is {there} there and {here} in {}",
                path.display(),
                first.display()
            );
            return Err(message).or_data();
        }
        for game in more {
            let (known_in, known) = games.entry(game.game).or_insert_with(|| (path, game.clone()));
            if *known != game {
                let (one, other) = (known_in.display(), path.display());
                let message = format!("game {} in {other} is not that in {one}", game.game);
                return Err(message).or_data();
            }
        }
    }
    let (_, header) = common.expect("clap wants a file");
    Ok((header, games.into_values().map(|(_, game)| game).collect()))
}
