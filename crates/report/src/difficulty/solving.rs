//! Chess problems in solving mode: judgements of moves by the solution and the meaningful tree.

use treegauge_core::Player;
use treegauge_difficulty::chess::{ChessMove, LastMove, Position};
use treegauge_difficulty::{NAMED_SETTINGS, PredictedProblem, ScoreUnit, Tree, Value};

use super::explained::solution;
use super::problem::value_words;
use crate::show::ShownBoard;
use crate::solving::{Judgement, defence_words};

/// Chess problem after some moves.
#[derive(Clone, Debug, PartialEq)]
pub struct ChessSolving {
    /// Board after the moves, or after the answer to a wrong move. It has no moves if the solver
    /// cannot go on.
    pub board: ShownBoard,
    /// Player who solves the problem.
    pub solver: Player,
    /// Moves of both sides in algebraic notation, with the last answer of the opponent.
    pub moves: Vec<String>,
    /// Judgement of the solver's last move; `None` before the first.
    pub judgement: Option<Judgement>,
    /// The judgement in sentences; before the first move, the side of the solver.
    pub words: String,
    /// Sentence about the opponent's answer to a right move; empty if there is none.
    pub answered: String,
    /// Meaningful moves of the opponent in place of its last one.
    pub defences: Vec<ChessDefence>,
    /// Number of moves before that choice.
    pub defended_after: usize,
    /// Right move of the solver now; `None` if there is none.
    pub right: Option<String>,
    /// Rest of the solution.
    pub rest: Vec<String>,
}

/// Move that the opponent can choose.
#[derive(Clone, Debug, PartialEq)]
pub struct ChessDefence {
    /// Move in algebraic notation.
    pub text: String,
    /// Its value for the solver, in words.
    pub words: String,
    /// Whether it was played.
    pub is_played: bool,
}

/// Best move of a position, as an engine finds it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChessAnswer {
    /// Move.
    pub played: ChessMove,
    /// Value for the side that makes the move, in centipawns.
    pub value: Value,
}

/// Source of the best moves of positions. `None` if the best move of a position is not known.
pub type ChessAnswers<'a> = &'a mut dyn FnMut(&Position) -> Option<ChessAnswer>;

/// Position on the way through a problem.
#[derive(Clone)]
struct Way<'a> {
    line: &'a [String],
    is_from_file: bool,
    tree: Option<&'a Tree>,
    at: Position,
    /// Position before the last move, and that move; `None` if it is not known.
    last: Option<(Position, ChessMove)>,
    /// Number of moves.
    ply: usize,
    /// Whether all moves are those of the solution.
    is_on_line: bool,
    /// Node of the tree after the moves; `None` outside of it.
    node: Option<usize>,
}

impl Way<'_> {
    /// Meaningful moves here, as nodes of the tree.
    fn kept(&self) -> Vec<usize> {
        match (self.tree, self.node) {
            (Some(tree), Some(node)) => tree.children(node).collect(),
            _ => Vec::new(),
        }
    }

    fn text(&self, node: usize) -> &str {
        self.tree.map_or("", |tree| &tree.nodes[node].played)
    }

    /// Move of the solution here, or the best one of the tree.
    fn best(&self) -> Option<String> {
        if self.is_on_line {
            return self.line.get(self.ply).cloned();
        }
        self.kept().first().map(|&node| self.text(node).to_owned())
    }

    /// Value of the best meaningful move here, if it mates and a kept move does not mate as quickly.
    fn quicker(&self, text: &str) -> Option<String> {
        let tree = self.tree?;
        let value = |node: usize| tree.nodes[node].value;
        let kept = self.kept();
        let played = kept.iter().copied().find(|&node| self.text(node) == text)?;
        let best = value(*kept.first()?);
        let is_quicker = match (best, value(played)) {
            (Value::Wins(best), Value::Wins(played)) => best < played,
            (Value::Wins(_), _) => true,
            _ => false,
        };
        is_quicker.then(|| value_words(best, ScoreUnit::Centipawns))
    }

    /// Whether the solver has a move after the one that follows.
    fn goes_on(&self) -> bool {
        if self.is_on_line {
            return self.ply + 1 < self.line.len();
        }
        let grandchild = |tree: &Tree, node| tree.children(node).next().is_some();
        let answer = self.kept().first().copied();
        self.tree.zip(answer).is_some_and(|(tree, answer)| grandchild(tree, answer))
    }

    fn play(&mut self, played: ChessMove, text: &str) {
        self.node = self.kept().into_iter().find(|&node| self.text(node) == text);
        self.is_on_line &= self.line.get(self.ply).is_some_and(|right| right == text);
        let after = self.at.after(played);
        self.last = Some((std::mem::replace(&mut self.at, after), played));
        self.ply += 1;
    }

    /// Rest of the solution from here.
    fn rest(&self) -> Vec<String> {
        if self.is_on_line {
            return self.line[self.ply.min(self.line.len())..].to_vec();
        }
        let (mut rest, mut at) = (Vec::new(), self.node);
        while let Some((tree, node)) = self.tree.zip(at) {
            at = tree.children(node).next();
            rest.extend(at.map(|next| tree.nodes[next].played.clone()));
        }
        rest
    }

    /// Value of a move that is not right, and the answer to it: as the tree lists it for first moves,
    /// or by `answers`.
    fn reply(&self, played: ChessMove, text: &str, answers: ChessAnswers<'_>) -> Reply {
        let listed = self.tree.filter(|_| self.ply == 0);
        let listed = listed.and_then(|tree| tree.first_moves.iter().find(|one| one.played == text));
        let mut reply = Reply {
            value: listed.map(|one| one.value),
            answer: listed.and_then(|one| one.refutation.clone()),
        };
        let after = self.at.after(played);
        if reply.answer.is_none()
            && after.ending().is_none()
            && let Some(found) = answers(&after).filter(|found| after.is_legal(found.played))
        {
            reply.value.get_or_insert(found.value.negated());
            reply.answer = Some(after.san(found.played));
        }
        reply
    }

    /// Least value that counts as won.
    fn win(&self) -> f64 {
        self.tree.map_or(NAMED_SETTINGS[0].settings.win, |tree| tree.settings.win)
    }

    fn board(&self) -> ShownBoard {
        let last = self.last.as_ref().map(|(before, played)| (before, *played));
        ShownBoard::of_chess(&self.at, last)
    }
}

/// Answer to a move that is not right.
struct Reply {
    /// Value of the move for the solver; `None` if it is not known.
    value: Option<Value>,
    /// Best answer to the move; `None` if it is not known, or the game is over.
    answer: Option<String>,
}

/// A rated chess problem after moves of both sides, judged by its solution. The solver plays the
/// moves of the file's solution; those of the engine's line may be any that the tree keeps, unless
/// there is a quicker mate. A move that mates is always right. The opponent plays the answer of the
/// solution, or any that the tree keeps. A wrong move is answered as the tree or `answers` say; it
/// is not wrong if it wins by their value. Moves after it are ignored.
///
/// # Errors
///
/// In words, if a move is not legal, or an answer of the opponent is unknown.
pub fn chess_solving(
    row: &PredictedProblem,
    moves: &[String],
    answers: ChessAnswers<'_>,
) -> Result<ChessSolving, String> {
    let start = Position::parse(&row.fen).map_err(|error| error.to_string())?;
    let last = row.last_move.as_ref().and_then(LastMove::read);
    let (line, is_from_file) = solution(row);
    let mut way = Way {
        line: &line,
        is_from_file,
        tree: row.tree.as_ref(),
        last: last.clone(),
        ply: 0,
        is_on_line: true,
        node: row.tree.is_some().then_some(0),
        at: start.clone(),
    };
    let mut state = ChessSolving {
        board: ShownBoard::of_chess(&start, last.as_ref().map(|(at, played)| (at, *played))),
        solver: if start.white_to_move() { Player::First } else { Player::Second },
        moves: Vec::new(),
        judgement: None,
        words: String::new(),
        answered: String::new(),
        defences: Vec::new(),
        defended_after: 0,
        right: None,
        rest: Vec::new(),
    };
    for text in moves {
        let played = way.at.parse_move(text).map_err(|error| error.to_string())?;
        let text = way.at.san(played);
        if way.ply % 2 == 1 {
            defend(&mut way, &mut state, Some(&text))?;
            continue;
        }
        let Judged { judgement, words, answer } = judge(&way, played, &text, answers);
        state.judgement = Some(judgement);
        (state.words, state.answered) = (words, String::new());
        state.moves.push(text.clone());
        if judgement == Judgement::Wrong {
            refute(&mut way, &mut state, played, &text, answer.as_deref());
            return Ok(state);
        }
        way.play(played, &text);
        if judgement != Judgement::GoOn {
            break;
        }
    }
    if way.ply % 2 == 1 && state.judgement == Some(Judgement::GoOn) {
        defend(&mut way, &mut state, None)?;
    }
    state.board = way.board();
    let is_live = matches!(state.judgement, None | Some(Judgement::GoOn));
    state.right = way.best().filter(|_| is_live);
    if state.judgement.is_none() {
        let side = if start.white_to_move() { "White" } else { "Black" };
        state.words = format!("Your move as {side}.");
    }
    if state.right.is_none() {
        state.board.moves.clear();
        if is_live {
            "Neither the file nor the engine has a solution of this problem."
                .clone_into(&mut state.words);
        }
    }
    state.rest = if is_live { way.rest() } else { Vec::new() };
    Ok(state)
}

/// Judgement of a move of the solver.
struct Judged {
    judgement: Judgement,
    words: String,
    /// Answer to a wrong move, if it is known.
    answer: Option<String>,
}

/// Judges a move of the solver.
fn judge(way: &Way<'_>, played: ChessMove, text: &str, answers: ChessAnswers<'_>) -> Judged {
    let judged = |judgement, words: String| Judged { judgement, words, answer: None };
    let after = way.at.after(played);
    if after.is_mate() {
        return judged(Judgement::Solved, format!("{text} mates. The problem is solved."));
    }
    let is_best = way.best().is_some_and(|best| best == text);
    let is_kept = way.kept().into_iter().any(|node| way.text(node) == text);
    let is_bound = way.is_from_file && way.is_on_line;
    if let Some(quicker) = way.quicker(text).filter(|_| !is_best && !is_bound) {
        let words = format!("{text} wins too, but there is a {quicker}.");
        return judged(Judgement::Slower, words);
    }
    if is_best || (is_kept && !is_bound) {
        let mut next = way.clone();
        next.play(played, text);
        return match next.goes_on() {
            true => judged(Judgement::GoOn, format!("{text} is the right move.")),
            false => judged(Judgement::Solved, format!("{text} is right. The problem is solved.")),
        };
    }
    if is_kept {
        let words = format!(
            "The engine plays {text} as well, but the solution in the file is another move."
        );
        return judged(Judgement::Slower, words);
    }
    if after.ending().is_some() {
        let words = format!("{text} ends the game without a winner.");
        return judged(Judgement::Wrong, words);
    }
    let Reply { value, answer } = way.reply(played, text, answers);
    let words = value.map(|value| value_words(value, ScoreUnit::Centipawns));
    if value.is_some_and(|value| value.is_won(way.win())) {
        let words = words.unwrap_or_default();
        let words = format!("{text} wins too ({words}), but the solution is another move.");
        return judged(Judgement::Slower, words);
    }
    let words = match (&answer, words) {
        (Some(answer), Some(words)) => {
            format!("{text} does not win: the answer is {answer} ({words}).")
        }
        (None, Some(words)) => format!("{text} does not win ({words})."),
        (Some(answer), None) => format!("{text} does not win: the answer is {answer}."),
        (None, None) => {
            format!("{text} is not the solution. Without an engine its answer cannot be told.")
        }
    };
    Judged { judgement: Judgement::Wrong, words, answer }
}

/// Shows a wrong move, and its answer if it is known.
fn refute(
    way: &mut Way<'_>,
    state: &mut ChessSolving,
    played: ChessMove,
    text: &str,
    answer: Option<&str>,
) {
    way.play(played, text);
    if let Some(answer) = answer
        && let Ok(played) = way.at.parse_move(answer)
    {
        way.play(played, answer);
    }
    state.board = way.board();
    state.board.moves.clear();
}

/// Plays an answer of the opponent: the named one, or that of the solution.
fn defend(way: &mut Way<'_>, state: &mut ChessSolving, named: Option<&str>) -> Result<(), String> {
    let kept = way.kept();
    let best = way.best();
    let text = named.map(str::to_owned).or(best.clone());
    let text = text.ok_or("the problem has no answer here")?;
    let is_known = best.as_ref() == Some(&text) || kept.iter().any(|&node| way.text(node) == text);
    if !is_known {
        return Err(format!("{text} is not an answer that the problem has here"));
    }
    let tree = way.tree;
    let defence = |node: usize| {
        let value = tree.map(|tree| value_words(tree.nodes[node].value, ScoreUnit::Centipawns));
        let is_played = way.text(node) == text;
        ChessDefence {
            text: way.text(node).to_owned(),
            words: value.unwrap_or_default(),
            is_played,
        }
    };
    state.defences = kept.into_iter().map(defence).collect();
    if !state.defences.iter().any(|one| one.is_played) {
        let words = "in the solution".to_owned();
        state.defences.insert(0, ChessDefence { text: text.clone(), words, is_played: true });
    }
    state.defended_after = state.moves.len();
    let played = way.at.parse_move(&text).map_err(|error| error.to_string())?;
    way.play(played, &text);
    state.answered = defence_words(std::slice::from_ref(&text));
    state.moves.push(text);
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A mate in two with a meaningful tree: 1. Qh7+ Kf8 2. Qh8#, and 1. Qg3 also wins.
    fn row(solution: &[&str]) -> PredictedProblem {
        let node = |parent: u32, level: u8, by: bool, played: &str| {
            json!({"parent": parent, "level": level, "player_moves": by, "played": played, "value": {"wins": 3},
                   "kept": 1, "possible": 5})
        };
        let tree = json!({
            "settings": treegauge_difficulty::TreeSettings::default(), "capped": false,
            "nodes": [node(0, 0, true, ""), node(0, 1, false, "Ra7"), node(0, 1, false, "Ra6"), node(1, 2, true, "Kg8"),
                      node(1, 2, true, "Ke8"), node(3, 3, false, "Rb8#")],
            "first_moves": [
                {"played": "Ra7", "value": {"wins": 3}, "kept": true, "seems_good": false},
                {"played": "Ra6", "value": {"wins": 5}, "kept": true, "seems_good": false},
                {"played": "Kg1", "value": {"score": 20.0}, "kept": false, "seems_good": true, "refutation": "Ke7"},
            ],
        });
        let row = json!({"id": "1", "line": 1, "fen": "5k2/8/8/8/8/8/8/RR5K w - - 0 1", "solution": solution,
                         "has_line": solution.len() > 1, "difficulty": null, "reasons": [], "words": "", "tree": tree});
        serde_json::from_value(row).unwrap()
    }

    fn after(row: &PredictedProblem, moves: &str) -> ChessSolving {
        let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        chess_solving(row, &moves, &mut |_| None).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn the_engines_line_is_solved_move_by_move() {
        let mut row = row(&["Ra7", "Kg8", "Rb8#"]);
        row.completed = true;
        let begin = after(&row, "");
        assert_eq!((begin.judgement, begin.right.as_deref()), (None, Some("Ra7")));
        assert_eq!(begin.rest, ["Ra7", "Kg8", "Rb8#"]);
        assert_eq!((begin.solver, begin.words.as_str()), (Player::First, "Your move as White."));
        let first = after(&row, "a1a7");
        assert_eq!(
            (first.judgement, first.moves.join(" ")),
            (Some(Judgement::GoOn), "Ra7 Kg8".into())
        );
        let said = (first.words.as_str(), first.answered.as_str());
        assert_eq!(said, ("Ra7 is the right move.", "The opponent answers Kg8."));
        let defences: Vec<_> =
            first.defences.iter().map(|one| (one.text.as_str(), one.is_played)).collect();
        assert_eq!((defences, first.defended_after), (vec![("Kg8", true), ("Ke8", false)], 1));
        assert_eq!(first.right.as_deref(), Some("Rb8#"));
        assert_eq!(first.board.last.len(), 2);
        let solved = after(&row, "Ra7 Kg8 Rb8#");
        assert_eq!((solved.judgement, solved.board.moves.len()), (Some(Judgement::Solved), 0));
        // Another defence of the tree leads to its own end, and any mate is right.
        assert_eq!(after(&row, "Ra7 Ke8").moves.join(" "), "Ra7 Ke8");
        assert_eq!(after(&row, "Ra7 Ke8 Rb8#").judgement, Some(Judgement::Solved));
        assert_eq!(after(&row, "Ra6").judgement, Some(Judgement::Solved), "the tree ends there");
        let mut slow = row.clone();
        slow.tree.as_mut().unwrap().nodes[2].value = Value::Score(500.0);
        let slower = after(&slow, "Ra6");
        assert_eq!(
            (slower.judgement, slower.words.as_str()),
            (Some(Judgement::Slower), "Ra6 wins too, but there is a mate in 2.")
        );
        assert!(chess_solving(&row, &["Ra9".into()], &mut |_| None).is_err());
        assert!(chess_solving(&row, &["Ra7".into(), "Kxa1".into()], &mut |_| None).is_err());
    }

    #[test]
    fn the_files_solution_is_the_only_one_and_a_wrong_move_is_refuted() {
        let row = row(&["Ra7", "Kg8", "Rb8#"]);
        let other = after(&row, "Ra6");
        assert_eq!(other.judgement, Some(Judgement::Slower));
        assert!(other.words.contains("solution in the file is another move"), "{}", other.words);
        let wrong = after(&row, "Kg1 Ke7 Kg2");
        assert_eq!(
            (wrong.judgement, wrong.moves.join(" ")),
            (Some(Judgement::Wrong), "Kg1".into())
        );
        assert_eq!(wrong.words, "Kg1 does not win: the answer is Ke7 (+0.20).");
        let cell = |board: &ShownBoard, name: &str| {
            board.cells.cells[board.cells.cell(name).unwrap()].contents.clone()
        };
        assert_eq!(cell(&wrong.board, "e7"), "black king", "the refutation is on the board");
        assert!(wrong.board.moves.is_empty() && wrong.rest.is_empty() && wrong.right.is_none());
        let unknown = "Kg1 is not the solution. Without an engine its answer cannot be told.";
        assert_eq!(after(&row, "Ra7 Kg8 Kg1").words, unknown);
    }

    #[test]
    fn an_engine_answers_wrong_moves_anywhere_and_tells_those_that_win() {
        let row = row(&["Ra7", "Kg8", "Rb8#"]);
        let with = |moves: &str, text: &str, value: Value| {
            let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
            let mut asked = 0;
            let mut answers = |at: &Position| {
                asked += 1;
                Some(ChessAnswer { played: at.parse_move(text).ok()?, value })
            };
            let found = chess_solving(&row, &moves, &mut answers).unwrap();
            (found, asked)
        };
        let (wrong, asked) = with("Ra7 Kg8 Kg1", "Kf8", Value::Score(-20.0));
        assert_eq!((wrong.judgement, asked), (Some(Judgement::Wrong), 1));
        assert_eq!(wrong.words, "Kg1 does not win: the answer is Kf8 (+0.20).");
        let king = &wrong.board.cells.cells[wrong.board.cells.cell("f8").unwrap()];
        assert_eq!(king.contents, "black king", "the answer is on the board");
        let (slow, _) = with("Ra7 Kg8 Rg1+", "Kf8", Value::Loses(4));
        assert_eq!(slow.judgement, Some(Judgement::Slower));
        assert!(slow.words.starts_with("Rg1+ wins too (mate in "), "{}", slow.words);
        // The tree knows the answer to a first move, and nothing is asked about right moves.
        assert_eq!(with("Kg1", "Ke8", Value::Score(0.0)).1, 0);
        assert_eq!(with("Ra7 Kg8 Rb8#", "Kf8", Value::Score(0.0)).1, 0);
    }

    #[test]
    fn a_problem_without_a_solution_says_so() {
        let mut row = row(&[]);
        row.tree = None;
        let found = after(&row, "");
        assert!(found.right.is_none() && found.board.moves.is_empty());
        assert!(found.words.contains("Neither the file nor the engine"), "{}", found.words);
    }
}
