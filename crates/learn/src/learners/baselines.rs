//! Baselines that a learner must beat.

use super::prepare::use_of;
use crate::learner::{Examples, LearnError, Learner, Task};
use crate::model::Fitted;
use crate::random::Random;
use crate::tree::{Growth, Tree};

/// Predicts the mean target; for classes, the share of class 1, so it decides for the more frequent
/// class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constant;

impl Learner for Constant {
    fn name(&self) -> String {
        "constant".to_owned()
    }

    fn fit(&self, examples: &Examples<'_>, _: u64) -> Result<Fitted, LearnError> {
        Ok(Fitted::Constant { value: examples.mean() })
    }
}

/// Predicts by a single attribute: the one with the strongest relation to the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BestAttribute;

impl Learner for BestAttribute {
    fn name(&self) -> String {
        "best attribute".to_owned()
    }

    fn fit(&self, examples: &Examples<'_>, seed: u64) -> Result<Fitted, LearnError> {
        let used = |n: usize| (use_of(examples, n), std::cmp::Reverse(n));
        let best = (0..examples.width()).max_by(|&a, &b| {
            let ((a, m), (b, n)) = (used(a), used(b));
            a.total_cmp(&b).then(m.cmp(&n))
        });
        OneAttribute { attribute: best.expect("there is an attribute") }.fit(examples, seed)
    }
}

/// Predicts by a single attribute: for classes with one threshold, for numbers with a straight
/// line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OneAttribute {
    /// Index of the attribute.
    pub attribute: usize,
}

impl Learner for OneAttribute {
    fn name(&self) -> String {
        format!("attribute {}", self.attribute)
    }

    fn fit(&self, examples: &Examples<'_>, seed: u64) -> Result<Fitted, LearnError> {
        let n = self.attribute;
        let attributes = vec![n];
        let values: Vec<[f64; 1]> = examples.rows().iter().map(|row| [row[n]]).collect();
        let model = match examples.task() {
            Task::Classes => {
                let rows: Vec<&[f64]> = values.iter().map(|value| &value[..]).collect();
                let all: Vec<usize> = (0..rows.len()).collect();
                let growth = Growth { depth_max: 1, ..Growth::FULL };
                let random = &mut Random::new(seed);
                let tree = Tree::grow(&rows, examples.targets(), &all, growth, random);
                Fitted::Trees { trees: vec![tree] }
            }
            Task::Values => line(&values, examples.targets()),
        };
        Ok(Fitted::Selected { attributes, model: Box::new(model) })
    }
}

/// Fits a line by least squares.
fn line(values: &[[f64; 1]], targets: &[f64]) -> Fitted {
    let count = values.len() as f64;
    let mean_x = values.iter().map(|value| value[0]).sum::<f64>() / count;
    let mean_y = targets.iter().sum::<f64>() / count;
    let (mut xx, mut xy) = (0.0, 0.0);
    for (value, target) in values.iter().zip(targets) {
        xx += (value[0] - mean_x).powi(2);
        xy += (value[0] - mean_x) * (target - mean_y);
    }
    let slope = if xx > 0.0 { xy / xx } else { 0.0 };
    let link = crate::model::Link::Identity;
    Fitted::Linear { weights: vec![slope], bias: mean_y - slope * mean_x, link }
}
