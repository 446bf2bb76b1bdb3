//! What chooses moves in a game.

use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use treegauge_core::{Clock, Plies, Watch};
use treegauge_search::draw::Outline;
use treegauge_search::{AlphaBetaLimits, Generator};
use treegauge_solve::Valued;

use crate::alphabeta::{AlphaBetaFound, AlphaBetaSearch};
use crate::line::{Line, MoveNumber};
use crate::solved::{MoveValue, SolvedFileError, SolvedGame};
use crate::uct::UctSearch;

/// A move with what is known about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The move.
    pub m: MoveNumber,
    /// The value expected of it **for the player who makes it**, -1 to 1, where the agent has one.
    pub value: Option<f64>,
    /// The exact value of the move for the player who makes it, where the agent knows it; the
    /// remoteness counts the move.
    pub exact: Option<Valued>,
}

impl Choice {
    /// A move of which nothing is known.
    #[must_use]
    pub fn of(m: MoveNumber) -> Choice {
        Choice { m, value: None, exact: None }
    }
}

/// What a choice took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Nodes that were looked at, as the agent counts them: iterations of UCT, positions of
    /// alpha-beta.
    pub nodes: u64,
    /// The depth in plies to which everything was searched, where that has a meaning.
    pub depth: Option<u32>,
}

/// How an agent breaks the rules of a match. It forfeits the game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Forfeit {
    /// It gives no move in a game that goes on.
    #[error("gave no move")]
    NoMove,
    /// What it gives is no legal move.
    #[error("gave {text:?}, which is no legal move")]
    IllegalMove {
        /// What it gave.
        text: String,
    },
    /// It stopped working.
    #[error("failed: {reason}")]
    Failed {
        /// What is known of it.
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
    /// The file of the solved game, by which it plays, cannot answer. No result follows from that.
    #[error(transparent)]
    SolvedFile(#[from] Arc<SolvedFileError>),
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

    /// What the last choice took.
    fn spent(&self) -> Spent {
        Spent::default()
    }

    /// Forgets earlier games, so that the next one does not depend on them.
    fn new_game(&mut self) {}

    /// The UCT tree behind the last choice, if there is one: see [`UctSearch::outline`].
    fn outline(&self, at: &Line, game: &str, seed: u64) -> Option<Outline> {
        let _ = (at, game, seed);
        None
    }
}

/// Picks every move uniformly at random.
pub(crate) struct RandomAgent;

impl Agent for RandomAgent {
    fn choose(
        &mut self,
        at: &Line,
        rng: &mut Generator,
        _: &dyn Watch,
    ) -> Result<Choice, AgentError> {
        at.random_move(rng).map(Choice::of).ok_or(AgentError::Forfeit(Forfeit::NoMove))
    }
}

/// Searches by UCT from an empty tree each time.
pub(crate) struct UctAgent {
    pub(crate) uct: Box<dyn UctSearch>,
    pub(crate) spent: Spent,
}

impl Agent for UctAgent {
    fn choose(
        &mut self,
        at: &Line,
        rng: &mut Generator,
        watch: &dyn Watch,
    ) -> Result<Choice, AgentError> {
        let found = self.uct.search(at, rng, &mut || watch.stop());
        self.spent = Spent { nodes: u64::from(found.iterations), depth: None };
        let m = found.choose(rng).ok_or(Forfeit::NoMove)?;
        Ok(Choice { m, value: found.value(), exact: None })
    }

    fn spent(&self) -> Spent {
        self.spent
    }

    fn outline(&self, at: &Line, game: &str, seed: u64) -> Option<Outline> {
        Some(self.uct.outline(at, game, seed))
    }
}

/// What alpha-beta may use for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveBudget {
    /// Nodes.
    Nodes(u64),
    /// Depth of the last iteration.
    Depth(Plies),
    /// Time. What the search finds then depends on the machine.
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

/// Searches by alpha-beta. What one search learns of positions helps the next ones of its game.
pub struct AlphaBetaAgent {
    search: Box<dyn AlphaBetaSearch>,
    budget: MoveBudget,
    clock: Arc<dyn Clock>,
    spent: Spent,
}

impl AlphaBetaAgent {
    /// An agent with a budget for each move, which reads the clock where that is time.
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

    /// The line of best play that the last search found: see
    /// [`AlphaBetaSearch::principal_variation`].
    #[must_use]
    pub fn principal_variation(&self, at: &Line) -> Vec<String> {
        self.search.principal_variation(at)
    }
}

impl Agent for AlphaBetaAgent {
    /// The value is known only where the search has proved it: an evaluator's is on no scale.
    fn choose(
        &mut self,
        at: &Line,
        _: &mut Generator,
        watch: &dyn Watch,
    ) -> Result<Choice, AgentError> {
        let found = self.search(at, watch)?;
        let m = found.best.ok_or(Forfeit::NoMove)?;
        Ok(Choice { m, value: found.decided.map(f64::from), exact: None })
    }

    fn spent(&self) -> Spent {
        self.spent
    }

    fn new_game(&mut self) {
        self.search.forget();
    }
}

/// Plays by the file of the solved game: the best move, of equal ones any.
pub(crate) struct PerfectAgent(pub(crate) Arc<dyn SolvedGame>);

impl Agent for PerfectAgent {
    fn choose(
        &mut self,
        at: &Line,
        rng: &mut Generator,
        _: &dyn Watch,
    ) -> Result<Choice, AgentError> {
        let rows = self.0.moves(at).map_err(Arc::new)?;
        let best = best_of(&rows, rng).ok_or(Forfeit::NoMove)?;
        Ok(Choice { m: best.m, value: None, exact: Some(best.valued) })
    }
}

/// The best of some moves, best first; of equal ones one is picked at random, so that games differ.
fn best_of<'a>(
    rows: &'a [MoveValue<MoveNumber>],
    rng: &mut Generator,
) -> Option<&'a MoveValue<MoveNumber>> {
    let best = rows.chunk_by(|a, b| a.valued == b.valued).next()?;
    best.get(treegauge_core::below(rng, best.len() as u32) as usize)
}
