//! The report of a look-up.

use serde::{Deserialize, Serialize};
use treegauge_core::{KeyCode, Player};

use super::value_words::value_words;
use crate::endless::Endless;
use crate::file::SolutionFile;
use crate::limit::PlyLimit;
use crate::probe::{LookUp, ProbeError};
use crate::value::{Value, Valued};
use treegauge_core::{Head, ReportKind};

/// A position of a solved file with the values of its moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProbeReport {
    /// The schema and the kind.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// The game.
    pub game: String,
    /// The position as text.
    pub position: String,
    /// The player to move.
    pub turn: Player,
    /// The value for the player to move.
    pub value: Value,
    /// Plies to the end, 0 when the game is over; null for endless play.
    pub remoteness: Option<u16>,
    /// The result of endless play by the rules.
    #[serde(default)]
    pub endless: Endless,
    /// The value for the player to move where the history decides it and few lines are left: by all
    /// of them, the position taken as the first. Left out elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_history: Option<Value>,
    /// The limit of plies that may stop the game before the end of best play: the value does not count it. Left out
    /// where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<PlyLimit>,
    /// The moves, best first; none when the game is over.
    pub moves: Vec<ProbedMove>,
}

impl ReportKind for ProbeReport {
    const KIND: &'static str = "probe";
}

/// A move with its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbedMove {
    /// The move as text.
    #[serde(rename = "move")]
    pub m: String,
    /// The value for the player who makes the move.
    pub value: Value,
    /// Plies to the end, this move the first of them; null for endless play.
    pub remoteness: Option<u16>,
    /// The value in words, as [`value_words`](super::value_words) has them.
    pub words: String,
}

/// The words of a move whose value repetition or quiet plies decide by the moves before.
const UNDECIDED: &str = "not known";

impl ProbeReport {
    /// The report of a position of a solved file of `game`.
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
        let undecided = endless == Endless::Undecided && valued == Valued::DRAW;
        let by_history = undecided.then(|| rules.value_by_history(state, &()).unwrap_or(None));
        let moves = file.moves(state)?.into_iter().map(|found| ProbedMove {
            m: rules.move_text(state, found.m),
            value: found.valued.value,
            remoteness: found.valued.plies(),
            words: match endless {
                Endless::Undecided if found.valued == Valued::DRAW => UNDECIDED.to_owned(),
                _ => value_words(found.valued.value, found.valued.plies()),
            },
        });
        Ok(ProbeReport {
            head: Head::NEW,
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

    /// The value with the plies to the end; `None` when they do not go together.
    #[must_use]
    pub fn valued(&self) -> Option<Valued> {
        Valued::of_plies(self.value, self.remoteness)
    }
}
