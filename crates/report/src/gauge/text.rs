//! The report of a gauge for the terminal.

use std::fmt::Write;

use treegauge_search::FEATURES;
use treegauge_study::{FeatureSummary, FlagState, GaugeReport};

use super::{by_strength, exact_words, how_played, measurements};
use crate::table::table;

/// The whole report.
#[must_use]
pub fn gauge_text(report: &GaugeReport) -> String {
    let gauge = &report.gauge;
    let mut text = String::new();
    if gauge.incomplete {
        text.push_str("INCOMPLETE: the run was stopped before all games were over.\n\n");
    }
    let _ = writeln!(text, "{}: {}\n", report.game, gauge.verdict.sentence);
    if let Some(exact) = exact_words(gauge) {
        let _ = writeln!(text, "{exact}\n");
    }
    let _ = writeln!(text, "{}\n", how_played(report));

    if gauge.games == 0 && gauge.measured("skill_depth").n == 0 {
        return text;
    }
    let flaws = gauge.verdict.flags.iter().map(|judged| {
        [judged.words().to_owned(), state_words(judged.state).to_owned(), judged.why.clone()]
    });
    text.push_str(&table(["flaw", "", "measured"], flaws, 0..0));
    text.push('\n');

    if let Some((header, rows)) = by_strength(gauge) {
        let columns = header.len();
        text.push_str(&table(header, rows, 0..columns));
        text.push('\n');
    }

    let rows = measurements(gauge)
        .into_iter()
        .map(|(name, value, n, meaning)| [name.to_owned(), value, n.to_string(), meaning]);
    text.push_str(&table(["measure", "value (95 % interval)", "n", ""], rows, 2..3));
    text.push('\n');

    if gauge.tree.trees > 0 {
        let header = [
            "shape of the trees",
            "unit",
            "mean (95 % interval)",
            "variance",
            "min",
            "max",
            "mean (first player)",
            "mean (second player)",
        ];
        let rows = FEATURES.iter().map(|feature| {
            let all = gauge.tree.get(feature.name);
            let [first, second] =
                gauge.tree_by_player.each_ref().map(|tree| tree.get(feature.name));
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
        text.push_str(&table(header, rows, 2..8));
        let _ = writeln!(
            text,
            "\n{} trees, one per move; the intervals count the games, in which trees are alike.",
            gauge.tree.trees
        );
    }
    text
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
