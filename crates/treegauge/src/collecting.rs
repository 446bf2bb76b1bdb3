//! Collections: self-play of many games into the folder of a dataset.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use treegauge_catalog::GameSpec;
use treegauge_core::{Interim, Progress, Watch};
use treegauge_dataset::collect::{
    CollectPlan, DatasetHeader, DatasetReport, DatasetTally, Instance, collect,
};
use treegauge_engine::Engine;
use treegauge_store::journal::Piece;
use treegauge_store::{INSTANCES_MAX, PieceSink, Planned, Record, Shard};

use crate::dataset::{dataset_files, plan_of, tally, write_tables};
use crate::records::bad;
use crate::{Error, ErrorKind, Game, ranges};

/// Collection of a dataset, ready to run.
#[derive(Clone, Debug)]
pub struct CollectRun {
    games: Vec<Game>,
    plan: CollectPlan,
    folder: PathBuf,
}

impl CollectRun {
    /// Prepares the instances of some games, in an existing folder. If the folder holds instances
    /// of the same plan, new ones are added, of the same games or of others.
    ///
    /// # Errors
    ///
    /// If `games` is empty, two games are the same, one is over at its start, a player of the plan
    /// cannot play one, a number of the plan is out of range, or the searches of the plan have no
    /// features.
    pub fn new(games: Vec<Game>, plan: CollectPlan, folder: &Path) -> Result<CollectRun, Error> {
        let usage = |message: String| Err(Error::new(ErrorKind::Usage, message));
        if let Err(problem) = plan.variant.check_features() {
            return usage(problem.to_owned());
        }
        ranges::iterations(plan.iterations)?;
        ranges::cp(plan.cp)?;
        ranges::whole("instances", plan.instances.into(), 1, INSTANCES_MAX.into())?;
        if games.is_empty() {
            return usage("no games to collect".to_owned());
        }
        let mut names: HashMap<&str, String> = HashMap::new();
        for game in &games {
            let name = game.written();
            if game.start().ended().is_some() {
                return usage(format!("{name} is over at its start, so it has no tree"));
            }
            if let Some(other) = names.insert(&game.info().canonical_name, name.clone()) {
                let message = if other == name {
                    format!("the game {name} is listed twice")
                } else {
                    format!("{other} and {name} are the same game")
                };
                return usage(message);
            }
        }
        let engines: Vec<Arc<dyn Engine>> =
            games.iter().map(|game| game.engine().clone()).collect();
        plan.check_players(&engines).map_err(|error| Error::new(ErrorKind::Usage, error))?;
        Ok(CollectRun { games, plan, folder: folder.to_owned() })
    }

    /// Plays the instances that the folder lacks, on rayon's current thread pool, and writes the
    /// tables of all instances in it. A part of a dataset has only a journal, and no tables. The
    /// files depend neither on the number of threads nor on interruptions. If `watch` says stop,
    /// the folder keeps the played instances, and no tables are written; the report then counts the
    /// missing instances, as those that `interim` gets do.
    ///
    /// # Errors
    ///
    /// If another run uses the folder, it holds instances of another plan, it is damaged, or a file
    /// cannot be written.
    pub fn run(
        &self,
        watch: &dyn Watch,
        interim: &dyn Interim<DatasetReport>,
    ) -> Result<DatasetReport, Error> {
        let header = DatasetHeader::of(&self.plan);
        let open = self.games.len() as u64 * self.own_instances().count() as u64;
        let state = Mutex::new((DatasetTally::default(), open));
        self.play(usize::MAX, watch, &Tallying { run: self, header, state, interim })
    }

    /// Plays the instances as [`CollectRun::run`] does, `together` games at the same time. Each
    /// instance goes to `seen`, those that the folder holds already too.
    pub(crate) fn play(
        &self,
        together: usize,
        watch: &dyn Watch,
        seen: &dyn PieceSink<Instance>,
    ) -> Result<DatasetReport, Error> {
        let header = DatasetHeader::of(&self.plan);
        let mut known = rustc_hash::FxHashSet::default();
        let path = self.folder.join(dataset_files::JOURNAL);
        if let Some(planned) = path.exists().then(|| plan_of(&self.folder)).transpose()?.flatten() {
            self.check_texts(&planned.texts)?;
        }
        let first_line = self.planned().header(&header);
        let record = Record::open_with(&path, &first_line, watch, &mut |instance: Instance| {
            seen.keep(&instance);
            known.insert(instance.key());
        })?;
        let engines: Vec<Arc<dyn Engine>> =
            self.games.iter().map(|game| game.engine().clone()).collect();
        let watching = WhileKept { record: &record, watch };
        let both = Both { record: &record, seen };
        let collected = collect(&engines, &self.plan, together, &known, &both, &watching);
        if !collected.is_complete() {
            record.close()?;
            let missing = collected.planned - collected.played;
            return Ok(self.placed(tally(&path)?.report(&header, missing)));
        }
        record.finish_watched(watch)?;
        if plan_of(&self.folder)?.is_some_and(|planned| planned.part.is_some()) {
            return Ok(self.placed(tally(&path)?.report(&header, 0)));
        }
        Ok(self.placed(write_tables(&self.folder, &header, watch)?))
    }

    /// Adds to each game of a report its position in the list, and sorts by it. Games that only the
    /// folder had come last.
    fn placed(&self, mut report: DatasetReport) -> DatasetReport {
        for (place, game) in (1..).zip(&self.games) {
            let name = &game.info().canonical_name;
            for found in report.games.iter_mut().filter(|found| found.game == *name) {
                (found.place, found.input) = (Some(place), Some(game.written()));
            }
        }
        report.games.sort_by_key(|game| game.place.unwrap_or(u64::MAX));
        report
    }

    /// Refuses games with a rules text that has changed since the folder got instances of them, whose
    /// paths are `there` by canonical name. The dataset would hold one path twice, and the earlier
    /// text is lost.
    fn check_texts(&self, there: &BTreeMap<String, String>) -> Result<(), Error> {
        let here: HashMap<&str, u64> =
            self.games.iter().filter_map(|game| text_of(&game.info().spec)).collect();
        for (name, path) in there {
            let Some(&now) = here.get(path.as_str()) else { continue };
            let digest = GameSpec::parse(name).ok().and_then(|spec| spec.digest());
            let Some(digest) = digest.filter(|&digest| digest != now) else { continue };
            return Err(bad(format!(
                "{}: the text of {path} has changed: the folder has instances of the text with the \
                 digest {digest:016x}, and now it is {now:016x}; collect the changed text into another folder",
                self.folder.display()
            )));
        }
        Ok(())
    }

    /// Numbers of the instances of each game that this run plays.
    fn own_instances(&self) -> impl Iterator<Item = u32> + use<> {
        let Shard { index, count } = self.plan.shard;
        (index..self.plan.instances).step_by(count as usize)
    }

    /// Tests whether this run plays an instance.
    fn plays(&self, instance: &Instance) -> bool {
        let mut games = self.games.iter().map(|game| &game.info().canonical_name);
        let Shard { index, count } = self.plan.shard;
        let number = instance.instance;
        number < self.plan.instances
            && number % count == index
            && games.any(|name| *name == instance.game)
    }

    /// Plan for the journal.
    fn planned(&self) -> Planned {
        let game = |game: &Game| (game.info().canonical_name.clone(), self.plan.instances);
        let instances = self.games.iter().map(game).collect();
        let text = |game: &Game| {
            let path = game.info().spec.text_path()?;
            Some((game.info().canonical_name.clone(), path.to_owned()))
        };
        let texts = self.games.iter().filter_map(text).collect();
        Planned { instances, texts, part: self.plan.shard.part(), ..Planned::default() }
    }
}

/// Keeps instances in a record, and shows them to somebody.
struct Both<'a> {
    record: &'a Record<Instance>,
    seen: &'a dyn PieceSink<Instance>,
}

impl PieceSink<Instance> for Both<'_> {
    fn keep(&self, instance: &Instance) {
        self.record.keep(instance);
        self.seen.keep(instance);
    }
}

/// Counts instances for interim reports.
struct Tallying<'a> {
    run: &'a CollectRun,
    header: DatasetHeader,
    /// The instances so far, and the number of planned ones that are missing.
    state: Mutex<(DatasetTally, u64)>,
    interim: &'a dyn Interim<DatasetReport>,
}

impl PieceSink<Instance> for Tallying<'_> {
    fn keep(&self, instance: &Instance) {
        if !self.interim.is_asked() {
            return;
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (tally, missing) = &mut *state;
        tally.add(instance);
        *missing = missing.saturating_sub(u64::from(self.run.plays(instance)));
        self.interim
            .offer(&mut || Some(self.run.placed(tally.clone().report(&self.header, *missing))));
    }
}

/// Watch that also stops the run if the record can no longer be written.
struct WhileKept<'a> {
    record: &'a Record<Instance>,
    watch: &'a dyn Watch,
}

impl Watch for WhileKept<'_> {
    fn progress(&self, progress: Progress) {
        self.watch.progress(progress);
    }

    fn stop(&self) -> bool {
        self.record.has_failed() || self.watch.stop()
    }
}

/// Path and digest of the text that describes a game; `None` for other games.
fn text_of(spec: &GameSpec) -> Option<(&str, u64)> {
    Some((spec.text_path()?, spec.digest()?))
}
