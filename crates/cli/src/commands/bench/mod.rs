//! `treegauge bench`.

mod alphabeta;
mod random_games;
mod signature;
mod solving;
mod texts;

use std::time::{Duration, Instant};

use clap::Args;
use cpu_time::ThreadTime;
use serde::Serialize;
use treegauge::catalog::FAMILIES;
use treegauge::report::NameRow;
use treegauge::report::{grouped, table, variant_words};
use treegauge::search::{
    Budget, DEFAULT_CP, Expansion, Observer, Seed, UctOptions, UctPhase, UctVariant,
};
use treegauge::{Game, name_games};

use crate::common::game;
use crate::exit::{Failure, Outcome};
use crate::interrupt;
use crate::output::{print, print_json};
use crate::solving::pool;
use crate::terminal::hint;
use treegauge::grammar::count;
use treegauge::tasks::DEFAULT_SEED;
use treegauge::tasks::GivenOptions;
use treegauge::tasks::VariantArgs;

/// Rates are medians of this many chunks of time.
const CHUNKS: usize = 7;

pub(super) const EXAMPLES: &[&str] = &["bench connect_four othello", "bench --signature"];

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    given: GivenOptions,

    /// Games to measure [default: every built-in game]; the text of a game is compared with the built-in game before it
    games: Vec<String>,

    /// CPU seconds per measurement of a game
    #[arg(long, value_name = "S", default_value_t = 1.4, value_parser = parse_seconds)]
    seconds: f64,

    /// Iterations per search
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = count::<u32>(2..=100_000_000))]
    iterations: u32,

    /// Measure the shares of descent, playout and backup in the time of a search
    #[arg(long, conflicts_with = "signature")]
    phases: bool,

    /// Measure the speed and memory of solving the games, and the speed of rating the interestingness of their positions
    #[arg(long, requires = "games", conflicts_with_all = ["phases", "signature", "seconds", "iterations"])]
    solve: bool,

    /// Measure the nodes per second of alpha-beta with an evaluator, with and without a table
    #[arg(long, value_name = "EVAL", requires = "games", conflicts_with_all = ["phases", "signature", "solve", "iterations"])]
    alphabeta: Option<String>,

    /// Threads of --solve
    #[arg(long, value_name = "N", requires = "solve", default_value_t = 1, value_parser = count::<u16>(1..=1024))]
    threads: u16,

    /// Print a number that changes when a UCT search of any game changes; with --json also the numbers of UCT, of
    /// alpha-beta and of random games per family of games
    #[arg(long, conflicts_with = "games")]
    signature: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    variant: VariantArgs,
}

impl Arguments {
    /// The options of the measured searches.
    fn options(&self) -> Outcome<UctOptions> {
        let (expansion, variant) = (self.variant.expansion(), self.variant.variant()?);
        let options = UctOptions::new(Budget::iterations(self.iterations), DEFAULT_CP);
        Ok(UctOptions { expansion, variant, ..options })
    }
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|s: &f64| (0.01..=3_600.0).contains(s))
        .ok_or_else(|| "expected a number of seconds from 0.01 to 3600".to_owned())
}

/// The variant of UCT and of its expansion.
#[derive(Serialize)]
struct How {
    #[serde(skip_serializing_if = "Option::is_none")]
    expansion: Option<Expansion>,
    #[serde(flatten)]
    variant: UctVariant,
}

impl How {
    fn of(&UctOptions { expansion, variant, .. }: &UctOptions) -> How {
        let expansion = (expansion != Expansion::default()).then_some(expansion);
        How { expansion, variant }
    }

    fn words(&self) -> String {
        variant_words(self.expansion.unwrap_or_default(), self.variant)
    }
}

#[derive(Serialize)]
struct Report {
    threads: u32,
    seed: u64,
    #[serde(flatten)]
    how: How,
    rows: Vec<Row>,
    /// The rows of games that a text describes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    texts: Vec<texts::TextRow>,
}

#[derive(Serialize)]
struct Row {
    #[serde(flatten)]
    name: NameRow,
    playouts_per_s: f64,
    plies_per_s: f64,
    plies_per_playout: f64,
    uct_iterations_per_s: f64,
    uct_iterations: u32,
    bytes_per_node: f64,
    /// The rate of games in a match between two random players.
    random_games_per_s: f64,
}

#[derive(Serialize)]
struct PhaseReport {
    threads: u32,
    seed: u64,
    #[serde(flatten)]
    how: How,
    phases: Vec<PhaseRow>,
}

#[derive(Serialize)]
struct PhaseRow {
    #[serde(flatten)]
    name: NameRow,
    uct_iterations: u32,
    descent_share: f64,
    playout_share: f64,
    back_up_share: f64,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let options = arguments.options()?;
    let others = [
        (arguments.signature, "--signature"),
        (arguments.solve, "--solve"),
        (arguments.alphabeta.is_some(), "--alphabeta"),
    ];
    if let Some((_, other)) = others.into_iter().find(|(is_asked, _)| *is_asked) {
        arguments.given.refuse(&VariantArgs::IDS, other)?;
    }
    if arguments.signature {
        return signature::run(arguments.json);
    }
    let games = if arguments.games.is_empty() {
        FAMILIES.iter().map(|family| game(family.name)).collect::<Outcome<Vec<_>>>()?
    } else {
        arguments.games.iter().map(|text| game(text)).collect::<Outcome<Vec<_>>>()?
    };
    if arguments.solve {
        return solving::run(&games, arguments.threads, arguments.json);
    }
    if let Some(eval) = &arguments.alphabeta {
        return alphabeta::run(&games, eval, arguments.seconds, arguments.json);
    }
    interrupt::flag();
    // The match runs on a pool with the one thread whose time is measured.
    let pool = pool(Some(1))?;
    let measured = if arguments.phases {
        let phases =
            measure_all(&games, |name, game| measure_phases(arguments, name, game, options));
        let measured = phases.len();
        let how = How::of(&options);
        report_phases(arguments, PhaseReport { threads: 1, seed: DEFAULT_SEED, how, phases })?;
        measured
    } else {
        let rows = pool.install(|| {
            measure_all(&games, |name, game| measure_rates(arguments, name, game, options))
        });
        let measured = rows.len();
        let texts = measure_texts(arguments, &games[..measured], options)?;
        let wanted = games[..measured].iter().filter(|game| texts::is_text(game)).count();
        let measured = measured - (wanted - texts.len());
        let how = How::of(&options);
        report_rates(arguments, Report { threads: 1, seed: DEFAULT_SEED, how, rows, texts })?;
        measured
    };
    if measured < games.len() {
        return Err(Failure::interrupted(format!(
            "interrupted: {measured} of {} games were measured",
            games.len()
        )));
    }
    Ok(())
}

/// Measures the games one after the other until Ctrl-C.
fn measure_all<R>(games: &[Game], mut measure: impl FnMut(NameRow, &Game) -> R) -> Vec<R> {
    let mut rows = Vec::new();
    for (name, game) in name_games(games).rows.into_iter().zip(games) {
        if interrupt::requested() {
            break;
        }
        hint(&format!("measuring {}", name.game));
        let row = measure(name, game);
        // An interrupted measurement does not count.
        if interrupt::requested() {
            break;
        }
        rows.push(row);
    }
    rows
}

/// Measures the games that a text describes beside built-in ones.
fn measure_texts(
    arguments: &Arguments,
    games: &[Game],
    options: UctOptions,
) -> Outcome<Vec<texts::TextRow>> {
    let chunk = Duration::from_secs_f64(arguments.seconds / CHUNKS as f64);
    let mut rows = Vec::new();
    let names = name_games(games).rows.into_iter().zip(games).enumerate();
    for (n, (name, game)) in names.filter(|(_, (_, game))| texts::is_text(game)) {
        let row = texts::measure(name, game, texts::beside(games, n), options, chunk)?;
        // An interrupted measurement does not count.
        if interrupt::requested() {
            break;
        }
        rows.push(row);
    }
    Ok(rows)
}

fn report_rates(arguments: &Arguments, report: Report) -> Outcome {
    if arguments.json {
        return print_json(&report);
    }
    let rows = report.rows.iter().map(|row| {
        [
            row.name.game.clone(),
            thousands(row.playouts_per_s),
            thousands(row.plies_per_s),
            format!("{:.1}", row.plies_per_playout),
            thousands(row.random_games_per_s),
            thousands(row.uct_iterations_per_s),
            format!("{:.1}", row.bytes_per_node),
        ]
    });
    let header = [
        "game",
        "playouts/s",
        "plies/s",
        "plies per playout",
        "games/s",
        "UCT iterations/s",
        "bytes per node",
    ];
    let table = table(header, rows, 1..7);
    print(&format!(
        "{table}\none thread; rates per second of its CPU time, medians of {CHUNKS} chunks; games are those of matches between two random players; searches of {} iterations from the start, seed {DEFAULT_SEED}{}\n{}",
        arguments.iterations,
        report.how.words(),
        texts::text(&report.texts)
    ))
}

fn report_phases(arguments: &Arguments, report: PhaseReport) -> Outcome {
    if arguments.json {
        return print_json(&report);
    }
    let rows = report.phases.iter().map(|row| {
        let percent = |share: f64| format!("{:.1}%", 100.0 * share);
        [
            row.name.game.clone(),
            percent(row.descent_share),
            percent(row.playout_share),
            percent(row.back_up_share),
        ]
    });
    let table = table(["game", "descent", "playout", "back-up"], rows, 1..4);
    print(&format!(
        "{table}\nshares of the time of an iteration, searches of {} iterations from the start{}; the cost of reading the clock is taken off\n",
        arguments.iterations,
        report.how.words()
    ))
}

/// A number with separators of thousands: `12,345,678`.
fn thousands(number: f64) -> String {
    grouped(number.round() as u64)
}

/// Repeats `work` for a chunk of CPU time, or until Ctrl-C, and returns its count per second.
fn rate(chunk: Duration, mut work: impl FnMut() -> [u64; 2]) -> [f64; 2] {
    let start = ThreadTime::now();
    let mut done = [0u64; 2];
    loop {
        let more = work();
        done = [done[0] + more[0], done[1] + more[1]];
        let elapsed = start.elapsed();
        if elapsed >= chunk || interrupt::requested() {
            return done.map(|count| count as f64 / elapsed.as_secs_f64());
        }
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Measures playouts, random games and searches of a game.
fn measure_rates(arguments: &Arguments, name: NameRow, game: &Game, options: UctOptions) -> Row {
    let chunk = Duration::from_secs_f64(arguments.seconds / CHUNKS as f64);
    let mut rng = Seed(DEFAULT_SEED).generator();
    let start = game.start();
    let mut playouts = || {
        let tally = game.engine().playouts(&start, 64, &mut rng);
        [tally.playouts, tally.plies]
    };
    rate(chunk / 4, &mut playouts);
    let chunks: Vec<[f64; 2]> = (0..CHUNKS).map(|_| rate(chunk, &mut playouts)).collect();

    let mut matches = random_games::matches(game, chunk);
    rate(chunk / 4, &mut matches);
    let random_games_per_s = median((0..CHUNKS).map(|_| rate(chunk, &mut matches)[0]).collect());

    let mut uct = game.engine().uct_with(options);
    let mut bytes_per_node = 0.0;
    let mut searches = || {
        let found = uct.search(&start, &mut rng, &mut || false);
        bytes_per_node = uct.memory_bytes() as f64 / f64::from(uct.node_count().max(1));
        [u64::from(found.iterations), 0]
    };
    rate(chunk / 4, &mut searches);
    let uct_rates = (0..CHUNKS).map(|_| rate(chunk, &mut searches)[0]).collect();

    let playouts_per_s = median(chunks.iter().map(|c| c[0]).collect());
    let plies_per_s = median(chunks.iter().map(|c| c[1]).collect());
    Row {
        name,
        playouts_per_s,
        plies_per_s,
        plies_per_playout: chunks.iter().map(|c| c[1]).sum::<f64>()
            / chunks.iter().map(|c| c[0]).sum::<f64>(),
        uct_iterations_per_s: median(uct_rates),
        uct_iterations: arguments.iterations,
        bytes_per_node,
        random_games_per_s,
    }
}

/// Adds up the time of each phase.
struct Clock {
    last: Instant,
    spent: [Duration; 3],
    readings: [u32; 3],
}

impl Observer for Clock {
    #[inline]
    fn ended(&mut self, phase: UctPhase) {
        let now = Instant::now();
        let n = phase as usize;
        self.spent[n] += now - self.last;
        self.readings[n] += 1;
        self.last = now;
    }
}

/// Measures the shares of the phases in the searches of a game.
fn measure_phases(
    arguments: &Arguments,
    name: NameRow,
    game: &Game,
    options: UctOptions,
) -> PhaseRow {
    let start = game.start();
    let mut uct = game.engine().uct_with(options);
    let mut rng = Seed(DEFAULT_SEED).generator();
    let reading = clock_reading();
    let mut clock = Clock { last: Instant::now(), spent: [Duration::ZERO; 3], readings: [0; 3] };
    let until = Instant::now() + Duration::from_secs_f64(arguments.seconds);
    while Instant::now() < until && !interrupt::requested() {
        clock.last = Instant::now();
        uct.search_observed(&start, &mut rng, &mut clock, &mut || false);
    }
    let net =
        |n: usize| (clock.spent[n].as_secs_f64() - f64::from(clock.readings[n]) * reading).max(0.0);
    let [descent, playout, back_up] =
        [UctPhase::Descent, UctPhase::Playout, UctPhase::BackUp].map(|phase| net(phase as usize));
    let all = (descent + playout + back_up).max(f64::MIN_POSITIVE);
    PhaseRow {
        name,
        uct_iterations: arguments.iterations,
        descent_share: descent / all,
        playout_share: playout / all,
        back_up_share: back_up / all,
    }
}

/// The duration of one reading of the clock, in seconds.
fn clock_reading() -> f64 {
    const READINGS: u32 = 100_000;
    let start = Instant::now();
    for _ in 0..READINGS {
        std::hint::black_box(Instant::now());
    }
    start.elapsed().as_secs_f64() / f64::from(READINGS)
}
