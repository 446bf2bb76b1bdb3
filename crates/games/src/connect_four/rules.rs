//! The board, the moves and the end of the game.

use std::fmt::Debug;

use rand_core::Rng;
use treegauge_core::{
    Game, Indexed, Keyed, Outcome, Player, Playout, PlayoutLimits, Plies, Symmetric, Tiered,
    uniform_below,
};

use crate::position::PositionErrors;
use treegauge_bits::{Word, has_run};

/// Size of a board and the bits that hold it.
///
/// Bit `col * (rows + 1) + row` is the cell in column `col` and row `row`, both from 0 at the
/// lower left. The bit above each column is never a stone, so a shift cannot run from one column
/// into the next. On the 7 x 6 board:
///
/// ```text
///  6 13 20 27 34 41 48    always 0
///  5 12 19 26 33 40 47    row 6
///  4 11 18 25 32 39 46
///  3 10 17 24 31 38 45
///  2  9 16 23 30 37 44
///  1  8 15 22 29 36 43
///  0  7 14 21 28 35 42    row 1
///  a  b  c  d  e  f  g
/// ```
///
/// Example: after `d` by the first player and `d` by the second, the first player's stones are `1
/// << 21` and the second player's `1 << 22`.
pub trait Board: Clone + Debug + Send + Sync + 'static {
    /// Word that holds one player's stones.
    type Bits: Word;
    /// Number of columns, 1 to 20.
    fn cols(&self) -> u32;
    /// Number of rows, 1 to 20.
    fn rows(&self) -> u32;
    /// Length of a winning line. If the board is smaller, neither player can win.
    fn k(&self) -> u32;
    /// Lowest cell of every column.
    fn bottom(&self) -> Self::Bits;
}

/// Board with a size known to the compiler. At most 64 bits: `COLS * (ROWS + 1) <= 64`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fixed<const COLS: u32, const ROWS: u32, const K: u32>;

impl<const COLS: u32, const ROWS: u32, const K: u32> Board for Fixed<COLS, ROWS, K> {
    type Bits = u64;
    #[inline]
    fn cols(&self) -> u32 {
        const { assert!(COLS >= 1 && ROWS >= 1 && K >= 1 && COLS * (ROWS + 1) <= 64) }
        COLS
    }
    #[inline]
    fn rows(&self) -> u32 {
        ROWS
    }
    #[inline]
    fn k(&self) -> u32 {
        K
    }
    #[inline]
    fn bottom(&self) -> u64 {
        const {
            let mut bottom = 0;
            let mut col = 0;
            while col < COLS {
                bottom |= 1 << (col * (ROWS + 1));
                col += 1;
            }
            bottom
        }
    }
}

/// Board of any size that fits its word.
#[derive(Clone, Copy, Debug)]
pub struct Sized<W> {
    cols: u32,
    rows: u32,
    k: u32,
    bottom: W,
}

impl<W: Word> Sized<W> {
    /// Number of bits that a board takes.
    #[must_use]
    pub const fn bits(cols: u32, rows: u32) -> u32 {
        cols * (rows + 1)
    }

    /// Creates a board of `cols` x `rows`, both 1 to 20, where `k` in a line win.
    ///
    /// # Panics
    ///
    /// When a number is 0 or the board does not fit the word.
    #[must_use]
    pub fn new(cols: u32, rows: u32, k: u32) -> Self {
        assert!(
            cols >= 1 && rows >= 1 && k >= 1,
            "invalid size {cols} x {rows} with {k} in a line"
        );
        assert!(Self::bits(cols, rows) <= W::BITS, "{cols} x {rows} does not fit the word");
        let bottom = (0..cols).fold(W::ZERO, |word, col| word | W::bit(col * (rows + 1)));
        Sized { cols, rows, k, bottom }
    }
}

impl<W: Word> Board for Sized<W> {
    type Bits = W;
    #[inline]
    fn cols(&self) -> u32 {
        self.cols
    }
    #[inline]
    fn rows(&self) -> u32 {
        self.rows
    }
    #[inline]
    fn k(&self) -> u32 {
        self.k
    }
    #[inline]
    fn bottom(&self) -> W {
        self.bottom
    }
}

/// Rules of Connect Four on a board.
#[derive(Clone, Debug)]
pub struct ConnectFour<B> {
    board: B,
    ply_cap: Plies,
}

/// The usual game: 7 columns, 6 rows, four in a line.
pub type Standard = ConnectFour<Fixed<7, 6, 4>>;

/// Stones of both players and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<W> {
    pub(super) stones: [W; 2],
    pub(super) turn: Player,
}

/// Columns that are not full, each with the cell where a stone will fall.
///
/// Full columns are swapped out of the list, so that choosing from it needs no bit counting. This
/// measured fastest on machines with and without popcnt.
struct Open {
    /// Open columns, in no order; only the first `len` entries are valid.
    cols: [u8; MAX_COLS],
    len: u32,
    /// Bit of the lowest free cell, by column.
    next: [u16; MAX_COLS],
}

const MAX_COLS: usize = 20;

impl<B: Board> ConnectFour<B> {
    /// Creates the game on a board, stopped as capped after `ply_cap` plies.
    #[must_use]
    pub fn new(board: B, ply_cap: Plies) -> Self {
        ConnectFour { board, ply_cap }
    }

    /// Board of the game.
    #[must_use]
    pub fn board(&self) -> &B {
        &self.board
    }

    /// Bits of a column, without the one above it.
    #[inline]
    pub(super) fn column_bits(&self, col: u32) -> B::Bits {
        B::Bits::lowest_bits(self.board.rows()) << (col * (self.board.rows() + 1))
    }

    #[inline]
    pub(super) fn cell(&self, row: u32, col: u32) -> u32 {
        col * (self.board.rows() + 1) + row
    }

    #[inline]
    fn top(&self, col: u32) -> u32 {
        self.cell(self.board.rows() - 1, col)
    }

    /// Number of stones in a column.
    #[inline]
    fn height(&self, all: B::Bits, col: u32) -> u32 {
        // Stones have no gap below them, so the lowest free cell is the height.
        (!(all >> self.cell(0, col))).lowest()
    }

    /// Returns whether `stones` have a line of `k`.
    #[inline]
    pub(super) fn has_line(&self, stones: B::Bits) -> bool {
        let (cols, rows, k) = (self.board.cols(), self.board.rows(), self.board.k());
        let step = rows + 1;
        // One shift per direction: up, right, and the two diagonals.
        (k <= rows && has_run(stones, 1, k))
            || (k <= cols && has_run(stones, step, k))
            || (k <= rows.min(cols)
                && (has_run(stones, step + 1, k) || has_run(stones, step - 1, k)))
    }

    #[inline]
    fn is_full(&self, all: B::Bits) -> bool {
        let top = self.board.bottom() << (self.board.rows() - 1);
        all & top == top
    }

    fn open(&self, all: B::Bits) -> Open {
        let mut open = Open { cols: [0; MAX_COLS], len: 0, next: [0; MAX_COLS] };
        for col in 0..self.board.cols() {
            let height = self.height(all, col);
            open.next[col as usize] = self.cell(height, col) as u16;
            if height < self.board.rows() {
                open.cols[open.len as usize] = col as u8;
                open.len += 1;
            }
        }
        open
    }
}

impl<B: Board> Game for ConnectFour<B> {
    type State = State<B::Bits>;
    type Move = u8;

    fn start(&self) -> Self::State {
        State { stones: [B::Bits::ZERO; 2], turn: Player::First }
    }

    #[inline]
    fn turn(&self, state: &Self::State) -> Player {
        state.turn
    }

    #[inline]
    fn outcome(&self, state: &Self::State) -> Option<Outcome> {
        let last = state.turn.other();
        if self.has_line(state.stones[last.index()]) {
            return Some(Outcome::win_of(last));
        }
        self.is_full(state.stones[0] | state.stones[1]).then_some(Outcome::Draw)
    }

    #[inline]
    fn moves_into(&self, state: &Self::State, moves: &mut Vec<u8>) {
        let all = state.stones[0] | state.stones[1];
        moves.clear();
        moves.extend(
            (0..self.board.cols()).filter(|&col| !all.has(self.top(col))).map(|col| col as u8),
        );
    }

    #[inline]
    fn play(&self, state: &mut Self::State, col: u8) {
        debug_assert!(self.is_legal(state, col), "column {col} takes no stone");
        let all = state.stones[0] | state.stones[1];
        let cell = self.cell(self.height(all, u32::from(col)), u32::from(col));
        state.stones[state.turn.index()] |= B::Bits::bit(cell);
        state.turn = state.turn.other();
    }

    #[inline]
    fn move_count(&self, state: &Self::State) -> u32 {
        let all = state.stones[0] | state.stones[1];
        (0..self.board.cols()).filter(|&col| !all.has(self.top(col))).count() as u32
    }

    #[inline]
    fn is_legal(&self, state: &Self::State, col: u8) -> bool {
        let (all, col) = (state.stones[0] | state.stones[1], u32::from(col));
        col < self.board.cols() && !all.has(self.top(col))
    }

    fn random_move<R: Rng + ?std::marker::Sized>(
        &self,
        state: &Self::State,
        rng: &mut R,
    ) -> Option<u8> {
        if self.outcome(state).is_some() {
            return None;
        }
        let open = self.open(state.stones[0] | state.stones[1]);
        Some(open.cols[uniform_below(rng, open.len) as usize])
    }

    #[inline]
    fn playout<R: Rng + ?std::marker::Sized>(
        &self,
        state: &mut Self::State,
        limits: PlayoutLimits,
        rng: &mut R,
    ) -> Playout {
        if let Some(outcome) = self.outcome(state) {
            return Playout { outcome, plies: Plies(0), capped: false };
        }
        let mut open = self.open(state.stones[0] | state.stones[1]);
        let mut side = state.turn;
        let (mut own, mut other) = (state.stones[side.index()], state.stones[side.other().index()]);
        let mut plies = 0;
        let (outcome, capped) = loop {
            if plies == limits.plies_left.0 {
                break (Outcome::Draw, true);
            }
            let slot = uniform_below(rng, open.len) as usize;
            let col = usize::from(open.cols[slot]);
            let cell = u32::from(open.next[col]);
            open.next[col] += 1;
            own |= B::Bits::bit(cell);
            plies += 1;
            if self.has_line(own) {
                break (Outcome::win_of(side), false);
            }
            if cell == self.top(col as u32) {
                open.len -= 1;
                if open.len == 0 {
                    break (Outcome::Draw, false);
                }
                open.cols[slot] = open.cols[open.len as usize];
            }
            std::mem::swap(&mut own, &mut other);
            side = side.other();
        };
        // Unless the cap ended the loop, it ended before the sides were swapped.
        let (mover, waiting) = if capped { (side, side.other()) } else { (side.other(), side) };
        let (mover_stones, waiting_stones) = if capped { (own, other) } else { (other, own) };
        state.stones[mover.index()] = mover_stones;
        state.stones[waiting.index()] = waiting_stones;
        state.turn = mover;
        Playout { outcome, plies: Plies(plies), capped }
    }

    fn ply_cap(&self) -> Plies {
        self.ply_cap
    }

    /// Every move fills a cell.
    fn plies_max(&self) -> Option<Plies> {
        Some(Plies(self.board.cols() * self.board.rows()))
    }
}

impl<B: Board> Keyed for ConnectFour<B> {
    /// First player's stones in each column, below a marker bit in the lowest free cell. The other
    /// stones below the marker are the second player's. The number of stones determines the player
    /// to move.
    type Key = <B::Bits as Word>::Packed;

    #[inline]
    fn key(&self, state: &Self::State) -> Self::Key {
        let all = state.stones[0] | state.stones[1];
        // Stones have no gap below them, so above each column's stones there is one cell that is
        // free and either the lowest or above a stone.
        let markers = (all << 1 | self.board.bottom()) & !all;
        (state.stones[0] | markers).pack()
    }

    #[inline]
    fn unkey(&self, key: Self::Key) -> Self::State {
        let key = B::Bits::unpack(key);
        // The marker is the highest bit of its column. The bits below it are filled, and the bit
        // above a column cannot come from the next one.
        let inside = !(self.board.bottom() << self.board.rows());
        let mut filled = key;
        for _ in 0..self.board.rows() {
            filled |= filled >> 1 & inside;
        }
        let all = filled >> 1 & inside;
        let first = key & all;
        State { stones: [first, all & !first], turn: Player::BOTH[(all.count() % 2) as usize] }
    }

    fn try_unkey(&self, key: Self::Key) -> Option<Self::State> {
        let bits = self.board.cols() * (self.board.rows() + 1);
        let on_board = (B::Bits::unpack(key) & !B::Bits::lowest_bits(bits)).is_zero();
        let state = on_board.then(|| self.unkey(key)).filter(|state| self.key(state) == key)?;
        PositionErrors::none_in(state, |state, errors| self.check(state, errors))
    }
}

impl<B: Board<Bits = u64>> Indexed for ConnectFour<B> {
    /// Each column has one bit more than it has rows. One index in 8 is a reachable position on 5 x
    /// 4 cells, one in 15 on 5 x 5 and on 6 x 4.
    fn index_len(&self) -> u64 {
        let bits = self.board.cols() * (self.board.rows() + 1);
        1u64.checked_shl(bits).unwrap_or(u64::MAX)
    }
}

impl<B: Board> Tiered for ConnectFour<B> {
    /// The number of stones.
    fn tier(&self, state: &Self::State) -> u32 {
        (state.stones[0] | state.stones[1]).count()
    }
}

impl<B: Board> Symmetric for ConnectFour<B> {
    /// Number of symmetries: the identity and the mirror image, or 1 for a single column.
    fn symmetry_count(&self) -> usize {
        if self.board.cols() == 1 { 1 } else { 2 }
    }

    fn map_state(&self, symmetry: usize, state: &Self::State) -> Self::State {
        if symmetry == 0 {
            return *state;
        }
        let (cols, step) = (self.board.cols(), self.board.rows() + 1);
        let mirrored = state.stones.map(|stones| {
            (0..cols).fold(B::Bits::ZERO, |image, col| {
                let column = (stones & self.column_bits(col)) >> (col * step);
                image | column << ((cols - 1 - col) * step)
            })
        });
        State { stones: mirrored, turn: state.turn }
    }

    fn map_move(&self, symmetry: usize, col: u8) -> u8 {
        if symmetry == 0 { col } else { self.board.cols() as u8 - 1 - col }
    }
}
