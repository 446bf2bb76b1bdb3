//! Resamples of self-play: datasets in which each game has the same number of instances, drawn with
//! replacement.

use std::collections::BTreeMap;

use treegauge_core::Outcome;
use treegauge_learn::Random;
use treegauge_stats::Moments;

use super::attributes::attribute_names;
use super::fold::{add_trees, ended, no_trees, of_trees, results_of};
use super::{Aggregate, GameAggregate};
use crate::collect::{DatasetHeader, Instance};

/// Accumulator that keeps the sums of each instance, so that any sample of the instances can be
/// summed up.
#[derive(Debug)]
pub struct Resampler {
    iterations: u32,
    games: BTreeMap<String, Vec<Sums>>,
}

/// Sums of one instance.
#[derive(Debug)]
struct Sums {
    /// Features of trees, by player, then by feature.
    features: [Vec<Moments>; 2],
    /// Result of the game of self-play, and its length in plies.
    ended: (Outcome, u64),
}

impl Resampler {
    /// Starts without instances of a dataset with this header.
    #[must_use]
    pub fn new(header: &DatasetHeader) -> Resampler {
        Resampler { iterations: header.iterations, games: BTreeMap::new() }
    }

    /// Adds an instance.
    pub fn add(&mut self, instance: &Instance) {
        let mut features = [no_trees(), no_trees()];
        add_trees(&mut features, instance);
        let sums = Sums { features, ended: ended(&instance.record) };
        self.games.entry(instance.game.clone()).or_default().push(sums);
    }

    /// Attributes of the trees, and results, of a resample: as many instances of each game as there
    /// are, drawn with replacement (the bootstrap of Efron 1979). The same instances in the same
    /// order and the same seed yield the same resample.
    #[must_use]
    pub fn resample(&self, seed: u64) -> Aggregate {
        let mut random = Random::new(seed);
        let games = self.games.iter().map(|(game, instances)| {
            let drawn: Vec<&Sums> =
                instances.iter().map(|_| &instances[random.below(instances.len())]).collect();
            let sum = |player: usize| -> Vec<Moments> {
                let mut sums = no_trees();
                for one in &drawn {
                    let each = sums.iter_mut().zip(&one.features[player]);
                    each.for_each(|(sum, own)| sum.merge(own));
                }
                sums
            };
            let (trees, attributes) = of_trees(&[sum(0), sum(1)]);
            GameAggregate {
                game: game.clone(),
                instances: drawn.len() as u64,
                trees,
                results: Some(results_of(drawn.iter().map(|one| one.ended))),
                attributes,
            }
        });
        Aggregate {
            iterations: self.iterations,
            attributes: attribute_names(),
            games: games.collect(),
        }
    }
}
