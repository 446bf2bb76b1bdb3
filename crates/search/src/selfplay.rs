//! Whole games played by searches.

use treegauge_core::{Ended, Game, Played, Player};

use crate::random::Generator;
use crate::{Search, Uct, Unobserved};

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

/// Plays up to `plies` uniformly random moves; fewer when the game ends.
pub fn random_opening<G: Game>(
    game: &G,
    played: &mut Played<G>,
    plies: u32,
    rng: &mut Generator,
) -> Vec<G::Move> {
    let mut moves = Vec::new();
    while moves.len() < plies as usize && played.ended(game).is_none() {
        let m = game.random_move(played.state(), rng).expect("an unfinished game has a move");
        moves.push(m);
        played.play(game, m);
    }
    moves
}

/// Lets one search play both sides from `start`, after an opening of up to `opening_plies`
/// random plies, and hands every tree to `seen` with the player to move.
///
/// `None` when `stop` said so before the game was over.
pub fn self_play<G: Game>(
    game: &G,
    start: &Played<G>,
    uct: &mut Uct<G>,
    opening_plies: u32,
    rng: &mut Generator,
    seen: &mut dyn FnMut(Player, &Search<'_, G>),
    stop: &mut dyn FnMut() -> bool,
) -> Option<GameRecord<G::Move>> {
    let mut played = start.clone();
    let mut moves = random_opening(game, &mut played, opening_plies, rng);
    let mut plies = Vec::new();
    loop {
        if let Some(ended) = played.ended(game) {
            return Some(GameRecord { moves, plies, ended });
        }
        let mut stopped = stop();
        let mut stop_search = || {
            stopped |= stop();
            stopped
        };
        let search = uct.search_observed(game, &played, rng, &mut Unobserved, &mut stop_search);
        let choice = search.choose(game, &played, rng);
        if stopped {
            return None;
        }
        let (tree, turn) = (search.tree(), search.turn());
        if let Some(root) = tree.root() {
            let known = search.best_child().map_or(root, |id| tree.node(id));
            plies.push(PlyRecord {
                turn,
                legal_moves: root.legal_moves(),
                value_for_first: known.mean(),
                visits: known.visits(),
            });
            seen(turn, &search);
        }
        let m = choice.expect("an unfinished game has a move").m;
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
