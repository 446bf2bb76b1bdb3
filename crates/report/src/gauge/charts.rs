//! Charts of a gauge's page.

use kuva::plot::{Histogram, LinePlot};
use kuva::render::annotations::ReferenceLine;
use kuva::render::plots::Plot;
use treegauge_core::Outcome;
use treegauge_doc::Svg;
use treegauge_gauge::Curve;

use crate::chart::{Charts, INK, PALE, POINTS_MAX, SECOND, sized};
use crate::ticks::{Quantity, Ticks};

impl Charts {
    /// Histogram of the lengths of games.
    pub(in crate::gauge) fn lengths(&mut self, lengths: &[u32]) -> Option<Svg> {
        let (min, max) = (*lengths.iter().min()?, *lengths.iter().max()?);
        // Each bin spans whole plies; there are 1 to 30 bins.
        let lengths_between = (max - min).saturating_add(1);
        let step = lengths_between.div_ceil(30);
        let bins = lengths_between.div_ceil(step);
        let edge = |n: u32| f64::from(min) + f64::from(n) * f64::from(step) - 0.5;
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
            .with_x_tick_step(
                Ticks::of(0.0, f64::from(bins) * f64::from(step), 8, Quantity::Whole).step(),
            )
            .with_y_label("games")
            .with_y_axis_min(0.0)
            .with_y_tick_step(Ticks::of(0.0, tallest, 6, Quantity::Whole).step());
        Some(self.render(plots, layout))
    }

    /// Mean number of legal moves by ply, over the games that reached the ply.
    pub(in crate::gauge) fn branching(&mut self, by_ply: &[(f64, u32)]) -> Option<Svg> {
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
        let last = points.last().map_or(1.0, |point| point.0);
        let line = LinePlot::new().with_data(points).with_color(INK).with_stroke_width(2.0);
        let plots = vec![Plot::Line(line)];
        let x = Ticks::of(0.0, last, 8, Quantity::Whole);
        let y = Ticks::of(0.0, top, 6, Quantity::Measured);
        let layout = sized(&plots, 520.0, 300.0)
            .with_x_label("ply")
            .with_x_axis_min(0.0)
            .with_x_axis_max(last + 1.0)
            .with_x_tick_step(x.step())
            .with_y_label("legal moves, mean")
            .with_y_axis_min(0.0)
            .with_y_axis_max(y.greatest())
            .with_y_tick_step(y.step());
        Some(self.render(plots, layout))
    }

    /// Value of one game, ply by ply, with its interval.
    pub(in crate::gauge) fn curve(&mut self, curve: &Curve, plies_max: usize) -> Svg {
        // The chart is 260 pixels wide, so a very long game is sampled.
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
        // The band takes the colour of the line, so the colour must be set first.
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
            .with_x_tick_step(Ticks::of(0.0, plies_max.max(2) as f64, 6, Quantity::Whole).step())
            .with_y_axis_min(-1.0)
            .with_y_axis_max(1.0)
            .with_y_tick_step(1.0)
            .with_reference_line(
                ReferenceLine::horizontal(0.0).with_color(PALE).with_stroke_width(1.0),
            );
        self.render(plots, layout)
    }
}
