//! The definition of a network, computed slowly: direct convolutions in `f64`, normalisation apart.

use super::file::{Block, Parts, Policy};
use super::{INPUTS, MOVES, POLICY_PLANES};

/// Values `channel x square`.
type Values = Vec<[f64; 64]>;

/// Logits of all 1,858 moves, from planes `square x plane`.
pub(super) fn logits(parts: &Parts, planes: &[f32]) -> Vec<f64> {
    let mut input: Values = vec![[0.0; 64]; INPUTS];
    for (n, value) in planes.iter().enumerate() {
        input[n % INPUTS][n / INPUTS] = f64::from(*value);
    }
    let mut state = relu(convolved(&parts.input, &input, 3));
    for block in &parts.residuals {
        let first = relu(convolved(&block.first, &state, 3));
        let mut change = convolved(&block.second, &first, 3);
        if let Some(unit) = &block.excitation {
            let means: Vec<f64> =
                change.iter().map(|plane| plane.iter().sum::<f64>() / 64.0).collect();
            let mut hidden = product(&unit.squeeze, &unit.squeeze_biases, &means);
            hidden.iter_mut().for_each(|value| *value = value.max(0.0));
            let both = product(&unit.excite, &unit.excite_biases, &hidden);
            for (filter, plane) in change.iter_mut().enumerate() {
                let gain = 1.0 / (1.0 + (-both[filter]).exp());
                let offset = both[parts.filters + filter];
                plane.iter_mut().for_each(|value| *value = gain * *value + offset);
            }
        }
        for (state, change) in state.iter_mut().flatten().zip(change.iter().flatten()) {
            *state += change;
        }
        state = relu(state);
    }
    match &parts.policy {
        Policy::Convolution { hidden, planes } => {
            let hidden = relu(convolved(hidden, &state, 3));
            let planes = convolved(planes, &hidden, 3);
            assert_eq!(planes.len(), POLICY_PLANES);
            (0..MOVES)
                .map(|number| {
                    let place = super::policy_map::place(number);
                    planes[place / 64][place % 64]
                })
                .collect()
        }
        Policy::Dense { planes, weights, biases } => {
            let planes = relu(convolved(planes, &state, 1));
            let flat: Vec<f64> = planes.into_iter().flatten().collect();
            product(weights, biases, &flat)
        }
    }
}

fn relu(mut values: Values) -> Values {
    values.iter_mut().flatten().for_each(|value| *value = value.max(0.0));
    values
}

fn product(weights: &[f32], biases: &[f32], values: &[f64]) -> Vec<f64> {
    let sum = |row: &[f32]| row.iter().zip(values).map(|(w, v)| f64::from(*w) * v).sum::<f64>();
    let rows = weights.chunks_exact(values.len());
    rows.zip(biases).map(|(row, bias)| sum(row) + f64::from(*bias)).collect()
}

/// Convolution and normalisation. `side` is 1 or 3.
fn convolved(block: &Block, values: &Values, side: usize) -> Values {
    let (inputs, outputs) = (values.len(), block.biases.len());
    let mut results = vec![[0.0; 64]; outputs];
    let middle = (side / 2) as i32;
    for (output, result) in results.iter_mut().enumerate() {
        for (square, value) in result.iter_mut().enumerate() {
            let mut sum = f64::from(block.biases[output]);
            for (input, plane) in values.iter().enumerate() {
                for row in 0..side {
                    for column in 0..side {
                        let rank = square as i32 / 8 + row as i32 - middle;
                        let file = square as i32 % 8 + column as i32 - middle;
                        if (0..8).contains(&rank) && (0..8).contains(&file) {
                            let place = ((output * inputs + input) * side + row) * side + column;
                            sum +=
                                f64::from(block.weights[place]) * plane[(rank * 8 + file) as usize];
                        }
                    }
                }
            }
            if let Some([means, variances, gammas, betas]) = &block.normalisation {
                let [mean, variance, gamma, beta] =
                    [means, variances, gammas, betas].map(|one| f64::from(one[output]));
                sum = gamma * (sum - mean) / (variance + 1e-5).sqrt() + beta;
            }
            *value = sum;
        }
    }
    results
}
