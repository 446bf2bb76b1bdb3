use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use treegauge_core::{Game, Graded, Notation, Outcome, Player, PlayoutLimits, Plies, Tiered};
use treegauge_testkit::explore;

use super::{Blocked, Othello, PASS, State};

const CAP: Plies = Plies(1_000);

fn game<const N: u32>(adjacent: bool) -> Othello<N> {
    Othello::new(adjacent, CAP)
}

/// Final margin with best play by both players, found from the last tier backwards.
fn best_margin<const N: u32>(game: &Othello<N>, states: &[State]) -> i32 {
    let mut margins = std::collections::HashMap::new();
    let mut moves = Vec::new();
    for state in states.iter().rev() {
        let margin = if game.outcome(state).is_some() {
            game.margin(state)
        } else {
            game.moves_into(state, &mut moves);
            let children = moves.iter().map(|&m| {
                let mut child = *state;
                game.play(&mut child, m);
                margins[&child]
            });
            match game.turn(state) {
                Player::First => children.max(),
                Player::Second => children.min(),
            }
            .expect("an unfinished position has a move")
        };
        margins.insert(*state, margin);
    }
    margins[&game.start()]
}

#[test]
fn four_by_four_has_its_known_values() {
    for (adjacent, states, margin) in [(false, 62_789, -8), (true, 81, 1)] {
        let game = game::<4>(adjacent);
        let mut found = explore::explore(&game, 100_000).states;
        found.sort_by_key(|state| game.tier(state));
        assert_eq!((found.len(), best_margin(&game, &found)), (states, margin));
    }
}

#[test]
fn a_side_that_cannot_place_passes_unless_neither_can() {
    let game = game::<4>(false);
    // The last empty cell is a1: o cannot use it, while x turns over b2 from there.
    let mut state = game.parse_position("xooo/xxxx/xoxx/1xxx o").unwrap();
    assert_eq!((game.outcome(&state), game.move_count(&state)), (None, 1));
    for m in (0..=u8::MAX).filter(|&m| m != PASS) {
        assert!(game.try_play(&mut state, m).is_err(), "move {m}");
    }
    let pass = game.parse_move(&state, "Pass").unwrap();
    game.play(&mut state, pass);
    assert_eq!(game.position_text(&state), "xooo/xxxx/xoxx/.xxx x");
    assert!(!game.is_legal(&state, PASS), "x can place");
    game.play(&mut state, 0);
    assert_eq!(game.position_text(&state), "xooo/xxxx/xxxx/xxxx o");
    assert_eq!((game.outcome(&state), game.margin(&state)), (Some(Outcome::FirstWins), 10));
    // Neither side can place, though most cells are empty.
    let state = game.parse_position("4/1xx1/1xx1/4 o").unwrap();
    assert_eq!(game.outcome(&state), Some(Outcome::FirstWins));
    assert!(!game.is_legal(&state, PASS));
}

#[test]
fn a_player_that_cannot_place_can_end_the_game() {
    let ends = game::<4>(false).with_blocked(Blocked::Ends);
    // o is to move and cannot, though x could.
    for (text, winner) in [
        ("xooo/xxxx/xoxx/1xxx o", Outcome::FirstWins),
        ("oxxx/oooo/oxoo/1ooo x", Outcome::SecondWins),
    ] {
        let state = ends.parse_position(text).unwrap();
        assert_eq!(ends.outcome(&state), Some(winner));
        assert!(!ends.is_legal(&state, PASS));
        assert_eq!(game::<4>(false).outcome(&state), None);
    }
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut early = 0;
    for _ in 0..200 {
        let mut state = ends.start();
        let end = ends.playout(&mut state, PlayoutLimits::new(Plies(100), Plies(0)), &mut rng);
        assert_eq!(ends.outcome(&state), Some(end.outcome));
        let placed = (state.discs[0] | state.discs[1]).count_ones() - 4;
        assert_eq!(end.plies, Plies(placed), "no ply is a pass");
        early += u32::from(game::<4>(false).outcome(&state).is_none());
    }
    assert!(early > 0, "no game ended early");
}

#[test]
fn a_cap_between_a_pass_and_its_reply_is_kept() {
    // Caps of every length: whichever ply is a pass, the playout stops at the right ply.
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(9);
    let game = game::<4>(false);
    let mut ended_after_a_pass = 0;
    for round in 0..2_000 {
        let mut state = game.start();
        let limits = PlayoutLimits::new(Plies(round % 14), Plies(0));
        let end = game.playout(&mut state, limits, &mut rng);
        let over = game.outcome(&state);
        assert_eq!(end.capped, over.is_none());
        assert!(!end.capped || end.plies == limits.plies_left);
        let turn = if end.plies.0 % 2 == 0 { Player::First } else { Player::Second };
        assert_eq!(game.turn(&state), turn);
        let placed = (state.discs[0] | state.discs[1]).count_ones() - 4;
        ended_after_a_pass += u32::from(end.capped && placed < end.plies.0);
    }
    assert!(ended_after_a_pass > 20, "{ended_after_a_pass} playouts had a pass before the cap");
}

#[test]
fn errors_of_a_position_are_named() {
    let error = |text: &str| game::<4>(true).parse_position(text).unwrap_err().to_string();
    let text = error("4/1x2/1xo1/4 x a9 q");
    assert!(text.contains("c3 is empty"), "an empty middle: {text}");
    assert!(text.contains("\"a9\" at character 16"), "no such row: {text}");
    assert!(text.contains("\"q\" at character 19"), "no cell: {text}");
    let text = error("4/1xo1/1ox1/4 x");
    assert!(text.contains("the last cell of x (or -) is missing"), "{text}");
    let text = error("4/1xo1/1ox1/4 x b2 -");
    assert!(text.contains("no disc was ever placed on b2"), "{text}");
    let text = error("4/1xo1/xxx1/4 o - a2");
    assert!(text.contains("x placed one of the discs"), "{text}");
    assert!(text.contains("o cannot have placed a disc"), "{text}");
    let text = error("4/1xo1/xxxo/4 o a2 a2");
    assert!(text.contains("on the same cell"), "{text}");
    assert!(game::<4>(true).parse_position("4/1xo1/xxx1/4 o a2 -").is_ok());
    assert!(
        game::<4>(false).parse_position("4/1xo1/xxx1/4 o a2 -").is_err(),
        "not part of the text"
    );
    // Characters before `a` and `1` are far beyond the board.
    assert!(error("4/1xo1/xxx1/4 o ,. -").contains("\",.\""));
}
