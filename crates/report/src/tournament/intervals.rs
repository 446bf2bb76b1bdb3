//! A chart of estimates with their intervals.

use maud::html as markup;
use treegauge_study::stats::Estimate;

use crate::chart::{INK, PALE, SECOND};

/// Estimates below each other on one scale, each with its name to the left of it. An end that has no
/// bound is rendered as an arrow to the rim.
pub(super) fn intervals(rows: &[(String, Estimate)], unit: &str) -> String {
    const WIDTH: f64 = 660.0;
    const NAMES: f64 = 270.0;
    const ROW: f64 = 26.0;
    let ends = rows.iter().flat_map(|(_, e)| [e.mean, e.low, e.high]).flatten();
    let (min, max) = ends.fold((0.0f64, 0.0f64), |(min, max), end| (min.min(end), max.max(end)));
    let step = round_step((max - min) / 5.0);
    let (first, last) = ((min / step).floor(), (max / step).ceil());
    let (low, high) = (first * step, last.max(first + 1.0) * step);
    let x = |value: f64| NAMES + 16.0 + (WIDTH - NAMES - 32.0) * (value - low) / (high - low);
    let bottom = ROW * rows.len() as f64 + 8.0;
    let marks =
        (0..).map(|n| low + f64::from(n) * step).take_while(|&mark| mark < high + step / 2.0);
    let chart = markup! {
        svg xmlns="http://www.w3.org/2000/svg" class="intervals" viewBox=(format!("0 0 {WIDTH} {}", bottom + 34.0))
            font-family="system-ui, sans-serif" font-size="13" style="min-width: 480px" {
            @for mark in marks {
                @let colour = if mark.abs() < step / 2.0 { PALE } else { "#e3e7ed" };
                line x1=(coordinate(x(mark))) x2=(coordinate(x(mark))) y1="4" y2=(coordinate(bottom)) stroke=(colour) {}
                text x=(coordinate(x(mark))) y=(coordinate(bottom + 13.0)) text-anchor="middle" fill="#5a6575" { (format!("{mark:.0}")) }
            }
            @for (n, (name, estimate)) in rows.iter().enumerate() {
                @let y = ROW * n as f64 + 18.0;
                text x="2" y=(coordinate(y + 4.5)) fill="#1d2430" { (shortened(name)) title { (name) } }
                @if let Some(mean) = estimate.mean {
                    @let (left, right) = (estimate.low.map_or(NAMES + 4.0, x), estimate.high.map_or(WIDTH - 4.0, x));
                    line x1=(coordinate(left)) x2=(coordinate(right)) y1=(coordinate(y)) y2=(coordinate(y)) stroke=(INK) stroke-width="2" {}
                    @for (bound, tip, inwards) in [(estimate.low, left, 6.0), (estimate.high, right, -6.0)] {
                        @if bound.is_some() {
                            line x1=(coordinate(tip)) x2=(coordinate(tip)) y1=(coordinate(y - 4.0)) y2=(coordinate(y + 4.0)) stroke=(INK) stroke-width="2" {}
                        } @else {
                            polyline points=(format!("{0},{1} {2},{3} {0},{4}", coordinate(tip + inwards), coordinate(y - 4.0), coordinate(tip), coordinate(y), coordinate(y + 4.0))) fill="none" stroke=(INK) stroke-width="2" {}
                        }
                    }
                    circle cx=(coordinate(x(mean))) cy=(coordinate(y)) r="4" fill=(SECOND) { title { (format!("{mean:+.0}")) } }
                }
            }
            text x=(coordinate((NAMES + WIDTH) / 2.0)) y=(coordinate(bottom + 30.0)) text-anchor="middle" fill="#5a6575" { (unit) }
        }
    };
    chart.into_string()
}

/// A coordinate to a tenth of a unit.
fn coordinate(x: f64) -> String {
    format!("{x:.1}")
}

/// What fits to the left of a row of [`intervals`].
fn shortened(name: &str) -> String {
    const CHARACTERS_MAX: usize = 38;
    if name.chars().count() <= CHARACTERS_MAX {
        return name.to_owned();
    }
    name.chars().take(CHARACTERS_MAX - 1).chain(['\u{2026}']).collect()
}

/// The next of 1, 2, 5, 10, 20, ... that is not less, at least 1.
fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.max(1.0).log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|n| n * power)
        .find(|&n| n >= least)
        .unwrap_or(10.0 * power)
}
