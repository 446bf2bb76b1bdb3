//! Picture of a dataset: the results of its games.

use treegauge_dataset::collect::DatasetReport;
use treegauge_doc::{Figure, Svg};

use super::card::{BLUE, Card, GREY, RED};
use super::parts::BarRow;
use crate::boards::Boards;
use crate::words::{counted_grouped, per_move};

pub(crate) fn picture(report: &DatasetReport, _: &dyn Boards) -> Option<Figure> {
    let mut sorted: Vec<_> = report.games.iter().filter(|game| game.instances > 0).collect();
    sorted.sort_by(|a, b| a.game.cmp(&b.game));
    let rows = sorted.into_iter().map(|game| {
        let results = [game.first_wins, game.draws, game.second_wins];
        let of = |n: u64| n as f64 / game.instances as f64;
        let parts = results.into_iter().zip([BLUE, GREY, RED]);
        let [first, draws, second] = results.map(|n| format!("{:.0}%", 100.0 * of(n)));
        BarRow {
            name: game.game.clone(),
            words: format!("{first} / {draws} / {second}"),
            parts: parts.map(|(n, colour)| (of(n), colour)).collect(),
        }
    });
    let rows: Vec<BarRow> = rows.collect();
    if rows.is_empty() {
        return None;
    }
    let mut card = Card::new("Search trees of self-play", &Svg::default());
    if report.missing > 0 {
        card.note(&format!("INCOMPLETE: {} missing.", counted_grouped(report.missing, "instance")));
    }
    card.heading("Results of the games");
    card.bars(&rows, 1.0, "game");
    card.space(4.0);
    card.legend(&[(BLUE, "first player wins"), (GREY, "draws"), (RED, "second player wins")]);
    let instances: u64 = report.games.iter().map(|game| game.instances).sum();
    card.finish(&format!(
        "{} at {}, seed {}",
        counted_grouped(instances, "game"),
        per_move(report.iterations),
        report.seed
    ))
}
