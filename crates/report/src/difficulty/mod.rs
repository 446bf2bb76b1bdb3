//! Report of the difficulty of problems.

mod evaluation;
mod page;
mod problem;
mod table;

use std::fmt::Write;

use treegauge_difficulty::{
    DifficultyReport, MeasuredWith, PredictedDifficulty, RatedProblem, RatingModelCard,
    RatingModelScores, UNRATED_MAX,
};
use treegauge_doc::{Block, Cell, Column, Doc, Figure, Role, Scale, Table, Words};

use crate::boards::{Boards, Document};
use crate::pictures;
use crate::words::counted;

pub(crate) use evaluation::set_words;
pub(crate) use problem::{often, problem_board, sentence};
pub use problem::{problem_dot, problem_svg};
pub use table::{DifficultyTable, DifficultyTableFormat, TableAttributes};

impl Document for DifficultyReport {
    fn doc(&self, _: &dyn Boards) -> Doc {
        let mut doc = Doc::new("problems by difficulty");
        let mut lead = summary(self);
        doc.push(Block::Terminal(vec![Block::text(lead.as_str())]));
        if self.model.is_some() && self.for_rating.is_none() {
            lead += " The easiest come first.";
        }
        let title = Block::heading(1, "Problems by difficulty");
        doc.push(Block::Pages(vec![title, Block::text(lead)]));
        let table = problem_table(self);
        if !table.rows.is_empty() {
            doc.push(Block::Terminal(vec![table.into()]));
        }
        doc.push(Block::Pages(page::problems(self)));
        let others = not_rated(self);
        let known: Vec<String> =
            self.model.iter().flat_map(model_words).chain(notes(self)).collect();
        let lines = others.iter().chain(&known).map(String::as_str);
        doc.push(Block::Terminal(vec![Block::notes(lines)]));
        if !others.is_empty() {
            let list = others.into_iter().map(Words::from).collect();
            let list = Block::List(Role::Plain, list);
            doc.push(Block::Pages(vec![Block::heading(2, "Not rated"), list]));
        }
        let heading = Block::heading(2, "How far this is to be relied on");
        doc.push(Block::Pages(vec![heading, Block::notes(known)]));
        doc
    }

    fn picture(&self, boards: &dyn Boards) -> Option<Figure> {
        pictures::difficulty::picture(self, boards)
    }
}

/// Table of the measured problems.
fn problem_table(report: &DifficultyReport) -> Table {
    let has_given = report.rows.iter().any(|row| row.given_rating.is_some());
    let mut titles = vec!["problem"];
    if report.model.is_some() {
        titles.extend(["rating (80% interval)", "class", "easy / medium / hard"]);
    }
    titles.extend(has_given.then_some("people's rating"));
    titles.push("why");
    let mut columns: Vec<Column> = titles.into_iter().map(Column::left).collect();
    if report.model.is_some() {
        columns.insert(2, Column::chart("500             3000"));
    }
    let mut table = Table::new("problems", columns);
    for row in report.rows.iter().filter(|row| row.unrated.is_none()) {
        let mut cells = vec![Cell::from(row.id.as_str())];
        if report.model.is_some() {
            let found = row.difficulty.as_ref();
            cells.push(Cell::from(found.map_or_else(String::new, interval)));
            cells.push(Cell::from(found.map_or_else(String::new, chart)));
            cells.push(Cell::from(found.map_or("", |found| found.class.name())));
            cells.push(Cell::from(found.map_or_else(String::new, chances)));
        }
        if has_given {
            let words = row.given_rating.map_or_else(String::new, |rating| format!("{rating:.0}"));
            cells.push(Cell::number(words, row.given_rating));
        }
        cells.push(Cell::from(why(row)));
        table.push(cells);
    }
    table
}

/// Result in a sentence: the number of problems in each class, or of those measured if there is no
/// model.
pub(crate) fn summary(report: &DifficultyReport) -> String {
    if report.model.is_none() {
        let measured = report.rows.len() - report.unrated().count();
        return format!(
            "{} measured, without a model of ratings.",
            counted(measured as u64, "problem")
        );
    }
    let rated: Vec<&PredictedDifficulty> =
        report.rows.iter().filter_map(|row| row.difficulty.as_ref()).collect();
    let of = |class: &str| rated.iter().filter(|found| found.class.name() == class).count();
    let mut text = format!(
        "{}: {} easy, {} medium, {} hard",
        counted(rated.len() as u64, "problem"),
        of("easy"),
        of("medium"),
        of("hard")
    );
    let unrated = report.unrated().count();
    if unrated > 0 {
        let _ = write!(text, "; {unrated} more unrated");
    }
    if let Some(asked) = report.for_rating {
        let _ = write!(text, "; those nearest to {asked:.0} first");
    }
    text.push('.');
    text
}

/// Rows without a rating, each with its cause; at most [`UNRATED_MAX`], then the number of the
/// others.
fn not_rated(report: &DifficultyReport) -> Vec<String> {
    let unrated = report.unrated().map(|row| {
        let cause = row.unrated.as_deref().unwrap_or_default();
        format!("{} (line {}) is unrated: {cause}", row.id, row.line)
    });
    let bad =
        report.bad_rows.iter().map(|row| format!("line {} is left out: {}", row.line, row.problem));
    let all: Vec<String> = unrated.chain(bad).collect();
    let more = all.len().saturating_sub(UNRATED_MAX);
    let mut lines: Vec<String> = all.into_iter().take(UNRATED_MAX).collect();
    if more > 0 {
        lines.push(format!("... and {}", counted(more as u64, "more row")));
    }
    lines
}

/// Rating with its 80% interval.
pub(crate) fn interval(found: &PredictedDifficulty) -> String {
    let PredictedDifficulty { rating, rating_low, rating_high, .. } = found;
    format!("{rating:.0} ({rating_low:.0} to {rating_high:.0})")
}

/// Small chart of a rating with its 80% interval.
fn chart(found: &PredictedDifficulty) -> String {
    let PredictedDifficulty { rating, rating_low, rating_high, .. } = *found;
    let ratings = Scale { least: 500.0, greatest: 3_000.0 };
    ratings.interval(Some(rating), Some(rating_low), Some(rating_high))
}

fn chances(found: &PredictedDifficulty) -> String {
    let percent = |p: f64| format!("{:.0}%", 100.0 * p);
    let of = found.chances;
    [of.easy, of.medium, of.hard].map(percent).join(" / ")
}

/// Reasons that moved the rating of a problem most, each with its points. Without reasons, the
/// problem's tree in words. A disagreement between file and engine comes first.
pub(crate) fn why(row: &RatedProblem) -> String {
    let reasons =
        row.reasons.iter().map(|reason| format!("{} ({:+.0})", reason.words, reason.effect));
    let words = row.reasons.is_empty().then(|| row.words.clone());
    row.note.clone().into_iter().chain(words).chain(reasons).collect::<Vec<_>>().join("; ")
}

/// Origin of a model and its scores, in sentences.
fn model_words(model: &RatingModelCard) -> Vec<String> {
    let date = model.date.as_ref().map_or_else(String::new, |date| format!(", {date}"));
    vec![
        format!(
            "Model {}{date}, digest {}, trained by treegauge {} on the ratings of {}.",
            model.name,
            model.digest,
            model.version,
            counted(model.with_line.problems as u64, "problem")
        ),
        scores_words("Problems with a solution", &model.with_line),
        scores_words("Problems without one", &model.without_line),
    ]
}

fn scores_words(what: &str, scores: &RatingModelScores) -> String {
    let score = |score: treegauge_learn::Score, digits: usize| {
        format!("{:.digits$} ({:.digits$} to {:.digits$})", score.mean, score.low, score.high)
    };
    format!(
        "{what}, from games that it has not seen: mean absolute error {} points, rank correlation {}; {:.0}% of the ratings lie in their 80% intervals, which are {:.0} points wide in the mean.",
        score(scores.mean_absolute_error, 0),
        score(scores.rank_correlation, 2),
        100.0 * scores.coverage.mean,
        scores.interval_width
    )
}

/// Definition of the three classes.
const CLASS_WORDS: &str = "The class is the likeliest of three: easy, rated below 1462 by people; medium; and hard, \
                           from 1879.";

/// Warning that the model learned from problems measured in another way; `None` if both ways are
/// the same.
pub(super) fn misfit_words(model: &RatingModelCard, measured: &MeasuredWith) -> Option<String> {
    (model.measured != *measured).then(|| {
        format!(
            "The model learned from problems that were measured in another way, so its intervals cannot be relied on here: {}; not {}.",
            model.measured.words(),
            measured.words()
        )
    })
}

/// Limits of the ratings, in sentences.
fn notes(report: &DifficultyReport) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(model) = &report.model {
        notes.push(
            "The points behind a reason say how much higher the rating is than with the same of other problems. \
         Ratings are on the scale of the problems that the model learned from."
                .to_owned(),
        );
        notes.push(CLASS_WORDS.to_owned());
        notes.extend(misfit_words(model, &report.measured));
        let without = report.rows.iter().filter(|row| row.difficulty.is_some() && !row.has_line);
        let without = without.count();
        if without > 0 {
            notes.push(format!(
                "{} no whole solution, so what holds of problems without one holds of {}.",
                if without == 1 {
                    "1 of the problems has".to_owned()
                } else {
                    format!("{without} of the problems have")
                },
                if without == 1 { "it" } else { "them" }
            ));
        }
    }
    let known = report.rows.iter().filter(|row| row.known && row.difficulty.is_some()).count();
    if known > 0 {
        notes.push(format!(
            "The model learned from {} of these problems, so their ratings are nearer to those of people than the ratings of new problems are.",
            if known == report.rows.len() { "all".to_owned() } else { known.to_string() }
        ));
    }
    let capped = report.rows.iter().filter(|row| row.capped).count();
    if capped > 0 {
        notes.push(format!(
            "{} cut off at {} kept moves.",
            if capped == 1 { "1 tree was".to_owned() } else { format!("{capped} trees were") },
            report.measured.settings.nodes_max
        ));
    }
    notes
}
