//! Chess problems as a worksheet to print, with a key.

use std::sync::LazyLock;

use maud::{Markup, PreEscaped, html as markup};
use treegauge_difficulty::DifficultyReport;
use treegauge_difficulty::chess::board_symbols;
use treegauge_doc::{STYLE, styled};

use super::list::ProblemCard;
use super::page::solution_line;

/// The greatest number of problems on a worksheet.
pub const WORKSHEET_PROBLEMS_MAX: usize = 60;

/// Style of the boards and the key of a worksheet.
pub const WORKSHEET_STYLE: &str = include_str!("../../assets/worksheet.css");

/// Style of a worksheet that is a file of its own.
static STYLE_OF_FILE: LazyLock<String> = LazyLock::new(|| {
    format!("{STYLE}{WORKSHEET_STYLE}{}", include_str!("../../assets/worksheet_file.css"))
});

/// Boards of a worksheet with their numbers and sides to move, and with lines to write on, for a page
/// that has [`board_symbols`] once. Nothing tells how difficult a problem is.
#[must_use]
pub fn worksheet_boards(cards: &[ProblemCard]) -> String {
    boards(cards).into_string()
}

fn boards(cards: &[ProblemCard]) -> Markup {
    markup! {
        ol.sheet {
            @for (n, card) in cards.iter().enumerate() {
                li {
                    (PreEscaped(&card.picture))
                    p { b { (n + 1) } " " (card.side) }
                    p.answer {}
                    p.answer {}
                }
            }
        }
    }
}

/// Key of a worksheet: the solutions of its problems in words, which begin on a page of their own in
/// print, their classes, and why a problem is not sound.
#[must_use]
pub fn worksheet_key(cards: &[ProblemCard], solutions: &[String]) -> String {
    key(cards, solutions).into_string()
}

fn key(cards: &[ProblemCard], solutions: &[String]) -> Markup {
    markup! {
        section.answers {
            h2 { "Solutions" }
            ul.solutions {
                @for (n, (card, solution)) in cards.iter().zip(solutions).enumerate() {
                    li {
                        b { (n + 1) } " " @if solution.is_empty() { "unknown" } @else { (solution) }
                        @if let Some(found) = &card.difficulty { span.note { ", " (found.class.name()) } }
                        @if let Some(flaw) = &card.flaw { span.note { "; " (flaw) } }
                    }
                }
            }
        }
    }
}

/// Worksheet as one HTML file to print: the rows of a report with these indices, in this order, and
/// their key. Rows without a solution are left out; `None` if all are.
#[must_use]
pub fn worksheet_page(report: &DifficultyReport, rows: &[usize]) -> Option<String> {
    let rows = rows.iter().filter_map(|&n| Some((n, report.rows.get(n)?)));
    let rows = rows.filter(|(_, row)| !row.solution.is_empty()).take(WORKSHEET_PROBLEMS_MAX);
    let (cards, solutions): (Vec<ProblemCard>, Vec<String>) =
        rows.map(|(n, row)| (ProblemCard::of(n, row), solution_line(row))).unzip();
    if cards.is_empty() {
        return None;
    }
    let page = markup! {
        svg.symbols width="0" height="0" { (PreEscaped(board_symbols())) }
        p.name { span { "Name" } span { "Date" } }
        h1 { "Find the best move" }
        (boards(&cards))
        (key(&cards, &solutions))
    };
    Some(styled("Worksheet: find the best move", STYLE_OF_FILE.as_str(), &page.into_string()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_worksheet_has_boards_without_ratings_and_then_the_key() {
        let rating = json!({"rating": 1234.0, "rating_low": 900.0, "rating_high": 1600.0, "class": "easy",
                            "chances": {"easy": 0.7, "medium": 0.2, "hard": 0.1}});
        let row = |fen: &str, solution: &[&str]| {
            json!({"id": "name", "line": 1, "fen": fen, "solution": solution, "has_line": true, "difficulty": rating,
                   "reasons": [], "words": ""})
        };
        let mut white = row("5k2/8/8/8/8/8/8/RR5K w - - 0 1", &["Ra7", "Kg8", "Rb8#"]);
        white["last_move"] = json!({"fen": "6k1/8/8/8/8/8/8/RR5K b - - 0 1", "played": "Kf8"});
        white["soundness"] = json!("several_wins");
        white["note"] = json!("other moves win too: Rb7");
        let report = json!({
            "schema": 1, "kind": "difficulty", "measured": null, "model": null, "attributes": [], "bad_rows": [],
            "rows": [white, row("rr5k/8/8/8/8/8/8/5K2 b - - 0 1", &["Ra2", "Kg1", "Rb1#"]),
                     row("8/8/8/8/8/5k2/8/7K w - - 0 1", &[])],
        });
        let report: DifficultyReport = serde_json::from_value(report).unwrap();
        let page = worksheet_page(&report, &[1, 2, 0, 9]).unwrap();
        let (sheet, key) = page.split_once("<section class=\"answers\">").unwrap();
        assert_eq!(sheet.matches("<p class=\"answer\">").count(), 4);
        assert!(
            sheet.contains("<b>1</b> Black to move") && sheet.contains("<b>2</b> White to move")
        );
        assert_eq!(sheet.matches("class=\"last\"").count(), 2, "only one last move is known");
        let body = sheet.split_once("<body>").unwrap().1;
        assert!(!body.contains("1234") && !body.contains("easy") && !body.contains("Ra2"));
        assert!(key.contains("<b>1</b> 1... Ra2 2. Kg1 Rb1#"), "{key}");
        assert!(key.contains("<b>2</b> 1. Ra7 Kg8 2. Rb8#"), "{key}");
        assert_eq!(key.matches("other moves win too: Rb7").count(), 1, "{key}");
        assert!(!sheet.contains("other moves"));
        assert!(worksheet_page(&report, &[2]).is_none());
    }
}
