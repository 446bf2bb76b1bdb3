//! What random games of a program are like, in one number: two programs with different numbers are
//! played differently.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use treegauge_core::{Game, HistoryEnd, Notation, Plies, uniform_below};

use crate::game::{MoveBits, Rules, RulesVisitor, visit};
use crate::state::{BoardWord, State};
use crate::tree::Program;

/// Random games of so many plies at most.
#[derive(Clone, Copy)]
pub(crate) struct Trace {
    pub(crate) games: u32,
    pub(crate) plies: u32,
    /// Whether each move of a position is made, where there are not too many.
    pub(crate) follows: bool,
}

/// The positions with more moves are not followed by each of them.
const MOVES_MAX: usize = 64;

impl Trace {
    /// A hash of the positions, their moves in the order of their texts, what stands on the board
    /// after each, and the results, also those of limits that are not reached.
    pub(crate) fn of(self, program: &Arc<Program>) -> u64 {
        visit(program, Plies(1_000), self)
    }
}

impl RulesVisitor for Trace {
    type Output = u64;

    fn visit<W: BoardWord, M: MoveBits>(self, game: Rules<W, M>) -> u64 {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(31);
        let mut hash = DefaultHasher::new();
        (game.draw_plies(), game.program().ply_cap()).hash(&mut hash);
        let mut moves = Vec::new();
        for _ in 0..self.games {
            let mut state = game.start();
            for _ in 0..self.plies {
                visible(&state, &mut hash);
                let outcome = game.outcome(&state);
                outcome.hash(&mut hash);
                for end in [HistoryEnd::DrawPlies, HistoryEnd::Repetition] {
                    game.settle(&state, end).hash(&mut hash);
                }
                // What a player without a move would get here.
                game.code.stuck(&state).hash(&mut hash);
                if outcome.is_some() {
                    break;
                }
                game.moves_into(&state, &mut moves);
                let mut texts: Vec<(String, M)> =
                    moves.iter().map(|&m| (game.move_text(&state, m), m)).collect();
                texts.sort_unstable();
                for (text, m) in &texts {
                    text.hash(&mut hash);
                    if self.follows && texts.len() <= MOVES_MAX {
                        let mut after = state;
                        game.code.play(&mut after, m.bits());
                        visible(&after, &mut hash);
                    }
                }
                let (_, m) = texts[uniform_below(&mut rng, texts.len() as u32) as usize];
                let lasting = game.draw_plies().is_some() && game.is_irreversible(&state, m);
                lasting.hash(&mut hash);
                game.code.play(&mut state, m.bits());
            }
        }
        hash.finish()
    }
}

/// What players see of a state. What it remembers for words of the text is no difference in itself.
fn visible<W: BoardWord>(state: &State<W>, hash: &mut DefaultHasher) {
    let rest = &state.rest;
    for plane in state.owners.iter().chain(&state.kinds) {
        plane.ones().for_each(|site| site.hash(hash));
        u32::MAX.hash(hash);
    }
    (rest.hands, rest.turn, rest.result).hash(hash);
}
