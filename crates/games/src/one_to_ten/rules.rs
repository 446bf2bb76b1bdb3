//! The total, the steps and the target.

use rand_core::Rng;
use treegauge_core::{
    Game, Indexed, Keyed, Outcome, Player, Playout, PlayoutLimits, Plies, Retrograde, Tiered,
    uniform_below,
};

use treegauge_bits::Choices;

/// Rules of One to Ten: target, largest step and winner.
#[derive(Clone, Copy, Debug)]
pub struct OneToTen {
    target: u32,
    max_step: u32,
    misere: bool,
    ply_cap: Plies,
}

/// Total and player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) total: u32,
    pub(super) turn: Player,
}

impl OneToTen {
    /// Creates the game to `target`, 1 to 1,000,000, in steps of 1 to `max_step`, which is 1 to
    /// 100. The player who reaches the target wins, or loses with `misere`. Stopped as capped after
    /// `ply_cap` plies.
    ///
    /// # Panics
    ///
    /// When a number is out of range.
    #[must_use]
    pub fn new(target: u32, max_step: u32, misere: bool, ply_cap: Plies) -> Self {
        assert!((1..=1_000_000).contains(&target), "invalid target {target}");
        assert!((1..=100).contains(&max_step), "invalid largest step {max_step}");
        OneToTen { target, max_step, misere, ply_cap }
    }

    /// Total that ends the game.
    #[must_use]
    pub fn target(&self) -> u32 {
        self.target
    }

    /// Largest number that a player adds.
    #[must_use]
    pub fn max_step(&self) -> u32 {
        self.max_step
    }

    /// Largest number that the player to move can add: 0 at the target.
    #[inline]
    fn longest(&self, total: u32) -> u32 {
        self.max_step.min(self.target - total)
    }

    #[inline]
    fn result_of_reaching(&self, player: Player) -> Outcome {
        Outcome::win_of(if self.misere { player.other() } else { player })
    }

    /// Returns whether play from the start can lead to `state`.
    ///
    /// A total of t takes from t / max_step (rounded up) to t plies, and every number of plies
    /// between; the player to move only decides whether that number is even.
    pub(super) fn is_reachable(&self, state: &State) -> bool {
        let State { total, turn } = *state;
        let fewest = total.div_ceil(self.max_step);
        total <= self.target && (fewest < total || turn == Player::BOTH[total as usize % 2])
    }
}

impl Game for OneToTen {
    type State = State;
    /// Number added, 1 to `max_step`.
    type Move = u8;

    fn start(&self) -> State {
        State { total: 0, turn: Player::First }
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        state.turn
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        (state.total == self.target).then(|| self.result_of_reaching(state.turn.other()))
    }

    #[inline]
    fn moves_into(&self, state: &State, moves: &mut Vec<u8>) {
        moves.clear();
        moves.extend(1..=self.longest(state.total) as u8);
    }

    #[inline]
    fn play(&self, state: &mut State, step: u8) {
        debug_assert!(self.is_legal(state, step), "{step} cannot be added to {}", state.total);
        // An illegal step past the target would give a total that no other method expects.
        state.total = (state.total + u32::from(step)).min(self.target);
        state.turn = state.turn.other();
    }

    #[inline]
    fn move_count(&self, state: &State) -> u32 {
        self.longest(state.total)
    }

    #[inline]
    fn nth_move(&self, _: &State, n: u32, _: &mut Vec<u8>) -> u8 {
        n as u8 + 1
    }

    #[inline]
    fn is_legal(&self, state: &State, step: u8) -> bool {
        (1..=self.longest(state.total)).contains(&u32::from(step))
    }

    #[inline]
    fn random_move<R: Rng + ?Sized>(&self, state: &State, rng: &mut R) -> Option<u8> {
        let longest = self.longest(state.total);
        (longest > 0).then(|| 1 + uniform_below(rng, longest) as u8)
    }

    fn playout<R: Rng + ?Sized>(
        &self,
        state: &mut State,
        limits: PlayoutLimits,
        rng: &mut R,
    ) -> Playout {
        let mut plies = 0;
        if self.max_step == 1 {
            // There is nothing to choose, so the end is known without a loop.
            plies = (self.target - state.total).min(limits.plies_left.0);
            state.total += plies;
        } else {
            let mut choices = Choices::new(rng);
            while state.total < self.target && plies < limits.plies_left.0 {
                state.total += 1 + choices.below(self.longest(state.total));
                plies += 1;
            }
        }
        if plies % 2 == 1 {
            state.turn = state.turn.other();
        }
        let over = self.outcome(state);
        Playout {
            outcome: over.unwrap_or(Outcome::Draw),
            plies: Plies(plies),
            capped: over.is_none(),
        }
    }

    fn ply_cap(&self) -> Plies {
        self.ply_cap
    }

    /// Every move adds at least 1.
    fn plies_max(&self) -> Option<Plies> {
        Some(Plies(self.target))
    }
}

impl Keyed for OneToTen {
    /// Twice the total, plus 1 when the second player is to move.
    type Key = u32;

    #[inline]
    fn key(&self, state: &State) -> u32 {
        2 * state.total + state.turn.index() as u32
    }

    #[inline]
    fn unkey(&self, key: u32) -> State {
        State { total: key / 2, turn: Player::BOTH[(key % 2) as usize] }
    }

    fn try_unkey(&self, key: u32) -> Option<State> {
        Some(self.unkey(key)).filter(|state| self.is_reachable(state))
    }
}

impl Indexed for OneToTen {
    /// The key is dense enough for an index: nearly every total can occur with either player to
    /// move.
    fn index_len(&self) -> u64 {
        2 * (u64::from(self.target) + 1)
    }
}

impl Retrograde for OneToTen {
    /// Lists the parents that can be reached from the start, from the smallest step back.
    #[inline]
    fn parents_into(&self, state: &State, parents: &mut Vec<State>) {
        let turn = state.turn.other();
        parents.clear();
        parents.extend(
            (1..=self.max_step.min(state.total))
                .map(|step| State { total: state.total - step, turn })
                .filter(|parent| self.is_reachable(parent)),
        );
    }
}

impl Tiered for OneToTen {
    /// Total so far.
    #[inline]
    fn tier(&self, state: &State) -> u32 {
        state.total
    }
}
