use std::collections::HashMap;

use proptest::prelude::*;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use treegauge_core::{Ending, Game, Keyed, Notation, Outcome, Played, Plies, perft};
use treegauge_testkit::{Laws, Oracle, laws, oracle};

use super::{FingerGame, State};

fn game(self_tap: bool) -> FingerGame {
    FingerGame::new(self_tap, Plies(1_000))
}

fn all_laws(game: &FingerGame, laws: Laws) {
    laws::check(game, laws);
    laws::keyed(game, laws);
    laws::indexed(game, laws);
    laws::symmetric(game, laws);
}

/// The rules on the text: hands as digits, moves as letters.
struct Hands {
    self_tap: bool,
}

impl Hands {
    /// The hands of the player to move, those of the other, and whether `x` is to move.
    fn read(position: &str) -> (Vec<u32>, Vec<u32>, bool) {
        let parts: Vec<&str> = position.split(' ').collect();
        let digits = |text: &str| text.chars().map(|c| c.to_digit(10).unwrap()).collect();
        let x = parts[2] == "x";
        let (own, other) = if x { (parts[0], parts[1]) } else { (parts[1], parts[0]) };
        (digits(own), digits(other), x)
    }
}

/// 0 for the left hand and 1 for the right.
fn side(letter: char) -> usize {
    "LR".find(letter).unwrap()
}

impl Oracle for Hands {
    fn moves(&self, position: &str) -> Vec<String> {
        let (own, other, _) = Hands::read(position);
        let mut moves = Vec::new();
        for by in ['L', 'R'].into_iter().filter(|&by| own[side(by)] > 0) {
            for on in ['L', 'R'].into_iter().filter(|&on| other[side(on)] > 0) {
                moves.push(format!("{by}{on}"));
            }
            if self.self_tap && own.iter().all(|&n| n > 0) {
                moves.push(format!("{by}O"));
            }
        }
        if own.contains(&0) {
            moves.extend((1..own[0].max(own[1])).map(|n| format!("S{n}")));
        }
        moves
    }

    fn play(&self, position: &str, m: &str) -> String {
        let (mut own, mut other, x) = Hands::read(position);
        let (what, how) = (m.chars().next().unwrap(), m.chars().nth(1).unwrap());
        let add = |hand: &mut u32, n: u32| *hand = if *hand + n > 4 { 0 } else { *hand + n };
        if what == 'S' {
            let n = how.to_digit(10).unwrap();
            for hand in &mut own {
                *hand = if *hand == 0 { n } else { *hand - n };
            }
        } else if how == 'O' {
            let by = own[side(what)];
            add(&mut own[1 - side(what)], by);
        } else {
            add(&mut other[side(how)], own[side(what)]);
        }
        let text = |hands: &[u32]| format!("{}{}", hands[0], hands[1]);
        if x {
            format!("{} {} o", text(&own), text(&other))
        } else {
            format!("{} {} x", text(&other), text(&own))
        }
    }

    fn outcome(&self, position: &str) -> Option<Outcome> {
        match position.split(' ').collect::<Vec<_>>()[..] {
            ["00", _, _] => Some(Outcome::SecondWins),
            [_, "00", _] => Some(Outcome::FirstWins),
            _ => None,
        }
    }
}

#[test]
fn both_games_keep_the_laws() {
    for self_tap in [false, true] {
        all_laws(&game(self_tap), Laws::default());
        all_laws(&FingerGame::new(self_tap, Plies(7)), Laws::default());
    }
}

#[test]
fn perft_of_both_games() {
    let counts = |game: FingerGame, depth| perft(&game, &game.start(), depth);
    assert_eq!(counts(game(false), 7), [4, 16, 64, 240, 792, 2424, 7360]);
    assert_eq!(counts(game(true), 5), [6, 36, 216, 1264, 6224]);
}

/// The reachable positions with their values for the player to move, 0 where play is endless.
///
/// Positions of unknown value are visited again until nothing changes: a position
/// is won when a move leads to a lost one, and lost when all lead to won ones.
fn solve(game: &FingerGame) -> HashMap<State, i32> {
    let mut children: HashMap<State, Vec<State>> = HashMap::new();
    let (mut open, mut moves) = (vec![game.start()], Vec::new());
    let mut values = HashMap::new();
    while let Some(state) = open.pop() {
        if children.contains_key(&state) {
            continue;
        }
        let mut next = Vec::new();
        if let Some(outcome) = game.outcome(&state) {
            values.insert(state, outcome.value_for(game.turn(&state)));
        } else {
            game.moves_into(&state, &mut moves);
            for &m in &moves {
                let mut child = state;
                game.play(&mut child, m);
                next.push(child);
            }
        }
        open.extend(&next);
        children.insert(state, next);
    }
    loop {
        let mut found = Vec::new();
        for (state, next) in children.iter().filter(|(state, _)| !values.contains_key(*state)) {
            if next.iter().any(|child| values.get(child) == Some(&-1)) {
                found.push((*state, 1));
            } else if next.iter().all(|child| values.get(child) == Some(&1)) {
                found.push((*state, -1));
            }
        }
        if found.is_empty() {
            break;
        }
        values.extend(found);
    }
    children.into_keys().map(|state| (state, values.get(&state).copied().unwrap_or(0))).collect()
}

#[test]
fn every_position_is_solved_and_the_start_is_a_draw() {
    for (self_tap, finished, won, lost, drawn) in
        [(false, 40, 254, 72, 624), (true, 48, 510, 136, 496)]
    {
        let game = game(self_tap);
        let values = solve(&game);
        let with = |value: i32| values.values().filter(|&&v| v == value).count();
        assert_eq!((with(1), with(-1), with(0)), (won, lost, drawn));
        assert_eq!(values.keys().filter(|state| game.outcome(state).is_some()).count(), finished);
        assert_eq!(values[&game.start()], 0);
        for state in values.keys() {
            assert_eq!(game.unkey(game.key(state)), *state);
        }
    }
}

#[test]
fn the_third_occurrence_is_a_draw() {
    let game = game(false);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut repetitions = 0;
    for _ in 0..200 {
        let mut played = Played::start(&game);
        while played.ended(&game).is_none() {
            let m = game.random_move(played.state(), &mut rng).unwrap();
            played.play(&game, m);
        }
        let ended = played.ended(&game).unwrap();
        if ended.by == Ending::Repetition {
            assert_eq!(ended.outcome, Outcome::Draw);
            repetitions += 1;
        }
    }
    assert!(repetitions > 0, "some of 200 random games repeat a position twice");
}

#[test]
fn hands_are_tapped_and_split_as_the_rules_say() {
    let after = |self_tap: bool, position: &str, line: &str| {
        let game = game(self_tap);
        let mut state = game.parse_position(position).unwrap();
        for text in line.split(' ') {
            let m = game.parse_move(&state, text).unwrap();
            game.play(&mut state, m);
        }
        (game.position_text(&state), game.outcome(&state))
    };
    assert_eq!(after(false, "11 11 x", "LR rl"), ("31 12 x".to_owned(), None));
    assert_eq!(after(false, "14 30 x", "RL"), ("14 00 o".to_owned(), Some(Outcome::FirstWins)));
    assert_eq!(after(false, "04 11 x", "S3"), ("31 11 o".to_owned(), None));
    assert_eq!(after(true, "11 32 o", "LO"), ("11 30 x".to_owned(), None));
    let plain = game(false);
    for (position, bad) in [
        ("11 11 x", "LO"),
        ("01 11 x", "LL"),
        ("11 01 x", "LL"),
        ("02 11 x", "S2"),
        ("12 11 x", "S1"),
    ] {
        let state = plain.parse_position(position).unwrap();
        assert!(plain.parse_move(&state, bad).is_err(), "{bad} in {position}");
    }
    // A move of the other player is not legal, though it is written the same.
    assert!(plain.try_play(&mut plain.start(), 16).is_err());
}

#[test]
fn errors_of_a_position_are_named() {
    let error = |text: &str| game(false).parse_position(text).expect_err(text).to_string();
    assert!(error("").contains("the left and right hand of x is missing"));
    let many = error("15 1 z !");
    for part in [
        "\"15\" at character 1 where the left and right hand of x (two digits from 0 to 4)",
        "\"1\" at character 4 where the left and right hand of o",
        "\"z\" at character 6",
        "unexpected \"!\" at character 8",
    ] {
        assert!(many.contains(part), "{many}");
    }
    assert!(error("11 00 x").contains("o has no fingers left, so x is not to move"));
    assert!(game(false).parse_position("00 11 x").is_ok(), "a lost position");
}

#[test]
fn fingers_are_drawn_as_strokes() {
    let game = game(false);
    let state = game.parse_position("11 40 x").unwrap();
    assert_eq!(game.board_text(&state), "   left  right\no  ||||  -\nx  |     |\n");
    assert_eq!(game.board_svg(&state).matches("<line").count(), 6);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn random_games_follow_the_hands(self_tap: bool, seed: u64) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        oracle::agree(&game(self_tap), &Hands { self_tap }, 10, &mut rng);
    }

    #[test]
    fn any_text_is_read_or_refused(self_tap: bool, text in "[ -~ü0-5xo]{0,12}") {
        laws::parsers_stand(&game(self_tap), &text);
    }

    #[test]
    fn any_text_like_a_position_is_read_or_refused(text in "[0-5]{2} [0-5]{2} [xo]") {
        laws::parsers_stand(&game(false), &text);
    }
}
