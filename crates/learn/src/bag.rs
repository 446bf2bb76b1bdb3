//! Bags of models on bootstrap samples, which show how much a prediction depends on the training
//! examples.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::folds::Folds;
use crate::learner::{Examples, LearnError, Learner};
use crate::model::Fitted;
use crate::random::Random;

/// Models each trained on groups drawn with replacement (bagging: Breiman 1996). A model has not
/// seen the groups that it did not draw. So each training example can be predicted by models that
/// have not seen its group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bag {
    replicates: Vec<Replicate>,
}

/// Model and the groups that it has not seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Replicate {
    model: Fitted,
    /// Groups that the model has not seen, in increasing order.
    unseen: Vec<usize>,
}

impl Bag {
    /// Fits `replicates` models, at least one. The same examples and seed give the same models, for
    /// any number of threads.
    ///
    /// # Errors
    ///
    /// If there are fewer than two groups, or the learner fails.
    pub fn fit(
        learner: &dyn Learner,
        examples: &Examples<'_>,
        replicates: usize,
        seed: u64,
    ) -> Result<Bag, LearnError> {
        let groups = Folds::LeaveOneGroupOut.of(examples, seed)?;
        let fit = |n: usize| {
            let seed = seed.wrapping_add(n as u64);
            let mut random = Random::new(seed);
            let drawn: Vec<usize> = groups.iter().map(|_| random.below(groups.len())).collect();
            let sample: Vec<usize> = drawn.iter().flat_map(|&n| groups[n].clone()).collect();
            let model = learner.fit(&examples.some(&sample), seed)?;
            let unseen = (0..groups.len()).filter(|n| !drawn.contains(n));
            let mut unseen: Vec<usize> = unseen.map(|n| examples.groups()[groups[n][0]]).collect();
            unseen.sort_unstable();
            Ok(Replicate { model, unseen })
        };
        let replicates = (0..replicates.max(1)).into_par_iter().map(fit).collect::<Result<_, _>>();
        Ok(Bag { replicates: replicates? })
    }

    /// Number of models, at least 1.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "there is always one")]
    pub fn len(&self) -> usize {
        self.replicates.len()
    }

    /// Returns each model's prediction for a row of a group; `None` for models that have seen the
    /// group. With `group` `None`, the row is new to all models.
    ///
    /// # Panics
    ///
    /// If the row has too few attributes.
    #[must_use]
    pub fn predictions(&self, row: &[f64], group: Option<usize>) -> Vec<Option<f64>> {
        let is_new =
            |one: &Replicate| group.is_none_or(|group| one.unseen.binary_search(&group).is_ok());
        let predict = |one: &Replicate| is_new(one).then(|| one.model.predict(row));
        self.replicates.iter().map(predict).collect()
    }

    /// Tests whether the bag has models, all valid for rows of this many attributes. A bag read
    /// from a file may be invalid.
    #[must_use]
    pub fn is_sound(&self, attributes: usize) -> bool {
        let sound = |one: &Replicate| {
            one.model.is_sound(attributes) && one.unseen.is_sorted_by(|a, b| a < b)
        };
        !self.replicates.is_empty() && self.replicates.iter().all(sound)
    }
}
