//! The board, the moves and the score.

use std::fmt::Debug;
use std::marker::PhantomData;
use std::sync::Arc;

use rand_core::Rng;
use treegauge_core::{
    Game, Graded, KeyCode, Keyed, Outcome, Player, Playout, PlayoutLimits, Plies, Symmetric,
    Tiered, uniform_below,
};

use super::notation::check;
use crate::position::PositionErrors;
use treegauge_bits::{Choices, Word, copy_without, each_bit, has_bit, nth_by_limb};

/// Size of a board and the bits that hold its lines.
///
/// The number of a line is its bit, and also the move that draws it. First come the horizontal
/// lines row by row from the bottom, then the vertical ones. With 2 x 2 boxes, numbered in their
/// middle:
///
/// ```text
/// + 4 + 5 +      + h31 + h32 +
/// 9 2 10 3 11    v21  v22  v23
/// + 2 + 3 +      + h21 + h22 +
/// 6 0 7 1 8      v11  v12  v13
/// + 0 + 1 +      + h11 + h12 +
/// ```
///
/// Example: the lower left box is closed by the lines `0b1100_0101` (h11, h21, v11 and v12).
pub trait Board: Clone + Debug + Send + Sync + 'static {
    /// Word that holds the lines.
    type Bits: Word;
    /// Key of a position.
    type Key: KeyCode;
    /// Number of rows of boxes, 1 to 15.
    fn rows(&self) -> u32;
    /// Number of columns of boxes, 1 to 15.
    fn cols(&self) -> u32;
    /// Boxes next to each line.
    fn sides(&self) -> &[Side];
    /// Packs lines and further data of at most 9 bits into a key.
    fn pack(&self, lines: Self::Bits, rest: u16) -> Self::Key;
    /// Unpacks the lines and the further data of a key.
    fn unpack(&self, key: Self::Key) -> (Self::Bits, u16);
}

/// Line and the boxes next to it.
///
/// The box in row r and column c, both from 0, has the number `r * cols + c`. At the edge of the
/// board the missing second box has the number 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    line: u16,
    boxes: [u8; 2],
}

/// Number of a missing box: boxes are numbered from 0 to at most 224.
const OUTSIDE: u8 = 255;

/// Greatest number of lines of a board: 15 x 15 boxes.
const MAX_LINES: usize = 480;

/// Sides of a board; the first [`line_count`] entries are filled.
const fn sides_of<const N: usize>(rows: u32, cols: u32) -> [Side; N] {
    let mut sides = [Side { line: 0, boxes: [OUTSIDE; 2] }; N];
    let across = (rows + 1) * cols;
    let mut line = 0;
    while line < line_count(rows, cols) {
        // The boxes below and above a horizontal line, left and right of a vertical one.
        let (row, col, below) = if line < across {
            (line / cols, line % cols, cols)
        } else {
            ((line - across) / (cols + 1), (line - across) % (cols + 1), 1)
        };
        let number = row * cols + col;
        let before = if line < across { row > 0 } else { col > 0 };
        let after = if line < across { row < rows } else { col < cols };
        sides[line as usize] = Side {
            line: line as u16,
            boxes: [
                if before { (number - below) as u8 } else { OUTSIDE },
                if after { number as u8 } else { OUTSIDE },
            ],
        };
        line += 1;
    }
    sides
}

/// Number of lines around `rows` x `cols` boxes.
const fn line_count(rows: u32, cols: u32) -> u32 {
    (rows + 1) * cols + rows * (cols + 1)
}

/// Board with a size known to the compiler, with at most 58 lines.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fixed<const ROWS: u32, const COLS: u32>;

impl<const ROWS: u32, const COLS: u32> Fixed<ROWS, COLS> {
    const SIDES: [Side; 64] = {
        assert!(
            ROWS >= 1 && COLS >= 1 && line_count(ROWS, COLS) <= 58,
            "a board of up to 58 lines"
        );
        sides_of(ROWS, COLS)
    };
}

impl<const ROWS: u32, const COLS: u32> Board for Fixed<ROWS, COLS> {
    type Bits = u64;
    /// The lines, and above them the further data, which is at most 2 * 25 + 1 < 64.
    type Key = u64;

    #[inline]
    fn rows(&self) -> u32 {
        ROWS
    }
    #[inline]
    fn cols(&self) -> u32 {
        COLS
    }
    #[inline]
    fn sides(&self) -> &[Side] {
        const { Self::SIDES.split_at(line_count(ROWS, COLS) as usize).0 }
    }
    #[inline]
    fn pack(&self, lines: u64, rest: u16) -> u64 {
        lines | u64::from(rest) << 58
    }
    #[inline]
    fn unpack(&self, key: u64) -> (u64, u16) {
        (key & ((1 << 58) - 1), (key >> 58) as u16)
    }
}

/// Board of any size with lines that fit a word.
#[derive(Clone, Debug)]
pub struct Sized<W> {
    rows: u32,
    cols: u32,
    sides: Arc<[Side]>,
    word: PhantomData<fn() -> W>,
}

impl<W: Word> Sized<W> {
    /// Number of bits that a board takes: one for each line.
    #[must_use]
    pub const fn bits(rows: u32, cols: u32) -> u32 {
        line_count(rows, cols)
    }

    /// Creates a board of `rows` x `cols` boxes, both 1 to 15.
    ///
    /// # Panics
    ///
    /// When a number is out of range or the lines do not fit the word.
    #[must_use]
    pub fn new(rows: u32, cols: u32) -> Self {
        let range = 1..=15;
        assert!(
            range.contains(&rows) && range.contains(&cols),
            "invalid board size {rows} x {cols}"
        );
        let lines = line_count(rows, cols);
        assert!(lines <= W::BITS, "{rows} x {cols} boxes do not fit the word");
        let sides = &sides_of::<MAX_LINES>(rows, cols)[..lines as usize];
        Sized { rows, cols, sides: sides.into(), word: PhantomData }
    }
}

impl<W: Word> Board for Sized<W> {
    type Bits = W;
    type Key = (W::Packed, u16);

    #[inline]
    fn rows(&self) -> u32 {
        self.rows
    }
    #[inline]
    fn cols(&self) -> u32 {
        self.cols
    }
    #[inline]
    fn sides(&self) -> &[Side] {
        &self.sides
    }
    #[inline]
    fn pack(&self, lines: W, rest: u16) -> Self::Key {
        (lines.pack(), rest)
    }
    #[inline]
    fn unpack(&self, (lines, rest): Self::Key) -> (W, u16) {
        (W::unpack(lines), rest)
    }
}

/// Rules of Dots and Boxes on a board.
#[derive(Clone, Debug)]
pub struct DotsAndBoxes<B> {
    board: B,
    ply_cap: Plies,
}

/// The game on 4 x 4 boxes.
pub type Standard = DotsAndBoxes<Fixed<4, 4>>;

/// Lines drawn, boxes of the first and of the second player, and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<W> {
    pub(super) lines: W,
    pub(super) boxes: [u8; 2],
    pub(super) turn: Player,
}

impl<B: Board> DotsAndBoxes<B> {
    /// Creates the game on a board, stopped as capped after `ply_cap` plies.
    #[must_use]
    pub fn new(board: B, ply_cap: Plies) -> Self {
        DotsAndBoxes { board, ply_cap }
    }

    /// Board of the game.
    #[must_use]
    pub fn board(&self) -> &B {
        &self.board
    }

    #[inline]
    pub(super) fn line_count(&self) -> u32 {
        line_count(self.board.rows(), self.board.cols())
    }

    #[inline]
    fn box_count(&self) -> u32 {
        self.board.rows() * self.board.cols()
    }

    #[inline]
    fn undrawn(&self, state: &State<B::Bits>) -> B::Bits {
        B::Bits::lowest_bits(self.line_count()) & !state.lines
    }

    /// Bit of the horizontal line in row `row` (0 to `rows`) and column `col`.
    #[inline]
    pub(super) fn across(&self, row: u32, col: u32) -> u32 {
        row * self.board.cols() + col
    }

    /// Bit of the vertical line in row `row` and column `col` (0 to `cols`).
    #[inline]
    pub(super) fn upright(&self, row: u32, col: u32) -> u32 {
        let cols = self.board.cols();
        (self.board.rows() + 1) * cols + row * (cols + 1) + col
    }

    /// Orientation (true if horizontal), row and column of a line, from its bit.
    #[inline]
    pub(super) fn place(&self, line: u32) -> (bool, u32, u32) {
        let cols = self.board.cols();
        let across = (self.board.rows() + 1) * cols;
        if line < across {
            (true, line / cols, line % cols)
        } else {
            (false, (line - across) / (cols + 1), (line - across) % (cols + 1))
        }
    }

    /// Returns whether all four sides of a box are among `lines`.
    #[inline]
    pub(super) fn is_closed(&self, lines: B::Bits, row: u32, col: u32) -> bool {
        // Evaluates all four without a branch that could be mispredicted.
        has_bit(lines, self.across(row, col))
            & has_bit(lines, self.across(row + 1, col))
            & has_bit(lines, self.upright(row, col))
            & has_bit(lines, self.upright(row, col + 1))
    }

    /// Number of boxes with all sides among `lines`.
    pub(super) fn closed_count(&self, lines: B::Bits) -> u32 {
        let cols = self.board.cols();
        (0..self.box_count()).filter(|n| self.is_closed(lines, n / cols, n % cols)).count() as u32
    }

    /// Plays out an unfinished position with room for `N` lines, a power of two.
    ///
    /// Every game draws all lines, so a playout is a shuffle of those not drawn. They are a list
    /// from which drawn ones are swapped out, copied piece by piece while few are drawn. Each box
    /// counts its missing sides; the count of [`OUTSIDE`] never reaches zero. The owner of a box is
    /// computed without a branch, since late in the game it is a coin flip whether a line closes
    /// one.
    #[inline]
    fn shuffle<const N: usize, R: Rng + ?std::marker::Sized>(
        &self,
        state: &mut State<B::Bits>,
        limits: PlayoutLimits,
        rng: &mut R,
    ) -> Playout {
        let sides = self.board.sides();
        let mut list = [Side { line: 0, boxes: [OUTSIDE; 2] }; N];
        let mut lacking = [0u8; 256];
        let mut count = 0;
        if state.lines.count() as usize <= sides.len() / 4 {
            lacking = [4; 256];
            lacking[usize::from(OUTSIDE)] = 255;
            count = copy_without(sides, state.lines, &mut list);
            each_bit(state.lines, |line| {
                for n in sides[line as usize].boxes {
                    lacking[usize::from(n)] -= 1;
                }
            });
        } else {
            for (line, &side) in sides.iter().enumerate() {
                let undrawn = !has_bit(state.lines, line as u32);
                list[count % N] = side;
                count += usize::from(undrawn);
                for n in side.boxes {
                    lacking[n as usize] += u8::from(undrawn);
                }
            }
        }
        // At most 60 lines are on the edge.
        lacking[usize::from(OUTSIDE)] = 255;
        let last = count - count.min(limits.plies_left.0 as usize);
        let mut left = count;
        let mut choices = Choices::new(rng);
        // Boxes won in the playout: the first player's minus the second's, and all of them.
        let (mut margin, mut won) = (0i32, 0i32);
        let mut sign = state.turn.sign();
        while left > last {
            let n = choices.below(left as u32) as usize % N;
            left -= 1;
            let [a, b] = list[n].boxes.map(usize::from);
            list[n] = list[left % N];
            lacking[a] -= 1;
            lacking[b] -= 1;
            let closed = i32::from(lacking[a] == 0) + i32::from(lacking[b] == 0);
            margin += sign * closed;
            won += closed;
            sign = if closed == 0 { -sign } else { sign };
        }
        state.boxes[0] += ((won + margin) / 2) as u8;
        state.boxes[1] += ((won - margin) / 2) as u8;
        state.turn = if sign > 0 { Player::First } else { Player::Second };
        let mut undrawn = B::Bits::ZERO;
        for side in &list[..left % N] {
            undrawn.set(u32::from(side.line));
        }
        state.lines = B::Bits::lowest_bits(self.line_count()) & !undrawn;
        let capped = left > 0;
        let outcome = if capped { Outcome::Draw } else { self.outcome_of_margin(state) };
        Playout { outcome, plies: Plies((count - left) as u32), capped }
    }
}

impl<B: Board> Game for DotsAndBoxes<B> {
    type State = State<B::Bits>;
    type Move = u16;

    fn start(&self) -> Self::State {
        State { lines: B::Bits::ZERO, boxes: [0; 2], turn: Player::First }
    }

    #[inline]
    fn turn(&self, state: &Self::State) -> Player {
        state.turn
    }

    #[inline]
    fn outcome(&self, state: &Self::State) -> Option<Outcome> {
        // Every line is a side of a box: when all boxes are closed, all lines are drawn.
        let closed = u32::from(state.boxes[0]) + u32::from(state.boxes[1]);
        (closed == self.box_count()).then(|| self.outcome_of_margin(state))
    }

    #[inline]
    fn moves_into(&self, state: &Self::State, moves: &mut Vec<u16>) {
        moves.clear();
        each_bit(self.undrawn(state), |line| moves.push(line as u16));
    }

    #[inline]
    fn play(&self, state: &mut Self::State, line: u16) {
        debug_assert!(self.is_legal(state, line), "line {line} cannot be drawn");
        state.lines.set(u32::from(line) % B::Bits::BITS);
        let (is_across, row, col) = self.place(u32::from(line));
        let (rows, cols, lines) = (self.board.rows(), self.board.cols(), state.lines);
        let (before, after) = if is_across {
            (
                row > 0 && self.is_closed(lines, row - 1, col),
                row < rows && self.is_closed(lines, row, col),
            )
        } else {
            (
                col > 0 && self.is_closed(lines, row, col - 1),
                col < cols && self.is_closed(lines, row, col),
            )
        };
        state.boxes[state.turn.index()] += u8::from(before) + u8::from(after);
        if !(before || after) {
            state.turn = state.turn.other();
        }
    }

    #[inline]
    fn move_count(&self, state: &Self::State) -> u32 {
        self.undrawn(state).count()
    }

    #[inline]
    fn nth_move(&self, state: &Self::State, n: u32, _: &mut Vec<u16>) -> u16 {
        nth_by_limb(self.undrawn(state), n) as u16
    }

    #[inline]
    fn is_legal(&self, state: &Self::State, line: u16) -> bool {
        u32::from(line) < self.line_count() && !has_bit(state.lines, u32::from(line))
    }

    #[inline]
    fn random_move<R: Rng + ?std::marker::Sized>(
        &self,
        state: &Self::State,
        rng: &mut R,
    ) -> Option<u16> {
        let undrawn = self.undrawn(state);
        let count = undrawn.count();
        (count > 0).then(|| nth_by_limb(undrawn, uniform_below(rng, count)) as u16)
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
        // Clearing a list of 512 lines for every playout measured a fifth slower on 4 x 4 boxes.
        if self.line_count() <= 64 {
            self.shuffle::<64, R>(state, limits, rng)
        } else {
            self.shuffle::<512, R>(state, limits, rng)
        }
    }

    fn ply_cap(&self) -> Plies {
        self.ply_cap
    }

    /// Every move draws a line.
    fn plies_max(&self) -> Option<Plies> {
        Some(Plies(line_count(self.board.rows(), self.board.cols())))
    }
}

impl<B: Board> Keyed for DotsAndBoxes<B> {
    /// The lines, then twice the first player's boxes, plus 1 if the second player is to move. The
    /// second player has the other closed boxes.
    type Key = B::Key;

    #[inline]
    fn key(&self, state: &Self::State) -> Self::Key {
        let turn = u16::from(state.turn == Player::Second);
        self.board.pack(state.lines, u16::from(state.boxes[0]) << 1 | turn)
    }

    fn unkey(&self, key: Self::Key) -> Self::State {
        let (lines, rest) = self.board.unpack(key);
        let first = (rest >> 1) as u8;
        let second = self.closed_count(lines) as u8 - first;
        State { lines, boxes: [first, second], turn: Player::BOTH[usize::from(rest & 1)] }
    }

    fn try_unkey(&self, key: Self::Key) -> Option<Self::State> {
        let (lines, rest) = self.board.unpack(key);
        let all = B::Bits::lowest_bits(self.board.sides().len() as u32);
        let on_board = (lines & !all).is_zero();
        let closed = on_board.then(|| self.closed_count(lines))?;
        let state = (u32::from(rest >> 1) <= closed).then(|| self.unkey(key))?;
        PositionErrors::none_in(state, |state, errors| check(state, closed, errors))
    }
}

impl<B: Board> Tiered for DotsAndBoxes<B> {
    /// The number of lines drawn.
    #[inline]
    fn tier(&self, state: &Self::State) -> u32 {
        state.lines.count()
    }
}

impl<B: Board> Graded for DotsAndBoxes<B> {
    const UNIT: [&'static str; 2] = ["box", "boxes"];

    /// Boxes of the first player minus boxes of the second.
    #[inline]
    fn margin(&self, state: &Self::State) -> i32 {
        i32::from(state.boxes[0]) - i32::from(state.boxes[1])
    }
}

impl<B: Board> Symmetric for DotsAndBoxes<B> {
    /// Number of symmetries: eight for a square board, four for any other.
    fn symmetry_count(&self) -> usize {
        if self.board.rows() == self.board.cols() { 8 } else { 4 }
    }

    fn map_state(&self, symmetry: usize, state: &Self::State) -> Self::State {
        let mut lines = B::Bits::ZERO;
        each_bit(state.lines, |line| {
            lines.set(u32::from(self.map_move(symmetry, line as u16)));
        });
        State { lines, ..*state }
    }

    /// Bit 2 of `symmetry` exchanges rows and columns, then bit 0 mirrors left and right and
    /// bit 1 below and above.
    #[inline]
    fn map_move(&self, symmetry: usize, line: u16) -> u16 {
        let (rows, cols) = (self.board.rows(), self.board.cols());
        let (mut is_across, mut row, mut col) = self.place(u32::from(line));
        if symmetry & 4 != 0 {
            (is_across, row, col) = (!is_across, col, row);
        }
        // Horizontal lines have one more row than boxes, vertical lines one more column.
        if symmetry & 1 != 0 {
            col = cols - u32::from(is_across) - col;
        }
        if symmetry & 2 != 0 {
            row = rows - u32::from(!is_across) - row;
        }
        (if is_across { self.across(row, col) } else { self.upright(row, col) }) as u16
    }
}
