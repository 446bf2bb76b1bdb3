use proptest::prelude::*;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use treegauge_core::{
    Game, Keyed, Notation, Outcome, Player, PlayoutLimits, Plies, Symmetric, perft,
};
use treegauge_testkit::{Laws, Oracle, explore, laws, oracle};

use super::{Forms, Move, Objective, State};
use crate::Word;

const OBJECTIVES: [Objective; 2] = [Objective::LastWith, Objective::LoseAll];

fn game<W: Word>(rows: u32, cols: u32, objective: Objective) -> Forms<W> {
    Forms::new(rows, cols, objective, Plies(1_000))
}

fn standard() -> Forms<u64> {
    game(4, 6, Objective::LastWith)
}

/// The rules on a grid of characters, stone by stone.
struct Grid(Objective);

type Cell = (usize, usize);

impl Grid {
    /// Rows from the first to the last, and the letters to move and not to move.
    fn read(position: &str) -> (Vec<Vec<char>>, char, char) {
        let (board, turn) = position.split_once(' ').unwrap();
        let rows = board.split('/').rev().map(|row| row.chars().collect()).collect();
        if turn == "x" { (rows, 'x', 'o') } else { (rows, 'o', 'x') }
    }

    fn stones(cells: &[Vec<char>], letters: &str) -> Vec<Cell> {
        let mut stones = Vec::new();
        for (row, line) in cells.iter().enumerate() {
            for (col, _) in line.iter().enumerate().filter(|&(_, &c)| letters.contains(c)) {
                stones.push((row, col));
            }
        }
        stones
    }

    fn name((row, col): Cell) -> String {
        format!("{}{}", char::from(b'a' + col as u8), row + 1)
    }

    fn cell(name: &str) -> Cell {
        (name[1..].parse::<usize>().unwrap() - 1, usize::from(name.as_bytes()[0] - b'a'))
    }
}

impl Oracle for Grid {
    fn moves(&self, position: &str) -> Vec<String> {
        let (cells, own, other) = Grid::read(position);
        let mut moves = Vec::new();
        for from in Grid::stones(&cells, &own.to_string()) {
            for to in Grid::stones(&cells, &other.to_string()) {
                moves.push(format!("{}x{}", Grid::name(from), Grid::name(to)));
            }
        }
        moves
    }

    fn play(&self, position: &str, m: &str) -> String {
        let (mut cells, own, other) = Grid::read(position);
        let (from, to) = m.split_once('x').unwrap();
        let (from, to) = (Grid::cell(from), Grid::cell(to));
        cells[from.0][from.1] = '.';
        cells[to.0][to.1] = own;
        let stones = Grid::stones(&cells, "xo");
        let (mut kept, mut next) = (vec![to], 0);
        while next < kept.len() {
            let (row, col) = kept[next];
            next += 1;
            for &stone in &stones {
                let near = stone.0.abs_diff(row) + stone.1.abs_diff(col) == 1;
                if near && !kept.contains(&stone) {
                    kept.push(stone);
                }
            }
        }
        for stone in stones.iter().filter(|stone| !kept.contains(stone)) {
            cells[stone.0][stone.1] = '.';
        }
        let rows: Vec<String> = cells.iter().rev().map(|row| row.iter().collect()).collect();
        format!("{} {other}", rows.join("/"))
    }

    fn outcome(&self, position: &str) -> Option<Outcome> {
        let (board, _) = position.split_once(' ').unwrap();
        let first_has_none = !board.contains('x');
        if !first_has_none && board.contains('o') {
            return None;
        }
        let first_wins = first_has_none == (self.0 == Objective::LoseAll);
        Some(if first_wins { Outcome::FirstWins } else { Outcome::SecondWins })
    }
}

fn all_laws<W: Word>(game: &Forms<W>, laws: Laws) {
    laws::check(game, laws);
    laws::keyed(game, laws);
    laws::tiered(game, laws);
    laws::symmetric(game, laws);
}

#[test]
fn the_usual_boards_keep_the_laws() {
    for objective in OBJECTIVES {
        all_laws(&game::<u64>(4, 6, objective), Laws { games: 6, ..Laws::default() });
        all_laws(&game::<u64>(6, 4, objective), Laws { games: 6, ..Laws::default() });
    }
}

#[test]
fn the_smallest_and_the_largest_boards_keep_the_laws() {
    let few = Laws { games: 1, playouts: 300, seed: 4 };
    for (rows, cols) in [(2, 1), (2, 2), (4, 1), (2, 11), (10, 2)] {
        all_laws(&game::<u64>(rows, cols, Objective::LastWith), Laws { games: 5, ..few });
    }
    laws::moves(&game::<u64>(8, 7, Objective::LoseAll), few);
    laws::moves(&game::<u128>(10, 11, Objective::LastWith), few);
    laws::playouts(&game::<u128>(10, 11, Objective::LastWith), few);
    laws::symmetric(&game::<u128>(10, 11, Objective::LastWith), few);
}

#[test]
fn perft_from_the_start() {
    let counts = |rows, cols, depth| {
        let game = game::<u64>(rows, cols, Objective::LastWith);
        perft(&game, &game.start(), depth)
    };
    assert_eq!(counts(4, 6, 3), [144, 19_008, 2_299_968]);
    assert_eq!(counts(6, 4, 3), [144, 19_008, 2_299_968]);
    assert_eq!(counts(4, 2, 5), [16, 192, 1_548, 6_084, 13_128]);
}

#[test]
fn small_boards_have_the_values_that_are_known() {
    let solved = |rows, cols, objective| {
        let found = explore::solved(&game::<u64>(rows, cols, objective));
        assert_eq!(found.draw, 0);
        (found.states, found.start.unwrap())
    };
    let (with, lose) = (Objective::LastWith, Objective::LoseAll);
    assert_eq!(solved(2, 2, with), (17, (Player::First, 3)));
    assert_eq!(solved(4, 2, with), (734, (Player::First, 7)));
    assert_eq!(solved(2, 4, with), (715, (Player::First, 7)));
    assert_eq!(solved(4, 3, with), (42_129, (Player::First, 11)));
    assert_eq!(solved(2, 2, lose), (17, (Player::First, 2)));
    assert_eq!(solved(4, 2, lose), (734, (Player::Second, 5)));
    assert_eq!(solved(4, 3, lose), (42_129, (Player::Second, 9)));
}

fn after(game: &Forms<u64>, position: &str, m: &str) -> (String, Option<Outcome>) {
    let mut state: State<u64> =
        game.parse_position(position).unwrap_or_else(|error| panic!("{error}"));
    let m = game.parse_move(&state, m).unwrap();
    game.try_play(&mut state, m).unwrap();
    (game.position_text(&state), game.outcome(&state))
}

#[test]
fn what_is_cut_off_leaves_the_board() {
    let cut = after(&standard(), "..o.../x.x.o./xxx.x./..xxx. x", "c1xc4");
    assert_eq!(cut, ("..x.../x.x.../xxx.../...... o".to_owned(), Some(Outcome::FirstWins)));
    let cut = after(&game(4, 6, Objective::LoseAll), "..o.../x.x.o./xxx.x./..xxx. x", "c1xc4");
    assert_eq!(cut.1, Some(Outcome::SecondWins));
    // A row does not continue at the other side of the board.
    let alone = after(&standard(), "....../....../ox..../.xxxxx x", "b2xa2");
    assert_eq!(alone.0, "....../....../x...../...... o");
    let row = after(&standard(), "....../....../.x..xo/.ooooo o", "c1xb2");
    assert_eq!(row.0, "....../....../.o..../.o.... x");
    let row = after(&standard(), "....../o...../x...../xooxoo o", "f1xd1");
    assert_eq!(row.0, "....../o...../x...../xoooo. x");
}

#[test]
fn no_value_of_a_move_is_legal_but_those_listed() {
    let game = game::<u128>(4, 5, Objective::LastWith);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
    let mut state = game.start();
    let limits = PlayoutLimits { plies_left: Plies(3), ..PlayoutLimits::of(&game) };
    game.playout(&mut state, limits, &mut rng);
    let mut listed = Vec::new();
    game.moves_into(&state, &mut listed);
    for (from, to) in (0..=u8::MAX).flat_map(|from| (0..=u8::MAX).map(move |to| (from, to))) {
        let m = Move { from, to };
        assert_eq!(game.is_legal(&state, m), listed.contains(&m), "{m:?}");
    }
}

#[test]
fn errors_of_a_position_are_named() {
    let named = |text: &str, part: &str| {
        let error = game::<u64>(2, 3, Objective::LastWith).parse_position(text);
        let error = error.expect_err(text).to_string();
        assert!(error.contains(part), "{error}");
    };
    named("xo1/xxx x", "4 x where 3 began");
    named("3/xxx x", "o has just moved and has no stones");
    named("3/3 o", "x has just moved and has no stones");
    named("o1o/x1x x", "the stones are not connected");
    named("1o1/x1x x", "the stones are not connected");
    named("ooo/xx x", "the number of cells in row 1 is 2");
    let mirrors = |cols| game::<u64>(2, cols, Objective::LastWith).symmetry_count();
    assert_eq!([mirrors(1), mirrors(2)], [1, 2]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn any_board_follows_the_grid(half in 1u32..=3, cols in 1u32..=7, kind in 0usize..2, seed: u64) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (rows, objective) = (2 * half, OBJECTIVES[kind]);
        oracle::agree(&game::<u64>(rows, cols, objective), &Grid(objective), 1, &mut rng);
        oracle::agree(&game::<u128>(rows, cols, objective), &Grid(objective), 1, &mut rng);
    }

    #[test]
    fn any_board_keeps_the_laws(half in 1u32..=3, cols in 1u32..=3, kind in 0usize..2, seed: u64) {
        let laws = Laws { games: 4, playouts: 300, seed };
        all_laws(&game::<u64>(2 * half, cols, OBJECTIVES[kind]), laws);
    }

    #[test]
    fn the_end_of_a_playout_is_a_position_of_the_grid(
        half in 1u32..=4, cols in 1u32..=7, kind in 0usize..2, seed: u64, cap in 0u32..30
    ) {
        let game = game::<u64>(2 * half, cols, OBJECTIVES[kind]);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut state = game.start();
        let limits = PlayoutLimits::new(Plies(cap), Plies(0));
        let end = game.playout(&mut state, limits, &mut rng);
        let text = game.position_text(&state);
        prop_assert_eq!(game.parse_position(&text), Ok(state));
        prop_assert_eq!(game.unkey(game.key(&state)), state);
        let outcome = Grid(OBJECTIVES[kind]).outcome(&text);
        prop_assert_eq!(outcome, (!end.capped).then_some(end.outcome));
        prop_assert_eq!(game.turn(&state) == Player::First, end.plies.0.is_multiple_of(2));
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[ -~ü/xo.0-9]{0,40}") {
        laws::parsers_stand(&standard(), &text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text_like_a_position_is_read_or_refused(text in "[xo.]{3}/[xo.]{3} [xo]") {
        laws::parsers_stand(&game::<u64>(2, 3, Objective::LoseAll), &text);
    }
}
