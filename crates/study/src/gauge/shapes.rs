//! The features of many trees.

use std::collections::BTreeMap;

use serde::de::Error;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use treegauge_search::{FEATURE_NAMES, Shape};

/// Mean, variance and range of one feature over trees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The population variance.
    pub variance: f64,
    /// The least value.
    pub min: f64,
    /// The greatest value.
    pub max: f64,
}

/// The 16 features over many trees, by name in the order of [`FEATURE_NAMES`]; every name with
/// `null` where there was no tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShapeSummary {
    /// The trees.
    pub trees: u64,
    /// The features, or nothing without trees.
    pub features: Option<[Spread; 16]>,
}

impl Serialize for ShapeSummary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_by_name(|n| self.features.map(|features| features[n]), serializer)
    }
}

/// A map from the names of the features to a value for each.
fn serialize_by_name<T: Serialize, S: Serializer>(
    value: impl Fn(usize) -> T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(16))?;
    for (n, name) in FEATURE_NAMES.iter().enumerate() {
        map.serialize_entry(name, &value(n))?;
    }
    map.end()
}

/// A summary in the making, which holds no tree: games can be very long.
///
/// Means and sums of squared deviations are carried along, and those of two parts are put
/// together, as Chan, Golub and LeVeque 1979 do. Parts that are merged in the same order give the
/// same bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ShapeFold {
    trees: u64,
    #[serde(serialize_with = "folds_by_name", deserialize_with = "folds_from_names")]
    features: [Fold; 16],
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Fold {
    mean: f64,
    /// The sum of squared deviations from the mean.
    #[serde(rename = "squared_deviations")]
    squares: f64,
    min: f64,
    max: f64,
}

fn folds_by_name<S: Serializer>(folds: &[Fold; 16], serializer: S) -> Result<S::Ok, S::Error> {
    serialize_by_name(|n| folds[n], serializer)
}

fn folds_from_names<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[Fold; 16], D::Error> {
    let named = BTreeMap::<String, Fold>::deserialize(deserializer)?;
    let mut folds = [Fold::default(); 16];
    for (fold, name) in folds.iter_mut().zip(FEATURE_NAMES) {
        *fold = *named.get(name).ok_or_else(|| D::Error::missing_field(name))?;
    }
    Ok(folds)
}

impl ShapeFold {
    /// One more tree.
    pub fn add(&mut self, shape: &Shape) {
        let features = shape.values().map(|x| Fold { mean: x, squares: 0.0, min: x, max: x });
        *self = self.merge(ShapeFold { trees: 1, features });
    }

    /// Both parts together.
    #[must_use]
    pub fn merge(self, other: ShapeFold) -> ShapeFold {
        if self.trees == 0 || other.trees == 0 {
            return if self.trees == 0 { other } else { self };
        }
        let (a, b) = (self.trees as f64, other.trees as f64);
        let features = std::array::from_fn(|n| {
            let (x, y) = (self.features[n], other.features[n]);
            let apart = y.mean - x.mean;
            Fold {
                mean: x.mean + apart * b / (a + b),
                squares: x.squares + y.squares + apart * apart * a * b / (a + b),
                min: x.min.min(y.min),
                max: x.max.max(y.max),
            }
        });
        ShapeFold { trees: self.trees + other.trees, features }
    }

    /// The numbers.
    #[must_use]
    pub fn summary(self) -> ShapeSummary {
        let spread = |fold: Fold| Spread {
            mean: fold.mean,
            variance: fold.squares / self.trees as f64,
            min: fold.min,
            max: fold.max,
        };
        ShapeSummary {
            trees: self.trees,
            features: (self.trees > 0).then(|| self.features.map(spread)),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

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
            let summary = fold(&values[..cut]).merge(fold(&values[cut..])).summary();
            let n = values.len() as f64;
            let mean = values.iter().sum::<f64>() / n;
            let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n;
            let depth = summary.features.unwrap()[1];
            prop_assert_eq!(summary.trees, values.len() as u64);
            prop_assert!((depth.mean - mean).abs() < 1e-9);
            prop_assert!((depth.variance - variance).abs() < 1e-9);
            prop_assert_eq!(depth.min, values.iter().copied().fold(f64::INFINITY, f64::min));
            prop_assert_eq!(depth.max, values.iter().copied().fold(f64::NEG_INFINITY, f64::max));
        }
    }
}
