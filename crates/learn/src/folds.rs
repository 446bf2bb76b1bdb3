//! Splits of examples into folds for cross-validation: each fold is tested with a model trained on
//! the others.

use crate::learner::{Examples, LearnError, Task};
use crate::random::Random;

/// Kind of split into folds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folds {
    /// One fold per example.
    LeaveOneOut,
    /// One fold per group.
    LeaveOneGroupOut,
    /// This number of folds, with nearly equal shares of the classes.
    Stratified(usize),
    /// This number of folds, with each group within one of them. Large groups are distributed
    /// first, so the folds have similar sizes and, as a second aim, similar shares of the classes.
    Grouped(usize),
}

impl Folds {
    /// Returns the name in reports.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Folds::LeaveOneOut => "leave_one_out".to_owned(),
            Folds::LeaveOneGroupOut => "leave_one_group_out".to_owned(),
            Folds::Stratified(k) => format!("stratified_{k}_fold"),
            Folds::Grouped(k) => format!("grouped_{k}_fold"),
        }
    }

    /// Reduces the number of folds to what the examples allow; falls back to single examples if
    /// there is only one group.
    #[must_use]
    pub(crate) fn fitting(self, examples: &Examples<'_>) -> Folds {
        let groups = groups(examples).len();
        match self {
            Folds::Grouped(_) | Folds::LeaveOneGroupOut if groups < 2 => Folds::LeaveOneOut,
            Folds::Grouped(k) => Folds::Grouped(k.min(groups)),
            Folds::Stratified(k) => Folds::Stratified(k.min(examples.len())),
            other => other,
        }
    }

    /// Splits the examples. Each example is in exactly one fold, and no fold is empty.
    ///
    /// # Errors
    ///
    /// If there are fewer than two folds, or fewer examples or groups than folds.
    pub fn of(self, examples: &Examples<'_>, seed: u64) -> Result<Vec<Vec<usize>>, LearnError> {
        let random = &mut Random::new(seed);
        let few = |what, found, expected| Err(LearnError::Folds { what, found, expected });
        let by_group = groups(examples);
        match self {
            Folds::LeaveOneOut if examples.len() < 2 => few("examples", examples.len(), 2),
            Folds::LeaveOneOut => Ok((0..examples.len()).map(|n| vec![n]).collect()),
            Folds::LeaveOneGroupOut if by_group.len() < 2 => few("groups", by_group.len(), 2),
            Folds::LeaveOneGroupOut => Ok(by_group),
            Folds::Stratified(k) if k < 2 || examples.len() < k => {
                few("examples", examples.len(), k.max(2))
            }
            Folds::Stratified(k) => {
                let mut folds = vec![Vec::new(); k];
                // Examples are dealt out in the order of their classes, so the counts of a class
                // differ by at most one between folds.
                for (place, n) in strata(examples, random).into_iter().enumerate() {
                    folds[place % k].push(n);
                }
                folds.iter_mut().for_each(|fold| fold.sort_unstable());
                Ok(folds)
            }
            Folds::Grouped(k) if k < 2 || by_group.len() < k => {
                few("groups", by_group.len(), k.max(2))
            }
            Folds::Grouped(k) => Ok(dealt(examples, by_group, k, random)),
        }
    }
}

/// Returns the examples of each group; groups are in the order of their first example.
fn groups(examples: &Examples<'_>) -> Vec<Vec<usize>> {
    let mut places = std::collections::HashMap::new();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (n, group) in examples.groups().iter().enumerate() {
        let place = *places.entry(group).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[place].push(n);
    }
    groups
}

/// Returns all examples sorted by target, equal ones in random order.
fn strata(examples: &Examples<'_>, random: &mut Random) -> Vec<usize> {
    let mut all: Vec<usize> = (0..examples.len()).collect();
    random.shuffle(&mut all);
    let targets = examples.targets();
    all.sort_by(|&a, &b| targets[a].total_cmp(&targets[b]));
    all
}

/// Distributes groups, large ones first. Each goes to the fold with the fewest examples of the
/// group's classes; empty folds come first.
fn dealt(
    examples: &Examples<'_>,
    mut groups: Vec<Vec<usize>>,
    k: usize,
    random: &mut Random,
) -> Vec<Vec<usize>> {
    random.shuffle(&mut groups);
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    let ones = |group: &[usize]| -> f64 { group.iter().map(|&n| examples.targets()[n]).sum() };
    let mut folds: Vec<Vec<usize>> = vec![Vec::new(); k];
    for group in groups {
        let share = ones(&group) / group.len() as f64;
        let load = |fold: &Vec<usize>| {
            let of_one = ones(fold);
            match examples.task() {
                Task::Classes => share * of_one + (1.0 - share) * (fold.len() as f64 - of_one),
                Task::Values => fold.len() as f64,
            }
        };
        let best = (0..k).min_by(|&a, &b| {
            let empty = |n: usize| !folds[n].is_empty();
            empty(a)
                .cmp(&empty(b))
                .then(load(&folds[a]).total_cmp(&load(&folds[b])))
                .then(folds[a].len().cmp(&folds[b].len()))
        });
        folds[best.expect("there are folds")].extend(group);
    }
    folds.iter_mut().for_each(|fold| fold.sort_unstable());
    folds
}
