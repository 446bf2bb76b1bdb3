//! The puzzles of a file.

use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use treegauge::chess::Puzzles;
use treegauge::report::{
    DifficultyTable, DifficultyTableFormat, Document, NoBoards, TableAttributes,
};
use treegauge::study::Head;
use treegauge::study::difficulty::{
    BadRow, DifficultyReport, MeasuredWith, RatedProblem, UNRATED_MAX,
};
use treegauge::trees::attribute_names;
use treegauge::{
    DifficultyRun, Error, ErrorKind, Progress, StoredRatingModel, Watch, puzzle_attribute_names,
};

use super::engine::model;
use super::input::Input;
use super::{Arguments, AttributesArg};
use crate::exit::{Exit, Failure, Outcome};
use crate::files::{Kind, Output, TableFormat, to_write};
use crate::output::{complain, counted, print, print_report};
use crate::resume;
use crate::solving::Bar;
use crate::terminal::terminal;

pub(super) fn run(arguments: &Arguments, mut input: Input) -> Outcome {
    if arguments.for_rating.is_some_and(|rating| !rating.is_finite()) {
        return Err(Failure::new(Exit::Usage, "--for-rating is a finite number"));
    }
    let rows = arguments.rows()?;
    if rows == Some(TableFormat::Parquet) && arguments.output.is_none() {
        let message = "--out parquet needs -o FILE: Parquet is not text";
        return Err(Failure::new(Exit::Usage, message));
    }
    let known = input.line_count()?;
    let model = model(arguments.model.as_deref())?;
    let page = arguments.page.page(arguments.json)?;
    let output = arguments.output.as_deref().map(|path| to_write(path, kind_of(rows)));
    let output = output.transpose()?;
    let puzzles = Puzzles::open(input.reader()).map_err(|error| input.cannot_read(&error))?;
    let mut run = arguments.engine.run()?;
    run.keep_attributes = rows.is_some() || arguments.json;
    run.keep_trees = page.is_asked() || arguments.json;
    if run.cache.is_some() && !input.is_standard() {
        resume::offer(resume::same_command());
    }
    let bar = Bar::new();
    let measured = run.measured_with(&bar)?;
    // Rows go out as they come, unless something else is done with them.
    let streams = rows.filter(|_| arguments.for_rating.is_none());
    let job = Job {
        run: &run,
        model: model.as_ref(),
        bar: &bar,
        known,
        keeps_rows: streams.is_none() || page.is_asked(),
    };
    let columns = Columns { attributes: table_attributes(arguments), measured: measured.clone() };
    let mut found = Found::default();
    let rated = match streams {
        None => job.rate(puzzles, &mut found, |_| Ok(())),
        Some(format) => written_to(output.as_ref(), |out| {
            let mut table = columns.table(format, out)?;
            job.rate(puzzles, &mut found, |row| table.row(row))?;
            table.finish().map_err(written)
        }),
    };
    bar.finish();
    if let Some(Err(error)) = run.cache.as_ref().map(|cache| cache.finish()) {
        complain(&format!("the answers of the engine are not kept: {error}"));
    }
    rated.map_err(|failure| interrupted(failure, &run, &input))?;
    if found.puzzles == 0 && found.bad_rows.is_empty() {
        return Err(input.cannot_read(&"there are no puzzles in it"));
    }
    let mut report = DifficultyReport {
        head: Head::NEW,
        measured: measured.clone(),
        model: model.as_ref().map(StoredRatingModel::card),
        attributes: puzzle_attribute_names(),
        for_rating: arguments.for_rating,
        rows: found.rows,
        bad_rows: found.bad_rows,
    };
    if arguments.for_rating.is_some() {
        report.sort();
    }
    let page_written = page.write(|| report.doc(&NoBoards).page());
    let printed = match rows {
        Some(_) if streams.is_some() => Ok(()),
        Some(format) => written_to(output.as_ref(), |out| {
            let mut table = columns.table(format, out)?;
            report.rows.iter().try_for_each(|row| table.row(row)).map_err(written)?;
            table.finish().map_err(written)
        }),
        None if arguments.json => print_report(&report),
        None if page.is_printed() => Ok(()),
        None => print(&report.doc(&NoBoards).text(terminal())),
    };
    page_written.and(printed)?;
    if rows.is_some() {
        for row in report.bad_rows.iter().take(UNRATED_MAX) {
            complain(&format!("line {} is left out: {}", row.line, row.problem));
        }
    }
    for (line, unread) in found.unread.iter().take(UNRATED_MAX) {
        complain(&format!("line {line}: {unread}"));
    }
    let more = found.unread.len().saturating_sub(UNRATED_MAX);
    if more > 0 {
        complain(&format!(
            "... and {} with something that is not read",
            counted(more as u64, "more row")
        ));
    }
    ended(found.failed, report.bad_rows.len(), arguments.engine.recover)
}

/// What was found so far.
#[derive(Default)]
struct Found {
    rows: Vec<RatedProblem>,
    bad_rows: Vec<BadRow>,
    puzzles: usize,
    /// Puzzles without a rating.
    failed: usize,
    /// By line, what is not read.
    unread: Vec<(u64, String)>,
}

struct Job<'a> {
    run: &'a DifficultyRun,
    model: Option<&'a StoredRatingModel>,
    bar: &'a Bar,
    known: u64,
    keeps_rows: bool,
}

impl Job<'_> {
    fn rate<R: Read + Send + 'static>(
        &self,
        puzzles: Puzzles<R>,
        found: &mut Found,
        mut write: impl FnMut(&RatedProblem) -> io::Result<()>,
    ) -> Outcome {
        let watch = UntilBroken { bar: self.bar, is_broken: AtomicBool::new(false) };
        let mut problem = None;
        let mut take = |row: Result<RatedProblem, BadRow>| match row {
            Err(row) => found.bad_rows.push(row),
            Ok(row) => {
                found.puzzles += 1;
                found.failed += usize::from(row.unrated.is_some());
                found.unread.extend(row.unread.clone().map(|unread| (row.line, unread)));
                if problem.is_none()
                    && let Err(error) = write(&row)
                {
                    problem = Some(written(error));
                    watch.is_broken.store(true, Ordering::Relaxed);
                }
                if self.keeps_rows {
                    found.rows.push(row);
                }
            }
        };
        let work = self.run.rate(puzzles, self.known, self.model, &watch, &mut take);
        match problem {
            Some(problem) => Err(problem),
            None => Ok(work.map(drop)?),
        }
    }
}

/// Stops the work also where its rows can no longer be written.
struct UntilBroken<'a> {
    bar: &'a Bar,
    is_broken: AtomicBool,
}

impl Watch for UntilBroken<'_> {
    fn progress(&self, progress: Progress) {
        self.bar.progress(progress);
    }

    fn stop(&self) -> bool {
        self.is_broken.load(Ordering::Relaxed) || self.bar.stop()
    }
}

/// Writes to a file, whole or not at all, or to standard output.
fn written_to(
    output: Option<&Output>,
    contents: impl FnOnce(&mut dyn Write) -> Outcome,
) -> Outcome {
    let Some(output) = output else { return contents(&mut io::stdout().lock()) };
    let mut failure = None;
    let done = output.write_with(|out| {
        contents(out).map_err(|error| {
            failure = Some(error);
            Error::new(ErrorKind::Data, "the rows are not complete")
        })
    });
    match failure {
        Some(failure) => Err(failure),
        None => Ok(done?),
    }
}

/// The failure of writing rows; a reader that has gone away ends the program silently.
fn written(error: io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure { exit: Exit::Silent, error: None },
        _ => Failure::new(Exit::Data, format!("cannot write the rows: {error}")),
    }
}

/// The end of a run that was stopped, with the way to go on.
fn interrupted(failure: Failure, run: &DifficultyRun, input: &Input) -> Failure {
    if failure.exit != Exit::Interrupted {
        return failure;
    }
    if run.cache.is_none() || input.is_standard() {
        return Failure::interrupted("interrupted before the end");
    }
    Failure::interrupted(format!(
        "interrupted before the end; what the engine answered is kept; to continue:\n  {}",
        resume::same_command()
    ))
}

/// How the program ends when all rows are out: the engine's failures count more than bad rows.
fn ended(failed: usize, bad_rows: usize, recover: bool) -> Outcome {
    if failed > 0 && !recover {
        let puzzles = counted(failed as u64, "puzzle");
        return Err(Failure::new(Exit::Engine, format!("{puzzles} could not be rated")));
    }
    if bad_rows > 0 {
        let rows = counted(bad_rows as u64, "row");
        return Err(Failure::new(Exit::Data, format!("{rows} of the file left out")));
    }
    Ok(())
}

/// What the rows of a table have.
struct Columns {
    attributes: TableAttributes,
    measured: MeasuredWith,
}

impl Columns {
    fn table<'a>(
        &self,
        format: TableFormat,
        out: &'a mut dyn Write,
    ) -> Outcome<DifficultyTable<'a>> {
        let (attributes, measured) = (self.attributes.clone(), self.measured.clone());
        DifficultyTable::new(format_of(format), attributes, measured, out).map_err(written)
    }
}

const fn format_of(format: TableFormat) -> DifficultyTableFormat {
    match format {
        TableFormat::Csv => DifficultyTableFormat::Csv,
        TableFormat::Jsonl => DifficultyTableFormat::Jsonl,
        TableFormat::Parquet => DifficultyTableFormat::Parquet,
    }
}

const fn kind_of(format: Option<TableFormat>) -> Kind {
    match format {
        Some(TableFormat::Parquet) => Kind::Parquet,
        Some(TableFormat::Jsonl) => Kind::PuzzleLines,
        _ => Kind::PuzzleTable,
    }
}

fn table_attributes(arguments: &Arguments) -> TableAttributes {
    let names = puzzle_attribute_names();
    let of_tree = attribute_names(MeasuredWith::LEVELS);
    let is_written = |name: &String| match arguments.attributes {
        AttributesArg::All => true,
        AttributesArg::Tree => of_tree.contains(name),
    };
    let written = (0..names.len()).filter(|&n| is_written(&names[n])).collect();
    TableAttributes { names, written }
}
