//! Measures of a game beside those of known games.

use treegauge_gauge::{AmongKnown, GaugeReport, Measure, Measures, REFERENCE, ReferenceRow};

/// A gauge that can be compared with the known games.
pub(super) struct KnownGames<'a> {
    report: &'a GaugeReport,
}

/// Comparison of a report with the known games; `None` if they were gauged in another way.
pub(super) fn known_games(report: &GaugeReport) -> Option<KnownGames<'_>> {
    let compares = REFERENCE.compares_with(report) && report.gauge.games > 0;
    compares.then_some(KnownGames { report })
}

impl KnownGames<'_> {
    /// Header of a column of [`KnownGames::words`].
    pub(super) fn title(&self) -> String {
        format!("among {} known games", REFERENCE.others(&self.report.canonical).count())
    }

    /// Place of a measure among those of the known games; `-` if it is unrated.
    pub(super) fn words(&self, measure: &Measure) -> String {
        let of = |measures: &Measures| measures.get(measure.name).mean;
        let measured = self.report.gauge.measured(measure.name);
        // Of fewer games the place would be chance.
        self.place(measured.mean.filter(|_| measured.n >= GAMES_MIN), |row| of(&row.measures))
    }

    /// Place of the mean of a tree feature among those of the known games; `-` if it is unknown.
    pub(super) fn feature_words(&self, name: &str) -> String {
        let mean = self.report.gauge.tree.get(name).map(|feature| feature.mean);
        self.place(mean, |row| row.features.get(name).copied())
    }

    fn place(&self, value: Option<f64>, of: impl Fn(&ReferenceRow) -> Option<f64>) -> String {
        let place = value.and_then(|value| REFERENCE.place_of(&self.report.canonical, value, of));
        place.map_or("-".to_owned(), |place| place_words(&place))
    }
}

/// Fewest games of a measure that is compared with known games.
const GAMES_MIN: u64 = 10;

fn place_words(place: &AmongKnown) -> String {
    let AmongKnown { games, below, above, nearest } = *place;
    match games - below - above {
        equal if equal == games => format!("equal to all {games}"),
        0 if below == games => format!("the highest, near {nearest}"),
        0 if above == games => format!("the lowest, near {nearest}"),
        equal if below == 0 => format!("the lowest, with {}", others(equal)),
        equal if above == 0 => format!("the highest, with {}", others(equal)),
        _ => format!("above {:.0}% of them, near {nearest}", 100.0 * below as f64 / games as f64),
    }
}

/// Number of games with the same value.
fn others(equal: usize) -> String {
    if equal == 1 { "1 other".to_owned() } else { format!("{equal} others") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_has_words() {
        let words =
            |below, above| place_words(&AmongKnown { games: 20, below, above, nearest: "othello" });
        assert_eq!(words(0, 20), "the lowest, near othello");
        assert_eq!(words(20, 0), "the highest, near othello");
        assert_eq!(words(0, 17), "the lowest, with 3 others");
        assert_eq!(words(18, 0), "the highest, with 2 others");
        assert_eq!(words(0, 0), "equal to all 20");
        assert_eq!(words(15, 5), "above 75% of them, near othello");
        assert_eq!(words(5, 12), "above 25% of them, near othello");
    }
}
