//! The board, the moves and the end of the game.

use std::fmt::Debug;
use std::hint::select_unpredictable;

use rand_core::Rng;
use treegauge_core::{
    Game, Keyed, Outcome, Player, Playout, PlayoutLimits, Plies, Symmetric, Tiered, uniform_below,
};

use crate::position::PositionErrors;
use treegauge_bits::{Word, take};

/// Size of a board and the bits that hold it.
///
/// Bit `row * cols + col` is the cell in that row and column, both from 0 at the lower left. On
/// 5 x 4:
///
/// ```text
/// 15 16 17 18 19   row 4
/// 10 11 12 13 14
///  5  6  7  8  9
///  0  1  2  3  4   row 1
///  a  b  c  d  e
/// ```
///
/// Example: at the start the first player has bits 0 to 9. The move to the left, straight and to
/// the right adds 4, 5 and 6 to a bit; the second player's subtracts 6, 5 and 4. Rows are kept
/// apart by masks of the outer columns, not by a spare column, with which 8 x 8 would not fit 64
/// bits.
pub trait Board: Clone + Debug + Send + Sync + 'static {
    /// Word that holds one player's men.
    type Bits: Word;
    /// Number of columns, 2 to 16.
    fn cols(&self) -> u32;
    /// Number of rows, 4 to 16.
    fn rows(&self) -> u32;
    /// Cells from which a step stays on the board sideways, by direction (to the left, straight, to
    /// the right). The fourth entry makes the length a power of two.
    fn inside(&self) -> &[Self::Bits; 4];
}

/// Board with a size known to the compiler. At most 64 cells.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fixed<const COLS: u32, const ROWS: u32>;

impl<const COLS: u32, const ROWS: u32> Board for Fixed<COLS, ROWS> {
    type Bits = u64;
    #[inline]
    fn cols(&self) -> u32 {
        const { assert!(COLS >= 2 && ROWS >= 4 && COLS * ROWS <= 64) }
        COLS
    }
    #[inline]
    fn rows(&self) -> u32 {
        ROWS
    }
    #[inline]
    fn inside(&self) -> &[u64; 4] {
        const {
            let (mut left_edge, mut row) = (0, 0);
            while row < ROWS {
                left_edge |= 1 << (row * COLS);
                row += 1;
            }
            let all = u64::MAX >> (64 - COLS * ROWS);
            &[all & !left_edge, all, all & !(left_edge << (COLS - 1)), 0]
        }
    }
}

/// Board of any size that fits its word.
#[derive(Clone, Copy, Debug)]
pub struct Sized<W> {
    cols: u32,
    rows: u32,
    inside: [W; 4],
}

impl<W: Word> Sized<W> {
    /// Number of bits that a board takes.
    #[must_use]
    pub const fn bits(cols: u32, rows: u32) -> u32 {
        cols * rows
    }

    /// Creates a board of `cols` (2 to 16) x `rows` (4 to 16).
    ///
    /// # Panics
    ///
    /// When a number is out of range or the board does not fit the word.
    #[must_use]
    pub fn new(cols: u32, rows: u32) -> Self {
        assert!(
            (2..=16).contains(&cols) && (4..=16).contains(&rows),
            "invalid board size {cols} x {rows}"
        );
        assert!(Self::bits(cols, rows) <= W::BITS, "{cols} x {rows} does not fit the word");
        let left_edge = (0..rows).fold(W::ZERO, |edge, row| edge | W::bit(row * cols));
        let right_edge = left_edge << (cols - 1);
        let all = W::lowest_bits(cols * rows);
        Sized { cols, rows, inside: [all & !left_edge, all, all & !right_edge, W::ZERO] }
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
    fn inside(&self) -> &[W; 4] {
        &self.inside
    }
}

/// Rules of Breakthrough on a board.
#[derive(Clone, Debug)]
pub struct Breakthrough<B> {
    board: B,
    ply_cap: Plies,
}

/// The usual game: 8 x 8.
pub type Standard = Breakthrough<Fixed<8, 8>>;

/// Men of both players and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<W> {
    pub(super) men: [W; 2],
    pub(super) turn: Player,
}

/// Step of a man, as the bits of two cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Cell that the man leaves.
    pub from: u8,
    /// Cell that the man enters.
    pub to: u8,
}

/// Men that can go in each direction (to the left, straight, to the right).
type Movers<W> = [W; 3];

impl<B: Board> Breakthrough<B> {
    /// Creates the game on a board, stopped as capped after `ply_cap` plies.
    #[must_use]
    pub fn new(board: B, ply_cap: Plies) -> Self {
        Breakthrough { board, ply_cap }
    }

    /// Board of the game.
    #[must_use]
    pub fn board(&self) -> &B {
        &self.board
    }

    #[inline]
    pub(super) fn cell(&self, row: u32, col: u32) -> u32 {
        row * self.board.cols() + col
    }

    /// Row on which a man of `player` wins.
    #[inline]
    pub(super) fn far_row(&self, player: Player) -> B::Bits {
        let row = B::Bits::lowest_bits(self.board.cols());
        match player {
            Player::First => row << self.cell(self.board.rows() - 1, 0),
            Player::Second => row,
        }
    }

    /// Men that can go in each direction, for men that are not on their far row.
    #[inline]
    fn movers(&self, state: &State<B::Bits>) -> Movers<B::Bits> {
        let cols = self.board.cols();
        let own = state.men[state.turn.index()];
        let (not_own, empty) = (!own, !(state.men[0] | state.men[1]));
        let [inside_left, _, inside_right, _] = *self.board.inside();
        let (from_left, from_right) = (own & inside_left, own & inside_right);
        match state.turn {
            Player::First => [
                from_left & (not_own >> (cols - 1)),
                own & (empty >> cols),
                from_right & (not_own >> (cols + 1)),
            ],
            Player::Second => [
                from_left & (not_own << (cols + 1)),
                own & (empty << cols),
                from_right & (not_own << (cols - 1)),
            ],
        }
    }

    /// Step of a man in a direction: 0 to the left, 1 straight, 2 to the right.
    #[inline]
    fn step(&self, player: Player, from: u32, direction: u32) -> Move {
        let cols = self.board.cols();
        let to = match player {
            Player::First => from + cols - 1 + direction,
            Player::Second => from + direction - cols - 1,
        };
        Move { from: from as u8, to: to as u8 }
    }

    /// The `n`-th step in the order of [`Game::moves_into`]. `n` must be less than the number of
    /// steps.
    #[inline]
    fn nth(&self, player: Player, movers: Movers<B::Bits>, mut n: u32) -> Move {
        let [left, straight, _] = movers.map(B::Bits::count);
        let mut direction = 0;
        for count in [left, straight] {
            if n < count {
                break;
            }
            n -= count;
            direction += 1;
        }
        self.step(player, movers[direction as usize].nth(n), direction)
    }
}

impl<B: Board> Game for Breakthrough<B> {
    type State = State<B::Bits>;
    type Move = Move;

    fn start(&self) -> Self::State {
        let home = B::Bits::lowest_bits(2 * self.board.cols());
        State { men: [home, home << self.cell(self.board.rows() - 2, 0)], turn: Player::First }
    }

    #[inline]
    fn turn(&self, state: &Self::State) -> Player {
        state.turn
    }

    /// Result of the game. Only the player who has just moved can have won: with a man on the far
    /// row, or because the player to move has no men.
    #[inline]
    fn outcome(&self, state: &Self::State) -> Option<Outcome> {
        let last = state.turn.other();
        let through = !(state.men[last.index()] & self.far_row(last)).is_zero();
        (through || state.men[state.turn.index()].is_zero()).then(|| Outcome::win_of(last))
    }

    /// Lists all steps to the left, then straight ones, then those to the right (as the first
    /// player sees it), each by their man's cell from a1 row by row.
    #[inline]
    fn moves_into(&self, state: &Self::State, moves: &mut Vec<Move>) {
        moves.clear();
        for (direction, men) in (0..).zip(self.movers(state)) {
            moves.extend(men.ones().map(|from| self.step(state.turn, from, direction)));
        }
    }

    #[inline]
    fn play(&self, state: &mut Self::State, m: Move) {
        debug_assert!(self.is_legal(state, m), "{m:?} is not legal");
        let (own, other) = (state.turn.index(), state.turn.other().index());
        let to = B::Bits::bit(u32::from(m.to));
        state.men[own] ^= B::Bits::bit(u32::from(m.from)) | to;
        state.men[other] &= !to;
        state.turn = state.turn.other();
    }

    #[inline]
    fn move_count(&self, state: &Self::State) -> u32 {
        self.movers(state).into_iter().map(Word::count).sum()
    }

    #[inline]
    fn nth_move(&self, state: &Self::State, n: u32, _: &mut Vec<Move>) -> Move {
        let movers = self.movers(state);
        assert!(n < movers.into_iter().map(Word::count).sum(), "there is no move {n}");
        self.nth(state.turn, movers, n)
    }

    #[inline]
    fn is_legal(&self, state: &Self::State, m: Move) -> bool {
        let (cols, cells) = (self.board.cols(), self.board.cols() * self.board.rows());
        let (from, to) = (u32::from(m.from), u32::from(m.to));
        if from >= cells || to >= cells {
            return false;
        }
        let forward = match state.turn {
            Player::First => from / cols + 1 == to / cols,
            Player::Second => from / cols == to / cols + 1,
        };
        let own = state.men[state.turn.index()];
        let free = match (from % cols).abs_diff(to % cols) {
            0 => !(state.men[0] | state.men[1]).has(to),
            1 => !own.has(to),
            _ => false,
        };
        forward && free && own.has(from)
    }

    #[inline]
    fn random_move<R: Rng + ?std::marker::Sized>(
        &self,
        state: &Self::State,
        rng: &mut R,
    ) -> Option<Move> {
        if self.outcome(state).is_some() {
            return None;
        }
        let movers = self.movers(state);
        let n = uniform_below(rng, movers.into_iter().map(Word::count).sum());
        Some(self.nth(state.turn, movers, n))
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
        let mut walk = Walk::new(&self.board, state.men);
        // Copies apart from the lists, which are indexed and so must be in memory: these copies
        // stay in registers.
        let (mut men, mut len) = (state.men, state.men.map(Word::count));
        let mut skip_first = state.turn == Player::Second;
        let mut plies = 0;
        let capped = loop {
            // Each iteration plays two plies, so that the compiler knows which player moves.
            if !skip_first {
                if plies == limits.plies_left.0 {
                    break true;
                }
                plies += 1;
                if walk.ply_wins::<0, R>(&mut men, &mut len, rng) {
                    break false;
                }
            }
            skip_first = false;
            if plies == limits.plies_left.0 {
                break true;
            }
            plies += 1;
            if walk.ply_wins::<1, R>(&mut men, &mut len, rng) {
                break false;
            }
        };
        state.men = men;
        if plies % 2 == 1 {
            state.turn = state.turn.other();
        }
        let outcome = if capped { Outcome::Draw } else { Outcome::win_of(state.turn.other()) };
        Playout { outcome, plies: Plies(plies), capped }
    }

    fn ply_cap(&self) -> Plies {
        self.ply_cap
    }

    /// Every move brings one of the men of four rows a row further.
    fn plies_max(&self) -> Option<Plies> {
        Some(Plies(4 * self.board.cols() * (self.board.rows() - 1)))
    }
}

/// Lists of a random game in progress: each side's men to choose from.
///
/// A step is chosen by picking a man and one of three directions at random until they make a legal
/// step: every legal step is then equally likely, whatever the others are. Two in five draws are
/// refused. So two are made at once and the first good one is taken without a branch, so that the
/// remaining branch is mispredicted less often. Measured on 8 x 8 without popcnt, as fractions of
/// the speed of this method: one draw at a time 0.7; counting the bits of the three boards of
/// [`Movers`] and selecting one 0.5, and 0.65 with the work of both shared; a board of bytes in
/// place of bits 0.8.
struct Walk<'b, B: Board> {
    board: &'b B,
    /// Cells of opposing men that refuse a step, by direction: all or none.
    refusing: [B::Bits; 4],
    /// Cells of the men, in no order; only the first `len` of each list are valid.
    cells: [[u8; MEN_MAX]; 2],
    /// Place in the list, by the cell of a man.
    place: [u8; 256],
}

/// Greatest number of men: two rows of at most 16.
const MEN_MAX: usize = 32;

impl<'b, B: Board> Walk<'b, B> {
    fn new(board: &'b B, men: [B::Bits; 2]) -> Self {
        let none = B::Bits::ZERO;
        let mut walk = Walk {
            board,
            refusing: [none, !none, none, none],
            cells: [[0; MEN_MAX]; 2],
            place: [0; 256],
        };
        for (cells, men) in walk.cells.iter_mut().zip(men) {
            for (place, cell) in men.ones().enumerate() {
                cells[place % MEN_MAX] = cell as u8;
                walk.place[usize::from(cell as u8)] = place as u8;
            }
        }
        walk
    }

    /// Makes a random step of side `SIDE` and returns whether it wins. `men` are the boards and
    /// `len` the numbers of men.
    #[inline(always)]
    fn ply_wins<const SIDE: usize, R: Rng + ?std::marker::Sized>(
        &mut self,
        men: &mut [B::Bits; 2],
        len: &mut [u32; 2],
        rng: &mut R,
    ) -> bool {
        let other = 1 - SIDE;
        let (own_men, other_men) = (men[SIDE], men[other]);
        let (cols, rows) = (self.board.cols(), self.board.rows());
        let inside = self.board.inside();
        let (mut good, mut from, mut to, mut place) = (false, 0, 0, 0);
        while !good {
            // The four choices have at most 3 * 3 * 32 * 32 combinations, so all of them are
            // uniform to within 2^-50.
            let mut fraction = rng.next_u64();
            let mut choose = |n| take(&mut fraction, n);
            // The directions come first, since they need not wait for the number of men.
            for direction in [choose(3), choose(3)] {
                let new_place = choose(len[SIDE]);
                let new_from = u32::from(self.cells[SIDE][new_place as usize % MEN_MAX]);
                let new_to = if SIDE == 0 {
                    new_from + cols - 1 + direction
                } else {
                    (new_from + direction).wrapping_sub(cols + 1)
                };
                // Off the board any bit will do, since the step is refused. Shifting and masking
                // measured 1.4 times as fast as testing the bit of each board.
                let way = direction as usize % 4;
                let bit = new_to % B::Bits::BITS;
                let taken = (own_men | (other_men & self.refusing[way])) >> bit;
                let new_good = ((inside[way] >> new_from) & !taken).has(0);
                from = select_unpredictable(good, from, new_from);
                to = select_unpredictable(good, to, new_to);
                place = select_unpredictable(good, place, new_place);
                good |= new_good;
            }
        }
        let to_bit = B::Bits::bit(to);
        men[SIDE] = own_men ^ (B::Bits::bit(from) | to_bit);
        self.cells[SIDE][place as usize % MEN_MAX] = to as u8;
        let captured_place = self.place[usize::from(to as u8)];
        self.place[usize::from(to as u8)] = place as u8;
        if !(other_men & to_bit).is_zero() {
            men[other] = other_men ^ to_bit;
            // The last man of the list fills the gap, unless it is the captured one.
            len[other] -= 1;
            let moved = self.cells[other][len[other] as usize % MEN_MAX];
            if u32::from(moved) != to {
                self.cells[other][usize::from(captured_place) % MEN_MAX] = moved;
                self.place[usize::from(moved)] = captured_place;
            }
            if len[other] == 0 {
                return true;
            }
        }
        if SIDE == 0 { to >= cols * (rows - 1) } else { to < cols }
    }
}

impl<B: Board> Keyed for Breakthrough<B> {
    /// All men and the first player's men, in this order if the first player is to move and in the
    /// other order if the second is.
    ///
    /// The first player's men are a subset of all men, and a proper one whenever that player is to
    /// move: the other player has just moved a man. So the order can be recognized, and two words
    /// hold a state.
    type Key = [<B::Bits as Word>::Packed; 2];

    fn key(&self, state: &Self::State) -> Self::Key {
        let all = state.men[0] | state.men[1];
        match state.turn {
            Player::First => [all, state.men[0]].map(Word::pack),
            Player::Second => [state.men[0], all].map(Word::pack),
        }
    }

    fn unkey(&self, key: Self::Key) -> Self::State {
        let [a, b] = key.map(B::Bits::unpack);
        if (a & !b).is_zero() {
            State { men: [a, b & !a], turn: Player::Second }
        } else {
            State { men: [b, a & !b], turn: Player::First }
        }
    }

    fn try_unkey(&self, key: Self::Key) -> Option<Self::State> {
        let state = self.unkey(key);
        let cells = B::Bits::lowest_bits(self.board.rows() * self.board.cols());
        let on_board = ((state.men[0] | state.men[1]) & !cells).is_zero();
        let state = (on_board && self.key(&state) == key).then_some(state)?;
        PositionErrors::none_in(state, |state, errors| self.check(state, errors))
    }
}

impl<B: Board> Tiered for Breakthrough<B> {
    /// Number of rows that all men have advanced; a captured man counts as advanced by `rows`.
    ///
    /// Every move advances a man by one row. A captured man had advanced by at most `rows` - 1, so
    /// it never counts for less than before.
    fn tier(&self, state: &Self::State) -> u32 {
        let (cols, rows) = (self.board.cols(), self.board.rows());
        let row = |n: u32| B::Bits::lowest_bits(cols) << self.cell(n, 0);
        let (mut tier, mut men) = (0, 0);
        for n in 0..rows {
            let [first, second] = state.men.map(|men| (men & row(n)).count());
            tier += n * first + (rows - 1 - n) * second;
            men += first + second;
        }
        // The men of the start count as advanced already: by a row for each column and player.
        tier + rows * (4 * cols - men) - 2 * cols
    }
}

impl<B: Board> Symmetric for Breakthrough<B> {
    /// Number of symmetries: the identity and the mirror image.
    fn symmetry_count(&self) -> usize {
        2
    }

    fn map_state(&self, symmetry: usize, state: &Self::State) -> Self::State {
        if symmetry == 0 {
            return *state;
        }
        let cols = self.board.cols();
        let [inside_left, all, ..] = *self.board.inside();
        let first_column = all & !inside_left;
        let mirrored = state.men.map(|men| {
            (0..cols).fold(B::Bits::ZERO, |image, col| {
                image | ((men >> col) & first_column) << (cols - 1 - col)
            })
        });
        State { men: mirrored, turn: state.turn }
    }

    fn map_move(&self, symmetry: usize, m: Move) -> Move {
        if symmetry == 0 {
            return m;
        }
        let cols = self.board.cols();
        let mirrored = |cell: u8| {
            let (row, col) = (u32::from(cell) / cols, u32::from(cell) % cols);
            self.cell(row, cols - 1 - col) as u8
        };
        Move { from: mirrored(m.from), to: mirrored(m.to) }
    }
}
