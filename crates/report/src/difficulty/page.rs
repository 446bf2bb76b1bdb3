//! Page of problems for a coach: sorted by difficulty, with boards, trees and folded solutions.

use treegauge_difficulty::chess::{PeopleChoice, Position, Soundness, board_symbols};
use treegauge_difficulty::{DifficultyClass, DifficultyReport, PredictedProblem, ScoreUnit, Tree};
use treegauge_doc::{Block, Board, Figure, Layout, Svg, Tone, Words};

use super::problem::tree_text;
use super::tree_part::TreePart;
use super::{chances, interval, why};
use crate::words::counted_grouped;

/// Pictures of the pieces that the boards use, then all measured problems, the easiest first.
pub(super) fn problems(report: &DifficultyReport) -> Vec<Block> {
    let symbols =
        format!("<svg class=\"symbols\" width=\"0\" height=\"0\">{}</svg>", board_symbols());
    let pieces = Figure { picture: Svg::new(symbols), ..Figure::default() };
    let rated = report.sorted().into_iter().filter(|row| row.unrated.is_none());
    vec![
        pieces.into(),
        Block::Group(Layout::Problems, rated.map(|row| problem(report, row)).collect()),
    ]
}

/// A problem: its board, its difficulty and its solution.
fn problem(report: &DifficultyReport, row: &PredictedProblem) -> Block {
    let tone = |class: DifficultyClass| match class {
        DifficultyClass::Easy => Tone::Good,
        DifficultyClass::Medium => Tone::Undecided,
        DifficultyClass::Hard => Tone::Bad,
    };
    let position = Position::parse(&row.fen).ok();
    let is_white = position.as_ref().is_some_and(Position::white_to_move);
    let side = if is_white { "White" } else { "Black" };
    let mut said = vec![Block::heading(3, row.id.as_str()), Block::text(format!("{side} to move"))];
    if let Some(found) = &row.difficulty {
        let class = Words::default().and_toned(found.class.name(), tone(found.class));
        said.push(Block::text(class.and(format!(", {}", interval(found)))));
        said.push(Block::note(format!("easy / medium / hard: {}", chances(found))));
        if let Some((solver, p)) = report.for_rating.zip(row.p_solve) {
            said.push(Block::note(format!("solved at {solver:.0}: {:.0}%", 100.0 * p)));
        }
    }
    if let Some(given) = row.given_rating {
        said.push(Block::note(format!("people's rating: {given:.0}")));
    }
    if row.soundness.is_some_and(|verdict| verdict != Soundness::Sound) {
        // Without its words, which name moves.
        let flaw = "not sound: the solution says why";
        said.push(Block::text(Words::default().and_toned(flaw, Tone::Bad)));
    }
    let solution = match row.solution.is_empty() {
        true => first_moves(row),
        false => solution_line(row),
    };
    let mut hidden = vec![Block::text(solution), Block::text(why(row))];
    hidden.extend(row.people.iter().map(|choice| Block::note(choice_words(choice))));
    hidden.extend(row.tree.as_ref().map(|tree| shown_tree(row, tree)));
    said.push(Block::Fold { summary: "Solution".into(), is_line: true, blocks: hidden });
    let picture =
        position.map_or_else(Svg::default, |at| Svg::new(at.board_svg(row.last_move.as_ref())));
    let board = Board { position: row.fen.clone(), picture, ..Board::default() };
    Block::Columns(vec![vec![board.into()], said])
}

/// Tree of a problem: its moves to the end of the solution, then the others.
fn shown_tree(row: &PredictedProblem, tree: &Tree) -> Block {
    let lines = |tree: &Tree| Block::Preformatted(tree_text(tree, ScoreUnit::Centipawns, &row.fen));
    let part = TreePart::of(tree, &row.solution);
    let mut blocks = vec![lines(&part.first)];
    blocks.extend(part.deeper.as_ref().map(|deeper| Block::Fold {
        summary: TreePart::DEEPER.into(),
        is_line: true,
        blocks: vec![lines(deeper)],
    }));
    blocks.extend(part.more.map(Block::note));
    let kept = counted_grouped(tree.nodes.len() as u64 - 1, "kept move");
    let cut = if tree.capped { ", cut off there" } else { "" };
    let summary = format!("Meaningful tree: {kept}{cut}").into();
    Block::Fold { summary, is_line: true, blocks }
}

/// Solution of a problem with the numbers of its moves; empty if there is none.
#[must_use]
pub fn solution_line(row: &PredictedProblem) -> String {
    let is_white = Position::parse(&row.fen).is_ok_and(|at| at.white_to_move());
    numbered_line(is_white, &row.solution)
}

/// Moves that people play at a move of the solution.
pub(super) fn choice_words(choice: &PeopleChoice) -> String {
    let PeopleChoice { number, rating, solution, chance, rival, rival_chance } = choice;
    let percent = |chance: f64| match 100.0 * chance {
        few @ 0.0..0.5 if few > 0.0 => "under 1%".to_owned(),
        percent => format!("{percent:.0}%"),
    };
    let rival = rival
        .as_ref()
        .map_or_else(String::new, |rival| format!(", {rival} {}", percent(*rival_chance)));
    format!("move {number}, people rated {rating:.0}: {solution} {}{rival}", percent(*chance))
}

/// Winning first moves by the tree, if the file has no solution.
fn first_moves(row: &PredictedProblem) -> String {
    let moves = row.tree.iter().flat_map(|tree| tree.level(1)).map(|node| node.played.as_str());
    let moves: Vec<&str> = moves.collect();
    format!("The engine keeps {}", moves.join(", "))
}

/// Moves of a solution with their numbers from 1, as in `1. Ra7 Kg8 2. Rb8#`; for Black as in
/// `1... Ra2 2. Kg1 Rb1#`.
#[must_use]
pub fn numbered_line(white_begins: bool, moves: &[String]) -> String {
    let offset = usize::from(!white_begins);
    let numbered = |(n, played): (usize, &String)| match (n + offset) % 2 {
        0 => format!("{}. {played}", (n + offset) / 2 + 1),
        _ if n == 0 => format!("1... {played}"),
        _ => played.clone(),
    };
    moves.iter().enumerate().map(numbered).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_numbered_from_the_side_that_begins() {
        let line = |white: bool, moves: &str| {
            let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
            numbered_line(white, &moves)
        };
        assert_eq!(line(true, "Ra7 Kg8 Rb8#"), "1. Ra7 Kg8 2. Rb8#");
        assert_eq!(line(false, "Ra2 Kg1 Rb1#"), "1... Ra2 2. Kg1 Rb1#");
        assert_eq!(line(false, ""), "");
    }
}
