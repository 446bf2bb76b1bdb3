use std::collections::BTreeSet;

use proptest::prelude::*;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use treegauge_core::{Game, Notation, Outcome, PlayoutLimits, Plies, Symmetric, perft};
use treegauge_testkit::{Laws, Oracle, laws, oracle};

use super::{LINES, Qubic};

fn game(lines: u32) -> Qubic {
    Qubic::new(lines, Plies(1_000))
}

/// The rules on a cube of characters, lines being found by walking.
struct Cube {
    lines: usize,
}

impl Cube {
    /// The characters by level, row and column, all from 0.
    fn read(position: &str) -> Vec<Vec<Vec<char>>> {
        let board = position.split(' ').next().unwrap();
        let rows: Vec<Vec<char>> = board.split('/').rev().map(|r| r.chars().collect()).collect();
        rows.chunks(4).map(<[_]>::to_vec).collect()
    }

    /// The lines full of `letter`, each as the set of its cells.
    fn full(position: &str, letter: char) -> BTreeSet<BTreeSet<[i32; 3]>> {
        let cube = Cube::read(position);
        let triples = |range: std::ops::Range<i32>| {
            let each = range.clone();
            each.flat_map(move |x| {
                let (ys, zs) = (range.clone(), range.clone());
                ys.flat_map(move |y| zs.clone().map(move |z| [x, y, z]))
            })
        };
        let mut lines = BTreeSet::new();
        for [dx, dy, dz] in triples(-1..2).filter(|d| *d != [0; 3]) {
            for [x, y, z] in triples(0..4) {
                let cells = (0..4).map(|n| [x + n * dx, y + n * dy, z + n * dz]);
                let cells: BTreeSet<[i32; 3]> = cells.collect();
                let inside = cells.iter().flatten().all(|at| (0..4).contains(at));
                let full =
                    |[x, y, z]: &[i32; 3]| cube[*z as usize][*y as usize][*x as usize] == letter;
                if inside && cells.iter().all(full) {
                    lines.insert(cells);
                }
            }
        }
        lines
    }
}

impl Oracle for Cube {
    fn moves(&self, position: &str) -> Vec<String> {
        let mut moves = Vec::new();
        for (z, level) in Cube::read(position).iter().enumerate() {
            for (y, row) in level.iter().enumerate() {
                for (x, _) in row.iter().enumerate().filter(|&(_, &c)| c == '.') {
                    moves.push(format!("{}{}{}", x + 1, y + 1, z + 1));
                }
            }
        }
        moves
    }

    fn play(&self, position: &str, m: &str) -> String {
        let mut cube = Cube::read(position);
        let at: Vec<usize> = m.chars().map(|c| c.to_digit(10).unwrap() as usize - 1).collect();
        let turn = position.chars().last().unwrap();
        cube[at[2]][at[1]][at[0]] = turn;
        let rows: Vec<String> =
            cube.iter().flatten().rev().map(|row| row.iter().collect()).collect();
        format!("{} {}", rows.join("/"), if turn == 'x' { 'o' } else { 'x' })
    }

    fn outcome(&self, position: &str) -> Option<Outcome> {
        if Cube::full(position, 'x').len() >= self.lines {
            Some(Outcome::FirstWins)
        } else if Cube::full(position, 'o').len() >= self.lines {
            Some(Outcome::SecondWins)
        } else {
            (!position.contains('.')).then_some(Outcome::Draw)
        }
    }
}

/// The position after moves in turn, which need not be well played.
fn after(game: &Qubic, moves: &str) -> super::State {
    let mut state = game.start();
    for text in moves.split_whitespace() {
        let m = game.parse_move(&state, text).unwrap();
        game.try_play(&mut state, m).unwrap();
    }
    state
}

#[test]
fn the_usual_and_the_broken_game_keep_the_laws() {
    for lines in [1, 2, 5, LINES] {
        laws::check(&game(lines), Laws { games: 8, ..Laws::default() });
        laws::keyed(&game(lines), Laws::default());
        laws::tiered(&game(lines), Laws::default());
    }
}

#[test]
fn its_192_symmetries_keep_the_laws() {
    // Each position is compared in all pairs of symmetries, so a single game is many checks.
    laws::symmetric(&game(1), Laws { games: 1, ..Laws::default() });
    laws::symmetric(&game(2), Laws { games: 1, seed: 2, ..Laws::default() });
}

#[test]
fn symmetries_form_a_group_that_maps_lines_to_lines() {
    let game = game(1);
    let images: Vec<Vec<u8>> = (0..game.symmetry_count())
        .map(|symmetry| (0..64).map(|cell| game.map_move(symmetry, cell)).collect())
        .collect();
    let distinct: BTreeSet<&Vec<u8>> = images.iter().collect();
    assert_eq!(distinct.len(), 192);
    for a in &images {
        for b in &images {
            let product: Vec<u8> = b.iter().map(|&cell| a[usize::from(cell)]).collect();
            assert!(distinct.contains(&product));
        }
    }
    // All corners and all inner cells lie on seven lines and are one orbit, the rest another.
    let orbits: BTreeSet<BTreeSet<u8>> =
        (0..64).map(|cell| images.iter().map(|image| image[cell]).collect()).collect();
    let sizes: Vec<usize> = orbits.iter().map(BTreeSet::len).collect();
    assert_eq!(sizes, [16, 48]);
}

#[test]
fn there_are_76_lines() {
    let full = vec!["xxxx"; 16].join("/");
    let lines = Cube::full(&full, 'x');
    assert_eq!(lines.len(), LINES as usize);
    assert_eq!(super::rules::full_lines(u64::MAX), LINES);
    for line in lines {
        let stones = line.iter().map(|[x, y, z]| 1u64 << (x + 4 * y + 16 * z)).sum();
        assert_eq!(super::rules::full_lines(stones), 1);
        assert!(game(1).wins(stones) && !game(2).wins(stones));
        for cell in 0..64u32 {
            assert!(stones >> cell & 1 == 0 || !game(1).wins(stones & !(1 << cell)));
        }
    }
}

#[test]
fn perft_from_the_start_and_close_to_a_win() {
    for lines in [1, 2] {
        assert_eq!(perft(&game(lines), &game(lines).start(), 3), [64, 4_032, 249_984]);
    }
    // With three in the first row x wins at once by 411, after which nothing is counted; with two
    // lines needed nothing ends.
    let moves = "111 112 211 113 311 114";
    let ended = perft(&game(1), &after(&game(1), moves), 2);
    assert_eq!(ended, [58, 57 * 57]);
    let open = perft(&game(2), &after(&game(2), moves), 2);
    assert_eq!(open, [58, 58 * 57]);
}

#[test]
fn two_lines_that_share_a_cell_win_the_broken_game() {
    let line = "111 112 211 113 311 122 411 132";
    assert_eq!(
        game(1).outcome(&after(&game(1), line.rsplit_once(' ').unwrap().0)),
        Some(Outcome::FirstWins)
    );
    let broken = game(2);
    let state = after(&broken, &format!("{line} 121 142 131 143"));
    assert_eq!(broken.outcome(&state), None);
    let state = after(&broken, &format!("{line} 121 142 131 143 141"));
    assert_eq!(broken.outcome(&state), Some(Outcome::FirstWins));
    let three = game(3);
    assert_eq!(three.outcome(&after(&three, &format!("{line} 121 142 131 143 141"))), None);
}

#[test]
fn bad_positions_are_named() {
    let named = |lines: u32, text: &str, part: &str| {
        let error = game(lines).parse_position(text).expect_err(text).to_string();
        assert!(error.contains(part), "{error}");
    };
    let empty = "4/4/4/4/4/4/4/4/4/4/4/4";
    named(1, &format!("{empty}/4/4/4/xx2 x"), "2 x and 0 o cannot be with x to move");
    named(1, &format!("{empty}/4/4/ooo1/xxxx x"), "x has won already and is to move");
    named(1, &format!("{empty}/4/xxxx/oooo/xxxx x"), "x has won already and is to move");
    named(1, &format!("{empty}/xxxx/oo2/oo3/xxxx o"), "the number of cells in row 2 is 5");
    named(1, &format!("{empty}/xxxx/ooo1/oooo/xxxx o"), "o has won already and is to move");
    named(
        1,
        &format!("{empty}/xxxx/ooo1/1ooo/xxxx o"),
        "8 x and 6 o cannot be with o to move; x has lines that no single stone can have made",
    );
    named(2, &format!("{empty}/4/4/4 x"), "the number of rows is 15");
    assert!(game(2).parse_position(&format!("{empty}/4/4/ooo1/xxxx o")).is_ok());
}

#[test]
fn moves_are_column_row_and_level() {
    let game = game(1);
    let mut moves = Vec::new();
    game.moves_into(&game.start(), &mut moves);
    let texts: Vec<String> = moves.iter().map(|&m| game.move_text(&game.start(), m)).collect();
    assert_eq!(texts[..5], ["111", "211", "311", "411", "121"]);
    assert_eq!((texts[16].as_str(), texts[63].as_str()), ("112", "444"));
    assert_eq!(game.parse_move(&game.start(), "432"), Ok(27));
    for bad in ["", "1", "11", "1111", "110", "115", "a11"] {
        assert!(game.parse_move(&game.start(), bad).is_err(), "{bad:?}");
    }
    for m in [64, 128, u8::MAX] {
        assert!(game.try_play(&mut game.start(), m).is_err(), "{m}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn it_follows_the_cube(lines in 1u32..8, seed: u64) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        oracle::agree(&game(lines), &Cube { lines: lines as usize }, 1, &mut rng);
    }

    #[test]
    fn the_end_of_a_playout_is_a_position_of_the_cube(
        lines in 1u32..8, seed: u64, cap in 0u32..70
    ) {
        let game = game(lines);
        let cube = Cube { lines: lines as usize };
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut state = game.start();
        let limits = PlayoutLimits::new(Plies(cap), Plies(0));
        let end = game.playout(&mut state, limits, &mut rng);
        let text = game.position_text(&state);
        prop_assert_eq!(game.parse_position(&text), Ok(state));
        prop_assert_eq!(cube.outcome(&text), (!end.capped).then_some(end.outcome));
        prop_assert_eq!(text.matches(['x', 'o']).count() as u32, end.plies.0 + 1);
        if end.capped {
            let rest = game.playout(&mut state, PlayoutLimits::of(&game), &mut rng);
            prop_assert_eq!(cube.outcome(&game.position_text(&state)), Some(rest.outcome));
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[ -~ü/xo.0-9]{0,40}") {
        laws::parsers_stand(&game(1), &text);
    }

    #[test]
    fn any_text_like_a_position_is_read_or_refused(
        rows in prop::collection::vec("[xo.]{4}|[xo]4|4|x3|3o", 16), turn in "[xo]"
    ) {
        let text = format!("{} {turn}", rows.join("/"));
        laws::parsers_stand(&game(1), &text);
        laws::parsers_stand(&game(9), &text);
    }
}
