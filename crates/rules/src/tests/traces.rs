//! Fingerprints of random games of a program: programs with different fingerprints are played
//! differently.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use treegauge_core::{Game, HistoryEnd, Notation, Outcome, Plies, uniform_below};

use crate::board::Site;
use crate::game::{MoveBits, RulesVisitor, TextRules, visit};
use crate::state::{BoardWord, State};
use crate::tree::Program;

/// Number and largest length of the random games.
#[derive(Clone, Copy)]
pub(crate) struct Trace {
    pub(crate) games: u32,
    pub(crate) plies: u32,
    /// Whether each move of a position is also made, if there are not too many.
    pub(crate) follows: bool,
}

/// Largest number of moves of positions where each move is made.
const MOVES_MAX: usize = 64;

impl Trace {
    /// Hash of the positions, of their moves in the order of the texts, of the visible state after
    /// each move, and of the results, including those of limits that are not reached.
    pub(crate) fn of(self, program: &Arc<Program>) -> u64 {
        visit(program, Plies(1_000), Traced { trace: self, image: None })
    }

    /// Same hash for an image of the board. Moves are then sorted by the visible state after them
    /// instead of their texts, so two games have the same trace if one is an image of the other.
    pub(crate) fn of_image(self, program: &Arc<Program>, image: &[Site]) -> u64 {
        visit(program, Plies(1_000), Traced { trace: self, image: Some(image) })
    }
}

struct Traced<'i> {
    trace: Trace,
    image: Option<&'i [Site]>,
}

impl RulesVisitor for Traced<'_> {
    type Output = u64;

    fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) -> u64 {
        let Traced { trace: Trace { games, plies, follows }, image } = self;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(31);
        let mut hash = DefaultHasher::new();
        (game.draw_plies(), game.program().ply_cap()).hash(&mut hash);
        let mut moves = Vec::new();
        for _ in 0..games {
            let mut state = game.start();
            for _ in 0..plies {
                seen(&state, image).hash(&mut hash);
                let outcome = game.outcome(&state);
                outcome.hash(&mut hash);
                for end in [HistoryEnd::DrawPlies, HistoryEnd::Repetition] {
                    game.settle(&state, end).hash(&mut hash);
                }
                // Result that a player without a move would get here.
                game.code.stuck(&state).hash(&mut hash);
                if outcome.is_some() {
                    break;
                }
                game.moves_into(&state, &mut moves);
                let after = |m: M| {
                    let mut after = state;
                    game.code.play(&mut after, m.bits());
                    seen(&after, image)
                };
                let follows = image.is_some() || follows && moves.len() <= MOVES_MAX;
                let mut known: Vec<(String, Seen, M)> = moves
                    .iter()
                    .map(|&m| {
                        let text =
                            image.map_or_else(|| game.move_text(&state, m), |_| String::new());
                        (text, if follows { after(m) } else { Seen::default() }, m)
                    })
                    .collect();
                known.sort_unstable();
                for (text, after, _) in &known {
                    (text, after).hash(&mut hash);
                }
                let (_, _, m) = known[uniform_below(&mut rng, known.len() as u32) as usize];
                let lasting = game.draw_plies().is_some() && game.is_irreversible(&state, m);
                lasting.hash(&mut hash);
                game.code.play(&mut state, m.bits());
            }
        }
        hash.finish()
    }
}

/// Visible part of a state: pieces, hands, side to move, and result.
type Seen = (Vec<u32>, [[u8; 4]; 2], usize, Option<Outcome>);

/// Visible part of a state on an image of the board. Data that the state only stores for words of
/// the text is left out.
fn seen<W: BoardWord>(state: &State<W>, image: Option<&[Site]>) -> Seen {
    let mut planes = Vec::new();
    for plane in state.owners.iter().chain(&state.kinds) {
        let begin = planes.len();
        let to = |site: u32| image.map_or(site, |image| u32::from(image[site as usize]));
        planes.extend(plane.ones().map(to));
        planes[begin..].sort_unstable();
        planes.push(u32::MAX);
    }
    let rest = &state.rest;
    (planes, rest.hands, rest.turn.index(), rest.result)
}
