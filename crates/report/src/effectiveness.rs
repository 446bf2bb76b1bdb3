//! Effectiveness of vetting: the share of playable games among those that pass.

use kuva::plot::LinePlot;
use kuva::render::plots::Plot;
use treegauge_doc::Svg;
use treegauge_learn::scores::Confusion;

use crate::chart::{Charts, PALE, sized};

/// Caption of the chart.
pub(crate) const EFFECTIVENESS_WORDS: &str = "Precision: the share of playable games among those with a probability above 50%, by their share among all games (effectiveness in Williams 2010, section 5.3). On the diagonal vetting changes nothing.";

/// Chart of the effectiveness of classifiers, each with its name and colour, by the share of all
/// games that is playable.
pub(crate) fn effectiveness_chart(curves: &[(&str, &Confusion, &str)], charts: &mut Charts) -> Svg {
    let diagonal = LinePlot::new().with_data(vec![(0.0, 0.0), (1.0, 1.0)]).with_color(PALE);
    let mut plots = vec![Plot::Line(diagonal)];
    for (name, confusion, colour) in curves {
        let points: Vec<(f64, f64)> = (0..=100)
            .map(|n| f64::from(n) / 100.0)
            .filter_map(|x| confusion.effectiveness(x).map(|y| (x, y)))
            .collect();
        let line = LinePlot::new().with_data(points).with_color(*colour).with_stroke_width(2.0);
        plots.push(Plot::Line(if name.is_empty() { line } else { line.with_legend(*name) }));
    }
    let layout = sized(&plots, 430.0, 400.0)
        .with_x_label("share of playable games among all")
        .with_y_label("share of playable games among those that pass")
        .with_x_axis_min(0.0)
        .with_x_axis_max(1.0)
        .with_y_axis_min(0.0)
        .with_y_axis_max(1.0);
    charts.render(plots, layout)
}
