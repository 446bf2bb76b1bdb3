//! Sowing, capturing and the end.

use std::hint::select_unpredictable;

use rand_core::Rng;
use treegauge_core::{Game, Graded, Keyed, Outcome, Player, Playout, PlayoutLimits, Plies, Tiered};

use crate::pits::{MAX_HOUSES, STORE, Sowings, State, at, mask, nth, occupied, stored, sum};
use crate::position::PositionErrors;
use treegauge_bits::Choices;

/// Rules of Kalah. With `STORES` the own store is sown, and no position comes back.
#[derive(Clone, Debug)]
pub struct Kalah<const STORES: bool> {
    houses: u32,
    total: u32,
    /// Mask of the bytes of the houses.
    mask: u64,
    sowings: Sowings,
    /// Fewest seeds in the house opposite with which a seed in an empty house captures: 1; 0 if it
    /// also captures without any; more seeds than exist for no captures.
    fewest: u64,
    ply_cap: Plies,
}

/// Effect of a last seed in an own house that was empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Captures {
    /// The seed stays.
    Never,
    /// The seed captures if the house opposite has seeds.
    Seeds,
    /// The seed goes to the store with all seeds of the house opposite, even if there are none.
    Always,
}

impl<const STORES: bool> Kalah<STORES> {
    /// Creates the game with `houses` houses for each player, 1 to 7, and `seeds` seeds in each, 1
    /// to 18. Stopped as capped after `ply_cap` plies.
    ///
    /// # Panics
    ///
    /// When a number is out of range.
    #[must_use]
    pub fn new(houses: u32, seeds: u32, captures: Captures, ply_cap: Plies) -> Self {
        assert!((1..=MAX_HOUSES).contains(&houses), "{houses} houses");
        assert!((1..=18).contains(&seeds), "{seeds} seeds");
        let total = 2 * houses * seeds;
        Kalah {
            houses,
            total,
            mask: mask(houses),
            sowings: Sowings::new(houses, total, STORES, true),
            fewest: match captures {
                Captures::Never => u64::MAX,
                Captures::Seeds => 1,
                Captures::Always => 0,
            },
            ply_cap,
        }
    }

    /// Number of houses of each player.
    #[must_use]
    pub fn houses(&self) -> u32 {
        self.houses
    }

    /// Total number of seeds.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.total
    }

    /// Houses of the player to move that have seeds, as lowest bits of bytes.
    #[inline]
    fn movable(&self, state: &State) -> u64 {
        occupied(state.sides[state.turn.index()] & self.mask)
    }

    /// Sows, captures and, at the end of the game, clears the board. Returns whether the player
    /// moves again.
    #[inline]
    fn sow(&self, own: &mut u64, other: &mut u64, house: u32) -> bool {
        let seeds = at(*own, house);
        let sowing = self.sowings.of(house, seeds);
        *own = *own - (seeds << (8 * house)) + sowing.own;
        *other += sowing.other;
        let last = sowing.last;
        // The result of a capture is computed for every sowing and then used or not, since no
        // branch predictor knows when a random game captures. The masks of 7 handle a last seed
        // outside the own houses, which captures nothing.
        let place = 8 * (last & 7);
        let opposite = 8 * ((self.houses - 1).wrapping_sub(last) & 7);
        let taken = *other >> opposite & 0xff;
        let captures = (last < self.houses) & (*own >> place & 0xff == 1) & (taken >= self.fewest);
        let emptied = own.wrapping_sub(1 << place).wrapping_add((1 + taken) << (8 * STORE));
        *own = select_unpredictable(captures, emptied, *own);
        *other = select_unpredictable(captures, *other - (taken << opposite), *other);
        if *own & self.mask == 0 || *other & self.mask == 0 {
            *own = stored(*own, *own & self.mask);
            *other = stored(*other, *other & self.mask);
        }
        last == STORE
    }
}

/// Number of seeds in both stores.
#[inline]
fn in_stores(state: &State) -> u64 {
    at(state.sides[0], STORE) + at(state.sides[1], STORE)
}

impl<const STORES: bool> Game for Kalah<STORES> {
    type State = State;
    /// Number of the house, from 0 at the mover's left.
    type Move = u8;
    const CYCLIC: bool = !STORES;

    fn start(&self) -> State {
        State::start(self.houses, self.total / (2 * self.houses))
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        state.turn
    }

    /// Result of the game. At the end all houses are empty, so it is enough to test one row.
    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        (state.sides[0] & self.mask == 0).then(|| self.outcome_of_margin(state))
    }

    fn moves_into(&self, state: &State, moves: &mut Vec<u8>) {
        let movable = self.movable(state);
        moves.clear();
        moves.extend((0..sum(movable)).map(|n| nth(movable, n as u32) as u8));
    }

    #[inline]
    fn play(&self, state: &mut State, house: u8) {
        debug_assert!(self.is_legal(state, house), "house {house} of {state:?}");
        let (mut own, mut other) = state.split();
        // Release builds take some house instead of an illegal one, so that no byte outside is
        // read.
        let again = self.sow(&mut own, &mut other, u32::from(house) % self.houses);
        *state = State::join(state.turn, own, other);
        if !again {
            state.turn = state.turn.other();
        }
    }

    #[inline]
    fn move_count(&self, state: &State) -> u32 {
        sum(self.movable(state)) as u32
    }

    #[inline]
    fn nth_move(&self, state: &State, n: u32, _: &mut Vec<u8>) -> u8 {
        let movable = self.movable(state);
        assert!(u64::from(n) < sum(movable), "there is no move {n}");
        nth(movable, n) as u8
    }

    #[inline]
    fn is_legal(&self, state: &State, house: u8) -> bool {
        let house = u32::from(house);
        house < self.houses && at(state.sides[state.turn.index()], house) > 0
    }

    #[inline]
    fn random_move<R: Rng + ?Sized>(&self, state: &State, rng: &mut R) -> Option<u8> {
        let movable = self.movable(state);
        let count = sum(movable) as u32;
        (count > 0).then(|| nth(movable, treegauge_core::uniform_below(rng, count)) as u8)
    }

    fn playout<R: Rng + ?Sized>(
        &self,
        state: &mut State,
        limits: PlayoutLimits,
        rng: &mut R,
    ) -> Playout {
        let mut choices = Choices::new(rng);
        let (mut own, mut other) = state.split();
        let (mut is_other, mut plies) = (false, 0);
        let capped = loop {
            if own & self.mask == 0 {
                break false;
            }
            if plies >= limits.plies_left.0 {
                break true;
            }
            let movable = occupied(own & self.mask);
            let house = nth(movable, choices.below(sum(movable) as u32));
            let passes = !self.sow(&mut own, &mut other, house);
            // Chosen by value, not by a branch that would be mispredicted at every fifth ply.
            (own, other) = if passes { (other, own) } else { (own, other) };
            is_other ^= passes;
            plies += 1;
        };
        let turn = if is_other { state.turn.other() } else { state.turn };
        *state = State::join(turn, own, other);
        let outcome = if capped { Outcome::Draw } else { self.outcome_of_margin(state) };
        Playout { outcome, plies: Plies(plies), capped }
    }

    fn ply_cap(&self) -> Plies {
        self.ply_cap
    }

    /// Returns whether the move puts a seed into a store: stores never lose a seed. Always true
    /// with `STORES`, where no position comes back.
    fn is_irreversible(&self, state: &State, house: u8) -> bool {
        STORES || {
            let mut after = *state;
            self.play(&mut after, house);
            in_stores(&after) > in_stores(state)
        }
    }
}

impl<const STORES: bool> Graded for Kalah<STORES> {
    const UNIT: [&'static str; 2] = ["seed", "seeds"];

    /// Number of seeds in the first player's store minus those in the second's.
    #[inline]
    fn margin(&self, state: &State) -> i32 {
        at(state.sides[0], STORE) as i32 - at(state.sides[1], STORE) as i32
    }
}

impl<const STORES: bool> Keyed for Kalah<STORES> {
    /// Both rows, the first player's store and the player to move.
    type Key = u128;

    #[inline]
    fn key(&self, state: &State) -> u128 {
        state.key()
    }

    #[inline]
    fn unkey(&self, key: u128) -> State {
        State::unkey(key, self.total)
    }

    fn try_unkey(&self, key: u128) -> Option<State> {
        let state = State::try_unkey(key, self.houses, self.total)?;
        PositionErrors::none_in(state, |state, errors| self.check(state, errors))
    }
}

impl Tiered for Kalah<true> {
    /// First the number of seeds in stores, then how far to the right the others lie.
    ///
    /// A sowing that reaches no store moves seeds to the right within the own row, and one that
    /// leaves the row puts a seed into the store.
    fn tier(&self, state: &State) -> u32 {
        let steps: u64 = (0..self.houses)
            .map(|house| u64::from(house) * (at(state.sides[0], house) + at(state.sides[1], house)))
            .sum();
        in_stores(state) as u32 * self.houses * self.total + steps as u32
    }
}
