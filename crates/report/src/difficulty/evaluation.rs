//! Report of how well attributes predict people's ratings of problems.

use kuva::plot::LinePlot;
use kuva::render::plots::Plot;
use treegauge_difficulty::{
    DifficultyEvaluation, ExtremeScores, ProblemAttributes, RatingModelReport,
};
use treegauge_doc::{Block, Cell, Column, Doc, Figure, Layout, Svg, Table, Wrap};
use treegauge_learn::Score;

use super::model_words;
use crate::boards::{Boards, Document};
use crate::chart::{Charts, INK, PALE, SECOND, sized};
use crate::lead::untitled_verdict;
use crate::pictures;
use crate::words::{command, count_cell, counted, grouped};

/// Notes on published work that readers may compare the numbers with.
const PUBLISHED: [&str; 2] = [
    "Stoiljkovikj, Bratko and Guid report on 900 problems of another site, rated by its users. The published copy \
     lacks the chapter of results, so their figures cannot be compared with these.",
    "Every problem of the Lichess database has one winning move, so Meaningful(1) says little here.",
];

impl Document for DifficultyEvaluation {
    fn doc(&self, _: &dyn Boards) -> Doc {
        let mut charts = Charts::default();
        let mut doc = Doc::new("the difficulty of problems");
        let title = "How well the difficulty of problems is predicted";
        doc.push(Block::PagesOnly(vec![Block::heading(1, title)]));
        let lead = lead(self);
        doc.extend(untitled_verdict(&lead));
        let [extremes, classes, ratings] = tables(self);
        doc.push(Block::heading(2, ratings.0)).push(ratings.1);
        doc.push(Block::Group(Layout::Charts, figures(self, &mut charts)));
        let mut reasons = vec![Block::text(head(self))];
        for (title, table) in [extremes, classes] {
            if !table.rows.is_empty() {
                reasons.extend([Block::heading(2, title), table.into()]);
            }
        }
        reasons.extend([Block::heading(2, "Predicted and given ratings"), bands(self).into()]);
        reasons.push(Block::notes(footnotes(self)));
        doc.push(Block::fold("Reasons and method", reasons));
        let train = command("train", &["FILE", "-o", "model.json"]);
        doc.next(format!("{train} makes a model of these ratings."));
        doc
    }

    fn picture(&self, boards: &dyn Boards) -> Option<Figure> {
        pictures::evaluate::difficulty(self, boards)
    }
}

/// Precision of the predicted ratings, in two sentences.
fn lead(report: &DifficultyEvaluation) -> String {
    let best = report.rating_scores.last().map_or_else(String::new, |one| {
        format!(
            "Predicted ratings are off by {} points on average, for {} held-out problems. ",
            points(one.mean_absolute_error),
            grouped(report.problems as u64)
        )
    });
    format!("{best}{}", intervals_words(report))
}

impl Document for RatingModelReport {
    fn doc(&self, _: &dyn Boards) -> Doc {
        let mut doc = Doc::new("a model of difficulty");
        doc.push(Block::PagesOnly(vec![Block::heading(1, "A model of the difficulty of puzzles")]));
        let lead = self.model.predictors.first().map_or_else(String::new, |best| {
            format!(
                "Predicted ratings are off by {} points on average, for held-out problems rated by {}. The 80% \
                 intervals are {:.0} points wide on average.",
                points(best.scores.mean_absolute_error),
                best.evidence.words(),
                best.scores.interval_width
            )
        });
        doc.extend(untitled_verdict(&lead));
        let mut lines = model_words(&self.model);
        lines.push(format!("Measured with {}.", self.model.measured.words()));
        doc.push(Block::fold("Reasons and method", vec![Block::notes(lines)]));
        doc
    }
}

/// Curves of three learners, and the ratings in bins.
fn figures(report: &DifficultyEvaluation, charts: &mut Charts) -> Vec<Block> {
    let chosen = |set: ProblemAttributes, learner: &str| {
        report.extreme_scores.iter().find(|one| one.attributes == set && one.learner == learner)
    };
    let roc = [
        (chosen(ProblemAttributes::Tree, "forest"), "tree, forest", PALE),
        (chosen(ProblemAttributes::Plain, "boosting"), "plain facts, boosting", SECOND),
        (chosen(ProblemAttributes::All, "boosting"), "all, boosting", INK),
    ];
    let curves: Vec<(&ExtremeScores, &str, &str)> =
        roc.into_iter().filter_map(|(one, name, colour)| Some((one?, name, colour))).collect();
    let bands: Vec<(f64, f64)> =
        report.bands.iter().map(|one| (one.predicted, one.rated)).collect();
    let figure = |name, picture, caption: &str| -> Block {
        let caption = caption.into();
        Figure { name, picture, caption, is_on_paper: true, ..Figure::default() }.into()
    };
    let mut figures = Vec::new();
    if !curves.is_empty() {
        let caption = "Easy or difficult: receiver operating characteristics.";
        figures.push(figure("roc", roc_chart(&curves, charts), caption));
    }
    let caption = "Predicted ratings, in ten bins, and the mean rating by people.";
    figures.push(figure("bands", bands_chart(&bands, charts), caption));
    figures
}

fn head(report: &DifficultyEvaluation) -> String {
    format!(
        "{} with a solution from {}, mean rating {:.0}, standard deviation {:.0}; measured with {}.",
        counted(report.problems as u64, "rated problem"),
        counted(report.games as u64, "game"),
        report.rating.0,
        report.rating.1,
        report.measured.words()
    )
}

/// Tables of the learners' scores, each with its title.
fn tables(report: &DifficultyEvaluation) -> [(String, Table); 3] {
    let [easy, hard] = report.extremes;
    let [a, b, c] = report.sampled;
    let titles = |scores: [&str; 3]| {
        let scores = scores.map(Column::right);
        [Column::left("attributes"), Column::left("learner")].into_iter().chain(scores)
    };
    let classified = titles(["accuracy", "AUC", "Brier"]);
    let score = |words: String, score: Score| Cell::number(words, Some(score.mean));
    let named =
        |set: ProblemAttributes, learner: &str| [Cell::from(set_words(set)), Cell::from(learner)];
    let row = |name: [Cell; 2], accuracy: Score, auc: Score, brier: f64| {
        let brier = Cell::number(format!("{brier:.3}"), Some(brier));
        let scores = [score(percent(accuracy), accuracy), score(share(auc), auc), brier];
        name.into_iter().chain(scores)
    };
    let mut extremes = Table::new("extremes", classified.clone()).wrapped(Wrap::Cards);
    for one in &report.extreme_scores {
        extremes.push(row(named(one.attributes, &one.learner), one.accuracy, one.auc, one.brier));
    }
    let mut classes = Table::new("classes", classified).wrapped(Wrap::Cards);
    for one in &report.class_scores {
        classes.push(row(named(one.attributes, &one.learner), one.accuracy, one.auc, one.brier));
    }
    let of_ratings = titles(["mean absolute error", "rank correlation", "R2"]);
    let mut ratings = Table::new("ratings", of_ratings).wrapped(Wrap::Cards);
    for one in &report.rating_scores {
        let scores = [
            score(points(one.mean_absolute_error), one.mean_absolute_error),
            score(share(one.rank_correlation), one.rank_correlation),
            score(share(one.r_squared), one.r_squared),
        ];
        ratings.push(named(one.attributes, &one.learner).into_iter().chain(scores));
    }
    [
        (format!("Easy (rated below 1,000; {easy}) or difficult (above 2,100; {hard})"), extremes),
        (
            format!(
                "Easy, medium or hard: {a}, {b} and {c} problems rated about 1,255, 1,669 and 2,089"
            ),
            classes,
        ),
        ("Predicted ratings".to_owned(), ratings),
    ]
}

fn intervals_words(report: &DifficultyEvaluation) -> String {
    format!(
        "The 80% intervals are {:.0} points wide on average and contain {} of the ratings.",
        report.interval_width,
        percent(report.coverage)
    )
}

/// Predicted and given ratings, in bins.
fn bands(report: &DifficultyEvaluation) -> Table {
    let titles = ["predicted", "rated, mean", "problems", "in 80% interval"];
    let mut table = Table::new("bands", titles.map(Column::right));
    for band in &report.bands {
        table.push([
            Cell::number(format!("{:.0}", band.predicted), Some(band.predicted)),
            Cell::number(format!("{:.0}", band.rated), Some(band.rated)),
            count_cell(band.problems as u64),
            Cell::number(format!("{:.0}%", 100.0 * band.covered), Some(band.covered)),
        ]);
    }
    table
}

fn footnotes(report: &DifficultyEvaluation) -> Vec<String> {
    let mut notes = vec![
        "All predictions are for held-out problems (10-fold cross-validation by game), with 95% intervals by \
         bootstrap over games. Three classes: one model for each class against the others; AUC over pairs of \
         classes, Brier score from 0 to 2."
            .to_owned(),
    ];
    let has_network = report.class_scores.iter().any(|one| one.learner == "network");
    if !has_network && !report.class_scores.is_empty() {
        notes.push("This build has no networks (the cargo feature `mlp`).".to_owned());
    }
    notes.extend(PUBLISHED.map(str::to_owned));
    notes
}

pub(crate) const fn set_words(set: ProblemAttributes) -> &'static str {
    match set {
        ProblemAttributes::Counts => "tree, families 1 to 10",
        ProblemAttributes::Moves => "tree, families 11 to 17",
        ProblemAttributes::Tree => "tree, all families",
        ProblemAttributes::Plain => "11 plain facts, no tree",
        ProblemAttributes::TreeAndPlain => "tree and plain facts",
        ProblemAttributes::Facts => "all facts, no search",
        ProblemAttributes::Policy => "people's moves, no search",
        ProblemAttributes::All => "all",
    }
}

fn percent(score: Score) -> String {
    let [mean, low, high] = [score.mean, score.low, score.high].map(|x| 100.0 * x);
    format!("{mean:.0}% ({low:.0} to {high:.0}%)")
}

fn share(score: Score) -> String {
    format!("{:.3} ({:.3} to {:.3})", score.mean, score.low, score.high)
}

fn points(score: Score) -> String {
    format!("{:.0} ({:.0} to {:.0})", score.mean, score.low, score.high)
}

fn roc_chart(curves: &[(&ExtremeScores, &str, &str)], charts: &mut Charts) -> Svg {
    let mut plots: Vec<Plot> = Vec::new();
    for (one, name, colour) in curves {
        let points: Vec<(f64, f64)> =
            one.roc.iter().map(|point| (point.false_positives, point.true_positives)).collect();
        let legend = format!("{name}: AUC {:.3}", one.auc.mean);
        let line = LinePlot::new()
            .with_data(points)
            .with_color(*colour)
            .with_stroke_width(1.8)
            .with_legend(legend);
        plots.push(Plot::Line(line));
    }
    let layout = sized(&plots, 640.0, 340.0)
        .with_x_label("easy problems taken for difficult")
        .with_y_label("difficult problems found");
    charts.render(plots, layout)
}

fn bands_chart(points: &[(f64, f64)], charts: &mut Charts) -> Svg {
    let ends = points.iter().flat_map(|&(a, b)| [a, b]);
    let (low, high) = ends.fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(x), high.max(x)));
    let same = LinePlot::new()
        .with_data(vec![(low, low), (high, high)])
        .with_color(PALE)
        .with_stroke_width(1.0)
        .with_legend("as predicted");
    let line = LinePlot::new()
        .with_data(points.to_vec())
        .with_color(INK)
        .with_stroke_width(2.0)
        .with_legend("as rated");
    let plots = vec![Plot::Line(same), Plot::Line(line)];
    let layout = sized(&plots, 460.0, 340.0)
        .with_x_label("predicted rating")
        .with_y_label("people's rating");
    charts.render(plots, layout)
}
