//! What chooses moves in a game.

use std::sync::Arc;

use serde::{Serialize, Serializer};
use thiserror::Error;
use treegauge_core::Watch;
use treegauge_search::Generator;
use treegauge_search::picture::Outline;
use treegauge_solve::{Value, Valued};

use crate::line::{Line, MoveNumber};
use treegauge_solve::ProbeError;

/// A move with what is known about it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Choice {
    /// The move.
    pub m: MoveNumber,
    /// The value expected of it **for the player that makes it**, -1 to 1, where the agent has one.
    pub value: Option<f64>,
    /// The exact value of the move for the player that makes it, where the agent knows it; the
    /// remoteness counts the move.
    #[serde(serialize_with = "valued")]
    pub exact: Option<Valued>,
    /// What a search proved to be the result of perfect play **for the player that makes the move**: 1 a win, 0 a
    /// draw, -1 a loss. Repetitions and limits of plies are no part of a proof.
    pub proved: Option<i32>,
}

/// Writes an exact value as its name and the plies to the end, `null` if there is no end.
fn valued<S: Serializer>(exact: &Option<Valued>, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Exact {
        value: Value,
        plies: Option<u16>,
    }
    exact.map(|of| Exact { value: of.value, plies: of.plies() }).serialize(serializer)
}

impl Choice {
    /// A move of which nothing is known.
    #[must_use]
    pub fn of(m: MoveNumber) -> Choice {
        Choice { m, value: None, exact: None, proved: None }
    }
}

/// The cost of a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Nodes that were searched, by the agent's own count: iterations of UCT, positions of
    /// alpha-beta.
    pub nodes: u64,
    /// The depth in plies to which all moves were searched, where that has a meaning.
    pub depth: Option<u32>,
}

/// How an agent breaks the rules of a match. It forfeits the game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Forfeit {
    /// It gives no move in an unfinished game.
    #[error("gave no move")]
    NoMove,
    /// What it gives is no legal move.
    #[error("gave {text:?}, which is not a legal move")]
    IllegalMove {
        /// What it gave.
        text: String,
    },
    /// It stopped working.
    #[error("failed: {reason}")]
    Failed {
        /// What is known about the failure.
        reason: String,
    },
}

/// Why an agent cannot choose a move.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum AgentError {
    /// It breaks the rules, and forfeits the game.
    #[error("the player {0}")]
    Forfeit(#[from] Forfeit),
    /// The file of the solved game by which it plays cannot answer. No result follows from that.
    #[error(transparent)]
    SolvedFile(#[from] Arc<ProbeError>),
}

/// Chooses the moves of a player in one game at a time: at random, by a search, from the file of a
/// solved game, or by another program.
pub trait Agent: Send {
    /// Chooses a move in a game that has not ended. Where `watch` says stop meanwhile, the move is
    /// the best one so far.
    ///
    /// # Errors
    ///
    /// When the agent forfeits the game or cannot answer.
    fn choose(
        &mut self,
        at: &Line,
        rng: &mut Generator,
        watch: &dyn Watch,
    ) -> Result<Choice, AgentError>;

    /// The cost of the last choice.
    fn spent(&self) -> Spent {
        Spent::default()
    }

    /// Forgets earlier games, so that the next one does not depend on them.
    fn new_game(&mut self) {}

    /// The line of play that the proof behind the last choice stands on, from the position in which it was made:
    /// see [`UctSearch::proved_line`](crate::UctSearch::proved_line). Empty where nothing is proved.
    fn proved_line(&self, at: &Line) -> Vec<String> {
        let _ = at;
        Vec::new()
    }

    /// The UCT tree behind the last choice, if there is one: see
    /// [`UctSearch::outline`](crate::UctSearch::outline).
    fn outline(&self, at: &Line, game: &str, seed: u64) -> Option<Outline> {
        let _ = (at, game, seed);
        None
    }
}
