//! `treegauge merge`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::de::DeserializeOwned;
use treegauge_study::compare::Sprt;
use treegauge_study::journal::{self, Header, Line};
use treegauge_study::{
    Encounter, MatchGame, MatchHeader, MatchSummary, TournamentGame, TournamentHeader,
    TournamentSummary, encounters,
};

use super::{matches, tournament};
use crate::exit::{Exit, Failure, OrExit, Outcome};
use crate::output::{check_file, complain, counted, write_file_with};
use crate::record;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The records of the parts, which `match --record` or `tournament --record` wrote
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Write the record of the whole, as one run would have left it
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Games that were to be played (of every two players of a tournament), so that missing ones are
    /// told (default: those up to the last one in the files)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    games: Option<u32>,

    /// Look at the pairs of a match in their order as a sequential test does, and leave out those
    /// after its decision: elo0=E,elo1=E, with alpha=A,beta=B for other error rates than 0.05
    #[arg(long, value_name = "TEST")]
    sprt: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Write the report of a tournament as a web page
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let sprt = arguments.sprt.as_deref().map(Sprt::parse).transpose().or_usage()?;
    [&arguments.output, &arguments.html].into_iter().flatten().try_for_each(|p| check_file(p))?;
    let wrong = |option, what| {
        Err(Failure::new(Exit::Usage, format!("{option} is for {what}, which these are not")))
    };
    let held = record::holds(&arguments.files[0])?;
    if held == TournamentHeader::HOLDS {
        return match sprt {
            Some(_) => wrong("--sprt", "the games of a match"),
            None => merge_tournament(arguments),
        };
    }
    match arguments.html {
        Some(_) => wrong("--html", "the games of a tournament"),
        None => merge_match(arguments, sprt),
    }
}

fn merge_match(arguments: &Arguments, sprt: Option<Sprt>) -> Outcome {
    let (header, games) =
        merged::<MatchHeader, MatchGame>(arguments, MatchHeader::HOLDS, |game| {
            game.game.to_string()
        })?;
    let wanted = wanted(arguments, games.iter());
    let report = matches::Report {
        game: header.games.game,
        a: header.a,
        b: header.b,
        seed: header.games.seed,
        position: header.games.position,
        moves: header.games.moves,
        opening_plies: header.games.opening_plies,
        test: arguments.sprt.clone(),
        summary: MatchSummary::of(&games, wanted, sprt),
    };
    report.print(arguments.json)
}

fn merge_tournament(arguments: &Arguments) -> Outcome {
    let (header, games) = merged::<TournamentHeader, TournamentGame>(
        arguments,
        TournamentHeader::HOLDS,
        TournamentGame::name,
    )?;
    let wanted = wanted(arguments, games.iter().map(|game| &game.game));
    let players = u32::try_from(header.players.len()).unwrap_or(u32::MAX);
    let mut by_players: BTreeMap<[u32; 2], Vec<MatchGame>> =
        encounters(players).map(|both| (both, Vec::new())).collect();
    for TournamentGame { players, game } in games {
        let Some(known) = by_players.get_mut(&players) else {
            let message = format!("there are no two players {players:?} in the tournament");
            return Err(message).or_data();
        };
        known.push(game);
    }
    let encounters = by_players.into_iter().map(|(players, games)| {
        let summary = MatchSummary::of(&games, wanted, None);
        Encounter { players, summary }
    });
    let report = tournament::Report {
        game: header.games.game,
        summary: TournamentSummary::of(players, encounters.collect()),
        players: tournament::apart(header.players),
        seed: header.games.seed,
        position: header.games.position,
        moves: header.games.moves,
        opening_plies: header.games.opening_plies,
        games_per_match: wanted,
    };
    report.print(arguments.json, arguments.html.as_deref())
}

/// How many games were asked for is not in a record: if nobody says so, those up to the last one
/// are expected.
fn wanted<'a>(arguments: &Arguments, games: impl Iterator<Item = &'a MatchGame>) -> u32 {
    let known = games.map(|game| game.game.saturating_add(1)).max().unwrap_or(0);
    arguments.games.unwrap_or_else(|| {
        let upto = counted(known, "game");
        complain(&format!("the files go up to {upto}; --games N says how many there were to be"));
        known
    })
}

/// Refuses to put the record in the place of anything but one of the same run.
fn check_place(path: &Path, header: &Header) -> Outcome {
    let is_file = path.metadata().is_ok_and(|there| there.is_file() && there.len() > 0);
    let same = |there: &Header| journal::difference(there, header).is_none();
    if is_file && !journal::read_header(path).is_ok_and(|there| same(&there)) {
        let path = path.display();
        return Err(format!("{path} is there already, and is no record of this run")).or_data();
    }
    Ok(())
}

/// The header that all files have, and the games of all of them in order. Writes both where that
/// is wanted.
fn merged<H: DeserializeOwned, L: Line + Clone + PartialEq>(
    arguments: &Arguments,
    what: &str,
    name: impl Fn(&L) -> String,
) -> Outcome<(H, Vec<L>)> {
    let mut common: Option<(&Path, Header)> = None;
    let mut games: BTreeMap<L::Key, (&Path, L)> = BTreeMap::new();
    for path in &arguments.files {
        let (header, more) = record::read::<L>(path, what)?;
        let (first, common) = common.get_or_insert_with(|| (path, header.clone()));
        if let Some((field, there, here)) = journal::difference(&header, common) {
            let message = format!(
                "{} is of another run: `{field}` is {there} there and {here} in {}",
                path.display(),
                first.display()
            );
            return Err(message).or_data();
        }
        for game in more {
            let (known_in, known) = games.entry(game.key()).or_insert_with(|| (path, game.clone()));
            if *known != game {
                let (one, other) = (known_in.display(), path.display());
                let name = name(&game);
                return Err(format!("game {name} in {other} is not that in {one}")).or_data();
            }
        }
    }
    let (first, header) = common.expect("clap wants a file");
    let games: Vec<L> = games.into_values().map(|(_, game)| game).collect();
    if let Some(path) = &arguments.output {
        check_place(path, &header)?;
        write_file_with(path, |out| journal::write(out, &header, &games))?;
    }
    let header = serde_json::from_value(header.into())
        .map_err(|error| format!("bad header in {}: {error}", first.display()))
        .or_data()?;
    Ok((header, games))
}
