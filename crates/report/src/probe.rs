//! Report of one position of a solution.

use std::fmt::Write;

use treegauge_doc::{Block, Board, Cell, Column, Doc, Table};
use treegauge_solve::Value;
use treegauge_solve::report::ProbeReport;

use crate::boards::{Boards, Document};
use crate::words::{endless_words, value_sentence};

impl Document for ProbeReport {
    fn game(&self) -> Option<&str> {
        Some(&self.game)
    }

    fn doc(&self, boards: &dyn Boards) -> Doc {
        let mut doc = Doc::new(format!("a position of {}", self.game));
        doc.push(Block::Terminal(vec![Block::Preformatted(probe_text(self, boards))]));
        let board = Board::alone(self.position.as_str(), boards.svg(&self.position));
        let mut blocks = vec![
            Block::heading(1, self.game.as_str()),
            board.into(),
            Block::text(value_words(self)),
        ];
        blocks.extend(endless_words(self.endless).map(Block::text));
        if !self.moves.is_empty() {
            let columns =
                [Column::left("move"), Column::left("value"), Column::right("plies to the end")];
            let mut table = Table::new("moves", columns);
            for row in &self.moves {
                let plies = row
                    .remoteness
                    .map_or_else(|| Cell::number("", None), |plies| Cell::count(u64::from(plies)));
                table.push([Cell::from(row.m.as_str()), Cell::from(row.words.as_str()), plies]);
            }
            blocks.push(table.into());
        }
        doc.push(Block::Pages(blocks));
        doc
    }
}

/// Text for a terminal.
fn probe_text(report: &ProbeReport, boards: &dyn Boards) -> String {
    let board = boards.text(&report.position);
    let mut text = format!("{}\n{board}\n{}\n", report.game, value_words(report));
    if let Some(words) = endless_words(report.endless) {
        let _ = writeln!(text, "{words}");
    }
    if !report.moves.is_empty() {
        text += "\nMoves, best first, with the plies to the end:\n";
    }
    let width = report.moves.iter().map(|row| row.m.len()).max().unwrap_or(0) + 2;
    for row in &report.moves {
        let _ = writeln!(text, "{:>width$}  {}", row.m, row.words);
    }
    text
}

/// Value of the position, in a sentence.
fn value_words(report: &ProbeReport) -> String {
    // Only finished positions have remoteness 0.
    if report.remoteness != Some(0) {
        return match report.valued() {
            Some(valued) => {
                value_sentence(report.turn, valued, report.endless, report.by_history, report.limit)
            }
            None => "The value of the position is not known.".to_owned(),
        };
    }
    let winner = match report.value {
        Value::Win => report.turn,
        Value::Lose => report.turn.other(),
        Value::Tie | Value::Draw => return "The game is over: the game is drawn.".to_owned(),
    };
    format!("The game is over: the {winner} player has won.")
}
