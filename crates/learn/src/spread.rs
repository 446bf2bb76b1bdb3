//! Distribution of targets around their predictions: intervals and probabilities.

use serde::{Deserialize, Serialize};

use crate::model::is_number;

/// Distribution of prediction errors, by the size of the prediction.
///
/// The errors must be those of held-out examples. Then an interval between two quantiles contains
/// its share of new examples, provided that these are similar to the old ones (split conformal
/// prediction: Papadopoulos et al. 2002; with the errors of a cross-validation: Vovk 2015).
/// Predictions of similar size form a bin with errors of its own. Between the middles of two bins,
/// quantiles are interpolated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PredictionErrors {
    bins: Vec<Bin>,
}

/// Bin of predictions of similar size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Bin {
    /// Mean of the predictions.
    middle: f64,
    /// Quantiles of target minus prediction, in equal steps of probability from 0 to 1.
    errors: Vec<f64>,
}

/// Number of steps between the stored quantiles.
const STEPS: usize = 100;

impl PredictionErrors {
    /// Creates the distribution from `bins` bins of about equal numbers of predictions, or fewer,
    /// so that each has at least 20. `None` without predictions.
    ///
    /// # Panics
    ///
    /// If the numbers of predictions and targets differ.
    #[must_use]
    pub fn fit(predictions: &[f64], targets: &[f64], bins: usize) -> Option<PredictionErrors> {
        assert_eq!(predictions.len(), targets.len(), "there is a prediction for each target");
        let mut order: Vec<usize> = (0..predictions.len()).collect();
        order.sort_by(|&a, &b| predictions[a].total_cmp(&predictions[b]));
        let bins = bins.min(order.len() / 20).max(1);
        let bin = |n: usize| {
            let own = &order[n * order.len() / bins..(n + 1) * order.len() / bins];
            let mut errors: Vec<f64> = own.iter().map(|&n| targets[n] - predictions[n]).collect();
            errors.sort_by(f64::total_cmp);
            let quantile = |step: usize| between(&errors, step as f64 / STEPS as f64);
            Bin {
                middle: own.iter().map(|&n| predictions[n]).sum::<f64>() / own.len() as f64,
                errors: (0..=STEPS).map(quantile).collect(),
            }
        };
        (!order.is_empty()).then(|| PredictionErrors { bins: (0..bins).map(bin).collect() })
    }

    /// Returns the value that the target of a prediction is below with this probability, 0 to 1.
    ///
    /// ```
    /// use treegauge_learn::PredictionErrors;
    ///
    /// // Targets lie up to 50 below or above their predictions, each distance as often.
    /// let predictions: Vec<f64> = (0..1010).map(|n| f64::from(n % 10)).collect();
    /// let targets: Vec<f64> = (0..1010).map(|n| f64::from(n % 10 + n / 10 - 50)).collect();
    /// let spread = PredictionErrors::fit(&predictions, &targets, 1).unwrap();
    /// assert!((spread.quantile(5.0, 0.1) + 35.0).abs() < 0.5);
    /// assert!((spread.probability_below(5.0, 5.0) - 0.5).abs() < 0.01);
    /// ```
    #[must_use]
    pub fn quantile(&self, prediction: f64, probability: f64) -> f64 {
        let (low, high, share) = self.beside(prediction);
        let [low, high] = [low, high].map(|bin| between(&bin.errors, probability));
        prediction + low + (high - low) * share
    }

    /// Returns the ends of an interval that contains the target of a prediction with the probability
    /// `share`, 0 to 1.
    ///
    /// Without a `shift` as many targets lie below as above it. But predictions are drawn towards
    /// their mean: small targets lie mostly below their predictions and large ones above, so that few
    /// of the smallest and the largest targets lie in their intervals. A shift, up to 1, moves the
    /// interval of a small prediction down and of a large one up: of the targets outside, the part
    /// (1 + shift * place) / 2 lies below, where `place` goes from -1 for the smallest predictions to
    /// 1 for the largest.
    #[must_use]
    pub fn interval(&self, prediction: f64, share: f64, shift: f64) -> [f64; 2] {
        let below = (1.0 - share) / 2.0 * (1.0 + shift * self.place(prediction));
        [below, below + share].map(|probability| self.quantile(prediction, probability))
    }

    /// Returns the place of a prediction among those of the fit, from -1 to 1. Bins have about equal
    /// numbers.
    fn place(&self, prediction: f64) -> f64 {
        let next = self.bins.partition_point(|bin| bin.middle <= prediction);
        let (_, _, share) = self.beside(prediction);
        let bins = self.bins.len() as f64;
        2.0 * (next as f64 - 0.5 + share).clamp(0.5, bins - 0.5) / bins - 1.0
    }

    /// Returns the probability, 0 to 1, that the target of a prediction is below a value: the
    /// inverse of [`PredictionErrors::quantile`].
    #[must_use]
    pub fn probability_below(&self, prediction: f64, value: f64) -> f64 {
        // Quantiles rise with the probability.
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..40 {
            let middle = f64::midpoint(low, high);
            if self.quantile(prediction, middle) < value {
                low = middle;
            } else {
                high = middle;
            }
        }
        f64::midpoint(low, high)
    }

    /// Returns the bins on both sides of a prediction, and its position between their middles, 0 to
    /// 1.
    fn beside(&self, prediction: f64) -> (&Bin, &Bin, f64) {
        let next = self.bins.partition_point(|bin| bin.middle <= prediction);
        let low = &self.bins[next.saturating_sub(1)];
        let high = &self.bins[next.min(self.bins.len() - 1)];
        let width = high.middle - low.middle;
        let share = if width > 0.0 { (prediction - low.middle) / width } else { 0.0 };
        (low, high, share)
    }

    /// Tests whether there are bins with increasing finite numbers. A distribution read from a file
    /// may be invalid.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let fits = |bin: &Bin| {
            let numbers = bin.errors.iter().chain([&bin.middle]);
            bin.errors.len() > 1 && numbers.copied().all(is_number) && bin.errors.is_sorted()
        };
        !self.bins.is_empty()
            && self.bins.iter().all(fits)
            && self.bins.is_sorted_by(|a, b| a.middle <= b.middle)
    }
}

/// Returns the quantile of sorted values, at least one, interpolated between neighbours.
fn between(sorted: &[f64], probability: f64) -> f64 {
    let place = (sorted.len() - 1) as f64 * probability.clamp(0.0, 1.0);
    let (low, share) = (place.floor(), place.fract());
    let next = sorted[(low as usize + 1).min(sorted.len() - 1)];
    let low = sorted[low as usize];
    low + (next - low) * share
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Creates targets around their predictions, with wider errors for large predictions.
    fn sample(n: usize, seed: u64) -> (Vec<f64>, Vec<f64>) {
        let mut random = Random::new(seed);
        let predictions: Vec<f64> = (0..n).map(|_| 1_000.0 * random.share()).collect();
        let error = |p: f64, random: &mut Random| (random.share() - 0.5) * (50.0 + p);
        let targets = predictions.iter().map(|&p| p + error(p, &mut random)).collect();
        (predictions, targets)
    }

    #[test]
    fn intervals_hold_their_share_of_new_examples_large_and_small() {
        let (predictions, targets) = sample(4_000, 1);
        let spread = PredictionErrors::fit(&predictions, &targets, 8).unwrap();
        assert!(spread.is_sound());
        let (new, true_values) = sample(4_000, 2);
        for range in [0.0..300.0, 700.0..1_000.0] {
            let which: Vec<usize> = (0..new.len()).filter(|&n| range.contains(&new[n])).collect();
            let inside = which.iter().filter(|&&n| {
                let [low, high] = [0.1, 0.9].map(|p| spread.quantile(new[n], p));
                (low..=high).contains(&true_values[n])
            });
            let share = inside.count() as f64 / which.len() as f64;
            assert!((0.76..0.84).contains(&share), "{range:?}: {share}");
        }
    }

    /// Targets are true values, and predictions see half of their distance from the mean.
    #[test]
    fn a_shift_covers_small_and_large_targets_as_well_as_others() {
        let mut random = Random::new(5);
        let targets: Vec<f64> = (0..8_000).map(|_| 1_000.0 * random.share()).collect();
        let seen = |target: &f64| 250.0 + target / 2.0 + 300.0 * (random.share() - 0.5);
        let predictions: Vec<f64> = targets.iter().map(seen).collect();
        let spread = PredictionErrors::fit(&predictions, &targets, 8).unwrap();
        let covered = |range: std::ops::Range<f64>, shift: f64| {
            let which = (0..targets.len()).filter(|&n| range.contains(&targets[n]));
            let inside: Vec<bool> = which
                .map(|n| {
                    let [low, high] = spread.interval(predictions[n], 0.8, shift);
                    (low..=high).contains(&targets[n])
                })
                .collect();
            inside.iter().filter(|&&inside| inside).count() as f64 / inside.len() as f64
        };
        for shift in [0.0, 0.7] {
            let all = covered(0.0..1_000.0, shift);
            assert!((0.78..0.82).contains(&all), "{shift}: {all}");
        }
        for outer in [0.0..100.0, 900.0..1_000.0] {
            let (without, with) = (covered(outer.clone(), 0.0), covered(outer, 0.7));
            assert!(without < 0.7 && with > without + 0.08, "{without} {with}");
        }
        let place = |prediction: f64| spread.place(prediction);
        assert!(place(-1e9) < -0.8 && place(1e9) > 0.8 && place(500.0).abs() < 0.1);
    }

    #[test]
    fn probabilities_are_the_inverse_of_quantiles() {
        let (predictions, targets) = sample(500, 3);
        let spread = PredictionErrors::fit(&predictions, &targets, 5).unwrap();
        for prediction in [-100.0, 0.0, 420.0, 999.0, 5_000.0] {
            for p in [0.05, 0.3, 0.5, 0.77, 0.95] {
                let value = spread.quantile(prediction, p);
                assert!((spread.probability_below(prediction, value) - p).abs() < 1e-6);
            }
            assert!(spread.probability_below(prediction, -1e9) < 1e-9);
            assert!(spread.probability_below(prediction, 1e9) > 1.0 - 1e-9);
        }
    }

    #[test]
    fn few_predictions_make_one_bin_and_none_make_nothing() {
        assert_eq!(PredictionErrors::fit(&[], &[], 5), None);
        let one = PredictionErrors::fit(&[3.0], &[5.0], 5).unwrap();
        assert_eq!((one.quantile(3.0, 0.1), one.quantile(10.0, 0.9)), (5.0, 12.0));
        let mut broken = one.clone();
        broken.bins[0].errors.reverse();
        broken.bins[0].errors[0] = f64::NAN;
        assert!(one.is_sound() && !broken.is_sound());
        assert!(!PredictionErrors { bins: Vec::new() }.is_sound());
    }
}
