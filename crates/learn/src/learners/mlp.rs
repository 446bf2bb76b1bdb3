//! Multilayer perceptrons.

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

    fn fit(&self, examples: &Examples<'_>, seed: u64) -> Result<Fitted, LearnError> {
        if examples.is_constant() {
            return Ok(Fitted::Constant { value: examples.mean() });
        }
        let mut models = Vec::new();
        for repeat in 0..self.repeats.max(1) as u64 {
            let mut random = Random::new(seed.wrapping_add(repeat.wrapping_mul(0x9e37_79b9)));
            let layers = self.train(examples, &mut random);
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

/// Decay rates of the two moments of AdamW, and the number that keeps its divisor from 0, by Kingma
/// and Ba 2015.
const MOMENTS: [f64; 2] = [0.9, 0.999];
const EPSILON: f64 = 1e-8;

impl Mlp {
    fn train(&self, examples: &Examples<'_>, random: &mut Random) -> Vec<Layer> {
        // Numbers are learned in standard deviations from their mean.
        let (mean, deviation) = match examples.task() {
            Task::Classes => (0.0, 1.0),
            Task::Values => (examples.mean(), deviation(examples)),
        };
        let targets: Vec<f64> =
            examples.targets().iter().map(|target| (target - mean) / deviation).collect();
        let mut layers = self.begin(examples.width(), random);
        let mut step = Gradient::of(&layers);
        let [mut first, mut second] = [step.slopes.clone(), step.slopes.clone()];
        let [keep_first, keep_second] = MOMENTS;
        let (mut left_first, mut left_second) = (1.0, 1.0);
        for _ in 0..self.epochs {
            step.find(&layers, examples.rows(), &targets, examples.task());
            left_first *= keep_first;
            left_second *= keep_second;
            let slopes = step.slopes.iter().flatten();
            let moments = first.iter_mut().flatten().zip(second.iter_mut().flatten());
            let units = layers.iter_mut().flat_map(|layer| &mut layer.units);
            for ((unit, slopes), (first, second)) in units.zip(slopes).zip(moments) {
                let moments = first.iter_mut().zip(second);
                for ((weight, slope), (first, second)) in unit.iter_mut().zip(slopes).zip(moments) {
                    *first = keep_first * *first + (1.0 - keep_first) * slope;
                    *second = keep_second * *second + (1.0 - keep_second) * slope * slope;
                    // The moments began at 0, which is divided out.
                    let mean = *first / (1.0 - left_first);
                    let square = *second / (1.0 - left_second);
                    let change = self.penalty * *weight + mean / (square.sqrt() + EPSILON);
                    *weight -= self.rate * change;
                }
            }
        }
        let last = layers.last_mut().expect("there is an output");
        let output = &mut last.units[0];
        output.iter_mut().for_each(|weight| *weight *= deviation);
        *output.last_mut().expect("there is a bias") += mean;
        layers
    }

    /// Layers with the initial weights of Glorot and Bengio 2010.
    fn begin(&self, width: usize, random: &mut Random) -> Vec<Layer> {
        let mut from = width;
        let layer = |&to: &usize| {
            let limit = (6.0 / (from + to) as f64).sqrt();
            let mut units = vec![vec![0.0; from + 1]; to];
            // Weights are drawn input by input.
            for input in 0..from {
                for unit in &mut units {
                    unit[input] = limit * (2.0 * random.share() - 1.0);
                }
            }
            from = to;
            Layer { units }
        };
        self.hidden.iter().chain([&1]).map(layer).collect()
    }
}

/// Slopes of the loss by the weights of a network.
struct Gradient {
    /// For each layer and unit, the slopes by the weights of its inputs, then by its bias.
    slopes: Vec<Vec<Vec<f64>>>,
    /// Values of the units of each layer for one row; the first are the inputs.
    values: Vec<Vec<f64>>,
    /// Slopes by the sums of the units of a layer, and of the layer before.
    by_sum: Vec<f64>,
    before: Vec<f64>,
}

impl Gradient {
    /// Gradient for networks of this shape, with all slopes 0.
    fn of(layers: &[Layer]) -> Gradient {
        let zeros = |layer: &Layer| layer.units.iter().map(|unit| vec![0.0; unit.len()]).collect();
        let slopes: Vec<Vec<Vec<f64>>> = layers.iter().map(zeros).collect();
        let values = std::iter::once(Vec::new())
            .chain(layers.iter().map(|layer| vec![0.0; layer.units.len()]))
            .collect();
        Gradient { slopes, values, by_sum: Vec::new(), before: Vec::new() }
    }

    /// Finds the slopes of the mean loss over all rows by back-propagation (Rumelhart, Hinton and
    /// Williams 1986), and returns the loss.
    fn find(&mut self, layers: &[Layer], rows: &[&[f64]], targets: &[f64], task: Task) -> f64 {
        self.slopes.iter_mut().flatten().flatten().for_each(|slope| *slope = 0.0);
        let share = 1.0 / rows.len() as f64;
        let mut total = 0.0;
        for (row, &target) in rows.iter().zip(targets) {
            let output = self.run(layers, row);
            let (loss, slope) = loss_and_slope(output, target, task);
            total += loss * share;
            self.by_sum.clear();
            self.by_sum.push(slope * share);
            for (n, layer) in layers.iter().enumerate().rev() {
                let inputs = &self.values[n];
                for (slopes, &slope) in self.slopes[n].iter_mut().zip(&self.by_sum) {
                    for (own, input) in slopes.iter_mut().zip(inputs) {
                        *own += slope * input;
                    }
                    slopes[inputs.len()] += slope;
                }
                if n == 0 {
                    break;
                }
                self.before.clear();
                self.before.resize(inputs.len(), 0.0);
                for (unit, &slope) in layer.units.iter().zip(&self.by_sum) {
                    for (before, weight) in self.before.iter_mut().zip(unit) {
                        *before += slope * weight;
                    }
                }
                // The slope of tanh is 1 less the square of its value.
                for (before, value) in self.before.iter_mut().zip(inputs) {
                    *before *= 1.0 - value * value;
                }
                std::mem::swap(&mut self.by_sum, &mut self.before);
            }
        }
        total
    }

    /// Computes the values of all units for a row, and returns the output before the link.
    fn run(&mut self, layers: &[Layer], row: &[f64]) -> f64 {
        self.values[0].clear();
        self.values[0].extend_from_slice(row);
        for (n, layer) in layers.iter().enumerate() {
            let (inputs, outputs) = self.values.split_at_mut(n + 1);
            let inputs = &inputs[n];
            let outputs = &mut outputs[0];
            // Sums of several units at once need not wait for each other. Each has its own order.
            for (units, values) in layer.units.chunks(SUMS).zip(outputs.chunks_mut(SUMS)) {
                match <&[Vec<f64>; SUMS]>::try_from(units) {
                    Ok(units) => values.copy_from_slice(&sums(units, inputs)),
                    Err(_) => units.iter().zip(values).for_each(|(unit, value)| {
                        [*value] = sums(std::array::from_ref(unit), inputs);
                    }),
                }
            }
            if n + 1 < layers.len() {
                outputs.iter_mut().for_each(|value| *value = value.tanh());
            }
        }
        self.values[layers.len()][0]
    }
}

/// Number of units whose sums are computed at once.
const SUMS: usize = 5;

/// Weighted sums of the inputs and the biases of some units.
fn sums<const N: usize>(units: &[Vec<f64>; N], inputs: &[f64]) -> [f64; N] {
    let weights: [&[f64]; N] = units.each_ref().map(|unit| &unit[..inputs.len()]);
    let mut sums = [0.0; N];
    for (n, input) in inputs.iter().enumerate() {
        for (sum, weights) in sums.iter_mut().zip(&weights) {
            *sum += weights[n] * input;
        }
    }
    std::array::from_fn(|n| sums[n] + units[n][inputs.len()])
}

/// Loss of an output before the link, and its slope: the cross entropy `ln(1 + exp(x)) - x y`, in a
/// form that does not overflow, or the squared error.
fn loss_and_slope(output: f64, target: f64, task: Task) -> (f64, f64) {
    match task {
        Task::Classes => {
            let small = (-output.abs()).exp();
            let share = if output >= 0.0 { 1.0 / (1.0 + small) } else { small / (1.0 + small) };
            (output.max(0.0) - output * target + small.ln_1p(), share - target)
        }
        Task::Values => ((output - target).powi(2), 2.0 * (output - target)),
    }
}

/// Standard deviation of the targets.
fn deviation(examples: &Examples<'_>) -> f64 {
    let mean = examples.mean();
    let square = |target: &f64| (target - mean).powi(2);
    (examples.targets().iter().map(square).sum::<f64>() / examples.len() as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_those_of_finite_differences() {
        let mut random = Random::new(4);
        for task in [Task::Classes, Task::Values] {
            for hidden in [vec![], vec![3], vec![4, 2]] {
                let network = Mlp { hidden, ..Mlp::default() };
                let mut layers = network.begin(3, &mut random);
                let mut number = || 2.0 * random.share() - 1.0;
                let rows: Vec<Vec<f64>> =
                    (0..7).map(|_| (0..3).map(|_| number()).collect()).collect();
                let targets: Vec<f64> = match task {
                    Task::Classes => (0..7).map(|n| f64::from(n % 2)).collect(),
                    Task::Values => (0..7).map(|_| 3.0 * number()).collect(),
                };
                layers.iter_mut().flat_map(|layer| &mut layer.units).for_each(|unit| {
                    *unit.last_mut().unwrap() = number();
                });
                let views: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
                let mut gradient = Gradient::of(&layers);
                gradient.find(&layers, &views, &targets, task);
                let found = gradient.slopes.clone();
                for (n, units) in found.iter().enumerate() {
                    for (u, slopes) in units.iter().enumerate() {
                        for (w, &slope) in slopes.iter().enumerate() {
                            let mut loss = |change: f64| {
                                let mut moved = layers.clone();
                                moved[n].units[u][w] += change;
                                gradient.find(&moved, &views, &targets, task)
                            };
                            let wanted = (loss(1e-5) - loss(-1e-5)) / 2e-5;
                            assert!((slope - wanted).abs() < 1e-8, "{slope} is not {wanted}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn losses_of_great_outputs_are_finite() {
        for output in [-800.0, 0.0, 800.0] {
            let (loss, slope) = loss_and_slope(output, 1.0, Task::Classes);
            assert!(loss.is_finite() && (-1.0..=0.0).contains(&slope), "{output}");
        }
        assert_eq!(loss_and_slope(-800.0, 1.0, Task::Classes), (800.0, -1.0));
    }
}
