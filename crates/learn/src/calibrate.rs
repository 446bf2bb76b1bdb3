//! Calibration of probabilities.

use serde::{Deserialize, Serialize};

use crate::model::{Link, is_number};

/// Map from predicted to calibrated probabilities (Platt 1999): the log odds times a slope, plus an
/// offset.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// Factor of the log odds; 0 for predictions without information.
    pub slope: f64,
    /// Number added to the scaled log odds.
    pub offset: f64,
}

/// Probabilities are clamped to this distance from 0 and 1, so that their odds are finite.
const CERTAIN: f64 = 0.001;

impl Calibration {
    /// Fits the calibration that makes the classes most likely, with each example counted by its
    /// weight, by Newton's method. The targets are Platt's: 1 / (n + 2) away from 0 and 1 for a
    /// class of n examples. `None` if all examples have one class.
    ///
    /// # Panics
    ///
    /// If the numbers of predictions, classes and weights differ.
    #[must_use]
    pub fn fit(predictions: &[f64], classes: &[f64], weights: &[f64]) -> Option<Calibration> {
        assert_eq!(predictions.len(), classes.len(), "there is a prediction for each class");
        assert_eq!(predictions.len(), weights.len(), "there is a prediction for each weight");
        let ones = classes.iter().filter(|class| **class == 1.0).count() as f64;
        let zeros = classes.len() as f64 - ones;
        if ones == 0.0 || zeros == 0.0 {
            return None;
        }
        let target = |class: f64| {
            if class == 1.0 { (ones + 1.0) / (ones + 2.0) } else { 1.0 / (zeros + 2.0) }
        };
        let points: Vec<[f64; 3]> = (0..classes.len())
            .map(|n| [ln_odds(predictions[n]), target(classes[n]), weights[n]])
            .collect();
        let loss = |Calibration { slope, offset }: Calibration| -> f64 {
            let of = |[x, target, weight]: &[f64; 3]| {
                let z = slope * x + offset;
                // ln(1 + exp(z)) without overflow.
                weight * (z.max(0.0) + (-z.abs()).exp().ln_1p() - target * z)
            };
            points.iter().map(of).sum()
        };
        let mut found = Calibration { slope: 0.0, offset: 0.0 };
        for _ in 0..100 {
            let (mut a, mut b, mut aa, mut ab, mut bb) = (0.0, 0.0, 1e-9, 0.0, 1e-9);
            for &[x, target, weight] in &points {
                let p = Link::Logistic.of(found.slope * x + found.offset);
                let (error, curve) = (weight * (p - target), weight * p * (1.0 - p));
                a += error * x;
                b += error;
                aa += curve * x * x;
                ab += curve * x;
                bb += curve;
            }
            let determinant = aa * bb - ab * ab;
            if determinant <= 0.0 {
                break;
            }
            let step = [(bb * a - ab * b) / determinant, (aa * b - ab * a) / determinant];
            // Halve the step while it increases the loss.
            let before = loss(found);
            let mut size = 1.0;
            let mut next = found;
            while size > 1e-6 {
                next = Calibration {
                    slope: found.slope - size * step[0],
                    offset: found.offset - size * step[1],
                };
                if loss(next) <= before {
                    break;
                }
                size /= 2.0;
            }
            let moved = (next.slope - found.slope).abs() + (next.offset - found.offset).abs();
            found = next;
            if moved < 1e-9 {
                break;
            }
        }
        Some(found)
    }

    /// Tests whether the parameters are finite and not too large. A calibration read from a file
    /// may be invalid.
    #[must_use]
    pub fn is_sound(self) -> bool {
        is_number(self.slope) && is_number(self.offset)
    }

    /// Returns the calibrated log odds of a predicted probability.
    #[must_use]
    pub fn ln_odds(self, prediction: f64) -> f64 {
        self.slope * ln_odds(prediction) + self.offset
    }

    /// Returns the calibrated probability of a predicted one.
    ///
    /// ```
    /// use treegauge_learn::Calibration;
    ///
    /// // Of what is predicted with 90%, three quarters come true.
    /// let (mut predictions, mut classes) = (vec![0.9; 400], vec![1.0; 300]);
    /// classes.extend([0.0; 100]);
    /// predictions.extend([0.1; 400]);
    /// classes.extend([1.0; 100]);
    /// classes.extend([0.0; 300]);
    /// let calibration = Calibration::fit(&predictions, &classes, &[1.0; 800]).unwrap();
    /// assert!((calibration.probability(0.9) - 0.75).abs() < 0.01);
    /// ```
    #[must_use]
    pub fn probability(self, prediction: f64) -> f64 {
        Link::Logistic.of(self.ln_odds(prediction))
    }
}

/// Returns the log odds of a probability, clamped by [`CERTAIN`].
fn ln_odds(probability: f64) -> f64 {
    let p = probability.clamp(CERTAIN, 1.0 - CERTAIN);
    (p / (1.0 - p)).ln()
}
