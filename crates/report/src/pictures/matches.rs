//! Picture of a match: the score of a, and the pairs by the points of a.

use treegauge_doc::{Figure, Svg};
use treegauge_matches::MatchReport;

use super::card::{BLUE, Card, GREY};
use super::parts::{Column, Columns, Intervals, Row, Scale};
use crate::boards::Boards;
use crate::estimates::score_words;
use crate::matches::{headline, incomplete_words, verdict_words};
use crate::words::counted_grouped;

pub(crate) fn picture(report: &MatchReport, _: &dyn Boards) -> Option<Figure> {
    let comparison = &report.summary.comparison;
    let mut card = Card::new(&report.game, &Svg::default());
    card.note(&format!("a: {}", report.a));
    card.note(&format!("b: {}", report.b));
    let (tone, headline) = headline(report);
    card.verdict(tone, headline, &verdict_words(report));
    if let Some(words) = incomplete_words(report.summary.missing) {
        card.note(&words);
    }
    let rows =
        [("score of a", comparison.score, BLUE), ("first mover", comparison.first_mover, GREY)];
    let rows: Vec<Row> = rows
        .into_iter()
        .filter(|(_, estimate, _)| estimate.mean.is_some())
        .map(|(name, estimate, colour)| Row {
            name: name.to_owned(),
            words: score_words(&estimate),
            estimate,
            colour,
        })
        .collect();
    if !rows.is_empty() {
        card.space(8.0);
        card.intervals(&Intervals {
            rows,
            scale: Scale::shares(),
            line: Some(0.5),
            unit: "share of the points, with its 95% interval",
            thing: "share",
        });
    }
    if comparison.pairs > 0 {
        card.space(8.0);
        let counts = comparison.pentanomial.0;
        let columns =
            ["0", "1/2", "1", "3/2", "2"].into_iter().zip(counts).map(|(points, count)| Column {
                label: points.to_owned(),
                above: Some(count.to_string()),
                parts: vec![(count as f64, BLUE)],
            });
        let y = counted_grouped(comparison.pairs, "pair") + " of games";
        let x = "points of a in a pair";
        let columns = columns.collect();
        card.columns(&Columns { columns, shares: false, height: 120.0, x, y: &y });
        let counts = counts.map(|count| count.to_string()).join(", ");
        card.say(format!("Pairs in which a made 0, 1/2, 1, 3/2 and 2 points: {counts}"));
    }
    card.finish(&format!("{}, seed {}", counted_grouped(comparison.games, "game"), report.seed))
}
