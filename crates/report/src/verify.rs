//! The report of a check of a solution file as text.

use std::fmt::Write;

use treegauge_solve::report::VerifyReport;
use treegauge_solve::verify::UNSEEN;

/// The report of a check as text.
#[must_use]
pub fn verify_text(report: &VerifyReport) -> String {
    let mut text = String::new();
    let (positions, moves) = (report.positions, report.moves);
    if report.ok {
        let _ = writeln!(
            text,
            "{}: right. All {positions} positions agree with the rules and, by {moves} moves, with \
             each other; they are all that can be reached.",
            report.game
        );
    } else {
        let mismatches = match report.mismatch_count {
            1 => "1 mismatch".to_owned(),
            count => format!("{count} mismatches"),
        };
        let _ = writeln!(text, "{}: WRONG, {mismatches} in {positions} positions.", report.game);
        for row in &report.mismatches {
            let at = row.position.as_ref().map_or(String::new(), |at| format!("{at}: "));
            let _ = writeln!(text, "  {at}{}", row.words);
        }
    }
    let _ = writeln!(text, "\n{UNSEEN}");
    text
}
