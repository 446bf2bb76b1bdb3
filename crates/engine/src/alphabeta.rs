//! Alpha-beta searches without the type of the game.

use treegauge_core::Plies;
use treegauge_search::{AlphaBetaLimits, Stopped, plies_to_end};

use crate::agent::AgentError;
use crate::line::{Line, MoveNumber};

/// Alpha-beta search with its evaluator, which keeps its table.
pub trait AlphaBetaSearch: Send {
    /// Searches from the current position of a game. Calls `stop` as
    /// [`AlphaBeta::search_until`](treegauge_search::AlphaBeta::search_until) does; `true` ends the
    /// search.
    ///
    /// # Errors
    ///
    /// When the evaluator is the file of a solved game and lacks the value of a position that the
    /// search reached.
    fn search(
        &mut self,
        at: &Line,
        limits: AlphaBetaLimits,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<AlphaBetaFound, AgentError>;

    /// Principal variation of the last search as text. `at` is the position that was searched.
    fn principal_variation(&self, at: &Line) -> Vec<String>;

    /// Forgets all earlier positions, so that the next search does not depend on them.
    fn forget(&mut self);

    /// Creates another search with the same options and evaluator, but an empty table.
    fn another(&self) -> Box<dyn AlphaBetaSearch>;
}

/// Result of an alpha-beta search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlphaBetaFound {
    /// Move to play; `None` only if the game has ended.
    pub best: Option<MoveNumber>,
    /// Value **for the player to move**, in steps of 1 / `unit`. It is the evaluator's value or
    /// that of a won or lost game, see
    /// [`AlphaBetaReport::value`](treegauge_search::AlphaBetaReport::value).
    pub value: i32,
    /// Number of steps of `value` that make 1 in the evaluator's own scale.
    pub unit: f64,
    /// Depth in plies of the last completed iteration.
    pub depth: u32,
    /// Number of positions visited, including the root.
    pub nodes: u64,
    /// Reason that the search ended.
    pub stopped: Stopped,
    /// Proved result of perfect play for the player to move, +1, 0 or -1; `None` if it is not
    /// proved.
    pub decided: Option<i32>,
}

impl AlphaBetaFound {
    /// Number of plies to the end of the game; `None` unless the value is a win or loss.
    #[must_use]
    pub fn plies_to_end(&self) -> Option<Plies> {
        plies_to_end(self.value)
    }
}
