//! Alpha-beta as a player.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use treegauge_catalog::Entry;
use treegauge_core::{Call, Evaluator, Keyed, Notation, Played, Plies};
use treegauge_search::{
    AlphaBetaChooser, AlphaBetaLimits, AlphaBetaOptions, Choice, Chooser, Generator, Spent,
};
use treegauge_study::{Competitor, Limits};

use super::evaluators::evaluator;
use crate::exit::{Exit, Failure, Outcome};
use crate::interrupt;

/// Alpha-beta as it is written: `alphabeta(eval=NAME,nodes=N)`, with `depth=N` or `time_ms=N` in
/// place of the nodes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AlphaBetaSpec {
    eval: String,
    budget: MoveBudget,
}

/// What a search may use for a move.
#[derive(Clone, Copy, Debug, PartialEq)]
enum MoveBudget {
    Nodes(u64),
    Depth(u32),
    TimeMs(u64),
}

impl fmt::Display for AlphaBetaSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, number) = match self.budget {
            MoveBudget::Nodes(nodes) => ("nodes", nodes),
            MoveBudget::Depth(depth) => ("depth", u64::from(depth)),
            MoveBudget::TimeMs(time) => ("time_ms", time),
        };
        write!(f, "alphabeta(eval={},{name}={number})", self.eval)
    }
}

impl AlphaBetaSpec {
    const PARAMETERS: [&str; 4] = ["eval", "nodes", "depth", "time_ms"];

    /// The nodes when no budget is given.
    const DEFAULT_NODES: u64 = 20_000;

    pub(super) fn of(call: &Call) -> Outcome<AlphaBetaSpec> {
        let bad = |message: String| Err(Failure::new(Exit::Usage, message));
        let known = Self::PARAMETERS;
        if let Some(odd) = call.arguments.iter().find(|a| !known.contains(&a.name.as_str())) {
            return bad(format!(
                "player `alphabeta` has no parameter {:?} (character {}); it has {}",
                odd.name,
                odd.at,
                known.join(", ")
            ));
        }
        let budgets = call.arguments.iter().filter(|argument| argument.name != "eval");
        let budget = match budgets.collect::<Vec<_>>().as_slice() {
            [] => MoveBudget::Nodes(Self::DEFAULT_NODES),
            [one] => {
                let most = match one.name.as_str() {
                    "nodes" => 1_000_000_000_000,
                    "depth" => u64::from(AlphaBetaLimits::DEPTH_MAX.0),
                    _ => 86_400_000,
                };
                let Some(number) = one.value.parse().ok().filter(|n| (1..=most).contains(n)) else {
                    return bad(format!(
                        "`{}` of player `alphabeta` cannot be {:?} (character {}): it takes a whole \
                         number from 1 to {most}",
                        one.name, one.value, one.at
                    ));
                };
                match one.name.as_str() {
                    "nodes" => MoveBudget::Nodes(number),
                    "depth" => MoveBudget::Depth(number as u32),
                    _ => MoveBudget::TimeMs(number),
                }
            }
            [_, second, ..] => {
                return bad(format!(
                    "player `alphabeta` has one budget, nodes, depth or time_ms, and `{}` (character \
                     {}) is a second one",
                    second.name, second.at
                ));
            }
        };
        Ok(AlphaBetaSpec { eval: call.value("eval").unwrap_or("mobility").to_owned(), budget })
    }

    /// The player for a game. Ctrl-C ends his search as the end of his time does.
    pub(crate) fn chooser<G: Notation + Keyed>(
        &self,
        evaluator: Arc<dyn Evaluator<G>>,
    ) -> AlphaBetaChooser<G> {
        let limits = match self.budget {
            MoveBudget::Nodes(nodes) => AlphaBetaLimits::nodes(nodes),
            MoveBudget::Depth(depth) => AlphaBetaLimits::depth(Plies(depth)),
            MoveBudget::TimeMs(_) => AlphaBetaLimits::nodes(u64::MAX),
        };
        let chooser = AlphaBetaChooser::new(AlphaBetaOptions::default(), evaluator, limits);
        let MoveBudget::TimeMs(time) = self.budget else {
            return chooser.with_stops(|| Box::new(interrupt::requested));
        };
        let time = Duration::from_millis(time);
        chooser.with_stops(move || {
            let begin = Instant::now();
            Box::new(move || begin.elapsed() >= time || interrupt::requested())
        })
    }

    /// What judges the positions of a game for the player.
    pub(crate) fn evaluator<G: Notation + Keyed>(
        &self,
        entry: &Entry<G>,
        canonical: &str,
    ) -> Outcome<Arc<dyn Evaluator<G>>> {
        evaluator(entry, &self.eval, canonical)
    }
}

/// A search that takes part in a match.
pub(super) struct AlphaBetaPlayer<G: Keyed> {
    evaluator: Arc<dyn Evaluator<G>>,
    spec: AlphaBetaSpec,
    /// Those that have played their games and know nothing of them any more: a new table for each
    /// game would take longer than a short game.
    idle: Mutex<Vec<AlphaBetaChooser<G>>>,
}

impl<G: Keyed> AlphaBetaPlayer<G> {
    pub(super) fn new(spec: AlphaBetaSpec, evaluator: Arc<dyn Evaluator<G>>) -> Self {
        AlphaBetaPlayer { evaluator, spec, idle: Mutex::new(Vec::new()) }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<AlphaBetaChooser<G>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A search in a game.
struct AlphaBetaSeat<'a, G: Keyed> {
    player: &'a AlphaBetaPlayer<G>,
    /// None while it searches, so that one that fails is not used again.
    chooser: Option<AlphaBetaChooser<G>>,
    spent: Spent,
}

impl<G: Keyed> Chooser<G> for AlphaBetaSeat<'_, G> {
    fn choose(
        &mut self,
        game: &G,
        played: &Played<G>,
        rng: &mut Generator,
    ) -> Option<Choice<G::Move>> {
        let mut chooser = self.chooser.take()?;
        let choice = chooser.choose(game, played, rng);
        self.spent = chooser.last_spent();
        self.chooser = Some(chooser);
        choice
    }

    fn last_spent(&self) -> Spent {
        self.spent
    }
}

impl<G: Keyed> Drop for AlphaBetaSeat<'_, G> {
    fn drop(&mut self) {
        if let Some(mut chooser) = self.chooser.take() {
            chooser.forget();
            self.player.idle().push(chooser);
        }
    }
}

impl<G: Notation + Keyed> Competitor<G> for AlphaBetaPlayer<G> {
    fn seat(&self) -> Box<dyn Chooser<G> + '_> {
        let idle = self.idle().pop();
        let chooser = idle.unwrap_or_else(|| self.spec.chooser(self.evaluator.clone()));
        Box::new(AlphaBetaSeat { player: self, chooser: Some(chooser), spent: Spent::default() })
    }

    fn limits(&self) -> Limits {
        match self.spec.budget {
            MoveBudget::Nodes(nodes) => Limits { nodes_max: Some(nodes), time_max: None },
            MoveBudget::Depth(_) => Limits::default(),
            // A busy machine may stop a thread for a moment, which is nobody's fault.
            MoveBudget::TimeMs(time) => {
                let time_max = Some(Duration::from_millis(2 * time + 500));
                Limits { nodes_max: None, time_max }
            }
        }
    }
}
