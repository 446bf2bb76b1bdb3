//! Report of a check of a solution file.

use treegauge_doc::{Block, Doc, Tone};
use treegauge_solve::report::VerifyReport;
use treegauge_solve::verify::UNSEEN;

use crate::boards::{Boards, Document};
use crate::lead::{notes, reasons};
use crate::words::{command, counted_grouped};

impl Document for VerifyReport {
    fn game(&self) -> Option<&str> {
        Some(&self.game)
    }

    fn doc(&self, _: &dyn Boards) -> Doc {
        let mut doc = Doc::new(format!("a check of the solution of {}", self.game));
        doc.push(Block::PagesOnly(vec![Block::heading(1, self.game.as_str())]));
        let (positions, moves) =
            (counted_grouped(self.positions, "position"), counted_grouped(self.moves, "move"));
        let (tone, headline, lead) = match (self.ok, self.positions) {
            (true, 1) => {
                (Tone::Good, "Right", "The start and its value agree with the rules".to_owned())
            }
            (true, _) => (
                Tone::Good,
                "Right",
                format!("All {positions} agree with the rules and with each other"),
            ),
            (false, _) => {
                let mismatches = counted_grouped(self.mismatch_count, "mismatch");
                (Tone::Bad, "Wrong", format!("{mismatches} in {positions}"))
            }
        };
        let result = if self.ok { "The solution is right. " } else { "The solution is WRONG: " };
        let text = format!("{}: {result}{lead}.", self.game);
        doc.push(Block::TextOnly(vec![Block::text(text)]));
        doc.push(Block::Verdict {
            tone,
            headline: headline.into(),
            lead: format!("{lead}.").into(),
            points: Vec::new(),
        });
        let rows = self.mismatches.iter().map(|row| {
            let at = row.position.as_ref().map_or(String::new(), |at| format!("{at}: "));
            format!("  {at}{}", row.words)
        });
        let rows: Vec<String> = rows.collect();
        doc.extend(notes(rows));
        let all = format!(
            "The check made {moves}. The positions of the file are all those that can be reached."
        );
        let mut sentences: Vec<String> = self.ok.then_some(all).into_iter().collect();
        sentences.push(UNSEEN.replace('\n', " "));
        doc.extend(reasons(sentences, Vec::new()));
        if self.ok {
            doc.next(format!("{} shows the value of every move.", command("probe", &["FILE"])));
        }
        doc
    }
}
