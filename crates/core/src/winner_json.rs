//! Results in JSON as the winner, `first` or `second`, or as `draw`. Fields use it with
//! `#[serde(with = "treegauge_core::winner_json")]`.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Outcome;

/// Word for a result: `first`, `second` or `draw`.
#[must_use]
pub fn winner_word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::FirstWins => "first",
        Outcome::SecondWins => "second",
        Outcome::Draw => "draw",
    }
}

/// Parses the word for a result.
fn read<E: Error>(word: &str) -> Result<Outcome, E> {
    match word {
        "first" => Ok(Outcome::FirstWins),
        "second" => Ok(Outcome::SecondWins),
        "draw" => Ok(Outcome::Draw),
        other => Err(E::unknown_variant(other, &["first", "second", "draw"])),
    }
}

/// Writes the word for a result.
///
/// # Errors
///
/// Errors of the serializer.
pub fn serialize<S: Serializer>(outcome: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
    winner_word(*outcome).serialize(serializer)
}

/// Reads the word for a result.
///
/// # Errors
///
/// When the value is not one of the three words.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Outcome, D::Error> {
    read(&String::deserialize(deserializer)?)
}

/// Optional results in JSON.
pub mod option {
    use super::{Deserialize, Deserializer, Outcome, Serialize, Serializer};

    /// Writes the word for a result, or null.
    ///
    /// # Errors
    ///
    /// Errors of the serializer.
    pub fn serialize<S: Serializer>(
        outcome: &Option<Outcome>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        outcome.map(super::winner_word).serialize(serializer)
    }

    /// Reads the word for a result, or null.
    ///
    /// # Errors
    ///
    /// When the value is neither null nor one of the three words.
    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Outcome>, D::Error> {
        let word = Option::<String>::deserialize(deserializer)?;
        word.map(|word| super::read(&word)).transpose()
    }
}
