//! Square boards: their symmetries, and tables for the board of 3 x 3 cells.
//!
//! Cell `row * size + col` is in column `col` and row `row`, both from 0 at the lower left.

/// Image of a cell under one of the eight symmetries of the square: bit 2 of `symmetry` exchanges
/// rows and columns, then bit 0 mirrors left and right and bit 1 below and above.
#[inline]
pub(crate) fn image(size: u32, symmetry: usize, cell: u32) -> u32 {
    let (mut row, mut col) = (cell / size, cell % size);
    if symmetry & 4 != 0 {
        (row, col) = (col, row);
    }
    if symmetry & 1 != 0 {
        col = size - 1 - col;
    }
    if symmetry & 2 != 0 {
        row = size - 1 - row;
    }
    row * size + col
}

/// Returns whether a set of cells of the 3 x 3 board has a line of `k`, at least 1. No line of more
/// than 3 fits the board.
#[inline]
pub(crate) fn has_line_of_nine(stones: u64, k: u32) -> bool {
    let row = &HAS_LINE[k.min(4) as usize];
    row[(stones >> 6) as usize & 7] >> (stones & 63) & 1 == 1
}

/// The `n`-th cell, counted from 0, of a set of more than `n` cells of the 3 x 3 board.
#[inline]
pub(crate) fn nth_of_nine(cells: u64, n: u32) -> u8 {
    NTH_CELL[cells as usize & 511][n as usize & 15]
}

/// Table of the sets of cells of the 3 x 3 board that have a line of `k` (up to 4, for longer
/// lines): bit `cells % 64` of `HAS_LINE[k][cells / 64]`.
const HAS_LINE: &[[u64; 8]; 5] = &{
    let mut table = [[0; 8]; 5];
    let mut k = 1;
    while k <= 3 {
        // Lines as sets of cells, found from every cell in every direction.
        let mut cell = 0;
        while cell < 9 {
            let mut direction = 0;
            while direction < 4 {
                let (right, up) = [(1, 0), (0, 1), (1, 1), (-1, 1)][direction];
                let (last_col, last_row) = (cell % 3 + right * (k - 1), cell / 3 + up * (k - 1));
                if 0 <= last_col && last_col < 3 && last_row < 3 {
                    let (mut line, mut n) = (0, 0);
                    while n < k {
                        line |= 1 << (cell + n * (right + 3 * up));
                        n += 1;
                    }
                    let mut cells = line;
                    // All sets that contain the line, in ascending order.
                    while cells < 512 {
                        table[k as usize][cells >> 6] |= 1 << (cells & 63);
                        cells = (cells + 1) | line;
                    }
                }
                direction += 1;
            }
            cell += 1;
        }
        k += 1;
    }
    table
};

/// The n-th cell of every set of the nine cells; 0 if the set has fewer cells.
const NTH_CELL: &[[u8; 16]; 512] = &{
    let mut table = [[0; 16]; 512];
    let mut cells = 0;
    while cells < 512 {
        let (mut cell, mut n) = (0, 0);
        while cell < 9 {
            if cells >> cell & 1 == 1 {
                table[cells][n] = cell as u8;
                n += 1;
            }
            cell += 1;
        }
        cells += 1;
    }
    table
};
