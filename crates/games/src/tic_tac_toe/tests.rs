use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use treegauge_core::{
    Game, Keyed, Notation, Outcome, Player, PlayoutLimits, Plies, Symmetric, perft,
};
use treegauge_testkit::{Laws, Oracle, laws, oracle};

use super::{Board, Fixed, Sized, Standard, TicTacToe};
use treegauge_bits::Wide;

const CAP: Plies = Plies(1_000);

fn standard() -> Standard {
    TicTacToe::new(Fixed, CAP)
}

fn sized<W: crate::Word>(size: u32, k: u32, misere: bool) -> TicTacToe<Sized<W>> {
    TicTacToe::new(Sized::new(size, k, misere), CAP)
}

/// The rules on a grid of characters, checked cell by cell.
struct Grid {
    k: usize,
    misere: bool,
}

impl Grid {
    /// Rows from the first to the last, and the letter to move.
    fn read(position: &str) -> (Vec<Vec<char>>, char) {
        let (board, turn) = position.split_once(' ').unwrap();
        let rows = board.split('/').rev().map(|row| row.chars().collect()).collect();
        (rows, turn.chars().next().unwrap())
    }

    fn line(&self, cells: &[Vec<char>], letter: char) -> bool {
        let at = |row: isize, col: isize| {
            let row = usize::try_from(row).ok().and_then(|row| cells.get(row));
            row.zip(usize::try_from(col).ok()).and_then(|(row, col)| row.get(col)).copied()
        };
        (0..cells.len() as isize).any(|row| {
            (0..cells.len() as isize).any(|col| {
                [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().any(|(up, right)| {
                    (0..self.k as isize).all(|n| at(row + n * up, col + n * right) == Some(letter))
                })
            })
        })
    }
}

impl Oracle for Grid {
    fn moves(&self, position: &str) -> Vec<String> {
        let (cells, _) = Grid::read(position);
        let mut moves = Vec::new();
        for (row, line) in cells.iter().enumerate() {
            for (col, _) in line.iter().enumerate().filter(|&(_, &c)| c == '.') {
                moves.push(format!("{}{}", char::from(b'a' + col as u8), row + 1));
            }
        }
        moves
    }

    fn play(&self, position: &str, m: &str) -> String {
        let (mut cells, turn) = Grid::read(position);
        let col = usize::from(m.as_bytes()[0] - b'a');
        let row: usize = m[1..].parse().unwrap();
        cells[row - 1][col] = turn;
        let rows: Vec<String> = cells.iter().rev().map(|row| row.iter().collect()).collect();
        format!("{} {}", rows.join("/"), if turn == 'x' { 'o' } else { 'x' })
    }

    fn outcome(&self, position: &str) -> Option<Outcome> {
        let (cells, _) = Grid::read(position);
        if self.line(&cells, 'x') {
            Some(if self.misere { Outcome::SecondWins } else { Outcome::FirstWins })
        } else if self.line(&cells, 'o') {
            Some(if self.misere { Outcome::FirstWins } else { Outcome::SecondWins })
        } else {
            cells.iter().flatten().all(|&c| c != '.').then_some(Outcome::Draw)
        }
    }
}

fn all_laws<B: Board>(game: &TicTacToe<B>, laws: Laws) {
    laws::check(game, laws);
    laws::keyed(game, laws);
    laws::tiered(game, laws);
    laws::symmetric(game, laws);
}

#[test]
fn the_standard_board_keeps_the_laws() {
    all_laws(&standard(), Laws::default());
}

#[test]
fn small_and_broken_boards_keep_the_laws() {
    for (size, k) in [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (3, 4)] {
        all_laws(&sized::<u64>(size, k, false), Laws::default());
        all_laws(&sized::<u64>(size, k, true), Laws::default());
    }
    all_laws(&TicTacToe::new(Fixed::<3, 2>, CAP), Laws::default());
    all_laws(&TicTacToe::new(Fixed::<4, 3>, CAP), Laws::default());
    all_laws(&sized::<u64>(4, 3, true), Laws::default());
}

#[test]
fn the_largest_board_of_each_word_keeps_the_laws() {
    let few = Laws { games: 3, playouts: 300, seed: 5 };
    all_laws(&sized::<u64>(8, 4, false), few);
    all_laws(&sized::<u128>(11, 5, true), few);
    // One game on 400 cells is as many positions as a hundred on nine.
    all_laws(&sized::<Wide>(20, 5, false), Laws { games: 1, ..few });
    laws::check(&sized::<Wide>(20, 30, false), Laws { games: 1, ..few });
}

#[test]
fn perft_of_the_standard_and_the_broken_game() {
    let counts = perft(&standard(), &standard().start(), 8);
    assert_eq!(counts, [9, 72, 504, 3024, 15120, 54720, 148176, 200448]);
    let broken = TicTacToe::new(Fixed::<3, 2>, CAP);
    let counts = perft(&broken, &broken.start(), 9);
    assert_eq!(counts, [9, 72, 504, 1344, 2720, 1920, 432, 0, 0]);
    let sized = sized::<u128>(3, 2, false);
    assert_eq!(perft(&sized, &sized.start(), 9), counts);
}

/// The distinct positions by ply, from the start to the last finished one.
fn positions_by_ply<G: Game>(game: &G) -> Vec<Vec<G::State>> {
    let mut plies = vec![vec![game.start()]];
    let mut moves = Vec::new();
    loop {
        let mut next = std::collections::HashSet::new();
        for state in plies.last().unwrap().iter().filter(|s| game.outcome(s).is_none()) {
            game.moves_into(state, &mut moves);
            for &m in &moves {
                let mut child = state.clone();
                game.play(&mut child, m);
                next.insert(child);
            }
        }
        if next.is_empty() {
            return plies;
        }
        plies.push(next.into_iter().collect());
    }
}

#[test]
fn the_standard_game_has_its_5478_positions() {
    let game = standard();
    let plies = positions_by_ply(&game);
    let counts: Vec<usize> = plies.iter().map(Vec::len).collect();
    assert_eq!(counts, [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]);
    assert_eq!(counts.iter().sum::<usize>(), 5_478);
    let apart: Vec<usize> = plies
        .iter()
        .map(|states| {
            states.iter().map(|s| game.key(&game.canonical(s))).collect::<BTreeSet<_>>().len()
        })
        .collect();
    assert_eq!(apart, [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]);
    let over = plies.iter().flatten().filter(|s| game.outcome(s).is_some()).count();
    assert_eq!(over, 958);
    for state in plies.iter().flatten() {
        assert_eq!(game.parse_position(&game.position_text(state)), Ok(*state));
        assert_eq!(game.unkey(game.key(state)), *state);
    }
}

#[test]
fn the_broken_game_has_1234_positions_and_no_draw() {
    let game = sized::<u64>(3, 2, false);
    let positions: Vec<_> = positions_by_ply(&game).into_iter().flatten().collect();
    let ends: Vec<Outcome> = positions.iter().filter_map(|s| game.outcome(s)).collect();
    assert_eq!((positions.len(), ends.len()), (1_234, 860));
    assert!(!ends.contains(&Outcome::Draw));
}

fn count_games(
    game: &Standard,
    state: &<Standard as Game>::State,
    ends: &mut BTreeMap<Outcome, u32>,
) {
    if let Some(outcome) = game.outcome(state) {
        *ends.entry(outcome).or_default() += 1;
        return;
    }
    let mut moves = Vec::new();
    game.moves_into(state, &mut moves);
    for m in moves {
        let mut child = *state;
        game.play(&mut child, m);
        count_games(game, &child, ends);
    }
}

#[test]
fn the_standard_game_has_its_255168_courses() {
    let mut ends = BTreeMap::new();
    count_games(&standard(), &standard().start(), &mut ends);
    assert_eq!(ends[&Outcome::FirstWins], 131_184);
    assert_eq!(ends[&Outcome::SecondWins], 77_904);
    assert_eq!(ends[&Outcome::Draw], 46_080);
}

#[test]
fn playouts_end_as_often_in_each_way_as_courses_weighted_by_their_choices() {
    // Of random games the first player wins 737/1260, the second 121/420 and 8/63 are drawn:
    // the chances that follow from the tree, in lowest terms.
    let game = standard();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
    let n = 400_000;
    let mut ends: BTreeMap<Outcome, f64> = BTreeMap::new();
    for _ in 0..n {
        let end = game.playout(&mut game.start(), PlayoutLimits::of(&game), &mut rng);
        *ends.entry(end.outcome).or_default() += 1.0 / f64::from(n);
    }
    let expected = [
        (Outcome::FirstWins, 737.0 / 1260.0),
        (Outcome::SecondWins, 121.0 / 420.0),
        (Outcome::Draw, 8.0 / 63.0),
    ];
    for (outcome, chance) in expected {
        // Five standard deviations of a share of 1/2 among 400,000 are 0.004.
        assert!((ends[&outcome] - chance).abs() < 0.004, "{outcome:?}: {ends:?}");
    }
}

#[test]
fn bad_counts_and_lines_are_named() {
    let named = |text: &str, part: &str| {
        let error = standard().parse_position(text).expect_err(text).to_string();
        assert!(error.contains(part), "{error}");
    };
    named("3/3/xxx x", "3 x and 0 o cannot be with x to move");
    named("3/oo1/xxx x", "x has a line already and is to move");
    named("xxx/ooo/xxx o", "o has a line already and is to move");
    let game = sized::<u64>(4, 2, false);
    let error = game.parse_position("xx2/o2o/1o2/2xx o").expect_err("two pairs apart");
    assert!(error.to_string().contains("x has lines that no single stone can have made"));
    assert!(game.parse_position("4/o2o/1o2/xxx1 o").is_err(), "o has a line too");
    assert!(game.parse_position("4/o3/3o/xxx1 o").is_ok(), "b1 made both pairs");
}

#[test]
fn moves_are_cells_in_the_order_of_the_rows() {
    let game = standard();
    let mut moves = Vec::new();
    game.moves_into(&game.start(), &mut moves);
    let texts: Vec<String> = moves.iter().map(|&m| game.move_text(&game.start(), m)).collect();
    assert_eq!(texts, ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]);
    assert_eq!(game.parse_move(&game.start(), "B2"), Ok(4));
    for bad in ["", "a", "a0", "a4", "d1", "1a", "a1 b1", "\u{e9}1"] {
        assert!(game.parse_move(&game.start(), bad).is_err(), "{bad:?}");
    }
    for m in [9, 63, 64, 511, 512, u16::MAX] {
        assert!(game.try_play(&mut game.start(), m).is_err(), "{m}");
        assert!(
            sized::<Wide>(3, 3, false)
                .try_play(&mut sized::<Wide>(3, 3, false).start(), m)
                .is_err()
        );
    }
}

#[test]
fn a_line_loses_in_misere() {
    let text = "oo1/3/xxx o";
    let lost = sized::<u64>(3, 3, true);
    assert_eq!(lost.outcome(&lost.parse_position(text).unwrap()), Some(Outcome::SecondWins));
    let won = standard();
    assert_eq!(won.outcome(&won.parse_position(text).unwrap()), Some(Outcome::FirstWins));
    assert_eq!(won.turn(&won.parse_position(text).unwrap()), Player::Second);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_board_follows_the_grid(size in 1u32..=8, k in 1u32..=9, misere: bool, seed: u64) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let grid = Grid { k: k as usize, misere };
        oracle::agree(&sized::<u64>(size, k, misere), &grid, 4, &mut rng);
        oracle::agree(&sized::<Wide>(size, k, misere), &grid, 2, &mut rng);
    }

    #[test]
    fn any_board_keeps_the_laws(size in 1u32..=12, k in 1u32..=6, misere: bool, seed: u64) {
        all_laws(&sized::<Wide>(size, k, misere), Laws { games: 12, playouts: 200, seed });
    }

    #[test]
    fn the_end_of_a_playout_is_a_position_of_the_grid(
        size in 1u32..=12, k in 1u32..=6, misere: bool, seed: u64, cap in 0u32..200
    ) {
        let game = sized::<Wide>(size, k, misere);
        let grid = Grid { k: k as usize, misere };
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut state = game.start();
        let limits = PlayoutLimits::new(Plies(cap), Plies(0));
        let end = game.playout(&mut state, limits, &mut rng);
        let text = game.position_text(&state);
        prop_assert_eq!(game.parse_position(&text), Ok(state));
        prop_assert_eq!(grid.outcome(&text), (!end.capped).then_some(end.outcome));
        prop_assert_eq!(text.matches(['x', 'o']).count() as u32, end.plies.0 + 1);
        // From where the cap stopped it, it can continue to the end.
        if end.capped {
            game.playout(&mut state, PlayoutLimits::of(&game), &mut rng);
            let text = game.position_text(&state);
            prop_assert_eq!(grid.outcome(&text), game.outcome(&state));
            prop_assert!(game.outcome(&state).is_some());
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[ -~ü/xo.0-9]{0,40}") {
        laws::parsers_stand(&standard(), &text);
    }

    #[test]
    fn any_text_like_a_position_is_read_or_refused(text in "([xo.1-3]{1,3}/){2}[xo.1-3]{1,3} [xo]") {
        laws::parsers_stand(&standard(), &text);
        laws::parsers_stand(&sized::<u64>(3, 2, true), &text);
    }
}
