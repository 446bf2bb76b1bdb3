//! Alpha-beta searches of a game whose type is hidden.

use std::sync::Arc;

use treegauge_catalog::Entry;
use treegauge_core::{Keyed, Notation, Plies};
use treegauge_search::{
    AlphaBeta, AlphaBetaLimits, AlphaBetaOptions, AlphaBetaReport, Stopped, plies_to_end,
};

use crate::agent::AgentError;
use crate::evaluators::TypedEvaluator;
use crate::line::{Line, MoveNumber};
use crate::typed::TypedLine;

/// An alpha-beta search with its evaluator, which keeps its table.
pub trait AlphaBetaSearch: Send {
    /// Searches from the current position of a game. `stop` is asked as by
    /// [`AlphaBeta::search_until`], and `true` ends the search.
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
    /// [`AlphaBetaReport::value`] has it.
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

/// The search of one type of game.
pub(crate) struct TypedAlphaBeta<G: Keyed + Notation> {
    pub(crate) entry: Arc<Entry<G>>,
    pub(crate) options: AlphaBetaOptions,
    pub(crate) search: AlphaBeta<G>,
    pub(crate) evaluator: TypedEvaluator<G>,
    pub(crate) last: Option<AlphaBetaReport<G::Move>>,
}

impl<G: Notation + Keyed> AlphaBetaSearch for TypedAlphaBeta<G> {
    fn search(
        &mut self,
        at: &Line,
        limits: AlphaBetaLimits,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<AlphaBetaFound, AgentError> {
        let TypedAlphaBeta { entry, search, evaluator, last, .. } = self;
        let game = &entry.game;
        let played = &TypedLine::of(at, entry).played;
        let mut stop = || stop() || evaluator.has_failed();
        let report =
            search.search_until(game, played, evaluator.evaluator.as_ref(), limits, &mut stop);
        if let Err(error) = evaluator.result() {
            // The table has positions that were not evaluated.
            search.forget();
            *last = None;
            return Err(error.into());
        }
        let number = |m: G::Move| {
            let mut moves = Vec::new();
            game.moves_into(played.state(), &mut moves);
            moves.iter().position(|&known| known == m).expect("the move is legal") as MoveNumber
        };
        let found = AlphaBetaFound {
            best: report.best.map(number),
            value: report.value,
            unit: evaluator.evaluator.unit(),
            depth: report.depth,
            nodes: report.nodes,
            stopped: report.stopped,
            decided: report.decided(),
        };
        *last = Some(report);
        Ok(found)
    }

    fn principal_variation(&self, at: &Line) -> Vec<String> {
        let game = &self.entry.game;
        let mut state = TypedLine::of(at, &self.entry).played.state().clone();
        let text = |&m: &G::Move| {
            let text = game.move_text(&state, m);
            game.play(&mut state, m);
            text
        };
        self.last.iter().flat_map(|report| &report.pv).map(text).collect()
    }

    fn forget(&mut self) {
        self.search.forget();
    }

    fn another(&self) -> Box<dyn AlphaBetaSearch> {
        Box::new(TypedAlphaBeta {
            entry: self.entry.clone(),
            options: self.options,
            search: AlphaBeta::new(self.options),
            evaluator: self.evaluator.another(),
            last: None,
        })
    }
}
