//! `treegauge gauge`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use treegauge::GaugeRun;
use treegauge::report::{gauge_html, gauge_text};
use treegauge::study::{Plan, Thresholds};

use crate::common::{CpArg, DEFAULT_SEED, PositionArgs, ShapeArgs, game};
use crate::exit::Outcome;
use crate::output::{check_file, print, print_report, write_file};
use crate::record::RunRecord;
use crate::solving::{Bar, pool};

/// How much to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Effort {
    /// 40 games at 500 iterations a move
    Quick,
    /// 40 games at 2,000 iterations a move
    Normal,
    /// 200 games at 10,000 iterations a move
    Thorough,
}

impl Effort {
    /// Games and iterations a move.
    fn numbers(self) -> (u32, u32) {
        match self {
            Effort::Quick => (40, 500),
            Effort::Normal => (40, 2_000),
            Effort::Thorough => (200, 10_000),
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The game, as `games` lists it
    game: String,

    /// How much to play; --games and --iterations change it
    #[arg(long, value_enum, default_value = "normal")]
    budget: Effort,

    /// Self-play games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    games: Option<u32>,

    /// Iterations a move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=40_000_000))]
    iterations: Option<u32>,

    /// Games in which one side has four times the iterations (default: as many as --games)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    skill_games: Option<u32>,

    /// Uniformly random plies at the beginning of each game
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    opening_plies: u32,

    #[command(flatten)]
    at: PositionArgs,

    /// Threads (default: one a core); the result is the same for any number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Random seed
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED)]
    seed: u64,

    #[command(flatten)]
    cp: CpArg,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Write the report as a web page
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Keep each game as a line of JSON; games that are in FILE already are not played again, so
    /// a run that was killed goes on, and more --games are added to what is there
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    #[command(flatten)]
    thresholds: ThresholdArgs,

    #[command(flatten)]
    shape: ShapeArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "When a game has a fault")]
struct ThresholdArgs {
    /// Drawish: a greater share of draws than this
    #[arg(long, value_name = "SHARE", default_value_t = Thresholds::default().draw_rate_max, value_parser = parse_share)]
    draw_rate_max: f64,

    /// Biased: one player takes a greater share of the points than this
    #[arg(long, value_name = "SHARE", default_value_t = Thresholds::default().share_max, value_parser = parse_share)]
    share_max: f64,

    /// Too short: a median length of fewer plies than this
    #[arg(long, value_name = "PLIES", default_value_t = Thresholds::default().plies_min, value_parser = parse_length)]
    plies_min: f64,

    /// Too long: a median length of more plies than this
    #[arg(long, value_name = "PLIES", default_value_t = Thresholds::default().plies_max, value_parser = parse_length)]
    plies_max: f64,

    /// Capped, and too long: a greater share of games ended by the ply cap than this
    #[arg(long, value_name = "SHARE", default_value_t = Thresholds::default().capped_max, value_parser = parse_share)]
    capped_max: f64,
}

fn parse_share(text: &str) -> Result<f64, String> {
    let share: Option<f64> = text.parse().ok();
    share
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| "a share from 0 to 1 is wanted".to_owned())
}

fn parse_length(text: &str) -> Result<f64, String> {
    let length: Option<f64> = text.parse().ok();
    length
        .filter(|length| (0.0..=1e6).contains(length))
        .ok_or_else(|| "a number of plies from 0 to 1000000 is wanted".to_owned())
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let game = game(&arguments.game)?;
    if let Some(path) = &arguments.html {
        check_file(path)?;
    }
    let pool = pool(arguments.threads)?;
    let run = GaugeRun::new(&game, &arguments.at.beginning(), plan(arguments))?;
    let (record, known) = RunRecord::open(arguments.record.as_deref(), &run.header())?;
    let bar = Bar::new();
    let report = pool.install(|| run.run(known, record.games(), &bar));
    bar.finish();
    if let Some(path) = &arguments.html {
        write_file(path, &gauge_html(&report, &game))?;
    }
    if arguments.json {
        print_report(&report)?;
    } else {
        print(&gauge_text(&report))?;
    }
    record.end(report.gauge.incomplete)
}

fn plan(arguments: &Arguments) -> Plan {
    let (games, iterations) = arguments.budget.numbers();
    let games = arguments.games.unwrap_or(games);
    let t = &arguments.thresholds;
    Plan {
        games,
        iterations: arguments.iterations.unwrap_or(iterations),
        cp: arguments.cp.cp,
        seed: arguments.seed,
        opening_plies: arguments.opening_plies,
        skill_games: arguments.skill_games.unwrap_or(games),
        shape: arguments.shape.options(),
        thresholds: Thresholds {
            draw_rate_max: t.draw_rate_max,
            share_max: t.share_max,
            plies_min: t.plies_min,
            plies_max: t.plies_max,
            capped_max: t.capped_max,
        },
        ..Plan::default()
    }
}
