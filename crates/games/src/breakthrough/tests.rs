use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use treegauge_core::{Game, Notation, Outcome, Player, PlayoutLimits, Plies};
use treegauge_testkit::explore;

use super::{Breakthrough, Move, Sized};

const CAP: Plies = Plies(1_000);

fn sized<W: crate::Word>(cols: u32, rows: u32) -> Breakthrough<Sized<W>> {
    Breakthrough::new(Sized::new(cols, rows), CAP)
}

#[test]
fn three_columns_by_four_rows_has_its_known_value() {
    let found = explore::solved(&sized::<u64>(3, 4));
    assert_eq!((found.start, found.states), (Some((Player::Second, 12)), 55_152));
}

#[test]
fn the_last_man_captured_ends_a_playout_too() {
    // Either side can only take the other's single man or let its own be taken.
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
