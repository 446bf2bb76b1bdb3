//! Convolutions by 3 x 3 squares of boards of 8 x 8.
//!
//! The algorithm of Winograd, F(4 x 4, 3 x 3) (Lavin and Gray 2016, section 4.1): a board has four
//! tiles of 4 x 4 squares. A tile `d` of 6 x 6 inputs and a filter `g` of 3 x 3 weights give the
//! outputs `A' [(G g G') * (B' d B)] A`, where `*` multiplies number by number and is summed over
//! the inputs before the last transform. So 36 multiplications take the place of 144.
//!
//! Values are `board x square x channel`, and the channels are padded with zeros to a multiple of
//! eight: every loop over channels works on arrays of eight numbers, which compilers turn into
//! vectors. The transformed weights `G g G'` are `36 x output / 8 x input x 8`, so the inner loop of
//! the product reads them in order.

use super::SQUARES;

/// Channels that are computed at once.
pub(super) const LANES: usize = 8;

type Lanes = [f32; LANES];

const TILES: usize = 4;
const PARTS: usize = 36;

/// Number of channels with padding.
pub(super) fn padded(channels: usize) -> usize {
    channels.next_multiple_of(LANES)
}

/// Memory for the transforms of a batch, kept from layer to layer.
#[derive(Default)]
pub(super) struct Room {
    /// `36 x tile x input`.
    tiles: Vec<f32>,
    /// `36 x tile x output`.
    products: Vec<f32>,
}

/// Convolution by 3 x 3 squares.
#[derive(Clone)]
pub(super) struct Convolution {
    inputs: usize,
    outputs: usize,
    weights: Vec<Lanes>,
    biases: Vec<Lanes>,
}

impl Convolution {
    /// Convolution with weights `outputs x inputs x 3 x 3`.
    pub(super) fn new(weights: &[f32], biases: &[f32], inputs: usize, outputs: usize) -> Self {
        let (wide, blocks) = (padded(inputs), padded(outputs) / LANES);
        let mut transformed = vec![[0.0; LANES]; PARTS * blocks * wide];
        for (pair, filter) in weights.as_chunks::<9>().0.iter().enumerate() {
            let (output, input) = (pair / inputs, pair % inputs);
            for (part, value) in transformed_filter(filter).into_iter().enumerate() {
                let place = (part * blocks + output / LANES) * wide + input;
                transformed[place][output % LANES] = value as f32;
            }
        }
        let mut of_outputs = vec![[0.0; LANES]; blocks];
        biases.iter().enumerate().for_each(|(n, bias)| of_outputs[n / LANES][n % LANES] = *bias);
        Convolution {
            inputs: wide,
            outputs: blocks * LANES,
            weights: transformed,
            biases: of_outputs,
        }
    }

    /// Convolves the values of a batch of boards, `board x square x padded channel`.
    pub(super) fn apply(&self, values: &[f32], results: &mut [f32], room: &mut Room) {
        let boards = values.len() / (SQUARES * self.inputs);
        debug_assert_eq!(results.len(), boards * SQUARES * self.outputs);
        let tiles = boards * TILES;
        room.tiles.resize(PARTS * tiles * self.inputs, 0.0);
        room.products.resize(PARTS * tiles * self.outputs, 0.0);
        for (board, values) in values.chunks_exact(SQUARES * self.inputs).enumerate() {
            for tile in 0..TILES {
                self.transform_tile(values, tile, board * TILES + tile, tiles, &mut room.tiles);
            }
        }
        let of_part = (self.outputs / LANES) * self.inputs;
        let parts = room
            .tiles
            .chunks_exact(tiles * self.inputs)
            .zip(room.products.chunks_exact_mut(tiles * self.outputs))
            .zip(self.weights.chunks_exact(of_part));
        for ((tiles, products), weights) in parts {
            self.multiply(tiles, weights, products);
        }
        for (board, results) in results.chunks_exact_mut(SQUARES * self.outputs).enumerate() {
            for tile in 0..TILES {
                self.finish_tile(&room.products, board * TILES + tile, tiles, tile, results);
            }
        }
    }

    /// `B' d B` of one tile.
    fn transform_tile(
        &self,
        values: &[f32],
        tile: usize,
        index: usize,
        tiles: usize,
        transformed: &mut [f32],
    ) {
        let (top, left) = (tile / 2 * 4, tile % 2 * 4);
        for block in 0..self.inputs / LANES {
            let mut columns = [[[0.0; LANES]; 6]; 6];
            for (column, transformed) in columns.iter_mut().enumerate() {
                let mut inputs = [[0.0; LANES]; 6];
                for (row, input) in inputs.iter_mut().enumerate() {
                    // The tile begins one square above and to the left of its outputs.
                    let (rank, file) = (top + row, left + column);
                    if (1..=8).contains(&rank) && (1..=8).contains(&file) {
                        let square = (rank - 1) * 8 + file - 1;
                        *input = lanes(values, square * self.inputs + block * LANES);
                    }
                }
                *transformed = input_transform(&inputs);
            }
            for row in 0..6 {
                let of_row = columns.map(|column| column[row]);
                for (column, value) in input_transform(&of_row).into_iter().enumerate() {
                    let part = row * 6 + column;
                    let place = (part * tiles + index) * self.inputs + block * LANES;
                    transformed[place..place + LANES].copy_from_slice(&value);
                }
            }
        }
    }

    /// Products of the tiles of one part with its weights: `tile x output`. Four tiles and eight
    /// outputs at a time have their sums in registers.
    fn multiply(&self, tiles: &[f32], weights: &[Lanes], products: &mut [f32]) {
        let (inputs, outputs) = (self.inputs, self.outputs);
        let groups = tiles.chunks_exact(4 * inputs).zip(products.chunks_exact_mut(4 * outputs));
        for (tiles, products) in groups {
            let (first, rest) = tiles.split_at(inputs);
            let (second, rest) = rest.split_at(inputs);
            let (third, fourth) = rest.split_at(inputs);
            for (block, weights) in weights.chunks_exact(inputs).enumerate() {
                let mut sums = [[0.0; LANES]; 4];
                let values = first.iter().zip(second).zip(third).zip(fourth);
                for (weights, (((first, second), third), fourth)) in weights.iter().zip(values) {
                    for lane in 0..LANES {
                        sums[0][lane] += first * weights[lane];
                    }
                    for lane in 0..LANES {
                        sums[1][lane] += second * weights[lane];
                    }
                    for lane in 0..LANES {
                        sums[2][lane] += third * weights[lane];
                    }
                    for lane in 0..LANES {
                        sums[3][lane] += fourth * weights[lane];
                    }
                }
                for (sum, products) in sums.iter().zip(products.chunks_exact_mut(outputs)) {
                    products[block * LANES..][..LANES].copy_from_slice(sum);
                }
            }
        }
    }

    /// `A' m A` of one tile, plus the bias.
    fn finish_tile(
        &self,
        products: &[f32],
        index: usize,
        tiles: usize,
        tile: usize,
        results: &mut [f32],
    ) {
        let (top, left) = (tile / 2 * 4, tile % 2 * 4);
        for (block, bias) in self.biases.iter().enumerate() {
            let mut columns = [[[0.0; LANES]; 4]; 6];
            for (column, transformed) in columns.iter_mut().enumerate() {
                let mut parts = [[0.0; LANES]; 6];
                for (row, part) in parts.iter_mut().enumerate() {
                    let place = ((row * 6 + column) * tiles + index) * self.outputs;
                    *part = lanes(products, place + block * LANES);
                }
                *transformed = output_transform(&parts);
            }
            for row in 0..4 {
                let of_row = columns.map(|column| column[row]);
                for (column, value) in output_transform(&of_row).into_iter().enumerate() {
                    let square = (top + row) * 8 + left + column;
                    let place = square * self.outputs + block * LANES;
                    results[place..place + LANES].copy_from_slice(&each(|n| value[n] + bias[n]));
                }
            }
        }
    }
}

fn lanes(values: &[f32], place: usize) -> Lanes {
    let mut lanes = [0.0; LANES];
    lanes.copy_from_slice(&values[place..place + LANES]);
    lanes
}

fn each(value: impl Fn(usize) -> f32) -> Lanes {
    std::array::from_fn(value)
}

/// `B'` times six numbers.
#[inline]
fn input_transform(d: &[Lanes; 6]) -> [Lanes; 6] {
    let mut t = [[0.0; LANES]; 6];
    for n in 0..LANES {
        let (even, odd) = (d[4][n] - 4.0 * d[2][n], d[3][n] - 4.0 * d[1][n]);
        let (half, twice) = (d[4][n] - d[2][n], 2.0 * (d[3][n] - d[1][n]));
        t[0][n] = 4.0 * d[0][n] - 5.0 * d[2][n] + d[4][n];
        t[1][n] = even + odd;
        t[2][n] = even - odd;
        t[3][n] = half + twice;
        t[4][n] = half - twice;
        t[5][n] = 4.0 * d[1][n] - 5.0 * d[3][n] + d[5][n];
    }
    t
}

/// `A'` times six numbers.
#[inline]
fn output_transform(m: &[Lanes; 6]) -> [Lanes; 4] {
    let mut t = [[0.0; LANES]; 4];
    for n in 0..LANES {
        let (sum, difference) = (m[1][n] + m[2][n], m[1][n] - m[2][n]);
        let (sum2, difference2) = (m[3][n] + m[4][n], m[3][n] - m[4][n]);
        t[0][n] = m[0][n] + sum + sum2;
        t[1][n] = difference + 2.0 * difference2;
        t[2][n] = sum + 4.0 * sum2;
        t[3][n] = difference + 8.0 * difference2 + m[5][n];
    }
    t
}

/// `G g G'`.
fn transformed_filter(filter: &[f32; 9]) -> [f64; PARTS] {
    const G: [[f64; 3]; 6] = [
        [1.0 / 4.0, 0.0, 0.0],
        [-1.0 / 6.0, -1.0 / 6.0, -1.0 / 6.0],
        [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
        [1.0 / 24.0, 1.0 / 12.0, 1.0 / 6.0],
        [1.0 / 24.0, -1.0 / 12.0, 1.0 / 6.0],
        [0.0, 0.0, 1.0],
    ];
    std::array::from_fn(|part| {
        let (row, column) = (G[part / 6], G[part % 6]);
        (0..9).map(|n| row[n / 3] * f64::from(filter[n]) * column[n % 3]).sum()
    })
}
