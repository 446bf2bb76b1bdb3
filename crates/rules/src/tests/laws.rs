//! Laws that every game keeps.

use treegauge_core::{ActionIds, Game, Graded, Plies, Symmetries, Tensors, Tiered};
use treegauge_testkit::{Laws, laws};

use super::programs;
use crate::game::{MoveBits, RulesVisitor, TextRules, visit};
use crate::state::BoardWord;

pub(super) struct Keeps;

impl RulesVisitor for Keeps {
    type Output = ();

    fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) {
        // Games with many moves are slow where a law examines each move.
        let laws = match game.program().board.len() {
            0..=30 => Laws { games: 4, every: 1, playouts: 400, seed: 3 },
            31..=64 => Laws { games: 1, every: 1, playouts: 150, seed: 3 },
            _ => Laws { games: 1, every: 1, playouts: 4, seed: 3 },
        };
        laws::moves(&game, laws);
        laws::refusals(&game, laws);
        laws::notation(&game, laws);
        laws::settled(&game, laws);
        laws::playouts(&game, laws);
        laws::keyed(&game, laws);
        // Larger games choose in the same way, but their long lists of moves would take minutes.
        if game.program().board.len() <= 64 && game.move_count(&game.start()) <= 100 {
            laws::random_moves_are_uniform(&game, Laws { games: 1, ..laws });
        }
        if game.symmetries.len() > 1 {
            laws::symmetric(&game, Symmetries::of_type(), Laws { games: 1, ..laws });
        }
        if game.is_tiered() {
            laws::tiered(&game, Tiered::tier, laws);
        }
        if game.has_actions() {
            laws::actions(&game, ActionIds::of_type(), laws);
        }
        if game.is_graded() {
            laws::graded(&game, Graded::margin, laws);
        }
    }
}

/// Whether the moves of a game have ids.
struct HasActions;

impl RulesVisitor for HasActions {
    type Output = bool;

    fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) -> bool {
        game.has_actions()
    }
}

#[test]
fn moves_of_most_texts_have_ids() {
    let all = programs();
    let with_ids = all.iter().filter(|(_, program)| visit(program, Plies(80), HasActions)).count();
    assert!(with_ids < all.len(), "chains of hops have no ids");
    assert!(3 * with_ids > 2 * all.len(), "{with_ids} of {}", all.len());
}

/// Ids and tensors keep their laws in many random games.
struct KeepsIdsAndTensors;

impl RulesVisitor for KeepsIdsAndTensors {
    type Output = ();

    fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) {
        // Positions with many moves take long.
        let games = (2_000 / game.move_count(&game.start())).clamp(4, 100);
        let laws = Laws { games, seed: 6, ..Laws::default() };
        laws::tensors(&game, Tensors::of_type(), laws);
        if game.has_actions() {
            laws::actions(&game, ActionIds::of_type(), laws);
        }
    }
}

#[test]
fn ids_and_tensors_of_every_text_hold_for_many_games() {
    for (_, program) in programs() {
        visit(&program, Plies(80), KeepsIdsAndTensors);
    }
}

#[test]
fn every_text_keeps_the_laws() {
    for (_, program) in programs() {
        visit(&program, Plies(80), Keeps);
    }
}
