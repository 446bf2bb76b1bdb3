//! The results of Williams 2010, to set beside our own.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use treegauge_learn::scores::Confusion;

use super::observed::Observation;
use crate::aggregate::Split;

/// A published result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// The learner: `tree`, `svm` or `network`.
    pub learner: String,
    /// Iterations per move.
    pub iterations: u32,
    /// The trees of which the attributes are made.
    pub split: Split,
    /// The classes, class 1 being playable; of networks the means over ten repetitions.
    pub confusion: Confusion,
    /// The accuracy as it is printed.
    pub accuracy: f64,
    /// The p-value as it is printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p: Option<f64>,
    /// Where the source contradicts itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The published result of a learner, if there is one.
#[must_use]
pub fn published(learner: &str, iterations: u32, split: Split) -> Option<&'static Published> {
    PUBLISHED
        .iter()
        .find(|one| one.learner == learner && one.iterations == iterations && one.split == split)
}

static PUBLISHED: LazyLock<Vec<Published>> = LazyLock::new(|| file().result);

/// What the source observed of broken games and of one other.
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

    /// What is printed in one place agrees with what is printed in the others.
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
