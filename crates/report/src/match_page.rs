//! The report of a match as a web page.

use maud::{Markup, html as markup};
use treegauge_study::MatchReport;
use treegauge_study::compare::Pentanomial;

use crate::chart::INK;
use crate::matches::{incomplete_words, notes, players_words, rows, verdict_words};
use crate::page::page;
use crate::words::breakable;

/// The report of a match as a self-contained web page.
#[must_use]
pub fn match_html(report: &MatchReport) -> String {
    let summary = &report.summary;
    let body = markup! {
        h1 { (breakable(&report.game)) }
        p.note { "A match" (players_words(report)) "." }
        @if let Some(words) = incomplete_words(summary.missing) { p.incomplete { (words) } }
        p.verdict { (verdict_words(report)) }
        @if summary.comparison.games > 0 {
            h2 { "What the games show" }
            table {
                tr { th { "measure" } th { "value (95% interval)" } th {} }
                @for (name, value, meaning) in rows(summary) {
                    tr { td { (name) } td { (value) } td.note { (meaning) } }
                }
            }
            @if summary.comparison.pairs > 0 {
                h2 { "The pairs by the points of a" }
                (bars(summary.comparison.pentanomial))
            }
            h2 { "How it was played" }
            ul.note { @for note in notes(report) { li { (note) } } }
        }
    };
    page(&format!("match of {} and {} in {}", report.a, report.b, report.game), &body)
}

/// The pentanomial counts as bars.
fn bars(Pentanomial(counts): Pentanomial) -> Markup {
    const HEIGHT: f64 = 120.0;
    const STEP: u32 = 72;
    let most = counts.into_iter().max().unwrap_or_default().max(1) as f64;
    let bars = ["0", "1/2", "1", "3/2", "2"].into_iter().zip(counts).zip(0u32..);
    let label = |x: f64, y: f64, text: &str| {
        markup! { text x=(x) y=(format!("{y:.1}")) text-anchor="middle" fill="#1d2430" { (text) } }
    };
    markup! {
        figure.paper style="max-width: 420px" {
            svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {} {}", 5 * STEP, HEIGHT + 50.0)) font-family="system-ui, sans-serif" font-size="13" role="img" aria-label="pairs by the points of a" {
                @for ((points, count), n) in bars {
                    @let height = HEIGHT * count as f64 / most;
                    @let x = f64::from(n * STEP);
                    rect x=(x + 10.0) y=(format!("{:.1}", HEIGHT + 20.0 - height)) width="52" height=(format!("{height:.1}")) fill=(INK) {}
                    (label(x + 36.0, HEIGHT + 14.0 - height, &count.to_string()))
                    (label(x + 36.0, HEIGHT + 38.0, points))
                }
            }
        }
    }
}
