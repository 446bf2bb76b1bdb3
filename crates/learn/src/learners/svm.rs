//! Support vector machines.

use linfa::DatasetBase;
use linfa::traits::Fit;

use super::{classes, failed, only, records};
use crate::learner::{Examples, LearnError, Learner, Task};
use crate::model::{Fitted, Link};

/// Kernel of a support vector machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kernel {
    /// Inner product.
    Linear,
    /// exp(-d^2 / width).
    Gaussian {
        /// Width in squared units of the attributes; `None` for the number of attributes.
        width: Option<f64>,
    },
}

/// Tolerance of the optimality conditions: the default of LIBSVM (Chang and Lin 2011). With the
/// default of the library, 1e-7, these machines took most of the time of an evaluation of some
/// hundred rows.
const TOLERANCE: f64 = 1e-3;

/// Support vector machine for two classes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Svm {
    /// Kernel.
    pub kernel: Kernel,
    /// Cost of an example on the wrong side of its margin; more than 0.
    pub c: f64,
}

impl Svm {
    fn width(&self, examples: &Examples<'_>) -> f64 {
        match self.kernel {
            Kernel::Gaussian { width: Some(width) } => width,
            _ => examples.width() as f64,
        }
    }
}

impl Learner for Svm {
    fn name(&self) -> String {
        match self.kernel {
            Kernel::Linear => format!("svm(kernel=linear,c={})", self.c),
            Kernel::Gaussian { width: None } => format!("svm(kernel=gaussian,c={})", self.c),
            Kernel::Gaussian { width: Some(width) } => {
                format!("svm(kernel=gaussian,width={width},c={})", self.c)
            }
        }
    }

    fn fit(&self, examples: &Examples<'_>, _: u64) -> Result<Fitted, LearnError> {
        only(Task::Classes, self, examples)?;
        if examples.is_constant() {
            return Ok(Fitted::Constant { value: examples.mean() });
        }
        let data = DatasetBase::new(records(examples), classes(examples));
        let width = self.width(examples);
        let learner =
            linfa_svm::Svm::<f64, bool>::params().pos_neg_weights(self.c, self.c).eps(TOLERANCE);
        let learner = match self.kernel {
            Kernel::Linear => learner.linear_kernel(),
            Kernel::Gaussian { .. } => learner.gaussian_kernel(width),
        };
        let fitted = learner.fit(&data).map_err(|error| failed(self, error))?;
        let link = Link::Logistic;
        let bias = -fitted.rho;
        let held = || fitted.alpha.iter().zip(examples.rows()).filter(|(alpha, _)| **alpha != 0.0);
        Ok(match self.kernel {
            Kernel::Linear => {
                let mut weights = vec![0.0; examples.width()];
                for (alpha, row) in held() {
                    weights.iter_mut().zip(*row).for_each(|(weight, x)| *weight += alpha * x);
                }
                Fitted::Linear { weights, bias, link }
            }
            Kernel::Gaussian { .. } => Fitted::Kernels {
                centres: held().map(|(_, row)| row.to_vec()).collect(),
                weights: held().map(|(alpha, _)| *alpha).collect(),
                bias,
                width,
                link,
            },
        })
    }
}
