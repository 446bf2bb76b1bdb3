//! Learners, one file each.

mod baselines;
mod bayes;
mod boosting;
mod forest;
mod kernel_ridge;
mod linear;
mod mixture;
mod mlp;
mod neighbours;
mod prepare;
mod search;
mod svm;
mod tree;

pub use baselines::{BestAttribute, Constant, OneAttribute};
pub use bayes::NaiveBayes;
pub use boosting::Boosting;
pub use forest::{ExtraTrees, RandomForest};
pub use kernel_ridge::KernelRidge;
pub use linear::{Logistic, Ridge};
pub use mixture::Mixture;
pub use mlp::Mlp;
pub use neighbours::NearestNeighbours;
pub use prepare::{Columns, Scaled, Selected};
pub use search::Nested;
pub use svm::{Kernel, Svm};
pub use tree::DecisionTree;

use ndarray::{Array1, Array2};

use crate::learner::{Examples, LearnError, Learner, Task};

/// Converts the rows to linfa's form.
fn records(examples: &Examples<'_>) -> Array2<f64> {
    let all = examples.rows().iter().flat_map(|row| row.iter().copied()).collect();
    Array2::from_shape_vec((examples.len(), examples.width()), all).expect("rows are of one length")
}

/// Converts the classes to linfa's form.
fn classes(examples: &Examples<'_>) -> Array1<bool> {
    examples.targets().iter().map(|target| *target == 1.0).collect()
}

/// Returns an error unless the examples are of the task that the learner supports.
fn only(task: Task, learner: &dyn Learner, examples: &Examples<'_>) -> Result<(), LearnError> {
    if examples.task() == task {
        return Ok(());
    }
    Err(LearnError::Task { learner: learner.name(), task: examples.task() })
}

fn failed(learner: &dyn Learner, reason: impl std::fmt::Display) -> LearnError {
    LearnError::Failed { learner: learner.name(), reason: reason.to_string() }
}
