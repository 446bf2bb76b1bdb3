//! The fast player and the interpreter that defines the language agree.

use std::collections::BTreeMap;
use std::sync::Arc;

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use treegauge_core::{Game, HistoryEnd, Notation, Plies, uniform_below};

use super::programs;
use crate::game::{MoveBits, Rules, RulesVisitor, visit};
use crate::reference::Reference;
use crate::state::BoardWord;
use crate::tree::Program;

/// Random games in which both are asked at every ply.
pub(super) struct Agree<'a> {
    pub(super) name: &'a str,
    pub(super) games: u32,
    pub(super) plies: u32,
    pub(super) seed: u64,
}

impl RulesVisitor for Agree<'_> {
    type Output = ();

    fn visit<W: BoardWord, M: MoveBits>(self, game: Rules<W, M>) {
        let slow = Reference::new(game.program().clone());
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        for _ in 0..self.games {
            let mut state = game.start();
            let mut position = slow.program.start_position();
            for _ in 0..self.plies {
                let text = game.position_text(&state);
                let at = format!("{}: {text}", self.name);
                assert_eq!(game.position(&state), position, "{at}");
                assert_eq!(game.state(&position), state, "{at}");
                let outcome = slow.outcome(&position);
                assert_eq!(game.outcome(&state), outcome, "{at}");
                if outcome.is_some() {
                    break;
                }
                self.moves(&game, &slow, &state, &position, &at);
                let n = uniform_below(&mut rng, game.move_count(&state));
                let m = game.nth_move(&state, n, &mut Vec::new());
                let text = game.move_text(&state, m);
                let moves = slow.moves(&position);
                let played = moves.into_iter().find(|played| played.text == text);
                position = played.expect("the moves are the same").after;
                game.play(&mut state, m);
            }
        }
    }
}

impl Agree<'_> {
    fn moves<W: BoardWord, M: MoveBits>(
        &self,
        game: &Rules<W, M>,
        slow: &Reference,
        state: &crate::state::State<W>,
        position: &crate::position::Position,
        at: &str,
    ) {
        let mut moves = Vec::new();
        game.moves_into(state, &mut moves);
        let fast: BTreeMap<String, M> =
            moves.iter().map(|&m| (game.move_text(state, m), m)).collect();
        assert_eq!(fast.len(), moves.len(), "two moves have one text: {at}");
        let expected = slow.moves(position);
        let texts: Vec<&String> = fast.keys().collect();
        let mut wanted: Vec<&String> = expected.iter().map(|played| &played.text).collect();
        wanted.sort_unstable();
        assert_eq!(texts, wanted, "the moves of {at}");
        for played in &expected {
            let m = fast[&played.text];
            let mut after = *state;
            game.play(&mut after, m);
            assert_eq!(game.position(&after), played.after, "after {} in {at}", played.text);
            let lasting = played.progress && game.code.lasting || !game.code.cyclic;
            assert_eq!(game.is_irreversible(state, m), lasting, "{} in {at}", played.text);
        }
        for end in [HistoryEnd::DrawPlies, HistoryEnd::Repetition, HistoryEnd::Capped] {
            let body = &slow.program.body;
            let settled = match end {
                HistoryEnd::DrawPlies => body.quiet.as_ref().map(|(_, settled)| settled),
                HistoryEnd::Repetition => body.repetition.as_ref(),
                _ => None,
            };
            let expected =
                settled.map_or(treegauge_core::Outcome::Draw, |s| slow.settle(position, s));
            assert_eq!(game.settle(state, end), expected, "{at}");
        }
    }
}

fn agree(name: &str, program: &Arc<Program>, games: u32, plies: u32, seed: u64) {
    visit(program, Plies(1_000), Agree { name, games, plies, seed });
}

#[test]
fn every_text_is_played_as_the_language_is_defined() {
    for (name, program) in programs() {
        // What the definition needs for one ply grows with the moves.
        let (games, plies) = match program.board.len() {
            0..=30 => (12, 60),
            31..=64 => (3, 50),
            65..=130 => (2, 20),
            _ => (1, 6),
        };
        agree(&name, &program, games, plies, 7);
    }
}
