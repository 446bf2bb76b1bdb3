//! Ranges of the numbers, lists and texts of a report, checked before the report is read.
//!
//! No run writes a number beyond these ranges. A damaged or edited file could break a page or show
//! infinite numbers, so it is refused with the field and its range.

use std::collections::HashMap;
use std::fmt::{self, Write};
use std::sync::LazyLock;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use treegauge_gauge::{MEASURES, Unit};
use treegauge_search::FEATURES;

/// Greatest length of a text in a report, in bytes. Names, positions and sentences are short; wider
/// columns could not be printed.
const TEXT_BYTES_MAX: usize = 1 << 14;

/// Greatest size of a number without a range of its own, unless it is a count.
const NUMBER_MAX: f64 = 1e12;

/// Greatest count.
const COUNT_MAX: f64 = u64::MAX as f64;

/// Least and greatest number of a field.
type Range = (f64, f64);

/// Range of a share or a probability.
const SHARE: Range = (0.0, 1.0);

/// Range of a correlation, or of a value from a loss to a win.
const SIGNED: Range = (-1.0, 1.0);

/// Ranges of fields that have one in every report, by field name. An entry such as `curves.values`
/// also names the surrounding field, if the name alone is ambiguous. A list has the name of its
/// field. The `mean`, `low` and `high` of an estimate have the range of its field.
const RANGES: &[(&str, Range)] = &[
    ("accumulated", SHARE),
    ("accuracy", SHARE),
    ("agree", SHARE),
    ("agreement", SIGNED),
    ("auc", SHARE),
    ("balanced_accuracy", SHARE),
    ("brier", SHARE),
    ("correlation", SIGNED),
    ("coverage", SHARE),
    ("covered", SHARE),
    ("cp", (0.0, 1e3)),
    ("cpu_s", (0.0, 1e9)),
    ("counts", (0.0, COUNT_MAX)),
    ("curves.values", SIGNED),
    ("depth", (0.0, 1e9)),
    ("easy", SHARE),
    ("effect", (-1e6, 1e6)),
    ("elo", (-1e5, 1e5)),
    ("extremes_auc", SHARE),
    ("false_positives", SHARE),
    ("first_move", SHARE),
    ("first_mover", SHARE),
    ("fisher_p_value", SHARE),
    ("full_capture", SHARE),
    ("guess_probability", SHARE),
    ("hard", SHARE),
    ("immediate", SHARE),
    ("independent_score", SHARE),
    ("by_remoteness.wins", (1.0, COUNT_MAX)),
    ("instances", (1.0, 1e9)),
    ("interestingness", SHARE),
    ("kept.high", SHARE),
    ("kept.low", SHARE),
    ("kept.mean", SHARE),
    ("likelihood_of_superiority", SHARE),
    ("mean_for_first", SIGNED),
    ("mean_score", SIGNED),
    ("medium", SHARE),
    ("networks.chosen", SIGNED),
    ("normalised_elo", (-1e5, 1e5)),
    ("observed", SHARE),
    ("p", SHARE),
    ("p_value", SHARE),
    ("paragraphs.level", (0.0, 8.0)),
    ("permutation_p", SHARE),
    ("pairs.right", SHARE),
    ("playable.high", SHARE),
    ("playable.low", SHARE),
    ("power", SHARE),
    ("probability", SHARE),
    ("rank_correlation", SIGNED),
    ("score.high", SHARE),
    ("score.low", SHARE),
    ("score.mean", SHARE),
    ("shapes.accuracy", SIGNED),
    ("shapes.auc", SIGNED),
    ("standards.high", SHARE),
    ("standards.low", SHARE),
    ("strengths.high", SHARE),
    ("strengths.low", SHARE),
    ("tie_breaks.greatest", SHARE),
    ("tie_breaks.least", SHARE),
    ("trees_gain.accuracy", SIGNED),
    ("trees_gain.auc", SIGNED),
    ("true_positives", SHARE),
    ("turns.values", SIGNED),
    ("unplayable_found", SHARE),
];

/// Greatest lengths of lists that a run keeps short, by names as in [`RANGES`].
const LENGTHS: &[(&str, usize)] = &[
    ("datasets", 1 << 12),
    ("differences", 1 << 20),
    ("first_moves", 1 << 16),
    ("highlights", 3),
    ("ladder", 1 << 10),
    ("lineage", 1 << 14),
    ("nodes", 1 << 16),
    ("sentences", 1 << 16),
    ("turns", 8),
];

/// Ranges by name: [`RANGES`], those of the features of trees, and those of measures.
static BY_NAME: LazyLock<HashMap<String, Range>> = LazyLock::new(|| {
    let mut all: HashMap<String, Range> =
        RANGES.iter().map(|&(name, range)| (name.to_owned(), range)).collect();
    for feature in FEATURES {
        let (least, greatest) = feature.range;
        for part in ["mean", "min", "max"] {
            let range = (least, greatest.min(NUMBER_MAX));
            all.insert(format!("{}.{part}", feature.name), range);
        }
    }
    for measure in MEASURES {
        let range = match measure.unit {
            Unit::Share => SHARE,
            Unit::Plies(_) => (0.0, 1e9),
            Unit::Number(_) => (0.0, NUMBER_MAX),
            Unit::Elo => (-1e5, 1e5),
        };
        let own = measure.name.rsplit_once('.').map_or(measure.name, |(around, part)| match part {
            "mean" => around,
            _ => measure.name,
        });
        let name = own.rsplit_once('.').map_or(own, |(_, last)| last);
        if name == "median" {
            all.insert("plies.median_low".to_owned(), range);
            all.insert("plies.median_high".to_owned(), range);
        }
        all.insert(if name == "median" { own.to_owned() } else { name.to_owned() }, range);
    }
    all
});

/// Checks the numbers, texts and lists in the JSON of a report or a model, and stores none of them.
///
/// # Errors
///
/// If the input is not JSON, or a field is beyond its range. The error names the first such field
/// and the range.
pub fn check_bounds(json: &[u8]) -> Result<(), serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_slice(json);
    let mut path = Vec::new();
    Within(&mut path).deserialize(&mut reader)?;
    reader.end()
}

/// Step from a value to a value in it.
#[derive(Clone)]
enum Step {
    Field(String),
    Item(usize),
}

/// A value within a report, by the path to it.
struct Within<'p>(&'p mut Vec<Step>);

impl Within<'_> {
    /// Path of the value, such as `games[3].capped.mean`.
    fn place(&self) -> String {
        let mut place = String::new();
        for step in self.0.iter() {
            let _ = match step {
                Step::Field(name) if place.is_empty() => write!(place, "{name}"),
                Step::Field(name) => write!(place, ".{name}"),
                Step::Item(n) => write!(place, "[{n}]"),
            };
        }
        if place.is_empty() { "the report".to_owned() } else { place }
    }

    /// Field names on the path, the innermost first.
    fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().rev().filter_map(|step| match step {
            Step::Field(name) => Some(name.as_str()),
            Step::Item(_) => None,
        })
    }

    /// Entry of the value in a table by names. An entry for the two innermost fields comes before
    /// one for the innermost field alone.
    fn named<T: Copy>(&self, of: impl Fn(&str) -> Option<T>) -> Option<T> {
        let mut names = self.names();
        let (last, around) = (names.next()?, names.next());
        around.and_then(|around| of(&format!("{around}.{last}"))).or_else(|| of(last))
    }

    /// Range of the value's numbers; `None` if they have no range of their own.
    fn range(&self) -> Option<Range> {
        let of = |name: &str| BY_NAME.get(name).copied();
        self.named(of).or_else(|| {
            let mut names = self.names();
            let is_part = names.next().is_some_and(|last| ["mean", "low", "high"].contains(&last));
            let (own, around) = (names.next().filter(|_| is_part)?, names.next());
            around.and_then(|around| of(&format!("{around}.{own}"))).or_else(|| of(own))
        })
    }

    fn number<E: Error>(&self, number: f64, is_count: bool) -> Result<(), E> {
        let range = self.range();
        let (least, greatest) = range.unwrap_or((-NUMBER_MAX, NUMBER_MAX));
        // Sums of rounded numbers may lie slightly beyond the range.
        let slack = 1e-6 * (1.0 + least.abs().max(greatest.abs()).min(1e3));
        if (least - slack..=greatest + slack).contains(&number) || (range.is_none() && is_count) {
            return Ok(());
        }
        Err(E::custom(format!(
            "`{}` is {number:?}, which is not from {least} to {greatest}",
            self.place()
        )))
    }

    fn text<E: Error>(&self, text: &str) -> Result<(), E> {
        if text.len() <= TEXT_BYTES_MAX {
            return Ok(());
        }
        Err(E::custom(format!(
            "`{}` is a text of {} bytes, and {TEXT_BYTES_MAX} are allowed",
            self.place(),
            text.len()
        )))
    }
}

impl<'de> DeserializeSeed<'de> for Within<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Within<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<(), E> {
        self.number(number as f64, true)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<(), E> {
        self.number(number as f64, false)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<(), E> {
        self.number(number, false)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.text(text)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let of = |name: &str| LENGTHS.iter().find(|(own, _)| *own == name).map(|(_, most)| *most);
        let most = self.named(of).unwrap_or(usize::MAX);
        for n in 0.. {
            self.0.push(Step::Item(n));
            let item = items.next_element_seed(Within(self.0))?;
            self.0.pop();
            if item.is_none() {
                break;
            }
            if n >= most {
                return Err(A::Error::custom(format!(
                    "`{}` has more than {most} items",
                    self.place()
                )));
            }
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        while let Some(name) = fields.next_key::<String>()? {
            self.text(&name)?;
            self.0.push(Step::Field(name));
            fields.next_value_seed(Within(self.0))?;
            self.0.pop();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_run_gives_is_in_its_range() {
        for json in [
            "{}",
            r#"{"seed": 18446744073709551615, "counts": [1, 18446744073709551615]}"#,
            r#"{"first_player": {"mean": 0.5, "low": 0.0, "high": 1.0, "n": 40}}"#,
            r#"{"playable": 193, "rows": [{"playable": {"probability": 0.2, "low": 0, "high": 1}}]}"#,
            r#"{"plies": {"mean": 7.5, "median": 9, "median_low": 5}, "tree": {"best": {"mean": -0.3}}}"#,
            r#"{"differences": [{"difference": {"mean": -12.5}}], "values": [null, -300.0, 1e6]}"#,
        ] {
            check_bounds(json.as_bytes()).unwrap();
        }
    }

    #[test]
    fn what_no_run_gives_is_refused_with_its_place_and_range() {
        for (json, expected) in [
            (
                r#"{"games": [{}, {"capped": {"mean": 1e308}}]}"#,
                "`games[1].capped.mean` is 1e308, which is not from 0 to 1",
            ),
            (r#"{"a": {"b": [0, -1e300]}}"#, "`a.b[1]` is -1e300, which is not from"),
            (r#"{"rows": [{"playable": {"low": -0.1}}]}"#, "`rows[0].playable.low` is -0.1"),
            (r#"{"tree": {"leaf_fraction": {"max": 1.5}}}"#, "`tree.leaf_fraction.max` is 1.5"),
            (r#"{"plies": {"median": -1}}"#, "`plies.median` is -1.0, which is not from 0 to"),
            (r#"{"rules": [{"paragraphs": [{"level": 2147483647}]}]}"#, "from 0 to 8"),
            (r#"{"instances": 0}"#, "`instances` is 0.0, which is not from 1 to"),
            (r#"{"highlights": [1, 2, 3, 4]}"#, "`highlights` has more than 3 items"),
            ("[1e999]", "number out of range"),
            ("{} {}", "trailing characters"),
        ] {
            let error = check_bounds(json.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
        let long = format!("{{\"a\": [\"{}\"]}}", "x".repeat(70_000));
        let error = check_bounds(long.as_bytes()).unwrap_err().to_string();
        assert!(
            error.contains("`a[0]` is a text of 70000 bytes, and 16384 are allowed"),
            "{error}"
        );
    }
}
