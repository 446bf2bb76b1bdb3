//! A page of problems for a coach: sorted by difficulty, with boards, trees, and solutions that are hidden
//! until they are asked for.

use maud::{Markup, html as markup};
use treegauge_chess::{Position, board_symbols};
use treegauge_study::difficulty::{DifficultyClass, DifficultyReport, RatedProblem, ScoreUnit};

use super::problem::tree_text;
use super::{chances, interval, model_words, not_rated, notes, summary, why};
use crate::page::page;
use crate::words::counted;
use treegauge_doc::Svg;

/// The page.
#[must_use]
pub fn difficulty_html(report: &DifficultyReport) -> String {
    let sorted = report.sorted();
    let body: Markup = markup! {
        h1 { "Problems by difficulty" }
        p { (summary(report)) @if report.model.is_some() && report.for_rating.is_none() { " The easiest come first." } }
        (Svg::new(format!("<svg width=\"0\" height=\"0\" style=\"position:absolute\">{}</svg>", board_symbols())))
        div.problems {
            @for row in sorted.into_iter().filter(|row| row.unrated.is_none()) { (problem(row)) }
        }
        @let others = not_rated(report);
        @if !others.is_empty() {
            h2 { "Not rated" }
            ul { @for line in others { li { (line) } } }
        }
        h2 { "How far this is to be relied on" }
        @for line in report.model.iter().flat_map(model_words).chain(notes(report)) { p.note { (line) } }
    };
    page("problems by difficulty", &body)
}

fn problem(row: &RatedProblem) -> Markup {
    let class = |class: DifficultyClass| match class {
        DifficultyClass::Easy => "tone sound",
        DifficultyClass::Medium => "tone open",
        DifficultyClass::Hard => "tone flawed",
    };
    let board = Position::parse(&row.fen).ok();
    let side = if board.as_ref().is_some_and(Position::white_to_move) { "White" } else { "Black" };
    markup! {
        section.problem {
            figure { @if let Some(board) = &board { (Svg::new(board.board_svg())) } }
            div {
                h3 { (row.id) }
                p { (side) " to move" }
                @if let Some(found) = &row.difficulty {
                    p { span class=(class(found.class)) { (found.class.name()) } ", " (interval(found)) }
                    p.note { "easy / medium / hard: " (chances(found)) }
                }
                @if let Some(given) = row.given_rating {
                    p.note { "people's rating: " (format!("{given:.0}")) }
                }
                details {
                    summary.line { "Solution" }
                    @if row.solution.is_empty() {
                        p { (first_moves(row)) }
                    } @else {
                        p { (line(row)) }
                    }
                    p { (why(row)) }
                    @if let Some(tree) = &row.tree {
                        details {
                            summary.line { "Meaningful tree: " (counted(tree.nodes.len() as u64 - 1, "kept move")) }
                            pre.moves { (tree_text(tree, ScoreUnit::Centipawns)) }
                        }
                    }
                }
            }
        }
    }
}

/// The moves that win by the tree, where the file has no solution.
fn first_moves(row: &RatedProblem) -> String {
    let moves = row.tree.iter().flat_map(|tree| tree.level(1)).map(|node| node.played.as_str());
    let moves: Vec<&str> = moves.collect();
    format!("The engine keeps {}", moves.join(", "))
}

/// The solution with move numbers.
fn line(row: &RatedProblem) -> String {
    let numbered = |(n, played): (usize, &String)| match n % 2 {
        0 => format!("{}. {played}", n / 2 + 1),
        _ => played.clone(),
    };
    row.solution.iter().enumerate().map(numbered).collect::<Vec<_>>().join(" ")
}
