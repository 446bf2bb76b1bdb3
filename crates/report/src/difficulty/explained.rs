//! A rated problem with all that explains its rating.

use serde::{Deserialize, Serialize};
use treegauge_difficulty::{CandidateMove, DifficultyReport, PredictedProblem, ScoreUnit};

use super::list::ProblemCard;
use super::page::choice_words;
use super::problem::{rating_words, tree_rows, value_words};
use crate::words::capital;

/// Problem with its solution and the reasons for its rating.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExplainedProblem {
    /// The problem without its solution.
    #[serde(flatten)]
    pub card: ProblemCard,
    /// Moves of the solver and the answers in turn, in algebraic notation; empty if neither the file
    /// nor the engine has any.
    pub solution: Vec<String>,
    /// Whether the solution comes from the file; otherwise it is the engine's line.
    pub is_from_file: bool,
    /// Predicted rating with its interval, in a sentence; empty without a prediction.
    pub rated: String,
    /// Meaningful tree in a sentence; empty if the problem was not measured.
    pub words: String,
    /// Disagreement of the file and the engine on the first move, in a sentence; empty if they agree.
    pub note: String,
    /// Reasons as steps from a rating without them to the predicted one.
    pub steps: Vec<RatingStep>,
    /// Moves that people play at each move of the solution, in a line each.
    pub people: Vec<String>,
    /// First moves that the engine listed, best first.
    pub first_moves: Vec<FirstMove>,
    /// Kept moves of the meaningful tree, depth first.
    pub tree: Vec<TreeRow>,
    /// Whether the tree was cut off at its maximum size.
    pub is_capped: bool,
}

/// Reason for a rating, as a step from one rating to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatingStep {
    /// Reason in words.
    pub words: String,
    /// Points by which the reason moves the rating.
    pub effect: f64,
    /// Rating before the step.
    pub from: f64,
    /// Rating after the step.
    pub to: f64,
}

/// First move of a problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FirstMove {
    /// Move in the notation of the game.
    pub played: String,
    /// Value for the player, in words.
    pub value: String,
    /// Judgement in words: `wins`, or what is wrong with the move.
    pub judgement: String,
    /// Whether it is a move of the meaningful tree.
    pub is_kept: bool,
    /// Best answer to a move that does not win; `None` if it is not known.
    pub refutation: Option<String>,
}

/// Kept move of a meaningful tree, as a row of an outline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TreeRow {
    /// Plies from the problem, from 1.
    pub level: u8,
    /// Moves from the problem to this one, this one included.
    pub path: Vec<String>,
    /// Move with its number: `1. Rd8`.
    pub text: String,
    /// Value for the player, in words.
    pub value: String,
    /// Number of kept moves and of possible moves after it, in words; empty if they are not known.
    pub more: String,
    /// Whether the player made the move.
    pub by_player: bool,
}

impl ExplainedProblem {
    /// The row of a report with this index; `None` if there is none.
    #[must_use]
    pub fn of(report: &DifficultyReport, index: usize) -> Option<ExplainedProblem> {
        let row = report.rows.get(index)?;
        let unit = ScoreUnit::Centipawns;
        let (solution, is_from_file) = solution(row);
        let tree = row.tree.as_ref();
        let first_moves = tree.iter().flat_map(|tree| {
            tree.first_moves.iter().map(|one| first_move(one, unit, tree.settings.win))
        });
        let sentence = |text: &str| match text {
            "" => String::new(),
            text => format!("{}.", capital(text)),
        };
        Some(ExplainedProblem {
            card: ProblemCard::of(index, row),
            people: row.people.iter().map(|choice| capital(&choice_words(choice))).collect(),
            solution,
            is_from_file,
            rated: row.difficulty.as_ref().map_or_else(String::new, rating_words),
            words: sentence(&row.words),
            note: sentence(row.note.as_deref().unwrap_or_default()),
            steps: steps(row),
            first_moves: first_moves.collect(),
            tree: tree.map_or_else(Vec::new, |tree| tree_rows(tree, unit, &row.fen)),
            is_capped: row.capped,
        })
    }
}

/// The solution, and whether it is that of the file rather than completed by the engine.
pub(super) fn solution(row: &PredictedProblem) -> (Vec<String>, bool) {
    (row.solution.clone(), !row.completed)
}

/// Reasons as steps that end at the rating; empty if the problem has no rating or no reason.
fn steps(row: &PredictedProblem) -> Vec<RatingStep> {
    let Some(found) = row.difficulty.as_ref().filter(|_| !row.reasons.is_empty()) else {
        return Vec::new();
    };
    let effects: f64 = row.reasons.iter().map(|reason| reason.effect).sum();
    let mut at = found.rating - effects;
    let step = |reason: &treegauge_difficulty::DifficultyReason| {
        let from = at;
        at += reason.effect;
        RatingStep { words: capital(&reason.words), effect: reason.effect, from, to: at }
    };
    row.reasons.iter().map(step).collect()
}

/// A first move in words. Moves with a value of `win` or more win; where none does, the best are kept.
fn first_move(one: &CandidateMove, unit: ScoreUnit, win: f64) -> FirstMove {
    let answer = one.refutation.as_deref();
    let judgement = match (one.kept, one.seems_good, answer) {
        (true, ..) if one.value.is_won(win) => "wins".to_owned(),
        (true, ..) => "about as good as the best".to_owned(),
        (_, true, Some(answer)) => format!("seems good: only {answer} refutes it"),
        (_, true, None) => "seems good: one answer refutes it".to_owned(),
        (_, false, Some(answer)) => format!("answered by {answer}"),
        (_, false, None) => "does not win".to_owned(),
    };
    FirstMove {
        played: one.played.clone(),
        value: value_words(one.value, unit),
        judgement,
        is_kept: one.kept,
        refutation: one.refutation.clone(),
    }
}

/// Indices of the rated rows whose rating is nearest to that of a row, the nearest first.
#[must_use]
pub fn nearest_problems(report: &DifficultyReport, index: usize, count: usize) -> Vec<usize> {
    let rating = |n: usize| report.rows.get(n)?.difficulty.map(|found| found.rating);
    let Some(own) = rating(index) else { return Vec::new() };
    let order = report.order(Some(own)).into_iter();
    order.filter(|&n| n != index && rating(n).is_some()).take(count).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn report() -> DifficultyReport {
        let rating = |rating: f64| {
            json!({"rating": rating, "rating_low": rating - 300.0, "rating_high": rating + 300.0, "class": "easy",
                   "chances": {"easy": 0.7, "medium": 0.2, "hard": 0.1}})
        };
        let node = |parent: u32, level: u8, by: bool, played: &str| {
            json!({"parent": parent, "level": level, "player_moves": by, "played": played,
                   "value": {"wins": 1}, "kept": 1, "possible": 5})
        };
        let tree = json!({
            "settings": treegauge_difficulty::TreeSettings::default(), "capped": false,
            "nodes": [node(0, 0, true, ""), node(0, 1, false, "Rd7"), node(1, 2, true, "h6"), node(2, 3, false, "Rd8+")],
            "first_moves": [
                {"played": "Rd7", "value": {"wins": 5}, "kept": true, "seems_good": false},
                {"played": "Kf1", "value": {"score": -20.0}, "kept": false, "seems_good": true, "refutation": "g6"},
                {"played": "Rd1", "value": {"score": -90.0}, "kept": false, "seems_good": false, "refutation": "Kf8"},
                {"played": "a4", "value": {"loses": 4}, "kept": false, "seems_good": false},
            ],
        });
        let row = |n: u64,
                   difficulty: serde_json::Value,
                   solution: &[&str],
                   has_line: bool,
                   tree: &serde_json::Value| {
            json!({"id": n.to_string(), "line": n, "fen": "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "solution": solution,
                   "has_line": has_line, "difficulty": difficulty, "words": "one of five moves wins", "themes": ["endgame"],
                   "reasons": [{"aspect": "a", "effect": 60.0, "words": "long"}, {"aspect": "b", "effect": -20.0, "words": "forced"}],
                   "tree": tree})
        };
        let mut rows = vec![
            row(1, rating(1000.0), &["Rd7", "h6", "Rd8+"], false, &tree),
            row(2, rating(1400.0), &["Rd8#"], true, &tree),
            row(3, rating(1100.0), &["Rd8#"], false, &tree),
            row(4, json!(null), &[], false, &json!(null)),
        ];
        rows[0]["completed"] = json!(true);
        rows[3]["unrated"] = json!("the engine did not answer `go` within 2 s");
        serde_json::from_value(json!({
            "schema": 1, "kind": "difficulty", "measured": treegauge_difficulty::MeasuredWith::default(),
            "model": null, "attributes": [], "rows": rows, "bad_rows": [{"line": 9, "problem": "no"}],
        }))
        .unwrap()
    }

    #[test]
    fn a_problem_is_explained_by_steps_to_its_rating() {
        let report = report();
        let found = ExplainedProblem::of(&report, 0).unwrap();
        let steps: Vec<_> =
            found.steps.iter().map(|step| (step.words.as_str(), step.from, step.to)).collect();
        assert_eq!(steps, [("Long", 960.0, 1020.0), ("Forced", 1020.0, 1000.0)]);
        assert!(found.rated.contains("1000 (80% interval 700 to 1300)"), "{}", found.rated);
        let judgements: Vec<&str> =
            found.first_moves.iter().map(|one| one.judgement.as_str()).collect();
        assert_eq!(
            judgements,
            ["wins", "seems good: only g6 refutes it", "answered by Kf8", "does not win"]
        );
        let kept =
            json!({"played": "Kc4", "value": {"score": 1.0}, "kept": true, "seems_good": false});
        let kept: CandidateMove = serde_json::from_value(kept).unwrap();
        let said = first_move(&kept, ScoreUnit::Centipawns, 200.0).judgement;
        assert_eq!(said, "about as good as the best", "no move wins here");
        let tree: Vec<_> =
            found.tree.iter().map(|row| (row.level, row.text.as_str(), row.path.len())).collect();
        assert_eq!(tree, [(1, "1. Rd7", 1), (2, "1... h6", 2), (3, "2. Rd8+", 3)]);
        assert!(ExplainedProblem::of(&report, 4).is_none());
        let unrated = ExplainedProblem::of(&report, 3).unwrap();
        assert!(unrated.steps.is_empty() && unrated.tree.is_empty() && unrated.rated.is_empty());
    }

    #[test]
    fn the_solution_is_that_of_the_file_or_the_engines_line() {
        let report = report();
        let solution = |n| {
            let found = ExplainedProblem::of(&report, n).unwrap();
            (found.solution.join(" "), found.is_from_file)
        };
        assert_eq!(solution(0), ("Rd7 h6 Rd8+".to_owned(), false));
        assert_eq!(solution(1), ("Rd8#".to_owned(), true));
        assert_eq!(solution(2), ("Rd8#".to_owned(), true), "the engine begins otherwise");
        assert_eq!(solution(3), (String::new(), true));
    }

    #[test]
    fn the_nearest_problems_are_those_of_the_nearest_rating() {
        let report = report();
        assert_eq!(nearest_problems(&report, 0, 9), [2, 1]);
        assert_eq!(nearest_problems(&report, 1, 1), [2]);
        assert_eq!(nearest_problems(&report, 3, 9), [0; 0]);
        let list = super::super::ProblemList::of(&report);
        assert_eq!(
            list.unrated,
            ["1 of 4 problems is unrated: the engine did not answer `go` within 2 s."]
        );
        assert_eq!((list.themes, list.count), (vec![("endgame".to_owned(), 4)], 4));
    }
}
