//! Probabilities that mean what they say.

use serde::{Deserialize, Serialize};

use crate::model::{Link, is_number};

/// Turns predicted probabilities into calibrated ones (Platt 1999): ln of the odds times a slope, plus an
/// offset.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// What ln of the odds is multiplied with: 0 for predictions that say nothing.
    pub slope: f64,
    /// What is added.
    pub offset: f64,
}

/// Probabilities nearer to 0 and 1 are taken for these, so that their odds are finite.
const CERTAIN: f64 = 0.001;

impl Calibration {
    /// The calibration that makes these predictions for examples of these classes most likely, where each
    /// example counts by its weight. With Platt's targets, which are 1 / (n + 2) away from 0 and 1 in a
    /// class of n, and by Newton's method. `None` where there is one class.
    ///
    /// # Panics
    ///
    /// When there are not as many predictions as classes and weights.
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
            // Half the step as long as it makes things worse.
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

    /// Whether its probabilities are numbers: those of one that was read need not be.
    #[must_use]
    pub fn is_sound(self) -> bool {
        is_number(self.slope) && is_number(self.offset)
    }

    /// ln of the calibrated odds of a predicted probability.
    #[must_use]
    pub fn ln_odds(self, prediction: f64) -> f64 {
        self.slope * ln_odds(prediction) + self.offset
    }

    /// The calibrated probability.
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

/// ln of the odds of a probability.
fn ln_odds(probability: f64) -> f64 {
    let p = probability.clamp(CERTAIN, 1.0 - CERTAIN);
    (p / (1.0 - p)).ln()
}
