//! Tests of learners against known results, and of protocols against leaks.

use proptest::prelude::*;

use crate::learners::{
    BestAttribute, Boosting, Constant, DecisionTree, ExtraTrees, Kernel, KernelRidge, Logistic,
    Mixture, NaiveBayes, NearestNeighbours, Nested, OneAttribute, RandomForest, Ridge, Scaled,
    Selected, Svm,
};
use crate::scores::{
    Confusion, auc, brier, calibration, correlation, mean_absolute_error, r_squared,
    rank_correlation, roc,
};
use crate::{
    Bag, Calibration, Examples, Fitted, Folds, Growth, Layer, LearnError, Learner, Link, Random,
    Task, Tree, bootstrap, bootstrap_repeated, cross_validate, permutation_test, t_test,
};

/// Creates random numbers in [0, 1).
fn noise(rows: usize, columns: usize, seed: u64) -> Vec<Vec<f64>> {
    let mut random = Random::new(seed);
    let mut one = || random.below(1 << 30) as f64 / f64::from(1 << 30);
    (0..rows).map(|_| (0..columns).map(|_| one()).collect()).collect()
}

fn examples(task: Task, rows: &[Vec<f64>], targets: Vec<f64>) -> Examples<'_> {
    let groups = (0..rows.len()).collect();
    Examples::new(task, rows.iter().map(Vec::as_slice).collect(), targets, groups).unwrap()
}

/// Creates two classes, separated by the sum of the first two of three attributes.
fn separable(rows: &[Vec<f64>]) -> Examples<'_> {
    let class = |row: &Vec<f64>| f64::from(u8::from(row[0] + row[1] > 1.0));
    examples(Task::Classes, rows, rows.iter().map(class).collect())
}

fn classifiers() -> Vec<Box<dyn Learner>> {
    vec![
        Box::new(DecisionTree(Growth::WILLIAMS)),
        Box::new(Boosting { columns: 0.5, ..Boosting::default() }),
        Box::new(RandomForest { trees: 60, leaf_min: 1 }),
        Box::new(ExtraTrees { trees: 60, leaf_min: 1 }),
        Box::new(Scaled(Logistic { penalty: 1.0 })),
        Box::new(Scaled(Svm { kernel: Kernel::Linear, c: 1.0 })),
        Box::new(Scaled(Svm { kernel: Kernel::Gaussian { width: None }, c: 1.0 })),
        Box::new(NaiveBayes),
        Box::new(Scaled(NearestNeighbours { k: 5 })),
        Box::new(Boosting::default()),
        Box::new(Selected { count: 2, learner: Scaled(Logistic { penalty: 1.0 }) }),
    ]
}

fn accuracy(learner: &dyn Learner, examples: &Examples<'_>, folds: Folds) -> f64 {
    let found = cross_validate(learner, examples, folds, 7).unwrap();
    Confusion::of(&found.predictions, examples.targets()).accuracy().unwrap()
}

#[test]
fn every_classifier_learns_what_can_be_learned() {
    let rows = noise(150, 3, 1);
    let examples = separable(&rows);
    for learner in classifiers() {
        let accuracy = accuracy(&learner, &examples, Folds::Stratified(5));
        assert!(accuracy > 0.8, "{}: {accuracy}", learner.name());
    }
    let baselines: [(Box<dyn Learner>, f64); 3] = [
        (Box::new(Constant), 0.65),
        (Box::new(OneAttribute { attribute: 2 }), 0.65),
        (Box::new(BestAttribute), 0.85),
    ];
    for (learner, most) in baselines {
        let accuracy = accuracy(&learner, &examples, Folds::Stratified(5));
        assert!(accuracy < most, "{}: {accuracy}", learner.name());
    }
}

#[test]
fn shuffled_classes_score_at_chance() {
    let rows = noise(200, 10, 2);
    let classes = (0..200).map(|n| f64::from(u8::from(n % 2 == 0))).collect();
    let examples = examples(Task::Classes, &rows, classes);
    for learner in classifiers() {
        let accuracy = accuracy(&learner, &examples, Folds::Stratified(10));
        // Three standard deviations.
        assert!((0.39..0.61).contains(&accuracy), "{}: {accuracy}", learner.name());
    }
}

/// Selects attributes on all examples and then cross-validates: the leak that a protocol must
/// avoid.
fn selected_outside(rows: &[Vec<f64>], targets: &[f64], count: usize) -> f64 {
    let all = examples(Task::Classes, rows, targets.to_vec());
    let Fitted::Selected { attributes, .. } =
        Selected { count, learner: Constant }.fit(&all, 1).unwrap()
    else {
        panic!("a selection gives what it selected")
    };
    let chosen: Vec<Vec<f64>> =
        rows.iter().map(|row| attributes.iter().map(|&n| row[n]).collect()).collect();
    let examples = examples(Task::Classes, &chosen, targets.to_vec());
    accuracy(&Scaled(Logistic { penalty: 1.0 }), &examples, Folds::Stratified(5))
}

#[test]
fn selection_inside_the_folds_does_not_leak() {
    let rows = noise(40, 2_000, 3);
    let classes: Vec<f64> = (0..40).map(|n| f64::from(u8::from(n % 2 == 0))).collect();
    let outside = selected_outside(&rows, &classes, 10);
    assert!(outside > 0.85, "the leak shows: {outside}");
    let examples = examples(Task::Classes, &rows, classes);
    let inside = Selected { count: 10, learner: Scaled(Logistic { penalty: 1.0 }) };
    let inside = accuracy(&inside, &examples, Folds::Stratified(5));
    assert!(inside < 0.7, "nothing can be learned: {inside}");
}

/// Each example has a twin with equal attributes and class. The twin is in another fold unless
/// groups are kept together.
#[test]
fn folds_of_groups_keep_twins_together() {
    let rows: Vec<Vec<f64>> =
        noise(60, 5, 4).into_iter().flat_map(|row| [row.clone(), row]).collect();
    let mut random = Random::new(5);
    let classes: Vec<f64> = (0..60)
        .flat_map(|_| {
            let class = random.below(2) as f64;
            [class, class]
        })
        .collect();
    let groups = (0..120).map(|n| n / 2).collect();
    let rows = rows.iter().map(Vec::as_slice).collect();
    let examples = Examples::new(Task::Classes, rows, classes, groups).unwrap();
    let learner = NearestNeighbours { k: 1 };
    assert_eq!(accuracy(&learner, &examples, Folds::LeaveOneOut), 1.0);
    for folds in [Folds::LeaveOneGroupOut, Folds::Grouped(10)] {
        let accuracy = accuracy(&learner, &examples, folds);
        assert!((0.3..0.7).contains(&accuracy), "{folds:?}: {accuracy}");
    }
}

proptest! {
    #[test]
    fn every_example_is_in_one_fold(
        classes in prop::collection::vec(0..2u8, 4..40), groups in 2..8usize, k in 2..5usize
    ) {
        let rows: Vec<Vec<f64>> = classes.iter().map(|_| vec![0.0]).collect();
        let n = rows.len();
        let targets: Vec<f64> = classes.iter().map(|&class| f64::from(class)).collect();
        let groups: Vec<usize> = (0..n).map(|n| n * n % groups).collect();
        let rows = rows.iter().map(Vec::as_slice).collect();
        let examples =
            Examples::new(Task::Classes, rows, targets.clone(), groups.clone()).unwrap();
        for folds in
            [Folds::LeaveOneOut, Folds::LeaveOneGroupOut, Folds::Stratified(k), Folds::Grouped(k)]
        {
            let Ok(made) = folds.of(&examples, 3) else { continue };
            let mut all: Vec<usize> = made.iter().flatten().copied().collect();
            all.sort_unstable();
            prop_assert_eq!(all, (0..n).collect::<Vec<_>>());
            prop_assert!(made.iter().all(|fold| !fold.is_empty() && fold.is_sorted()));
            let of_group = |group: usize| {
                made.iter().filter(|fold| fold.iter().any(|&n| groups[n] == group)).count()
            };
            match folds {
                Folds::Grouped(_) | Folds::LeaveOneGroupOut => {
                    prop_assert!((0..8).all(|group| of_group(group) <= 1));
                }
                Folds::Stratified(_) => {
                    let ones = |fold: &Vec<usize>| fold.iter().filter(|&&n| targets[n] == 1.0).count();
                    let counts: Vec<usize> = made.iter().map(ones).collect();
                    prop_assert!(counts.iter().max().unwrap() - counts.iter().min().unwrap() <= 1);
                }
                Folds::LeaveOneOut => prop_assert_eq!(made.len(), n),
            }
        }
    }

    /// The first split is the best of all splits, by squared deviations computed for each.
    #[test]
    fn a_tree_takes_the_best_split(
        cells in prop::collection::vec(0..6u8, 30), classes in prop::collection::vec(0..2u8, 10)
    ) {
        let rows: Vec<Vec<f64>> =
            cells.chunks(3).map(|row| row.iter().map(|&x| f64::from(x)).collect()).collect();
        let targets: Vec<f64> = classes.iter().map(|&class| f64::from(class)).collect();
        let deviations = |of: &[f64]| {
            let mean = of.iter().sum::<f64>() / of.len() as f64;
            of.iter().map(|x| (x - mean).powi(2)).sum::<f64>()
        };
        let left_over = |attribute: usize, threshold: f64| {
            let of = |left: bool| -> Vec<f64> {
                let both = rows.iter().zip(&targets);
                both.filter(|(row, _)| (row[attribute] <= threshold) == left).map(|(_, t)| *t).collect()
            };
            let (left, right) = (of(true), of(false));
            (!left.is_empty() && !right.is_empty()).then(|| deviations(&left) + deviations(&right))
        };
        let least = (0..3)
            .flat_map(|attribute| (0..6).map(move |x| (attribute, f64::from(x) + 0.5)))
            .filter_map(|(attribute, threshold)| left_over(attribute, threshold))
            .fold(deviations(&targets), f64::min);
        let refs: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
        let growth = Growth { depth_max: 1, ..Growth::FULL };
        let all: Vec<usize> = (0..10).collect();
        let tree = Tree::grow(&refs, &targets, &all, growth, &mut Random::new(1));
        let found = match &tree.nodes()[0].split {
            Some(split) => left_over(split.attribute, split.threshold).unwrap(),
            None => deviations(&targets),
        };
        prop_assert!((found - least).abs() < 1e-9, "{} is not {}", found, least);
    }

    #[test]
    fn the_area_is_the_share_of_pairs_in_order(
        scores in prop::collection::vec(0..5u8, 2..30), classes in prop::collection::vec(0..2u8, 30)
    ) {
        let scores: Vec<f64> = scores.iter().map(|&x| f64::from(x)).collect();
        let classes: Vec<f64> = classes[..scores.len()].iter().map(|&x| f64::from(x)).collect();
        let of = |class: f64| -> Vec<f64> {
            scores.iter().zip(&classes).filter(|(_, c)| **c == class).map(|(s, _)| *s).collect()
        };
        let pairs = of(1.0).len() * of(0.0).len();
        let won = |one: f64, zero: f64| if one > zero { 1.0 } else if one == zero { 0.5 } else { 0.0 };
        let sum: f64 = of(1.0).iter().flat_map(|&a| of(0.0).into_iter().map(move |b| won(a, b))).sum();
        let expected = (pairs > 0).then(|| sum / pairs as f64);
        prop_assert_eq!(auc(&scores, &classes).is_some(), expected.is_some());
        if let Some(expected) = expected {
            prop_assert!((auc(&scores, &classes).unwrap() - expected).abs() < 1e-12);
            // Area under the points, by trapezia.
            let area: f64 = roc(&scores, &classes)
                .windows(2)
                .map(|pair| {
                    let width = pair[1].false_positives - pair[0].false_positives;
                    width * (pair[0].true_positives + pair[1].true_positives) / 2.0
                })
                .sum();
            prop_assert!((area - expected).abs() < 1e-12);
        }
    }
}

#[test]
fn logistic_regression_is_where_its_loss_is_least() {
    let rows = noise(60, 3, 6);
    let examples = separable(&rows);
    let penalty = 0.5;
    let Fitted::Linear { weights, bias, .. } = Logistic { penalty }.fit(&examples, 1).unwrap()
    else {
        panic!("it is a weighted sum")
    };
    // Derivatives of the loss by each weight and by the bias.
    let mut slopes: Vec<f64> = weights.iter().map(|weight| penalty * weight).collect();
    slopes.push(0.0);
    for (row, target) in examples.rows().iter().zip(examples.targets()) {
        let sum: f64 = bias + weights.iter().zip(*row).map(|(w, x)| w * x).sum::<f64>();
        let off = 1.0 / (1.0 + (-sum).exp()) - target;
        row.iter().chain([&1.0]).zip(&mut slopes).for_each(|(x, slope)| *slope += off * x);
    }
    assert!(slopes.iter().all(|slope| slope.abs() < 1e-2), "{slopes:?}");
}

#[test]
fn ridge_regression_is_where_its_loss_is_least() {
    let rows = noise(80, 3, 7);
    let target = |row: &Vec<f64>| 3.0 * row[0] - 2.0 * row[1] + 0.5;
    let examples = examples(Task::Values, &rows, rows.iter().map(target).collect());
    let fit = |penalty| match (Ridge { penalty }).fit(&examples, 1).unwrap() {
        Fitted::Linear { weights, bias, .. } => (weights, bias),
        other => panic!("{other:?} is no weighted sum"),
    };
    let (weights, bias) = fit(0.0);
    let near = |a: f64, b: f64| (a - b).abs() < 1e-2;
    assert!(near(weights[0], 3.0) && near(weights[1], -2.0) && near(bias, 0.5), "{weights:?}");
    let (weights, bias) = fit(0.05);
    let mut slopes: Vec<f64> = weights.iter().map(|weight| 0.05 * weight).collect();
    for (row, target) in examples.rows().iter().zip(examples.targets()) {
        let off = bias + weights.iter().zip(*row).map(|(w, x)| w * x).sum::<f64>() - target;
        row.iter().zip(&mut slopes).for_each(|(x, slope)| *slope += off * x / 80.0);
    }
    assert!(slopes.iter().all(|slope| slope.abs() < 1e-3), "{slopes:?}");
}

#[test]
fn the_machine_of_four_points_has_the_known_margin() {
    // The widest margin between x = -1 and x = 1 is at 0, with weight 1.
    let rows = vec![vec![-1.0, 0.0], vec![-1.0, 1.0], vec![1.0, 0.0], vec![1.0, 1.0]];
    let examples = examples(Task::Classes, &rows, vec![0.0, 0.0, 1.0, 1.0]);
    let learner = Svm { kernel: Kernel::Linear, c: 10.0 };
    let Fitted::Linear { weights, bias, .. } = learner.fit(&examples, 1).unwrap() else {
        panic!("it is a weighted sum")
    };
    assert!((weights[0] - 1.0).abs() < 1e-3 && weights[1].abs() < 1e-3 && bias.abs() < 1e-3);
    // The kernel separates a ring from its middle, which no line does.
    let ring = |n: u8| {
        let angle = f64::from(n);
        let radius = if n.is_multiple_of(2) { 1.0 } else { 3.0 };
        vec![radius * angle.cos(), radius * angle.sin()]
    };
    let rows: Vec<Vec<f64>> = (0..60).map(ring).collect();
    let classes = (0..60).map(|n| f64::from(n % 2)).collect();
    let examples = super::tests::examples(Task::Classes, &rows, classes);
    let kernel = Kernel::Gaussian { width: Some(2.0) };
    assert!(accuracy(&Svm { kernel, c: 1.0 }, &examples, Folds::Stratified(5)) > 0.95);
    let line = Svm { kernel: Kernel::Linear, c: 1.0 };
    assert!(accuracy(&line, &examples, Folds::Stratified(5)) < 0.7);
}

#[test]
fn kernel_ridge_regression_is_where_its_loss_is_least() {
    // The gradient of the squared errors plus the penalty vanishes at (K + penalty) w = y - mean.
    let rows = noise(30, 3, 5);
    let targets: Vec<f64> = rows.iter().map(|row| (6.0 * row[0]).sin() + row[1]).collect();
    let examples = examples(Task::Values, &rows, targets);
    let fitted = KernelRidge { width: 0.5, penalty: 0.1 }.fit(&examples, 1).unwrap();
    let Fitted::Kernels { weights, bias, .. } = &fitted else { panic!("{fitted:?}") };
    for ((row, target), weight) in examples.rows().iter().zip(examples.targets()).zip(weights) {
        let left = target - fitted.predict(row) - 0.1 * weight;
        assert!(left.abs() < 1e-9, "{left}");
    }
    assert!((bias - examples.mean()).abs() < 1e-12);
}

#[test]
fn a_mixture_predicts_the_mean() {
    let rows = noise(40, 2, 6);
    let examples = examples(Task::Values, &rows, rows.iter().map(|row| row[0]).collect());
    let parts = || -> Vec<Box<dyn Learner>> {
        vec![Box::new(Constant), Box::new(Scaled(Ridge { penalty: 0.1 }))]
    };
    let mixed = Mixture(parts()).fit(&examples, 3).unwrap();
    let single: Vec<Fitted> =
        parts().iter().map(|learner| learner.fit(&examples, 3).unwrap()).collect();
    for row in examples.rows() {
        let mean = (single[0].predict(row) + single[1].predict(row)) / 2.0;
        assert!((mixed.predict(row) - mean).abs() < 1e-12);
    }
    assert_eq!(Mixture(vec![]).fit(&examples, 1), Err(LearnError::NoLearners));
}

#[test]
fn random_thresholds_separate_and_respect_the_size_of_leaves() {
    let rows = noise(100, 2, 9);
    let targets: Vec<f64> = rows.iter().map(|row| row[0]).collect();
    let examples = examples(Task::Values, &rows, targets);
    let Fitted::Trees { trees } =
        (ExtraTrees { trees: 20, leaf_min: 5 }).fit(&examples, 2).unwrap()
    else {
        panic!("trees are expected")
    };
    for tree in &trees {
        assert!(tree.is_sound(2));
        assert!(tree.nodes().iter().all(|node| node.examples >= 5));
    }
    // A threshold that makes too small a leaf is not replaced, so some trees stay small.
    let nodes: usize = trees.iter().map(|tree| tree.nodes().len()).sum();
    assert!(nodes > 20 * 9, "{nodes}");
    assert_ne!(trees[0], trees[1]);
}

#[test]
fn models_of_numbers_predict_numbers() {
    let rows = noise(200, 2, 8);
    let target = |row: &Vec<f64>| if row[0] > 0.5 { 10.0 * row[1] } else { 0.0 };
    let examples = examples(Task::Values, &rows, rows.iter().map(target).collect());
    for learner in [
        Box::new(Boosting::default()) as Box<dyn Learner>,
        Box::new(RandomForest { trees: 60, leaf_min: 1 }),
        Box::new(ExtraTrees { trees: 60, leaf_min: 1 }),
        Box::new(KernelRidge { width: 0.05, penalty: 0.01 }),
    ] {
        let found = cross_validate(&learner, &examples, Folds::Stratified(5), 1).unwrap();
        let r2 = r_squared(&found.predictions, examples.targets()).unwrap();
        assert!(r2 > 0.8, "{}: {r2}", learner.name());
    }
    // A leaf for more than half of the examples leaves nothing to split.
    let whole = Boosting { leaf_min: 101.0, ..Boosting::default() }.fit(&examples, 1).unwrap();
    assert!((whole.predict(&rows[0]) - examples.mean()).abs() < 1e-3);
}

#[test]
fn normal_distributions_decide_where_their_densities_cross() {
    // Means 0 and 4, variances 1 and 1, equal shares: the middle is at 2.
    let rows: Vec<Vec<f64>> = [-1.0, 1.0, 3.0, 5.0].map(|x| vec![x]).into();
    let examples = examples(Task::Classes, &rows, vec![0.0, 0.0, 1.0, 1.0]);
    let model = NaiveBayes.fit(&examples, 1).unwrap();
    assert!((model.predict(&[2.0]) - 0.5).abs() < 1e-6);
    // ln of the odds at 3 is (9 - 1) / 2.
    assert!((model.predict(&[3.0]) - 1.0 / (1.0 + f64::exp(-4.0))).abs() < 1e-6);
}

#[test]
fn neighbours_that_are_equally_near_all_count() {
    let rows: Vec<Vec<f64>> = [0.0, 1.0, -1.0, 5.0].map(|x| vec![x]).into();
    let examples = examples(Task::Classes, &rows, vec![0.0, 1.0, 0.0, 1.0]);
    let of = |k| NearestNeighbours { k }.fit(&examples, 1).unwrap().predict(&[0.0]);
    assert_eq!((of(1), of(2), of(9)), (0.0, 1.0 / 3.0, 0.5));
}

#[test]
fn the_same_seed_gives_the_same_model() {
    let rows = noise(60, 4, 9);
    let examples = separable(&rows);
    for learner in classifiers() {
        let fit = |seed| learner.fit(&examples, seed).unwrap();
        assert!(fit(3) == fit(3), "{}", learner.name());
    }
    let forest = RandomForest::default();
    assert!(forest.fit(&examples, 1).unwrap() != forest.fit(&examples, 2).unwrap());
}

#[test]
fn constant_attributes_and_one_class_are_no_trouble() {
    let rows: Vec<Vec<f64>> = (0..20).map(|n| vec![5.0, f64::from(n)]).collect();
    let classes: Vec<f64> = (0..20).map(|n| f64::from(u8::from(n >= 10))).collect();
    let both = examples(Task::Classes, &rows, classes);
    let one = examples(Task::Classes, &rows, vec![1.0; 20]);
    for learner in classifiers() {
        let sure = learner.fit(&both, 1).unwrap().predict(&[5.0, 19.0]);
        assert!(sure > 0.5 && sure.is_finite(), "{}: {sure}", learner.name());
        let all = learner.fit(&one, 1).unwrap().predict(&[5.0, 0.0]);
        assert!(all > 0.5 && all.is_finite(), "{}: {all}", learner.name());
    }
}

#[test]
fn bad_examples_are_refused() {
    let row: &[f64] = &[1.0];
    let new = |rows: Vec<&'static [f64]>, targets: &[f64]| {
        let groups = (0..rows.len()).collect();
        Examples::new(Task::Classes, rows, targets.to_vec(), groups).unwrap_err()
    };
    assert_eq!(new(vec![], &[]), LearnError::NoExamples);
    assert_eq!(new(vec![&[]], &[1.0]), LearnError::NoAttributes);
    assert_eq!(new(vec![&[f64::NAN]], &[1.0]), LearnError::NotFinite(0));
    assert_eq!(new(vec![&[1.0]], &[2.0]), LearnError::NoClass(0));
    assert!(matches!(new(vec![&[1.0], &[1.0, 2.0]], &[1.0, 0.0]), LearnError::Length { .. }));
    let one = Examples::new(Task::Values, vec![row], vec![7.0], vec![0]).unwrap();
    assert!(matches!(Folds::LeaveOneOut.of(&one, 1), Err(LearnError::Folds { .. })));
    assert!(matches!(NaiveBayes.fit(&one, 1), Err(LearnError::Task { .. })));
}

/// Williams 2010, sections 5.1.2 and 5.1.3 and Table 5.2: 17 playable and 11 unplayable games.
#[test]
fn the_figures_of_williams_come_out() {
    let near = |a: Option<f64>, b: f64, digits: f64| (a.unwrap() - b).abs() <= 0.5 * digits + 1e-9;
    let naive = Confusion::naive(11.0, 17.0, 17.0 / 28.0);
    assert!(near(naive.accuracy(), 0.52296, 1e-5));
    let rounded = naive.counts.map(|row| row.map(|x| (x * 10.0).round() / 10.0));
    assert_eq!(rounded, [[4.3, 6.7], [6.7, 10.3]]);
    assert!(near(naive.precision(0), 0.39, 0.01) && near(naive.recall(1), 0.61, 0.01));
    let share = naive.accuracy().unwrap();
    // Accuracies and their printed p-values.
    for (right, p) in [(17.0, 0.19), (16.0, 0.31), (15.0, 0.45), (23.0, 0.0019)] {
        let digits = if p < 0.01 { 0.0001 } else { 0.01 };
        assert!(near(t_test(right / 28.0, share, 28), p, digits), "{right} of 28");
    }
    assert_eq!(t_test(0.6, 1.0, 28), None);
    // Effectiveness with 1% of playable games.
    let best = Confusion { counts: [[11.0, 0.0], [5.0, 12.0]] };
    assert_eq!(best.effectiveness(0.01), Some(1.0));
    assert!(near(best.accuracy(), 0.82, 0.01) && near(best.precision(0), 0.69, 0.01));
    let tree = Confusion { counts: [[6.0, 5.0], [6.0, 11.0]] };
    assert!(near(tree.effectiveness(0.01), 0.0142, 0.0001));
    assert!(near(naive.effectiveness(0.01), 0.01, 0.0001));
    let nobody = Confusion { counts: [[3.0, 0.0], [2.0, 0.0]] };
    assert_eq!((nobody.precision(1), nobody.effectiveness(0.5)), (None, None));
    assert_eq!(nobody.balanced_accuracy(), Some(0.5));
}

#[test]
fn scores_are_as_worked_out_by_hand() {
    let near = |a: Option<f64>, b: f64| (a.unwrap() - b).abs() < 1e-12;
    assert!(near(brier(&[0.8, 0.3], &[1.0, 0.0]), (0.04 + 0.09) / 2.0));
    assert!(near(r_squared(&[1.0, 2.0, 3.0], &[1.0, 2.0, 6.0]), 1.0 - 9.0 / 14.0));
    assert!(near(mean_absolute_error(&[1.0, 2.0], &[2.0, 5.0]), 2.0));
    assert!(near(correlation(&[1.0, 2.0, 3.0], &[2.0, 4.0, 6.0]), 1.0));
    assert!(near(rank_correlation(&[1.0, 2.0, 30.0], &[6.0, 5.0, 1.0]), -1.0));
    assert_eq!(correlation(&[1.0, 1.0], &[2.0, 3.0]), None);
    assert_eq!(r_squared(&[1.0, 2.0], &[3.0, 3.0]), None);
    let bins = calibration(&[0.1, 0.9, 0.2, 0.8], &[0.0, 1.0, 1.0, 1.0], 2);
    let found: Vec<_> = bins.iter().map(|bin| (bin.examples, bin.observed)).collect();
    assert_eq!(found, [(2, 0.5), (2, 1.0)]);
    assert!((bins[0].predicted - 0.15).abs() < 1e-12);
}

#[test]
fn nested_validation_pays_for_the_choice() {
    // Among many learners without information, one looks good by luck.
    let rows = noise(40, 60, 10);
    let classes = (0..40).map(|n| f64::from(u8::from(n % 2 == 0))).collect();
    let examples = examples(Task::Classes, &rows, classes);
    let candidates = || -> Vec<Box<dyn Learner>> {
        (0..60).map(|attribute| Box::new(OneAttribute { attribute }) as Box<dyn Learner>).collect()
    };
    let best = candidates()
        .iter()
        .map(|learner| accuracy(learner, &examples, Folds::LeaveOneOut))
        .fold(0.0, f64::max);
    assert!(best > 0.65, "{best}");
    let nested = Nested { candidates: candidates(), folds: Folds::Stratified(5) };
    let nested = accuracy(&nested, &examples, Folds::Stratified(8));
    assert!(nested < 0.65, "{nested}");
}

#[test]
fn permutation_finds_what_is_there_and_no_more() {
    let rows = noise(40, 3, 11);
    let run = |examples: &Examples<'_>| {
        let learner = DecisionTree(Growth::WILLIAMS);
        let found = cross_validate(&learner, examples, Folds::Stratified(5), 1)?;
        Ok(auc(&found.predictions, examples.targets()).unwrap_or(0.5))
    };
    let real = permutation_test(&separable(&rows), 99, 5, &run).unwrap();
    assert!(real <= 0.02, "{real}");
    let classes = (0..40).map(|n| f64::from(u8::from(n % 2 == 0))).collect();
    let chance = permutation_test(&examples(Task::Classes, &rows, classes), 99, 5, &run).unwrap();
    assert!(chance > 0.05, "{chance}");
}

#[test]
fn intervals_by_groups_are_wider_than_by_twins() {
    let rows: Vec<Vec<f64>> = (0..80).map(|n| vec![f64::from(n)]).collect();
    let mut random = Random::new(12);
    let classes: Vec<f64> = (0..80).map(|n| f64::from(u8::from(n % 8 < 4))).collect();
    let predictions: Vec<f64> = (0..20).flat_map(|_| [random.below(2) as f64; 4]).collect();
    let score = |p: &[f64], c: &[f64]| Confusion::of(p, c).accuracy();
    let width = |size: usize| {
        let groups = (0..80).map(|n| n / size).collect();
        let rows = rows.iter().map(Vec::as_slice).collect();
        let examples = Examples::new(Task::Classes, rows, classes.clone(), groups).unwrap();
        let score = bootstrap(&predictions, &examples, &score, 1_000, 1).unwrap();
        assert!(score.low <= score.mean && score.mean <= score.high);
        score.high - score.low
    };
    let (alone, together) = (width(1), width(4));
    // Four equal examples count as one: the error is twice as large.
    assert!((1.7..2.4).contains(&(together / alone)), "{alone} {together}");
}

#[test]
fn intervals_over_repetitions_cover_their_differences() {
    let rows: Vec<Vec<f64>> = (0..400).map(|n| vec![f64::from(n)]).collect();
    let classes: Vec<f64> = (0..400).map(|n| f64::from(n % 2)).collect();
    let examples = examples(Task::Classes, &rows, classes.clone());
    let score = |p: &[f64], c: &[f64]| Confusion::of(p, c).accuracy();
    // Predictions that are right for a share of the examples.
    let right = |share: usize| -> Vec<f64> {
        let class = |(n, class): (usize, &f64)| if n % 10 < share { *class } else { 1.0 - class };
        classes.iter().enumerate().map(class).collect()
    };
    let over = |repeated: &[Vec<f64>]| {
        bootstrap_repeated(&right(7), repeated, &examples, &score, 1_000, 1).unwrap()
    };
    let alone = bootstrap(&right(7), &examples, &score, 1_000, 1).unwrap();
    assert_eq!(over(&[]), alone);
    assert_eq!(over(&[right(7), right(7)]), alone, "repetitions that agree change nothing");
    let wide = over(&[right(5), right(9)]);
    assert_eq!(wide.mean, alone.mean, "the score is that of the examples");
    assert!(wide.low < 0.5 && wide.high > 0.9, "{wide:?}");
}

/// Twenty groups of ten twins; their classes are independent of their attributes.
#[test]
fn what_a_bag_has_not_seen_it_cannot_know() {
    let groups: Vec<usize> = (0..200).map(|n| n / 10).collect();
    let rows: Vec<Vec<f64>> = groups.iter().map(|group| vec![(group * 7 % 20) as f64]).collect();
    let mut classes = [0.0, 1.0].repeat(10);
    Random::new(5).shuffle(&mut classes);
    let targets: Vec<f64> = groups.iter().map(|&group| classes[group]).collect();
    let slices = rows.iter().map(Vec::as_slice).collect();
    let examples = Examples::new(Task::Classes, slices, targets.clone(), groups.clone()).unwrap();
    let learner = DecisionTree(Growth::FULL);
    let bag = Bag::fit(&learner, &examples, 60, 3).unwrap();
    let mean = |of: Vec<Option<f64>>| {
        let known: Vec<f64> = of.into_iter().flatten().collect();
        known.iter().sum::<f64>() / known.len() as f64
    };
    let right = |unseen: bool| {
        let predict = |n: usize| mean(bag.predictions(&rows[n], unseen.then_some(groups[n])));
        let hits = (0..200).filter(|&n| (predict(n) >= 0.5) == (targets[n] == 1.0)).count();
        hits as f64 / 200.0
    };
    assert!(right(false) > 0.95, "{}", right(false));
    assert!(right(true) < 0.65, "{}", right(true));
    // A model draws a given group with probability 1 - 1/e; a row without a group is new to all
    // models.
    let new = bag.predictions(&rows[0], Some(0)).iter().flatten().count();
    assert!((10..=34).contains(&new), "{new} of 60");
    assert_eq!(bag.predictions(&rows[0], None).iter().flatten().count(), bag.len());
    assert_eq!(bag, Bag::fit(&learner, &examples, 60, 3).unwrap());
    let one_group = examples.some(&[0, 1, 2]);
    assert!(matches!(Bag::fit(&learner, &one_group, 5, 1), Err(LearnError::Folds { .. })));
}

#[test]
fn a_calibration_is_where_its_loss_is_least() {
    let mut random = Random::new(11);
    let predictions: Vec<f64> = (0..300).map(|_| random.share()).collect();
    let classes: Vec<f64> = predictions
        .iter()
        .map(|p| f64::from(u8::from(random.share() < 0.5 + 0.5 * (p - 0.5))))
        .collect();
    let weights: Vec<f64> = (0..300).map(|n| if n % 3 == 0 { 2.0 } else { 1.0 }).collect();
    let found = Calibration::fit(&predictions, &classes, &weights).unwrap();
    assert!(found.slope > 0.0 && found.slope < 1.0, "too sure by half: {found:?}");
    let ones: f64 = classes.iter().sum();
    let loss = |one: Calibration| -> f64 {
        let of = |n: usize| {
            let p = one.probability(predictions[n]);
            let target =
                if classes[n] == 1.0 { (ones + 1.0) / (ones + 2.0) } else { 1.0 / (302.0 - ones) };
            -weights[n] * (target * p.ln() + (1.0 - target) * (1.0 - p).ln())
        };
        (0..300).map(of).sum()
    };
    for step in [-0.01, 0.01] {
        assert!(loss(found) < loss(Calibration { slope: found.slope + step, ..found }));
        assert!(loss(found) < loss(Calibration { offset: found.offset + step, ..found }));
    }
    // If all predictions are correct, the slope stays bounded, because Platt's targets are not 0
    // and 1.
    let right: Vec<f64> = classes.iter().map(|class| 0.4 + 0.2 * class).collect();
    let sure = Calibration::fit(&right, &classes, &weights).unwrap();
    assert!(sure.probability(0.6) > 0.98 && sure.probability(0.6) < 1.0);
    assert_eq!(Calibration::fit(&[0.5, 0.5], &[1.0, 1.0], &[1.0, 1.0]), None);
}

/// Network of two hidden units with the biases 1 and -2.
fn network() -> Fitted {
    let hidden = Layer { units: vec![vec![1.0, 0.0, 1.0], vec![0.0, 2.0, -2.0]] };
    let output = Layer { units: vec![vec![3.0, -1.0, 0.5]] };
    Fitted::Network { layers: vec![hidden, output], link: Link::Identity }
}

#[test]
fn a_network_predicts_what_a_hand_computes() {
    let expected = 0.5 + 3.0 * 1.5_f64.tanh() - (-1.5_f64).tanh();
    assert!((network().predict(&[0.5, 0.25]) - expected).abs() < 1e-12);
    assert!(network().is_sound(2));
    let text = serde_json::to_string(&network()).unwrap();
    assert_eq!(serde_json::from_str::<Fitted>(&text).unwrap(), network());
}

#[test]
fn a_network_whose_layers_do_not_fit_is_not_sound() {
    assert!(!network().is_sound(3));
    type Damage = fn(&mut Vec<Layer>);
    let damages: [Damage; 5] = [
        |layers| layers.clear(),
        |layers| layers.truncate(1),
        |layers| layers[0].units.clear(),
        |layers| layers[0].units[1].truncate(2),
        |layers| layers[1].units[0].push(1.0),
    ];
    for (n, damage) in damages.iter().enumerate() {
        let Fitted::Network { mut layers, link } = network() else { panic!("it is a network") };
        damage(&mut layers);
        assert!(!Fitted::Network { layers, link }.is_sound(2), "damage {n}");
    }
}

mod mlp {
    use rayon::ThreadPoolBuilder;

    use super::*;
    use crate::learners::Mlp;

    #[test]
    fn a_network_learns_that_two_attributes_differ() {
        let rows: Vec<Vec<f64>> =
            [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]].map(|row| row.to_vec()).to_vec();
        let examples = examples(Task::Classes, &rows, vec![0.0, 1.0, 1.0, 0.0]);
        let model = Scaled(Mlp { epochs: 1_000, ..Mlp::default() }).fit(&examples, 1).unwrap();
        assert!(model.is_sound(2));
        for (row, target) in rows.iter().zip(examples.targets()) {
            assert!((model.predict(row) - target).abs() < 0.2, "{row:?}");
        }
        // Without hidden units the network draws one line.
        let line = Mlp { hidden: Vec::new(), ..Mlp::default() };
        let model = Scaled(line).fit(&examples, 1).unwrap();
        assert!((model.predict(&rows[1]) - model.predict(&rows[0])).abs() < 0.5);
    }

    #[test]
    fn a_network_learns_numbers_in_their_own_unit() {
        let rows = noise(60, 2, 3);
        let target = |row: &Vec<f64>| 1_000.0 + 200.0 * row[0];
        let examples = examples(Task::Values, &rows, rows.iter().map(target).collect());
        let found = cross_validate(
            &Scaled(Mlp { epochs: 400, ..Mlp::default() }),
            &examples,
            Folds::Stratified(5),
            1,
        )
        .unwrap();
        let r2 = r_squared(&found.predictions, examples.targets()).unwrap();
        assert!(r2 > 0.95, "{r2}");
    }

    #[test]
    fn a_network_is_the_same_for_any_threads_and_differs_by_seed() {
        let rows = noise(80, 30, 4);
        let examples = separable(&rows);
        let learner = Scaled(Mlp { epochs: 30, repeats: 2, ..Mlp::default() });
        let fit = |threads, seed| {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| learner.fit(&examples, seed).unwrap())
        };
        assert_eq!(fit(1, 1), fit(4, 1));
        assert_ne!(fit(1, 1), fit(1, 2));
    }

    #[test]
    fn a_network_finds_nothing_in_shuffled_classes() {
        let mut random = Random::new(9);
        let rows = noise(60, 4, 5);
        let area = |_| {
            let mut classes: Vec<f64> = (0..60).map(|n| f64::from(n % 2)).collect();
            random.shuffle(&mut classes);
            let examples = examples(Task::Classes, &rows, classes);
            let learner = Scaled(Mlp { epochs: 60, repeats: 2, ..Mlp::default() });
            let found = cross_validate(&learner, &examples, Folds::Stratified(5), 1).unwrap();
            auc(&found.predictions, examples.targets()).unwrap()
        };
        let mean = (0..6).map(area).sum::<f64>() / 6.0;
        assert!((0.35..0.65).contains(&mean), "{mean}");
    }

    #[test]
    fn one_class_gives_a_constant() {
        let rows = noise(5, 2, 6);
        let examples = examples(Task::Classes, &rows, vec![1.0; 5]);
        let model = Mlp::default().fit(&examples, 1).unwrap();
        assert_eq!(model, Fitted::Constant { value: 1.0 });
    }
}
