//! Run: generation after generation, gate after gate.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;
use treegauge_catalog::rules::{Genome, perft_signature};
use treegauge_core::{Interim, Watch};
use treegauge_dataset::vet::{DataPlan, Model};
use treegauge_engine::Engine;
use treegauge_store::PieceSink;

use super::GenerateError;
use super::candidate::{Candidate, engine_of};
use super::gate::{Fall, Gate, Rejection};
use super::gauging::Gauging;
use super::history::History;
use super::line::{CandidateLine, Glance, Work};
use super::lint::lint;
use super::origin::Origin;
use super::plan::{GenerateHeader, GeneratePlan, StartHeader, Stream};
use super::progress::RunProgress;
use super::random_play::RandomPlay;
use super::report::GenerateReport;

/// Run that is ready to start.
#[derive(Debug)]
pub struct GenerateStudy<'a> {
    pub(super) plan: GeneratePlan,
    starts: Vec<Genome>,
    model: Option<(&'a Model, &'a str)>,
    glance: DataPlan,
}

impl<'a> GenerateStudy<'a> {
    /// Creates a run from start texts and, optionally, a model with its digest.
    ///
    /// # Errors
    ///
    /// If a start text cannot be played.
    pub fn new(
        plan: GeneratePlan,
        starts: Vec<Genome>,
        model: Option<(&'a Model, &'a str)>,
    ) -> Result<GenerateStudy<'a>, GenerateError> {
        for (n, genome) in (0..).zip(&starts) {
            if let Some(fall) = Candidate::start(n, genome).fell {
                let (name, words) = (genome.name().to_owned(), fall.reason.words().to_owned());
                return Err(GenerateError::Start { name, reason: fall.detail.unwrap_or(words) });
            }
        }
        let glance = plan.glance_plan(model.map(|(model, _)| model));
        Ok(GenerateStudy { plan, starts, model, glance })
    }

    /// Returns everything that the candidates depend on: the first line of the journal.
    #[must_use]
    pub fn header(&self) -> GenerateHeader {
        let start = |genome: &Genome| StartHeader {
            name: genome.name().to_owned(),
            identity: format!("{:032x}", genome.identity()),
        };
        GenerateHeader::of(&self.plan, self.starts.iter().map(start).collect(), self.model)
    }

    /// Makes and judges the candidates that are not in `known`, on rayon's current thread pool.
    /// Each finished line goes to `keep`, and `interim` gets the candidates so far. The result does
    /// not depend on the number of threads.
    ///
    /// # Errors
    ///
    /// If `watch` says stop; kept lines need not be computed again. Also if `known` belongs to
    /// another run.
    pub fn run(
        &self,
        known: Vec<CandidateLine>,
        keep: &dyn PieceSink<CandidateLine>,
        watch: &dyn Watch,
        interim: &dyn Interim<GenerateReport>,
    ) -> Result<GenerateReport, GenerateError> {
        let seen = Seen { study: self, interim, lines: Mutex::default() };
        let mut run = self.running(known, keep, watch, Some(&seen));
        run.starts()?;
        for numbers in self.plan.generations() {
            run.generation(&numbers)?;
        }
        run.finals()?;
        Ok(GenerateReport::of(&self.header(), &[run.history], self.model))
    }

    fn running<'r>(
        &'r self,
        known: Vec<CandidateLine>,
        keep: &'r dyn PieceSink<CandidateLine>,
        watch: &'r dyn Watch,
        seen: Option<&'r Seen<'r, 'a>>,
    ) -> Running<'r, 'a> {
        let is_play = |line: &&CandidateLine| line.work == Work::Play;
        let kept: BTreeSet<Origin> = known.iter().filter(is_play).map(|line| line.game).collect();
        let model = self.model.map(|(model, _)| model);
        let progress = RunProgress::new(&self.plan, &self.glance, model, watch);
        let history = History::new(&self.plan, &self.starts, known);
        Running { study: self, history, kept, keep, watch, progress, seen }
    }

    /// Reconstructs the final state of a complete run from its lines alone.
    pub(super) fn replayed(&self, lines: Vec<CandidateLine>) -> Step<History<'_>> {
        let mut run = self.running(lines, &(), &(), None);
        run.starts()?;
        for numbers in self.plan.generations() {
            run.generation(&numbers)?;
        }
        run.finals()?;
        Ok(run.history)
    }

    /// Makes a candidate again from the lines of the generations before its own.
    pub(super) fn made_again(&self, lines: Vec<CandidateLine>, number: u32) -> Step<Candidate> {
        let game = Origin::Made(number);
        let mut run = self.running(lines, &(), &(), None);
        run.starts()?;
        for numbers in self.plan.generations() {
            if numbers.contains(&number) {
                let made = run.made(&numbers)?;
                let found = made.into_iter().find(|candidate| candidate.origin == game);
                return found.ok_or(GenerateError::Missing { game });
            }
            run.generation(&numbers)?;
        }
        Err(GenerateError::Missing { game })
    }
}

struct Running<'r, 'a> {
    study: &'r GenerateStudy<'a>,
    history: History<'r>,
    /// Games in the journal at the beginning.
    kept: BTreeSet<Origin>,
    keep: &'r dyn PieceSink<CandidateLine>,
    watch: &'r dyn Watch,
    progress: RunProgress<'r>,
    /// Somebody who sees the run; `None` if it is replayed only: nothing is played, and a missing
    /// line is an error.
    seen: Option<&'r Seen<'r, 'a>>,
}

/// Maker of interim reports.
struct Seen<'s, 'a> {
    study: &'s GenerateStudy<'a>,
    interim: &'s dyn Interim<GenerateReport>,
    /// Lines of the current step, which the history gets at its end.
    lines: Mutex<Vec<CandidateLine>>,
}

impl Seen<'_, '_> {
    /// Adds a line of the current step, and makes a report if one is due.
    fn line(&self, line: &CandidateLine, history: &History<'_>) {
        if !self.interim.is_asked() {
            return;
        }
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.push(line.clone());
        self.interim.offer(&mut || {
            let mut history = history.clone();
            lines.iter().for_each(|line| history.add(line.clone()));
            let GenerateStudy { model, .. } = *self.study;
            Some(GenerateReport::so_far(&self.study.header(), &history, model))
        });
    }

    /// Ends a step.
    fn end_step(&self) {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// Result of a step; the error is a stop or a journal of another run.
type Step<T = ()> = Result<T, GenerateError>;

impl Running<'_, '_> {
    /// Plays random games and the glance of the start texts, which no gate stops.
    fn starts(&mut self) -> Step {
        let mut starts = self.history.starts();
        for start in &mut starts {
            self.history.note_identity(start);
            start.fell = None;
        }
        let mut lines = self.randoms(&starts)?;
        for line in lines.values_mut() {
            self.history.note_signature(line);
            line.fell = None;
            self.history.add(line.clone());
        }
        let lines = self.glances(&starts, lines)?;
        self.end_step(lines.into_values());
        self.history.end_starts(&starts);
        Ok(())
    }

    fn generation(&mut self, numbers: &[u32]) -> Step {
        let candidates = self.made(numbers)?;
        let mut lines = self.randoms(&candidates)?;
        for line in lines.values_mut() {
            self.history.note_signature(line);
            self.history.add(line.clone());
        }
        let lines = self.glances(&candidates, lines)?;
        self.end_step(lines.into_values());
        let chosen = self.history.choose(&candidates);
        self.gauges(Work::Quick, &chosen)?;
        self.history.end_generation(&candidates);
        self.progress.generation(&self.history.finalists(true));
        Ok(())
    }

    /// Makes the candidates of a generation. Those that repeat a game of the run fall.
    fn made(&mut self, numbers: &[u32]) -> Step<Vec<Candidate>> {
        let pool = self.history.pool()?;
        let plan = &self.study.plan;
        let make = |&number: &u32| Candidate::make(plan, number, &pool);
        let mut candidates: Vec<Candidate> = numbers.par_iter().with_max_len(1).map(make).collect();
        for candidate in &mut candidates {
            self.history.note_identity(candidate);
            self.check(candidate)?;
        }
        Ok(candidates)
    }

    /// Checks that the journal has the same text, if it has the candidate.
    fn check(&self, candidate: &Candidate) -> Step {
        let there = self.history.line(candidate.origin, Work::Play);
        match there {
            Some(line) if line.made != candidate.made => {
                Err(GenerateError::Changed { game: candidate.origin })
            }
            _ => Ok(()),
        }
    }

    /// Plays random games of the candidates and returns their lines; lines in the journal are
    /// already complete.
    fn randoms(&self, candidates: &[Candidate]) -> Step<BTreeMap<Origin, CandidateLine>> {
        if let Some(missing) = candidates.iter().find(|one| !self.kept.contains(&one.origin))
            && self.seen.is_none()
        {
            return Err(GenerateError::Missing { game: missing.origin });
        }
        let line = |candidate: &Candidate| self.random(candidate);
        let lines: Vec<Option<CandidateLine>> =
            candidates.par_iter().with_max_len(1).map(line).collect();
        let lines: Option<Vec<CandidateLine>> = lines.into_iter().collect();
        let lines = lines.ok_or(GenerateError::Interrupted)?;
        Ok(lines.into_iter().map(|line| (line.game, line)).collect())
    }

    /// Plays random games of a candidate and returns its line; `None` if the watch says stop.
    fn random(&self, candidate: &Candidate) -> Option<CandidateLine> {
        if let Some(known) = self.history.line(candidate.origin, Work::Play) {
            return Some(known.clone());
        }
        let mut line = self.new_line(candidate);
        let Some(engine) = &candidate.engine else { return Some(line) };
        let plan = &self.study.plan;
        let is_start = matches!(candidate.origin, Origin::Start(_));
        let program = engine.info().spec.program().map(|program| Arc::new(program.clone()));
        let fell = program.as_ref().and_then(|program| lint(program, self.watch));
        if self.watch.stop() {
            return None;
        }
        line.fell = fell.filter(|_| !is_start);
        if line.fell.is_some() && !line.control {
            return Some(line);
        }
        let seed = plan.seed_of(candidate.origin, Stream::Random);
        let (random, fell) = RandomPlay::of(engine.as_ref(), &plan.budgets, seed, self.watch)?;
        line.random = Some(random);
        line.fell = line.fell.or(fell).filter(|_| !is_start);
        if line.fell.is_none()
            && let Some(program) = &program
        {
            let signature = perft_signature(program, plan.budgets.perft_leaves, self.watch)?;
            line.signature = Some(format!("{:016x}", signature.hash()));
        }
        Some(line)
    }

    fn new_line(&self, candidate: &Candidate) -> CandidateLine {
        let (origin, plan) = (candidate.origin, &self.study.plan);
        let control = match origin {
            Origin::Made(number) => plan.is_control(number),
            Origin::Start(_) => false,
        };
        let seed = plan.seed_of(origin, Stream::Make).0;
        CandidateLine {
            fell: candidate.fell.clone(),
            made: candidate.made.clone(),
            ..CandidateLine::new(origin, Work::Play, seed, control)
        }
    }

    /// Plays the glance of the candidates that no gate has stopped yet, of the start texts and of
    /// the controls; keeps the new lines.
    fn glances(
        &self,
        candidates: &[Candidate],
        lines: BTreeMap<Origin, CandidateLine>,
    ) -> Step<BTreeMap<Origin, CandidateLine>> {
        let engines: BTreeMap<Origin, &Arc<dyn Engine>> = candidates
            .iter()
            .filter_map(|candidate| Some((candidate.origin, candidate.engine.as_ref()?)))
            .collect();
        let complete = |(origin, mut line): (Origin, CandidateLine)| -> Option<CandidateLine> {
            let engine = engines.get(&origin).copied();
            let is_new = !self.kept.contains(&origin);
            if is_new {
                self.glance(&mut line, engine)?;
                self.keep(&line);
            }
            let engine = engine.map(AsRef::as_ref);
            self.progress.played(&line, engine, is_new);
            Some(line)
        };
        let lines: Vec<(Origin, CandidateLine)> = lines.into_iter().collect();
        let lines: Vec<Option<CandidateLine>> =
            lines.into_par_iter().with_max_len(1).map(complete).collect();
        let lines: Option<Vec<CandidateLine>> = lines.into_iter().collect();
        let lines = lines.ok_or(GenerateError::Interrupted)?;
        Ok(lines.into_iter().map(|line| (line.game, line)).collect())
    }

    /// Keeps a finished line, and shows it.
    fn keep(&self, line: &CandidateLine) {
        self.keep.keep(line);
        if let Some(seen) = self.seen {
            seen.line(line, &self.history);
        }
    }

    /// Adds lines of a step to the history.
    fn end_step(&mut self, lines: impl IntoIterator<Item = CandidateLine>) {
        lines.into_iter().for_each(|line| self.history.add(line));
        if let Some(seen) = self.seen {
            seen.end_step();
        }
    }

    /// Adds a glance to a line if the game gets that far. `None` if the watch says stop.
    fn glance(&self, line: &mut CandidateLine, engine: Option<&Arc<dyn Engine>>) -> Option<()> {
        let (Some(engine), Some(random)) = (engine, line.random) else { return Some(()) };
        let is_start = matches!(line.game, Origin::Start(_));
        let duplicate = line.fell.as_ref().is_some_and(|fall| fall.reason.is_duplicate());
        let goes_on = line.fell.is_none() || is_start || (line.control && !duplicate);
        if !goes_on || self.watch.stop() {
            return (!goes_on).then_some(());
        }
        let GenerateStudy { plan, glance, model, .. } = self.study;
        let iterations = u64::from(glance.header.iterations);
        let expected =
            plan.budgets.playout_moves(engine.as_ref(), &random, glance.instances, iterations);
        if expected > plan.budgets.glance_playout_moves {
            let over = Fall::of(Gate::Glance, Rejection::OverBudget);
            line.fell.get_or_insert(over);
            return Some(());
        }
        let seed = plan.seed_of(line.game, Stream::Glance);
        let model = model.map(|(model, _)| model);
        let (found, fell) = Glance::of(engine, glance, model, seed, self.watch)?;
        line.glance = Some(found);
        line.fell = line.fell.take().or(fell).filter(|_| !is_start);
        Some(())
    }

    /// Gauges some games, except those in the journal.
    fn gauges(&mut self, work: Work, games: &[Origin]) -> Step {
        let is_known = |game: Origin| self.history.line(game, work).is_some();
        if let (None, Some(&game)) = (self.seen, games.iter().find(|&&game| !is_known(game))) {
            return Err(GenerateError::Missing { game });
        }
        let gauged = |&game: &Origin| -> Step<Option<CandidateLine>> {
            let line = match is_known(game) {
                true => None,
                false => Some(self.gauged(work, game)?),
            };
            line.iter().for_each(|line| self.keep(line));
            self.progress.gauged(work, game, line.is_some());
            Ok(line)
        };
        let lines: Vec<Step<Option<CandidateLine>>> =
            games.par_iter().with_max_len(1).map(gauged).collect();
        let lines: Vec<Option<CandidateLine>> = lines.into_iter().collect::<Step<_>>()?;
        self.end_step(lines.into_iter().flatten());
        Ok(())
    }

    fn gauged(&self, work: Work, game: Origin) -> Step<CandidateLine> {
        let missing = || GenerateError::Missing { game };
        let played = self.history.line(game, Work::Play).ok_or_else(missing)?;
        let engine =
            engine_of(game, played.source()).map_err(|_| GenerateError::Changed { game })?;
        let random = played.random.as_ref().ok_or_else(missing)?;
        let plan = &self.study.plan;
        let stream = if work == Work::Thorough { Stream::Thorough } else { Stream::Quick };
        let seed = plan.seed_of(game, stream);
        let model = self.study.model.map(|(model, _)| model);
        let gauging = Gauging { work, budgets: &plan.budgets, model };
        let found = gauging.of(&engine, random, seed, self.watch);
        let (gauged, fell) = found.ok_or(GenerateError::Interrupted)?;
        let line = CandidateLine::new(game, work, played.seed, played.control);
        Ok(CandidateLine { gauged, fell, ..line })
    }

    /// Plays the thorough gauge of the best games of the run.
    fn finals(&mut self) -> Step {
        let mut games = self.history.finalists(true);
        let is_there = |game: &Origin| self.history.line(*game, Work::Thorough).is_some();
        if self.seen.is_none() && !games.iter().all(is_there) {
            games = self.history.finalists(false);
        }
        self.progress.finals(&games);
        self.gauges(Work::Thorough, &games)
    }
}
