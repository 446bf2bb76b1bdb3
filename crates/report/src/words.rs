//! Numbers of things.

use treegauge_core::Player;
use treegauge_solve::report::value_words;
use treegauge_solve::{Value, Valued};

/// A number of things: `1 game`, `2 games`.
#[must_use]
pub fn counted(n: impl Into<u64>, thing: &str) -> String {
    let n = n.into();
    if n == 1 { format!("1 {thing}") } else { format!("{n} {thing}s") }
}

/// A number of plies: `1 ply`, `2 plies`.
#[must_use]
pub fn plies(n: impl Into<u64>) -> String {
    let n = n.into();
    if n == 1 { "1 ply".to_owned() } else { format!("{n} plies") }
}

/// The result of an unfinished position with best play of both, in a sentence. The value is for the
/// player to move.
#[must_use]
pub fn value_sentence(turn: Player, valued: Valued) -> String {
    let Some(remoteness) = valued.plies() else {
        return format!("With best play the game never ends; the {turn} player is to move.");
    };
    let plies = plies(remoteness);
    match valued.value {
        Value::Tie => {
            format!(
                "With best play the game is a tie, after {plies}; the {turn} player is to move."
            )
        }
        value => {
            let words = value_words(value, plies);
            format!("With best play the {turn} player, to move, {words}.")
        }
    }
}
