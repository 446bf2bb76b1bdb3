//! Alpha-beta searches of one type of game.

use std::sync::Arc;

use treegauge_catalog::Entry;
use treegauge_core::{Keyed, Notation};
use treegauge_search::{AlphaBeta, AlphaBetaLimits, AlphaBetaOptions, AlphaBetaReport};

use super::TypedLine;
use super::evaluators::TypedEvaluator;
use super::uct::{line_numbers, numbers_of};
use crate::agent::AgentError;
use crate::alphabeta::{AlphaBetaFound, AlphaBetaSearch};
use crate::line::Line;

/// Alpha-beta search of one type of game.
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
            // The table holds positions whose evaluation failed.
            search.forget();
            *last = None;
            return Err(error.into());
        }
        let found = AlphaBetaFound {
            best: report.best.map(|m| numbers_of(game, played.state(), &[m])[0]),
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
        let Some(report) = &self.last else { return Vec::new() };
        let state = TypedLine::of(at, &self.entry).played.state();
        at.line_texts(&line_numbers(&self.entry.game, state, &report.pv))
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
