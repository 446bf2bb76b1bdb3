//! Linear models: logistic and ridge regression.

use linfa::DatasetBase;
use linfa::traits::Fit;
use linfa_logistic::LogisticRegression;

use super::kernel_ridge::solved;
use super::{classes, failed, only, records};
use crate::learner::{Examples, LearnError, Learner, Task};
use crate::model::{Fitted, Link};

/// Logistic regression with an L2 penalty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Logistic {
    /// Weight of the penalty `penalty / 2 * |w|^2` relative to the sum of the losses; at least 0.
    pub penalty: f64,
}

impl Learner for Logistic {
    fn name(&self) -> String {
        format!("logistic(penalty={})", self.penalty)
    }

    fn fit(&self, examples: &Examples<'_>, _: u64) -> Result<Fitted, LearnError> {
        only(Task::Classes, self, examples)?;
        if examples.is_constant() {
            return Ok(Fitted::Constant { value: examples.mean() });
        }
        let data = DatasetBase::new(records(examples), classes(examples));
        let learner = LogisticRegression::default().alpha(self.penalty).max_iterations(1_000);
        let fitted = learner.fit(&data).map_err(|error| failed(self, error))?;
        // The library chooses one of the classes as positive.
        let sign = if fitted.labels().pos.class { 1.0 } else { -1.0 };
        Ok(Fitted::Linear {
            weights: fitted.params().iter().map(|weight| sign * weight).collect(),
            bias: sign * fitted.intercept(),
            link: Link::Logistic,
        })
    }
}

/// Ridge regression.
///
/// Solved by the normal equations: the coordinate descent of linfa-elasticnet 0.8 took 70% of the
/// time of an evaluation with two hundred attributes, many of them nearly equal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ridge {
    /// Weight of the penalty `penalty / 2 * |w|^2` relative to half of the mean squared error; at
    /// least 0.
    pub penalty: f64,
}

impl Learner for Ridge {
    fn name(&self) -> String {
        format!("ridge(penalty={})", self.penalty)
    }

    fn fit(&self, examples: &Examples<'_>, _: u64) -> Result<Fitted, LearnError> {
        only(Task::Values, self, examples)?;
        if examples.is_constant() {
            return Ok(Fitted::Constant { value: examples.mean() });
        }
        let (n, width) = (examples.len() as f64, examples.width());
        let column_mean = |k: usize| examples.rows().iter().map(|row| row[k]).sum::<f64>() / n;
        let means: Vec<f64> = (0..width).map(column_mean).collect();
        let mean = examples.mean();
        let (mut products, mut sums) = (vec![0.0; width * width], vec![0.0; width]);
        for (row, target) in examples.rows().iter().zip(examples.targets()) {
            let centred: Vec<f64> = row.iter().zip(&means).map(|(x, mean)| x - mean).collect();
            for (i, x) in centred.iter().enumerate() {
                sums[i] += x * (target - mean) / n;
                let own = &mut products[i * width..=i * width + i];
                own.iter_mut().zip(&centred).for_each(|(sum, other)| *sum += x * other / n);
            }
        }
        // Too small to change anything except the solution for linearly dependent attributes.
        let least = 1e-10 * (0..width).map(|i| products[i * width + i]).fold(0.0, f64::max);
        let normal = |i: usize, j: usize| {
            let ridge = if i == j { self.penalty + least } else { 0.0 };
            products[i * width + j] + ridge
        };
        let weights = solved(width, &normal, sums);
        Ok(Fitted::Linear {
            bias: mean - weights.iter().zip(&means).map(|(w, mean)| w * mean).sum::<f64>(),
            weights,
            link: Link::Identity,
        })
    }
}
