//! `treegauge bench`.

mod alphabeta;
mod chance;
mod solving;

use std::time::{Duration, Instant};

use clap::Args;
use cpu_time::ThreadTime;
use serde::Serialize;
use treegauge_catalog::{Entry, FAMILIES, GameSpec, Visitor};
use treegauge_core::{Keyed, Notation, Played, PlayoutLimits};
use treegauge_search::{Budget, NodeId, Observer, Phase, Seed, Uct};

use crate::common::{DEFAULT_SEED, game_spec};
use crate::exit::{Failure, OrExit, Outcome};
use crate::interrupt;
use crate::output::{complain, print, print_json};
use crate::solving::pool;
use crate::table::table;

/// Rates are medians of this many chunks of time.
const CHUNKS: usize = 7;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Games to measure (default: every game of the list with its defaults)
    games: Vec<String>,

    /// CPU seconds for each of the measurements of a game
    #[arg(long, value_name = "S", default_value_t = 1.4, value_parser = parse_seconds)]
    seconds: f64,

    /// Iterations of each measured search
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(2..=100_000_000))]
    iterations: u32,

    /// Measure the shares of descent, playout and back-up in the time of a search
    #[arg(long, conflicts_with = "signature")]
    phases: bool,

    /// Measure how fast the games are solved exactly, how much memory that takes, and how fast the
    /// interestingness of their positions is computed
    #[arg(long, requires = "games", conflicts_with_all = ["phases", "signature", "seconds", "iterations"])]
    solve: bool,

    /// Measure the nodes a second of alpha-beta with an evaluator, without and with a table
    #[arg(long, value_name = "EVAL", requires = "games", conflicts_with_all = ["phases", "signature", "solve", "iterations"])]
    alphabeta: Option<String>,

    /// Threads of --solve
    #[arg(long, value_name = "N", requires = "solve", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,

    /// Print the fingerprint of all searches and nothing else
    #[arg(long, conflicts_with_all = ["json", "games"])]
    signature: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|s: &f64| (0.01..=3_600.0).contains(s))
        .ok_or_else(|| "a number of seconds from 0.01 to 3600 is wanted".to_owned())
}

#[derive(Serialize)]
struct Report {
    threads: u32,
    seed: u64,
    rows: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    game: String,
    playouts_per_s: f64,
    plies_per_s: f64,
    plies_per_playout: f64,
    uct_iterations_per_s: f64,
    uct_iterations: u32,
    bytes_per_node: f64,
    /// Of a match between two random players.
    random_games_per_s: f64,
}

#[derive(Serialize)]
struct PhaseReport {
    threads: u32,
    seed: u64,
    phases: Vec<PhaseRow>,
}

#[derive(Serialize)]
struct PhaseRow {
    game: String,
    uct_iterations: u32,
    descent_share: f64,
    playout_share: f64,
    back_up_share: f64,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    if arguments.signature {
        return print(&format!("{}\n", signature()?));
    }
    let specs = if arguments.games.is_empty() {
        FAMILIES.iter().map(|family| game_spec(family.name)).collect::<Outcome<Vec<_>>>()?
    } else {
        arguments.games.iter().map(|text| game_spec(text)).collect::<Outcome<Vec<_>>>()?
    };
    if arguments.solve {
        return solving::run(&specs, arguments.threads, arguments.json);
    }
    if let Some(eval) = &arguments.alphabeta {
        return alphabeta::run(&specs, eval, arguments.seconds, arguments.json);
    }
    interrupt::flag();
    // Matches are played on a pool of threads, here on the one whose time is measured.
    let visits = pool(Some(1))?.install(|| visits(arguments, &specs))?;
    let measured = visits.len();
    if arguments.phases {
        let phases = visits.into_iter().filter_map(Measured::phases).collect();
        report_phases(arguments, PhaseReport { threads: 1, seed: DEFAULT_SEED, phases })?;
    } else {
        let rows = visits.into_iter().filter_map(Measured::rates).collect();
        report_rates(arguments, Report { threads: 1, seed: DEFAULT_SEED, rows })?;
    }
    if measured < specs.len() {
        return Err(Failure::interrupted(format!(
            "interrupted: {measured} of {} games were measured",
            specs.len()
        )));
    }
    Ok(())
}

/// Measures the games one after the other until Ctrl-C.
fn visits(arguments: &Arguments, specs: &[GameSpec]) -> Outcome<Vec<Measured>> {
    let mut visits = Vec::new();
    for spec in specs {
        if interrupt::requested() {
            break;
        }
        complain(&format!("measuring {spec}"));
        visits.push(if arguments.phases {
            Measured::Phases(spec.with_game(Phases(arguments, spec.to_string())).or_usage()?)
        } else {
            Measured::Rates(spec.with_game(Rates(arguments, spec.to_string())).or_usage()?)
        });
    }
    Ok(visits)
}

enum Measured {
    Rates(Row),
    Phases(PhaseRow),
}

impl Measured {
    fn rates(self) -> Option<Row> {
        match self {
            Measured::Rates(row) => Some(row),
            Measured::Phases(_) => None,
        }
    }

    fn phases(self) -> Option<PhaseRow> {
        match self {
            Measured::Phases(row) => Some(row),
            Measured::Rates(_) => None,
        }
    }
}

fn report_rates(arguments: &Arguments, report: Report) -> Outcome {
    if arguments.json {
        return print_json(&report);
    }
    let rows = report.rows.iter().map(|row| {
        [
            row.game.clone(),
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
        "plies a playout",
        "games/s",
        "UCT iterations/s",
        "bytes a node",
    ];
    let table = table(header, rows, 1..7);
    print(&format!(
        "{table}\none thread; rates per second of its CPU time, medians of {CHUNKS} chunks; games are those of matches between two random players; searches of {} iterations from the start, seed {DEFAULT_SEED}\n",
        arguments.iterations
    ))
}

fn report_phases(arguments: &Arguments, report: PhaseReport) -> Outcome {
    if arguments.json {
        return print_json(&report);
    }
    let rows = report.phases.iter().map(|row| {
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        [
            row.game.clone(),
            percent(row.descent_share),
            percent(row.playout_share),
            percent(row.back_up_share),
        ]
    });
    let table = table(["game", "descent", "playout", "back-up"], rows, 1..4);
    print(&format!(
        "{table}\nshares of the time of an iteration, searches of {} iterations from the start; the cost of reading the clock is taken off\n",
        arguments.iterations
    ))
}

/// 12345678 as `12,345,678`.
fn thousands(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Repeats `work` for a chunk of CPU time and returns what it counted a second.
fn rate(chunk: Duration, mut work: impl FnMut() -> [u64; 2]) -> [f64; 2] {
    let start = ThreadTime::now();
    let mut done = [0u64; 2];
    loop {
        let more = work();
        done = [done[0] + more[0], done[1] + more[1]];
        let elapsed = start.elapsed();
        if elapsed >= chunk {
            return done.map(|count| count as f64 / elapsed.as_secs_f64());
        }
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

struct Rates<'a>(&'a Arguments, String);

impl Visitor for Rates<'_> {
    type Output = Row;

    fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> Row {
        let (Rates(arguments, spec), game) = (self, &entry.game);
        let chunk = Duration::from_secs_f64(arguments.seconds / CHUNKS as f64);
        let mut rng = Seed(DEFAULT_SEED).generator();
        let (start, limits) = (game.start(), PlayoutLimits::of(game));
        let mut playouts = || {
            let mut plies = 0;
            for _ in 0..64 {
                let mut state = start.clone();
                plies += u64::from(game.playout(&mut state, limits, &mut rng).plies.0);
            }
            [64, plies]
        };
        rate(chunk / 4, &mut playouts);
        let chunks: Vec<[f64; 2]> = (0..CHUNKS).map(|_| rate(chunk, &mut playouts)).collect();

        let mut matches = chance::matches(&entry, chunk);
        rate(chunk / 4, &mut matches);
        let random_games_per_s =
            median((0..CHUNKS).map(|_| rate(chunk, &mut matches)[0]).collect());

        let played = Played::start(game);
        let mut uct = Uct::new(Budget::iterations(arguments.iterations));
        let mut bytes_per_node = 0.0;
        let mut searches = || {
            let search = uct.search(game, &played, &mut rng);
            let tree = search.tree();
            bytes_per_node = tree.memory_bytes() as f64 / f64::from(tree.node_count().max(1));
            [u64::from(search.iterations()), 0]
        };
        rate(chunk / 4, &mut searches);
        let uct_rates = (0..CHUNKS).map(|_| rate(chunk, &mut searches)[0]).collect();

        let playouts_per_s = median(chunks.iter().map(|c| c[0]).collect());
        let plies_per_s = median(chunks.iter().map(|c| c[1]).collect());
        Row {
            game: spec,
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
}

/// Adds up the time of each phase.
struct Clock {
    last: Instant,
    spent: [Duration; 3],
    readings: [u32; 3],
}

impl Observer for Clock {
    #[inline]
    fn ended(&mut self, phase: Phase) {
        let now = Instant::now();
        let n = phase as usize;
        self.spent[n] += now - self.last;
        self.readings[n] += 1;
        self.last = now;
    }
}

struct Phases<'a>(&'a Arguments, String);

impl Visitor for Phases<'_> {
    type Output = PhaseRow;

    fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> PhaseRow {
        let (Phases(arguments, spec), game) = (self, &entry.game);
        let played = Played::start(game);
        let mut uct = Uct::new(Budget::iterations(arguments.iterations));
        let mut rng = Seed(DEFAULT_SEED).generator();
        let reading = clock_reading();
        let mut clock =
            Clock { last: Instant::now(), spent: [Duration::ZERO; 3], readings: [0; 3] };
        let until = Instant::now() + Duration::from_secs_f64(arguments.seconds);
        while Instant::now() < until {
            clock.last = Instant::now();
            uct.search_observed(game, &played, &mut rng, &mut clock, &mut || false);
        }
        let net = |n: usize| {
            (clock.spent[n].as_secs_f64() - f64::from(clock.readings[n]) * reading).max(0.0)
        };
        let [descent, playout, back_up] =
            [Phase::Descent, Phase::Playout, Phase::BackUp].map(|phase| net(phase as usize));
        let all = (descent + playout + back_up).max(f64::MIN_POSITIVE);
        PhaseRow {
            game: spec,
            uct_iterations: arguments.iterations,
            descent_share: descent / all,
            playout_share: playout / all,
            back_up_share: back_up / all,
        }
    }
}

/// The seconds that one reading of the clock takes.
fn clock_reading() -> f64 {
    const READINGS: u32 = 100_000;
    let start = Instant::now();
    for _ in 0..READINGS {
        std::hint::black_box(Instant::now());
    }
    start.elapsed().as_secs_f64() / f64::from(READINGS)
}

/// One number that changes when any search of any game changes: the nodes and the values of a
/// search of every family and preset.
fn signature() -> Outcome<u64> {
    let mut names: Vec<&str> = Vec::new();
    for family in FAMILIES {
        names.push(family.name);
        names.extend(family.presets.iter().map(|preset| preset.name));
    }
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    for name in names {
        let spec = GameSpec::parse(name).or_usage()?;
        for value in spec.with_game(Fingerprint).or_usage()? {
            hash.add(value);
        }
    }
    Ok(hash.0)
}

/// FNV-1a over 64-bit words: enough to notice a change.
struct Fnv(u64);

impl Fnv {
    fn add(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

struct Fingerprint;

impl Visitor for Fingerprint {
    type Output = Vec<u64>;

    fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> Vec<u64> {
        let game = &entry.game;
        let mut rng = Seed(DEFAULT_SEED).generator();
        let mut uct = Uct::new(Budget::iterations(2_000));
        let mut played = Played::start(game);
        let mut words = Vec::new();
        // Three searches along the game, so that positions other than the start count too.
        for _ in 0..3 {
            if played.ended(game).is_some() {
                break;
            }
            let search = uct.search(game, &played, &mut rng);
            let tree = search.tree();
            words.push(u64::from(tree.node_count()));
            for child in tree.children(NodeId::ROOT) {
                words.push(u64::from(child.visits()) << 32 | u64::from(child.score() as u32));
            }
            let Some(m) = search.best_move() else { break };
            played.play(game, m);
        }
        words
    }
}
