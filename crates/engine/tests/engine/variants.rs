//! Variants of UCT: webs and proofs.

use treegauge_engine::{Engine, Line, UctFound, UctSearch, open_solved};
use treegauge_search::{
    BackUp, Budget, DEFAULT_CP, Merge, MoveCounts, Seed, ShapeOptions, Stopped, UctOptions,
    UctVariant,
};
use treegauge_solve::Value;

use crate::common::{Files, open};

fn search(engine: &dyn Engine, variant: UctVariant, iterations: u32) -> Box<dyn UctSearch> {
    let options = UctOptions::new(Budget::iterations(iterations), DEFAULT_CP);
    engine.uct_with(UctOptions { variant, ..options })
}

fn found(uct: &mut dyn UctSearch, at: &Line, seed: u64) -> UctFound {
    uct.search(at, &mut Seed(seed).generator(), &mut || false)
}

/// Games that are solved in a moment: those that can cycle too, and some with repetitions, limits of plies and
/// passes.
const SOLVED: [&str; 15] = [
    "tic_tac_toe",
    "tic_tac_toe(k=2)",
    "wild_tic_tac_toe",
    "connect_four(cols=4,rows=4)",
    "connect_four(cols=5,rows=4)",
    "achi",
    "finger_game",
    "dots_and_boxes(rows=2,cols=2)",
    "othello(size=4)",
    "breakthrough(rows=4,cols=3)",
    "mnk(rows=3,cols=4,k=3)",
    "isolation(rows=4,cols=4)",
    "one_to_ten",
    "forms(rows=2,cols=3)",
    "kalah(houses=2,seeds=2)",
];

/// The value that a solver proves is the exact one, for trees and webs alike, wherever the search begins; and its line of
/// play keeps that value to the end.
#[test]
fn what_a_solver_proves_is_the_exact_value() {
    let files = Files::new();
    for name in SOLVED {
        let engine = open(name);
        let path = files.solved("whole.tgs", &*engine, None);
        let solved = open_solved(&engine, &path).unwrap();
        let (mut proofs, mut proved_nodes) = (0, 0);
        for (n, merge) in [Merge::None, Merge::Equal, Merge::Symmetric].into_iter().enumerate() {
            let variant = UctVariant { merge, solver: true, ..UctVariant::default() };
            let mut uct = search(&*engine, variant, 2_000);
            for seed in 0..16 {
                let mut line = engine.start();
                let mut rng = Seed(seed).child(n as u64).generator();
                line.random_plies(seed as u32, &mut rng);
                if line.ended().is_some() {
                    continue;
                }
                let found = found(&mut *uct, &line, seed);
                let exact = |line: &Line| match solved.value(line).unwrap().value {
                    Value::Win => 1,
                    Value::Lose => -1,
                    Value::Tie | Value::Draw => 0,
                };
                proved_nodes += if seed < 3 { check_outline(&*uct, &line, &exact) } else { 0 };
                assert_eq!(found.proved.is_some(), found.stopped == Stopped::Decided);
                let Some(proved) = found.proved else { continue };
                proofs += 1;
                let expected = exact(&line);
                let position = line.position_text();
                assert_eq!(proved.value_for(found.turn), expected, "{name} at {position}");
                if expected == 0 {
                    continue;
                }
                for m in uct.proved_line(&line) {
                    line.play_texts(&[m]).unwrap();
                }
                let ended = line.ended().map(|ended| ended.outcome);
                assert_eq!(ended, Some(proved), "{name} from {position}");
            }
        }
        assert!(proofs >= 6, "{name}: {proofs} proofs");
        assert!(proved_nodes >= 6, "{name}: {proved_nodes} proved nodes");
    }
}

/// Plays the ways to the first nodes of what a search grew, and all moves to nodes that stand elsewhere: they are
/// legal, the numbers of moves and the player to move are those of the position, and what is proved is exact. How many
/// of the nodes are proved.
fn check_outline(uct: &dyn UctSearch, at: &Line, exact: &dyn Fn(&Line) -> i32) -> usize {
    let outline = uct.outline(at, "a game", 1);
    let mut lines: Vec<Line> = Vec::new();
    for node in outline.nodes.iter().take(300) {
        let mut line = node.parent.map_or_else(|| at.clone(), |parent| lines[parent].clone());
        if node.parent.is_some() {
            line.play_text(&node.m).unwrap();
        }
        for link in &node.links {
            line.clone().play_text(&link.m).unwrap();
        }
        if line.ended().is_none() {
            assert_eq!((node.turn, node.legal_moves), (line.turn(), line.move_count()));
        }
        if node.proved && line.ended().is_none() {
            let value = f64::from(line.turn().sign()) * node.mean_for_first;
            assert_eq!(value, f64::from(exact(&line)), "{}", line.position_text());
        }
        lines.push(line);
    }
    let numbered = outline.nodes.iter().enumerate().filter(|(_, node)| node.principal);
    let (places, parents): (Vec<_>, Vec<_>) =
        numbered.map(|(n, node)| (Some(n), node.parent)).unzip();
    assert_eq!(parents[1..], places[..places.len() - 1], "the principal variation is one way");
    outline.nodes.iter().filter(|node| node.proved).count()
}

#[test]
fn a_search_of_a_web_is_as_one_of_a_tree_to_its_callers() {
    let engine = open("connect_four");
    let start = engine.start();
    let shape = |uct: &dyn UctSearch| uct.shape(ShapeOptions::default()).unwrap();
    for (merge, back_up, counts) in [
        (Merge::Equal, BackUp::Single, MoveCounts::Node),
        (Merge::Symmetric, BackUp::All, MoveCounts::Node),
        (Merge::Symmetric, BackUp::Single, MoveCounts::Edge),
    ] {
        let variant = UctVariant { merge, back_up, counts, ..UctVariant::default() };
        let mut web = search(&*engine, variant, 3_000);
        let found = found(&mut *web, &start, 1);
        assert_eq!((found.iterations, found.legal_moves, found.proved), (3_000, 7, None));
        assert_eq!(start.move_text(found.best.unwrap()), "d", "the middle is best: {variant}");
        assert_eq!((web.moves().len(), web.move_numbers(&start)), (7, (0..7).collect()));
        assert_eq!(shape(&*web).legal_moves, 7.0);
        let outline = web.outline(&start, "connect_four", 1);
        assert_eq!(outline.variant, variant);
        assert_eq!(outline.nodes.len() as u32, web.node_count());
        assert!(outline.nodes.iter().any(|node| !node.links.is_empty()), "{variant}");
        for (n, node) in outline.nodes.iter().enumerate() {
            assert!(node.parent.is_none_or(|parent| parent < n));
            assert!(node.links.iter().all(|link| link.to < outline.nodes.len()));
        }
    }
}
