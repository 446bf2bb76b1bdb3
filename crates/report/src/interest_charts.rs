//! Charts of interestingness.

use kuva::plot::ScatterPlot;
use kuva::render::plots::Plot;
use treegauge_doc::Svg;
use treegauge_solve::report::{RemotenessCounts, WinsOfRemoteness};

use crate::chart::{Charts, INK, PALE, SECOND, dotted, sized};
use crate::words::{counted, plies as plies_words};

/// Reads one count of a row.
type Count = fn(&RemotenessCounts) -> u64;

impl Charts {
    /// Number of positions of each value at each remoteness, on a logarithmic scale.
    pub(crate) fn values_by_remoteness(&mut self, table: &[RemotenessCounts]) -> Option<Svg> {
        let mut plots = Vec::new();
        let (mut most, mut last) = (1, 1);
        let values: [(&str, &str, Count); 3] = [
            ("win", INK, |row| row.win),
            ("lose", SECOND, |row| row.lose),
            ("tie", PALE, |row| row.tie),
        ];
        for (name, colour, count) in values {
            let points: Vec<(f64, f64)> = table
                .iter()
                .filter(|row| count(row) > 0)
                .map(|row| (row.remoteness as f64, count(row) as f64))
                .collect();
            let Some(&(end, _)) = points.last() else { continue };
            last = last.max(end as usize);
            most = most.max(table.iter().map(count).max().unwrap_or(0));
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
        Some(self.render(plots, layout))
    }

    /// Interestingness of the wins of each remoteness: all wins in classes, the mean, and the
    /// maximum.
    pub(crate) fn interest_by_remoteness(&mut self, rows: &[WinsOfRemoteness]) -> Option<Svg> {
        let plies = |row: &WinsOfRemoteness| f64::from(row.most.remoteness.unwrap_or_default());
        let last = plies(rows.last()?);
        let percent = |y: f64| 100.0 * y;
        let (mut classes, mut sizes, mut tips) = (Vec::new(), Vec::new(), Vec::new());
        for row in rows {
            for (n, &count) in row.bins.iter().enumerate().filter(|(_, count)| **count > 0) {
                let of = row.bins.len() as f64;
                // Middle of the part of the class that lies below the maximum.
                let (low, high) = (n as f64 / of, ((n + 1) as f64 / of).min(row.max));
                classes.push((plies(row), percent((low + high) / 2.0)));
                // The area of the dot shows the share.
                sizes.push(1.5 + 7.0 * (count as f64 / row.wins as f64).sqrt());
                let (low, high) = (percent(n as f64 / of), percent((n + 1) as f64 / of));
                tips.push(format!(
                    "{} in {}: {low:.0} to {high:.0}%",
                    counted(count, "win"),
                    plies_words(plies(row) as u64)
                ));
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
        let points = |y: fn(&WinsOfRemoteness) -> f64| {
            rows.iter().map(|row| (plies(row), percent(y(row)))).collect::<Vec<_>>()
        };
        plots.extend(dotted("maximum", SECOND, points(|row| row.max)));
        plots.extend(dotted("mean", INK, points(|row| row.mean)));
        let layout = sized(&plots, 510.0, 340.0)
            .with_x_label("won in this many plies")
            .with_y_label("interestingness, %")
            .with_x_axis_min(0.0)
            .with_x_axis_max(last + 1.0)
            .with_x_tick_step((last / 10.0).ceil())
            .with_y_axis_min(0.0)
            .with_y_axis_max(100.0);
        Some(self.render(plots, layout))
    }
}
