//! Picture of a run of the generator: how many candidates pass each gate.

use treegauge_doc::{Figure, Svg, Tone};
use treegauge_generate::GenerateReport;

use super::card::{BLUE, Card, GREY};
use super::parts::BarRow;
use crate::boards::Boards;
use crate::generate::{lead_words, sound, undecided_words};
use crate::words::grouped;

pub(crate) fn picture(report: &GenerateReport, boards: &dyn Boards) -> Option<Figure> {
    let board =
        report.best.first().map_or_else(Svg::default, |game| boards.start_svg(&game.source));
    let mut card = Card::new("Games that were made", &board);
    let tone = if sound(report) > 0 { Tone::Good } else { Tone::Undecided };
    card.verdict(tone, &lead_words(report), &undecided_words(report).unwrap_or_default());
    let rows: Vec<BarRow> = report
        .gates
        .iter()
        .map(|gate| BarRow {
            name: gate.gate.words().to_owned(),
            words: format!("{} of {} passed", grouped(gate.passed), grouped(gate.entered)),
            parts: vec![
                (gate.passed as f64, BLUE),
                (gate.entered.saturating_sub(gate.passed) as f64, GREY),
            ],
        })
        .collect();
    let full = report.gates.iter().map(|gate| gate.entered as f64).fold(1.0, f64::max);
    card.space(6.0);
    card.heading("Gates: a candidate");
    card.bars(&rows, full, "gate");
    card.space(4.0);
    card.legend(&[(BLUE, "passed"), (GREY, "stopped")]);
    card.finish(&format!("seed {}", report.seed))
}
