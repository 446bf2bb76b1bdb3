//! What is made, and what the gates may cost.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use treegauge_catalog::rules::has_loop;
use treegauge_dataset::collect::CollectPlan;
use treegauge_dataset::vet::{DataPlan, Model};
use treegauge_engine::Engine;
use treegauge_gauge::{Measure, Multiple, Plan};
use treegauge_search::Seed;
use treegauge_store::Shard;

use super::random_play::RandomPlay;

/// The candidates of a plan by default.
pub const DEFAULT_CANDIDATES: u32 = 1_000;

/// The most candidates of a plan.
pub const CANDIDATES_MAX: u32 = 1_000_000;

/// What a gauge of a candidate plays, and what it may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GaugeBudget {
    /// Games of self-play.
    pub games: u32,
    /// Iterations per move.
    pub iterations: u32,
    /// Games between unequal searches.
    pub skill_games: u32,
    /// The most legal moves of all plies of all playouts, as the random games let expect.
    pub playout_moves: u64,
}

impl GaugeBudget {
    /// The plan of the gauge. `ladder` says whether other strengths are played too, and small games solved.
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

/// The most positions of a game that the thorough gauge solves.
const SOLVE_LIMIT: u64 = 200_000;

/// What the gates may cost. Nothing is counted in time, so that the same run gives the same games anywhere. A ply counts
/// by its legal moves, since most texts are played by listing them: one of 900 moves takes as long as 90 plies of ten.
/// Where a loop of its own plays a text, its moves take far less.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Budgets {
    /// Random games of a candidate: the first, and the most where these do not tell.
    pub random_games: [u32; 2],
    /// The most legal moves of all plies of its random games.
    pub random_moves: u64,
    /// How often a legal move of a playout counts where no loop of its own plays the text.
    pub listed: u64,
    /// The most lines of play of one length that are counted to find games that play alike.
    pub perft_leaves: u64,
    /// The most legal moves of all plies of all playouts of the glance.
    pub glance_playout_moves: u64,
    /// The share of the candidates of a generation that passed the glance which the quick gauge sees.
    pub chosen: f64,
    /// The quick gauge.
    pub quick: GaugeBudget,
    /// The thorough gauge.
    pub thorough: GaugeBudget,
}

impl Budgets {
    /// The legal moves of all plies of all playouts of so many iterations in each move of so many games, as random games let
    /// expect: a game is about as long, a playout half of that, and a ply of it has as many moves.
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

/// The glance where no model says how its games are played: iterations per move, and games.
pub const DEFAULT_GLANCE: [u32; 2] = [100, 40];

/// What is made.
#[derive(Clone, Debug)]
pub struct GeneratePlan {
    /// Candidates.
    pub candidates: u32,
    /// The seed of the run; a candidate has the child of its number.
    pub seed: u64,
    /// The candidates of a generation: they have the same games to descend from.
    pub generation: u32,
    /// The two measures whose grid the archive is.
    pub axes: [&'static Measure; 2],
    /// The games that the thorough gauge sees.
    pub best: u32,
    /// The share of the candidates that no gate stops, to see what the gates stop wrongly.
    pub control: f64,
    /// Iterations per move and games of the glance, where no model says them.
    pub glance: [u32; 2],
    /// What the gates may cost.
    pub budgets: Budgets,
    /// The part of the candidates that is made here, as an island with an archive of its own.
    pub shard: Shard,
}

impl Default for GeneratePlan {
    fn default() -> Self {
        let measure = |name| Measure::named(name).expect("it is a measure");
        GeneratePlan {
            candidates: DEFAULT_CANDIDATES,
            seed: 1,
            generation: 50,
            axes: ["plies", "branching"].map(measure),
            best: 10,
            control: 0.05,
            glance: DEFAULT_GLANCE,
            budgets: Budgets::default(),
            shard: Shard::WHOLE,
        }
    }
}

/// Streams of the seed of a candidate, so that each gate has its own randomness.
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
    /// The numbers of the candidates that are made here.
    pub fn numbers(&self) -> impl Iterator<Item = u32> + use<> {
        let Shard { index, count } = self.shard;
        (index..self.candidates).step_by(count as usize)
    }

    /// The numbers of the candidates of each generation.
    #[must_use]
    pub fn generations(&self) -> Vec<Vec<u32>> {
        let numbers: Vec<u32> = self.numbers().collect();
        numbers.chunks(self.generation.max(1) as usize).map(<[u32]>::to_vec).collect()
    }

    /// The seed of a candidate, or of a text that the run began with.
    pub(super) fn seed_of(&self, origin: super::Origin, stream: Stream) -> Seed {
        let (kind, number) = match origin {
            super::Origin::Start(n) => (0, n),
            super::Origin::Made(n) => (1, n),
        };
        Seed(self.seed).child(kind).child(u64::from(number)).child(stream as u64)
    }

    /// Whether no gate stops a candidate.
    pub(super) fn is_control(&self, number: u32) -> bool {
        let drawn = self.seed_of(super::Origin::Made(number), Stream::Control).child(0).0;
        // 53 bits of a number in [0, 1).
        ((drawn >> 11) as f64) / (1u64 << 53) as f64 <= self.control && self.control > 0.0
    }

    /// How the glance plays: as the data of the model's weakest predictor were collected, where a model is asked.
    pub(super) fn glance_plan(&self, model: Option<&Model>) -> DataPlan {
        let of_model = model.and_then(|model| model.playable.first()?.basis.data.first());
        of_model.cloned().unwrap_or_else(|| {
            let [iterations, instances] = self.glance;
            let plan = CollectPlan { iterations, instances, ..CollectPlan::default() };
            DataPlan { header: treegauge_dataset::collect::DatasetHeader::of(&plan), instances }
        })
    }
}

/// A text that a run begins with, as its journal names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartHeader {
    /// The name of the game.
    pub name: String,
    /// What the game is up to names, order and symmetry of the board: 32 hexadecimal digits.
    pub identity: String,
}

/// What decides the candidates: equal headers have equal candidates under equal numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GenerateHeader {
    /// What the file holds.
    pub holds: String,
    /// The texts that the run began with.
    pub starts: Vec<StartHeader>,
    /// The candidates of all parts.
    pub candidates: u32,
    /// The seed.
    #[serde(with = "treegauge_core::seed_json")]
    pub seed: u64,
    /// The candidates of a generation.
    pub generation: u32,
    /// The measures of the archive.
    pub axes: [String; 2],
    /// The games of the thorough gauge.
    pub best: u32,
    /// The share of the candidates that no gate stops.
    pub control: f64,
    /// The sum of the model that is asked.
    pub model: Option<String>,
    /// How the glance plays: iterations per move, and games.
    pub glance: [u32; 2],
    /// What the gates may cost.
    pub budgets: Budgets,
    /// Which part of how many: `[0, 4]`, or `[0, 1]` for the whole. Merged parts have no part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<[u32; 2]>,
    /// How many parts there are.
    pub parts: u32,
}

impl GenerateHeader {
    /// What the journal of generated games says that it holds.
    pub const HOLDS: &str = "generated games";

    /// The header of a plan.
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
            axes: plan.axes.map(|axis| axis.name.to_owned()),
            best: plan.best,
            control: plan.control,
            model: model.map(|(_, digest)| digest.to_owned()),
            glance: [glance.header.iterations, glance.instances],
            budgets: plan.budgets,
            part: Some([plan.shard.index, plan.shard.count]),
            parts: plan.shard.count,
        }
    }

    /// The plan of a header that was read, for the part of an origin where parts were merged.
    ///
    /// # Errors
    ///
    /// When it names no measure of this program, or has numbers that cannot be.
    pub fn plan(&self, shard: Shard) -> Result<GeneratePlan, String> {
        let axis = |name: &String| {
            Measure::named(name).ok_or_else(|| format!("{name:?} is no measure of this program"))
        };
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
        // Four standard errors of 5% of 10,000 are 87.
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
