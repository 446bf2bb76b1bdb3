use proptest::prelude::*;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use treegauge_core::{Game, Notation, Outcome, Player, PlayoutLimits, Plies, perft};
use treegauge_testkit::{Oracle, oracle};

use super::{Dipole, Move, Setup, State};

const STANDARD: Setup = Setup { pass: false, forward_captures_only: false, inverted: false };

/// All eight settings of the parameters.
fn setups() -> impl Iterator<Item = Setup> {
    (0..8).map(|bits: u32| Setup {
        pass: bits & 1 != 0,
        forward_captures_only: bits & 2 != 0,
        inverted: bits & 4 != 0,
    })
}

fn game(setup: Setup) -> Dipole {
    Dipole::new(setup, Plies(1_000))
}

/// Slow rules on a grid of characters, square by square.
struct Grid(Setup);

type Square = (i32, i32);

impl Grid {
    /// Rows from the first to the last, and the letter of the player to move.
    fn read(position: &str) -> (Vec<Vec<char>>, char) {
        let (board, turn) = position.split_once(' ').unwrap();
        let rows = board.split('/').rev().map(|row| row.chars().collect()).collect();
        (rows, turn.chars().next().unwrap())
    }

    fn is_of(symbol: char, turn: char) -> bool {
        if turn == 'x' { symbol.is_ascii_uppercase() } else { symbol.is_ascii_lowercase() }
    }

    fn height(symbol: char) -> i32 {
        if symbol == '.' { 0 } else { i32::from(symbol.to_ascii_uppercase() as u8 - b'A') + 1 }
    }

    fn stack(height: i32, turn: char) -> char {
        let upper = char::from(b'A' - 1 + height as u8);
        match (height, turn) {
            (0, _) => '.',
            (_, 'x') => upper,
            _ => upper.to_ascii_lowercase(),
        }
    }

    fn name((col, row): Square) -> String {
        format!("{}{}", char::from(b'a' + col as u8), row + 1)
    }

    fn square(name: &str) -> Square {
        let bytes = name.as_bytes();
        (i32::from(bytes[0] - b'a'), i32::from(bytes[1] - b'1'))
    }

    fn distance(&self, count: i32) -> i32 {
        if self.0.inverted { 13 - count } else { count }
    }

    /// Moves except passes.
    fn real_moves(&self, cells: &[Vec<char>], turn: char) -> Vec<String> {
        let ahead = if turn == 'x' { 1 } else { -1 };
        let mut moves = Vec::new();
        for (row, col) in (0..8).flat_map(|row| (0..8).map(move |col| (row, col))) {
            let own = cells[row as usize][col as usize];
            if !Grid::is_of(own, turn) {
                continue;
            }
            for count in 1..=Grid::height(own) {
                let far = self.distance(count);
                let mut off = false;
                for (up, right) in (-1..=1).flat_map(|up| (-1..=1).map(move |r| (up, r))) {
                    let to = (col + right * far, row + up * far);
                    let on_board = (0..8).contains(&to.0) && (0..8).contains(&to.1);
                    if !on_board {
                        off |= up == ahead;
                        continue;
                    }
                    let there = cells[to.1 as usize][to.0 as usize];
                    let legal = if there == '.' || Grid::is_of(there, turn) {
                        up == ahead && (to.0 + to.1) % 2 == 0
                    } else {
                        (up == ahead || !self.0.forward_captures_only)
                            && Grid::height(there) <= count
                    };
                    if legal && (up, right) != (0, 0) {
                        moves.push(format!("{}-{}", Grid::name((col, row)), Grid::name(to)));
                    }
                }
                if off {
                    moves.push(format!("{}-off:{count}", Grid::name((col, row))));
                }
            }
        }
        moves
    }
}

impl Oracle for Grid {
    fn moves(&self, position: &str) -> Vec<String> {
        let (cells, turn) = Grid::read(position);
        let moves = self.real_moves(&cells, turn);
        if moves.is_empty() { vec!["pass".to_owned()] } else { moves }
    }

    fn play(&self, position: &str, m: &str) -> String {
        let (mut cells, turn) = Grid::read(position);
        if let Some((from, to)) = m.split_once('-') {
            let (col, row) = Grid::square(from);
            let count = match to.split_once(':') {
                Some((_, count)) => count.parse().unwrap(),
                None => {
                    let (to_col, to_row) = Grid::square(to);
                    let far = (to_col - col).abs().max((to_row - row).abs());
                    let count = self.distance(far);
                    let there = cells[to_row as usize][to_col as usize];
                    let joined = if Grid::is_of(there, turn) { Grid::height(there) } else { 0 };
                    cells[to_row as usize][to_col as usize] = Grid::stack(joined + count, turn);
                    count
                }
            };
            let left = Grid::height(cells[row as usize][col as usize]) - count;
            cells[row as usize][col as usize] = Grid::stack(left, turn);
        }
        let rows: Vec<String> = cells.iter().rev().map(|row| row.iter().collect()).collect();
        format!("{} {}", rows.join("/"), if turn == 'x' { 'o' } else { 'x' })
    }

    fn outcome(&self, position: &str) -> Option<Outcome> {
        let (cells, turn) = Grid::read(position);
        let has = |turn| cells.iter().flatten().any(|&c| Grid::is_of(c, turn));
        let stuck = |turn| self.real_moves(&cells, turn).is_empty();
        if !has('x') || turn == 'x' && has('o') && !self.0.pass && stuck('x') {
            Some(Outcome::SecondWins)
        } else if !has('o') || turn == 'o' && !self.0.pass && stuck('o') {
            Some(Outcome::FirstWins)
        } else {
            None
        }
    }
}

#[test]
fn perft_with_passes_begins_as_without() {
    let game = game(Setup { pass: true, ..STANDARD });
    assert_eq!(perft(&game, &game.start(), 3), [19, 340, 5_185]);
}

fn moves(game: &Dipole, state: &State) -> String {
    let mut moves = Vec::new();
    game.moves_into(state, &mut moves);
    moves.iter().map(|&m| game.move_text(state, m)).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_first_moves_are_the_published_ones() {
    let first = |setup| {
        let game = game(setup);
        moves(&game, &game.start()).replace("e1-", "")
    };
    assert_eq!(
        first(STANDARD),
        "d2 f2 c3 e3 g3 b4 h4 a5 e5 off:4 off:5 e7 off:6 off:7 off:8 off:9 off:10 off:11 off:12"
    );
    assert_eq!(
        first(Setup { inverted: true, ..STANDARD }),
        "off:1 off:2 off:3 off:4 off:5 off:6 e7 off:7 off:8 a5 e5 off:9 b4 h4 c3 e3 g3 d2 f2"
    );
}

fn position(game: &Dipole, text: &str) -> State {
    game.parse_position(text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn captures_go_back_and_need_as_many_checkers() {
    let text = "8/8/8/8/3B4/8/1a3b2/8 x";
    let all = game(STANDARD);
    assert_eq!(moves(&all, &position(&all, text)), "d4-c5 d4-e5 d4-b2 d4-f2 d4-b6 d4-d6 d4-f6");
    let forward = game(Setup { forward_captures_only: true, ..STANDARD });
    let state = position(&forward, text);
    assert_eq!(moves(&forward, &state), "d4-c5 d4-e5 d4-b6 d4-d6 d4-f6");
    // One checker does not take two; two of three that move one square do not join another stack.
    let state = position(&all, "8/8/8/2b1a3/3C4/8/8/8 x");
    let mut after = state;
    all.try_play(&mut after, all.parse_move(&state, "d4-e5").unwrap()).unwrap();
    assert_eq!(all.position_text(&after), position_text_of("2b1A3", "3B4"));
    assert!(all.parse_move(&state, "d4-c5").is_err());
}

/// Text of a position with rows 5 and 4, the second player to move.
fn position_text_of(fifth: &str, fourth: &str) -> String {
    let game = game(STANDARD);
    game.position_text(&position(&game, &format!("8/8/8/{fifth}/{fourth}/8/8/8 o")))
}

#[test]
fn who_cannot_move_loses_or_passes() {
    let text = "8/8/8/2b1b3/3A4/8/8/8 x";
    let lose = game(STANDARD);
    assert_eq!(lose.outcome(&position(&lose, text)), Some(Outcome::SecondWins));
    let pass = game(Setup { pass: true, ..STANDARD });
    let mut state = position(&pass, text);
    assert_eq!((pass.outcome(&state), moves(&pass, &state).as_str()), (None, "pass"));
    pass.try_play(&mut state, Move::PASS).unwrap();
    assert_eq!(pass.turn(&state), Player::Second);
    assert!(moves(&pass, &state).contains("c5-d4"));
    assert!(pass.try_play(&mut state, Move::PASS).is_err(), "there is a move");
}

#[test]
fn the_last_checkers_taken_off_lose() {
    let game = game(STANDARD);
    let mut state = position(&game, "1A6/8/8/8/8/8/8/a7 x");
    assert_eq!(moves(&game, &state), "b8-off:1");
    let m = game.parse_move(&state, "b8-off:1").unwrap();
    game.try_play(&mut state, m).unwrap();
    assert_eq!(game.outcome(&state), Some(Outcome::SecondWins));
}

#[test]
fn no_value_of_a_move_is_legal_but_those_listed() {
    for setup in setups() {
        let game = game(setup);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
        let mut state = game.start();
        let limits = PlayoutLimits { plies_left: Plies(4), ..PlayoutLimits::of(&game) };
        game.playout(&mut state, limits, &mut rng);
        if game.outcome(&state).is_some() {
            continue;
        }
        let mut listed = Vec::new();
        game.moves_into(&state, &mut listed);
        listed.sort_unstable();
        let bytes = |max: u8| (0..=max).chain([u8::MAX]);
        let mut legal: Vec<Move> = Vec::new();
        for (from, count) in bytes(64).flat_map(|from| bytes(20).map(move |n| (from, n))) {
            let all = (0..=u8::MAX).map(|to| Move { from, count, to });
            legal.extend(all.filter(|&m| game.is_legal(&state, m)));
        }
        legal.sort_unstable();
        assert_eq!(legal, listed);
    }
}

#[test]
fn errors_of_a_position_are_named() {
    let named = |text: &str, part: &str| {
        let error = game(STANDARD).parse_position(text).expect_err(text).to_string();
        assert!(error.contains(part), "{error}");
    };
    named("8/8/8/8/8/8/8/1A6 x", "b1 is a light square");
    named("8/8/8/8/8/8/8/L1A5 x", "13 checkers of x where 12 began");
    named("1l5a/8/8/8/8/8/8/A7 x", "13 checkers of o where 12 began");
    named("8/8/8/8/8/8/8/8 o", "neither player has checkers");
    named("8/8/8/8/8/8/8/M7 o", "\"M\" at character 15: expected");
}

/// Positions with up to twelve checkers a side, crowded so that players are often stuck.
fn crowded() -> impl Strategy<Value = String> {
    let stacks = prop::collection::vec((0usize..32, 1i32..=4, prop::bool::ANY), 1..14);
    (stacks, prop::bool::ANY).prop_map(|(stacks, first)| {
        let mut cells = vec![vec!['.'; 8]; 8];
        let mut left = [12, 12];
        for (square, height, is_first) in stacks {
            // The middle rows are more frequent.
            let row = 2 + square / 4 % 4;
            let col = 2 * (square % 4) + row % 2;
            let side = usize::from(is_first);
            if cells[row][col] == '.' && left[side] >= height {
                left[side] -= height;
                cells[row][col] = Grid::stack(height, if is_first { 'x' } else { 'o' });
            }
        }
        let rows: Vec<String> = cells.iter().map(|row| row.iter().collect()).collect();
        format!("{} {}", rows.join("/"), if first { 'x' } else { 'o' })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn every_setting_follows_the_grid(kind in 0usize..8, seed: u64) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let setup = setups().nth(kind).unwrap();
        oracle::agree(&game(setup), &Grid(setup), 5, &mut rng);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn crowded_positions_follow_the_grid_and_one_player_can_move(
        text in crowded(), kind in 0usize..8
    ) {
        let setup = setups().nth(kind).unwrap();
        let (game, grid) = (game(setup), Grid(setup));
        if let Ok(state) = game.parse_position(&text) {
            prop_assert_eq!(game.outcome(&state), grid.outcome(&text));
            if game.outcome(&state).is_none() {
                let mut expected = grid.moves(&text);
                let found = moves(&game, &state);
                let mut found: Vec<&str> = found.split(' ').collect();
                expected.sort_unstable();
                found.sort_unstable();
                prop_assert_eq!(&found, &expected);
                let passed = grid.play(&text, "pass");
                prop_assert!(expected != ["pass"] || grid.moves(&passed) != ["pass"]);
            }
        }
    }
}
