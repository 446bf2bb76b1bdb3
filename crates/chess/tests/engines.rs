//! Engines that misbehave, one way each, and one that does not.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use treegauge_chess::uci::{Engine, EngineOptions, UciError};
use treegauge_chess::{Analyser, Cache, EngineSource, FAILURES_MAX, MultiPv, Position};
use treegauge_core::{Clock, Watch};
use treegauge_difficulty::{Tree, TreeSettings};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

struct RealClock(Instant);

impl Clock for RealClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

fn options(path: PathBuf, answer_max: Duration) -> EngineOptions {
    let clock = Arc::new(RealClock(Instant::now()));
    EngineOptions { path, depth: 10, hash_megabytes: 4, more: Vec::new(), answer_max, clock }
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
    tree_by(&mut Analyser::new(options, None)?, position, watch)
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
        ("early", "it gives no value"),
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
fn an_engine_with_much_to_complain_of_is_used() {
    let mut engine = Engine::start(options(fake("noisy_errors"), PATIENCE), &()).unwrap();
    let analysis = engine.analyse(START, 4, &()).unwrap();
    let moves: Vec<&str> = analysis.lines.iter().map(|(played, _)| played.as_str()).collect();
    assert_eq!(moves, ["e2e4", "d2d4", "c2c4", "g1f3"]);
}

#[test]
fn an_engine_that_is_not_there_cannot_be_started() {
    let error = tree_of("no_such_engine").unwrap_err();
    assert!(matches!(error, UciError::Start(_)), "{error}");
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

/// The number of seconds that the child of the fake engine sleeps, and that no other program has.
#[cfg(target_os = "linux")]
#[test]
fn an_engine_is_ended_with_all_that_it_started() {
    use std::fs;
    let children = || {
        let processes = fs::read_dir("/proc").unwrap().flatten();
        let commands = processes.filter_map(|one| fs::read(one.path().join("cmdline")).ok());
        commands
            .filter(|command| command.starts_with(b"sleep\0") && command.ends_with(b"\098765\0"))
            .count()
    };
    assert!(matches!(tree_of("has_children"), Err(UciError::Late { .. })));
    assert_eq!(children(), 0);
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
    let mut analyser = Analyser::new(stockfish(), None).unwrap();
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
    let mut analyser = Analyser::new(dies_once, None).unwrap();
    let tree = tree_by(&mut analyser, &position(START), &()).unwrap();
    assert_eq!(tree.level(1).count(), 3);
}

#[test]
fn an_engine_that_fails_again_and_again_is_given_up() {
    let mut analyser = Analyser::new(options(fake("dies"), PATIENCE), None).unwrap();
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
        let mut analyser = Analyser::new(stockfish(), cache.cloned()).unwrap();
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
