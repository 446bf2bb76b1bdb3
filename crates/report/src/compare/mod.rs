//! Report of a comparison of games.

mod effects;

use treegauge_doc::{
    Block, Cell, Column, Doc, Figure, Layout, Paragraph, ParagraphStyle, Table, Tone, Words, Wrap,
};
use treegauge_gauge::{
    CompareReport, FlawState, Gauge, GaugeReport, MEASURES, Measure, MeasureDifference, Unit,
    Verdict,
};

use crate::boards::{Boards, Document};
use crate::estimates::{bounded_words, chance_words, estimate_words};
use crate::gauge::{again, charts_by_strength};
use crate::pictures;
use crate::search::variant_words;
use crate::words::{UCT_WORDS, command, counted, counted_grouped, grouped, listed, per_move};

impl Document for CompareReport {
    fn doc(&self, _: &dyn Boards) -> Doc {
        let names: Vec<&str> = self.games.iter().map(|game| &game.game[..]).collect();
        let mut doc = Doc::new(format!("comparison of {}", names.join(" | ")));
        doc.push(Block::PagesOnly(vec![Block::heading(1, names.join(" | "))]));
        if self.incomplete() {
            doc.push(Block::warning(format!("INCOMPLETE: {}.", played_words(self))));
        }
        let lead = lead(self);
        let lines = || lead.iter().map(|sentence| Words::from(sentence.as_str()));
        let lines_of_text =
            lines().map(|words| Paragraph::new(ParagraphStyle::Plain, words)).collect();
        doc.push(Block::TextOnly(vec![Block::Lines(lines_of_text)]));
        doc.push(Block::Verdict {
            tone: Tone::Good,
            headline: "The effect of each change".into(),
            lead: Words::default(),
            points: lines().collect(),
        });
        doc.push(Block::note(sample_words(self)));
        doc.push(verdicts(&self.games));
        doc.extend(undecided_words(self).map(Block::note));
        doc.extend(effects::block(self));
        doc.push(Block::PagesOnly(charts(&self.games)));
        doc.push(Block::PagesOnly(vec![Block::heading(2, "Measures")]));
        let columns = std::iter::once("measure").chain(names.iter().copied()).map(Column::left);
        let mut measures = Table::new("measures", columns).wrapped(Wrap::Cards);
        MEASURES.iter().for_each(|measure| measures.push(measure_row(measure, &self.games)));
        doc.push(measures);
        let titles = ["difference from the first game", "of", "value (95% interval)", ""];
        let mut differences =
            Table::new("differences", titles.map(Column::left)).wrapped(Wrap::Cards);
        self.differences.iter().filter_map(difference_row).for_each(|row| differences.push(row));
        let method = format!("{} {UCT_WORDS}", how_compared(self));
        let sentences = self.sentences.iter().filter(|sentence| !lead.contains(sentence));
        let mut reasons: Vec<Block> =
            sentences.map(|sentence| Block::text(sentence.as_str())).collect();
        reasons.extend([Block::note(method), differences.into()]);
        doc.push(Block::fold("Reasons and method", reasons));
        doc.next = next(self).map(Words::from).unwrap_or_default();
        doc
    }

    fn picture(&self, boards: &dyn Boards) -> Option<Figure> {
        pictures::compare::picture(self, boards)
    }
}

/// Differences of the games and of their flaws, in one or two sentences.
fn lead(report: &CompareReport) -> Vec<String> {
    let Some((first, others)) = report.games.split_first() else { return Vec::new() };
    let has_played = |game: &GaugeReport| game.gauge.games > 0;
    if report.incomplete() && !(has_played(first) && others.iter().any(has_played)) {
        return vec!["Nothing can be compared yet.".to_owned()];
    }
    let differs =
        |game: &&GaugeReport| report.differences.iter().any(|one| one.real && one.b == game.game);
    let differing: Vec<String> =
        others.iter().filter(differs).map(|game| game.game.clone()).collect();
    if let [a, b, ..] = &report.sentences[..]
        && others.len() == 2
    {
        // A sentence for each of the others; the table shows flaws.
        return vec![a.clone(), b.clone()];
    }
    let changes = match (others.len(), differing.len()) {
        (1, _) => report.sentences.first().cloned().unwrap_or_default(),
        (_, 0) => format!("No game is shown to differ from {}.", first.game),
        (all, some) if all == some => {
            format!("All {all} other games are shown to differ from {}.", first.game)
        }
        _ => format!(
            "These games are shown to differ from {}: {}.",
            first.game,
            listed(&differing, GAMES_NAMED)
        ),
    };
    let verdicts = || report.games.iter().map(|game| &game.gauge.verdict);
    let flaws = Verdict::flaws_of_all(verdicts()).into_iter().filter(|judged| {
        let is = |state| verdicts().any(|one| one.state_of(&judged.flag) == Some(state));
        // A game that is not judged may have the flaw too.
        is(FlawState::Yes) && is(FlawState::No)
    });
    let flaws = (flaws.count() > 0).then(|| "Their flaws differ, as the table shows.".to_owned());
    std::iter::once(changes).chain(flaws).collect()
}

/// Number of games that are over of each variant of an unfinished comparison.
fn played_words(report: &CompareReport) -> String {
    let of = |game: &GaugeReport| {
        let (played, planned) = (game.gauge.games, game.gauge.games_planned);
        format!("{} of {} of {}", grouped(played), counted_grouped(planned, "game"), game.game)
    };
    let all: Vec<String> = report.games.iter().map(of).collect();
    format!("only {} are over", listed(&all, GAMES_NAMED))
}

/// Greatest number of games named as different.
const GAMES_NAMED: usize = 5;

/// The command that may help a reader of the comparison most.
fn next(report: &CompareReport) -> Option<String> {
    let has_open = |game: &GaugeReport| {
        let mut flags = game.gauge.verdict.flags.iter();
        flags.any(|judged| judged.state == FlawState::CannotTell)
    };
    let Gauge { games_planned: planned, iterations, .. } = report.games.first()?.gauge;
    if report.incomplete() || planned == 0 {
        return None;
    }
    let again = |games: u32, iterations: u32| again("compare", &report.games, games, iterations);
    let needed = report.games.iter().filter_map(|game| game.gauge.verdict.iterations_needed).max();
    if let Some(needed) = needed {
        let command = again(planned, needed);
        return Some(format!(
            "{command} plays more strongly, which may be enough to judge the games."
        ));
    }
    if let Some(needed) = games_needed(report) {
        let command = again(needed, iterations);
        return Some(format!("{command} plays about as many games as the verdicts need."));
    }
    if report.games.iter().any(has_open) {
        let command = again(planned.saturating_mul(4), iterations);
        return Some(format!("{command} narrows the intervals."));
    }
    let best = report.games.iter().min_by_key(|game| {
        let flags = game.gauge.verdict.flags.iter();
        flags.filter(|judged| judged.state == FlawState::Yes).count()
    })?;
    Some(format!("{} lets you try it yourself.", command("play", &[best.argument()])))
}

/// Greatest number of games that a comparison proposes.
const GAMES_MAX: u64 = 100_000;

/// Number of games of each variant that would decide all undecided flaws; `None` if none is
/// undecided for lack of games, or if too many are needed.
fn games_needed(report: &CompareReport) -> Option<u32> {
    let mut needed = Vec::new();
    for game in &report.games {
        for judged in &game.gauge.verdict.flags {
            if judged.state == FlawState::CannotTell {
                needed.push(game.gauge.games_to_decide(judged)?);
            }
        }
    }
    let most = needed.into_iter().max().filter(|&most| most <= GAMES_MAX)?;
    // The number is rough, so it has two digits.
    let unit = 10_u64.pow(most.max(10).ilog10() - 1);
    u32::try_from(most.div_ceil(unit) * unit).ok()
}

/// The reason why flaws are undecided, in a sentence; `None` if none is undecided.
fn undecided_words(report: &CompareReport) -> Option<String> {
    let is_open = |game: &&GaugeReport| {
        let mut flags = game.gauge.verdict.flags.iter();
        flags.any(|judged| judged.state == FlawState::CannotTell)
    };
    let first = report.games.iter().find(is_open)?;
    if report.incomplete() || first.gauge.games_planned == 0 {
        return None;
    }
    let needed = report.games.iter().filter_map(|game| game.gauge.verdict.iterations_needed).max();
    if let Some(needed) = needed {
        return Some(format!(
            "Undecided, since a search of {} is too weak to judge by; {} may be enough.",
            per_move(first.gauge.iterations),
            grouped(needed)
        ));
    }
    let games = counted_grouped(u64::from(first.gauge.games_planned), "game");
    Some(match games_needed(report) {
        Some(needed) => format!(
            "Undecided, since the intervals of {games} contain the limits; about {} games of each variant would do.",
            grouped(needed)
        ),
        None => format!(
            "Undecided, since the intervals of {games} contain the limits, and some measured value is almost at its limit."
        ),
    })
}

/// Flaws and exact value of each game.
fn verdicts(games: &[GaugeReport]) -> Table {
    let titles = ["game", "flaws", "undecided", "with best play"];
    let mut table = Table::new("verdicts", titles.map(Column::left)).wrapped(Wrap::Cards);
    games.iter().for_each(|game| table.push(verdict_row(game)));
    table
}

/// Verdict and charts of each game.
fn charts(games: &[GaugeReport]) -> Vec<Block> {
    let gauges: Vec<&Gauge> = games.iter().map(|game| &game.gauge).collect();
    let mut blocks = Vec::new();
    for (game, charts) in games.iter().zip(charts_by_strength(&gauges)) {
        let name = match game.title {
            Some(_) => format!("{} ({})", game.shown_name(), game.game),
            None => game.game.clone(),
        };
        let figures = charts.into_iter().map(|picture| {
            let figure = Figure { picture, ..Figure::default() };
            figure.into()
        });
        blocks.extend([
            Block::heading(3, name),
            Block::note(game.gauge.verdict.sentence.as_str()),
            Block::Group(Layout::SmallCharts, figures.collect()),
        ]);
    }
    blocks
}

/// Sample of each game, in a sentence.
fn sample_words(report: &CompareReport) -> String {
    let gauge = &report.games[0].gauge;
    if report.incomplete() {
        return format!("A UCT player plays against itself at {}.", per_move(gauge.iterations));
    }
    format!(
        "Measured in {} of each variant, a UCT player against itself at {}.",
        counted(gauge.games_planned, "game"),
        per_move(gauge.iterations)
    )
}

/// Method of the comparison, in a sentence or two.
fn how_compared(report: &CompareReport) -> String {
    let gauge = &report.games[0].gauge;
    format!(
        "Seed {}{}. A difference is real if it is significant among all {} compared (95%, Holm's correction).",
        gauge.seed,
        variant_words(gauge.expansion, gauge.variant),
        report.differences.iter().filter(|difference| difference.difference.mean.is_some()).count()
    )
}

/// Number of undecided flaws from which on they are counted, and not listed.
const COUNTED_MIN: usize = 4;

fn verdict_row(report: &GaugeReport) -> [String; 4] {
    let flags = &report.gauge.verdict.flags;
    let of = |states: &[FlawState]| -> Vec<&str> {
        let own = flags.iter().filter(|judged| states.contains(&judged.state));
        own.map(|judged| judged.words()).collect()
    };
    if report.gauge.games == 0 {
        let [game, none, open] = [report.game.as_str(), "not played", "-"].map(str::to_owned);
        return [game, none, open, "-".to_owned()];
    }
    let found = of(&[FlawState::Yes]);
    let open = of(&[FlawState::CannotTell, FlawState::DependsOnStrength]);
    let flaws = match (found.len(), open.len()) {
        (0, 0) => "none".to_owned(),
        (0, _) => "none shown".to_owned(),
        _ => found.join(", "),
    };
    let open = match open.len() {
        0 => "-".to_owned(),
        all if all == flags.len() => format!("all {all}"),
        some @ COUNTED_MIN.. => format!("{some} of {}", flags.len()),
        _ => open.join(", "),
    };
    [
        report.game.clone(),
        flaws,
        open,
        report.gauge.solved.as_ref().map_or("not solved".to_owned(), |exact| {
            exact.words().trim_start_matches("with best play ").to_owned()
        }),
    ]
}

fn measure_row(measure: &Measure, games: &[GaugeReport]) -> Vec<Cell> {
    let estimates = games.iter().map(|report| {
        let estimate = report.gauge.measured(measure.name);
        Cell::number(estimate_words(&estimate, measure.unit), estimate.mean)
    });
    std::iter::once(Cell::from(measure.title)).chain(estimates).collect()
}

/// Row of a difference; `None` if one of the games does not have the measure.
fn difference_row(difference: &MeasureDifference) -> Option<[String; 4]> {
    let measure = Measure::named(&difference.measure)?;
    difference.difference.mean?;
    let real = chance_words(difference.real, &difference.difference);
    Some([
        measure.title.to_owned(),
        difference.b.clone(),
        difference_words(difference, measure.unit),
        real.to_owned(),
    ])
}

fn difference_words(difference: &MeasureDifference, unit: Unit) -> String {
    let estimate = difference.difference;
    match unit {
        Unit::Share => {
            let percent = |x: Option<f64>| x.map(|x| 100.0 * x);
            let mut points = estimate;
            (points.mean, points.low, points.high) =
                (percent(estimate.mean), percent(estimate.low), percent(estimate.high));
            format!("{} percentage points", bounded_words(&points, 0))
        }
        Unit::Plies(digits) => format!("{} plies", bounded_words(&estimate, digits)),
        Unit::Number(digits) => bounded_words(&estimate, digits),
        Unit::Elo => bounded_words(&estimate, 0),
    }
}
