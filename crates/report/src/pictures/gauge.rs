//! Picture of a gauge: the verdict, the board of the start, and three measures by strength.

use treegauge_doc::{Figure, Svg};
use treegauge_gauge::{GaugeReport, HighlightKind, Measure};

use super::card::Card;
use crate::boards::Boards;
use crate::estimates::estimate_words;
use crate::gauge::{
    PICTURED_HEIGHT, headline, lead_and_reasons, pictured_by_strength, without_headline,
};
use crate::words::counted_grouped;

/// Meaning of the marks of the charts.
pub(super) const CHART_WORDS: &str =
    "By the iterations per move of both players, with 95% intervals. Shaded: a flaw.";

pub(crate) fn picture(report: &GaugeReport, boards: &dyn Boards) -> Option<Figure> {
    let gauge = &report.gauge;
    let (board, caption) = board(report, boards);
    let mut card = Card::new(report.shown_name(), &board);
    card.caption(caption);
    let (tone, headline) = headline(gauge);
    card.verdict(tone, &headline, &without_headline(lead_and_reasons(gauge).0, &headline));
    if gauge.incomplete {
        card.note("INCOMPLETE: not all games are over.");
    }
    let charts = pictured_by_strength(&[gauge]).pop().unwrap_or_default();
    if !charts.is_empty() {
        card.space(8.0);
        card.side_by_side(&charts, PICTURED_HEIGHT);
        for name in ["first_player", "draw_rate", "plies.median"] {
            card.say(measure_words(report, name));
        }
        card.space(6.0);
        card.note(CHART_WORDS);
    }
    let games = gauge.ladder.iter().map(|rung| u64::from(rung.games)).sum::<u64>();
    let games = counted_grouped(games.max(u64::from(gauge.games)), "game");
    card.finish(&format!("{games} of a UCT player against itself, seed {}", gauge.seed))
}

/// The start; of a game whose board is empty then, the end of a typical game, which shows more.
fn board(report: &GaugeReport, boards: &dyn Boards) -> (Svg, &'static str) {
    let start = boards.svg(&report.position);
    let is_empty = ["first", "second", "neutral", "drawn", "on-board", "filled"]
        .iter()
        .all(|class| !start.as_str().contains(&format!("class=\"{class}\"")));
    let mut highlights = report.gauge.highlights.iter();
    let typical = highlights.find(|one| one.shown == HighlightKind::Typical);
    let end = typical.and_then(|one| one.turns.last());
    let end = end.filter(|_| is_empty && !start.is_empty()).map(|turn| boards.svg(&turn.position));
    match end.filter(|end| !end.is_empty()) {
        Some(end) => (end, "the end of a typical game"),
        None => (start, "the start"),
    }
}

/// A measure with its interval, in words.
pub(super) fn measure_words(report: &GaugeReport, name: &str) -> String {
    Measure::named(name).map_or_else(String::new, |measure| {
        let estimate = report.gauge.measured(measure.name);
        format!("{}: {}", measure.title, estimate_words(&estimate, measure.unit))
    })
}
