//! What can be done with a game whose type is hidden.

use std::fmt::Debug;

use treegauge_catalog::{Capability, EvaluatorInfo, GameSpec};
use treegauge_core::{Plies, Watch};
use treegauge_search::{AlphaBetaOptions, Budget, Generator, UctOptions};
use treegauge_solve::{AnyCode, AnySolvable, PlyLimit, Valued};

use crate::alphabeta::AlphaBetaSearch;
use crate::evaluators::{EvaluatorError, EvaluatorSpec};
use crate::line::{BeginError, Beginning, Line};
use crate::random_games::{RandomGames, RandomGamesPlan};
use crate::uct::UctSearch;

/// One game, behind calls each of which is a whole search or a batch of games.
///
/// The type of the game is known on the other side of the call, so nothing is dynamic in a hot
/// loop, and code that uses an engine is compiled once for all games.
///
/// # Panics
///
/// Every method that takes a [`Line`] panics when the line is one of another game.
pub trait Engine: Debug + Send + Sync {
    /// What is known of the game without playing it.
    fn info(&self) -> &GameInfo;

    /// A game in progress.
    ///
    /// # Errors
    ///
    /// When the text of the position has errors, or a move is not legal.
    fn begin(&self, from: &Beginning) -> Result<Line, BeginError>;

    /// The game before its first ply.
    fn start(&self) -> Line;

    /// Plays `count` uniformly random games from the current position to their ends.
    fn playouts(&self, at: &Line, count: u32, rng: &mut Generator) -> PlayoutTally;

    /// Plays games between two random players; see [`RandomGamesPlan`]. Nothing when `stop`, which is asked
    /// every few plies, says so.
    fn random_games(
        &self,
        at: &Line,
        plan: &RandomGamesPlan,
        numbers: &[u32],
        stop: &dyn Fn() -> bool,
    ) -> Option<RandomGames>;

    /// The limit of plies that may stop a game from a position of this value, from which as many can be reached, before
    /// its end.
    fn ply_limit(&self, valued: Valued, positions: u64) -> Option<PlyLimit> {
        self.rules().ply_limit(valued, positions)
    }

    /// The number of move sequences of exactly 1, 2, ... `depth` plies (perft). Finished games
    /// count nothing at greater depths. Nothing when `watch` says stop.
    fn perft(&self, at: &Line, depth: usize, watch: &dyn Watch) -> Option<Vec<u64>>;

    /// For each legal move, the number of move sequences of `depth` plies that begin with it.
    /// Nothing when `watch` says stop.
    fn perft_divide(&self, at: &Line, depth: usize, watch: &dyn Watch) -> Option<Vec<u64>>;

    /// A UCT search, which keeps its memory from one search to the next.
    ///
    /// # Panics
    ///
    /// When C_p is negative or not finite, or there is no such variant: see [`UctVariant::check`].
    ///
    /// [`UctVariant::check`]: treegauge_search::UctVariant::check
    fn uct_with(&self, options: UctOptions) -> Box<dyn UctSearch>;

    /// The same as Williams 2010 has it. `cp` is the exploration constant on rewards in
    /// \[0, 1\].
    ///
    /// # Panics
    ///
    /// When `cp` is negative or not finite.
    fn uct(&self, budget: Budget, cp: f64) -> Box<dyn UctSearch> {
        self.uct_with(UctOptions::new(budget, cp))
    }

    /// An alpha-beta search with an evaluator, which keeps its table from one search to the next.
    ///
    /// # Errors
    ///
    /// When the game does not have the evaluator, or its file cannot be used.
    fn alpha_beta(
        &self,
        options: AlphaBetaOptions,
        evaluator: &EvaluatorSpec,
    ) -> Result<Box<dyn AlphaBetaSearch>, EvaluatorError>;

    /// The code of the position's key, by which the rules, solutions and their files know it.
    fn code(&self, at: &Line) -> AnyCode;

    /// The rules as the solver takes them.
    fn rules(&self) -> AnySolvable;
}

/// What is known of a game without playing it.
#[derive(Clone, Debug)]
pub struct GameInfo {
    /// The game as the user wrote it.
    pub spec: GameSpec,
    /// Its canonical name: equal for two specs exactly when the games are.
    pub canonical_name: String,
    /// What the game can do beyond rules and notation.
    pub capabilities: Vec<Capability>,
    /// The evaluators that the game brings along.
    pub evaluators: Vec<EvaluatorInfo>,
    /// Whether positions have a score margin.
    pub has_margin: bool,
    /// The number of symmetries of the board, the identity included.
    pub symmetry_count: usize,
    /// Whether something besides its positions may end a game: a repetition or a number of quiet plies, where
    /// positions can come back, or a ply cap below [`GameInfo::USUAL_PLY_CAP`].
    pub has_limits: bool,
}

impl GameInfo {
    /// The ply cap of a game for which none was chosen.
    pub const USUAL_PLY_CAP: Plies = Plies(1_000);
}

/// The results of random games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayoutTally {
    /// The games.
    pub playouts: u64,
    /// Their plies together.
    pub plies: u64,
    /// Games that the second player won, drawn games, and games that the first player won.
    pub outcomes: [u64; 3],
}
