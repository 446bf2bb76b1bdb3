//! Numbers of things, in words.

use treegauge_core::{Player, quoted};
use treegauge_doc::Cell;
use treegauge_solve::report::value_words;
use treegauge_solve::{Endless, ExactValue, PlyLimit, Value};

pub use treegauge_core::{counted, grouped};

/// A command of the program in backticks: `command("gauge", &["achi", "--games", "80"])`.
pub(crate) fn command(name: &str, arguments: &[&str]) -> String {
    let words = arguments.iter().map(|word| quoted(word.as_ref()));
    let words: Vec<String> =
        ["treegauge".to_owned(), name.to_owned()].into_iter().chain(words).collect();
    format!("`{}`", words.join(" "))
}

/// The words of searches that a reader of a gauge meets first.
pub(crate) const UCT_WORDS: &str = "UCT is a tree search that tries the moves that look best more often; each try, an \
                                    iteration, ends with a random game. A ply is one move of one player.";

/// Cell of a whole number with commas.
pub(crate) fn count_cell(n: u64) -> Cell {
    Cell { text: grouped(n), ..Cell::count(n) }
}

/// Number of things with commas: `1 game`, `1,226 games`.
pub(crate) fn counted_grouped(n: impl Into<u64>, thing: &str) -> String {
    let n = n.into();
    counted(n, thing).replacen(&n.to_string(), &grouped(n), 1)
}

/// Number of things with the verb: `1 game is`, `2 games are`.
pub(crate) fn counted_are(n: u64, thing: &str) -> String {
    format!("{} {}", counted(n, thing), if n == 1 { "is" } else { "are" })
}

/// Iterations per move: `1 iteration per move`, `1,000 iterations per move`.
pub(crate) fn per_move(iterations: u32) -> String {
    let unit = if iterations == 1 { "iteration" } else { "iterations" };
    format!("{} {unit} per move", grouped(iterations))
}

/// Number with `digits` digits after the point. A number that rounds to zero has no sign.
pub(crate) fn fixed(x: f64, digits: usize) -> String {
    let text = format!("{x:.digits$}");
    let is_zero = text.bytes().all(|b| matches!(b, b'-' | b'0' | b'.'));
    text.strip_prefix('-').filter(|_| is_zero).map_or(text.clone(), str::to_owned)
}

/// At most `most` things with commas between them, then the number of the others.
#[must_use]
pub fn listed(things: &[String], most: usize) -> String {
    match things.len().saturating_sub(most) {
        0 => things.join(", "),
        more => format!("{} and {more} more", things[..most].join(", ")),
    }
}

/// Same as [`listed`] with `and` before the last of all things: `a, b and c`.
pub(crate) fn and_listed(things: &[String], most: usize) -> String {
    match things.split_last() {
        Some((last, others)) if !others.is_empty() && things.len() <= most => {
            format!("{} and {last}", others.join(", "))
        }
        _ => listed(things, most),
    }
}

/// Number of plies: `1 ply`, `2 plies`.
#[must_use]
pub fn plies(n: impl Into<u64>) -> String {
    counted(n, "ply")
}

/// Result of an unfinished position with best play by both players, in a sentence. `valued` is for
/// the player to move. `by_history` is the value of a position that history decides, if known.
/// `limit` may stop the game before its end.
#[must_use]
pub fn value_sentence(
    turn: Player,
    valued: ExactValue,
    endless: Endless,
    by_history: Option<Value>,
    limit: Option<PlyLimit>,
) -> String {
    if let Some(limit) = limit {
        let sentence = value_sentence(turn, valued, endless, by_history, None);
        let rest = sentence.strip_prefix("With best play ").unwrap_or(&sentence);
        return format!(
            "Not known: the rules stop a game after {limit}. Without this limit, with best play {rest}"
        );
    }
    match (valued.value, by_history) {
        (Value::Draw, Some(Value::Tie | Value::Draw)) => {
            "With best play the game is drawn: repetition or quiet plies end it.".to_owned()
        }
        (Value::Draw, Some(value)) => {
            let wins = if value == Value::Win { "wins" } else { "loses" };
            format!(
                "With best play the {turn} player, to move, {wins}: repetition or quiet plies end \
                 the game."
            )
        }
        (Value::Draw, None) if endless == Endless::Undecided => format!(
            "Who wins with best play is not known: repetition or quiet plies decide it, and they \
             depend on the moves before; the {turn} player is to move."
        ),
        (Value::Draw, None) => {
            format!("With best play the game never ends; the {turn} player is to move.")
        }
        (Value::Tie, _) => format!(
            "With best play the game is a draw, after {}; the {turn} player is to move.",
            plies(valued.remoteness)
        ),
        (value, _) => {
            let words = value_words(value, valued.plies().map(plies));
            format!("With best play the {turn} player, to move, {words}.")
        }
    }
}

/// Sentence about the result of endless play by the rules; `None` if it is a draw.
pub(crate) fn endless_words(endless: Endless) -> Option<String> {
    match endless {
        Endless::Draw => None,
        Endless::FirstWins | Endless::SecondWins => endless.winner().map(|winner| {
            format!(
                "Play that never ends is a win of the {winner} player by the rules of repetition \
                 and quiet plies."
            )
        }),
        Endless::Undecided => Some(
            "By these rules repetition or quiet plies decide endless play by the moves before, which \
             a solution does not see: a value is known where it is the same whoever wins endless \
             play."
                .to_owned(),
        ),
    }
}

/// The text with a capital letter.
pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::{and_listed, counted_grouped, fixed, listed, per_move};

    #[test]
    fn numbers_and_lists_in_words() {
        let texts =
            [fixed(-0.004, 2), fixed(-0.006, 2), fixed(0.0, 2), fixed(-0.4, 0), fixed(-12.0, 0)];
        assert_eq!(texts, ["0.00", "-0.01", "0.00", "0", "-12"]);
        assert_eq!(per_move(1), "1 iteration per move");
        assert_eq!(counted_grouped(1_000_001_u32, "ply"), "1,000,001 plies");
        assert_eq!(per_move(10_000), "10,000 iterations per move");
        let things = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(listed(&things, 3), "a, b, c");
        assert_eq!(listed(&things, 2), "a, b and 1 more");
        assert_eq!(and_listed(&things, 3), "a, b and c");
        assert_eq!(and_listed(&things, 2), "a, b and 1 more");
        assert_eq!(and_listed(&things[..1], 2), "a");
    }
}
