//! Whole games played by searches.

use serde::{Deserialize, Serialize};
use treegauge_core::{Ended, Game, Notation, Played, Player};

use crate::random::Generator;
use crate::{Search, Uct, Unobserved};

/// What is kept of one searched move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlyRecord<M> {
    /// The move.
    #[serde(rename = "move")]
    pub m: M,
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord<M> {
    /// The moves of the random opening.
    pub opening: Vec<M>,
    /// The moves that were searched, which come after it.
    pub plies: Vec<PlyRecord<M>>,
    /// How it ended.
    pub ended: Ended,
}

impl<M> GameRecord<M> {
    /// The length in plies, the opening included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.opening.len() + self.plies.len()
    }

    /// Whether the game was over before its first ply.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All moves in order.
    pub fn moves(&self) -> impl Iterator<Item = &M> {
        self.opening.iter().chain(self.plies.iter().map(|ply| &ply.m))
    }

    /// The same with moves as text. `start` is the position in which the game began.
    #[must_use]
    pub fn in_words<G: Notation<Move = M>>(&self, game: &G, start: &G::State) -> GameRecord<String>
    where
        M: Copy,
    {
        let mut state = start.clone();
        let mut text = |m: M| {
            let text = game.move_text(&state, m);
            game.play(&mut state, m);
            text
        };
        let opening = self.opening.iter().map(|&m| text(m)).collect();
        let plies = self.plies.iter().map(|ply| PlyRecord {
            m: text(ply.m),
            turn: ply.turn,
            legal_moves: ply.legal_moves,
            value_for_first: ply.value_for_first,
            visits: ply.visits,
        });
        GameRecord { opening, plies: plies.collect(), ended: self.ended }
    }
}

/// Plays up to `plies` uniformly random moves; fewer when the game ends.
pub fn random_opening<G: Game>(
    game: &G,
    played: &mut Played<G>,
    plies: u32,
    rng: &mut Generator,
) -> Vec<G::Move> {
    let mut moves = Vec::new();
    random_opening_into(game, played, plies, rng, &mut moves);
    moves
}

/// The same, which replaces the contents of `moves`.
pub fn random_opening_into<G: Game>(
    game: &G,
    played: &mut Played<G>,
    plies: u32,
    rng: &mut Generator,
    moves: &mut Vec<G::Move>,
) {
    moves.clear();
    while moves.len() < plies as usize && played.ended(game).is_none() {
        let m = game.random_move(played.state(), rng).expect("an unfinished game has a move");
        moves.push(m);
        played.play(game, m);
    }
}

/// Lets searches play a game from `start`: one plays both sides, or the first plays the first
/// player's and the second the other's. Before it come up to `opening_plies` random plies, and
/// every tree is handed to `seen` with the player to move.
///
/// `None` when `stop` said so before the game was over.
///
/// # Panics
///
/// When there are neither one nor two searches, or one may not even visit the root.
pub fn searched_game<G: Game>(
    game: &G,
    start: &Played<G>,
    players: &mut [&mut Uct<G>],
    opening_plies: u32,
    rng: &mut Generator,
    seen: &mut dyn FnMut(Player, &Search<'_, G>),
    stop: &mut dyn FnMut() -> bool,
) -> Option<GameRecord<G::Move>> {
    assert!((1..=2).contains(&players.len()), "one player or two");
    let mut played = start.clone();
    let opening = random_opening(game, &mut played, opening_plies, rng);
    let mut plies = Vec::new();
    loop {
        if let Some(ended) = played.ended(game) {
            return Some(GameRecord { opening, plies, ended });
        }
        let mut stopped = stop();
        let mut stop_search = || {
            stopped |= stop();
            stopped
        };
        let side = game.turn(played.state()).index() % players.len();
        let search =
            players[side].search_observed(game, &played, rng, &mut Unobserved, &mut stop_search);
        let choice = search.choose(game, &played, rng);
        if stopped {
            return None;
        }
        let m = choice.expect("an unfinished game has a move").m;
        let (tree, turn) = (search.tree(), search.turn());
        let root = tree.root().expect("a search of one iteration has a root");
        let known = search.best_child().map_or(root, |id| tree.node(id));
        plies.push(PlyRecord {
            m,
            turn,
            legal_moves: root.legal_moves(),
            value_for_first: known.mean(),
            visits: known.visits(),
        });
        seen(turn, &search);
        played.play(game, m);
    }
}
