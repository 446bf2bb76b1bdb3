//! The report of a comparison of games, as text and as a web page.

use std::fmt::Write;

use maud::{Markup, html as markup};
use treegauge_study::{CompareReport, Difference, Gauge, GaugeReport, MEASURES, Measure, Unit};

use crate::estimates::{bounded_words, chance_words, estimate_words};
use crate::gauge::charts_by_strength;
use crate::page::page;
use crate::search::variant_words;
use crate::words::{breakable, counted, per_move};
use treegauge_doc::Terminal;
use treegauge_doc::plain_table_on;

/// The whole report.
#[must_use]
pub fn compare_text(report: &CompareReport, terminal: Terminal) -> String {
    let mut text = String::new();
    if report.incomplete() {
        text.push_str("INCOMPLETE: the run was stopped before all games were over.\n\n");
    }
    for sentence in &report.sentences {
        let _ = writeln!(text, "{sentence}");
    }
    let _ = writeln!(text, "\n{}\n", how_compared(report));
    let header = ["game", "flaws", "open", "with best play"];
    text.push_str(&plain_table_on(terminal, header, report.games.iter().map(verdict_row), 0..0));
    text.push('\n');
    let header = std::iter::once("measure").chain(report.games.iter().map(|game| &game.game[..]));
    let rows = MEASURES.iter().map(|measure| measure_row(measure, &report.games));
    text.push_str(&plain_table_on(terminal, header.collect::<Vec<_>>(), rows, 0..0));
    text.push('\n');
    let rows = report.differences.iter().filter_map(difference_row);
    text.push_str(&plain_table_on(
        terminal,
        ["difference from the first game", "of", "value (95% interval)", ""],
        rows,
        0..0,
    ));
    text
}

/// The report as one self-contained page.
#[must_use]
pub fn compare_html(report: &CompareReport) -> String {
    let names: Vec<&str> = report.games.iter().map(|game| &game.game[..]).collect();
    let gauges: Vec<&Gauge> = report.games.iter().map(|game| &game.gauge).collect();
    let charts = charts_by_strength(&gauges);
    let body = markup! {
        h1 { (names.join(" | ")) }
        @if report.incomplete() {
            p.incomplete { "Incomplete: the run was stopped before all games were over." }
        }
        div.verdict.sound {
            b { "What the changes do" }
            ul { @for sentence in &report.sentences { li { (sentence) } } }
        }
        p.note { (how_compared(report)) }
        @for (game, charts) in report.games.iter().zip(charts) {
            h3 { (breakable(game.shown_name())) @if game.title.is_some() { " (" (breakable(&game.game)) ")" } }
            p.note { (game.gauge.verdict.sentence) }
            div.strengths { @for chart in charts { figure { (chart) } } }
        }
        h2 { "Measures" }
        (rows_table(
            std::iter::once("measure").chain(names.iter().copied()),
            MEASURES.iter().map(|measure| measure_row(measure, &report.games)),
        ))
        h2 { "Differences from the first game" }
        (rows_table(
            ["measure", "game", "difference (95% interval)", ""].into_iter(),
            report.differences.iter().filter_map(difference_row).map(Vec::from),
        ))
    };
    page(&format!("comparison of {}", names.join(" | ")), &body)
}

fn rows_table<'a>(
    header: impl Iterator<Item = &'a str>,
    rows: impl Iterator<Item = Vec<String>>,
) -> Markup {
    markup! {
        div.wide {
            table {
                tr { @for title in header { th { (title) } } }
                @for row in rows { tr { @for cell in row { td { (cell) } } } }
            }
        }
    }
}

/// How the games were gauged, in a sentence or two.
fn how_compared(report: &CompareReport) -> String {
    let gauge = &report.games[0].gauge;
    format!(
        "Measures are those of {} of a UCT player against itself at {}, seed {}{}, in each variant. A difference is real if it stands out among all {} that are compared (Holm's correction, 95%).",
        counted(gauge.games_planned, "game"),
        per_move(gauge.iterations),
        gauge.seed,
        variant_words(gauge.expansion, gauge.variant),
        report.differences.iter().filter(|difference| difference.difference.mean.is_some()).count()
    )
}

fn verdict_row(report: &GaugeReport) -> [String; 4] {
    use treegauge_study::FlagState;
    let of = |states: &[FlagState]| {
        let judged = report.gauge.verdict.flags.iter();
        let words: Vec<&str> = judged
            .filter(|judged| states.contains(&judged.state))
            .map(|judged| judged.words())
            .collect();
        if words.is_empty() { "-".to_owned() } else { words.join(", ") }
    };
    [
        report.game.clone(),
        of(&[FlagState::Yes]),
        of(&[FlagState::CannotTell, FlagState::DependsOnStrength]),
        report.gauge.solved.as_ref().map_or("not solved".to_owned(), |exact| {
            exact.words().trim_start_matches("with best play ").to_owned()
        }),
    ]
}

fn measure_row(measure: &Measure, games: &[GaugeReport]) -> Vec<String> {
    let estimates = games
        .iter()
        .map(|report| estimate_words(&report.gauge.measured(measure.name), measure.unit));
    std::iter::once(measure.title.to_owned()).chain(estimates).collect()
}

/// Nothing where one of the games does not have the measure.
fn difference_row(difference: &Difference) -> Option<[String; 4]> {
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

fn difference_words(difference: &Difference, unit: Unit) -> String {
    let estimate = difference.difference;
    match unit {
        Unit::Share => {
            let percent = |x: Option<f64>| x.map(|x| 100.0 * x);
            let mut points = estimate;
            (points.mean, points.low, points.high) =
                (percent(estimate.mean), percent(estimate.low), percent(estimate.high));
            format!("{} points of 100", bounded_words(&points, 0))
        }
        Unit::Plies(digits) => format!("{} plies", bounded_words(&estimate, digits)),
        Unit::Number(digits) => bounded_words(&estimate, digits),
        Unit::Elo => bounded_words(&estimate, 0),
    }
}
