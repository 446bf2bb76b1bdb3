//! `treegauge match`.

use clap::Args;
use serde::Serialize;
use treegauge_study::compare::Sprt;
use treegauge_study::{MatchHeader, MatchSummary};

use super::power::{self, PowerArgs};
use crate::common::game_spec;
use crate::exit::{OrExit, Outcome};
use crate::output::{print, print_json};
use crate::players::PlayerSpec;
use crate::playing::{Playing, PlayingArgs};
use crate::report;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The game, as `games` lists it
    #[arg(required_unless_present = "power")]
    game: Option<String>,

    /// The player whose score is told: random, uct(iterations=N,cp=X),
    /// alphabeta(eval=NAME,nodes=N), with depth=N or time_ms=N in place of nodes, or
    /// perfect(file=PATH)
    #[arg(long, value_name = "PLAYER", required_unless_present = "power")]
    a: Option<String>,

    /// The other player
    #[arg(long, value_name = "PLAYER", required_unless_present = "power")]
    b: Option<String>,

    /// Games, in pairs: both games of a pair have one opening, and the players change sides
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    games: u32,

    /// Stop as soon as a sequential test decides, at most after --games: elo0=E,elo1=E, with
    /// alpha=A,beta=B for other error rates than 0.05
    #[arg(long, value_name = "TEST", conflicts_with = "shard")]
    sprt: Option<String>,

    #[command(flatten)]
    playing: PlayingArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    power: PowerArgs,
}

/// What the command reports.
#[derive(Serialize)]
pub(crate) struct Report {
    /// The game as the user wrote it.
    pub(crate) game: String,
    /// The player a.
    pub(crate) a: String,
    /// The player b.
    pub(crate) b: String,
    /// The seed.
    pub(crate) seed: u64,
    /// The position from which `moves` lead to the beginning; none for the start of the game.
    pub(crate) position: Option<String>,
    /// The moves before the games.
    pub(crate) moves: Vec<String>,
    /// Random plies at the beginning of each game.
    pub(crate) opening_plies: u32,
    /// The sequential test as the user wrote it.
    #[serde(skip)]
    pub(crate) test: Option<String>,
    #[serde(flatten)]
    pub(crate) summary: MatchSummary,
}

impl Report {
    /// Prints it, as JSON or in words.
    pub(crate) fn print(&self, json: bool) -> Outcome {
        if json { print_json(self) } else { print(&report::match_text(self)) }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let playing = &arguments.playing;
    if arguments.power.power {
        return power::run(&arguments.power, playing.record.as_deref(), arguments.json);
    }
    arguments.power.fit_a_match()?;
    let given = |text: &Option<String>| text.clone().expect("clap wants it");
    let spec = game_spec(&given(&arguments.game))?;
    let players =
        [PlayerSpec::parse(&given(&arguments.a))?, PlayerSpec::parse(&given(&arguments.b))?];
    let sprt = arguments.sprt.as_deref().map(Sprt::parse).transpose().or_usage()?;
    let plan = playing.plan(arguments.games, playing.seed);
    let names = players.each_ref().map(ToString::to_string);
    let header = MatchHeader::of(playing.header(&spec), names.clone());
    let matches = &[([0, 1], plan.clone())];
    let playing = Playing { spec: &spec, arguments: playing, players: &players, matches, sprt };
    let (mut summaries, record) =
        playing.play(&header, |_, game| game.clone(), |game| Some((0, game)))?;
    let summary = summaries.pop().expect("there is one match");
    let [a, b] = names;
    let report = Report {
        game: spec.to_string(),
        a,
        b,
        seed: plan.seed,
        position: header.games.position,
        moves: header.games.moves,
        opening_plies: plan.opening_plies,
        test: arguments.sprt.clone(),
        summary,
    };
    report.print(arguments.json)?;
    record.end(report.summary.incomplete)
}
