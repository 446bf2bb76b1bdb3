//! The board, the moves and the end of the game.

use rand_core::Rng;
use treegauge_core::{
    Game, Keyed, Outcome, Player, Playout, PlayoutLimits, Plies, Symmetric, Tiered, uniform_below,
};

use super::notation::check;
use crate::position::PositionErrors;
use crate::square::{has_line_of_nine, image, nth_of_nine};
use treegauge_bits::{each_bit, take};

/// The nine cells.
const CELLS: u16 = 0x1ff;

/// Rules of wild Tic-tac-toe.
#[derive(Clone, Debug)]
pub struct WildTicTacToe {
    ply_cap: Plies,
}

/// Marks on the board. Their number determines the player to move.
///
/// Bit `3 * row + col` is the cell in column `col` and row `row`, both from 0 at the lower left:
///
/// ```text
///  6  7  8    row 3
///  3  4  5
///  0  1  2    row 1
///  a  b  c
/// ```
///
/// A move is twice its cell, plus 1 for a nought. Example: after `Xb2`, move 8, and `Oa1`, move
/// 1, the crosses are `1 << 4` and the noughts `1 << 0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// Crosses, then noughts.
    pub(super) marks: [u16; 2],
}

impl State {
    #[inline]
    fn free(self) -> u16 {
        CELLS & !(self.marks[0] | self.marks[1])
    }

    /// Player to move, from the number of marks.
    #[inline]
    pub(super) fn turn(self) -> Player {
        if (self.marks[0] | self.marks[1]).count_ones() & 1 == 0 {
            Player::First
        } else {
            Player::Second
        }
    }
}

/// Returns whether the marks of one kind have a line.
#[inline]
pub(super) fn has_line(marks: u16) -> bool {
    has_line_of_nine(u64::from(marks), 3)
}

impl WildTicTacToe {
    /// Creates the game, stopped as capped after `ply_cap` plies.
    #[must_use]
    pub fn new(ply_cap: Plies) -> Self {
        WildTicTacToe { ply_cap }
    }
}

impl Game for WildTicTacToe {
    type State = State;
    type Move = u8;

    fn start(&self) -> State {
        State { marks: [0; 2] }
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        state.turn()
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        if state.marks.into_iter().any(has_line) {
            return Some(Outcome::win_of(state.turn().other()));
        }
        (state.free() == 0).then_some(Outcome::Draw)
    }

    #[inline]
    fn moves_into(&self, state: &State, moves: &mut Vec<u8>) {
        moves.clear();
        each_bit(u64::from(state.free()), |cell| {
            moves.extend([2 * cell as u8, 2 * cell as u8 + 1]);
        });
    }

    #[inline]
    fn play(&self, state: &mut State, m: u8) {
        debug_assert!(self.is_legal(state, m), "move {m} is not to be had");
        // A cell off the board is an error of the caller, but must not panic.
        state.marks[usize::from(m & 1)] |= 1 << (m >> 1 & 15);
    }

    #[inline]
    fn move_count(&self, state: &State) -> u32 {
        2 * state.free().count_ones()
    }

    #[inline]
    fn nth_move(&self, state: &State, n: u32, _: &mut Vec<u8>) -> u8 {
        2 * nth_of_nine(u64::from(state.free()), n >> 1) + (n & 1) as u8
    }

    #[inline]
    fn is_legal(&self, state: &State, m: u8) -> bool {
        m < 18 && state.free() >> (m >> 1) & 1 == 1
    }

    #[inline]
    fn random_move<R: Rng + ?Sized>(&self, state: &State, rng: &mut R) -> Option<u8> {
        if self.outcome(state).is_some() {
            return None;
        }
        let n = uniform_below(rng, self.move_count(state));
        Some(2 * nth_of_nine(u64::from(state.free()), n >> 1) + (n & 1) as u8)
    }

    /// Plays random plies. One 64-bit draw serves all of them: the choices use up a factor of at
    /// most 9! 2^9 < 2^27.5, so that each is uniform to within 2^-36.
    #[inline(always)]
    fn playout<R: Rng + ?Sized>(
        &self,
        state: &mut State,
        limits: PlayoutLimits,
        rng: &mut R,
    ) -> Playout {
        if let Some(outcome) = self.outcome(state) {
            return Playout { outcome, plies: Plies(0), capped: false };
        }
        let mut marks = state.marks;
        let mut free = u64::from(state.free());
        let count = free.count_ones();
        let last = count.saturating_sub(limits.plies_left.0);
        let mut left = count;
        let mut fraction = rng.next_u64();
        let mut line = false;
        while left > last && !line {
            let n = take(&mut fraction, 2 * left);
            let cell = 1u64 << nth_of_nine(free, n >> 1);
            free ^= cell;
            left -= 1;
            let kind = n as usize & 1;
            marks[kind] |= cell as u16;
            line = has_line(marks[kind]);
        }
        *state = State { marks };
        let outcome = if line { Outcome::win_of(state.turn().other()) } else { Outcome::Draw };
        Playout { outcome, plies: Plies(count - left), capped: !line && left > 0 }
    }

    fn ply_cap(&self) -> Plies {
        self.ply_cap
    }

    /// Every move fills a cell.
    fn plies_max(&self) -> Option<Plies> {
        Some(Plies(9))
    }
}

impl Keyed for WildTicTacToe {
    /// The crosses in bits 0 to 8, the noughts in bits 9 to 17.
    type Key = u32;

    #[inline]
    fn key(&self, state: &State) -> u32 {
        u32::from(state.marks[0]) | u32::from(state.marks[1]) << 9
    }

    #[inline]
    fn unkey(&self, key: u32) -> State {
        State { marks: [key as u16 & CELLS, (key >> 9) as u16 & CELLS] }
    }

    fn try_unkey(&self, key: u32) -> Option<State> {
        let state = self.unkey(key);
        let apart = state.marks[0] & state.marks[1] == 0 && key >> 18 == 0;
        PositionErrors::none_in(apart.then_some(state)?, check)
    }
}

impl Tiered for WildTicTacToe {
    /// The number of marks.
    #[inline]
    fn tier(&self, state: &State) -> u32 {
        (state.marks[0] | state.marks[1]).count_ones()
    }
}

impl Symmetric for WildTicTacToe {
    /// Number of symmetries: the eight of the square, each with and without the exchange of crosses
    /// and noughts.
    fn symmetry_count(&self) -> usize {
        16
    }

    #[inline]
    fn map_state(&self, symmetry: usize, state: &State) -> State {
        let mut marks = state.marks.map(|marks| {
            let mut mapped = 0;
            each_bit(u64::from(marks), |cell| mapped |= 1 << image(3, symmetry & 7, cell));
            mapped
        });
        if symmetry & 8 != 0 {
            marks.swap(0, 1);
        }
        State { marks }
    }

    /// Bit 3 of `symmetry` exchanges the marks.
    #[inline]
    fn map_move(&self, symmetry: usize, m: u8) -> u8 {
        2 * image(3, symmetry & 7, u32::from(m >> 1)) as u8 + (m & 1 ^ (symmetry >> 3) as u8)
    }
}
