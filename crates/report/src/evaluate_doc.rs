//! Document and charts of an evaluation.

use kuva::plot::{LinePlot, ScatterPlot};
use kuva::render::plots::Plot;
use maud::html as markup;
use treegauge_dataset::evaluate::{
    AttributeUse, ClassResult, EvaluateReport, Protocol, TreePicture,
};
use treegauge_doc::{Block, Doc, Figure, Layout, Paragraph, ParagraphStyle, Svg, Tone, Words};
use treegauge_learn::scores::{Confusion, calibration, roc};
use treegauge_learn::{Node, Score, Tree};

use crate::boards::{Boards, Document};
use crate::chart::{Charts, INK, PALE, SECOND, sized};
use crate::effectiveness::{EFFECTIVENESS_WORDS, effectiveness_chart};
use crate::evaluate::{
    Answer, OBSERVED_WORDS, OfDataset, conditions_words, few_games_words, footnotes,
    incomplete_words, main_dataset, observed_table, quality_table, quality_words, summary_table,
};
use crate::evaluate_features::features_table;
use crate::evaluate_networks::networks;
use crate::evaluate_ratings::OfQuestion;
use crate::evaluate_strengths::strengths;
use crate::evaluate_vetting::vetting;
use crate::pictures;
use crate::words::{command, counted};

impl Document for EvaluateReport {
    fn doc(&self, _: &dyn Boards) -> Doc {
        let mut charts = Charts::default();
        let mut doc = Doc::new("an evaluation");
        let (answer, lead) = lead(self);
        doc.push(Block::PagesOnly(vec![Block::heading(1, title(self))]));
        doc.extend(incomplete_words(self).into_iter().map(Block::warning));
        let mut missing: Vec<String> =
            OfDataset::all(self).filter_map(|one| one.missing_words()).collect();
        missing.dedup();
        doc.extend(missing.into_iter().map(Block::warning));
        doc.push(Block::Verdict {
            tone: answer.as_ref().map_or(Tone::Undecided, |answer| answer.tone),
            headline: answer.map_or("", |answer| answer.headline).into(),
            lead: lead.first().map_or("", String::as_str).into(),
            points: lead.iter().skip(1).map(|line| line.as_str().into()).collect(),
        });
        let lines =
            lead.iter().map(|line| Paragraph::new(ParagraphStyle::Plain, line.as_str())).collect();
        doc.push(Block::TextOnly(vec![Block::Lines(lines)]));
        doc.extend(conditions_words(self).map(Block::text));
        if !self.games.is_empty() {
            doc.push(summary_table(self));
        }
        for one in OfDataset::all(self) {
            doc.extend(dataset(&one, &mut charts));
        }
        doc.extend(strengths(self, &mut charts));
        if let Some(features) = features_table(self) {
            let note = "Decisions of all leave-one-out trees of the report, by the feature of search trees that decides.";
            let blocks = vec![Block::note(note), features.into()];
            doc.push(Block::fold("Features that decide, over all strengths", blocks));
        }
        doc.extend(vetting(self));
        doc.extend(networks(self));
        if !self.quality.is_empty() {
            let mut blocks = vec![Block::note(quality_words()), quality_table(self).into()];
            blocks.extend(few_games_words(self).map(Block::note));
            doc.push(Block::fold("Ratings from 1 to 5", blocks));
        }
        if !self.observed.is_empty() {
            let blocks = vec![Block::note(OBSERVED_WORDS), observed_table(self).into()];
            doc.push(Block::fold("Single games of Williams 2010", blocks));
        }
        for one in OfQuestion::all(self) {
            doc.extend(question(&one, &mut charts));
        }
        doc.push(Block::fold("Reasons and method", vec![Block::notes(footnotes(self))]));
        doc.next = next(self).map(Words::from).unwrap_or_default();
        doc
    }

    fn picture(&self, boards: &dyn Boards) -> Option<Figure> {
        pictures::evaluate::picture(self, boards)
    }
}

pub(crate) fn title(report: &EvaluateReport) -> &'static str {
    if report.results.is_empty() {
        "Do attributes of games predict people's ratings of them?"
    } else {
        "Does the shape of search trees tell playable games from broken ones?"
    }
}

/// The answer of the main dataset, and the first lines of the report.
fn lead(report: &EvaluateReport) -> (Option<Answer>, Vec<String>) {
    let Some(main) = main_dataset(report) else {
        let lines =
            OfQuestion::all(report).map(|one| format!("{}: {}", one.title(), one.verdict()));
        return (None, lines.collect());
    };
    let answer = main.verdict();
    let words = match main.score_words() {
        Some(scores) => format!("{} {scores}", answer.words()),
        None => answer.words(),
    };
    (Some(answer), vec![words])
}

/// The command that may help a reader of the report most.
fn next(report: &EvaluateReport) -> Option<String> {
    let train = |does: &str| {
        let command = command("train", &["DIR", "--labels", "FILE", "-o", "model.json"]);
        Some(format!("{command} {does}."))
    };
    match main_dataset(report).map(|one| one.verdict().tone) {
        None => train("makes a model of these ratings"),
        Some(Tone::Good) => train("makes a model, by which `vet` judges other games"),
        Some(_) => {
            let iterations = report.games.iter().map(|one| one.iterations).max()?.to_string();
            let arguments = ["--games", "FILE", "--iterations", &iterations, "-o", "DIR"];
            let command = command("collect", &arguments);
            Some(format!(
                "{command} adds the games of a list to a dataset, here DIR; each needs a label."
            ))
        }
    }
}

fn question(one: &OfQuestion<'_>, charts: &mut Charts) -> Vec<Block> {
    let table = one.table();
    if table.rows.is_empty() {
        return Vec::new();
    }
    let caption = "R2 of the mixture for a held-out tenth of the games, by the number of games that it learned from.";
    vec![
        Block::heading(2, one.title()),
        table.into(),
        Block::Group(Layout::Charts, vec![on_paper(curve_chart(one, charts), caption)]),
        Block::fold(format!("Notes: {}", one.title()), vec![Block::notes(one.notes())]),
    ]
}

fn on_paper(picture: Svg, caption: &str) -> Block {
    Figure { picture, caption: caption.into(), is_on_paper: true, ..Figure::default() }.into()
}

fn curve_chart(one: &OfQuestion<'_>, charts: &mut Charts) -> Svg {
    let points: Vec<(f64, f64)> = one.curve().map(|(games, r2)| (games as f64, r2)).collect();
    let most = points.iter().map(|(games, _)| *games).fold(1.0, f64::max);
    let plots = vec![Plot::Line(LinePlot::new().with_data(points).with_color(INK))];
    let layout = sized(&plots, 430.0, 300.0)
        .with_x_axis_min(0.0)
        .with_x_axis_max(most)
        .with_y_axis_min(0.0)
        .with_y_axis_max(1.0)
        .with_x_label("games learned from")
        .with_y_label("R2");
    charts.render(plots, layout)
}

/// The chart of a dataset, and its learners in a fold.
fn dataset(one: &OfDataset<'_>, charts: &mut Charts) -> Vec<Block> {
    let accuracies = on_paper(
        accuracies(one),
        "Share of games that each learner predicts right, with its interval: one game held out (blue), its group held out (red), as published by Williams 2010 (square). The line is the share of the more frequent class, which a constant answer would be right about.",
    );
    let shown = Block::PagesOnly(vec![Block::heading(2, one.title()), accuracies]);
    let mut blocks = vec![Block::text(one.verdict().words())];
    blocks.extend(one.difference_words().map(Block::text));
    blocks.extend(one.gain_words().map(Block::text));
    blocks.extend(one.baselines_table().map(Block::from));
    blocks.extend([one.table().into(), Block::notes(one.notes())]);
    blocks.push(Block::TextOnly(vec![Block::notes(one.tree_words())]));
    let roc = "Playable games found and unplayable games taken for playable, as the threshold falls; groups held out. On the diagonal a learner guesses.";
    let calibration = "Predicted probability that a game is playable, for held-out groups, and the share of such games that are. On the diagonal a learner is calibrated.";
    let figures = vec![
        on_paper(roc_chart(one, charts), roc),
        on_paper(calibration_chart(one, charts), calibration),
        on_paper(vetting_chart(one, charts), &format!("{EFFECTIVENESS_WORDS} Groups held out.")),
    ];
    blocks.push(Block::Group(Layout::Charts, figures));
    if let Some(picture) = one.picture() {
        let tree = Figure { picture: tree_svg(picture), is_wide: true, ..Figure::default() };
        let mut tree = vec![Block::heading(3, "Decision tree of all games"), tree.into()];
        if !picture.used.is_empty() {
            let title = "Attributes in the decisions of the leave-one-out trees";
            tree.extend([Block::heading(3, title), uses(&picture.used)]);
        }
        blocks.push(Block::PagesOnly(tree));
    }
    vec![shown, Block::fold(format!("Learners: {}", one.title()), blocks)]
}

/// Height of a learner's row in the figure of accuracies, and width of its name, in pixels.
const ROW: f64 = 26.0;
const NAME: f64 = 120.0;

/// Figure of the accuracies of all learners.
fn accuracies(one: &OfDataset<'_>) -> Svg {
    let constant = one.constant();
    let rows: Vec<&ClassResult> = one.results(Protocol::LeaveOneOut).collect();
    let of_group = |learner: &str| {
        one.results(Protocol::Grouped).find(|result| result.learner == learner)?.accuracy
    };
    let x = |share: f64| NAME + 460.0 * share;
    let c = |value: f64| format!("{value:.1}");
    let height = ROW * rows.len() as f64;
    let interval = |score: Option<Score>, y: f64, colour: &'static str| {
        let Some(Score { mean, low, high }) = score else { return markup! {} };
        markup! {
            line x1=(c(x(low))) x2=(c(x(high))) y1=(c(y)) y2=(c(y)) stroke=(colour) stroke-width="2" {}
            circle cx=(c(x(mean))) cy=(c(y)) r="4" fill=(colour) {}
        }
    };
    let drawn = markup! {
        svg width="600" viewBox=(format!("0 0 600 {}", c(height + 24.0))) font-family="sans-serif" font-size="12" {
            @for tenth in [0_u8, 25, 50, 75, 100] {
                @let at = x(f64::from(tenth) / 100.0);
                line x1=(c(at)) x2=(c(at)) y1="0" y2=(c(height)) stroke="#e3e6ea" {}
                text x=(c(at)) y=(c(height + 16.0)) text-anchor="middle" fill="#5a6575" { (tenth) "%" }
            }
            line x1=(c(x(constant))) x2=(c(x(constant))) y1="0" y2=(c(height)) stroke=(PALE) stroke-dasharray="4 3" {}
            @for (n, result) in rows.iter().enumerate() {
                @let y = ROW * (n as f64 + 0.5);
                text x="0" y=(c(y + 4.0)) fill="#1b2330" { (result.learner) }
                (interval(one.shown_score(result.accuracy), y - 5.0, INK))
                (interval(one.shown_score(of_group(&result.learner)), y + 5.0, SECOND))
                @if let Some(share) = result.published.as_ref().and_then(|one| one.confusion.accuracy()) {
                    rect x=(c(x(share) - 4.0)) y=(c(y - 9.0)) width="8" height="8" fill="none" stroke="#1b2330" stroke-width="1.5" {}
                }
            }
        }
    };
    Svg::new(drawn.into_string())
}

/// Chart of the effectiveness of vetting by the drawn learners.
fn vetting_chart(one: &OfDataset<'_>, charts: &mut Charts) -> Svg {
    let curves: Vec<(&str, &Confusion, &str)> = drawn(one)
        .map(|(result, colour)| (result.learner.as_str(), &result.confusion, colour))
        .collect();
    effectiveness_chart(&curves, charts)
}

/// Learners with drawn curves. More curves would hide each other.
const DRAWN: [(&str, Protocol, &str); 3] = [
    ("best", Protocol::Nested, INK),
    ("tree", Protocol::Grouped, SECOND),
    ("forest", Protocol::Grouped, "#5b8c5a"),
];

fn drawn<'a>(one: &'a OfDataset<'_>) -> impl Iterator<Item = (&'a ClassResult, &'static str)> + 'a {
    DRAWN.iter().filter_map(|&(learner, protocol, colour)| {
        let result = one.results(protocol).find(|result| result.learner == learner)?;
        Some((result, colour))
    })
}

/// Predicted probabilities, and true classes as 0 or 1.
fn both(result: &ClassResult) -> (Vec<f64>, Vec<f64>) {
    let pair = |one: &treegauge_dataset::evaluate::GamePrediction| {
        (one.probability, f64::from(u8::from(one.playable)))
    };
    result.predictions.iter().map(pair).unzip()
}

fn diagonal() -> Plot {
    let line = LinePlot::new().with_data(vec![(0.0, 0.0), (1.0, 1.0)]).with_color(PALE);
    Plot::Line(line.with_stroke_width(1.0))
}

fn square(charts: &mut Charts, plots: Vec<Plot>, x: &str, y: &str) -> Svg {
    let layout = sized(&plots, 430.0, 400.0)
        .with_x_label(x)
        .with_y_label(y)
        .with_x_axis_min(0.0)
        .with_x_axis_max(1.0)
        .with_y_axis_min(0.0)
        .with_y_axis_max(1.0);
    charts.render(plots, layout)
}

fn roc_chart(one: &OfDataset<'_>, charts: &mut Charts) -> Svg {
    let mut plots = vec![diagonal()];
    for (result, colour) in drawn(one) {
        let (predictions, classes) = both(result);
        let points: Vec<(f64, f64)> = roc(&predictions, &classes)
            .into_iter()
            .map(|point| (point.false_positives, point.true_positives))
            .collect();
        let line = LinePlot::new().with_data(points).with_color(colour).with_stroke_width(2.0);
        plots.push(Plot::Line(line.with_legend(&result.learner)));
    }
    square(charts, plots, "unplayable games taken for playable", "playable games found")
}

/// Games per point of the calibration chart.
const BIN: usize = 6;

fn calibration_chart(one: &OfDataset<'_>, charts: &mut Charts) -> Svg {
    let mut plots = vec![diagonal()];
    for (result, colour) in drawn(one) {
        let (predictions, classes) = both(result);
        let bins = calibration(&predictions, &classes, predictions.len() / BIN);
        let points: Vec<(f64, f64)> =
            bins.iter().map(|bin| (bin.predicted, bin.observed)).collect();
        let tips = bins.iter().map(|bin| {
            let (n, predicted, observed) =
                (counted(bin.examples as u64, "game"), 100.0 * bin.predicted, 100.0 * bin.observed);
            format!("{}, {n}: {predicted:.0}% predicted, {observed:.0}% true", result.learner)
        });
        let line = LinePlot::new().with_data(points.clone()).with_color(colour);
        plots.push(Plot::Line(line.with_stroke_width(1.0)));
        plots.push(Plot::Scatter(
            ScatterPlot::new()
                .with_tooltip_labels(tips.collect::<Vec<_>>())
                .with_tooltips()
                .with_data(points)
                .with_color(colour)
                .with_size(4.0)
                .with_legend(&result.learner),
        ));
    }
    square(charts, plots, "predicted probability", "share that is playable")
}

/// Greatest number of listed attributes.
const USES: usize = 12;

fn uses(used: &[AttributeUse]) -> Block {
    const TEXT: f64 = 320.0;
    let most = used.first().map_or(1, |one| one.count).max(1);
    let shown = used.len().min(USES);
    let c = |value: f64| format!("{value:.1}");
    let drawn = markup! {
        svg width="640" viewBox=(format!("0 0 640 {}", c(ROW * shown as f64))) font-family="sans-serif" font-size="12" {
            @for (n, one) in used.iter().take(USES).enumerate() {
                @let y = ROW * (n as f64 + 0.5);
                @let width = (640.0 - TEXT) * one.count as f64 / most as f64;
                text x="0" y=(c(y + 4.0)) fill="#1b2330" { (one.attribute) ": " (one.count) }
                rect x=(c(TEXT)) y=(c(y - 6.0)) width=(c(width)) height="12" fill=(INK) {}
            }
        }
    };
    let caption = match used.len() - shown {
        0 => String::new(),
        more => format!("and {more} more attributes"),
    };
    on_paper(Svg::new(drawn.into_string()), &caption)
}

const LEAF_WIDTH: f64 = 150.0;
const LEVEL_HEIGHT: f64 = 74.0;

/// Horizontal position and depth of each node of a tree: leaves side by side, a parent above the
/// middle of its children.
fn places(tree: &Tree) -> Vec<(f64, usize)> {
    let nodes = tree.nodes();
    let mut depth = vec![0; nodes.len()];
    for (n, node) in nodes.iter().enumerate() {
        if let Some(split) = &node.split {
            depth[split.left] = depth[n] + 1;
            depth[split.right] = depth[n] + 1;
        }
    }
    let mut x = vec![0.0; nodes.len()];
    let mut leaves = 0.0;
    // Children before their parent, the left child before the right one.
    let mut open = vec![(0, false)];
    while let Some((n, is_ready)) = open.pop() {
        match &nodes[n].split {
            None => {
                x[n] = leaves + 0.5;
                leaves += 1.0;
            }
            Some(split) if is_ready => x[n] = (x[split.left] + x[split.right]) / 2.0,
            Some(split) => open.extend([(n, true), (split.right, false), (split.left, false)]),
        }
    }
    x.into_iter().zip(depth).collect()
}

fn tree_svg(picture: &TreePicture) -> Svg {
    let nodes = picture.tree.nodes();
    let places = places(&picture.tree);
    let leaves = nodes.iter().filter(|node| node.split.is_none()).count() as f64;
    let deepest = places.iter().map(|(_, depth)| *depth).max().unwrap_or(0) as f64;
    let (width, height) = (leaves * LEAF_WIDTH, (deepest + 1.0) * LEVEL_HEIGHT);
    let at = |n: usize| {
        let (x, depth) = places[n];
        (x * LEAF_WIDTH, depth as f64 * LEVEL_HEIGHT + 20.0)
    };
    let c = |value: f64| format!("{value:.1}");
    let colour = |node: &Node| if node.mean >= 0.5 { INK } else { SECOND };
    let drawn = markup! {
        svg.paper width=(c(width)) viewBox=(format!("0 0 {} {}", c(width), c(height))) font-family="sans-serif" font-size="12" {
            @for (n, node) in nodes.iter().enumerate() {
                @if let Some(split) = &node.split {
                    @for (child, sign) in [(split.left, "\u{2264}"), (split.right, ">")] {
                        @let ((x, y), (to_x, to_y)) = (at(n), at(child));
                        line x1=(c(x)) y1=(c(y + 6.0)) x2=(c(to_x)) y2=(c(to_y - 14.0)) stroke=(PALE) {}
                        text x=(c((x + to_x) / 2.0)) y=(c((y + to_y) / 2.0)) text-anchor="middle" fill="#5a6575" {
                            (sign) " " (treegauge_learn::threshold_text(split.threshold))
                        }
                    }
                }
            }
            @for (n, node) in nodes.iter().enumerate() {
                @let (x, y) = at(n);
                @match &node.split {
                    Some(split) => {
                        text x=(c(x)) y=(c(y)) text-anchor="middle" font-weight="600" { (picture.attributes[split.attribute]) }
                    }
                    None => {
                        text x=(c(x)) y=(c(y)) text-anchor="middle" fill=(colour(node)) font-weight="600" {
                            (if node.mean >= 0.5 { "playable" } else { "unplayable" })
                        }
                        @for (line, words) in TreePicture::node_words(node).split(", ").enumerate() {
                            text x=(c(x)) y=(c(y + 15.0 * (line + 1) as f64)) text-anchor="middle" fill="#5a6575" { (words) }
                        }
                    }
                }
            }
        }
    };
    Svg::new(drawn.into_string())
}
