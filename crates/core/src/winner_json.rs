//! Results in JSON: the name of the winner, `first` or `second`, or `draw`. Fields have it by
//! `#[serde(with = "treegauge_core::winner_json")]`.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Outcome;

/// The result as a word.
#[must_use]
pub fn winner_word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::FirstWins => "first",
        Outcome::SecondWins => "second",
        Outcome::Draw => "draw",
    }
}

/// The result of a word.
fn read<E: Error>(word: &str) -> Result<Outcome, E> {
    match word {
        "first" => Ok(Outcome::FirstWins),
        "second" => Ok(Outcome::SecondWins),
        "draw" => Ok(Outcome::Draw),
        other => Err(E::unknown_variant(other, &["first", "second", "draw"])),
    }
}

/// Writes the word.
///
/// # Errors
///
/// Those of the serializer.
pub fn serialize<S: Serializer>(outcome: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
    winner_word(*outcome).serialize(serializer)
}

/// Reads the word.
///
/// # Errors
///
/// When it is no such word.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Outcome, D::Error> {
    read(&String::deserialize(deserializer)?)
}

/// The same of a result that need not be.
pub mod option {
    use super::{Deserialize, Deserializer, Outcome, Serialize, Serializer};

    /// Writes the word, or nothing.
    ///
    /// # Errors
    ///
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(
        outcome: &Option<Outcome>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        outcome.map(super::winner_word).serialize(serializer)
    }

    /// Reads the word, or nothing.
    ///
    /// # Errors
    ///
    /// When it is no such word.
    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Outcome>, D::Error> {
        let word = Option::<String>::deserialize(deserializer)?;
        word.map(|word| super::read(&word)).transpose()
    }
}
