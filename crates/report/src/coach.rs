//! Sentences about played moves.

use treegauge_engine::{ExactMove, PlyValues, PositionValues, SearchedMove};
use treegauge_solve::Value;

use crate::words::{counted_grouped, fixed, plies};

/// Sentence about the move that was played in a position, compared with the best one. `None` if no
/// move was played there, or its value is not known.
///
/// A search calls a move worse only if the intervals of the two values do not overlap.
#[must_use]
pub fn coach_words(at: &PlyValues) -> Option<String> {
    let played = at.played?;
    match &at.values {
        PositionValues::Solution { moves } => {
            Some(exact_words(moves.iter().find(|row| row.m == played)?, moves.first()?))
        }
        PositionValues::Search { moves, iterations, .. } => {
            let iterations = counted_grouped(*iterations, "iteration");
            let row = moves.iter().find(|row| row.m == played)?;
            let best = best_of(moves)?;
            Some(searched_words(row, best, &iterations))
        }
        _ => None,
    }
}

/// Best move of a search. A proved win is better than any average.
fn best_of(moves: &[SearchedMove]) -> Option<&SearchedMove> {
    moves.iter().find(|row| row.proved == Some(1)).or(moves.first())
}

fn exact_words(row: &ExactMove, best: &ExactMove) -> String {
    let m = &row.text;
    if row.value != best.value {
        let (before, after) = (value_noun(best.value), value_noun(row.value));
        let of_best = match (best.value, best.plies) {
            (Value::Win, Some(n)) => format!("won in {}", plies(n)),
            (Value::Win, None) => "won".to_owned(),
            (Value::Tie, _) => "held the tie".to_owned(),
            (Value::Draw, _) => "went on without end".to_owned(),
            (Value::Lose, _) => "lost".to_owned(),
        };
        return format!("{m} turns {before} into {after}: {} {of_best}.", best.text);
    }
    match (row.value, row.plies, best.plies) {
        (Value::Win, Some(n), Some(least)) if n > least => {
            format!("{m} keeps the win, {} slower than {}.", plies(n - least), best.text)
        }
        (Value::Lose, Some(n), Some(most)) if n < most => {
            format!("{m} loses {} sooner than {}.", plies(most - n), best.text)
        }
        (Value::Win, Some(n), _) => format!("{m} is a best move: it wins in {}.", plies(n)),
        (Value::Win, None, _) => format!("{m} is a best move: it wins."),
        (Value::Lose, Some(n), _) => format!("{m} loses in {}, as late as possible.", plies(n)),
        (Value::Lose, None, _) => format!("{m} loses, as every move does."),
        (Value::Tie, ..) => format!("{m} keeps the tie."),
        (Value::Draw, ..) => format!("{m} keeps the game going without end."),
    }
}

fn value_noun(value: Value) -> &'static str {
    match value {
        Value::Win => "a win",
        Value::Lose => "a loss",
        Value::Tie => "a tie",
        Value::Draw => "endless play",
    }
}

fn searched_words(row: &SearchedMove, best: &SearchedMove, iterations: &str) -> String {
    let m = &row.text;
    if let (Some(got), Some(possible)) = (row.proved, best.proved) {
        let noun = |sign: i32| match sign {
            1.. => "a win",
            0 => "a tie",
            _ => "a loss",
        };
        return if got == possible {
            format!("{m} keeps {} (proved).", noun(got))
        } else {
            format!(
                "{m} turns {} into {}: {} was better (proved).",
                noun(possible),
                noun(got),
                best.text
            )
        };
    }
    let (value, top) = (fixed(row.value, 2), fixed(best.value, 2));
    if row.m == best.m {
        return format!("{m} is the best move that {iterations} found, with a value of {value}.");
    }
    // The best average is the upper end of what is compared, so one-sided overlap is enough.
    if row.interval[1] >= best.interval[0] {
        return format!(
            "{m} may be as good as {}: {value} and {top} after {iterations}, with intervals that overlap.",
            best.text
        );
    }
    let lost = fixed(best.value - row.value, 2);
    format!("{m} gives away {lost}: {value}, and {} has {top} after {iterations}.", best.text)
}

#[cfg(test)]
mod tests {
    use treegauge_core::Player;

    use super::*;

    fn exact(rows: &[(&str, Value, Option<u16>)], played: u32) -> String {
        let moves = rows.iter().enumerate().map(|(m, &(text, value, plies))| ExactMove {
            m: m as u32,
            text: text.to_owned(),
            value,
            plies,
        });
        words(PositionValues::Solution { moves: moves.collect() }, played).unwrap()
    }

    fn words(values: PositionValues, played: u32) -> Option<String> {
        coach_words(&PlyValues { ply: 0, turn: Player::First, played: Some(played), values })
    }

    fn searched(rows: &[(&str, f64, [f64; 2], Option<i32>)], played: u32) -> Option<String> {
        let moves = rows.iter().enumerate().map(|(m, &(text, value, interval, proved))| {
            let text = text.to_owned();
            let (visits, legal_moves, tried_moves) = (10, 0, 0);
            SearchedMove {
                m: m as u32,
                text,
                visits,
                value,
                interval,
                proved,
                legal_moves,
                tried_moves,
            }
        });
        let (moves, line) = (moves.collect(), Vec::new());
        words(PositionValues::Search { iterations: 2_000, moves, proved: None, line }, played)
    }

    #[test]
    fn a_move_of_a_solved_game_is_compared_with_the_best() {
        let rows = [
            ("c", Value::Win, Some(7)),
            ("d", Value::Win, Some(9)),
            ("e", Value::Tie, Some(12)),
            ("a", Value::Lose, Some(4)),
        ];
        assert_eq!(exact(&rows, 0), "c is a best move: it wins in 7 plies.");
        assert_eq!(exact(&rows, 1), "d keeps the win, 2 plies slower than c.");
        assert_eq!(exact(&rows, 2), "e turns a win into a tie: c won in 7 plies.");
        assert_eq!(exact(&rows[2..], 1), "a turns a tie into a loss: e held the tie.");
        let lost = [("a", Value::Lose, Some(6)), ("b", Value::Lose, Some(2))];
        assert_eq!(exact(&lost, 1), "b loses 4 plies sooner than a.");
    }

    #[test]
    fn a_searched_move_is_told_from_the_best_only_if_the_intervals_are_apart() {
        let rows = [
            ("d", 0.3, [0.2, 0.4], None),
            ("c", 0.25, [0.1, 0.35], None),
            ("a", -0.2, [-0.4, 0.0], None),
        ];
        let said = |played| searched(&rows, played).unwrap();
        assert_eq!(
            said(0),
            "d is the best move that 2,000 iterations found, with a value of 0.30."
        );
        assert_eq!(
            said(1),
            "c may be as good as d: 0.25 and 0.30 after 2,000 iterations, with intervals that overlap."
        );
        assert_eq!(said(2), "a gives away 0.50: -0.20, and d has 0.30 after 2,000 iterations.");
        assert_eq!(searched(&rows, 7), None);
        let proved = [("d", 1.0, [1.0, 1.0], Some(1)), ("a", -1.0, [-1.0, -1.0], Some(-1))];
        assert_eq!(
            searched(&proved, 1).unwrap(),
            "a turns a win into a loss: d was better (proved)."
        );
    }
}
