//! Learners, the examples that they learn from, and their errors.

use std::fmt::Debug;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::model::Fitted;

/// Kind of prediction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Task {
    /// Two classes: targets are 0 and 1, and predictions are probabilities of class 1.
    Classes,
    /// Numbers.
    Values,
}

/// Training examples.
///
/// Rows have equal length, at least 1, there are as many rows as targets and groups, and all
/// numbers are finite; [`Examples::new`] checks this.
#[derive(Clone, Debug)]
pub struct Examples<'a> {
    task: Task,
    rows: Vec<&'a [f64]>,
    targets: Vec<f64>,
    groups: Vec<usize>,
}

/// Error of learning.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LearnError {
    /// The examples are empty.
    #[error("there are no examples to learn from")]
    NoExamples,
    /// A mixture has no learners.
    #[error("a mixture needs at least one learner")]
    NoLearners,
    /// The examples have zero attributes.
    #[error("there are no attributes to learn from")]
    NoAttributes,
    /// Parts of the examples have different lengths.
    #[error("{found} {what}, expected {expected}")]
    Length {
        /// Part with the wrong length.
        what: &'static str,
        /// Actual length.
        found: usize,
        /// Expected length.
        expected: usize,
    },
    /// A number is not finite.
    #[error("example {0} has a number that is not finite")]
    NotFinite(usize),
    /// The target of a class is neither 0 nor 1, or a class number is out of range.
    #[error("the class of example {0} is neither 0 nor 1")]
    NoClass(usize),
    /// All examples have one class.
    #[error("all {0} examples have the same class; learning needs both")]
    OneClass(usize),
    /// The learner does not support the task.
    #[error("{learner} does not predict {}", match task { Task::Classes => "classes", Task::Values => "numbers" })]
    Task {
        /// Name of the learner.
        learner: String,
        /// Requested task.
        task: Task,
    },
    /// There are too few examples or groups for the folds.
    #[error("{found} {what} are too few for {expected} folds")]
    Folds {
        /// Unit that is split into folds: examples or groups.
        what: &'static str,
        /// Actual number of units.
        found: usize,
        /// Number of folds.
        expected: usize,
    },
    /// The watch said stop.
    #[error("interrupted")]
    Interrupted,
    /// The library behind a learner failed.
    #[error("{learner} failed: {reason}")]
    Failed {
        /// Name of the learner.
        learner: String,
        /// Reason in the words of the library.
        reason: String,
    },
}

impl<'a> Examples<'a> {
    /// Creates examples from rows, targets and groups. Examples of one group are not independent,
    /// so splits by groups keep them in the same fold.
    ///
    /// # Errors
    ///
    /// If the examples are empty, lengths differ, a number is not finite, or a class is neither 0
    /// nor 1.
    pub fn new(
        task: Task,
        rows: Vec<&'a [f64]>,
        targets: Vec<f64>,
        groups: Vec<usize>,
    ) -> Result<Self, LearnError> {
        let Some(first) = rows.first() else { return Err(LearnError::NoExamples) };
        if first.is_empty() {
            return Err(LearnError::NoAttributes);
        }
        let length = |what, found, expected| {
            if found == expected {
                Ok(())
            } else {
                Err(LearnError::Length { what, found, expected })
            }
        };
        length("targets", targets.len(), rows.len())?;
        length("groups", groups.len(), rows.len())?;
        for (n, row) in rows.iter().enumerate() {
            length("attributes of an example", row.len(), first.len())?;
            if row.iter().chain([&targets[n]]).any(|value| !value.is_finite()) {
                return Err(LearnError::NotFinite(n));
            }
            if task == Task::Classes && targets[n] != 0.0 && targets[n] != 1.0 {
                return Err(LearnError::NoClass(n));
            }
        }
        Ok(Examples { task, rows, targets, groups })
    }

    /// Returns the kind of prediction.
    #[must_use]
    pub fn task(&self) -> Task {
        self.task
    }

    /// Number of examples, at least 1.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "there is always one")]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Number of attributes of each example, at least 1.
    #[must_use]
    pub fn width(&self) -> usize {
        self.rows[0].len()
    }

    /// Returns the attributes of each example.
    #[must_use]
    pub fn rows(&self) -> &[&'a [f64]] {
        &self.rows
    }

    /// Returns the target of each example.
    #[must_use]
    pub fn targets(&self) -> &[f64] {
        &self.targets
    }

    /// Returns the group of each example.
    #[must_use]
    pub fn groups(&self) -> &[usize] {
        &self.groups
    }

    /// Mean target; for classes, the share of class 1.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.targets.iter().sum::<f64>() / self.len() as f64
    }

    /// Tests whether all targets are equal.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        self.targets.iter().all(|target| *target == self.targets[0])
    }

    /// Selects examples by index, in this order; repetitions are allowed.
    ///
    /// # Panics
    ///
    /// If the list is empty or an index is out of range.
    #[must_use]
    pub fn some(&self, which: &[usize]) -> Examples<'a> {
        assert!(!which.is_empty(), "there is always one example");
        Examples {
            task: self.task,
            rows: which.iter().map(|&n| self.rows[n]).collect(),
            targets: which.iter().map(|&n| self.targets[n]).collect(),
            groups: which.iter().map(|&n| self.groups[n]).collect(),
        }
    }

    /// Replaces the targets.
    ///
    /// # Panics
    ///
    /// If the number of targets differs from the number of examples.
    #[must_use]
    pub fn with_targets(&self, targets: Vec<f64>) -> Examples<'a> {
        assert_eq!(targets.len(), self.len(), "there is a target for each example");
        Examples { targets, ..self.clone() }
    }
}

/// Algorithm that learns to predict targets from attributes.
///
/// Everything that a learner derives from examples, such as scales and the selection of attributes,
/// it derives inside [`Learner::fit`]. So cross-validation leaks nothing of the held-out examples.
pub trait Learner: Debug + Send + Sync {
    /// Returns the name with settings, as in reports.
    fn name(&self) -> String;

    /// Fits a model. The same examples and seed give the same model.
    ///
    /// # Errors
    ///
    /// If the learner does not support the task, or cannot handle the examples.
    fn fit(&self, examples: &Examples<'_>, seed: u64) -> Result<Fitted, LearnError>;
}

impl<L: Learner + ?Sized> Learner for &L {
    fn name(&self) -> String {
        (**self).name()
    }

    fn fit(&self, examples: &Examples<'_>, seed: u64) -> Result<Fitted, LearnError> {
        (**self).fit(examples, seed)
    }
}

impl<L: Learner + ?Sized> Learner for Box<L> {
    fn name(&self) -> String {
        (**self).name()
    }

    fn fit(&self, examples: &Examples<'_>, seed: u64) -> Result<Fitted, LearnError> {
        (**self).fit(examples, seed)
    }
}
