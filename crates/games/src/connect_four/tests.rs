use proptest::prelude::*;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use treegauge_core::{Game, Notation, Outcome, Player, Plies, perft};
use treegauge_testkit::{Laws, Oracle, laws, oracle};

use super::{ConnectFour, Fixed, Sized, Standard};
use treegauge_bits::Wide;

const CAP: Plies = Plies(1_000);

fn standard() -> Standard {
    ConnectFour::new(Fixed, CAP)
}

fn sized<W: crate::Word>(cols: u32, rows: u32, k: u32) -> ConnectFour<Sized<W>> {
    ConnectFour::new(Sized::new(cols, rows, k), CAP)
}

/// The rules on a grid of characters, checked cell by cell.
struct Grid {
    k: usize,
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
            (0..cells[0].len() as isize).any(|col| {
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
        let top = cells.last().unwrap();
        (0..top.len())
            .filter(|&col| top[col] == '.')
            .map(|col| char::from(b'a' + col as u8).to_string())
            .collect()
    }

    fn play(&self, position: &str, m: &str) -> String {
        let (mut cells, turn) = Grid::read(position);
        let col = usize::from(m.as_bytes()[0] - b'a');
        let row = cells.iter().position(|row| row[col] == '.').unwrap();
        cells[row][col] = turn;
        let rows: Vec<String> = cells.iter().rev().map(|row| row.iter().collect()).collect();
        format!("{} {}", rows.join("/"), if turn == 'x' { 'o' } else { 'x' })
    }

    fn outcome(&self, position: &str) -> Option<Outcome> {
        let (cells, _) = Grid::read(position);
        if self.line(&cells, 'x') {
            Some(Outcome::FirstWins)
        } else if self.line(&cells, 'o') {
            Some(Outcome::SecondWins)
        } else {
            cells.iter().flatten().all(|&c| c != '.').then_some(Outcome::Draw)
        }
    }
}

fn all_laws<B: super::Board>(game: &ConnectFour<B>, laws: Laws) {
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
fn the_longest_board_of_each_word_keeps_the_laws() {
    let few = Laws { games: 3, playouts: 300, seed: 5 };
    all_laws(&sized::<u64>(9, 6, 4), few);
    laws::indexed(&sized::<u64>(9, 6, 4), few);
    laws::indexed(&sized::<u64>(5, 4, 4), few);
    all_laws(&sized::<u128>(12, 9, 5), few);
    all_laws(&sized::<Wide>(20, 20, 4), few);
}

#[test]
fn the_constant_board_is_the_sized_board() {
    assert_eq!(
        perft(&standard(), &standard().start(), 7),
        perft(&sized::<u128>(7, 6, 4), &sized::<u128>(7, 6, 4).start(), 7)
    );
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    oracle::agree(&standard(), &Grid { k: 4 }, 60, &mut rng);
}

#[test]
fn a_disc_that_hangs_a_wrong_count_and_a_line_are_named() {
    let error = standard()
        .parse_position("7/7/7/7/x6/xxxx3 x")
        .expect_err("the first player has a line and is to move");
    let text = error.to_string();
    assert!(text.contains("5 x and 0 o cannot be with x to move"), "{text}");
    assert!(text.contains("x has a line already and is to move"), "{text}");
    let error = standard().parse_position("7/7/7/x6/7/7 o").expect_err("a disc hangs");
    assert!(error.to_string().contains("the disc on a3 hangs in the air"), "{error}");
}

#[test]
fn a_column_can_be_named_by_its_number() {
    let game = standard();
    assert_eq!(game.parse_move(&game.start(), "4"), game.parse_move(&game.start(), "D"));
    for bad in ["0", "8", "h", "", "dd", "-1", "\u{e9}"] {
        assert!(game.parse_move(&game.start(), bad).is_err(), "{bad:?}");
    }
}

#[test]
fn more_in_a_line_than_fit_is_never_won() {
    let game = sized::<u64>(3, 3, 4);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
    for _ in 0..50 {
        let end =
            game.playout(&mut game.start(), treegauge_core::PlayoutLimits::of(&game), &mut rng);
        assert_eq!((end.outcome, end.plies), (Outcome::Draw, Plies(9)));
    }
    assert_eq!(game.turn(&game.start()), Player::First);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_board_follows_the_grid(cols in 1u32..=9, rows in 1u32..=6, k in 1u32..=7, seed: u64) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        oracle::agree(&sized::<u64>(cols, rows, k), &Grid { k: k as usize }, 4, &mut rng);
        oracle::agree(&sized::<Wide>(cols, rows, k), &Grid { k: k as usize }, 2, &mut rng);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[ -~ü/xo.0-9]{0,60}") {
        laws::parsers_stand(&standard(), &text);
    }

    #[test]
    fn any_text_like_a_position_is_read_or_refused(text in "([xo.1-7]{1,4}/){5}[xo.1-7]{1,4} [xo]") {
        laws::parsers_stand(&standard(), &text);
    }
}
