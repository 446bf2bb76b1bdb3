//! `treegauge gauge`.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use treegauge_catalog::{Entry, Visitor};
use treegauge_core::{Keyed, Notation, Played};
use treegauge_search::draw::{self, Outline};
use treegauge_search::{Budget, Seed, Stopped, Uct, Unobserved};
use treegauge_study::{Gauge, Part, Plan, Progress, RecordHeader, RecordedGame, Thresholds, gauge};

use crate::common::{CpArg, DEFAULT_SEED, PositionArgs, ShapeArgs, game_spec};
use crate::exit::{Exit, Failure, OrExit, Outcome};
use crate::output::{check_file, print, print_json, write_file};
use crate::record::Record;
use crate::{interrupt, report};

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

    /// Seed of all chance
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

/// What the command reports; the pages are made of it.
#[derive(Serialize)]
pub(crate) struct Report {
    /// The game as the user wrote it.
    pub(crate) game: String,
    /// Where the games began.
    pub(crate) position: String,
    #[serde(flatten)]
    pub(crate) gauge: Gauge,
    /// Whether the games began elsewhere than at the start.
    #[serde(skip)]
    pub(crate) moved: bool,
    /// The one text of the game.
    #[serde(skip)]
    pub(crate) canonical: String,
    /// A search from the beginning, for the picture; none when the game is over there.
    #[serde(skip)]
    pub(crate) outline: Option<Outline>,
    /// The position as a picture.
    #[serde(skip)]
    pub(crate) board_svg: String,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let spec = game_spec(&arguments.game)?;
    if let Some(path) = &arguments.html {
        check_file(path)?;
    }
    let threads = arguments.threads.map_or(0, usize::from);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| Failure::new(Exit::Internal, error))?;
    let plan = plan(arguments);
    let header = RecordHeader::of(arguments.at.header(&spec, plan.seed, plan.opening_plies), &plan);
    let visitor =
        Run { arguments, spec: spec.to_string(), canonical: spec.canonical(), plan, header };
    let (report, record) = pool.install(|| spec.with_game(visitor)).or_usage()??;
    if let Some(path) = &arguments.html {
        write_file(path, &report::html(&report))?;
    }
    if arguments.json {
        print_json(&report)?;
    } else {
        print(&report::text(&report))?;
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

struct Run<'a> {
    arguments: &'a Arguments,
    spec: String,
    canonical: String,
    plan: Plan,
    header: RecordHeader,
}

impl Visitor for Run<'_> {
    type Output = Outcome<(Report, Record<RecordedGame>)>;

    fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> Self::Output {
        let game = &entry.game;
        let start = self.arguments.at.played(game)?;
        let (record, known) = Record::open(self.arguments.record.as_deref(), &self.header)?;
        let watch = Watch::new(&self.plan, &known, record);
        let gauge = gauge(game, &start, &self.plan, known, &watch);
        watch.bar.finish_and_clear();
        let drawn = self.arguments.html.is_some() && start.ended(game).is_none();
        let outline = if drawn { self.outline(game, &start) } else { None };
        let report = Report {
            position: game.position_text(start.state()),
            board_svg: game.draw_svg(start.state()),
            moved: start.state() != &game.start(),
            canonical: self.canonical,
            game: self.spec,
            gauge,
            outline,
        };
        Ok((report, watch.record.into_inner().unwrap_or_else(PoisonError::into_inner)))
    }
}

impl Run<'_> {
    /// A tree for the picture, unless Ctrl-C was pressed: who asked to stop does not wait for
    /// another search.
    fn outline<G: Notation>(&self, game: &G, start: &Played<G>) -> Option<Outline> {
        let iterations = self.plan.iterations.max(2);
        let mut uct = Uct::new(Budget::iterations(iterations)).with_cp(self.plan.cp);
        let mut rng = Seed(self.plan.seed).generator();
        let stop = &mut interrupt::requested;
        let search = uct.search_observed(game, start, &mut rng, &mut Unobserved, stop);
        (search.stopped() != Stopped::Caller)
            .then(|| draw::outline(game, &self.spec, self.plan.seed, start.state(), &search))
    }
}

/// A bar on the terminal, the record of games, and Ctrl-C.
struct Watch {
    bar: ProgressBar,
    record: Mutex<Record<RecordedGame>>,
    stop: &'static AtomicBool,
}

impl Watch {
    fn new(plan: &Plan, known: &[RecordedGame], record: Record<RecordedGame>) -> Watch {
        let bar = if std::io::stderr().is_terminal() {
            ProgressBar::new(u64::from(plan.games) + u64::from(plan.skill_games))
        } else {
            ProgressBar::hidden()
        };
        let style = ProgressStyle::with_template("{bar:30} {pos} of {len} games, {eta} left")
            .expect("the template is right");
        bar.set_style(style);
        bar.enable_steady_tick(std::time::Duration::from_millis(200));
        let wanted = |game: &&RecordedGame| match game.number.part {
            Part::SelfPlay => game.number.game < plan.games,
            Part::Skill => game.number.game < plan.skill_games,
        };
        bar.inc(known.iter().filter(wanted).count() as u64);
        bar.reset_eta();
        Watch { bar, record: Mutex::new(record), stop: interrupt::flag() }
    }
}

impl Progress for Watch {
    fn game_over(&self, game: &RecordedGame) {
        self.record.lock().unwrap_or_else(PoisonError::into_inner).add(game);
        self.bar.inc(1);
    }

    fn stop(&self) -> &AtomicBool {
        self.stop
    }
}
