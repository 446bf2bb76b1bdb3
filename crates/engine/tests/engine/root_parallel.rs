//! Searches that grow several trees.

use rand_core::Rng;
use rayon::ThreadPoolBuilder;
use treegauge_engine::{Engine, Line, MoveNumber, TriedMove, UctFound, UctSearch, open_solved};
use treegauge_search::{
    Budget, DEFAULT_CP, Expansion, Merge, Seed, ShapeOptions, Stopped, UctOptions, UctVariant,
};
use treegauge_solve::Value;

use crate::common::{Files, open};

const GAMES: [&str; 5] =
    ["tic_tac_toe", "connect_four", "kalah", "achi", "dots_and_boxes(rows=2,cols=2)"];

fn options(variant: UctVariant, budget: Budget) -> UctOptions {
    UctOptions { variant, expansion: Expansion::Random, ..UctOptions::new(budget, DEFAULT_CP) }
}

fn variants(threads: u32) -> [UctVariant; 3] {
    let trees = UctVariant { threads, ..UctVariant::default() };
    [trees, UctVariant { merge: Merge::Equal, ..trees }, UctVariant { solver: true, ..trees }]
}

fn found(uct: &mut dyn UctSearch, at: &Line, seed: u64) -> UctFound {
    uct.search(at, &mut Seed(seed).generator(), &mut || false)
}

fn tried(uct: &dyn UctSearch, at: &Line) -> Vec<(MoveNumber, TriedMove)> {
    let mut tried: Vec<_> = uct.move_numbers(at).into_iter().zip(uct.moves()).collect();
    tried.sort_by_key(|(number, _)| *number);
    tried
}

/// The searches that the documentation names, made one after the other.
fn separate(
    engine: &dyn Engine,
    at: &Line,
    whole: UctOptions,
    seed: u64,
) -> Vec<Box<dyn UctSearch>> {
    let threads = whole.variant.threads;
    let seed = Seed(Seed(seed).generator().next_u64());
    let searches = (0..threads).map(|n| {
        let iterations = whole.budget.iterations_max;
        let rest = if n == 0 { iterations % threads } else { 0 };
        let budget = Budget::iterations(iterations / threads + rest);
        let variant = UctVariant { threads: 1, ..whole.variant };
        let mut uct = engine.uct_with(UctOptions { budget, variant, ..whole });
        uct.search(at, &mut seed.child(n.into()).generator(), &mut || false);
        uct
    });
    searches.collect()
}

#[test]
fn the_counts_are_the_sums_of_separate_searches() {
    for name in GAMES {
        let engine = open(name);
        let mut line = engine.start();
        line.random_plies(2, &mut Seed(5).generator());
        for (iterations, threads) in [(1_000, 4), (500, 3), (7, 3), (2, 5)] {
            for variant in variants(threads) {
                let whole = options(variant, Budget::iterations(iterations));
                let mut uct = engine.uct_with(whole);
                let together = found(&mut *uct, &line, 3);
                let apart = separate(&*engine, &line, whole, 3);
                let mut sums: Vec<(MoveNumber, u32, i32)> = Vec::new();
                for (number, tried) in apart.iter().flat_map(|uct| tried(&**uct, &line)) {
                    match sums.iter_mut().find(|sum| sum.0 == number) {
                        Some(sum) => {
                            sum.1 += tried.visits;
                            sum.2 += tried.score_for_first;
                        }
                        None => sums.push((number, tried.visits, tried.score_for_first)),
                    }
                }
                sums.sort_unstable();
                let rows = tried(&*uct, &line);
                let of_rows = |with_score: bool| -> Vec<_> {
                    let row = |&(number, one): &(MoveNumber, TriedMove)| {
                        (number, one.visits, if with_score { one.score_for_first } else { 0 })
                    };
                    rows.iter().map(row).collect()
                };
                if variant.solver {
                    // What one search proved moves the results of the others.
                    let visits: Vec<_> =
                        sums.iter().map(|&(n, visits, _)| (n, visits, 0)).collect();
                    assert_eq!(of_rows(false), visits, "{name}");
                } else {
                    assert_eq!(of_rows(true), sums, "{name}");
                    assert_eq!(together.iterations, iterations);
                }
                let nodes: u32 = apart.iter().map(|uct| uct.node_count()).sum();
                assert_eq!(uct.node_count(), nodes);
                let shape = ShapeOptions::default();
                assert_eq!(uct.shape(shape), apart[0].shape(shape), "of the first tree");
                // The move has the best average of all.
                let Some(best) = together.best else {
                    assert!(rows.is_empty());
                    continue;
                };
                let mean = |number| {
                    let row = rows.iter().find(|row| row.0 == number).unwrap();
                    row.1.mean_for(together.turn)
                };
                assert!(rows.iter().all(|row| mean(row.0) <= mean(best)), "{name}");
                assert_eq!(together.value(), Some(mean(best)));
            }
        }
    }
}

#[test]
fn one_tree_is_the_search_as_it_was() {
    for name in GAMES {
        let engine = open(name);
        let start = engine.start();
        for variant in variants(1) {
            let whole = options(variant, Budget::iterations(400));
            let (mut rng, mut other) = (Seed(9).generator(), Seed(9).generator());
            let mut uct = engine.uct_with(whole);
            let found = uct.search(&start, &mut rng, &mut || false);
            let plain = UctVariant { threads: UctVariant::default().threads, ..variant };
            let mut expected = engine.uct_with(UctOptions { variant: plain, ..whole });
            assert_eq!(expected.search(&start, &mut other, &mut || false), found);
            assert_eq!(uct.moves(), expected.moves());
            assert_eq!(rng, other, "as many random numbers");
        }
    }
}

#[test]
fn the_threads_of_the_machine_change_nothing() {
    for name in GAMES {
        let engine = open(name);
        let line = engine.start();
        for variant in variants(6) {
            let run = |threads: usize| {
                let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| {
                    let mut uct = engine.uct_with(options(variant, Budget::iterations(900)));
                    let found = found(&mut *uct, &line, 4);
                    (found, tried(&*uct, &line), uct.node_count(), uct.memory_bytes())
                })
            };
            let one = run(1);
            assert_eq!(run(2), one, "{name}");
            assert_eq!(run(5), one, "{name}");
        }
    }
}

#[test]
fn a_proof_of_one_tree_is_a_proof() {
    let files = Files::new();
    let mut proofs = 0;
    for name in ["tic_tac_toe", "tic_tac_toe(k=2)", "connect_four(cols=4,rows=4)", "one_to_ten"] {
        let engine = open(name);
        let solved = open_solved(&engine, &files.solved("whole.tgs", &*engine, None)).unwrap();
        for seed in 0..12 {
            let mut line = engine.start();
            line.random_plies(seed, &mut Seed(seed.into()).generator());
            if line.ended().is_some() {
                continue;
            }
            let variant = UctVariant { solver: true, threads: 4, ..UctVariant::default() };
            let mut uct = engine.uct_with(options(variant, Budget::iterations(1_500)));
            let found = found(&mut *uct, &line, seed.into());
            assert_eq!(found.proved.is_some(), found.stopped == Stopped::Decided);
            let Some(proved) = found.proved else { continue };
            proofs += 1;
            let value = |line: &Line| match solved.value(line).unwrap().value {
                Value::Win => 1,
                Value::Lose => -1,
                Value::Tie | Value::Draw => 0,
            };
            assert_eq!(proved.value_for(found.turn), value(&line), "{name}");
            let mut after = line.clone();
            after.play(found.best.unwrap());
            let kept = match after.ended() {
                Some(ended) => ended.outcome,
                None if after.turn() == found.turn => continue,
                None => proved,
            };
            assert_eq!(kept, proved, "the move keeps it");
            if after.ended().is_none() {
                assert_eq!(-value(&after), proved.value_for(found.turn), "the move keeps it");
            }
            let mut to_end = line.clone();
            for m in uct.proved_line(&line) {
                to_end.play_texts(&[m]).unwrap();
            }
            assert!(to_end.ended().is_some());
        }
    }
    assert!(proofs >= 12, "{proofs} proofs");
}

#[test]
fn the_limits_are_shared_and_a_caller_stops_all_trees() {
    let engine = open("connect_four");
    let start = engine.start();
    let nodes = Budget { nodes_max: 100, ..Budget::iterations(4_000) };
    let bytes = Budget { memory_bytes_max: 9_000, ..Budget::iterations(4_000) };
    for (budget, stopped) in [(nodes, Stopped::Nodes), (bytes, Stopped::Memory)] {
        let mut uct = engine.uct_with(options(variants(3)[0], budget));
        assert_eq!(found(&mut *uct, &start, 1).stopped, stopped);
        assert!(uct.node_count() <= budget.nodes_max && uct.node_count() > 60);
        assert!(uct.memory_bytes() <= budget.memory_bytes_max);
    }
    let mut uct = engine.uct_with(options(variants(3)[0], Budget::iterations(3_000_000)));
    let mut asked = 0;
    let found = uct.search(&start, &mut Seed(1).generator(), &mut || {
        asked += 1;
        asked > 3
    });
    assert_eq!(found.stopped, Stopped::Caller);
    assert!(found.iterations < 10_000, "{} iterations", found.iterations);
}
