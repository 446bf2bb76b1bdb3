//! What a learner is, and what it gives.

use std::fmt::Debug;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::model::Fitted;

/// What is predicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Task {
    /// One of two classes: targets are 0 and 1, and predictions are probabilities of 1.
    Classes,
    /// A number.
    Values,
}

/// Examples to learn from.
///
/// Rows are of equal length, as many as targets, and finite; [`Examples::new`] checks it.
#[derive(Clone, Debug)]
pub struct Examples<'a> {
    task: Task,
    rows: Vec<&'a [f64]>,
    targets: Vec<f64>,
    groups: Vec<usize>,
}

/// Why nothing can be learned.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LearnError {
    /// There are no examples.
    #[error("there are no examples to learn from")]
    NoExamples,
    /// There are no learners to take the mean of.
    #[error("a mixture of no learners predicts nothing")]
    NoLearners,
    /// There are no attributes.
    #[error("there are no attributes to learn from")]
    NoAttributes,
    /// The parts of the examples are of different lengths.
    #[error("{what} are {found}, where {expected} are expected")]
    Length {
        /// Which part.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A number is not finite.
    #[error("example {0} has a number that is not finite")]
    NotFinite(usize),
    /// A target of a class is neither 0 nor 1.
    #[error("the class of example {0} is neither 0 nor 1")]
    NoClass(usize),
    /// All examples are of one class.
    #[error("all {0} examples are of one class, so there is nothing to tell apart")]
    OneClass(usize),
    /// The learner does not predict this.
    #[error("{learner} does not predict {}", match task { Task::Classes => "classes", Task::Values => "numbers" })]
    Task {
        /// The learner.
        learner: String,
        /// What it was asked for.
        task: Task,
    },
    /// The examples are too few for the folds.
    #[error("{found} {what} are too few for {expected} folds")]
    Folds {
        /// What is put into folds.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// The folds.
        expected: usize,
    },
    /// Whoever asked for it says stop.
    #[error("interrupted")]
    Interrupted,
    /// The library behind a learner failed.
    #[error("{learner} failed: {reason}")]
    Failed {
        /// The learner.
        learner: String,
        /// What it says.
        reason: String,
    },
}

impl<'a> Examples<'a> {
    /// Examples with their targets and groups. Examples of one group are not independent: a fold has all
    /// of them or none, where folds are made by groups.
    ///
    /// # Errors
    ///
    /// When there are none, lengths differ, a number is not finite, or a class is neither 0 nor 1.
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

    /// What is to be predicted.
    #[must_use]
    pub fn task(&self) -> Task {
        self.task
    }

    /// How many there are, at least 1.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "there is always one")]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The attributes of each, at least 1.
    #[must_use]
    pub fn width(&self) -> usize {
        self.rows[0].len()
    }

    /// The attributes of the examples.
    #[must_use]
    pub fn rows(&self) -> &[&'a [f64]] {
        &self.rows
    }

    /// The targets of the examples.
    #[must_use]
    pub fn targets(&self) -> &[f64] {
        &self.targets
    }

    /// The groups of the examples.
    #[must_use]
    pub fn groups(&self) -> &[usize] {
        &self.groups
    }

    /// The mean target: of classes, the share of class 1.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.targets.iter().sum::<f64>() / self.len() as f64
    }

    /// Whether all targets are equal.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        self.targets.iter().all(|target| *target == self.targets[0])
    }

    /// Some of them, in this order.
    ///
    /// # Panics
    ///
    /// When the list is empty or an example does not exist.
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

    /// The same with other targets.
    ///
    /// # Panics
    ///
    /// When they are not as many.
    #[must_use]
    pub fn with_targets(&self, targets: Vec<f64>) -> Examples<'a> {
        assert_eq!(targets.len(), self.len(), "there is a target for each example");
        Examples { targets, ..self.clone() }
    }
}

/// Learns to predict targets from attributes.
///
/// Whatever a learner finds out about its examples (scales, which attributes are of use) it finds out
/// in [`Learner::fit`], so that cross-validation shows it nothing of the examples that it is tested on.
pub trait Learner: Debug + Send + Sync {
    /// The learner with its settings, as reports name it.
    fn name(&self) -> String;

    /// Learns. The same examples and seed give the same model.
    ///
    /// # Errors
    ///
    /// When the learner does not predict this, or cannot cope with the examples.
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
