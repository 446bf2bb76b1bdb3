//! What learners give: plain numbers that predict, and can be kept in a file.

use serde::{Deserialize, Serialize};

use crate::tree::Tree;

/// A fitted model.
///
/// Of classes it predicts the probability of class 1, 0 to 1; where a learner gives a score instead, the
/// score is put through a logistic function, so that 0.5 is still where its decision changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Fitted {
    /// The same for all rows.
    Constant {
        /// The prediction.
        value: f64,
    },
    /// The mean of trees.
    Trees {
        /// The trees, at least one.
        trees: Vec<Tree>,
    },
    /// The sum of trees, put through a link.
    Sum {
        /// What the sum begins with.
        base: f64,
        /// The trees.
        trees: Vec<Tree>,
        /// What is done with the sum.
        link: Link,
    },
    /// A weighted sum of the attributes, put through a link.
    Linear {
        /// The weight of each attribute.
        weights: Vec<f64>,
        /// What is added.
        bias: f64,
        /// What is done with the sum.
        link: Link,
    },
    /// A weighted sum of Gaussian kernels exp(-d^2 / width), put through a link.
    Kernels {
        /// The centre of each.
        centres: Vec<Vec<f64>>,
        /// The weight of each.
        weights: Vec<f64>,
        /// What is added.
        bias: f64,
        /// The width.
        width: f64,
        /// What is done with the sum.
        link: Link,
    },
    /// Independent normal distributions of the attributes in each class.
    Normals {
        /// ln of the share of class 1 less that of class 0.
        prior: f64,
        /// By class, by attribute: mean and variance.
        classes: [Vec<(f64, f64)>; 2],
    },
    /// The mean target of the nearest examples.
    Neighbours {
        /// How many.
        k: usize,
        /// The examples.
        rows: Vec<Vec<f64>>,
        /// Their targets.
        targets: Vec<f64>,
    },
    /// A model of attributes that are first brought to mean 0 and standard deviation 1.
    Scaled {
        /// By attribute: what is taken away, and what the rest is multiplied with.
        scales: Vec<(f64, f64)>,
        /// The model.
        model: Box<Fitted>,
    },
    /// A model of some of the attributes.
    Selected {
        /// Which.
        attributes: Vec<usize>,
        /// The model.
        model: Box<Fitted>,
    },
    /// A multilayer perceptron: each layer but the last gives the hyperbolic tangents of its sums.
    Network {
        /// The layers, at least one; the last has one unit.
        layers: Vec<Layer>,
        /// What is done with the sum of the last one.
        link: Link,
    },
    /// The mean of several models.
    Mean {
        /// The models, at least one.
        models: Vec<Fitted>,
    },
}

/// A layer of a network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Layer {
    /// By unit: the weight of each input, then what is added.
    pub units: Vec<Vec<f64>>,
}

impl Layer {
    /// The sums of the units.
    fn sums(&self, inputs: &[f64]) -> Vec<f64> {
        let sum = |unit: &Vec<f64>| {
            let (bias, weights) = unit.split_last().expect("a unit has a bias");
            bias + dot(weights, inputs)
        };
        self.units.iter().map(sum).collect()
    }
}

/// What is done with a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Link {
    /// Nothing.
    Identity,
    /// 1 / (1 + exp(-x)).
    Logistic,
}

impl Link {
    /// Applies it.
    #[must_use]
    pub fn of(self, x: f64) -> f64 {
        match self {
            Link::Identity => x,
            Link::Logistic => 1.0 / (1.0 + (-x).exp()),
        }
    }
}

/// The greatest size of a number of a model. With it no product or sum of a prediction overflows.
pub(crate) const NUMBER_MAX: f64 = 1e15;

/// The greatest depth of models nested in a model.
const NESTED_MAX: usize = 6;

/// Whether a number of a model is finite and not too great to be calculated with.
pub(crate) fn is_number(x: f64) -> bool {
    x.abs() <= NUMBER_MAX
}

fn are_numbers(row: &[f64]) -> bool {
    row.iter().all(|&x| is_number(x))
}

impl Fitted {
    /// The prediction for a row.
    ///
    /// # Panics
    ///
    /// When the row has too few attributes.
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
                // As many as are as near as the k-th: their order says nothing.
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

    /// Whether it is a model of rows of this many attributes whose predictions for finite rows are finite:
    /// one that was read need not be.
    #[must_use]
    pub fn is_sound(&self, attributes: usize) -> bool {
        self.is_sound_within(attributes, NESTED_MAX)
    }

    /// The same of a model in which others are nested at most so deep.
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

    /// The tree, where the model is one.
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
