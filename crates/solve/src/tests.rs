pub(crate) mod any_game;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::ThreadPoolBuilder;
use treegauge_core::{Capability, KeyCode, Player};
use treegauge_testkit::explore::{self, explore};
use treegauge_testkit::facts::{SolvedRow, facts};

use crate::checkpoint::{Checkpoint, CheckpointError};
use crate::digest::{Digest, Digester};
use crate::error::{Reached, SolveError, Whole, size_words};
use crate::file::{FileError, SolutionFile, write_file};
use crate::memory::{Memory, with_loss};
use crate::progress::ProgressMeter;
use crate::retrograde;
use crate::rules::{Reduction, Solvable};
use crate::solver::{Options, Solved, resume, solve};
use crate::value::{ExactValue, Value};
use crate::verify::verify;
use treegauge_core::{Phase, Progress, Watch};

use any_game::{StopAfter, both, cases, on, on_any, solved, ways};

fn options(symmetry: bool) -> Options {
    Options { symmetry, ..Options::default() }
}

/// Solves the game of a row of known facts and compares.
fn check<K: KeyCode>(rules: Solvable<K>, of: SolvedRow) {
    let row = of;
    let start = rules.start();
    for &symmetry in both(&rules) {
        let solution = solved(&rules, symmetry);
        let counts = solution.reachable();
        assert_eq!(counts.total(), row.reachable_states, "{}", row.spec);
        assert_eq!(counts.finished, row.terminal.unwrap_or(counts.finished), "{}", row.spec);
        assert_eq!(counts.win, row.win_to_move, "{}", row.spec);
        assert_eq!(counts.lose, row.lose_to_move, "{}", row.spec);
        assert_eq!(counts.tie + counts.draw, row.draw, "{}", row.spec);
        let valued = solution.start_valued();
        let first = valued.value.seen(rules.turn(start) == Player::First);
        let sign = match first {
            Value::Win => 1,
            Value::Lose => -1,
            Value::Tie | Value::Draw => 0,
        };
        assert_eq!(sign, row.start_value_for_first_player, "{}", row.spec);
        if let Some(remoteness) = row.start_remoteness {
            assert_eq!(u32::from(valued.remoteness), remoteness, "{}", row.spec);
        }
        if let (true, Some(canonical)) = (symmetry, row.positions_up_to_symmetry) {
            assert_eq!(solution.canonical_len(), Some(canonical as usize), "{}", row.spec);
        }
    }
}

#[test]
fn solved_games_are_as_published() {
    let rows = facts().solved;
    assert!(rows.len() > 40, "{} rows", rows.len());
    for row in rows {
        on_any!(&row.spec.clone(), check, row);
    }
}

/// Small games of every kind: with and without tiers, symmetries, cycles, ties, and moves that keep
/// the turn.
const SUITE: &[&str] = &[
    "tic_tac_toe",
    "broken_tic_tac_toe",
    "wild_tic_tac_toe",
    "mnk(rows=3,cols=3,k=3,misere=true)",
    "mnk(rows=3,cols=3,k=3,dirs1=orthogonal)",
    "mnk(rows=3,cols=3,k=3,first1=2)",
    "mnk(rows=1,cols=6,k=3)",
    "achi",
    "achi(adjacency=king)",
    "achi(men=4)",
    "alak(length=3)",
    "alak(length=4)",
    "alak(length=5)",
    "alak(length=6)",
    "alak(length=7)",
    "alak(length=3,forbidden=false)",
    "alak(length=5,forbidden=false)",
    "alak(length=7,forbidden=false)",
    "finger_game",
    "kalah(houses=2,seeds=1)",
    "kalah(houses=2,seeds=2)",
    "kalah(houses=3,seeds=1)",
    "dots_and_boxes(rows=1,cols=1)",
    "dots_and_boxes(rows=1,cols=2)",
    "dots_and_boxes(rows=2,cols=2)",
    "dots_corridor(length=5)",
    "dots_corridor(length=7)",
    "forms(rows=2,cols=2)",
    "forms(rows=2,cols=4)",
    "forms(rows=4,cols=2,objective=lose_all)",
    "othello(size=4,adjacent=true)",
    "one_to_ten",
    "connect_four(cols=3,rows=3,k=3)",
];

/// Most positions of a game of the suite that is solved by the slow solvers.
const SLOW_MAX: usize = 60_000;

/// Digest of the values of the slow solver.
fn by_rounds<K: KeyCode>(rules: &Solvable<K>) -> Digest {
    let graph = explore(rules, SLOW_MAX);
    let values = explore::solve(rules, &graph);
    let valued = values.into_iter().map(|(value, remoteness)| ExactValue {
        value: match value {
            explore::Value::Win => Value::Win,
            explore::Value::Lose => Value::Lose,
            explore::Value::Tie => Value::Tie,
            explore::Value::Draw => Value::Draw,
        },
        remoteness: remoteness.unwrap_or(0) as u16,
    });
    digest_of(graph.states.into_iter().zip(valued).collect())
}

fn digest_of<K: KeyCode>(mut records: Vec<(K, ExactValue)>) -> Digest {
    records.sort_unstable_by_key(|record| record.0);
    let mut digester = Digester::new();
    records.into_iter().for_each(|(key, valued)| digester.add(key, valued));
    digester.finish()
}

/// Values by plain recursion, for games that always end.
fn negamax<K: KeyCode>(
    rules: &Solvable<K>,
    state: K,
    known: &mut HashMap<K, ExactValue>,
) -> (Value, u16) {
    if let Some(valued) = known.get(&state) {
        return (valued.value, valued.remoteness);
    }
    let turn = rules.turn(state);
    let (value, remoteness) = if let Some(outcome) = rules.outcome(state) {
        let value = match outcome.winner() {
            None => Value::Tie,
            Some(winner) if winner == turn => Value::Win,
            Some(_) => Value::Lose,
        };
        (value, 0)
    } else {
        let (mut wins, mut ties, mut losses) = (Vec::new(), Vec::new(), Vec::new());
        for m in 0..rules.move_count(state) {
            let child = rules.after(state, m);
            let (value, remoteness) = negamax(rules, child, known);
            let same = rules.turn(child) == turn;
            match value {
                Value::Tie => ties.push(remoteness),
                Value::Win if same => wins.push(remoteness),
                Value::Lose if !same => wins.push(remoteness),
                _ => losses.push(remoteness),
            }
        }
        if let Some(least) = wins.iter().min() {
            (Value::Win, least + 1)
        } else if let Some(least) = ties.iter().min() {
            (Value::Tie, least + 1)
        } else {
            (Value::Lose, losses.iter().max().unwrap() + 1)
        }
    };
    known.insert(state, ExactValue { value, remoteness });
    (value, remoteness)
}

/// Checks that all solvers give one digest.
fn agree<K: KeyCode>(rules: Solvable<K>) -> usize {
    let expected = by_rounds(&rules);
    if rules.has_tiers() {
        let mut known = HashMap::new();
        negamax(&rules, rules.start(), &mut known);
        assert_eq!(digest_of(known.into_iter().collect()), expected, "negamax");
    }
    let mut len = 0;
    for threads in [1, 2, 4] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        // The solution must be the same without the capabilities.
        for (rules, symmetry) in cases(&rules) {
            let solution = pool.install(|| solved(&rules, symmetry));
            assert_eq!(solution.digest(None, &()), Some(expected), "{threads} threads, {symmetry}");
            let total = solution.reachable().total();
            assert_eq!(solution.is_reduced(), symmetry);
            assert!(symmetry || total == solution.len() as u64);
            assert_eq!(solution.stored().total(), solution.len() as u64);
            len = solution.len();
        }
    }
    len
}

#[test]
fn all_solvers_agree_on_the_suite() {
    for name in SUITE {
        let len = on_any!(name, agree);
        assert!(len > 1, "{name} has {len} positions");
    }
}

/// Stops and resumes a solve repeatedly, through files, until it comes to the same solution.
fn stop_and_go<K: KeyCode>(rules: Solvable<K>) -> u64 {
    let start = rules.start();
    let mut stops = 0;
    for (rules, symmetry) in cases(&rules) {
        let whole = solved(&rules, symmetry);
        for limit in [0, 1, 3] {
            let watch = StopAfter::new(limit);
            let mut solving = solve(&rules, start, options(symmetry), &watch).unwrap();
            let mut patience = limit;
            let (mut done, mut can_grow) = (0, true);
            let end = loop {
                match solving {
                    Solved::Done(solution) => break solution,
                    Solved::Stopped(checkpoint) => {
                        stops += 1;
                        assert!(checkpoint.done() >= done, "what is done stays done");
                        assert!(can_grow || checkpoint.done() == done, "it had grown up");
                        (done, can_grow) = (checkpoint.done(), checkpoint.can_grow());
                        assert!(done <= 2 * whole.len() as u64);
                        let mut file = Vec::new();
                        checkpoint.write("a run", &mut file).unwrap();
                        let read = Checkpoint::read("a run", None, &mut file.as_slice()).unwrap();
                        assert_eq!(read, checkpoint);
                        // If a run got no further than the last one, the solve would never end.
                        patience += 1;
                        let watch = StopAfter::new(patience);
                        solving = resume(&rules, read, options(symmetry), &watch).unwrap();
                    }
                }
            };
            assert_eq!(end.tables(), whole.tables());
            assert_eq!(end.start(), whole.start());
        }
    }
    stops
}

#[test]
fn a_solve_that_is_stopped_goes_on_to_the_identical_solution() {
    for name in [
        "tic_tac_toe",
        "achi",
        "alak(length=5)",
        "kalah(houses=2,seeds=2)",
        "connect_four(cols=3,rows=3,k=3)",
        "one_to_ten",
    ] {
        let stops = on!(name, stop_and_go);
        assert!(stops > 10, "{name} stopped {stops} times");
    }
}

/// Continues a stopped solve with another kind of solver each time, as happens after a change of
/// the memory limit.
fn other_ways<K: KeyCode>(rules: Solvable<K>) -> u64 {
    let start = rules.start();
    let ways = [rules.clone(), rules.clone().without(Capability::Indexed)];
    let mut stops = 0;
    for &symmetry in both(&rules) {
        let expected = solved(&rules, symmetry);
        for first in 0..2 {
            let mut patience = 0;
            let begin = solve(&ways[first], start, options(symmetry), &StopAfter::new(0));
            let mut solving = begin.unwrap();
            let end = loop {
                match solving {
                    Solved::Done(solution) => break solution,
                    Solved::Stopped(checkpoint) => {
                        stops += 1;
                        patience += 1;
                        let way = &ways[(first + patience) % 2];
                        let watch = StopAfter::new(patience as u64);
                        solving = resume(way, checkpoint, options(symmetry), &watch).unwrap();
                    }
                }
            };
            assert_eq!(end.digest(None, &()), expected.digest(None, &()));
            assert_eq!(end.remoteness_table(), expected.remoteness_table());
        }
    }
    stops
}

#[test]
fn a_solve_that_is_stopped_goes_on_with_and_without_an_index() {
    for name in ["connect_four(cols=3,rows=3,k=3)", "achi", "alak(length=7)", "one_to_ten"] {
        let stops = on!(name, other_ways);
        assert!(stops > 10, "{name} stopped {stops} times");
    }
}

/// Checkpoint of a solve stopped halfway, as bytes of a file.
fn halfway<K: KeyCode>(rules: Solvable<K>) -> Vec<u8> {
    let start = rules.start();
    let watch = StopAfter::new(12);
    let Ok(Solved::Stopped(checkpoint)) = solve(&rules, start, options(false), &watch) else {
        panic!("the solve did not stop")
    };
    let mut file = Vec::new();
    checkpoint.write("halfway", &mut file).unwrap();
    file
}

#[test]
fn a_damaged_checkpoint_is_refused_whatever_byte_is_damaged() {
    let file = on!("one_to_ten", halfway);
    assert!(Checkpoint::<u64>::read("halfway", None, &mut file.as_slice()).is_ok());
    for place in 0..file.len() {
        for bit in 0..8 {
            let mut damaged = file.clone();
            damaged[place] ^= 1 << bit;
            let read = Checkpoint::<u64>::read("halfway", None, &mut damaged.as_slice());
            assert!(read.is_err(), "bit {bit} of byte {place}");
        }
        let read = Checkpoint::<u64>::read("halfway", None, &mut &file[..place]);
        // Without its first line it could be anything.
        match read {
            Err(CheckpointError::NotACheckpoint) => assert!(place < 24, "{place} bytes"),
            Err(CheckpointError::Damaged(_)) => assert!(place >= 24, "{place} bytes"),
            other => panic!("{place} bytes: {other:?}"),
        }
    }
    let longer: Vec<u8> = file.iter().copied().chain([0]).collect();
    assert!(Checkpoint::<u64>::read("halfway", None, &mut longer.as_slice()).is_err());
    let other = Checkpoint::<u64>::read("another", None, &mut file.as_slice());
    assert!(matches!(other, Err(CheckpointError::OtherRun { .. })));
    let other = Checkpoint::<u128>::read("halfway", None, &mut file.as_slice());
    assert!(matches!(other, Err(CheckpointError::Damaged(_))));
}

/// Solves with a limit that equals the number of positions, and with one less.
fn counted<K: KeyCode>(rules: Solvable<K>) {
    let start = rules.start();
    let whole = solved(&rules, false);
    let limited = |positions| {
        let options = Options { positions_max: Some(positions), ..Options::default() };
        solve(&rules, start, options, &())
    };
    let positions = whole.len() as u64;
    let Ok(Solved::Done(enough)) = limited(positions) else { panic!("{positions} are enough") };
    assert_eq!(enough.digest(None, &()), whole.digest(None, &()));
    let positions_max = positions - 1;
    for positions_max in [positions_max, positions / 2, 1] {
        let error = limited(positions_max).err();
        assert_eq!(error, Some(SolveError::ManyPositions { positions_max }));
    }
}

#[test]
fn a_solve_takes_as_many_positions_as_there_are() {
    // Games with tiers, with a table by index, and with cycles.
    for name in ["tic_tac_toe", "achi", "dots_and_boxes(rows=2,cols=2)", "alak(length=7)"] {
        for threads in [1, 3] {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| on!(name, counted));
        }
    }
}

/// Raises the memory limit until the solve fits; returns all limits tried.
fn fit<K: KeyCode>(rules: Solvable<K>) -> Vec<u64> {
    let start = rules.start();
    let mut limits = vec![0];
    loop {
        let limit = limits[limits.len() - 1];
        let options = Options { memory_bytes_max: Some(limit), ..Options::default() };
        match solve(&rules, start, options, &()) {
            Err(SolveError::Memory { needed_bytes, bytes_max, .. }) => {
                assert_eq!(bytes_max, limit);
                assert!(needed_bytes > limit);
                // Doubling spares the test a thousand refusals.
                limits.push(2 * needed_bytes);
            }
            Ok(Solved::Done(solution)) => {
                assert_eq!(solution.digest(None, &()), solved(&rules, false).digest(None, &()));
                return limits;
            }
            Ok(Solved::Stopped(_)) => panic!("stopped without a request"),
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn a_solve_within_the_memory_that_refusals_ask_for_is_the_same() {
    for (name, positions) in [("tic_tac_toe", 5478), ("achi", 5390)] {
        let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let limits = pool.install(|| on!(name, fit));
        assert!(limits.len() > 3, "{name}: {limits:?}");
        let last = limits[limits.len() - 1];
        assert!((8 * positions..2_000_000).contains(&last), "{name}: {limits:?}");
    }
}

/// Says stop as soon as values are computed.
#[derive(Default)]
struct Found(AtomicBool);

impl Watch for Found {
    fn progress(&self, progress: Progress) {
        self.0.store(progress.phase == Phase::Value, Ordering::Relaxed);
    }

    fn stop(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Checks that, once all positions are known, the bytes named in a refusal are enough, and hardly
/// too many.
fn exact<K: KeyCode>(rules: Solvable<K>) {
    let start = rules.start();
    let limited = |bytes| Options { memory_bytes_max: Some(bytes), ..Options::default() };
    let from_start = |bytes| solve(&rules, start, limited(bytes), &());
    let found = solve(&rules, start, options(false), &Found::default()).unwrap();
    let Solved::Stopped(found) = found else { panic!("it was stopped") };
    let from_checkpoint = |bytes| resume(&rules, found.clone(), limited(bytes), &());
    // In small games with tiers, finding the positions takes more memory than their values.
    let run = |bytes| {
        if rules.has_tiers() { from_checkpoint(bytes) } else { from_start(bytes) }
    };
    let (mut low, mut high) = (0, 1 << 24);
    while high - low > 1 {
        let limit = (low + high) / 2;
        if run(limit).is_ok() { high = limit } else { low = limit }
    }
    let positions = solved(&rules, false).len() as u64;
    let Err(SolveError::Memory { reached, .. }) = run(low) else { panic!("{low} suffice") };
    // The buffers of the threads count in the limit. A small checkpoint takes more memory while it
    // is read than the values take.
    if reached.whole == Whole::Unknown && rules.has_tiers() {
        return;
    }
    let Whole::Exactly { bytes } = reached.whole else { panic!("{reached:?} at {low}") };
    assert!((high..high + high / 8 + 1).contains(&bytes), "{bytes} for {high}");
    assert_eq!(reached.positions, positions);
    let text = run(low).unwrap_err().to_string();
    assert!(text.starts_with(&format!("solving takes {}, and ", size_words(bytes))), "{text}");
}

#[test]
fn the_memory_that_values_take_is_known_when_all_positions_are() {
    let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for name in ["tic_tac_toe", "achi", "alak(length=5)", "connect_four(cols=3,rows=3,k=3)"] {
        pool.install(|| on!(name, exact));
    }
}

/// Checks that moves are taken back if a list of moves does not fit.
fn retrogrades<K: KeyCode>(rules: Solvable<K>) {
    assert!(rules.has_parents());
    for rules in ways(&rules.without(Capability::Tiered)) {
        let whole = solved(&rules, false);
        let [table] = whole.tables() else { panic!("there are no tiers") };
        let reduction = Reduction::none();
        let value = |bytes| {
            let memory = Memory::new(Some(with_loss(bytes)));
            let mut meter = ProgressMeter::new(&(), &memory);
            retrograde::value(&rules, &reduction, table.table(), &memory, &mut meter)
        };
        let positions = whole.len() as u64;
        let bytes = retrograde::POSITION_BYTES * positions
            + retrograde::piece_bytes(size_of::<K>(), positions, None);
        match value(bytes) {
            Ok(values) => assert!(rules.has_parents() && values == table.values()),
            Err(_) => assert!(!rules.has_parents()),
        }
        assert!(value(bytes - 1).is_err());
    }
}

#[test]
fn moves_are_taken_back_where_a_list_of_them_does_not_fit() {
    for threads in [1, 3] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for name in ["achi", "achi(men=4)", "achi(adjacency=king)", "one_to_ten"] {
            pool.install(|| on!(name, retrogrades));
        }
    }
}

/// Progress in the error of a solve with too little memory.
fn estimate<K: KeyCode>(rules: Solvable<K>, of: u64) -> Reached {
    let options = Options { memory_bytes_max: Some(of), ..Options::default() };
    match solve(&rules, rules.start(), options, &()) {
        Err(SolveError::Memory { reached, .. }) => reached,
        _ => panic!("{} bytes suffice", of),
    }
}

#[test]
fn the_memory_of_all_positions_is_estimated_by_the_trend_of_their_levels() {
    let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let reached = |bytes| pool.install(|| on!("connect_four(cols=4,rows=4)", estimate, bytes));
    let early = reached(100_000);
    assert_eq!(early.whole, Whole::Unknown);
    assert!(early.levels > 3 && early.positions > 500, "{early:?}");
    let late = reached(500_000);
    assert!(late.positions > early.positions && late.levels > early.levels, "{late:?}");
    let Whole::About { positions, bytes } = late.whole else { panic!("{late:?}") };
    // The game has 161,029 positions and needs 1.48 million bytes.
    assert!((161_029 / 3..161_029 * 3).contains(&positions), "{late:?}");
    assert!((1_480_000 / 3..1_480_000 * 3).contains(&bytes), "{late:?}");
}

/// Watch that checks that numbers only grow.
#[derive(Default)]
struct Growing(std::sync::Mutex<Vec<Progress>>);

impl Watch for Growing {
    fn progress(&self, progress: Progress) {
        self.0.lock().unwrap().push(progress);
    }
}

fn watched<K: KeyCode>(rules: Solvable<K>) {
    let start = rules.start();
    for rules in ways(&rules) {
        let watch = Growing::default();
        let solution = solve(&rules, start, options(false), &watch).unwrap().done().unwrap();
        let seen = watch.0.into_inner().unwrap();
        for pair in seen.windows(2) {
            assert!(pair[0].phase != pair[1].phase || pair[0].done < pair[1].done, "{pair:?}");
            assert!(pair[0].known <= pair[1].known, "{pair:?}");
        }
        assert!(seen.iter().all(|progress| progress.done <= progress.known), "{seen:?}");
        let draws = solution.reachable().draw;
        let last = seen[seen.len() - 1];
        assert_eq!((last.done + draws, last.known), (solution.len() as u64, last.done + draws));
    }
}

#[test]
fn progress_grows_to_the_number_of_positions() {
    for name in ["tic_tac_toe", "achi(adjacency=king)", "alak(length=5)"] {
        on!(name, watched);
    }
}

/// Compares the values of single positions with other ways to get them.
fn one_by_one<K: KeyCode>(rules: Solvable<K>) {
    let graph = explore(&rules, SLOW_MAX);
    let plain = solved(&rules.clone().without(Capability::Indexed), false);
    for &symmetry in both(&rules) {
        let solution = solved(&rules, symmetry);
        for state in &graph.states {
            let index = solution.index_of(*state).unwrap();
            let (key, valued) = solution.at(index);
            assert_eq!(solution.index_of(key), Some(index));
            assert_eq!(solution.get(*state), Some(valued));
            assert_eq!(plain.get(*state), Some(valued));
        }
        assert_eq!(solution.remoteness_table(), plain.remoteness_table());
        assert!(solution.iter().map(|position| position.0).eq(0..solution.len()));
        assert_eq!(*solution.firsts().last().unwrap(), solution.len());
    }
    // A solve from the middle of the game gives the same values for fewer positions.
    let state = graph.states[graph.states.len() / 2];
    let part = solve(&rules, state, options(false), &()).unwrap().done().unwrap();
    assert!(part.len() < plain.len());
    for (_, key, valued) in part.iter() {
        assert_eq!(plain.get(key), Some(valued));
    }
}

#[test]
fn positions_are_found_one_by_one_and_from_the_middle_of_a_game() {
    for name in ["tic_tac_toe", "dots_and_boxes(rows=1,cols=2)", "alak(length=5)"] {
        on!(name, one_by_one);
    }
}

/// Errors of a solve with symmetry, from the start and after the first move.
fn refused<K: KeyCode>(rules: Solvable<K>) -> [Option<SolveError>; 2] {
    let start = rules.start();
    [start, rules.after(start, 0)].map(|state| solve(&rules, state, options(true), &()).err())
}

#[test]
fn symmetry_that_cannot_be_used_is_refused_with_the_reason() {
    let refused = |name: &str| on!(name, refused);
    let none = Some(SolveError::NoSymmetries);
    assert_eq!(refused("kalah(houses=2,seeds=1)"), [none.clone(), none]);
    assert_eq!(refused("alak(length=5)"), [None, Some(SolveError::StartMoves)]);
    // The reflection at the diagonal through the corner is left.
    assert_eq!(refused("tic_tac_toe"), [None, None]);
}

/// Stops the work after a solve in each of its rounds: the digest, the file, and its reading.
fn stopped_afterwards<K: KeyCode>(rules: Solvable<K>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solution");
    for (rules, symmetry) in cases(&rules) {
        let expected = solved(&rules, symmetry);
        let digest = expected.digest(None, &()).unwrap();
        write_file(&path, &expected, "any", None, &()).unwrap();
        let whole = std::fs::read(&path).unwrap();
        let file = SolutionFile::open(&path, rules.clone(), "any").unwrap();
        let rounds = |work: &dyn Fn(&dyn Watch) -> bool| {
            let limit = (0..).find(|&limit| work(&StopAfter::new(limit)));
            limit.expect("it ends where nothing stops it")
        };
        let digested = rounds(&|watch| match expected.digest(None, watch) {
            None => false,
            Some(found) => {
                assert_eq!(found, digest);
                true
            }
        });
        let written = rounds(&|watch| {
            let other = folder.path().join("other");
            match write_file(&other, &expected, "any", None, watch) {
                Err(FileError::Interrupted) => {
                    assert!(!other.exists(), "part of a file is there");
                    false
                }
                done => {
                    done.unwrap();
                    assert_eq!(std::fs::read(&other).unwrap(), whole);
                    std::fs::remove_file(&other).unwrap();
                    true
                }
            }
        });
        let read = rounds(&|watch| match file.load(None, watch) {
            Err(FileError::Interrupted) => false,
            loaded => {
                assert_eq!(loaded.unwrap().tables(), expected.tables());
                true
            }
        });
        let checked = rounds(&|watch| match verify(&file, None, watch) {
            Err(FileError::Interrupted) => false,
            verdict => {
                assert!(verdict.unwrap().is_ok());
                true
            }
        });
        assert!(digested > 0 && written > 0 && read > 2 && checked > 2);
        // The solution is not lost.
        let checkpoint = solved(&rules, symmetry).into_checkpoint();
        let again = resume(&rules, checkpoint, options(symmetry), &()).unwrap();
        assert_eq!(again.done().unwrap().tables(), expected.tables());
    }
}

#[test]
fn what_follows_a_solve_obeys_a_stop_and_loses_nothing() {
    for name in ["tic_tac_toe", "achi", "alak(length=5)", "connect_four(cols=3,rows=3,k=3)"] {
        on!(name, stopped_afterwards);
    }
}
