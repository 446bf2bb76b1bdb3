//! The cube, the moves and the end of the game.

use rand_core::Rng;
use treegauge_core::{
    Game, Keyed, Outcome, Player, Playout, PlayoutLimits, Plies, Symmetric, Tiered,
};

use crate::position::PositionErrors;
use treegauge_bits::{Choices, copy_without, each_bit, nth_bit, random_bit};

/// The number of lines of the cube.
pub const LINES: u32 = 76;

/// The greatest number of lines that share no cell.
pub const LINES_APART: u32 = 16;

/// Rules of Qubic.
#[derive(Clone, Debug)]
pub struct Qubic {
    lines: u32,
    share: bool,
    ply_cap: Plies,
}

/// Stones of the first and of the second player. Their number determines the player to move.
///
/// Bit `16 * level + 4 * row + col` is a cell, its column, row and level all from 0; it is also
/// the move that puts a stone there. Level 1 has the lowest 16 bits:
///
/// ```text
/// 12 13 14 15    row 4
///  8  9 10 11
///  4  5  6  7
///  0  1  2  3    row 1
///  1  2  3  4
/// ```
///
/// Example: after `432` by the first player and `111` by the second, the first player's stones are
/// `1 << 27` (16 + 4 * 2 + 3) and the second player's `1 << 0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) stones: [u64; 2],
}

impl State {
    #[inline]
    fn free(self) -> u64 {
        !(self.stones[0] | self.stones[1])
    }

    /// Player to move, from the number of stones.
    #[inline]
    pub(super) fn turn(self) -> Player {
        if (self.stones[0] ^ self.stones[1]).count_ones() & 1 == 0 {
            Player::First
        } else {
            Player::Second
        }
    }
}

/// Cells in which the lines of one direction begin, and the distance of their cells.
#[derive(Clone, Copy)]
struct Direction {
    step: u32,
    begins: u64,
}

/// Half of the 26 directions in the cube; the others are the same lines in reverse.
const DIRECTIONS: &[Direction; 13] = &{
    let mut directions = [Direction { step: 0, begins: 0 }; 13];
    let mut n = 0;
    // The steps (-1, 0 or 1) along column, row and level are the digits of a number from 0 to 26;
    // 13 is standing still, and the numbers above it go up the bits.
    let mut steps = 14;
    while steps < 27 {
        let (dx, dy, dz) = (steps % 3 - 1, steps / 3 % 3 - 1, steps / 9 - 1);
        directions[n].step = (dx + 4 * dy + 16 * dz) as u32;
        let mut cell = 0;
        while cell < 64 {
            let (x, y, z) = (cell % 4, cell / 4 % 4, cell / 16);
            if begins(x, dx) && begins(y, dy) && begins(z, dz) {
                directions[n].begins |= 1 << cell;
            }
            cell += 1;
        }
        n += 1;
        steps += 1;
    }
    directions
};

/// Returns whether four cells from `at` on, in steps of `d`, lie in one coordinate's range of 0 to
/// 3.
const fn begins(at: i32, d: i32) -> bool {
    d == 0 || (d == 1 && at == 0) || (d == -1 && at == 3)
}

/// Set of the cells of every line.
const LINE_CELLS: &[u64; LINES as usize] = &{
    let mut lines = [0; LINES as usize];
    let (mut n, mut direction) = (0, 0);
    while direction < DIRECTIONS.len() {
        let Direction { step, begins } = DIRECTIONS[direction];
        let mut cell = 0;
        while cell < 64 {
            if begins >> cell & 1 == 1 {
                lines[n] = (1 | 1 << step | 1 << (2 * step) | 1 << (3 * step)) << cell;
                n += 1;
            }
            cell += 1;
        }
        direction += 1;
    }
    assert!(n == LINES as usize, "there are 76 lines");
    lines
};

/// Number of one player's stones on each line: 21 counts of three bits in each word.
type Counts = [u64; 4];

/// Counts of a single stone on each cell.
///
/// A count is at most 4, the only value with its highest bit set, so that four additions and masks
/// find the full lines.
const COUNTS_OF_CELL: &[Counts; 64] = &{
    let mut counts = [[0; 4]; 64];
    let mut line = 0;
    while line < LINE_CELLS.len() {
        let mut cell = 0;
        while cell < 64 {
            if LINE_CELLS[line] >> cell & 1 == 1 {
                counts[cell][line / 21] |= 1 << (3 * (line % 21));
            }
            cell += 1;
        }
        line += 1;
    }
    counts
};

/// Highest bit of every count in a word.
const FULL: u64 = {
    let (mut full, mut n) = (0, 0);
    while n < 21 {
        full |= 4 << (3 * n);
        n += 1;
    }
    full
};

/// All cells in their order.
const CELLS: &[u8; 64] = &{
    let mut cells = [0; 64];
    let mut cell = 0;
    while cell < 64 {
        cells[cell] = cell as u8;
        cell += 1;
    }
    cells
};

/// Number of symmetries.
const SYMMETRIES: usize = 192;

/// Image of each cell under every symmetry.
///
/// A symmetry permutes the places 0 to 3 on each axis, and then the axes. A permutation of places
/// must send the pair 0, 3 and the pair 1, 2 to such pairs, which eight do; on the three axes it
/// must be the same up to a reversal of the places. So there are 4 permutations up to reversal, 8
/// ways to reverse and 6 orders of the axes: 192.
const IMAGES: &[[u8; 64]; SYMMETRIES] = &{
    const PLACES: [[usize; 4]; 4] = [[0, 1, 2, 3], [0, 2, 1, 3], [1, 0, 3, 2], [1, 3, 0, 2]];
    const AXES: [[usize; 3]; 6] =
        [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let mut images = [[0; 64]; SYMMETRIES];
    let mut symmetry = 0;
    while symmetry < SYMMETRIES {
        let (places, reversed, axes) =
            (PLACES[symmetry % 4], symmetry / 4 % 8, AXES[symmetry / 32]);
        let mut cell = 0;
        while cell < 64 {
            let at = [cell % 4, cell / 4 % 4, cell / 16];
            let (mut image, mut axis) = (0, 0);
            while axis < 3 {
                let place = places[at[axis]];
                let place = if reversed >> axis & 1 == 1 { 3 - place } else { place };
                image |= place << (2 * axes[axis]);
                axis += 1;
            }
            images[symmetry][cell] = image as u8;
            cell += 1;
        }
        symmetry += 1;
    }
    images
};

/// Number of lines that `stones` fill.
pub(super) fn full_lines(stones: u64) -> u32 {
    DIRECTIONS.iter().map(|direction| full_lines_in(stones, direction).count_ones()).sum()
}

/// Cells in which the full lines of a direction begin.
#[inline]
fn full_lines_in(stones: u64, direction: &Direction) -> u64 {
    let pairs = stones & stones >> direction.step;
    pairs & pairs >> (2 * direction.step) & direction.begins
}

impl Qubic {
    /// Creates the game in which `lines` full lines win, 1 to [`LINES`], stopped as capped after
    /// `ply_cap` plies.
    ///
    /// # Panics
    ///
    /// When `lines` is out of its range.
    #[must_use]
    pub fn new(lines: u32, ply_cap: Plies) -> Self {
        assert!((1..=LINES).contains(&lines), "{lines} lines to win");
        Qubic { lines, share: true, ply_cap }
    }

    /// Counts only lines that share no cell with each other; the cube has at most [`LINES_APART`].
    ///
    /// # Panics
    ///
    /// When more lines are needed to win.
    #[must_use]
    pub fn with_lines_apart(self) -> Self {
        assert!(self.lines <= LINES_APART, "{} lines apart", self.lines);
        Qubic { share: false, ..self }
    }

    /// Number of lines that win.
    #[must_use]
    pub fn lines(&self) -> u32 {
        self.lines
    }

    /// Returns whether `stones` fill enough lines to win.
    #[inline]
    pub(super) fn wins(&self, stones: u64) -> bool {
        if self.lines == 1 {
            let full = DIRECTIONS.iter().fold(0, |full, d| full | full_lines_in(stones, d));
            return full != 0;
        }
        full_lines(stones) >= self.lines && (self.share || self.are_apart(stones))
    }

    /// Returns whether enough of the lines that `stones` fill share no cell.
    #[cold]
    fn are_apart(&self, stones: u64) -> bool {
        /// Returns whether `count` of the lines, none of them in a cell of `taken`, are apart.
        fn choose(lines: &[u64], taken: u64, count: u32) -> bool {
            let Some(rest) = count.checked_sub(1) else { return true };
            lines
                .iter()
                .enumerate()
                .any(|(n, line)| line & taken == 0 && choose(&lines[n + 1..], taken | line, rest))
        }
        let full: Vec<u64> =
            LINE_CELLS.iter().copied().filter(|line| stones & line == *line).collect();
        choose(&full, 0, self.lines)
    }
}

impl Game for Qubic {
    type State = State;
    type Move = u8;

    fn start(&self) -> State {
        State { stones: [0; 2] }
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        state.turn()
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        let last = state.turn().other();
        if self.wins(state.stones[last.index()]) {
            return Some(Outcome::win_of(last));
        }
        (state.free() == 0).then_some(Outcome::Draw)
    }

    #[inline]
    fn moves_into(&self, state: &State, moves: &mut Vec<u8>) {
        moves.clear();
        each_bit(state.free(), |cell| moves.push(cell as u8));
    }

    #[inline]
    fn play(&self, state: &mut State, cell: u8) {
        debug_assert!(self.is_legal(state, cell), "cell {cell} takes no stone");
        // A cell outside the cube is an error of the caller, but must not panic.
        state.stones[state.turn().index()] |= 1 << (cell & 63);
    }

    #[inline]
    fn move_count(&self, state: &State) -> u32 {
        state.free().count_ones()
    }

    #[inline]
    fn nth_move(&self, state: &State, n: u32, _: &mut Vec<u8>) -> u8 {
        nth_bit(state.free(), n) as u8
    }

    #[inline]
    fn is_legal(&self, state: &State, cell: u8) -> bool {
        cell < 64 && state.free() >> cell & 1 == 1
    }

    #[inline]
    fn random_move<R: Rng + ?Sized>(&self, state: &State, rng: &mut R) -> Option<u8> {
        if self.outcome(state).is_some() {
            return None;
        }
        Some(random_bit(state.free(), rng) as u8)
    }

    /// Plays random plies. Taken cells are swapped out of a list of free ones, which is copied
    /// piece by piece while few are taken. The stones on each line are counted as they are put
    /// down, so that a ply costs the same few words anywhere in the cube.
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
        let mut side = state.turn();
        let (mut own, mut other) = (state.stones[side.index()], state.stones[side.other().index()]);
        let (mut own_counts, mut other_counts) = (counts(own), counts(other));
        let mut free = [0u8; 64];
        let stones = own | other;
        let mut left = 0;
        if stones.count_ones() <= 16 {
            left = copy_without(CELLS, stones, &mut free) as u32;
        } else {
            each_bit(state.free(), |cell| {
                free[left as usize & 63] = cell as u8;
                left += 1;
            });
        }
        let count = left;
        let last = count - count.min(limits.plies_left.0);
        let mut choices = Choices::new(rng);
        let mut won = false;
        while left > last && !won {
            let n = choices.below(left) as usize & 63;
            left -= 1;
            let cell = free[n] & 63;
            free[n] = free[left as usize & 63];
            let stone = &COUNTS_OF_CELL[usize::from(cell)];
            for (count, stone) in own_counts.iter_mut().zip(stone) {
                *count += stone;
            }
            own |= 1 << cell;
            won = self.enough(&own_counts) && (self.share || self.are_apart(own));
            (own, other) = (other, own);
            (own_counts, other_counts) = (other_counts, own_counts);
            side = side.other();
        }
        state.stones[side.index()] = own;
        state.stones[side.other().index()] = other;
        let outcome = if won { Outcome::win_of(side.other()) } else { Outcome::Draw };
        Playout { outcome, plies: Plies(count - left), capped: !won && left > 0 }
    }

    fn ply_cap(&self) -> Plies {
        self.ply_cap
    }

    /// Every move fills a cell.
    fn plies_max(&self) -> Option<Plies> {
        Some(Plies(64))
    }
}

impl Qubic {
    /// Returns whether these counts of stones on the lines fill enough of them to win.
    #[inline]
    fn enough(&self, counts: &Counts) -> bool {
        let any = counts.iter().fold(0, |any, count| any | count) & FULL != 0;
        any && (self.lines == 1
            || counts.iter().map(|count| (count & FULL).count_ones()).sum::<u32>() >= self.lines)
    }
}

/// Number of stones on each line.
#[inline]
fn counts(stones: u64) -> Counts {
    let mut counts = [0; 4];
    each_bit(stones, |cell| {
        for (count, stone) in counts.iter_mut().zip(&COUNTS_OF_CELL[cell as usize & 63]) {
            *count += stone;
        }
    });
    counts
}

impl Keyed for Qubic {
    /// The stones of the first and of the second player.
    type Key = [u64; 2];

    #[inline]
    fn key(&self, state: &State) -> [u64; 2] {
        state.stones
    }

    #[inline]
    fn unkey(&self, key: [u64; 2]) -> State {
        State { stones: key }
    }

    fn try_unkey(&self, key: [u64; 2]) -> Option<State> {
        let state = (key[0] & key[1] == 0).then_some(State { stones: key })?;
        PositionErrors::none_in(state, |state, errors| self.check(state, self.turn(state), errors))
    }
}

impl Tiered for Qubic {
    /// The number of stones.
    #[inline]
    fn tier(&self, state: &State) -> u32 {
        64 - state.free().count_ones()
    }
}

impl Symmetric for Qubic {
    fn symmetry_count(&self) -> usize {
        SYMMETRIES
    }

    #[inline]
    fn map_state(&self, symmetry: usize, state: &State) -> State {
        let stones = state.stones.map(|stones| {
            let mut image = 0;
            each_bit(stones, |cell| image |= 1 << IMAGES[symmetry][cell as usize & 63]);
            image
        });
        State { stones }
    }

    #[inline]
    fn map_move(&self, symmetry: usize, cell: u8) -> u8 {
        IMAGES[symmetry][usize::from(cell & 63)]
    }
}
