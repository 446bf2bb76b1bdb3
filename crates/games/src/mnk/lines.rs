//! Stones of the players, by the lines of the board.

use super::setup::{Directions, Setup};
use treegauge_bits::{Word, each_bit};

/// Greatest number of cells of a board: 19 x 19.
pub(super) const CELLS_MAX: usize = 361;

/// Numbers of a cell's row, column, rising and falling diagonal, among all lines of a board.
///
/// Rows have the numbers from 0 and columns those from 32, so that the last five bits are the
/// coordinates too; 37 diagonals of each kind follow from 51 and from 88.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cell([u8; 4]);

impl Cell {
    pub(super) fn new(row: u32, col: u32) -> Cell {
        Cell([row, 32 + col, 51 + 18 + row - col, 88 + row + col].map(|line| line as u8))
    }

    #[inline]
    pub(super) fn row(self) -> u32 {
        u32::from(self.0[0])
    }

    #[inline]
    pub(super) fn col(self) -> u32 {
        u32::from(self.0[1]) % 32
    }
}

/// Conditions of a line for a player.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal {
    /// Number of stones; at most 20, which does not fit any board.
    k: u32,
    /// All bits if rows and columns count, and all bits if diagonals count; else 0.
    straight: u64,
    slanted: u64,
}

impl Goal {
    pub(super) fn of(setup: &Setup) -> [Goal; 2] {
        [0, 1].map(|side| {
            let counts = |yes| if yes { u64::MAX } else { 0 };
            Goal {
                k: setup.k[side].min(20),
                straight: counts(setup.directions[side] != Directions::Diagonal),
                slanted: counts(setup.directions[side] != Directions::Orthogonal),
            }
        })
    }
}

/// Stones of both players, line by line. By player and number of a line, bit `i` is the stone in
/// its row `i` or, for a row, in its column `i`.
///
/// A new stone can only complete one of the four lines through it, and these are short words.
/// Testing all stones in four directions by shifts of the whole board measured three times the
/// instructions of a playout on 10 x 10, and twelve times the time on 19 x 19.
#[derive(Debug)]
pub(super) struct Lines([u32; 256]);

impl Lines {
    #[inline]
    pub(super) fn new() -> Self {
        Lines([0; 256])
    }

    /// Puts a stone of a player, 0 or 1, on a cell, and returns the lines through it.
    #[inline]
    pub(super) fn put(&mut self, side: usize, cell: Cell) -> Through {
        let first = (side as u8) << 7;
        let [row, col, ..] = cell.0.map(|line| 1 << (line % 32));
        let mut set = |n: usize, bit: u32| {
            let line = &mut self.0[usize::from(first | cell.0[n])];
            *line |= bit;
            u64::from(*line)
        };
        Through {
            straight: set(0, col) | set(1, row) << 32,
            slanted: set(2, row) | set(3, row) << 32,
        }
    }

    /// All stones of a player, on a board of `rows` rows at distances of `stride` bits.
    #[inline]
    pub(super) fn stones<W: Word>(&self, side: usize, rows: u32, stride: u32) -> W {
        let mut stones = W::ZERO;
        for row in 0..rows {
            each_bit(u64::from(self.0[side << 7 | row as usize]), |col| {
                stones.set(row * stride + col)
            });
        }
        stones
    }
}

/// A player's stones on the lines through a cell, two lines per word, 32 bits each. Boards have at
/// most 19 columns and rows, so that no run leads from one into the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Through {
    straight: u64,
    slanted: u64,
}

impl Through {
    /// Returns whether a line has a long enough run.
    ///
    /// Doubling: after `m &= m >> n`, bit i says that a run of twice the length begins at i.
    #[inline]
    pub(super) fn reach(self, goal: Goal) -> bool {
        let (mut straight, mut slanted) =
            (self.straight & goal.straight, self.slanted & goal.slanted);
        let mut length = 1;
        while length < goal.k {
            let more = length.min(goal.k - length);
            straight &= straight >> more;
            slanted &= slanted >> more;
            length += more;
        }
        straight | slanted != 0
    }
}
