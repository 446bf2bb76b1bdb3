//! The report for the terminal.

use std::fmt::Write;

use treegauge_search::FEATURE_NAMES;
use treegauge_study::FlagState;

use super::{how_played, measurements};
use crate::commands::gauge::Report;
use crate::table::table;

/// The whole report.
pub(crate) fn text(report: &Report) -> String {
    let gauge = &report.gauge;
    let mut text = String::new();
    if gauge.incomplete {
        text.push_str("INCOMPLETE: the run was stopped before all games were over.\n\n");
    }
    let _ = writeln!(text, "{}: {}\n", report.game, gauge.verdict.sentence);
    let _ = writeln!(text, "{}\n", how_played(report));

    if gauge.games == 0 && gauge.skill_depth.n == 0 {
        return text;
    }
    let faults = gauge.verdict.flags.iter().map(|judged| {
        [judged.flag.words().to_owned(), state_words(judged.state).to_owned(), judged.why.clone()]
    });
    text.push_str(&table(["fault", "", "measured"], faults, 0..0));
    text.push('\n');

    let rows = measurements(gauge)
        .into_iter()
        .map(|(name, value, n, meaning)| [name.to_owned(), value, n.to_string(), meaning]);
    text.push_str(&table(["measure", "value (95 % interval)", "n", ""], rows, 2..3));
    text.push('\n');

    if let Some(features) = &gauge.tree.features {
        let of = |player: usize, n: usize| {
            let features = gauge.tree_by_player[player].features;
            features.map_or("-".to_owned(), |features| number(features[n].mean))
        };
        let header = [
            "shape of the trees",
            "mean",
            "variance",
            "min",
            "max",
            "mean, first to move",
            "second to move",
        ];
        let rows = FEATURE_NAMES.iter().enumerate().map(|(n, name)| {
            let all = features[n];
            [
                (*name).to_owned(),
                number(all.mean),
                number(all.variance),
                number(all.min),
                number(all.max),
                of(0, n),
                of(1, n),
            ]
        });
        text.push_str(&table(header, rows, 1..7));
        let _ = writeln!(
            text,
            "\n{} trees, one for each move. `--html FILE` writes all this as a page that explains each measure.",
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
        FlagState::CannotTell => "cannot tell at this budget",
    }
}

/// A number with about four digits.
pub(super) fn number(x: f64) -> String {
    // Adding 0 after rounding leaves no negative zero.
    let x = (x * 1e4).round() / 1e4 + 0.0;
    match x.abs() {
        a if a >= 1_000.0 => format!("{x:.0}"),
        a if a >= 10.0 => format!("{x:.2}"),
        _ => format!("{x:.4}"),
    }
}
