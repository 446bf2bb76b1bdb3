//! Charts of pictures: intervals, bars, curves.

use maud::{Markup, html as markup};
use treegauge_stats::Estimate;

use super::card::{Anchor, Card, GREY, INK, MARGIN, RIGHT, RULE, SOFT, c, label};
use super::font::Font;
use crate::ticks::{Quantity, Ticks};
use crate::words::counted;

const NAME: Font = Font::plain(15.0);
const VALUE: Font = Font::plain(14.0);
const AXIS: Font = Font::plain(13.0);

/// Greatest number of rows of a chart.
const ROWS_MAX: usize = 14;

/// Rows of estimates on one scale.
pub(super) struct Intervals<'a> {
    pub(super) rows: Vec<Row>,
    pub(super) scale: Scale,
    /// A value that the estimates are compared with.
    pub(super) line: Option<f64>,
    /// Text below the scale.
    pub(super) unit: &'a str,
    /// Things that a row is about: `player`.
    pub(super) thing: &'a str,
}

/// A named estimate.
pub(super) struct Row {
    pub(super) name: String,
    /// The estimate in words.
    pub(super) words: String,
    pub(super) estimate: Estimate,
    pub(super) colour: &'static str,
}

/// A horizontal scale with its marks.
pub(super) struct Scale {
    least: f64,
    greatest: f64,
    marks: Vec<(f64, String)>,
}

impl Scale {
    /// Shares from 0 to 100%.
    pub(super) fn shares() -> Scale {
        let marks = [0_u8, 25, 50, 75, 100];
        let marks = marks.map(|n| (f64::from(n) / 100.0, format!("{n}%"))).to_vec();
        Scale { least: 0.0, greatest: 1.0, marks }
    }

    /// Numbers from the first to the last of these marks.
    pub(super) fn numbered<const N: usize>(marks: [f64; N]) -> Scale {
        let marks = marks.map(|mark| (mark, mark.to_string())).to_vec();
        let end = |at: Option<&(f64, String)>| at.map_or(0.0, |(mark, _)| *mark);
        Scale { least: end(marks.first()), greatest: end(marks.last()), marks }
    }

    /// Numbers that enclose all of these.
    pub(super) fn around(numbers: impl Iterator<Item = f64>, quantity: Quantity) -> Scale {
        let (least, greatest) = numbers
            .filter(|number| number.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
        let ticks = Ticks::of(least, greatest.max(least + 1.0), 6, quantity);
        Scale { least: ticks.least(), greatest: ticks.greatest(), marks: ticks.marks().collect() }
    }

    fn place(&self, value: f64) -> f64 {
        ((value - self.least) / (self.greatest - self.least)).clamp(0.0, 1.0)
    }
}

/// Estimate between two bounds.
pub(super) const fn bounded(mean: f64, low: f64, high: f64) -> Estimate {
    Estimate { mean: Some(mean), low: Some(low), high: Some(high), n: 0 }
}

impl Card {
    /// Adds estimates below each other: the interval as a line, the mean as a dot. An unbounded
    /// end is drawn as an arrow to the edge.
    pub(super) fn intervals(&mut self, chart: &Intervals<'_>) {
        const HEIGHT: f64 = 30.0;
        let rows = &chart.rows[..chart.rows.len().min(ROWS_MAX)];
        let widest = |font: Font, text: fn(&Row) -> &str, most: f64| {
            rows.iter().map(|row| font.width(text(row))).fold(0.0, f64::max).min(most)
        };
        let left = MARGIN + widest(NAME, |row| &row.name, 250.0) + 22.0;
        let right = RIGHT - widest(VALUE, |row| &row.words, 230.0) - 22.0;
        let x = |value: f64| left + (right - left) * chart.scale.place(value);
        let height = HEIGHT * rows.len() as f64;
        let top = self.room(height + 44.0);
        let bottom = top + height + 4.0;
        let half = AXIS.width(chart.unit) / 2.0;
        let middle = f64::midpoint(left, right).min(RIGHT - half).max(MARGIN + half);
        self.draw(markup! {
            @for (mark, text) in &chart.scale.marks {
                line x1=(c(x(*mark))) x2=(c(x(*mark))) y1=(c(top)) y2=(c(bottom)) stroke=(RULE) {}
                (label((x(*mark), bottom + 17.0), Anchor::Middle, AXIS, SOFT, text))
            }
            @if let Some(line) = chart.line {
                line x1=(c(x(line))) x2=(c(x(line))) y1=(c(top - 2.0)) y2=(c(bottom)) stroke=(SOFT) stroke-width="2" stroke-dasharray="5 4" {}
            }
            (label((middle, bottom + 35.0), Anchor::Middle, AXIS, SOFT, chart.unit))
        });
        for (n, row) in (0u32..).zip(rows) {
            let y = top + HEIGHT * (f64::from(n) + 0.5) + 2.0;
            let name = NAME.shortened(&row.name, left - MARGIN - 22.0);
            let words = VALUE.shortened(&row.words, RIGHT - right - 22.0);
            self.draw(markup! {
                (label((MARGIN, y + 5.0), Anchor::Start, NAME, INK, &name))
                (interval(&row.estimate, &x, [left, right], y, row.colour))
                (label((right + 22.0, y + 5.0), Anchor::Start, VALUE, INK, &words))
            });
            self.say(format!("{}: {}", row.name, row.words));
        }
        self.more(chart.rows.len() - rows.len(), chart.thing);
    }

    /// Says how many things are left out.
    pub(super) fn more(&mut self, left_out: usize, thing: &str) {
        if left_out > 0 {
            self.note(&format!("and {}", counted(left_out as u64, &format!("more {thing}"))));
        }
    }

    /// Adds horizontal bars, each with its parts from left to right, and words behind it.
    pub(super) fn bars(&mut self, rows: &[BarRow], full: f64, thing: &str) {
        const HEIGHT: f64 = 30.0;
        let shown = &rows[..rows.len().min(ROWS_MAX)];
        let widest = |font: Font, text: fn(&BarRow) -> &str, most: f64| {
            shown.iter().map(|row| font.width(text(row))).fold(0.0, f64::max).min(most)
        };
        let left = MARGIN + widest(NAME, |row| &row.name, 300.0) + 16.0;
        let right = RIGHT - widest(VALUE, |row| &row.words, 200.0) - 16.0;
        let top = self.room(HEIGHT * shown.len() as f64 + 6.0);
        for (n, row) in (0u32..).zip(shown) {
            let y = top + HEIGHT * f64::from(n);
            let name = NAME.shortened(&row.name, left - MARGIN - 16.0);
            let words = VALUE.shortened(&row.words, RIGHT - right - 16.0);
            let mut x = left;
            let parts = row.parts.iter().map(|&(value, colour)| {
                let width = (right - left) * (value / full).clamp(0.0, 1.0);
                x += width;
                (x - width, width, colour)
            });
            self.draw(markup! {
                (label((MARGIN, y + 20.0), Anchor::Start, NAME, INK, &name))
                @for (x, width, colour) in parts.collect::<Vec<_>>() {
                    rect x=(c(x)) y=(c(y + 5.0)) width=(c(width)) height="20" fill=(colour) {}
                }
                (label((right + 16.0, y + 20.0), Anchor::Start, VALUE, INK, &words))
            });
            self.say(format!("{}: {}", row.name, row.words));
        }
        self.more(rows.len() - shown.len(), thing);
    }

    /// Adds the meaning of colours.
    pub(super) fn legend(&mut self, entries: &[(&str, &str)]) {
        let y = self.room(24.0) + 14.0;
        let mut x = MARGIN;
        for (colour, name) in entries {
            self.draw(markup! {
                rect x=(c(x)) y=(c(y - 10.0)) width="12" height="12" rx="2" fill=(colour) {}
                (label((x + 18.0, y), Anchor::Start, VALUE, INK, name))
            });
            x += 18.0 + VALUE.width(name) + 22.0;
        }
    }

    /// Adds upright bars, side by side, each with its parts from the bottom to the top.
    pub(super) fn columns(&mut self, chart: &Columns<'_>) {
        let plot = Plot::in_part(self, chart.height, 8.0);
        let n = chart.columns.len().max(1) as f64;
        let tallest = chart.columns.iter().map(|column| column.sum()).fold(0.0, f64::max);
        let ticks = match chart.shares {
            true => Ticks::of(0.0, 100.0, 4, Quantity::Whole),
            false => Ticks::of(0.0, tallest.max(1.0), 4, Quantity::Whole),
        };
        let full = if chart.shares { 1.0 } else { ticks.greatest() };
        let (sign, scale) = if chart.shares { ("%", 100.0) } else { ("", 1.0) };
        let slot = (plot.right - plot.left) / n;
        let gap = (slot * 0.16).min(14.0);
        let y = |value: f64| plot.bottom - (plot.bottom - plot.top) * (value / full);
        // Labels keep a distance from each other.
        let widest = chart.columns.iter().map(|column| AXIS.width(&column.label));
        let widest = widest.fold(0.0, f64::max) + 10.0;
        let every = (widest / slot).ceil().max(1.0) as usize;
        self.draw(markup! {
            @for (mark, text) in ticks.marks() {
                line x1=(c(plot.left)) x2=(c(plot.right)) y1=(c(y(mark / scale))) y2=(c(y(mark / scale))) stroke=(RULE) {}
                (label((plot.left - 8.0, y(mark / scale) + 4.5), Anchor::End, AXIS, SOFT, &format!("{text}{sign}")))
            }
        });
        for (n, column) in chart.columns.iter().enumerate() {
            let x = plot.left + slot * n as f64 + gap / 2.0;
            let mut below = 0.0;
            let parts = column.parts.iter().map(|&(value, colour)| {
                let (from, to) = (y(below), y(below + value));
                below += value;
                (from, to, colour)
            });
            self.draw(markup! {
                @for (from, to, colour) in parts.collect::<Vec<_>>() {
                    @if from - to > 0.04 {
                        rect x=(c(x)) width=(c(slot - gap)) y=(c(to)) height=(c(from - to)) fill=(colour) {}
                    }
                }
                @if let Some(text) = &column.above {
                    (label((x + (slot - gap) / 2.0, y(column.sum()) - 6.0), Anchor::Middle, VALUE, INK, text))
                }
                @if n % every == 0 {
                    (label((x + (slot - gap) / 2.0, plot.bottom + 18.0), Anchor::Middle, AXIS, INK, &column.label))
                }
            });
        }
        self.draw(plot.titles(chart.x, chart.y));
    }

    /// Adds curves, each with a dot at every point.
    pub(super) fn curves(&mut self, chart: &Curves<'_>) {
        let mut plot = Plot::in_part(self, chart.height, 26.0);
        let points = || chart.curves.iter().flat_map(|curve| &curve.points);
        let x_ticks = {
            let (first, last) =
                points().fold((f64::INFINITY, 1.0_f64), |(a, b), &(x, _)| (a.min(x), b.max(x)));
            Ticks::of(first.min(0.0), last.max(1.0), 10, Quantity::Whole)
        };
        // The last number stands below the end of the axis.
        let last = x_ticks.marks().last().map_or(0.0, |(_, text)| AXIS.width(&text));
        plot.right -= (last / 2.0 - 10.0).max(0.0);
        let x = |value: f64| {
            let part = (value - x_ticks.least()) / (x_ticks.greatest() - x_ticks.least());
            plot.left + (plot.right - plot.left) * part
        };
        let y = |share: f64| plot.bottom - (plot.bottom - plot.top) * share.clamp(0.0, 1.0);
        self.draw(markup! {
            @for tenth in [0_u8, 25, 50, 75, 100] {
                @let at = y(f64::from(tenth) / 100.0);
                line x1=(c(plot.left)) x2=(c(plot.right)) y1=(c(at)) y2=(c(at)) stroke=(RULE) {}
                (label((plot.left - 8.0, at + 4.5), Anchor::End, AXIS, SOFT, &format!("{tenth}%")))
            }
            @for (mark, text) in x_ticks.marks() {
                (label((x(mark), plot.bottom + 18.0), Anchor::Middle, AXIS, INK, &text))
            }
        });
        let mut legend = plot.right;
        for curve in chart.curves.iter().rev() {
            let line: Vec<String> = curve
                .points
                .iter()
                .map(|&(at, share)| format!("{},{}", c(x(at)), c(y(share))))
                .collect();
            legend -= VALUE.width(curve.name);
            self.draw(markup! {
                polyline points=(line.join(" ")) fill="none" stroke=(curve.colour) stroke-width="2.5" {}
                @if curve.points.len() <= 60 {
                    @for &(at, share) in &curve.points {
                        circle cx=(c(x(at))) cy=(c(y(share))) r="4" fill=(curve.colour) {}
                    }
                }
                circle cx=(c(legend - 12.0)) cy=(c(plot.top - 19.0)) r="5" fill=(curve.colour) {}
                (label((legend, plot.top - 14.0), Anchor::Start, VALUE, INK, curve.name))
            });
            legend -= 38.0;
        }
        self.draw(plot.titles(chart.x, chart.y));
    }
}

/// A bar of [`Card::bars`].
pub(super) struct BarRow {
    pub(super) name: String,
    pub(super) words: String,
    /// Length and colour of each part.
    pub(super) parts: Vec<(f64, &'static str)>,
}

/// Upright bars.
pub(super) struct Columns<'a> {
    pub(super) columns: Vec<Column>,
    /// Whether the parts are shares of a whole, and not counts.
    pub(super) shares: bool,
    pub(super) height: f64,
    pub(super) x: &'a str,
    pub(super) y: &'a str,
}

/// An upright bar.
pub(super) struct Column {
    pub(super) label: String,
    /// Text above the bar.
    pub(super) above: Option<String>,
    /// Height and colour of each part.
    pub(super) parts: Vec<(f64, &'static str)>,
}

impl Column {
    fn sum(&self) -> f64 {
        self.parts.iter().map(|(value, _)| value).sum()
    }
}

/// Curves of shares by a whole number.
pub(super) struct Curves<'a> {
    pub(super) curves: Vec<Curve<'a>>,
    pub(super) height: f64,
    pub(super) x: &'a str,
    pub(super) y: &'a str,
}

/// A curve with its name.
pub(super) struct Curve<'a> {
    pub(super) name: &'a str,
    pub(super) colour: &'static str,
    pub(super) points: Vec<(f64, f64)>,
}

/// Part of a picture between two axes.
struct Plot {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Plot {
    /// Takes a part of a picture, `head` of it above the plot.
    fn in_part(card: &mut Card, height: f64, head: f64) -> Plot {
        let top = card.room(height + head + 62.0) + head + 20.0;
        Plot { left: MARGIN + 52.0, right: RIGHT, top, bottom: top + height }
    }

    /// Titles of the axes.
    fn titles(&self, x: &str, y: &str) -> Markup {
        let middle = f64::midpoint(self.left, self.right);
        markup! {
            line x1=(c(self.left)) x2=(c(self.right)) y1=(c(self.bottom)) y2=(c(self.bottom)) stroke=(GREY) {}
            (label((MARGIN, self.top - 14.0), Anchor::Start, AXIS, SOFT, y))
            (label((middle, self.bottom + 37.0), Anchor::Middle, AXIS, SOFT, x))
        }
    }
}

/// An estimate on a horizontal scale, with an arrow at an end that nothing bounds.
fn interval(
    estimate: &Estimate,
    x: &dyn Fn(f64) -> f64,
    [left, right]: [f64; 2],
    y: f64,
    colour: &str,
) -> Markup {
    let Some(mean) = estimate.mean else { return markup! {} };
    let (from, to) = (estimate.low.map_or(left, x), estimate.high.map_or(right, x));
    let no_interval = estimate.low.is_none() && estimate.high.is_none();
    markup! {
        @if !no_interval {
            line x1=(c(from)) x2=(c(to)) y1=(c(y)) y2=(c(y)) stroke=(colour) stroke-width="3" {}
            @for (bound, tip, inwards) in [(estimate.low, from, 8.0), (estimate.high, to, -8.0)] {
                @if bound.is_some() {
                    line x1=(c(tip)) x2=(c(tip)) y1=(c(y - 5.0)) y2=(c(y + 5.0)) stroke=(colour) stroke-width="3" {}
                } @else {
                    polyline points=(format!("{0},{1} {2},{3} {0},{4}", c(tip + inwards), c(y - 6.0), c(tip), c(y), c(y + 6.0))) fill="none" stroke=(colour) stroke-width="3" {}
                }
            }
        }
        circle cx=(c(x(mean))) cy=(c(y)) r="6" fill=(colour) {}
    }
}
