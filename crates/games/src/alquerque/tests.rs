use std::collections::BTreeSet;

use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use treegauge_core::{Game, Notation, Outcome, Player, PlayoutLimits, Plies};

use super::rules::{POINTS, lines_from, point_at};
use super::{Alquerque, Move, State};

fn game() -> Alquerque {
    Alquerque::new(Plies(100), Plies(1_000))
}

#[test]
fn the_board_has_the_lines_of_the_drawing() {
    let points: Vec<u32> = (0..32).filter(|point| POINTS >> point & 1 == 1).collect();
    assert_eq!(points.len(), 25);
    // 40 lines along rows and columns and 16 on diagonals, each seen from both ends.
    let ends: u32 = points.iter().map(|&point| lines_from(point).count_ones()).sum();
    assert_eq!(ends, 2 * (40 + 16));
    let degree = |row, col| lines_from(point_at(row, col)).count_ones();
    assert_eq!([degree(0, 0), degree(0, 1), degree(1, 2), degree(2, 2)], [3, 3, 4, 8]);
}

fn position(text: &str) -> State {
    game().parse_position(text).unwrap_or_else(|error| panic!("{error}"))
}

fn moves_of(state: &State) -> Vec<Move> {
    let mut moves = Vec::new();
    game().moves_into(state, &mut moves);
    moves
}

fn texts_of(text: &str) -> String {
    let state = position(text);
    let texts: Vec<String> =
        moves_of(&state).into_iter().map(|m| game().move_text(&state, m)).collect();
    texts.join(" ")
}

fn played(text: &str, m: &str) -> String {
    let mut state = position(text);
    let m = game().parse_move(&state, m).unwrap();
    game().try_play(&mut state, m).unwrap();
    game().position_text(&state)
}

#[test]
fn the_point_that_a_capture_starts_from_counts_as_empty() {
    let text = "5/5/1o3/o1o2/xo3 x";
    assert_eq!(texts_of(text), "a1xc1xc3xa3xa1 a1xa3xc3xc1xa1");
    let after = played(text, "a1xa3xc3xc1xa1");
    assert_eq!(after, "...../...../...../...../x.... o");
    assert_eq!(game().outcome(&position(&after)), Some(Outcome::FirstWins));
}

/// Finds the longest path and the most paths of one man. It tries the three points that remain, up
/// to symmetry, of those that reach most, with all sets of twelve men on the points between.
#[test]
fn a_capture_may_take_all_twelve_men() {
    let over: Vec<u32> = (0..25)
        .map(|n| (n / 5, n % 5))
        .filter(|(row, col)| row % 2 + col % 2 > 0)
        .map(|(row, col)| point_at(row, col))
        .collect();
    let (mut longest, mut most) = (0, 0);
    for set in (0u32..1 << over.len()).filter(|set| set.count_ones() == 12) {
        let men = over.iter().enumerate().filter(|(n, _)| set >> n & 1 == 1);
        let men = men.fold(0, |men, (_, point)| men | 1 << point);
        for from in [point_at(0, 0), point_at(0, 2), point_at(2, 2)] {
            let state = State { men: [1 << from, men], turn: Player::First };
            let captures = moves_of(&state).into_iter().filter(|m| m.jumps());
            let lengths: Vec<usize> = captures.map(|m| m.directions().count()).collect();
            longest = longest.max(lengths.iter().copied().max().unwrap_or(0));
            most = most.max(lengths.len());
        }
    }
    assert_eq!((longest, most), (12, 3_692));
}

#[test]
fn a_playout_goes_on_with_the_quiet_plies_that_it_inherits() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    for quiet in [98, 99, 100, 120] {
        // Two distant men cannot meet in two plies.
        let mut state = position("4o/5/5/5/x4 x");
        let limits = PlayoutLimits::new(Plies(50), Plies(quiet));
        let end = game().playout(&mut state, limits, &mut rng);
        let plies = Plies(100u32.saturating_sub(quiet));
        assert_eq!((end.plies, end.outcome, end.capped), (plies, Outcome::Draw, false));
    }
}

#[test]
fn bad_positions_are_named() {
    let named = |text: &str, part: &str| {
        let error = game().parse_position(text).expect_err(text).to_string();
        assert!(error.contains(part), "{error}");
    };
    named("5/5/5/5/x4 x", "o has just moved and has no men");
    named("5/5/5/5/5 o", "x has just moved and has no men");
    named("ooooo/ooooo/ooo2/5/x4 x", "13 o where 12 began");
    named("5/5/5/5 x", "rows, found 4");
    named("5/5/5/5/X4 z", "\"X\" at character 9");
}

#[test]
fn moves_that_no_path_has_are_refused() {
    // Every word of a step or of up to two jumps, closed or not, from any point or gap.
    for text in ["5/3o1/2o2/2x2/x4 x", "5/5/1x3/x1x2/oxo2 o", "5/5/5/2o2/1x3 x"] {
        let (state, mut legal) = (position(text), 0);
        let known: BTreeSet<Move> = moves_of(&state).into_iter().collect();
        for word in 0..1 << 13 {
            let m = Move::from_bits(word);
            assert_eq!(game().is_legal(&state, m), known.contains(&m), "{word:b} in {text}");
            assert_eq!(game().try_play(&mut state.clone(), m).is_ok(), known.contains(&m));
            legal += u32::from(known.contains(&m));
        }
        assert!(legal > 0, "{text}");
    }
    let start = game().start();
    for bad in ["", "c2", "c2-c4", "c2xc3", "c3-c2", "a1-a2", "c2-c3-c4", "f1-f2"] {
        assert!(game().parse_move(&start, bad).is_err(), "{bad:?}");
    }
}
