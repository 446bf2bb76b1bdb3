//! Report of the difficulty of problems.

mod evaluation;
mod explained;
mod list;
mod page;
mod practice;
mod problem;
mod solving;
mod table;
mod tree_part;
mod worksheet;

use std::fmt::Write;

use treegauge_difficulty::chess::PEOPLE;
use treegauge_difficulty::{
    DifficultyReport, Evidence, MeasuredWith, PredictedDifficulty, PredictedProblem, ProblemSet,
    RatingModelCard, RatingModelScores, UNRATED_MAX,
};
use treegauge_doc::{
    Block, Cell, Column, Doc, Figure, Medium, ParagraphStyle, Scale, Table, Tone, Words,
};

use crate::boards::{Boards, Document};
use crate::pictures;
use crate::words::{and_listed, command, counted, counted_grouped, grouped};

pub(crate) use evaluation::set_words;
pub use explained::{ExplainedProblem, FirstMove, RatingStep, TreeRow, nearest_problems};
pub use list::{ProblemCard, ProblemList};
pub use page::{numbered_line, solution_line};
pub use practice::chess_practice;
pub(crate) use problem::{often, problem_board, rated_words, tree_words};
pub use problem::{problem_dot, problem_svg};
pub use solving::{ChessAnswer, ChessAnswers, ChessDefence, ChessSolving, chess_solving};
pub use table::{DifficultyTable, DifficultyTableFormat, TableAttributes};
pub use worksheet::{
    WORKSHEET_PROBLEMS_MAX, WORKSHEET_STYLE, worksheet_boards, worksheet_key, worksheet_page,
};

impl Document for DifficultyReport {
    fn doc(&self, _: &dyn Boards) -> Doc {
        let mut doc = Doc::new("problems by difficulty");
        if self.incomplete {
            doc.push(Block::warning("INCOMPLETE: not all problems are rated."));
        }
        let (headline, lead) = (summary(self), width_words(self));
        let (others, warnings) = (not_rated(self), warnings_of(self));
        let words = lead.as_ref().map_or(headline.clone(), |lead| format!("{headline} {lead}"));
        doc.push(Block::TextOnly(vec![Block::text(words)]));
        let verdict = Block::Verdict {
            tone: Tone::Undecided,
            headline: headline.into(),
            lead: lead.unwrap_or_default().into(),
            points: warnings.iter().map(|line| line.as_str().into()).collect(),
        };
        doc.push(Block::PagesOnly(vec![Block::heading(1, "Problems by difficulty"), verdict]));
        let table = problem_table(self);
        if !table.rows.is_empty() {
            doc.push(Block::TextOnly(vec![table.into()]));
            if self.model.is_some() {
                doc.push(Block::note(CLASS_WORDS));
            }
        }
        let lines = others.iter().chain(&warnings).map(String::as_str);
        doc.push(Block::TextOnly(vec![Block::notes(lines)]));
        doc.push(Block::PagesOnly(page::problems(self)));
        if !others.is_empty() {
            let list = others.into_iter().map(Words::from).collect();
            let list = Block::List(ParagraphStyle::Plain, list);
            doc.push(Block::PagesOnly(vec![Block::heading(2, "Not rated"), list]));
        }
        let measured = self.rows.iter().filter(|row| row.unrated.is_none());
        let reasons = measured.map(|row| format!("{}: {}", row.id, why(row)));
        let reasons = Block::TextOnly(vec![Block::notes(reasons)]);
        let method = Block::notes(self.model.iter().flat_map(model_words).chain(notes(self)));
        doc.push(Block::fold("Reasons and method", vec![reasons, method]));
        let rated = self.rows.iter().filter(|row| row.difficulty.is_some()).count();
        if self.for_rating.is_none() && self.set.is_none() && rated > 1 {
            let sorted = command("difficulty", &["FILE", "--for-rating", "1500"]);
            doc.next(format!("{sorted} lists those for a solver of rating 1500 first."));
        }
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
    let solver = report.for_rating.filter(|_| report.model.is_some());
    let solved = solver.map(|solver| format!("solved at {solver:.0}"));
    titles.extend(solved.as_deref());
    titles.extend(has_given.then_some("people's rating"));
    let has_notes = report.rows.iter().any(|row| row.note.is_some());
    let columns = titles.into_iter().map(Column::left);
    let columns = columns.chain(has_notes.then(|| Column::left("note")));
    // The tree in words is all that there is to say without a model.
    let medium = if report.model.is_some() { Medium::Pages } else { Medium::All };
    let columns = columns.chain([Column::left("why").only(medium)]);
    let mut columns: Vec<Column> = columns.collect();
    if report.model.is_some() {
        columns.insert(2, Column::chart("500             3000"));
    }
    let mut table = Table::new("problems", columns);
    for row in report.sorted().into_iter().filter(|row| row.unrated.is_none()) {
        let mut cells = vec![Cell::from(row.id.as_str())];
        if report.model.is_some() {
            let found = row.difficulty.as_ref();
            cells.push(Cell::from(found.map_or_else(String::new, interval)));
            cells.push(Cell::from(found.map_or_else(String::new, chart)));
            cells.push(Cell::from(found.map_or("", |found| found.class.name())));
            cells.push(Cell::from(found.map_or_else(String::new, chances)));
            if let Some(solver) = solver {
                let chance = found.map(|found| found.chance_to_solve(solver));
                let words = chance.map_or_else(String::new, |p| format!("{:.0}%", 100.0 * p));
                cells.push(Cell::number(words, chance));
            }
        }
        if has_given {
            let words = row.given_rating.map_or_else(String::new, |rating| format!("{rating:.0}"));
            cells.push(Cell::number(words, row.given_rating));
        }
        cells.extend(has_notes.then(|| Cell::from(row.note.clone().unwrap_or_default())));
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
        return format!("{} measured, not rated.", counted(measured as u64, "problem"));
    }
    let rated: Vec<&PredictedDifficulty> =
        report.rows.iter().filter_map(|row| row.difficulty.as_ref()).collect();
    let of = |class: &str| rated.iter().filter(|found| found.class.name() == class).count();
    if let Some(set) = report.set.filter(|_| report.rows.is_empty()) {
        return chosen_words(&set, 0).trim_end().to_owned();
    }
    if report.rows.is_empty() {
        let rows = counted_grouped(report.bad_rows.len() as u64, "row");
        return format!(
            "No chess problem was found in {rows}. A row begins with a FEN, the first row names \
             columns such as FEN and Moves, or a game of PGN has the tag FEN."
        );
    }
    let set = report.set.map_or_else(String::new, |set| chosen_words(&set, rated.len()));
    let mut text = match rated.len() {
        0 => format!("{set}{}, none rated", counted_grouped(report.rows.len() as u64, "problem")),
        count => format!(
            "{set}{}: {} easy, {} medium, {} hard",
            counted(count as u64, "problem"),
            of("easy"),
            of("medium"),
            of("hard")
        ),
    };
    let unrated = report.unrated().count();
    if unrated > 0 {
        let _ = write!(text, "; {} unrated", grouped(unrated as u64));
    }
    let without = report.not_puzzles().count();
    if without > 0 {
        let _ = write!(
            text,
            "; {} without a rating, for the reason in the note",
            grouped(without as u64)
        );
    }
    match report.for_rating {
        Some(asked) => {
            let _ = write!(text, "; those rated nearest to {asked:.0} come first");
        }
        None if rated.len() > 1 => text.push_str("; the easiest comes first"),
        None => {}
    }
    text.push('.');
    text
}

/// Choice of a set, as the beginning of a sentence.
fn chosen_words(set: &ProblemSet, found: usize) -> String {
    let range = format!("rated {:.0} to {:.0}", set.low, set.high);
    let of = counted_grouped(set.of, "rated problem");
    if found == 0 {
        return format!("None of {of} fits into a set of {} {range}. ", set.count);
    }
    if (found as u64) < u64::from(set.count) {
        return format!("Only {found} of {of} fit into a set of {} {range}. ", set.count);
    }
    format!("A set {range}, from {of}. ")
}

/// Width of the intervals of ratings, in a sentence; `None` without a model.
fn width_words(report: &DifficultyReport) -> Option<String> {
    let model = report.model.as_ref()?;
    let rated: Vec<Evidence> =
        report.rows.iter().filter_map(|row| row.difficulty.map(|found| found.evidence)).collect();
    let width = |evidence: Evidence| Some(model.scores(evidence)?.interval_width);
    let widths = || Evidence::ALL.into_iter().filter(|one| rated.contains(one)).filter_map(width);
    let least = widths().reduce(f64::min)?;
    let greatest = widths().fold(least, f64::max);
    let widths = match (format!("{least:.0}"), format!("{greatest:.0}")) {
        (least, greatest) if least == greatest => least,
        (least, greatest) => format!("{least} to {greatest}"),
    };
    let of_one = rated.len() == 1;
    let without = |one: &Evidence| matches!(one, Evidence::Solution | Evidence::Networks);
    let source = if rated.iter().all(without) { " without an engine" } else { "" };
    // Of a single problem the table shows the interval.
    (!of_one).then(|| {
        format!(
            "Four of five ratings{source} lie in their intervals, which are about {widths} points wide."
        )
    })
}

/// Greatest number of faults listed of a file without a problem.
const FAULTS_MAX: usize = 3;

/// Rows without a rating, each with its cause; at most [`UNRATED_MAX`], then the number of the
/// others.
fn not_rated(report: &DifficultyReport) -> Vec<String> {
    let unrated = report.unrated().map(|row| {
        let cause = row.unrated.as_deref().unwrap_or_default();
        format!("{} (line {}) is unrated: {cause}", row.id, row.line)
    });
    let bad =
        report.bad_rows.iter().map(|row| format!("line {} is skipped: {}", row.line, row.problem));
    let all: Vec<String> = unrated.chain(bad).collect();
    // Of a file of another kind a few lines are enough.
    let named = if report.rows.is_empty() { FAULTS_MAX } else { UNRATED_MAX };
    let more = all.len().saturating_sub(named);
    let mut lines: Vec<String> = all.into_iter().take(named).collect();
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
pub(crate) fn why(row: &PredictedProblem) -> String {
    let reasons =
        row.reasons.iter().map(|reason| format!("{} ({:+.0})", reason.words, reason.effect));
    let words = row.reasons.is_empty().then(|| row.words.clone());
    row.note.clone().into_iter().chain(words).chain(reasons).collect::<Vec<_>>().join("; ")
}

/// Origin of a model and its scores, in sentences.
fn model_words(model: &RatingModelCard) -> Vec<String> {
    let date = model.date.as_ref().map_or_else(String::new, |date| format!(", {date}"));
    vec![format!(
        "Model {}{date}, digest {}, trained by treegauge {} on the ratings of {} problems.",
        model.name,
        model.digest,
        model.version,
        grouped(model.predictors.iter().map(|one| one.scores.problems).max().unwrap_or(0) as u64)
    )]
    .into_iter()
    .chain(model.predictors.iter().map(|one| scores_words(one.evidence.words(), &one.scores)))
    .collect()
}

fn scores_words(what: &str, scores: &RatingModelScores) -> String {
    let score = |score: treegauge_learn::Score, digits: usize| {
        format!("{:.digits$} ({:.digits$} to {:.digits$})", score.mean, score.low, score.high)
    };
    format!(
        "Ratings by {what}, in cross-validation by game, {} problems: mean absolute error {} points, rank correlation {}; {:.0}% of the ratings lie in their 80% intervals, which are {:.0} points wide on average.",
        grouped(scores.problems as u64),
        score(scores.mean_absolute_error, 0),
        score(scores.rank_correlation, 2),
        100.0 * scores.coverage.mean,
        scores.interval_width
    )
}

/// Definition of the three classes.
const CLASS_WORDS: &str = "The class is the most probable of three: easy, rated below 1,462 by people; medium; and hard, \
                           from 1,879.";

/// Warning that the model learned from problems measured in another way; `None` if both ways are
/// the same.
pub(super) fn misfit_words(model: &RatingModelCard, measured: &MeasuredWith) -> Option<String> {
    (!model.measured.fits(measured)).then(|| {
        format!(
            "The model learned from problems measured in another way, so its intervals are not reliable here: {}; not {}.",
            model.measured.words(),
            measured.words()
        )
    })
}

/// Warning that ratings follow from networks for other people than those that models learn from;
/// `None` if they do not.
pub(super) fn networks_words(
    networks: &[f64],
    mut evidence: impl Iterator<Item = Evidence>,
) -> Option<String> {
    let is_by_networks =
        |one: Evidence| matches!(one, Evidence::EngineAndNetworks | Evidence::Networks);
    if networks.is_empty() || *networks == PEOPLE || !evidence.any(is_by_networks) {
        return None;
    }
    let ratings =
        |of: &[f64]| and_listed(&of.iter().map(f64::to_string).collect::<Vec<_>>(), usize::MAX);
    let (learned, used) = (ratings(&PEOPLE), ratings(networks));
    let used = match networks.len() {
        1 => format!("one for {used}"),
        _ => format!("those for {used}"),
    };
    Some(format!(
        "The model learned from networks for people rated {learned}; with {used} the ratings are less precise than \
         the intervals and the figures of the model say."
    ))
}

/// Facts that make ratings less reliable than the report looks, in sentences.
fn warnings_of(report: &DifficultyReport) -> Vec<String> {
    let both = report.model.as_ref().zip(report.measured.as_ref());
    let misfit = both.and_then(|(model, measured)| misfit_words(model, measured));
    let known = report.rows.iter().filter(|row| row.known && row.difficulty.is_some()).count();
    let known = (known > 0).then(|| {
        let which = match known {
            all if all == report.rows.len() => "all of these problems".to_owned(),
            some => format!("{} of these problems", grouped(some as u64)),
        };
        format!("The model was trained on {which}: it rates new problems less precisely.")
    });
    let evidence = report.rows.iter().filter_map(|row| row.difficulty).map(|one| one.evidence);
    let networks = networks_words(&report.networks, evidence);
    misfit.into_iter().chain(networks).chain(known).collect()
}

/// Evidence of the ratings, in sentences: one for each kind that was used.
fn evidence_words(report: &DifficultyReport) -> Vec<String> {
    let of = |evidence: Evidence| {
        let uses = |row: &&PredictedProblem| {
            row.difficulty.is_some_and(|found| found.evidence == evidence)
        };
        match report.rows.iter().filter(uses).count() {
            0 => None,
            1 => Some(format!("1 problem is rated by: {}.", evidence.words())),
            n => {
                Some(format!("{} problems are rated by: {}.", grouped(n as u64), evidence.words()))
            }
        }
    };
    Evidence::ALL.into_iter().filter_map(of).collect()
}

/// Method and limits of the ratings, in sentences.
fn notes(report: &DifficultyReport) -> Vec<String> {
    let mut notes = Vec::new();
    if report.model.is_some() {
        notes.push(
            "The points after a reason are its effect on the rating, compared with other problems. Ratings are on \
             the scale of the problems that the model learned from."
                .to_owned(),
        );
        notes.extend(report.for_rating.map(|solver| {
            format!(
                "The chance that a person rated {solver:.0} solves a problem counts the problem as an opponent of its \
                 rating (Elo), averaged over the uncertainty of the rating."
            )
        }));
        notes.extend(evidence_words(report));
        match report.rows.iter().filter(|row| row.completed).count() {
            0 => {}
            1 => notes.push("1 solution is completed by the engine.".to_owned()),
            n => {
                notes.push(format!("{} solutions are completed by the engine.", grouped(n as u64)))
            }
        }
    }
    match report.rows.iter().filter(|row| row.capped).count() {
        0 => {}
        n => notes.push(format!(
            "{} cut off at {} kept moves.",
            if n == 1 {
                "1 tree was".to_owned()
            } else {
                format!("{} trees were", grouped(n as u64))
            },
            grouped(report.measured.as_ref().map_or(0, |one| one.settings.nodes_max))
        )),
    }
    notes
}
