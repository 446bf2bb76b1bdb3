//! Chart of estimates with their intervals.

use maud::html as markup;
use treegauge_doc::Svg;
use treegauge_stats::Estimate;

use crate::ticks::{Quantity, Ticks};

/// Estimates below each other on one scale, each with its name above it. An unbounded end is drawn
/// as an arrow to the edge.
pub(super) fn intervals(rows: &[(String, Estimate)], unit: &str) -> Svg {
    const WIDTH: f64 = 440.0;
    const ROW: f64 = 38.0;
    let ends = rows.iter().flat_map(|(_, e)| [e.mean, e.low, e.high]).flatten();
    let (min, max) = ends.fold((0.0f64, 0.0f64), |(min, max), end| (min.min(end), max.max(end)));
    let ticks = Ticks::of(min, max.max(min + 1.0), 5, Quantity::Whole);
    let (low, high) = (ticks.least(), ticks.greatest());
    let x = |value: f64| 20.0 + (WIDTH - 40.0) * (value - low) / (high - low);
    let bottom = ROW * rows.len() as f64 + 8.0;
    let drawn = markup! {
        svg xmlns="http://www.w3.org/2000/svg" class="intervals" viewBox=(format!("0 0 {WIDTH} {}", bottom + 34.0))
            font-family="system-ui, sans-serif" font-size="13" {
            @for (mark, label) in ticks.marks() {
                @let colour = if mark == 0.0 { "var(--soft)" } else { "var(--rule)" };
                line x1=(coordinate(x(mark))) x2=(coordinate(x(mark))) y1="4" y2=(coordinate(bottom)) stroke=(colour) {}
                text x=(coordinate(x(mark))) y=(coordinate(bottom + 13.0)) text-anchor="middle" fill="var(--soft)" { (label) }
            }
            @for (n, (name, estimate)) in rows.iter().enumerate() {
                @let y = ROW * n as f64 + 30.0;
                text x="2" y=(coordinate(y - 12.0)) fill="var(--ink)" { (shortened(name)) title { (name) } }
                @if let Some(mean) = estimate.mean {
                    @let (left, right) = (estimate.low.map_or(4.0, x), estimate.high.map_or(WIDTH - 4.0, x));
                    line x1=(coordinate(left)) x2=(coordinate(right)) y1=(coordinate(y)) y2=(coordinate(y)) stroke="var(--bar)" stroke-width="2" {}
                    @for (bound, tip, inwards) in [(estimate.low, left, 6.0), (estimate.high, right, -6.0)] {
                        @if bound.is_some() {
                            line x1=(coordinate(tip)) x2=(coordinate(tip)) y1=(coordinate(y - 4.0)) y2=(coordinate(y + 4.0)) stroke="var(--bar)" stroke-width="2" {}
                        } @else {
                            polyline points=(format!("{0},{1} {2},{3} {0},{4}", coordinate(tip + inwards), coordinate(y - 4.0), coordinate(tip), coordinate(y), coordinate(y + 4.0))) fill="none" stroke="var(--bar)" stroke-width="2" {}
                        }
                    }
                    circle cx=(coordinate(x(mean))) cy=(coordinate(y)) r="4" fill="var(--flaw)" { title { (format!("{mean:+.0}")) } }
                }
            }
            text x=(coordinate(WIDTH / 2.0)) y=(coordinate(bottom + 30.0)) text-anchor="middle" fill="var(--soft)" { (unit) }
        }
    };
    Svg::new(drawn.into_string())
}

/// Coordinate rounded to a tenth of a unit.
fn coordinate(x: f64) -> String {
    format!("{x:.1}")
}

/// Shortens a name so that it fits above a row of [`intervals`].
fn shortened(name: &str) -> String {
    const CHARACTERS_MAX: usize = 60;
    if name.chars().count() <= CHARACTERS_MAX {
        return name.to_owned();
    }
    name.chars().take(CHARACTERS_MAX - 1).chain(['\u{2026}']).collect()
}
