//! Random choice among the steps of a knight or king.

use treegauge_bits::Word;

/// Length of tables by square: a power of two, so that a masked index needs no check.
pub(super) const TABLE_LEN: usize = 128;

/// Number of bits of an index of [`Near`]: the fewest for which every width and piece has a factor.
const NEAR_BITS: u32 = 11;

/// Lowest bit of the index in the product.
const FACTOR_SHIFT: u32 = 64 - NEAR_BITS;

/// Table that chooses among the steps of a knight or king, at most eight.
///
/// The free squares are rotated so that the token is at bit `span`. Its neighbours are then at at
/// most eight places, the same for every square. A multiplication moves these to eight bits of an
/// index ("magic" multiplication, as in chess programs) into a table. Steps over an edge of the
/// board are removed from the index, not from the squares before: looking up these steps takes as
/// long as all of this, and so is done in parallel.
#[derive(Clone, Debug)]
pub(super) struct Near {
    /// Farthest distance of a step, in bits.
    span: u32,
    /// Places of neighbours.
    mask: u64,
    /// Factor that moves each place to a bit of the index.
    factor: u64,
    /// Bits of the index that belong to steps on the board, by square.
    on_board: [u16; TABLE_LEN],
    /// Steps by index.
    rows: [Steps; 1 << NEAR_BITS],
}

/// List of at most eight steps.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Steps {
    /// Distance of each step in bits, one signed byte per step. A word and not an array: shifting
    /// it is faster than loading another byte once the step is known.
    far: u64,
    pub(super) count: u32,
}

impl Steps {
    /// Square reached by the `n`-th step from a square. `n` is at most 7.
    #[inline]
    pub(super) fn nth(self, from: u32, n: u32) -> u32 {
        from.wrapping_add_signed(i32::from((self.far >> (8 * n)) as i8))
    }
}

impl Default for Near {
    fn default() -> Self {
        let rows = [Steps::default(); 1 << NEAR_BITS];
        Near { span: 0, mask: 0, factor: 0, on_board: [0; TABLE_LEN], rows }
    }
}

impl Near {
    /// Builds the tables for a board of `squares` squares. `steps` has the steps on the empty
    /// board, by square.
    pub(super) fn new<W: Word>(steps: &[W; TABLE_LEN], squares: u32) -> Near {
        let far = |from: u32| steps[from as usize].ones().map(move |to| to as i32 - from as i32);
        let mut all: Vec<i32> = (0..squares).flat_map(far).collect();
        all.sort_unstable();
        all.dedup();
        let span = all.iter().map(|step| step.unsigned_abs()).max().unwrap_or(1);
        let places: Vec<u32> = all.iter().map(|&step| span.saturating_add_signed(step)).collect();
        let mut near = Near { span, ..Near::default() };
        near.mask = places.iter().fold(0, |mask, place| mask | 1 << place);
        near.factor = (8..=NEAR_BITS)
            .find_map(|bits| factor(&places, &places, 0, bits))
            .expect("every width has a factor");
        // The lowest of several bits, so that rows are close together.
        let bit = |place: &u32| 1 << near.index_of_window(1 << place).trailing_zeros();
        let index: Vec<usize> = places.iter().map(bit).collect();
        for from in 0..squares {
            let of = |step| index[all.binary_search(&step).expect("every step is in the list")];
            near.on_board[from as usize] = far(from).map(of).fold(0, |bits, bit| bits | bit) as u16;
        }
        for set in 0..1u32 << all.len() {
            let chosen = || (0..all.len()).filter(|i| set >> i & 1 == 1);
            let row = &mut near.rows[chosen().fold(0, |row, i| row | index[i])];
            for i in chosen() {
                row.far |= u64::from(all[i] as i8 as u8) << (8 * row.count);
                row.count += 1;
            }
        }
        near
    }

    #[inline]
    fn index_of_window(&self, window: u64) -> usize {
        ((window & self.mask).wrapping_mul(self.factor) >> FACTOR_SHIFT) as usize
    }

    /// Steps of a token on `from` to free squares.
    #[inline]
    pub(super) fn steps<W: Word>(&self, free: W, from: u32) -> Steps {
        let right = from.wrapping_sub(self.span) % W::BITS;
        let left = right.wrapping_neg() % W::BITS;
        let index = self.index_of_window((free >> right | free << left).limb(0));
        self.rows[index & usize::from(self.on_board[from as usize % TABLE_LEN])]
    }
}

/// Finds a factor that moves every place to a bit of its own among the `bits` lowest of the index;
/// `None` if there is none. `begun` is a factor for all places except `rest`.
///
/// The products of a bit of the factor and a place are all different, so that carries do not occur
/// and no place disturbs the bits of another.
fn factor(places: &[u32], rest: &[u32], begun: u64, bits: u32) -> Option<u64> {
    let apart = |word: u64| {
        let add = |sum, &place: &u32| (sum & word << place == 0).then_some(sum | word << place);
        places.iter().try_fold(0, add).is_some()
    };
    let Some((place, rest)) = rest.split_first() else { return Some(begun) };
    (FACTOR_SHIFT..FACTOR_SHIFT + bits)
        .filter_map(|bit| bit.checked_sub(*place))
        .map(|shift| begun | 1 << shift)
        .filter(|&word| apart(word))
        .find_map(|word| factor(places, rest, word, bits))
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};
    use treegauge_core::Plies;

    use super::super::{Isolation, Piece, Setup, Starts};
    use super::*;

    fn agrees_with_the_squares<W: Word>(setup: Setup, rng: &mut impl Rng) {
        let game = Isolation::<W>::new(setup, Plies(1_000));
        let squares = setup.cols * setup.rows;
        let mut reach = [W::ZERO; TABLE_LEN];
        (0..squares).for_each(|from| reach[from as usize] = game.reach(from));
        let near = Near::new(&reach, squares);
        for from in 0..squares {
            for _ in 0..20 {
                // Bits beyond the board are set as well: they must not count.
                let free = (0..W::BITS)
                    .filter(|_| !rng.next_u32().is_multiple_of(3))
                    .fold(W::ZERO, |free, square| free | W::bit(square));
                let steps = near.steps(free, from);
                let squares: Vec<u32> = (0..steps.count).map(|n| steps.nth(from, n)).collect();
                let expected: Vec<u32> = (reach[from as usize] & free).ones().collect();
                assert_eq!(squares, expected, "{setup:?} from {from}");
            }
        }
    }

    #[test]
    fn steps_are_the_free_squares_in_reach_on_boards_of_every_size() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
        for piece in [Piece::Knight, Piece::KingRemove] {
            for (cols, rows) in (2..=11).flat_map(|cols| (2..=11).map(move |rows| (cols, rows))) {
                let setup = Setup { cols, rows, piece, starts: Starts::Free };
                agrees_with_the_squares::<u128>(setup, &mut rng);
                if cols * rows <= u64::BITS {
                    agrees_with_the_squares::<u64>(setup, &mut rng);
                }
            }
        }
    }
}
