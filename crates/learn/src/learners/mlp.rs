//! Multilayer perceptrons.

use candle_core::{D, Device, Result, Tensor, Var};
use candle_nn::{AdamW, Optimizer, ParamsAdamW};

use super::failed;
use crate::learner::{Examples, LearnError, Learner, Task};
use crate::model::{Fitted, Layer, Link};
use crate::random::Random;

/// Mean of several multilayer perceptrons of one shape with different initial weights. Hidden units
/// are hyperbolic tangents. Each step of AdamW (Loshchilov and Hutter 2019) uses all examples. The
/// loss is the cross entropy for classes and the squared error for numbers.
///
/// Attributes should be scaled first.
#[derive(Clone, Debug, PartialEq)]
pub struct Mlp {
    /// Number of units of each hidden layer, in order from the inputs.
    pub hidden: Vec<usize>,
    /// Number of training steps.
    pub epochs: usize,
    /// Learning rate; more than 0.
    pub rate: f64,
    /// Weight decay per step, relative to the rate.
    pub penalty: f64,
    /// Number of networks.
    pub repeats: usize,
}

impl Default for Mlp {
    fn default() -> Self {
        Mlp { hidden: vec![10], epochs: 200, rate: 0.01, penalty: 0.01, repeats: 10 }
    }
}

impl Learner for Mlp {
    fn name(&self) -> String {
        let Mlp { hidden, epochs, rate, penalty, repeats } = self;
        let hidden: Vec<String> = hidden.iter().map(usize::to_string).collect();
        let hidden = hidden.join("-");
        format!(
            "mlp(hidden={hidden},epochs={epochs},rate={rate},penalty={penalty},repeats={repeats})"
        )
    }

    fn fit(&self, examples: &Examples<'_>, seed: u64) -> std::result::Result<Fitted, LearnError> {
        if examples.is_constant() {
            return Ok(Fitted::Constant { value: examples.mean() });
        }
        let mut models = Vec::new();
        for repeat in 0..self.repeats.max(1) as u64 {
            let mut random = Random::new(seed.wrapping_add(repeat.wrapping_mul(0x9e37_79b9)));
            let layers = self.train(examples, &mut random).map_err(|error| failed(self, error))?;
            let numbers = layers.iter().flat_map(|layer| &layer.units).flatten();
            if !numbers.into_iter().all(|x| x.is_finite()) {
                return Err(failed(self, "its weights grow without bound"));
            }
            let link = match examples.task() {
                Task::Classes => Link::Logistic,
                Task::Values => Link::Identity,
            };
            models.push(Fitted::Network { layers, link });
        }
        Ok(Fitted::Mean { models })
    }
}

/// Weights of a layer during training.
struct Trained {
    /// Matrix with a row per input and a column per unit.
    weights: Var,
    biases: Var,
}

impl Mlp {
    fn train(&self, examples: &Examples<'_>, random: &mut Random) -> Result<Vec<Layer>> {
        let cpu = Device::Cpu;
        let (rows, width) = (examples.len(), examples.width());
        let flat: Vec<f64> = examples.rows().iter().flat_map(|row| row.iter().copied()).collect();
        let inputs = Tensor::from_vec(flat, (rows, width), &cpu)?;
        // Numbers are learned in standard deviations from their mean.
        let (mean, deviation) = match examples.task() {
            Task::Classes => (0.0, 1.0),
            Task::Values => (examples.mean(), deviation(examples)),
        };
        let targets = examples.targets().iter().map(|target| (target - mean) / deviation);
        let targets = Tensor::from_vec(targets.collect::<Vec<f64>>(), (rows, 1), &cpu)?;

        let mut layers = Vec::new();
        let mut from = width;
        for &to in self.hidden.iter().chain([&1]) {
            // Initial weights by Glorot and Bengio 2010.
            let limit = (6.0 / (from + to) as f64).sqrt();
            let weights: Vec<f64> =
                (0..from * to).map(|_| limit * (2.0 * random.share() - 1.0)).collect();
            let weights = Var::from_tensor(&Tensor::from_vec(weights, (from, to), &cpu)?)?;
            let biases = Var::from_tensor(&Tensor::from_vec(vec![0.0; to], (1, to), &cpu)?)?;
            layers.push(Trained { weights, biases });
            from = to;
        }
        let variables = layers.iter().flat_map(|layer| [&layer.weights, &layer.biases]).cloned();
        let plan =
            ParamsAdamW { lr: self.rate, weight_decay: self.penalty, ..ParamsAdamW::default() };
        let mut optimizer = AdamW::new(variables.collect(), plan)?;
        for _ in 0..self.epochs {
            let outputs = outputs(&layers, &inputs)?;
            let loss = match examples.task() {
                Task::Classes => cross_entropy(&outputs, &targets)?,
                Task::Values => (outputs - &targets)?.sqr()?.mean_all()?,
            };
            optimizer.backward_step(&loss)?;
        }

        let mut fitted = Vec::new();
        for layer in &layers {
            let weights = layer.weights.t()?.to_vec2::<f64>()?;
            let biases = layer.biases.flatten(0, D::Minus1)?.to_vec1::<f64>()?;
            let unit = |(mut weights, bias): (Vec<f64>, f64)| {
                weights.push(bias);
                weights
            };
            fitted.push(Layer { units: weights.into_iter().zip(biases).map(unit).collect() });
        }
        let last = fitted.last_mut().expect("there is an output");
        let output = &mut last.units[0];
        output.iter_mut().for_each(|weight| *weight *= deviation);
        *output.last_mut().expect("there is a bias") += mean;
        Ok(fitted)
    }
}

/// Returns the output of the network for each row, before the link.
fn outputs(layers: &[Trained], inputs: &Tensor) -> Result<Tensor> {
    let mut values = inputs.clone();
    for (n, layer) in layers.iter().enumerate() {
        values = values.matmul(&layer.weights)?.broadcast_add(&layer.biases)?;
        if n + 1 < layers.len() {
            values = values.tanh()?;
        }
    }
    Ok(values)
}

/// Returns the mean of ln(1 + exp(x)) - x y, in a form that does not overflow.
fn cross_entropy(outputs: &Tensor, targets: &Tensor) -> Result<Tensor> {
    let softplus = (outputs.abs()?.neg()?.exp()? + 1.0)?.log()?;
    ((outputs.relu()? - outputs.mul(targets)?)? + softplus)?.mean_all()
}

/// Standard deviation of the targets.
fn deviation(examples: &Examples<'_>) -> f64 {
    let mean = examples.mean();
    let square = |target: &f64| (target - mean).powi(2);
    (examples.targets().iter().map(square).sum::<f64>() / examples.len() as f64).sqrt()
}
