//! The board, the moves and the end of the game.

use std::ops::{BitAnd, BitOr, Shl, Shr};

use rand_core::Rng;
use treegauge_core::{
    Game, Graded, Keyed, Outcome, Player, Playout, PlayoutLimits, Plies, Symmetric, Tiered,
};

use crate::position::PositionErrors;
use treegauge_bits::{Word, nth_bit, random_bit};

/// Move that places nothing.
pub const PASS: u8 = 64;

/// Mark of a placement that was not made, or that the rules do not need.
pub(super) const NOWHERE: u8 = 64;

/// Rules of Othello on a board of `N` x `N` cells; `N` is 4, 6 or 8.
///
/// Bit `row * 8 + col` is the cell in that row and column, both from 0 at the lower left, for
/// every `N`: smaller boards leave the higher rows and columns empty, so that one set of shifts
/// and masks serves all sizes. A move is the number of its cell's bit, or [`PASS`]. On 4 x 4:
///
/// ```text
/// 24 25 26 27   row 4
/// 16 17 18 19
///  8  9 10 11
///  0  1  2  3   row 1
///  a  b  c  d
/// ```
///
/// Example: at the start the first player has c2 and b3, `1 << 10 | 1 << 17`.
#[derive(Clone, Debug)]
pub struct Othello<const N: u32> {
    adjacent: bool,
    blocked: Blocked,
    ply_cap: Plies,
}

/// Effect of a player to move that can place no disc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocked {
    /// The player passes; the game is over when neither can place.
    Passes,
    /// The game is over, and more discs win.
    Ends,
}

/// Discs of both players, player to move and, if the rules need them, the last placements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) discs: [u64; 2],
    pub(super) turn: Player,
    /// Cell of each player's last placement. [`NOWHERE`] before that, and always if the rules do
    /// not need them, so that equal positions are equal states.
    pub(super) last: [u8; 2],
}

/// Pair of boards that are processed together: a board and its image upside down.
///
/// A shift up the image is a shift down the board. So six of the eight directions need only three
/// shifts of a pair, which compilers turn into 128-bit instructions that every x86-64 and ARM
/// machine has.
#[derive(Clone, Copy)]
struct Pair([u64; 2]);

impl Pair {
    #[inline(always)]
    fn of(board: u64) -> Pair {
        Pair([board, board.swap_bytes()])
    }

    /// Combines both boards, with the image turned back.
    #[inline(always)]
    fn joined(self) -> u64 {
        self.0[0] | self.0[1].swap_bytes()
    }
}

impl BitAnd for Pair {
    type Output = Pair;
    #[inline(always)]
    fn bitand(self, other: Pair) -> Pair {
        Pair([self.0[0] & other.0[0], self.0[1] & other.0[1]])
    }
}

impl BitOr for Pair {
    type Output = Pair;
    #[inline(always)]
    fn bitor(self, other: Pair) -> Pair {
        Pair([self.0[0] | other.0[0], self.0[1] | other.0[1]])
    }
}

impl Shl<u32> for Pair {
    type Output = Pair;
    #[inline(always)]
    fn shl(self, n: u32) -> Pair {
        Pair([self.0[0] << n, self.0[1] << n])
    }
}

impl Shr<u32> for Pair {
    type Output = Pair;
    #[inline(always)]
    fn shr(self, n: u32) -> Pair {
        Pair([self.0[0] >> n, self.0[1] >> n])
    }
}

/// Distance in bits of a step to the next row: to the upper right, straight up, and to the upper
/// left.
const UPWARD: [u32; 3] = [9, 8, 7];

/// Cells that are neither in the first nor in the last column. A run along a row or a diagonal can
/// only be enclosed there, and no shift by one column leaves the row from there.
const INNER_COLUMNS: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// Cells of `through` in unbroken runs that begin one step of `n` bits up from `from`.
///
/// Parallel prefix in four steps, for runs of up to 6: no board has a longer one to enclose.
#[inline(always)]
fn fill_up<T>(from: T, through: T, n: u32) -> T
where
    T: Copy + BitAnd<Output = T> + BitOr<Output = T> + Shl<u32, Output = T>,
{
    let pairs = through & (through << n);
    let mut filled = through & (from << n);
    filled = filled | (through & (filled << n));
    filled = filled | (pairs & (filled << (2 * n)));
    filled | (pairs & (filled << (2 * n)))
}

/// Like [`fill_up`], in the other direction.
#[inline(always)]
fn fill_down<T>(from: T, through: T, n: u32) -> T
where
    T: Copy + BitAnd<Output = T> + BitOr<Output = T> + Shr<u32, Output = T>,
{
    let pairs = through & (through >> n);
    let mut filled = through & (from >> n);
    filled = filled | (through & (filled >> n));
    filled = filled | (pairs & (filled >> (2 * n)));
    filled | (pairs & (filled >> (2 * n)))
}

/// Runs that one side can enclose.
struct Reach {
    /// Opponent's discs in runs that begin at an own disc and go in an upward direction, by
    /// direction; in the image upside down it is the downward direction.
    runs: [Pair; 3],
    /// Opponent's discs in such runs along rows.
    rightward: u64,
    leftward: u64,
    /// Cells directly behind the runs that are empty and on the board.
    cells: u64,
}

impl Reach {
    #[inline(always)]
    fn new<const N: u32>(own: u64, other: u64) -> Reach {
        let inner = other & INNER_COLUMNS;
        let (own_pair, other_pair, inner_pair) = (Pair::of(own), Pair::of(other), Pair::of(inner));
        let mut runs = [Pair([0; 2]); 3];
        let mut ends = Pair([0; 2]);
        for (direction, n) in UPWARD.into_iter().enumerate() {
            let through = if n == 8 { other_pair } else { inner_pair };
            runs[direction] = fill_up(own_pair, through, n);
            ends = ends | (runs[direction] << n);
        }
        let rightward = fill_up(own, inner, 1);
        let leftward = fill_down(own, inner, 1);
        let ends = ends.joined() | rightward << 1 | leftward >> 1;
        Reach { runs, rightward, leftward, cells: ends & !(own | other) & board::<N>() }
    }

    /// Discs that a disc on `cell` encloses: the runs that lead to it, walked back.
    #[inline(always)]
    fn enclosed(&self, cell: u32) -> u64 {
        let cell = 1 << cell;
        let pair = Pair::of(cell);
        let mut turned = Pair([0; 2]);
        for (direction, n) in UPWARD.into_iter().enumerate() {
            turned = turned | fill_down(pair, self.runs[direction], n);
        }
        turned.joined() | fill_down(cell, self.rightward, 1) | fill_up(cell, self.leftward, 1)
    }
}

/// All cells of a board.
const fn board<const N: u32>() -> u64 {
    let row = (1u64 << N) - 1;
    let mut cells = 0;
    let mut y = 0;
    while y < N {
        cells |= row << (8 * y);
        y += 1;
    }
    cells
}

/// The four cells in the middle, which always hold discs.
pub(super) const fn centre<const N: u32>() -> u64 {
    0x0303 << (9 * (N / 2 - 1))
}

/// Neighbours of each cell, up to eight; all cells for [`NOWHERE`].
const NEAR: &[u64; 65] = &{
    let mut near = [u64::MAX; 65];
    let mut cell = 0;
    while cell < 64 {
        let own = 1u64 << cell;
        let left = (own & 0xfefe_fefe_fefe_fefe) >> 1;
        let right = (own & 0x7f7f_7f7f_7f7f_7f7f) << 1;
        let row = left | own | right;
        near[cell] = (row | row << 8 | row >> 8) & !own;
        cell += 1;
    }
    near
};

impl<const N: u32> Othello<N> {
    /// Creates the game, stopped as capped after `ply_cap` plies. With `adjacent` a disc must be
    /// placed next to the opponent's last one.
    #[must_use]
    pub fn new(adjacent: bool, ply_cap: Plies) -> Self {
        const { assert!(N == 4 || N == 6 || N == 8, "the board has 4, 6 or 8 cells a side") }
        Othello { adjacent, blocked: Blocked::Passes, ply_cap }
    }

    /// Sets the effect of a player to move that can place no disc.
    #[must_use]
    pub fn with_blocked(self, blocked: Blocked) -> Self {
        Othello { blocked, ..self }
    }

    /// Returns whether a player to move that cannot place passes, when the opponent can.
    #[inline]
    fn passes(&self) -> bool {
        self.blocked == Blocked::Passes
    }

    /// Returns whether a disc must be placed next to the opponent's last one.
    #[must_use]
    pub fn adjacent(&self) -> bool {
        self.adjacent
    }

    #[inline]
    fn reach_of(state: &State, player: Player) -> Reach {
        let (own, other) = (player.index(), player.other().index());
        let mut reach = Reach::new::<N>(state.discs[own], state.discs[other]);
        reach.cells &= NEAR[usize::from(state.last[other])];
        reach
    }

    /// Cells on which the player to move can place a disc.
    #[inline]
    fn cells(state: &State) -> u64 {
        Self::reach_of(state, state.turn).cells
    }

    /// Image of a cell, or of [`NOWHERE`] and [`PASS`], which stay.
    fn map_cell(symmetry: usize, cell: u8) -> u8 {
        let (mut row, mut col) = (cell / 8, cell % 8);
        if cell >= 64 {
            return cell;
        }
        if symmetry & 1 != 0 {
            col = N as u8 - 1 - col;
        }
        if symmetry & 2 != 0 {
            row = N as u8 - 1 - row;
        }
        if symmetry & 4 != 0 {
            (row, col) = (col, row);
        }
        row * 8 + col
    }

    /// Image of a set of cells, in the same order of steps as [`Othello::map_cell`].
    fn map_board(symmetry: usize, mut cells: u64) -> u64 {
        if symmetry & 1 != 0 {
            cells = (cells >> 1) & 0x5555_5555_5555_5555 | (cells & 0x5555_5555_5555_5555) << 1;
            cells = (cells >> 2) & 0x3333_3333_3333_3333 | (cells & 0x3333_3333_3333_3333) << 2;
            cells = (cells >> 4) & 0x0f0f_0f0f_0f0f_0f0f | (cells & 0x0f0f_0f0f_0f0f_0f0f) << 4;
            cells >>= 8 - N;
        }
        if symmetry & 2 != 0 {
            cells = cells.swap_bytes() >> (8 * (8 - N));
        }
        if symmetry & 4 != 0 {
            // Rows become columns: blocks of 1, 2 and 4 cells a side change places with their
            // partners across the diagonal (Warren, "Hacker's Delight", section 7-3).
            for (n, mask) in [
                (7, 0x00aa_00aa_00aa_00aa),
                (14, 0x0000_cccc_0000_cccc),
                (28, 0x0000_0000_f0f0_f0f0),
            ] {
                let differ = (cells ^ (cells >> n)) & mask;
                cells ^= differ ^ (differ << n);
            }
        }
        cells
    }
}

impl<const N: u32> Game for Othello<N> {
    type State = State;
    type Move = u8;

    fn start(&self) -> State {
        let middle = N / 2 * 8 + N / 2;
        let second = 1 << middle | 1 << (middle - 9);
        State { discs: [centre::<N>() ^ second, second], turn: Player::First, last: [NOWHERE; 2] }
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        state.turn
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        let over = Self::cells(state) == 0
            && (!self.passes() || Self::reach_of(state, state.turn.other()).cells == 0);
        over.then(|| self.outcome_of_margin(state))
    }

    /// Lists cells row by row from a1, or the pass alone.
    #[inline]
    fn moves_into(&self, state: &State, moves: &mut Vec<u8>) {
        let cells = Self::cells(state);
        moves.clear();
        if cells == 0 {
            moves.push(PASS);
        } else {
            moves.extend(cells.ones().map(|cell| cell as u8));
        }
    }

    #[inline]
    fn play(&self, state: &mut State, m: u8) {
        debug_assert!(self.is_legal(state, m), "move {m} is not legal");
        if m < PASS {
            let (own, other) = (state.turn.index(), state.turn.other().index());
            let turned = Self::reach_of(state, state.turn).enclosed(u32::from(m));
            state.discs[own] |= turned | 1 << m;
            state.discs[other] &= !turned;
            if self.adjacent {
                state.last[own] = m;
            }
        }
        state.turn = state.turn.other();
    }

    #[inline]
    fn move_count(&self, state: &State) -> u32 {
        Self::cells(state).count().max(1)
    }

    #[inline]
    fn nth_move(&self, state: &State, n: u32, _: &mut Vec<u8>) -> u8 {
        let cells = Self::cells(state);
        assert!(n < cells.count().max(1), "there is no move {n}");
        if cells == 0 { PASS } else { nth_bit(cells, n) as u8 }
    }

    #[inline]
    fn is_legal(&self, state: &State, m: u8) -> bool {
        let cells = Self::cells(state);
        if m < PASS {
            cells.has(u32::from(m))
        } else {
            m == PASS
                && cells == 0
                && self.passes()
                && Self::reach_of(state, state.turn.other()).cells != 0
        }
    }

    #[inline]
    fn random_move<R: Rng + ?Sized>(&self, state: &State, rng: &mut R) -> Option<u8> {
        let cells = Self::cells(state);
        if cells != 0 {
            Some(random_bit(cells, rng) as u8)
        } else {
            let passes = self.passes() && Self::reach_of(state, state.turn.other()).cells != 0;
            passes.then_some(PASS)
        }
    }

    #[inline]
    fn playout<R: Rng + ?Sized>(
        &self,
        state: &mut State,
        limits: PlayoutLimits,
        rng: &mut R,
    ) -> Playout {
        let mover = state.turn;
        let (mut own, mut other) = (state.discs[mover.index()], state.discs[mover.other().index()]);
        let (mut own_last, mut other_last) =
            (state.last[mover.index()], state.last[mover.other().index()]);
        let near = |last: u8| NEAR[usize::from(last)];
        let mut plies = 0;
        let mut reach = Reach::new::<N>(own, other);
        reach.cells &= near(other_last);
        let over = loop {
            if reach.cells == 0 {
                if !self.passes() {
                    break true;
                }
                let mut reply = Reach::new::<N>(other, own);
                reply.cells &= near(own_last);
                if reply.cells == 0 {
                    break true;
                }
                if plies == limits.plies_left.0 {
                    break false;
                }
                // This is a pass; the opponent's reach is already computed.
                reach = reply;
                (own, other) = (other, own);
                (own_last, other_last) = (other_last, own_last);
                plies += 1;
            }
            if plies == limits.plies_left.0 {
                break false;
            }
            let cell = random_bit(reach.cells, rng);
            let turned = reach.enclosed(cell);
            (own, other) = (other & !turned, own | turned | 1 << cell);
            let placed = if self.adjacent { cell as u8 } else { NOWHERE };
            (own_last, other_last) = (other_last, placed);
            plies += 1;
            reach = Reach::new::<N>(own, other);
            reach.cells &= near(other_last);
        };
        // Every ply, including a pass, gives the turn to the other player.
        let mover = if plies % 2 == 0 { mover } else { mover.other() };
        state.discs[mover.index()] = own;
        state.discs[mover.other().index()] = other;
        state.last[mover.index()] = own_last;
        state.last[mover.other().index()] = other_last;
        state.turn = mover;
        let outcome = if over { self.outcome_of_margin(state) } else { Outcome::Draw };
        Playout { outcome, plies: Plies(plies), capped: !over }
    }

    fn ply_cap(&self) -> Plies {
        self.ply_cap
    }

    /// Every move fills a cell or is a pass, and no pass follows another.
    fn plies_max(&self) -> Option<Plies> {
        Some(Plies(2 * (N * N - 4)))
    }
}

impl<const N: u32> Graded for Othello<N> {
    const UNIT: [&'static str; 2] = ["disc", "discs"];

    /// Number of the first player's discs minus the second player's.
    #[inline]
    fn margin(&self, state: &State) -> i32 {
        state.discs[0].count_ones() as i32 - state.discs[1].count_ones() as i32
    }
}

/// Bits of each byte read as digits of base 3.
const TERNARY: &[u16; 256] = &{
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut power) = (0, 1);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte] += power;
            }
            power *= 3;
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Number of bits that a row takes in a key: 3^8 - 1 is less than 2^13.
const KEY_ROW_BITS: u32 = 13;

impl<const N: u32> Keyed for Othello<N> {
    /// Rows as numbers of base 3, one digit per cell: 0 empty, 1 the first player, 2 the second.
    ///
    /// ```text
    /// bit 0     13    26    39    52    65    78    91    104    105      112      119
    ///     row 1 row 2 row 3 row 4 row 5 row 6 row 7 row 8 turn   last[0]  last[1]
    /// ```
    ///
    /// Example: the start of 4 x 4 has `o` on b2 and `x` on c2, so row 2 is 2 * 3 + 1 * 9 = 15.
    /// Plain bitboards and the turn would take 129 bits.
    type Key = u128;

    fn key(&self, state: &State) -> u128 {
        let [first, second] = state.discs.map(u64::to_le_bytes);
        let mut key = state.turn.index() as u128
            | u128::from(state.last[0]) << 1
            | u128::from(state.last[1]) << 8;
        for row in (0..8).rev() {
            let digits = TERNARY[usize::from(first[row])] + 2 * TERNARY[usize::from(second[row])];
            key = key << KEY_ROW_BITS | u128::from(digits);
        }
        key
    }

    fn unkey(&self, mut key: u128) -> State {
        let mut discs = [0; 2];
        for row in 0..8 {
            let mut digits = key & ((1 << KEY_ROW_BITS) - 1);
            key >>= KEY_ROW_BITS;
            for col in 0..8 {
                if let Some(player) = [0, 1].into_iter().find(|&p| digits % 3 == p + 1) {
                    discs[player as usize] |= 1 << (row * 8 + col);
                }
                digits /= 3;
            }
        }
        State {
            discs,
            turn: Player::BOTH[(key & 1) as usize],
            last: [(key >> 1 & 0x7f) as u8, (key >> 8 & 0x7f) as u8],
        }
    }

    fn try_unkey(&self, key: u128) -> Option<State> {
        let state = self.unkey(key);
        let all = state.discs[0] | state.discs[1];
        let board = const { board::<N>() };
        let may_be_last = |cell: u8| {
            cell == NOWHERE || self.adjacent && cell < NOWHERE && board.has(u32::from(cell))
        };
        let on_board = all & !board == 0 && state.last.into_iter().all(may_be_last);
        let state = (on_board && self.key(&state) == key).then_some(state)?;
        PositionErrors::none_in(state, |state, errors| {
            Self::check_discs(all, errors);
            if self.adjacent {
                Self::check_last(all, state.turn, state.last, errors);
            }
        })
    }
}

impl<const N: u32> Tiered for Othello<N> {
    /// Twice the number of discs, plus one if the player to move can place.
    ///
    /// A placement adds a disc and so 2, and takes away at most the 1. A pass keeps the discs and
    /// the options of each side, and is made only by a player who cannot place while the other can:
    /// it adds 1.
    fn tier(&self, state: &State) -> u32 {
        2 * (state.discs[0] | state.discs[1]).count() + u32::from(Self::cells(state) != 0)
    }
}

impl<const N: u32> Symmetric for Othello<N> {
    /// Number of symmetries: the rotations and mirror images of the square. Bit 0 of a symmetry
    /// mirrors the columns, then bit 1 the rows, then bit 2 exchanges rows and columns.
    ///
    /// Half of them give another start position (with the colours exchanged), yet every one of them
    /// commutes with play.
    fn symmetry_count(&self) -> usize {
        8
    }

    fn map_state(&self, symmetry: usize, state: &State) -> State {
        State {
            discs: state.discs.map(|discs| Self::map_board(symmetry, discs)),
            turn: state.turn,
            last: state.last.map(|cell| Self::map_cell(symmetry, cell)),
        }
    }

    fn map_move(&self, symmetry: usize, m: u8) -> u8 {
        Self::map_cell(symmetry, m)
    }
}
