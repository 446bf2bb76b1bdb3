//! Operations on a game without its type.

use std::fmt::Debug;

use treegauge_catalog::{Capability, EvaluatorInfo, GameSpec};
use treegauge_core::{Plies, Watch};
use treegauge_search::{AlphaBetaOptions, Budget, Generator, UctOptions};
use treegauge_solve::{AnyCode, AnySolvable, ExactValue, PlyLimit};

use crate::alphabeta::AlphaBetaSearch;
use crate::evaluators::{EvaluatorError, EvaluatorSpec};
use crate::line::{BeginError, Line, StartingPoint};
use crate::random_games::{RandomGames, RandomGamesPlan};
use crate::uct::UctSearch;

/// Engine of one game. Each call is a whole search or a batch of games.
///
/// The type of the game is known inside each call, so nothing is dynamic in a hot loop, and code
/// that uses an engine is compiled once for all games.
///
/// # Panics
///
/// Every method that takes a [`Line`] panics when the line is one of another game.
pub trait Engine: Debug + Send + Sync {
    /// Description of the game.
    fn info(&self) -> &GameInfo;

    /// Begins a game from a position and plays moves from there.
    ///
    /// # Errors
    ///
    /// When the text of the position has errors, or a move is not legal.
    fn begin(&self, from: &StartingPoint) -> Result<Line, BeginError>;

    /// Game before its first ply.
    fn start(&self) -> Line;

    /// Plays `count` uniformly random games from the current position to their ends.
    fn playouts(&self, at: &Line, count: u32, rng: &mut Generator) -> PlayoutTally;

    /// Plays games between two random players; see [`RandomGamesPlan`]. `None` if `stop`, which is
    /// called every few plies, returns true.
    fn random_games(
        &self,
        at: &Line,
        plan: &RandomGamesPlan,
        numbers: &[u32],
        stop: &dyn Fn() -> bool,
    ) -> Option<RandomGames>;

    /// Ply limit that may stop a game before the end of best play from a position with this value.
    /// `positions` is the number of positions that can be reached.
    fn ply_limit(&self, valued: ExactValue, positions: u64) -> Option<PlyLimit> {
        self.rules().ply_limit(valued, positions)
    }

    /// Counts the move sequences of exactly 1, 2, ... `depth` plies (perft). Finished games do not
    /// count at greater depths. `None` if `watch` says stop.
    fn perft(&self, at: &Line, depth: usize, watch: &dyn Watch) -> Option<Vec<u64>>;

    /// Counts the move sequences of `depth` plies that begin with each legal move. `None` if
    /// `watch` says stop.
    fn perft_divide(&self, at: &Line, depth: usize, watch: &dyn Watch) -> Option<Vec<u64>>;

    /// Counts the distinct positions after exactly 1, 2, ... `depth` plies. The list ends before the
    /// first ply that needs more than `bytes_max` bytes. `None` if `watch` says stop.
    fn positions_by_ply(
        &self,
        at: &Line,
        depth: usize,
        bytes_max: Option<u64>,
        watch: &dyn Watch,
    ) -> Option<Vec<u64>>;

    /// Creates a UCT search, which keeps its memory from one search to the next.
    ///
    /// # Panics
    ///
    /// When C_p is negative or not finite, or the variant is not possible; see
    /// [`UctVariant::check`].
    ///
    /// [`UctVariant::check`]: treegauge_search::UctVariant::check
    fn uct_with(&self, options: UctOptions) -> Box<dyn UctSearch>;

    /// Creates the UCT search of Williams 2010. `cp` is the exploration constant on rewards in \[0,
    /// 1\].
    ///
    /// # Panics
    ///
    /// When `cp` is negative or not finite.
    fn uct(&self, budget: Budget, cp: f64) -> Box<dyn UctSearch> {
        self.uct_with(UctOptions::new(budget, cp))
    }

    /// Creates an alpha-beta search with an evaluator, which keeps its table from one search to the
    /// next.
    ///
    /// # Errors
    ///
    /// When the game does not have the evaluator, or the evaluator's file cannot be used.
    fn alpha_beta(
        &self,
        options: AlphaBetaOptions,
        evaluator: &EvaluatorSpec,
    ) -> Result<Box<dyn AlphaBetaSearch>, EvaluatorError>;

    /// Code of the current position's key, as used by the solver and by solution files.
    fn code(&self, at: &Line) -> AnyCode;

    /// Game in the form that the solver takes.
    fn rules(&self) -> AnySolvable;
}

/// Description of a game, known without playing it.
#[derive(Clone, Debug)]
pub struct GameInfo {
    /// Game as the user wrote it.
    pub spec: GameSpec,
    /// Canonical name: equal for two specs exactly when the games are equal.
    pub canonical_name: String,
    /// Capabilities of the game beyond rules and notation.
    pub capabilities: Vec<Capability>,
    /// Evaluators that only this game has.
    pub evaluators: Vec<EvaluatorInfo>,
    /// Whether positions have a score margin.
    pub has_margin: bool,
    /// Number of symmetries of the board, including the identity.
    pub symmetry_count: usize,
    /// Number of ids of the game's moves, as of [`Line::actions_into`]; `None` if they have none.
    pub action_count: Option<u32>,
    /// Shape of [`Line::write_tensor`]: the number of planes, then the sizes of a plane; `None` if
    /// the game has no tensors.
    pub tensor_shape: Option<Vec<u32>>,
    /// Number of plies within which every game ends by its position; `None` if none is known or
    /// the ply cap is lower.
    pub plies_max: Option<Plies>,
    /// Whether a game may end otherwise than by its position: by repetition or a number of quiet
    /// plies, where positions can come back, or by a ply cap below [`GameInfo::USUAL_PLY_CAP`].
    pub has_limits: bool,
}

impl GameInfo {
    /// Default ply cap of a game.
    pub const USUAL_PLY_CAP: Plies = Plies(1_000);
}

/// Results of random games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayoutTally {
    /// Number of games.
    pub playouts: u64,
    /// Total number of plies.
    pub plies: u64,
    /// Number of games won by the second player, drawn, and won by the first player.
    pub outcomes: [u64; 3],
}
