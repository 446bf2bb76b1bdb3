//! Whole games played by searches.

use serde::{Deserialize, Serialize};
use treegauge_core::{Ended, Player};
use treegauge_engine::{Line, Stop, UctSearch};
use treegauge_search::Generator;

/// Record of one searched move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlyRecord {
    /// Move in the notation of the game.
    #[serde(rename = "move")]
    pub m: String,
    /// Player who moved.
    pub turn: Player,
    /// Number of legal moves.
    pub legal_moves: u32,
    /// Average result of the chosen move, **for the first player**, -1 to 1.
    pub value_for_first: f64,
    /// Number of playouts behind that average.
    pub visits: u32,
}

/// Record of a whole game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Moves of the random opening.
    pub opening: Vec<String>,
    /// Searched moves after the opening.
    pub plies: Vec<PlyRecord>,
    /// End of the game: its result and the rule that ended it.
    pub ended: Ended,
}

impl GameRecord {
    /// Returns the length in plies, the opening included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.opening.len() + self.plies.len()
    }

    /// Tests whether the game was over before its first ply.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Checks that the numbers are in range: values -1 to 1, at least one legal move and one visit.
    ///
    /// # Errors
    ///
    /// A message that names the first move with a number out of range.
    pub fn check(&self) -> Result<(), String> {
        let can_be = |ply: &PlyRecord| {
            (-1.0..=1.0).contains(&ply.value_for_first) && ply.legal_moves > 0 && ply.visits > 0
        };
        match self.plies.iter().position(|ply| !can_be(ply)) {
            Some(at) => Err(format!("searched move {} has numbers out of range", at + 1)),
            None => Ok(()),
        }
    }

    /// Returns all moves in order.
    pub fn moves(&self) -> impl Iterator<Item = &String> {
        self.opening.iter().chain(self.plies.iter().map(|ply| &ply.m))
    }
}

/// Plays a game from `start` with searches. One search plays both sides; of two, the first plays
/// the first player and the second the other. The game begins with up to `opening_plies` random
/// plies. After each choice, `seen` receives the player and the search.
///
/// Returns `None` if `stop` says stop before the end of the game.
///
/// # Panics
///
/// If `players` holds neither one nor two searches, or if a search may not even visit the root.
pub fn searched_game(
    start: &Line,
    players: &mut [&mut Box<dyn UctSearch>],
    opening_plies: u32,
    rng: &mut Generator,
    seen: &mut dyn FnMut(Player, &dyn UctSearch),
    stop: &mut Stop<'_>,
) -> Option<GameRecord> {
    assert!((1..=2).contains(&players.len()), "one player or two");
    players.iter_mut().for_each(|player| player.forget());
    let mut line = start.clone();
    let opening = line.random_plies(opening_plies, rng);
    let opening = start.line_texts(&opening);
    let mut plies = Vec::new();
    loop {
        if let Some(ended) = line.ended() {
            return Some(GameRecord { opening, plies, ended });
        }
        // A search calls `stop` only now and then, and thousands of games may remain to be skipped.
        if stop() {
            return None;
        }
        let mut stopped = false;
        let mut stop_search = || {
            stopped |= stop();
            stopped
        };
        let side = line.turn().index() % players.len();
        let found = players[side].search(&line, rng, &mut stop_search);
        let choice = found.choose(rng);
        if stopped {
            return None;
        }
        let number = choice.expect("an unfinished game has a move");
        assert!(found.visits > 0, "a search of one iteration has a root");
        plies.push(PlyRecord {
            m: line.move_text(number),
            turn: found.turn,
            legal_moves: found.legal_moves,
            value_for_first: found.mean_for_first,
            visits: found.visits,
        });
        seen(found.turn, players[side].as_ref());
        line.play(number);
    }
}
