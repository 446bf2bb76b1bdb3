//! Agents, which choose moves in a game.

use std::sync::Arc;

use serde::{Serialize, Serializer};
use thiserror::Error;
use treegauge_core::Watch;
use treegauge_search::Generator;
use treegauge_search::picture::Outline;
use treegauge_solve::{ExactValue, Value};

use crate::line::{Line, MoveNumber};
use treegauge_solve::ProbeError;

/// Move with the agent's knowledge about it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Choice {
    /// Number of the move.
    pub m: MoveNumber,
    /// Expected value **for the player that makes the move**, -1 to 1; `None` if the agent has no
    /// estimate.
    pub value: Option<f64>,
    /// Exact value of the move for the player that makes it; `None` if the agent does not know it.
    /// The remoteness counts the move.
    #[serde(serialize_with = "valued")]
    pub exact: Option<ExactValue>,
    /// Proved result of perfect play **for the player that makes the move**: 1 a win, 0 a draw, -1
    /// a loss. Repetitions and limits of plies are not part of a proof.
    pub proved: Option<i32>,
}

/// Serializes an exact value as its name and the plies to the end; the plies are `null` without an
/// end.
fn valued<S: Serializer>(exact: &Option<ExactValue>, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Exact {
        value: Value,
        plies: Option<u16>,
    }
    exact.map(|of| Exact { value: of.value, plies: of.plies() }).serialize(serializer)
}

impl Choice {
    /// Move without any knowledge about it.
    #[must_use]
    pub fn of(m: MoveNumber) -> Choice {
        Choice { m, value: None, exact: None, proved: None }
    }
}

/// Cost of a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Number of nodes searched, by the agent's own count: iterations of UCT, positions of
    /// alpha-beta.
    pub nodes: u64,
    /// Depth in plies to which all moves were searched; `None` if the agent does not search that
    /// way.
    pub depth: Option<u32>,
}

/// Violation of the rules of a match by an agent, which forfeits the game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Forfeit {
    /// The agent returned no move in an unfinished game.
    #[error("returned no move")]
    NoMove,
    /// The agent returned an illegal move.
    #[error("returned {text:?}, which is not a legal move")]
    IllegalMove {
        /// Text that the agent returned.
        text: String,
    },
    /// The agent stopped working.
    #[error("failed: {reason}")]
    Failed {
        /// Description of the failure.
        reason: String,
    },
}

/// Reason that an agent cannot choose a move.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum AgentError {
    /// The agent breaks the rules and forfeits the game.
    #[error("the player {0}")]
    Forfeit(#[from] Forfeit),
    /// The file of the solved game by which the agent plays cannot answer. The game has no result
    /// then.
    #[error(transparent)]
    SolvedFile(#[from] Arc<ProbeError>),
}

/// Chooser of a player's moves in one game at a time: at random, by a search, from the file of a
/// solved game, or by another program.
pub trait Agent: Send {
    /// Chooses a move in a game that has not ended. If `watch` says stop meanwhile, returns the
    /// best move so far.
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

    /// Cost of the last choice.
    fn spent(&self) -> Spent {
        Spent::default()
    }

    /// Forgets earlier games, so that the next one does not depend on them.
    fn new_game(&mut self) {}

    /// Line of play that keeps the result proved in the last choice, from the position of that
    /// choice; see [`UctSearch::proved_line`](crate::UctSearch::proved_line). Empty if nothing is
    /// proved.
    fn proved_line(&self, at: &Line) -> Vec<String> {
        let _ = at;
        Vec::new()
    }

    /// UCT tree of the last choice; `None` if there is none. See
    /// [`UctSearch::outline`](crate::UctSearch::outline).
    fn outline(&self, at: &Line, game: &str, seed: u64) -> Option<Outline> {
        let _ = (at, game, seed);
        None
    }
}
