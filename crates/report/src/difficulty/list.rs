//! Rated problems as a list: entries that do not give the solutions away.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use treegauge_difficulty::chess::{Position, Soundness};
use treegauge_difficulty::{
    BadRow, DifficultyClass, DifficultyReport, PredictedDifficulty, PredictedProblem,
};

use super::{chances, interval, model_words, notes, summary, warnings_of, width_words};
use crate::words::{counted, grouped};

/// Problem as an entry of a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProblemCard {
    /// Number of its row in the report, from 1.
    pub number: u32,
    /// Name in the file, or the line number if it has none.
    pub id: String,
    /// Line number in the file, from 1.
    pub line: u64,
    /// FEN of the position.
    pub fen: String,
    /// Side to move in words: `White to move` or `Black to move`.
    pub side: String,
    /// Small picture of the position, for a page that has
    /// [`board_symbols`](treegauge_difficulty::chess::board_symbols) once.
    pub picture: String,
    /// Predicted difficulty; `None` if there is none.
    pub difficulty: Option<PredictedDifficulty>,
    /// Rating with its 80% interval in words; empty without a prediction.
    pub rating: String,
    /// Probabilities of easy, medium and hard in words; empty without a prediction.
    pub chances: String,
    /// Rating in the file; `None` if it has none.
    pub given_rating: Option<f64>,
    /// Themes in the file.
    pub themes: Vec<String>,
    /// Reason that the problem is not sound, in words; `None` if it is, or was not tested. JSON leaves it
    /// out, because it may name moves.
    #[serde(skip)]
    pub flaw: Option<String>,
    /// Reason that the problem is not measured; `None` if it is.
    pub unrated: Option<String>,
}

impl ProblemCard {
    /// Entry of the row with this index.
    #[must_use]
    pub fn of(index: usize, row: &PredictedProblem) -> ProblemCard {
        let position = Position::parse(&row.fen).ok();
        let is_white = position.as_ref().is_some_and(Position::white_to_move);
        let side = if is_white { "White to move" } else { "Black to move" };
        let found = row.difficulty.as_ref();
        let is_sound = row.soundness.is_none_or(|verdict| verdict == Soundness::Sound);
        let flaw = row.note.clone().unwrap_or_else(|| "not sound".to_owned());
        ProblemCard {
            flaw: (!is_sound).then_some(flaw),
            number: index as u32 + 1,
            id: row.id.clone(),
            line: row.line,
            fen: row.fen.clone(),
            side: side.to_owned(),
            picture: position.map_or_else(String::new, |at| at.small_svg(row.last_move.as_ref())),
            difficulty: row.difficulty,
            rating: found.map_or_else(String::new, interval),
            chances: found.map_or_else(String::new, chances),
            given_rating: row.given_rating,
            themes: row.themes.clone(),
            unrated: row.unrated.clone(),
        }
    }
}

/// Facts about all problems of a list, in words and numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProblemList {
    /// Number of problems in each class, in a sentence.
    pub summary: String,
    /// Width of the intervals in a sentence; empty without a model.
    pub width: String,
    /// Facts that make the ratings less reliable, in sentences.
    pub warnings: Vec<String>,
    /// Sentences about unrated problems, one for each cause.
    pub unrated: Vec<String>,
    /// Rows of the file that are not valid problems.
    pub bad_rows: Vec<BadRow>,
    /// Origin of the ratings, in sentences.
    pub method: Vec<String>,
    /// Number of problems.
    pub count: usize,
    /// Classes that occur.
    pub classes: Vec<DifficultyClass>,
    /// Themes with the number of their problems, the most frequent first.
    pub themes: Vec<(String, usize)>,
}

impl ProblemList {
    /// Facts about the problems of a report.
    #[must_use]
    pub fn of(report: &DifficultyReport) -> ProblemList {
        let mut causes: BTreeMap<&str, u64> = BTreeMap::new();
        for row in report.unrated() {
            *causes.entry(row.unrated.as_deref().unwrap_or_default()).or_default() += 1;
        }
        let all = counted(report.rows.len() as u64, "problem");
        let unrated = |(cause, count): (&str, u64)| {
            let is = if count == 1 { "is" } else { "are" };
            format!("{} of {all} {is} unrated: {cause}.", grouped(count))
        };
        let mut themes: BTreeMap<&str, usize> = BTreeMap::new();
        for theme in report.rows.iter().flat_map(|row| &row.themes) {
            *themes.entry(theme).or_default() += 1;
        }
        let mut themes: Vec<(String, usize)> =
            themes.into_iter().map(|(theme, count)| (theme.to_owned(), count)).collect();
        themes.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let has = |class: &DifficultyClass| {
            report.rows.iter().any(|row| row.difficulty.is_some_and(|found| found.class == *class))
        };
        ProblemList {
            summary: summary(report),
            width: width_words(report).unwrap_or_default(),
            warnings: warnings_of(report),
            unrated: causes.into_iter().map(unrated).collect(),
            bad_rows: report.bad_rows.clone(),
            method: report.model.iter().flat_map(model_words).chain(notes(report)).collect(),
            count: report.rows.len(),
            classes: DifficultyClass::ALL.into_iter().filter(has).collect(),
            themes,
        }
    }
}
