//! Comparison of variants of a game that were gauged in the same way, with the differences that are
//! more than chance.

mod flaws;

use serde::{Deserialize, Serialize};
use treegauge_core::{ReportHeader, ReportKind};
use treegauge_stats::{Estimate, difference, holm};

use crate::{GaugeReport, MEASURES, Measure, Unit};

/// Gauges of several games, and the differences of each from the first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CompareReport {
    /// Kind and schema version of the report.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// One sentence for each variant on its differences, and one for each flaw that only some
    /// variants have.
    pub sentences: Vec<String>,
    /// Gauges, the first game's first.
    pub games: Vec<GaugeReport>,
    /// Differences of every measure from the first game, game by game.
    pub differences: Vec<MeasureDifference>,
}

/// Difference of one measure between two games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasureDifference {
    /// Name of the [`Measure`].
    pub measure: String,
    /// Name of the first game.
    pub a: String,
    /// Name of the other game.
    pub b: String,
    /// Value of `b` minus value of `a`, with its 95% interval.
    pub difference: Estimate,
    /// Whether the difference is significant, corrected for all differences of the report: the
    /// chance that any difference marked real is due to chance is at most 5% (Holm 1979).
    pub real: bool,
}

impl ReportKind for CompareReport {
    const KIND: &'static str = "compare";

    fn check(&self) -> Result<(), String> {
        if self.games.is_empty() {
            return Err("a comparison needs at least one game".to_owned());
        }
        self.games.iter().try_for_each(ReportKind::check)
    }
}

impl CompareReport {
    /// Compares gauges of the same plan, each with the first.
    ///
    /// The interval of a difference combines those of both estimates: the distance of an end from
    /// the mean is the root of the sum of the squared distances (Newcombe 1998; Zou and Donner
    /// 2008).
    ///
    /// # Panics
    ///
    /// If `games` is empty.
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
        CompareReport { head: ReportHeader::NEW, sentences, games, differences }
    }

    /// Tests whether some gauge was stopped before all its games were over.
    #[must_use]
    pub fn incomplete(&self) -> bool {
        self.games.iter().any(|report| report.gauge.incomplete)
    }
}

/// Real differences of a variant that a sentence gives with their values.
const SHOWN: usize = 2;

/// Describes the real differences of a variant:
/// `cols=7 instead of 6: longer (34 plies instead of 29), more drama (0.31 instead of 0.20)`.
fn sentence(first: &GaugeReport, other: &GaugeReport, differences: &[MeasureDifference]) -> String {
    let begin = changed(&first.game, &other.game);
    let is_real = |measure: &str| {
        let of_game = |d: &&MeasureDifference| d.b == other.game && d.measure == measure;
        differences.iter().find(of_game).is_some_and(|difference| difference.real)
    };
    // A real difference of the mean length makes that of the median redundant.
    let counts = |difference: &&MeasureDifference| {
        let again = difference.measure == "plies.median" && is_real("plies");
        difference.b == other.game && difference.real && !again
    };
    let changes: Vec<(&Measure, &MeasureDifference)> = differences
        .iter()
        .filter(counts)
        .filter_map(|difference| Some((Measure::named(&difference.measure)?, difference)))
        .collect();
    if changes.is_empty() {
        return format!("{begin}: no difference is certain.");
    }
    let words = |&(measure, difference): &(&Measure, &MeasureDifference)| {
        measure.compared[usize::from(difference.difference.mean > Some(0.0))]
    };
    let (shown, others) = changes.split_at(changes.len().min(SHOWN));
    let with_values = shown.iter().map(|change| {
        let (measure, _) = change;
        let value = |report: &GaugeReport| report.gauge.measured(measure.name).mean;
        let unit = if matches!(measure.unit, Unit::Plies(_)) { " plies" } else { "" };
        let [was, is] = [first, other].map(|report| number_words(value(report), measure.unit));
        format!("{} ({is}{unit} instead of {was})", words(change))
    });
    let mut text = format!("{begin}: {}", with_values.collect::<Vec<_>>().join(", "));
    if !others.is_empty() {
        let others: Vec<&str> = others.iter().map(words).collect();
        text.push_str(&format!("; also {}", others.join(", ")));
    }
    text + "."
}

/// Names the change from one game to another: `cols=7 instead of 6` if they differ in one parameter.
fn changed(from: &str, to: &str) -> String {
    let calls = [from, to].map(flaws::complete_call);
    let one = || {
        let [from, to] = calls.map(|call| call.ok());
        let calls = [from?, to?];
        let name = flaws::one_parameter(&calls)?;
        let [from, to] = calls.each_ref().map(|call| call.value(&name));
        Some(format!("{name}={} instead of {}", to?, from?))
    };
    one().unwrap_or_else(|| format!("{to} instead of {from}"))
}

fn number_words(number: Option<f64>, unit: Unit) -> String {
    let Some(number) = number else { return "unrated".to_owned() };
    // Rounds halves away from 0, as tables do; formatting alone rounds them to even.
    let rounded = |digits: usize| {
        let ten = 10f64.powi(digits as i32);
        (number * ten).round() / ten
    };
    match unit {
        Unit::Share => format!("{:.0}%", (100.0 * number).round()),
        Unit::Plies(digits) | Unit::Number(digits) => format!("{:.digits$}", rounded(digits)),
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
        // Five in a row do not fit on four columns, and columns of four.
        assert!(of("draw_rate", games[2]).real);
        assert!(!of("capped", games[1]).real, "no game was capped in either");
        let said = &compared.sentences;
        assert!(said[0].starts_with("connect_four(cols=6,rows=6) instead of "), "{said:?}");
        assert!(said[1].starts_with("k=5 instead of 4: more draws (100% instead of "), "{said:?}");
        // A measure over games with a winner is unrated: all games were drawn.
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
