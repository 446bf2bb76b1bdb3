//! Accuracy, recall and precision by strength, as in figures 4.5 to 4.10 of Williams 2010.

use kuva::plot::LinePlot;
use kuva::plot::scatter::{MarkerShape, ScatterPlot};
use kuva::render::layout::TickFormat;
use kuva::render::plots::Plot;
use treegauge_dataset::aggregate::{Shapes, Split};
use treegauge_dataset::evaluate::{EvaluateReport, NetworkTarget, Protocol, published};
use treegauge_doc::{Block, Figure, Layout, Svg};
use treegauge_learn::scores::Confusion;

use crate::chart::{Charts, INK, PALE, SECOND, sized};
use crate::evaluate::split_words;
use crate::words::grouped;

/// A score of a classifier, with the title of its chart.
struct Measured {
    title: &'static str,
    of: fn(&Confusion) -> Option<f64>,
}

const MEASURED: [Measured; 5] = [
    Measured { title: "Accuracy", of: Confusion::accuracy },
    Measured { title: "Recall of playable games", of: |one| one.recall(1) },
    Measured { title: "Recall of unplayable games", of: |one| one.recall(0) },
    Measured { title: "Precision of playable games", of: |one| one.precision(1) },
    Measured { title: "Precision of unplayable games", of: |one| one.precision(0) },
];

/// Learners of Williams 2010, each with its colour.
const LEARNERS: [(&str, &str); 3] = [("tree", INK), ("svm", SECOND), ("network", "#5b8c5a")];

/// Charts of the learners of Williams 2010, over all strengths of the report; `None` if there are
/// no published results to compare with.
pub(crate) fn strengths(report: &EvaluateReport, charts: &mut Charts) -> Option<Block> {
    const NOTE: &str = "One game held out. Filled dots are results of this report; squares on dashed lines are those that Williams 2010 published for the same strengths; the grey line is the naive classifier, which guesses by the share of playable games.";
    let mut blocks = vec![Block::heading(2, "Strengths compared"), Block::note(NOTE)];
    for split in [Split::None, Split::Player] {
        let of = OfSplit { report, split };
        if !of.any() {
            continue;
        }
        blocks.push(Block::heading(3, split_words(split, Shapes::Trees)));
        let figures = MEASURED.iter().map(|measured| {
            let figure = Figure {
                picture: of.chart(measured, charts),
                caption: format!("{}.", measured.title).into(),
                is_on_paper: true,
                ..Figure::default()
            };
            figure.into()
        });
        blocks.push(Block::Group(Layout::Charts, figures.collect()));
    }
    (blocks.len() > 2).then_some(Block::PagesOnly(blocks))
}

struct OfSplit<'a> {
    report: &'a EvaluateReport,
    split: Split,
}

/// Result of a learner with one game held out.
struct Held {
    iterations: u32,
    confusion: Confusion,
    published: Option<Confusion>,
}

impl OfSplit<'_> {
    /// Tests whether one of the results has a published counterpart.
    fn any(&self) -> bool {
        LEARNERS
            .iter()
            .any(|(learner, _)| self.of(learner).iter().any(|one| one.published.is_some()))
    }

    /// Results of a learner; of networks those of the best shape.
    fn of(&self, learner: &str) -> Vec<Held> {
        let is_own = |split: Split, shapes: Shapes, protocol: Protocol| {
            (split, shapes, protocol) == (self.split, Shapes::Trees, Protocol::LeaveOneOut)
        };
        let results =
            self.report.results.iter().filter(|one| {
                is_own(one.split, one.shapes, one.protocol) && one.learner == learner
            });
        let results = results.map(|one| Held {
            iterations: one.iterations,
            confusion: one.confusion,
            published: one.published.as_ref().map(|published| published.confusion),
        });
        let networks = self.report.networks.iter().filter(|one| {
            learner == "network"
                && is_own(one.split, one.shapes, one.protocol)
                && one.target == NetworkTarget::Playable
        });
        let networks = networks.filter_map(|one| {
            Some(Held {
                iterations: one.iterations,
                confusion: one.confusion()?,
                published: published(learner, one.iterations, one.split).map(|one| one.confusion),
            })
        });
        results.chain(networks).collect()
    }

    fn chart(&self, measured: &Measured, charts: &mut Charts) -> Svg {
        let mut plots = Vec::new();
        let naive = |one: &Held| {
            let [zeros, ones] = one.confusion.counts.map(|row| row.iter().sum::<f64>());
            Confusion::naive(zeros, ones, ones / (zeros + ones))
        };
        let naive = points(&self.of("tree"), measured, |one| Some(naive(one)));
        plots.extend(series(naive, PALE, "naive", MarkerShape::Circle, 1.5, |line| line));
        for (learner, colour) in LEARNERS {
            let results = self.of(learner);
            let published = points(&results, measured, |one| one.published);
            let name = format!("{learner}, published");
            let marker = MarkerShape::Square;
            plots.extend(series(published, colour, &name, marker, 3.5, LinePlot::with_dashed));
            let ours = points(&results, measured, |one| Some(one.confusion));
            plots.extend(series(ours, colour, learner, MarkerShape::Circle, 4.5, |line| line));
        }
        // Wider limits keep the dots at the edges whole.
        let strengths = || self.report.results.iter().map(|one| f64::from(one.iterations));
        let layout = sized(&plots, 430.0, 340.0)
            .with_log_x()
            .with_x_axis_min(strengths().fold(f64::INFINITY, f64::min) / 1.3)
            .with_x_axis_max(strengths().fold(1.0, f64::max) * 1.3)
            .with_x_tick_format(TickFormat::Integer)
            .with_x_label("iterations per move")
            .with_y_axis_min(0.0)
            .with_y_axis_max(1.0);
        charts.render(plots, layout)
    }
}

/// Points of a curve by increasing iterations: the iterations and the score, if defined.
fn points(
    results: &[Held],
    measured: &Measured,
    confusion: impl Fn(&Held) -> Option<Confusion>,
) -> Vec<(f64, f64)> {
    let point = |one: &Held| Some((f64::from(one.iterations), (measured.of)(&confusion(one)?)?));
    let mut points: Vec<(f64, f64)> = results.iter().filter_map(point).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    points
}

fn series(
    points: Vec<(f64, f64)>,
    colour: &str,
    name: &str,
    marker: MarkerShape,
    size: f64,
    style: fn(LinePlot) -> LinePlot,
) -> Vec<Plot> {
    if points.is_empty() {
        return Vec::new();
    }
    let tips = points.iter().map(|&(iterations, share)| {
        format!("{name}, {} iterations: {:.0}%", grouped(iterations as u32), 100.0 * share)
    });
    let dots = ScatterPlot::new()
        .with_tooltip_labels(tips.collect::<Vec<_>>())
        .with_tooltips()
        .with_data(points.clone())
        .with_color(colour)
        .with_marker(marker)
        .with_size(size)
        .with_legend(name);
    let line = LinePlot::new().with_data(points).with_color(colour).with_stroke_width(1.5);
    vec![Plot::Line(style(line)), Plot::Scatter(dots)]
}
