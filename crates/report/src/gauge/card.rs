//! Head of a gauge's page: the verdict, and the three measures behind it by the strength of the
//! players.

use maud::html as markup;
use treegauge_doc::{Block, Svg, Tone};
use treegauge_gauge::{FlagState, Gauge, Measure, Rung, Unit};

use crate::estimates::estimate_words;
use crate::ticks::{Quantity, Ticks};

/// The verdict in a few words and in one or two sentences.
pub(super) fn verdict(gauge: &Gauge) -> Block {
    let (tone, headline) = headline(gauge);
    let (lead, _) = lead_and_reasons(gauge);
    Block::Verdict { tone, headline: headline.into(), lead: lead.into(), points: Vec::new() }
}

/// The first sentences of the verdict, and the reasons behind them.
pub(super) fn lead_and_reasons(gauge: &Gauge) -> (&str, &[String]) {
    let verdict = &gauge.verdict;
    verdict.sentences.split_first().map_or((&verdict.sentence, &[]), |(lead, rest)| (lead, rest))
}

fn headline(gauge: &Gauge) -> (Tone, String) {
    let of = |state: FlagState| -> Vec<&str> {
        let judged = gauge.verdict.flags.iter().filter(|judged| judged.state == state);
        judged.map(|judged| judged.words()).collect()
    };
    let (yes, depends) = (of(FlagState::Yes), of(FlagState::DependsOnStrength));
    if gauge.games == 0 {
        (Tone::Open, "Nothing was played".to_owned())
    } else if !yes.is_empty() {
        (Tone::Bad, format!("Flawed: {}", yes.join(", ")))
    } else if !depends.is_empty() {
        (Tone::Open, "It depends on the strength of the players".to_owned())
    } else if !of(FlagState::CannotTell).is_empty() {
        (Tone::Open, "Cannot tell".to_owned())
    } else {
        (Tone::Good, "No flaw found".to_owned())
    }
}

/// A measure of the card: its name in the table, a title, and the names of the thresholds that
/// bound the range without flaw.
struct HighlightKind {
    measure: &'static str,
    title: &'static str,
    least: Option<&'static str>,
    greatest: Option<&'static str>,
    /// Whether the lower bound is 1 minus the upper bound.
    both_sides: bool,
}

const SHOWN: [HighlightKind; 3] = [
    HighlightKind {
        measure: "first_player",
        title: "Points of the first player",
        least: None,
        greatest: Some("share_max"),
        both_sides: true,
    },
    HighlightKind {
        measure: "draw_rate",
        title: "Draws",
        least: None,
        greatest: Some("draw_rate_max"),
        both_sides: false,
    },
    HighlightKind {
        measure: "plies.median",
        title: "Median length in plies",
        least: Some("plies_min"),
        greatest: Some("plies_max"),
        both_sides: false,
    },
];

/// Charts of each gauge's card: each measure by the strength of the players. All gauges share the
/// scales, so their charts can be compared.
pub(crate) fn charts_by_strength(gauges: &[&Gauge]) -> Vec<Vec<Svg>> {
    let tops = SHOWN.each_ref().map(|shown| {
        let tops = gauges.iter().filter_map(|gauge| shown.top(gauge));
        tops.fold(1.0, f64::max)
    });
    let of = |gauge: &&Gauge| {
        let rungs = played(gauge);
        let shown = SHOWN.iter().zip(tops).filter(|_| !rungs.is_empty());
        shown.filter_map(|(shown, top)| chart(shown, gauge, &rungs, top)).collect()
    };
    gauges.iter().map(of).collect()
}

/// Strengths with at least one game.
fn played(gauge: &Gauge) -> Vec<&Rung> {
    gauge.ladder.iter().filter(|rung| rung.games > 0).collect()
}

impl HighlightKind {
    /// Bounds of the range without flaw: the least and the greatest value.
    fn limits(&self, gauge: &Gauge) -> [Option<f64>; 2] {
        let limit = |name: Option<&str>| name.map(|name| gauge.thresholds.get(name));
        let greatest = limit(self.greatest);
        let least = match self.both_sides {
            true => greatest.map(|greatest| 1.0 - greatest),
            false => limit(self.least),
        };
        [least, greatest]
    }

    /// Greatest value that a chart of the gauge shows.
    fn top(&self, gauge: &Gauge) -> Option<f64> {
        let measure = Measure::named(self.measure)?;
        if measure.unit == Unit::Share {
            return Some(1.0);
        }
        let ends = played(gauge).into_iter().flat_map(|rung| {
            let estimate = rung.measures.get(measure.name);
            [estimate.mean, estimate.high]
        });
        let [least, _] = self.limits(gauge);
        ends.chain([least]).flatten().reduce(f64::max)
    }
}

const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 190.0;
const LEFT: f64 = 40.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = 38.0;

/// Estimates of a measure from the weakest to the strongest players, with the flawed ranges shaded.
fn chart(
    shown: &HighlightKind,
    gauge: &Gauge,
    rungs: &[&Rung],
    greatest_shown: f64,
) -> Option<Svg> {
    let measure = Measure::named(shown.measure)?;
    let (title, [least, greatest]) = (shown.title, shown.limits(gauge));
    let estimates: Vec<_> =
        rungs.iter().map(|rung| (rung.iterations, rung.measures.get(measure.name))).collect();
    let (scale, sign, quantity) = match measure.unit {
        Unit::Share => (100.0, "%", Quantity::Whole),
        Unit::Plies(_) => (1.0, "", Quantity::Whole),
        Unit::Number(_) | Unit::Elo => (1.0, "", Quantity::Measured),
    };
    let ticks = Ticks::of(0.0, scale * greatest_shown, 5, quantity);
    let top = ticks.greatest() / scale;
    let y = |value: f64| {
        let part = (value / top).clamp(0.0, 1.0);
        TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - part)
    };
    let slot = (WIDTH - LEFT - 8.0) / estimates.len() as f64;
    let x = |n: usize| LEFT + slot * (n as f64 + 0.5);
    let c = |value: f64| format!("{value:.1}");
    let zone = |from: f64, to: f64| {
        markup! {
            @if from < to {
                rect.zone x=(c(LEFT)) width=(c(WIDTH - LEFT - 8.0)) y=(c(y(to.min(top)))) height=(c(y(from) - y(to.min(top)))) {}
            }
        }
    };
    let words: Vec<String> = estimates
        .iter()
        .map(|(iterations, e)| format!("{} at {iterations}", estimate_words(e, measure.unit)))
        .collect();
    let label = format!("{title} by iterations per move: {}", words.join(", "));
    let drawn = markup! {
        svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label=(label) viewBox=(format!("0 0 {WIDTH} {HEIGHT}"))
            font-family="system-ui, sans-serif" font-size="11" {
            title { (label) }
            text x="0" y="14" font-size="13" font-weight="600" { (title) }
            @if let Some(greatest) = greatest.filter(|&greatest| greatest < top) { (zone(greatest, top)) }
            @if let Some(least) = least { (zone(0.0, least)) }
            @for (place, label) in ticks.marks() {
                @let value = place / scale;
                line.axis x1=(c(LEFT)) x2=(c(WIDTH - 8.0)) y1=(c(y(value))) y2=(c(y(value))) {}
                text.faint x=(c(LEFT - 5.0)) y=(c(y(value) + 4.0)) text-anchor="end" { (label) (sign) }
            }
            @for (n, (iterations, estimate)) in estimates.iter().enumerate() {
                @if let (Some(low), Some(high)) = (estimate.low, estimate.high) {
                    line.mark x1=(c(x(n))) x2=(c(x(n))) y1=(c(y(low))) y2=(c(y(high))) stroke-width="2.5" {}
                    @for end in [low, high] {
                        line.mark x1=(c(x(n) - 5.0)) x2=(c(x(n) + 5.0)) y1=(c(y(end))) y2=(c(y(end))) stroke-width="2.5" {}
                    }
                }
                @if let Some(mean) = estimate.mean {
                    circle.mark cx=(c(x(n))) cy=(c(y(mean))) r="4.5" { title { (words[n]) } }
                }
                text x=(c(x(n))) y=(c(HEIGHT - BOTTOM + 15.0)) text-anchor="middle" { (iterations) }
            }
            text.faint x=(c(f64::midpoint(LEFT, WIDTH))) y=(c(HEIGHT - 6.0)) text-anchor="middle" { "iterations per move; shaded: a flaw" }
        }
    };
    Some(Svg::new(drawn.into_string()))
}
