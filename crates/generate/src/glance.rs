//! Gate of the glance: games of a weak search.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashSet;
use treegauge_core::{Ending, Watch};
use treegauge_dataset::collect::{Instance, collect};
use treegauge_dataset::vet::{DataPlan, Measurement, Measuring, Model};
use treegauge_engine::Engine;
use treegauge_gauge::{GameRecord, GaugeGames, Measures};
use treegauge_search::{FEATURES, Seed};
use treegauge_store::PieceSink;
use treegauge_store::journal::Piece;

use super::gate::{Fall, Gate, Rejection};
use super::limits::{
    DRAWS_MAX, FORCED_MAX, PLIES_MIN, SIDE_MAX, STOPPED_MAX, Share, Within, within,
};
use super::line::Glance;
use super::watch::OnlyStop;

/// Divisor of the number of games: after the first quarter, a game clearly beyond a limit is
/// dropped.
const FIRST_PART: u32 = 4;

/// Stores instances in memory.
#[derive(Default)]
struct Memory(Mutex<Vec<Instance>>);

impl PieceSink<Instance> for Memory {
    fn keep(&self, instance: &Instance) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(instance.clone());
    }
}

/// Plays the first `count` instances of a game by a plan and returns them in order; those in
/// `known` are not played again. `None` if `watch` says stop.
pub(super) fn instances(
    engine: &Arc<dyn Engine>,
    plan: &DataPlan,
    seed: Seed,
    count: u32,
    known: Vec<Instance>,
    watch: &dyn Watch,
) -> Option<Vec<Instance>> {
    let plan = DataPlan { instances: count, ..plan.clone() };
    let plan = plan.collect_plan(seed.0).expect("a plan that was checked has players");
    let keys: FxHashSet<_> = known.iter().map(Piece::key).collect();
    let memory = Memory(Mutex::new(known));
    let done = collect(std::slice::from_ref(engine), &plan, 1, &keys, &memory, &OnlyStop(watch));
    let mut instances = memory.0.into_inner().unwrap_or_else(PoisonError::into_inner);
    instances.sort_by_key(Piece::key);
    done.is_complete().then_some(instances)
}

/// Summarises the self-play of a game by a plan, as input of a model.
pub(super) fn measurement(plan: &DataPlan, instances: &[Instance]) -> Measurement {
    let mut measuring = Measuring::new(plan);
    instances.iter().for_each(|instance| measuring.add(instance));
    measuring.finish()
}

impl Glance {
    /// Plays the games of the glance; returns the result and, if the game fell, the reason. `None`
    /// if `watch` says stop.
    pub(super) fn of(
        engine: &Arc<dyn Engine>,
        plan: &DataPlan,
        model: Option<&Model>,
        seed: Seed,
        watch: &dyn Watch,
    ) -> Option<(Glance, Option<Fall>)> {
        let first = plan.instances.div_ceil(FIRST_PART);
        let few = instances(engine, plan, seed, first, Vec::new(), watch)?;
        let fall = |reason| Some(Fall::of(Gate::Glance, reason));
        if let Within::No(reason) = judged(&few, false) {
            return Some((Glance::new(&few, plan, None), fall(reason)));
        }
        let all = instances(engine, plan, seed, plan.instances, few, watch)?;
        let fell = match judged(&all, true) {
            Within::No(reason) => fall(reason),
            Within::Yes | Within::Open => None,
        };
        Some((Glance::new(&all, plan, model.map(|model| (model, engine.as_ref()))), fell))
    }

    fn new(
        instances: &[Instance],
        plan: &DataPlan,
        model: Option<(&Model, &dyn Engine)>,
    ) -> Glance {
        let records: Vec<GameRecord> =
            instances.iter().map(|instance| instance.record.clone()).collect();
        let trees = || instances.iter().flat_map(|instance| &instance.trees);
        let count = trees().count().max(1) as f64;
        let mean = |n: usize| trees().map(|features: &Vec<f64>| features[n]).sum::<f64>() / count;
        let variance = |n: usize| {
            let mean = mean(n);
            trees().map(|features| (features[n] - mean).powi(2)).sum::<f64>() / count
        };
        let by_name = |of: &dyn Fn(usize) -> f64| -> BTreeMap<String, f64> {
            let features = FEATURES.iter().enumerate();
            features.map(|(n, feature)| (feature.name.to_owned(), of(n))).collect()
        };
        let vetted = model.map(|(model, engine)| {
            let info = engine.info();
            let measured = measurement(plan, instances);
            model.judge(&info.canonical_name, &info.spec.to_string(), &[measured])
        });
        Glance {
            games: records.len() as u32,
            iterations: plan.header.iterations,
            features: by_name(&mean),
            variances: by_name(&variance),
            measures: Measures::of(&GaugeGames::of_records(&records)),
            vetted,
        }
    }
}

/// Compares the games with the limits; `all` if no further games will follow.
fn judged(instances: &[Instance], all: bool) -> Within {
    let records = || instances.iter().map(|instance| &instance.record);
    let games = instances.len() as u64;
    let plies: u64 = records().map(|record| record.len() as u64).sum();
    if (plies as f64) < PLIES_MIN * games as f64 {
        return Within::No(Rejection::Short);
    }
    let count = |holds: &dyn Fn(&GameRecord) -> bool| records().filter(|one| holds(one)).count();
    let of = |reason, limit, holds: &dyn Fn(&GameRecord) -> bool| Share {
        reason,
        count: count(holds) as u64,
        of: games,
        limit,
    };
    let won = |value: i32| move |record: &GameRecord| record.ended.outcome.value() == value;
    let forced = records().flat_map(|record| &record.plies).filter(|ply| ply.legal_moves == 1);
    let shares = [
        of(Rejection::Stopped, STOPPED_MAX, &|record| record.ended.by != Ending::Outcome),
        of(Rejection::Drawn, DRAWS_MAX, &won(0)),
        of(Rejection::OneSided, SIDE_MAX, &won(1)),
        of(Rejection::OneSided, SIDE_MAX, &won(-1)),
        Share {
            reason: Rejection::Forced,
            count: forced.count() as u64,
            of: plies,
            limit: FORCED_MAX,
        },
    ];
    within(&shares, all)
}
