use std::collections::HashSet;

use proptest::prelude::*;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use treegauge_core::{
    Game, Indexed, Keyed, Notation, Outcome, Player, PlayoutLimits, Plies, Retrograde, perft,
};
use treegauge_testkit::{Oracle, oracle};

use super::{OneToTen, State};

fn game(target: u32, max_step: u32, misere: bool) -> OneToTen {
    OneToTen::new(target, max_step, misere, Plies(1_000))
}

/// Slow rules on the text.
struct Count {
    target: u32,
    max_step: u32,
    misere: bool,
}

impl Count {
    fn read(position: &str) -> (u32, &str) {
        let (total, turn) = position.split_once(' ').unwrap();
        (total.parse().unwrap(), turn)
    }
}

impl Oracle for Count {
    fn moves(&self, position: &str) -> Vec<String> {
        let (total, _) = Count::read(position);
        let steps = (1..=self.max_step).filter(|step| total + step <= self.target);
        steps.map(|step| step.to_string()).collect()
    }

    fn play(&self, position: &str, m: &str) -> String {
        let (total, turn) = Count::read(position);
        format!("{} {}", total + m.parse::<u32>().unwrap(), if turn == "x" { "o" } else { "x" })
    }

    fn outcome(&self, position: &str) -> Option<Outcome> {
        let (total, turn) = Count::read(position);
        let x_made_the_last_step = turn == "o";
        (total == self.target).then_some(if x_made_the_last_step != self.misere {
            Outcome::FirstWins
        } else {
            Outcome::SecondWins
        })
    }
}

#[test]
fn sequences_are_compositions() {
    // d steps with j twos among them add up to d + j, which must not pass 10.
    let choose = |d: u64, j: u64| (0..j).fold(1, |ways, i| ways * (d - i) / (i + 1));
    let expected: Vec<u64> =
        (1..=10).map(|d| (0..=d.min(10 - d)).map(|j| choose(d, j)).sum()).collect();
    let usual = game(10, 2, false);
    assert_eq!(perft(&usual, &usual.start(), 10), expected);
    assert_eq!(expected[..7], [2, 4, 8, 16, 32, 57, 64]);
}

/// Value of every reachable position for its player to move, by taking moves back from the end.
fn solve(game: &OneToTen) -> Vec<Option<i32>> {
    let mut values = vec![None; game.index_len() as usize];
    let mut moves_left = vec![0; values.len()];
    let (mut open, mut parents) = (Vec::new(), Vec::new());
    for index in 0..game.index_len() {
        let state = game.unkey(index as u32);
        if !game.is_reachable(&state) {
            continue;
        }
        moves_left[index as usize] = game.move_count(&state);
        if let Some(outcome) = game.outcome(&state) {
            values[index as usize] = Some(outcome.value_for(state.turn));
            open.push(state);
        }
    }
    while let Some(state) = open.pop() {
        game.parents_into(&state, &mut parents);
        for parent in &parents {
            let (child, index) = (game.key(&state) as usize, game.key(parent) as usize);
            moves_left[index] -= 1;
            let settled = values[index].is_some();
            if !settled && (values[child] == Some(-1) || moves_left[index] == 0) {
                values[index] = values[child].map(|value: i32| -value);
                open.push(*parent);
            }
        }
    }
    values
}

#[test]
fn the_player_to_move_loses_at_multiples_of_a_step_more_than_the_largest() {
    for (target, max_step, misere) in
        [(10, 2, false), (10, 2, true), (31, 6, false), (31, 6, true), (1, 1, true), (9, 1, false)]
    {
        let game = game(target, max_step, misere);
        for (index, value) in solve(&game).into_iter().enumerate() {
            let state = game.unkey(index as u32);
            if !game.is_reachable(&state) {
                assert_eq!(value, None, "index {index} is not a position");
                continue;
            }
            let left = target - state.total + u32::from(misere) * max_step;
            let loses = left.is_multiple_of(max_step + 1);
            assert_eq!(value, Some(if loses { -1 } else { 1 }), "{state:?} of {game:?}");
        }
    }
}

#[test]
fn the_index_has_exactly_the_reachable_positions() {
    for (target, max_step) in [(1, 1), (1, 5), (2, 1), (2, 2), (10, 1), (10, 2), (30, 7)] {
        let game = game(target, max_step, false);
        let (mut seen, mut open) = (HashSet::from([game.start()]), vec![game.start()]);
        let mut moves = Vec::new();
        while let Some(state) = open.pop() {
            game.moves_into(&state, &mut moves);
            for &m in &moves {
                let mut child = state;
                game.play(&mut child, m);
                if seen.insert(child) {
                    open.push(child);
                }
            }
        }
        let states = (0..game.index_len()).map(|index| game.unkey(index as u32));
        let indexed: HashSet<State> = states.filter(|state| game.is_reachable(state)).collect();
        assert_eq!(indexed, seen, "target {target}, steps to {max_step}");
        assert_eq!(game.unkey(game.key(&game.start())), game.start());
    }
}

#[test]
fn a_long_count_with_nothing_to_choose_ends_at_once_and_right() {
    let long = OneToTen::new(10_000, 1, false, Plies(20_000));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut state = long.start();
    let end = long.playout(&mut state, PlayoutLimits::of(&long), &mut rng);
    assert_eq!((end.plies, end.outcome), (Plies(10_000), Outcome::SecondWins));
    assert_eq!(long.position_text(&state), "10000 x");
    let capped = game(10_000, 1, false);
    let mut state = capped.start();
    let end = capped.playout(&mut state, PlayoutLimits::of(&capped), &mut rng);
    assert_eq!((end.plies, end.outcome, end.capped), (Plies(1_000), Outcome::Draw, true));
    assert_eq!(capped.position_text(&state), "1000 x");
}

#[test]
fn errors_of_a_position_are_named() {
    let named = |game: OneToTen, text: &str, parts: &[&str]| {
        let error = game.parse_position(text).expect_err(text).to_string();
        for part in parts {
            assert!(error.contains(part), "{error}");
        }
    };
    let usual = game(10, 2, false);
    named(
        usual,
        "11 z 1",
        &[
            "unexpected \"11\" at character 1: expected the total (0 to 10)",
            "\"z\" at character 4",
            "unexpected \"1\" at character 6",
        ],
    );
    named(usual, "", &["the total is missing", "the player to move (x or o) is missing"]);
    named(usual, "0 o", &["no game reaches 0 with o to move"]);
    named(usual, "1 x", &["no game reaches 1 with x to move"]);
    named(game(10, 1, false), "4 o", &["no game reaches 4 with o to move"]);
    assert_eq!(usual.parse_position("2 o"), Ok(State { total: 2, turn: Player::Second }));
    for bad in ["0", "3", "-1", "", "one", "1 1"] {
        assert!(usual.parse_move(&usual.start(), bad).is_err(), "{bad:?}");
    }
    for m in [0, 3, 255] {
        assert!(usual.try_play(&mut usual.start(), m).is_err(), "{m}");
    }
    assert_eq!(usual.board_text(&usual.parse_position("3 o").unwrap()), "###....... 3 of 10\n");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_game_follows_the_count(
        target in 1u32..=300, max_step in 1u32..=100, misere: bool, seed: u64
    ) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let game = game(target, max_step, misere);
        oracle::agree(&game, &Count { target, max_step, misere }, 5, &mut rng);
    }
}
