//! The lines, the boxes and their owners.

use rand_core::Rng;
use treegauge_core::{
    Game, Graded, Keyed, Outcome, Player, Playout, PlayoutLimits, Plies, Tiered, uniform_below,
};

use super::notation::check;
use crate::position::PositionErrors;
use treegauge_bits::{Choices, Word, each_bit};

/// Rules for a corridor of a given length.
#[derive(Clone, Copy, Debug)]
pub struct DotsCorridor {
    length: u32,
    ply_cap: Plies,
}

/// Lines drawn, boxes of the second player and the player to move.
///
/// Bit `k` of `lines` is line k; bit 0 is the end wall at box 1, which is always drawn. Bit `k`
/// of `second` is box k when the second player closed it. The other closed boxes are
/// the first player's. In a corridor of three:
///
/// ```text
/// | 1 | 2 : 3 :      lines 0b0011, second 0b0010: the second player closed box 1
/// 0   1   2   3
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) lines: u64,
    pub(super) second: u64,
    pub(super) turn: Player,
}

/// Boxes that `lines` close, each under the number of its far wall.
#[inline]
pub(super) fn closed(lines: u64) -> u64 {
    lines & lines << 1
}

impl DotsCorridor {
    /// Creates a corridor of `length` boxes, 1 to 60, stopped as capped after `ply_cap` plies.
    ///
    /// # Panics
    ///
    /// When the length is out of range.
    #[must_use]
    pub fn new(length: u32, ply_cap: Plies) -> Self {
        assert!((1..=60).contains(&length), "invalid length {length}");
        DotsCorridor { length, ply_cap }
    }

    /// Number of boxes, and of lines to draw.
    #[inline]
    #[must_use]
    pub fn length(&self) -> u32 {
        self.length
    }

    /// Bits 0 to `length`.
    #[inline]
    fn all(&self) -> u64 {
        u64::lowest_bits(self.length + 1)
    }

    #[inline]
    fn undrawn(&self, state: &State) -> u64 {
        self.all() & !state.lines
    }
}

/// Draws a line and returns the boxes that it closes: both boxes beside it were open before.
#[inline]
fn draw(lines: &mut u64, line: u32) -> u64 {
    *lines |= 1 << line;
    closed(*lines) & 0b11 << line
}

impl Game for DotsCorridor {
    type State = State;
    /// Number of a line, 1 to the length.
    type Move = u8;

    fn start(&self) -> State {
        State { lines: 1, second: 0, turn: Player::First }
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        state.turn
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        (self.undrawn(state) == 0).then(|| self.outcome_of_margin(state))
    }

    #[inline]
    fn moves_into(&self, state: &State, moves: &mut Vec<u8>) {
        moves.clear();
        each_bit(self.undrawn(state), |line| moves.push(line as u8));
    }

    #[inline]
    fn play(&self, state: &mut State, line: u8) {
        debug_assert!(self.is_legal(state, line), "line {line} cannot be drawn");
        let boxes = draw(&mut state.lines, u32::from(line) % 64);
        if boxes == 0 {
            state.turn = state.turn.other();
        } else if state.turn == Player::Second {
            state.second |= boxes;
        }
    }

    #[inline]
    fn move_count(&self, state: &State) -> u32 {
        self.undrawn(state).count()
    }

    #[inline]
    fn nth_move(&self, state: &State, n: u32, _: &mut Vec<u8>) -> u8 {
        self.undrawn(state).nth(n) as u8
    }

    #[inline]
    fn is_legal(&self, state: &State, line: u8) -> bool {
        u32::from(line) <= self.length && self.undrawn(state).has(u32::from(line))
    }

    #[inline]
    fn random_move<R: Rng + ?Sized>(&self, state: &State, rng: &mut R) -> Option<u8> {
        let undrawn = self.undrawn(state);
        (undrawn != 0).then(|| undrawn.nth(uniform_below(rng, undrawn.count())) as u8)
    }

    /// Shuffles the lines not drawn: drawn ones are swapped out of their list. The owner of a box
    /// is computed without a branch that could be mispredicted.
    #[inline(always)]
    fn playout<R: Rng + ?Sized>(
        &self,
        state: &mut State,
        limits: PlayoutLimits,
        rng: &mut R,
    ) -> Playout {
        let mut list = [0u8; 64];
        let mut count = 0;
        each_bit(self.undrawn(state), |line| {
            list[count % 64] = line as u8;
            count += 1;
        });
        let last = count - count.min(limits.plies_left.0 as usize);
        let mut left = count;
        let mut choices = Choices::new(rng);
        let State { mut lines, mut second, turn } = *state;
        // All bits are set while the second player is to move.
        let mut second_moves = if turn == Player::Second { u64::MAX } else { 0 };
        while left > last {
            let n = choices.below(left as u32) as usize % 64;
            left -= 1;
            let line = u32::from(list[n]) % 64;
            list[n] = list[left % 64];
            let boxes = draw(&mut lines, line);
            second |= boxes & second_moves;
            second_moves = if boxes == 0 { !second_moves } else { second_moves };
        }
        let turn = if second_moves == 0 { Player::First } else { Player::Second };
        *state = State { lines, second, turn };
        let capped = left > 0;
        let outcome = if capped { Outcome::Draw } else { self.outcome_of_margin(state) };
        Playout { outcome, plies: Plies((count - left) as u32), capped }
    }

    fn ply_cap(&self) -> Plies {
        self.ply_cap
    }
}

impl Keyed for DotsCorridor {
    /// From the lowest bit: 1 when the second player is to move, then the lines 1 to 60, then
    /// the second player's boxes 1 to 60.
    type Key = u128;

    #[inline]
    fn key(&self, state: &State) -> u128 {
        // Bit 0 of the lines is always set and bit 0 of the boxes never. So the turn replaces the
        // first, and the boxes begin right above the lines.
        let turn = u128::from(state.turn == Player::Second);
        u128::from(state.lines & !1) | turn | u128::from(state.second) << 60
    }

    #[inline]
    fn unkey(&self, key: u128) -> State {
        let turn = Player::BOTH[(key & 1) as usize];
        let lines = key as u64 & u64::lowest_bits(61) | 1;
        State { lines, second: (key >> 60) as u64 & !1, turn }
    }

    fn try_unkey(&self, key: u128) -> Option<State> {
        let state = self.unkey(key);
        let on_board = state.lines & !self.all() == 0 && state.second & !closed(state.lines) == 0;
        let state = (on_board && self.key(&state) == key).then_some(state)?;
        PositionErrors::none_in(state, check)
    }
}

impl Tiered for DotsCorridor {
    /// The number of lines drawn.
    #[inline]
    fn tier(&self, state: &State) -> u32 {
        state.lines.count() - 1
    }
}

impl Graded for DotsCorridor {
    const UNIT: [&'static str; 2] = ["box", "boxes"];

    /// Boxes of the first player minus boxes of the second.
    #[inline]
    fn margin(&self, state: &State) -> i32 {
        closed(state.lines).count() as i32 - 2 * state.second.count() as i32
    }
}
