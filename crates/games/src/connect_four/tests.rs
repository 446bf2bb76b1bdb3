use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use treegauge_core::{Game, Notation, Outcome, Player, Plies};

use super::{ConnectFour, Fixed, Sized, Standard};

const CAP: Plies = Plies(1_000);

fn standard() -> Standard {
    ConnectFour::new(Fixed, CAP)
}

fn sized<W: crate::Word>(cols: u32, rows: u32, k: u32) -> ConnectFour<Sized<W>> {
    ConnectFour::new(Sized::new(cols, rows, k), CAP)
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
