use std::collections::{HashMap, HashSet};

use proptest::prelude::*;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use treegauge_core::{Game, Notation, Outcome, Player, PlayoutLimits, Plies, perft};
use treegauge_testkit::{Laws, Oracle, laws, oracle};

use super::{DotsCorridor, State};

fn corridor(length: u32) -> DotsCorridor {
    DotsCorridor::new(length, Plies(1_000))
}

/// The rules on the text: signs at even places are lines, those at odd places boxes.
struct Signs;

impl Oracle for Signs {
    fn moves(&self, position: &str) -> Vec<String> {
        let signs = position.char_indices().filter(|&(_, c)| c == ':');
        signs.map(|(place, _)| (place / 2).to_string()).collect()
    }

    fn play(&self, position: &str, m: &str) -> String {
        let mut signs: Vec<char> = position.chars().collect();
        let turn = signs.pop().unwrap();
        let place = 2 * m.parse::<usize>().unwrap();
        signs[place] = '|';
        let mut again = false;
        for number in [place - 1, place + 1] {
            if signs[number] == '.' && signs[number - 1] == '|' && signs[number + 1] == '|' {
                signs[number] = turn;
                again = true;
            }
        }
        let other = if turn == 'x' { 'o' } else { 'x' };
        signs.push(if again { turn } else { other });
        signs.into_iter().collect()
    }

    fn outcome(&self, position: &str) -> Option<Outcome> {
        let (corridor, _) = position.split_once(' ').unwrap();
        let margin = corridor.matches('x').count() as i32 - corridor.matches('o').count() as i32;
        (!corridor.contains(':')).then_some(Outcome::of_margin(margin))
    }
}

fn all_laws(game: &DotsCorridor, laws: Laws) {
    laws::check(game, laws);
    laws::keyed(game, laws);
    laws::tiered(game, laws);
    laws::graded(game, laws);
}

#[test]
fn short_and_long_corridors_keep_the_laws() {
    for length in [1, 2, 3, 12, 24, 60] {
        all_laws(&corridor(length), Laws { games: 10, playouts: 1_000, seed: 2 });
    }
}

#[test]
fn every_line_can_always_be_drawn() {
    let game = corridor(24);
    assert_eq!(perft(&game, &game.start(), 4), [24, 552, 12144, 255024]);
}

/// The distinct states by ply.
fn states_by_ply(game: &DotsCorridor) -> Vec<HashSet<State>> {
    let mut plies = vec![HashSet::from([game.start()])];
    let mut moves = Vec::new();
    for ply in 0..game.length() as usize {
        let mut next = HashSet::new();
        for state in &plies[ply] {
            game.moves_into(state, &mut moves);
            for &m in &moves {
                let mut child = *state;
                game.play(&mut child, m);
                next.insert(child);
            }
        }
        plies.push(next);
    }
    plies
}

/// The value for the player to move with best play of both.
fn value(game: &DotsCorridor, state: State, known: &mut HashMap<State, i32>) -> i32 {
    if let Some(outcome) = game.outcome(&state) {
        return outcome.value_for(state.turn);
    }
    if let Some(&value) = known.get(&state) {
        return value;
    }
    let mut moves = Vec::new();
    game.moves_into(&state, &mut moves);
    let values = moves.into_iter().map(|m| {
        let mut child = state;
        game.play(&mut child, m);
        let value = value(game, child, known);
        if child.turn == state.turn { value } else { -value }
    });
    let best = values.max().unwrap();
    known.insert(state, best);
    best
}

#[test]
fn corridors_have_their_numbers_of_states_by_ply() {
    let expected: [&[usize]; 7] = [
        &[1, 2, 2],
        &[1, 3, 5, 3],
        &[1, 4, 9, 12, 5],
        &[1, 5, 14, 27, 29, 11],
        &[1, 6, 20, 49, 82, 70, 23],
        &[1, 7, 27, 79, 172, 238, 173, 53],
        &[1, 8, 35, 118, 308, 563, 657, 430, 123],
    ];
    for (length, expected) in (2..).zip(expected) {
        let counts: Vec<usize> =
            states_by_ply(&corridor(length)).iter().map(HashSet::len).collect();
        assert_eq!(counts, expected, "length {length}");
    }
}

#[test]
fn best_play_has_its_known_results() {
    // Wins, losses and draws for the player to move among all reachable states.
    let expected = [
        (1, [2, 0, 0]),
        (2, [5, 0, 0]),
        (3, [12, 0, 0]),
        (4, [27, 0, 4]),
        (5, [83, 4, 0]),
        (6, [233, 4, 14]),
        (7, [728, 22, 0]),
        (8, [2103, 28, 112]),
    ];
    for (length, expected) in expected {
        let game = corridor(length);
        let mut known = HashMap::new();
        assert_eq!(value(&game, game.start(), &mut known), 1, "length {length}");
        let mut counts = [0; 3];
        for &state in states_by_ply(&game).iter().flatten() {
            counts[match value(&game, state, &mut known) {
                1 => 0,
                -1 => 1,
                _ => 2,
            }] += 1;
        }
        assert_eq!(counts, expected, "length {length}");
    }
}

#[test]
fn only_line_1_wins_at_the_start_and_closes_a_box() {
    for length in 2..=8 {
        let game = corridor(length);
        let mut known = HashMap::new();
        for line in 1..=length as u8 {
            let mut child = game.start();
            game.play(&mut child, line);
            assert_eq!(child.turn == Player::First, line == 1);
            let value = value(&game, child, &mut known) * child.turn.sign();
            assert_eq!(value, if line == 1 { 1 } else { -1 }, "line {line} of {length}");
        }
    }
}

#[test]
fn positions_are_boxes_and_lines() {
    let game = corridor(3);
    let mut state = game.start();
    assert_eq!(game.position_text(&state), "|.:.:.: x");
    for (line, text) in [(1, "|x|.:.: x"), (3, "|x|.:.| o"), (2, "|x|o|o| o")] {
        game.play(&mut state, line);
        assert_eq!(game.position_text(&state), text);
    }
    assert_eq!(game.outcome(&state), Some(Outcome::SecondWins));
    let text = "+---+---+---+\n| x | o | o |\n+---+---+---+\n    1   2   3\n";
    assert_eq!(game.board_text(&state), text);
}

#[test]
fn errors_of_a_position_are_named() {
    let named = |text: &str, parts: &[&str]| {
        let error = corridor(3).parse_position(text).expect_err(text).to_string();
        for part in parts {
            assert!(error.contains(part), "{error}");
        }
    };
    named("|.:.: x", &["the number of cells in row 1 is 5, where the board has 7"]);
    named(
        ":.:.z|| y 1",
        &[
            "\":\" at character 1 where | should stand",
            "\"z\" at character 5 where : | should stand",
            "\"|\" at character 6 where . x o should stand",
            "\"y\" at character 9",
            "unexpected \"1\" at character 11",
        ],
    );
    named(
        "|.|x:.: x",
        &["box 1 is closed and has no owner", "box 2 has an owner and no two walls"],
    );
    named("|.:.|.: x", &["with 1 lines and 0 boxes o is to move"]);
    named("|o|.:.: o", &["with 1 lines and 1 boxes x is to move"]);
    named("", &["the corridor is missing"]);
}

#[test]
fn moves_off_the_corridor_are_refused() {
    let game = corridor(60);
    for m in [0, 61, 63, 64, 65, 128, 255] {
        assert!(game.try_play(&mut game.start(), m).is_err(), "{m}");
    }
    for bad in ["0", "61", "-1", "", "a", "1 2"] {
        assert!(game.parse_move(&game.start(), bad).is_err(), "{bad:?}");
    }
    assert_eq!(game.parse_move(&game.start(), "60"), Ok(60));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn any_corridor_follows_the_signs(length in 1u32..=60, seed: u64) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        oracle::agree(&corridor(length), &Signs, 4, &mut rng);
    }

    #[test]
    fn any_corridor_keeps_the_laws(length in 1u32..=60, seed: u64) {
        all_laws(&corridor(length), Laws { games: 3, playouts: 200, seed });
    }

    #[test]
    fn the_end_of_a_playout_is_a_position_of_the_signs(
        length in 1u32..=60, seed: u64, cap in 0u32..70
    ) {
        let game = corridor(length);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut state = game.start();
        let limits = PlayoutLimits::new(Plies(cap), Plies(0));
        let end = game.playout(&mut state, limits, &mut rng);
        let text = game.position_text(&state);
        prop_assert_eq!(game.parse_position(&text), Ok(state));
        prop_assert_eq!(Signs.outcome(&text), (!end.capped).then_some(end.outcome));
        prop_assert_eq!(text.matches('|').count() as u32, end.plies.0 + 1);
        if end.capped {
            game.playout(&mut state, PlayoutLimits::of(&game), &mut rng);
            let text = game.position_text(&state);
            prop_assert_eq!(game.parse_position(&text), Ok(state));
            prop_assert!(Signs.outcome(&text).is_some());
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[ -~ü|:xo.]{0,20}") {
        laws::parsers_stand(&corridor(3), &text);
    }

    #[test]
    fn any_text_like_a_position_is_read_or_refused(text in "[|]([.xo][:|]){3} [xo]") {
        laws::parsers_stand(&corridor(3), &text);
    }
}
