//! Rated chess problems as a practice file.

use treegauge_core::{CellNumber, Player};
use treegauge_difficulty::{DifficultyReport, PredictedProblem};

use super::list::ProblemCard;
use super::solving::{ChessAnswers, ChessSolving, chess_solving};
use crate::practice::{
    Practice, PracticeAnswer, PracticeMove, PracticeNode, PracticeProblem, PracticeThen,
};
use crate::solving::Judgement;

/// Positions of a problem, beyond which only the main line goes on.
const POSITIONS_MAX: usize = 12;

/// Practice file of rated chess problems: the rows of a report with these indices, in this order.
/// `answers` gives the best answers to wrong moves. Problems without a solution are left out; a row
/// of a report that was changed by hand may be one.
#[must_use]
pub fn chess_practice(
    report: &DifficultyReport,
    rows: &[usize],
    answers: ChessAnswers<'_>,
) -> Practice {
    let mut problems = Vec::new();
    for &n in rows {
        let Some(row) = report.rows.get(n) else { continue };
        let Some(found) = Line::default().nodes(row, answers) else { continue };
        let Positions { nodes, last, is_flipped } = found;
        let side = if is_flipped { "Black" } else { "White" };
        problems.push(PracticeProblem {
            title: format!("Problem {}", problems.len() + 1),
            task: format!("{}. Find the best move.", ProblemCard::of(n, row).side),
            solver: side.to_owned(),
            is_flipped,
            last,
            nodes,
        });
    }
    Practice {
        heading: "Find the best move".to_owned(),
        title: "Chess".to_owned(),
        rules: Vec::new(),
        problems,
    }
}

/// Positions of a problem in which the solver is to move.
struct Positions {
    nodes: Vec<PracticeNode>,
    /// Cells of the opponent's move before the problem; empty if it is not known.
    last: Vec<CellNumber>,
    /// Whether the board is seen from Black's side.
    is_flipped: bool,
}

/// Moves to the positions of a problem in which the solver is to move.
#[derive(Default)]
struct Line {
    known: Vec<Vec<String>>,
}

impl Line {
    /// Positions of a problem; `None` without a solution.
    fn nodes(mut self, row: &PredictedProblem, answers: ChessAnswers<'_>) -> Option<Positions> {
        let begun = chess_solving(row, &[], &mut |_| None).ok()?;
        begun.right.as_ref()?;
        let is_flipped = begun.solver == Player::Second;
        let last = begun.board.last.iter().map(|touch| touch.cell).collect();
        self.known.push(Vec::new());
        let mut nodes = Vec::new();
        while let Some(line) = self.known.get(nodes.len()).cloned() {
            let at = chess_solving(row, &line, &mut |_| None).ok()?;
            let right = at.right.unwrap_or_default();
            let mut moves = Vec::with_capacity(at.board.moves.len());
            for path in &at.board.moves {
                let moved = [line.as_slice(), std::slice::from_ref(&path.text)].concat();
                let after = chess_solving(row, &moved, answers).ok()?;
                let then = match after.judgement {
                    Some(Judgement::GoOn) => self.go_on(row, &moved, &after, path.text == right),
                    _ => end(&after),
                };
                let (judgement, words) = judged(&after, &path.text, &then);
                moves.push(PracticeMove { path: path.clone(), judgement, words, then });
            }
            let best = at.board.moves.iter().position(|path| path.text == right).unwrap_or(0);
            nodes.push(PracticeNode { board: at.board.cells, moves, best });
        }
        Some(Positions { nodes, last, is_flipped })
    }

    /// Answers to a right move after which the solver has a right move again, the first of the
    /// solution's or the tree's first.
    fn go_on(
        &mut self,
        row: &PredictedProblem,
        moved: &[String],
        after: &ChessSolving,
        is_main: bool,
    ) -> PracticeThen {
        let mut found = Vec::new();
        let mut defences: Vec<_> = after.defences.iter().collect();
        defences.sort_by_key(|defence| !defence.is_played);
        for defence in defences {
            let line = [moved, std::slice::from_ref(&defence.text)].concat();
            let is_needed = is_main && found.is_empty();
            if self.known.len() >= POSITIONS_MAX && !is_needed {
                continue;
            }
            let Ok(next) = chess_solving(row, &line, &mut |_| None) else { continue };
            if next.right.is_none() {
                continue;
            }
            self.known.push(line);
            found.push(PracticeAnswer {
                moves: vec![defence.text.clone()],
                value: defence.words.clone(),
                words: next.answered.clone(),
                last: next.board.last.iter().map(|touch| touch.cell).collect(),
                then: Ok(self.known.len() - 1),
            });
        }
        if found.is_empty() { end(after) } else { PracticeThen::Answers(found) }
    }
}

fn end(after: &ChessSolving) -> PracticeThen {
    let last = after.board.last.iter().map(|touch| touch.cell).collect();
    PracticeThen::End(after.board.cells.clone(), last)
}

/// Judgement of a move with its words. A right move that the file does not go on after is not the
/// one to find.
fn judged(after: &ChessSolving, text: &str, then: &PracticeThen) -> (Judgement, String) {
    let judgement = after.judgement.unwrap_or(Judgement::Wrong);
    match (judgement, then) {
        (Judgement::GoOn, PracticeThen::End(..)) => {
            let words = format!("{text} wins too. This file goes on after another move; find it.");
            (Judgement::Slower, words)
        }
        _ => (judgement, after.words.clone()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use treegauge_difficulty::TreeSettings;

    use super::*;
    use crate::practice::practice_page;

    /// A report of two mates in two by rooks: for White, and for Black with the solution of the engine.
    fn report() -> DifficultyReport {
        let node = |parent: u32, level: u8, by: bool, played: &str| {
            json!({"parent": parent, "level": level, "player_moves": by, "played": played, "value": {"wins": 3},
                   "kept": 1, "possible": 5})
        };
        let row = |fen: &str, solution: &[&str], nodes: Vec<serde_json::Value>| {
            json!({"id": "1", "line": 1, "fen": fen, "solution": solution, "has_line": solution.len() > 1,
                   "difficulty": null, "reasons": [], "words": "",
                   "tree": {"settings": TreeSettings::default(), "capped": false, "nodes": nodes, "first_moves": []}})
        };
        let white = vec![
            node(0, 0, true, ""),
            node(0, 1, false, "Ra7"),
            node(1, 2, true, "Kg8"),
            node(2, 3, false, "Rb8#"),
        ];
        let black = vec![
            node(0, 0, true, ""),
            node(0, 1, false, "Ra2"),
            node(1, 2, true, "Kg1"),
            node(1, 2, true, "Ke1"),
            node(2, 3, false, "Rb1#"),
            node(3, 3, false, "Rb1#"),
        ];
        let mut white = row("5k2/8/8/8/8/8/8/RR5K w - - 0 1", &["Ra7", "Kg8", "Rb8#"], white);
        white["last_move"] = json!({"fen": "6k1/8/8/8/8/8/8/RR5K b - - 0 1", "played": "Kf8"});
        let mut completed = row("rr5k/8/8/8/8/8/8/5K2 b - - 0 1", &["Ra2", "Kg1", "Rb1#"], black);
        completed["completed"] = json!(true);
        let measured = json!({"engine": "none", "depth": 1, "multi_pv": "adaptive", "settings": TreeSettings::default(),
                              "distances": "per_move"});
        let report = json!({
            "schema": 1, "kind": "difficulty", "measured": measured, "model": null, "attributes": [], "bad_rows": [],
            "rows": [
                white,
                completed,
                row("8/8/8/8/8/5k2/8/7K w - - 0 1", &[], vec![node(0, 0, true, "")]),
            ],
        });
        serde_json::from_value(report).unwrap()
    }

    #[test]
    fn a_practice_file_has_every_legal_move_and_every_kept_defence() {
        let report = report();
        let practice = chess_practice(&report, &[0, 1, 2, 9], &mut |_| None);
        let problems = &practice.problems;
        let titles: Vec<_> = problems.iter().map(|one| one.title.as_str()).collect();
        assert_eq!(titles, ["Problem 1", "Problem 2"], "the last has nothing to find");
        assert_eq!((problems[0].is_flipped, problems[1].is_flipped), (false, true));
        assert_eq!((problems[0].last.len(), problems[1].last.len()), (2, 0));
        assert_eq!((problems[0].nodes.len(), problems[1].nodes.len()), (2, 3));
        for problem in problems {
            for node in &problem.nodes {
                let best = &node.moves[node.best];
                let is_last = best.path.text.ends_with('#');
                let expected = if is_last { Judgement::Solved } else { Judgement::GoOn };
                assert_eq!(best.judgement, expected, "{}", best.words);
                assert!(node.moves.len() > 20, "rooks on an empty board have many moves");
                for one in &node.moves {
                    let goes_on = matches!(one.then, PracticeThen::Answers(_));
                    assert_eq!(goes_on, one.judgement == Judgement::GoOn, "{}", one.words);
                }
            }
        }
        let page = practice_page(&practice);
        assert!(page.contains("Find the best move: Chess") && !page.contains("Ra7 is"), "encoded");
    }

    #[test]
    fn the_opponent_answers_a_wrong_move_on_the_board() {
        let report = report();
        let mut answers = |at: &treegauge_difficulty::chess::Position| {
            let played = *at.moves().first()?;
            Some(crate::ChessAnswer { played, value: treegauge_difficulty::Value::Score(0.0) })
        };
        let practice = chess_practice(&report, &[0], &mut answers);
        for node in &practice.problems[0].nodes {
            for one in node.moves.iter().filter(|one| one.judgement == Judgement::Wrong) {
                assert!(one.words.contains("the answer is "), "{}", one.words);
                let PracticeThen::End(board, _) = &one.then else { panic!("{one:?}") };
                let king = |board: &treegauge_core::Board| {
                    board.cells.iter().position(|cell| cell.contents == "black king")
                };
                assert_ne!(king(board), king(&node.board), "{}", one.words);
            }
        }
    }
}
