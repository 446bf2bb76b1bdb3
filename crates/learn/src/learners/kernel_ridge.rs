//! Kernel ridge regression.

use super::only;
use crate::learner::{Examples, LearnError, Learner, Task};
use crate::model::{Fitted, Link, squared_distance};

/// Ridge regression with a Gaussian kernel exp(-d^2 / width) (Saunders, Gammerman and Vovk 1998);
/// equals the mean of a Gaussian process.
///
/// Solved by a Cholesky decomposition, which needs no library for a few hundred examples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KernelRidge {
    /// Kernel width in squared units of the attributes, per attribute: it is multiplied with the
    /// number of attributes. More than 0.
    pub width: f64,
    /// Weight of the penalty relative to the sum of squared errors; more than 0.
    pub penalty: f64,
}

impl Learner for KernelRidge {
    fn name(&self) -> String {
        format!("kernel_ridge(width={},penalty={})", self.width, self.penalty)
    }

    fn fit(&self, examples: &Examples<'_>, _: u64) -> Result<Fitted, LearnError> {
        only(Task::Values, self, examples)?;
        let rows = examples.rows();
        let width = self.width * examples.width() as f64;
        let bias = examples.mean();
        let kernel = |i: usize, j: usize| {
            let ridge = if i == j { self.penalty } else { 0.0 };
            (-squared_distance(rows[i], rows[j]) / width).exp() + ridge
        };
        let left = examples.targets().iter().map(|target| target - bias).collect();
        Ok(Fitted::Kernels {
            centres: rows.iter().map(|row| row.to_vec()).collect(),
            weights: solved(rows.len(), &kernel, left),
            bias,
            width,
            link: Link::Identity,
        })
    }
}

/// Solves A x = b for a symmetric positive definite A. Calls `a(i, j)` only for j up to i.
pub(super) fn solved(n: usize, a: &dyn Fn(usize, usize) -> f64, mut b: Vec<f64>) -> Vec<f64> {
    // A = L L^T; row i of L has i + 1 numbers.
    let mut lower: Vec<Vec<f64>> = Vec::with_capacity(n);
    for i in 0..n {
        let mut row: Vec<f64> = Vec::with_capacity(i + 1);
        for j in 0..=i {
            let known: f64 = row.iter().zip(lower.get(j).unwrap_or(&row)).map(|(x, y)| x * y).sum();
            let rest = a(i, j) - known;
            row.push(if i == j { rest.max(f64::MIN_POSITIVE).sqrt() } else { rest / lower[j][j] });
        }
        lower.push(row);
    }
    for i in 0..n {
        let known: f64 = (0..i).map(|j| lower[i][j] * b[j]).sum();
        b[i] = (b[i] - known) / lower[i][i];
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| lower[j][i] * b[j]).sum();
        b[i] = (b[i] - known) / lower[i][i];
    }
    b
}
