//! `alphabeta(...)`: the player that searches by alpha-beta.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use treegauge_core::{Clock, Plies, Watch};
use treegauge_grammar::{Error, Form, Parameter, Parsed, Role, Values};
use treegauge_search::{AlphaBetaLimits, AlphaBetaOptions, Generator};

use crate::agent::{Agent, AgentError, Choice, Forfeit, Spent};
use crate::alphabeta::{AlphaBetaFound, AlphaBetaSearch};
use crate::engine::Engine;
use crate::evaluators::EvaluatorSpec;
use crate::line::Line;
use crate::player::{Limits, MakeAgent, OpenPlayerError, PlayerKind, PlayerSpec};

pub(crate) const FORM: Form = Form {
    summary: "alpha-beta with an evaluator",
    parameters: &[
        Parameter {
            name: "eval",
            default: "mobility",
            values: Values::Call(Role::Evaluator),
            help: "evaluator of positions at the horizon",
        },
        Parameter {
            name: "nodes",
            default: "20000",
            values: Values::Whole(1, 1_000_000_000_000),
            help: "positions per move",
        },
        Parameter {
            name: "depth",
            default: Parameter::NO_DEFAULT,
            values: Values::Whole(1, AlphaBetaLimits::DEPTH_MAX.0 as u64),
            help: "plies to look ahead, in place of nodes",
        },
        Parameter {
            name: "time_ms",
            default: Parameter::NO_DEFAULT,
            values: Values::Whole(1, 86_400_000),
            help: "milliseconds per move, in place of nodes; not reproducible",
        },
    ],
    one_of: &[&["nodes", "depth", "time_ms"]],
    ..Form::new("alphabeta")
};

pub(crate) fn read(parsed: &Parsed<'_>) -> Result<PlayerSpec, Error> {
    let args = &parsed.args;
    let within = |error: Error| match parsed.value_at("eval") {
        Some(begin) => error.within(begin),
        None => error,
    };
    let eval = EvaluatorSpec::parse(args.text("eval")).map_err(within)?;
    let budget = if args.get("depth").is_some() {
        MoveBudget::Depth(Plies(args.whole("depth")))
    } else if args.get("time_ms").is_some() {
        MoveBudget::Time(Duration::from_millis(args.long("time_ms")))
    } else {
        MoveBudget::Nodes(args.long("nodes"))
    };
    Ok(PlayerSpec::of(AlphaBetaPlayer { eval, budget }))
}

/// Player that searches by alpha-beta.
#[derive(Clone, Debug, PartialEq)]
pub struct AlphaBetaPlayer {
    /// Evaluator of the positions at the horizon.
    pub eval: EvaluatorSpec,
    /// Budget for one move.
    pub budget: MoveBudget,
}

impl fmt::Display for AlphaBetaPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "alphabeta(eval={},", self.eval)?;
        match self.budget {
            MoveBudget::Nodes(nodes) => write!(f, "nodes={nodes})"),
            MoveBudget::Depth(depth) => write!(f, "depth={})", depth.0),
            MoveBudget::Time(time) => write!(f, "time_ms={})", time.as_millis()),
        }
    }
}

impl PlayerKind for AlphaBetaPlayer {
    fn open(
        &self,
        engine: &Arc<dyn Engine>,
        _: &Line,
        clock: &Arc<dyn Clock>,
    ) -> Result<MakeAgent, OpenPlayerError> {
        let (budget, clock) = (self.budget, clock.clone());
        // One search holds the evaluator; agents get copies of it.
        let search = Mutex::new(engine.alpha_beta(AlphaBetaOptions::default(), &self.eval)?);
        Ok(Box::new(move || {
            let search = search.lock().unwrap_or_else(PoisonError::into_inner).another();
            Box::new(AlphaBetaAgent::new(search, budget, clock.clone()))
        }))
    }

    fn limits(&self) -> Limits {
        let none = Limits::default();
        match self.budget {
            MoveBudget::Nodes(nodes) => Limits { nodes_max: Some(nodes), ..none },
            MoveBudget::Depth(_) => none,
            // A busy machine may stop a thread for a moment, which is not the player's fault.
            MoveBudget::Time(time) => {
                Limits { time_max: Some(2 * time + Duration::from_millis(500)), ..none }
            }
        }
    }

    fn files(&self) -> Vec<&Path> {
        self.eval.file().into_iter().collect()
    }

    fn with_files(&self, place: &dyn Fn(&Path) -> PathBuf) -> Option<PlayerSpec> {
        self.eval.file()?;
        Some(PlayerSpec::of(AlphaBetaPlayer { eval: self.eval.with_file(place), ..self.clone() }))
    }

    fn has_time_budget(&self) -> bool {
        matches!(self.budget, MoveBudget::Time(_))
    }
}

/// Budget of alpha-beta for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveBudget {
    /// Number of nodes.
    Nodes(u64),
    /// Depth of the last iteration.
    Depth(Plies),
    /// Time. The result of the search then depends on the machine.
    Time(Duration),
}

impl MoveBudget {
    fn limits(self) -> AlphaBetaLimits {
        match self {
            MoveBudget::Nodes(nodes) => AlphaBetaLimits::nodes(nodes),
            MoveBudget::Depth(depth) => AlphaBetaLimits::depth(depth),
            MoveBudget::Time(_) => AlphaBetaLimits::nodes(u64::MAX),
        }
    }
}

/// Agent that searches by alpha-beta. Its table is kept from one search to the next of the same
/// game.
pub struct AlphaBetaAgent {
    search: Box<dyn AlphaBetaSearch>,
    budget: MoveBudget,
    clock: Arc<dyn Clock>,
    spent: Spent,
}

impl AlphaBetaAgent {
    /// Creates an agent with a budget for each move. It reads the clock if the budget is time.
    #[must_use]
    pub fn new(
        search: Box<dyn AlphaBetaSearch>,
        budget: MoveBudget,
        clock: Arc<dyn Clock>,
    ) -> Self {
        AlphaBetaAgent { search, budget, clock, spent: Spent::default() }
    }

    /// Searches within the budget.
    ///
    /// # Errors
    ///
    /// As [`AlphaBetaSearch::search`].
    pub fn search(&mut self, at: &Line, watch: &dyn Watch) -> Result<AlphaBetaFound, AgentError> {
        let limits = self.budget.limits();
        let found = if let MoveBudget::Time(time) = self.budget {
            let begin = self.clock.now();
            let late = || self.clock.now().saturating_sub(begin) >= time;
            self.search.search(at, limits, &mut || late() || watch.stop())
        } else {
            self.search.search(at, limits, &mut || watch.stop())
        }?;
        self.spent = Spent { nodes: found.nodes, depth: Some(found.depth) };
        Ok(found)
    }

    /// Principal variation of the last search; see [`AlphaBetaSearch::principal_variation`].
    #[must_use]
    pub fn principal_variation(&self, at: &Line) -> Vec<String> {
        self.search.principal_variation(at)
    }
}

impl Agent for AlphaBetaAgent {
    /// Returns a value only if the search proved it, since an evaluator's value is on no common
    /// scale.
    fn choose(
        &mut self,
        at: &Line,
        _: &mut Generator,
        watch: &dyn Watch,
    ) -> Result<Choice, AgentError> {
        let found = self.search(at, watch)?;
        let m = found.best.ok_or(Forfeit::NoMove)?;
        Ok(Choice { value: found.decided.map(f64::from), ..Choice::of(m) })
    }

    fn spent(&self) -> Spent {
        self.spent
    }

    fn new_game(&mut self) {
        self.search.forget();
    }
}
