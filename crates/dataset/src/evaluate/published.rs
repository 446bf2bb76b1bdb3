//! Published results of Williams 2010, for comparison.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use treegauge_learn::scores::Confusion;

use super::observed::Observation;
use crate::aggregate::Split;

/// Published result of one learner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// Name of the learner: `tree`, `svm` or `network`.
    pub learner: String,
    /// Iterations per move.
    pub iterations: u32,
    /// Division of the trees that the attributes come from.
    pub split: Split,
    /// True and predicted classes, class 1 being playable; for networks, means over ten
    /// repetitions.
    pub confusion: Confusion,
    /// Accuracy as printed.
    pub accuracy: f64,
    /// p-value as printed; `None` if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p: Option<f64>,
    /// Note about a contradiction in Williams 2010.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Published result of a learner; `None` if there is none.
#[must_use]
pub fn published(learner: &str, iterations: u32, split: Split) -> Option<&'static Published> {
    PUBLISHED
        .iter()
        .find(|one| one.learner == learner && one.iterations == iterations && one.split == split)
}

static PUBLISHED: LazyLock<Vec<Published>> = LazyLock::new(|| file().result);

/// Observations of broken games, and of one other, in Williams 2010.
pub(super) static OBSERVATIONS: LazyLock<Vec<Observation>> = LazyLock::new(|| file().observation);

#[derive(Deserialize)]
struct File {
    result: Vec<Published>,
    observation: Vec<Observation>,
}

fn file() -> File {
    toml::from_str(include_str!("../../data/williams_2010_results.toml"))
        .expect("the file next to the code has the results")
}

#[cfg(test)]
mod tests {
    use treegauge_learn::t_test;

    use super::*;

    /// Printed numbers agree with each other.
    #[test]
    fn the_published_results_agree_with_themselves() {
        assert_eq!(PUBLISHED.len(), 18);
        let naive = Confusion::naive(11.0, 17.0, 17.0 / 28.0).accuracy().unwrap();
        for one in PUBLISHED.iter() {
            let [unplayable, playable] = one.confusion.counts.map(|row| row.iter().sum::<f64>());
            assert!((unplayable - 11.0).abs() < 1e-9 && (playable - 17.0).abs() < 1e-9, "{one:?}");
            let accuracy = one.confusion.accuracy().unwrap();
            assert!((accuracy - one.accuracy).abs() <= 0.0051, "{one:?}");
            if let Some(printed) = one.p {
                let p = t_test(accuracy, naive, 28).unwrap();
                assert!((p - printed).abs() <= 0.0101, "{one:?}: {p}");
            }
        }
    }
}
