//! Report of the number of games that a comparison needs.

use treegauge_doc::{Block, Cell, Column, Doc, Table};
use treegauge_stats::{PowerReport, Spread, elo};

use crate::boards::{Boards, Document};
use crate::words::counted;

impl Document for PowerReport {
    fn doc(&self, _: &dyn Boards) -> Doc {
        let gap = self.table.gap;
        let points = elo(0.5 + gap).map_or(String::new(), |elo| format!(", {elo:.0} Elo"));
        let mut doc = Doc::new("games needed");
        doc.push(Block::Pages(vec![Block::heading(1, "Games needed to see a difference")]));
        doc.push(Block::text(format!(
            "To see a gap of {} ({} against {} of the points{points}):",
            share(gap),
            share(0.5 + gap),
            share(0.5 - gap)
        )));
        let titles = ["with probability", "games", "pairs"];
        let mut games = Table::new("games", titles.map(Column::right));
        for row in &self.table.rows {
            games.push([
                Cell::number(share(row.power), Some(row.power)),
                Cell::count(row.games),
                Cell::count(row.pairs),
            ]);
        }
        doc.push(games);
        doc.push(Block::text("The smallest gap that a match shows with probability:"));
        let by_games = || self.smallest_gaps.chunk_by(|a, b| a.games == b.games);
        let powers = by_games().next().unwrap_or_default().iter().map(|cell| share(cell.power));
        let titles = ["games".to_owned()].into_iter().chain(powers);
        let mut gaps = Table::new("gaps", titles.map(Column::right));
        for row in by_games() {
            let gap = |gap: Option<f64>| {
                let words = |gap: f64| format!("{:.2}%", 100.0 * gap);
                Cell::number(gap.map_or("none".to_owned(), words), gap)
            };
            let games = Cell::count(row[0].games);
            gaps.push([games].into_iter().chain(row.iter().map(|cell| gap(cell.gap))));
        }
        doc.push(gaps);
        let spread = match self.table.spread {
            Spread::Assumed { draw_rate, correlation } => format!(
                "Assumed: {} of the games are drawn, and a player's points in the two games of a \
                 pair have a correlation of {correlation}; the record of some games would give both.",
                share(draw_rate)
            ),
            Spread::Measured { design_effect } => format!(
                "The variance of the points of pairs is taken from the {} of the record: it is {} \
                 of that of pairs which one player wins or loses as a whole.",
                counted(self.measured_pairs.unwrap_or_default(), "pair"),
                share(design_effect)
            ),
        };
        doc.push(Block::note(format!(
            "\"To see\" means that the 95% interval of the score does not contain 50%. {spread}"
        )));
        doc
    }
}

/// Share in percent, rounded to a hundredth.
fn share(share: f64) -> String {
    let percent = (10_000.0 * share).round() / 100.0;
    format!("{percent}%")
}
