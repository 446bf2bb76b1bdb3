//! Values of all measures of a gauge, and their form in JSON.

use std::fmt;

use rustc_hash::FxHashMap;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use treegauge_stats::Estimate;

use super::games::GaugeGames;
use super::measure_table::{MEASURES, Measure};

/// Place of a measure's numbers in the JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// An object of its own.
    Own,
    /// Fields of another measure's object, with names that begin with this.
    Fields(&'static str),
    /// An object of this name within another measure's object.
    Object(&'static str),
}

impl Measure {
    /// Returns the name of the JSON object that holds the measure, and the place within it.
    fn place(&self) -> (&'static str, Place) {
        let Some((object, rest)) = self.name.split_once('.') else {
            return (self.name, Place::Own);
        };
        match rest.split_once('.') {
            None => (object, Place::Fields(rest)),
            Some((field, _)) => (object, Place::Object(field)),
        }
    }
}

/// Values of all measures of some games, by the names of [`MEASURES`].
///
/// Serialised as a map from these names to estimates. Reading skips fields that are not measures. A
/// missing measure, as in a report older than the measure, is unrated.
#[derive(Clone, Debug, PartialEq)]
pub struct Measures {
    /// One value per entry of [`MEASURES`], in that order.
    values: Vec<Measured>,
}

/// Value of one measure.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Measured {
    estimate: Estimate,
    extremes: Option<(u32, u32)>,
}

impl Measures {
    /// Computes all measures of games.
    #[must_use]
    pub fn of(games: &GaugeGames) -> Measures {
        let value = |measure: &Measure| Measured {
            estimate: (measure.of)(games),
            extremes: measure.extremes.and_then(|of| of(games)),
        };
        Measures { values: MEASURES.iter().map(value).collect() }
    }

    /// Returns the estimate of a measure.
    ///
    /// # Panics
    ///
    /// If the measure does not exist.
    #[must_use]
    pub fn get(&self, name: &str) -> Estimate {
        self.value(name).estimate
    }

    /// Returns the least and greatest value of a single game; `None` if the measure does not report
    /// them, or without games.
    ///
    /// # Panics
    ///
    /// If the measure does not exist.
    #[must_use]
    pub fn extremes(&self, name: &str) -> Option<(u32, u32)> {
        self.value(name).extremes
    }

    fn value(&self, name: &str) -> &Measured {
        let n = MEASURES.iter().position(|measure| measure.name == name);
        &self.values[n.unwrap_or_else(|| panic!("no measure {name}"))]
    }
}

impl Default for Measures {
    fn default() -> Self {
        Measures { values: vec![Measured::default(); MEASURES.len()] }
    }
}

/// Returns the names of the fields for mean and both ends of an interval.
fn field_names(place: Place) -> [String; 3] {
    match place {
        Place::Own | Place::Object(_) => ["mean", "low", "high"].map(str::to_owned),
        Place::Fields(field) => [field.to_owned(), format!("{field}_low"), format!("{field}_high")],
    }
}

/// Serialises the object of a measure, with the measures that are fields of it.
struct Object<'a> {
    name: &'static str,
    measures: &'a Measures,
}

#[derive(Serialize)]
struct Numbers {
    mean: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
}

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (measure, value) in MEASURES.iter().zip(&self.measures.values) {
            let (object, place) = measure.place();
            if object != self.name {
                continue;
            }
            let Estimate { mean, low, high, n } = value.estimate;
            if let Place::Object(name) = place {
                map.serialize_entry(name, &Numbers { mean, low, high })?;
                continue;
            }
            for (name, number) in field_names(place).iter().zip([mean, low, high]) {
                map.serialize_entry(name, &number)?;
            }
            if place == Place::Own {
                map.serialize_entry("n", &n)?;
            }
            if measure.extremes.is_some() {
                map.serialize_entry("min", &value.extremes.map(|(min, _)| min))?;
                map.serialize_entry("max", &value.extremes.map(|(_, max)| max))?;
            }
        }
        map.end()
    }
}

impl Serialize for Measures {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for measure in MEASURES {
            if let (name, Place::Own) = measure.place() {
                map.serialize_entry(name, &Object { name, measures: self })?;
            }
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Measures {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MeasuresVisitor)
    }
}

/// Value of a field in a measure's object.
#[derive(Deserialize)]
#[serde(untagged)]
enum Field {
    Number(Option<f64>),
    Object(FxHashMap<String, Option<f64>>),
}

struct MeasuresVisitor;

impl<'de> Visitor<'de> for MeasuresVisitor {
    type Value = Measures;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map of measures")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Measures, A::Error> {
        let mut objects = FxHashMap::<String, FxHashMap<String, Field>>::default();
        while let Some(name) = map.next_key::<String>()? {
            // A report has other fields next to the measures.
            if Measure::named(&name).is_some() {
                objects.insert(name, map.next_value()?);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        let value = |measure: &Measure| {
            let (object, place) = measure.place();
            let number = |name: &str| match objects.get(object)?.get(name)? {
                Field::Number(number) => *number,
                Field::Object(_) => None,
            };
            let [mean, low, high] = field_names(place).map(|name| match place {
                Place::Object(inner) => match objects.get(object)?.get(inner)? {
                    Field::Object(numbers) => numbers.get(&name).copied().flatten(),
                    Field::Number(_) => None,
                },
                Place::Own | Place::Fields(_) => number(&name),
            });
            let n = number("n").unwrap_or(0.0) as u64;
            let extremes = measure.extremes.and_then(|_| number("min").zip(number("max")));
            Measured {
                estimate: Estimate { mean, low, high, n },
                extremes: extremes.map(|(min, max)| (min as u32, max as u32)),
            }
        };
        Ok(Measures { values: MEASURES.iter().map(value).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_are_read_as_they_were_written_among_other_fields() {
        let estimate =
            |n: u32| Estimate { mean: Some(f64::from(n) + 0.5), low: Some(0.1), high: None, n: 7 };
        // Every measure has a different value.
        let values = (0..).zip(MEASURES).map(|(n, measure)| Measured {
            estimate: estimate(n),
            extremes: measure.extremes.map(|_| (n, n + 3)),
        });
        let measures = Measures { values: values.collect() };
        let mut json = serde_json::to_value(&measures).unwrap();
        json["verdict"] = "no measure".into();
        json["tomorrow"] = serde_json::json!({ "mean": "unheard of" });
        assert_eq!(serde_json::from_value::<Measures>(json.clone()).unwrap(), measures);
        json.as_object_mut().unwrap().shift_remove("drama");
        let older: Measures = serde_json::from_value(json).unwrap();
        assert_eq!(older.get("drama"), Estimate::UNRATED);
        assert_eq!(older.get("plies.median"), measures.get("plies.median"));
        let none = serde_json::to_string(&Measures::default()).unwrap();
        assert_eq!(serde_json::from_str::<Measures>(&none).unwrap(), Measures::default());
    }
}
