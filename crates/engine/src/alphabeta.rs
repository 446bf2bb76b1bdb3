//! Alpha-beta searches of a game whose type is hidden.

use treegauge_core::Plies;
use treegauge_search::{AlphaBetaLimits, Stopped, plies_to_end};

use crate::agent::AgentError;
use crate::line::{Line, MoveNumber};

/// An alpha-beta search with its evaluator, which keeps its table.
pub trait AlphaBetaSearch: Send {
    /// Searches from the current position of a game. `stop` is asked as by
    /// [`AlphaBeta::search_until`](treegauge_search::AlphaBeta::search_until), and `true` ends the search.
    ///
    /// # Errors
    ///
    /// When the evaluator is the file of a solved game and does not have the value of a position
    /// that the search came to.
    fn search(
        &mut self,
        at: &Line,
        limits: AlphaBetaLimits,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<AlphaBetaFound, AgentError>;

    /// The line of best play that the last search found, as text. `at` is the position that was
    /// searched.
    fn principal_variation(&self, at: &Line) -> Vec<String>;

    /// Forgets what it knows of earlier positions, so that the next search does not depend on
    /// them.
    fn forget(&mut self);

    /// Another search with the same options and evaluator, without anything learned.
    fn another(&self) -> Box<dyn AlphaBetaSearch>;
}

/// What an alpha-beta search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlphaBetaFound {
    /// The move to play; `None` only where the game has ended.
    pub best: Option<MoveNumber>,
    /// The value **for the player to move**, in whole numbers of which `unit` make 1: the
    /// evaluator's, or that of a game which is won or lost, as
    /// [`AlphaBetaReport::value`](treegauge_search::AlphaBetaReport::value) has it.
    pub value: i32,
    /// How many of these whole numbers make 1 in the evaluator's own terms.
    pub unit: f64,
    /// Plies of the last iteration that was completed.
    pub depth: u32,
    /// Positions that the search visited, the root among them.
    pub nodes: u64,
    /// Why the search ended.
    pub stopped: Stopped,
    /// +1, 0 or -1 for the player to move, where that is proved to be the result of perfect play.
    pub decided: Option<i32>,
}

impl AlphaBetaFound {
    /// In how many plies the line ends, where it ends with a win or a loss.
    #[must_use]
    pub fn plies_to_end(&self) -> Option<Plies> {
        plies_to_end(self.value)
    }
}
