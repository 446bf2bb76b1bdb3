use std::collections::BTreeSet;

use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use treegauge_core::{Game, Keyed, Notation, Outcome, Player, PlayoutLimits, Plies, Symmetric};

use super::rules::{PIECES_MAX, SQUARES, row_and_column, square_at};
use super::{Checkers, Move, State};

fn game(kings: bool) -> Checkers {
    Checkers::new(kings, Plies(100), Plies(1_000))
}

fn position(text: &str) -> State {
    game(false).parse_position(text).unwrap_or_else(|error| panic!("{error}"))
}

fn moves_of(state: &State) -> Vec<Move> {
    let mut moves = Vec::new();
    game(false).moves_into(state, &mut moves);
    moves
}

fn texts_of(text: &str) -> String {
    let state = position(text);
    let texts: Vec<String> =
        moves_of(&state).into_iter().map(|m| game(false).move_text(&state, m)).collect();
    texts.join(" ")
}

fn played(text: &str, m: &str) -> String {
    let mut state = position(text);
    let m = game(false).parse_move(&state, m).unwrap();
    game(false).try_play(&mut state, m).unwrap();
    game(false).position_text(&state)
}

#[test]
fn a_game_of_kings_looks_the_same_from_both_sides() {
    assert_eq!([game(false).symmetry_count(), game(true).symmetry_count()], [1, 4]);
}

#[test]
fn squares_lie_where_the_drawing_of_the_bits_has_them() {
    let named = |text: &str| {
        square_at(u32::from(text.as_bytes()[1] - b'1'), u32::from(text.as_bytes()[0] - b'a'))
    };
    assert_eq!(
        ["a1", "g1", "b2", "c3", "d4", "h4", "a7", "h8"].map(named),
        [0, 3, 5, 10, 15, 17, 27, 35]
    );
    let squares: Vec<u32> = (0..64).filter(|s| SQUARES >> s & 1 == 1).collect();
    assert_eq!(squares.len(), 32);
    for square in squares {
        let (row, col) = row_and_column(square);
        assert!(row < 8 && col < 8 && (row + col) % 2 == 0, "{square}");
        assert_eq!(square_at(row, col), square);
    }
}

#[test]
fn a_king_captures_in_a_circle_both_ways_round() {
    let text = "8/8/8/8/3o1o2/2X5/3o1o2/8 x";
    assert_eq!(texts_of(text), "c3xe5xg3xe1xc3 c3xe1xg3xe5xc3");
    let after = played(text, "c3xe5xg3xe1xc3");
    assert_eq!(after, "......../......../......../......../......../..X...../......../........ o");
    assert_eq!(game(false).outcome(&position(&after)), Some(Outcome::FirstWins));
}

/// Finds the longest path and the most paths of a king, over all squares and all sets of men that
/// can be jumped over from it. (For kings on squares of the other rows the board is the same,
/// rotated by half a turn.)
#[test]
fn a_capture_has_at_most_nine_jumps_and_a_piece_sixteen_captures() {
    let over: Vec<u32> =
        [1, 3, 5].into_iter().flat_map(|row| [1, 3, 5].map(|col| square_at(row, col))).collect();
    let (mut longest, mut most) = (0, 0);
    for from in
        (0..8).step_by(2).flat_map(|row| (0..8).step_by(2).map(move |col| square_at(row, col)))
    {
        for set in 0u32..1 << over.len() {
            let men = over.iter().enumerate().filter(|(n, _)| set >> n & 1 == 1);
            let men = men.fold(0, |men, (_, square)| men | 1u64 << square);
            let king = 1u64 << from;
            let state = State { pieces: [king, men], kings: king, turn: Player::First };
            let captures = moves_of(&state).into_iter().filter(|m| m.jumps());
            let lengths: Vec<usize> = captures.map(|m| m.directions().count()).collect();
            longest = longest.max(lengths.iter().copied().max().unwrap_or(0));
            most = most.max(lengths.len());
        }
    }
    assert_eq!((longest, most), (9, 16));
}

#[test]
fn moves_are_read_as_squares_and_as_numbers() {
    let game = game(false);
    let same = |text: &str, numbers: &str, squares: &str| {
        let state = position(text);
        let m = game.parse_move(&state, numbers).unwrap();
        assert_eq!(game.parse_move(&state, squares), Ok(m));
        assert_eq!(game.move_text(&state, m), squares);
    };
    let start = game.position_text(&game.start());
    same(&start, "11-15", "c3-d4");
    same(&start, "9-13", "g3-h4");
    same(&start.replace(" x", " o"), "21-17", "h6-g5");
    same("8/8/5o2/8/3o4/2x5/8/8 x", "11x18x25", "c3xe5xg7");
    same("1X5O/8/8/8/8/8/8/6X1 x", "32-27", "b8-c7");
    same("1X5O/8/8/8/8/8/8/6X1 x", "1-5", "g1-h2");
    for bad in ["", "11", "11-16x", "c3", "c3-d4-e5", "c3xd4", "11x15", "d4-c3", "0-1", "33-29"] {
        assert!(game.parse_move(&game.start(), bad).is_err(), "{bad:?}");
    }
}

#[test]
fn a_playout_goes_on_with_the_quiet_plies_that_it_inherits() {
    let game = game(true);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    // Two distant kings cannot meet in three plies.
    let start = game.parse_position("7O/8/8/8/8/8/8/X7 x").unwrap();
    for quiet in [97, 99, 100, 120] {
        let mut state = start;
        let limits = PlayoutLimits::new(Plies(50), Plies(quiet));
        let end = game.playout(&mut state, limits, &mut rng);
        let plies = Plies(100u32.saturating_sub(quiet));
        assert_eq!((end.plies, end.outcome, end.capped), (plies, Outcome::Draw, false));
    }
}

#[test]
fn bad_positions_are_named() {
    let named = |kings: bool, text: &str, part: &str| {
        let error = game(kings).parse_position(text).expect_err(text).to_string();
        assert!(error.contains(part), "{error}");
    };
    named(false, "8/8/8/8/8/8/8/1x6 x", "x is on the light square b1");
    named(false, "8/8/8/8/8/8/8/x7 x", "o has just moved and has no pieces");
    named(false, "1x6/8/8/8/8/8/8/O7 x", "a man of x is on the last row");
    named(false, "1X6/8/8/8/8/8/8/o7 x", "a man of o is on the last row");
    named(true, "1X6/8/8/8/1o6/8/8/8 x", "o has a man in a game of kings");
    let many = "1O1O1O1O/o1o1o1o1/1o1o1o1o/o1o1o1o1/8/8/8/X7 x";
    named(false, many, "16 o where 12 began");
    named(false, "8/8/8/8/8/8/8 x", "rows, found 7");
    named(false, "8/8/8/8/8/8/8/k7 z", "\"k\" at character 15");
    assert_eq!(PIECES_MAX, 12);
}

#[test]
fn moves_that_no_path_has_are_refused() {
    let game = game(false);
    // Every word of a step or of up to two jumps, closed or not, from any square or gap.
    let known = |state: &State| -> BTreeSet<Move> { moves_of(state).into_iter().collect() };
    for text in [
        "8/8/8/8/8/2x5/5o2/8 x",
        "8/8/5o2/8/3o4/2x5/1x6/8 x",
        "8/8/5o2/8/3o1o2/2X5/3o4/8 x",
        "8/2o1o3/1x6/8/8/8/8/8 x",
        "8/8/5o2/4x3/8/2x5/8/8 o",
    ] {
        let (state, mut legal) = (position(text), 0);
        for word in 0..1 << 13 {
            let m = Move::from_bits(word);
            let is_known = known(&state).contains(&m);
            assert_eq!(game.is_legal(&state, m), is_known, "{word:b} in {text}");
            assert_eq!(game.try_play(&mut state.clone(), m).is_ok(), is_known);
            legal += u32::from(is_known);
        }
        assert!(legal > 0, "{text}");
    }
}

#[test]
fn the_turn_is_in_the_key() {
    for (text, kings) in [
        ("8/8/8/8/3o1o2/2X5/3o1o2/8 x", 1 << 9),
        ("8/8/8/8/3o1o2/2X5/3o1o2/8 o", !(1 << 13 | 1 << 14 | 1 << 5 | 1 << 6)),
    ] {
        let (game, state) = (game(false), position(text));
        assert_eq!(game.key(&state), [1 << 9, 1 << 13 | 1 << 14 | 1 << 5 | 1 << 6, kings]);
        assert_eq!(game.unkey(game.key(&state)), state);
    }
}
