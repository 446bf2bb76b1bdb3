//! Picture of a solved game: its value, and the values of positions by the plies to the end.

use treegauge_doc::Figure;
use treegauge_solve::report::{RemotenessCounts, SolveReport};

use super::card::{BLUE, Card, GREY, RED};
use super::parts::{Column, Columns};
use crate::boards::Boards;
use crate::solve::{headline, margin_words, start_words};
use crate::words::{counted_grouped, grouped};

/// Greatest number of bars. Positions of more remotenesses share bars.
const BARS_MAX: usize = 120;

pub(crate) fn picture(report: &SolveReport, boards: &dyn Boards) -> Option<Figure> {
    let mut card = Card::new(&report.game, &boards.svg(&report.position));
    let lead = report.margin.as_ref().map(|margin| margin_words(report.turn, margin));
    let (tone, headline) = headline(report);
    let lead = [start_words(report), lead.unwrap_or_default()].join(" ");
    card.verdict(tone, &headline, lead.trim_end());
    card.note(&format!(
        "{} can be reached: {} won by the player to move, {} lost, {} tied.",
        counted_grouped(report.positions, "position"),
        counted_grouped(report.win, "position"),
        grouped(report.lose),
        grouped(report.tie)
    ));
    let each = report.table.len().div_ceil(BARS_MAX).max(1);
    let columns: Vec<Column> = report.table.chunks(each).filter_map(column).collect();
    if !columns.is_empty() {
        let (x, y) = ("plies to the end with best play", "share of the positions");
        card.columns(&Columns { columns, shares: true, height: 170.0, x, y });
        card.legend(&[(BLUE, "won by the player to move"), (RED, "lost"), (GREY, "tied")]);
    }
    card.finish(&format!("digest {}", report.digest))
}

/// Shares of the values at some remotenesses; `None` if there are no positions.
fn column(rows: &[RemotenessCounts]) -> Option<Column> {
    let sum = |of: fn(&RemotenessCounts) -> u64| rows.iter().map(|row| of(row) as f64).sum::<f64>();
    let [win, lose, tie] = [sum(|row| row.win), sum(|row| row.lose), sum(|row| row.tie)];
    let all = win + lose + tie;
    let label = rows.first()?.remoteness.to_string();
    let parts = vec![(win / all, BLUE), (lose / all, RED), (tie / all, GREY)];
    (all > 0.0).then_some(Column { label, above: None, parts })
}
