//! Report of a solve.

use treegauge_core::Player;
use treegauge_doc::{Block, Board, Cell, Column, Doc, Figure, Table, Tone};
use treegauge_solve::report::{RemotenessCounts, SolveReport, SolvedMargin};
use treegauge_solve::{Endless, Value};

use crate::about_game::{heading, rules, title_of};
use crate::boards::{Boards, Document};
use crate::lead::{notes, reasons, verdict};
use crate::pictures;
use crate::words::{
    command, count_cell, counted_are, counted_grouped, endless_words, grouped, plies,
    value_sentence,
};

/// Greatest number of printed rows of the table. The file and JSON have all of them.
const ROWS_MAX: usize = 60;

impl Document for SolveReport {
    fn game(&self) -> Option<&str> {
        Some(&self.game)
    }

    fn doc(&self, boards: &dyn Boards) -> Doc {
        let title = title_of(&self.game, boards);
        let mut doc = Doc::new(format!("the solution of {title}"));
        doc.push(heading(&title, &self.game));
        let positions = counted_grouped(self.positions, "position");
        let lead = format!("{} {positions} can be reached.", start_words(self));
        let (tone, headline) = headline(self);
        doc.extend(verdict(tone, &headline, &self.game, &lead));
        let mut caveats: Vec<String> = Vec::new();
        caveats.extend(self.margin.as_ref().map(|margin| margin_words(self.turn, margin)));
        caveats.extend(endless_words(self.endless));
        caveats.extend(beyond_words(self));
        doc.extend(notes(caveats));
        doc.push(Board::alone(self.position.as_str(), boards.svg(&self.position)));
        let titles = [Column::left("for the player to move"), Column::right("positions")];
        let mut values = Table::new("values", titles);
        for (name, count) in values_named(self) {
            values.push([Cell::from(name), count_cell(count)]);
        }
        doc.push(values);
        doc.push(Block::fold("Positions by the plies to the end", remoteness_blocks(&self.table)));
        // Pages are the same for all runs.
        let effort = effort(self).map(|words| Block::TextOnly(vec![Block::text(words)]));
        doc.extend(reasons(reason_words(self), effort.into_iter().collect()));
        let (words, does) = match self.file_bytes {
            Some(_) => (command("probe", &["FILE"]), "shows the value of every move"),
            None => (command("puzzles", &[&self.game]), "finds its best hidden wins"),
        };
        doc.extend(rules(boards));
        if self.start.remoteness != Some(0) && (self.file_bytes.is_some() || self.win > 0) {
            doc.next(format!("{words} {does}."));
        }
        doc
    }

    fn picture(&self, boards: &dyn Boards) -> Option<Figure> {
        pictures::solve::picture(self, boards)
    }
}

/// Verdict in a few words, and its colour.
pub(crate) fn headline(report: &SolveReport) -> (Tone, String) {
    let start = &report.start;
    let words = match (start.by_history.unwrap_or(start.value), start.limit) {
        _ if start.remoteness == Some(0) => "Over at the start".to_owned(),
        (_, Some(_)) => return (Tone::Undecided, "Not known".to_owned()),
        (Value::Win, _) => format!("The {} player wins", report.turn),
        (Value::Lose, _) => format!("The {} player wins", report.turn.other()),
        (Value::Tie, _) => "A draw".to_owned(),
        (Value::Draw, _) if start.by_history.is_some() => "A draw".to_owned(),
        (Value::Draw, _) if report.endless == Endless::Undecided => {
            return (Tone::Undecided, "Not known".to_owned());
        }
        (Value::Draw, _) => "Endless play".to_owned(),
    };
    (Tone::Good, words)
}

/// Table of the positions by the plies to the end. A terminal has only its first and last rows.
pub(crate) fn remoteness_blocks(rows: &[RemotenessCounts]) -> Vec<Block> {
    let titles = ["plies to the end", "win", "lose", "tie"];
    let table = |rows: &[RemotenessCounts]| {
        let mut table = Table::new("remoteness", titles.map(Column::right));
        for RemotenessCounts { remoteness, win, lose, tie } in rows {
            table.push([*remoteness, *win, *lose, *tie].map(count_cell));
        }
        table
    };
    let hidden = rows.len().saturating_sub(ROWS_MAX);
    if hidden == 0 {
        return vec![table(rows).into()];
    }
    // The shortest and the longest remotenesses matter most.
    let shown = [&rows[..ROWS_MAX / 2], &rows[ROWS_MAX / 2 + hidden..]].concat();
    let note = format!("{} in the middle are left out.", counted_grouped(hidden as u64, "row"));
    vec![
        Block::TextOnly(vec![table(&shown).into(), Block::note(note)]),
        Block::PagesOnly(vec![table(rows).into()]),
    ]
}

/// Time and memory of the run; `None` if they were not measured.
fn effort(report: &SolveReport) -> Option<String> {
    let memory = report.peak_memory_bytes.map_or(String::new(), |bytes| {
        format!(", at most {:.0} MB of memory", bytes as f64 / f64::from(1 << 20))
    });
    report.cpu_s.map(|cpu_s| format!("{cpu_s:.2} s of CPU time{memory}"))
}

/// Details of the solution.
fn reason_words(report: &SolveReport) -> Vec<String> {
    let mut reasons = Vec::new();
    if let Some(canonical) = report.canonical_positions {
        let positions = counted_grouped(canonical, "position");
        reasons.push(format!("{positions} differ by more than a symmetry."));
    }
    let endless = [("won", report.endless_win), ("lost", report.endless_lose)];
    if endless.iter().any(|(_, count)| *count > 0) {
        let [won, lost] = endless.map(|(result, count)| format!("{} are {result}", grouped(count)));
        reasons.push(format!("By endless play {won} and {lost}."));
    }
    reasons.push(format!("The digest of all values is {}.", report.digest));
    if let Some(bytes) = report.file_bytes {
        let each = bytes as f64 / report.stored_positions as f64;
        let bytes = counted_grouped(bytes, "byte");
        reasons.push(format!("The file has {bytes}, {each:.2} per stored position."));
    }
    reasons
}

/// Numbers of positions by value, each with its name.
fn values_named(report: &SolveReport) -> [(&'static str, u64); 5] {
    let draw = if report.endless == Endless::Undecided { "not known" } else { "endless" };
    [
        ("win", report.win),
        ("lose", report.lose),
        ("tie", report.tie),
        (draw, report.draw),
        ("of all these, over already", report.finished),
    ]
}

/// Sentence about positions farther from the end than the limit of plies without progress; `None`
/// if there are none.
fn beyond_words(report: &SolveReport) -> Option<String> {
    let limit = report.quiet_plies.filter(|_| report.beyond_quiet_plies > 0)?;
    Some(format!(
        "Left out: the rules stop a game after {} without progress, and {} farther from the end \
         than that.",
        plies(limit),
        counted_are(report.beyond_quiet_plies, "position")
    ))
}

/// Winner and margin with best play for the margin, in a sentence.
pub(crate) fn margin_words(turn: Player, margin: &SolvedMargin) -> String {
    let SolvedMargin { points, unit } = margin;
    let winner = match points.signum() {
        0 => return "When both play for the margin, the scores end equal.".to_owned(),
        1 => turn,
        _ => turn.other(),
    };
    let size = points.unsigned_abs();
    format!("When both play for the margin, the {winner} player wins by {size} {unit}.")
}

/// Value of the start, in a sentence.
pub(crate) fn start_words(report: &SolveReport) -> String {
    let start = &report.start;
    match start.valued() {
        // Only finished positions have remoteness 0.
        Some(_) if start.remoteness == Some(0) => "The game is over at the start.".to_owned(),
        Some(valued) => {
            value_sentence(report.turn, valued, report.endless, start.by_history, start.limit)
        }
        None => "The value of the start is not known.".to_owned(),
    }
}
