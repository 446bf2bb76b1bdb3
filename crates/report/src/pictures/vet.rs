//! Picture of a vetting: the probability that each game is playable, with its interval.

use treegauge_dataset::vet::VetReport;
use treegauge_doc::{Figure, Svg, Tone};
use treegauge_gauge::vetted::Chance;
use treegauge_stats::Estimate;

use super::card::{Card, colour};
use super::parts::{Intervals, Row, Scale, bounded};
use crate::boards::Boards;
use crate::vet::{chance, summary, tone, verdict_words};

pub(crate) fn picture(report: &VetReport, _: &dyn Boards) -> Option<Figure> {
    let mut card = Card::new("Which of these games are playable?", &Svg::default());
    card.verdict(Tone::Undecided, "", &summary(report));
    let rows = report.ranked().into_iter().map(|row| {
        let verdict = verdict_words(row.verdict);
        let (words, estimate) = match row.playable {
            Some(all @ Chance { probability, low, high }) => {
                (format!("{verdict}, {}", chance(all)), bounded(probability, low, high))
            }
            None => (verdict.to_owned(), Estimate::UNRATED),
        };
        let name = row.input.as_ref().unwrap_or(&row.game).clone();
        Row { name, words, estimate, colour: colour(tone(row.verdict)) }
    });
    let rows: Vec<Row> = rows.collect();
    if !report.model.scores.playable.is_empty() && !rows.is_empty() {
        card.space(8.0);
        card.intervals(&Intervals {
            rows,
            scale: Scale::shares(),
            line: Some(0.5),
            unit: "probability that the game is playable, with its 95% interval",
            thing: "game",
        });
    }
    card.finish(&format!("model {}", report.model.name))
}
