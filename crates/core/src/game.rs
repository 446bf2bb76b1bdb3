//! Rules of a game.

use std::error::Error;
use std::fmt::{self, Debug};
use std::hash::Hash;

use rand_core::Rng;

use crate::{Outcome, Player, Plies, uniform_below};

/// Rules of a two-player game without hidden information, parameters included.
///
/// A value of the type holds the parameters (board size, options). A [`Game::State`] is bits that
/// mean nothing without it. The seven required items define the game. The provided methods follow
/// from them. A game may override one that is faster on a bitboard, but never with another meaning:
/// the law kit compares every override with the provided method.
///
/// A state holds no history. [`Played`](crate::Played) keeps earlier positions and the plies since
/// the last irreversible move.
pub trait Game: Clone + Send + Sync + 'static {
    /// Position with the side to move: bits only, no parameters.
    type State: Clone + Eq + Hash + Debug + Send + Sync + 'static;

    /// One ply. Its `Ord` may differ from the order of [`Game::moves_into`].
    type Move: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static;

    /// Whether a position can ever repeat in a game of this type. `false` is a promise: users of
    /// the game then skip the bookkeeping of repetitions.
    const CYCLIC: bool = false;

    /// Tests whether a position of this very game can ever repeat. It matters for a type of games
    /// that are described at run time: the type has `CYCLIC = true`, and this method tells which of
    /// its games repeat positions. `false` is a promise, as in [`Game::CYCLIC`]. If that constant
    /// is `false`, this method is not called.
    #[inline]
    fn cyclic(&self) -> bool {
        Self::CYCLIC
    }

    /// Returns the position before the first ply.
    fn start(&self) -> Self::State;

    /// Side to move. Turns need not alternate.
    fn turn(&self, state: &Self::State) -> Player;

    /// Result of a terminal position; `None` while the game continues. Check this before listing
    /// moves.
    fn outcome(&self, state: &Self::State) -> Option<Outcome>;

    /// Replaces the contents of `moves` with the legal moves of an unfinished position: at least
    /// one, each once, always in the same order.
    fn moves_into(&self, state: &Self::State, moves: &mut Vec<Self::Move>);

    /// Plays a move that is legal in the unfinished position `state`.
    ///
    /// # Panics
    ///
    /// Implementations check the move in debug builds only. In release builds an illegal move leads
    /// to some state, never to undefined behaviour. [`Game::try_play`] always checks.
    fn play(&self, state: &mut Self::State, m: Self::Move);

    /// Number of legal moves of an unfinished position.
    fn move_count(&self, state: &Self::State) -> u32 {
        let mut moves = Vec::new();
        self.moves_into(state, &mut moves);
        u32::try_from(moves.len()).expect("a position has fewer than 2^32 moves")
    }

    /// Returns the `n`-th legal move, counted from 0 in the order of [`Game::moves_into`]. The
    /// method may overwrite `buffer`, which saves an allocation.
    ///
    /// # Panics
    ///
    /// When `n` is not below the number of legal moves.
    #[inline]
    fn nth_move(&self, state: &Self::State, n: u32, buffer: &mut Vec<Self::Move>) -> Self::Move {
        self.moves_into(state, buffer);
        buffer[n as usize]
    }

    /// Tests whether `m` is legal in an unfinished position.
    fn is_legal(&self, state: &Self::State, m: Self::Move) -> bool {
        let mut moves = Vec::new();
        self.moves_into(state, &mut moves);
        moves.contains(&m)
    }

    /// Returns a legal move chosen uniformly at random, or `None` in a terminal position.
    ///
    /// The provided method makes a list of moves. Games override it so that a playout allocates
    /// nothing.
    fn random_move<R: Rng + ?Sized>(&self, state: &Self::State, rng: &mut R) -> Option<Self::Move> {
        if self.outcome(state).is_some() {
            return None;
        }
        let mut moves = Vec::new();
        self.moves_into(state, &mut moves);
        let n = u32::try_from(moves.len()).expect("a position has fewer than 2^32 moves");
        Some(moves[uniform_below(rng, n) as usize])
    }

    /// Plays `m` if it is legal.
    ///
    /// # Errors
    ///
    /// When the game is over or the move is illegal. `state` is then unchanged.
    fn try_play(&self, state: &mut Self::State, m: Self::Move) -> Result<(), IllegalMove> {
        if self.outcome(state).is_some() {
            return Err(IllegalMove::GameIsOver);
        }
        if !self.is_legal(state, m) {
            return Err(IllegalMove::NotLegal { text: format!("{m:?}") });
        }
        self.play(state, m);
        Ok(())
    }

    /// Plays uniformly random moves from `state` to the end of the game or to a limit, and leaves
    /// the last position in `state`.
    ///
    /// Of the endings by history, only the two that need no memory apply: the ply cap and the limit
    /// of plies without an irreversible move. A terminal `state` returns at once with 0 plies.
    /// Games whose plies may be slow check [`PlayoutLimits::stop`] now and then.
    fn playout<R: Rng + ?Sized>(
        &self,
        state: &mut Self::State,
        limits: PlayoutLimits,
        rng: &mut R,
    ) -> Playout {
        let draw_plies = self.draw_plies();
        let mut quiet = limits.quiet;
        let mut plies = 0;
        loop {
            if let Some(outcome) = self.outcome(state) {
                return Playout { outcome, plies: Plies(plies), capped: false };
            }
            if draw_plies.is_some_and(|limit| quiet >= limit) {
                let outcome = self.settle(state, HistoryEnd::DrawPlies);
                return Playout { outcome, plies: Plies(plies), capped: false };
            }
            if plies >= limits.plies_left.0 {
                let outcome = self.settle(state, HistoryEnd::Capped);
                return Playout { outcome, plies: Plies(plies), capped: true };
            }
            if plies % 64 == 63 && limits.stopped() {
                return Playout { outcome: Outcome::Draw, plies: Plies(plies), capped: true };
            }
            let m = self.random_move(state, rng).expect("an unfinished position has a move");
            if draw_plies.is_some() {
                quiet = if self.is_irreversible(state, m) { Plies(0) } else { Plies(quiet.0 + 1) };
            }
            self.play(state, m);
            plies += 1;
        }
    }

    /// Number of plies after which a game is stopped and reported as capped.
    fn ply_cap(&self) -> Plies {
        Plies(1_000)
    }

    /// Tests whether [`Game::ply_cap`] is a rule of the game; otherwise it is a bound set by the
    /// program so that games end.
    fn is_capped_by_rules(&self) -> bool {
        false
    }

    /// Number of plies within which every game ends by its position, whatever the players do; a
    /// bound, not always reached. `None` if no such number is known.
    fn plies_max(&self) -> Option<Plies> {
        None
    }

    /// Number of consecutive plies without an irreversible move that end the game; `None` if the
    /// rules have no such limit.
    fn draw_plies(&self) -> Option<Plies> {
        None
    }

    /// Tests whether no position before `m` can recur after it, as for a capture, a placement or a
    /// man's step forward. In an acyclic game every move is irreversible.
    fn is_irreversible(&self, state: &Self::State, m: Self::Move) -> bool {
        let _ = (state, m);
        !self.cyclic()
    }

    /// Tests whether a ply may take many microseconds, so that a loop over plies should check often
    /// whether to stop.
    fn has_long_plies(&self) -> bool {
        false
    }

    /// Result of an unfinished game that its history ends. The provided method returns a draw. A
    /// game that overrides this also overrides [`Game::settles`].
    fn settle(&self, state: &Self::State, end: HistoryEnd) -> Outcome {
        let _ = (state, end);
        Outcome::Draw
    }

    /// Result of [`Game::settle`] if it is the same in every position; `None` if it depends on the
    /// position. Solvers that know no history rely on it.
    fn settles(&self, end: HistoryEnd) -> Option<Outcome> {
        let _ = end;
        Some(Outcome::Draw)
    }
}

/// Rule by which the history of a game, rather than its position, ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HistoryEnd {
    /// The same position with the same side to move occurred for the third time.
    Repetition,
    /// The limit of consecutive plies without an irreversible move was reached
    /// ([`Game::draw_plies`]).
    DrawPlies,
    /// The game reached [`Game::ply_cap`].
    Capped,
}

/// Limits of a playout, and the history that it inherits from the game where it starts.
#[derive(Clone, Copy)]
pub struct PlayoutLimits<'a> {
    /// Maximum number of plies of the playout.
    pub plies_left: Plies,
    /// Plies since the last irreversible move before the playout starts.
    pub quiet: Plies,
    /// Ends the playout as capped when it returns `true`. It is checked where plies may be slow. A
    /// playout that takes less than a millisecond, as most do, need not check it. The caller of the
    /// playout checks the condition again afterwards and discards the result if it holds.
    pub stop: Option<&'a dyn Fn() -> bool>,
}

impl<'a> PlayoutLimits<'a> {
    /// Limits without a stop condition.
    #[must_use]
    pub fn new(plies_left: Plies, quiet: Plies) -> Self {
        PlayoutLimits { plies_left, quiet, stop: None }
    }

    /// Limits of a playout from the start of `game`.
    #[must_use]
    pub fn of<G: Game>(game: &G) -> Self {
        PlayoutLimits::new(game.ply_cap(), Plies(0))
    }

    /// Adds a stop condition.
    #[must_use]
    pub fn stopped_by(self, stop: &'a dyn Fn() -> bool) -> Self {
        PlayoutLimits { stop: Some(stop), ..self }
    }

    /// Tests whether the stop condition holds.
    #[must_use]
    #[cold]
    pub fn stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop())
    }
}

impl Debug for PlayoutLimits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PlayoutLimits { plies_left, quiet, .. } = self;
        f.debug_struct("PlayoutLimits")
            .field("plies_left", plies_left)
            .field("quiet", quiet)
            .finish_non_exhaustive()
    }
}

/// End of one playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playout {
    /// Result in absolute terms.
    pub outcome: Outcome,
    /// Number of plies that the playout made.
    pub plies: Plies,
    /// Whether the ply cap or the stop condition ended the playout.
    pub capped: bool,
}

/// Reason why a move was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IllegalMove {
    /// The game has already ended.
    GameIsOver,
    /// The rules do not allow the move in this position.
    NotLegal {
        /// Debug text of the move.
        text: String,
    },
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IllegalMove::GameIsOver => f.write_str("the game is over"),
            IllegalMove::NotLegal { text } => write!(f, "{text} is not legal here"),
        }
    }
}

impl Error for IllegalMove {}
