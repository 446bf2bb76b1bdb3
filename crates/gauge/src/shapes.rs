//! Features of many trees.
//!
//! Records and reports store both kinds of numbers here by the names of [`FEATURES`]. Files older
//! than a feature lack it and are still readable; unknown names are skipped.

use std::collections::BTreeMap;

use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use treegauge_search::{FEATURES, Feature, Shape};
use treegauge_stats::{Moments, ratio_interval};

/// Mean, variance and range of one feature over trees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FeatureSummary {
    /// Mean over trees.
    pub mean: f64,
    /// Lower end of the 95% interval of the mean; see [`ShapeSummary::of_games`].
    #[serde(default)]
    pub low: Option<f64>,
    /// Upper end of the interval.
    #[serde(default)]
    pub high: Option<f64>,
    /// Population variance over trees. The trees of a game are alike, so an interval computed from
    /// this variance and the number of trees is far too narrow.
    pub variance: f64,
    /// Least value.
    pub min: f64,
    /// Greatest value.
    pub max: f64,
    /// Number of trees with a value of this feature.
    pub trees: u64,
}

/// Features over many trees. Serialised as a map from every name of [`FEATURES`], in that order, to
/// a [`FeatureSummary`], or to `null` if no tree has a value.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeSummary {
    /// Number of trees.
    pub trees: u64,
    /// One entry per feature, in the order of [`FEATURES`].
    features: Vec<Option<FeatureSummary>>,
}

impl ShapeSummary {
    /// Summarises the features over the trees of games.
    ///
    /// The interval of a mean takes games as the independent observations: the ratio estimator for
    /// clusters of unequal size (Cochran 1977, section 6.3) with Student's t. Its standard error is
    /// at least that of the same number of independent trees, and its ends stay within the range of
    /// the feature. Fewer than two games give no interval.
    #[must_use]
    pub fn of_games(games: &[ShapeFold]) -> ShapeSummary {
        let mut all = ShapeFold::default();
        games.iter().for_each(|game| all.merge(game));
        let mut summary = all.summary();
        for (n, feature) in summary.features.iter_mut().enumerate() {
            let Some(feature) = feature else { continue };
            let with_trees = games.iter().map(|game| game.features[n]).filter(|of| of.n > 0);
            let sums = with_trees.map(|of| (of.n as f64, of.n as f64 * of.mean));
            let independent = (feature.variance / feature.trees as f64).sqrt();
            let sums: Vec<(f64, f64)> = sums.collect();
            if sums.len() > 1 {
                let mean = ratio_interval(&sums, independent, FEATURES[n].range);
                (feature.low, feature.high) = (mean.low, mean.high);
            }
        }
        summary
    }

    /// Returns the summary of a feature by name; `None` if no tree has a value or the name is
    /// unknown.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&FeatureSummary> {
        let n = FEATURES.iter().position(|feature| feature.name == name)?;
        self.features[n].as_ref()
    }
}

impl Default for ShapeSummary {
    fn default() -> Self {
        ShapeSummary { trees: 0, features: vec![None; FEATURES.len()] }
    }
}

impl Serialize for ShapeSummary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(FEATURES.len()))?;
        for (feature, spread) in FEATURES.iter().zip(&self.features) {
            map.serialize_entry(feature.name, spread)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for ShapeSummary {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut named = BTreeMap::<String, Option<FeatureSummary>>::deserialize(deserializer)?;
        let features: Vec<Option<FeatureSummary>> =
            FEATURES.iter().map(|feature| named.remove(feature.name).flatten()).collect();
        // A feature has at most as many values as there were trees, and the oldest features have
        // exactly as many.
        let trees = features.iter().flatten().map(|spread| spread.trees).max().unwrap_or(0);
        Ok(ShapeSummary { trees, features })
    }
}

/// Summary under construction. It stores no trees, because games can be very long.
///
/// Merging the same parts in the same order gives bit-identical results.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeFold {
    trees: u64,
    /// One entry per feature, in the order of [`FEATURES`].
    features: Vec<Moments>,
}

impl Default for ShapeFold {
    fn default() -> Self {
        ShapeFold { trees: 0, features: vec![Moments::default(); FEATURES.len()] }
    }
}

/// Serialised form of a feature in a record.
#[derive(Serialize, Deserialize)]
struct FoldRecord {
    mean: f64,
    squared_deviations: f64,
    min: f64,
    max: f64,
    /// Number of trees with a value, if that is not all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    trees: Option<u64>,
}

/// Features of a record by name.
struct FoldsByName<'a>(&'a ShapeFold);

impl Serialize for FoldsByName<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let all = self.0.trees;
        let mut map = serializer.serialize_map(None)?;
        for (feature, fold) in FEATURES.iter().zip(&self.0.features) {
            // With no trees, every feature is written with zeros. Otherwise features without a
            // value are left out.
            if fold.n > 0 || all == 0 {
                let &Moments { n, mean, squares, min, max } = fold;
                let trees = (n != all).then_some(n);
                let record = FoldRecord { mean, squared_deviations: squares, min, max, trees };
                map.serialize_entry(feature.name, &record)?;
            }
        }
        map.end()
    }
}

impl Serialize for ShapeFold {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("ShapeFold", 2)?;
        fields.serialize_field("trees", &self.trees)?;
        fields.serialize_field("features", &FoldsByName(self))?;
        fields.end()
    }
}

impl<'de> Deserialize<'de> for ShapeFold {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Record {
            trees: u64,
            features: BTreeMap<String, FoldRecord>,
        }
        let Record { trees: all, mut features } = Record::deserialize(deserializer)?;
        let features = FEATURES.iter().map(|feature| {
            features.remove(feature.name).map_or_else(Moments::default, |record| Moments {
                n: record.trees.unwrap_or(all),
                mean: record.mean,
                squares: record.squared_deviations,
                min: record.min,
                max: record.max,
            })
        });
        Ok(ShapeFold { trees: all, features: features.collect() })
    }
}

/// Greatest number accepted in a record. Up to this, sums over all games stay exact.
const NUMBER_MAX: f64 = 1e15;

/// Tests whether `trees` trees can have these moments of a feature.
fn can_be(fold: &Moments, feature: &Feature, trees: u64) -> bool {
    const SLACK: f64 = 1e-6;
    let Moments { n, mean, squares, min, max } = *fold;
    let (least, greatest) = feature.range;
    let is_in = |x: f64| (least - SLACK..=greatest.min(NUMBER_MAX) + SLACK).contains(&x);
    let slack = SLACK * (1.0 + max.abs());
    n <= trees
        && (n == 0
            || is_in(min)
                && is_in(max)
                && (min - slack..=max + slack).contains(&mean)
                && (0.0..=NUMBER_MAX * NUMBER_MAX).contains(&squares))
}

impl ShapeFold {
    /// Checks that the moments are possible for trees.
    ///
    /// # Errors
    ///
    /// A message that names the first feature out of range.
    pub(crate) fn check(&self) -> Result<(), String> {
        let trees = self.trees;
        if trees as f64 > NUMBER_MAX {
            return Err(format!("{trees} searches are too many"));
        }
        let mut features = FEATURES.iter().zip(&self.features);
        match features.find(|(feature, fold)| !can_be(fold, feature, trees)) {
            Some((feature, _)) => Err(format!("`{}` is out of range", feature.name)),
            None => Ok(()),
        }
    }

    /// Adds one tree.
    pub fn add(&mut self, shape: &Shape) {
        self.trees += 1;
        for (fold, feature) in self.features.iter_mut().zip(FEATURES) {
            fold.add((feature.of)(shape));
        }
    }

    /// Adds the trees of `other`.
    pub fn merge(&mut self, other: &ShapeFold) {
        self.trees += other.trees;
        for (fold, other) in self.features.iter_mut().zip(&other.features) {
            fold.merge(other);
        }
    }

    /// Moments of a feature; `None` if no tree has a value.
    ///
    /// # Panics
    ///
    /// If there is no feature of this name.
    pub(crate) fn of(&self, name: &str) -> Option<&Moments> {
        let n = FEATURES.iter().position(|feature| feature.name == name);
        let fold = &self.features[n.unwrap_or_else(|| panic!("no feature {name}"))];
        (fold.n > 0).then_some(fold)
    }

    /// Sum of a feature over the trees; `None` if no tree has a value.
    pub(crate) fn sum(&self, name: &str) -> Option<f64> {
        self.of(name).map(|fold| fold.n as f64 * fold.mean)
    }

    /// Returns the summary, without intervals.
    #[must_use]
    pub fn summary(&self) -> ShapeSummary {
        let spread = |fold: &Moments| {
            (fold.n > 0).then(|| FeatureSummary {
                mean: fold.mean,
                low: None,
                high: None,
                variance: fold.variance(),
                min: fold.min,
                max: fold.max,
                trees: fold.n,
            })
        };
        ShapeSummary { trees: self.trees, features: self.features.iter().map(spread).collect() }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use treegauge_core::uniform_below;
    use treegauge_search::Seed;

    use super::*;

    proptest! {
        #[test]
        fn a_fold_is_the_mean_and_variance_of_the_whole(
            values in prop::collection::vec(-50.0..50.0f64, 1..60), cut in 0usize..60
        ) {
            let cut = cut.min(values.len());
            let fold = |part: &[f64]| {
                let mut fold = ShapeFold::default();
                for &depth in part {
                    fold.add(&Shape { depth, ..Shape::default() });
                }
                fold
            };
            let mut both = fold(&values[..cut]);
            both.merge(&fold(&values[cut..]));
            let summary = both.summary();
            let n = values.len() as f64;
            let mean = values.iter().sum::<f64>() / n;
            let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n;
            let depth = summary.get("depth").unwrap();
            prop_assert_eq!(summary.trees, values.len() as u64);
            prop_assert!((depth.mean - mean).abs() < 1e-9);
            prop_assert!((depth.variance - variance).abs() < 1e-9);
            prop_assert_eq!(depth.min, values.iter().copied().fold(f64::INFINITY, f64::min));
            prop_assert_eq!(depth.max, values.iter().copied().fold(f64::NEG_INFINITY, f64::max));
        }
    }

    /// Simulates games of 5 to 24 trees, where the trees of one game are alike. Returns how often
    /// the interval of a mean misses the true mean, and how often the interval for independent
    /// trees would.
    fn misses(games: u64, runs: u64) -> (f64, f64) {
        let (mut missed, mut naively) = (0.0, 0.0);
        for run in 0..runs {
            let mut rng = Seed(3).child(run).generator();
            let mut uniform =
                || f64::from(uniform_below(&mut rng, 1 << 20)) / f64::from(1 << 20) - 0.5;
            let folds: Vec<ShapeFold> = (0..games)
                .map(|_| {
                    let trees = 5 + ((uniform() + 0.5) * 20.0) as u32;
                    let of_game = 1.0 + uniform();
                    let mut fold = ShapeFold::default();
                    for _ in 0..trees {
                        let depth = of_game + 0.5 * uniform();
                        fold.add(&Shape { depth, ..Shape::default() });
                    }
                    fold
                })
                .collect();
            let summary = ShapeSummary::of_games(&folds);
            let depth = summary.get("depth").unwrap();
            let outside = depth.low.unwrap() > 1.0 || depth.high.unwrap() < 1.0;
            missed += f64::from(u8::from(outside)) / runs as f64;
            let naive = 1.96 * (depth.variance / depth.trees as f64).sqrt();
            naively += f64::from(u8::from((depth.mean - 1.0).abs() > naive)) / runs as f64;
        }
        (missed, naively)
    }

    #[test]
    fn intervals_of_means_count_games_and_not_trees() {
        for games in [10, 40] {
            let (missed, naively) = misses(games, 1_000);
            // The standard error of 5% over 1,000 runs is 0.7 points, so this allows three of them.
            assert!((0.029..=0.075).contains(&missed), "{games}: {missed}");
            assert!(naively > 0.3, "{games}: {naively}");
        }
    }

    #[test]
    fn one_game_gives_no_interval() {
        let mut fold = ShapeFold::default();
        fold.add(&Shape { depth: 3.0, ..Shape::default() });
        let one = ShapeSummary::of_games(std::slice::from_ref(&fold));
        assert_eq!(one.get("depth").map(|depth| (depth.low, depth.high)), Some((None, None)));
        let two = ShapeSummary::of_games(&[fold.clone(), fold]);
        assert_eq!(two.get("depth").and_then(|depth| depth.low), Some(3.0));
    }

    /// Record of two trees with depths 3 and 5, in the format that never changed.
    fn record() -> String {
        let mut fold = ShapeFold::default();
        for depth in [3.0, 5.0] {
            fold.add(&Shape { depth, ..Shape::default() });
        }
        serde_json::to_string(&fold).unwrap()
    }

    #[test]
    fn a_record_names_every_feature_and_reads_to_the_same_numbers() {
        let text = record();
        let zeros = r#"{"mean":0.0,"squared_deviations":0.0,"min":0.0,"max":0.0}"#;
        let depth = r#""depth":{"mean":4.0,"squared_deviations":2.0,"min":3.0,"max":5.0}"#;
        assert!(text.starts_with(r#"{"trees":2,"features":{"#), "{text}");
        let features = format!(r#""legal_moves":{zeros},{depth},"best":{zeros},"#);
        assert!(text.contains(&features), "{text}");
        let fold: ShapeFold = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_string(&fold).unwrap(), text);

        // Without trees every name is still written.
        let none = serde_json::to_string(&ShapeFold::default()).unwrap();
        assert_eq!(none.matches(zeros).count(), FEATURES.len());
        assert_eq!(serde_json::from_str::<ShapeFold>(&none).unwrap(), ShapeFold::default());
    }

    #[test]
    fn records_of_other_versions_are_read() {
        let text = record();
        let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
        let features = value["features"].as_object_mut().unwrap();
        let depth = features.shift_remove("depth").unwrap();
        let old = value.to_string();
        value["features"].as_object_mut().unwrap().insert("of_tomorrow".to_owned(), depth);
        let strange: ShapeFold = serde_json::from_str(&value.to_string()).unwrap();
        let old: ShapeFold = serde_json::from_str(&old).unwrap();
        assert_eq!(strange, old, "an unknown feature is passed over");
        assert_eq!(old.summary().trees, 2);
        assert_eq!(old.summary().get("depth"), None);
        assert_eq!(old.summary().get("best").unwrap().trees, 2);

        // Merged with a newer record, the feature covers only the trees that have it.
        let mut both = old.clone();
        both.merge(&serde_json::from_str(&text).unwrap());
        let summary = both.summary();
        let depth = *summary.get("depth").unwrap();
        assert_eq!((summary.trees, depth.trees, depth.mean, depth.variance), (4, 2, 4.0, 1.0));
        assert_eq!(summary.get("best").unwrap().trees, 4);

        // Merged records keep both counts when written and read.
        for fold in [old, both] {
            let text = serde_json::to_string(&fold).unwrap();
            assert_eq!(serde_json::from_str::<ShapeFold>(&text).unwrap(), fold, "{text}");
        }
        let text = serde_json::to_string(&summary).unwrap();
        assert_eq!(serde_json::from_str::<ShapeSummary>(&text).unwrap(), summary, "{text}");
    }
}
