use std::collections::BTreeSet;

use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use treegauge_core::{Game, Notation, Outcome, PlayoutLimits, Plies, Symmetric, perft};

use super::{Move, NineMensMorris, State};

fn standard() -> NineMensMorris {
    NineMensMorris::new(Plies(100), Plies(1_000))
}

fn first_mill() -> NineMensMorris {
    standard().with_first_mill_winning()
}

/// Lines of the board by the names of their points, in order along the line.
const LINES: [&str; 16] = [
    "a7 d7 g7", "b6 d6 f6", "c5 d5 e5", "a4 b4 c4", "e4 f4 g4", "c3 d3 e3", "b2 d2 f2", "a1 d1 g1",
    "a7 a4 a1", "b6 b4 b2", "c5 c4 c3", "d7 d6 d5", "d3 d2 d1", "e5 e4 e3", "f6 f4 f2", "g7 g4 g1",
];

#[test]
fn the_fifth_ply_may_remove_a_man() {
    // Ply 5 closes a mill when the first player's three men are on one of the 16, in any order;
    // then there is a second removal to choose. The two other men are on any of the other points.
    let (sequences, closing) = (24 * 23 * 22 * 21 * 20, 16 * 6 * 21 * 20);
    let fifth = |game: &NineMensMorris| perft(game, &game.start(), 5)[4];
    assert_eq!(fifth(&standard()), sequences + closing);
    assert_eq!(fifth(&first_mill()), sequences);
}

/// Text of a position from the points of the men.
fn with_men(x: &str, o: &str, turn: char, to_place: u32) -> String {
    let mut rows: Vec<Vec<u8>> = EMPTY.split('/').map(|row| row.as_bytes().to_vec()).collect();
    for (points, letter) in [(x, b'x'), (o, b'o')] {
        for point in points.split(' ').map(str::as_bytes) {
            let cell = &mut rows[usize::from(b'7' - point[1])][usize::from(point[0] - b'a')];
            assert_eq!(std::mem::replace(cell, letter), b'.', "{point:?}");
        }
    }
    format!("{} {turn} {to_place}", String::from_utf8(rows.join(&b'/')).unwrap())
}

const EMPTY: &str = ".--.--./-.-.-.-/--...--/...-.../--...--/-.-.-.-/.--.--.";

fn position(game: &NineMensMorris, text: &str) -> State {
    game.parse_position(text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn two_mills_at_once_remove_one_man() {
    let game = standard();
    let mut state = position(&game, &with_men("b2 f2 d1 d3", "a7 g7 a4 g4", 'x', 10));
    let m = game.parse_move(&state, "d2xa7").unwrap();
    game.play(&mut state, m);
    assert_eq!(game.position_text(&state), with_men("b2 f2 d1 d3 d2", "g7 a4 g4", 'o', 9));
}

#[test]
fn a_playout_ends_by_the_quiet_plies_it_inherits() {
    let game = standard();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
    let start = position(&game, &with_men("a1 a4 g1", "g7 d7 c5", 'x', 0));
    for _ in 0..50 {
        let mut state = start;
        let limits = PlayoutLimits::new(Plies(50), Plies(97));
        let end = game.playout(&mut state, limits, &mut rng);
        // Neither player can be stuck or close two mills within three plies.
        let removed = state.men.iter().any(|men| men.count_ones() < 3);
        let expected = if removed { None } else { Some(Outcome::Draw) };
        assert!(expected.is_none_or(|draw| draw == end.outcome), "{end:?}");
        assert!(removed || end.plies == Plies(3), "{end:?}");
        assert!(!end.capped);
    }
}

#[test]
fn who_is_stuck_at_the_limit_has_lost() {
    // One of the second player's moves, b4-a4, shuts the first player in.
    let game = NineMensMorris::new(Plies(1), Plies(1_000));
    let text = with_men("a1 d1 g1", "b4 d2 g4 c4", 'o', 0);
    let start = position(&game, &text);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut outcomes = [0; 2];
    for _ in 0..400 {
        for cap in [1, 2] {
            let mut state = start;
            let limits = PlayoutLimits::new(Plies(cap), Plies(0));
            let end = game.playout(&mut state, limits, &mut rng);
            let rules = game.outcome(&state);
            assert_eq!(end.outcome, rules.unwrap_or(Outcome::Draw));
            outcomes[usize::from(rules.is_some())] += 1;
        }
    }
    assert!(outcomes.iter().all(|&n| n > 0), "{outcomes:?}");
}

#[test]
fn sixteen_symmetries_keep_the_lines() {
    let game = standard();
    let images = |line: &str| {
        let off_it: Vec<&str> =
            ["a7", "b6", "c5"].into_iter().filter(|point| !line.contains(point)).collect();
        let state = position(&game, &with_men(line, &off_it[..2].join(" "), 'o', 13));
        (0..game.symmetry_count()).map(|n| game.map_state(n, &state).men[0]).collect::<Vec<_>>()
    };
    let lines: BTreeSet<u32> = LINES.iter().map(|line| images(line)[0]).collect();
    assert_eq!((lines.len(), game.symmetry_count()), (16, 16));
    for line in LINES {
        assert!(images(line).iter().all(|image| lines.contains(image)), "{line}");
    }
}

#[test]
fn bad_positions_are_named() {
    let named = |game: &NineMensMorris, text: &str, part: &str| {
        let error = game.parse_position(text).expect_err(text).to_string();
        assert!(error.contains(part), "{error}");
    };
    let game = standard();
    named(&game, "7/7/7/7/7/7/7 o 18", "o is not to move with 18 men to place");
    named(&game, "7/7/7/3x3/7/7/-6 x 0", "a1 is a point; d4 is not a point");
    named(&game, "7/7/7/7/7/7/x2x2x x 16", "x has 3 men on the board with 1 placed");
    named(&game, "7/7/7/7/7/7/x2x2x x 0", "o has fewer than three men and is not to move");
    named(&game, "7/7/7/7/7/7/8 y 19", "in row 1, found 8");
    named(
        &game,
        "7/7/7/7/7/7/7 x 19",
        "\"19\" at character 17: expected the number of men to place",
    );
    named(&game, "", "the number of men to place is missing");
    let game = first_mill();
    named(&game, "7/7/7/7/7/7/x2x3 x 14", "o has 0 men on the board with 2 placed");
    named(&game, &with_men("a1 d1 g1", "a7 g7 d6", 'x', 12), "x has a mill and is to move");
    let two = with_men("a1 d1 g1 b2 d2 f2", "a7 g7 a4 g4 d7", 'o', 7);
    named(&game, &two, "x has mills that no single man can have made");
    assert!(game.parse_position(&with_men("a1 d1 g1 a4 a7", "d7 g7 g4 d6", 'o', 9)).is_ok());
    let start = game.parse_position("7/7/7/7/7/7/7 x 18");
    assert_eq!(start, Ok(game.start()), "a number stands for any part of a row without men");
}

#[test]
fn moves_that_no_board_has_are_refused() {
    let game = standard();
    let moving = position(&game, &with_men("a1 g1 d2", "a7 d7 g7 f4 c3", 'x', 0));
    for a in 0..32 {
        for b in 0..32 {
            for removed in 0..32 {
                let m = Move::new(a, b, removed);
                for mut state in [game.start(), moving] {
                    let mut moves = Vec::new();
                    game.moves_into(&state, &mut moves);
                    assert_eq!(game.try_play(&mut state, m).is_ok(), moves.contains(&m), "{m:?}");
                }
            }
        }
    }
    for bad in ["", "a", "a0", "b1", "d4", "a1-d1", "d1xd7", "a1a1"] {
        assert!(game.parse_move(&game.start(), bad).is_err(), "{bad:?}");
    }
}

#[test]
fn the_drawing_has_the_lines_of_the_board() {
    let game = standard();
    let drawn = game.board_text(&position(&game, &with_men("d2 d3", "a7 g7", 'x', 14)));
    assert_eq!(
        drawn,
        "\
7  o-----.-----o
6  | .---.---. |
5  | | .-.-. | |
4  .-.-.   .-.-.
3  | | .-x-. | |
2  | .---x---. |
1  .-----.-----.
   a b c d e f g
14 to place
"
    );
}
