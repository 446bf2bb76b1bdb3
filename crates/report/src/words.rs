//! Numbers of things.

use treegauge_core::Player;
use treegauge_solve::report::value_words;
use treegauge_solve::{Value, Valued};

use crate::evaluate::grouped;

/// A number of things: `1 game`, `2 games`.
#[must_use]
pub fn counted(n: impl Into<u64>, thing: &str) -> String {
    let n = n.into();
    if n == 1 { format!("1 {thing}") } else { format!("{n} {thing}s") }
}

/// Iterations per move: `1 iteration per move`, `1,000 iterations per move`.
pub(crate) fn per_move(iterations: u32) -> String {
    let unit = if iterations == 1 { "iteration" } else { "iterations" };
    format!("{} {unit} per move", grouped(iterations))
}

/// A number with so many digits after the point; what rounds to zero has no sign.
pub(crate) fn fixed(x: f64, digits: usize) -> String {
    let text = format!("{x:.digits$}");
    let is_zero = text.bytes().all(|b| matches!(b, b'-' | b'0' | b'.'));
    text.strip_prefix('-').filter(|_| is_zero).map_or(text.clone(), str::to_owned)
}

/// Some things with commas between them, and how many more there are than `most`.
#[must_use]
pub fn listed(things: &[String], most: usize) -> String {
    match things.len().saturating_sub(most) {
        0 => things.join(", "),
        more => format!("{} and {more} more", things[..most].join(", ")),
    }
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

#[cfg(test)]
mod tests {
    use super::{fixed, listed, per_move};

    #[test]
    fn numbers_and_lists_in_words() {
        let texts =
            [fixed(-0.004, 2), fixed(-0.006, 2), fixed(0.0, 2), fixed(-0.4, 0), fixed(-12.0, 0)];
        assert_eq!(texts, ["0.00", "-0.01", "0.00", "0", "-12"]);
        assert_eq!(per_move(1), "1 iteration per move");
        assert_eq!(per_move(10_000), "10,000 iterations per move");
        let things = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(listed(&things, 3), "a, b, c");
        assert_eq!(listed(&things, 2), "a, b and 1 more");
    }
}
