//! `treegauge gauge`.

use std::path::PathBuf;

use clap::{ArgMatches, Args, FromArgMatches, ValueEnum};
use treegauge::GaugeRun;
use treegauge::report::{gauge_html, gauge_text};
use treegauge::study::{DEFAULT_SOLVE_LIMIT, Multiple, Plan, Thresholds, Unit, thresholds};

use crate::common::{CpArg, DEFAULT_SEED, PositionArgs, ShapeArgs, game};
use crate::exit::Outcome;
use crate::output::{complain, print, print_report};
use crate::record::RunRecord;
use crate::solving::{Bar, pool};
use crate::web_page::PageArgs;

/// How much to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Effort {
    /// 40 games at 500 iterations per move
    Quick,
    /// 40 games at 2,000 iterations per move
    Normal,
    /// 200 games at 10,000 iterations per move
    Thorough,
}

/// [`Multiple::DEFAULT_LADDER`] as a user writes it.
const DEFAULT_LADDER: &str = "1/16,1/4,1,4";

impl Effort {
    /// Games and iterations per move.
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

    /// How much to play; --games and --iterations override it
    #[arg(long, value_enum, default_value = "normal")]
    budget: Effort,

    /// Self-play games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    games: Option<u32>,

    /// Iterations per move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=40_000_000))]
    iterations: Option<u32>,

    /// Games in which one side has four times the iterations (default: as many as --games)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    skill_games: Option<u32>,

    /// The strengths at which games are played, as parts and multiples of --iterations
    #[arg(long, value_name = "X,...", value_delimiter = ',', default_value = DEFAULT_LADDER)]
    ladder: Vec<Multiple>,

    /// Solve the game first, if it has no more positions than this; 0 solves none
    #[arg(long, value_name = "POSITIONS", default_value_t = DEFAULT_SOLVE_LIMIT, value_parser = clap::value_parser!(u64).range(0..=1_000_000_000))]
    solve_limit: u64,

    /// Uniformly random plies at the beginning of each game
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    opening_plies: u32,

    #[command(flatten)]
    at: PositionArgs,

    /// Number of threads, which the result does not depend on [default: one per core]
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

    #[command(flatten)]
    page: PageArgs,

    /// Keep each game as a line of JSON; games that are already in FILE are not played again, so a
    /// killed run continues, and a larger --games adds to the record
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    #[command(flatten)]
    thresholds: ThresholdArgs,

    #[command(flatten)]
    shape: ShapeArgs,
}

/// The limits of the verdict: an option for each entry of the table.
#[derive(Debug)]
struct ThresholdArgs {
    limits: Thresholds,
}

impl Args for ThresholdArgs {
    fn augment_args(command: clap::Command) -> clap::Command {
        thresholds().fold(command, |command, (measure, threshold)| {
            let option = clap::Arg::new(threshold.name)
                .long(threshold.name.replace('_', "-"))
                .help(threshold.help)
                .help_heading("When a game has a flaw")
                .default_value(threshold.default.to_string());
            command.arg(match measure.unit {
                Unit::Share => option.value_name("SHARE").value_parser(parse_share),
                Unit::Plies(_) => option.value_name("PLIES").value_parser(parse_length),
                Unit::Number(_) | Unit::Elo => {
                    option.value_name("X").value_parser(clap::value_parser!(f64))
                }
            })
        })
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ThresholdArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut arguments = ThresholdArgs { limits: Thresholds::default() };
        arguments.update_from_arg_matches(matches)?;
        Ok(arguments)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.limits = thresholds().fold(Thresholds::default(), |limits, (_, threshold)| {
            match matches.get_one(threshold.name) {
                Some(&limit) => limits.with(threshold.name, limit),
                None => limits,
            }
        });
        Ok(())
    }
}

fn parse_share(text: &str) -> Result<f64, String> {
    let share: Option<f64> = text.parse().ok();
    share
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| "expected a share from 0 to 1".to_owned())
}

fn parse_length(text: &str) -> Result<f64, String> {
    let length: Option<f64> = text.parse().ok();
    length
        .filter(|length| (0.0..=1e6).contains(length))
        .ok_or_else(|| "expected a number of plies from 0 to 1000000".to_owned())
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let game = game(&arguments.game)?;
    arguments.page.check(arguments.json)?;
    let pool = pool(arguments.threads)?;
    let run = GaugeRun::new(&game, &arguments.at.beginning(), plan(arguments))?;
    let (record, known) = RunRecord::open(arguments.record.as_deref(), &run.header())?;
    let bar = Bar::new();
    let report = pool.install(|| run.run(known, record.games(), &bar));
    bar.finish();
    arguments.page.write(|| gauge_html(&report, &game))?;
    if arguments.json {
        print_report(&report)?;
    } else if !arguments.page.prints() {
        print(&gauge_text(&report))?;
        if !arguments.page.asked() {
            complain("`--html FILE` writes a page that explains each measure; `--open` shows it");
        }
    }
    record.end(report.gauge.incomplete)
}

fn plan(arguments: &Arguments) -> Plan {
    let (games, iterations) = arguments.budget.numbers();
    let games = arguments.games.unwrap_or(games);
    Plan {
        games,
        iterations: arguments.iterations.unwrap_or(iterations),
        cp: arguments.cp.cp,
        seed: arguments.seed,
        opening_plies: arguments.opening_plies,
        skill_games: arguments.skill_games.unwrap_or(games),
        ladder: arguments.ladder.clone(),
        solve_limit: arguments.solve_limit,
        shape: arguments.shape.options(),
        thresholds: arguments.thresholds.limits.clone(),
        ..Plan::default()
    }
}
