//! The report of a run.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use treegauge_core::{Head, ReportKind};
use treegauge_dataset::vet::Model;
use treegauge_gauge::Measures;
use treegauge_gauge::vetted::{Chance, ModelCard};
use treegauge_stats::{Estimate, difference, holm, wilson};

use super::gate::{Fall, Gate, Rejection};
use super::history::History;
use super::line::{CandidateLine, Gauged, Glance, Made, Work};
use super::origin::Origin;
use super::plan::{Budgets, GenerateHeader};
use super::score::Score;

/// The measures of a game that stand beside those of its parents.
const BESIDE: [&str; 4] = ["plies", "draw_rate", "first_player", "drama"];

/// The probability that a game is playable, among them.
const PROBABILITY: &str = "probability";

/// What a run made, and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GenerateReport {
    /// The kind and the schema.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// The seed.
    #[serde(with = "treegauge_core::seed_json")]
    pub seed: u64,
    /// The candidates, those that no gate stops among them.
    pub candidates: u32,
    /// The candidates of a generation.
    pub generation: u32,
    /// The parts that were made apart, each with an archive of its own.
    pub parts: u32,
    /// Which part this is, from 0; nothing for the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<u32>,
    /// The measures of the archive.
    pub axes: [String; 2],
    /// The cells of the archive that have a game.
    pub cells: usize,
    /// The model that was asked.
    pub model: Option<ModelCard>,
    /// How the glance played: iterations per move, and games.
    pub glance: [u32; 2],
    /// What the gates might cost.
    pub budgets: Budgets,
    /// The texts of the start.
    pub starts: Vec<StartRow>,
    /// The gates, without the candidates that no gate stops.
    pub gates: Vec<GateCount>,
    /// The share of the candidates that came through the quick gauge: those that passed it, and those that it
    /// cannot judge.
    pub kept: Estimate,
    /// The share of the candidates in which the quick gauge found no flaw; `None` in reports of programs that did
    /// not count them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sound: Option<Estimate>,
    /// The candidates that no gate stops, by the gate at which they would have fallen.
    pub controls: Vec<ControlCount>,
    /// The games that no gate stopped, the best first: those that passed all gates, then those that the quick
    /// gauge alone cannot judge, then those that the thorough one cannot.
    pub best: Vec<BestGame>,
}

impl ReportKind for GenerateReport {
    const KIND: &'static str = "generation";
}

/// A text of the start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StartRow {
    /// The game.
    pub game: Origin,
    /// Its name.
    pub name: String,
    /// Its text.
    pub source: String,
    /// The probability that it is playable, by games of a weak search.
    pub playable: Option<Chance>,
    /// What games of a weak search measure; nothing where they would take too many plies.
    pub measures: Option<Measures>,
}

/// How many fell for one reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fallen {
    /// The reason.
    pub reason: Rejection,
    /// The candidates.
    pub count: u64,
}

/// What became of the candidates that came to a gate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GateCount {
    /// The gate.
    pub gate: Gate,
    /// Those that came to it.
    pub entered: u64,
    /// Those that fell, by the reason.
    pub fell: Vec<Fallen>,
    /// Those that would have taken too many plies.
    pub unrated: u64,
    /// Those that the gate cannot judge, which go on; `None` in reports of programs that counted them as
    /// passed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<u64>,
    /// Those that passed.
    pub passed: u64,
    /// The share of those that came to it.
    pub rate: Estimate,
}

/// Candidates that no gate stops.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ControlCount {
    /// Where they would have fallen; nothing for those that no gate before the choice would have stopped.
    pub fell: Option<Gate>,
    /// The candidates.
    pub candidates: u64,
    /// Those in which the quick gauge finds a flaw.
    pub flawed: u64,
    /// Those in which it finds none and says so.
    pub sound: u64,
    /// Those of which it cannot tell.
    pub open: u64,
    /// Those that were not gauged: they are no game, a game again, or take too many plies.
    pub unrated: u64,
}

/// A game that no gate stopped.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BestGame {
    /// The game.
    pub game: Origin,
    /// Its name.
    pub name: String,
    /// Its text.
    pub source: String,
    /// What it promised at the choice.
    pub score: Score,
    /// The probability that it is playable, by the strongest self-play that the model asks for.
    pub playable: Option<Chance>,
    /// Whether the model has seen no game like it, so that its probability says little.
    pub outside_training: bool,
    /// What the thorough gauge found.
    pub gauged: Gauged,
    /// The gates that do not tell of it, in their order; `None` in reports of programs that did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<Vec<Gate>>,
    /// The games that it comes from.
    pub parents: Vec<Origin>,
    /// The operators that made it of them.
    pub operators: Vec<String>,
    /// All games that it comes from, itself first, the texts of the start last.
    pub lineage: Vec<Ancestor>,
    /// Measures of games of a weak search beside those of the parents.
    pub differences: Vec<ParentDifference>,
}

/// A game of a lineage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ancestor {
    /// The game.
    pub game: Origin,
    /// Its name.
    pub name: String,
    /// Its text.
    pub source: String,
    /// The games that it comes from.
    pub parents: Vec<Origin>,
    /// The operators that made it.
    pub operators: Vec<String>,
    /// The gates that do not tell of it, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<Gate>,
}

impl BestGame {
    /// The gates that cannot judge it, according to the report.
    #[must_use]
    pub fn open_gates(&self) -> Vec<Gate> {
        let thorough = || self.gauged.verdict.flawed.is_none().then_some(Gate::Thorough);
        self.open.clone().unwrap_or_else(|| thorough().into_iter().collect())
    }
}

/// A measure of a game beside that of a parent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParentDifference {
    /// The parent.
    pub parent: Origin,
    /// The name of the measure, or `probability`.
    pub measure: String,
    /// Of the game.
    pub child: Estimate,
    /// Of the parent.
    pub of_parent: Estimate,
    /// That of the game less that of the parent.
    pub difference: Estimate,
    /// Whether there is a difference, by all that stand beside each other for this game (Holm 1979).
    pub real: bool,
}

impl GenerateReport {
    /// The report of islands, each complete.
    pub(super) fn of(
        header: &GenerateHeader,
        islands: &[History<'_>],
        model: Option<(&Model, &str)>,
    ) -> GenerateReport {
        let all: Vec<Candidate<'_>> = islands.iter().flat_map(candidates_of).collect();
        let stopped = |one: &Candidate<'_>| (one.fall(), one.history.open_gates(one.line.game));
        let answers: Vec<(Option<Fall>, Vec<Gate>)> =
            all.iter().filter(|one| !one.line.control).map(stopped).collect();
        let gates: Vec<GateCount> =
            Gate::ALL.into_iter().map(|gate| gate_count(gate, &answers)).collect();
        let came = answers.iter().filter(|(fall, _)| fall.as_ref().is_none_or(is_final));
        let sound = came.clone().filter(|(_, open)| !open.contains(&Gate::Quick)).count();
        let share = |count: usize| wilson(count as f64, answers.len() as u64);
        let first = islands.first();
        GenerateReport {
            head: Head::NEW,
            seed: header.seed,
            candidates: header.candidates,
            generation: header.generation,
            parts: header.parts,
            part: header.part.filter(|part| part[1] > 1).map(|part| part[0]),
            axes: header.axes.clone(),
            cells: islands.iter().map(|island| island.archive.len()).sum(),
            model: model.map(|(model, digest)| model.card(digest.to_owned())),
            glance: header.glance,
            budgets: header.budgets,
            starts: first.map_or_else(Vec::new, |island| starts_of(header, island)),
            gates,
            kept: share(came.count()),
            sound: Some(share(sound)),
            controls: controls_of(&all),
            best: best_of(header, &all),
        }
    }
}

/// A candidate with its island.
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

impl Candidate<'_> {
    /// Where it falls; the thorough gauge sees some only.
    fn fall(&self) -> Option<Fall> {
        let game = self.line.game;
        self.history.fall_of(game).or_else(|| {
            let gauged = self.history.line(game, Work::Thorough).is_some();
            (!gauged).then_some(Fall::of(Gate::Thorough, Rejection::NotChosen))
        })
    }

    fn gauged(&self, work: Work) -> Option<&Gauged> {
        self.history.line(self.line.game, work)?.gauged.as_ref()
    }
}

/// Whether a fall is one at the last gate.
fn is_final(fall: &Fall) -> bool {
    fall.gate == Gate::Thorough
}

/// Counts the candidates at a gate. The answers are where each falls, and the gates that cannot judge it.
fn gate_count(gate: Gate, answers: &[(Option<Fall>, Vec<Gate>)]) -> GateCount {
    let entered =
        answers.iter().filter(|(fall, _)| fall.as_ref().is_none_or(|fall| fall.gate >= gate));
    let here =
        || answers.iter().filter_map(|(fall, _)| fall.as_ref()).filter(|fall| fall.gate == gate);
    let falls_here = |fall: &Option<Fall>| fall.as_ref().is_some_and(|fall| fall.gate == gate);
    let open = entered.clone().filter(|(fall, open)| open.contains(&gate) && !falls_here(fall));
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

/// The candidates that no gate stops, by where they would have fallen.
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
    // Those that no gate would have stopped come last, as they come farthest.
    let mut counts: Vec<ControlCount> = counts.into_values().collect();
    counts.sort_by_key(|count| (count.fell.is_none(), count.fell));
    counts
}

/// The games that no gate stopped: those that passed all gates before those that a gate cannot judge, where the
/// thorough gauge counts more than the quick one; of each, the ones that promise most come first.
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
    // Two islands may have made one game.
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

/// The name of a game in texts.
fn name_of(header: &GenerateHeader, game: Origin) -> String {
    match game {
        Origin::Start(n) => {
            let start = header.starts.get(n as usize);
            start.map_or_else(String::new, |start| start.name.clone())
        }
        Origin::Made(number) => super::candidate::name_of(header.seed, number),
    }
}

/// A game and all that it comes from, each after the games that come from it.
fn lineage_of(header: &GenerateHeader, history: &History<'_>, game: Origin) -> Vec<Ancestor> {
    let mut lineage: Vec<Ancestor> = Vec::new();
    let mut open = vec![game];
    while let Some(next) = open.pop() {
        if lineage.iter().any(|one| one.game == next) {
            continue;
        }
        let made = history.line(next, Work::Play).and_then(|line| line.made.clone());
        let Some(Made { parents, operators, source, .. }) = made else { continue };
        open.extend(parents.iter().copied());
        let name = name_of(header, next);
        let open = history.open_gates(next);
        lineage.push(Ancestor { game: next, name, source, parents, operators, open });
    }
    // A candidate comes from candidates before it, and from the texts of the start.
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

/// A measure of games of a weak search, or the probability that the model gives to their game.
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
