use std::collections::{BTreeMap, BTreeSet, HashMap};

use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use treegauge_core::{Game, Keyed, Notation, Outcome, PlayoutLimits, Plies, Symmetric};
use treegauge_testkit::explore;

use super::{State, WildTicTacToe};

fn game() -> WildTicTacToe {
    WildTicTacToe::new(Plies(1_000))
}

#[test]
fn the_first_eight_symmetries_are_those_of_the_square() {
    let game = game();
    let least = |state: &State| (0..8).map(|n| game.key(&game.map_state(n, state))).min();
    let states = explore::explore(&game, 20_000).states;
    assert_eq!(states.iter().map(least).collect::<BTreeSet<_>>().len(), 2_694);
}

/// Probabilities that the first player wins, that the second wins and of a draw, for uniformly
/// random moves.
fn chances(game: &WildTicTacToe, state: State, known: &mut HashMap<State, [f64; 3]>) -> [f64; 3] {
    match game.outcome(&state) {
        Some(Outcome::FirstWins) => return [1.0, 0.0, 0.0],
        Some(Outcome::SecondWins) => return [0.0, 1.0, 0.0],
        Some(Outcome::Draw) => return [0.0, 0.0, 1.0],
        None => {}
    }
    if let Some(&chances) = known.get(&state) {
        return chances;
    }
    let mut moves = Vec::new();
    game.moves_into(&state, &mut moves);
    let share = 1.0 / moves.len() as f64;
    let mut sum = [0.0; 3];
    for m in moves {
        let mut child = state;
        game.play(&mut child, m);
        for (total, chance) in sum.iter_mut().zip(chances(game, child, known)) {
            *total += share * chance;
        }
    }
    known.insert(state, sum);
    sum
}

#[test]
fn playouts_end_with_the_chances_of_the_tree() {
    let game = game();
    let expected = chances(&game, game.start(), &mut HashMap::new());
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
    let n = 400_000;
    let mut ends: BTreeMap<Outcome, f64> = BTreeMap::new();
    for _ in 0..n {
        let end = game.playout(&mut game.start(), PlayoutLimits::of(&game), &mut rng);
        *ends.entry(end.outcome).or_default() += 1.0 / f64::from(n);
    }
    let outcomes = [Outcome::FirstWins, Outcome::SecondWins, Outcome::Draw];
    for (outcome, chance) in outcomes.into_iter().zip(expected) {
        // Five standard deviations of a share of 1/2 among 400,000 are 0.004.
        assert!((ends[&outcome] - chance).abs() < 0.004, "{outcome:?} {chance}: {ends:?}");
    }
}

#[test]
fn bad_positions_are_named() {
    let named = |text: &str, part: &str| {
        let error = game().parse_position(text).expect_err(text).to_string();
        assert!(error.contains(part), "{error}");
    };
    named("3/3/XX1 o", "after 2 marks o is not to move");
    named("XXX/3/OOO x", "both marks have a line");
    named("XXX/3/XXX x", "X has lines that no single mark can have made");
    named("3/x2/3 o", "\"x\" at character 3");
    named("OOO/1X1/3 x z", "unexpected \"z\"");
    assert!(game().parse_position("OOO/1X1/3 x").is_ok());
    assert!(game().parse_position("XXX/X2/X1O x").is_ok(), "a3 made both lines");
}

#[test]
fn both_marks_win_for_who_completes_them() {
    let game = game();
    let mut state = game.start();
    for text in ["Xb2", "Xa1", "xC3"] {
        let m = game.parse_move(&state, text).unwrap();
        game.try_play(&mut state, m).unwrap();
    }
    assert_eq!(game.outcome(&state), Some(Outcome::FirstWins));
    assert_eq!(game.position_text(&state), "..X/.X./X.. o");
    for bad in ["", "b2", "Xd1", "Xa4", "Zb2", "Xb2"] {
        assert!(game.parse_move(&state, bad).is_err(), "{bad:?}");
    }
    for m in [18, 31, 32, 63, 64, u8::MAX] {
        assert!(game.try_play(&mut game.start(), m).is_err(), "{m}");
    }
}
