//! Judgement of each game when its last instance is there.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};

use treegauge_catalog::LibraryGroup;
use treegauge_core::Interim;
use treegauge_dataset::collect::Instance;
use treegauge_dataset::vet::{
    DataPlan, Measurement, Measuring, Variant, VetReport, Votes, family_orders,
};
use treegauge_gauge::PlainFlaw;
use treegauge_gauge::vetted::{ModelCard, VettedGame};
use treegauge_search::Seed;
use treegauge_store::PieceSink;

use super::families::{family_key, family_name, kind_of};
use super::{VetRun, players_of};
use crate::{Game, StoredModel};

/// Judges each game when all of its instances are there.
pub(super) struct Judging<'a> {
    run: &'a VetRun,
    pub(super) stored: &'a StoredModel,
    card: ModelCard,
    interim: &'a dyn Interim<VetReport>,
    plans: Vec<&'a DataPlan>,
    /// Games that are not judged yet, by canonical name.
    open: Mutex<HashMap<String, OpenGame<'a>>>,
    /// Judged games, by canonical name.
    rows: Mutex<HashMap<String, Judged>>,
}

/// Answer on a game, and the predictions by which its family is put in order.
#[derive(Clone)]
struct Judged {
    row: VettedGame,
    votes: Votes,
}

impl Judged {
    /// An answer without predictions.
    fn bare(row: VettedGame) -> Judged {
        Judged { row, votes: Votes::new() }
    }
}

/// Game with instances that are missing.
struct OpenGame<'a> {
    game: &'a Game,
    /// Instances by plan of the model; `None` for a plan that does not ask for the game.
    plans: Vec<Option<OpenPlan>>,
}

/// Instances of a game by one plan.
enum OpenPlan {
    Measuring {
        /// The instances up to the first missing one.
        measuring: Box<Measuring>,
        /// Number of the first missing instance.
        next: u32,
        /// Later instances, by number.
        later: BTreeMap<u32, Instance>,
    },
    Measured(Measurement),
}

impl OpenPlan {
    fn new(plan: &DataPlan) -> OpenPlan {
        let measuring = Box::new(Measuring::new(plan));
        OpenPlan::Measuring { measuring, next: 0, later: BTreeMap::new() }
    }

    /// Adds an instance. Those of a number that is there, or that is not planned, are ignored.
    fn add(&mut self, plan: &DataPlan, instance: &Instance) {
        let OpenPlan::Measuring { measuring, next, later } = self else { return };
        if instance.instance < *next || instance.instance >= plan.instances {
            return;
        }
        later.insert(instance.instance, instance.clone());
        while let Some(instance) = later.remove(next) {
            measuring.add(&instance);
            *next += 1;
        }
        if *next == plan.instances {
            let none = Box::new(Measuring::new(plan));
            *self = OpenPlan::Measured(std::mem::replace(measuring, none).finish());
        }
    }
}

impl<'a> Judging<'a> {
    pub(super) fn new(
        run: &'a VetRun,
        stored: &'a StoredModel,
        flaws: HashMap<String, PlainFlaw>,
        interim: &'a dyn Interim<VetReport>,
    ) -> Judging<'a> {
        let model = &stored.model;
        let model_plans = model.plans();
        let (mut open, mut rows) = (HashMap::new(), HashMap::new());
        for game in &run.games {
            let name = &game.info().canonical_name;
            if game.start().ended().is_some() {
                let why = "it is over at its start".to_owned();
                let row = VettedGame::unrated(&game.name(), Some(why));
                rows.insert(name.clone(), Judged::bare(row));
                continue;
            }
            if let Some(flaw) = flaws.get(name) {
                let known = model.label(name);
                let row = VettedGame { known, ..VettedGame::flawed(&game.name(), flaw.clone()) };
                rows.insert(name.clone(), Judged::bare(row));
                continue;
            }
            let asked = |plan: &DataPlan| !players_of(model, plan, &[game]).is_empty();
            let plan = |plan: &&DataPlan| asked(plan).then(|| OpenPlan::new(plan));
            let plans: Vec<Option<OpenPlan>> = model_plans.iter().map(plan).collect();
            if plans.iter().all(Option::is_none) {
                rows.insert(name.clone(), Judged::bare(model.judge(name, &game.name(), &[])));
            } else {
                open.insert(name.clone(), OpenGame { game, plans });
            }
        }
        let (open, rows) = (Mutex::new(open), Mutex::new(rows));
        let card = model.card(stored.digest.clone());
        Judging { run, stored, card, interim, plans: model_plans, open, rows }
    }

    /// The games of a list that are not judged yet.
    pub(super) fn asked<'g>(&self, mut games: Vec<&'g Game>) -> Vec<&'g Game> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        games.retain(|game| open.contains_key(&game.info().canonical_name));
        games
    }

    /// Answer on a game that was played.
    fn judged(&self, game: &Game, measured: &[Measurement]) -> Judged {
        let model = &self.stored.model;
        let name = &game.info().canonical_name;
        let row = model.judge(name, &game.name(), measured);
        let results = model.results(name, measured);
        let (engine, seed) = (game.engine().as_ref(), Seed(self.run.seed));
        let Some(flaw) = PlainFlaw::of_results(engine, &game.start(), &results, seed) else {
            return Judged { row, votes: model.votes(name, measured) };
        };
        // The games were played, so ratings are predicted too.
        let VettedGame { fun, payoff, fun_missing, payoff_missing, known, .. } = row;
        let flawed = VettedGame::flawed(&game.name(), flaw);
        Judged::bare(VettedGame { fun, payoff, fun_missing, payoff_missing, known, ..flawed })
    }

    /// Receiver of the instances of a plan of the model.
    pub(super) fn of_plan(&self, plan: usize) -> OfPlan<'_, 'a> {
        OfPlan { judging: self, plan }
    }

    /// Adds an instance of a plan. Returns the game if this was its last one.
    fn add(&self, plan: usize, instance: &Instance) -> Option<OpenGame<'a>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let game = open.get_mut(&instance.game)?;
        let found = game.plans.get_mut(plan)?.as_mut()?;
        found.add(self.plans.get(plan)?, instance);
        let is_over = |plan: &Option<OpenPlan>| !matches!(plan, Some(OpenPlan::Measuring { .. }));
        let is_last = game.plans.iter().all(is_over);
        is_last.then(|| open.remove(&instance.game)).flatten()
    }

    /// Report on the judged games, in the order of the list of games.
    pub(super) fn report(&self, incomplete: bool) -> VetReport {
        let rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        let row = |(place, game): (u64, &'a Game)| {
            let Judged { row, votes } = rows.get(&game.info().canonical_name)?.clone();
            let (place, input) = (Some(place), Some(game.written()));
            Some((game, VettedGame { place, input, game: game.name(), ..row }, votes))
        };
        let judged: Vec<(&Game, VettedGame, Votes)> =
            (1..).zip(&self.run.games).filter_map(row).collect();
        let variants = judged.iter().map(|(game, row, votes)| Variant {
            key: family_key(game),
            family: family_name(game),
            kind: kind_of(game).map(LibraryGroup::name),
            row,
            votes,
        });
        let variants: Vec<Variant<'_>> = variants.collect();
        let scores = self.card.scores.playable.last().and_then(|one| one.pairs.as_ref());
        let families = family_orders(&variants, scores);
        let rows = judged.into_iter().map(|(_, row, _)| row).collect();
        let report = VetReport::new(self.run.seed, self.card.clone(), rows);
        VetReport { families, incomplete, ..report }
    }
}

/// Judges games by the instances of one plan.
pub(super) struct OfPlan<'b, 'a> {
    judging: &'b Judging<'a>,
    plan: usize,
}

impl PieceSink<Instance> for OfPlan<'_, '_> {
    fn keep(&self, instance: &Instance) {
        let judging = self.judging;
        if let Some(OpenGame { game, plans }) = judging.add(self.plan, instance) {
            let measured = plans.into_iter().filter_map(|plan| match plan {
                Some(OpenPlan::Measured(measurement)) => Some(measurement),
                _ => None,
            });
            let measured: Vec<Measurement> = measured.collect();
            let name = &game.info().canonical_name;
            let row = judging.judged(game, &measured);
            let mut rows = judging.rows.lock().unwrap_or_else(PoisonError::into_inner);
            rows.insert(name.clone(), row);
        }
        judging.interim.offer(&mut || {
            let report = judging.report(true);
            (!report.rows.is_empty()).then_some(report)
        });
    }
}
