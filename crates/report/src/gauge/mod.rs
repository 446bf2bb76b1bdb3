//! Report of a gauge.

mod card;
mod charts;
mod doc;
mod known;

use treegauge_doc::{Cell, Column, Table, Wrap};
use treegauge_gauge::{Gauge, GaugeReport, MEASURES, Measure, UnsolvedReason};
use treegauge_search::{Expansion, UctVariant};
use treegauge_solve::size_words;

use crate::estimates::estimate_words;
use crate::search::variant_words;
use crate::words::{counted, plies};

pub(crate) use card::{
    PICTURED_HEIGHT, charts_by_strength, headline, lead_and_reasons, pictured_by_strength,
    without_headline,
};
pub(crate) use doc::again;
pub use doc::{highlight_words, tree_features};

/// Method of play, in a sentence or two.
fn how_played(report: &GaugeReport) -> String {
    let gauge = &report.gauge;
    let opening = match gauge.opening_plies {
        0 => "no random opening: only the randomness of the search makes games differ".to_owned(),
        1 => "each game begins with 1 random ply".to_owned(),
        n => format!("each game begins with {n} random plies"),
    };
    let mut text = format!(
        "{} ({} distinct) of a UCT player against itself at {} per move, seed {}, C_p {:.4}{}; {opening}.",
        counted(gauge.games, "game"),
        gauge.distinct_games,
        counted(gauge.iterations, "iteration"),
        gauge.seed,
        gauge.cp,
        variant_words(gauge.expansion, gauge.variant)
    );
    if gauge.expansion != Expansion::Order || gauge.variant != UctVariant::default() {
        text.push_str(" The known games were measured with plain UCT.");
    }
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

/// Describes in a sentence the exact results of a solve, or why the value is unknown; `None` if the
/// game was too large to solve.
fn exact_words(gauge: &Gauge) -> Option<String> {
    match gauge.unsolved {
        Some(UnsolvedReason::Memory { memory_bytes_needed, memory_bytes_max }) => {
            return Some(format!(
                "Not solved: that takes at least {}, and {} could be used.",
                size_words(memory_bytes_needed),
                size_words(memory_bytes_max)
            ));
        }
        Some(UnsolvedReason::Limit { limit, remoteness }) => {
            let without = remoteness
                .map_or("never end".to_owned(), |plies_| format!("take {}", plies(plies_)));
            return Some(format!(
                "Not solved: the rules stop a game after {limit}, and best play without this limit would {without}."
            ));
        }
        Some(UnsolvedReason::History { positions }) => {
            return Some(format!(
                "Not solved: {} can be reached, and who wins with best play depends on repetition \
                 or quiet plies, and so on the moves before.",
                counted(positions, "position")
            ));
        }
        _ => {}
    }
    let exact = gauge.solved.as_ref()?;
    let mut text = format!(
        "Exactly: {} can be reached; the start has an interestingness of {:.0}%",
        counted(exact.positions, "position"),
        100.0 * exact.interestingness
    );
    if let Some(most) = &exact.most_interesting {
        let plies = most.remoteness.map_or(String::new(), |n| format!("a win in {}, ", plies(n)));
        text.push_str(&format!(
            "; the most interesting position, {plies}has {:.0}%: {}",
            100.0 * most.interestingness,
            most.position
        ));
    }
    Some(text)
}

/// Table of the measures that decide flaws, a row per strength; `None` if there is only one
/// strength.
fn by_strength(gauge: &Gauge) -> Option<Table> {
    if gauge.ladder.len() < 2 {
        return None;
    }
    let measures: Vec<&Measure> =
        MEASURES.iter().filter(|measure| !measure.judged.is_empty()).collect();
    let titles = ["iterations per move", "games"].into_iter();
    let titles = titles.chain(measures.iter().map(|measure| measure.title));
    let mut table = Table::new("strengths", titles.map(Column::right)).wrapped(Wrap::Scroll);
    for rung in &gauge.ladder {
        let estimates = measures.iter().map(|measure| {
            let estimate = rung.measures.get(measure.name);
            Cell::number(estimate_words(&estimate, measure.unit), estimate.mean)
        });
        let counts = [u64::from(rung.iterations), u64::from(rung.games)].map(Cell::count);
        table.push(counts.into_iter().chain(estimates));
    }
    Some(table)
}
