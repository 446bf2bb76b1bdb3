use proptest::prelude::*;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use treegauge_core::{Game, Notation, Player, PlayoutLimits, Plies, Symmetric};
use treegauge_testkit::explore;
use treegauge_testkit::facts::facts;

use super::{Isolation, Move, Piece, Setup, Starts, State};
use crate::Word;

const PIECES: [Piece; 3] = [Piece::Knight, Piece::Queen, Piece::KingRemove];
const STARTS: [Starts; 2] = [Starts::Free, Starts::Fixed];

fn setup(cols: u32, rows: u32, piece: Piece, starts: Starts) -> Setup {
    Setup { cols, rows, piece, starts }
}

fn game<W: Word>(setup: Setup) -> Isolation<W> {
    Isolation::new(setup, Plies(1_000))
}

fn free(size: u32, piece: Piece) -> Isolation<u64> {
    game(setup(size, size, piece, Starts::Free))
}

#[test]
fn small_boards_have_the_winners_that_are_known() {
    let known = facts().isolation_solved;
    assert_eq!(known.len(), 3);
    for (name, sign) in known {
        let (piece, board) = name.split_once('_').expect("piece_board");
        let piece = if piece == "queen" { Piece::Queen } else { Piece::Knight };
        let size = board.split_once('x').expect("columns x rows").0.parse().unwrap();
        let (winner, _) = explore::solved(&free(size, piece)).start.expect("there are no draws");
        assert_eq!(winner.sign(), sign, "{name}");
    }
}

#[test]
fn tokens_reach_what_is_published_on_an_empty_board() {
    let table = |size, piece| {
        let game = free(size, piece);
        let rows = (0..size).map(|row| {
            (0..size).map(|col| game.reach(row * size + col).count().to_string()).collect()
        });
        rows.collect::<Vec<String>>().join(" ")
    };
    assert_eq!(table(5, Piece::Knight), "23432 34643 46864 34643 23432");
    assert_eq!(table(7, Piece::Knight), "2344432 3466643 4688864 4688864 4688864 3466643 2344432");
    assert_eq!(table(3, Piece::KingRemove), "353 585 353");
    assert_eq!(table(3, Piece::Queen), "666 686 666");
}

fn position<W: Word>(game: &Isolation<W>, text: &str) -> State<W> {
    game.parse_position(text).unwrap_or_else(|error| panic!("{error}"))
}

/// Names of squares, in the order of bits.
fn names(squares: u64, cols: u32) -> String {
    let name = |n| format!("{}{}", char::from(b'a' + (n % cols) as u8), n / cols + 1);
    squares.ones().map(name).collect::<Vec<_>>().join(" ")
}

#[test]
fn both_tokens_can_be_asked_where_they_can_go() {
    // Position of the published report's Figure 3, in the coordinates used here: its rows A to E
    // are 5 to 1, its columns 1 to 5 are a to e.
    let game = free(5, Piece::Knight);
    let state = position(&game, "5/1x3/5/5/4o x");
    assert_eq!((state.token(Player::First), state.token(Player::Second)), (Some(16), Some(4)));
    assert_eq!(names(game.destinations(&state, Player::First), 5), "a2 c2 d3 d5");
    assert_eq!(names(game.destinations(&state, Player::Second), 5), "c2 d3");
    assert_eq!(names(state.blocked(), 5), "e1 b4");
    let placing = game.start();
    assert_eq!(placing.token(Player::First), None);
    assert_eq!(game.destinations(&placing, Player::Second), game.all());
}

#[test]
fn queens_stop_at_what_is_blocked() {
    let game = free(5, Piece::Queen);
    let state = position(&game, "x3#/5/2#2/5/o3. x");
    assert_eq!(names(game.destinations(&state, Player::First), 5), "a2 a3 a4 b4 b5 c5 d5");
    // It makes no difference whether the square under the token itself is blocked.
    let seen = game.destinations_from(20, state.blocked() & !(1 << 20));
    assert_eq!(seen, game.destinations(&state, Player::First));
}

#[test]
fn fixed_starts_stand_where_they_should() {
    let start = |cols, rows, piece| {
        let game = game::<u64>(setup(cols, rows, piece, Starts::Fixed));
        (game.position_text(&game.start()), game.symmetry_count())
    };
    let expected = |text: &str, symmetries| (text.to_owned(), symmetries);
    assert_eq!(start(5, 3, Piece::Knight), expected("...../.x.o./..... x", 2));
    assert_eq!(start(4, 4, Piece::Queen), expected("..../..../.xo./.... x", 1));
    assert_eq!(start(3, 3, Piece::KingRemove), expected(".o./.../.x. x", 2));
    assert_eq!(start(4, 2, Piece::KingRemove), expected("..o./.x.. x", 1));
    assert_eq!(start(2, 2, Piece::KingRemove), expected(".o/x. x", 2));
    assert_eq!(free(4, Piece::Queen).symmetry_count(), 8);
    assert_eq!(game::<u64>(setup(4, 5, Piece::Queen, Starts::Free)).symmetry_count(), 4);
}

#[test]
fn a_king_may_remove_the_square_it_left() {
    let game = game::<u64>(setup(3, 3, Piece::KingRemove, Starts::Fixed));
    let state = game.start();
    assert_eq!(game.move_count(&state), 5 * 7);
    let m = game.parse_move(&state, "b2-b1").unwrap();
    let mut played = state;
    game.try_play(&mut played, m).unwrap();
    assert_eq!(game.position_text(&played), ".o./.x./.#. o");
    for bad in ["b2-b2", "b2-b3", "b3-a1", "b2", "a3-a1", "b1-a1"] {
        assert!(game.parse_move(&state, bad).is_err(), "{bad}");
    }
}

#[test]
fn no_value_of_a_move_is_legal_but_those_listed() {
    for piece in PIECES {
        let game = game::<u128>(setup(9, 5, piece, Starts::Free));
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
        for plies in [0, 1, 2, 4] {
            let mut state = game.start();
            let limits = PlayoutLimits { plies_left: Plies(plies), ..PlayoutLimits::of(&game) };
            game.playout(&mut state, limits, &mut rng);
            let mut listed = Vec::new();
            game.moves_into(&state, &mut listed);
            listed.sort_unstable();
            let bytes = || 0..=u8::MAX;
            let all = bytes().flat_map(|to| bytes().map(move |removed| Move { to, removed }));
            let legal: Vec<Move> = all.filter(|&m| game.is_legal(&state, m)).collect();
            assert_eq!(legal, listed, "{piece:?} after {plies} plies");
        }
    }
}

#[test]
fn errors_of_a_position_are_named() {
    let named = |starts, text: &str, part: &str| {
        let game = game::<u64>(setup(3, 3, Piece::Knight, starts));
        let error = game.parse_position(text).expect_err(text).to_string();
        assert!(error.contains(part), "{error}");
    };
    named(Starts::Free, "xx1/3/2o x", "x has 2 tokens");
    named(Starts::Free, "x2/#2/2o x", "x is not to move with 1 blocked squares without a token");
    named(Starts::Free, "x2/3/2o o", "o is not to move with 0 blocked squares without a token");
    named(Starts::Free, "x2/3/3 x", "x is not to move with 1 x and 0 o on the board");
    named(Starts::Free, "3/3/o2 x", "x is not to move with 0 x and 1 o on the board");
    named(Starts::Free, "3/3/3 o", "o is not to move with 0 x and 0 o on the board");
    named(Starts::Free, "x2/#2/3 o", "squares are blocked before both tokens are placed");
    named(Starts::Fixed, "3/3/3 x", "both tokens are on the board from the start");
    named(Starts::Free, "x2/3/2? x", "\"?\" at character 7: expected . x o # or a number");
}

fn pieces() -> impl Strategy<Value = Piece> {
    (0usize..3).prop_map(|n| PIECES[n])
}

fn setups(side_max: u32) -> impl Strategy<Value = Setup> {
    (2..=side_max, 2..=side_max, pieces(), 0usize..2)
        .prop_map(|(cols, rows, piece, starts)| setup(cols, rows, piece, STARTS[starts]))
        // With fixed starts a few small boards leave the first player without a move.
        .prop_filter("the game begins", |&setup| {
            let game = game::<u64>(setup);
            game.outcome(&game.start()).is_none()
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn both_words_say_the_same(setup in setups(8), plies in 0u32..40, seed: u64) {
        let (narrow, wide) = (game::<u64>(setup), game::<u128>(setup));
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut state = narrow.start();
        let limits = PlayoutLimits { plies_left: Plies(plies), ..PlayoutLimits::of(&narrow) };
        narrow.playout(&mut state, limits, &mut rng);
        let widened = wide.parse_position(&narrow.position_text(&state)).unwrap();
        prop_assert_eq!(wide.outcome(&widened), narrow.outcome(&state));
        let (mut a, mut b) = (Vec::new(), Vec::new());
        narrow.moves_into(&state, &mut a);
        wide.moves_into(&widened, &mut b);
        prop_assert_eq!(a, b);
    }
}
