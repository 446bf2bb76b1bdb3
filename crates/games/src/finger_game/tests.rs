use proptest::prelude::*;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use treegauge_core::{Ending, Game, Notation, Outcome, Played, Plies};
use treegauge_testkit::{Oracle, explore, oracle};

use super::FingerGame;

fn game(self_tap: bool) -> FingerGame {
    FingerGame::new(self_tap, Plies(1_000))
}

/// Slow rules on the text: hands as digits, moves as letters.
struct Hands {
    self_tap: bool,
}

impl Hands {
    /// Hands of the player to move, hands of the other, and whether `x` is to move.
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
fn taps_of_the_own_hand_leave_the_start_a_draw() {
    let found = explore::solved(&game(true));
    let counts = [found.finished, found.win, found.lose, found.draw];
    assert_eq!((counts, found.start), ([48, 510, 136, 496], None));
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
    // A move of the other player is not legal, though it has the same text.
    assert!(plain.try_play(&mut plain.start(), 16).is_err());
}

#[test]
fn errors_of_a_position_are_named() {
    let error = |text: &str| game(false).parse_position(text).expect_err(text).to_string();
    assert!(error("").contains("the left and right hand of x is missing"));
    let many = error("15 1 z !");
    for part in [
        "\"15\" at character 1: expected the left and right hand of x (two digits from 0 to 4)",
        "\"1\" at character 4: expected the left and right hand of o",
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
}
