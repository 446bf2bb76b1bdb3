//! Numbers of things.

use treegauge_core::Player;
use treegauge_solve::Valued;
use treegauge_solve::report::value_words;

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

/// What comes of an unfinished position with best play of both, in a sentence. The value is that
/// for the player who is to move.
#[must_use]
pub fn value_sentence(turn: Player, valued: Valued) -> String {
    let Some(remoteness) = valued.plies() else {
        return format!("With best play of both the game never ends; the {turn} player moves.");
    };
    let words = value_words(valued.value, plies(remoteness));
    format!("With best play of both the {turn} player, who moves, {words}.")
}
