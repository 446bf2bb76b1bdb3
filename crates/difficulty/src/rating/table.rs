//! Tables of problems with ratings and attributes.

use std::collections::HashMap;
use std::io::Read;

use treegauge_learn::{Examples, LearnError, Task};
use treegauge_store::{Sheet, SheetRow, has_no_value};

use super::report::MeasuredWith;
use super::{DifficultyError, PROBLEMS_MIN};
use crate::chess::{RATING_MAX, chess_attributes};

/// Measured problem that people rated.
#[derive(Clone, Debug, PartialEq)]
pub struct ProblemToLearn {
    /// Name.
    pub id: String,
    /// FEN of the position.
    pub fen: String,
    /// Game that the problem comes from, if it is known. Problems of one game stay together in a
    /// cross-validation.
    pub game: Option<String>,
    /// Difficulty for people, from 0 to [`RATING_MAX`].
    pub rating: f64,
    /// Attributes in the order of [`chess_attributes`]; 0 if the puzzle lacks the solution that one
    /// needs.
    pub attributes: Vec<f64>,
    /// Whether its solution is a whole line.
    pub has_line: bool,
}

/// Rated and measured problems to learn from.
#[derive(Clone, Debug, PartialEq)]
pub struct RatedProblems {
    /// Settings of the measurement, the same for all problems.
    pub measured: MeasuredWith,
    /// The problems, at least [`PROBLEMS_MIN`].
    pub problems: Vec<ProblemToLearn>,
}

/// Columns that are read besides those of [`MeasuredWith`] and the attributes.
const COLUMNS: [&str; 5] = ["id", "fen", "given_rating", "game", "solution"];

impl RatedProblems {
    /// Makes a table of measured problems.
    ///
    /// # Errors
    ///
    /// When there are too few, or all have the same rating.
    pub fn new(
        measured: MeasuredWith,
        problems: Vec<ProblemToLearn>,
    ) -> Result<RatedProblems, DifficultyError> {
        if problems.len() < PROBLEMS_MIN {
            return Err(DifficultyError::Few { found: problems.len() });
        }
        if problems.iter().all(|one| one.rating == problems[0].rating) {
            return Err(DifficultyError::Constant);
        }
        Ok(RatedProblems { measured, problems })
    }

    /// Reads a table of rated puzzles with their attributes. Its columns are those that
    /// `difficulty` writes, in any order. Rows without a rating or without attributes are left out.
    ///
    /// # Errors
    ///
    /// When a column is missing, a row has an error, or the problems are too few, have equal
    /// ratings or were measured in different ways.
    pub fn read(file: impl Read) -> Result<RatedProblems, DifficultyError> {
        let io = |error: std::io::Error| DifficultyError::Io(error.to_string());
        let mut sheet = Sheet::open(file, &COLUMNS).map_err(io)?;
        let place =
            |name: &str| sheet.column(name).ok_or_else(|| DifficultyError::Column(name.to_owned()));
        let [id, fen, rating, game, solution] = COLUMNS.map(place);
        let (id, fen, rating, game, solution) = (id?, fen?, rating?, game?, solution?);
        let ways = MeasuredWith::COLUMNS.map(place).into_iter().collect::<Result<Vec<_>, _>>()?;
        let known = chess_attributes(MeasuredWith::LEVELS);
        let columns = known.iter().map(|one| place(&one.name)).collect::<Result<Vec<_>, _>>()?;
        let titles: HashMap<usize, String> =
            sheet.titles().map(|(n, title)| (n, title.to_owned())).collect();
        let mut measured: Option<MeasuredWith> = None;
        let mut problems = Vec::new();
        while let Some(row) = sheet.next() {
            let SheetRow { line: at, cells } = row.map_err(|error| csv_error(&error))?;
            let wrong = |problem: String| DifficultyError::Row { line: at, problem };
            if cells.len() != sheet.width() {
                let (found, width) = (cells.len(), sheet.width());
                return Err(wrong(format!("{found} cells; the header has {width}")));
            }
            let cell = |n: usize| cells.get(n).unwrap_or_default();
            let number = |n: usize| -> Result<Option<f64>, DifficultyError> {
                let text = cell(n);
                if has_no_value(text) {
                    return Ok(None);
                }
                match sheet.number(text) {
                    Some(number) if number.is_finite() => Ok(Some(number)),
                    _ => Err(wrong(format!(
                        "{text:?} in column `{}` is not a finite number",
                        titles[&n]
                    ))),
                }
            };
            // A row without a line has empty cells for attributes that need one.
            let last = columns.last().map_or(Ok(None), |&n| number(n))?;
            let has_line = !cell(solution).is_empty() && last.is_some();
            let Some(rating) = number(rating)? else { continue };
            if !(0.0..=RATING_MAX).contains(&rating) {
                let problem =
                    format!("the given rating is {rating}, which is not from 0 to {RATING_MAX}");
                return Err(wrong(problem));
            }
            let mut attributes = Vec::with_capacity(columns.len());
            let mut is_measured = true;
            for (&column, attribute) in columns.iter().zip(&known) {
                let value = number(column)?;
                is_measured &= value.is_some() || (attribute.needs_solution && !has_line);
                attributes.push(value.unwrap_or(0.0));
            }
            if !is_measured {
                continue;
            }
            let texts: Vec<_> = ways.iter().map(|&n| sheet.plain(cell(n))).collect();
            let texts: Vec<&str> = texts.iter().map(|text| &**text).collect();
            let way = MeasuredWith::from_cells(&texts).map_err(wrong)?;
            if let Some(first) = &measured
                && *first != way
            {
                let [first, other] = [first, &way].map(MeasuredWith::words);
                return Err(DifficultyError::Mixed { first, other });
            }
            measured.get_or_insert(way);
            let game = Some(cell(game)).filter(|game| !game.is_empty()).map(str::to_owned);
            problems.push(ProblemToLearn {
                id: cell(id).to_owned(),
                fen: cell(fen).to_owned(),
                game,
                rating,
                attributes,
                has_line,
            });
        }
        RatedProblems::new(measured.unwrap_or_default(), problems)
    }

    /// Examples of the problems `which`, with their `rows` of attributes, grouped by game.
    pub(super) fn examples<'a>(
        &self,
        rows: &'a [Vec<f64>],
        task: Task,
        which: &[usize],
        target: impl Fn(&ProblemToLearn) -> f64,
    ) -> Result<Examples<'a>, LearnError> {
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        let groups = which.iter().map(|&n| {
            let next = numbers.len();
            match &self.problems[n].game {
                Some(game) => *numbers.entry(game).or_insert(next),
                None => *numbers.entry(&self.problems[n].id).or_insert(next),
            }
        });
        let groups = groups.collect();
        let targets = which.iter().map(|&n| target(&self.problems[n])).collect();
        Examples::new(task, rows.iter().map(Vec::as_slice).collect(), targets, groups)
    }

    /// Rows of the problems `which`, with the attributes `columns`.
    pub(super) fn rows(&self, which: &[usize], columns: &[usize]) -> Vec<Vec<f64>> {
        let row = |&n: &usize| columns.iter().map(|&c| self.problems[n].attributes[c]).collect();
        which.iter().map(row).collect()
    }
}

fn csv_error(error: &csv::Error) -> DifficultyError {
    let line = error.position().map_or(1, csv::Position::line);
    match error.kind() {
        csv::ErrorKind::Utf8 { .. } => {
            DifficultyError::Row { line, problem: "the text is not UTF-8".to_owned() }
        }
        _ => DifficultyError::Io(error.to_string()),
    }
}
