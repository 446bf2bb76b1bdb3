//! Limits of a verdict.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::measure_table::{Threshold, thresholds};

/// Limit for each [`Threshold`] of the table; beyond it a game has a flaw.
///
/// Serialised as a map by name; a missing limit takes its default.
#[derive(Clone, Debug, PartialEq)]
pub struct Thresholds {
    /// One limit per threshold, in the order of [`thresholds`].
    limits: Vec<f64>,
}

impl Thresholds {
    /// Returns the limit of this name.
    ///
    /// # Panics
    ///
    /// If the limit does not exist.
    #[must_use]
    pub fn get(&self, name: &str) -> f64 {
        self.limits[Self::index(name)]
    }

    /// Replaces the limit of this name.
    ///
    /// # Panics
    ///
    /// If the limit does not exist.
    #[must_use]
    pub fn with(mut self, name: &str, limit: f64) -> Self {
        self.limits[Self::index(name)] = limit;
        self
    }

    fn index(name: &str) -> usize {
        let n = thresholds().position(|(_, threshold)| threshold.name == name);
        n.unwrap_or_else(|| panic!("no limit {name}"))
    }
}

impl Default for Thresholds {
    fn default() -> Self {
        Thresholds { limits: thresholds().map(|(_, threshold)| threshold.default).collect() }
    }
}

impl Serialize for Thresholds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer
            .collect_map(thresholds().zip(&self.limits).map(|((_, t), limit)| (t.name, limit)))
    }
}

impl<'de> Deserialize<'de> for Thresholds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let named = FxHashMap::<String, f64>::deserialize(deserializer)?;
        let limit = |t: &Threshold| named.get(t.name).copied().unwrap_or(t.default);
        Ok(Thresholds { limits: thresholds().map(|(_, threshold)| limit(threshold)).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_as_they_were_written() {
        let limits = Thresholds::default().with("share_max", 0.5);
        assert_eq!((limits.get("share_max"), limits.get("plies_max")), (0.5, 300.0));
        let json = serde_json::to_string(&limits).unwrap();
        assert_eq!(serde_json::from_str::<Thresholds>(&json).unwrap(), limits);
        let older: Thresholds = serde_json::from_str(r#"{"share_max":0.5}"#).unwrap();
        assert_eq!(older, limits);
    }
}
