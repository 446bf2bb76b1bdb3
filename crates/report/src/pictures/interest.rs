//! Pictures of interestingness: the wins by their plies, and the most interesting position.

use treegauge_doc::{Figure, Tone};
use treegauge_solve::report::{InterestReport, KeptPositionReport, WinsOfRemoteness};

use super::card::{BLUE, Card, RED};
use super::parts::{Curve, Curves};
use crate::boards::Boards;
use crate::interest::{has_words, lead, percent, place_words};
use crate::words::counted_grouped;

pub(crate) fn picture(report: &InterestReport, boards: &dyn Boards) -> Option<Figure> {
    let analysis = &report.analysis;
    let most = analysis.most_interesting.as_ref();
    let shown = most.unwrap_or(&analysis.start);
    let mut card = Card::new(&analysis.game, &boards.svg(&shown.position));
    let headline = match most {
        Some(most) => format!("Most interesting: {}", percent(most.interestingness)),
        None => "No position is a win".to_owned(),
    };
    card.verdict(Tone::Good, &headline, &lead(analysis));
    let plies = |row: &WinsOfRemoteness| f64::from(row.most.remoteness.unwrap_or_default());
    let rows = &analysis.by_remoteness;
    let points = |of: fn(&WinsOfRemoteness) -> f64| {
        rows.iter().map(|row| (plies(row), of(row))).collect::<Vec<_>>()
    };
    if !rows.is_empty() {
        let maximum = Curve { name: "greatest", colour: RED, points: points(|row| row.max) };
        let mean = Curve { name: "mean", colour: BLUE, points: points(|row| row.mean) };
        card.curves(&Curves {
            curves: vec![mean, maximum],
            height: 190.0,
            x: "plies to the win",
            y: "interestingness of won positions",
        });
    }
    card.finish(&counted_grouped(analysis.positions, "position"))
}

/// A single position with the reasons for its interestingness.
pub(crate) fn position(report: &KeptPositionReport, boards: &dyn Boards) -> Option<Figure> {
    let KeptPositionReport { game, options, position, .. } = report;
    let mut card = Card::with_board(game, &boards.svg(&position.position), 300.0);
    let headline = format!("Interestingness {}", percent(position.interestingness));
    card.verdict(Tone::Good, &headline, &format!("{}.", has_words(position)));
    place_words(position, *options).iter().for_each(|words| card.note(words));
    card.finish(&position.position)
}
