//! Sentences for somebody who solves a problem: judgements of moves, and the defences of the
//! opponent.

use serde::{Deserialize, Serialize};
use treegauge_engine::ExactMove;
use treegauge_solve::Value;

use crate::words::plies;

/// Judgement of a solver's move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    /// The move is right, and the problem goes on.
    GoOn,
    /// The move is right and ends the problem.
    Solved,
    /// The move wins, but later than the quickest one.
    Slower,
    /// The move loses the win.
    Wrong,
}

impl Judgement {
    /// Name in data and in classes of pages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Judgement::GoOn => "go_on",
            Judgement::Solved => "solved",
            Judgement::Slower => "slower",
            Judgement::Wrong => "wrong",
        }
    }
}

/// Judges a move of a solver who is to win as quickly as possible, with a sentence. `moves` are the
/// moves of the position, best first; `is_over` says whether the game is over after the move. A move
/// that ties at once in a game that goes on has a value that is not known: no quick win follows it.
/// `None` if the position is not won, or has no such move.
///
/// ```
/// use treegauge_engine::ExactMove;
/// use treegauge_report::{Judgement, judged};
/// use treegauge_solve::Value;
///
/// let exact = |m, text: &str, value, plies| ExactMove { m, text: text.to_owned(), value, plies };
/// let moves = [
///     exact(0, "c", Value::Win, Some(5)),
///     exact(1, "d", Value::Win, Some(7)),
///     exact(2, "a", Value::Lose, Some(13)),
/// ];
/// let (judgement, words) = judged(&moves, 1, false).unwrap();
/// assert_eq!(judgement, Judgement::Slower);
/// assert_eq!(words, "d wins too, but 2 plies later than the quickest move.");
/// assert_eq!(judged(&moves, 2, false).unwrap().1, "a lets the opponent win in 12 plies.");
/// ```
#[must_use]
pub fn judged(moves: &[ExactMove], m: u32, is_over: bool) -> Option<(Judgement, String)> {
    let best = moves.first().filter(|best| best.value == Value::Win)?;
    let row = moves.iter().find(|row| row.m == m)?;
    let text = &row.text;
    Some(match (row.value, row.plies, best.plies) {
        (Value::Win, taken, least) if taken == least => {
            if is_over {
                (Judgement::Solved, format!("{text} wins. The problem is solved."))
            } else {
                let left = match taken {
                    Some(taken) => format!(", which wins in {}", plies(taken)),
                    None => String::new(),
                };
                (Judgement::GoOn, format!("{text} is the right move{left}."))
            }
        }
        (Value::Win, Some(taken), Some(least)) => {
            let more = plies(taken.saturating_sub(least));
            (
                Judgement::Slower,
                format!("{text} wins too, but {more} later than the quickest move."),
            )
        }
        (Value::Win, ..) => {
            let words = format!("{text} wins too, but only by endless play.");
            (Judgement::Slower, words)
        }
        (Value::Lose, Some(0 | 1), _) => {
            (Judgement::Wrong, format!("{text} ends the game with a loss."))
        }
        (Value::Lose, Some(taken), _) => {
            let words = format!("{text} lets the opponent win in {}.", plies(taken - 1));
            (Judgement::Wrong, words)
        }
        (Value::Lose, None, _) => {
            (Judgement::Wrong, format!("{text} lets the opponent win by endless play."))
        }
        (Value::Tie, Some(0 | 1), _) if is_over => {
            (Judgement::Wrong, format!("{text} ends the game without a winner."))
        }
        // The tie of a proof, which knows quick wins only.
        (Value::Tie, Some(0 | 1), _) => {
            (Judgement::Wrong, format!("{text} gives the quick win away."))
        }
        (Value::Tie, ..) => {
            (Judgement::Wrong, format!("{text} gives the win away: the opponent holds a tie."))
        }
        (Value::Draw, ..) => (
            Judgement::Wrong,
            format!("{text} gives the win away: the opponent can play on without end."),
        ),
    })
}

/// Sentence about the answer of the opponent to a wrong move.
#[must_use]
pub fn refutation_words(answer: &str) -> String {
    format!("The answer to it is {answer}.")
}

/// Sentence about the answer of the opponent to a right move.
#[must_use]
pub fn defence_words(answers: &[String]) -> String {
    format!("The opponent answers {}.", answers.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(rows: &[(&str, Value, Option<u16>)], m: u32, is_over: bool) -> (Judgement, String) {
        let moves: Vec<ExactMove> = (0..)
            .zip(rows)
            .map(|(m, &(text, value, plies))| ExactMove { m, text: text.to_owned(), value, plies })
            .collect();
        judged(&moves, m, is_over).unwrap()
    }

    #[test]
    fn each_kind_of_move_has_its_judgement_and_sentence() {
        let rows = [
            ("c", Value::Win, Some(5)),
            ("b", Value::Win, Some(5)),
            ("d", Value::Win, Some(6)),
            ("e", Value::Tie, Some(9)),
            ("f", Value::Draw, None),
            ("g", Value::Lose, Some(2)),
        ];
        let of = |m| said(&rows, m, false);
        assert_eq!(of(0), (Judgement::GoOn, "c is the right move, which wins in 5 plies.".into()));
        assert_eq!(of(1).0, Judgement::GoOn, "every quickest win is right");
        assert_eq!(
            of(2),
            (Judgement::Slower, "d wins too, but 1 ply later than the quickest move.".into())
        );
        assert_eq!(of(3).1, "e gives the win away: the opponent holds a tie.");
        assert_eq!(of(4).0, Judgement::Wrong);
        assert_eq!(of(5).1, "g lets the opponent win in 1 ply.");
        let last = [("a", Value::Win, Some(1))];
        assert_eq!(
            said(&last, 0, true),
            (Judgement::Solved, "a wins. The problem is solved.".into())
        );
    }

    #[test]
    fn a_position_that_is_not_won_has_no_judgement() {
        let tie = ExactMove { m: 0, text: "a".into(), value: Value::Tie, plies: Some(1) };
        assert_eq!(judged(&[tie], 0, true), None);
        assert_eq!(judged(&[], 0, true), None);
    }
}
