//! Whole games played by searches.

use serde::{Deserialize, Serialize};
use treegauge_core::{Ended, Player};
use treegauge_engine::{Line, Stop, UctSearch};
use treegauge_search::Generator;

/// What is kept of one searched move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlyRecord {
    /// The move.
    #[serde(rename = "move")]
    pub m: String,
    /// The player that moved.
    pub turn: Player,
    /// The legal moves of the player.
    pub legal_moves: u32,
    /// The average result of the chosen move, **for the first player**, -1 to 1.
    pub value_for_first: f64,
    /// The playouts behind that average.
    pub visits: u32,
}

/// A whole game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The moves of the random opening.
    pub opening: Vec<String>,
    /// The moves that were searched, which come after it.
    pub plies: Vec<PlyRecord>,
    /// How it ended.
    pub ended: Ended,
}

impl GameRecord {
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

    /// Checks that its numbers can be.
    ///
    /// # Errors
    ///
    /// The number that cannot be, in words.
    pub fn check(&self) -> Result<(), String> {
        let can_be = |ply: &PlyRecord| {
            (-1.0..=1.0).contains(&ply.value_for_first) && ply.legal_moves > 0 && ply.visits > 0
        };
        match self.plies.iter().position(|ply| !can_be(ply)) {
            Some(at) => Err(format!("searched move {} has numbers out of range", at + 1)),
            None => Ok(()),
        }
    }

    /// All moves in order.
    pub fn moves(&self) -> impl Iterator<Item = &String> {
        self.opening.iter().chain(self.plies.iter().map(|ply| &ply.m))
    }
}

/// Has searches play a game from `start`: one plays both sides, or the first plays the first
/// player's and the second the other's. Up to `opening_plies` random plies come before, and `seen`
/// looks at each search after its move was chosen.
///
/// `None` when `stop` said so before the game was over.
///
/// # Panics
///
/// When there are neither one nor two searches, or one may not even visit the root.
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
        // A search looks at it only now and then, and there may be thousands of games to refuse.
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
