//! Sowing, capturing, feeding and the ends.

use rand_core::Rng;
use treegauge_core::{
    Game, Graded, HistoryEnd, Keyed, Outcome, Player, Playout, PlayoutLimits, Plies, uniform_below,
};

use crate::pits::{
    BEYOND, MAX_HOUSES, ONES, STORE, Sowings, State, at, mask, nth, occupied, stored, sum,
};
use crate::position::PositionErrors;
use treegauge_bits::Choices;

/// Rules of Oware.
#[derive(Clone, Debug)]
pub struct Oware {
    houses: u32,
    total: u32,
    /// Mask of the bytes of the houses.
    mask: u64,
    sowings: Sowings,
    /// A house can be captured if its bits under `kept`, repeated in every byte, equal `number`.
    number: u64,
    kept: u64,
    /// Greatest number of houses that one move captures.
    longest: u32,
    slams: GrandSlam,
    draw_plies: Plies,
    limit: Limit,
    ply_cap: Plies,
}

/// Numbers of seeds that are captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capture {
    /// Two and three.
    TwoOrThree,
    /// One number, 1 to 255.
    Exactly(u8),
}

/// Effect of a capture of all seeds in the opponent's houses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrandSlam {
    /// The move captures nothing.
    None,
    /// The move captures all seeds.
    All,
}

/// Result of a game that ends after some plies without a capture, or by a third occurrence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Players take the seeds in their own houses, and more seeds win.
    Share,
    /// A draw.
    Draw,
}

impl Oware {
    /// Creates the usual game with `houses` houses for each player, 1 to 7, and `seeds` seeds in
    /// each, 1 to 18: twos and threes are captured in chains, a grand slam captures nothing, and
    /// 100 plies without a capture end the game. Stopped as capped after `ply_cap` plies.
    ///
    /// # Panics
    ///
    /// When a number is out of range.
    #[must_use]
    pub fn new(houses: u32, seeds: u32, ply_cap: Plies) -> Self {
        assert!((1..=MAX_HOUSES).contains(&houses), "{houses} houses");
        assert!((1..=18).contains(&seeds), "{seeds} seeds");
        let total = 2 * houses * seeds;
        let game = Oware {
            houses,
            total,
            mask: mask(houses),
            sowings: Sowings::new(houses, total, false, false),
            number: 0,
            kept: 0,
            longest: houses,
            slams: GrandSlam::None,
            draw_plies: Plies(100),
            limit: Limit::Share,
            ply_cap,
        };
        game.capturing(Capture::TwoOrThree)
    }

    /// Sets the numbers of seeds that are captured.
    #[must_use]
    pub fn capturing(self, capture: Capture) -> Self {
        let (number, kept) = match capture {
            // Two and three differ in the lowest bit, which is ignored.
            Capture::TwoOrThree => (2, 0xfe),
            Capture::Exactly(n) => (u64::from(n), 0xff),
        };
        Oware { number: number * (ONES & self.mask), kept: kept * (ONES & self.mask), ..self }
    }

    /// Restricts captures to the last house.
    #[must_use]
    pub fn without_chain(self) -> Self {
        Oware { longest: 1, ..self }
    }

    /// Sets the rule for grand slams.
    #[must_use]
    pub fn with_grand_slam(self, slams: GrandSlam) -> Self {
        Oware { slams, ..self }
    }

    /// Sets the number of plies without a capture that ends the game.
    #[must_use]
    pub fn with_draw_plies(self, draw_plies: Plies) -> Self {
        Oware { draw_plies, ..self }
    }

    /// Sets the result of a game that a limit ends.
    #[must_use]
    pub fn with_limit(self, limit: Limit) -> Self {
        Oware { limit, ..self }
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

    /// Houses that may be sown, as lowest bits of bytes.
    #[inline]
    fn movable(&self, own: u64, other: u64) -> u64 {
        let full = occupied(own & self.mask);
        if other & self.mask == 0 { self.feeding(own, full) } else { full }
    }

    /// Houses of `full` with enough seeds to reach the opponent's row.
    #[cold]
    fn feeding(&self, own: u64, full: u64) -> u64 {
        (0..self.houses)
            .filter(|&house| at(own, house) >= u64::from(self.houses - house))
            .fold(0, |some, house| some | (full & 1 << (8 * house)))
    }

    /// Sows and captures and, if the other player then cannot move, gives the seeds to their
    /// owners. Returns the number of captured seeds.
    #[inline]
    fn sow(&self, own: &mut u64, other: &mut u64, house: u32) -> u64 {
        let seeds = at(*own, house);
        let sowing = self.sowings.of(house, seeds);
        *own = *own - (seeds << (8 * house)) + sowing.own;
        *other += sowing.other;
        let mut captured = 0;
        if sowing.last >= BEYOND {
            let bytes = self.captured(*other & self.mask, sowing.last - BEYOND);
            captured = sum(bytes);
            *other -= bytes;
            *own += captured << (8 * STORE);
        }
        if *own & self.mask == 0 || *other & self.mask == 0 {
            self.end_if_stuck(own, other);
        }
        captured
    }

    /// Bytes of the houses that a last seed in house `last` captures.
    ///
    /// A word with a one for each house that stays gives the length of the chain at once; a loop
    /// over the houses would be mispredicted where it ends.
    #[inline]
    fn captured(&self, houses: u64, last: u32) -> u64 {
        let unfit = occupied((houses ^ self.number) & self.kept);
        // With byte `last` moved to the top, the highest one is the first house that stays; the
        // ones below house 1 end a run that takes all.
        let stays = unfit << (8 * (7 - last)) | ONES >> (8 * (last + 1));
        let run = (stays.leading_zeros() / 8).min(self.longest);
        let bytes = houses & (mask(run) << (8 * (last + 1 - run)));
        if bytes == houses && self.slams == GrandSlam::None { 0 } else { bytes }
    }

    /// Gives the seeds to their owners if the player of `other`, who is to move, cannot move.
    #[cold]
    fn end_if_stuck(&self, own: &mut u64, other: &mut u64) {
        if self.movable(*other, *own) == 0 {
            *own = stored(*own, *own & self.mask);
            *other = stored(*other, *other & self.mask);
        }
    }

    /// Result for the player of `own`, 1, 0 or -1; `None` if the game is not over.
    ///
    /// The game is over if a player has more than half of the seeds. Otherwise all seeds must be in
    /// the stores, and then both have exactly half.
    #[inline]
    fn decided(&self, own: u64, other: u64) -> Option<i32> {
        let half = u64::from(self.total / 2);
        let (own, other) = (at(own, STORE), at(other, STORE));
        if own.max(other) > half {
            Some(if own > other { 1 } else { -1 })
        } else {
            (own == half && other == half).then_some(0)
        }
    }
}

impl Game for Oware {
    type State = State;
    /// Number of the house, from 0 at the mover's left.
    type Move = u8;
    const CYCLIC: bool = true;

    fn start(&self) -> State {
        State::start(self.houses, self.total / (2 * self.houses))
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        state.turn
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        self.decided(state.sides[0], state.sides[1]).map(Outcome::of_margin)
    }

    #[inline]
    fn moves_into(&self, state: &State, moves: &mut Vec<u8>) {
        let (own, other) = state.split();
        let movable = self.movable(own, other);
        moves.clear();
        moves.extend((0..sum(movable)).map(|n| nth(movable, n as u32) as u8));
    }

    #[inline]
    fn play(&self, state: &mut State, house: u8) {
        debug_assert!(self.is_legal(state, house), "house {house} of {state:?}");
        let (mut own, mut other) = state.split();
        // Release builds take some house instead of an illegal one, so that no byte outside is
        // read.
        self.sow(&mut own, &mut other, u32::from(house) % self.houses);
        *state = State::join(state.turn.other(), other, own);
    }

    #[inline]
    fn move_count(&self, state: &State) -> u32 {
        let (own, other) = state.split();
        sum(self.movable(own, other)) as u32
    }

    #[inline]
    fn nth_move(&self, state: &State, n: u32, _: &mut Vec<u8>) -> u8 {
        let (own, other) = state.split();
        let movable = self.movable(own, other);
        assert!(u64::from(n) < sum(movable), "there is no move {n}");
        nth(movable, n) as u8
    }

    #[inline]
    fn is_legal(&self, state: &State, house: u8) -> bool {
        let (own, other) = state.split();
        u32::from(house) < self.houses && self.movable(own, other) >> (8 * house) & 1 == 1
    }

    #[inline]
    fn random_move<R: Rng + ?Sized>(&self, state: &State, rng: &mut R) -> Option<u8> {
        let (own, other) = state.split();
        if self.decided(own, other).is_some() {
            return None;
        }
        let movable = self.movable(own, other);
        Some(nth(movable, uniform_below(rng, sum(movable) as u32)) as u8)
    }

    fn playout<R: Rng + ?Sized>(
        &self,
        state: &mut State,
        limits: PlayoutLimits,
        rng: &mut R,
    ) -> Playout {
        let mut choices = Choices::new(rng);
        let (mut own, mut other) = state.split();
        let (mut quiet, mut plies) = (limits.quiet.0, 0);
        let end = loop {
            if self.decided(own, other).is_some() {
                break None;
            }
            if quiet >= self.draw_plies.0 {
                break Some(HistoryEnd::DrawPlies);
            }
            if plies >= limits.plies_left.0 {
                break Some(HistoryEnd::Capped);
            }
            let movable = self.movable(own, other);
            let house = nth(movable, choices.below(sum(movable) as u32));
            let captured = self.sow(&mut own, &mut other, house);
            quiet = if captured > 0 { 0 } else { quiet + 1 };
            (own, other) = (other, own);
            plies += 1;
        };
        let turn = if plies % 2 == 0 { state.turn } else { state.turn.other() };
        *state = State::join(turn, own, other);
        let outcome = match end {
            Some(end) => self.settle(state, end),
            None => self.outcome_of_margin(state),
        };
        Playout { outcome, plies: Plies(plies), capped: end == Some(HistoryEnd::Capped) }
    }

    fn ply_cap(&self) -> Plies {
        self.ply_cap
    }

    fn draw_plies(&self) -> Option<Plies> {
        Some(self.draw_plies)
    }

    /// Returns whether the move captures: stores never lose a seed.
    fn is_irreversible(&self, state: &State, house: u8) -> bool {
        let (mut own, mut other) = state.split();
        let before = at(own, STORE) + at(other, STORE);
        self.sow(&mut own, &mut other, u32::from(house) % self.houses);
        at(own, STORE) + at(other, STORE) > before
    }

    /// Result of a game that a limit ends, as [`Limit`] says. The ply cap is a draw as in every game.
    fn settle(&self, state: &State, end: HistoryEnd) -> Outcome {
        self.settles(end).unwrap_or_else(|| self.outcome_of_margin(state))
    }

    fn settles(&self, end: HistoryEnd) -> Option<Outcome> {
        let is_draw = end == HistoryEnd::Capped || self.limit == Limit::Draw;
        is_draw.then_some(Outcome::Draw)
    }
}

impl Graded for Oware {
    const UNIT: [&'static str; 2] = ["seed", "seeds"];

    /// Seeds in the first player's store and houses minus those of the second: the margin if the
    /// game ended here.
    #[inline]
    fn margin(&self, state: &State) -> i32 {
        sum(state.sides[0]) as i32 - sum(state.sides[1]) as i32
    }
}

impl Keyed for Oware {
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
