use std::collections::BTreeSet;

use proptest::prelude::*;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use treegauge_core::{
    Ending, Game, Keyed, Notation, Outcome, Played, Player, PlayoutLimits, Plies, Symmetric, perft,
};
use treegauge_testkit::{Laws, Oracle, laws, oracle};

use super::rules::{PIECES_MAX, SQUARES, row_and_column, square_at};
use super::{Checkers, Move, State};

fn game(kings: bool) -> Checkers {
    Checkers::new(kings, Plies(100), Plies(1_000))
}

/// The rules on a grid of characters, square by square.
struct Grid;

type Square = (i32, i32);

impl Grid {
    /// Rows from the first to the last, and the letter to move.
    fn read(position: &str) -> (Vec<Vec<char>>, char) {
        let (board, turn) = position.split_once(' ').unwrap();
        let rows = board.split('/').rev().map(|row| row.chars().collect()).collect();
        (rows, turn.chars().next().unwrap())
    }

    fn name((col, row): Square) -> String {
        format!("{}{}", char::from(b'a' + col as u8), row + 1)
    }

    fn square(name: &str) -> Square {
        (i32::from(name.as_bytes()[0] - b'a'), name[1..].parse::<i32>().unwrap() - 1)
    }

    fn at(cells: &[Vec<char>], (col, row): Square) -> Option<char> {
        let row = cells.get(usize::try_from(row).ok()?)?;
        row.get(usize::try_from(col).ok()?).copied()
    }

    /// The steps of a piece as columns and rows.
    fn directions(piece: char) -> Vec<(i32, i32)> {
        match piece {
            'x' => vec![(-1, 1), (1, 1)],
            'o' => vec![(-1, -1), (1, -1)],
            _ => vec![(-1, 1), (1, 1), (-1, -1), (1, -1)],
        }
    }

    /// All jumps of a piece to their ends, as lists of squares after the first.
    fn jumps(cells: &[Vec<char>], from: Square, piece: char) -> Vec<Vec<Square>> {
        let mut paths = Vec::new();
        for (right, up) in Grid::directions(piece) {
            let over = (from.0 + right, from.1 + up);
            let to = (from.0 + 2 * right, from.1 + 2 * up);
            let taken =
                Grid::at(cells, over).filter(|&c| c != '.' && !c.eq_ignore_ascii_case(&piece));
            if taken.is_none() || Grid::at(cells, to) != Some('.') {
                continue;
            }
            let mut after = cells.to_vec();
            after[over.1 as usize][over.0 as usize] = '.';
            let crowned = (piece == 'x' && to.1 == 7) || (piece == 'o' && to.1 == 0);
            let mut rests = if crowned { vec![] } else { Grid::jumps(&after, to, piece) };
            if rests.is_empty() {
                rests.push(vec![]);
            }
            paths.extend(rests.into_iter().map(|rest| [vec![to], rest].concat()));
        }
        paths
    }
}

impl Oracle for Grid {
    fn moves(&self, position: &str) -> Vec<String> {
        let (cells, turn) = Grid::read(position);
        let (mut steps, mut captures) = (Vec::new(), Vec::new());
        for from in (0..8).flat_map(|row| (0..8).map(move |col| (col, row))) {
            let piece = Grid::at(&cells, from).unwrap();
            if piece.to_ascii_lowercase() != turn {
                continue;
            }
            for (right, up) in Grid::directions(piece) {
                let to = (from.0 + right, from.1 + up);
                if Grid::at(&cells, to) == Some('.') {
                    steps.push(format!("{}-{}", Grid::name(from), Grid::name(to)));
                }
            }
            let mut lifted = cells.clone();
            lifted[from.1 as usize][from.0 as usize] = '.';
            for path in Grid::jumps(&lifted, from, piece) {
                let names: Vec<String> =
                    std::iter::once(from).chain(path).map(Grid::name).collect();
                captures.push(names.join("x"));
            }
        }
        if captures.is_empty() { steps } else { captures }
    }

    fn play(&self, position: &str, m: &str) -> String {
        let (mut cells, turn) = Grid::read(position);
        let path: Vec<Square> = m.split(['-', 'x']).map(Grid::square).collect();
        let mut put = |(col, row): Square, c: char| {
            std::mem::replace(&mut cells[row as usize][col as usize], c)
        };
        let mut piece = put(path[0], '.');
        for pair in path.windows(2) {
            // The square between the two, or the one that was left.
            put(((pair[0].0 + pair[1].0) / 2, pair[0].1.midpoint(pair[1].1)), '.');
            put(pair[0], '.');
        }
        let last = path[path.len() - 1];
        if last.1 == if turn == 'x' { 7 } else { 0 } {
            piece = piece.to_ascii_uppercase();
        }
        put(last, piece);
        let rows: Vec<String> = cells.iter().rev().map(|row| row.iter().collect()).collect();
        format!("{} {}", rows.join("/"), if turn == 'x' { 'o' } else { 'x' })
    }

    fn outcome(&self, position: &str) -> Option<Outcome> {
        let (_, turn) = Grid::read(position);
        let lost = if turn == 'x' { Outcome::SecondWins } else { Outcome::FirstWins };
        self.moves(position).is_empty().then_some(lost)
    }
}

fn all_laws(game: &Checkers, laws: Laws) {
    laws::check(game, laws);
    laws::keyed(game, laws);
    laws::symmetric(game, laws);
}

#[test]
fn the_usual_and_the_broken_game_keep_the_laws() {
    for kings in [false, true] {
        all_laws(&game(kings), Laws::default());
    }
    assert_eq!([game(false).symmetry_count(), game(true).symmetry_count()], [1, 4]);
}

#[test]
fn perft_from_the_start() {
    let counts = |kings, depth| perft(&game(kings), &game(kings).start(), depth);
    assert_eq!(counts(false, 8), [7, 49, 302, 1_469, 7_361, 36_768, 179_740, 845_931]);
    assert_eq!(counts(true, 5), [7, 49, 340, 1_983, 12_914]);
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
fn captures_are_compulsory_and_go_on() {
    let text = "8/8/5o2/8/3o4/2x5/1x6/8 x";
    assert_eq!(texts_of(text), "c3xe5xg7");
    assert_eq!(
        played(text, "c3xe5xg7"),
        "......../......x./......../......../......../......../.x....../........ o"
    );
    // A man does not capture backwards; a king does.
    assert_eq!(texts_of("8/8/8/8/8/2x5/1o6/8 x"), "c3-b4 c3-d4");
    assert_eq!(texts_of("8/8/8/8/1X6/2o5/8/8 x"), "b4xd2");
}

#[test]
fn becoming_a_king_ends_the_move() {
    let text = "8/2o1o3/1x6/8/8/8/8/8 x";
    assert_eq!(texts_of(text), "b6xd8");
    assert_eq!(
        played(text, "b6xd8"),
        "...X..../....o.../......../......../......../......../......../........ o"
    );
    assert_eq!(texts_of("3X4/4o3/8/8/8/8/8/8 x"), "d8xf6");
}

#[test]
fn a_king_captures_in_a_circle_both_ways_round() {
    let text = "8/8/8/8/3o1o2/2X5/3o1o2/8 x";
    assert_eq!(texts_of(text), "c3xe5xg3xe1xc3 c3xe1xg3xe5xc3");
    let after = played(text, "c3xe5xg3xe1xc3");
    assert_eq!(after, "......../......../......../......../......../..X...../......../........ o");
    assert_eq!(game(false).outcome(&position(&after)), Some(Outcome::FirstWins));
}

/// The longest path and the most paths that a king can have, over all squares and all sets of
/// men on those that can be jumped over from it. (Kings on squares of the other rows see the same
/// board turned by half.)
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
fn who_cannot_move_loses() {
    let outcome = |text: &str| game(false).outcome(&position(text));
    assert_eq!(outcome("8/8/8/2o5/1o6/x7/8/8 x"), Some(Outcome::SecondWins));
    assert_eq!(outcome("8/8/8/2o5/1o6/x7/8/8 o"), None);
    assert_eq!(outcome("8/8/8/8/8/x7/8/8 o"), Some(Outcome::FirstWins));
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
fn only_steps_of_kings_count_towards_the_draw() {
    let game = Checkers::new(false, Plies(3), Plies(1_000));
    let mut played = Played::from_state(position("1X6/8/8/8/8/8/1x6/6O1 x"));
    let line = [("b8-c7", 1), ("g1-h2", 2), ("b2-c3", 0), ("h2-g1", 1), ("c7-d6", 2), ("g1-f2", 3)];
    for (text, quiet) in line {
        assert_eq!(played.ended(&game), None, "before {text}");
        let m = game.parse_move(played.state(), text).unwrap();
        played.try_play(&game, m).unwrap();
        assert_eq!(played.quiet(), Plies(quiet), "after {text}");
    }
    let end = played.ended(&game).map(|end| (end.by, end.outcome));
    assert_eq!(end, Some((Ending::DrawPlies, Outcome::Draw)));
    // A capture begins the count anew.
    let mut played = Played::from_state(position("8/8/8/8/3O4/8/8/X7 x"));
    for (text, quiet) in [("a1-b2", 1), ("d4-c3", 2), ("b2xd4", 0)] {
        let m = game.parse_move(played.state(), text).unwrap();
        played.try_play(&game, m).unwrap();
        assert_eq!(played.quiet(), Plies(quiet), "after {text}");
    }
}

#[test]
fn the_third_occurrence_of_a_position_is_a_draw() {
    let game = game(false);
    let mut played = Played::from_state(position("1X6/8/8/8/8/8/8/6O1 x"));
    for text in ["b8-c7", "g1-h2", "c7-b8", "h2-g1"].repeat(2) {
        assert_eq!(played.ended(&game), None, "before {text}");
        let m = game.parse_move(played.state(), text).unwrap();
        played.try_play(&game, m).unwrap();
    }
    let end = played.ended(&game).map(|end| (end.by, end.outcome));
    assert_eq!(end, Some((Ending::Repetition, Outcome::Draw)));
}

#[test]
fn a_playout_goes_on_with_the_quiet_plies_that_it_inherits() {
    let game = game(true);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    // Two kings that are far apart cannot meet in three plies.
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
    named(false, "8/8/8/8/8/8/8 x", "the number of rows is 7");
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn it_follows_the_grid(kings: bool, seed: u64) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        oracle::agree(&game(kings), &Grid, 2, &mut rng);
    }

    #[test]
    fn any_limit_keeps_the_laws(kings: bool, draw_plies in 10u32..60, seed: u64) {
        let laws = Laws { games: 4, playouts: 200, seed };
        all_laws(&Checkers::new(kings, Plies(draw_plies), Plies(1_000)), laws);
    }

    #[test]
    fn the_end_of_a_playout_is_a_position_of_the_grid(kings: bool, seed: u64, cap in 0u32..150) {
        let game = game(kings);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut state = game.start();
        let limits = PlayoutLimits::new(Plies(cap), Plies(0));
        let end = game.playout(&mut state, limits, &mut rng);
        let text = game.position_text(&state);
        prop_assert_eq!(game.parse_position(&text), Ok(state));
        prop_assert_eq!(game.unkey(game.key(&state)), state);
        prop_assert_eq!(game.turn(&state) == Player::First, end.plies.0.is_multiple_of(2));
        let over = Grid.outcome(&text);
        prop_assert_eq!(over.unwrap_or(Outcome::Draw), end.outcome);
        prop_assert!(!end.capped || (over.is_none() && end.plies.0 == cap));
        if end.capped {
            let rest = game.playout(&mut state, PlayoutLimits::of(&game), &mut rng);
            let over = Grid.outcome(&game.position_text(&state));
            prop_assert_eq!(over.unwrap_or(Outcome::Draw), rest.outcome);
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[ -~ü/xoXO.0-9]{0,60}") {
        laws::parsers_stand(&game(false), &text);
    }

    #[test]
    fn any_text_like_a_position_is_read_or_refused(
        text in "(([xoXO.]\\.){4}/(\\.[xoXO.]){4}/){3}([.XO]\\.){4}/(\\.[.XO]){4} [xo]"
    ) {
        // The first line of a text is row 8, whose dark squares are the other ones.
        let (board, turn) = text.split_once(' ').unwrap();
        let rows: Vec<String> = board.split('/').map(|row| row.chars().rev().collect()).collect();
        let mirrored = format!("{} {turn}", rows.join("/"));
        for kings in [false, true] {
            laws::parsers_stand(&game(kings), &mirrored);
        }
    }

    #[test]
    fn any_few_pieces_are_a_position(
        pieces in prop::collection::btree_map(0usize..32, 0usize..4, 1..12), second: bool, seed: u64
    ) {
        let mut cells = vec!['.'; 64];
        for (n, kind) in pieces {
            let row = n / 4;
            cells[8 * row + 2 * (n % 4) + row % 2] = if row % 7 == 0 {
                ['X', 'O'][kind % 2]
            } else {
                ['x', 'o', 'X', 'O'][kind]
            };
        }
        let rows: Vec<String> = cells.chunks(8).rev().map(|row| row.iter().collect()).collect();
        let text = format!("{} {}", rows.join("/"), if second { 'o' } else { 'x' });
        let game = game(false);
        let last = if second { 'x' } else { 'o' };
        let read = game.parse_position(&text);
        prop_assert_eq!(read.is_ok(), text[..71].to_lowercase().contains(last), "{}", text);
        if let Ok(mut state) = read {
            prop_assert_eq!(game.position_text(&state), text.clone());
            prop_assert_eq!(game.outcome(&state), Grid.outcome(&text));
            if game.outcome(&state).is_none() {
                let mut texts: Vec<String> =
                    moves_of(&state).into_iter().map(|m| game.move_text(&state, m)).collect();
                let mut expected = Grid.moves(&text);
                texts.sort_unstable();
                expected.sort_unstable();
                prop_assert_eq!(texts, expected);
            }
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let end = game.playout(&mut state, PlayoutLimits::of(&game), &mut rng);
            let over = Grid.outcome(&game.position_text(&state));
            prop_assert_eq!(over.unwrap_or(Outcome::Draw), end.outcome);
        }
    }
}
