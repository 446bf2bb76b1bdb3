//! Ratings of the puzzles of a file.

use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use treegauge_core::{Interim, Progress, ReportHeader, Watch};
use treegauge_difficulty::chess::Puzzles;
use treegauge_difficulty::{
    BadRow, DifficultyReport, MeasuredWith, PredictedProblem, UNRATED_MAX, attribute_names,
};
use treegauge_report::{
    DifficultyTable, DifficultyTableFormat, Doc, PRACTICE_PROBLEMS_MAX, TableAttributes, counted,
    worksheet_page,
};

use super::super::partial::Asked;
use super::super::{Context, Done, FileOption, ReportForms, TaskFile};
use super::engine::{finish, model};
use super::input::Input;
use super::{AttributesArg, DifficultyTask, PRACTICE, SVG, WORKSHEET, picture};
use crate::{
    ChessEngine, DifficultyRun, Error, ErrorKind, StoredRatingModel, TableFormat,
    chess_practice_file, puzzle_attribute_names,
};

pub(super) fn run(
    task: &DifficultyTask,
    mut input: Input,
    context: &Context<'_>,
) -> Result<Done, Error> {
    let rows = rows(task, context)?;
    let known = input.puzzle_count()?;
    let model = model(task.model.as_deref(), context)?;
    if task.set.is_some() && model.is_none() {
        return Err(Error::new(ErrorKind::Usage, "--set chooses by ratings, so it needs a model"));
    }
    let reader = input.reader();
    let puzzles = Puzzles::open(reader).map_err(|error| input.cannot_read(&error, context))?;
    let puzzles = if task.solver_first { puzzles.solver_first() } else { puzzles };
    let mut run = task.engine.run(3, &task.people(), context)?;
    if rows.is_none() {
        run.options.settings.nodes_max = task.engine.shown_nodes();
    }
    run.keep_attributes = rows.is_some() || context.forms > ReportForms::Text;
    run.keep_trees = context.forms > ReportForms::Text || context.wants(PRACTICE);
    let measured = run.measured_with(context.watch)?;
    let is_without_engine = measured.is_none();
    // Rows go out as they come, unless something else is done with them.
    let streams = rows.filter(|_| task.for_rating.is_none() && task.set.is_none());
    let report_of = |rows: Vec<PredictedProblem>, bad_rows: Vec<BadRow>| DifficultyReport {
        head: ReportHeader::NEW,
        measured: measured.clone(),
        networks: run.networks.clone(),
        model: model.as_ref().map(StoredRatingModel::card),
        attributes: puzzle_attribute_names(),
        for_rating: task.for_rating,
        set: None,
        rows,
        bad_rows,
        incomplete: false,
    };
    let job = Job {
        run: &run,
        model: model.as_ref(),
        context,
        known,
        keeps_rows: streams.is_none()
            || context.forms > ReportForms::Text
            || context.wants(SVG)
            || context.wants(PRACTICE)
            || context.wants(WORKSHEET),
        report_of: &report_of,
    };
    let columns = Columns { attributes: attributes(task), measured: measured.clone() };
    let mut found = Found::default();
    let rated = match streams {
        None => job.rate(puzzles, &mut found, |_| Ok(())),
        Some(format) => written_to(context, |out| {
            let mut table = columns.table(format, out)?;
            job.rate(puzzles, &mut found, |row| table.row(row))?;
            table.finish().map_err(unwritten)
        }),
    };
    if let Err(error) = rated {
        finish(&run);
        return Err(interrupted(error, &run));
    }
    if found.puzzles == 0 && found.bad_rows.is_empty() {
        return Err(input.cannot_read(&"the file has no puzzles", context));
    }
    let mut report = report_of(found.rows, found.bad_rows);
    if let Some(count) = task.set {
        let ratings = task.ratings.map(|range| (range.low, range.high));
        report.choose(count, ratings);
    }
    let practice = practice(task, &report, &run, context);
    let mut notes: Vec<String> = finish(&run).into_iter().collect();
    if task.for_rating.is_some() {
        report.set_chances_to_solve();
        report.sort();
    }
    if let Some(format) = rows.filter(|_| streams.is_none()) {
        written_to(context, |out| {
            let mut table = columns.table(format, out)?;
            report.rows.iter().try_for_each(|row| table.row(row)).map_err(unwritten)?;
            table.finish().map_err(unwritten)
        })?;
    }
    if rows.is_some() {
        let left_out = report.bad_rows.iter().take(UNRATED_MAX);
        notes.extend(left_out.map(|row| format!("line {} is skipped: {}", row.line, row.problem)));
    }
    let unread = found.unread.iter().take(UNRATED_MAX);
    notes.extend(unread.map(|(line, unread)| format!("line {line}: {unread}")));
    let more = found.unread.len().saturating_sub(UNRATED_MAX);
    if more > 0 {
        let more = counted(more as u64, "more row");
        notes.push(format!("... and {more} with unread parts"));
    }
    let problem =
        problem(found.failed, report.bad_rows.len(), task.engine.recover, is_without_engine);
    let text = rows.map(|_| Doc::default());
    // The rows and the report do not depend on the picture.
    let (mut files, unpictured) = match picture(&report, context) {
        Ok(files) => (files, None),
        Err(error) => (Vec::new(), Some(error)),
    };
    let (practice, unpractised) = match practice {
        Err(error) if error.kind() == ErrorKind::Interrupted => return Err(error),
        Err(error) => (None, Some(error)),
        Ok(practice) => (practice, None),
    };
    files.extend(practice);
    let unprinted = match worksheet(task, &report, context) {
        Ok(worksheet) => {
            files.extend(worksheet);
            None
        }
        Err(error) => Some(error),
    };
    let problem = problem.or(unpictured).or(unpractised).or(unprinted);
    Ok(Done { problem, files, notes, text, ..Done::new(report) })
}

/// The practice file of the first problems, if it is asked for.
fn practice(
    task: &DifficultyTask,
    report: &DifficultyReport,
    run: &DifficultyRun,
    context: &Context<'_>,
) -> Result<Option<TaskFile>, Error> {
    if !context.wants(PRACTICE) {
        return Ok(None);
    }
    let mut rows = report.order(task.for_rating);
    rows.truncate(PRACTICE_PROBLEMS_MAX);
    let mut engine = ChessEngine::of(run);
    let page = chess_practice_file(report, &rows, &mut |at: &_| {
        engine.as_mut().and_then(|engine| engine.best(at, context.watch))
    })?;
    if context.watch.stop() {
        return Err(Error::interrupted("the practice file is not written"));
    }
    Ok(Some(TaskFile::new(PRACTICE, page)))
}

/// The worksheet of the first problems, if it is asked for.
fn worksheet(
    task: &DifficultyTask,
    report: &DifficultyReport,
    context: &Context<'_>,
) -> Result<Option<TaskFile>, Error> {
    if !context.wants(WORKSHEET) {
        return Ok(None);
    }
    let page = worksheet_page(report, &report.order(task.for_rating)).ok_or_else(|| {
        Error::new(ErrorKind::Limit, "none of these problems has a solution for a worksheet")
    })?;
    Ok(Some(TaskFile::new(WORKSHEET, page)))
}

/// The format of the rows; `None` if none are requested.
fn rows(task: &DifficultyTask, context: &Context<'_>) -> Result<Option<TableFormat>, Error> {
    let usage = |message: &str| Err(Error::new(ErrorKind::Usage, message));
    let output = context.wanted(FileOption::OUTPUT);
    let rows = task.rows(output)?;
    if rows.is_none() {
        if task.given.has("attributes") {
            return usage("--attributes needs --out or --output: it chooses the columns of a row");
        }
        return Ok(None);
    }
    task.given.refuse(&["json"], if output.is_some() { "--output" } else { "--out" })?;
    match rows {
        Some(TableFormat::Parquet) if output.is_none() => {
            usage("--out parquet needs -o FILE: Parquet is not text")
        }
        rows => Ok(rows),
    }
}

/// The result so far.
#[derive(Default)]
struct Found {
    rows: Vec<PredictedProblem>,
    bad_rows: Vec<BadRow>,
    puzzles: usize,
    /// The number of puzzles without a rating.
    failed: usize,
    /// Unread parts of rows, by line.
    unread: Vec<(u64, String)>,
}

struct Job<'a> {
    run: &'a DifficultyRun,
    model: Option<&'a StoredRatingModel>,
    context: &'a Context<'a>,
    known: u64,
    keeps_rows: bool,
    /// Makes a report of rows.
    report_of: &'a dyn Fn(Vec<PredictedProblem>, Vec<BadRow>) -> DifficultyReport,
}

impl Job<'_> {
    fn rate<R: Read + Send + 'static>(
        &self,
        puzzles: Puzzles<R>,
        found: &mut Found,
        mut write: impl FnMut(&PredictedProblem) -> io::Result<()>,
    ) -> Result<(), Error> {
        let watch = UntilBroken { watch: self.context.watch, is_broken: AtomicBool::new(false) };
        let mut problem = None;
        let asked = Asked::of(self.context);
        let mut take = |row: Result<PredictedProblem, BadRow>| match row {
            Err(row) => found.bad_rows.push(row),
            Ok(row) => {
                found.puzzles += 1;
                found.failed += usize::from(row.unrated.is_some());
                found.unread.extend(row.unread.clone().map(|unread| (row.line, unread)));
                if problem.is_none()
                    && let Err(error) = write(&row)
                {
                    problem = Some(unwritten(error));
                    watch.is_broken.store(true, Ordering::Relaxed);
                }
                if self.keeps_rows {
                    found.rows.push(row);
                    asked.offer(&mut || {
                        let report = (self.report_of)(found.rows.clone(), found.bad_rows.clone());
                        Some(DifficultyReport { incomplete: true, ..report })
                    });
                }
            }
        };
        let work = self.run.rate(puzzles, self.known, self.model, &watch, &mut take);
        match problem {
            Some(problem) => Err(problem),
            None => work.map(drop),
        }
    }
}

/// A watch that also stops once rows can no longer be written.
struct UntilBroken<'a> {
    watch: &'a dyn Watch,
    is_broken: AtomicBool,
}

impl Watch for UntilBroken<'_> {
    fn progress(&self, progress: Progress) {
        self.watch.progress(progress);
    }

    fn note(&self, text: &str) {
        self.watch.note(text);
    }

    fn stop(&self) -> bool {
        self.is_broken.load(Ordering::Relaxed) || self.watch.stop()
    }
}

/// Writes rows to the requested file, whole or not at all, or else to the stream of the context.
fn written_to(
    context: &Context<'_>,
    contents: impl FnOnce(&mut dyn Write) -> Result<(), Error>,
) -> Result<(), Error> {
    if let Some(output) = context.output(FileOption::OUTPUT) {
        return output.write_with(contents);
    }
    let Some(rows) = context.rows else {
        return Err(Error::new(ErrorKind::Usage, "rows need a file: --output FILE is missing"));
    };
    contents(&mut *rows.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
}

/// The error of writing rows.
fn unwritten(error: io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::BrokenPipe => error.into(),
        _ => Error::new(ErrorKind::Data, format!("cannot write the rows: {error}")),
    }
}

/// The error of a run that was stopped, with a note on the kept answers.
fn interrupted(error: Error, run: &DifficultyRun) -> Error {
    match error.kind() {
        ErrorKind::Interrupted if run.cache.is_some() => {
            Error::interrupted("not all puzzles are rated; the answers of the engine are kept")
        }
        _ => error,
    }
}

/// The problem of a finished run: a failure of the engine outweighs a bad row.
fn problem(
    failed: usize,
    bad_rows: usize,
    recover: bool,
    is_without_engine: bool,
) -> Option<Error> {
    if failed > 0 && !recover {
        let puzzles = counted(failed as u64, "puzzle");
        let kind = if is_without_engine { ErrorKind::Data } else { ErrorKind::Engine };
        return Some(Error::new(kind, format!("{puzzles} could not be rated")));
    }
    (bad_rows > 0).then(|| {
        let rows = counted(bad_rows as u64, "row");
        Error::new(ErrorKind::Data, format!("{rows} of the file skipped"))
    })
}

/// The columns of a table.
struct Columns {
    attributes: TableAttributes,
    measured: Option<MeasuredWith>,
}

impl Columns {
    fn table<'a>(
        &self,
        format: TableFormat,
        out: &'a mut dyn Write,
    ) -> Result<DifficultyTable<'a>, Error> {
        let (attributes, measured) = (self.attributes.clone(), self.measured.clone());
        let format = match format {
            TableFormat::Csv => DifficultyTableFormat::Csv,
            TableFormat::Jsonl => DifficultyTableFormat::Jsonl,
            TableFormat::Parquet => DifficultyTableFormat::Parquet,
            TableFormat::Pgn => DifficultyTableFormat::Pgn,
        };
        DifficultyTable::new(format, attributes, measured, out).map_err(unwritten)
    }
}

fn attributes(task: &DifficultyTask) -> TableAttributes {
    let names = puzzle_attribute_names();
    let of_tree = attribute_names(MeasuredWith::LEVELS);
    let is_written = |name: &String| match task.attributes {
        AttributesArg::All => true,
        AttributesArg::Tree => of_tree.contains(name),
    };
    let written = (0..names.len()).filter(|&n| is_written(&names[n])).collect();
    TableAttributes { names, written }
}
