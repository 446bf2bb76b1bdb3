//! Report of how often searches find the correct move in corridors.

use std::fmt::Write;

use kuva::plot::{LinePlot, ScatterPlot};
use kuva::render::plots::Plot;
use treegauge_doc::{Block, Cell, Column, Doc, Figure, Layout, Svg, Table, Words, Wrap};
use treegauge_gauge::corridor::{CorridorPoint, CorridorReport};
use treegauge_search::{Expansion, UctVariant};
use treegauge_stats::Estimate;

use crate::boards::{Boards, Document};
use crate::chart::{Charts, sized};
use crate::lead::untitled_verdict;
use crate::search::variant_words;
use crate::words::{command, count_cell, counted, counted_grouped};

impl Document for CorridorReport {
    fn doc(&self, _: &dyn Boards) -> Doc {
        let mut charts = Charts::default();
        let mut doc = Doc::new("corridors of boxes");
        doc.push(Block::PagesOnly(vec![Block::heading(1, "Corridors of boxes")]));
        if self.incomplete {
            let words = "INCOMPLETE: the run was stopped before all searches were made.";
            doc.push(Block::warning(words));
        }
        let lead = lead(self);
        doc.extend(untitled_verdict(&lead));
        doc.push(variants_table(self));
        let mut lengths = Vec::new();
        for (name, points) in by_variant(self) {
            let title = format!("{name}: correct first move; all boxes");
            lengths.extend([Block::heading(2, title), lengths_table(self, &points).into()]);
            let figures = figures(&name, &points, &mut charts).into_iter().map(|picture| {
                let figure = Figure { picture, is_on_paper: true, ..Figure::default() };
                figure.into()
            });
            doc.push(Block::Group(Layout::Charts, figures.collect()));
        }
        doc.push(Block::fold("Results for each length", lengths));
        doc.push(Block::fold("Reasons and method", vec![Block::text(intro(self))]));
        doc.next = next(self).map(Words::from).unwrap_or_default();
        doc
    }

    fn picture(&self, _: &dyn Boards) -> Option<Figure> {
        let picture = Svg::new(corridor_svg(self));
        (!picture.is_empty()).then(|| Figure { picture, alt: intro(self), ..Figure::default() })
    }
}

/// The greatest length and the greatest number of iterations.
fn hardest(report: &CorridorReport) -> Option<(u32, u32)> {
    let length = report.points.iter().map(|point| point.length).max()?;
    let iterations = report.points.iter().map(|point| point.iterations).max()?;
    Some((length, iterations))
}

/// The first variant in the longest corridor with the most iterations, and the best of the others.
fn first_and_best(report: &CorridorReport) -> Option<(&CorridorPoint, Option<&CorridorPoint>)> {
    let (length, iterations) = hardest(report)?;
    let mut at = report.points.iter().filter(|point| {
        (point.length, point.iterations) == (length, iterations) && point.first_move.mean.is_some()
    });
    let first = at.next()?;
    Some((first, at.max_by(|a, b| mean(a).total_cmp(&mean(b)))))
}

fn mean(point: &CorridorPoint) -> f64 {
    point.first_move.mean.unwrap_or(0.0)
}

/// The result in the longest corridor for the first variant and for the best one.
fn lead(report: &CorridorReport) -> String {
    const CORRIDOR: &str =
        "In a corridor of boxes only one first move is correct: taking the first box.";
    let Some((first, best)) = first_and_best(report) else { return CORRIDOR.to_owned() };
    let name = name_of(first.variant());
    let found = format!(
        "{CORRIDOR} With {} and {}, `{name}` finds it in {} of {}",
        counted(first.length, "box"),
        counted_grouped(first.iterations, "iteration"),
        percent(&first.first_move),
        counted_grouped(first.searches, "search"),
    );
    match best {
        Some(best) if mean(best) > mean(first) && !is_apart(first, best) => {
            format!("{found}; no variant finds it clearly more often.")
        }
        Some(best) if mean(best) > mean(first) => format!(
            "{found}; `{}` finds it most often, in {}.",
            name_of(best.variant()),
            percent(&best.first_move)
        ),
        Some(_) => format!("{found}; no other variant finds it more often."),
        None => format!("{found}."),
    }
}

/// Tests whether the interval of the better variant lies above that of the first.
fn is_apart(first: &CorridorPoint, best: &CorridorPoint) -> bool {
    first.first_move.high.zip(best.first_move.low).is_some_and(|(high, low)| low > high)
}

/// A match between the best variant and the first, which asks whether the best wins games too.
fn next(report: &CorridorReport) -> Option<String> {
    let (first, best) = first_and_best(report)?;
    let best = best.filter(|best| is_apart(first, best) && !report.incomplete)?;
    let player = |point: &CorridorPoint| {
        let variant = variant_words(Expansion::Order, point.variant());
        format!("uct(iterations=1000{})", variant.replace(' ', ""))
    };
    let arguments = ["dots_and_boxes", &player(best), &player(first)];
    Some(format!("{} tests whether it wins whole games too.", command("match", &arguments)))
}

/// Table with a row per variant, for the longest corridor.
fn variants_table(report: &CorridorReport) -> Table {
    let all: Vec<&CorridorPoint> = report.points.iter().collect();
    let strengths = strengths(&all);
    let length = hardest(report).map_or(0, |(length, _)| length);
    let titles = strengths.iter().map(|&one| counted_grouped(one, "iteration"));
    let name = format!("correct move with {}", counted(length, "box"));
    let columns = [Column::left(name)].into_iter().chain(titles.map(Column::interval));
    let mut table = Table::new("variants", columns).wrapped(Wrap::Cards);
    for (name, points) in by_variant(report) {
        let cells = strengths.iter().map(|&iterations| {
            let is =
                |point: &&&CorridorPoint| (point.length, point.iterations) == (length, iterations);
            points.iter().find(is).map_or_else(
                || Cell::number("", None),
                |point| Cell::number(percent(&point.first_move), point.first_move.mean),
            )
        });
        table.push([Cell::from(name)].into_iter().chain(cells));
    }
    table
}

/// Table with a row per length.
fn lengths_table(report: &CorridorReport, points: &[&CorridorPoint]) -> Table {
    let strengths = strengths(points);
    let titles = strengths.iter().map(|&iterations| counted(iterations, "iteration"));
    let columns = [Column::right("boxes")].into_iter().chain(titles.map(Column::right));
    let mut table = Table::new("lengths", columns).wrapped(Wrap::Scroll);
    for length in lengths(points) {
        let cells = strengths.iter().map(|&iterations| {
            let at =
                |point: &&&CorridorPoint| (point.length, point.iterations) == (length, iterations);
            let found = points.iter().find(at);
            Cell::from(found.map_or_else(String::new, |point| cell(point, report.incomplete)))
        });
        table.push([count_cell(u64::from(length))].into_iter().chain(cells));
    }
    table
}

fn intro(report: &CorridorReport) -> String {
    let searches = report.points.iter().map(|point| point.searches);
    let most = searches.clone().max().unwrap_or(0);
    let at_most = if searches.min() == Some(most) { "" } else { "at most " };
    let without = if report.points.iter().any(|point| point.full_capture.is_none()) {
        " The probability needs every length from 1; it is a dash if one was not searched."
    } else {
        ""
    };
    format!(
        "A corridor of boxes in Dots and Boxes: the player to move should take all boxes one by one, and any other move loses the remaining ones. Searches from each corridor: {at_most}{most}; seed {}, C_p {:.4}. The tables give the share of searches that choose the correct move, then the probability of taking all boxes, the product over this and all shorter corridors; 95% intervals (Williams 2010, figures 5.14 and 5.15).{without} A corridor has no symmetry, so merging up to symmetry is the same as merging equal positions.",
        report.seed, report.cp
    )
}

fn cell(point: &CorridorPoint, incomplete: bool) -> String {
    let full = point.full_capture.as_ref().map_or_else(|| "-".to_owned(), percent);
    let of = if incomplete { format!(", of {}", point.searches) } else { String::new() };
    format!("{}; {full}{of}", percent(&point.first_move))
}

fn percent(estimate: &Estimate) -> String {
    match (estimate.mean, estimate.low, estimate.high) {
        (Some(mean), Some(low), Some(high)) => {
            format!("{:.0}% ({:.0} to {:.0}%)", 100.0 * mean, 100.0 * low, 100.0 * high)
        }
        _ => "not searched".to_owned(),
    }
}

/// Points of each variant, with the variant's name.
fn by_variant(report: &CorridorReport) -> Vec<(String, Vec<&CorridorPoint>)> {
    let mut all: Vec<(String, Vec<&CorridorPoint>)> = Vec::new();
    for point in &report.points {
        let name = name_of(point.variant());
        match all.iter_mut().find(|(known, _)| *known == name) {
            Some((_, points)) => points.push(point),
            None => all.push((name, vec![point])),
        }
    }
    all
}

fn name_of(variant: UctVariant) -> String {
    let words = variant_words(Expansion::Order, variant);
    let words = words.trim_start_matches(", ");
    if words.is_empty() { "tree".to_owned() } else { words.to_owned() }
}

fn strengths(points: &[&CorridorPoint]) -> Vec<u32> {
    let mut all: Vec<u32> = points.iter().map(|point| point.iterations).collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn lengths(points: &[&CorridorPoint]) -> Vec<u32> {
    let mut all: Vec<u32> = points.iter().map(|point| point.length).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Points as comma-separated values.
#[must_use]
pub fn corridor_csv(report: &CorridorReport) -> String {
    let mut text = String::from(
        "length,iterations,merge,backup,counts,solver,searches,first_move,first_move_low,first_move_high,full_capture,full_capture_low,full_capture_high\n",
    );
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let parts =
        |estimate: &Estimate| [estimate.mean, estimate.low, estimate.high].map(number).join(",");
    // Names as in JSON, without quotes.
    let name = |value: Result<String, serde_json::Error>| {
        value.map(|text| text.trim_matches('"').to_owned()).unwrap_or_default()
    };
    for point in &report.points {
        let _ = writeln!(
            text,
            "{},{},{},{},{},{},{},{},{}",
            point.length,
            point.iterations,
            name(serde_json::to_string(&point.merge)),
            name(serde_json::to_string(&point.back_up)),
            name(serde_json::to_string(&point.counts)),
            point.solver,
            point.searches,
            parts(&point.first_move),
            point.full_capture.as_ref().map_or_else(|| ",,".to_owned(), parts)
        );
    }
    text
}

/// Distinguishable colours for the numbers of iterations, from the least.
const COLOURS: [&str; 6] = ["#9aa4b2", "#b4483a", "#2b4c7e", "#3a8f5c", "#8a6d1f", "#6b3fa0"];

const WIDTH: f64 = 520.0;
const HEIGHT: f64 = 300.0;

/// Charts of a variant, with intervals: the correct first move, and all boxes taken. A chart
/// without points is left out.
fn figures(name: &str, points: &[&CorridorPoint], charts: &mut Charts) -> Vec<Svg> {
    let longest = points.iter().map(|point| point.length).max().unwrap_or(0);
    let mut draw = |y_label: &str, of: &dyn Fn(&CorridorPoint) -> Option<Estimate>| {
        let mut plots = Vec::new();
        for (iterations, colour) in strengths(points).into_iter().zip(COLOURS.iter().cycle()) {
            let own = points.iter().filter(|point| point.iterations == iterations);
            let (places, reaches): (Vec<_>, Vec<_>) = own
                .filter_map(|point| {
                    let Estimate { mean, low, high, .. } = of(point)?;
                    let (mean, low, high) = (mean?, low?, high?);
                    Some(((f64::from(point.length), mean), (mean - low, high - mean)))
                })
                .unzip();
            if places.is_empty() {
                continue;
            }
            let line = LinePlot::new().with_data(places.iter().copied()).with_color(*colour);
            // A curve may have a single point.
            let dots = ScatterPlot::new().with_data(places).with_y_err_asymmetric(reaches);
            let dots = dots.with_color(*colour).with_size(2.5);
            plots.push(Plot::Line(line.with_stroke_width(1.5)));
            plots.push(Plot::Scatter(dots.with_legend(counted(iterations, "iteration"))));
        }
        if plots.is_empty() {
            return None;
        }
        let layout = sized(&plots, WIDTH, HEIGHT)
            .with_title(name)
            .with_x_label("boxes")
            .with_x_tick_step((f64::from(longest) / 12.0).ceil())
            .with_y_label(y_label)
            .with_y_axis_min(0.0)
            .with_y_axis_max(1.0);
        Some(charts.render(plots, layout))
    };
    let first = draw("correct first move", &|point| Some(point.first_move));
    let full = draw("all boxes taken", &|point| point.full_capture);
    first.into_iter().chain(full).collect()
}

/// Figures 5.14 and 5.15 beside each other, a row per variant. The second is left out if no
/// probability of taking all boxes is known.
#[must_use]
pub fn corridor_svg(report: &CorridorReport) -> String {
    let mut charts = Charts::default();
    let rows: Vec<Vec<Svg>> = by_variant(report)
        .iter()
        .map(|(name, points)| figures(name, points, &mut charts))
        .filter(|row| !row.is_empty())
        .collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(1);
    let (width, height) = (WIDTH * columns as f64, HEIGHT * rows.len().max(1) as f64);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    for (row, figures) in rows.into_iter().enumerate() {
        for (column, figure) in figures.into_iter().enumerate() {
            let (x, y) = (WIDTH * column as f64, HEIGHT * row as f64);
            text.push_str(&figure.as_str().replacen(
                "<svg",
                &format!("<svg x=\"{x}\" y=\"{y}\""),
                1,
            ));
            text.push('\n');
        }
    }
    text.push_str("</svg>\n");
    text
}
