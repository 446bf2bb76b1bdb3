use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use treegauge_core::{Game, Notation, Player, PlayoutLimits, Plies, Symmetric};
use treegauge_testkit::explore;

use super::{Forms, Move, Objective};
use crate::Word;

fn game<W: Word>(rows: u32, cols: u32, objective: Objective) -> Forms<W> {
    Forms::new(rows, cols, objective, Plies(1_000))
}

#[test]
fn four_by_three_has_the_values_that_are_known() {
    for (objective, start) in
        [(Objective::LastWith, (Player::First, 11)), (Objective::LoseAll, (Player::Second, 9))]
    {
        let found = explore::solved(&game::<u64>(4, 3, objective));
        assert_eq!((found.states, found.draw, found.start), (42_129, 0, Some(start)));
    }
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
    named("ooo/xx x", "in row 1, found 2");
    let mirrors = |cols| game::<u64>(2, cols, Objective::LastWith).symmetry_count();
    assert_eq!([mirrors(1), mirrors(2)], [1, 2]);
}
