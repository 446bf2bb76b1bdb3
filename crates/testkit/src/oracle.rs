//! Slow and obvious statements of rules, to compare fast code with.

use rand_core::Rng;
use treegauge_core::{Game, HistoryEnd, Notation, Outcome, Player, Plies, uniform_below};

/// Rules of a game stated on the text of positions. They are slow, and meant to be read next to the
/// rules in words.
pub trait Oracle {
    /// Legal moves of an unfinished position, in any order.
    fn moves(&self, position: &str) -> Vec<String>;

    /// Position after a move.
    fn play(&self, position: &str, m: &str) -> String;

    /// Result of a finished position; `None` while the game continues.
    fn outcome(&self, position: &str) -> Option<Outcome>;
}

/// Plays `games` random games and checks that a game and its oracle agree on the moves, the
/// outcome and the next position at every ply.
///
/// # Panics
///
/// At the first disagreement, with the position.
pub fn agree<G: Notation, O: Oracle, R: Rng>(game: &G, oracle: &O, games: u32, rng: &mut R) {
    for _ in 0..games {
        let mut state = game.start();
        let mut plies = 0;
        loop {
            let position = game.position_text(&state);
            let outcome = oracle.outcome(&position);
            assert_eq!(game.outcome(&state), outcome, "the outcome of {position}");
            if outcome.is_some() || plies >= game.ply_cap().0 {
                break;
            }
            let mut moves = Vec::new();
            game.moves_into(&state, &mut moves);
            let mut texts: Vec<String> = moves.iter().map(|&m| game.move_text(&state, m)).collect();
            let mut expected = oracle.moves(&position);
            texts.sort_unstable();
            expected.sort_unstable();
            assert_eq!(texts, expected, "the moves of {position}");
            let m = moves[uniform_below(rng, moves.len() as u32) as usize];
            let text = game.move_text(&state, m);
            game.play(&mut state, m);
            assert_eq!(
                game.position_text(&state),
                oracle.play(&position, &text),
                "after {text} in {position}"
            );
            plies += 1;
        }
    }
}

/// A game with only its required methods. Every override is switched off, so that the overrides can
/// be compared with the defaults.
#[derive(Clone, Debug)]
pub struct Plain<G>(pub G);

impl<G: Game> Game for Plain<G> {
    type State = G::State;
    type Move = G::Move;
    const CYCLIC: bool = G::CYCLIC;

    fn start(&self) -> G::State {
        self.0.start()
    }
    fn turn(&self, state: &G::State) -> Player {
        self.0.turn(state)
    }
    fn outcome(&self, state: &G::State) -> Option<Outcome> {
        self.0.outcome(state)
    }
    fn moves_into(&self, state: &G::State, moves: &mut Vec<G::Move>) {
        self.0.moves_into(state, moves);
    }
    fn play(&self, state: &mut G::State, m: G::Move) {
        self.0.play(state, m);
    }
    fn ply_cap(&self) -> Plies {
        self.0.ply_cap()
    }
    fn draw_plies(&self) -> Option<Plies> {
        self.0.draw_plies()
    }
    fn is_irreversible(&self, state: &G::State, m: G::Move) -> bool {
        self.0.is_irreversible(state, m)
    }
    fn settle(&self, state: &G::State, end: HistoryEnd) -> Outcome {
        self.0.settle(state, end)
    }
    fn settles(&self, end: HistoryEnd) -> Option<Outcome> {
        self.0.settles(end)
    }
}
