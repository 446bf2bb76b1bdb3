//! Game in progress: a state with the part of its history that the rules need.

use std::fmt;

use crate::{Game, HistoryEnd, IllegalMove, Outcome, PlayoutLimits, Plies};

/// State of a game in progress with its ply number and the plies since the last irreversible move.
/// For games that can cycle it also holds the positions since then.
///
/// All code that plays whole games uses this type, because three endings do not follow from the
/// state: repetition, too many quiet plies and the cap. For a game with `CYCLIC = false` it stores
/// no positions and the bookkeeping costs nothing.
#[derive(Clone, Debug)]
pub struct Played<G: Game> {
    state: G::State,
    ply: Plies,
    quiet: Plies,
    /// Positions before the current one. Those from index `since` on can still recur.
    seen: Vec<G::State>,
    since: usize,
}

/// End of a game: its result and the rule that ended it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ended {
    /// Rule that ended the game.
    pub by: Ending,
    /// Result in absolute terms.
    pub outcome: Outcome,
}

/// Rule that ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Ending {
    /// The rules declare the last position terminal.
    Outcome,
    /// A position occurred for the third time.
    Repetition,
    /// The limit of consecutive plies without an irreversible move was reached.
    DrawPlies,
    /// The ply cap was reached.
    Capped,
}

impl Ending {
    /// Name in tables and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Ending::Outcome => "outcome",
            Ending::Repetition => "repetition",
            Ending::DrawPlies => "draw_plies",
            Ending::Capped => "capped",
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ending::Outcome => "the rules",
            Ending::Repetition => "repetition",
            Ending::DrawPlies => "the limit of plies without progress",
            Ending::Capped => "the ply cap",
        })
    }
}

/// Point of a game in progress to which [`Played::restore`] returns.
#[derive(Clone, Debug)]
pub struct SavedPoint<S> {
    state: S,
    ply: Plies,
    quiet: Plies,
    seen_len: usize,
    since: usize,
}

impl<G: Game> Played<G> {
    /// Game before its first ply.
    #[must_use]
    pub fn start(game: &G) -> Self {
        Played::from_state(game.start())
    }

    /// Game that begins at `state`, without earlier history.
    #[must_use]
    pub fn from_state(state: G::State) -> Self {
        Played { state, ply: Plies(0), quiet: Plies(0), seen: Vec::new(), since: 0 }
    }

    /// The current position.
    #[inline]
    #[must_use]
    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// Number of plies played.
    #[inline]
    #[must_use]
    pub fn ply(&self) -> Plies {
        self.ply
    }

    /// Number of plies since the last irreversible move. Always 0 in an acyclic game, where every
    /// move is irreversible.
    #[inline]
    #[must_use]
    pub fn quiet(&self) -> Plies {
        self.quiet
    }

    /// End of the game, or `None` while it continues. Several endings may apply: a terminal
    /// position takes precedence over repetition, then the limit of quiet plies, then the cap.
    #[inline]
    #[must_use]
    pub fn ended(&self, game: &G) -> Option<Ended> {
        let by_rules = game.outcome(&self.state);
        by_rules
            .map(|outcome| Ended { by: Ending::Outcome, outcome })
            .or_else(|| self.ended_by_history(game))
    }

    /// End of the game by its history, without a look at the rules of the position: the second half
    /// of [`Played::ended`], after [`Game::outcome`].
    #[inline]
    #[must_use]
    pub fn ended_by_history(&self, game: &G) -> Option<Ended> {
        let by_history = |end| game.settle(&self.state, end);
        if G::CYCLIC && game.cyclic() {
            let earlier = &self.seen[self.since..];
            if earlier.iter().filter(|&s| *s == self.state).count() >= 2 {
                let outcome = by_history(HistoryEnd::Repetition);
                return Some(Ended { by: Ending::Repetition, outcome });
            }
            if game.draw_plies().is_some_and(|limit| self.quiet >= limit) {
                let outcome = by_history(HistoryEnd::DrawPlies);
                return Some(Ended { by: Ending::DrawPlies, outcome });
            }
        }
        if self.ply >= game.ply_cap() {
            return Some(Ended { by: Ending::Capped, outcome: by_history(HistoryEnd::Capped) });
        }
        None
    }

    /// Plays a legal move of a game that has not ended.
    ///
    /// # Panics
    ///
    /// Same as [`Game::play`].
    #[inline]
    pub fn play(&mut self, game: &G, m: G::Move) {
        if G::CYCLIC && game.cyclic() {
            let irreversible = game.is_irreversible(&self.state, m);
            self.seen.push(self.state.clone());
            if irreversible {
                self.since = self.seen.len();
                self.quiet = Plies(0);
            } else {
                self.quiet.0 += 1;
            }
        }
        game.play(&mut self.state, m);
        self.ply.0 += 1;
    }

    /// Plays `m` if the game has not ended and the move is legal.
    ///
    /// # Errors
    ///
    /// When the game has ended, by position or by history, or the move is illegal. The game is then
    /// unchanged.
    pub fn try_play(&mut self, game: &G, m: G::Move) -> Result<(), IllegalMove> {
        if self.ended(game).is_some() {
            return Err(IllegalMove::GameIsOver);
        }
        game.try_play(&mut self.state.clone(), m)?;
        self.play(game, m);
        Ok(())
    }

    /// Limits of a playout from the current position.
    #[inline]
    #[must_use]
    pub fn playout_limits<'a>(&self, game: &G) -> PlayoutLimits<'a> {
        PlayoutLimits::new(game.ply_cap().left_after(self.ply), self.quiet)
    }

    /// Replaces the position by an equivalent one that has the same moves and results, such as an
    /// image under a symmetry.
    ///
    /// # Panics
    ///
    /// In debug builds for a game type with `CYCLIC = true`, because the history holds the original
    /// positions.
    #[inline]
    pub fn replace(&mut self, state: G::State) {
        debug_assert!(!G::CYCLIC, "a history holds the positions that were played");
        self.state = state;
    }

    /// Saves the current point, so that a search can return to it from any line that continues from
    /// here.
    #[must_use]
    pub fn mark(&self) -> SavedPoint<G::State> {
        SavedPoint {
            state: self.state.clone(),
            ply: self.ply,
            quiet: self.quiet,
            seen_len: self.seen.len(),
            since: self.since,
        }
    }

    /// Returns to a saved point of this game without allocating.
    ///
    /// # Panics
    ///
    /// In debug builds when the game has since been restored to a point before the mark.
    #[inline]
    pub fn restore(&mut self, mark: &SavedPoint<G::State>) {
        debug_assert!(self.seen.len() >= mark.seen_len, "the mark lies on this line");
        self.state.clone_from(&mark.state);
        self.ply = mark.ply;
        self.quiet = mark.quiet;
        if G::CYCLIC {
            self.seen.truncate(mark.seen_len);
            self.since = mark.since;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Player;

    /// Token on a ring of two cells. A move steps to the other cell or burns one of two matches.
    /// Only the history ends the game.
    #[derive(Clone)]
    struct Ring {
        cap: u32,
        draw_plies: Option<u32>,
    }

    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    struct State {
        cell: u8,
        matches: u8,
        turn: Player,
    }

    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    enum Move {
        Step,
        Burn,
    }

    impl Game for Ring {
        type State = State;
        type Move = Move;
        const CYCLIC: bool = true;

        fn start(&self) -> State {
            State { cell: 0, matches: 2, turn: Player::First }
        }
        fn turn(&self, state: &State) -> Player {
            state.turn
        }
        fn outcome(&self, _: &State) -> Option<Outcome> {
            None
        }
        fn moves_into(&self, state: &State, moves: &mut Vec<Move>) {
            moves.clear();
            moves.push(Move::Step);
            if state.matches > 0 {
                moves.push(Move::Burn);
            }
        }
        fn play(&self, state: &mut State, m: Move) {
            match m {
                Move::Step => state.cell = (state.cell + 1) % 2,
                Move::Burn => state.matches -= 1,
            }
            state.turn = state.turn.other();
        }
        fn ply_cap(&self) -> Plies {
            Plies(self.cap)
        }
        fn draw_plies(&self) -> Option<Plies> {
            self.draw_plies.map(Plies)
        }
        fn is_irreversible(&self, _: &State, m: Move) -> bool {
            m == Move::Burn
        }
        fn settle(&self, _: &State, end: HistoryEnd) -> Outcome {
            if end == HistoryEnd::DrawPlies { Outcome::FirstWins } else { Outcome::Draw }
        }
    }

    fn steps(played: &mut Played<Ring>, ring: &Ring, n: u32) {
        for _ in 0..n {
            assert_eq!(played.ended(ring), None, "at ply {}", played.ply());
            played.play(ring, Move::Step);
        }
    }

    #[test]
    fn the_third_occurrence_ends_the_game() {
        let ring = Ring { cap: 100, draw_plies: None };
        let mut played = Played::start(&ring);
        steps(&mut played, &ring, 4);
        assert_eq!(
            played.ended(&ring),
            Some(Ended { by: Ending::Repetition, outcome: Outcome::Draw })
        );
        assert_eq!(played.try_play(&ring, Move::Step), Err(IllegalMove::GameIsOver));
    }

    #[test]
    fn an_irreversible_move_forgets_what_was_before() {
        let ring = Ring { cap: 100, draw_plies: None };
        let mut played = Played::start(&ring);
        steps(&mut played, &ring, 2);
        played.play(&ring, Move::Burn);
        assert_eq!(played.quiet(), Plies(0));
        steps(&mut played, &ring, 4);
        assert_eq!(played.ended(&ring).map(|e| e.by), Some(Ending::Repetition));
    }

    #[test]
    fn quiet_plies_and_the_cap_end_it_and_the_rules_settle_it() {
        let ring = Ring { cap: 100, draw_plies: Some(3) };
        let mut played = Played::start(&ring);
        steps(&mut played, &ring, 3);
        assert_eq!(
            played.ended(&ring),
            Some(Ended { by: Ending::DrawPlies, outcome: Outcome::FirstWins })
        );

        let ring = Ring { cap: 2, draw_plies: None };
        let mut played = Played::start(&ring);
        steps(&mut played, &ring, 2);
        assert_eq!(played.ended(&ring).map(|e| e.by), Some(Ending::Capped));
    }

    #[test]
    fn a_playout_stops_at_the_quiet_limit_it_inherits_and_at_the_cap() {
        use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        let ring = Ring { cap: 100, draw_plies: Some(5) };
        for _ in 0..20 {
            let mut state = State { matches: 0, ..ring.start() };
            let limits = PlayoutLimits::new(Plies(50), Plies(3));
            let end = ring.playout(&mut state, limits, &mut rng);
            assert_eq!((end.plies, end.outcome, end.capped), (Plies(2), Outcome::FirstWins, false));
        }
        let ring = Ring { cap: 7, draw_plies: None };
        let end = ring.playout(&mut ring.start(), PlayoutLimits::of(&ring), &mut rng);
        assert_eq!((end.plies, end.capped), (Plies(7), true));
    }

    #[test]
    fn restoring_a_mark_forgets_the_line_that_was_tried() {
        let ring = Ring { cap: 100, draw_plies: None };
        let mut played = Played::start(&ring);
        steps(&mut played, &ring, 1);
        let mark = played.mark();
        played.play(&ring, Move::Burn);
        played.play(&ring, Move::Burn);
        played.restore(&mark);
        assert_eq!((played.ply(), played.quiet()), (Plies(1), Plies(1)));
        // The position of ply 1 occurs again at ply 3 and for the third time at ply 5. The start
        // position occurs for the third time at ply 4, before that.
        steps(&mut played, &ring, 3);
        assert_eq!(played.ended(&ring).map(|e| e.by), Some(Ending::Repetition));
    }
}
