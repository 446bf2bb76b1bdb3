//! Alpha-beta trees of few positions, with every value and every cut.

use treegauge_core::{Board, PathCell, Player, Watch};
use treegauge_search::{AlphaBetaLimits, AlphaBetaOptions};

use crate::agent::AgentError;
use crate::alphabeta::AlphaBetaSearch;
use crate::engine::Engine;
use crate::evaluators::EvaluatorError;
use crate::line::{Line, MoveNumber};
use crate::player::PlayerSpec;
use crate::players::{AlphaBetaPlayer, MoveBudget};

/// Tree of an alpha-beta search without a table, as textbooks draw it: a move is cut if it cannot
/// change the value of the root. Moves of a known line of best play come first, others in their order.
#[derive(Clone, Debug, PartialEq)]
pub struct CutTree {
    /// Nodes in the order of the search, each after its parent.
    pub nodes: Vec<CutNode>,
    /// Depth of the search in plies; `None` if every line goes to the end of the game.
    pub depth: Option<u32>,
    /// Number of positions of the same tree without cuts; `None` if there are more than
    /// [`CutTree::UNCUT_MAX`].
    pub uncut: Option<usize>,
}

/// Node of a [`CutTree`].
#[derive(Clone, Debug, PartialEq)]
pub struct CutNode {
    /// Index of the parent; `None` at the root.
    pub parent: Option<usize>,
    /// Move that led here; empty at the root.
    pub m: String,
    /// The position.
    pub board: Board,
    /// Cells of the move that led here; empty at the root.
    pub last: Vec<PathCell>,
    /// Player to move; `None` if the game is over.
    pub turn: Option<Player>,
    /// Value for the first player: plus or minus infinity for a won or lost game, 0 for a draw, and
    /// otherwise the value of the evaluator.
    pub value: f64,
    /// Relation of `value` to the exact value.
    pub bound: CutBound,
    /// Moves that the search left out.
    pub cut: Vec<String>,
    /// Whether the node lies on the line of best play.
    pub best: bool,
}

/// Meaning of the value of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutBound {
    /// The value itself.
    Exact,
    /// The value is at least this.
    AtLeast,
    /// The value is at most this.
    AtMost,
}

/// Limits of a [`CutTree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CutLimits {
    /// Most nodes.
    pub nodes_max: usize,
    /// Most plies below the root.
    pub depth_max: u32,
}

/// Reason that a tree was not grown.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CutTreeError {
    /// The player has no alpha-beta search.
    #[error("{0} does not search by alpha-beta")]
    Player(String),
    /// Not even one ply fits.
    #[error("the position has {moves} moves, and a picture has up to {nodes_max} nodes")]
    TooLarge {
        /// Number of legal moves.
        moves: u32,
        /// Greatest number of nodes.
        nodes_max: usize,
    },
    /// The evaluator cannot be opened.
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
    /// The evaluator has no value of a position.
    #[error(transparent)]
    Value(#[from] AgentError),
    /// The watch said stop.
    #[error("the tree is not complete")]
    Interrupted,
}

/// Reason that the growth of one depth ended early.
enum Failure {
    TooLarge,
    Error(CutTreeError),
}

/// Search that is left below a node.
#[derive(Clone, Copy)]
struct Below<'a> {
    /// Plies.
    depth: u32,
    /// Line of best play from the node on, if it is known.
    best: &'a [String],
}

struct Growth<'a> {
    search: Box<dyn AlphaBetaSearch>,
    nodes: Vec<CutNode>,
    /// Child with the value of each node.
    best: Vec<Option<usize>>,
    nodes_max: usize,
    /// Whether the evaluator was asked for a value.
    evaluated: bool,
    watch: &'a dyn Watch,
}

impl Growth<'_> {
    /// Grows the tree below a move of the position of a line, or below the position itself. Returns
    /// the value for the first player.
    fn grow(
        &mut self,
        line: &mut Line,
        parent: Option<usize>,
        by: Option<MoveNumber>,
        below: Below<'_>,
        window: [f64; 2],
    ) -> Result<f64, Failure> {
        if self.nodes.len() >= self.nodes_max {
            return Err(Failure::TooLarge);
        }
        if self.watch.stop() {
            return Err(Failure::Error(CutTreeError::Interrupted));
        }
        let (m, last) = by.map_or_else(Default::default, |number| {
            (line.move_text(number), line.move_cells(number))
        });
        if let Some(number) = by {
            line.play(number);
        }
        let value = self.enter(line, CutNode::new(parent, m, last, line), below, window);
        if by.is_some() {
            line.undo();
        }
        value
    }

    /// Adds the node of the position of a line and grows the tree below it.
    fn enter(
        &mut self,
        line: &mut Line,
        node: CutNode,
        below: Below<'_>,
        window: [f64; 2],
    ) -> Result<f64, Failure> {
        let at = self.nodes.len();
        self.nodes.push(node);
        self.best.push(None);
        let value = match (line.ended(), below.depth) {
            (Some(ended), _) => match ended.outcome.value() {
                0 => 0.0,
                sign => f64::from(sign) * f64::INFINITY,
            },
            (None, 0) => self.evaluate(line)?,
            (None, _) => return self.choose(line, at, below, window),
        };
        self.nodes[at].value = value;
        Ok(value)
    }

    /// Searches the moves of a node.
    fn choose(
        &mut self,
        line: &mut Line,
        at: usize,
        below: Below<'_>,
        window: [f64; 2],
    ) -> Result<f64, Failure> {
        let sign = f64::from(line.turn().sign());
        let [mut alpha, mut beta] = window;
        let (mut value, mut is_exact) = (-sign * f64::INFINITY, true);
        let mut numbers: Vec<MoveNumber> = (0..line.move_count()).collect();
        let best = below.best.first().and_then(|m| line.move_number(m).ok());
        numbers.sort_by_key(|&number| Some(number) != best);
        for (tried, &number) in (1..).zip(&numbers) {
            let child = self.nodes.len();
            let left = if Some(number) == best { &below.best[1..] } else { &[] };
            let then = Below { depth: below.depth - 1, best: left };
            let found = self.grow(line, Some(at), Some(number), then, [alpha, beta])?;
            is_exact &= self.nodes[child].bound == CutBound::Exact;
            if self.best[at].is_none() || sign * found > sign * value {
                (value, self.best[at]) = (found, Some(child));
            }
            if sign > 0.0 {
                alpha = alpha.max(value);
            } else {
                beta = beta.min(value);
            }
            if alpha >= beta && tried < numbers.len() {
                let left = numbers[tried..].iter().map(|&number| line.move_text(number));
                self.nodes[at].cut = left.collect();
                is_exact = false;
                break;
            }
        }
        // Nothing is better than a win.
        is_exact |= value == sign * f64::INFINITY || window[0] < value && value < window[1];
        self.nodes[at].value = value;
        self.nodes[at].bound = match () {
            () if is_exact => CutBound::Exact,
            () if value >= window[1] => CutBound::AtLeast,
            () => CutBound::AtMost,
        };
        Ok(value)
    }

    /// Value of a position by the evaluator.
    fn evaluate(&mut self, line: &Line) -> Result<f64, Failure> {
        self.evaluated = true;
        let found = self.search.search(line, AlphaBetaLimits::nodes(1), &mut || false);
        let found = found.map_err(|error| Failure::Error(CutTreeError::Value(error)))?;
        let sign = f64::from(line.turn().sign());
        let decided = found.decided.map(f64::from).filter(|one| *one != 0.0);
        Ok(match (decided, found.plies_to_end()) {
            (Some(decided), _) => sign * decided * f64::INFINITY,
            (None, Some(_)) => sign * f64::from(found.value.signum()) * f64::INFINITY,
            (None, None) => sign * f64::from(found.value) / found.unit,
        })
    }
}

impl CutNode {
    /// Node of the position of a line before it is searched.
    fn new(parent: Option<usize>, m: String, last: Vec<PathCell>, line: &Line) -> CutNode {
        let turn = line.ended().is_none().then(|| line.turn());
        let (value, bound, cut) = (0.0, CutBound::Exact, Vec::new());
        CutNode { parent, m, board: line.board(), last, turn, value, bound, cut, best: false }
    }
}

/// Number of positions of a tree without cuts, up to `left`.
fn uncut(line: &mut Line, depth: u32, left: &mut usize) -> Option<usize> {
    *left = left.checked_sub(1)?;
    let mut sum = 1;
    if depth > 0 && line.ended().is_none() {
        for number in 0..line.move_count() {
            line.play(number);
            let below = uncut(line, depth - 1, left);
            line.undo();
            sum += below?;
        }
    }
    Some(sum)
}

impl CutTree {
    /// Most positions without cuts that are counted.
    pub const UNCUT_MAX: usize = 20_000;

    /// Greatest depth of a tree in plies.
    pub const DEPTH_MAX: u32 = 200;

    /// Grows the tree of a position to the greatest depth that the limits and the depth of the
    /// player allow, one ply after another. Moves of `best`, a line of best play from the position,
    /// are tried first: among moves of equal value the tree then has the same best one.
    ///
    /// # Errors
    ///
    /// If `player` does not search by alpha-beta, not even one ply fits, the evaluator fails, or
    /// `watch` says stop.
    pub fn of(
        engine: &dyn Engine,
        at: &Line,
        player: &PlayerSpec,
        limits: CutLimits,
        best: &[String],
        watch: &dyn Watch,
    ) -> Result<CutTree, CutTreeError> {
        let Some(AlphaBetaPlayer { eval, budget }) = player.get() else {
            return Err(CutTreeError::Player(player.to_string()));
        };
        let depth_max = match budget {
            MoveBudget::Depth(plies) => limits.depth_max.min(plies.0),
            _ => limits.depth_max,
        };
        let mut line = at.clone();
        let mut tree = None;
        for depth in 1..=depth_max.clamp(1, CutTree::DEPTH_MAX) {
            let mut growth = Growth {
                search: engine.alpha_beta(AlphaBetaOptions::default(), eval)?,
                nodes: Vec::new(),
                best: Vec::new(),
                nodes_max: limits.nodes_max,
                evaluated: false,
                watch,
            };
            let window = [-f64::INFINITY, f64::INFINITY];
            match growth.grow(&mut line, None, None, Below { depth, best }, window) {
                Ok(_) => {}
                Err(Failure::Error(error)) => return Err(error),
                Err(Failure::TooLarge) => break,
            }
            let Growth { mut nodes, best: chosen, evaluated, .. } = growth;
            let mut next = Some(0);
            while let Some(node) = next {
                nodes[node].best = true;
                next = chosen[node];
            }
            let mut left = CutTree::UNCUT_MAX;
            let uncut = uncut(&mut line, depth, &mut left);
            let depth = evaluated.then_some(depth);
            tree = Some(CutTree { nodes, depth, uncut });
            if !evaluated {
                break;
            }
        }
        let (moves, nodes_max) = (at.move_count(), limits.nodes_max);
        tree.ok_or(CutTreeError::TooLarge { moves, nodes_max })
    }
}
