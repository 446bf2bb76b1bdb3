use proptest::prelude::*;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use treegauge_core::{
    Game, Intuitive, Look, Notation, Outcome, Player, Plies, Symmetric, Urgency, perft,
};

use super::{Directions, Mnk, Setup};
use treegauge_bits::{Wide, Word};

const CAP: Plies = Plies(1_000);

fn plain(rows: u32, cols: u32, k: u32) -> Setup {
    Setup {
        rows,
        cols,
        k: [k; 2],
        directions: [Directions::All; 2],
        misere: false,
        first: [1; 2],
        gravity: false,
        wrap: false,
    }
}

fn game<W: Word>(setup: Setup) -> Mnk<W> {
    Mnk::new(setup, CAP)
}

#[test]
fn a_ring_of_own_stones_counts_each_cell_once() {
    let ring = |k| game::<u128>(Setup { wrap: true, ..plain(3, 4, k) });
    let full = "..../..../xxxx x";
    // Four in a ring of four are four, never five.
    assert!(ring(4).parse_position("ooo./..../xxxx o").is_ok());
    let four = ring(4).parse_position("ooo./..../xxxx o").unwrap();
    assert_eq!(ring(4).outcome(&four), Some(Outcome::FirstWins));
    let five = ring(5).parse_position("oo.o/.o../xxxx x").unwrap();
    assert_eq!(ring(5).outcome(&five), None);
    assert!(ring(4).parse_position(full).is_err(), "four x and no o");
}

#[test]
fn positions_that_are_none_are_refused_with_every_fault() {
    let said =
        |setup, text: &str| game::<u128>(setup).parse_position(text).unwrap_err().to_string();
    let text = said(plain(3, 3, 3), "ooo/.../xxx x");
    assert!(text.contains("both players have a line"), "{text}");
    let text = said(plain(3, 3, 3), "x../.../... x");
    assert!(text.contains("1 x and 0 o cannot be with x to move"), "{text}");
    let text = said(plain(3, 3, 3), "oo./.../xxx x");
    assert!(text.contains("cannot be with x to move"), "{text}");
    let text = said(plain(3, 3, 3), ".o./o.o/xxx x");
    assert!(text.contains("x has a line and did not move last"), "{text}");
    let falling = Setup { gravity: true, ..plain(3, 3, 3) };
    let text = said(falling, "x../.../... o");
    assert!(text.contains("the stone on a3 hangs in the air"), "{text}");
    let two_first = Setup { first: [2, 1], ..plain(3, 3, 3) };
    assert!(game::<u128>(two_first).parse_position(".../.../xx. o").is_ok());
    assert!(game::<u128>(two_first).parse_position(".../.../x.. x").is_ok());
}

#[test]
fn both_words_count_the_same() {
    let setup = Setup { first: [2, 2], ..plain(4, 4, 3) };
    let (narrow, wide) = (game::<u128>(setup), game::<Wide>(setup));
    assert_eq!(perft(&narrow, &narrow.start(), 5), perft(&wide, &wide.start(), 5));
}

/// Looks of the moves of every position of a random game, each with its position and move.
fn looks_of_a_game<W: Word>(
    game: &Mnk<W>,
    rng: &mut Xoshiro256PlusPlus,
    mut see: impl FnMut(&super::State<W>, u16, Look) -> Result<(), TestCaseError>,
) -> Result<(), TestCaseError> {
    let (mut state, mut moves, mut looks) = (game.start(), Vec::new(), Vec::new());
    while let Some(m) = game.random_move(&state, rng) {
        game.looks_into(&state, &mut looks);
        game.moves_into(&state, &mut moves);
        prop_assert_eq!(looks.len(), moves.len());
        for (&m, &look) in moves.iter().zip(&looks) {
            see(&state, m, look)?;
        }
        game.play(&mut state, m);
    }
    Ok(())
}

/// Urgency from the line that the move completes, and from the one that the other player would
/// complete there.
fn urgency<W: Word>(game: &Mnk<W>, state: &super::State<W>, m: u16) -> Urgency {
    let misere = game.setup().misere;
    let player = game.turn(state);
    let line_of = |player: Player| {
        game.makes_line(player, m.into(), state.stones[player.index()] | W::bit(m.into()))
    };
    match (line_of(player), line_of(player.other())) {
        (true, _) if misere => Urgency::Loses,
        (true, _) => Urgency::Wins,
        (false, true) if !misere => Urgency::Blocks,
        _ => Urgency::Quiet,
    }
}

#[test]
fn a_first_stone_looks_best_in_the_centre_and_worst_there_where_lines_lose() {
    for misere in [false, true] {
        let game = game::<u128>(Setup { misere, ..plain(3, 3, 3) });
        let mut looks = Vec::new();
        game.looks_into(&game.start(), &mut looks);
        // Four lines through the centre, three through a corner, two through an edge, for each
        // player; an edge is 1 - sqrt(1/2) nearer to the centre than a corner.
        let edge = 0.8 * 0.5 + 0.2 * (1.0 - 0.5_f64.sqrt());
        let expected = [0.6, edge, 0.6, edge, 1.0, edge, 0.6, edge, 0.6];
        for (look, appeal) in looks.iter().zip(expected) {
            let appeal = if misere { 1.0 - appeal } else { appeal };
            assert!((look.appeal - appeal).abs() < 1e-12, "{look:?} is not {appeal}");
            assert_eq!(look.urgency, Urgency::Quiet);
        }
    }
}

fn directions() -> impl Strategy<Value = Directions> {
    prop::sample::select(vec![Directions::All, Directions::Orthogonal, Directions::Diagonal])
}

prop_compose! {
    fn setups()(
        rows in 1u32..=6, cols in 1u32..=6, k1 in 1u32..=7, k2 in 1u32..=7,
        directions1 in directions(), directions2 in directions(), misere: bool,
        first1 in 1u32..=2, first2 in 1u32..=2, gravity: bool, wrap: bool,
    ) -> Setup {
        Setup {
            rows, cols, k: [k1, k2], directions: [directions1, directions2], misere,
            first: [first1, first2], gravity, wrap,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn moves_that_win_lose_or_block_at_once_are_seen(setup in setups(), seed: u64) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let narrow = game::<u128>(setup);
        looks_of_a_game(&narrow, &mut rng, |state, m, look| {
            prop_assert_eq!(look.urgency, urgency(&narrow, state, m));
            prop_assert!((-1e-9..=1.0 + 1e-9).contains(&look.appeal), "{}", look.appeal);
            Ok(())
        })?;
        let wide = game::<Wide>(setup);
        looks_of_a_game(&wide, &mut rng, |state, m, look| {
            prop_assert_eq!(look.urgency, urgency(&wide, state, m));
            Ok(())
        })?;
    }

    #[test]
    fn moves_look_alike_in_symmetric_positions(setup in setups(), seed: u64, n: usize) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let game = game::<u128>(setup);
        let n = n % game.symmetry_count();
        let (mut moves, mut looks) = (Vec::new(), Vec::new());
        looks_of_a_game(&game, &mut rng, |state, m, look| {
            let image = game.map_state(n, state);
            game.moves_into(&image, &mut moves);
            game.looks_into(&image, &mut looks);
            let at = moves.iter().position(|&other| other == game.map_move(n, m)).unwrap();
            prop_assert_eq!(looks[at].urgency, look.urgency);
            prop_assert!((looks[at].appeal - look.appeal).abs() < 1e-9);
            Ok(())
        })?;
    }
}
