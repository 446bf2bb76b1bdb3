//! `treegauge tournament`.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use treegauge_study::{
    Encounter, MatchPlan, TournamentGame, TournamentHeader, TournamentSummary, encounter_seed,
    encounters,
};

use crate::common::game_spec;
use crate::exit::{Exit, Failure, Outcome};
use crate::output::{check_file, print, print_json, write_file};
use crate::players::PlayerSpec;
use crate::playing::{Playing, PlayingArgs};
use crate::report;

/// More players than that are no tournament but a mistake: they would play 4,950 matches.
const PLAYERS_MAX: usize = 100;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The game, as `games` lists it
    game: String,

    /// A player, written as for `match`; given at least twice, once for each player
    #[arg(long = "player", value_name = "PLAYER", required = true)]
    players: Vec<String>,

    /// Games of every two players, in pairs: both games of a pair have one opening, and the players
    /// change sides
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    games: u32,

    #[command(flatten)]
    playing: PlayingArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Write the report as a web page
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// What the command reports; the pages are made of it.
#[derive(Serialize)]
pub(crate) struct Report {
    /// The game as the user wrote it.
    pub(crate) game: String,
    /// The players in their order; equal ones are numbered.
    pub(crate) players: Vec<String>,
    /// The seed.
    pub(crate) seed: u64,
    /// The position from which `moves` lead to the beginning; none for the start of the game.
    pub(crate) position: Option<String>,
    /// The moves before the games.
    pub(crate) moves: Vec<String>,
    /// Random plies at the beginning of each game.
    pub(crate) opening_plies: u32,
    /// The games that every two players were to play.
    pub(crate) games_per_match: u32,
    #[serde(flatten)]
    pub(crate) summary: TournamentSummary,
}

impl Report {
    /// Writes the page, where one is wanted, and prints JSON or words.
    pub(crate) fn print(&self, json: bool, html: Option<&Path>) -> Outcome {
        if let Some(path) = html {
            write_file(path, &report::tournament_html(self))?;
        }
        if json { print_json(self) } else { print(&report::tournament_text(self)) }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let playing = &arguments.playing;
    let spec = game_spec(&arguments.game)?;
    let read = arguments.players.iter().map(|text| PlayerSpec::parse(text));
    let players = read.collect::<Outcome<Vec<PlayerSpec>>>()?;
    if !(2..=PLAYERS_MAX).contains(&players.len()) {
        let message = format!(
            "a tournament has 2 to {PLAYERS_MAX} players, each after a --player of its own; here \
             there are {}",
            players.len()
        );
        return Err(Failure::new(Exit::Usage, message));
    }
    if let Some(path) = &arguments.html {
        check_file(path)?;
    }
    let names = apart(players.iter().map(ToString::to_string).collect());
    let plan = |both| playing.plan(arguments.games, encounter_seed(playing.seed, both));
    let matches: Vec<([u32; 2], MatchPlan)> =
        encounters(players.len() as u32).map(|both| (both, plan(both))).collect();
    let header = TournamentHeader::of(playing.header(&spec), names.clone());
    let (summaries, record) = Playing {
        spec: &spec,
        arguments: playing,
        players: &players,
        matches: &matches,
        sprt: None,
    }
    .play(
        &header,
        |number, game| TournamentGame { players: matches[number].0, game: game.clone() },
        |line| {
            let number = matches.iter().position(|(both, _)| *both == line.players);
            number.map(|number| (number, line.game))
        },
    )?;
    let encounters = matches.iter().zip(summaries);
    let encounters =
        encounters.map(|((players, _), summary)| Encounter { players: *players, summary });
    let report = Report {
        game: spec.to_string(),
        summary: TournamentSummary::of(names.len() as u32, encounters.collect()),
        players: names,
        seed: playing.seed,
        position: header.games.position,
        moves: header.games.moves,
        opening_plies: playing.opening_plies,
        games_per_match: arguments.games,
    };
    report.print(arguments.json, arguments.html.as_deref())?;
    record.end(report.summary.incomplete)
}

/// Names that differ: a player who is there more than once is numbered. Names that differ already
/// stay as they are.
pub(crate) fn apart(names: Vec<String>) -> Vec<String> {
    let named = |n: usize| {
        let name = &names[n];
        if names.iter().filter(|other| *other == name).count() == 1 {
            return name.clone();
        }
        let number = names[..=n].iter().filter(|other| *other == name).count();
        format!("{name} #{number}")
    };
    (0..names.len()).map(named).collect()
}
