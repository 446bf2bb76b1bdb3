//! Learners behind one trait, cross-validation by groups, scores and their significance.
//!
//! The crate handles tables of numbers and labels, whatever they describe. A [`Learner`] returns a
//! [`Fitted`] model of plain numbers. [`cross_validate`] predicts held-out examples, [`scores`]
//! measures the quality of predictions, and [`bootstrap`] and [`permutation_test`] measure the
//! uncertainty of the scores.
//!
//! ```
//! use treegauge_learn::learners::{DecisionTree, Scaled, Logistic};
//! use treegauge_learn::{Examples, Folds, Task, cross_validate, scores};
//!
//! let rows: Vec<[f64; 2]> = (0..20).map(|n| [f64::from(n), f64::from(n % 3)]).collect();
//! let classes = (0..20).map(|n| f64::from(u8::from(n >= 10))).collect();
//! let rows = rows.iter().map(|row| &row[..]).collect();
//! let examples = Examples::new(Task::Classes, rows, classes, (0..20).collect()).unwrap();
//! let learner = Scaled(Logistic { penalty: 1.0 });
//! let found = cross_validate(&learner, &examples, Folds::LeaveOneOut, 1).unwrap();
//! let confusion = scores::Confusion::of(&found.predictions, examples.targets());
//! assert!(confusion.accuracy().unwrap() > 0.7);
//! ```

pub mod learners;
pub mod scores;

mod bag;
mod calibrate;
mod folds;
mod learner;
mod model;
mod random;
mod several;
mod spread;
mod table;
mod tree;
mod validate;
mod watched;

pub use bag::Bag;
pub use calibrate::Calibration;
pub use folds::Folds;
pub use learner::{Examples, LearnError, Learner, Task};
pub use model::{Fitted, Layer, Link};
pub use random::Random;
pub use several::{accuracy_of_classes, auc_of_classes, brier_of_classes, cross_validate_classes};
pub use spread::PredictionErrors;
pub use table::{Table, TableError};
pub use tree::{Growth, Node, Split, Thresholds, Tree, threshold_text};
pub use validate::{
    CrossValidation, Score, ScoreFn, bootstrap, bootstrap_repeated, cross_validate,
    permutation_test, t_test,
};
pub use watched::Watched;

#[cfg(test)]
mod tests;
