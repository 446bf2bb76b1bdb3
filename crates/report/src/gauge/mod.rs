//! The report of a gauge.

mod charts;
mod html;
mod text;

use treegauge_study::{Gauge, GaugeReport, MEASURES, Measure};

use crate::estimates::estimate_words;
use crate::words::counted;

pub use html::gauge_html;
pub use text::gauge_text;

/// How the games were played, in one sentence or two.
fn how_played(report: &GaugeReport) -> String {
    let gauge = &report.gauge;
    let opening = match gauge.opening_plies {
        0 => "no random opening: only the randomness of the search makes games differ".to_owned(),
        1 => "each game begins with 1 random ply".to_owned(),
        n => format!("each game begins with {n} random plies"),
    };
    let mut text = format!(
        "{} ({} distinct) of a UCT player against itself at {} per move, seed {}, C_p {:.4}; {opening}.",
        counted(gauge.games, "game"),
        gauge.distinct_games,
        counted(gauge.iterations, "iteration"),
        gauge.seed,
        gauge.cp
    );
    if report.moved {
        text.push_str(&format!(" The games begin at {}.", report.position));
    }
    if gauge.games > 1 && gauge.distinct_games < gauge.games.div_ceil(2) {
        text.push_str(
            " Fewer than half of the games are distinct: the intervals say how reliably this player repeats itself, not how the game goes from other openings (random openings vary them).",
        );
    }
    text
}

/// The rows of measurements: name, value with its interval, observations, meaning.
fn measurements(gauge: &Gauge) -> Vec<(&'static str, String, u64, String)> {
    let row = |measure: &'static Measure| {
        let estimate = gauge.measured(measure.name);
        let words = estimate_words(&estimate, measure.unit);
        (measure.title, words, estimate.n, gauge.meaning(measure))
    };
    MEASURES.iter().map(row).collect()
}
