//! The board, the moves and the end of the game.

use rand_core::Rng;
use treegauge_core::{
    Game, Keyed, Outcome, Player, Playout, PlayoutLimits, Plies, Tiered, uniform_below,
};

use super::notation::check;
use crate::position::PositionErrors;
use treegauge_bits::{Choices, each_bit, nth_bit};

/// Side of the board in squares.
pub(super) const SIDE: u32 = 8;

/// Number of checkers of each player.
pub(super) const CHECKERS: u32 = 12;

/// Number of dark squares, and the bit of a move off the board.
pub(super) const SQUARES: usize = 32;
pub(super) const OFF: u8 = SQUARES as u8;

/// Parameters of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Whether a player who cannot move passes; otherwise that player loses.
    pub pass: bool,
    /// Whether captures go only straight or diagonally forward.
    pub forward_captures_only: bool,
    /// Whether n checkers move 13 - n squares.
    pub inverted: bool,
}

/// Rules of Dipole, with tables of the board.
#[derive(Clone, Debug)]
pub struct Dipole {
    setup: Setup,
    ply_cap: Plies,
    /// Destinations by player, square and number of checkers.
    rows: Box<[[[Row; 16]; SQUARES]; 2]>,
}

/// Destinations of a number of checkers from a square: bits of squares, and bit [`OFF`].
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    /// Destinations without a capture.
    quiet: u64,
    /// Destinations onto an opposing stack.
    capture: u64,
}

/// Stacks of both players and the player to move.
///
/// Bit `4 * row + col / 2` is the dark square in column `col` and row `row`, both from 0 at the
/// lower left. The lowest rows:
///
/// ```text
///  8  .  9  . 10  . 11  .   row 3
///  .  4  .  5  .  6  .  7
///  0  .  1  .  2  .  3  .   row 1
///  a  b  c  d  e  f  g  h
/// ```
///
/// Example: at the start the first player has bit 2 (`e1`) and the second bit 29 (`d8`), both
/// heights are 12 and all others 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// Squares of each player's stacks.
    pub(super) stacks: [u32; 2],
    /// Number of checkers on each square, 0 to 12.
    pub(super) heights: [u8; SQUARES],
    pub(super) turn: Player,
}

/// Move of checkers of one stack together, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Square left; [`OFF`] for a pass.
    pub(super) from: u8,
    /// Number of checkers; 0 for a pass.
    pub(super) count: u8,
    /// Square entered, or [`OFF`].
    pub(super) to: u8,
}

impl Move {
    /// Pass, the only move of a player who cannot move.
    pub(super) const PASS: Move = Move { from: OFF, count: 0, to: OFF };
}

/// Moves of a position: the destinations of each square and number of checkers. The list has at
/// most as many entries as a player has checkers.
struct Options {
    list: [(u8, u8, u64); CHECKERS as usize],
    len: usize,
    /// Number of moves.
    total: u32,
}

/// Row and column of a square.
pub(super) const fn place(square: u32) -> (u32, u32) {
    let row = square / 4;
    (row, 2 * (square % 4) + row % 2)
}

impl Dipole {
    /// Creates the game, stopped as capped after `ply_cap` plies.
    #[must_use]
    pub fn new(setup: Setup, ply_cap: Plies) -> Self {
        let mut rows = Box::new([[[Row::default(); 16]; SQUARES]; 2]);
        for player in Player::BOTH {
            for square in 0..SQUARES as u32 {
                for count in 1..=CHECKERS {
                    rows[player.index()][square as usize][count as usize] =
                        Row::new(setup, player, square, count);
                }
            }
        }
        Dipole { setup, ply_cap, rows }
    }

    /// Parameters of the game.
    #[must_use]
    pub fn setup(&self) -> Setup {
        self.setup
    }

    /// Calls `visit` with each square, number of checkers and set of destinations of a player, in
    /// the order of moves, while it returns true.
    #[inline]
    fn each_option(
        &self,
        state: &State,
        player: Player,
        mut visit: impl FnMut(u8, u8, u64) -> bool,
    ) {
        let enemy = state.stacks[player.other().index()];
        // Opposing stacks by height, first of exactly that height, then of that height or less.
        let mut low = [0u64; 16];
        each_bit(u64::from(enemy), |square| {
            low[usize::from(state.heights[square as usize % SQUARES]) % 16] |= 1 << square;
        });
        for height in 1..low.len() {
            low[height] |= low[height - 1];
        }
        let mut own = state.stacks[player.index()];
        while own != 0 {
            let from = own.trailing_zeros() as usize % SQUARES;
            own &= own - 1;
            let rows = &self.rows[player.index()][from];
            for count in 1..=usize::from(state.heights[from]) % 16 {
                let row = rows[count];
                let to = row.quiet & !u64::from(enemy) | row.capture & low[count];
                if !visit(from as u8, count as u8, to) {
                    return;
                }
            }
        }
    }

    #[inline]
    fn options(&self, state: &State) -> Options {
        let mut options = Options { list: [(0, 0, 0); CHECKERS as usize], len: 0, total: 0 };
        self.each_option(state, state.turn, |from, count, to| {
            if let Some(slot) = options.list.get_mut(options.len) {
                *slot = (from, count, to);
                options.len += 1;
                options.total += to.count_ones();
            }
            true
        });
        options
    }

    /// Returns whether a player has a move other than a pass.
    #[inline]
    fn can_move(&self, state: &State, player: Player) -> bool {
        let mut found = false;
        self.each_option(state, player, |_, _, to| {
            found = to != 0;
            !found
        });
        found
    }

    /// Winner, if a player has no checkers left.
    #[inline]
    fn won_by_checkers(state: &State) -> Option<Outcome> {
        let without = |player: Player| state.stacks[player.index()] == 0;
        let loser = Player::BOTH.into_iter().find(|&player| without(player))?;
        Some(Outcome::win_of(loser.other()))
    }
}

impl Row {
    fn new(setup: Setup, player: Player, square: u32, count: u32) -> Row {
        let distance = if setup.inverted { CHECKERS + 1 - count } else { count } as i32;
        let (row, col) = place(square);
        let forward = if player == Player::First { 1 } else { -1 };
        let mut found = Row::default();
        for (up, right) in (-1..=1).flat_map(|up| (-1..=1).map(move |right| (up, right))) {
            let to = row
                .checked_add_signed(up * distance)
                .zip(col.checked_add_signed(right * distance))
                .filter(|&(row, col)| row < SIDE && col < SIDE);
            let bit = match to {
                // A straight move by an odd number of squares ends on a light square.
                Some((row, col)) if (row + col).is_multiple_of(2) => 1 << (4 * row + col / 2),
                Some(_) => 0,
                None => 1 << OFF,
            };
            if up == forward {
                found.quiet |= bit;
            }
            if (up, right) != (0, 0) && (up == forward || !setup.forward_captures_only) {
                found.capture |= bit & !(1 << OFF);
            }
        }
        found
    }
}

impl Options {
    /// The `n`-th move. `n` must be less than their number.
    #[inline]
    fn nth(&self, n: u32) -> Move {
        let mut n = n;
        for &(from, count, to) in &self.list[..self.len] {
            let here = to.count_ones();
            if n < here {
                return Move { from, count, to: nth_bit(to, n) as u8 };
            }
            n -= here;
        }
        panic!("there is no such move")
    }
}

impl Game for Dipole {
    type State = State;
    type Move = Move;

    fn start(&self) -> State {
        let mut state =
            State { stacks: [1 << 2, 1 << 29], heights: [0; SQUARES], turn: Player::First };
        state.heights[2] = CHECKERS as u8;
        state.heights[29] = CHECKERS as u8;
        state
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        state.turn
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        Self::won_by_checkers(state).or_else(|| {
            let lost = !self.setup.pass && !self.can_move(state, state.turn);
            lost.then(|| Outcome::win_of(state.turn.other()))
        })
    }

    #[inline]
    fn moves_into(&self, state: &State, moves: &mut Vec<Move>) {
        moves.clear();
        self.each_option(state, state.turn, |from, count, to| {
            each_bit(to, |to| moves.push(Move { from, count, to: to as u8 }));
            true
        });
        if moves.is_empty() {
            moves.push(Move::PASS);
        }
    }

    #[inline]
    fn play(&self, state: &mut State, m: Move) {
        debug_assert!(self.is_legal(state, m), "{m:?} cannot be played");
        let (own, other) = (state.turn.index(), state.turn.other().index());
        state.turn = state.turn.other();
        // A square off the board is an error of the caller, but must not panic.
        let (from, to) = (usize::from(m.from) % SQUARES, usize::from(m.to) % SQUARES);
        if m == Move::PASS {
            return;
        }
        let left = state.heights[from].saturating_sub(m.count);
        state.heights[from] = left;
        if left == 0 {
            state.stacks[own] &= !(1 << from);
        }
        if m.to != OFF {
            let there = if state.stacks[own] >> to & 1 == 1 { state.heights[to] } else { 0 };
            state.heights[to] = there + m.count;
            state.stacks[own] |= 1 << to;
            state.stacks[other] &= !(1 << to);
        }
    }

    #[inline]
    fn move_count(&self, state: &State) -> u32 {
        self.options(state).total.max(1)
    }

    #[inline]
    fn nth_move(&self, state: &State, n: u32, _: &mut Vec<Move>) -> Move {
        let options = self.options(state);
        if options.total == 0 { Move::PASS } else { options.nth(n) }
    }

    fn is_legal(&self, state: &State, m: Move) -> bool {
        if m == Move::PASS {
            return self.setup.pass && !self.can_move(state, state.turn);
        }
        let mut found = false;
        self.each_option(state, state.turn, |from, count, to| {
            found |= (from, count) == (m.from, m.count) && m.to <= OFF && to >> m.to & 1 == 1;
            !found
        });
        found
    }

    #[inline]
    fn random_move<R: Rng + ?Sized>(&self, state: &State, rng: &mut R) -> Option<Move> {
        if Self::won_by_checkers(state).is_some() {
            return None;
        }
        let options = self.options(state);
        match options.total {
            0 => self.setup.pass.then_some(Move::PASS),
            total => Some(options.nth(uniform_below(rng, total))),
        }
    }

    /// Plays random plies. The list from which each ply is chosen also shows whether the player can
    /// move.
    fn playout<R: Rng + ?Sized>(
        &self,
        state: &mut State,
        limits: PlayoutLimits,
        rng: &mut R,
    ) -> Playout {
        let mut choices = Choices::new(rng);
        let mut plies = 0;
        let over = loop {
            if let Some(outcome) = Self::won_by_checkers(state) {
                break Some(outcome);
            }
            let options = self.options(state);
            if options.total == 0 && !self.setup.pass {
                break Some(Outcome::win_of(state.turn.other()));
            }
            if plies >= limits.plies_left.0 {
                break None;
            }
            let m = match options.total {
                0 => Move::PASS,
                total => options.nth(choices.below(total)),
            };
            self.play(state, m);
            plies += 1;
        };
        Playout {
            outcome: over.unwrap_or(Outcome::Draw),
            plies: Plies(plies),
            capped: over.is_none(),
        }
    }

    fn ply_cap(&self) -> Plies {
        self.ply_cap
    }
}

/// Number of bits of one player in a key: a 1 for each checker and a 0 after each square.
const KEY_BITS: u32 = SQUARES as u32 + CHECKERS;

impl Keyed for Dipole {
    /// For each player, a 1 for each checker and a 0 after each square, from square 0 on: 32 zeros
    /// and at most 12 ones. The first player's 44 bits are lowest, then the second player's, then a
    /// bit that is set if the second player is to move.
    type Key = u128;

    #[inline]
    fn key(&self, state: &State) -> u128 {
        let mut key = 0u128;
        for player in Player::BOTH {
            let mut at = KEY_BITS * player.index() as u32;
            for (square, &height) in state.heights.iter().enumerate() {
                if state.stacks[player.index()] >> square & 1 == 1 {
                    key |= ((1u128 << height) - 1) << at;
                    at += u32::from(height);
                }
                at += 1;
            }
        }
        key | (state.turn.index() as u128) << (2 * KEY_BITS)
    }

    #[inline]
    fn unkey(&self, key: u128) -> State {
        let turn = Player::BOTH[(key >> (2 * KEY_BITS)) as usize & 1];
        let mut state = State { stacks: [0; 2], heights: [0; SQUARES], turn };
        for player in Player::BOTH {
            let own = key >> (KEY_BITS * player.index() as u32);
            let mut bits = own as u64 & ((1 << KEY_BITS) - 1);
            for (square, slot) in state.heights.iter_mut().enumerate() {
                let height = bits.trailing_ones();
                bits >>= height + 1;
                if height > 0 {
                    *slot = height as u8;
                    state.stacks[player.index()] |= 1 << square;
                }
            }
        }
        state
    }

    fn try_unkey(&self, key: u128) -> Option<State> {
        let state = self.unkey(key);
        let apart = state.stacks[0] & state.stacks[1] == 0;
        let state = PositionErrors::none_in(apart.then_some(state)?, check)?;
        (self.key(&state) == key).then_some(state)
    }
}

impl Tiered for Dipole {
    /// Twice the number of rows that all checkers have advanced, where a checker off the board
    /// counts for 100 rows; plus one if the player not to move cannot move, having just passed.
    ///
    /// A capture brings the capturing checkers, at most 12, back by at most 7 rows each, and the
    /// captured ones had advanced by at most 7 rows.
    #[inline]
    fn tier(&self, state: &State) -> u32 {
        let mut rows = 2 * CHECKERS * 100;
        for player in Player::BOTH {
            each_bit(u64::from(state.stacks[player.index()]), |square| {
                let row = place(square).0;
                let advanced = if player == Player::First { row } else { SIDE - 1 - row };
                rows -= u32::from(state.heights[square as usize]) * (100 - advanced);
            });
        }
        2 * rows + u32::from(self.setup.pass && !self.can_move(state, state.turn.other()))
    }
}
