//! Seeds in JSON: numbers below 2^53, otherwise strings of digits, because readers that only know
//! floating-point numbers would round larger ones. Fields use it with
//! `#[serde(with = "treegauge_core::seed_json")]`.

use std::fmt;

use serde::de::{Deserializer, Error, Unexpected, Visitor};
use serde::ser::Serializer;

/// Smallest number that shares its floating-point value with another.
const ROUNDED: u64 = 1 << 53;

/// Writes the seed as a number below 2^53, otherwise as a string of digits.
///
/// # Errors
///
/// Errors of the serializer.
pub fn serialize<S: Serializer>(seed: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    if *seed < ROUNDED { serializer.serialize_u64(*seed) } else { serializer.collect_str(seed) }
}

/// Reads a number of any size, as in older files, or a string of digits.
///
/// # Errors
///
/// When the value is neither a number of 64 bits nor the digits of one.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    deserializer.deserialize_any(Seed)
}

struct Seed;

impl Visitor<'_> for Seed {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number from 0 to 18446744073709551615, or its digits")
    }

    fn visit_u64<E: Error>(self, seed: u64) -> Result<u64, E> {
        Ok(seed)
    }

    fn visit_str<E: Error>(self, digits: &str) -> Result<u64, E> {
        digits.parse().map_err(|_| E::invalid_value(Unexpected::Str(digits), &self))
    }
}

/// Text of a seed in a table: `0x` and 16 hexadecimal digits, which no reader takes for a decimal
/// number.
#[must_use]
pub fn digits(seed: u64) -> String {
    format!("0x{seed:016x}")
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Seeded {
        #[serde(with = "super")]
        seed: u64,
    }

    #[test]
    fn seeds_that_would_be_rounded_are_strings() {
        for (seed, text) in [
            (7, r#"{"seed":7}"#),
            (ROUNDED - 1, r#"{"seed":9007199254740991}"#),
            (ROUNDED, r#"{"seed":"9007199254740992"}"#),
            (u64::MAX, r#"{"seed":"18446744073709551615"}"#),
        ] {
            assert_eq!(serde_json::to_string(&Seeded { seed }).unwrap(), text);
            let older = format!("{{\"seed\":{seed}}}");
            for text in [text, &older] {
                assert_eq!(serde_json::from_str::<Seeded>(text).unwrap(), Seeded { seed });
            }
        }
        for bad in [r#"{"seed":-1}"#, r#"{"seed":1.5}"#, r#"{"seed":"x"}"#, r#"{"seed":null}"#] {
            assert!(serde_json::from_str::<Seeded>(bad).is_err(), "{bad}");
        }
    }
}
