//! Report of one position of a solution.

use treegauge_doc::{Board, Cell, Column, Doc, Table, Tone};
use treegauge_solve::report::ProbeReport;
use treegauge_solve::{Endless, Value};

use crate::about_game::{heading, rules, title_of};
use crate::boards::{Boards, Document};
use crate::lead::{notes, verdict};
use crate::words::{command, count_cell, endless_words, value_sentence};

impl Document for ProbeReport {
    fn game(&self) -> Option<&str> {
        Some(&self.game)
    }

    fn doc(&self, boards: &dyn Boards) -> Doc {
        let title = title_of(&self.game, boards);
        let mut doc = Doc::new(format!("a position of {title}"));
        doc.push(heading(&title, &self.game));
        let (tone, headline) = headline(self);
        doc.extend(verdict(tone, headline, &self.game, &value_words(self)));
        doc.extend(notes(endless_words(self.endless).into_iter().collect()));
        let board = Board {
            text: boards.text(&self.position),
            ..Board::alone(self.position.as_str(), boards.svg(&self.position))
        };
        doc.push(board);
        if self.moves.is_empty() {
            doc.extend(rules(boards));
            return doc;
        }
        let columns =
            [Column::left("move"), Column::left("value"), Column::right("plies to the end")];
        let mut table = Table::new("moves", columns);
        for row in &self.moves {
            let plies = row
                .remoteness
                .map_or_else(|| Cell::number("", None), |plies| count_cell(u64::from(plies)));
            table.push([Cell::from(row.m.as_str()), Cell::from(row.words.as_str()), plies]);
        }
        doc.push(table).extend(rules(boards));
        let arguments = ["FILE", "--position", &self.position];
        let play = command("play", &arguments);
        doc.next(format!("{play} lets you play on against perfect play."));
        doc
    }
}

/// Verdict in a few words, and its colour.
fn headline(report: &ProbeReport) -> (Tone, &'static str) {
    match (report.by_history.unwrap_or(report.value), report.limit) {
        _ if report.remoteness == Some(0) => (Tone::Undecided, "The game is over"),
        (_, Some(_)) => (Tone::Undecided, "Not known"),
        (Value::Win, None) => (Tone::Good, "A win for the player to move"),
        (Value::Lose, None) => (Tone::Bad, "A loss for the player to move"),
        (Value::Tie, None) => (Tone::Undecided, "A tie"),
        (Value::Draw, None) if report.by_history.is_some() => (Tone::Undecided, "A draw"),
        (Value::Draw, None) if report.endless == Endless::Undecided => {
            (Tone::Undecided, "Not known")
        }
        (Value::Draw, None) => (Tone::Undecided, "Endless play"),
    }
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
