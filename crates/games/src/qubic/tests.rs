use std::collections::BTreeSet;

use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use treegauge_core::{Game, Notation, PlayoutLimits, Plies, Symmetric, perft};

use super::{LINES, LINES_APART, Qubic};

fn game(lines: u32) -> Qubic {
    Qubic::new(lines, Plies(1_000))
}

/// Cells of all lines, column, row and level from 0, found by walking.
fn lines() -> BTreeSet<BTreeSet<[i32; 3]>> {
    let triples = |range: std::ops::Range<i32>| {
        let each = range.clone();
        each.flat_map(move |x| {
            let (ys, zs) = (range.clone(), range.clone());
            ys.flat_map(move |y| zs.clone().map(move |z| [x, y, z]))
        })
    };
    let walk = |[dx, dy, dz]: [i32; 3]| {
        triples(0..4).map(move |[x, y, z]| {
            (0..4).map(|n| [x + n * dx, y + n * dy, z + n * dz]).collect::<BTreeSet<_>>()
        })
    };
    let inside = |line: &BTreeSet<[i32; 3]>| line.iter().flatten().all(|at| (0..4).contains(at));
    triples(-1..2).filter(|d| *d != [0; 3]).flat_map(walk).filter(inside).collect()
}

/// Position after moves in turn, which need not be good.
fn after(game: &Qubic, moves: &str) -> super::State {
    let mut state = game.start();
    for text in moves.split_whitespace() {
        let m = game.parse_move(&state, text).unwrap();
        game.try_play(&mut state, m).unwrap();
    }
    state
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
    let lines = lines();
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
fn perft_close_to_a_win() {
    // With three in the first row x wins at once by 411, after which nothing is counted; if two
    // lines are needed, nothing ends.
    let moves = "111 112 211 113 311 114";
    let ended = perft(&game(1), &after(&game(1), moves), 2);
    assert_eq!(ended, [58, 57 * 57]);
    let open = perft(&game(2), &after(&game(2), moves), 2);
    assert_eq!(open, [58, 58 * 57]);
}

#[test]
fn lines_apart_share_no_cell() {
    let apart = |lines| game(lines).with_lines_apart();
    // Two rows of level 1, and the row and the column through 111.
    let (rows, cross) = (0x00ff, 0x1111 | 0xf);
    assert!(game(2).wins(rows) && game(2).wins(cross));
    assert!(apart(2).wins(rows) && !apart(2).wins(cross));
    // The whole cube has 16 of them, and no more have room.
    assert!(apart(LINES_APART).wins(u64::MAX) && 4 * LINES_APART == 64);
    // Of level 1 without a corner: 3 full rows, and each crosses 3 full columns and a diagonal.
    assert!(apart(3).wins(0xfffe) && game(4).wins(0xfffe) && !apart(4).wins(0xfffe));
    // Playouts end where the rules say.
    let mut longer = 0;
    for seed in 0..300 {
        let played = |game: &Qubic| {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut state = game.start();
            let end = game.playout(&mut state, PlayoutLimits::new(Plies(64), Plies(0)), &mut rng);
            assert_eq!(game.outcome(&state), Some(end.outcome));
            end.plies
        };
        let [shared, apart] = [game(2), apart(2)].map(|game| played(&game));
        assert!(shared <= apart);
        longer += u32::from(shared < apart);
    }
    assert!(longer > 0, "no playout had two lines that cross");
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
    named(1, &format!("{empty}/xxxx/oo2/oo3/xxxx o"), "in row 2, found 5");
    named(1, &format!("{empty}/xxxx/ooo1/oooo/xxxx o"), "o has won already and is to move");
    named(
        1,
        &format!("{empty}/xxxx/ooo1/1ooo/xxxx o"),
        "8 x and 6 o cannot be with o to move; x has lines that no single stone can have made",
    );
    named(2, &format!("{empty}/4/4/4 x"), "rows, found 15");
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
