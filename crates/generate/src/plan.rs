//! Plan of a run and the budgets of its gates.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use treegauge_catalog::rules::has_loop;
use treegauge_dataset::collect::CollectPlan;
use treegauge_dataset::vet::{DataPlan, Model};
use treegauge_engine::Engine;
use treegauge_gauge::{Multiple, Plan};
use treegauge_search::Seed;
use treegauge_store::Shard;

use super::axis::Axis;
use super::random_play::RandomPlay;

/// Default number of candidates.
pub const DEFAULT_CANDIDATES: u32 = 1_000;

/// Upper limit of the number of candidates.
pub const CANDIDATES_MAX: u32 = 1_000_000;

/// Games and budget of a gauge of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GaugeBudget {
    /// Number of self-play games.
    pub games: u32,
    /// Iterations per move.
    pub iterations: u32,
    /// Number of games between unequal searches.
    pub skill_games: u32,
    /// Upper limit of legal moves over all plies of all playouts, as expected from the random
    /// games.
    pub playout_moves: u64,
}

impl GaugeBudget {
    /// Creates the plan of the gauge. If `ladder` is true, it also plays other strengths and solves
    /// small games.
    pub(super) fn plan(&self, seed: u64, ladder: bool) -> Plan {
        let GaugeBudget { games, iterations, skill_games, .. } = *self;
        let ladder_of =
            |asked: bool| if asked { Multiple::DEFAULT_LADDER.to_vec() } else { vec![] };
        let solve_limit = if ladder { SOLVE_LIMIT } else { 0 };
        Plan {
            games,
            iterations,
            skill_games,
            seed,
            ladder: ladder_of(ladder),
            solve_limit,
            ..Plan::default()
        }
    }
}

/// Greatest number of positions of a game that the thorough gauge solves.
const SOLVE_LIMIT: u64 = 200_000;

/// Budgets of the gates. They are not in units of time, so that a run gives the same games
/// everywhere.
///
/// A ply costs its number of legal moves, because most texts are played by listing them: a ply with
/// 900 moves takes as long as 90 plies with ten. Texts with a loop of their own take far less time
/// per move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Budgets {
    /// Number of random games of a candidate: the first batch, and the maximum if those are
    /// undecided.
    pub random_games: [u32; 2],
    /// Upper limit of legal moves over all plies of its random games.
    pub random_moves: u64,
    /// Cost of a legal move of a playout in a text without a loop of its own; with one it costs 1.
    pub listed: u64,
    /// Upper limit of lines of play of one length counted for the comparison of games.
    pub perft_leaves: u64,
    /// Upper limit of legal moves over all plies of all playouts of the glance.
    pub glance_playout_moves: u64,
    /// Share of the candidates that passed the glance in a generation that go to the quick gauge.
    pub chosen: f64,
    /// Budget of the quick gauge.
    pub quick: GaugeBudget,
    /// Budget of the thorough gauge.
    pub thorough: GaugeBudget,
}

impl Budgets {
    /// Estimates the cost of `games` games with `iterations` iterations per move, in legal moves
    /// over all plies of all playouts. By the random games, a game has their mean length, a playout
    /// half of it, and a ply their mean number of moves.
    pub(super) fn playout_moves(
        &self,
        engine: &dyn Engine,
        random: &RandomPlay,
        games: u32,
        iterations: u64,
    ) -> u64 {
        let program = engine.info().spec.program().map(|program| Arc::new(program.clone()));
        let each = if program.is_some_and(|program| !has_loop(&program)) { self.listed } else { 1 };
        let (length, branching) = (random.length(), random.branching());
        let moves = f64::from(games) * iterations as f64 * length * length / 2.0 * branching;
        (moves * each as f64) as u64
    }
}

impl Default for Budgets {
    fn default() -> Self {
        Budgets {
            random_games: [50, 400],
            random_moves: 1_000_000,
            listed: 20,
            perft_leaves: 200_000,
            glance_playout_moves: 300_000_000,
            chosen: 0.25,
            quick: GaugeBudget {
                games: 20,
                iterations: 300,
                skill_games: 20,
                playout_moves: 2_000_000_000,
            },
            thorough: GaugeBudget {
                games: 40,
                iterations: 1_000,
                skill_games: 40,
                playout_moves: 20_000_000_000,
            },
        }
    }
}

/// Default of the glance without a model: iterations per move and number of games.
pub const DEFAULT_GLANCE: [u32; 2] = [100, 40];

/// Settings of a run.
#[derive(Clone, Debug)]
pub struct GeneratePlan {
    /// Number of candidates.
    pub candidates: u32,
    /// Seed of the run; each candidate has a child seed by its number.
    pub seed: u64,
    /// Number of candidates per generation; those of one generation share the games to descend
    /// from.
    pub generation: u32,
    /// The two axes of the archive.
    pub axes: [Axis; 2],
    /// Number of games for the thorough gauge.
    pub best: u32,
    /// Share of the candidates that are controls, which no gate stops; they show what the gates
    /// stop wrongly.
    pub control: f64,
    /// Iterations per move and number of games of the glance, if no model prescribes them.
    pub glance: [u32; 2],
    /// Budgets of the gates.
    pub budgets: Budgets,
    /// Part of the candidates to make here, as an island with an archive of its own.
    pub shard: Shard,
}

impl Default for GeneratePlan {
    fn default() -> Self {
        let axis = |name| Axis::named(name).expect("it is an axis");
        GeneratePlan {
            candidates: DEFAULT_CANDIDATES,
            seed: 1,
            generation: 50,
            axes: ["plies", "branching"].map(axis),
            best: 10,
            control: 0.05,
            glance: DEFAULT_GLANCE,
            budgets: Budgets::default(),
            shard: Shard::WHOLE,
        }
    }
}

/// Streams of a candidate's seed: each gate has its own random numbers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stream {
    Make,
    Control,
    Random,
    Glance,
    Quick,
    Thorough,
}

impl GeneratePlan {
    /// Returns the numbers of the candidates of this part.
    pub fn numbers(&self) -> impl Iterator<Item = u32> + use<> {
        let Shard { index, count } = self.shard;
        (index..self.candidates).step_by(count as usize)
    }

    /// Returns the numbers of the candidates of this part, generation by generation.
    #[must_use]
    pub fn generations(&self) -> Vec<Vec<u32>> {
        let numbers: Vec<u32> = self.numbers().collect();
        numbers.chunks(self.generation.max(1) as usize).map(<[u32]>::to_vec).collect()
    }

    /// Derives the seed of one stream of a candidate or start text.
    pub(super) fn seed_of(&self, origin: super::Origin, stream: Stream) -> Seed {
        let (kind, number) = match origin {
            super::Origin::Start(n) => (0, n),
            super::Origin::Made(n) => (1, n),
        };
        Seed(self.seed).child(kind).child(u64::from(number)).child(stream as u64)
    }

    /// Decides by the seed whether a candidate is a control, which no gate stops.
    pub(super) fn is_control(&self, number: u32) -> bool {
        let drawn = self.seed_of(super::Origin::Made(number), Stream::Control).child(0).0;
        // 53 bits as a number in [0, 1).
        ((drawn >> 11) as f64) / (1u64 << 53) as f64 <= self.control && self.control > 0.0
    }

    /// Returns the plan of the glance: that of the data of the model's weakest predictor, or
    /// without a model the plan's own.
    pub(super) fn glance_plan(&self, model: Option<&Model>) -> DataPlan {
        let of_model = model.and_then(|model| model.playable.first()?.basis.data.first());
        of_model.cloned().unwrap_or_else(|| {
            let [iterations, instances] = self.glance;
            let plan = CollectPlan { iterations, instances, ..CollectPlan::default() };
            DataPlan { header: treegauge_dataset::collect::DatasetHeader::of(&plan), instances }
        })
    }
}

/// Start text of a run as recorded in the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartHeader {
    /// Name of the game.
    pub name: String,
    /// Identity of the game up to names, order and symmetry of the board: 32 hexadecimal digits.
    pub identity: String,
}

/// Header of a journal: everything that the candidates depend on. Under equal headers, candidates
/// with equal numbers are equal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GenerateHeader {
    /// Content of the file: [`GenerateHeader::HOLDS`].
    pub holds: String,
    /// Start texts.
    pub starts: Vec<StartHeader>,
    /// Number of candidates of all parts.
    pub candidates: u32,
    /// Random seed.
    #[serde(with = "treegauge_core::seed_json")]
    pub seed: u64,
    /// Number of candidates per generation.
    pub generation: u32,
    /// Names of the axes of the archive.
    pub axes: [String; 2],
    /// Number of games for the thorough gauge.
    pub best: u32,
    /// Share of the candidates that are controls.
    pub control: f64,
    /// Digest of the model; `None` without a model.
    pub model: Option<String>,
    /// Iterations per move and number of games of the glance.
    pub glance: [u32; 2],
    /// Budgets of the gates.
    pub budgets: Budgets,
    /// Index of the part and number of parts: `[0, 4]`, or `[0, 1]` for the whole. `None` for
    /// merged parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<[u32; 2]>,
    /// Number of parts.
    pub parts: u32,
}

impl GenerateHeader {
    /// Value of `holds` in every such header.
    pub const HOLDS: &str = "generated games";

    /// Creates the header of a plan.
    pub(super) fn of(
        plan: &GeneratePlan,
        starts: Vec<StartHeader>,
        model: Option<(&Model, &str)>,
    ) -> GenerateHeader {
        let glance = plan.glance_plan(model.map(|(model, _)| model));
        GenerateHeader {
            holds: Self::HOLDS.to_owned(),
            starts,
            candidates: plan.candidates,
            seed: plan.seed,
            generation: plan.generation,
            axes: plan.axes.map(|axis| axis.name()),
            best: plan.best,
            control: plan.control,
            model: model.map(|(_, digest)| digest.to_owned()),
            glance: [glance.header.iterations, glance.instances],
            budgets: plan.budgets,
            part: Some([plan.shard.index, plan.shard.count]),
            parts: plan.shard.count,
        }
    }

    /// Returns the plan of a header that was read, for one part.
    ///
    /// # Errors
    ///
    /// If it names an unknown axis, or if its numbers are invalid.
    pub fn plan(&self, shard: Shard) -> Result<GeneratePlan, String> {
        let axis =
            |name: &String| Axis::named(name).ok_or_else(|| format!("unknown axis {name:?}"));
        let GenerateHeader { candidates, seed, generation, best, control, glance, budgets, .. } =
            *self;
        if generation == 0 || candidates > CANDIDATES_MAX || self.parts == 0 {
            return Err("the numbers of its plan cannot be".to_owned());
        }
        let axes = [axis(&self.axes[0])?, axis(&self.axes[1])?];
        Ok(GeneratePlan {
            candidates,
            seed,
            generation,
            axes,
            best,
            control,
            glance,
            budgets,
            shard,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Origin;

    #[test]
    fn the_parts_of_a_plan_share_its_candidates() {
        let part = |index| GeneratePlan {
            candidates: 11,
            generation: 2,
            shard: Shard { index, count: 3 },
            ..GeneratePlan::default()
        };
        assert_eq!(part(1).generations(), [vec![1, 4], vec![7, 10]]);
        let mut all: Vec<u32> = (0..3).flat_map(|index| part(index).numbers()).collect();
        all.sort_unstable();
        assert_eq!(all, (0..11).collect::<Vec<u32>>());
    }

    #[test]
    fn the_control_is_the_share_that_was_asked_for() {
        let count = |control| {
            let plan = GeneratePlan { control, ..GeneratePlan::default() };
            (0..10_000).filter(|&number| plan.is_control(number)).count()
        };
        assert_eq!(count(0.0), 0);
        assert_eq!(count(1.0), 10_000);
        // Four standard errors of a share of 5% of 10,000 are 87.
        assert!(count(0.05).abs_diff(500) < 87, "{}", count(0.05));
    }

    #[test]
    fn streams_of_candidates_are_apart() {
        let plan = GeneratePlan::default();
        let mut seeds: Vec<u64> = Vec::new();
        for origin in [Origin::Start(0), Origin::Start(1), Origin::Made(0), Origin::Made(1)] {
            for stream in [Stream::Make, Stream::Control, Stream::Random, Stream::Thorough] {
                seeds.push(plan.seed_of(origin, stream).0);
            }
        }
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 16);
    }
}
