//! Preparation of attributes, derived only from the examples passed to the learner.

use crate::learner::{Examples, LearnError, Learner, Task};
use crate::model::Fitted;
use crate::scores::{auc, correlation};

/// Scales each attribute to mean 0 and standard deviation 1; constant attributes become 0.
#[derive(Clone, Debug)]
pub struct Scaled<L>(pub L);

impl<L: Learner> Learner for Scaled<L> {
    fn name(&self) -> String {
        self.0.name()
    }

    fn fit(&self, examples: &Examples<'_>, seed: u64) -> Result<Fitted, LearnError> {
        let count = examples.len() as f64;
        let scale = |n: usize| {
            let column = || examples.rows().iter().map(|row| row[n]);
            let mean = column().sum::<f64>() / count;
            let deviation = (column().map(|x| (x - mean).powi(2)).sum::<f64>() / count).sqrt();
            // Rounding leaves a constant with a tiny deviation.
            let is_constant = deviation <= 1e-12 * (1.0 + mean.abs());
            (mean, if is_constant { 0.0 } else { 1.0 / deviation })
        };
        let scales: Vec<(f64, f64)> = (0..examples.width()).map(scale).collect();
        let rows: Vec<Vec<f64>> = examples
            .rows()
            .iter()
            .map(|row| row.iter().zip(&scales).map(|(x, (mean, by))| (x - mean) * by).collect())
            .collect();
        let model = self.0.fit(&with_rows(examples, &rows)?, seed)?;
        Ok(Fitted::Scaled { scales, model: Box::new(model) })
    }
}

/// Selects the attributes that are individually most related to the target: by the area under the
/// curve for classes, by the absolute correlation for numbers.
#[derive(Clone, Debug)]
pub struct Selected<L> {
    /// Number of attributes to select.
    pub count: usize,
    /// Learner on the selected attributes.
    pub learner: L,
}

impl<L: Learner> Learner for Selected<L> {
    fn name(&self) -> String {
        format!("{} on {} attributes", self.learner.name(), self.count)
    }

    fn fit(&self, examples: &Examples<'_>, seed: u64) -> Result<Fitted, LearnError> {
        let mut ranked: Vec<(f64, usize)> =
            (0..examples.width()).map(|n| (-use_of(examples, n), n)).collect();
        ranked.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut attributes: Vec<usize> =
            ranked.into_iter().take(self.count.max(1)).map(|(_, n)| n).collect();
        attributes.sort_unstable();
        fitted_to(&attributes, &self.learner, examples, seed)
    }
}

/// Restricts a learner to fixed attributes.
#[derive(Clone, Debug)]
pub struct Columns<L> {
    /// Indices of the attributes.
    pub attributes: Vec<usize>,
    /// Learner on these attributes.
    pub learner: L,
}

impl<L: Learner> Learner for Columns<L> {
    fn name(&self) -> String {
        format!("{} on {} attributes", self.learner.name(), self.attributes.len())
    }

    fn fit(&self, examples: &Examples<'_>, seed: u64) -> Result<Fitted, LearnError> {
        fitted_to(&self.attributes, &self.learner, examples, seed)
    }
}

/// Fits a model to some of the attributes.
fn fitted_to(
    attributes: &[usize],
    learner: &dyn Learner,
    examples: &Examples<'_>,
    seed: u64,
) -> Result<Fitted, LearnError> {
    let rows: Vec<Vec<f64>> =
        examples.rows().iter().map(|row| attributes.iter().map(|&n| row[n]).collect()).collect();
    let model = learner.fit(&with_rows(examples, &rows)?, seed)?;
    Ok(Fitted::Selected { attributes: attributes.to_vec(), model: Box::new(model) })
}

/// Returns the relation of a single attribute to the target, at least 0: the area under the curve
/// minus 1/2, or the correlation, without sign.
pub(super) fn use_of(examples: &Examples<'_>, n: usize) -> f64 {
    let column: Vec<f64> = examples.rows().iter().map(|row| row[n]).collect();
    match examples.task() {
        Task::Classes => auc(&column, examples.targets()).map_or(0.0, |auc| (auc - 0.5).abs()),
        Task::Values => correlation(&column, examples.targets()).map_or(0.0, f64::abs),
    }
}

fn with_rows<'a>(
    examples: &Examples<'_>,
    rows: &'a [Vec<f64>],
) -> Result<Examples<'a>, LearnError> {
    let rows = rows.iter().map(Vec::as_slice).collect();
    Examples::new(examples.task(), rows, examples.targets().to_vec(), examples.groups().to_vec())
}
