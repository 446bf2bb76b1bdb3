//! Picture of a comparison: a row of small charts for each variant.

use treegauge_doc::{Figure, Svg, Tone};
use treegauge_gauge::{CompareReport, Gauge};

use super::card::Card;
use super::gauge::{CHART_WORDS, measure_words};
use crate::boards::Boards;
use crate::gauge::{PICTURED_HEIGHT, headline, pictured_by_strength};
use crate::words::{counted_grouped, per_move};

/// Greatest number of shown variants. More would make the picture too tall.
const VARIANTS_MAX: usize = 8;

pub(crate) fn picture(report: &CompareReport, _: &dyn Boards) -> Option<Figure> {
    let first = report.games.first()?;
    let title = format!("{} compared", counted_grouped(report.games.len() as u64, "variant"));
    let mut card = Card::new(&title, &Svg::default());
    card.verdict(Tone::Good, "", &report.sentences.join(" "));
    if report.incomplete() {
        card.note("INCOMPLETE: not all games are over.");
    }
    let gauges: Vec<&Gauge> = report.games.iter().map(|game| &game.gauge).collect();
    let charts = pictured_by_strength(&gauges);
    for (game, charts) in report.games.iter().zip(charts).take(VARIANTS_MAX) {
        let (tone, headline) = headline(&game.gauge);
        card.space(10.0);
        card.judged(game.title.as_ref().unwrap_or(&game.game), tone, &headline);
        if !charts.is_empty() {
            card.side_by_side(&charts, PICTURED_HEIGHT);
        }
        for name in ["first_player", "draw_rate", "plies.median"] {
            card.say(measure_words(game, name));
        }
    }
    card.space(4.0);
    card.more(report.games.len().saturating_sub(VARIANTS_MAX), "variant");
    card.note(CHART_WORDS);
    let gauge = &first.gauge;
    card.finish(&format!(
        "{} each at {}, seed {}",
        counted_grouped(gauge.games_planned, "game"),
        per_move(gauge.iterations),
        gauge.seed
    ))
}
