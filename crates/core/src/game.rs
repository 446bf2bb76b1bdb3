//! The rules of a game.

use std::error::Error;
use std::fmt::{self, Debug};
use std::hash::Hash;

use rand_core::Rng;

use crate::{Outcome, Player, Plies, uniform_below};

/// The rules of a two-player game without hidden information, parameters included.
///
/// A value of the type holds the parameters (board size, options); a [`Game::State`] is bits
/// that mean nothing without it. The seven required methods are the whole of a game; the
/// provided ones are defined by them and may be overridden where a bitboard is faster, but never
/// with another meaning: the law kit compares every override with the provided method.
///
/// A state holds no history. Earlier positions and the plies since the last capture are kept by
/// [`Played`](crate::Played).
pub trait Game: Clone + Send + Sync + 'static {
    /// A position with the player to move: bits only, no parameters.
    type State: Clone + Eq + Hash + Debug + Send + Sync + 'static;

    /// One ply. Its `Ord` need not be the order of [`Game::moves_into`].
    type Move: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static;

    /// Whether a position can ever repeat. `false` is a promise: users of the game then skip the
    /// bookkeeping of repetitions.
    const CYCLIC: bool = false;

    /// Whether a position of this very game can ever repeat, where the type alone does not say: a
    /// type of games that are described at run time has `CYCLIC = true`, and says here which of them
    /// do. `false` is a promise as [`Game::CYCLIC`] is; where that is `false` this is not asked.
    #[inline]
    fn cyclic(&self) -> bool {
        Self::CYCLIC
    }

    /// The position before the first ply.
    fn start(&self) -> Self::State;

    /// The player to move. Turns need not alternate.
    fn turn(&self, state: &Self::State) -> Player;

    /// The result, or `None` while the game continues. Check this before listing moves.
    fn outcome(&self, state: &Self::State) -> Option<Outcome>;

    /// Replaces the contents of `moves` with the legal moves of an unfinished position: at least
    /// one, each once, always in the same order.
    fn moves_into(&self, state: &Self::State, moves: &mut Vec<Self::Move>);

    /// Plays a move that is legal in `state`, which is not finished.
    ///
    /// # Panics
    ///
    /// Implementations check the move in debug builds; in release an illegal move gives some
    /// state, never undefined behaviour. [`Game::try_play`] always checks.
    fn play(&self, state: &mut Self::State, m: Self::Move);

    /// The number of legal moves of an unfinished position.
    fn move_count(&self, state: &Self::State) -> u32 {
        let mut moves = Vec::new();
        self.moves_into(state, &mut moves);
        u32::try_from(moves.len()).expect("a position has fewer than 2^32 moves")
    }

    /// The `n`-th legal move, counted from 0 in the order of [`Game::moves_into`]; `buffer` is
    /// room for a move list.
    ///
    /// # Panics
    ///
    /// When `n` is not less than the number of legal moves.
    #[inline]
    fn nth_move(&self, state: &Self::State, n: u32, buffer: &mut Vec<Self::Move>) -> Self::Move {
        self.moves_into(state, buffer);
        buffer[n as usize]
    }

    /// Whether `m` may be played in an unfinished position.
    fn is_legal(&self, state: &Self::State, m: Self::Move) -> bool {
        let mut moves = Vec::new();
        self.moves_into(state, &mut moves);
        moves.contains(&m)
    }

    /// A legal move chosen uniformly, or `None` in a finished position.
    ///
    /// The provided one makes a list; games override it so that a playout allocates nothing.
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
    /// When the game is over or the move is not legal; `state` is then unchanged.
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

    /// Plays uniformly random moves from `state` to the end of the game or to a limit, and
    /// leaves the last position in `state`.
    ///
    /// Of the endings by history it applies only the two that need no memory: the ply cap and the
    /// limit of plies without an irreversible move. A finished `state` returns at once with 0
    /// plies. One whose plies may take long looks at [`PlayoutLimits::stop`] now and then.
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

    /// The number of plies after which a game is stopped and reported as capped.
    fn ply_cap(&self) -> Plies {
        Plies(1_000)
    }

    /// Whether [`Game::ply_cap`] is a rule of the game, and not a bound that the program sets so that games end.
    fn is_capped_by_rules(&self) -> bool {
        false
    }

    /// The number of plies in a row without an irreversible move that end the game, where the
    /// rules have such a limit.
    fn draw_plies(&self) -> Option<Plies> {
        None
    }

    /// Whether no position from before `m` can come back after it (a capture, a placement, a
    /// man's step forward). In an acyclic game every move is.
    fn is_irreversible(&self, state: &Self::State, m: Self::Move) -> bool {
        let _ = (state, m);
        !self.cyclic()
    }

    /// Whether a ply may take many microseconds, so that a loop over plies asks often whether to stop.
    fn has_long_plies(&self) -> bool {
        false
    }

    /// The result of an unfinished game that its history ends. A draw, unless the rules say
    /// otherwise; a game that overrides this overrides [`Game::settles`] too.
    fn settle(&self, state: &Self::State, end: HistoryEnd) -> Outcome {
        let _ = (state, end);
        Outcome::Draw
    }

    /// The result of [`Game::settle`] if it is the same in every position, `None` if it depends on
    /// the position. A solver that knows no history relies on it.
    fn settles(&self, end: HistoryEnd) -> Option<Outcome> {
        let _ = end;
        Some(Outcome::Draw)
    }
}

/// The ways in which the history of a game, rather than a position, ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HistoryEnd {
    /// The same position with the same player to move occurred for the third time.
    Repetition,
    /// Too many plies in a row without an irreversible move ([`Game::draw_plies`]).
    DrawPlies,
    /// The game reached [`Game::ply_cap`].
    Capped,
}

/// How far a playout may go, and what it inherits from the game it starts in.
#[derive(Clone, Copy)]
pub struct PlayoutLimits<'a> {
    /// Plies until the cap: the playout makes at most this many.
    pub plies_left: Plies,
    /// Plies since the last irreversible move before the playout began.
    pub quiet: Plies,
    /// Ends the playout as capped when it returns true. It is asked where plies take long, and need not
    /// be asked at all: most playouts take less than a millisecond. Who gives it has asked it when
    /// the playout returns, and throws the result away.
    pub stop: Option<&'a dyn Fn() -> bool>,
}

impl<'a> PlayoutLimits<'a> {
    /// Limits that nothing stops.
    #[must_use]
    pub fn new(plies_left: Plies, quiet: Plies) -> Self {
        PlayoutLimits { plies_left, quiet, stop: None }
    }

    /// The limits of a playout from the start of `game`.
    #[must_use]
    pub fn of<G: Game>(game: &G) -> Self {
        PlayoutLimits::new(game.ply_cap(), Plies(0))
    }

    /// The same for a playout that `stop` may end.
    #[must_use]
    pub fn stopped_by(self, stop: &'a dyn Fn() -> bool) -> Self {
        PlayoutLimits { stop: Some(stop), ..self }
    }

    /// Whether the playout should end.
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

/// The end of one playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playout {
    /// The result in absolute terms.
    pub outcome: Outcome,
    /// The plies that the playout made.
    pub plies: Plies,
    /// Whether the ply cap stopped it.
    pub capped: bool,
}

/// Why a move was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IllegalMove {
    /// The game has already ended.
    GameIsOver,
    /// The rules do not allow the move here.
    NotLegal {
        /// The move as its type prints it.
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
