//! Alpha-beta trees with every value and every cut.

use treegauge_core::Role;
use treegauge_engine::{CutBound, CutLimits, CutTree, CutTreeError, Line, PlayerSpec};

use crate::common::open;

const LIMITS: CutLimits = CutLimits { nodes_max: 3_000, depth_max: 9 };

fn tree(game: &str, moves: &[&str], player: &str, limits: CutLimits) -> CutTree {
    let engine = open(game);
    let mut at = engine.start();
    at.play_texts(moves).unwrap();
    let player = PlayerSpec::parse(player).unwrap();
    CutTree::of(engine.as_ref(), &at, &player, limits, &[], &()).unwrap()
}

/// Value of a position by plain minimax to the end of the game.
fn minimax(line: &mut Line) -> i32 {
    if let Some(ended) = line.ended() {
        return ended.outcome.value();
    }
    let sign = line.turn().sign();
    let values = (0..line.move_count()).map(|number| {
        line.play(number);
        let value = minimax(line);
        line.undo();
        sign * value
    });
    sign * values.max().unwrap()
}

/// Checks every node of a tree: its value against plain minimax, its board, and its last move.
/// Returns the number of cut moves.
fn checked(game: &str, moves: &[&str]) -> usize {
    let tree = tree(game, moves, "alphabeta(eval=mobility,depth=9)", LIMITS);
    assert_eq!(tree.depth, None, "{game} is searched to its end");
    let engine = open(game);
    for n in 0..tree.nodes.len() {
        let mut path = Vec::new();
        let mut at = n;
        while let Some(parent) = tree.nodes[at].parent {
            path.push(tree.nodes[at].m.clone());
            at = parent;
        }
        path.reverse();
        let mut line = engine.start();
        line.play_texts(moves).unwrap();
        let mut last = Vec::new();
        for m in &path {
            last = line.move_cells(line.move_number(m).unwrap());
            line.play_text(m).unwrap();
        }
        let (node, exact) = (&tree.nodes[n], f64::from(minimax(&mut line)));
        assert_eq!((&node.board, &node.last), (&line.board(), &last), "{game} {path:?}");
        assert_eq!(node.turn, line.ended().is_none().then(|| line.turn()), "{game} {path:?}");
        let value = node.value.clamp(-1.0, 1.0);
        let holds = match node.bound {
            CutBound::Exact => exact == value,
            CutBound::AtLeast => exact >= value,
            CutBound::AtMost => exact <= value,
        };
        assert!(holds, "{game} {path:?}: {exact}, {:?} {value}", node.bound);
        let searched = tree.nodes.iter().filter(|other| other.parent == Some(n)).count();
        let legal = if line.ended().is_some() { 0 } else { line.move_count() as usize };
        assert_eq!(searched + node.cut.len(), legal, "{game} {path:?}");
    }
    assert_eq!(tree.nodes[0].bound, CutBound::Exact);
    tree.nodes.iter().map(|node| node.cut.len()).sum()
}

#[test]
fn every_value_agrees_with_minimax_and_every_move_is_searched_or_cut() {
    let cut = [
        checked("tic_tac_toe", &["a1", "b2", "c3", "a3"]),
        checked("tic_tac_toe", &["b2", "a1", "c3"]),
        checked("hexapawn", &[]),
        checked("dots_and_boxes(rows=1,cols=2)", &[]),
    ];
    assert!(cut.iter().all(|&moves| moves > 0), "{cut:?}");
}

#[test]
fn the_known_line_of_best_play_is_tried_first() {
    let engine = open("tic_tac_toe");
    let mut at = engine.start();
    at.play_texts(&["a1", "b2", "c3", "a3", "a2"]).unwrap();
    let player = PlayerSpec::parse("alphabeta").unwrap();
    let best_of = |best: &[&str]| {
        let best: Vec<String> = best.iter().map(|m| (*m).to_owned()).collect();
        let tree = CutTree::of(engine.as_ref(), &at, &player, LIMITS, &best, &()).unwrap();
        let line: Vec<String> =
            tree.nodes.iter().filter(|node| node.best).skip(1).map(|node| node.m.clone()).collect();
        (tree.nodes[0].value, line)
    };
    // b1 wins too, three plies later.
    assert_eq!(best_of(&[]).1[0], "b1");
    assert_eq!(best_of(&["c1"]), (-f64::INFINITY, vec!["c1".to_owned()]));
    // A move that is worse is tried and left.
    assert_eq!(best_of(&["c2"]).0, -f64::INFINITY);
    assert_ne!(best_of(&["c2"]).1[0], "c2");
}

#[test]
fn the_deepest_tree_that_fits_is_grown() {
    let limits = CutLimits { nodes_max: 44, depth_max: 6 };
    let whole = tree("tic_tac_toe", &["a1", "b2", "c3", "a3", "c1", "b1"], "alphabeta", limits);
    assert_eq!(whole.depth, None);
    assert_eq!(whole.nodes[0].value, f64::INFINITY);
    assert!(whole.nodes[0].last.is_empty());
    assert_eq!(whole.nodes[1].last.len(), 1);
    assert_eq!(whole.nodes[1].last[0].role, Role::To);
    let part = tree("tic_tac_toe", &[], "alphabeta", limits);
    // Nine moves, all eight answers to the first of them, and one to each other: it cuts, since all
    // are worth the same.
    assert_eq!((part.depth, part.nodes.len()), (Some(2), 1 + 9 + 8 + 8));
    let shallow = tree("connect_four", &[], "alphabeta(depth=1)", LIMITS);
    assert_eq!((shallow.depth, shallow.nodes.len(), shallow.uncut), (Some(1), 8, Some(8)));
}

#[test]
fn a_tree_that_does_not_fit_and_a_player_without_alpha_beta_are_refused() {
    let engine = open("othello");
    let refused = |player: &str, nodes_max: usize| {
        let player = PlayerSpec::parse(player).unwrap();
        let limits = CutLimits { nodes_max, depth_max: 6 };
        CutTree::of(engine.as_ref(), &engine.start(), &player, limits, &[], &()).unwrap_err()
    };
    let error = refused("alphabeta", 3);
    assert!(matches!(error, CutTreeError::TooLarge { moves: 4, nodes_max: 3 }), "{error}");
    let error = refused("random", 44);
    assert!(matches!(error, CutTreeError::Player(_)), "{error}");
}
