use std::collections::HashMap;

use proptest::prelude::*;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use treegauge_core::{Game, Notation, Outcome, Player, PlayoutLimits, Plies, Tiered, perft};
use treegauge_testkit::{Laws, Oracle, laws, oracle};

use super::{Board, Breakthrough, Fixed, Move, Sized, Standard, State};
use treegauge_bits::Wide;

const CAP: Plies = Plies(1_000);

fn standard() -> Standard {
    Breakthrough::new(Fixed, CAP)
}

fn sized<W: crate::Word>(cols: u32, rows: u32) -> Breakthrough<Sized<W>> {
    Breakthrough::new(Sized::new(cols, rows), CAP)
}

/// The rules on a grid of characters, checked cell by cell.
struct Grid;

impl Grid {
    /// Rows from the first to the last, and the letter to move.
    fn read(position: &str) -> (Vec<Vec<char>>, char) {
        let (board, turn) = position.split_once(' ').unwrap();
        let rows = board.split('/').rev().map(|row| row.chars().collect()).collect();
        (rows, turn.chars().next().unwrap())
    }

    fn name(row: usize, col: usize) -> String {
        format!("{}{}", char::from(b'a' + col as u8), row + 1)
    }

    fn place(name: &str) -> (usize, usize) {
        (name[1..].parse::<usize>().unwrap() - 1, usize::from(name.as_bytes()[0] - b'a'))
    }
}

impl Oracle for Grid {
    fn moves(&self, position: &str) -> Vec<String> {
        let (cells, turn) = Grid::read(position);
        let mut moves = Vec::new();
        for (row, line) in cells.iter().enumerate() {
            for (col, _) in line.iter().enumerate().filter(|&(_, &symbol)| symbol == turn) {
                let to_row = if turn == 'x' { row + 1 } else { row - 1 };
                for (to_col, &there) in cells[to_row].iter().enumerate() {
                    let (from, to) = (Grid::name(row, col), Grid::name(to_row, to_col));
                    match to_col.abs_diff(col) {
                        0 | 1 if there == '.' => moves.push(format!("{from}-{to}")),
                        1 if there != turn => moves.push(format!("{from}x{to}")),
                        _ => {}
                    }
                }
            }
        }
        moves
    }

    fn play(&self, position: &str, m: &str) -> String {
        let (mut cells, turn) = Grid::read(position);
        let (from, to) = m.split_once(['-', 'x']).unwrap();
        let ((from_row, from_col), (to_row, to_col)) = (Grid::place(from), Grid::place(to));
        cells[from_row][from_col] = '.';
        cells[to_row][to_col] = turn;
        let rows: Vec<String> = cells.iter().rev().map(|row| row.iter().collect()).collect();
        format!("{} {}", rows.join("/"), if turn == 'x' { 'o' } else { 'x' })
    }

    fn outcome(&self, position: &str) -> Option<Outcome> {
        let (cells, _) = Grid::read(position);
        let none = |letter| !cells.iter().flatten().any(|&c| c == letter);
        if cells.last().unwrap().contains(&'x') || none('o') {
            Some(Outcome::FirstWins)
        } else if cells[0].contains(&'o') || none('x') {
            Some(Outcome::SecondWins)
        } else {
            None
        }
    }
}

fn all_laws<B: Board>(game: &Breakthrough<B>, laws: Laws) {
    laws::check(game, laws);
    laws::keyed(game, laws);
    laws::tiered(game, laws);
    laws::symmetric(game, laws);
}

#[test]
fn the_standard_board_keeps_the_laws() {
    all_laws(&standard(), Laws { games: 12, ..Laws::default() });
}

#[test]
fn the_smallest_and_the_largest_board_of_each_word_keep_the_laws() {
    let few = Laws { games: 3, playouts: 1_000, seed: 5 };
    all_laws(&sized::<u64>(2, 4), Laws { games: 30, ..few });
    all_laws(&sized::<u64>(4, 16), few);
    all_laws(&sized::<u64>(16, 4), few);
    all_laws(&sized::<u128>(8, 16), few);
    all_laws(&sized::<Wide>(16, 16), Laws { games: 2, playouts: 300, seed: 5 });
}

#[test]
fn counts_of_sequences_are_the_known_ones() {
    fn count<B: Board>(game: &Breakthrough<B>) -> Vec<u64> {
        perft(game, &game.start(), 4)
    }
    assert_eq!(count(&standard()), [22, 484, 11_132, 256_036]);
    assert_eq!(count(&sized::<u128>(8, 8)), [22, 484, 11_132, 256_036]);
    assert_eq!(count(&sized::<u64>(6, 6)), [16, 256, 4_308, 71_478]);
    assert_eq!(count(&sized::<Wide>(5, 5)), [13, 156, 1_924, 23_084]);
}

#[test]
fn three_columns_by_four_rows_has_its_known_value() {
    let game = sized::<u64>(3, 4);
    let mut list = vec![game.start()];
    // The winner, and the plies when the winner hurries and the loser delays.
    let mut values = HashMap::from([(game.start(), (Outcome::Draw, 0))]);
    let (mut next, mut moves) = (0, Vec::new());
    let child = |state: &State<u64>, m: Move| {
        let mut child = *state;
        game.play(&mut child, m);
        child
    };
    while next < list.len() {
        let state = list[next];
        next += 1;
        if game.outcome(&state).is_none() {
            game.moves_into(&state, &mut moves);
            for &m in &moves {
                let child = child(&state, m);
                if values.insert(child, (Outcome::Draw, 0)).is_none() {
                    list.push(child);
                }
            }
        }
    }
    assert_eq!(list.len(), 55_152);
    list.sort_by_key(|state| game.tier(state));
    for state in list.iter().rev() {
        let value = game.outcome(state).map_or_else(
            || {
                game.moves_into(state, &mut moves);
                let won = Outcome::win_of(state.turn);
                let values = moves.iter().map(|&m| values[&child(state, m)]);
                let (wins, losses): (Vec<_>, Vec<_>) = values.partition(|&(who, _)| who == won);
                let best = wins.into_iter().min_by_key(|&(_, plies)| plies);
                let (who, plies) = best
                    .or_else(|| losses.into_iter().max_by_key(|&(_, plies)| plies))
                    .expect("an unfinished position has a move");
                (who, plies + 1)
            },
            |who| (who, 0),
        );
        values.insert(*state, value);
    }
    assert_eq!(values[&game.start()], (Outcome::SecondWins, 12));
}

#[test]
fn the_last_man_captured_ends_a_playout_too() {
    // Either side can only take the other's single man or let itself be taken.
    let game = sized::<u64>(2, 8);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
    let mut by_capture = 0;
    for _ in 0..200 {
        let mut state = game.parse_position("2/2/2/o1/1x/2/2/2 x").unwrap();
        let end = game.playout(&mut state, PlayoutLimits::of(&game), &mut rng);
        assert_eq!(game.outcome(&state), Some(end.outcome));
        by_capture += u32::from(state.men.contains(&0));
    }
    assert!((50..200).contains(&by_capture), "{by_capture} of 200 ended by a capture");
}

#[test]
fn no_value_of_a_move_is_legal_but_those_listed() {
    let game = sized::<u128>(9, 5);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
    let mut state = game.start();
    let limits = PlayoutLimits { plies_left: Plies(7), ..PlayoutLimits::of(&game) };
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
    let error = |text: &str| sized::<u64>(2, 4).parse_position(text).unwrap_err().to_string();
    let text = error("x1/xx/xx/2 x");
    assert!(text.contains("5 x where 4 began"), "{text}");
    assert!(text.contains("x is across already and x is to move"), "{text}");
    assert!(text.contains("o has just moved and has no men"), "{text}");
    let text = error("2/x1/2/oo x");
    assert!(text.contains("2 men of o are across"), "{text}");
    let game = sized::<u64>(2, 4);
    let over = game.parse_position("2/x1/2/o1 x").unwrap();
    assert_eq!(game.outcome(&over), Some(Outcome::SecondWins));
    let over = game.parse_position("2/x1/2/2 o").unwrap();
    assert_eq!((game.outcome(&over), over.turn), (Some(Outcome::FirstWins), Player::Second));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn any_board_follows_the_grid(cols in 2u32..=8, rows in 4u32..=8, seed: u64) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        oracle::agree(&sized::<u64>(cols, rows), &Grid, 3, &mut rng);
        oracle::agree(&sized::<u128>(cols, rows), &Grid, 1, &mut rng);
        oracle::agree(&sized::<Wide>(cols + 8, rows + 8), &Grid, 1, &mut rng);
        oracle::agree(&standard(), &Grid, 1, &mut rng);
    }

    #[test]
    fn any_board_keeps_the_laws(cols in 2u32..=8, rows in 4u32..=8, seed: u64) {
        all_laws(&sized::<u64>(cols, rows), Laws { games: 2, playouts: 300, seed });
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[ -~ü/xo.0-9]{0,60}") {
        laws::parsers_stand(&standard(), &text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text_like_a_position_is_read_or_refused(
        text in "[xo.]{3}/[xo.]{3}/[xo.]{3}/[xo.]{3} [xo]"
    ) {
        laws::parsers_stand(&sized::<u64>(3, 4), &text);
    }
}
