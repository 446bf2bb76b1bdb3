//! Report of a solve.

use std::fmt::Write;

use treegauge_core::Player;
use treegauge_doc::{Block, Board, Cell, Column, Doc, Figure, Table};
use treegauge_solve::Endless;
use treegauge_solve::report::{RemotenessCounts, SolveReport, SolvedMargin};

use crate::boards::{Boards, Document};
use crate::pictures;
use crate::words::{counted, counted_are, endless_words, plies, value_sentence};

/// Greatest number of printed rows of the table. The file and JSON have all of them.
const ROWS_MAX: usize = 60;

impl Document for SolveReport {
    fn game(&self) -> Option<&str> {
        Some(&self.game)
    }

    fn doc(&self, boards: &dyn Boards) -> Doc {
        let mut doc = Doc::new(format!("the solution of {}", self.game));
        doc.push(Block::Terminal(vec![Block::Preformatted(solve_text(self))]));
        let board = Board::alone(self.position.as_str(), boards.svg(&self.position));
        let mut blocks = vec![
            Block::heading(1, self.game.as_str()),
            Block::text(start_words(self)),
            board.into(),
        ];
        blocks.extend(
            self.margin.as_ref().map(|margin| Block::text(margin_words(self.turn, margin))),
        );
        blocks.extend(endless_words(self.endless).map(Block::text));
        blocks.extend(beyond_words(self).map(Block::text));
        blocks.push(Block::heading(2, "Positions by their value for the player to move"));
        let mut values = Table::new("values", [Column::left("value"), Column::right("positions")]);
        for (name, count) in values_named(self) {
            values.push([Cell::from(name), Cell::count(count)]);
        }
        blocks.push(values.into());
        blocks.push(Block::heading(2, "Positions by the plies to the end"));
        let titles = ["plies to the end", "win", "lose", "tie"];
        let mut table = Table::new("remoteness", titles.map(Column::right));
        for RemotenessCounts { remoteness, win, lose, tie } in &self.table {
            table.push([*remoteness, *win, *lose, *tie].map(Cell::count));
        }
        blocks.push(table.into());
        blocks.push(Block::note(format!("digest {}", self.digest)));
        doc.push(Block::Pages(blocks));
        doc
    }

    fn picture(&self, boards: &dyn Boards) -> Option<Figure> {
        pictures::solve::picture(self, boards)
    }
}

/// Numbers of positions by value, each with its name.
fn values_named(report: &SolveReport) -> [(&'static str, u64); 5] {
    let draw = if report.endless == Endless::Undecided { "not known" } else { "draw (endless)" };
    [
        ("win", report.win),
        ("lose", report.lose),
        ("tie", report.tie),
        (draw, report.draw),
        ("of these, finished", report.finished),
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

/// Text for a terminal.
fn solve_text(report: &SolveReport) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{}: {}", report.game, start_words(report));
    if let Some(margin) = &report.margin {
        let _ = writeln!(text, "{}", margin_words(report.turn, margin));
    }
    let _ = write!(text, "\n{} can be reached", counted(report.positions, "position"));
    if let Some(canonical) = report.canonical_positions {
        let _ = write!(text, ", {canonical} that no symmetry makes equal");
    }
    let _ = writeln!(text, "; for the player to move:\n");
    for (name, count) in values_named(report) {
        let _ = writeln!(text, "{name:>20} {count:>14}");
    }
    let endless = [("won", report.endless_win), ("lost", report.endless_lose)];
    if endless.iter().any(|(_, count)| *count > 0) {
        let [won, lost] = endless.map(|(result, count)| format!("{count} are {result}"));
        let _ = writeln!(text, "\nBy endless play {won} and {lost}.");
    }
    if let Some(words) = endless_words(report.endless) {
        let _ = writeln!(text, "{words}");
    }
    if let Some(words) = beyond_words(report) {
        let _ = writeln!(text, "\n{words}");
    }
    let _ =
        writeln!(text, "\n{:>20} {:>14} {:>14} {:>14}", "plies to the end", "win", "lose", "tie");
    let hidden = report.table.len().saturating_sub(ROWS_MAX);
    for (n, row) in report.table.iter().enumerate() {
        // The shortest and the longest remotenesses matter most.
        if hidden > 0 && n == ROWS_MAX / 2 {
            let _ = writeln!(text, "{:>20}", format!("({hidden} rows left out)"));
        }
        if hidden == 0 || n < ROWS_MAX / 2 || n >= ROWS_MAX / 2 + hidden {
            let RemotenessCounts { remoteness, win, lose, tie } = row;
            let _ = writeln!(text, "{remoteness:>20} {win:>14} {lose:>14} {tie:>14}");
        }
    }
    let _ = writeln!(text, "\ndigest {}", report.digest);
    if let Some(bytes) = report.file_bytes {
        let each = bytes as f64 / report.stored_positions as f64;
        let _ = writeln!(text, "file of {bytes} bytes, {each:.2} per stored position");
    }
    if let Some(cpu_s) = report.cpu_s {
        let memory = report.peak_memory_bytes.map_or(String::new(), |bytes| {
            format!(", at most {:.0} MB of memory", bytes as f64 / f64::from(1 << 20))
        });
        let _ = writeln!(text, "{cpu_s:.2} s of CPU time{memory}");
    }
    text
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
