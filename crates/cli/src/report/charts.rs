//! The charts of the web page.

use kuva::backend::svg::SvgBackend;
use kuva::plot::{Histogram, LinePlot, ScatterPlot};
use kuva::render::annotations::ReferenceLine;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use kuva::render::render::render_multiple;
use maud::html as markup;
use treegauge_core::Outcome;
use treegauge_search::FEATURE_NAMES;
use treegauge_study::stats::Estimate;
use treegauge_study::{Curve, Reference};

use crate::commands::interest::Row;

const INK: &str = "#2b4c7e";
const SECOND: &str = "#b4483a";
const PALE: &str = "#9aa4b2";

/// Points of one curve.
const POINTS_MAX: usize = 400;

/// Draws charts and keeps their ids apart: a page holds many of them.
#[derive(Default)]
pub(super) struct Charts {
    drawn: usize,
}

impl Charts {
    fn draw(&mut self, plots: Vec<Plot>, layout: Layout) -> String {
        self.drawn += 1;
        let own = format!("c{}-", self.drawn);
        let scene = render_multiple(plots, layout);
        // Without a view box a chart that is made narrower, as on a phone, is cut off.
        let begin = format!("<svg viewBox=\"0 0 {} {}\"", scene.width, scene.height);
        SvgBackend
            .render_scene(&scene)
            .replacen("<svg", &begin, 1)
            .replace("id=\"", &format!("id=\"{own}"))
            .replace("url(#", &format!("url(#{own}"))
            .replace("href=\"#", &format!("href=\"#{own}"))
    }

    /// How many games had which length.
    pub(super) fn lengths(&mut self, lengths: &[u32]) -> Option<String> {
        let (min, max) = (*lengths.iter().min()?, *lengths.iter().max()?);
        // Whole plies a bin, at most 30 bins, one bin at least.
        let step = (max - min + 1).div_ceil(30);
        let bins = (max - min + 1).div_ceil(step);
        let edge = |n: u32| f64::from(min + n * step) - 0.5;
        let edges: Vec<f64> = (0..=bins).map(edge).collect();
        let mut counts = vec![0.0; bins as usize];
        for length in lengths {
            counts[((length - min) / step) as usize] += 1.0;
        }
        let tallest = counts.iter().copied().fold(1.0, f64::max);
        let plots = vec![Plot::Histogram(Histogram::from_bins(edges, counts).with_color(INK))];
        let layout = sized(&plots, 520.0, 300.0)
            .with_x_label("length in plies")
            .with_x_axis_min(f64::from(min) - 1.0)
            .with_x_axis_max(edge(bins).ceil())
            .with_x_tick_step((f64::from(bins * step) / 8.0).ceil())
            .with_y_label("games")
            .with_y_axis_min(0.0)
            .with_y_tick_step((tallest / 6.0).ceil());
        Some(self.draw(plots, layout))
    }

    /// Legal moves by ply, over the games that got so far.
    pub(super) fn branching(&mut self, by_ply: &[(f64, u32)]) -> Option<String> {
        let thin = by_ply.len().div_ceil(POINTS_MAX).max(1);
        let points: Vec<(f64, f64)> = by_ply
            .iter()
            .enumerate()
            .step_by(thin)
            .filter(|(_, (_, games))| *games > 0)
            .map(|(n, (mean, _))| ((n + 1) as f64, *mean))
            .collect();
        let top = points.iter().map(|p| p.1).fold(1.0, f64::max);
        if points.is_empty() {
            return None;
        }
        let line = LinePlot::new().with_data(points).with_color(INK).with_stroke_width(2.0);
        let plots = vec![Plot::Line(line)];
        let layout = sized(&plots, 520.0, 300.0)
            .with_x_label("ply")
            .with_y_label("legal moves, mean")
            .with_y_axis_min(0.0)
            .with_y_axis_max(top * 1.08);
        Some(self.draw(plots, layout))
    }

    /// The value of one game, ply by ply, with its interval.
    pub(super) fn curve(&mut self, curve: &Curve, plies_max: usize) -> String {
        // Every so many plies of a very long game: a chart is 260 pixels wide.
        let step = curve.values.len().div_ceil(POINTS_MAX).max(1);
        let shown = || curve.values.iter().step_by(step);
        let points: Vec<(f64, f64)> = shown()
            .enumerate()
            .map(|(n, value)| (f64::from(curve.first_ply) + (n * step) as f64, value.mean))
            .collect();
        let colour = match curve.outcome {
            Outcome::FirstWins => INK,
            Outcome::SecondWins => SECOND,
            Outcome::Draw => "#555555",
        };
        // The band takes the colour that the line has by then.
        let line = LinePlot::new().with_data(points).with_color(colour).with_stroke_width(1.2);
        let line = line.with_band(
            shown().map(|v| v.low).collect::<Vec<_>>(),
            shown().map(|v| v.high).collect::<Vec<_>>(),
        );
        let plots = vec![Plot::Line(line)];
        let layout = sized(&plots, 260.0, 130.0)
            .with_force_margins(26.0, 8.0)
            .with_force_margins_y(8.0, 20.0)
            .with_tick_size(8)
            .with_x_axis_min(0.0)
            .with_x_axis_max(plies_max.max(2) as f64)
            .with_y_axis_min(-1.0)
            .with_y_axis_max(1.0)
            .with_y_tick_step(1.0)
            .with_reference_line(
                ReferenceLine::horizontal(0.0).with_color(PALE).with_stroke_width(1.0),
            );
        self.draw(plots, layout)
    }

    /// How many positions of each value there are at each remoteness, on a logarithmic scale.
    pub(super) fn values_by_remoteness(&mut self, counts: &[[u64; 3]]) -> Option<String> {
        let mut plots = Vec::new();
        let (mut most, mut last) = (1, 1);
        for (n, (name, colour)) in
            [("win", INK), ("lose", SECOND), ("tie", PALE)].into_iter().enumerate()
        {
            let points: Vec<(f64, f64)> = counts
                .iter()
                .enumerate()
                .filter(|(_, row)| row[n] > 0)
                .map(|(remoteness, row)| (remoteness as f64, row[n] as f64))
                .collect();
            let Some(&(end, _)) = points.last() else { continue };
            last = last.max(end as usize);
            most = most.max(counts.iter().map(|row| row[n]).max().unwrap_or(0));
            plots.extend(dotted(name, colour, points));
        }
        if plots.is_empty() {
            return None;
        }
        let layout = sized(&plots, 510.0, 340.0)
            .with_x_label("plies to the end")
            .with_y_label("positions")
            .with_x_axis_min(-0.5)
            .with_x_axis_max(last as f64 + 0.5)
            .with_x_tick_step((last as f64 / 10.0).ceil())
            .with_log_y()
            .with_y_axis_min(0.8)
            .with_y_axis_max(most as f64 * 1.6);
        Some(self.draw(plots, layout))
    }

    /// How interesting the wins of each remoteness are: all of them in classes, the mean, the
    /// highest.
    pub(super) fn interest_by_remoteness(&mut self, rows: &[Row]) -> Option<String> {
        let plies = |row: &Row| f64::from(row.most.remoteness.unwrap_or_default());
        let last = plies(rows.last()?);
        let percent = |y: f64| 100.0 * y;
        let (mut classes, mut sizes, mut tips) = (Vec::new(), Vec::new(), Vec::new());
        for row in rows {
            for (n, &count) in row.bins.iter().enumerate().filter(|(_, count)| **count > 0) {
                let of = row.bins.len() as f64;
                // The middle of the class, as far as there are wins.
                let (low, high) = (n as f64 / of, ((n + 1) as f64 / of).min(row.max));
                classes.push((plies(row), percent((low + high) / 2.0)));
                // The area tells the share.
                sizes.push(1.5 + 7.0 * (count as f64 / row.wins as f64).sqrt());
                let (low, high) = (percent(n as f64 / of), percent((n + 1) as f64 / of));
                let plies = plies(row);
                tips.push(format!("{count} wins in {plies} plies have {low:.0} to {high:.0} %"));
            }
        }
        let mut plots = vec![Plot::Scatter(
            ScatterPlot::new()
                .with_data(classes)
                .with_color(PALE)
                .with_sizes(sizes)
                .with_marker_opacity(0.6)
                .with_tooltips()
                .with_tooltip_labels(tips)
                .with_legend("wins"),
        )];
        let points = |y: fn(&Row) -> f64| {
            rows.iter().map(|row| (plies(row), percent(y(row)))).collect::<Vec<_>>()
        };
        plots.extend(dotted("maximum", SECOND, points(|row| row.max)));
        plots.extend(dotted("mean", INK, points(|row| row.mean)));
        let layout = sized(&plots, 510.0, 340.0)
            .with_x_label("won in so many plies")
            .with_y_label("interestingness, %")
            .with_x_axis_min(0.0)
            .with_x_axis_max(last + 1.0)
            .with_x_tick_step((last / 10.0).ceil())
            .with_y_axis_min(0.0)
            .with_y_axis_max(100.0);
        Some(self.draw(plots, layout))
    }

    /// Where the features of a game lie among those of known games: each feature on a scale of
    /// its own, from the least to the greatest of all.
    pub(super) fn features(
        &mut self,
        game: &str,
        means: &[f64; 16],
        reference: &Reference,
    ) -> String {
        let others: Vec<&_> = reference.rows.iter().filter(|row| row.game != game).collect();
        let (mut known, mut names, mut own) = (Vec::new(), Vec::new(), Vec::new());
        for (n, &mean) in means.iter().enumerate() {
            let all = others.iter().map(|row| row.means[n]).chain([mean]);
            let min = all.clone().fold(f64::INFINITY, f64::min);
            let max = all.fold(f64::NEG_INFINITY, f64::max);
            let place = |x: f64| if max > min { (x - min) / (max - min) } else { 0.5 };
            // The first feature stands on top.
            let y = (16 - n) as f64;
            for row in &others {
                known.push((place(row.means[n]), y));
                names.push(format!("{}: {:.4}", row.game, row.means[n]));
            }
            own.push((place(mean), y));
        }
        let own_names: Vec<String> =
            means.iter().map(|mean| format!("{game}: {mean:.4}")).collect();
        let plots = vec![
            Plot::Scatter(
                ScatterPlot::new()
                    .with_data(known)
                    .with_color(PALE)
                    .with_size(4.0)
                    .with_marker_opacity(0.7)
                    .with_tooltips()
                    .with_tooltip_labels(names)
                    .with_legend("known games"),
            ),
            Plot::Scatter(
                ScatterPlot::new()
                    .with_data(own)
                    .with_color(SECOND)
                    .with_size(6.0)
                    .with_tooltips()
                    .with_tooltip_labels(own_names)
                    .with_legend("this game"),
            ),
        ];
        let labels = FEATURE_NAMES.iter().rev().map(|name| (*name).to_owned()).collect();
        let layout = sized(&plots, 760.0, 520.0)
            .with_y_categories(labels)
            .with_x_axis_min(-0.03)
            .with_x_axis_max(1.03)
            .with_y_axis_min(0.5)
            .with_y_axis_max(16.5)
            .with_x_label("from the least to the greatest of these games");
        self.draw(plots, layout)
    }
}

/// The colours of a cell of a heat map, as a style: from red at a share of 0 by white at 1/2 to
/// blue at 1.
pub(super) fn heat(share: f64) -> String {
    // Light enough for dark ink at both ends.
    let end: [f64; 3] = if share < 0.5 { [232.0, 138.0, 122.0] } else { [122.0, 168.0, 226.0] };
    let depth = (2.0 * (share - 0.5)).abs().min(1.0);
    let [red, green, blue] = end.map(|end| (250.0 + depth * (end - 250.0)).round());
    let ink = "#1d2430";
    format!("background: rgb({red},{green},{blue}); color: {ink}")
}

/// Estimates below each other on one scale, each with its name above it. An end that has no bound
/// is drawn as an arrow to the rim.
pub(super) fn intervals(rows: &[(String, Estimate)], unit: &str) -> String {
    const WIDTH: f64 = 360.0;
    const ROW: f64 = 34.0;
    let ends = rows.iter().flat_map(|(_, e)| [e.mean, e.low, e.high]).flatten();
    let (min, max) = ends.fold((0.0f64, 0.0f64), |(min, max), end| (min.min(end), max.max(end)));
    let step = round_step((max - min) / 5.0);
    let (first, last) = ((min / step).floor(), (max / step).ceil());
    let (low, high) = (first * step, last.max(first + 1.0) * step);
    let x = |value: f64| 22.0 + (WIDTH - 44.0) * (value - low) / (high - low);
    let bottom = ROW * rows.len() as f64 + 8.0;
    let marks =
        (0..).map(|n| low + f64::from(n) * step).take_while(|&mark| mark < high + step / 2.0);
    let chart = markup! {
        svg xmlns="http://www.w3.org/2000/svg" class="intervals" viewBox=(format!("0 0 {WIDTH} {}", bottom + 34.0))
            font-family="system-ui, sans-serif" font-size="11" {
            @for mark in marks {
                @let colour = if mark.abs() < step / 2.0 { PALE } else { "#e3e7ed" };
                line x1=(coordinate(x(mark))) x2=(coordinate(x(mark))) y1="4" y2=(coordinate(bottom)) stroke=(colour) {}
                text x=(coordinate(x(mark))) y=(coordinate(bottom + 13.0)) text-anchor="middle" fill="#5a6575" { (format!("{mark:.0}")) }
            }
            @for (n, (name, estimate)) in rows.iter().enumerate() {
                @let y = ROW * n as f64 + 24.0;
                text x="2" y=(coordinate(y - 9.0)) fill="#1d2430" stroke="#ffffff" stroke-width="3" paint-order="stroke" { (shortened(name)) title { (name) } }
                @if let Some(mean) = estimate.mean {
                    @let (left, right) = (estimate.low.map_or(8.0, x), estimate.high.map_or(WIDTH - 8.0, x));
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
            text x=(coordinate(WIDTH / 2.0)) y=(coordinate(bottom + 28.0)) text-anchor="middle" fill="#5a6575" { (unit) }
        }
    };
    chart.into_string()
}

/// A coordinate to a tenth of a unit.
fn coordinate(x: f64) -> String {
    format!("{x:.1}")
}

/// What fits above a row of [`intervals`].
fn shortened(name: &str) -> String {
    const CHARACTERS_MAX: usize = 54;
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

/// A line with a dot at each point, which tells its numbers when it is pointed at.
fn dotted(name: &str, colour: &str, points: Vec<(f64, f64)>) -> [Plot; 2] {
    let tips =
        points.iter().map(|(x, y)| format!("{name}, {x} plies: {}", (y * 100.0).round() / 100.0));
    let dots = ScatterPlot::new()
        .with_tooltip_labels(tips.collect::<Vec<_>>())
        .with_tooltips()
        .with_data(points.clone())
        .with_color(colour)
        .with_size(3.5)
        .with_legend(name);
    let line = LinePlot::new().with_data(points).with_color(colour).with_stroke_width(1.5);
    [Plot::Line(line), Plot::Scatter(dots)]
}

fn sized(plots: &[Plot], width: f64, height: f64) -> Layout {
    Layout::auto_from_plots(plots).with_width(width).with_height(height)
}
