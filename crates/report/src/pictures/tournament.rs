//! Picture of a tournament: the ratings of the players with their intervals.

use treegauge_doc::{Figure, Svg};
use treegauge_matches::TournamentReport;
use treegauge_stats::Ratings;

use super::card::{BLUE, Card};
use super::parts::{Intervals, Row, Scale};
use crate::boards::Boards;
use crate::estimates::bounded_words;
use crate::matches::incomplete_words;
use crate::ticks::Quantity;
use crate::tournament::{headline, verdict_words};
use crate::words::counted_grouped;

pub(crate) fn picture(report: &TournamentReport, _: &dyn Boards) -> Option<Figure> {
    let mut card = Card::new(&report.game, &Svg::default());
    let (tone, headline) = headline(report);
    card.verdict(tone, headline, &verdict_words(report));
    if let Some(words) = incomplete_words(report.summary.missing) {
        card.note(&words);
    }
    if let Some(ratings) = &report.summary.bradley_terry {
        card.space(8.0);
        card.intervals(&intervals(report, ratings));
    }
    card.finish(&format!("{}, seed {}", counted_grouped(report.summary.games, "game"), report.seed))
}

fn intervals<'a>(report: &TournamentReport, ratings: &Ratings) -> Intervals<'a> {
    let rows: Vec<Row> = ratings
        .best_first()
        .into_iter()
        .map(|player| {
            let estimate = ratings.ratings[player].elo;
            let name = report.players[player].clone();
            Row { name, words: bounded_words(&estimate, 0), estimate, colour: BLUE }
        })
        .collect();
    let ends = rows.iter().flat_map(|row| [row.estimate.mean, row.estimate.low, row.estimate.high]);
    let scale = Scale::around(ends.flatten().chain([0.0]), Quantity::Whole);
    let unit = "Elo, the mean of all players being 0, with simultaneous 95% intervals";
    Intervals { rows, scale, line: Some(0.0), unit, thing: "player" }
}
