//! Report of a check of a solution file, as text.

use std::fmt::Write;

use treegauge_doc::{Block, Doc};
use treegauge_solve::report::VerifyReport;
use treegauge_solve::verify::UNSEEN;

use crate::boards::{Boards, Document};
use crate::words::counted;

impl Document for VerifyReport {
    fn game(&self) -> Option<&str> {
        Some(&self.game)
    }

    fn doc(&self, _: &dyn Boards) -> Doc {
        let mut doc = Doc::new(format!("a check of the solution of {}", self.game));
        doc.push(Block::Pages(vec![Block::heading(1, self.game.as_str())]));
        doc.push(Block::Preformatted(verify_text(self)));
        doc
    }
}

/// Text of the report.
fn verify_text(report: &VerifyReport) -> String {
    let mut text = String::new();
    let (positions, moves) = (report.positions, report.moves);
    if report.ok {
        let _ = writeln!(
            text,
            "{}: right. {} agree with the rules and, by {}, with each other; they are all that can be \
             reached.",
            report.game,
            match positions {
                1 => "The start and its value".to_owned(),
                n => format!("All {}", counted(n, "position")),
            },
            counted(moves, "move")
        );
    } else {
        let mismatches = counted(report.mismatch_count, "mismatch");
        let positions = counted(positions, "position");
        let _ = writeln!(text, "{}: WRONG, {mismatches} in {positions}.", report.game);
        for row in &report.mismatches {
            let at = row.position.as_ref().map_or(String::new(), |at| format!("{at}: "));
            let _ = writeln!(text, "  {at}{}", row.words);
        }
    }
    let _ = writeln!(text, "\n{UNSEEN}");
    text
}
