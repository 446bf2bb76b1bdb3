//! The board, the moves and the end of the game.

use std::fmt::Debug;

use rand_core::Rng;
use treegauge_core::{
    Game, KeyCode, Keyed, Outcome, Player, Playout, PlayoutLimits, Plies, Symmetric, Tiered,
    uniform_below,
};

use crate::position::PositionErrors;
use crate::square::{has_line_of_nine, image, nth_of_nine};
use treegauge_bits::{Choices, Word, each_bit, has_bit, nth_by_limb, take};

/// Size of a board, rule of lines, and bits that hold the stones.
///
/// Bit `row * size + col` is the cell in column `col` and row `row`, both from 0 at the lower
/// left; it is also the move that puts a stone there. On the 3 x 3 board:
///
/// ```text
///  6  7  8    row 3
///  3  4  5
///  0  1  2    row 1
///  a  b  c
/// ```
///
/// Example: after `b2` by the first player and `c3` by the second, the first player's stones are `1
/// << 4` and the second player's `1 << 8`.
pub trait Board: Clone + Debug + Send + Sync + 'static {
    /// Word that holds one player's stones.
    type Bits: Word;
    /// Key of a position: the stones of both players, packed.
    type Key: KeyCode;
    /// Number of rows, and of columns, 1 to 20.
    fn size(&self) -> u32;
    /// Length of a line that ends the game. If it is more than `size`, no line is possible.
    fn k(&self) -> u32;
    /// Returns whether a line loses.
    fn misere(&self) -> bool;
    /// Cells where lines may begin.
    fn begins(&self) -> Begins<Self::Bits>;
    /// Packs the first and the second player's stones into a key.
    fn pack(&self, stones: [Self::Bits; 2]) -> Self::Key;
    /// Unpacks the stones of a key.
    fn unpack(&self, key: Self::Key) -> [Self::Bits; 2];
}

/// Cells in which lines of `k` may begin. Rows have no gap between them, so a line to the right
/// must not begin where it would run on into the next row.
#[derive(Clone, Copy, Debug)]
pub struct Begins<W> {
    /// Cells with `k - 1` columns to the right, for rows and rising diagonals.
    rightward: W,
    /// Cells with `k - 1` columns to the left, for falling diagonals read upwards.
    leftward: W,
    /// All cells.
    all: W,
}

/// Board with a size known to the compiler, at most 4 x 4, where a line wins.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fixed<const SIZE: u32, const K: u32>;

impl<const SIZE: u32, const K: u32> Fixed<SIZE, K> {
    const BEGINS: Begins<u64> = {
        assert!(SIZE >= 1 && SIZE <= 4 && K >= 1, "the board is at most 4 x 4");
        let mut begins = Begins { rightward: 0, leftward: 0, all: 0 };
        let mut cell = 0;
        while cell < SIZE * SIZE {
            let col = cell % SIZE;
            begins.rightward |= ((col + K <= SIZE) as u64) << cell;
            begins.leftward |= ((col + 1 >= K) as u64) << cell;
            begins.all |= 1 << cell;
            cell += 1;
        }
        begins
    };
}

impl<const SIZE: u32, const K: u32> Board for Fixed<SIZE, K> {
    type Bits = u64;
    /// Second player's stones above the first player's 16 bits.
    type Key = u32;

    #[inline]
    fn size(&self) -> u32 {
        SIZE
    }
    #[inline]
    fn k(&self) -> u32 {
        K
    }
    #[inline]
    fn misere(&self) -> bool {
        false
    }
    #[inline]
    fn begins(&self) -> Begins<u64> {
        Self::BEGINS
    }
    #[inline]
    fn pack(&self, stones: [u64; 2]) -> u32 {
        (stones[0] | stones[1] << 16) as u32
    }
    #[inline]
    fn unpack(&self, key: u32) -> [u64; 2] {
        [u64::from(key & 0xffff), u64::from(key >> 16)]
    }
}

/// Board of any size that fits its word.
#[derive(Clone, Copy, Debug)]
pub struct Sized<W> {
    size: u32,
    k: u32,
    misere: bool,
    begins: Begins<W>,
}

impl<W: Word> Sized<W> {
    /// Number of bits that a board takes.
    #[must_use]
    pub const fn bits(size: u32) -> u32 {
        size * size
    }

    /// Creates a board of `size` x `size` cells, `size` 1 to 20, where `k` in a line win, or lose
    /// with `misere`.
    ///
    /// # Panics
    ///
    /// When a number is 0, `size` is above 20 or the board does not fit the word.
    #[must_use]
    pub fn new(size: u32, k: u32, misere: bool) -> Self {
        assert!((1..=20).contains(&size) && k >= 1, "invalid size {size} with {k} in a line");
        assert!(Self::bits(size) <= W::BITS, "size {size} does not fit the word");
        let cells = |fits: &dyn Fn(u32) -> bool| {
            let chosen = (0..size * size).filter(|cell| fits(cell % size));
            chosen.fold(W::ZERO, |word, cell| word | W::bit(cell))
        };
        let begins = Begins {
            rightward: cells(&|col| size - col >= k),
            leftward: cells(&|col| col + 1 >= k),
            all: W::lowest_bits(size * size),
        };
        Sized { size, k, misere, begins }
    }
}

impl<W: Word> Board for Sized<W> {
    type Bits = W;
    type Key = [W::Packed; 2];

    #[inline]
    fn size(&self) -> u32 {
        self.size
    }
    #[inline]
    fn k(&self) -> u32 {
        self.k
    }
    #[inline]
    fn misere(&self) -> bool {
        self.misere
    }
    #[inline]
    fn begins(&self) -> Begins<W> {
        self.begins
    }
    #[inline]
    fn pack(&self, stones: [W; 2]) -> Self::Key {
        stones.map(W::pack)
    }
    #[inline]
    fn unpack(&self, key: Self::Key) -> [W; 2] {
        key.map(W::unpack)
    }
}

/// Rules of Tic-tac-toe on a board.
#[derive(Clone, Debug)]
pub struct TicTacToe<B> {
    board: B,
    ply_cap: Plies,
}

/// The usual game: 3 x 3, three in a line win.
pub type Standard = TicTacToe<Fixed<3, 3>>;

/// Stones of both players and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<W> {
    pub(super) stones: [W; 2],
    pub(super) turn: Player,
}

impl<B: Board> TicTacToe<B> {
    /// Creates the game on a board, stopped as capped after `ply_cap` plies.
    #[must_use]
    pub fn new(board: B, ply_cap: Plies) -> Self {
        TicTacToe { board, ply_cap }
    }

    /// Board of the game.
    #[must_use]
    pub fn board(&self) -> &B {
        &self.board
    }

    #[inline]
    fn free(&self, state: &State<B::Bits>) -> B::Bits {
        self.board.begins().all & !(state.stones[0] | state.stones[1])
    }

    /// Returns whether `stones` have a line of `k`.
    #[inline]
    pub(super) fn has_line(&self, stones: B::Bits) -> bool {
        let (size, k) = (self.board.size(), self.board.k());
        if size == 3 {
            return has_line_of_nine(stones.limb(0), k);
        }
        let begins = self.board.begins();
        k <= size
            && (!(runs(stones, 1, k) & begins.rightward).is_zero()
                || !runs(stones, size, k).is_zero()
                || !(runs(stones, size + 1, k) & begins.rightward).is_zero()
                || !(runs(stones, size - 1, k) & begins.leftward).is_zero())
    }

    /// Result when `player` has just made a line.
    #[inline]
    fn result_of_line(&self, player: Player) -> Outcome {
        Outcome::win_of(if self.board.misere() { player.other() } else { player })
    }

    /// Plays out an unfinished position on the 3 x 3 board.
    ///
    /// One 64-bit draw serves all its plies: the choices use up a factor of at most 9! < 2^18.5, so
    /// that each is uniform to within 2^-45.
    #[inline(always)]
    fn playout_of_nine<R: Rng + ?std::marker::Sized>(
        &self,
        state: &mut State<B::Bits>,
        limits: PlayoutLimits,
        rng: &mut R,
    ) -> Playout {
        let k = self.board.k();
        let mut side = state.turn;
        let mut own = state.stones[side.index()].limb(0);
        let mut other = state.stones[side.other().index()].limb(0);
        let mut free = !(own | other) & 511;
        let count = free.count_ones();
        let last = count.saturating_sub(limits.plies_left.0);
        let mut left = count;
        let mut fraction = rng.next_u64();
        let mut line = false;
        while left > last {
            let n = take(&mut fraction, left);
            let cell = 1 << nth_of_nine(free, n);
            free ^= cell;
            left -= 1;
            (own, other) = (other, own | cell);
            side = side.other();
            line = has_line_of_nine(other, k);
            if line {
                break;
            }
        }
        let (first, second) = if side == Player::First { (own, other) } else { (other, own) };
        *state = State { stones: [word(first), word(second)], turn: side };
        let outcome = if line { self.result_of_line(side.other()) } else { Outcome::Draw };
        Playout { outcome, plies: Plies(count - left), capped: !line && left > 0 }
    }

    /// Plays out an unfinished position on a board of any size.
    ///
    /// Taken cells are swapped out of a list of free ones, and every row, column and diagonal is a
    /// word of its own, so that a ply reads four small words whatever the size of the board.
    fn playout_of_any<R: Rng + ?std::marker::Sized>(
        &self,
        state: &mut State<B::Bits>,
        limits: PlayoutLimits,
        rng: &mut R,
    ) -> Playout {
        let (size, k) = (self.board.size(), self.board.k());
        let mut lines = [[0u32; LINES]; 2];
        for player in Player::BOTH {
            each_bit(state.stones[player.index()], |cell| {
                for (line, bit) in lines_of(size, cell / size, cell % size) {
                    lines[player.index()][line] |= bit;
                }
            });
        }
        // Cells are stored as row * 32 + column, so that no division is needed.
        let mut free = [0u16; MAX_CELLS];
        let mut left = 0;
        each_bit(self.free(state), |cell| {
            free[left as usize] = (cell / size * 32 + cell % size) as u16;
            left += 1;
        });
        let count = left;
        let last = count - count.min(limits.plies_left.0);
        let mut choices = Choices::new(rng);
        let mut stones = state.stones;
        let mut side = state.turn;
        let mut line = false;
        while left > last {
            let n = choices.below(left) as usize;
            left -= 1;
            let (row, col) = (u32::from(free[n] >> 5), u32::from(free[n] & 31));
            free[n] = free[left as usize];
            stones[side.index()].set(row * size + col);
            let mut longest = 0;
            for (line, bit) in lines_of(size, row, col) {
                let line = &mut lines[side.index()][line];
                *line |= bit;
                longest |= runs_in_line(*line, k);
            }
            side = side.other();
            line = longest != 0;
            if line {
                break;
            }
        }
        *state = State { stones, turn: side };
        let outcome = if line { self.result_of_line(side.other()) } else { Outcome::Draw };
        Playout { outcome, plies: Plies(count - left), capped: !line && left > 0 }
    }
}

const MAX_CELLS: usize = 400;

/// Number of lines: 20 rows, 20 columns and twice 39 diagonals.
const LINES: usize = 118;

/// Numbers of the row, the column and the two diagonals through a cell, each with the bit of the
/// cell in it.
#[inline]
fn lines_of(size: u32, row: u32, col: u32) -> [(usize, u32); 4] {
    [
        (row as usize, 1 << col),
        (20 + col as usize, 1 << row),
        (40 + (row + size - 1 - col) as usize, 1 << row),
        (79 + (row + col) as usize, 1 << row),
    ]
}

/// Bits of `line` in which `k` set bits begin.
#[inline]
fn runs_in_line(line: u32, k: u32) -> u32 {
    // 20 cells never hold 21 stones, and shifts stay within the word.
    let k = k.min(21);
    let (mut begins, mut length) = (line, 1);
    while length < k {
        let more = length.min(k - length);
        begins &= begins >> more;
        length += more;
    }
    begins
}

/// Word with the given lowest 9 bits.
#[inline]
fn word<W: Word>(bits: u64) -> W {
    let mut word = W::ZERO;
    each_bit(bits, |i| word.set(i));
    word
}

/// Bits of `stones` in which `k` set bits at distances of `step` begin, regardless of rows.
/// `(k - 1) * step` must be less than the number of bits of the word.
///
/// Doubling: after `m &= m >> n * step`, bit i says that a run of twice the length begins at i.
#[inline]
fn runs<W: Word>(stones: W, step: u32, k: u32) -> W {
    let (mut begins, mut length) = (stones, 1);
    while length < k {
        let more = length.min(k - length);
        begins &= begins >> (more * step);
        length += more;
    }
    begins
}

impl<B: Board> Game for TicTacToe<B> {
    type State = State<B::Bits>;
    type Move = u16;

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
            return Some(self.result_of_line(last));
        }
        self.free(state).is_zero().then_some(Outcome::Draw)
    }

    #[inline]
    fn moves_into(&self, state: &Self::State, moves: &mut Vec<u16>) {
        moves.clear();
        each_bit(self.free(state), |cell| moves.push(cell as u16));
    }

    #[inline]
    fn play(&self, state: &mut Self::State, cell: u16) {
        debug_assert!(self.is_legal(state, cell), "cell {cell} takes no stone");
        // A cell off the board is an error of the caller, but must not panic.
        state.stones[state.turn.index()].set(u32::from(cell) % B::Bits::BITS);
        state.turn = state.turn.other();
    }

    #[inline]
    fn move_count(&self, state: &Self::State) -> u32 {
        self.free(state).count()
    }

    #[inline]
    fn nth_move(&self, state: &Self::State, n: u32, _: &mut Vec<u16>) -> u16 {
        nth_by_limb(self.free(state), n) as u16
    }

    #[inline]
    fn is_legal(&self, state: &Self::State, cell: u16) -> bool {
        let size = self.board.size();
        u32::from(cell) < size * size && has_bit(self.free(state), u32::from(cell))
    }

    #[inline]
    fn random_move<R: Rng + ?std::marker::Sized>(
        &self,
        state: &Self::State,
        rng: &mut R,
    ) -> Option<u16> {
        if self.outcome(state).is_some() {
            return None;
        }
        let free = self.free(state);
        Some(nth_by_limb(free, uniform_below(rng, free.count())) as u16)
    }

    #[inline(always)]
    fn playout<R: Rng + ?std::marker::Sized>(
        &self,
        state: &mut Self::State,
        limits: PlayoutLimits,
        rng: &mut R,
    ) -> Playout {
        if let Some(outcome) = self.outcome(state) {
            return Playout { outcome, plies: Plies(0), capped: false };
        }
        if self.board.size() == 3 {
            self.playout_of_nine(state, limits, rng)
        } else {
            self.playout_of_any(state, limits, rng)
        }
    }

    fn ply_cap(&self) -> Plies {
        self.ply_cap
    }

    /// Every move fills a cell.
    fn plies_max(&self) -> Option<Plies> {
        Some(Plies(self.board.size() * self.board.size()))
    }
}

impl<B: Board> Keyed for TicTacToe<B> {
    /// Stones of both players; their number determines the player to move.
    type Key = B::Key;

    #[inline]
    fn key(&self, state: &Self::State) -> Self::Key {
        self.board.pack(state.stones)
    }

    #[inline]
    fn unkey(&self, key: Self::Key) -> Self::State {
        let stones = self.board.unpack(key);
        let turn =
            if stones[0].count() == stones[1].count() { Player::First } else { Player::Second };
        State { stones, turn }
    }

    fn try_unkey(&self, key: Self::Key) -> Option<Self::State> {
        let state = self.unkey(key);
        let cells = B::Bits::lowest_bits(self.board.size() * self.board.size());
        let [first, second] = state.stones;
        let sound = (first & second).is_zero() && ((first | second) & !cells).is_zero();
        PositionErrors::none_in(sound.then_some(state)?, |state, errors| self.check(state, errors))
    }
}

impl<B: Board> Tiered for TicTacToe<B> {
    /// The number of stones.
    #[inline]
    fn tier(&self, state: &Self::State) -> u32 {
        (state.stones[0] | state.stones[1]).count()
    }
}

impl<B: Board> Symmetric for TicTacToe<B> {
    /// Number of symmetries: eight for the square. On a single cell they are all the same, and with
    /// `k` = 1 no unfinished position has a stone, so nothing distinguishes them.
    fn symmetry_count(&self) -> usize {
        if self.board.size() == 1 || self.board.k() == 1 { 1 } else { 8 }
    }

    fn map_state(&self, symmetry: usize, state: &Self::State) -> Self::State {
        let stones = state.stones.map(|stones| {
            let mut image = B::Bits::ZERO;
            each_bit(stones, |cell| {
                image.set(u32::from(self.map_move(symmetry, cell as u16)));
            });
            image
        });
        State { stones, turn: state.turn }
    }

    #[inline]
    fn map_move(&self, symmetry: usize, cell: u16) -> u16 {
        image(self.board.size(), symmetry, u32::from(cell)) as u16
    }
}
