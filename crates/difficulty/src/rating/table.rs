//! Tables of problems with ratings and attributes.

use std::collections::HashMap;
use std::io::Read;

use treegauge_learn::{Examples, LearnError, Task};
use treegauge_store::{Sheet, SheetRow, has_no_value};

use super::report::MeasuredWith;
use super::{DifficultyError, PROBLEMS_MIN};
use crate::chess::{AttributeKind, ChessAttribute, RATING_MAX, chess_attributes};

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
    /// Attributes in the order of [`chess_attributes`]; `None` for those that need an engine,
    /// networks or a solution that the measurement did not have.
    pub attributes: Vec<Option<f64>>,
    /// Whether its solution is a whole line.
    pub has_line: bool,
}

/// Rated and measured problems to learn from.
#[derive(Clone, Debug, PartialEq)]
pub struct RatedProblems {
    /// Settings of the measurement, the same for all problems that an engine measured.
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
        let column = |one: &ChessAttribute| match place(&one.name) {
            // A table without networks may lack their columns.
            Err(_) if one.kind == AttributeKind::Network => Ok(None),
            place => place.map(Some),
        };
        let columns = known.iter().map(column).collect::<Result<Vec<_>, _>>()?;
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
            let Some(rating) = number(rating)? else { continue };
            if !(0.0..=RATING_MAX).contains(&rating) {
                let problem =
                    format!("the given rating is {rating}, which is not from 0 to {RATING_MAX}");
                return Err(wrong(problem));
            }
            let attributes = columns.iter().map(|column| column.map_or(Ok(None), &number));
            let attributes = attributes.collect::<Result<Vec<Option<f64>>, _>>()?;
            let has = |wanted: &dyn Fn(&ChessAttribute) -> bool| {
                let mut of = known.iter().zip(&attributes).filter(|(one, _)| wanted(one));
                of.all(|(_, value)| value.is_some())
            };
            // A row that was not measured has no attributes at all.
            if !has(&|one| one.kind == AttributeKind::Position) {
                continue;
            }
            let has_line =
                !cell(solution).is_empty() && has(&|one| one.kind == AttributeKind::Solution);
            let texts: Vec<_> = ways.iter().map(|&n| sheet.plain(cell(n))).collect();
            let texts: Vec<&str> = texts.iter().map(|text| &**text).collect();
            // Without an engine there are no settings.
            if !has_no_value(texts[0]) {
                let way = MeasuredWith::from_cells(&texts).map_err(wrong)?;
                if let Some(first) = &measured
                    && *first != way
                {
                    let [first, other] = [first, &way].map(MeasuredWith::words);
                    return Err(DifficultyError::Mixed { first, other });
                }
                measured.get_or_insert(way);
            }
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

    /// Rows of the problems `which`, with the attributes `columns`; 0 for one that is unknown.
    pub(super) fn rows(&self, which: &[usize], columns: &[usize]) -> Vec<Vec<f64>> {
        let value = |n: usize, c: usize| self.problems[n].attributes[c].unwrap_or(0.0);
        let row = |&n: &usize| columns.iter().map(|&c| value(n, c)).collect();
        which.iter().map(row).collect()
    }

    /// Problems for which all of these attributes are known.
    pub(super) fn complete(&self, columns: &[usize]) -> Vec<usize> {
        let is_complete =
            |&n: &usize| columns.iter().all(|&c| self.problems[n].attributes[c].is_some());
        (0..self.problems.len()).filter(is_complete).collect()
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
