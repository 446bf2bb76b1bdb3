use std::collections::BTreeSet;

use proptest::prelude::*;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use treegauge_core::{
    Ending, Game, Keyed, Notation, Outcome, Played, Player, PlayoutLimits, Plies, Symmetric, perft,
};
use treegauge_testkit::{Laws, Oracle, laws, oracle};

use super::rules::{POINTS, lines_from, point_at};
use super::{Alquerque, Move, State};

fn game() -> Alquerque {
    Alquerque::new(Plies(100), Plies(1_000))
}

/// The rules on a grid of characters, point by point.
struct Grid;

type Point = (i32, i32);

impl Grid {
    /// Rows from the first to the last, and the letter to move.
    fn read(position: &str) -> (Vec<Vec<char>>, char) {
        let (board, turn) = position.split_once(' ').unwrap();
        let rows = board.split('/').rev().map(|row| row.chars().collect()).collect();
        (rows, turn.chars().next().unwrap())
    }

    /// Column and row from 1, so that a diagonal point is one with an even sum.
    fn name((col, row): Point) -> String {
        format!("{}{row}", ["", "a", "b", "c", "d", "e"][col as usize])
    }

    fn at(cells: &[Vec<char>], (col, row): Point) -> Option<char> {
        let row = cells.get(usize::try_from(row - 1).ok()?)?;
        row.get(usize::try_from(col - 1).ok()?).copied()
    }

    fn put(cells: &mut [Vec<char>], (col, row): Point, c: char) {
        cells[row as usize - 1][col as usize - 1] = c;
    }

    fn directions((col, row): Point) -> Vec<(i32, i32)> {
        let mut directions = vec![(1, 0), (0, 1), (-1, 0), (0, -1)];
        if (col + row) % 2 == 0 {
            directions.extend([(1, 1), (-1, 1), (-1, -1), (1, -1)]);
        }
        directions
    }

    /// All captures of a man to their ends, written.
    fn captures(cells: &[Vec<char>], from: Point, enemy: char) -> Vec<String> {
        let mut found = Vec::new();
        for (right, up) in Grid::directions(from) {
            let over = (from.0 + right, from.1 + up);
            let to = (over.0 + right, over.1 + up);
            if Grid::at(cells, over) == Some(enemy) && Grid::at(cells, to) == Some('.') {
                let mut after = cells.to_vec();
                Grid::put(&mut after, over, '.');
                let rests = Grid::captures(&after, to, enemy);
                let rests = if rests.is_empty() { vec![Grid::name(to)] } else { rests };
                found.extend(rests.iter().map(|rest| format!("{}x{rest}", Grid::name(from))));
            }
        }
        found
    }
}

impl Oracle for Grid {
    fn moves(&self, position: &str) -> Vec<String> {
        let (cells, turn) = Grid::read(position);
        let (mut steps, mut captures) = (Vec::new(), Vec::new());
        for from in (1..=5).flat_map(|row| (1..=5).map(move |col| (col, row))) {
            if Grid::at(&cells, from) != Some(turn) {
                continue;
            }
            for (right, up) in Grid::directions(from) {
                let to = (from.0 + right, from.1 + up);
                if Grid::at(&cells, to) == Some('.') {
                    steps.push(format!("{}-{}", Grid::name(from), Grid::name(to)));
                }
            }
            let mut lifted = cells.clone();
            Grid::put(&mut lifted, from, '.');
            captures.extend(Grid::captures(&lifted, from, if turn == 'x' { 'o' } else { 'x' }));
        }
        if captures.is_empty() { steps } else { captures }
    }

    fn play(&self, position: &str, m: &str) -> String {
        let (mut cells, turn) = Grid::read(position);
        let point = |name: &str| {
            let (col, row) = (name.as_bytes()[0] - b'a' + 1, name.as_bytes()[1] - b'0');
            (i32::from(col), i32::from(row))
        };
        let path: Vec<Point> = m.split(['-', 'x']).map(point).collect();
        for pair in path.windows(2) {
            Grid::put(&mut cells, pair[0], '.');
            if m.contains('x') {
                let over = (pair[0].0.midpoint(pair[1].0), pair[0].1.midpoint(pair[1].1));
                Grid::put(&mut cells, over, '.');
            }
        }
        Grid::put(&mut cells, path[path.len() - 1], turn);
        let rows: Vec<String> = cells.iter().rev().map(|row| row.iter().collect()).collect();
        format!("{} {}", rows.join("/"), if turn == 'x' { 'o' } else { 'x' })
    }

    fn outcome(&self, position: &str) -> Option<Outcome> {
        let (_, turn) = Grid::read(position);
        let lost = if turn == 'x' { Outcome::SecondWins } else { Outcome::FirstWins };
        self.moves(position).is_empty().then_some(lost)
    }
}

fn all_laws(game: &Alquerque, laws: Laws) {
    laws::check(game, laws);
    laws::keyed(game, laws);
    laws::symmetric(game, laws);
}

#[test]
fn the_game_keeps_the_laws() {
    all_laws(&game(), Laws::default());
    assert_eq!(game().symmetry_count(), 8);
}

#[test]
fn perft_from_the_start() {
    let counts = perft(&game(), &game().start(), 9);
    assert_eq!(counts, [4, 5, 6, 12, 29, 109, 541, 2_730, 14_375]);
}

#[test]
fn the_board_has_the_lines_of_the_drawing() {
    let points: Vec<u32> = (0..32).filter(|point| POINTS >> point & 1 == 1).collect();
    assert_eq!(points.len(), 25);
    // 40 along rows and columns and 16 on diagonals, each seen from both ends.
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
fn the_centre_is_entered_first() {
    let start = game().position_text(&game().start());
    assert_eq!(start, "ooooo/ooooo/oo.xx/xxxxx/xxxxx x");
    assert_eq!(texts_of(&start), "c2-c3 d3-c3 b2-c3 d2-c3");
}

#[test]
fn captures_are_compulsory_and_go_on() {
    assert_eq!(texts_of("5/3o1/2o2/2x2/x4 x"), "c2xc4xe4");
    assert_eq!(played("5/3o1/2o2/2x2/x4 x", "c2xc4xe4"), "...../....x/...../...../x.... o");
    // A man on b1, where no diagonal is, does not capture along one.
    assert_eq!(texts_of("5/5/5/2o2/1x3 x"), "b1-c1 b1-b2 b1-a1");
    assert_eq!(texts_of("5/5/5/1o3/x4 x"), "a1xc3");
}

#[test]
fn the_point_that_a_capture_starts_from_counts_as_empty() {
    let text = "5/5/1o3/o1o2/xo3 x";
    assert_eq!(texts_of(text), "a1xc1xc3xa3xa1 a1xa3xc3xc1xa1");
    let after = played(text, "a1xa3xc3xc1xa1");
    assert_eq!(after, "...../...../...../...../x.... o");
    assert_eq!(game().outcome(&position(&after)), Some(Outcome::FirstWins));
}

/// The longest path and the most paths of one man, over the three points that symmetry leaves of
/// those from which most is reached, and all sets of twelve men on the points between.
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
fn who_cannot_move_loses() {
    let outcome = |text: &str| game().outcome(&position(text));
    assert_eq!(outcome("5/5/oo3/oo3/xoo2 x"), None);
    assert_eq!(outcome("5/5/o1o2/oo3/xoo2 x"), Some(Outcome::SecondWins));
    assert_eq!(outcome("5/5/o1o2/oo3/xoo2 o"), None);
    assert_eq!(outcome("5/5/5/5/xx3 o"), Some(Outcome::FirstWins));
}

#[test]
fn a_limit_of_plies_without_a_capture_is_a_draw() {
    let game = Alquerque::new(Plies(3), Plies(1_000));
    let mut played = Played::from_state(position("4o/5/3oo/5/xx3 x"));
    let line = [("b1-c1", 1), ("d3-c3", 2), ("c1-c2", 3)];
    for (text, quiet) in line {
        assert_eq!(played.ended(&game), None, "before {text}");
        let m = game.parse_move(played.state(), text).unwrap();
        played.try_play(&game, m).unwrap();
        assert_eq!(played.quiet(), Plies(quiet), "after {text}");
    }
    let end = played.ended(&game).map(|end| (end.by, end.outcome));
    assert_eq!(end, Some((Ending::DrawPlies, Outcome::Draw)));
    // A capture begins the count anew.
    let mut played = Played::from_state(position("4o/5/2o2/5/1x3 x"));
    for (text, quiet) in [("b1-b2", 1), ("c3xa1", 0)] {
        let m = game.parse_move(played.state(), text).unwrap();
        played.try_play(&game, m).unwrap();
        assert_eq!(played.quiet(), Plies(quiet), "after {text}");
    }
}

#[test]
fn the_third_occurrence_of_a_position_is_a_draw() {
    let game = game();
    let mut played = Played::from_state(position("4o/5/5/5/x4 x"));
    for text in ["a1-a2", "e5-e4", "a2-a1", "e4-e5"].repeat(2) {
        assert_eq!(played.ended(&game), None, "before {text}");
        let m = game.parse_move(played.state(), text).unwrap();
        played.try_play(&game, m).unwrap();
    }
    let end = played.ended(&game).map(|end| (end.by, end.outcome));
    assert_eq!(end, Some((Ending::Repetition, Outcome::Draw)));
}

#[test]
fn a_playout_goes_on_with_the_quiet_plies_that_it_inherits() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    for quiet in [98, 99, 100, 120] {
        // Two men that are far apart cannot meet in two plies.
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
    named("5/5/5/5 x", "the number of rows is 4");
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn it_follows_the_grid(seed: u64) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        oracle::agree(&game(), &Grid, 3, &mut rng);
    }

    #[test]
    fn any_limit_keeps_the_laws(draw_plies in 10u32..60, seed: u64) {
        let laws = Laws { games: 4, playouts: 200, seed };
        all_laws(&Alquerque::new(Plies(draw_plies), Plies(1_000)), laws);
    }

    #[test]
    fn the_end_of_a_playout_is_a_position_of_the_grid(seed: u64, cap in 0u32..80) {
        let game = game();
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
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[ -~ü/xo.0-9]{0,40}") {
        laws::parsers_stand(&game(), &text);
    }

    #[test]
    fn any_men_are_a_position(cells in "([xo.]{5}/){4}[xo.]{5} [xo]", seed: u64) {
        laws::parsers_stand(&game(), &cells);
        if let Ok(mut state) = game().parse_position(&cells) {
            prop_assert_eq!(game().outcome(&state), Grid.outcome(&cells));
            if game().outcome(&state).is_none() {
                let mut texts: Vec<String> =
                    moves_of(&state).into_iter().map(|m| game().move_text(&state, m)).collect();
                let mut expected = Grid.moves(&cells);
                texts.sort_unstable();
                expected.sort_unstable();
                prop_assert_eq!(texts, expected);
                prop_assert_eq!(game().move_count(&state) as usize, moves_of(&state).len());
            }
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let end = game().playout(&mut state, PlayoutLimits::of(&game()), &mut rng);
            let over = Grid.outcome(&game().position_text(&state));
            prop_assert_eq!(over.unwrap_or(Outcome::Draw), end.outcome);
        }
    }
}
