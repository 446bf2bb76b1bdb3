//! Tables of problems with ratings and attributes.

use std::borrow::Cow;
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
    /// Names of the attributes that have no column in the table that the problems come from. No problem
    /// has values of them.
    pub missing: Vec<String>,
}

/// Columns that each table has, besides those of attributes.
const COLUMNS: [&str; 4] = ["id", "fen", "given_rating", "solution"];

/// Columns that are read if they are there. Data frames drop columns without any value, such as the
/// options of an engine that has none; a table that was measured without an engine then lacks all
/// columns of [`MeasuredWith`].
const OPTIONAL: [&str; 3] = ["game", ENGINE, "engine_options"];

const ENGINE: &str = "engine";

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
        Ok(RatedProblems { measured, problems, missing: Vec::new() })
    }

    /// Reads a table of rated puzzles with their attributes. Its columns are those that
    /// `difficulty` writes, in any order; those of some attributes may be missing. Rows without a
    /// rating or without attributes are left out.
    ///
    /// # Errors
    ///
    /// When a column that each table has is missing, a row has an error, or the problems are too few,
    /// have equal ratings or were measured in different ways.
    pub fn read(file: impl Read) -> Result<RatedProblems, DifficultyError> {
        let io = |error: std::io::Error| DifficultyError::Io(error.to_string());
        let mut sheet = Sheet::open(file, &COLUMNS).map_err(io)?;
        let place = |name: &str| {
            // R writes each parenthesis in a title as a dot.
            let dotted = || sheet.column(&name.replace(['(', ')'], "."));
            sheet.column(name).or_else(dotted)
        };
        let needed =
            |name: &str| place(name).ok_or_else(|| DifficultyError::Column(name.to_owned()));
        let [id, fen, rating, solution] = COLUMNS.map(needed);
        let (id, fen, rating, solution) = (id?, fen?, rating?, solution?);
        let game = place("game");
        let has_engine = place(ENGINE).is_some();
        let way = |name: &str| match place(name) {
            None if has_engine && !OPTIONAL.contains(&name) => {
                Err(DifficultyError::Column(name.to_owned()))
            }
            place => Ok(place),
        };
        let ways = MeasuredWith::COLUMNS.map(way).into_iter().collect::<Result<Vec<_>, _>>()?;
        let known = chess_attributes(MeasuredWith::LEVELS);
        let columns: Vec<Option<usize>> = known.iter().map(|one| place(&one.name)).collect();
        let is_there = |kind: AttributeKind| {
            known.iter().zip(&columns).any(|(one, column)| one.kind == kind && column.is_some())
        };
        if columns.iter().all(Option::is_none) {
            return Err(DifficultyError::Column(known[0].name.clone()));
        }
        let has_position = is_there(AttributeKind::Position);
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
            let has = |kind: AttributeKind| {
                let of = known.iter().zip(&columns).zip(&attributes);
                let mut of = of.filter(|((one, column), _)| one.kind == kind && column.is_some());
                of.all(|(_, value)| value.is_some())
            };
            // A row that was not measured has no attributes at all.
            let is_measured = if has_position {
                has(AttributeKind::Position)
            } else {
                attributes.iter().any(Option::is_some)
            };
            if !is_measured {
                continue;
            }
            let has_line = !has_no_value(cell(solution)) && has(AttributeKind::Solution);
            let text = |&n: &Option<usize>| match n.map(cell) {
                Some(text) if !has_no_value(text) => sheet.plain(text),
                _ => Cow::Borrowed(""),
            };
            let texts: Vec<Cow<'_, str>> = ways.iter().map(text).collect();
            let texts: Vec<&str> = texts.iter().map(|text| &**text).collect();
            // Without an engine there are no settings.
            if texts[0].is_empty() {
                let mut values = known.iter().zip(&attributes);
                if values.any(|(one, value)| one.kind.is_of_engine() && value.is_some()) {
                    if has_engine {
                        return Err(wrong("it has a tree, but no name of an engine".to_owned()));
                    }
                    return Err(DifficultyError::Column(ENGINE.to_owned()));
                }
            } else {
                let way = MeasuredWith::from_cells(&texts).map_err(wrong)?;
                if let Some(first) = &measured
                    && *first != way
                {
                    let [first, other] = [first, &way].map(MeasuredWith::words);
                    return Err(DifficultyError::Mixed { first, other });
                }
                measured.get_or_insert(way);
            }
            let game = game.map(cell).filter(|game| !has_no_value(game)).map(str::to_owned);
            problems.push(ProblemToLearn {
                id: cell(id).to_owned(),
                fen: cell(fen).to_owned(),
                game,
                rating,
                attributes,
                has_line,
            });
        }
        let without = known.iter().zip(&columns).filter(|(_, column)| column.is_none());
        let missing = without.map(|(one, _)| one.name.clone()).collect();
        let read = RatedProblems::new(measured.unwrap_or_default(), problems)?;
        Ok(RatedProblems { missing, ..read })
    }

    /// Checks that a model can learn from the table: only the attributes of networks may lack their
    /// columns, and those of an engine if all of them do.
    pub(super) fn check_columns(&self) -> Result<(), DifficultyError> {
        let known = chess_attributes(MeasuredWith::LEVELS);
        let is_missing = |one: &&ChessAttribute| self.missing.contains(&one.name);
        let is_unmeasured =
            known.iter().filter(|one| one.kind.is_of_engine()).all(|one| is_missing(&one));
        let is_needed = |one: &&ChessAttribute| match one.kind {
            AttributeKind::Network => false,
            kind => !is_unmeasured || !kind.is_of_engine(),
        };
        match known.iter().filter(is_needed).find(is_missing) {
            Some(one) => Err(DifficultyError::Column(one.name.clone())),
            None => Ok(()),
        }
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
