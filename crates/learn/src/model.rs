//! Fitted models: plain numbers that make predictions and can be stored in a file.

use serde::{Deserialize, Serialize};

use crate::tree::Tree;

/// Fitted model.
///
/// For classes it predicts the probability of class 1, 0 to 1. If a learner returns a score
/// instead, the score passes through a logistic function, so its decision still changes at 0.5.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Fitted {
    /// Same prediction for all rows.
    Constant {
        /// Prediction.
        value: f64,
    },
    /// Mean of trees.
    Trees {
        /// Trees, at least one.
        trees: Vec<Tree>,
    },
    /// Sum of trees, passed through a link.
    Sum {
        /// Number added to the sum.
        base: f64,
        /// Trees of the sum.
        trees: Vec<Tree>,
        /// Function applied to the sum.
        link: Link,
    },
    /// Weighted sum of the attributes, passed through a link.
    Linear {
        /// Weight of each attribute.
        weights: Vec<f64>,
        /// Number added to the sum.
        bias: f64,
        /// Function applied to the sum.
        link: Link,
    },
    /// Weighted sum of Gaussian kernels exp(-d^2 / width), passed through a link.
    Kernels {
        /// Centre of each kernel.
        centres: Vec<Vec<f64>>,
        /// Weight of each kernel.
        weights: Vec<f64>,
        /// Number added to the sum.
        bias: f64,
        /// Width of all kernels.
        width: f64,
        /// Function applied to the sum.
        link: Link,
    },
    /// Independent normal distributions of the attributes in each class.
    Normals {
        /// ln of the share of class 1 minus ln of the share of class 0.
        prior: f64,
        /// Mean and variance by class and attribute.
        classes: [Vec<(f64, f64)>; 2],
    },
    /// Mean target of the nearest examples.
    Neighbours {
        /// Number of neighbours.
        k: usize,
        /// Attributes of the examples.
        rows: Vec<Vec<f64>>,
        /// Targets of the examples.
        targets: Vec<f64>,
    },
    /// Model of attributes scaled to mean 0 and standard deviation 1.
    Scaled {
        /// For each attribute, the number to subtract and the factor of the difference.
        scales: Vec<(f64, f64)>,
        /// Model of the scaled attributes.
        model: Box<Fitted>,
    },
    /// Model of some of the attributes.
    Selected {
        /// Indices of the attributes.
        attributes: Vec<usize>,
        /// Model of these attributes.
        model: Box<Fitted>,
    },
    /// Multilayer perceptron: each layer except the last applies the hyperbolic tangent to its
    /// sums.
    Network {
        /// Layers, at least one; the last one has one unit.
        layers: Vec<Layer>,
        /// Function applied to the sum of the last layer.
        link: Link,
    },
    /// Mean of several models.
    Mean {
        /// Models, at least one.
        models: Vec<Fitted>,
    },
}

/// Layer of a network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Layer {
    /// For each unit, the weights of its inputs followed by the bias.
    pub units: Vec<Vec<f64>>,
}

impl Layer {
    /// Returns the sums of the units.
    fn sums(&self, inputs: &[f64]) -> Vec<f64> {
        let sum = |unit: &Vec<f64>| {
            let (bias, weights) = unit.split_last().expect("a unit has a bias");
            bias + dot(weights, inputs)
        };
        self.units.iter().map(sum).collect()
    }
}

/// Function applied to a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Link {
    /// Identity: no change.
    Identity,
    /// 1 / (1 + exp(-x)).
    Logistic,
}

impl Link {
    /// Applies the function.
    #[must_use]
    pub fn of(self, x: f64) -> f64 {
        match self {
            Link::Identity => x,
            Link::Logistic => 1.0 / (1.0 + (-x).exp()),
        }
    }
}

/// Greatest absolute value of a number in a model. Within it, no product or sum of a prediction
/// overflows.
pub(crate) const NUMBER_MAX: f64 = 1e15;

/// Greatest depth of nested models.
const NESTED_MAX: usize = 6;

/// Tests whether a number of a model is finite and at most [`NUMBER_MAX`] in absolute value.
pub(crate) fn is_number(x: f64) -> bool {
    x.abs() <= NUMBER_MAX
}

fn are_numbers(row: &[f64]) -> bool {
    row.iter().all(|&x| is_number(x))
}

impl Fitted {
    /// Predicts the target of a row.
    ///
    /// # Panics
    ///
    /// If the row has too few attributes.
    #[must_use]
    pub fn predict(&self, row: &[f64]) -> f64 {
        match self {
            Fitted::Constant { value } => *value,
            Fitted::Trees { trees } => {
                trees.iter().map(|tree| tree.predict(row)).sum::<f64>() / trees.len() as f64
            }
            Fitted::Sum { base, trees, link } => {
                link.of(base + trees.iter().map(|tree| tree.predict(row)).sum::<f64>())
            }
            Fitted::Linear { weights, bias, link } => link.of(bias + dot(weights, row)),
            Fitted::Kernels { centres, weights, bias, width, link } => {
                let kernel = |centre: &Vec<f64>| (-squared_distance(centre, row) / width).exp();
                let sum: f64 = centres.iter().zip(weights).map(|(c, w)| w * kernel(c)).sum();
                link.of(bias + sum)
            }
            Fitted::Normals { prior, classes: [zero, one] } => {
                let ln_density = |x: f64, &(mean, variance): &(f64, f64)| {
                    -0.5 * (variance.ln() + (x - mean).powi(2) / variance)
                };
                let pairs = row.iter().zip(zero.iter().zip(one));
                let odds: f64 =
                    pairs.map(|(&x, (zero, one))| ln_density(x, one) - ln_density(x, zero)).sum();
                Link::Logistic.of(prior + odds)
            }
            Fitted::Neighbours { k, rows, targets } => {
                let mut near: Vec<(f64, f64)> = rows
                    .iter()
                    .zip(targets)
                    .map(|(other, &target)| (squared_distance(other, row), target))
                    .collect();
                near.sort_by(|a, b| a.0.total_cmp(&b.0));
                // All examples as near as the k-th count, because their order is arbitrary.
                let k = (*k).min(near.len());
                let reach = near[k - 1].0;
                let near: Vec<f64> = near
                    .iter()
                    .take_while(|(d, _)| *d <= reach)
                    .map(|(_, target)| *target)
                    .collect();
                near.iter().sum::<f64>() / near.len() as f64
            }
            Fitted::Scaled { scales, model } => {
                let scaled: Vec<f64> =
                    row.iter().zip(scales).map(|(x, (mean, factor))| (x - mean) * factor).collect();
                model.predict(&scaled)
            }
            Fitted::Selected { attributes, model } => {
                let chosen: Vec<f64> = attributes.iter().map(|&n| row[n]).collect();
                model.predict(&chosen)
            }
            Fitted::Network { layers, link } => {
                let (last, hidden) = layers.split_last().expect("a network has a layer");
                let mut values = row.to_vec();
                for layer in hidden {
                    values = layer.sums(&values);
                    values.iter_mut().for_each(|value| *value = value.tanh());
                }
                link.of(last.sums(&values)[0])
            }
            Fitted::Mean { models } => {
                models.iter().map(|model| model.predict(row)).sum::<f64>() / models.len() as f64
            }
        }
    }

    /// Tests whether the model fits rows of this many attributes, and predicts finite numbers for
    /// finite rows. A model read from a file may be invalid.
    #[must_use]
    pub fn is_sound(&self, attributes: usize) -> bool {
        self.is_sound_within(attributes, NESTED_MAX)
    }

    /// Tests the same for a model with at most `depth` levels of nested models.
    fn is_sound_within(&self, attributes: usize, depth: usize) -> bool {
        let all_sound = |trees: &[Tree]| trees.iter().all(|tree| tree.is_sound(attributes));
        let is_row = |row: &Vec<f64>| row.len() == attributes && are_numbers(row);
        match self {
            Fitted::Constant { value } => is_number(*value),
            Fitted::Trees { trees } => !trees.is_empty() && all_sound(trees),
            Fitted::Sum { base, trees, .. } => is_number(*base) && all_sound(trees),
            Fitted::Linear { weights, bias, .. } => is_row(weights) && is_number(*bias),
            Fitted::Kernels { centres, weights, bias, width, .. } => {
                centres.len() == weights.len()
                    && centres.iter().all(is_row)
                    && are_numbers(weights)
                    && is_number(*bias)
                    && is_number(*width)
                    && *width > 0.0
            }
            Fitted::Normals { prior, classes } => {
                let is_normal = |&(mean, variance): &(f64, f64)| {
                    is_number(mean) && is_number(variance) && variance > 1.0 / NUMBER_MAX
                };
                let fits =
                    |of: &Vec<(f64, f64)>| of.len() == attributes && of.iter().all(is_normal);
                is_number(*prior) && classes.iter().all(fits)
            }
            Fitted::Neighbours { k, rows, targets } => {
                *k > 0
                    && !rows.is_empty()
                    && rows.len() == targets.len()
                    && rows.iter().all(is_row)
                    && are_numbers(targets)
            }
            Fitted::Scaled { scales, model } => {
                let fits = |&(mean, factor): &(f64, f64)| is_number(mean) && is_number(factor);
                scales.len() == attributes
                    && scales.iter().all(fits)
                    && depth > 0
                    && model.is_sound_within(attributes, depth - 1)
            }
            Fitted::Selected { attributes: chosen, model } => {
                chosen.iter().all(|&n| n < attributes)
                    && depth > 0
                    && model.is_sound_within(chosen.len(), depth - 1)
            }
            Fitted::Network { layers, .. } => {
                let mut inputs = attributes;
                let chained = layers.iter().all(|layer| {
                    let fits = |unit: &Vec<f64>| unit.len() == inputs + 1 && are_numbers(unit);
                    let fits = layer.units.iter().all(fits);
                    inputs = layer.units.len();
                    fits && inputs > 0
                });
                chained && inputs == 1 && !layers.is_empty()
            }
            Fitted::Mean { models } => {
                let fits = |model: &Fitted| model.is_sound_within(attributes, depth - 1);
                !models.is_empty() && depth > 0 && models.iter().all(fits)
            }
        }
    }

    /// Returns the tree if the model is a single tree; otherwise `None`.
    #[must_use]
    pub fn tree(&self) -> Option<&Tree> {
        match self {
            Fitted::Trees { trees } => match &trees[..] {
                [tree] => Some(tree),
                _ => None,
            },
            _ => None,
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(crate) fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum()
}
