//! Axes of the archive: measures of self-play, and features of its search trees.

use treegauge_gauge::{Basis, Measure, Unit};
use treegauge_search::{FEATURES, Feature};

use super::line::Glance;

/// Ratio between the values of adjacent cells, for values without an upper bound.
const STEP: f64 = 1.5;

/// Number of cells along an axis with a least and a greatest value.
const CELLS: f64 = 10.0;

/// Greatest width of a range that is cut into [`CELLS`] equal cells.
const WIDTH_MAX: f64 = 10.0;

/// Number of a game by which the archive tells games apart.
#[derive(Clone, Copy, Debug)]
pub enum Axis {
    /// Measure of a gauge that the moves of self-play give.
    Measure(&'static Measure),
    /// Mean of a feature over the search trees of self-play: `NAME.mean`.
    Mean(&'static Feature),
    /// Variance of a feature over the search trees of self-play: `NAME.variance`.
    Variance(&'static Feature),
}

/// Division of the values of an axis into cells.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Scale {
    /// Equal cells between the least and the greatest value.
    Equal { least: f64, greatest: f64 },
    /// Each cell has values [`STEP`] times those of the one before.
    Logarithmic,
}

impl Axis {
    /// Axis of a name, as [`Axis::name`] gives it; `None` if there is none.
    ///
    /// ```
    /// use treegauge_generate::Axis;
    ///
    /// assert!(Axis::named("plies").is_some());
    /// assert!(Axis::named("spread.variance").is_some());
    /// assert!(Axis::named("spread.median").is_none());
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Axis> {
        if let Some(measure) = measures().find(|measure| measure.name == name) {
            return Some(Axis::Measure(measure));
        }
        let (feature, summary) = name.rsplit_once('.')?;
        let feature = Feature::named(feature)?;
        match summary {
            "mean" => Some(Axis::Mean(feature)),
            "variance" => Some(Axis::Variance(feature)),
            _ => None,
        }
    }

    /// Name in options and reports.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Axis::Measure(measure) => measure.name.to_owned(),
            Axis::Mean(feature) => format!("{}.mean", feature.name),
            Axis::Variance(feature) => format!("{}.variance", feature.name),
        }
    }

    /// Title in reports.
    #[must_use]
    pub fn title(&self) -> String {
        match self {
            Axis::Measure(measure) => measure.title.to_owned(),
            Axis::Mean(_) | Axis::Variance(_) => self.name(),
        }
    }

    /// Whether values are shares, which are printed in percent.
    #[must_use]
    pub fn is_share(&self) -> bool {
        matches!(self, Axis::Measure(measure) if measure.unit == Unit::Share)
    }

    fn scale(&self) -> Scale {
        let bounded = |least: f64, greatest: f64| {
            if greatest - least <= WIDTH_MAX {
                Scale::Equal { least, greatest }
            } else {
                Scale::Logarithmic
            }
        };
        match self {
            Axis::Measure(measure) => match measure.unit {
                Unit::Share => bounded(0.0, 1.0),
                Unit::Elo | Unit::Plies(_) | Unit::Number(_) => Scale::Logarithmic,
            },
            Axis::Mean(Feature { range: (least, greatest), .. }) => bounded(*least, *greatest),
            Axis::Variance(Feature { range: (least, greatest), .. }) => {
                // The greatest variance has half of the values at each end (Popoviciu 1935).
                bounded(0.0, (greatest - least).powi(2) / 4.0)
            }
        }
    }

    /// Value of a game; `None` if it is unrated.
    pub(super) fn value(&self, glance: &Glance) -> Option<f64> {
        match self {
            Axis::Measure(measure) => glance.measures.get(measure.name).mean,
            Axis::Mean(feature) => glance.features.get(feature.name).copied(),
            Axis::Variance(feature) => glance.variances.get(feature.name).copied(),
        }
    }

    /// Row or column of a value.
    pub(super) fn step(&self, value: f64) -> i32 {
        match self.scale() {
            Scale::Equal { least, greatest } => {
                let place = CELLS * (value - least) / (greatest - least);
                place.clamp(0.0, CELLS - 1.0) as i32
            }
            Scale::Logarithmic => (value.max(0.01).ln() / STEP.ln()).floor() as i32,
        }
    }

    /// Values of a row or column, rounded to hundredths: from the first, below the second.
    pub(super) fn range(&self, place: i32) -> [f64; 2] {
        let bound = |place: i32| match self.scale() {
            Scale::Equal { least, greatest } => {
                least + f64::from(place) * (greatest - least) / CELLS
            }
            Scale::Logarithmic => STEP.powi(place),
        };
        [place, place + 1].map(|place| (100.0 * bound(place)).round() / 100.0)
    }
}

/// Measures that can be axes: the weak search that places a game plays no unequal players.
fn measures() -> impl Iterator<Item = &'static Measure> {
    Measure::of_basis(Basis::Moves)
}

/// Names of all axes, for messages; those of the features follow a pattern.
#[must_use]
pub fn axes_words() -> String {
    let measures = measures().map(|measure| measure.name);
    let features = FEATURES.iter().map(|feature| feature.name);
    format!(
        "{}; FEATURE.mean or FEATURE.variance of {}",
        measures.collect::<Vec<_>>().join(", "),
        features.collect::<Vec<_>>().join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(name: &str) -> Axis {
        Axis::named(name).unwrap_or_else(|| panic!("no axis {name}"))
    }

    #[test]
    fn values_have_their_places() {
        let draws = axis("draw_rate");
        assert_eq!([0.0, 0.35, 1.0].map(|value| draws.step(value)), [0, 3, 9]);
        let plies = |value| axis("plies").step(value);
        assert_eq!(plies(1.0), 0);
        assert_eq!(plies(40.0), plies(50.0));
        assert_eq!(plies(60.0), plies(40.0) + 1);
        assert_eq!(plies(0.0), plies(0.01), "nothing has no logarithm");
        // Values of moves are from -1 to 1, and their variance is at most 1.
        let worst = axis("worst.mean");
        assert_eq!([-1.0, -0.1, 0.0, 1.0].map(|value| worst.step(value)), [0, 4, 5, 9]);
        assert_eq!([0.0, 0.25, 1.0].map(|value| axis("worst.variance").step(value)), [0, 2, 9]);
        assert_eq!(axis("legal_moves.mean").step(40.0), plies(40.0));
    }

    #[test]
    fn a_place_has_the_values_that_lead_to_it() {
        for (name, place) in
            [("draw_rate", 3), ("plies", 7), ("spread.mean", 4), ("depth.variance", 9)]
        {
            let axis = axis(name);
            let [from, to] = axis.range(place);
            assert_eq!(axis.step((from + to) / 2.0), place, "{name}");
            assert!(axis.step(to + 0.02) > place && axis.step(from - 0.02) < place, "{name}");
        }
    }

    #[test]
    fn every_axis_is_found_by_its_name() {
        let measures = measures().map(Axis::Measure);
        let features = FEATURES.iter().flat_map(|one| [Axis::Mean(one), Axis::Variance(one)]);
        for axis in measures.chain(features) {
            assert_eq!(Axis::named(&axis.name()).unwrap().name(), axis.name());
        }
    }
}
