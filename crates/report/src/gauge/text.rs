//! The report of a gauge for the terminal.

use std::fmt::Write;

use treegauge_search::FEATURES;
use treegauge_study::{FeatureSummary, FlagState, GaugeReport, Judged};

use super::known::known_games;
use super::{Measured, by_strength, exact_words, how_played, measurements};
use crate::search::proved_words;
use crate::table::table_on;
use crate::terminal::{Terminal, Tone};
use crate::vet::{unasked_words, vetted_words};
use crate::words::counted;

/// The report without the features of the trees.
#[must_use]
pub fn gauge_text(report: &GaugeReport, terminal: Terminal) -> String {
    let gauge = &report.gauge;
    let mut text = String::new();
    if gauge.incomplete {
        text.push_str("INCOMPLETE: the run was stopped before all games were over.\n\n");
    }
    let name = match &report.title {
        Some(title) => format!("{title} ({})", report.game),
        None => report.game.clone(),
    };
    let _ = writeln!(text, "{name}: {}\n", gauge.verdict.sentence);
    if let Some(exact) = exact_words(gauge) {
        let _ = writeln!(text, "{exact}\n");
    }
    if let Some(proved) = &report.proved {
        let _ = writeln!(text, "{}\n", proved_words(proved));
    }
    if let Some(vetted) = &report.vetted {
        let _ = writeln!(text, "{}\n", vetted_words(vetted).0);
    }
    if let Some(unasked) = &report.model_unasked {
        let _ = writeln!(text, "{}\n", unasked_words(unasked));
    }
    let _ = writeln!(text, "{}\n", how_played(report));

    if gauge.games == 0 && gauge.measured("skill_depth").n == 0 {
        return text;
    }
    text.push_str(&flaws(report, terminal));
    text.push('\n');

    if let Some((header, rows)) = by_strength(gauge) {
        let columns = header.len();
        text.push_str(&table_on(terminal, header, rows, 0..columns));
        text.push('\n');
    }

    let known = known_games(report);
    let mut header = vec!["measure".to_owned(), "value (95% interval)".to_owned(), "n".to_owned()];
    header.extend(known.as_ref().map(|known| known.title()));
    header.push(String::new());
    let rows = measurements(gauge).into_iter().map(|measured| {
        let Measured { measure, value, n, meaning } = measured;
        let mut row = vec![measure.title.to_owned(), value, n.to_string()];
        row.extend(known.as_ref().map(|known| known.words(measure)));
        row.push(meaning);
        row
    });
    text.push_str(&table_on(terminal, header, rows, 2..3));
    text
}

/// The flaws, each with its state and what was measured.
fn flaws(report: &GaugeReport, terminal: Terminal) -> String {
    let judged = &report.gauge.verdict.flags;
    let rows = judged.iter().map(|judged| {
        [judged.words().to_owned(), state_words(judged.state).to_owned(), judged.why.clone()]
    });
    let mut text = String::new();
    let mut left = &judged[..];
    for line in table_on(terminal, ["flaw", "", "measured"], rows, 0..0).lines() {
        // Colours take no part in the widths of columns, so they come in behind. A row may have
        // several lines, of which the first has the state, unless that is wrapped, too.
        let begins = |judged: &Judged| {
            let state = format!(" {} ", state_words(judged.state));
            let (before, _) = line.split_once(&state)?;
            judged.words().starts_with(before.trim()).then_some(state)
        };
        let found = left.iter().enumerate().find_map(|(n, judged)| Some((n, begins(judged)?)));
        if let Some((n, state)) = found {
            let painted = terminal.paint(state.trim(), tone(left[n].state));
            left = &left[n + 1..];
            let _ = writeln!(text, "{}", line.replacen(&state, &format!(" {painted} "), 1));
        } else {
            let _ = writeln!(text, "{line}");
        }
    }
    text
}

fn tone(state: FlagState) -> Tone {
    match state {
        FlagState::Yes => Tone::Bad,
        FlagState::No => Tone::Good,
        FlagState::CannotTell | FlagState::DependsOnStrength => Tone::Open,
    }
}

/// The features of the trees as a table; nothing without trees.
#[must_use]
pub fn tree_features_text(report: &GaugeReport, terminal: Terminal) -> String {
    let gauge = &report.gauge;
    if gauge.tree.trees == 0 {
        return String::new();
    }
    let header = [
        "shape of the trees",
        "unit",
        "mean (95% interval)",
        "variance",
        "min",
        "max",
        "mean (first player)",
        "mean (second player)",
    ];
    let rows = FEATURES.iter().map(|feature| {
        let all = gauge.tree.get(feature.name);
        let [first, second] = gauge.tree_by_player.each_ref().map(|tree| tree.get(feature.name));
        [
            feature.name.to_owned(),
            feature.unit.to_owned(),
            mean_words(all),
            spread_words(all, |spread| spread.variance),
            spread_words(all, |spread| spread.min),
            spread_words(all, |spread| spread.max),
            spread_words(first, |spread| spread.mean),
            spread_words(second, |spread| spread.mean),
        ]
    });
    format!(
        "{}\n{}, one per move; the intervals count the games, in which trees are alike.\n",
        table_on(terminal, header, rows, 2..8),
        counted(gauge.tree.trees, "tree")
    )
}

/// A state as a word of the table.
pub(super) fn state_words(state: FlagState) -> &'static str {
    match state {
        FlagState::Yes => "YES",
        FlagState::No => "no",
        FlagState::CannotTell => "cannot tell",
        FlagState::DependsOnStrength => "depends on strength",
    }
}

/// A number of a feature; `-` where no tree has one.
pub(super) fn spread_words(
    spread: Option<&FeatureSummary>,
    of: fn(&FeatureSummary) -> f64,
) -> String {
    spread.map_or("-".to_owned(), |spread| number(of(spread)))
}

/// The mean of a feature with its interval; `-` where no tree has one.
pub(super) fn mean_words(spread: Option<&FeatureSummary>) -> String {
    let Some(spread) = spread else { return "-".to_owned() };
    let mean = number(spread.mean);
    match (spread.low, spread.high) {
        (Some(low), Some(high)) => format!("{mean} ({} to {})", number(low), number(high)),
        _ => mean,
    }
}

/// A number with about four digits.
fn number(x: f64) -> String {
    // Adding 0 after rounding leaves no negative zero.
    let x = (x * 1e4).round() / 1e4 + 0.0;
    match x.abs() {
        a if a >= 1_000.0 => format!("{x:.0}"),
        a if a >= 10.0 => format!("{x:.2}"),
        _ => format!("{x:.4}"),
    }
}
