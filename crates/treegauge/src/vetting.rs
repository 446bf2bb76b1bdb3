//! Verdicts of models on games.

mod families;
mod judging;

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use rayon::prelude::*;
use treegauge_core::{Interim, Progress, Watch};
use treegauge_dataset::collect::collect;
use treegauge_dataset::vet::{DataPlan, Model, VetReport};
use treegauge_engine::Engine;
use treegauge_gauge::vetted::{Vetted, VettedGame};
use treegauge_gauge::{Gauge, ModelCost, PlainFlaw, PlainStopped, Plan};
use treegauge_search::Seed;

use self::judging::Judging;
use crate::{CollectRun, Error, ErrorKind, Game, StoredModel};

/// A vetting of games, ready to run.
#[derive(Clone, Debug)]
pub struct VetRun {
    games: Vec<Game>,
    seed: u64,
    folder: Option<PathBuf>,
}

/// Greatest number of games played before the first of them is judged, if no folder stores them.
/// The self-play of more games would fill the memory.
const BATCH: usize = 64;

/// Number of instances in memory above which a batch has fewer than [`BATCH`] games.
const BATCH_INSTANCES: usize = 10_000;

impl VetRun {
    /// Prepares the vetting of games by self-play with this seed. A game that is listed several times
    /// is played once, and has a row for each place. An existing `folder` stores the
    /// self-play as datasets, from which an interrupted run resumes.
    ///
    /// # Errors
    ///
    /// If `games` is empty.
    pub fn new(games: Vec<Game>, seed: u64, folder: Option<PathBuf>) -> Result<VetRun, Error> {
        if games.is_empty() {
            return Err(Error::new(ErrorKind::Usage, "no games to vet"));
        }
        Ok(VetRun { games, seed, folder })
    }

    /// Folders of the datasets, one per plan of the model; empty if no folder stores them.
    #[must_use]
    pub fn folders(&self, model: &Model) -> Vec<PathBuf> {
        let names = model.plans().into_iter().enumerate();
        let name =
            |(n, plan): (usize, &DataPlan)| format!("{n}-{}-iterations", plan.header.iterations);
        self.folder
            .iter()
            .flat_map(|folder| names.clone().map(|one| folder.join(name(one))))
            .collect()
    }

    /// Plays the games as the model's data were collected, and judges them. The result depends
    /// neither on the number of threads nor on interruptions. `interim` gets the games judged so
    /// far.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or written, or `watch` says stop.
    pub fn run(
        &self,
        stored: &StoredModel,
        watch: &dyn Watch,
        interim: &dyn Interim<VetReport>,
    ) -> Result<VetReport, Error> {
        let flaws = self.plain_flaws(&stored.model, watch)?;
        let judging = Judging::new(self, stored, flaws, interim);
        match self.folder {
            Some(_) => self.play_in_folder(&judging, watch)?,
            None => self.play_in_memory(&judging, watch)?,
        }
        let report = judging.report(false);
        assert_eq!(report.rows.len(), self.games.len(), "each game has a row");
        Ok(report)
    }

    /// Flaws that show before the games are played, by canonical name. A model of ratings alone gives
    /// no verdict, so none is looked for then.
    fn plain_flaws(
        &self,
        model: &Model,
        watch: &dyn Watch,
    ) -> Result<HashMap<String, PlainFlaw>, Error> {
        if model.playable.is_empty() {
            return Ok(HashMap::new());
        }
        let found = self.rated().into_par_iter().with_max_len(1).map(|game| {
            let flaw =
                PlainFlaw::of(game.engine().as_ref(), &game.start(), Seed(self.seed), watch)?;
            Ok(flaw.map(|flaw| (game.info().canonical_name.clone(), flaw)))
        });
        let found: Result<Vec<_>, PlainStopped> = found.collect();
        Ok(found.map_err(|_| not_judged())?.into_iter().flatten().collect())
    }

    /// Games that are not over at their start, each once.
    fn rated(&self) -> Vec<&Game> {
        let mut names = HashSet::new();
        let mut games: Vec<&Game> = self.games.iter().collect();
        games.retain(|game| {
            game.start().ended().is_none() && names.insert(&game.info().canonical_name)
        });
        games
    }

    /// Plays the games and stores nothing.
    fn play_in_memory(&self, judging: &Judging<'_>, watch: &dyn Watch) -> Result<(), Error> {
        let model = &judging.stored.model;
        let rated = judging.asked(self.rated());
        let plans = model.plans();
        let instances = |plan: &DataPlan, games: &[&Game]| {
            players_of(model, plan, games).len() as u64 * u64::from(plan.instances)
        };
        let total = plans.iter().map(|plan| instances(plan, &rated)).sum();
        let mut done = 0;
        for batch in rated.chunks(batch_of(&plans)) {
            for (n, plan) in plans.iter().enumerate() {
                let games = players_of(model, plan, batch);
                let engines: Vec<Arc<dyn Engine>> =
                    games.iter().map(|game| game.engine().clone()).collect();
                let known = rustc_hash::FxHashSet::default();
                let part = Part { watch, done, total };
                let seen = judging.of_plan(n);
                let plays = plan.collect_plan(self.seed)?;
                let played = collect(&engines, &plays, engines.len(), &known, &seen, &part);
                if !played.is_complete() {
                    return Err(not_judged());
                }
                done += instances(plan, batch);
            }
        }
        Ok(())
    }

    /// Plays the games that datasets of the folder lack.
    fn play_in_folder(&self, judging: &Judging<'_>, watch: &dyn Watch) -> Result<(), Error> {
        let model = &judging.stored.model;
        let (rated, plans) = (judging.asked(self.rated()), model.plans());
        for (n, (&plan, folder)) in plans.iter().zip(self.folders(model)).enumerate() {
            let games: Vec<Game> = players_of(model, plan, &rated).into_iter().cloned().collect();
            if games.is_empty() {
                continue;
            }
            let run = CollectRun::new(games, plan.collect_plan(self.seed)?, &folder)?;
            let seen = judging.of_plan(n);
            if run.play(batch_of(&plans), watch, &seen)?.missing > 0 {
                return Err(not_judged());
            }
        }
        Ok(())
    }
}

/// Number of games that are played at the same time.
fn batch_of(plans: &[&DataPlan]) -> usize {
    let most = plans.iter().map(|plan| plan.instances as usize).max().unwrap_or(1);
    (BATCH_INSTANCES / most.max(1)).clamp(1, BATCH)
}

fn not_judged() -> Error {
    Error::interrupted("the games are not judged")
}

impl StoredModel {
    /// Verdict of the model on a game, by self-play with this seed; `None` if the game is over at
    /// its start.
    ///
    /// # Errors
    ///
    /// If `watch` says stop.
    pub fn vet(&self, game: &Game, seed: u64, watch: &dyn Watch) -> Result<Option<Vetted>, Error> {
        if game.start().ended().is_some() {
            return Ok(None);
        }
        let report = VetRun::new(vec![game.clone()], seed, None)?.run(self, watch, &())?;
        let model = report.model;
        Ok(report.rows.into_iter().next().map(|verdict| Vetted { model, verdict }))
    }

    /// Answer on a game that needs no model: a flaw that shows in its first plies, in random games or in
    /// its gauge; `None` if none does, or the model does not predict whether games are playable.
    ///
    /// # Errors
    ///
    /// If `watch` says stop.
    pub fn evidence(
        &self,
        game: &Game,
        gauge: &Gauge,
        watch: &dyn Watch,
    ) -> Result<Option<Vetted>, Error> {
        if self.model.playable.is_empty() {
            return Ok(None);
        }
        let (engine, start) = (game.engine().as_ref(), game.start());
        let found = PlainFlaw::without_search(engine, &start, Seed(gauge.seed), watch);
        let found = match found {
            Ok(None) => PlainFlaw::of_gauge(engine, gauge, &start, watch),
            found => found,
        };
        let flaw = found.map_err(|_| not_judged())?;
        Ok(flaw.map(|flaw| {
            let known = self.model.label(&game.info().canonical_name);
            let verdict = VettedGame { known, ..VettedGame::flawed(&game.name(), flaw) };
            Vetted { model: self.model.card(self.digest.clone()), verdict }
        }))
    }

    /// Reports that asking the model takes more than a tenth of the work of the gauge, and more
    /// than about a second; `None` if it takes less, or the gauge finished no game. Work is counted
    /// in iterations, which have playouts of equal length in both, so the answer is the same on
    /// every machine.
    #[must_use]
    pub fn unasked(&self, game: &Game, plan: &Plan, gauge: &Gauge) -> Option<ModelCost> {
        /// The self-play for a model may take one part in this many of a gauge's iterations.
        const PART: u64 = 10;
        /// Number of playout moves that it may always take: about a second.
        const MOVES_FREE: f64 = 10_000_000.0;
        let plies = gauge.measured("plies").mean?;
        let searches = plan.searches().map(|(games, iterations)| u64::from(games) * iterations);
        let gauged: u64 = searches.fold(0, u64::saturating_add);
        let needed = self.iterations_per_ply(game);
        // A playout lasts half of the plies of a game, on average over its moves.
        let moves = needed as f64 * plies * plies / 2.0;
        (needed > gauged / PART && moves > MOVES_FREE).then_some(ModelCost { needed, gauged })
    }

    /// Iterations per ply of an average game that the model's self-play needs: the sum over its
    /// plans of games times iterations per move.
    fn iterations_per_ply(&self, game: &Game) -> u64 {
        let plans = self.model.plans().into_iter();
        let asked = plans.filter(|plan| !players_of(&self.model, plan, &[game]).is_empty());
        asked.map(|plan| u64::from(plan.instances) * u64::from(plan.header.iterations)).sum()
    }
}

/// Games to play by a plan of a model.
fn players_of<'a>(model: &Model, plan: &DataPlan, games: &[&'a Game]) -> Vec<&'a Game> {
    let can = |game: &&&Game| {
        let plays = plan
            .collect_plan(0)
            .is_ok_and(|plan| plan.check_players(std::slice::from_ref(game.engine())).is_ok());
        plays && model.asks(plan, &game.info().canonical_name)
    };
    games.iter().filter(can).copied().collect()
}

/// Watch that reports the progress of a part of the work as that of the whole.
struct Part<'a> {
    watch: &'a dyn Watch,
    /// Number of instances before the part.
    done: u64,
    /// Number of all instances.
    total: u64,
}

impl Watch for Part<'_> {
    fn progress(&self, progress: Progress) {
        let done = self.done + progress.done;
        let games = Some((done, self.total));
        self.watch.progress(Progress { done, known: self.total, games, ..progress });
    }

    fn stop(&self) -> bool {
        self.watch.stop()
    }
}
