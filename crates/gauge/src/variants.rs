//! Variants of a game that were gauged in the same way: what differs, and what only seems to.

mod flaws;

use serde::{Deserialize, Serialize};
use treegauge_core::{Head, ReportKind};
use treegauge_stats::{Estimate, difference, holm};

use crate::{GaugeReport, MEASURES, Measure, Unit};

/// Gauges of several games, and how each differs from the first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CompareReport {
    /// The kind and the schema.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// What the variants do, in a sentence for each, and one for each flaw that only some of them have.
    pub sentences: Vec<String>,
    /// The gauges.
    pub games: Vec<GaugeReport>,
    /// Every measure of the first game beside that of each other one, game by game.
    pub differences: Vec<MeasureDifference>,
}

/// How much one measure differs between two games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasureDifference {
    /// The name of the [`Measure`].
    pub measure: String,
    /// The first game.
    pub a: String,
    /// The other game.
    pub b: String,
    /// The other less the first, with its 95% interval.
    pub difference: Estimate,
    /// Whether there is a difference, by all that were asked for together: the chance that one of
    /// those called real is none is at most 5% (Holm 1979).
    pub real: bool,
}

impl ReportKind for CompareReport {
    const KIND: &'static str = "compare";

    fn check(&self) -> Result<(), String> {
        if self.games.is_empty() {
            return Err("a comparison has games".to_owned());
        }
        self.games.iter().try_for_each(ReportKind::check)
    }
}

impl CompareReport {
    /// Compares gauges of the same plan, each other one with the first.
    ///
    /// The interval of a difference comes from those of both estimates: the distances of the ends from
    /// the means are squared and added (Newcombe 1998; Zou and Donner 2008).
    ///
    /// # Panics
    ///
    /// Without games.
    #[must_use]
    pub fn new(mut games: Vec<GaugeReport>) -> CompareReport {
        for (place, report) in (1..).zip(&mut games) {
            report.place = Some(place);
        }
        let (first, others) = games.split_first().expect("there are games");
        let mut differences = Vec::new();
        let mut chances = Vec::new();
        for other in others {
            for measure in MEASURES {
                let of = |report: &GaugeReport| report.gauge.measured(measure.name);
                let (difference, chance) = difference(&of(other), &of(first));
                differences.push(MeasureDifference {
                    measure: measure.name.to_owned(),
                    a: first.game.clone(),
                    b: other.game.clone(),
                    difference,
                    real: false,
                });
                chances.push(chance);
            }
        }
        for (difference, real) in differences.iter_mut().zip(holm(&chances)) {
            difference.real = real;
        }
        let mut sentences: Vec<String> =
            others.iter().map(|other| sentence(first, other, &differences)).collect();
        let verdicts: Vec<flaws::Variant> =
            games.iter().map(|report| (&report.game[..], &report.gauge.verdict)).collect();
        sentences.extend(flaws::flaw_sentences(&verdicts, &first.gauge.players()));
        CompareReport { head: Head::NEW, sentences, games, differences }
    }

    /// Whether a run was stopped before all games were over.
    #[must_use]
    pub fn incomplete(&self) -> bool {
        self.games.iter().any(|report| report.gauge.incomplete)
    }
}

/// What a variant does: `b instead of a: draws from 5% to 21%, length from 33 to 24`.
fn sentence(first: &GaugeReport, other: &GaugeReport, differences: &[MeasureDifference]) -> String {
    let begin = format!("{} instead of {}", other.game, first.game);
    let is_real = |measure: &str| {
        let of_game = |d: &&MeasureDifference| d.b == other.game && d.measure == measure;
        differences.iter().find(of_game).is_some_and(|difference| difference.real)
    };
    // The mean length says what the median does.
    let counts = |difference: &&MeasureDifference| {
        let again = difference.measure == "plies.median" && is_real("plies");
        difference.b == other.game && difference.real && !again
    };
    let changes: Vec<String> = differences
        .iter()
        .filter(counts)
        .filter_map(|difference| {
            let measure = Measure::named(&difference.measure)?;
            let number = |report: &GaugeReport| {
                number_words(report.gauge.measured(measure.name).mean, measure.unit)
            };
            Some(format!("{} from {} to {}", measure.title, number(first), number(other)))
        })
        .collect();
    if changes.is_empty() {
        return format!("{begin}: no difference is certain.");
    }
    format!("{begin}: {}.", changes.join(", "))
}

fn number_words(number: Option<f64>, unit: Unit) -> String {
    let Some(number) = number else { return "unrated".to_owned() };
    // Halves are rounded away from 0, as in tables; formatting alone rounds them to even.
    let rounded = |digits: usize| {
        let ten = 10f64.powi(digits as i32);
        (number * ten).round() / ten
    };
    match unit {
        Unit::Share => format!("{:.0}%", (100.0 * number).round()),
        Unit::Plies(digits) => format!("{:.digits$} plies", rounded(digits)),
        Unit::Number(digits) => format!("{:.digits$}", rounded(digits)),
        Unit::Elo => format!("{:+.0}", rounded(0)),
    }
}

#[cfg(test)]
mod tests {
    use treegauge_catalog::GameSpec;

    use super::*;
    use crate::{Plan, gauge};

    fn report(game: &str, seed: u64) -> GaugeReport {
        let engine = treegauge_engine::open(&GameSpec::parse(game).unwrap()).unwrap();
        let plan = Plan {
            games: 40,
            iterations: 100,
            skill_games: 0,
            ladder: vec![],
            solve_limit: 0,
            seed,
            ..Plan::default()
        };
        let gauge = gauge(engine.as_ref(), &engine.start(), &plan, vec![], &(), &());
        GaugeReport::new(game.to_owned(), game.to_owned(), engine.start().position_text(), gauge)
    }

    #[test]
    fn a_larger_board_has_longer_games() {
        let small = "connect_four(cols=4,rows=4)";
        let games = [small, "connect_four(cols=6,rows=6)", "connect_four(cols=4,rows=4,k=5)"];
        let compared = CompareReport::new(games.map(|game| report(game, 1)).to_vec());
        assert_eq!(compared.differences.len(), 2 * MEASURES.len());
        let of = |measure: &str, b: &str| {
            let found = compared.differences.iter().find(|d| d.measure == measure && d.b == b);
            found.unwrap().clone()
        };
        let longer = of("plies", games[1]);
        let means = [1, 0].map(|n| compared.games[n].gauge.measured("plies").mean.unwrap());
        assert_eq!(longer.difference.mean, Some(means[0] - means[1]));
        assert!(longer.real && longer.difference.low > Some(0.0), "{longer:?}");
        // Nobody can get five in a row on four columns.
        assert!(of("draw_rate", games[2]).real);
        assert!(!of("capped", games[1]).real, "no game was capped in either");
        assert!(compared.sentences[1].contains("draws from "), "{:?}", compared.sentences);
        // What follows from nothing is unrated: all games were drawn.
        assert_eq!(of("drama", games[2]).difference, Estimate::UNRATED);
    }

    #[test]
    fn a_game_does_not_differ_from_itself() {
        let game = "connect_four(cols=4,rows=4)";
        let compared = CompareReport::new(vec![report(game, 1), report(game, 2)]);
        let real: Vec<&MeasureDifference> =
            compared.differences.iter().filter(|d| d.real).collect();
        assert!(real.is_empty(), "{real:?}");
        assert!(compared.sentences[0].ends_with("no difference is certain."));
    }
}
