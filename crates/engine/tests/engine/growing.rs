//! Searches that grow, against searches that are made at once, and values along lines.

use std::sync::atomic::{AtomicU32, Ordering};

use proptest::prelude::*;
use treegauge_core::{Player, Watch};
use treegauge_engine::{
    Engine, GrowingSearch, Line, PositionValues, SearchedMove, SolutionGame, SolvedGame,
    StartingPoint, ValueSource, value_history,
};
use treegauge_search::picture::json;
use treegauge_search::{
    BackUp, Budget, DEFAULT_CP, Expansion, Merge, MoveCounts, Seed, ShapeOptions, Stopped,
    UctOptions, UctVariant,
};
use treegauge_solve::{AnySolved, Options, Value};

use crate::common::open;

/// Games with and without cycles, with symmetries, and with turns that do not alternate.
const GAMES: [&str; 5] = [
    "tic_tac_toe",
    "connect_four(cols=5,rows=4)",
    "achi",
    "kalah(houses=3,seeds=2)",
    "dots_and_boxes(rows=2,cols=2)",
];

fn variants() -> Vec<UctVariant> {
    let plain = UctVariant::default();
    let web = |merge, solver| UctVariant { merge, solver, ..plain };
    let all = UctVariant { back_up: BackUp::All, ..web(Merge::Equal, false) };
    vec![
        plain,
        web(Merge::None, true),
        web(Merge::Equal, false),
        web(Merge::Equal, true),
        web(Merge::Symmetric, false),
        web(Merge::Symmetric, true),
        all,
        UctVariant { counts: MoveCounts::Edge, ..web(Merge::Equal, true) },
        UctVariant { threads: 3, ..plain },
        UctVariant { threads: 3, ..web(Merge::Symmetric, true) },
        UctVariant { reuse: true, ..plain },
    ]
}

fn search(
    engine: &dyn Engine,
    at: &Line,
    variant: UctVariant,
    expansion: Expansion,
) -> GrowingSearch {
    let options = UctOptions::new(Budget::iterations(0), DEFAULT_CP);
    let options = UctOptions { variant, expansion, ..options };
    GrowingSearch::new(engine, at, options, Seed(5).generator())
}

/// Everything that a search says.
fn said(search: &GrowingSearch) -> (String, String, Vec<u64>) {
    let outline = search.outline("game", 5);
    let shape = search.shape(ShapeOptions::default());
    let shape = format!("{shape:?} {:?}", search.found());
    let sizes = vec![search.node_count().into(), search.memory_bytes()];
    (json(&outline), shape, sizes)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn growing_in_steps_is_growing_at_once(
        plies in 0u32..4,
        steps in prop::collection::vec(0u32..700, 1..5),
        random: bool,
    ) {
        for name in GAMES {
            let engine = open(name);
            let mut line = engine.start();
            line.random_plies(plies, &mut Seed(7).generator());
            let expansion = if random { Expansion::Random } else { Expansion::Order };
            for variant in variants() {
                let [mut grown, mut whole] =
                    [0, 1].map(|_| search(&*engine, &line, variant, expansion));
                for &more in &steps {
                    grown.grow(more, &());
                }
                whole.grow(steps.iter().sum(), &());
                prop_assert_eq!(said(&grown).0, said(&whole).0, "{} {:?}", name, variant);
                prop_assert_eq!(said(&grown).1, said(&whole).1, "{} {:?}", name, variant);
                prop_assert_eq!(grown.values(), whole.values(), "{} {:?}", name, variant);
                // It is the tree of a search of that budget, too; several trees have other shares.
                let sum: u32 = steps.iter().sum();
                if variant.threads == 1 || sum.is_multiple_of(variant.threads) {
                    let options = UctOptions::new(Budget::iterations(sum), DEFAULT_CP);
                    let mut uct = engine.uct_with(UctOptions { variant, expansion, ..options });
                    uct.search(&line, &mut Seed(5).generator(), &mut || false);
                    prop_assert_eq!(json(&uct.outline(&line, "game", 5)), said(&grown).0);
                }
            }
        }
    }
}

/// The whole tree that can be walked from a path: its nodes, and the moves of the outline below them.
fn walk(search: &GrowingSearch, path: &mut Vec<u32>, line: &Line, left: &mut u32) {
    let Some(children) = search.children(path) else { panic!("{path:?} is a node") };
    let legal = line.moves();
    for child in &children {
        assert_eq!(legal[child.m as usize], child.text);
        let mut after = line.clone();
        after.play(child.m);
        assert_eq!(child.legal_moves, after.move_count(), "{path:?} {child:?}");
        assert!(child.tried_moves <= child.legal_moves);
        let SearchedMove { value, interval: [low, high], visits, .. } = *child;
        assert!((-1.0..=1.0).contains(&low) && low <= high && high <= 1.0, "{child:?}");
        assert!(low - 1e-12 <= value && value <= high + 1e-12, "{child:?}");
        assert!(child.proved.is_none_or(|proved| [low, high] == [f64::from(proved); 2]));
        assert!(visits > 0);
        if *left > 0 && child.tried_moves > 0 {
            *left -= 1;
            path.push(child.m);
            walk(search, path, &after, left);
            path.pop();
        }
    }
}

#[test]
fn trees_are_walked_by_the_moves_of_the_game() {
    for name in ["tic_tac_toe", "connect_four(cols=5,rows=4)", "kalah(houses=3,seeds=2)"] {
        let engine = open(name);
        for variant in variants() {
            let line = engine.start();
            let mut search = search(&*engine, &line, variant, Expansion::Order);
            assert_eq!(search.children(&[]).unwrap_or_default(), []);
            search.grow(3_000, &());
            walk(&search, &mut Vec::new(), &line, &mut 300);
            assert_eq!(search.children(&[999]), None, "no such move");
            assert_eq!(search.children(&[0; 99]), None, "no such line");
            let line = search.principal_variation();
            assert_eq!(line.first().copied(), search.found().best, "{name} {variant:?}");
            let outline = search.outline(name, 5);
            if variant.threads == 1 {
                let principal = outline.nodes.iter().filter(|node| node.principal).skip(1);
                let principal: Vec<String> = principal.map(|node| node.m.clone()).collect();
                let texts = engine.start().line_texts(&line);
                // The outline puts a node where a shorter way leads to it.
                assert!(texts.starts_with(&principal), "{name} {variant:?}: {texts:?}");
                if variant.merge == Merge::None {
                    assert_eq!(texts, principal, "{name} {variant:?}");
                    // The moves of the root are the children of the first node.
                    let children = search.children(&[]).unwrap();
                    let root = outline.nodes[0].children.iter().map(|&n| &outline.nodes[n]);
                    for (child, node) in children.iter().zip(root) {
                        assert_eq!((&child.text, child.visits), (&node.m, node.visits));
                        assert_eq!(child.legal_moves, node.legal_moves);
                        assert_eq!(child.tried_moves as usize, node.children.len());
                        assert!((child.value - node.mean_for_first).abs() < 1e-12);
                    }
                }
            }
        }
    }
}

#[test]
fn a_search_that_is_stopped_can_go_on() {
    struct StopSoon(AtomicU32);
    impl Watch for StopSoon {
        fn stop(&self) -> bool {
            self.0.fetch_add(1, Ordering::Relaxed) > 1
        }
    }
    let engine = open("connect_four");
    for threads in [1, 3] {
        let variant = UctVariant { threads, ..UctVariant::default() };
        let mut search = search(&*engine, &engine.start(), variant, Expansion::Order);
        let found = search.grow(100_000, &StopSoon(AtomicU32::new(0)));
        assert_eq!(found.stopped, Stopped::Caller);
        assert!(found.iterations < 100_000);
        let before = found.iterations;
        let found = search.grow(600, &());
        assert_eq!((found.stopped, found.iterations), (Stopped::Iterations, before + 600));
    }
    // A game that is over has nothing to grow.
    let mut line = open("tic_tac_toe").start();
    line.play_texts(&["a1", "b1", "a2", "b2", "a3"]).unwrap();
    let engine = open("tic_tac_toe");
    let mut search = search(&*engine, &line, UctVariant::default(), Expansion::Order);
    assert_eq!(search.grow(100, &()).iterations, 0);
    assert_eq!((search.children(&[]), search.principal_variation()), (None, vec![]));
    let PositionValues::Search { moves, .. } = search.values() else { panic!("it is searched") };
    assert!(moves.is_empty());
}

/// The interval is what the equation of Wilson 1927 says: its ends are the shares from which the share found is 1.96
/// standard deviations away.
#[test]
fn intervals_solve_the_equation_of_wilson() {
    let engine = open("connect_four(cols=5,rows=4)");
    let mut search = search(&*engine, &engine.start(), UctVariant::default(), Expansion::Order);
    search.grow(2_000, &());
    for SearchedMove { value, visits, interval, .. } in search.children(&[]).unwrap() {
        let (share, n) = ((1.0 + value) / 2.0, f64::from(visits));
        for end in interval.map(|end| (1.0 + end) / 2.0) {
            let deviations = (share - end).abs() / (end * (1.0 - end) / n).sqrt();
            assert!((deviations - 1.959_964).abs() < 1e-4, "{share} {n} {end}: {deviations}");
        }
    }
}

#[test]
fn a_history_has_the_values_of_every_ply() {
    let engine = open("tic_tac_toe");
    let moves = ["a1", "c3", "a3", "a2", "c1", "b2", "b1"].map(str::to_owned);
    let line = engine.begin(&StartingPoint { position: None, moves: moves.into() }).unwrap();
    let solved = engine.rules().solve(&engine.code(&line.start()), Options::default(), &());
    let AnySolved::Done(solution) = solved.unwrap() else { panic!("nothing stops it") };
    let solution = SolutionGame::new(engine.clone(), solution);
    let exact = ValueSource::Solution(&solution);
    let history = value_history(&*engine, &line, 0..99, &exact, &()).unwrap();
    assert_eq!(history.len(), 8);
    let mut at = line.start();
    for (ply, row) in history.iter().enumerate() {
        assert_eq!((row.ply as usize, row.turn), (ply, at.turn()));
        let PositionValues::Solution { moves } = &row.values else { panic!("it is solved") };
        let rows = if at.ended().is_some() { Vec::new() } else { solution.moves(&at).unwrap() };
        assert_eq!(moves.len(), rows.len());
        for (row, known) in moves.iter().zip(rows) {
            let known = (known.m, known.valued.value, known.valued.plies());
            assert_eq!((row.m, row.value, row.plies), known);
        }
        match row.played {
            Some(number) => at.play(number),
            None => assert_eq!(ply, 7),
        }
    }
    assert_eq!(at, line);
    // The second player's first move loses, and no other gives anything away.
    let given: Vec<_> = history.iter().map(|row| row.given_away()).collect();
    assert_eq!(given[..3], [Some(0.0), Some(1.0), Some(0.0)]);
    assert_eq!(given[7], None);
    let PositionValues::Solution { moves } = &history[1].values else { panic!("it is solved") };
    assert_eq!((moves[0].text.as_str(), moves[0].value), ("b2", Value::Tie));
    // By search: the same as one search of each position, for parts and for the whole.
    let options = UctOptions::new(Budget::iterations(900), DEFAULT_CP);
    let searched = ValueSource::Search { options, seed: Seed(3) };
    let history = value_history(&*engine, &line, 0..99, &searched, &()).unwrap();
    let part = value_history(&*engine, &line, 2..4, &searched, &()).unwrap();
    assert_eq!(part, history[2..4]);
    for (n, row) in history.iter().enumerate() {
        let mut at = line.start();
        line.played()[..n].iter().for_each(|&m| at.play(m));
        let mut uct = engine.uct_with(options);
        let found = uct.search(&at, &mut Seed(3).child(n as u64).generator(), &mut || false);
        let PositionValues::Search { moves, iterations, .. } = &row.values else {
            panic!("it is searched")
        };
        assert_eq!((*iterations, row.values.best()), (found.iterations, found.value()));
        assert_eq!(moves.first().map(|m| m.m), found.best);
        let text = serde_json::to_string(row).unwrap();
        assert_eq!(serde_json::from_str::<treegauge_engine::PlyValues>(&text).unwrap(), *row);
    }
    assert_eq!(history[0].turn, Player::First);
    struct Stopped;
    impl Watch for Stopped {
        fn stop(&self) -> bool {
            true
        }
    }
    assert_eq!(value_history(&*engine, &line, 0..99, &searched, &Stopped).unwrap(), []);
}
