//! Map of the archive: the best game of each occupied cell.

use maud::html as markup;
use treegauge_doc::{Block, Cell, Column, Figure, Svg, Table, Wrap};
use treegauge_generate::{Axis, GenerateReport, MapCell};

use super::super::axis_title;
use crate::words::counted;

/// Map and table of the cells; `None` if no cell is occupied.
pub(super) fn block(report: &GenerateReport) -> Option<Block> {
    let titles = [axis_title(&report.axes[0]), axis_title(&report.axes[1])];
    let picture = picture(report);
    let figure = Figure {
        name: "map",
        picture,
        alt: format!("the best games by {} and {}", titles[0], titles[1]),
        is_wide: true,
        ..Figure::default()
    };
    let columns = ["game", &titles[0], &titles[1]].map(Column::left);
    let columns = columns.into_iter().chain([Column::right("points")]);
    let mut table = Table::new("map", columns).wrapped(Wrap::Scroll);
    for one in &report.map {
        let range = |n: usize| {
            let [from, _] = one.ranges[n];
            Cell::number(range_words(report, one, n), Some(from))
        };
        let points = Cell::number(format!("{:.1}", one.fitness), Some(one.fitness));
        table.push([Cell::from(one.game.to_string()), range(0), range(1), points]);
    }
    let note = format!(
        "The archive keeps the best game of each of {}; the stronger its colour, the more points it has.",
        counted(report.map.len() as u64, "cell")
    );
    let fold = Block::Fold {
        summary: "Cells as a table".into(),
        is_line: true,
        blocks: vec![table.into()],
    };
    (!report.map.is_empty()).then(|| {
        let heading = Block::heading(2, "Map of the games");
        Block::PagesOnly(vec![heading, Block::note(note), figure.into(), fold])
    })
}

/// Range of values of a cell along an axis, in words.
fn range_words(report: &GenerateReport, one: &MapCell, axis: usize) -> String {
    let is_share = Axis::named(&report.axes[axis]).is_some_and(|axis| axis.is_share());
    let [from, to] = one.ranges[axis];
    if is_share {
        format!("{:.0} to {:.0}%", 100.0 * from, 100.0 * to)
    } else if to - from < 0.1 {
        format!("{from:.2} to {to:.2}")
    } else if to < 10.0 {
        format!("{from:.1} to {to:.1}")
    } else {
        format!("{from:.0} to {to:.0}")
    }
}

/// Greatest number of columns and of rows that are drawn.
const DRAWN_MAX: i32 = 60;

/// Squares of the cells: the first measure to the right, the second upwards.
fn picture(report: &GenerateReport) -> Svg {
    const LEFT: f64 = 92.0;
    const SIDE: f64 = 40.0;
    let bounds = |axis: usize| {
        let places = report.map.iter().map(|one| one.cell[axis]);
        (places.clone().min().unwrap_or(0), places.max().unwrap_or(0))
    };
    let ((left, right), (bottom, top)) = (bounds(0), bounds(1));
    if right.saturating_sub(left) >= DRAWN_MAX || top.saturating_sub(bottom) >= DRAWN_MAX {
        return Svg::default();
    }
    let points = report.map.iter().map(|one| one.fitness);
    let least = points.clone().fold(f64::INFINITY, f64::min);
    let most = points.fold(f64::NEG_INFINITY, f64::max);
    let opacity = |fitness: f64| match most - least {
        span if span > 0.0 => 0.3 + 0.7 * (fitness - least) / span,
        _ => 1.0,
    };
    let (columns, rows) = (f64::from(right - left + 1), f64::from(top - bottom + 1));
    let (width, height) = ((LEFT + SIDE * columns + 8.0).max(260.0), SIDE * rows + 44.0);
    let x = |place: i32| LEFT + SIDE * f64::from(place - left);
    let y = |place: i32| 6.0 + SIDE * f64::from(top - place);
    let base = y(bottom) + SIDE;
    // Labels of an axis: each place with a game, once.
    let labels = |axis: usize| {
        let mut seen: Vec<&MapCell> = Vec::new();
        for one in &report.map {
            if !seen.iter().any(|other| other.cell[axis] == one.cell[axis]) {
                seen.push(one);
            }
        }
        seen
    };
    let bound = |one: &MapCell, axis: usize| {
        let words = range_words(report, one, axis);
        words.split(' ').next().unwrap_or_default().to_owned()
    };
    let titles = [axis_title(&report.axes[0]), axis_title(&report.axes[1])];
    let drawn = markup! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {width} {height}")) width=(width) height=(height) font-family="system-ui, sans-serif" font-size="12" {
            @for one in &report.map {
                @let words = format!("game {}: {} {}, {} {}, {:.1} points", one.game, titles[0], range_words(report, one, 0), titles[1], range_words(report, one, 1), one.fitness);
                rect x=(x(one.cell[0]) + 1.0) y=(y(one.cell[1]) + 1.0) width=(SIDE - 2.0) height=(SIDE - 2.0) fill="var(--bar)" opacity=(format!("{:.2}", opacity(one.fitness))) { title { (words) } }
            }
            line x1=(LEFT) x2=(x(right) + SIDE) y1=(base + 1.0) y2=(base + 1.0) stroke="var(--soft)" {}
            line x1=(LEFT - 1.0) x2=(LEFT - 1.0) y1="6" y2=(base + 1.0) stroke="var(--soft)" {}
            @for one in labels(0) {
                text x=(x(one.cell[0])) y=(base + 15.0) text-anchor="middle" fill="currentColor" { (bound(one, 0)) }
            }
            @for one in labels(1) {
                text x=(LEFT - 6.0) y=(y(one.cell[1]) + SIDE) text-anchor="end" fill="currentColor" { (bound(one, 1)) }
            }
            text x=(width - 4.0) y=(base + 32.0) text-anchor="end" fill="var(--soft)" { (titles[0]) " from" }
            text x="2" y="18" fill="var(--soft)" { (titles[1]) }
        }
    };
    Svg::new(drawn.into_string())
}

#[cfg(test)]
mod tests {
    use treegauge_generate::Origin;

    use super::*;

    #[test]
    fn a_cell_far_away_is_only_listed() {
        let cell = |x, y, n| MapCell {
            cell: [x, y],
            ranges: [[20.0, 30.0], [1.5, 2.25]],
            game: Origin::Made(n),
            fitness: f64::from(n),
        };
        let fields = serde_json::json!({
            "schema": 1, "kind": "generation", "seed": 1, "candidates": 2, "generation": 2, "parts": 1,
            "axes": ["plies", "branching"], "cells": 0, "model": null, "glance": [1, 1],
            "budgets": treegauge_generate::Budgets::default(), "starts": [], "gates": [],
            "kept": treegauge_stats::Estimate::UNRATED, "controls": [], "best": [],
        });
        let mut report: GenerateReport = serde_json::from_value(fields).unwrap();
        assert!(block(&report).is_none(), "no cell is occupied");
        report.map = vec![cell(7, 1, 3), cell(9, 1, 4)];
        let drawn = picture(&report).as_str().to_owned();
        assert_eq!(drawn.matches("<rect").count(), 2);
        assert!(
            drawn.contains("game 3: length 20 to 30, branching 1.5 to 2.2, 3.0 points"),
            "{drawn}"
        );
        report.map.push(cell(900, 1, 5));
        assert!(picture(&report).is_empty() && block(&report).is_some());
    }
}
