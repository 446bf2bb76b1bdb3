//! Naive Bayes with normal distributions.

use super::only;
use crate::learner::{Examples, LearnError, Learner, Task};
use crate::model::Fitted;

/// Naive Bayes: each attribute has a normal distribution in each class, independent of the other
/// attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NaiveBayes;

/// Share of the greatest variance that is added to each variance. Without it an attribute that is
/// constant in a class would decide alone.
const SMOOTHING: f64 = 1e-9;

impl Learner for NaiveBayes {
    fn name(&self) -> String {
        "bayes".to_owned()
    }

    fn fit(&self, examples: &Examples<'_>, _: u64) -> Result<Fitted, LearnError> {
        only(Task::Classes, self, examples)?;
        if examples.is_constant() {
            return Ok(Fitted::Constant { value: examples.mean() });
        }
        let moments = |rows: &[&[f64]], n: usize| {
            let count = rows.len() as f64;
            let mean = rows.iter().map(|row| row[n]).sum::<f64>() / count;
            let variance = rows.iter().map(|row| (row[n] - mean).powi(2)).sum::<f64>() / count;
            (mean, variance)
        };
        let width = examples.width();
        let greatest = (0..width).map(|n| moments(examples.rows(), n).1).fold(0.0, f64::max);
        // Without any variance the attributes cannot distinguish the classes.
        let smoothing = if greatest > 0.0 { SMOOTHING * greatest } else { 1.0 };
        let of_class = |class: f64| {
            let both = examples.rows().iter().zip(examples.targets());
            let rows: Vec<&[f64]> =
                both.filter(|(_, target)| **target == class).map(|(row, _)| *row).collect();
            let of = |n| {
                let (mean, variance) = moments(&rows, n);
                (mean, variance + smoothing)
            };
            (0..width).map(of).collect::<Vec<_>>()
        };
        let share = examples.mean();
        let prior = (share / (1.0 - share)).ln();
        Ok(Fitted::Normals { prior, classes: [of_class(0.0), of_class(1.0)] })
    }
}
