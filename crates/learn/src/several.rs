//! More than two classes: one model for each class against the rest.

use rayon::prelude::*;

use crate::folds::Folds;
use crate::learner::{Examples, LearnError, Learner, Task};
use crate::scores::auc;
use crate::validate::fit_folds;

/// Returns the probabilities of each class for each example in cross-validation. There is one model
/// for each class against the rest; its probabilities are divided by their sum over the classes.
///
/// # Errors
///
/// If all examples have one class, if a class is not below `count`, if there are too few examples
/// for the folds, or if the learner fails.
///
/// # Panics
///
/// If the numbers of classes and examples differ.
pub fn cross_validate_classes(
    learner: &dyn Learner,
    examples: &Examples<'_>,
    classes: &[usize],
    count: usize,
    folds: Folds,
    seed: u64,
) -> Result<Vec<Vec<f64>>, LearnError> {
    assert_eq!(classes.len(), examples.len(), "there is a class for each example");
    if let Some(n) = classes.iter().position(|&class| class >= count) {
        return Err(LearnError::NoClass(n));
    }
    // All classes use the same folds.
    let numbers = classes.iter().map(|&class| class as f64).collect();
    let numbered =
        Examples::new(Task::Values, examples.rows().to_vec(), numbers, examples.groups().to_vec())?;
    if numbered.is_constant() {
        return Err(LearnError::OneClass(examples.len()));
    }
    let folds = folds.of(&numbered, seed)?;
    let one = |class: usize| {
        let targets = classes.iter().map(|&other| f64::from(u8::from(other == class))).collect();
        let against = Examples::new(
            Task::Classes,
            examples.rows().to_vec(),
            targets,
            examples.groups().to_vec(),
        )?;
        Ok(fit_folds(learner, &against, &folds, seed)?.predictions)
    };
    let by_class: Vec<Vec<f64>> =
        (0..count).into_par_iter().map(one).collect::<Result<_, LearnError>>()?;
    let shares = |n: usize| {
        let own: Vec<f64> = by_class.iter().map(|of| of[n].max(0.0)).collect();
        let sum: f64 = own.iter().sum();
        let share = |p: f64| if sum > 0.0 { p / sum } else { 1.0 / count as f64 };
        own.into_iter().map(share).collect()
    };
    Ok((0..examples.len()).map(shares).collect())
}

/// Returns the share of examples whose true class has the greatest probability; of equal
/// probabilities the first counts. `None` without examples.
#[must_use]
pub fn accuracy_of_classes(probabilities: &[Vec<f64>], classes: &[usize]) -> Option<f64> {
    let is_right = |(own, &class): (&Vec<f64>, &usize)| {
        let best = (0..own.len()).rev().max_by(|&a, &b| own[a].total_cmp(&own[b]));
        best == Some(class)
    };
    let right = probabilities.iter().zip(classes).filter(|&(own, class)| is_right((own, class)));
    (!classes.is_empty()).then(|| right.count() as f64 / classes.len() as f64)
}

/// Computes the area under the receiver operating characteristic for several classes: its mean over
/// all pairs of classes, in each pair by the probabilities of either class (Hand and Till 2001).
/// `None` if a class has no examples.
#[must_use]
pub fn auc_of_classes(probabilities: &[Vec<f64>], classes: &[usize]) -> Option<f64> {
    let count = probabilities.first()?.len();
    let others = |a: usize| (0..count).filter(move |&b| b != a).map(move |b| (a, b));
    let (mut sum, mut pairs) = (0.0, 0.0);
    for (a, b) in (0..count).flat_map(others) {
        let own: Vec<usize> =
            (0..classes.len()).filter(|&n| classes[n] == a || classes[n] == b).collect();
        let predictions: Vec<f64> = own.iter().map(|&n| probabilities[n][a]).collect();
        let targets: Vec<f64> = own.iter().map(|&n| f64::from(u8::from(classes[n] == a))).collect();
        sum += auc(&predictions, &targets)?;
        pairs += 1.0;
    }
    (pairs > 0.0).then(|| sum / pairs)
}

/// Computes the mean over the examples of the summed squared differences between probabilities and
/// actual classes (Brier 1950): 0 is perfect, 2 is the worst, and equal probabilities of three
/// classes score 2/3. `None` without examples.
#[must_use]
pub fn brier_of_classes(probabilities: &[Vec<f64>], classes: &[usize]) -> Option<f64> {
    let of = |(own, &class): (&Vec<f64>, &usize)| -> f64 {
        let came = |n: usize| f64::from(u8::from(n == class));
        own.iter().enumerate().map(|(n, p)| (p - came(n)).powi(2)).sum()
    };
    let sum: f64 = probabilities.iter().zip(classes).map(of).sum();
    (!classes.is_empty()).then(|| sum / classes.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learners::{NaiveBayes, RandomForest};
    use crate::random::Random;

    /// Creates three classes on a line, with some noise.
    fn rows(n: usize) -> (Vec<Vec<f64>>, Vec<usize>) {
        let mut random = Random::new(5);
        let classes: Vec<usize> = (0..n).map(|k| k % 3).collect();
        let rows = classes.iter().map(|&class| vec![class as f64 + random.share(), random.share()]);
        (rows.collect(), classes)
    }

    fn examples(rows: &[Vec<f64>]) -> Examples<'_> {
        let own = rows.iter().map(Vec::as_slice).collect();
        let zeros = vec![0.0; rows.len()];
        Examples::new(Task::Values, own, zeros, (0..rows.len()).collect()).unwrap()
    }

    #[test]
    fn classes_that_lie_apart_are_told_apart() {
        let (rows, classes) = rows(90);
        let examples = examples(&rows);
        for learner in [&NaiveBayes as &dyn Learner, &RandomForest { trees: 30, leaf_min: 1 }] {
            let folds = Folds::Stratified(5);
            let found = cross_validate_classes(learner, &examples, &classes, 3, folds, 1).unwrap();
            assert!(found.iter().all(|own| (own.iter().sum::<f64>() - 1.0).abs() < 1e-9));
            assert!(accuracy_of_classes(&found, &classes).unwrap() > 0.85, "{}", learner.name());
            assert!(auc_of_classes(&found, &classes).unwrap() > 0.95);
            assert!(brier_of_classes(&found, &classes).unwrap() < 0.3);
        }
    }

    #[test]
    fn shuffled_classes_are_guessed() {
        let (rows, mut classes) = rows(300);
        Random::new(2).shuffle(&mut classes);
        let found = cross_validate_classes(
            &NaiveBayes,
            &examples(&rows),
            &classes,
            3,
            Folds::Stratified(10),
            1,
        )
        .unwrap();
        let accuracy = accuracy_of_classes(&found, &classes).unwrap();
        assert!((0.23..0.44).contains(&accuracy), "{accuracy}");
        let area = auc_of_classes(&found, &classes).unwrap();
        assert!((0.42..0.58).contains(&area), "{area}");
    }

    /// Worked by hand: the pairs (0, 1), (0, 2) and (1, 2), in both directions.
    #[test]
    fn scores_are_those_of_their_definitions() {
        let chances = [vec![0.6, 0.3, 0.1], vec![0.5, 0.4, 0.1], vec![0.2, 0.2, 0.6]];
        let classes = [0, 1, 2];
        assert_eq!(accuracy_of_classes(&chances, &classes), Some(2.0 / 3.0));
        assert_eq!(auc_of_classes(&chances, &classes), Some(1.0));
        let brier = [0.16 + 0.09 + 0.01, 0.25 + 0.36 + 0.01, 0.04 + 0.04 + 0.16];
        let expected = brier.iter().sum::<f64>() / 3.0;
        assert!((brier_of_classes(&chances, &classes).unwrap() - expected).abs() < 1e-12);
        let equal = vec![vec![1.0 / 3.0; 3]; 3];
        assert_eq!(auc_of_classes(&equal, &classes), Some(0.5));
        assert!((brier_of_classes(&equal, &classes).unwrap() - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!(auc_of_classes(&chances, &[0, 1, 1]), None);
    }

    #[test]
    fn classes_out_of_range_and_one_class_are_refused() {
        let (rows, _) = rows(12);
        let examples = examples(&rows);
        let run = |classes: &[usize]| {
            cross_validate_classes(&NaiveBayes, &examples, classes, 3, Folds::Stratified(3), 1)
                .unwrap_err()
        };
        assert_eq!(run(&[1; 12]), LearnError::OneClass(12));
        let mut classes = [0; 12];
        classes[7] = 3;
        assert_eq!(run(&classes), LearnError::NoClass(7));
    }
}
