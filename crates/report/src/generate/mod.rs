//! Report of a run of the generator.

mod doc;

use serde::{Deserialize, Serialize};
use treegauge_doc::Tone;
use treegauge_gauge::vetted::Chance;
use treegauge_gauge::{Measure, Unit};
use treegauge_generate::{
    Ancestor, Axis, BestGame, ControlCount, Gate, GateCount, GenerateReport, Origin,
};
use treegauge_stats::Estimate;

use crate::estimates::{bounded_words, chance_words, estimate_words};
use crate::words::{counted, counted_grouped, grouped, listed, per_move};

/// Number of games that passed every gate, and of those that no gate could judge.
fn lead(report: &GenerateReport) -> String {
    let passed = format!("{}.", lead_words(report));
    undecided_words(report).map_or(passed.clone(), |undecided| format!("{passed} {undecided}"))
}

/// One of the best games of a run in words, for lists and pages of their own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GeneratedGame {
    /// Number of the candidate.
    pub game: Origin,
    /// Name of the game in its text.
    pub name: String,
    /// Text of the game.
    pub source: String,
    /// Whether it has a flaw; `None` if the thorough gauge cannot tell.
    pub flawed: Option<bool>,
    /// Flaws in a few words: `none`, `flawed` or `cannot tell`.
    pub flaws: String,
    /// Verdict of the thorough gauge, in sentences.
    pub verdict: String,
    /// Probability that the game is playable, with its interval.
    pub playable: String,
    /// The same as a number; `None` if no model was asked.
    pub probability: Option<f64>,
    /// Whether the game is unlike all games that the model learned from.
    pub is_outside: bool,
    /// Distance to the nearest games.
    pub novelty: f64,
    /// The nearest game and its distance; empty if there is none.
    pub nearest: String,
    /// Points at the choice.
    pub fitness: f64,
    /// Measures with their intervals: title and value.
    pub measures: Vec<(String, String)>,
    /// The game and its ancestors, each after its descendants.
    pub lineage: Vec<GeneratedAncestor>,
}

/// A game of a lineage in words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GeneratedAncestor {
    /// Identity within the run.
    pub game: Origin,
    /// Text of the game.
    pub source: String,
    /// Parents: first the game that was changed, then those that gave a part.
    pub parents: Vec<Origin>,
    /// Origin in a sentence without a full stop.
    pub words: String,
}

/// The best games of a run in words, in the order of the report.
#[must_use]
pub fn generated_games(report: &GenerateReport) -> Vec<GeneratedGame> {
    report.best.iter().map(generated_game).collect()
}

fn generated_game(game: &BestGame) -> GeneratedGame {
    let near = game.score.novelty.nearest.as_ref();
    let measure = |name: &str| {
        let measure = Measure::named(name)?;
        let words = estimate_words(&game.gauged.measures.get(name), measure.unit);
        Some((measure.title.to_owned(), words))
    };
    let ancestor = |one: &Ancestor| GeneratedAncestor {
        game: one.game,
        source: one.source.clone(),
        parents: one.parents.clone(),
        words: ancestor_words(one),
    };
    GeneratedGame {
        game: game.game,
        name: game.name.clone(),
        source: game.source.clone(),
        flawed: game.gauged.verdict.flawed,
        flaws: flaws_words(game).to_owned(),
        verdict: game.gauged.verdict.sentence.clone(),
        playable: playable_words(game),
        probability: game.playable.map(|chance| chance.probability),
        is_outside: game.outside_training,
        novelty: game.score.novelty.novelty,
        nearest: near
            .map_or_else(String::new, |near| format!("{} ({:.2})", near.game, near.distance)),
        fitness: game.score.fitness,
        measures: ["plies", "branching", "first_player", "draw_rate"]
            .into_iter()
            .filter_map(measure)
            .collect(),
        lineage: game.lineage.iter().map(ancestor).collect(),
    }
}

/// Colour of the verdict on a game.
fn tone(game: &BestGame) -> Tone {
    match game.gauged.verdict.flawed {
        Some(true) => Tone::Bad,
        Some(false) => Tone::Good,
        None => Tone::Undecided,
    }
}

/// Origin of a game in a sentence without a full stop.
fn ancestor_words(one: &Ancestor) -> String {
    if one.parents.is_empty() {
        return format!("{} is {}, a start text", one.game, one.name);
    }
    let open = open_words(&one.open).map_or_else(String::new, |words| format!("; {words}"));
    format!(
        "{} comes from {} by {}{open}",
        one.game,
        origins(&one.parents),
        one.operators.join(", ")
    )
}

/// Number of games that passed every gate; of an unfinished run, of candidates until now.
pub(crate) fn lead_words(report: &GenerateReport) -> String {
    if !report.incomplete || sound(report) > 0 {
        return passed_words(report);
    }
    let made = report.gates.first().map_or(0, |gate| gate.entered);
    let gauged = report.gates.iter().find(|gate| gate.gate == Gate::Quick);
    let candidates = counted_grouped(report.candidates, "candidate");
    let passed = match gauged.map_or(0, |gate| gate.passed) {
        1 => "1 passes the quick gauge".to_owned(),
        n => format!("{n} pass the quick gauge"),
    };
    format!("{} of {candidates} so far, and {passed}", grouped(made))
}

/// Number of games that passed every gate.
fn passed_words(report: &GenerateReport) -> String {
    let candidates = counted_grouped(report.candidates, "candidate");
    let part = report.part.map_or_else(String::new, |part| {
        format!(" (part {} of {}, a separate run)", part + 1, report.parts)
    });
    match sound(report) {
        0 => format!("None of {candidates}{part} passed every gate"),
        n => format!("{n} of {candidates}{part} passed every gate"),
    }
}

/// Number of games that could not be measured or judged; `None` if there are none.
pub(crate) fn undecided_words(report: &GenerateReport) -> Option<String> {
    let sound = sound(report);
    let other = if sound > 0 { "other game" } else { "game" };
    let open = match report.best.len() - sound {
        0 => None,
        1 => Some((format!("1 {other}"), "it has")),
        n => Some((counted(n as u64, other), "they have")),
    };
    let open = open.map(|(games, they)| {
        format!("{games} could not be judged: a gauge cannot tell whether {they} flaws.")
    });
    let unrated: u64 = report.gates.iter().map(|gate| gate.unrated).sum();
    let unrated = (unrated > 0)
        .then(|| format!("{} could not be measured.", counted_grouped(unrated, "candidate")));
    let words: Vec<String> = open.into_iter().chain(unrated).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Origin of the candidates, and the share that the quick gauge passed, in a sentence.
fn summary(report: &GenerateReport) -> String {
    let names: Vec<String> = report.starts.iter().map(|start| start.name.clone()).collect();
    let islands = match (report.part, report.parts) {
        (None, parts) if parts > 1 => format!(", made in {parts} parts"),
        _ => String::new(),
    };
    let share = |estimate: &Estimate| estimate_words(estimate, Unit::Share);
    let quick = match &report.sound {
        Some(sound) => format!(
            "Of the candidates {} passed the quick gauge, and {} passed it or could not be judged by it",
            share(sound),
            share(&report.kept)
        ),
        None => {
            format!("The quick gauge stopped all but {} of the candidates", share(&report.kept))
        }
    };
    format!("Candidates from {}{islands}, seed {}. {quick}.", listed(&names, 6), report.seed)
}

/// Number of best games that passed all gates.
pub(crate) fn sound(report: &GenerateReport) -> usize {
    report.best.iter().filter(|game| game.open_gates().is_empty()).count()
}

/// Names the gates that cannot judge a game; `None` if all can.
fn open_words(gates: &[Gate]) -> Option<String> {
    let gauges: Vec<&str> = gates
        .iter()
        .map(|gate| if *gate == Gate::Quick { "the quick gauge" } else { "the thorough gauge" })
        .collect();
    let cannot = if gauges.len() == 1 { "cannot tell" } else { "cannot tell either" };
    (!gauges.is_empty()).then(|| format!("{} {cannot} whether it has flaws", gauges.join(" and ")))
}

/// Method of judging the games, in sentences.
fn how(report: &GenerateReport) -> String {
    let [iterations, games] = report.glance;
    let model = report.model.as_ref().map_or_else(
        || "No model predicted whether games are playable.".to_owned(),
        |model| {
            format!(
                "Model {}, digest {}, predicted whether games are playable.",
                model.name, model.digest
            )
        },
    );
    let (quick, thorough) = (report.budgets.quick, report.budgets.thorough);
    format!(
        "The weak search plays {} at {}, the quick gauge {} at {}, the thorough one {} at {}. {model} A generation has \
         {} candidates. The archive keeps the best game of each of {} by {} and {}. Rates have 95% intervals (Wilson).",
        counted(games, "game"),
        per_move(iterations),
        quick.games,
        grouped(quick.iterations),
        thorough.games,
        grouped(thorough.iterations),
        report.generation,
        counted(report.cells as u64, "cell"),
        axis_title(&report.axes[0]),
        axis_title(&report.axes[1]),
    )
}

/// Title of an axis of the archive.
fn axis_title(name: &str) -> String {
    Axis::named(name).map_or_else(|| name.to_owned(), |axis| axis.title())
}

/// Headers of the table of gates.
const GATES: [&str; 7] =
    ["gate", "entered", "rejected", "unrated", "cannot tell", "passed", "rate"];

fn gate_cells(gate: &GateCount) -> [String; 7] {
    let fell: u64 = gate.fell.iter().map(|fallen| fallen.count).sum();
    [
        gate.gate.words().to_owned(),
        gate.entered.to_string(),
        fell.to_string(),
        gate.unrated.to_string(),
        gate.open.map_or_else(|| "not counted".to_owned(), |open| open.to_string()),
        gate.passed.to_string(),
        match gate.entered {
            0 => "none entered".to_owned(),
            _ => estimate_words(&gate.rate, Unit::Share),
        },
    ]
}

/// Reasons for which a gate rejected candidates; `None` if it rejected none.
fn rejected_words(gate: &GateCount) -> Option<String> {
    let reasons: Vec<String> =
        gate.fell.iter().map(|one| format!("{} {}", one.reason.words(), one.count)).collect();
    (!reasons.is_empty()).then(|| reasons.join(", "))
}

/// Headers of the table of candidates that no gate stops.
const CONTROLS: [&str; 6] =
    ["candidates that", "number", "flawed", "without a flaw", "cannot tell", "not gauged"];

fn control_cells(control: &ControlCount) -> [String; 6] {
    let what = control.fell.map_or_else(
        || "no gate before the choice would have rejected".to_owned(),
        |gate| format!("would have been rejected at: {}", gate.words()),
    );
    let ControlCount { candidates, flawed, sound, open, unrated, .. } = *control;
    let [candidates, flawed, sound, open, unrated] =
        [candidates, flawed, sound, open, unrated].map(|n| n.to_string());
    [what, candidates, flawed, sound, open, unrated]
}

/// Description of the control, in a sentence or two.
const CONTROL_WORDS: &str = "The control: valid and new candidates that skip the gates, with the verdict of the quick gauge. It shows \
                             good games that the gates reject. Controls are in no other table and have no descendants.";

/// Headers of the table of the best games.
const BEST: [&str; 10] = [
    "game",
    "flaws",
    "playable",
    "length",
    "first player",
    "draws",
    "novelty",
    "nearest game",
    "parents",
    "operators",
];

fn best_cells(game: &BestGame) -> [String; 10] {
    let measure = |name: &str| {
        let unit = Measure::named(name).map_or(Unit::Number(1), |measure| measure.unit);
        estimate_words(&game.gauged.measures.get(name), unit)
    };
    let near = game.score.novelty.nearest.as_ref();
    [
        game.game.to_string(),
        flaws_words(game).to_owned(),
        playable_words(game),
        measure("plies"),
        measure("first_player"),
        measure("draw_rate"),
        format!("{:.2}", game.score.novelty.novelty),
        near.map_or_else(String::new, |near| format!("{} ({:.2})", near.game, near.distance)),
        origins(&game.parents),
        game.operators.join(", "),
    ]
}

fn origins(games: &[Origin]) -> String {
    let names: Vec<String> = games.iter().map(ToString::to_string).collect();
    names.join(", ")
}

fn flaws_words(game: &BestGame) -> &'static str {
    match (game.gauged.verdict.flawed, game.open_gates().is_empty()) {
        (Some(true), _) => "flawed",
        (Some(false), true) => "none",
        (Some(false), false) => "none; the quick gauge cannot tell",
        (None, _) => "cannot tell",
    }
}

/// Probability that a game is playable, marked with `*` if the game is unlike the model's training
/// games.
fn playable_words(game: &BestGame) -> String {
    let mark = if game.outside_training { " *" } else { "" };
    game.playable.map_or_else(
        || "not asked".to_owned(),
        |Chance { probability, low, high }| {
            let [p, low, high] = [probability, low, high].map(|p| 100.0 * p);
            format!("{p:.0}% ({low:.0} to {high:.0}%){mark}")
        },
    )
}

/// Meaning of the mark of a probability; `None` if no probability has it.
fn outside_words(report: &GenerateReport) -> Option<&'static str> {
    report.best.iter().any(|game| game.outside_training).then_some(
        "* The game is unlike all games that the model learned from, so the probability says little.",
    )
}

/// Headers of the table of measures beside those of the parents.
const BESIDE: [&str; 6] = ["game", "measure", "of the game", "of the parent", "difference", ""];

/// Rows of that table for one game, without the heading cell.
fn beside_rows(game: &BestGame) -> Vec<[String; 6]> {
    let row = |one: &treegauge_generate::ParentDifference| {
        one.difference.mean?;
        let measure = Measure::named(&one.measure);
        let unit = measure.map_or(Unit::Share, |measure| measure.unit);
        let title = measure.map_or("probability that it is playable", |measure| measure.title);
        Some([
            format!("{} and parent {}", game.game, one.parent),
            title.to_owned(),
            estimate_words(&one.child, unit),
            estimate_words(&one.of_parent, unit),
            difference_words(&one.difference, unit),
            chance_words(one.real, &one.difference).to_owned(),
        ])
    };
    game.differences.iter().filter_map(row).collect()
}

fn difference_words(difference: &Estimate, unit: Unit) -> String {
    match unit {
        Unit::Share => {
            let percent = |x: Option<f64>| x.map(|x| 100.0 * x);
            let points = Estimate {
                mean: percent(difference.mean),
                low: percent(difference.low),
                high: percent(difference.high),
                n: difference.n,
            };
            format!("{} percentage points", bounded_words(&points, 0))
        }
        Unit::Plies(digits) | Unit::Number(digits) => bounded_words(difference, digits),
        Unit::Elo => bounded_words(difference, 0),
    }
}
