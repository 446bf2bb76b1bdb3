//! Report of a run.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use treegauge_core::{ReportHeader, ReportKind, is_default};
use treegauge_dataset::vet::Model;
use treegauge_gauge::Measures;
use treegauge_gauge::vetted::{Chance, ModelCard};
use treegauge_stats::{Estimate, difference, holm, wilson};

use super::gate::{Fall, Gate, Rejection};
use super::history::History;
use super::line::{CandidateLine, DerivedText, Gauged, Glance, Work};
use super::origin::Origin;
use super::plan::{Budgets, GenerateHeader};
use super::score::Score;

/// Measures of a game that are compared with those of its parents.
const BESIDE: [&str; 4] = ["plies", "draw_rate", "first_player", "drama"];

/// Name of the probability that a game is playable, compared like a measure.
const PROBABILITY: &str = "probability";

/// Results of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GenerateReport {
    /// Kind and schema version of the report.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Random seed.
    #[serde(with = "treegauge_core::seed_json")]
    pub seed: u64,
    /// Number of candidates, controls included.
    pub candidates: u32,
    /// Number of candidates per generation.
    pub generation: u32,
    /// Number of parts that ran separately, each with an archive of its own.
    pub parts: u32,
    /// Index of this part, from 0; `None` for the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<u32>,
    /// Names of the axes of the archive.
    pub axes: [String; 2],
    /// Number of occupied cells of the archive.
    pub cells: usize,
    /// Occupied cells of the archive, each with its best game; empty in older reports.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub map: Vec<MapCell>,
    /// Model that was asked.
    pub model: Option<ModelCard>,
    /// Iterations per move and number of games of the glance.
    pub glance: [u32; 2],
    /// Budgets of the gates.
    pub budgets: Budgets,
    /// Start texts.
    pub starts: Vec<StartRow>,
    /// Counts at each gate, without the controls.
    pub gates: Vec<GateCount>,
    /// Share of the candidates that the quick gauge did not stop: those that passed, and those that
    /// it left undecided.
    pub kept: Estimate,
    /// Share of the candidates in which the quick gauge found no flaw; `None` in older reports,
    /// which did not count them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sound: Option<Estimate>,
    /// Counts of the controls by the gate that would have stopped them.
    pub controls: Vec<ControlCount>,
    /// Best games, the best first. Games that passed all gates precede those left undecided by the
    /// quick gauge only, and these precede those left undecided by the thorough gauge.
    pub best: Vec<BestGame>,
    /// Whether candidates are missing, because the run goes on.
    #[serde(default, skip_serializing_if = "is_default")]
    pub incomplete: bool,
}

impl ReportKind for GenerateReport {
    const KIND: &'static str = "generation";
}

/// Occupied cell of the archive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MapCell {
    /// Column and row in the grid.
    pub cell: [i32; 2],
    /// Values of the two measures that belong to the cell: from the first of each pair, below the
    /// second.
    pub ranges: [[f64; 2]; 2],
    /// Game in the cell.
    pub game: Origin,
    /// Fitness of the game at the choice.
    pub fitness: f64,
}

/// Start text with its results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StartRow {
    /// Identity within the run.
    pub game: Origin,
    /// Name of the game.
    pub name: String,
    /// Text of the game.
    pub source: String,
    /// Probability that it is playable, from games of a weak search.
    pub playable: Option<Chance>,
    /// Measures from games of a weak search; `None` if these were over budget.
    pub measures: Option<Measures>,
}

/// Number of candidates that fell for one reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fallen {
    /// Reason for the fall.
    pub reason: Rejection,
    /// Number of candidates.
    pub count: u64,
}

/// Counts of the candidates that reached a gate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GateCount {
    /// Gate of these counts.
    pub gate: Gate,
    /// Number of candidates that reached it.
    pub entered: u64,
    /// Number of candidates that fell, by reason.
    pub fell: Vec<Fallen>,
    /// Number of candidates that were over budget.
    pub unrated: u64,
    /// Number of candidates left undecided, which continue; `None` in older reports, which counted
    /// them as passed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<u64>,
    /// Number of candidates that passed.
    pub passed: u64,
    /// Share of the candidates reaching the gate that passed.
    pub rate: Estimate,
}

/// Counts of controls, which no gate stops.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ControlCount {
    /// Gate that would have stopped them; `None` if no gate before the choice would have.
    pub fell: Option<Gate>,
    /// Number of controls.
    pub candidates: u64,
    /// Number with a flaw according to the quick gauge.
    pub flawed: u64,
    /// Number without a flaw according to the quick gauge.
    pub sound: u64,
    /// Number that the quick gauge left undecided.
    pub open: u64,
    /// Number that were not gauged: invalid games, repetitions, or games over budget.
    pub unrated: u64,
}

/// Game that no gate stopped.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BestGame {
    /// Identity within the run.
    pub game: Origin,
    /// Name of the game.
    pub name: String,
    /// Text of the game.
    pub source: String,
    /// Score at the choice.
    pub score: Score,
    /// Probability that it is playable, from the strongest self-play that the model asks for.
    pub playable: Option<Chance>,
    /// Whether it is unlike all games the model was trained on, so that its probability says
    /// little.
    pub outside_training: bool,
    /// Results of the thorough gauge.
    pub gauged: Gauged,
    /// Gates that left it undecided, in their order; `None` in older reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<Vec<Gate>>,
    /// Parents.
    pub parents: Vec<Origin>,
    /// Operators that changed the first parent.
    pub operators: Vec<String>,
    /// All ancestors: the game itself first, the start texts last.
    pub lineage: Vec<Ancestor>,
    /// Comparison of its measures in the glance with those of its parents.
    pub differences: Vec<ParentDifference>,
}

/// Game of a lineage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ancestor {
    /// Identity within the run.
    pub game: Origin,
    /// Name of the game.
    pub name: String,
    /// Text of the game.
    pub source: String,
    /// Parents.
    pub parents: Vec<Origin>,
    /// Operators that made it.
    pub operators: Vec<String>,
    /// Gates that left it undecided, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<Gate>,
}

impl BestGame {
    /// Returns the gates that left it undecided. Older reports tell only of the thorough gauge.
    #[must_use]
    pub fn open_gates(&self) -> Vec<Gate> {
        let thorough = || self.gauged.verdict.flawed.is_none().then_some(Gate::Thorough);
        self.open.clone().unwrap_or_else(|| thorough().into_iter().collect())
    }
}

/// Measure of a game compared with that of a parent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParentDifference {
    /// Parent.
    pub parent: Origin,
    /// Name of the measure, or `probability`.
    pub measure: String,
    /// Estimate for the game.
    pub child: Estimate,
    /// Estimate for the parent.
    pub of_parent: Estimate,
    /// Estimate for the game minus that for the parent.
    pub difference: Estimate,
    /// Whether the difference is significant, corrected for all comparisons of this game (Holm
    /// 1979).
    pub real: bool,
}

impl GenerateReport {
    /// Creates the report of an unfinished run.
    pub(super) fn so_far(
        header: &GenerateHeader,
        history: &History<'_>,
        model: Option<(&Model, &str)>,
    ) -> GenerateReport {
        Self::new(header, std::slice::from_ref(history), model, true)
    }

    /// Creates the report of complete islands.
    pub(super) fn of(
        header: &GenerateHeader,
        islands: &[History<'_>],
        model: Option<(&Model, &str)>,
    ) -> GenerateReport {
        Self::new(header, islands, model, false)
    }

    fn new(
        header: &GenerateHeader,
        islands: &[History<'_>],
        model: Option<(&Model, &str)>,
        incomplete: bool,
    ) -> GenerateReport {
        let all: Vec<Candidate<'_>> = islands.iter().flat_map(candidates_of).collect();
        let of_gates = all.iter().filter(|one| !one.line.control);
        let answers: Vec<Answer> = of_gates.map(|one| one.answer(incomplete)).collect();
        let gates: Vec<GateCount> =
            Gate::ALL.into_iter().map(|gate| gate_count(gate, &answers)).collect();
        let judged = answers.iter().filter(|one| one.waits.is_none_or(|gate| gate > Gate::Quick));
        let came = judged.clone().filter(|one| one.fall.as_ref().is_none_or(is_final));
        let sound = came.clone().filter(|answer| !answer.open.contains(&Gate::Quick)).count();
        let share = |count: usize| wilson(count as f64, judged.clone().count() as u64);
        let first = islands.first();
        GenerateReport {
            head: ReportHeader::NEW,
            seed: header.seed,
            candidates: header.candidates,
            generation: header.generation,
            parts: header.parts,
            part: header.part.filter(|part| part[1] > 1).map(|part| part[0]),
            axes: header.axes.clone(),
            cells: islands.iter().map(|island| island.archive.len()).sum(),
            map: map_of(islands),
            model: model.map(|(model, digest)| model.card(digest.to_owned())),
            glance: header.glance,
            budgets: header.budgets,
            starts: first.map_or_else(Vec::new, |island| starts_of(header, island)),
            gates,
            kept: share(came.count()),
            sound: Some(share(sound)),
            controls: controls_of(&all),
            best: best_of(header, &all),
            incomplete,
        }
    }
}

/// Best game of each occupied cell of the islands.
fn map_of(islands: &[History<'_>]) -> Vec<MapCell> {
    let mut map: BTreeMap<[i32; 2], MapCell> = BTreeMap::new();
    for found in islands.iter().flat_map(|island| island.archive.map()) {
        let kept = map.entry(found.cell).or_insert_with(|| found.clone());
        if found.fitness > kept.fitness {
            *kept = found;
        }
    }
    map.into_values().collect()
}

/// Candidate with its island.
#[derive(Clone, Copy)]
struct Candidate<'a> {
    history: &'a History<'a>,
    line: &'a CandidateLine,
}

fn candidates_of<'a>(history: &'a History<'a>) -> impl Iterator<Item = Candidate<'a>> {
    let made = history
        .lines
        .values()
        .filter(|line| line.work == Work::Play && matches!(line.game, Origin::Made(_)));
    made.map(move |line| Candidate { history, line })
}

/// Answers of the gates about a candidate.
struct Answer {
    /// Gate that stopped it.
    fall: Option<Fall>,
    /// Gates that left it undecided.
    open: Vec<Gate>,
    /// Gate that has not answered yet; `None` if it fell, or the run is over.
    waits: Option<Gate>,
}

impl Answer {
    /// Tests whether the candidate reached a gate that has answered.
    fn entered(&self, gate: Gate) -> bool {
        self.fall.as_ref().is_none_or(|fall| fall.gate >= gate)
            && self.waits.is_none_or(|waits| waits > gate)
    }
}

impl Candidate<'_> {
    fn answer(&self, incomplete: bool) -> Answer {
        let open = self.history.open_gates(self.line.game);
        let waits = if incomplete { self.waits() } else { None };
        let fall = if incomplete { self.history.fall_of(self.line.game) } else { self.fall() };
        Answer { fall, open, waits }
    }

    /// Returns the fall of the candidate. A candidate that no gate stopped but that the thorough
    /// gauge did not see was not chosen for it.
    fn fall(&self) -> Option<Fall> {
        let game = self.line.game;
        self.history.fall_of(game).or_else(|| {
            let gauged = self.history.line(game, Work::Thorough).is_some();
            (!gauged).then_some(Fall::of(Gate::Thorough, Rejection::NotChosen))
        })
    }

    /// Returns the first gate of an unfinished run that has not answered.
    fn waits(&self) -> Option<Gate> {
        let (history, game) = (self.history, self.line.game);
        if history.fall_of(game).is_some() {
            return None;
        }
        let gauged = |work| history.line(game, work).is_some();
        let answered = [
            (Gate::Glance, self.line.glance.is_some()),
            (Gate::Choice, history.scores.contains_key(&game)),
            (Gate::Quick, gauged(Work::Quick)),
            (Gate::Thorough, gauged(Work::Thorough)),
        ];
        answered.into_iter().find(|(_, answered)| !answered).map(|(gate, _)| gate)
    }

    fn gauged(&self, work: Work) -> Option<&Gauged> {
        self.history.line(self.line.game, work)?.gauged.as_ref()
    }
}

/// Tests whether a fall is at the last gate.
fn is_final(fall: &Fall) -> bool {
    fall.gate == Gate::Thorough
}

/// Counts the candidates at a gate.
fn gate_count(gate: Gate, answers: &[Answer]) -> GateCount {
    let entered = answers.iter().filter(|answer| answer.entered(gate));
    let here =
        || answers.iter().filter_map(|one| one.fall.as_ref()).filter(|fall| fall.gate == gate);
    let falls_here = |fall: &Option<Fall>| fall.as_ref().is_some_and(|fall| fall.gate == gate);
    let open = entered.clone().filter(|one| one.open.contains(&gate) && !falls_here(&one.fall));
    let open = open.count() as u64;
    let mut by_reason: BTreeMap<Rejection, u64> = BTreeMap::new();
    here().for_each(|fall| *by_reason.entry(fall.reason).or_default() += 1);
    let unrated = by_reason.remove(&Rejection::OverBudget).unwrap_or(0);
    let entered = entered.count() as u64;
    let passed = entered - open - here().count() as u64;
    let fell = by_reason.into_iter().map(|(reason, count)| Fallen { reason, count }).collect();
    let rate = wilson(passed as f64, entered);
    GateCount { gate, entered, fell, unrated, open: Some(open), passed, rate }
}

fn starts_of(header: &GenerateHeader, island: &History<'_>) -> Vec<StartRow> {
    let row = |(n, start): (u32, &super::StartHeader)| {
        let game = Origin::Start(n);
        let line = island.line(game, Work::Play)?;
        Some(StartRow {
            game,
            name: start.name.clone(),
            source: line.source().to_owned(),
            playable: line.glance.as_ref().and_then(Glance::chance),
            measures: line.glance.as_ref().map(|glance| glance.measures.clone()),
        })
    };
    (0..).zip(&header.starts).filter_map(row).collect()
}

/// Counts the controls by the gate that would have stopped them.
fn controls_of(all: &[Candidate<'_>]) -> Vec<ControlCount> {
    let mut counts: BTreeMap<Option<Gate>, ControlCount> = BTreeMap::new();
    for one in all.iter().filter(|one| one.line.control) {
        let fell = one.line.fell.as_ref().map(|fall| fall.gate);
        let count = counts.entry(fell).or_insert(ControlCount {
            fell,
            candidates: 0,
            flawed: 0,
            sound: 0,
            open: 0,
            unrated: 0,
        });
        count.candidates += 1;
        let gauged = one.gauged(Work::Quick);
        *match gauged.map(|gauged| gauged.verdict.flawed) {
            None => &mut count.unrated,
            Some(None) => &mut count.open,
            Some(Some(true)) => &mut count.flawed,
            Some(Some(false)) => &mut count.sound,
        } += 1;
    }
    // Controls that no gate would have stopped come last.
    let mut counts: Vec<ControlCount> = counts.into_values().collect();
    counts.sort_by_key(|count| (count.fell.is_none(), count.fell));
    counts
}

/// Selects the best games. Games that passed all gates precede undecided ones, where an undecided
/// thorough gauge counts more than an undecided quick one; within each group games are sorted by
/// fitness.
fn best_of(header: &GenerateHeader, all: &[Candidate<'_>]) -> Vec<BestGame> {
    let passed = all.iter().filter(|one| !one.line.control && one.fall().is_none());
    let mut best: Vec<(Vec<Gate>, BestGame)> = passed
        .filter_map(|one| {
            let gauged = one.gauged(Work::Thorough)?;
            // The last gate counts first.
            let mut open = one.history.open_gates(one.line.game);
            open.reverse();
            Some((open, best_game(header, one, gauged)?))
        })
        .collect();
    best.sort_by(|(open, one), (other_open, other)| {
        let fitness = other.score.fitness.total_cmp(&one.score.fitness);
        open.cmp(other_open).then(fitness).then(one.game.cmp(&other.game))
    });
    let mut seen: Vec<&str> = Vec::new();
    let identities: BTreeMap<Origin, &str> = all
        .iter()
        .filter_map(|one| Some((one.line.game, &one.line.made.as_ref()?.identity[..])))
        .collect();
    // Two islands may have made the same game.
    let mut is_new = |game: &BestGame| {
        let identity = identities.get(&game.game).copied().unwrap_or_default();
        let new = !seen.contains(&identity);
        seen.push(identity);
        new
    };
    let best = best.into_iter().map(|(_, game)| game).filter(|game| is_new(game));
    best.take(header.best as usize).collect()
}

fn best_game(header: &GenerateHeader, one: &Candidate<'_>, gauged: &Gauged) -> Option<BestGame> {
    let Candidate { history, line } = *one;
    let made = line.made.as_ref()?;
    let vetted = gauged.vetted.as_ref().or(line.glance.as_ref()?.vetted.as_ref());
    Some(BestGame {
        game: line.game,
        name: name_of(header, line.game),
        source: made.source.clone(),
        score: history.scores.get(&line.game)?.clone(),
        playable: vetted.and_then(|vetted| vetted.playable),
        outside_training: vetted.is_some_and(|vetted| vetted.outside_training),
        gauged: gauged.clone(),
        open: Some(history.open_gates(line.game)),
        parents: made.parents.clone(),
        operators: made.operators.clone(),
        lineage: lineage_of(header, history, line.game),
        differences: differences_of(history, line, &made.parents),
    })
}

/// Returns the name of a game in texts.
fn name_of(header: &GenerateHeader, game: Origin) -> String {
    match game {
        Origin::Start(n) => {
            let start = header.starts.get(n as usize);
            start.map_or_else(String::new, |start| start.name.clone())
        }
        Origin::Made(number) => super::candidate::name_of(header.seed, number),
    }
}

/// Lists a game and all its ancestors, each after its descendants.
fn lineage_of(header: &GenerateHeader, history: &History<'_>, game: Origin) -> Vec<Ancestor> {
    let mut lineage: Vec<Ancestor> = Vec::new();
    let mut open = vec![game];
    while let Some(next) = open.pop() {
        if lineage.iter().any(|one| one.game == next) {
            continue;
        }
        let made = history.line(next, Work::Play).and_then(|line| line.made.clone());
        let Some(DerivedText { parents, operators, source, .. }) = made else { continue };
        open.extend(parents.iter().copied());
        let name = name_of(header, next);
        let open = history.open_gates(next);
        lineage.push(Ancestor { game: next, name, source, parents, operators, open });
    }
    // Parents of a candidate are candidates with smaller numbers, or start texts.
    lineage.sort_by_key(|one| match one.game {
        Origin::Made(number) => (0, u32::MAX - number),
        Origin::Start(n) => (1, n),
    });
    lineage
}

fn differences_of(
    history: &History<'_>,
    line: &CandidateLine,
    parents: &[Origin],
) -> Vec<ParentDifference> {
    let mut differences = Vec::new();
    let mut chances = Vec::new();
    for &parent in parents {
        let both = line.glance.as_ref().zip(history.glance(parent));
        let Some((child, of_parent)) = both else { continue };
        for measure in BESIDE.into_iter().chain([PROBABILITY]) {
            let (child, of_parent) = (beside(child, measure), beside(of_parent, measure));
            let (difference, chance) = difference(&child, &of_parent);
            let measure = measure.to_owned();
            differences.push(ParentDifference {
                parent,
                measure,
                child,
                of_parent,
                difference,
                real: false,
            });
            chances.push(chance);
        }
    }
    for (difference, real) in differences.iter_mut().zip(holm(&chances)) {
        difference.real = real;
    }
    differences
}

/// Returns a measure of the glance, or the probability that the model gave.
fn beside(glance: &Glance, measure: &str) -> Estimate {
    if measure != PROBABILITY {
        return glance.measures.get(measure);
    }
    glance.chance().map_or(Estimate::UNRATED, |Chance { probability, low, high }| Estimate {
        mean: Some(probability),
        low: Some(low),
        high: Some(high),
        n: u64::from(glance.games),
    })
}
