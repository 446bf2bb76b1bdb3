//! Pictures of evaluations: the scores of learners beside a constant answer.

use treegauge_dataset::evaluate::{EvaluateReport, Protocol, RatingProtocol};
use treegauge_difficulty::DifficultyEvaluation;
use treegauge_doc::{Figure, Svg};
use treegauge_learn::Score;

use super::card::{BLUE, Card, GREY};
use super::parts::{Intervals, Row, Scale, bounded};
use crate::boards::Boards;
use crate::difficulty::set_words;
use crate::evaluate::{OfDataset, main_dataset, percent, share};
use crate::evaluate_doc::title;
use crate::words::counted_grouped;

pub(crate) fn picture(report: &EvaluateReport, _: &dyn Boards) -> Option<Figure> {
    let mut card = Card::new(title(report), &Svg::default());
    let shown = main_dataset(report);
    if let Some(one) = &shown {
        let answer = one.verdict();
        card.verdict(answer.tone, &answer.words(), &format!("{}.", one.title()));
        card.space(8.0);
        card.intervals(&accuracies(one));
    }
    let ratings = ratings(report);
    if !ratings.rows.is_empty() {
        card.heading("Ratings by people");
        card.intervals(&ratings);
    } else if shown.is_none() {
        return None;
    }
    card.finish("")
}

/// Accuracies of the learners, each on games that it has not seen.
fn accuracies<'a>(one: &OfDataset<'_>) -> Intervals<'a> {
    let constant = one.results(Protocol::LeaveOneOut).find(|result| result.learner == "constant");
    let line = constant.and_then(|result| result.confusion.accuracy());
    let mut rows: Vec<(f64, Row)> = one
        .results(Protocol::LeaveOneOut)
        .filter_map(|result| {
            let score @ Score { mean, low, high } = one.shown_score(result.accuracy)?;
            let estimate = bounded(mean, low, high);
            let colour = if result.learner == "constant" { GREY } else { BLUE };
            let (name, words) = (result.learner.clone(), percent(Some(score)));
            Some((mean, Row { name, words, estimate, colour }))
        })
        .collect();
    rows.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    Intervals {
        rows: rows.into_iter().map(|(_, row)| row).collect(),
        scale: Scale::shares(),
        line,
        unit: "games predicted right, each left out in turn; dashed: a constant answer",
        thing: "learner",
    }
}

/// Shares of the differences between ratings that are predicted.
fn ratings<'a>(report: &EvaluateReport) -> Intervals<'a> {
    let nested = report.ratings.iter().filter(|one| one.protocol == RatingProtocol::Nested);
    let rows = nested.filter_map(|result| {
        let score @ Score { mean, low, high } = result.r_squared?;
        let estimate = bounded(mean, low, high);
        let name =
            format!("{}, {}", result.question.name(), counted_grouped(result.games as u64, "game"));
        Some(Row { name, words: share(Some(score)), estimate, colour: BLUE })
    });
    Intervals {
        rows: rows.collect(),
        scale: Scale::shares(),
        line: None,
        unit: "R2, the share of the differences between games that is predicted",
        thing: "question",
    }
}

pub(crate) fn difficulty(report: &DifficultyEvaluation, _: &dyn Boards) -> Option<Figure> {
    let mut card = Card::new("How well is difficulty predicted?", &Svg::default());
    let problems = counted_grouped(report.problems as u64, "rated problem");
    card.note(&format!("{problems} of {}.", counted_grouped(report.games as u64, "game")));
    let rows = report.rating_scores.iter().map(|one| {
        let score @ Score { mean, low, high } = one.rank_correlation;
        let name = format!("{}: {}", set_words(one.attributes), one.learner);
        Row { name, words: share(Some(score)), estimate: bounded(mean, low, high), colour: BLUE }
    });
    let chart = Intervals {
        rows: rows.collect(),
        scale: Scale::numbered([0.0, 0.25, 0.5, 0.75, 1.0]),
        line: None,
        unit: "rank correlation with the ratings of people, 95% interval",
        thing: "learner",
    };
    if chart.rows.is_empty() {
        return None;
    }
    card.intervals(&chart);
    card.finish(&format!("seed {}", report.seed))
}
