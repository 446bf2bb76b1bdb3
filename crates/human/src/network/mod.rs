//! Residual networks in the format of Lc0.

mod convolution;
mod error;
mod file;
mod planes;
mod policy_map;
mod wire;

#[cfg(test)]
mod oracle;
#[cfg(test)]
mod tests;

use std::fmt;

use cozy_chess::Move;

pub use self::error::NetworkError;
pub use self::planes::HistoryFill;

use self::convolution::{Convolution, LANES, Room, padded};
use self::file::{Block, Excitation, Parts, Policy};
use crate::history::ChessHistory;
use crate::predictor::{MovePredictor, MoveProbability, softmax};

/// Planes of the input.
const INPUTS: usize = 112;
const SQUARES: usize = 64;
/// Outputs of a policy.
const MOVES: usize = 1858;
/// Planes of a convolutional policy.
const POLICY_PLANES: usize = 80;
/// Logits beyond this have the probability 0 or 1. No weights of a file give a probability that is
/// not a number.
const LOGIT_MAX: f32 = 1e6;

/// Positions that are computed together: their weights are read once from memory. With more, the
/// numbers of a layer leave the cache.
const BATCH: usize = 4;

/// Network that predicts moves, in the format of Lc0.
///
/// It ignores the rating that it is asked for: a network is of one rating. [`crate::Rated`] makes
/// several of them one predictor of all ratings.
#[derive(Clone)]
pub struct Network {
    filters: usize,
    input: Convolution,
    tower: Vec<Residual>,
    policy: Head,
    fill: HistoryFill,
}

#[derive(Clone)]
struct Residual {
    first: Convolution,
    second: Convolution,
    excitation: Option<Excitation>,
}

#[derive(Clone)]
enum Head {
    Convolution { hidden: Convolution, planes: Convolution },
    Dense { planes: Single, weights: Vec<f32>, biases: Vec<f32> },
}

/// Convolution of single squares with its normalisation and ReLU.
#[derive(Clone)]
struct Single {
    /// `outputs x inputs`.
    weights: Vec<f32>,
    biases: Vec<f32>,
}

impl Network {
    /// Reads a file: gzip, or what it holds.
    ///
    /// Supported are up to 64 residual blocks of up to 512 filters with or without
    /// squeeze-and-excitation, the classical input of 112 planes, ReLU, a convolutional or dense
    /// policy, and weights as LINEAR16. The file may have 64 MiB before and after decompression.
    ///
    /// # Errors
    ///
    /// When the file is damaged, incomplete, too large, not a network, or a network of another
    /// kind.
    pub fn read(file: &[u8]) -> Result<Network, NetworkError> {
        Network::of(&Parts::read(file)?)
    }

    /// Content of a file after decompression, which [`Network::read`] reads, too.
    ///
    /// # Errors
    ///
    /// When the gzip data are damaged, or the content is larger than 64 MiB.
    pub fn decompressed(file: &[u8]) -> Result<Vec<u8>, NetworkError> {
        file::decompressed(file)
    }

    /// The same network with another fill of an unknown history.
    #[must_use]
    pub fn with_fill(self, fill: HistoryFill) -> Network {
        Network { fill, ..self }
    }

    /// Number of filters, from 1 to 512.
    #[must_use]
    pub fn filters(&self) -> usize {
        self.filters
    }

    /// Number of residual blocks, from 0 to 64.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.tower.len()
    }

    fn of(parts: &Parts) -> Result<Network, NetworkError> {
        let filters = parts.filters;
        let convolution = |block: &Block, inputs: usize, outputs: usize, layer: &str| {
            let (weights, biases) = folded(block, layer)?;
            Ok(Convolution::new(&weights, &biases, inputs, outputs))
        };
        let tower = parts
            .residuals
            .iter()
            .enumerate()
            .map(|(n, block)| {
                let layer = format!("residual block {}", n + 1);
                Ok(Residual {
                    first: convolution(&block.first, filters, filters, &layer)?,
                    second: convolution(&block.second, filters, filters, &layer)?,
                    excitation: block.excitation.clone(),
                })
            })
            .collect::<Result<_, NetworkError>>()?;
        let policy = match &parts.policy {
            Policy::Convolution { hidden, planes } => Head::Convolution {
                hidden: convolution(hidden, filters, filters, "the first policy block")?,
                planes: convolution(planes, filters, POLICY_PLANES, "the policy block")?,
            },
            Policy::Dense { planes, weights, biases } => {
                let (of_planes, plane_biases) = folded(planes, "the policy block")?;
                Head::Dense {
                    planes: Single { weights: of_planes, biases: plane_biases },
                    weights: weights.clone(),
                    biases: biases.clone(),
                }
            }
        };
        let input = convolution(&parts.input, INPUTS, filters, "the input block")?;
        Ok(Network { filters, input, tower, policy, fill: HistoryFill::default() })
    }

    /// Logits of all 1,858 moves for each position of a batch.
    fn logits(&self, batch: &[&ChessHistory], room: &mut Room) -> Vec<Vec<f32>> {
        let count = batch.len();
        let width = padded(self.filters);
        let mut planes = vec![0.0; count * SQUARES * INPUTS];
        for (history, planes) in batch.iter().zip(planes.chunks_exact_mut(SQUARES * INPUTS)) {
            planes::encode(history, self.fill, planes);
        }
        let mut state = vec![0.0; count * SQUARES * width];
        let (mut first, mut second) = (state.clone(), state.clone());
        self.input.apply(&planes, &mut state, room);
        relu(&mut state);
        for block in &self.tower {
            block.first.apply(&state, &mut first, room);
            relu(&mut first);
            block.second.apply(&first, &mut second, room);
            let positions =
                state.chunks_exact_mut(SQUARES * width).zip(second.chunks_exact(SQUARES * width));
            for (state, change) in positions {
                match &block.excitation {
                    Some(unit) => excite(unit, self.filters, change, state),
                    None => {
                        for (value, change) in state.iter_mut().zip(change) {
                            *value = (*value + change).max(0.0);
                        }
                    }
                }
            }
        }
        match &self.policy {
            Head::Convolution { hidden, planes } => {
                hidden.apply(&state, &mut first, room);
                relu(&mut first);
                let mut logits = vec![0.0; count * SQUARES * POLICY_PLANES];
                planes.apply(&first, &mut logits, room);
                let of = |logits: &[f32]| {
                    let value = |number| {
                        let place = policy_map::place(number);
                        logits[place % SQUARES * POLICY_PLANES + place / SQUARES]
                    };
                    (0..MOVES).map(value).collect()
                };
                logits.chunks_exact(SQUARES * POLICY_PLANES).map(of).collect()
            }
            Head::Dense { planes, weights, biases } => state
                .chunks_exact(SQUARES * width)
                .map(|state| {
                    let values = planes.apply(state, self.filters, width);
                    dense(weights, biases, &values)
                })
                .collect(),
        }
    }
}

impl MovePredictor for Network {
    fn predict_all(&self, histories: &[&ChessHistory], _: f64) -> Vec<Vec<MoveProbability>> {
        let mut room = Room::default();
        let mut answers = Vec::with_capacity(histories.len());
        for batch in histories.chunks(BATCH) {
            for (history, logits) in batch.iter().zip(self.logits(batch, &mut room)) {
                let by = history.board().side_to_move();
                let moves = history.legal_moves();
                let score = |&played: &Move| {
                    let logit = logits[policy_map::number(played, by)];
                    let logit = if logit.is_nan() { -LOGIT_MAX } else { logit };
                    f64::from(logit.clamp(-LOGIT_MAX, LOGIT_MAX))
                };
                let scores: Vec<f64> = moves.iter().map(score).collect();
                answers.push(softmax(&moves, &scores));
            }
        }
        answers
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = match self.policy {
            Head::Convolution { .. } => "convolutional",
            Head::Dense { .. } => "dense",
        };
        write!(f, "Network({} filters, {} blocks, {head} policy)", self.filters, self.blocks())
    }
}

/// Weights and biases of a convolution with its batch normalisation in them.
fn folded(block: &Block, layer: &str) -> Result<(Vec<f32>, Vec<f32>), NetworkError> {
    let Some([means, variances, gammas, betas]) = &block.normalisation else {
        return Ok((block.weights.clone(), block.biases.clone()));
    };
    let each = block.weights.len() / block.biases.len();
    let mut weights = block.weights.clone();
    let mut biases = Vec::with_capacity(block.biases.len());
    for (output, of_output) in weights.chunks_exact_mut(each).enumerate() {
        let scale = f64::from(gammas[output]) / (f64::from(variances[output]) + 1e-5).sqrt();
        if !scale.is_finite() {
            return Err(NetworkError::Variance { layer: layer.to_owned() });
        }
        of_output.iter_mut().for_each(|weight| *weight = (f64::from(*weight) * scale) as f32);
        let shift = f64::from(block.biases[output]) - f64::from(means[output]);
        biases.push((f64::from(betas[output]) + shift * scale) as f32);
    }
    Ok((weights, biases))
}

fn relu(values: &mut [f32]) {
    values.iter_mut().for_each(|value| *value = value.max(0.0));
}

/// `state = relu(state + sigmoid(gain) change + offset)`, with gains and offsets from the means of
/// the change.
fn excite(unit: &Excitation, filters: usize, change: &[f32], state: &mut [f32]) {
    let width = padded(filters);
    let mut means = vec![0.0; width];
    for square in change.chunks_exact(width) {
        means.iter_mut().zip(square).for_each(|(mean, value)| *mean += value);
    }
    means.iter_mut().for_each(|mean| *mean /= SQUARES as f32);
    let mut hidden = dense(&unit.squeeze, &unit.squeeze_biases, &means[..filters]);
    relu(&mut hidden);
    let excited = dense(&unit.excite, &unit.excite_biases, &hidden);
    let (mut gains, mut offsets) = (vec![0.0; width], vec![0.0; width]);
    for filter in 0..filters {
        gains[filter] = 1.0 / (1.0 + libm::expf(-excited[filter]));
        offsets[filter] = excited[filters + filter];
    }
    for (state, change) in state.chunks_exact_mut(width).zip(change.chunks_exact(width)) {
        let parts = change.iter().zip(&gains).zip(&offsets);
        for (value, ((change, gain), offset)) in state.iter_mut().zip(parts) {
            *value = (*value + (change * gain + offset)).max(0.0);
        }
    }
}

/// `weights x values + biases`.
fn dense(weights: &[f32], biases: &[f32], values: &[f32]) -> Vec<f32> {
    let product = |row: &[f32]| {
        // Eight sums, so that the compiler may add eight numbers at once.
        let mut sums = [0.0; LANES];
        let ((rows, row_rest), (chunks, rest)) =
            (row.as_chunks::<LANES>(), values.as_chunks::<LANES>());
        for (row, values) in rows.iter().zip(chunks) {
            for lane in 0..LANES {
                sums[lane] += row[lane] * values[lane];
            }
        }
        let rest: f32 = row_rest.iter().zip(rest).map(|(a, b)| a * b).sum();
        sums.iter().sum::<f32>() + rest
    };
    weights.chunks_exact(values.len()).zip(biases).map(|(row, bias)| product(row) + bias).collect()
}

impl Single {
    /// Planes one after another, 64 squares each.
    fn apply(&self, state: &[f32], filters: usize, width: usize) -> Vec<f32> {
        let mut planes = vec![0.0; self.biases.len() * SQUARES];
        for (square, values) in state.chunks_exact(width).enumerate() {
            let outputs = dense(&self.weights, &self.biases, &values[..filters]);
            for (plane, value) in outputs.into_iter().enumerate() {
                planes[plane * SQUARES + square] = value.max(0.0);
            }
        }
        planes
    }
}
