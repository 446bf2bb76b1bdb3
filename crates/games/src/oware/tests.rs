use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use treegauge_core::{
    Ended, Ending, Game, Graded, HistoryEnd, Keyed, Notation, Outcome, Played, PlayoutLimits, Plies,
};

use super::{Capture, Limit, Oware};

const CAP: Plies = Plies(1_000);

fn usual() -> Oware {
    Oware::new(6, 4, CAP)
}

#[test]
fn histories_end_with_seeds_going_to_their_owners_and_the_cap_with_a_draw() {
    let game = usual();
    let state = game.parse_position("1,0,0,0,0,0 22 0,0,0,0,0,2 23 x").unwrap();
    assert_eq!(game.margin(&state), -2);
    for (end, outcome) in [
        (HistoryEnd::DrawPlies, Outcome::SecondWins),
        (HistoryEnd::Repetition, Outcome::SecondWins),
        (HistoryEnd::Capped, Outcome::Draw),
    ] {
        assert_eq!(game.settle(&state, end), outcome, "{end:?}");
    }
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    // Nothing is captured while one seed goes along its row: the playout inherits 98 plies.
    let start = game.parse_position("1,0,0,0,0,0 22 1,0,0,0,0,0 24 x").unwrap();
    for (plies_left, quiet, plies, outcome, capped) in [
        (50, 98, 2, Outcome::SecondWins, false),
        (1, 98, 1, Outcome::Draw, true),
        (2, 98, 2, Outcome::SecondWins, false),
        (0, 100, 0, Outcome::SecondWins, false),
    ] {
        let mut state = start;
        let limits = PlayoutLimits::new(Plies(plies_left), Plies(quiet));
        let end = game.playout(&mut state, limits, &mut rng);
        assert_eq!((end.plies, end.outcome, end.capped), (Plies(plies), outcome, capped));
    }
    // Both seeds go back and forth, and the same position comes back every other ply.
    let tiny = Oware::new(1, 1, CAP).capturing(Capture::Exactly(9));
    let mut played = Played::start(&tiny);
    while played.ended(&tiny).is_none() {
        let m = tiny.random_move(played.state(), &mut rng).unwrap();
        played.play(&tiny, m);
    }
    let outcome = tiny.outcome_of_margin(played.state());
    assert_eq!(played.ended(&tiny), Some(Ended { by: Ending::Repetition, outcome }));
    assert_ne!(outcome, Outcome::Draw, "one of them has both seeds");
}

#[test]
fn a_limit_can_be_a_draw() {
    let game = usual().with_limit(Limit::Draw);
    let start = game.parse_position("1,0,0,0,0,0 22 1,0,0,0,0,0 24 x").unwrap();
    for end in [HistoryEnd::DrawPlies, HistoryEnd::Repetition, HistoryEnd::Capped] {
        assert_eq!(game.settle(&start, end), Outcome::Draw, "{end:?}");
        assert_eq!(game.settles(end), Some(Outcome::Draw), "{end:?}");
        assert_eq!(usual().settles(end).is_some(), end == HistoryEnd::Capped, "{end:?}");
    }
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut state = start;
    let end = game.playout(&mut state, PlayoutLimits::new(Plies(50), Plies(98)), &mut rng);
    assert_eq!((end.plies, end.outcome, end.capped), (Plies(2), Outcome::Draw, false));
}

#[test]
fn captures_are_irreversible_and_nothing_else_is() {
    let game = usual();
    let state = game.parse_position("4,0,0,0,0,4 14 3,2,1,2,4,0 14 x").unwrap();
    assert!(game.is_irreversible(&state, 5));
    assert!(!game.is_irreversible(&state, 0));
    assert_eq!(game.unkey(game.key(&state)), state);
}

#[test]
fn errors_of_a_position_are_named() {
    let game = Oware::new(3, 2, CAP);
    let named = |text: &str, part: &str| {
        let error = game.parse_position(text).expect_err(text).to_string();
        assert!(error.contains(part), "{error}");
    };
    named("", "the row of houses of x is missing");
    named("2,2,2 0 2,2,2 1 x", "there are 13 seeds, not 12");
    named("0,0,0 5 2,1,0 4 x", "x cannot move, so all seeds are in their owners' stores");
    named("1,1,0 5 0,0,0 5 x", "x cannot move");
    assert!(game.parse_position("1,1,1 5 0,0,0 4 x").is_ok(), "house 3 feeds");
    assert!(game.parse_position("0,0,0 6 0,0,0 6 x").is_ok(), "a finished position");
    assert!(game.parse_position("0,0,0 7 2,1,0 2 x").is_ok(), "won with seeds on the board");
}
