//! Weighted sums of the attributes: logistic and ridge regression.

use linfa::DatasetBase;
use linfa::traits::Fit;
use linfa_elasticnet::ElasticNet;
use linfa_logistic::LogisticRegression;
use ndarray::Axis;

use super::{classes, failed, only, records, targets};
use crate::learner::{Examples, LearnError, Learner, Task};
use crate::model::{Fitted, Link};

/// Logistic regression with an L2 penalty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Logistic {
    /// The weight of the penalty `penalty / 2 * |w|^2` beside the sum of the losses; 0 or more.
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
        // The library calls one of the classes positive.
        let sign = if fitted.labels().pos.class { 1.0 } else { -1.0 };
        Ok(Fitted::Linear {
            weights: fitted.params().iter().map(|weight| sign * weight).collect(),
            bias: sign * fitted.intercept(),
            link: Link::Logistic,
        })
    }
}

/// Ridge regression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ridge {
    /// The weight of the penalty `penalty / 2 * |w|^2` beside half of the mean squared error; 0 or more.
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
        // The library centres the targets and not the attributes, which is right only for attributes of
        // mean 0.
        let mut records = records(examples);
        let means = records.mean_axis(Axis(0)).expect("there are examples");
        records -= &means;
        let data = DatasetBase::new(records, targets(examples));
        let learner =
            ElasticNet::ridge().penalty(self.penalty).max_iterations(20_000).tolerance(1e-8);
        let fitted = learner.fit(&data).map_err(|error| failed(self, error))?;
        Ok(Fitted::Linear {
            weights: fitted.hyperplane().to_vec(),
            bias: fitted.intercept() - fitted.hyperplane().dot(&means),
            link: Link::Identity,
        })
    }
}
