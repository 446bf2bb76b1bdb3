//! Whole games played by searches.

use treegauge_core::{Ended, Game, Played, Player};

use crate::random::Generator;
use crate::{Shape, ShapeOptions, Uct, Unobserved};

/// What is kept of one searched move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlyRecord {
    /// Who moved.
    pub turn: Player,
    /// The legal moves he had.
    pub legal_moves: u32,
    /// The average result of the move he made, **for the first player**, -1 to 1.
    pub value_for_first: f64,
    /// The playouts behind that average.
    pub visits: u32,
    /// The shape of the tree.
    pub shape: Shape,
}

/// A whole game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord<M> {
    /// All moves, those of the random opening first.
    pub moves: Vec<M>,
    /// One record for each move that was searched.
    pub plies: Vec<PlyRecord>,
    /// How it ended.
    pub ended: Ended,
}

/// Lets one search play both sides from `start`, after `opening_plies` uniformly random plies.
///
/// `None` when `stop` said so before the game was over.
pub fn self_play<G: Game>(
    game: &G,
    start: &Played<G>,
    uct: &mut Uct<G>,
    opening_plies: u32,
    options: ShapeOptions,
    rng: &mut Generator,
    stop: &mut dyn FnMut() -> bool,
) -> Option<GameRecord<G::Move>> {
    let mut played = start.clone();
    let mut moves = Vec::new();
    let mut plies = Vec::new();
    loop {
        if let Some(ended) = played.ended(game) {
            return Some(GameRecord { moves, plies, ended });
        }
        if stop() {
            return None;
        }
        let m = if moves.len() < opening_plies as usize {
            game.random_move(played.state(), rng).expect("an unfinished game has a move")
        } else {
            let mut stopped = false;
            let mut stop_search = || {
                stopped = stop();
                stopped
            };
            let search = uct.search_observed(game, &played, rng, &mut Unobserved, &mut stop_search);
            let tree = search.tree();
            let turn = search.turn();
            let chosen = search.best_child().map(|id| *tree.node(id));
            let root = tree.root();
            let known = chosen.or_else(|| root.copied());
            if let (Some(known), Some(shape)) =
                (known, Shape::of(tree, turn, search.drift(), options))
            {
                plies.push(PlyRecord {
                    turn,
                    legal_moves: root.map_or(0, |root| root.legal_moves()),
                    value_for_first: known.mean(),
                    visits: known.visits(),
                    shape,
                });
            }
            let choice = search.choose(game, &played, rng);
            if stopped {
                return None;
            }
            choice.expect("an unfinished game has a move").m
        };
        moves.push(m);
        played.play(game, m);
    }
}

/// Lets two searches play each other from `start`: `sides[0]` has the first player.
///
/// `None` when `stop` said so before the game was over.
pub fn duel<G: Game>(
    game: &G,
    start: &Played<G>,
    sides: [&mut Uct<G>; 2],
    rng: &mut Generator,
    stop: &mut dyn FnMut() -> bool,
) -> Option<Ended> {
    let mut played = start.clone();
    loop {
        if let Some(ended) = played.ended(game) {
            return Some(ended);
        }
        let mut stopped = stop();
        let mut stop_search = || {
            stopped |= stop();
            stopped
        };
        let side = game.turn(played.state()).index();
        let search =
            sides[side].search_observed(game, &played, rng, &mut Unobserved, &mut stop_search);
        let choice = search.choose(game, &played, rng);
        if stopped {
            return None;
        }
        played.play(game, choice.expect("an unfinished game has a move").m);
    }
}
