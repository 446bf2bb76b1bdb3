//! The report of a count of move sequences.

use std::fmt::Write;

use treegauge_study::PerftReport;

use crate::words::{counted, plies};

/// The whole report.
#[must_use]
pub fn perft_text(report: &PerftReport) -> String {
    let mut text = String::new();
    for (n, count) in report.counts.iter().enumerate() {
        let _ = writeln!(text, "{:>3} {count:>20}", n + 1);
    }
    if let (Some(rows), Some(count)) = (&report.divide, report.counts.last()) {
        let depth = report.counts.len();
        let _ =
            writeln!(text, "\nof the {} of {}:", counted(*count, "sequence"), plies(depth as u64));
        for row in rows {
            let _ = writeln!(text, "{:>10} {:>20}", row.m, row.count);
        }
    }
    text
}
