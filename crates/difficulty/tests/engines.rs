//! Engines that misbehave, one way each, and one that does not.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use treegauge_core::{Clock, Watch};
use treegauge_difficulty::chess::uci::{EngineOptions, Program, UciEngine, UciError};
use treegauge_difficulty::chess::{
    Analyser, Cache, EngineSource, FAILURES_MAX, HANGS_MAX, MeasureOptions, MultiPv, Position,
    Puzzle, measure_all,
};
use treegauge_difficulty::{DistanceRule, Tree, TreeSettings, Value};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

struct RealClock(Instant);

impl Clock for RealClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

fn options(path: PathBuf, answer_max: Duration) -> EngineOptions {
    let clock = Arc::new(RealClock(Instant::now()));
    let program = Program::open(&path, &()).unwrap();
    EngineOptions { program, depth: 10, hash_megabytes: 4, more: Vec::new(), answer_max, clock }
}

fn fake(name: &str) -> PathBuf {
    let engines = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/engines");
    engines.join(format!("{name}.sh"))
}

/// Long enough for a shell that works, short enough for a test of one that does not.
const PATIENCE: Duration = Duration::from_millis(1_500);

fn tree_with(
    options: EngineOptions,
    position: &Position,
    watch: &dyn Watch,
) -> Result<Tree, UciError> {
    tree_by(&mut Analyser::new(options, None), position, watch)
}

fn tree_by(
    analyser: &mut Analyser,
    position: &Position,
    watch: &dyn Watch,
) -> Result<Tree, UciError> {
    let mut source = EngineSource::new(analyser, MultiPv::Adaptive, watch);
    let settings = TreeSettings { levels: 1, first_moves: 1, ..Default::default() };
    Tree::build(&mut source, position, settings)
}

fn tree_of(name: &str) -> Result<Tree, UciError> {
    tree_with(options(fake(name), PATIENCE), &Position::parse(START).unwrap(), &())
}

#[test]
fn an_engine_that_does_not_answer_is_late() {
    let late = |command| Err(UciError::Late { command, within: PATIENCE });
    for name in ["silent", "not_uci"] {
        let error = tree_of(name).unwrap_err().to_string();
        assert!(error.contains("did not answer `uci` within 1.5 s"), "{error}");
    }
    assert_eq!(tree_of("hangs"), late("go"));
    assert_eq!(tree_of("late"), late("go"));
    assert_eq!(tree_of("endless_line"), late("go"));
}

#[test]
fn an_engine_that_ends_says_how() {
    let Err(UciError::Ended { status, errors }) = tree_of("dies") else { panic!("it ends") };
    assert_eq!((status.as_str(), errors.as_str()), ("exit status: 3", "out of luck"));
    assert!(matches!(tree_of("closed_output"), Err(UciError::Ended { .. })));
    // It may take what the pipe holds, and never answers that.
    let error = tree_of("closed_input").unwrap_err();
    let is_known = matches!(error, UciError::Input(_) | UciError::Late { .. } | UciError::Start(_));
    assert!(is_known, "{error}");
}

#[test]
fn an_engine_that_never_stops_to_write_is_stopped() {
    let error = tree_of("floods").unwrap_err();
    assert!(matches!(error, UciError::Flood { .. } | UciError::Late { .. }), "{error}");
}

#[test]
fn answers_that_do_not_fit_the_position_are_refused() {
    for (name, part) in [
        ("garbage", "it gives no value"),
        ("illegal", "\"e2e5\" is not a legal move in rnbqkbnr/"),
        ("twice", "e2e4 is listed twice"),
        ("missing_lines", "1 moves instead of 4"),
        ("unsorted", "a worse move is listed before a better one"),
        ("early", "it plays e2e4 without a value"),
    ] {
        match tree_of(name) {
            Err(UciError::Wrong(problem)) => assert!(problem.contains(part), "{name}: {problem}"),
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn an_engine_that_lists_few_moves_is_asked_for_no_more() {
    let tree = tree_of("few_lines").unwrap();
    let kept: Vec<&str> = tree.level(1).map(|node| node.played.as_str()).collect();
    assert_eq!((kept, tree.nodes[0].possible), (vec!["e4", "d4"], Some(20)));
}

#[test]
fn the_last_whole_depth_counts() {
    let mut engine = UciEngine::start(options(fake("late_line"), PATIENCE), &()).unwrap();
    let found = engine.analyse(&position(START), 4, &()).unwrap();
    let lines: Vec<(String, Value)> =
        found.lines.iter().map(|(played, value)| (played.to_string(), *value)).collect();
    let expected = [("e2e4", 50.0), ("d2d4", 40.0), ("c2c4", 30.0), ("g1f3", 20.0)];
    assert_eq!(lines, expected.map(|(played, score)| (played.to_owned(), Value::Score(score))));

    // Values of a small depth do not pass for those of the depth that was asked for.
    let mut engine = UciEngine::start(options(fake("shallow_lines"), PATIENCE), &()).unwrap();
    let error = engine.analyse(&position(START), 2, &()).unwrap_err().to_string();
    assert!(error.contains("line 2 is of another depth than the first, 10"), "{error}");
}

#[test]
fn a_book_of_openings_is_switched_off_unless_the_user_wants_it() {
    let found = |options| {
        let mut engine = UciEngine::start(options, &()).unwrap();
        engine.analyse(&position(START), 2, &())
    };
    assert_eq!(found(options(fake("book"), PATIENCE)).unwrap().lines.len(), 2);

    let more = vec![("OwnBook".to_owned(), "true".to_owned())];
    let error = found(EngineOptions { more, ..options(fake("book"), PATIENCE) }).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the engine's answer is wrong: it plays e2e4 without a value, perhaps from a book of openings"
    );
}

#[test]
fn a_move_that_is_played_without_a_line_has_the_value_of_its_position() {
    let only = position("1k6/1b3n2/KQp5/3r4/8/8/8/8 w - - 0 1");
    let mut engine = UciEngine::start(options(fake("silent_move"), PATIENCE), &()).unwrap();
    let found = engine.analyse(&only, 4, &()).unwrap();
    let [(played, value)] = &found.lines[..] else { panic!("{found:?}") };
    assert_eq!((played.to_string().as_str(), *value), ("b6b7", Value::Wins(1)));
    let glance = engine.glance(&only, 4, 3, &()).unwrap();
    assert_eq!(glance.by_depth, vec![found.lines; 3]);
}

#[test]
fn an_engine_with_much_to_complain_of_is_used() {
    let mut engine = UciEngine::start(options(fake("noisy_errors"), PATIENCE), &()).unwrap();
    let analysis = engine.analyse(&position(START), 4, &()).unwrap();
    let moves: Vec<String> = analysis.lines.iter().map(|(played, _)| played.to_string()).collect();
    assert_eq!(moves, ["e2e4", "d2d4", "c2c4", "g1f3"]);
}

#[test]
fn an_engine_that_is_not_there_cannot_be_started() {
    let error = Program::open(&fake("no_such_engine"), &()).unwrap_err();
    assert!(matches!(error, UciError::Start(_)), "{error}");
    let error = Program::open(Path::new("/dev/null"), &()).unwrap_err().to_string();
    assert!(error.ends_with("/dev/null: it is not a file"), "{error}");
    let mut unknown = options(fake("dies"), PATIENCE);
    unknown.more = vec![("Contempt".to_owned(), "20".to_owned())];
    let error = tree_with(unknown, &Position::parse(START).unwrap(), &()).unwrap_err();
    assert!(error.to_string().contains("it has no option \"Contempt\""), "{error}");
}

#[test]
fn a_stop_ends_the_wait() {
    struct Stopped;
    impl Watch for Stopped {
        fn stop(&self) -> bool {
            true
        }
    }
    let long = options(fake("silent"), Duration::from_secs(3_600));
    let stopped = tree_with(long, &Position::parse(START).unwrap(), &Stopped);
    assert_eq!(stopped, Err(UciError::Stopped));
}

/// Tests whether no process sleeps for this number of seconds any more. The system ends a killed process in its own
/// time, so `/proc` is read several times.
#[cfg(target_os = "linux")]
fn is_ended(seconds: &str) -> bool {
    (0..5_000).any(|_| sleepers(seconds) == 0)
}

/// The number of processes that sleep for `seconds`; no other program sleeps as long as those of the fake
/// engines.
#[cfg(target_os = "linux")]
fn sleepers(seconds: &str) -> usize {
    use std::fs;
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let commands = processes.filter_map(|one| fs::read(one.path().join("cmdline")).ok());
    let end = format!("\0{seconds}\0");
    commands
        .filter(|command| command.starts_with(b"sleep\0") && command.ends_with(end.as_bytes()))
        .count()
}

#[cfg(target_os = "linux")]
#[test]
fn an_engine_is_ended_with_all_that_it_started() {
    assert!(matches!(tree_of("has_children"), Err(UciError::Late { .. })));
    assert!(is_ended("98765"));
    // It leaves its process group.
    assert!(matches!(tree_of("leaves_group"), Err(UciError::Late { .. })));
    assert!(is_ended("98763"));
}

/// Its death is seen although another program holds its output open, long before it would be late.
#[cfg(target_os = "linux")]
#[test]
fn an_engine_that_ended_is_not_waited_for() {
    let patience = Duration::from_secs(1_000);
    let mut analyser = Analyser::new(options(fake("dies_held"), patience), None);
    let found = tree_by(&mut analyser, &position(START), &());
    let Err(UciError::Ended { status, .. }) = found else { panic!("{found:?}") };
    assert_eq!(status, "exit status: 7");
    drop(analyser);
    assert!(is_ended("98764"));
}

#[test]
fn an_engine_that_never_reads_is_noticed() {
    let mut engine = UciEngine::start(options(fake("deaf"), Duration::from_secs(60)), &()).unwrap();
    let error = loop {
        match engine.analyse(&position(START), 2, &()) {
            Ok(analysis) => assert_eq!(analysis.lines.len(), 2),
            Err(error) => break error,
        }
    };
    assert_eq!(error, UciError::Input("it does not read its input".to_owned()));
}

/// Two questions cost it all the time that they have; no third one does.
#[test]
fn an_engine_that_hangs_is_given_up_soon() {
    let mut analyser = Analyser::new(options(fake("hangs"), PATIENCE), None);
    for _ in 0..HANGS_MAX {
        let error = tree_by(&mut analyser, &position(START), &()).unwrap_err();
        assert_eq!(error, UciError::Late { command: "go", within: PATIENCE });
    }
    let error = tree_by(&mut analyser, &position(START), &()).unwrap_err();
    assert!(matches!(error, UciError::GivenUp { failures: HANGS_MAX, .. }), "{error}");
}

#[test]
fn an_engine_that_is_at_work_is_slow_and_is_not_given_up() {
    let mut analyser = Analyser::new(options(fake("slow"), PATIENCE), None);
    for _ in 0..=HANGS_MAX {
        let error = tree_by(&mut analyser, &position(START), &()).unwrap_err();
        assert_eq!(error, UciError::Slow { within: PATIENCE });
    }
}

#[test]
fn names_of_options_have_no_case() {
    let mut engine = UciEngine::start(options(fake("lower_name"), PATIENCE), &()).unwrap();
    assert_eq!(engine.analyse(&position(START), 3, &()).unwrap().lines.len(), 3);
    let mut small = options(fake("options"), PATIENCE);
    small.more = vec![("hASH".to_owned(), "16".to_owned())];
    assert!(UciEngine::start(small, &()).is_ok());
}

#[test]
fn values_that_an_option_does_not_take_are_refused() {
    let mut large = options(fake("options"), PATIENCE);
    large.more = vec![("Hash".to_owned(), "999999999".to_owned())];
    let error = UciEngine::start(large, &()).map(|_| ()).unwrap_err().to_string();
    let part = "its option Hash takes whole numbers from 8 to 64, and not \"999999999\"";
    assert!(error.contains(part), "{error}");
}

#[test]
fn an_engine_that_lists_one_move_is_refused() {
    let error = tree_of("one_move").unwrap_err().to_string();
    assert!(error.contains("it cannot list several moves"), "{error}");
}

/// The name of the same move is not another move.
#[test]
fn moves_are_moves_however_they_are_written() {
    let mut engine = UciEngine::start(options(fake("spelling"), PATIENCE), &()).unwrap();
    for (fen, moves) in [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", ["O-O", "O-O-O"]),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", ["a8=Q", "a8=R"]),
    ] {
        let at = position(fen);
        let analysis = engine.analyse(&at, 2, &()).unwrap();
        let first = analysis.lines[0].0;
        assert_eq!(analysis.best_by_depth, [first, first]);
        let glance = engine.glance(&at, 2, 2, &()).unwrap();
        assert!(glance.by_depth.iter().all(|depth| depth[0].0 == first));
        let found: Vec<String> = analysis.lines.iter().map(|(one, _)| at.san(*one)).collect();
        assert_eq!(found, moves);
    }
}

/// A program that was replaced while it was in use is not the one that was hashed.
#[test]
fn a_program_that_changed_is_not_started() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("engine");
    std::fs::copy(fake("dies"), &path).unwrap();
    let own = options(path.clone(), PATIENCE);
    std::fs::write(&path, "#!/bin/sh\necho uciok\n").unwrap();
    let error = UciEngine::start(own, &()).map(|_| ()).unwrap_err().to_string();
    assert!(error.ends_with("has changed since the run began"), "{error}");
}

/// The same program is the same engine, by whatever path; another program is another one.
#[test]
fn a_program_is_known_by_what_is_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy");
    std::fs::copy(fake("dies"), &copy).unwrap();
    let hash = |path: &Path| Program::open(path, &()).unwrap().hash();
    assert_eq!(hash(&copy), hash(&fake("dies")));
    assert_ne!(hash(&copy), hash(&fake("hangs")));
    assert!(Program::open(&copy, &()).unwrap().path().is_absolute());
}

fn measure_options(name: &str) -> MeasureOptions {
    let settings = TreeSettings { levels: 1, first_moves: 1, ..Default::default() };
    let (multi_pv, distances) = (MultiPv::Fixed(2), DistanceRule::PerMove);
    let engine = Some(options(fake(name), PATIENCE));
    MeasureOptions {
        engine,
        settings,
        multi_pv,
        distances,
        networks: None,
        model_nodes: settings.nodes_max,
        people: 1500.0,
    }
}

/// A pipe that somebody holds open does not keep a run from its end.
#[test]
fn a_run_that_waits_for_its_puzzles_ends_when_it_is_stopped() {
    use std::sync::atomic::{AtomicBool, Ordering};
    struct AfterOne(AtomicBool);
    impl Watch for AfterOne {
        fn stop(&self) -> bool {
            self.0.load(Ordering::Relaxed)
        }
    }
    let watch = AfterOne(AtomicBool::new(false));
    let (held, waits) = std::sync::mpsc::channel::<()>();
    let mut is_first = true;
    let puzzles = std::iter::from_fn(move || {
        if std::mem::take(&mut is_first) {
            return Some(Ok(Puzzle::of(position(START), 1)));
        }
        let _ = waits.recv();
        None
    });
    let mut rows = 0;
    let found = measure_all(puzzles, &measure_options("dies"), 3, None, &watch, |row| {
        assert!(row.is_ok());
        rows += 1;
        watch.0.store(true, Ordering::Relaxed);
    });
    assert_eq!((found, rows), (Err(UciError::Stopped), 1));
    drop(held);
}

fn stockfish() -> EngineOptions {
    options("/usr/games/stockfish".into(), Duration::from_secs(60))
}

/// The answer depends on the position alone, not on what was asked before.
#[test]
fn an_engine_gives_the_same_tree_in_any_order() {
    let positions = [
        "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
        "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
        "r5k1/5ppp/8/8/3q4/8/2Q2PPP/5RK1 b - - 0 1",
    ]
    .map(|fen| Position::parse(fen).unwrap());
    let mut analyser = Analyser::new(stockfish(), None);
    let settings = TreeSettings { first_moves: 4, nodes_max: 6, ..Default::default() };
    let mut tree = |position: &Position| {
        let mut source = EngineSource::new(&mut analyser, MultiPv::Adaptive, &());
        Tree::build(&mut source, position, settings).unwrap()
    };
    let there: Vec<Tree> = positions.iter().map(&mut tree).collect();
    let mut back: Vec<Tree> = positions.iter().rev().map(&mut tree).collect();
    back.reverse();
    assert_eq!(there, back);
    assert!(analyser.name().unwrap().starts_with("Stockfish"));
    let mate: Vec<&str> = there[0].level(1).map(|node| node.played.as_str()).collect();
    assert_eq!(mate, ["Qxf7#"]);
    assert_eq!(there[1].level(1).next().unwrap().played, "Rd8#");
}

fn position(fen: &str) -> Position {
    Position::parse(fen).unwrap()
}

#[test]
fn an_engine_that_failed_is_started_again_and_asked_once_more() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("mark").to_str().unwrap().to_owned();
    let mut dies_once = options(fake("dies_once"), Duration::from_secs(20));
    dies_once.more = vec![("Mark".to_owned(), mark)];
    let mut analyser = Analyser::new(dies_once, None);
    let tree = tree_by(&mut analyser, &position(START), &()).unwrap();
    assert_eq!(tree.level(1).count(), 3);
}

#[test]
fn an_engine_that_fails_again_and_again_is_given_up() {
    let mut analyser = Analyser::new(options(fake("dies"), PATIENCE), None);
    let mut failed = 0;
    let failures = loop {
        match tree_by(&mut analyser, &position(START), &()) {
            Err(UciError::Ended { .. }) => failed += 1,
            Err(UciError::GivenUp { failures, .. }) => break failures,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!((failed, failures), (FAILURES_MAX / 2, FAILURES_MAX));
}

/// Also where the list of moves must grow in the second run, and its beginning is in the cache.
#[test]
fn a_cache_gives_the_same_trees_without_the_engine() {
    const FENS: [&str; 2] = [
        "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
        "r5k1/5ppp/8/8/3q4/8/2Q2PPP/5RK1 b - - 0 1",
    ];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("answers");
    let trees = |cache: Option<&Arc<Cache>>, win: f64| -> (Vec<Tree>, u64) {
        let mut analyser = Analyser::new(stockfish(), cache.cloned());
        let settings =
            TreeSettings { win, levels: 2, first_moves: 4, nodes_max: 6, ..Default::default() };
        let tree = |fen| {
            let mut source = EngineSource::new(&mut analyser, MultiPv::Adaptive, &());
            Tree::build(&mut source, &position(fen), settings).unwrap()
        };
        let trees = FENS.map(tree).to_vec();
        (trees, analyser.searched())
    };
    let cache = Arc::new(Cache::open(&path).unwrap());
    let (first, searched) = trees(Some(&cache), 143.0);
    assert!(searched > 0);
    drop(cache);

    let cache = Arc::new(Cache::open(&path).unwrap());
    assert_eq!(trees(Some(&cache), 143.0), (first, 0));
    let (more, searched) = trees(Some(&cache), -3_000.0);
    assert!(searched > 0);
    assert_eq!(more, trees(None, -3_000.0).0);
}
