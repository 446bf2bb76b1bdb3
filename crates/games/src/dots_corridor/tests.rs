use std::collections::HashMap;

use proptest::prelude::*;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use treegauge_core::{Game, Notation, Outcome, Player, Plies};
use treegauge_testkit::{Oracle, oracle};

use super::{DotsCorridor, State};

fn corridor(length: u32) -> DotsCorridor {
    DotsCorridor::new(length, Plies(1_000))
}

/// Slow rules on the text: signs at even places are lines, those at odd places boxes.
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

/// Value for the player to move with best play by both players.
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
    named("|.:.: x", &["expected 7 cells in row 1, found 5"]);
    named(
        ":.:.z|| y 1",
        &[
            "unexpected \":\" at character 1: expected |",
            "unexpected \"z\" at character 5: expected : |",
            "unexpected \"|\" at character 6: expected . x o",
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
}
