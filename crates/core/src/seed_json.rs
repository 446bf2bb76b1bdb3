//! Seeds in JSON: a number, or its digits as a string where readers that know floating-point numbers alone
//! would round it. Fields have it by `#[serde(with = "treegauge_core::seed_json")]`.

use std::fmt;

use serde::de::{Deserializer, Error, Unexpected, Visitor};
use serde::ser::Serializer;

/// The least number that has a neighbour with the same floating-point number.
const ROUNDED: u64 = 1 << 53;

/// Writes the number, or from 2^53 on its digits as a string.
///
/// # Errors
///
/// Those of the serializer.
pub fn serialize<S: Serializer>(seed: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    if *seed < ROUNDED { serializer.serialize_u64(*seed) } else { serializer.collect_str(seed) }
}

/// Reads either form: older files have all seeds as numbers.
///
/// # Errors
///
/// When it is neither.
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

/// A seed in a table: `0x` and sixteen hexadecimal digits, which no reader takes for a number.
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
