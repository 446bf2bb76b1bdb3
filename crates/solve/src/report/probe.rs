//! Report of a look-up.

use serde::{Deserialize, Serialize};
use treegauge_core::{KeyCode, Player};

use super::value_words::value_words;
use crate::endless::Endless;
use crate::file::SolutionFile;
use crate::limit::PlyLimit;
use crate::probe::{LookUp, ProbeError};
use crate::value::{ExactValue, Value};
use treegauge_core::{ReportHeader, ReportKind};

/// Position of a solution file with the values of its moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProbeReport {
    /// Schema and kind of the report.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Name of the game.
    pub game: String,
    /// Position as text.
    pub position: String,
    /// Player to move.
    pub turn: Player,
    /// Value for the player to move.
    pub value: Value,
    /// Plies to the end, 0 if the game is over; null for endless play.
    pub remoteness: Option<u16>,
    /// Result of endless play by the rules.
    #[serde(default)]
    pub endless: Endless,
    /// Value for the player to move by a search of all lines, with the position as the first of the
    /// game. Left out unless the value depends on the history and few lines are left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_history: Option<Value>,
    /// Limit of plies that may stop the game before the end of best play; the value ignores it.
    /// Left out if no limit may do so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<PlyLimit>,
    /// Legal moves, best first; empty if the game is over.
    pub moves: Vec<ProbedMove>,
}

impl ReportKind for ProbeReport {
    const KIND: &'static str = "probe";
}

/// Move with its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbedMove {
    /// Move as text.
    #[serde(rename = "move")]
    pub m: String,
    /// Value for the player who makes the move.
    pub value: Value,
    /// Plies to the end, counting this move; null for endless play.
    pub remoteness: Option<u16>,
    /// Value in words, as written by [`value_words`](super::value_words).
    pub words: String,
}

/// Words for a move whose value depends on repetition or quiet plies, and so on the moves before.
const UNDECIDED: &str = "not known";

impl ProbeReport {
    /// Reports a position of the solution file of `game`.
    ///
    /// # Errors
    ///
    /// When the position is not in the file, or the file cannot be read.
    pub fn new<K: KeyCode>(
        game: String,
        file: &SolutionFile<K>,
        state: K,
    ) -> Result<ProbeReport, ProbeError> {
        let rules = file.rules();
        let valued = file.value(state)?;
        let endless = rules.endless();
        let undecided = endless == Endless::Undecided && valued == ExactValue::DRAW;
        let by_history = undecided.then(|| rules.value_by_history(state, &()).unwrap_or(None));
        let moves = file.moves(state)?.into_iter().map(|found| ProbedMove {
            m: rules.move_text(state, found.m),
            value: found.valued.value,
            remoteness: found.valued.plies(),
            words: match endless {
                Endless::Undecided if found.valued == ExactValue::DRAW => UNDECIDED.to_owned(),
                _ => value_words(found.valued.value, found.valued.plies()),
            },
        });
        Ok(ProbeReport {
            head: ReportHeader::NEW,
            game,
            position: rules.position_text(state),
            turn: rules.turn(state),
            value: valued.value,
            remoteness: valued.plies(),
            endless,
            by_history: by_history.flatten(),
            limit: PlyLimit::before(rules, valued, file.header().reachable.total()),
            moves: moves.collect(),
        })
    }

    /// Value and plies to the end; `None` if they contradict each other.
    #[must_use]
    pub fn valued(&self) -> Option<ExactValue> {
        ExactValue::of_plies(self.value, self.remoteness)
    }
}
