//! Gates of the quick and the thorough gauge.

use std::sync::Arc;

use treegauge_core::Watch;
use treegauge_dataset::vet::{DataPlan, Measurement, Model};
use treegauge_engine::Engine;
use treegauge_gauge::gauge;
use treegauge_gauge::vetted::VettedGame;
use treegauge_search::Seed;

use super::gate::{Fall, Gate, Rejection};
use super::glance::{instances, measurement};
use super::line::{Gauged, Work};
use super::plan::{Budgets, GaugeBudget};
use super::random_play::RandomPlay;
use super::watch::OnlyStop;

/// Settings of a gauge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gauging<'a> {
    pub(super) work: Work,
    pub(super) budgets: &'a Budgets,
    /// Model to ask at all its strengths; only the thorough gauge asks.
    pub(super) model: Option<&'a Model>,
}

impl Gauging<'_> {
    fn gate(&self) -> Gate {
        if self.is_thorough() { Gate::Thorough } else { Gate::Quick }
    }

    fn is_thorough(&self) -> bool {
        self.work == Work::Thorough
    }

    const fn budget(&self) -> &GaugeBudget {
        match self.work {
            Work::Thorough => &self.budgets.thorough,
            Work::Play | Work::Quick => &self.budgets.quick,
        }
    }

    /// Returns the expected number of legal moves over all plies of all playouts, from the random
    /// games.
    fn expected(&self, engine: &dyn Engine, random: &RandomPlay) -> u64 {
        let plan = self.budget().plan(0, self.is_thorough());
        let moves =
            |(games, iterations)| self.budgets.playout_moves(engine, random, games, iterations);
        plan.searches().map(moves).fold(0, u64::saturating_add)
    }

    /// Returns the expected work of the gauge and of the model's self-play, in legal moves of
    /// playouts; 0 if the gauge is over budget.
    pub(super) fn moves(&self, engine: &dyn Engine, random: &RandomPlay) -> u64 {
        let expected = self.expected(engine, random);
        if expected > self.budget().playout_moves {
            return 0;
        }
        let moves = |plan: &DataPlan| {
            let iterations = u64::from(plan.header.iterations);
            self.budgets.playout_moves(engine, random, plan.instances, iterations)
        };
        let asked = self.model.filter(|_| self.is_thorough()).into_iter();
        asked
            .flat_map(|model| asked_of(model, engine))
            .map(moves)
            .fold(expected, u64::saturating_add)
    }

    /// Gauges a game; returns the result and, if the game fell, the reason. `None` if `watch` says
    /// stop.
    pub(super) fn of(
        &self,
        engine: &Arc<dyn Engine>,
        random: &RandomPlay,
        seed: Seed,
        watch: &dyn Watch,
    ) -> Option<(Option<Gauged>, Option<Fall>)> {
        let fall = |reason| Some(Fall::of(self.gate(), reason));
        let plan = self.budget().plan(seed.child(0).0, self.is_thorough());
        if self.expected(engine.as_ref(), random) > self.budget().playout_moves {
            return Some((None, fall(Rejection::OverBudget)));
        }
        let watch = &OnlyStop(watch);
        let found = gauge(engine.as_ref(), &engine.start(), &plan, Vec::new(), &(), watch);
        if found.incomplete {
            return None;
        }
        let vetted = match self.model.filter(|_| self.is_thorough()) {
            Some(model) => Some(vetted(engine, model, seed.child(1), watch)?),
            None => None,
        };
        let fell = (found.verdict.flawed == Some(true)).then(|| {
            let flags = found.verdict.flags.iter();
            let flaws = flags.filter(|flag| flag.state == treegauge_gauge::FlawState::Yes);
            let words: Vec<&str> = flaws.map(|flag| flag.words()).collect();
            Fall::of(self.gate(), Rejection::Flawed).with(words.join(", "))
        });
        let gauged = Gauged {
            games: found.games,
            iterations: found.iterations,
            verdict: found.verdict,
            measures: found.measures,
            vetted,
        };
        Some((Some(gauged), fell))
    }
}

/// Lists the self-play that a model needs for a game.
fn asked_of<'m>(model: &'m Model, engine: &dyn Engine) -> Vec<&'m DataPlan> {
    let name = &engine.info().canonical_name;
    model.plans().into_iter().filter(|plan| model.asks(plan, name)).collect()
}

/// Returns the model's answer on a game from self-play at all its strengths; `None` if `watch` says
/// stop.
fn vetted(
    engine: &Arc<dyn Engine>,
    model: &Model,
    seed: Seed,
    watch: &dyn Watch,
) -> Option<VettedGame> {
    let info = engine.info();
    let asked = asked_of(model, engine.as_ref());
    let measured = |plan: &&DataPlan| -> Option<Measurement> {
        let played = instances(engine, plan, seed, plan.instances, Vec::new(), watch)?;
        Some(measurement(plan, &played))
    };
    let measured: Vec<Measurement> = asked.iter().map(measured).collect::<Option<_>>()?;
    Some(model.judge(&info.canonical_name, &info.spec.to_string(), &measured))
}
