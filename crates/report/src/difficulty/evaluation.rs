//! How well attributes predict what people say of problems.

use std::fmt::Write;

use kuva::plot::LinePlot;
use kuva::render::plots::Plot;
use maud::{Markup, html as markup};
use treegauge_learn::Score;
use treegauge_study::difficulty::{
    AttributeSet, DifficultyEvaluation, ExtremeScores, RatingModelCard,
};

use super::model_words;
use crate::Terminal;
use crate::chart::{Charts, INK, PALE, SECOND, sized};
use crate::page::page;
use crate::words::counted;
use treegauge_doc::Svg;
use treegauge_doc::plain_table_on;

/// The figures of published work that readers will compare with: what, and where it comes from.
const PUBLISHED: [&str; 2] = [
    "Stoiljkovikj, Bratko and Guid report on 900 problems of another site, rated by its users, whose results chapter \
     is not in the published copy: so there are no figures of theirs beside these.",
    "Every problem of the Lichess database has one winning move, so Meaningful(1) says little here.",
];

/// An evaluation as text.
#[must_use]
pub fn difficulty_evaluation_text(report: &DifficultyEvaluation, terminal: Terminal) -> String {
    let mut text = format!("{}\n", head(report));
    for (title, header, rows) in tables(report) {
        if !rows.is_empty() {
            let columns = header.len();
            let _ = writeln!(text, "\n{title}");
            text.push_str(&plain_table_on(terminal, header, rows, 2..columns));
        }
    }
    let _ = writeln!(text, "\n{}", intervals_words(report));
    let header = ["predicted", "rated, mean", "problems", "in 80% interval"];
    text.push_str(&plain_table_on(terminal, header, bands(report), 0..4));
    text.push('\n');
    for line in footnotes(report) {
        let _ = writeln!(text, "{line}");
    }
    text
}

/// What is to be known of a model of ratings, as text.
#[must_use]
pub fn rating_model_text(model: &RatingModelCard) -> String {
    let mut lines = model_words(model);
    lines.push(format!("Measured with {}.", model.measured.words()));
    lines.join("\n")
}

fn head(report: &DifficultyEvaluation) -> String {
    format!(
        "{} with a solution from {}, rating {:.0} in the mean with a standard deviation of {:.0}; measured with {}.",
        counted(report.problems as u64, "rated problem"),
        counted(report.games as u64, "game"),
        report.rating.0,
        report.rating.1,
        report.measured.words()
    )
}

type Rows = (String, Vec<&'static str>, Vec<Vec<String>>);

fn tables(report: &DifficultyEvaluation) -> Vec<Rows> {
    let [easy, hard] = report.extremes;
    let classified = |set: AttributeSet, learner: &str, accuracy, auc, brier: f64| {
        let learner = learner.to_owned();
        let set = set_words(set).to_owned();
        vec![set, learner, percent(accuracy), share(auc), format!("{brier:.3}")]
    };
    let extremes = report
        .extreme_scores
        .iter()
        .map(|one| classified(one.attributes, &one.learner, one.accuracy, one.auc, one.brier));
    let classes = report
        .class_scores
        .iter()
        .map(|one| classified(one.attributes, &one.learner, one.accuracy, one.auc, one.brier));
    let ratings = report.rating_scores.iter().map(|one| {
        vec![
            set_words(one.attributes).to_owned(),
            one.learner.clone(),
            points(one.mean_absolute_error),
            share(one.rank_correlation),
            share(one.r_squared),
        ]
    });
    let header = vec!["attributes", "learner", "accuracy", "AUC", "Brier"];
    let [a, b, c] = report.sampled;
    vec![
        (
            format!("Easy (rated below 1,000; {easy}) or difficult (above 2,100; {hard})"),
            header.clone(),
            extremes.collect(),
        ),
        (
            format!(
                "Easy, medium or hard: {a}, {b} and {c} problems rated about 1,255, 1,669 and 2,089"
            ),
            header,
            classes.collect(),
        ),
        (
            "The rating".to_owned(),
            vec!["attributes", "learner", "mean absolute error", "rank correlation", "R2"],
            ratings.collect(),
        ),
    ]
}

fn intervals_words(report: &DifficultyEvaluation) -> String {
    format!(
        "Of the 80% intervals, which are {:.0} points wide in the mean, {} hold the rating.",
        report.interval_width,
        percent(report.coverage)
    )
}

fn bands(report: &DifficultyEvaluation) -> Vec<Vec<String>> {
    let row = |band: &treegauge_study::difficulty::Banded| {
        vec![
            format!("{:.0}", band.predicted),
            format!("{:.0}", band.rated),
            band.problems.to_string(),
            format!("{:.0}%", 100.0 * band.covered),
        ]
    };
    report.bands.iter().map(row).collect()
}

fn footnotes(report: &DifficultyEvaluation) -> Vec<String> {
    let mut notes = vec![
        "All predictions are for problems of games that the model has not seen (10 folds by game); intervals of \
         95% by bootstrap over games. Three classes: one model a class against the others; AUC over pairs of classes, \
         Brier from 0 to 2."
            .to_owned(),
    ];
    let has_network = report.class_scores.iter().any(|one| one.learner == "network");
    if !has_network && !report.class_scores.is_empty() {
        notes.push("This build has no networks (the cargo feature `mlp`).".to_owned());
    }
    notes.extend(PUBLISHED.map(str::to_owned));
    notes
}

const fn set_words(set: AttributeSet) -> &'static str {
    match set {
        AttributeSet::Counts => "tree, families 1 to 10",
        AttributeSet::Moves => "tree, families 11 to 17",
        AttributeSet::Tree => "tree, all families",
        AttributeSet::Plain => "11 plain facts, no tree",
        AttributeSet::TreeAndPlain => "tree and plain facts",
        AttributeSet::Facts => "all facts, no search",
        AttributeSet::All => "all",
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

/// An evaluation as a page.
#[must_use]
pub fn difficulty_evaluation_html(report: &DifficultyEvaluation) -> String {
    let mut charts = Charts::default();
    let chosen = |set: AttributeSet, learner: &str| {
        report.extreme_scores.iter().find(|one| one.attributes == set && one.learner == learner)
    };
    let roc = [
        (chosen(AttributeSet::Tree, "forest"), "tree, forest", PALE),
        (chosen(AttributeSet::Plain, "boosting"), "plain facts, boosting", SECOND),
        (chosen(AttributeSet::All, "boosting"), "all, boosting", INK),
    ];
    let curves: Vec<(&ExtremeScores, &str, &str)> =
        roc.into_iter().filter_map(|(one, name, colour)| Some((one?, name, colour))).collect();
    let bands: Vec<(f64, f64)> =
        report.bands.iter().map(|one| (one.predicted, one.rated)).collect();
    let body: Markup = markup! {
        h1 { "How well the difficulty of problems is predicted" }
        p { (head(report)) }
        div.charts {
            @if !curves.is_empty() {
                figure {
                    div.paper { (roc_chart(&curves, &mut charts)) }
                    figcaption { "Easy or difficult: receiver operating characteristics." }
                }
            }
            figure {
                div.paper { (bands_chart(&bands, &mut charts)) }
                figcaption { "Predicted ratings, in ten bins, and the mean of what people say." }
            }
        }
        @for (title, header, rows) in tables(report) {
            @if !rows.is_empty() {
                h2 { (title) }
                table {
                    tr { @for cell in header { th { (cell) } } }
                    @for row in rows { tr { @for cell in row { td { (cell) } } } }
                }
            }
        }
        p { (intervals_words(report)) }
        @for line in footnotes(report) { p.note { (line) } }
    };
    page("the difficulty of problems", &body)
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
