//! UCT searches of a game whose type is hidden.

use treegauge_core::{Outcome, Player, uniform_below};
use treegauge_search::picture::Outline;
use treegauge_search::{Generator, Observer, Shape, ShapeOptions, Stopped, Tried};

use crate::line::{Line, MoveNumber};

/// Ends a search when it says `true`.
pub type Stop<'a> = dyn FnMut() -> bool + Send + 'a;

/// A UCT search that keeps its memory, and the tree of its last search.
///
/// Of a search that grows several trees, visits, results, nodes and bytes are those of all of them; the features, the
/// picture and the text of the tree are those of the first.
pub trait UctSearch: Send {
    /// Searches from the current position of a game. `stop` is asked every 256 iterations, and
    /// `true` ends the search.
    ///
    /// A search that keeps its tree goes on from what the last one grew below this position, if the game goes on from
    /// the position of that search.
    fn search(&mut self, at: &Line, rng: &mut Generator, stop: &mut Stop<'_>) -> UctFound;

    /// The same, with an observer of the phases of every iteration.
    fn search_observed(
        &mut self,
        at: &Line,
        rng: &mut Generator,
        observer: &mut dyn Observer,
        stop: &mut Stop<'_>,
    ) -> UctFound;

    /// Goes on with the last search by up to `more` iterations, whatever its budget says of them; nodes and bytes stay
    /// limited. `at` is the position that was searched, `rng` the generator, and then it is as if that search had made
    /// these iterations too. A search that has a budget of no iterations only begins.
    ///
    /// Several trees each get their part of all iterations since the search began; the first trees have one more where
    /// they cannot be divided equally. `rng` is not used then: each tree keeps its own.
    fn grow(&mut self, at: &Line, more: u32, rng: &mut Generator, stop: &mut Stop<'_>) -> UctFound;

    /// The moves that the last search tried in the position after some moves, in the order of trying, with their
    /// numbers there. `at` is the position that was searched. `None` if the search did not come to that position, or
    /// a number is not that of a legal move.
    fn tried_after(&self, at: &Line, moves: &[MoveNumber]) -> Option<Vec<(MoveNumber, TriedMove)>>;

    /// The line that the last search expects: the move to play, and from there on the move most visited, or the
    /// line of the proof where the result is proved. `at` is the position that was searched.
    fn principal_variation(&self, at: &Line) -> Vec<MoveNumber>;

    /// Forgets the last search, so that the next one begins with an empty tree. To be called before another game.
    fn forget(&mut self);

    /// The moves of the root that the last search tried, in the order of expansion.
    fn moves(&self) -> Vec<TriedMove>;

    /// The numbers of these moves among the legal ones. `at` is the position that was searched.
    fn move_numbers(&self, at: &Line) -> Vec<MoveNumber>;

    /// The features of the last tree; `None` where no tree was grown.
    fn shape(&self, options: ShapeOptions) -> Option<Shape>;

    /// The last tree with moves as text. `at` is the position that was searched, `seed` the seed of
    /// the search, `game` the name of the game.
    fn outline(&self, at: &Line, game: &str, seed: u64) -> Outline;

    /// A line of play that keeps the proved result of the last search, from the position that was searched: the
    /// winner takes the shortest way to the end of the game that is proved, the loser the longest. Empty where nothing
    /// is proved.
    fn proved_line(&self, at: &Line) -> Vec<String>;

    /// The nodes of the last tree.
    fn node_count(&self) -> u32;

    /// The bytes that the last tree takes.
    fn memory_bytes(&self) -> u64;
}

/// What a UCT search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UctFound {
    /// The move to play: that with the best average. `None` before any move was tried.
    pub best: Option<MoveNumber>,
    /// The average result behind the move to play, or of the whole search while there is none,
    /// **for the first player**, -1 to 1.
    pub mean_for_first: f64,
    /// The iterations behind that average.
    pub visits: u32,
    /// The legal moves of the position; 0 where the game has ended.
    pub legal_moves: u32,
    /// The player to move.
    pub turn: Player,
    /// The iterations made.
    pub iterations: u32,
    /// Why the search ended.
    pub stopped: Stopped,
    /// The result of perfect play, where the search has a solver and proved it. Repetitions and limits of plies are
    /// no part of a proof.
    pub proved: Option<Outcome>,
}

impl UctFound {
    /// The move to play. With fewer than two iterations, when no move was tried, it is picked at
    /// random; `None` only where there is no move.
    pub fn choose(&self, rng: &mut Generator) -> Option<MoveNumber> {
        self.best.or_else(|| (self.legal_moves > 0).then(|| uniform_below(rng, self.legal_moves)))
    }

    /// The value expected of the move to play **for the player that makes it**, -1 to 1; `None`
    /// where no move was tried.
    #[must_use]
    pub fn value(&self) -> Option<f64> {
        self.best.map(|_| f64::from(self.turn.sign()) * self.mean_for_first)
    }
}

/// A move of the root that was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TriedMove {
    /// The iterations that went through it, 1 or more.
    pub visits: u32,
    /// The sum of their results (+1, 0, -1) **for the first player**, moved to where the value of the move lies.
    pub score_for_first: i32,
    /// The least and the greatest value that the move can have **for the first player**, -1 to 1, as far as a solver
    /// knows.
    pub bounds_for_first: [i32; 2],
    /// The legal moves of the position that it leads to; 0 if the game ends there.
    pub legal_moves: u32,
    /// The number of those that were tried.
    pub tried_moves: u32,
}

impl<M> From<Tried<M>> for TriedMove {
    fn from(tried: Tried<M>) -> TriedMove {
        let Tried { visits, score, bounds, legal_moves, tried_moves, .. } = tried;
        let (score_for_first, bounds_for_first) = (score, bounds);
        TriedMove { visits, score_for_first, bounds_for_first, legal_moves, tried_moves }
    }
}

impl TriedMove {
    /// The average result for a player, -1 to 1.
    #[must_use]
    pub fn mean_for(self, player: Player) -> f64 {
        let mean = f64::from(self.score_for_first) / f64::from(self.visits);
        // Adding 0 makes a zero of a negative zero.
        f64::from(player.sign()) * mean + 0.0
    }

    /// The result of perfect play after the move for a player, -1 to 1, where a solver proved it.
    #[must_use]
    pub fn proved_for(self, player: Player) -> Option<i32> {
        let [low, high] = self.bounds_for_first;
        (low == high).then(|| low * player.sign())
    }
}
