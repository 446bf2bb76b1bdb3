//! Report of a comparison of games.

use treegauge_doc::{Block, Cell, Column, Doc, Figure, Layout, Table, Tone, Words, Wrap};
use treegauge_gauge::{
    CompareReport, Gauge, GaugeReport, MEASURES, Measure, MeasureDifference, Unit,
};

use crate::boards::{Boards, Document};
use crate::estimates::{bounded_words, chance_words, estimate_words};
use crate::gauge::charts_by_strength;
use crate::pictures;
use crate::search::variant_words;
use crate::words::{counted, per_move};

impl Document for CompareReport {
    fn doc(&self, _: &dyn Boards) -> Doc {
        let names: Vec<&str> = self.games.iter().map(|game| &game.game[..]).collect();
        let mut doc = Doc::new(format!("comparison of {}", names.join(" | ")));
        doc.push(Block::Pages(vec![Block::heading(1, names.join(" | "))]));
        if self.incomplete() {
            doc.push(Block::warning("INCOMPLETE: the run was stopped before all games were over."));
        }
        let sentences = || self.sentences.iter().map(|sentence| Words::from(sentence.as_str()));
        doc.push(Block::Terminal(vec![Block::notes(sentences())]));
        doc.push(Block::Verdict {
            tone: Tone::Good,
            headline: "What the changes do".into(),
            lead: Words::default(),
            points: sentences().collect(),
        });
        doc.push(Block::note(how_compared(self)));
        doc.push(verdicts(&self.games));
        doc.push(Block::Pages(charts(&self.games)));
        doc.push(Block::Pages(vec![Block::heading(2, "Measures")]));
        let columns = std::iter::once("measure").chain(names.iter().copied()).map(Column::left);
        let mut measures = Table::new("measures", columns).wrapped(Wrap::Cards);
        MEASURES.iter().for_each(|measure| measures.push(measure_row(measure, &self.games)));
        doc.push(measures);
        doc.push(Block::Pages(vec![Block::heading(2, "Differences from the first game")]));
        let titles = ["difference from the first game", "of", "value (95% interval)", ""];
        let mut differences =
            Table::new("differences", titles.map(Column::left)).wrapped(Wrap::Cards);
        self.differences.iter().filter_map(difference_row).for_each(|row| differences.push(row));
        doc.push(differences);
        doc
    }

    fn picture(&self, boards: &dyn Boards) -> Option<Figure> {
        pictures::compare::picture(self, boards)
    }
}

/// Flaws and exact value of each game.
fn verdicts(games: &[GaugeReport]) -> Table {
    let titles = ["game", "flaws", "open", "with best play"];
    let mut table = Table::new("verdicts", titles.map(Column::left)).wrapped(Wrap::Cards);
    games.iter().for_each(|game| table.push(verdict_row(game)));
    table
}

/// Verdict and charts of each game.
fn charts(games: &[GaugeReport]) -> Vec<Block> {
    let gauges: Vec<&Gauge> = games.iter().map(|game| &game.gauge).collect();
    let mut blocks = Vec::new();
    for (game, charts) in games.iter().zip(charts_by_strength(&gauges)) {
        let name = match game.title {
            Some(_) => format!("{} ({})", game.shown_name(), game.game),
            None => game.game.clone(),
        };
        let figures = charts.into_iter().map(|picture| {
            let figure = Figure { picture, ..Figure::default() };
            figure.into()
        });
        blocks.extend([
            Block::heading(3, name),
            Block::note(game.gauge.verdict.sentence.as_str()),
            Block::Group(Layout::SmallCharts, figures.collect()),
        ]);
    }
    blocks
}

/// Method of the comparison, in a sentence or two.
fn how_compared(report: &CompareReport) -> String {
    let gauge = &report.games[0].gauge;
    format!(
        "Measures are those of {} of a UCT player against itself at {}, seed {}{}, in each variant. A difference is real if it stands out among all {} that are compared (Holm's correction, 95%).",
        counted(gauge.games_planned, "game"),
        per_move(gauge.iterations),
        gauge.seed,
        variant_words(gauge.expansion, gauge.variant),
        report.differences.iter().filter(|difference| difference.difference.mean.is_some()).count()
    )
}

fn verdict_row(report: &GaugeReport) -> [String; 4] {
    use treegauge_gauge::FlagState;
    let of = |states: &[FlagState]| {
        let judged = report.gauge.verdict.flags.iter();
        let words: Vec<&str> = judged
            .filter(|judged| states.contains(&judged.state))
            .map(|judged| judged.words())
            .collect();
        if words.is_empty() { "-".to_owned() } else { words.join(", ") }
    };
    [
        report.game.clone(),
        of(&[FlagState::Yes]),
        of(&[FlagState::CannotTell, FlagState::DependsOnStrength]),
        report.gauge.solved.as_ref().map_or("not solved".to_owned(), |exact| {
            exact.words().trim_start_matches("with best play ").to_owned()
        }),
    ]
}

fn measure_row(measure: &Measure, games: &[GaugeReport]) -> Vec<Cell> {
    let estimates = games.iter().map(|report| {
        let estimate = report.gauge.measured(measure.name);
        Cell::number(estimate_words(&estimate, measure.unit), estimate.mean)
    });
    std::iter::once(Cell::from(measure.title)).chain(estimates).collect()
}

/// Row of a difference; `None` if one of the games does not have the measure.
fn difference_row(difference: &MeasureDifference) -> Option<[String; 4]> {
    let measure = Measure::named(&difference.measure)?;
    difference.difference.mean?;
    let real = chance_words(difference.real, &difference.difference);
    Some([
        measure.title.to_owned(),
        difference.b.clone(),
        difference_words(difference, measure.unit),
        real.to_owned(),
    ])
}

fn difference_words(difference: &MeasureDifference, unit: Unit) -> String {
    let estimate = difference.difference;
    match unit {
        Unit::Share => {
            let percent = |x: Option<f64>| x.map(|x| 100.0 * x);
            let mut points = estimate;
            (points.mean, points.low, points.high) =
                (percent(estimate.mean), percent(estimate.low), percent(estimate.high));
            format!("{} points of 100", bounded_words(&points, 0))
        }
        Unit::Plies(digits) => format!("{} plies", bounded_words(&estimate, digits)),
        Unit::Number(digits) => bounded_words(&estimate, digits),
        Unit::Elo => bounded_words(&estimate, 0),
    }
}
