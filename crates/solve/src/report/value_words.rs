//! Values in words.

use std::fmt::Display;

use crate::value::Value;

/// Formats the value of a position for the player to move, or of a move for the player who makes
/// it: `wins in 5`. The JSON of reports has these words next to the numbers. `plies` is `None` for
/// endless play.
///
/// ```
/// use treegauge_solve::{Value, report::value_words};
/// assert_eq!(value_words(Value::Tie, Some(3)), "tie in 3");
/// assert_eq!(value_words(Value::Lose, None::<u16>), "loses by endless play");
/// assert_eq!(value_words(Value::Draw, None::<u16>), "endless");
/// ```
pub fn value_words(value: Value, plies: Option<impl Display>) -> String {
    match (value, plies) {
        (Value::Win, Some(plies)) => format!("wins in {plies}"),
        (Value::Lose, Some(plies)) => format!("loses in {plies}"),
        (Value::Tie, Some(plies)) => format!("tie in {plies}"),
        (Value::Win, None) => "wins by endless play".to_owned(),
        (Value::Lose, None) => "loses by endless play".to_owned(),
        (Value::Tie | Value::Draw, _) => "endless".to_owned(),
    }
}
