//! Cross-validation, and the uncertainty of its scores.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::folds::Folds;
use crate::learner::{Examples, LearnError, Learner};
use crate::model::Fitted;
use crate::random::Random;

/// Models of a cross-validation and their predictions.
#[derive(Clone, Debug)]
pub struct CrossValidation {
    /// Prediction for each example, by the model that has not seen its fold.
    pub predictions: Vec<f64>,
    /// Model of each fold, trained on all other folds.
    pub models: Vec<Fitted>,
}

/// Predicts each example by a model trained on the other folds. Folds are computed in parallel; the
/// result does not depend on the number of threads.
///
/// # Errors
///
/// If there are too few examples for the folds, or the learner fails.
pub fn cross_validate(
    learner: &dyn Learner,
    examples: &Examples<'_>,
    folds: Folds,
    seed: u64,
) -> Result<CrossValidation, LearnError> {
    fit_folds(learner, examples, &folds.of(examples, seed)?, seed)
}

/// Cross-validates with these folds.
pub(crate) fn fit_folds(
    learner: &dyn Learner,
    examples: &Examples<'_>,
    folds: &[Vec<usize>],
    seed: u64,
) -> Result<CrossValidation, LearnError> {
    let fit = |(n, fold): (usize, &Vec<usize>)| {
        let others: Vec<usize> =
            (0..examples.len()).filter(|n| fold.binary_search(n).is_err()).collect();
        learner.fit(&examples.some(&others), seed.wrapping_add(n as u64))
    };
    let models: Vec<Fitted> =
        folds.par_iter().enumerate().map(|(n, fold)| fit((n, fold))).collect::<Result<_, _>>()?;
    let mut predictions = vec![0.0; examples.len()];
    for (fold, model) in folds.iter().zip(&models) {
        fold.iter().for_each(|&n| predictions[n] = model.predict(examples.rows()[n]));
    }
    Ok(CrossValidation { predictions, models })
}

/// Function that scores predictions against targets; returns `None` if the score is undefined.
pub type ScoreFn<'a> = &'a (dyn Fn(&[f64], &[f64]) -> Option<f64> + Sync);

/// Score with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// Score of all examples.
    pub mean: f64,
    /// Lower end of the 95% interval.
    pub low: f64,
    /// Upper end of the 95% interval.
    pub high: f64,
}

/// Computes a score with its 95% interval by the bootstrap over groups: groups are drawn with
/// replacement, and the interval is the middle 95% of the scores (Efron 1979). `None` if the score
/// is undefined for the examples; draws with an undefined score are left out.
///
/// The models are not fitted again. So the interval shows how the score varies with the test
/// examples, not with the training examples.
#[must_use]
pub fn bootstrap(
    predictions: &[f64],
    examples: &Examples<'_>,
    score: ScoreFn<'_>,
    draws: usize,
    seed: u64,
) -> Option<Score> {
    bootstrap_repeated(predictions, &[], examples, score, draws, seed)
}

/// Computes a score with its interval as [`bootstrap`] does, where the whole experiment behind the
/// predictions was repeated. Each draw of groups takes the predictions of another repetition, in
/// turn. So the interval shows how the score varies with what the repetitions vary, too. Without
/// repetitions it is that of [`bootstrap`].
#[must_use]
pub fn bootstrap_repeated(
    predictions: &[f64],
    repeated: &[Vec<f64>],
    examples: &Examples<'_>,
    score: ScoreFn<'_>,
    draws: usize,
    seed: u64,
) -> Option<Score> {
    let mean = score(predictions, examples.targets())?;
    let groups = Folds::LeaveOneGroupOut.of(examples, seed).ok()?;
    let draw = |n: usize| {
        let mut random = Random::new(seed.wrapping_add(n as u64));
        let drawn = match repeated {
            [] => predictions,
            all => &all[n % all.len()],
        };
        let (mut predicted, mut targets) = (Vec::new(), Vec::new());
        for _ in 0..groups.len() {
            for &n in &groups[random.below(groups.len())] {
                predicted.push(drawn[n]);
                targets.push(examples.targets()[n]);
            }
        }
        score(&predicted, &targets)
    };
    let mut scores: Vec<f64> = (0..draws).into_par_iter().filter_map(draw).collect();
    if scores.is_empty() {
        return None;
    }
    scores.sort_by(f64::total_cmp);
    let at = |share: f64| scores[((scores.len() - 1) as f64 * share).round() as usize];
    Some(Score { mean, low: at(0.025), high: at(0.975) })
}

/// Computes the p-value, more than 0, of a permutation test (Phipson and Smyth 2010): how often the
/// whole procedure scores at least as well with shuffled targets. `run` must do everything that was
/// done with the true targets, all choices included.
///
/// # Errors
///
/// The errors of `run`.
pub fn permutation_test(
    examples: &Examples<'_>,
    permutations: usize,
    seed: u64,
    run: &(dyn Fn(&Examples<'_>) -> Result<f64, LearnError> + Sync),
) -> Result<f64, LearnError> {
    let true_score = run(examples)?;
    let as_good = |n: usize| {
        let mut targets = examples.targets().to_vec();
        Random::new(seed.wrapping_add(n as u64)).shuffle(&mut targets);
        // Sums in another order differ in their last bits.
        run(&examples.with_targets(targets)).map(|score| score >= true_score - 1e-12)
    };
    let found: Vec<bool> =
        (0..permutations).into_par_iter().map(as_good).collect::<Result<_, _>>()?;
    let count = found.iter().filter(|as_good| **as_good).count();
    Ok((count + 1) as f64 / (permutations + 1) as f64)
}

/// Returns the p-value of the test of Williams 2010, section 5.1.3: t = (p - P) / sqrt(P (1 - P) /
/// n) for an accuracy p over n examples and the expected accuracy P of the naive classifier,
/// one-sided, with n - 1 degrees of freedom. `None` for fewer than two examples, or if P is 0 or 1.
#[must_use]
pub fn t_test(accuracy: f64, naive: f64, examples: usize) -> Option<f64> {
    let n = examples as f64;
    let t = (accuracy - naive) / (naive * (1.0 - naive) / n).sqrt();
    let student = StudentsT::new(0.0, 1.0, n - 1.0).ok()?;
    t.is_finite().then(|| student.sf(t))
}
