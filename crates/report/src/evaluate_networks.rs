//! Networks of several shapes beside those of Williams 2010, in words and tables.

use treegauge_dataset::aggregate::{Shapes, Split};
use treegauge_dataset::evaluate::{
    EvaluateReport, NetworkResult, NetworkTarget, NetworksResult, Protocol, published,
};
use treegauge_doc::{Block, Cell, Column, Table, Wrap};
use treegauge_learn::Score;
use treegauge_learn::scores::Confusion;

use crate::evaluate::{percent, share};
use crate::words::{grouped, per_move};

/// Note above the tables.
const NOTE: &str = "Each network is trained ten times with other initial weights; scores and counts are means over the ten. \
                    The best of several shapes is chosen by the score that it shows, as in Williams 2010, so that score is \
                    too good. Chosen by the other games: each game is predicted by the shape that is best for the others. \
                    Counts are of the best shape with one game held out.";

/// Note about the ratings of Williams 2010.
const RATINGS_NOTE: &str = "Ratings: Williams 2010 reports a correlation of 0.28 for 17 games, a mean over ten networks. His table \
                            4.1 rounds the predictions; its column totals are 0, 0.2, 14.8, 2 and 0 games with ratings from 1 \
                            to 5, so nearly all are predicted to have a 3.";

/// Blocks about the networks; none if none were trained.
pub(crate) fn networks(report: &EvaluateReport) -> Option<Block> {
    if report.networks.is_empty() {
        return None;
    }
    let mut blocks = vec![Block::note(NOTE), summary(report).into()];
    let counts = [playable_table(report), ratings_table(report)];
    blocks.extend(counts.into_iter().flatten().map(Block::from));
    if report.networks.iter().any(|one| one.target == NetworkTarget::Quality) {
        blocks.push(Block::note(RATINGS_NOTE));
    }
    Some(Block::fold("Networks", blocks))
}

/// Attributes of a result, in words.
fn attributes(one: &NetworksResult) -> String {
    let split = match one.split {
        Split::None => "",
        Split::Player => ", by player",
    };
    let shapes = match one.shapes {
        Shapes::Trees => "",
        Shapes::Webs => ", webs",
        Shapes::Both => ", trees and webs",
    };
    format!("{}{split}{shapes}", per_move(one.iterations))
}

/// Shape of networks, in words.
fn shape(network: &NetworkResult) -> String {
    let units: Vec<String> = network.hidden.iter().map(usize::to_string).collect();
    format!("{} units, {} steps", units.join(" and "), grouped(network.epochs as u64))
}

/// Table with a row per dataset, target and protocol.
fn summary(report: &EvaluateReport) -> Table {
    let left = ["attributes", "predicted", "held out", "best shape"].map(Column::left);
    let right = ["its score", "chosen by the other games", "published"].map(Column::interval);
    let columns = left.into_iter().chain(right);
    let mut table = Table::new("networks", columns).wrapped(Wrap::Cards);
    for one in &report.networks {
        let Some(best) = one.best() else { continue };
        let words = |score: Option<Score>| match one.target {
            NetworkTarget::Playable => percent(score),
            NetworkTarget::Quality => share(score),
        };
        let number =
            |score: Option<Score>| Cell::number(words(score), score.map(|score| score.mean));
        let is_published = one.protocol == Protocol::LeaveOneOut && one.shapes == Shapes::Trees;
        let published = published("network", one.iterations, one.split)
            .filter(|_| is_published && one.target == NetworkTarget::Playable);
        let published = published.map(|one| format!("{:.0}%", 100.0 * one.accuracy));
        let target = match one.target {
            NetworkTarget::Playable => "playability, share right",
            NetworkTarget::Quality => "rating, correlation",
        };
        let held_out = match one.protocol {
            Protocol::LeaveOneOut => "a game",
            Protocol::Grouped | Protocol::Nested => "its group",
        };
        table.push([
            Cell::from(attributes(one)),
            Cell::from(target),
            Cell::from(held_out),
            Cell::from(shape(best)),
            number(best.agreement),
            number(one.chosen),
            Cell::from(published.unwrap_or_default()),
        ]);
    }
    table
}

/// Results of a target with one game held out.
fn held_out(report: &EvaluateReport, target: NetworkTarget) -> Vec<&NetworksResult> {
    let is_own =
        |one: &&NetworksResult| one.target == target && one.protocol == Protocol::LeaveOneOut;
    report.networks.iter().filter(is_own).collect()
}

/// A mean number of games.
fn games(count: f64) -> Cell {
    Cell::number(format!("{count:.1}"), Some(count))
}

/// Counts of predicted playability beside the published ones (Williams 2010, tables C.3 and C.6).
fn playable_table(report: &EvaluateReport) -> Option<Table> {
    let columns = [
        "predicted unplayable",
        "predicted playable",
        "published unplayable",
        "published playable",
    ];
    let columns = columns.map(Column::right);
    let columns = ["attributes", "games"].map(Column::left).into_iter().chain(columns);
    let mut table = Table::new("network_classes", columns).wrapped(Wrap::Cards);
    for one in held_out(report, NetworkTarget::Playable) {
        let published =
            published("network", one.iterations, one.split).filter(|_| one.shapes == Shapes::Trees);
        let Some(Confusion { counts }) = one.confusion() else { continue };
        for (class, name) in ["unplayable", "playable"].into_iter().enumerate() {
            let counts = counts[class];
            let printed = |predicted: usize| {
                published.map_or_else(
                    || Cell::from(""),
                    |one| games(one.confusion.counts[class][predicted]),
                )
            };
            table.push([
                Cell::from(attributes(one)),
                Cell::from(name),
                games(counts[0]),
                games(counts[1]),
                printed(0),
                printed(1),
            ]);
        }
    }
    (!table.rows.is_empty()).then_some(table)
}

/// Number of ratings.
const RATINGS: usize = 5;

/// Counts of predicted ratings (Williams 2010, table 4.1).
fn ratings_table(report: &EvaluateReport) -> Option<Table> {
    let columns = ["predicted 1", "2", "3", "4", "5"].map(Column::right);
    let columns = ["attributes", "rated"].map(Column::left).into_iter().chain(columns);
    let mut table = Table::new("network_ratings", columns).wrapped(Wrap::Cards);
    for one in held_out(report, NetworkTarget::Quality) {
        let Some(best) = one.best() else { continue };
        let count = |rated: usize, predicted: usize| {
            best.counts.get(rated).and_then(|row| row.get(predicted)).copied().unwrap_or(0.0)
        };
        for rated in 0..RATINGS {
            let cells = [Cell::from(attributes(one)), Cell::from((rated + 1).to_string())];
            let counts = (0..RATINGS).map(|predicted| games(count(rated, predicted)));
            table.push(cells.into_iter().chain(counts));
        }
        let total = |predicted| (0..RATINGS).map(|rated| count(rated, predicted)).sum::<f64>();
        let cells = [Cell::from(attributes(one)), Cell::from("all")];
        table.push(cells.into_iter().chain((0..RATINGS).map(total).map(games)));
    }
    (!table.rows.is_empty()).then_some(table)
}
