//! `treegauge match`.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use treegauge_catalog::{Entry, Visitor};
use treegauge_core::{Keyed, Notation};
use treegauge_study::compare::Sprt;
use treegauge_study::{
    Clock, Match, MatchGame, MatchHeader, MatchPlan, MatchProgress, MatchSummary, Shard,
};

use crate::common::{DEFAULT_SEED, PositionArgs, game_spec};
use crate::exit::{Failure, OrExit, Outcome};
use crate::output::{print, print_json};
use crate::players::{PlayerSpec, competitor};
use crate::record::Record;
use crate::solving::pool;
use crate::{interrupt, report};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The game, as `games` lists it
    game: String,

    /// The player whose score is told: random, uct(iterations=N,cp=X),
    /// alphabeta(eval=NAME,nodes=N), with depth=N or time_ms=N in place of nodes, or
    /// perfect(file=PATH)
    #[arg(long, value_name = "PLAYER")]
    a: String,

    /// The other player
    #[arg(long, value_name = "PLAYER")]
    b: String,

    /// Games, in pairs: both games of a pair have one opening, and the players change sides
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    games: u32,

    /// Uniformly random plies at the beginning of each game
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    opening_plies: u32,

    /// Stop as soon as a sequential test decides, at most after --games: elo0=E,elo1=E, with
    /// alpha=A,beta=B for other error rates than 0.05
    #[arg(long, value_name = "TEST", conflicts_with = "shard")]
    sprt: Option<String>,

    /// Play only part I of N of the pairs; `merge` puts the records of all parts together
    #[arg(long, value_name = "I/N", requires = "record", value_parser = parse_shard)]
    shard: Option<Shard>,

    /// Keep each game as a line of JSON; games that are in FILE already are not played again, so
    /// a run that was killed goes on, and more --games are added to what is there
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    #[command(flatten)]
    at: PositionArgs,

    /// Threads (default: one a core); the result is the same for any number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Seed of all chance
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED)]
    seed: u64,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn parse_shard(text: &str) -> Result<Shard, String> {
    let parts = text.split_once('/').and_then(|(part, count)| {
        let (part, count): (u32, u32) = (part.parse().ok()?, count.parse().ok()?);
        (1..=count).contains(&part).then(|| Shard { index: part - 1, count })
    });
    parts.ok_or_else(|| "part I of N is wanted as I/N, with I from 1 to N".to_owned())
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
    /// Random plies at the beginning of each game.
    pub(crate) opening_plies: u32,
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
    let spec = game_spec(&arguments.game)?;
    let players = [PlayerSpec::parse(&arguments.a)?, PlayerSpec::parse(&arguments.b)?];
    let sprt = arguments.sprt.as_deref().map(Sprt::parse).transpose().or_usage()?;
    let plan = MatchPlan {
        games: arguments.games,
        opening_plies: arguments.opening_plies,
        seed: arguments.seed,
        shard: arguments.shard.unwrap_or(Shard::WHOLE),
    };
    let names = players.each_ref().map(ToString::to_string);
    let line = arguments.at.line().map(str::to_owned).collect();
    let position = arguments.at.position.clone();
    let header = MatchHeader::of(&plan, spec.canonical(), position, line, names.clone());
    let canonical = spec.canonical();
    let visitor = Run { arguments, canonical, players, plan: &plan, header, sprt };
    let (summary, record) =
        pool(arguments.threads)?.install(|| spec.with_game(visitor)).or_usage()??;
    let [a, b] = names;
    let report = Report {
        game: spec.to_string(),
        a,
        b,
        seed: plan.seed,
        opening_plies: plan.opening_plies,
        summary,
    };
    report.print(arguments.json)?;
    if !report.summary.incomplete {
        return record.finish();
    }
    Err(Failure::interrupted(format!(
        "interrupted: the report above covers the games that were over by then; to go on:\n  {}",
        record.keep()?
    )))
}

struct Run<'a> {
    arguments: &'a Arguments,
    canonical: String,
    players: [PlayerSpec; 2],
    plan: &'a MatchPlan,
    header: MatchHeader,
    sprt: Option<Sprt>,
}

impl Visitor for Run<'_> {
    type Output = Outcome<(MatchSummary, Record<MatchGame>)>;

    fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> Self::Output {
        let game = &entry.game.clone();
        let start = self.arguments.at.played(game)?;
        if let Some(ended) = start.ended(game) {
            let message = format!("the game is over at the start, by {}", ended.by);
            return Err(message).or_data();
        }
        let [a, b] = &self.players;
        let [a, b] = [
            competitor(&entry, a, &self.canonical, start.state())?,
            competitor(&entry, b, &self.canonical, start.state())?,
        ];
        let (record, known) = Record::open(self.arguments.record.as_deref(), &self.header)?;
        let watch = Watch::new(self.plan, &known, record);
        let played = Match {
            game,
            start: &start,
            competitors: [&*a, &*b],
            plan: self.plan,
            clock: &watch,
            progress: &watch,
        };
        let summary = played.play(&known, self.sprt);
        watch.bar.finish_and_clear();
        Ok((summary, watch.record.into_inner().unwrap_or_else(PoisonError::into_inner)))
    }
}

/// A bar on the terminal, the record of games, the clock, and Ctrl-C.
struct Watch {
    bar: ProgressBar,
    record: Mutex<Record<MatchGame>>,
    stop: &'static AtomicBool,
    begin: Instant,
}

impl Watch {
    fn new(plan: &MatchPlan, known: &[MatchGame], record: Record<MatchGame>) -> Watch {
        let wanted = |game: u32| game < plan.games && plan.shard.has(game);
        let bar = if std::io::stderr().is_terminal() {
            ProgressBar::new((0..plan.games).filter(|&game| wanted(game)).count() as u64)
        } else {
            ProgressBar::hidden()
        };
        let style = ProgressStyle::with_template("{bar:30} {pos} of {len} games, {eta} left")
            .expect("the template is right");
        bar.set_style(style);
        bar.enable_steady_tick(Duration::from_millis(200));
        bar.inc(known.iter().filter(|known| wanted(known.game)).count() as u64);
        bar.reset_eta();
        Watch { bar, record: Mutex::new(record), stop: interrupt::flag(), begin: Instant::now() }
    }
}

impl MatchProgress for Watch {
    fn game_over(&self, game: &MatchGame) {
        self.record.lock().unwrap_or_else(PoisonError::into_inner).add(game);
        self.bar.inc(1);
    }

    fn stop(&self) -> &AtomicBool {
        self.stop
    }
}

impl Clock for Watch {
    fn now(&self) -> Duration {
        self.begin.elapsed()
    }
}
