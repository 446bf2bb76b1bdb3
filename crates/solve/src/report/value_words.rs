//! A value in words.

use std::fmt::Display;

use crate::value::Value;

/// The value of a position for the player to move, or of a move for the player who makes it, in
/// words: `wins in 5`. The JSON of reports has these words next to the numbers.
///
/// ```
/// use treegauge_solve::{Value, report::value_words};
/// assert_eq!(value_words(Value::Tie, 3), "tie in 3");
/// assert_eq!(value_words(Value::Draw, 0), "endless");
/// ```
pub fn value_words(value: Value, plies: impl Display) -> String {
    match value {
        Value::Win => format!("wins in {plies}"),
        Value::Lose => format!("loses in {plies}"),
        Value::Tie => format!("tie in {plies}"),
        Value::Draw => "endless".to_owned(),
    }
}
