use std::collections::BTreeMap;

use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use treegauge_core::{Game, Notation, Outcome, Player, PlayoutLimits, Plies};

use super::{Fixed, Sized, Standard, TicTacToe};
use treegauge_bits::Wide;

const CAP: Plies = Plies(1_000);

fn standard() -> Standard {
    TicTacToe::new(Fixed, CAP)
}

fn sized<W: crate::Word>(size: u32, k: u32, misere: bool) -> TicTacToe<Sized<W>> {
    TicTacToe::new(Sized::new(size, k, misere), CAP)
}

#[test]
fn playouts_end_as_often_in_each_way_as_courses_weighted_by_their_choices() {
    // In random games the first player wins 737/1260, the second 121/420 and 8/63 are drawn: the
    // probabilities that follow from the game tree.
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
