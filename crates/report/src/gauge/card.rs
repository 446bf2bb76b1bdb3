//! Head of a gauge's page and picture: the verdict, and the three measures behind it by the
//! strength of the players.

use maud::html as markup;
use treegauge_doc::{Block, Svg, Tone};
use treegauge_gauge::{FlawState, Gauge, Measure, Rung, Unit};

use crate::estimates::estimate_words;
use crate::pictures::Font;
use crate::ticks::{Quantity, Ticks};
use crate::words::{capital, grouped};

/// The verdict in a few words and in one or two sentences.
pub(super) fn verdict(gauge: &Gauge) -> Block {
    let (tone, headline) = headline(gauge);
    let lead = without_headline(lead_and_reasons(gauge).0, &headline);
    Block::Verdict { tone, headline: headline.into(), lead: lead.into(), points: Vec::new() }
}

/// The sentence of a verdict without the words that stand above it.
pub(crate) fn without_headline(lead: &str, headline: &str) -> String {
    let rest = lead.strip_prefix(headline).and_then(|rest| rest.strip_prefix(" ("));
    match rest.and_then(|rest| rest.split_once(')')) {
        Some((how, rest)) => format!("{how}{rest}"),
        None => {
            const FLAWED: &str = "Flawed: ";
            let flaw = lead.strip_prefix(FLAWED).filter(|_| headline.starts_with(FLAWED));
            flaw.map_or_else(|| lead.to_owned(), capital)
        }
    }
}

/// The first sentences of the verdict, and the reasons behind them.
pub(crate) fn lead_and_reasons(gauge: &Gauge) -> (&str, &[String]) {
    let verdict = &gauge.verdict;
    verdict.sentences.split_first().map_or((&verdict.sentence, &[]), |(lead, rest)| (lead, rest))
}

/// The verdict in a few words.
pub(crate) fn headline(gauge: &Gauge) -> (Tone, String) {
    let of = |state: FlawState| -> Vec<&str> {
        let judged = gauge.verdict.flags.iter().filter(|judged| judged.state == state);
        judged.map(|judged| judged.words()).collect()
    };
    let (yes, depends) = (of(FlawState::Yes), of(FlawState::DependsOnStrength));
    if gauge.games == 0 && yes.is_empty() {
        (Tone::Undecided, "Nothing was played".to_owned())
    } else if !yes.is_empty() {
        (Tone::Bad, format!("Flawed: {}", yes.join(", ")))
    } else if !depends.is_empty() {
        (Tone::Undecided, "Its flaws depend on the strength of the players".to_owned())
    } else if !of(FlawState::CannotTell).is_empty() {
        (Tone::Undecided, "Cannot tell".to_owned())
    } else if gauge.incomplete {
        (Tone::Undecided, "No flaw found so far".to_owned())
    } else {
        (Tone::Good, "No flaw found".to_owned())
    }
}

/// A measure of the card: its name in the table, a title, and the names of the thresholds that
/// bound the range without flaw.
struct HighlightKind {
    measure: &'static str,
    title: &'static str,
    /// Title in a picture.
    short_title: &'static str,
    least: Option<&'static str>,
    greatest: Option<&'static str>,
    /// Whether the lower bound is 1 minus the upper bound.
    both_sides: bool,
}

const SHOWN: [HighlightKind; 3] = [
    HighlightKind {
        measure: "first_player",
        title: "Points of the first player",
        short_title: "First player's points",
        least: None,
        greatest: Some("share_max"),
        both_sides: true,
    },
    HighlightKind {
        measure: "draw_rate",
        title: "Draws",
        short_title: "Draws",
        least: None,
        greatest: Some("draw_rate_max"),
        both_sides: false,
    },
    HighlightKind {
        measure: "plies.median",
        title: "Median length in plies",
        short_title: "Median length, plies",
        least: Some("plies_min"),
        greatest: Some("plies_max"),
        both_sides: false,
    },
];

/// Charts of each gauge's card: each measure by the strength of the players. All gauges share the
/// scales, so their charts can be compared.
pub(crate) fn charts_by_strength(gauges: &[&Gauge]) -> Vec<Vec<Svg>> {
    charts(gauges, &ON_PAGE)
}

/// The same charts for a picture, with larger letters and shorter titles.
pub(crate) fn pictured_by_strength(gauges: &[&Gauge]) -> Vec<Vec<Svg>> {
    charts(gauges, &IN_PICTURE)
}

fn charts(gauges: &[&Gauge], size: &Size) -> Vec<Vec<Svg>> {
    let tops = SHOWN.each_ref().map(|shown| {
        let tops = gauges.iter().filter_map(|gauge| shown.top(gauge));
        tops.fold(1.0, f64::max)
    });
    let of = |gauge: &&Gauge| {
        let rungs = played(gauge);
        let shown = SHOWN.iter().zip(tops).filter(|_| !rungs.is_empty());
        shown.filter_map(|(shown, top)| chart(shown, gauge, &rungs, top, size)).collect()
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

/// Sizes of a chart, in pixels.
struct Size {
    width: f64,
    height: f64,
    left: f64,
    top: f64,
    bottom: f64,
    letters: u8,
    /// Whether the chart belongs to a picture, whose other texts say what the marks mean.
    is_part: bool,
}

const ON_PAGE: Size = Size {
    width: 300.0,
    height: 190.0,
    left: 40.0,
    top: 26.0,
    bottom: 38.0,
    letters: 11,
    is_part: false,
};

/// The size of a chart in a picture: a third of its width.
const IN_PICTURE: Size = Size {
    width: 224.0,
    height: PICTURED_HEIGHT,
    left: 48.0,
    top: 28.0,
    bottom: 22.0,
    letters: 13,
    is_part: true,
};

/// Height of the charts of [`pictured_by_strength`].
pub(crate) const PICTURED_HEIGHT: f64 = 170.0;

/// Iterations per move below a chart of a picture: thousands in full only where neighbours leave
/// room for that.
fn short_words(iterations: impl Iterator<Item = u32> + Clone, slot: f64) -> Vec<String> {
    const GAP: f64 = 8.0;
    let font = Font::plain(IN_PICTURE.letters.into());
    let whole: Vec<String> = iterations.clone().map(grouped).collect();
    let meet = |pair: &[String]| (font.width(&pair[0]) + font.width(&pair[1])) / 2.0 + GAP > slot;
    if !whole.windows(2).any(meet) {
        return whole;
    }
    let short = |n: u32| match n {
        1_000.. if n.is_multiple_of(100) => format!("{}k", f64::from(n) / 1_000.0),
        _ => grouped(n),
    };
    iterations.map(short).collect()
}

/// Estimates of a measure from the weakest to the strongest players, with the flawed ranges shaded.
fn chart(
    shown: &HighlightKind,
    gauge: &Gauge,
    rungs: &[&Rung],
    greatest_shown: f64,
    size: &Size,
) -> Option<Svg> {
    let Size { width, height, left, top: head, bottom, letters, is_part } = *size;
    let measure = Measure::named(shown.measure)?;
    let (title, [least, greatest]) = (shown.title, shown.limits(gauge));
    let heading = if is_part { shown.short_title } else { title };
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
        head + (height - head - bottom) * (1.0 - part)
    };
    let slot = (width - left - 8.0) / estimates.len() as f64;
    let x = |n: usize| left + slot * (n as f64 + 0.5);
    let c = |value: f64| format!("{value:.1}");
    let zone = |from: f64, to: f64| {
        markup! {
            @if from < to {
                rect.zone x=(c(left)) width=(c(width - left - 8.0)) fill="#f6d9c6" y=(c(y(to.min(top)))) height=(c(y(from) - y(to.min(top)))) {}
            }
        }
    };
    let strengths = match is_part {
        true => short_words(estimates.iter().map(|(iterations, _)| *iterations), slot),
        false => estimates.iter().map(|(iterations, _)| iterations.to_string()).collect(),
    };
    let words: Vec<String> = estimates
        .iter()
        .map(|(iterations, e)| format!("{} at {iterations}", estimate_words(e, measure.unit)))
        .collect();
    let label = format!("{title} by iterations per move: {}", words.join(", "));
    let drawn = markup! {
        svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label=(label) viewBox=(format!("0 0 {width} {height}"))
            font-family="system-ui, sans-serif" font-size=(letters) {
            title { (label) }
            text x="0" y="14" font-size=(letters + 2) font-weight="600" fill="#1d2430" { (heading) }
            @if let Some(greatest) = greatest.filter(|&greatest| greatest < top) { (zone(greatest, top)) }
            @if let Some(least) = least { (zone(0.0, least)) }
            @for (place, label) in ticks.marks() {
                @let value = place / scale;
                line.axis x1=(c(left)) x2=(c(width - 8.0)) y1=(c(y(value))) y2=(c(y(value))) stroke="#d5dbe3" {}
                text.faint x=(c(left - 5.0)) y=(c(y(value) + 4.0)) fill="#5a6575" text-anchor="end" { (label) (sign) }
            }
            @for (n, (_, estimate)) in estimates.iter().enumerate() {
                @if let (Some(low), Some(high)) = (estimate.low, estimate.high) {
                    line.mark x1=(c(x(n))) x2=(c(x(n))) y1=(c(y(low))) y2=(c(y(high))) stroke="#0b6e99" stroke-width="2.5" {}
                    @for end in [low, high] {
                        line.mark x1=(c(x(n) - 5.0)) x2=(c(x(n) + 5.0)) y1=(c(y(end))) y2=(c(y(end))) stroke="#0b6e99" stroke-width="2.5" {}
                    }
                }
                @if let Some(mean) = estimate.mean {
                    circle.mark cx=(c(x(n))) cy=(c(y(mean))) r="4.5" fill="#0b6e99" { title { (words[n]) } }
                }
                text x=(c(x(n))) y=(c(height - bottom + 16.0)) text-anchor="middle" fill="#1d2430" { (strengths[n]) }
            }
            @if !is_part {
                text.faint x=(c(f64::midpoint(left, width))) y=(c(height - 6.0)) text-anchor="middle" fill="#5a6575" { "iterations per move; shaded: a flaw" }
            }
        }
    };
    Some(Svg::new(drawn.into_string()))
}
