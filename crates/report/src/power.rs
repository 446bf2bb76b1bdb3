//! Report of the number of games that a comparison needs.

use treegauge_doc::{Block, Cell, Column, Doc, Table, Tone, Words};
use treegauge_stats::{PairSpread, Power, PowerReport, elo};
use treegauge_store::GAMES_MAX;

use crate::boards::{Boards, Document};
use crate::lead::reasons;
use crate::words::{command, count_cell, counted_grouped};

impl Document for PowerReport {
    fn doc(&self, _: &dyn Boards) -> Doc {
        let gap = share(self.table.gap);
        let score = share(0.5 + self.table.gap);
        let points =
            elo(0.5 + self.table.gap).map_or(String::new(), |elo| format!(" or {elo:.0} Elo"));
        let mut doc = Doc::new("games needed");
        doc.push(Block::PagesOnly(vec![Block::heading(1, "Games needed to see a difference")]));
        let usual = self.table.rows.iter().find(|row| row.power == Power::DEFAULT);
        if let Some(row) = usual {
            let games = counted_grouped(row.games, "game");
            let lead = format!(
                "A match of {games} shows with probability {} which player is better, if the true \
                 score of one is {score}, {gap}{points} above an even score.",
                share(row.power)
            );
            doc.push(Block::TextOnly(vec![Block::text(lead.as_str())]));
            let [headline, lead] = [format!("Play {games}"), lead].map(Words::from);
            doc.push(Block::Verdict { tone: Tone::Undecided, headline, lead, points: Vec::new() });
        }
        let spread = match self.table.spread {
            PairSpread::Assumed { draw_rate, correlation } => format!(
                "Assumed: {} of the games are drawn, and a player's points in the two games of a \
                 pair have a correlation of {correlation}; the record of some games would give both.",
                share(draw_rate)
            ),
            PairSpread::Measured { design_effect } => format!(
                "The variance is measured from the {} of the record: it is {} of the variance of pairs \
                 that one player wins or loses as a whole.",
                counted_grouped(self.measured_pairs.unwrap_or_default(), "pair"),
                share(design_effect)
            ),
        };
        let is_assumed = matches!(self.table.spread, PairSpread::Assumed { .. });
        if !is_assumed {
            doc.push(Block::note(spread.as_str()));
        }
        let titles = ["with probability", "games", "pairs"];
        let mut games = Table::new("games", titles.map(Column::right));
        for row in &self.table.rows {
            games.push([
                Cell::number(share(row.power), Some(row.power)),
                count_cell(row.games),
                count_cell(row.pairs),
            ]);
        }
        doc.push(games);
        let by_games = || self.smallest_gaps.chunk_by(|a, b| a.games == b.games);
        let powers = by_games().next().unwrap_or_default().iter().map(|cell| share(cell.power));
        let titles = ["games".to_owned()].into_iter().chain(powers);
        let mut gaps = Table::new("gaps", titles.map(Column::right));
        for row in by_games() {
            let gap = |gap: Option<f64>| {
                let words = |gap: f64| format!("{:.2}%", 100.0 * gap);
                Cell::number(gap.map_or("none".to_owned(), words), gap)
            };
            let games = count_cell(row[0].games);
            gaps.push([games].into_iter().chain(row.iter().map(|cell| gap(cell.gap))));
        }
        let to_see = format!(
            "A match shows that a player is better if the 95% interval of the score does not contain 50%. \
             A gap of {gap} is a true score of {score} against {}.",
            share(0.5 - self.table.gap)
        );
        let sentences = std::iter::once(to_see).chain(is_assumed.then_some(spread)).collect();
        let smallest = Block::text("The smallest gap that a match shows with probability:");
        doc.extend(reasons(sentences, vec![smallest, gaps.into()]));
        if let Some(row) = usual.filter(|row| row.games <= u64::from(GAMES_MAX)) {
            let games = row.games.to_string();
            let players = ["connect_four", "uct(iterations=50)", "uct(iterations=100)"];
            let command = command("match", &[&players[..], &["--games", &games]].concat());
            doc.next(format!("{command} plays as many games; put in your game and players."));
        }
        doc
    }
}

/// Share in percent, rounded to a hundredth.
fn share(share: f64) -> String {
    let percent = (10_000.0 * share).round() / 100.0;
    format!("{percent}%")
}
