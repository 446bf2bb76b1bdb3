//! The report of a gauge.

mod charts;
mod html;
mod text;

use treegauge_study::stats::Estimate;
use treegauge_study::{Gauge, GaugeReport};

use crate::estimates::{Unit, estimate_words};
use crate::words::counted;

pub use html::gauge_html;
pub use text::gauge_text;

/// How the games were played, in one sentence or two.
fn how_played(report: &GaugeReport) -> String {
    let gauge = &report.gauge;
    let opening = match gauge.opening_plies {
        0 => "no random opening: games differ by the chance of the search alone".to_owned(),
        1 => "each game begins with 1 random ply".to_owned(),
        n => format!("each game begins with {n} random plies"),
    };
    let mut text = format!(
        "{} ({} distinct) of a UCT player against itself at {} a move, seed {}, C_p {:.4}; {opening}.",
        counted(gauge.games, "game"),
        gauge.distinct_games,
        counted(gauge.iterations, "iteration"),
        gauge.seed,
        gauge.cp
    );
    if report.moved {
        text.push_str(&format!(" The games begin at {}.", report.position));
    }
    if gauge.games > 1 && 2 * gauge.distinct_games < gauge.games {
        text.push_str(
            " Fewer than half of the games are distinct: the intervals say how surely this player repeats itself, not how the game goes from other openings (--opening-plies varies them).",
        );
    }
    text
}

/// The rows of measurements: name, value with its interval, observations, meaning.
fn measurements(gauge: &Gauge) -> Vec<(&'static str, String, u64, String)> {
    use Unit::{Number, Share};
    let row = |name, estimate: &Estimate, unit, meaning: &str| {
        (name, estimate_words(estimate, unit), estimate.n, meaning.to_owned())
    };
    let mut rows = vec![
        row(
            "first player",
            &gauge.first_player,
            Share,
            "share of the points, a draw counting half",
        ),
        row("draws", &gauge.draw_rate, Share, "share of the games"),
        row("completion", &gauge.completion, Share, "games ended by the rules of the position"),
        row("capped", &gauge.capped, Share, "games ended by the ply cap"),
        row("length", &gauge.plies.mean, Number(1), "mean, plies"),
    ];
    let range = match (gauge.plies.min, gauge.plies.max) {
        (Some(min), Some(max)) => format!("plies; shortest {min}, longest {max}"),
        _ => "plies".to_owned(),
    };
    rows.push(row("median length", &gauge.plies.median_estimate(), Number(0), &range));
    rows.extend([
        row("branching", &gauge.branching, Number(1), "legal moves a ply"),
        row("decision moves", &gauge.decision_moves, Share, "plies with more than one move"),
        row(
            "lead changes",
            &gauge.lead_changes,
            Number(2),
            "a game, from one clear lead to the other",
        ),
        row("drama", &gauge.drama, Number(2), "how far behind winners were, 0 to 1"),
        row(
            "decisiveness",
            &gauge.decisiveness,
            Number(2),
            "how soon decided games were over, 0 to 1",
        ),
    ]);
    rows.push(row(
        "depth of skill",
        &gauge.skill_depth,
        Share,
        &format!("points with {} times the iterations", gauge.skill_factor),
    ));
    rows
}
