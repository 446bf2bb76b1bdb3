//! The reports of single searches.

use std::cmp::Reverse;
use std::fmt::Write;

use treegauge_search::{Expansion, FEATURES, Merge, MoveCounts, Stopped, UctVariant};
use treegauge_study::{AlphaBetaSearchReport, Proved, ProvedSearch, SearchReport, SearchedMove};

use crate::words::{counted, plies};
use treegauge_doc::plain_table;

/// Moves that [`search_text`] lists by default.
pub const TOP_MOVES: usize = 20;

/// The whole report of a UCT search, with the `top` most visited moves.
#[must_use]
pub fn search_text(report: &SearchReport, top: usize) -> String {
    let mut text = format!(
        "{} from {}\n{}, {}, seed {}, C_p {:.4}{}\n\n",
        report.game,
        report.position,
        counted(report.iterations, "iteration"),
        counted(report.nodes, "node"),
        report.seed,
        report.cp,
        variant_words(report.expansion, report.variant)
    );
    if let Some(proved) = &report.proved {
        let _ = writeln!(text, "{}\n", proved_words(proved));
    }
    let stopped = match report.stopped {
        Stopped::Nodes => "The search stopped early: the tree reached its limit of nodes.\n\n",
        Stopped::Memory => "The search stopped early: the tree reached its limit of memory.\n\n",
        Stopped::Caller => "INCOMPLETE: the search was interrupted.\n\n",
        _ => "",
    };
    text.push_str(stopped);
    let mut rows: Vec<&SearchedMove> = report.moves.iter().collect();
    rows.sort_by_key(|row| Reverse(row.visits));
    let is_best = |row: &SearchedMove| Some(&row.m) == report.best_move.as_ref();
    // The move to play is listed in any case.
    let last = rows.iter().position(|row| is_best(row)).filter(|&place| place >= top);
    let listed: Vec<&SearchedMove> =
        rows.iter().take(top).copied().chain(last.map(|place| rows[place])).collect();
    let hidden = rows.len() - listed.len();
    let moves = listed.into_iter().map(|row| {
        let value = match (row.proved, row.mean_score) {
            (Some(proved), _) => result_word(proved).to_owned(),
            (None, Some(value)) => format!("{value:+.3}"),
            (None, None) => "untried".to_owned(),
        };
        let mark = if is_best(row) { " *" } else { "" };
        [format!("{}{mark}", row.m), row.visits.to_string(), value]
    });
    text.push_str(&plain_table(["move", "visits", "value"], moves, 1..3));
    if hidden > 0 {
        let hidden = counted(hidden as u64, "more move");
        let _ = writeln!(text, "{hidden}");
    }
    let UctVariant { merge, counts, solver, .. } = report.variant;
    let is_web = merge != Merge::None;
    let _ = writeln!(
        text,
        "\n* best value, the move to play; values are for the {} player, -1 to 1{}{}\n",
        report.turn,
        if solver { "; win, loss, draw: proved" } else { "" },
        if is_web && counts == MoveCounts::Node {
            "; moves to the same node share its visits"
        } else {
            ""
        }
    );
    let features = FEATURES.iter().map(|feature| {
        let value = (feature.of)(&report.features);
        [feature.name, &format!("{value:.4}"), feature.unit, feature.meaning].map(str::to_owned)
    });
    let tree = if is_web { "web" } else { "tree" };
    let first = if report.variant.threads > 1 { "first " } else { "" };
    let what = format!("shape of the {first}{tree}");
    text.push_str(&plain_table([what.as_str(), "value", "unit", ""], features, 1..2));
    text
}

/// How a search differs from that of Williams 2010, behind other facts; nothing where it does not.
#[must_use]
pub fn variant_words(expansion: Expansion, variant: UctVariant) -> String {
    let mut text = String::new();
    if expansion == Expansion::Random {
        text.push_str(", expansion=random");
    }
    if variant != UctVariant::default() {
        let _ = write!(text, ", {variant}");
    }
    text
}

/// A proved result for the player whose values are given.
fn result_word(proved: Proved) -> &'static str {
    match proved {
        Proved::Win => "win",
        Proved::Lose => "loss",
        Proved::Tie => "draw",
    }
}

/// What a solver proved, in a sentence or two.
pub(crate) fn proved_words(proved: &ProvedSearch) -> String {
    let result = match proved.result {
        Proved::Win => "the player to move wins by force",
        Proved::Lose => "the player to move loses by force",
        Proved::Tie => "neither player can win by force, and the game is a draw",
    };
    let limits = match proved.has_limits {
        true => " The proof ignores repetitions and limits of plies.",
        false => "",
    };
    format!(
        "Proved: {result}, for example by {} ({}).{limits}",
        proved.line.join(" "),
        plies(proved.line.len() as u32)
    )
}

/// The whole report of an alpha-beta search.
#[must_use]
pub fn alphabeta_search_text(report: &AlphaBetaSearchReport) -> String {
    let AlphaBetaSearchReport { turn, best_move, .. } = report;
    let mut text = format!(
        "{} from {}\n{}: {} deep, {}\n\n",
        report.game,
        report.position,
        report.player,
        plies(report.depth),
        counted(report.nodes, "node")
    );
    if report.depth == 0 {
        text.push_str("The search ended before it had completed one ply.\n");
    }
    let end = report.plies_to_end.map_or(String::new(), |n| format!(" in {}", plies(n)));
    let prospect = match (report.decided, report.value) {
        (Some(Proved::Win), _) => format!("wins{end}, against any defence"),
        (Some(Proved::Lose), _) => format!("loses{end} at best"),
        (Some(Proved::Tie), _) => "can force a draw at best".to_owned(),
        (None, Some(value)) => format!("has a value of {value:+} by this evaluation"),
        // The search ended in the middle of an iteration.
        (None, None) => format!("loses{end} with it; not every other move was searched"),
    };
    let _ = writeln!(text, "The {turn} player should play {best_move}, and {prospect}.");
    if !report.principal_variation.is_empty() {
        let _ = writeln!(text, "best line: {}", report.principal_variation.join(" "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_names_what_it_ignores_only_where_the_game_has_it() {
        let line = vec!["a1".to_owned()];
        let words = |has_limits| {
            proved_words(&ProvedSearch { result: Proved::Win, line: line.clone(), has_limits })
        };
        let proved = "Proved: the player to move wins by force, for example by a1 (1 ply).";
        assert_eq!(words(false), proved);
        assert_eq!(
            words(true),
            format!("{proved} The proof ignores repetitions and limits of plies.")
        );
    }
}
