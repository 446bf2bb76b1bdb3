//! State of a run, derived from its journal lines generation by generation.

use std::collections::{BTreeMap, HashMap};

use treegauge_catalog::rules::Genome;

use super::GenerateError;
use super::archive::Archive;
use super::candidate::{Candidate, Pool};
use super::gate::{Fall, Gate, Rejection};
use super::line::{CandidateLine, Glance, Work};
use super::novelty::{Behaviour, Known};
use super::origin::Origin;
use super::plan::GeneratePlan;
use super::score::Score;

/// State of a run after its finished generations.
#[derive(Clone, Debug)]
pub(super) struct History<'a> {
    pub(super) plan: &'a GeneratePlan,
    starts: &'a [Genome],
    /// Finished work, by game and kind.
    pub(super) lines: BTreeMap<(Origin, Work), CandidateLine>,
    pub(super) archive: Archive,
    known: Known,
    /// First game with each identity.
    identities: HashMap<String, Origin>,
    /// Games by the hash of their counts of lines of play.
    signatures: HashMap<String, Vec<Origin>>,
    /// Scores of the games that passed the glance or are controls.
    pub(super) scores: BTreeMap<Origin, Score>,
    /// Those among them that fell at the choice.
    pub(super) unchosen: BTreeMap<Origin, Fall>,
}

impl<'a> History<'a> {
    pub(super) fn new(
        plan: &'a GeneratePlan,
        starts: &'a [Genome],
        lines: Vec<CandidateLine>,
    ) -> History<'a> {
        History {
            plan,
            starts,
            lines: lines.into_iter().map(|line| ((line.game, line.work), line)).collect(),
            archive: Archive::new(plan.axes),
            known: Known::built_in(),
            identities: HashMap::new(),
            signatures: HashMap::new(),
            scores: BTreeMap::new(),
            unchosen: BTreeMap::new(),
        }
    }

    pub(super) fn line(&self, game: Origin, work: Work) -> Option<&CandidateLine> {
        self.lines.get(&(game, work))
    }

    pub(super) fn glance(&self, game: Origin) -> Option<&Glance> {
        self.line(game, Work::Play)?.glance.as_ref()
    }

    pub(super) fn add(&mut self, line: CandidateLine) {
        self.lines.insert((line.game, line.work), line);
    }

    /// Creates the candidates of the start texts.
    pub(super) fn starts(&self) -> Vec<Candidate> {
        (0..).zip(self.starts).map(|(n, genome)| Candidate::start(n, genome)).collect()
    }

    /// Collects the games that the next generation may descend from: the start texts and the
    /// archive.
    pub(super) fn pool(&self) -> Result<Pool, GenerateError> {
        let mut pool = Pool::default();
        (0..).zip(self.starts).for_each(|(n, genome)| pool.add(Origin::Start(n), genome.clone()));
        for game in self.archive.games() {
            let source = self.line(game, Work::Play).map_or("", CandidateLine::source);
            let genome = Genome::read(source).map_err(|_| GenerateError::Changed { game })?;
            pool.add(game, genome);
        }
        Ok(pool)
    }

    /// Records the identity of a candidate, and makes it fall if an earlier game has the same
    /// identity.
    pub(super) fn note_identity(&mut self, candidate: &mut Candidate) {
        let Some(made) = &candidate.made else { return };
        let origin = candidate.origin;
        let first = *self.identities.entry(made.identity.clone()).or_insert(origin);
        if first != origin && candidate.fell.is_none() {
            let fall = Fall::of(Gate::Make, Rejection::SameText);
            candidate.fell = Some(fall.with(first.to_string()));
            candidate.engine = None;
        }
    }

    /// Records the counts of lines of play of a candidate. It falls if another game of the run has
    /// the same counts at every length and random games that do not differ significantly.
    pub(super) fn note_signature(&mut self, line: &mut CandidateLine) {
        let (Some(signature), Some(random)) = (&line.signature, &line.random) else { return };
        let others = self.signatures.entry(signature.clone()).or_default();
        let random_of = |game: &Origin| self.lines.get(&(*game, Work::Play))?.random.as_ref();
        let like = |game: &&Origin| random_of(game).is_some_and(|one| one.is_like(random));
        let same = others.iter().find(like).copied();
        match same {
            Some(other) if line.fell.is_none() => {
                let fall = Fall::of(Gate::Random, Rejection::SamePlay);
                line.fell = Some(fall.with(other.to_string()));
            }
            _ => {}
        }
        if same.is_none() {
            others.push(line.game);
        }
    }

    /// Adds the start texts to the games that novelty is measured against.
    pub(super) fn end_starts(&mut self, starts: &[Candidate]) {
        for start in starts {
            if let Some(glance) = self.glance(start.origin) {
                let behaviour =
                    Behaviour::new(&glance.measures, &glance.features, start.words.clone());
                self.known.add(start.origin.to_string(), behaviour);
            }
        }
    }

    /// Scores the candidates of a generation that have a glance. Returns those to gauge: the best
    /// share of them, and all controls.
    pub(super) fn choose(&mut self, candidates: &[Candidate]) -> Vec<Origin> {
        let mut rivals = Vec::new();
        let mut chosen = Vec::new();
        let mut scores = Vec::new();
        let mut unchosen = Vec::new();
        for candidate in candidates {
            let origin = candidate.origin;
            let Some(line) = self.line(origin, Work::Play) else { continue };
            let Some(glance) = &line.glance else { continue };
            if line.fell.is_some() && !line.control {
                continue;
            }
            let behaviour =
                Behaviour::new(&glance.measures, &glance.features, candidate.words.clone());
            let novelty = self.known.novelty(&origin.to_string(), &behaviour);
            let nodes = line.made.as_ref().map_or(0, |made| made.nodes);
            let score = Score::new(glance.chance(), novelty, nodes);
            if line.control {
                chosen.push(origin);
            } else if glance.is_unplayable() {
                unchosen.push((origin, Fall::of(Gate::Choice, Rejection::Unplayable)));
            } else {
                rivals.push((score.fitness, origin));
            }
            scores.push((origin, score, behaviour, line.control));
        }
        rivals.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let places = (self.plan.budgets.chosen * rivals.len() as f64).ceil() as usize;
        for (n, (fitness, origin)) in rivals.iter().enumerate() {
            if n < places {
                chosen.push(*origin);
            } else {
                let fall = Fall::of(Gate::Choice, Rejection::NotChosen);
                let place = format!("{fitness:.1} points, place {} of {}", n + 1, rivals.len());
                unchosen.push((*origin, fall.with(place)));
            }
        }
        self.unchosen.extend(unchosen);
        for (origin, score, behaviour, control) in scores {
            // Controls must not influence the scores of other games.
            if !control {
                self.known.add(origin.to_string(), behaviour);
            }
            self.scores.insert(origin, score);
        }
        chosen.sort_unstable();
        chosen
    }

    /// Ends a generation: offers its games to the archive if they passed the glance and the quick
    /// gauge found no flaw.
    pub(super) fn end_generation(&mut self, candidates: &[Candidate]) {
        for origin in candidates.iter().map(|candidate| candidate.origin) {
            let Some(score) = self.scores.get(&origin) else { continue };
            let line = &self.lines[&(origin, Work::Play)];
            let is_flawed = self
                .line(origin, Work::Quick)
                .and_then(|line| line.fell.as_ref())
                .is_some_and(|fall| fall.reason == Rejection::Flawed);
            let unplayable =
                self.unchosen.get(&origin).is_some_and(|fall| fall.reason == Rejection::Unplayable);
            if line.control || is_flawed || unplayable {
                continue;
            }
            if let Some(glance) = &line.glance {
                self.archive.offer(origin, score.fitness, glance);
            }
        }
    }

    /// Tests whether the gauge of a gate was played and left open whether the game has a flaw, so
    /// that the gate neither stopped nor passed it.
    pub(super) fn is_open(&self, game: Origin, gate: Gate) -> bool {
        let work = match gate {
            Gate::Quick => Work::Quick,
            Gate::Thorough => Work::Thorough,
            _ => return false,
        };
        let gauged = self.line(game, work).and_then(|line| line.gauged.as_ref());
        gauged.is_some_and(|gauged| gauged.verdict.flawed.is_none())
    }

    /// Returns the gates that left the question open for a game, in their order.
    pub(super) fn open_gates(&self, game: Origin) -> Vec<Gate> {
        Gate::ALL.into_iter().filter(|&gate| self.is_open(game, gate)).collect()
    }

    /// Chooses the games for the thorough gauge: the `plan.best` fittest of those that the quick
    /// gauge did not stop, games that passed before undecided ones; and the first `plan.best`
    /// controls. `by_answer` is false for journals of older programs, which ignored whether a game
    /// passed or was undecided.
    pub(super) fn finalists(&self, by_answer: bool) -> Vec<Origin> {
        let is_sound = |line: &&CandidateLine| line.work == Work::Quick && line.fell.is_none();
        let passed = self.lines.values().filter(is_sound).filter(|line| !line.control);
        let is_open = |game| by_answer && self.is_open(game, Gate::Quick);
        let mut rivals: Vec<(bool, f64, Origin)> = passed
            .filter_map(|line| {
                let fitness = self.scores.get(&line.game)?.fitness;
                Some((is_open(line.game), fitness, line.game))
            })
            .collect();
        rivals.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
        rivals.truncate(self.plan.best as usize);
        let gauged = |line: &&CandidateLine| line.work == Work::Quick && line.gauged.is_some();
        let controls = self.lines.values().filter(gauged).filter(|line| line.control);
        let controls = controls.take(self.plan.best as usize).map(|line| line.game);
        let mut all: Vec<Origin> =
            rivals.into_iter().map(|(_, _, origin)| origin).chain(controls).collect();
        all.sort_unstable();
        all
    }

    /// Returns the first gate at which a candidate fell before or in its gauges, with the reason.
    pub(super) fn fall_of(&self, game: Origin) -> Option<Fall> {
        let fell = |work| self.line(game, work).and_then(|line| line.fell.clone());
        fell(Work::Play)
            .or_else(|| self.unchosen.get(&game).cloned())
            .or_else(|| fell(Work::Quick))
            .or_else(|| fell(Work::Thorough))
    }
}
