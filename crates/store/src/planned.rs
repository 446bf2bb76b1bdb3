//! Plan of a run, stored in the first line of its journal. Without it a missing last part would not
//! be noticed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;

use crate::journal::Header;

/// Number of pieces planned for all parts of a run together, and the part that a journal holds.
///
/// The plan does not affect the pieces: runs that differ only in it are the same run, and a journal
/// that is continued with a larger plan stores the union of both plans.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Planned {
    /// Number of games of a match, or of each pairing of a tournament.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<u32>,
    /// Number of instances of each game of a dataset, by the game's canonical name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub instances: BTreeMap<String, u32>,
    /// Paths of the rules texts of a dataset, by the canonical names of their games. A game of the
    /// dataset can be opened again by its path.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub texts: BTreeMap<String, String>,
    /// Part of the run, written as `2/4`; `None` for the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<Shard>,
}

/// Greatest number of games of a match.
pub const GAMES_MAX: u32 = 100_000_000;

/// Greatest number of instances of each game.
pub const INSTANCES_MAX: u32 = 1_000_000;

impl Planned {
    /// Name of the plan's field in the first line.
    pub const FIELD: &str = "planned";

    /// Reads the plan of a journal; `None` if its first line has none.
    ///
    /// # Errors
    ///
    /// When the field has other contents.
    pub fn of(header: &Header) -> Result<Option<Planned>, String> {
        let read = |value: &serde_json::Value| {
            let planned: Result<Planned, _> = serde_json::from_value(value.clone());
            planned
                .map_err(|error| error.to_string())
                .and_then(Planned::checked)
                .map_err(|problem| format!("bad `{}`: {problem}", Self::FIELD))
        };
        header.get(Self::FIELD).map(read).transpose()
    }

    fn checked(self) -> Result<Planned, String> {
        let most = self.instances.values().max().copied().unwrap_or(0);
        if most > INSTANCES_MAX || self.games.is_some_and(|games| games > GAMES_MAX) {
            return Err("its numbers are out of range".to_owned());
        }
        Ok(self)
    }

    /// First line of the journal of a run with this plan; without the field if the plan is empty.
    #[must_use]
    pub fn header(&self, run: &impl Serialize) -> Header {
        let run = serde_json::to_value(run).expect("headers are JSON");
        let serde_json::Value::Object(header) = run else { panic!("a header is an object") };
        if *self == Planned::default() { header } else { self.set(header) }
    }

    /// Sets the plan in a first line.
    pub(crate) fn set(&self, mut header: Header) -> Header {
        let planned = serde_json::to_value(self).expect("plans are JSON");
        header.insert(Self::FIELD.to_owned(), planned);
        header
    }

    /// Combines two plans of one journal: the larger numbers, and the part if both are the same.
    ///
    /// # Errors
    ///
    /// When they are different parts, which need separate journals.
    pub fn and(self, other: Planned) -> Result<Planned, OtherPart> {
        let part = match (self.part, other.part) {
            (Some(there), Some(here)) if there != here => return Err(OtherPart { there, here }),
            (Some(part), Some(_)) => Some(part),
            _ => None,
        };
        Ok(Planned { part, ..self.join(other) })
    }

    /// Combines the plans of two parts into that of the whole run.
    #[must_use]
    pub fn join(mut self, other: Planned) -> Planned {
        for (game, instances) in other.instances {
            let most = self.instances.entry(game).or_default();
            *most = (*most).max(instances);
        }
        // A text may have been moved since the older plan.
        self.texts.extend(other.texts);
        Planned { games: self.games.max(other.games), part: None, ..self }
    }
}

/// Part of the pieces of a run: every `count`-th pair of games of a match. As text it is `1/4` for
/// the first of four.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    /// Index of the part, from 0, less than `count`.
    pub index: u32,
    /// Number of parts, at least 1.
    pub count: u32,
}

impl Shard {
    /// The whole run as a single part.
    pub const WHOLE: Shard = Shard { index: 0, count: 1 };

    /// The part; `None` for the whole run.
    #[must_use]
    pub fn part(self) -> Option<Shard> {
        (self.count > 1).then_some(self)
    }

    /// Returns whether a game belongs to the part.
    #[must_use]
    pub fn has(self, game: u32) -> bool {
        game / 2 % self.count == self.index
    }
}

/// Error of a journal of one part that is used for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("it holds part {there}, and this is part {here}: each part has its own")]
pub struct OtherPart {
    /// Part of the journal.
    pub there: Shard,
    /// Part of the run.
    pub here: Shard,
}

/// Parts of a run that are absent or incomplete.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MissingParts {
    /// Number of parts of the run.
    pub of: u32,
    /// Numbers of the absent parts, from 1.
    pub absent: Vec<u32>,
    /// Numbers of the parts that lack pieces, from 1.
    pub unfinished: Vec<u32>,
}

/// Numbered pieces that are divided among parts, for example the instances of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pieces {
    /// Number of planned pieces; their numbers are less than this.
    pub planned: u32,
    /// Numbers of the existing pieces, each once.
    pub known: Vec<u32>,
    /// Number of neighbouring pieces that always belong to one part: 2 for the games of a match.
    pub together: u32,
}

impl Pieces {
    /// Greatest length of a list of missing numbers.
    const LISTED: usize = 20;

    /// Number of planned pieces that are missing.
    #[must_use]
    pub fn missing(&self) -> u64 {
        u64::from(self.planned).saturating_sub(self.planned_and_known().count() as u64)
    }

    /// Numbers of the first 20 missing pieces.
    #[must_use]
    pub fn first_missing(&self) -> Vec<u32> {
        let known: BTreeSet<u32> = self.planned_and_known().collect();
        let is_missing = |number: &u32| !known.contains(number);
        (0..self.planned).filter(is_missing).take(Self::LISTED).collect()
    }

    fn planned_and_known(&self) -> impl Iterator<Item = u32> {
        self.known.iter().copied().filter(|&number| number < self.planned)
    }

    /// Indexes from 0 of the parts that lack pieces, if there are `parts`.
    fn lacking(&self, parts: u32) -> impl Iterator<Item = u32> {
        let together = self.together.max(1);
        let mut known: BTreeMap<u32, u32> = BTreeMap::new();
        for number in self.planned_and_known() {
            *known.entry(number / together % parts).or_default() += 1;
        }
        let round = u64::from(together) * u64::from(parts);
        let (rounds, rest) = (u64::from(self.planned) / round, u64::from(self.planned) % round);
        let own = move |part: u32| {
            let begin = u64::from(together) * u64::from(part);
            rounds * u64::from(together) + rest.saturating_sub(begin).min(together.into())
        };
        (0..parts).filter(move |part| u64::from(known.get(part).copied().unwrap_or(0)) < own(*part))
    }
}

impl MissingParts {
    /// Parts that the missing pieces belong to. `None` if `given` are not parts of one division, or
    /// nothing is missing.
    #[must_use]
    pub fn of<'a>(
        given: &BTreeSet<Option<Shard>>,
        pieces: impl IntoIterator<Item = &'a Pieces>,
    ) -> Option<MissingParts> {
        let mut counts: Vec<u32> = given.iter().flatten().map(|part| part.count).collect();
        counts.sort_unstable();
        counts.dedup();
        let [of] = counts[..] else { return None };
        let lacking: BTreeSet<u32> = pieces.into_iter().flat_map(|own| own.lacking(of)).collect();
        if lacking.is_empty() {
            return None;
        }
        let is_given = |&index: &u32| given.contains(&Some(Shard { index, count: of }));
        let (unfinished, absent): (Vec<u32>, Vec<u32>) = lacking.into_iter().partition(is_given);
        let numbers = |parts: Vec<u32>| parts.into_iter().map(|index| index + 1).collect();
        Some(MissingParts { of, absent: numbers(absent), unfinished: numbers(unfinished) })
    }
}

/// Error of a text that is not a [`Shard`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected I/N with I from 1 to N: part I of N, at most {PARTS_MAX}")]
pub struct ShardError;

/// Greatest number of parts of a run.
const PARTS_MAX: u32 = 65_536;

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let parts = text.split_once('/').and_then(|(part, count)| {
            let (part, count): (u32, u32) = (part.parse().ok()?, count.parse().ok()?);
            ((1..=count).contains(&part) && count <= PARTS_MAX)
                .then(|| Shard { index: part - 1, count })
        });
        parts.ok_or(ShardError)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.count)
    }
}

impl Serialize for Shard {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Shard {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Shard, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(games: u32, part: Option<&str>) -> Planned {
        let part = part.map(|part| part.parse().unwrap());
        let instances = BTreeMap::from([("achi".to_owned(), games)]);
        Planned { games: Some(games), instances, part, ..Planned::default() }
    }

    #[test]
    fn a_larger_plan_holds_the_smaller_one() {
        assert_eq!(planned(4, None).and(planned(6, None)), Ok(planned(6, None)));
        assert_eq!(
            planned(6, Some("2/4")).and(planned(4, Some("2/4"))),
            Ok(planned(6, Some("2/4")))
        );
        // The whole run contains its parts.
        assert_eq!(planned(6, Some("2/4")).and(planned(6, None)), Ok(planned(6, None)));
        let error = planned(6, Some("2/4")).and(planned(6, Some("1/4"))).unwrap_err();
        assert_eq!(
            error.to_string(),
            "it holds part 2/4, and this is part 1/4: each part has its own"
        );
        assert_eq!(planned(6, Some("2/4")).join(planned(6, Some("1/4"))), planned(6, None));
    }

    #[test]
    fn plans_are_read_back_from_headers() {
        let plan = planned(6, Some("2/4"));
        let header = plan.header(&serde_json::json!({ "seed": 1 }));
        let text = serde_json::to_string(&header).unwrap();
        let expected = r#"{"seed":1,"planned":{"games":6,"instances":{"achi":6},"part":"2/4"}}"#;
        assert_eq!(text, expected);
        assert_eq!(Planned::of(&header), Ok(Some(plan)));
        assert_eq!(Planned::of(&Header::new()), Ok(None));
        for bad in ["5/4", "0/1", "1", ""] {
            let header = serde_json::json!({ "planned": { "part": bad } });
            let serde_json::Value::Object(header) = header else { unreachable!() };
            assert!(Planned::of(&header).unwrap_err().contains("I from 1 to N"), "{bad:?}");
        }
    }

    #[test]
    fn parts_that_were_not_given_are_absent() {
        let given = |parts: &[&str]| parts.iter().map(|part| part.parse().ok()).collect();
        let pieces =
            |known: &[u32], together| Pieces { planned: 8, known: known.to_vec(), together };
        let one = pieces(&[0, 4, 5, 2, 6], 1);
        assert_eq!((one.missing(), one.first_missing()), (3, vec![1, 3, 7]));
        let missing = MissingParts::of(&given(&["1/4", "2/4"]), [&one]);
        let expected = MissingParts { of: 4, absent: vec![4], unfinished: vec![2] };
        assert_eq!(missing, Some(expected));
        // Pairs of games: the parts have 0, 1, 4, 5 and 2, 3, 6, 7.
        let pairs = pieces(&[0, 1, 4, 5, 2], 2);
        let missing = MissingParts::of(&given(&["1/2"]), [&pairs]);
        assert_eq!(missing, Some(MissingParts { of: 2, absent: vec![2], unfinished: vec![] }));
        let whole = pieces(&[0, 1, 2, 3, 4, 5, 6, 7, 8], 1);
        assert_eq!((whole.missing(), MissingParts::of(&given(&["1/4"]), [&whole])), (0, None));
        assert_eq!(MissingParts::of(&given(&["1/4", "1/3"]), [&one]), None);
        assert_eq!(MissingParts::of(&given(&["all"]), [&one]), None);
    }
}
