//! Chains of hops that differ only on the way are one move.

use std::collections::{BTreeSet, HashSet};

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use treegauge_core::{Game, Notation, Plies, uniform_below};

use super::agreement::Agree;
use super::{program, texts};
use crate::game::{MoveBits, RulesVisitor, TextRules, visit};
use crate::reference::Reference;
use crate::state::BoardWord;

/// Moves of a man on a grid whose cells are numbered row by row: steps, and chains of hops over any
/// man, found by a search on coordinates.
fn moves_on_grid(side: i32, occupied: &HashSet<i32>, from: i32) -> BTreeSet<i32> {
    let at =
        |x: i32, y: i32| ((0..side).contains(&x) && (0..side).contains(&y)).then_some(y * side + x);
    let dirs = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))).filter(|&d| d != (0, 0));
    let is_occupied = |cell: i32| cell != from && occupied.contains(&cell);
    let (mut found, mut left) = (BTreeSet::new(), vec![from]);
    while let Some(cell) = left.pop() {
        let (x, y) = (cell % side, cell / side);
        for (dx, dy) in dirs.clone() {
            let Some(land) = at(x + 2 * dx, y + 2 * dy) else { continue };
            if is_occupied((y + dy) * side + x + dx) && !is_occupied(land) && found.insert(land) {
                left.push(land);
            }
        }
    }
    found.remove(&from);
    let (x, y) = (from % side, from / side);
    let steps = dirs.filter_map(|(dx, dy)| at(x + dx, y + dy)).filter(|&cell| !is_occupied(cell));
    found.extend(steps);
    found
}

/// First and last cell of a move on a grid of six rows.
fn ends(text: &str) -> (i32, i32) {
    let cell = |name: &str| {
        let bytes = name.as_bytes();
        i32::from(bytes[1] - b'1') * 6 + i32::from(bytes[0] - b'a')
    };
    let (first, last) = (text.split('-').next().unwrap(), text.rsplit('-').next().unwrap());
    (cell(first), cell(last))
}

/// Random games in which moves are compared with those of other programs at each ply.
struct Compared {
    /// The same game with an effect that never happens, so that the ways are moves.
    ways: Reference,
}

impl RulesVisitor for Compared {
    type Output = [usize; 2];

    fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) -> [usize; 2] {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        let (mut moves, mut counts) = (Vec::new(), [0, 0]);
        for _ in 0..20 {
            let mut state = game.start();
            for _ in 0..60 {
                if game.outcome(&state).is_some() {
                    break;
                }
                game.moves_into(&state, &mut moves);
                let found: BTreeSet<(i32, i32)> =
                    moves.iter().map(|&m| ends(&game.move_text(&state, m))).collect();
                assert_eq!(found.len(), moves.len(), "no move is listed twice");
                let position = game.position(&state);
                let occupied: HashSet<i32> =
                    (0..36).filter(|&cell| position.pieces[cell as usize].is_some()).collect();
                let turn = position.turn.index();
                let own = occupied.iter().copied().filter(|&cell| {
                    position.pieces[cell as usize]
                        .is_some_and(|(owner, _)| owner.is_some_and(|one| one.index() == turn))
                });
                let expected: BTreeSet<(i32, i32)> = own
                    .flat_map(|from| {
                        moves_on_grid(6, &occupied, from).into_iter().map(move |to| (from, to))
                    })
                    .collect();
                assert_eq!(found, expected, "{}", game.position_text(&state));
                let ways = self.ways.moves(&position).unwrap();
                counts[0] += ways.len();
                counts[1] += moves.len();
                // A hop moves a piece by two cells, a step by one.
                let is_hop = |&(from, to): &(i32, i32)| {
                    from != to && (from % 6 - to % 6).abs() != 1 && (from / 6 - to / 6).abs() != 1
                };
                let hops = ways.iter().map(|way| ends(&way.text)).filter(is_hop).count();
                let legal = moves.iter().map(|m| m.bits());
                assert_eq!(
                    game.code.hop_ways(&state, legal, &mut 1_000_000),
                    Some([hops as u64, found.iter().filter(|ends| is_hop(ends)).count() as u64]),
                    "{}",
                    game.position_text(&state)
                );
                for played in ways {
                    let (from, to) = ends(&played.text);
                    // A chain that returns to its origin is not a move.
                    assert!(from == to || found.contains(&(from, to)), "{}", played.text);
                }
                let m = moves[uniform_below(&mut rng, moves.len() as u32) as usize];
                game.play(&mut state, m);
            }
        }
        counts
    }
}

#[test]
fn chains_with_the_same_ends_are_one_move() {
    let (_, text) = texts("rules").into_iter().find(|(name, _)| name == "halma_small").unwrap();
    let apart = text.replace("(chain may)", "(chain may) (then (if (> 0 1) (again)))");
    let ways = Reference::new(program(&apart));
    let [ways, moves] = visit(&program(&text), Plies(200), Compared { ways });
    assert!(ways > moves, "{ways} ways are {moves} moves");
}

#[test]
fn chains_over_any_sets_agree_with_the_reference() {
    let (_, text) = texts("rules").into_iter().find(|(name, _)| name == "halma_small").unwrap();
    for (from, to) in [
        ("(over occupied)", "(over (and occupied (not (columns 3 4))))"),
        ("(over occupied)", "(over (next mine orthogonal))"),
        ("(chain may)", "(to (and empty (next occupied all))) (chain may)"),
        ("(chain may)", "(chain may) (only-if (not (in to (row 4))))"),
        ("(grid 6 6)", "(grid 6 6 (wrap both))"),
    ] {
        let changed = text.replace(from, to);
        assert_ne!(changed, text, "{from}");
        let play = Agree { name: to, games: 4, plies: 40, seed: 3, moves_max: 4_000 };
        visit(&program(&changed), Plies(200), play);
    }
}

/// Random games in which hops behind another part of a move are compared with those of a program
/// that tells their ways apart.
struct Behind {
    ways: Reference,
}

impl RulesVisitor for Behind {
    type Output = [u64; 2];

    fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) -> [u64; 2] {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        let (mut moves, mut counts) = (Vec::new(), [0, 0]);
        let mut state = game.start();
        for _ in 0..12 {
            if game.outcome(&state).is_some() {
                break;
            }
            game.moves_into(&state, &mut moves);
            // The first part places a stone, and the second hops.
            let hops = |text: &str| text.contains('-');
            let ways = self.ways.moves(&game.position(&state)).unwrap();
            let returns = |text: &str| {
                let (_, chain) = text.split_once('/').unwrap();
                chain.split('-').next() == chain.rsplit('-').next()
            };
            let ways = ways.iter().filter(|way| hops(&way.text) && !returns(&way.text)).count();
            let merged = moves.iter().filter(|&&m| hops(&game.move_text(&state, m))).count();
            let legal = moves.iter().map(|m| m.bits());
            let expected = [ways as u64, merged as u64];
            let found = game.code.hop_ways(&state, legal, &mut 1_000_000);
            assert_eq!(found, Some(expected), "{}", game.position_text(&state));
            counts = [counts[0] + expected[0], counts[1] + expected[1]];
            let m = moves[uniform_below(&mut rng, moves.len() as u32) as usize];
            game.play(&mut state, m);
        }
        counts
    }
}

#[test]
fn ways_of_hops_behind_another_part_are_counted() {
    let text = "(game \"Behind\" (board (grid 4 4))
        (play (seq (place stone) (hop stone all (over occupied) (chain may)))) (end (stuck draw)))";
    let apart = text.replace("(chain may)", "(chain may) (then (if (> 0 1) (again)))");
    let ways = Reference::new(program(&apart));
    let [ways, moves] = visit(&program(text), Plies(200), Behind { ways });
    assert!(moves > 0 && ways > moves, "{ways} ways are {moves} moves");
}
