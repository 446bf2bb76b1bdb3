use treegauge_core::{Game, Notation, Played, Player, Plies, Symmetric};
use treegauge_testkit::explore;

use super::{Achi, Adjacency, Move, State};

const ADJACENCIES: [Adjacency; 3] = [Adjacency::Lines, Adjacency::King, Adjacency::Orth];

fn game(size: u32, men: u32, adjacency: Adjacency) -> Achi {
    Achi::new(size, men, adjacency, Plies(1_000))
}

fn standard() -> Achi {
    game(3, 3, Adjacency::Lines)
}

#[test]
fn small_boards_have_the_values_that_are_known() {
    let wins_in = |plies| Some((Player::First, plies));
    let orth = explore::solved(&game(3, 3, Adjacency::Orth));
    assert_eq!((orth.start, orth.states), (wins_in(9), 5_390));
    assert_eq!([orth.win, orth.lose, orth.draw], [2_877, 1_201, 1_312]);
    let king = explore::solved(&game(3, 4, Adjacency::King));
    assert_eq!((king.start, king.states), (wins_in(11), 5_720));
}

fn position(game: &Achi, text: &str) -> State {
    game.parse_position(text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn only_placements_are_irreversible() {
    let game = standard();
    let mut played = Played::from_state(position(&game, "x.o/.../o.x x"));
    assert!(!game.is_legal(played.state(), Move { from: 2, to: 4 }), "men are placed still");
    for (text, quiet) in [("b1", 0), ("b3", 0), ("b1-b2", 1)] {
        let m = game.parse_move(played.state(), text).unwrap();
        played.try_play(&game, m).unwrap();
        assert_eq!(played.quiet(), Plies(quiet), "after {text}");
    }
}

#[test]
fn an_even_board_with_drawn_lines_has_four_symmetries() {
    for size in 3..=5 {
        for adjacency in ADJACENCIES {
            let expected = if size == 4 && adjacency == Adjacency::Lines { 4 } else { 8 };
            assert_eq!(game(size, 3, adjacency).symmetry_count(), expected);
        }
    }
}

#[test]
fn bad_positions_are_named() {
    let named = |text: &str, part: &str| {
        let error = standard().parse_position(text).expect_err(text).to_string();
        assert!(error.contains(part), "{error}");
    };
    named("3/3/xx1 x", "2 x and 0 o cannot be with x to move and 3 men each");
    named("xxo/oxo/x1o x", "4 x and 4 o cannot be with x to move and 3 men each");
    named("3/oo1/xxx x", "x has a line already and is to move");
    named("ooo/3/xxx o", "o has a line already and is to move");
    named("ooo/2/xxz o", "in row 2, found 2");
    let large = game(5, 6, Adjacency::King);
    let error = large.parse_position("xxx2/5/ooo2/oo3/xxx2 o").unwrap_err().to_string();
    assert!(error.contains("x has lines that no single man can have made"), "{error}");
    assert!(standard().parse_position("oo1/o2/xxx o").is_ok());
}

#[test]
fn moves_that_no_board_has_are_refused() {
    let game = standard();
    for to in [9, 24, 25, 31, 32, u8::MAX] {
        for from in [0, to] {
            let m = Move { from, to };
            assert!(game.try_play(&mut game.start(), m).is_err(), "{m:?}");
            let mut state = position(&game, "x.x/.o./oxo x");
            assert!(game.try_play(&mut state, Move { from: to, to: from }).is_err(), "{m:?}");
        }
    }
    for bad in ["", "a", "a0", "a4", "d1", "a1-a2", "b2-b2"] {
        assert!(game.parse_move(&game.start(), bad).is_err(), "{bad:?}");
    }
}
