//! Scores of predictions.

use serde::{Deserialize, Serialize};
use statrs::distribution::{Beta, ContinuousCDF};

/// Confusion matrix: counts of true and predicted classes. Counts may be means over repetitions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Confusion {
    /// Counts by true class, then by predicted class.
    pub counts: [[f64; 2]; 2],
}

impl Confusion {
    /// Counts predictions. Probabilities of class 1 of at least 0.5 decide for class 1.
    ///
    /// # Panics
    ///
    /// If the numbers of predictions and classes differ.
    #[must_use]
    pub fn of(predictions: &[f64], classes: &[f64]) -> Confusion {
        assert_eq!(predictions.len(), classes.len(), "there is a prediction for each class");
        let mut confusion = Confusion::default();
        for (prediction, class) in predictions.iter().zip(classes) {
            let predicted = usize::from(*prediction >= 0.5);
            confusion.counts[usize::from(*class == 1.0)][predicted] += 1.0;
        }
        confusion
    }

    /// Returns the expected counts of a classifier that predicts class 1 with a probability of
    /// `share`, whatever the example, on `zeros` and `ones` examples of the two classes.
    ///
    /// If `share` is the share of class 1 among the examples, this is the naive classifier of
    /// Williams 2010, section 5.1.2.
    #[must_use]
    pub fn naive(zeros: f64, ones: f64, share: f64) -> Confusion {
        let row = |n: f64| [n * (1.0 - share), n * share];
        Confusion { counts: [row(zeros), row(ones)] }
    }

    /// Number of all examples.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.counts.iter().flatten().sum()
    }

    /// Share of correct predictions; `None` without examples.
    #[must_use]
    pub fn accuracy(&self) -> Option<f64> {
        ratio(self.counts[0][0] + self.counts[1][1], self.total())
    }

    /// Share of the predictions of a class that are correct; `None` if the class is never
    /// predicted.
    #[must_use]
    pub fn precision(&self, class: usize) -> Option<f64> {
        ratio(self.counts[class][class], self.counts[0][class] + self.counts[1][class])
    }

    /// Share of the examples of a class that are predicted correctly; `None` if the class has no
    /// examples.
    #[must_use]
    pub fn recall(&self, class: usize) -> Option<f64> {
        ratio(self.counts[class][class], self.counts[class].iter().sum())
    }

    /// Mean of the recalls of both classes; `None` if a class has no examples.
    #[must_use]
    pub fn balanced_accuracy(&self) -> Option<f64> {
        Some((self.recall(0)? + self.recall(1)?) / 2.0)
    }

    /// Share of the predictions of class 1 that are correct if the prevalence of class 1 is
    /// `share`: the effectiveness of Williams 2010, section 5.3. `None` if class 1 is never
    /// predicted or a class has no examples.
    #[must_use]
    pub fn effectiveness(&self, share: f64) -> Option<f64> {
        let found = share * self.recall(1)?;
        let wrong = (1.0 - share) * (1.0 - self.recall(0)?);
        ratio(found, found + wrong)
    }

    /// Same as [`Confusion::effectiveness`] with the greatest share of class 0 taken for class 1
    /// that the counts allow at 95%: the upper end of the one-sided exact interval (Clopper and
    /// Pearson 1934).
    ///
    /// ```
    /// use treegauge_learn::scores::Confusion;
    ///
    /// // The best classifier of Williams 2010 passes no unplayable game of 11. So its effectiveness
    /// // may be as low as 2.9% where 1% of all games are playable.
    /// let best = Confusion { counts: [[11.0, 0.0], [5.0, 12.0]] };
    /// assert_eq!(best.effectiveness(0.01), Some(1.0));
    /// assert!((best.effectiveness_at_least(0.01).unwrap() - 0.029).abs() < 5e-4);
    /// ```
    #[must_use]
    pub fn effectiveness_at_least(&self, share: f64) -> Option<f64> {
        let [right, wrong] = self.counts[0];
        // All are wrong: no rate is too great.
        let rate = match right > 0.0 {
            true => Beta::new(wrong + 1.0, right).ok()?.inverse_cdf(0.95),
            false => 1.0,
        };
        let found = share * self.recall(1)?;
        self.recall(0)?;
        ratio(found, found + (1.0 - share) * rate)
    }
}

fn ratio(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}

/// Computes the area under the receiver operating characteristic: the probability that a random
/// example of class 1 has a greater prediction than one of class 0, with equal ones counting half
/// (Mann and Whitney 1947). `None` if all examples have one class.
///
/// # Panics
///
/// If the numbers of predictions and classes differ.
#[must_use]
pub fn auc(predictions: &[f64], classes: &[f64]) -> Option<f64> {
    assert_eq!(predictions.len(), classes.len(), "there is a prediction for each class");
    let ranks = ranks(predictions);
    let ones = classes.iter().filter(|class| **class == 1.0).count() as f64;
    let zeros = classes.len() as f64 - ones;
    let sum: f64 =
        ranks.iter().zip(classes).filter(|(_, class)| **class == 1.0).map(|(rank, _)| rank).sum();
    ratio(sum - ones * (ones + 1.0) / 2.0, ones * zeros)
}

/// Returns the ranks, counted from 1; equal values share the mean of their ranks.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut begin = 0;
    while begin < order.len() {
        let mut end = begin + 1;
        while end < order.len() && values[order[end]] == values[order[begin]] {
            end += 1;
        }
        let mean = (begin + 1 + end) as f64 / 2.0;
        order[begin..end].iter().for_each(|&n| ranks[n] = mean);
        begin = end;
    }
    ranks
}

/// Point of the receiver operating characteristic.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RocPoint {
    /// Share of class 0 at or above the threshold.
    pub false_positives: f64,
    /// Share of class 1 at or above the threshold.
    pub true_positives: f64,
}

/// Computes the receiver operating characteristic, from (0, 0) to (1, 1), with one point per
/// threshold. Empty if all examples have one class.
#[must_use]
pub fn roc(predictions: &[f64], classes: &[f64]) -> Vec<RocPoint> {
    let ones = classes.iter().filter(|class| **class == 1.0).count();
    let zeros = classes.len() - ones;
    if ones == 0 || zeros == 0 {
        return Vec::new();
    }
    let mut order: Vec<usize> = (0..predictions.len()).collect();
    order.sort_by(|&a, &b| predictions[b].total_cmp(&predictions[a]));
    let mut counts = [0, 0];
    let mut points = vec![RocPoint { false_positives: 0.0, true_positives: 0.0 }];
    for (place, &n) in order.iter().enumerate() {
        counts[usize::from(classes[n] == 1.0)] += 1;
        let next = order.get(place + 1).map(|&next| predictions[next]);
        if next != Some(predictions[n]) {
            points.push(RocPoint {
                false_positives: f64::from(counts[0]) / zeros as f64,
                true_positives: f64::from(counts[1]) / ones as f64,
            });
        }
    }
    points
}

/// Computes the mean squared difference of probabilities and classes (Brier 1950): 0 is perfect,
/// and a constant 0.5 scores 0.25. `None` without examples.
#[must_use]
pub fn brier(predictions: &[f64], classes: &[f64]) -> Option<f64> {
    let squares = predictions.iter().zip(classes).map(|(p, class)| (p - class).powi(2));
    ratio(squares.sum(), classes.len() as f64)
}

/// Group of predictions with similar probabilities.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CalibrationBin {
    /// Number of examples.
    pub examples: usize,
    /// Mean of the probabilities.
    pub predicted: f64,
    /// Share of class 1.
    pub observed: f64,
}

/// Compares probabilities with actual classes in bins of equal numbers of examples, the smallest
/// probabilities first.
#[must_use]
pub fn calibration(predictions: &[f64], classes: &[f64], bins: usize) -> Vec<CalibrationBin> {
    let mut order: Vec<usize> = (0..predictions.len()).collect();
    order.sort_by(|&a, &b| predictions[a].total_cmp(&predictions[b]));
    let bins = bins.clamp(1, order.len().max(1));
    (0..bins)
        .map(|bin| &order[bin * order.len() / bins..(bin + 1) * order.len() / bins])
        .filter(|own| !own.is_empty())
        .map(|own| {
            let mean = |of: &[f64]| own.iter().map(|&n| of[n]).sum::<f64>() / own.len() as f64;
            CalibrationBin {
                examples: own.len(),
                predicted: mean(predictions),
                observed: mean(classes),
            }
        })
        .collect()
}

/// Computes Pearson's correlation, -1 to 1; `None` if either list is constant.
#[must_use]
pub fn correlation(a: &[f64], b: &[f64]) -> Option<f64> {
    let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let (mut aa, mut bb, mut ab) = (0.0, 0.0, 0.0);
    for (a, b) in a.iter().zip(b) {
        let (a, b) = (a - mean_a, b - mean_b);
        aa += a * a;
        bb += b * b;
        ab += a * b;
    }
    // Rounding can leave a constant list with tiny deviations.
    let tiny = |squares: f64, mean: f64| squares <= 1e-24 * (1.0 + mean * mean) * a.len() as f64;
    (!tiny(aa, mean_a) && !tiny(bb, mean_b)).then(|| (ab / (aa * bb).sqrt()).clamp(-1.0, 1.0))
}

/// Computes Spearman's correlation of the ranks, -1 to 1; `None` if either list is constant.
#[must_use]
pub fn rank_correlation(a: &[f64], b: &[f64]) -> Option<f64> {
    correlation(&ranks(a), &ranks(b))
}

/// Computes 1 minus the ratio of the squared errors to those of the mean: 1 is perfect, 0 is as
/// good as the mean, and less than 0 is worse. `None` if the targets are constant.
#[must_use]
pub fn r_squared(predictions: &[f64], targets: &[f64]) -> Option<f64> {
    let mean = targets.iter().sum::<f64>() / targets.len() as f64;
    let total: f64 = targets.iter().map(|target| (target - mean).powi(2)).sum();
    let left: f64 = predictions.iter().zip(targets).map(|(p, target)| (p - target).powi(2)).sum();
    ratio(left, total).map(|part| 1.0 - part)
}

/// Computes the mean absolute error; `None` without examples.
#[must_use]
pub fn mean_absolute_error(predictions: &[f64], targets: &[f64]) -> Option<f64> {
    let errors = predictions.iter().zip(targets).map(|(p, target)| (p - target).abs());
    ratio(errors.sum(), targets.len() as f64)
}
