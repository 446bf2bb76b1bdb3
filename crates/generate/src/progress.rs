//! Progress of a run, with an estimate of the remaining work.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use treegauge_core::{Phase, Progress, Watch};
use treegauge_dataset::vet::{DataPlan, Model};
use treegauge_engine::Engine;

use super::gauging::Gauging;
use super::line::{CandidateLine, Work};
use super::origin::Origin;
use super::plan::GeneratePlan;

/// Counts the work of a run in legal moves of playouts, and estimates what remains. Future
/// candidates are expected to cost the mean of past ones. The thorough gauges cost what the random
/// games predict for the games that would be gauged now.
pub(super) struct RunProgress<'a> {
    plan: &'a GeneratePlan,
    glance: &'a DataPlan,
    model: Option<&'a Model>,
    watch: &'a dyn Watch,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    /// Actual or possible work of each game.
    games: BTreeMap<Origin, GameWork>,
    /// Number of finished candidates.
    candidates: u64,
    /// Work of these candidates up to the glance.
    played: u64,
    /// Expected work of their quick gauges, weighted by the share of candidates chosen.
    quick_expected: f64,
    /// Work of the finished quick gauges.
    quick: u64,
    /// Games that passed the glance and start texts, with the work of their thorough gauges.
    passed: Gauges,
    /// Thorough gauges that would be played if the run ended after the last finished generation.
    finalists: Gauges,
    /// Number of finished thorough gauges, and their work in `thorough`.
    gauged: u64,
    thorough: u64,
    /// Thorough gauges of the run; `None` before the last generation is finished.
    finals: Option<Gauges>,
}

/// Number of gauges and their work.
#[derive(Clone, Copy, Default)]
struct Gauges {
    count: u64,
    work: u64,
}

/// Actual or possible work of a game, by stage.
#[derive(Clone, Copy, Default)]
struct GameWork {
    played: u64,
    quick: u64,
    thorough: u64,
}

impl<'a> RunProgress<'a> {
    pub(super) fn new(
        plan: &'a GeneratePlan,
        glance: &'a DataPlan,
        model: Option<&'a Model>,
        watch: &'a dyn Watch,
    ) -> Self {
        RunProgress { plan, glance, model, watch, seen: Mutex::default() }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work_of(&self, line: &CandidateLine, engine: Option<&dyn Engine>) -> GameWork {
        let (Some(engine), Some(random)) = (engine, line.random.as_ref()) else {
            return GameWork::default();
        };
        let (budgets, model) = (&self.plan.budgets, self.model);
        let iterations = u64::from(self.glance.header.iterations);
        let glances = line.glance.as_ref().map_or(0, |glance| glance.games);
        let of_gauge = |work| Gauging { work, budgets, model }.moves(engine, random);
        GameWork {
            played: random
                .moves
                .saturating_mul(budgets.listed)
                .saturating_add(budgets.playout_moves(engine, random, glances, iterations)),
            quick: of_gauge(Work::Quick),
            thorough: of_gauge(Work::Thorough),
        }
    }

    /// Counts a game that is finished up to the glance. `is_new` is false if the work was done by
    /// an earlier run that this one continues.
    pub(super) fn played(&self, line: &CandidateLine, engine: Option<&dyn Engine>, is_new: bool) {
        let work = self.work_of(line, engine);
        let mut seen = self.seen();
        seen.games.insert(line.game, work);
        let is_start = matches!(line.game, Origin::Start(_));
        let passed = line.glance.is_some() && (line.fell.is_none() || line.control);
        if is_start || passed {
            seen.passed.count += 1;
            seen.passed.work = seen.passed.work.saturating_add(work.thorough);
        }
        if is_start {
            return;
        }
        seen.candidates += 1;
        seen.played = seen.played.saturating_add(work.played);
        if passed {
            seen.quick_expected += work.quick as f64 * self.plan.budgets.chosen;
        }
        self.report(&seen, is_new);
    }

    /// Counts a finished gauge.
    pub(super) fn gauged(&self, work: Work, game: Origin, is_new: bool) {
        let mut seen = self.seen();
        let cost = seen.games.get(&game).copied().unwrap_or_default();
        if work == Work::Thorough {
            seen.gauged += 1;
            seen.thorough = seen.thorough.saturating_add(cost.thorough);
        } else {
            seen.quick = seen.quick.saturating_add(cost.quick);
        }
        self.report(&seen, is_new);
    }

    /// Ends a generation, after which the thorough gauge would see these games.
    pub(super) fn generation(&self, finalists: &[Origin]) {
        let mut seen = self.seen();
        seen.finalists = seen.thorough_gauges(finalists);
    }

    /// Starts the last stage: only the thorough gauges of these games remain.
    pub(super) fn finals(&self, games: &[Origin]) {
        let mut seen = self.seen();
        seen.finals = Some(seen.thorough_gauges(games));
    }

    /// Reports progress, but not before this run has done work itself, since the pace is computed
    /// from the first report.
    fn report(&self, seen: &Seen, is_new: bool) {
        if !is_new {
            return;
        }
        let planned = self.plan.numbers().count() as u64;
        let before = seen.played.saturating_add(seen.quick);
        let done = before.saturating_add(seen.thorough);
        let (progress, games) = match seen.finals {
            Some(Gauges { count, work }) => {
                let known = before.saturating_add(work);
                (Progress::new(Phase::Gauges, done, known), (seen.gauged, count))
            }
            None => {
                let known = seen.expected(self.plan, planned).max(done);
                (Progress::new(Phase::Candidates, done, known), (seen.candidates, planned))
            }
        };
        self.watch.progress(Progress { games: Some(games), ..progress });
    }
}

impl Seen {
    fn thorough_gauges(&self, games: &[Origin]) -> Gauges {
        let work = games.iter().filter_map(|game| self.games.get(game)).map(|work| work.thorough);
        Gauges { count: games.len() as u64, work: work.fold(0, u64::saturating_add) }
    }

    /// Estimates the work of the whole run while candidates are still being made.
    fn expected(&self, plan: &GeneratePlan, planned: u64) -> u64 {
        let of_each = (self.played as f64 + self.quick_expected) / self.candidates.max(1) as f64;
        let best = f64::from(plan.best);
        let gauges = best + (plan.control * planned as f64).min(best);
        let alike = if self.finalists.count > 0 { self.finalists } else { self.passed };
        let of_gauge = alike.work as f64 / alike.count.max(1) as f64;
        (of_each * planned as f64 + of_gauge * gauges) as u64
    }
}
