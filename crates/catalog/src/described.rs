//! Games of the k-in-a-row family from rules in plain English.

use thiserror::Error;

use crate::{GameSpec, SpecError};

/// Side of the board that replaces an unbounded one.
const UNBOUNDED: u32 = 19;

/// Reason that a description is not a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DescriptionError {
    /// The size of the board is neither a number nor `inf`.
    #[error("{text:?} is not a number of rows or columns: use a whole number or `inf`")]
    Size {
        /// Text of the size.
        text: String,
    },
    /// A sentence of the rule is unknown.
    #[error("the sentence {sentence:?} of the rule is not understood")]
    Sentence {
        /// Text of the sentence.
        sentence: String,
    },
    /// The rule does not give the length of a line.
    #[error("the rule does not say how many pieces in a row are needed")]
    NoLength,
    /// The board or the line is out of the family's range.
    #[error(transparent)]
    Spec(#[from] SpecError),
}

/// Converts a board and a rule to an `mnk` game. The sentences are those of Collins and others 2025
/// ("People use fast, flat simulation to reason about new games"), who described games to
/// participants. `inf` is a board of 19 x 19.
///
/// # Errors
///
/// When the size or a sentence is not understood: rules are never guessed.
///
/// ```
/// let spec = treegauge_catalog::described_game("7", "7", "4 pieces in a row loses.").unwrap();
/// assert_eq!(spec.canonical(), "mnk(rows=7,cols=7,k1=4,k2=4,misere=true)");
/// ```
pub fn described_game(rows: &str, cols: &str, rule: &str) -> Result<GameSpec, DescriptionError> {
    let mut arguments = vec![format!("rows={}", side(rows)?), format!("cols={}", side(cols)?)];
    let mut said_length = false;
    for sentence in sentences(rule) {
        let (pattern, numbers) = without_numbers(&sentence);
        let set: Vec<String> = match (pattern.as_str(), numbers.as_slice()) {
            ("# pieces in a row wins" | "Each player needs # pieces in a row to win", [k]) => {
                said_length = true;
                vec![format!("k={k}")]
            }
            ("# pieces in a row loses", [k]) => {
                said_length = true;
                vec![format!("k={k}"), "misere=true".to_owned()]
            }
            (
                "The first player needs # pieces in a row to win, but the second player only needs # pieces in a row to win",
                [k1, k2],
            ) => {
                said_length = true;
                vec![format!("k1={k1}"), format!("k2={k2}")]
            }
            ("However, a player cannot win by making a diagonal row", []) => {
                vec!["dirs=orthogonal".to_owned()]
            }
            ("However, a player can only win by making a diagonal row", []) => {
                vec!["dirs=diagonal".to_owned()]
            }
            // These sentences repeat the rule.
            (
                "Only horizontal and vertical rows count"
                | "Horizontal and vertical rows do not count",
                [],
            ) => vec![],
            (
                "The first player can place # pieces as their first move, while the second player can only place # piece as their first move",
                [first1, first2],
            ) => vec![format!("first1={first1}"), format!("first2={first2}")],
            (
                "The second player can place # pieces as their first move, while the first player can only place # piece as their first move",
                [first2, first1],
            ) => vec![format!("first1={first1}"), format!("first2={first2}")],
            (
                "The first player cannot win by making a diagonal row (only horizontal and vertical rows count), but the second player does not have this restriction",
                [],
            ) => vec!["dirs1=orthogonal".to_owned()],
            (
                "The first player can only win by making a diagonal row, but the second player does not have this restriction",
                [],
            ) => vec!["dirs1=diagonal".to_owned()],
            _ => return Err(DescriptionError::Sentence { sentence }),
        };
        arguments.extend(set);
    }
    if !said_length {
        return Err(DescriptionError::NoLength);
    }
    Ok(GameSpec::parse(&format!("mnk({})", arguments.join(",")))?)
}

fn side(text: &str) -> Result<u32, DescriptionError> {
    match text.trim() {
        "inf" => Ok(UNBOUNDED),
        number => number.parse().map_err(|_| DescriptionError::Size { text: text.to_owned() }),
    }
}

/// Splits a text into sentences, without their full stops.
fn sentences(text: &str) -> Vec<String> {
    text.split('.').map(str::trim).filter(|s| !s.is_empty()).map(str::to_owned).collect()
}

/// Replaces each number of a sentence by `#`. Returns the sentence and the numbers.
fn without_numbers(sentence: &str) -> (String, Vec<String>) {
    let (mut pattern, mut numbers) = (String::new(), Vec::<String>::new());
    for c in sentence.chars() {
        if !c.is_ascii_digit() {
            pattern.push(c);
        } else if pattern.ends_with('#') {
            numbers.last_mut().expect("a # is a number").push(c);
        } else {
            pattern.push('#');
            numbers.push(c.to_string());
        }
    }
    (pattern, numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::Moves;

    #[test]
    fn every_rated_game_is_the_game_of_the_table() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../testdata/rated_k_in_a_row_games.tsv");
        let table = std::fs::read_to_string(path).unwrap();
        let mut rows = 0;
        for line in table.lines().filter(|line| !line.starts_with('#')) {
            let [rows_text, cols, rule, expected] =
                line.split('\t').collect::<Vec<_>>().try_into().expect("four columns");
            let spec = described_game(rows_text, cols, rule).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(spec.canonical(), expected, "{rule}");
            let moves = spec.with_built_in_game(Moves).unwrap();
            assert!(!moves.is_empty(), "{expected} is over at the start");
            rows += 1;
        }
        assert_eq!(rows, 86);
    }

    #[test]
    fn what_is_not_understood_is_not_guessed() {
        let said = |rows, rule| described_game(rows, "5", rule).unwrap_err().to_string();
        assert!(said("5", "4 pieces in a circle wins.").contains("4 pieces in a circle wins"));
        assert!(said("5", "").contains("does not say how many"));
        assert!(said("five", "4 pieces in a row wins.").contains("\"five\""));
        assert!(said("50", "4 pieces in a row wins.").contains("it takes 1 to 19"));
    }
}
