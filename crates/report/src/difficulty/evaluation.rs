//! Report of how well attributes predict people's ratings of problems.

use kuva::plot::LinePlot;
use kuva::render::plots::Plot;
use treegauge_difficulty::{
    ClaimVerdict, DifficultyEvaluation, ExplosionTest, ExtremeScores, LeftOutSet, MeasuredWith,
    PROBLEMS_MIN, ProblemAttributes, RatingModelReport, RegressionScores, TreeGain,
};
use treegauge_doc::{Block, Cell, Column, Doc, Figure, Layout, Svg, Table, Wrap};
use treegauge_learn::Score;

use super::model_words;
use crate::boards::{Boards, Document};
use crate::chart::{Charts, INK, PALE, SECOND, sized};
use crate::lead::untitled_verdict;
use crate::pictures;
use crate::words::{capital, command, count_cell, counted, grouped, listed};

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
        doc.push(Block::notes(findings(self)));
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
        lines.push(format!("Measured {}.", with_words(&self.model.measured)));
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

/// Engine and settings of a measurement, or that there was none.
fn with_words(measured: &MeasuredWith) -> String {
    match measured.engine.as_str() {
        "" => "without an engine".to_owned(),
        _ => format!("with {}", measured.words()),
    }
}

/// Sets that are left out, the gain by the tree and the tests of claims, in sentences.
fn findings(report: &DifficultyEvaluation) -> Vec<String> {
    let mut found: Vec<String> = left_out_words(&report.left_out).into_iter().collect();
    if !report.missing_attributes.is_empty() {
        found.push(format!(
            "\"{}\" is without {}, for which the table has no column: {}.",
            set_words(ProblemAttributes::All),
            counted(report.missing_attributes.len() as u64, "attribute"),
            listed(&report.missing_attributes, 3)
        ));
    }
    found.extend(report.tree_gain.as_ref().map(|gain| gain_words(report, gain)));
    found.extend(report.explosion.iter().map(explosion_words));
    found
}

/// Sets that are left out, each with the reason, in one sentence; `None` without any.
fn left_out_words(left_out: &[LeftOutSet]) -> Option<String> {
    use ProblemAttributes::{Networks, Policy};
    let mut reasons: Vec<(String, Vec<&str>)> = Vec::new();
    for set in left_out {
        let reason = match set.attributes {
            _ if !set.missing.is_empty() => {
                format!("the table has no column {}", listed(&set.missing, 1))
            }
            Policy | Networks => format!("fewer than {PROBLEMS_MIN} problems have values of them"),
            _ => format!("fewer than {PROBLEMS_MIN} problems were measured by an engine"),
        };
        let words = set_words(set.attributes);
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, sets)) => sets.push(words),
            None => reasons.push((reason, vec![words])),
        }
    }
    let parts = reasons.iter().map(|(reason, sets)| {
        let quoted: Vec<String> = sets.iter().map(|set| format!("\"{set}\"")).collect();
        format!("{}, because {reason}", quoted.join(", "))
    });
    let parts = parts.collect::<Vec<_>>().join("; ");
    (!parts.is_empty()).then(|| format!("Left out: {parts}."))
}

/// Gain by the tree over the length of the solution and mate, in one sentence.
fn gain_words(report: &DifficultyEvaluation, gain: &TreeGain) -> String {
    use ProblemAttributes::{LengthAndMate, Tree, TreeAndLengthAndMate};
    let sets = [Tree, LengthAndMate, TreeAndLengthAndMate];
    let of_ratings = sets.map(|set| {
        let is_it = |one: &&RegressionScores| one.attributes == set && one.learner == gain.learner;
        report.rating_scores.iter().find(is_it).map_or(f64::NAN, |one| one.mean_absolute_error.mean)
    });
    let of_extremes = sets.map(|set| {
        let is_it = |one: &&ExtremeScores| one.attributes == set && one.learner == gain.learner;
        report.extreme_scores.iter().find(is_it).map(|one| one.auc.mean)
    });
    let Score { mean, low, high } = gain.mean_absolute_error;
    let verdict = match ClaimVerdict::of(Score { mean: -mean, low: -high, high: -low }, 0.0) {
        ClaimVerdict::Holds => "the tree helps",
        ClaimVerdict::DoesNotHold => "the tree does harm",
        ClaimVerdict::CannotTell => "it cannot be told whether the tree helps",
    };
    let [tree, alone, both] = of_ratings;
    let mut words = format!(
        "Beside the length of the solution and whether it ends in mate, {verdict}: by {}, ratings are off by \
         {tree:.0} points from the tree, {alone:.0} from these two and {both:.0} from all three, so the tree \
         changes the error by {mean:+.1} ({low:+.1} to {high:+.1})",
        gain.learner
    );
    if let ([Some(tree), Some(alone), Some(both)], Some(Score { mean, low, high })) =
        (of_extremes, gain.auc)
    {
        words += &format!(
            "; the AUC for easy or difficult is {tree:.3}, {alone:.3} and {both:.3}, changed by {mean:+.3} \
             ({low:+.3} to {high:+.3})"
        );
    }
    words + "."
}

/// Test of the claim about level 5, in one sentence.
fn explosion_words(test: &ExplosionTest) -> String {
    let ExplosionTest { attribute, is_deep, problems, medians, auc, verdict } = test;
    let among = if *is_deep { "among trees with moves at level 5, " } else { "" };
    let claim = format!("easy problems have a greater {attribute} than difficult ones");
    let [easy, difficult] = problems.map(|count| grouped(count as u64));
    let said = match verdict {
        ClaimVerdict::CannotTell => format!("{among}these problems cannot tell whether {claim}"),
        verdict => format!("{among}the claim that {claim} {}", verdict.words()),
    };
    let said = capital(&said);
    format!(
        "{said} (Stoiljkovikj 2015): AUC {}, median {} of {easy} easy problems, {} of {difficult} difficult ones.",
        share(*auc),
        rounded(medians[0]),
        rounded(medians[1])
    )
}

/// Number with up to two decimals.
fn rounded(x: f64) -> String {
    format!("{}", (100.0 * x).round() / 100.0)
}

fn head(report: &DifficultyEvaluation) -> String {
    let others = match report.other_problems {
        0 => String::new(),
        1 => " 1 other rated problem has no solution, or lacks some of the attributes.".to_owned(),
        count => format!(
            " {} other rated problems have no solution, or lack some of the attributes.",
            grouped(count as u64)
        ),
    };
    format!(
        "{} with a solution from {}, mean rating {:.0}, standard deviation {:.0}; measured {}.{others}",
        counted(report.problems as u64, "rated problem"),
        counted(report.games as u64, "game"),
        report.rating.0,
        report.rating.1,
        with_words(&report.measured)
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
        notes.push("Networks are left out; `--networks` adds them.".to_owned());
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
        ProblemAttributes::LengthAndMate => "length and mate",
        ProblemAttributes::TreeAndLengthAndMate => "tree, length and mate",
        ProblemAttributes::GuidBratko => "Guid and Bratko 2006",
        ProblemAttributes::Facts => "all facts, no search",
        ProblemAttributes::Policy => "people's moves, no search",
        ProblemAttributes::Networks => "people's moves by networks",
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_that_are_left_out_have_their_reasons_in_one_sentence() {
        use ProblemAttributes::{Moves, Networks, Policy, Tree};
        let set = |attributes, missing: &[&str]| LeftOutSet {
            attributes,
            missing: missing.iter().map(|name| (*name).to_owned()).collect(),
        };
        let left_out = [
            set(Moves, &[]),
            set(Tree, &[]),
            set(Policy, &["A", "B", "C", "D"]),
            set(Networks, &[]),
        ];
        let words = "Left out: \"tree, families 11 to 17\", \"tree, all families\", because fewer than 100 problems were \
                     measured by an engine; \"people's moves, no search\", because the table has no column A and 3 more; \
                     \"people's moves by networks\", because fewer than 100 problems have values of them.";
        assert_eq!(left_out_words(&left_out).as_deref(), Some(words));
        assert_eq!(left_out_words(&[]), None);
    }

    #[test]
    fn a_claim_holds_does_not_hold_or_cannot_be_told() {
        let words = |is_deep, [low, mean, high]: [f64; 3]| {
            let score = Score { mean, low, high };
            explosion_words(&ExplosionTest {
                attribute: "Branching(5)".to_owned(),
                is_deep,
                problems: [373, 1_196],
                medians: [1.0, 1.206],
                auc: score,
                verdict: ClaimVerdict::of(score, 0.5),
            })
        };
        let rest = "(Stoiljkovikj 2015): AUC 0.600 (0.550 to 0.650), median 1 of 373 easy problems, 1.21 of 1,196 \
                    difficult ones.";
        let claim = "easy problems have a greater Branching(5) than difficult ones";
        assert_eq!(words(false, [0.55, 0.6, 0.65]), format!("The claim that {claim} holds {rest}"));
        let no = words(true, [0.3, 0.4, 0.45]);
        let begin =
            format!("Among trees with moves at level 5, the claim that {claim} does not hold (");
        assert!(no.starts_with(&begin), "{no}");
        let open = words(false, [0.45, 0.5, 0.55]);
        assert!(
            open.starts_with(&format!("These problems cannot tell whether {claim} (")),
            "{open}"
        );
    }

    #[test]
    fn a_table_without_an_engine_has_no_settings() {
        assert_eq!(with_words(&MeasuredWith::default()), "without an engine");
        let measured = MeasuredWith { engine: "Fake".to_owned(), ..MeasuredWith::default() };
        assert!(with_words(&measured).starts_with("with Fake, depth 0"));
    }
}
