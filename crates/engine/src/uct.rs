//! UCT searches without the type of the game.

use treegauge_core::{Outcome, Player, uniform_below};
use treegauge_search::picture::Outline;
use treegauge_search::{Generator, MoveStats, Observer, Shape, ShapeOptions, Stopped};

use crate::line::{Line, MoveNumber};

/// Closure that ends a search by returning `true`.
pub type Stop<'a> = dyn FnMut() -> bool + Send + 'a;

/// UCT search that keeps its memory, and the tree of its last search.
///
/// If a search grows several trees, visits, results, nodes and bytes are sums over all of them; the
/// features, the picture and the text of the tree are those of the first.
pub trait UctSearch: Send {
    /// Searches from the current position of a game. `stop` is called every 256 iterations, and
    /// `true` ends the search.
    ///
    /// A search that keeps its tree continues from the nodes that the last one grew below this
    /// position, if the game has gone on from the position of that search.
    fn search(&mut self, at: &Line, rng: &mut Generator, stop: &mut Stop<'_>) -> UctFound;

    /// Like [`UctSearch::search`], with an observer of the phases of every iteration.
    fn search_observed(
        &mut self,
        at: &Line,
        rng: &mut Generator,
        observer: &mut dyn Observer,
        stop: &mut Stop<'_>,
    ) -> UctFound;

    /// Continues the last search by up to `more` iterations, regardless of the budget's limit of
    /// iterations; the limits of nodes and bytes still apply. `at` is the position that was
    /// searched. With the `rng` of that search, the result is the same as if it had made these
    /// iterations too. A search with a budget of no iterations only begins.
    ///
    /// With several trees, each makes its part of all iterations since the search began; if they
    /// cannot be divided equally, the first trees make one more. `rng` is not used then: each tree
    /// keeps its own.
    fn grow(&mut self, at: &Line, more: u32, rng: &mut Generator, stop: &mut Stop<'_>) -> UctFound;

    /// Moves that the last search tried in the position after some moves, in the order of trying,
    /// with their numbers there. `at` is the position that was searched. `None` if the search did
    /// not reach that position, or a number is not that of a legal move.
    fn tried_after(&self, at: &Line, moves: &[MoveNumber]) -> Option<Vec<(MoveNumber, TriedMove)>>;

    /// Line that the last search expects: the move to play, then always the most visited move; if
    /// the result is proved, the line of the proof. `at` is the position that was searched.
    fn principal_variation(&self, at: &Line) -> Vec<MoveNumber>;

    /// Forgets the last search, so that the next one begins with an empty tree. Must be called
    /// before another game.
    fn forget(&mut self);

    /// Moves that the last search tried at the root, in the order of expansion.
    fn moves(&self) -> Vec<TriedMove>;

    /// Numbers of these moves among the legal ones. `at` is the position that was searched.
    fn move_numbers(&self, at: &Line) -> Vec<MoveNumber>;

    /// Features of the last tree; `None` if no tree was grown.
    fn shape(&self, options: ShapeOptions) -> Option<Shape>;

    /// Last tree with moves as text. `at` is the position that was searched, `seed` the seed of the
    /// search, `game` the name of the game.
    fn outline(&self, at: &Line, game: &str, seed: u64) -> Outline;

    /// Line of play that keeps the proved result of the last search, from the position that was
    /// searched. The winner takes the shortest proved way to the end of the game, the loser the
    /// longest. Empty if nothing is proved.
    fn proved_line(&self, at: &Line) -> Vec<String>;

    /// Number of nodes of the last tree.
    fn node_count(&self) -> u32;

    /// Number of bytes of the last tree.
    fn memory_bytes(&self) -> u64;
}

/// Result of a UCT search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UctFound {
    /// Move to play: the one with the best average. `None` if no move was tried.
    pub best: Option<MoveNumber>,
    /// Average result of the move to play, or of the whole search if no move was tried, **for the
    /// first player**, -1 to 1.
    pub mean_for_first: f64,
    /// Number of iterations behind that average.
    pub visits: u32,
    /// Number of legal moves of the position; 0 if the game has ended.
    pub legal_moves: u32,
    /// Player to move.
    pub turn: Player,
    /// Number of iterations made.
    pub iterations: u32,
    /// Reason that the search ended.
    pub stopped: Stopped,
    /// Result of perfect play; `None` unless a solver proved it. Repetitions and limits of plies
    /// are not part of a proof.
    pub proved: Option<Outcome>,
}

impl UctFound {
    /// Move to play. With fewer than two iterations, when no move was tried, it is picked at
    /// random; `None` only without a legal move.
    pub fn choose(&self, rng: &mut Generator) -> Option<MoveNumber> {
        self.best.or_else(|| (self.legal_moves > 0).then(|| uniform_below(rng, self.legal_moves)))
    }

    /// Expected value of the move to play **for the player that makes it**, -1 to 1; `None` if no
    /// move was tried.
    #[must_use]
    pub fn value(&self) -> Option<f64> {
        self.best.map(|_| f64::from(self.turn.sign()) * self.mean_for_first)
    }
}

/// Statistics of a move tried at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TriedMove {
    /// Visit count: iterations that played the move, 1 or more.
    pub visits: u32,
    /// Sum of their results (+1, 0, -1) **for the first player**, clamped to `bounds_for_first`.
    pub score_for_first: i32,
    /// Least and greatest possible value of the move **for the first player**, -1 to 1. Only a
    /// solver narrows them.
    pub bounds_for_first: [i32; 2],
    /// Number of legal moves after this move; 0 if the game ends there.
    pub legal_moves: u32,
    /// Number of those legal moves that the search tried.
    pub tried_moves: u32,
}

impl<M> From<MoveStats<M>> for TriedMove {
    fn from(tried: MoveStats<M>) -> TriedMove {
        let MoveStats { visits, score, bounds, legal_moves, tried_moves, .. } = tried;
        let (score_for_first, bounds_for_first) = (score, bounds);
        TriedMove { visits, score_for_first, bounds_for_first, legal_moves, tried_moves }
    }
}

impl TriedMove {
    /// Average result for a player, -1 to 1.
    #[must_use]
    pub fn mean_for(self, player: Player) -> f64 {
        let mean = f64::from(self.score_for_first) / f64::from(self.visits);
        // Adding 0 turns a negative zero into zero.
        f64::from(player.sign()) * mean + 0.0
    }

    /// Result of perfect play after the move for a player, -1, 0 or 1; `None` unless a solver
    /// proved it.
    #[must_use]
    pub fn proved_for(self, player: Player) -> Option<i32> {
        let [low, high] = self.bounds_for_first;
        (low == high).then(|| low * player.sign())
    }
}
