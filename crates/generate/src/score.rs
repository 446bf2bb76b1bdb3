//! How much a candidate promises.

use serde::{Deserialize, Serialize};
use treegauge_gauge::vetted::{Chance, Playability};

use super::line::Glance;
use super::novelty::Novelty;

/// The points of a game that is certainly playable.
const PLAYABLE: f64 = 100.0;

/// The points of a game that is infinitely new; one as new as its novelty is 1 has half of them.
const NEW: f64 = 25.0;

/// The points that each node of the rules takes beyond [`NODES_FREE`].
const NODE: f64 = 0.1;

/// The nodes of rules that take no points.
const NODES_FREE: u32 = 30;

/// How much a candidate promises.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// Points: 100 for the probability that it is playable (50 where no model was asked), up to 25 for novelty, less
    /// a tenth of a point for each node of its rules beyond 30.
    pub fitness: f64,
    /// How different it is from the built-in games, the texts of the start, and all games of earlier generations that
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
    /// The probability that the game is playable, where a model was asked and said one.
    #[must_use]
    pub fn chance(&self) -> Option<Chance> {
        self.vetted.as_ref()?.playable
    }

    /// Whether the model says that it is unplayable.
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
