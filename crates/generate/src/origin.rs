//! Names of the games of a run: start texts and generated candidates.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Game of a run, written `start-2` or `17`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Origin {
    /// Start text by its index, from 0.
    Start(u32),
    /// Candidate by its number, from 0.
    Made(u32),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Start(n) => write!(f, "start-{n}"),
            Origin::Made(n) => write!(f, "{n}"),
        }
    }
}

impl From<Origin> for String {
    fn from(origin: Origin) -> String {
        origin.to_string()
    }
}

impl FromStr for Origin {
    type Err = String;

    fn from_str(text: &str) -> Result<Origin, String> {
        let (number, make): (&str, fn(u32) -> Origin) = match text.strip_prefix("start-") {
            Some(number) => (number, Origin::Start),
            None => (text, Origin::Made),
        };
        number.parse().map(make).map_err(|_| {
            format!("invalid game {text:?}: expected a number, or start-N for a start text")
        })
    }
}

impl TryFrom<String> for Origin {
    type Error = String;

    fn try_from(text: String) -> Result<Origin, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::Origin;

    #[test]
    fn a_name_is_read_as_it_is_written() {
        for origin in [Origin::Start(0), Origin::Start(12), Origin::Made(0), Origin::Made(4_711)] {
            assert_eq!(origin.to_string().parse(), Ok(origin));
        }
        assert!(Origin::Start(9) < Origin::Made(0), "the texts come first");
        for wrong in ["", "start", "start-", "start-x", "-1", "seventeen"] {
            assert!(wrong.parse::<Origin>().unwrap_err().contains("invalid game"), "{wrong}");
        }
    }
}
