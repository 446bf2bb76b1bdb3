//! Score of a candidate.

use serde::{Deserialize, Serialize};
use treegauge_gauge::vetted::{Chance, Playability};

use super::line::Glance;
use super::novelty::Novelty;

/// Points of a certainly playable game.
const PLAYABLE: f64 = 100.0;

/// Upper limit of the points for novelty; a novelty of 1 has half of them.
const NEW: f64 = 25.0;

/// Points subtracted for each node of the rules beyond [`NODES_FREE`].
const NODE: f64 = 0.1;

/// Number of nodes without a penalty.
const NODES_FREE: u32 = 30;

/// Score by which candidates are chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// Points: 100 times the probability of being playable (50 if no model was asked), plus up to
    /// 25 for novelty, minus a tenth for each node of the rules beyond 30.
    pub fitness: f64,
    /// Distance to the built-in games, the start texts, and all games of earlier generations that
    /// passed the glance.
    pub novelty: Novelty,
}

impl Score {
    pub(super) fn new(chance: Option<Chance>, novelty: Novelty, nodes: u32) -> Score {
        let probability = chance.map_or(0.5, |chance| chance.probability);
        let new = novelty.novelty / (1.0 + novelty.novelty);
        let beyond = f64::from(nodes.saturating_sub(NODES_FREE));
        Score { fitness: PLAYABLE * probability + NEW * new - NODE * beyond, novelty }
    }
}

impl Glance {
    /// Probability that the game is playable; `None` if no model was asked or it had no answer.
    #[must_use]
    pub fn chance(&self) -> Option<Chance> {
        self.vetted.as_ref()?.playable
    }

    /// Tests whether the model calls the game unplayable.
    pub(super) fn is_unplayable(&self) -> bool {
        self.vetted.as_ref().is_some_and(|vetted| vetted.verdict == Playability::No)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probability_novelty_and_brevity_count() {
        let novelty = |novelty| Novelty { novelty, nearest: None };
        let chance = |probability| Some(Chance { probability, low: 0.0, high: 1.0 });
        let fitness = |p, n, nodes| Score::new(p, novelty(n), nodes).fitness;
        assert_eq!(fitness(chance(0.8), 0.0, 30), 80.0);
        assert_eq!(fitness(chance(0.8), 1.0, 30), 92.5);
        assert_eq!(fitness(chance(0.8), 1.0, 40), 91.5);
        assert_eq!(fitness(None, 0.0, 0), 50.0);
    }
}
