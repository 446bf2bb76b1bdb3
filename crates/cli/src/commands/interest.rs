//! `treegauge interest`.

use std::path::{Path, PathBuf};

use clap::Args;
use treegauge::report::{Document, kept_position_text, position_task_text};
use treegauge::solve::report::{
    InterestAnalysis, InterestPosition, InterestReport, KeptInterestError, KeptPositionReport,
    keep_interest,
};
use treegauge::{Error, ErrorKind, open_solution};

use super::play;
use crate::exit::{Exit, Failure, OrExit, Outcome};
use crate::files::{Kind, Output, to_add_to, to_write};
use crate::interrupt::{self, Stop};
use crate::output::{print, print_report};
use crate::solving::{Bar, ChoicesArgs, SolveArgs, Source, too_large};
use crate::terminal::terminal;
use crate::web_page::{Page, PageArgs};
use treegauge::grammar::count;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The game, as `games` lists it, or a file that `solve` wrote
    #[arg(value_name = "GAME|FILE")]
    source: String,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Write every position with its interestingness and the terms of it, as comma-separated
    /// values
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    #[command(flatten)]
    page: PageArgs,

    /// Save the summary, with the most interesting position of each remoteness, in the solution
    /// file
    #[arg(long)]
    save: bool,

    /// Show the most interesting position that --save has kept, or the most interesting win in N plies
    #[arg(
        long,
        value_name = "N",
        value_parser = count::<u16>(1..),
        conflicts_with_all = ["save", "csv", "html", "open", "form", "lose_children", "children", "draws"],
    )]
    start: Option<Option<u16>>,

    /// With --start: play from there against perfect play
    #[arg(long, requires = "start", conflicts_with = "json")]
    play: bool,

    #[command(flatten)]
    choices: ChoicesArgs,

    #[command(flatten)]
    solve: SolveArgs,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let source = Source::parse(&arguments.source)?;
    arguments.solve.fit(&source)?;
    if let Some(remoteness) = arguments.start {
        return start(arguments, &source, remoteness);
    }
    let keeper = if arguments.save { Some(needed_file(&source, "--save")?) } else { None };
    keeper.map_or(Ok(()), to_add_to)?;
    let table = arguments.csv.as_deref().map(|path| to_write(path, Kind::Table)).transpose()?;
    let page = arguments.page.page(arguments.json)?;
    // Reading a large file takes a while, too.
    interrupt::flag();
    let pool = arguments.solve.pool()?;
    let (report, tabled) = pool.install(|| rated(arguments, &source, table.as_ref()))?;
    let kept = keeper.map_or(Ok(()), |path| {
        keep_interest(path, &report.analysis)
            .map(drop)
            .map_err(|error| format!("cannot keep the analysis in {}: {error}", path.display()))
            .or_data()
    });
    let written = page.write(|| report.doc(source.game()).page());
    let is_kept = keeper.is_some() && kept.is_ok();
    let printed = printed(arguments, &source, &report, &page, is_kept);
    tabled.and(kept).and(written).and(printed)
}

/// Prints a report.
fn printed(
    arguments: &Arguments,
    source: &Source,
    report: &InterestReport,
    page: &Page,
    is_kept: bool,
) -> Outcome {
    if page.is_printed() {
        return Ok(());
    }
    if arguments.json {
        return print_report(report);
    }
    let mut text = report.doc(source.game()).text(terminal());
    if is_kept {
        text += &format!(
            "\nThis is kept in the file; to see the most interesting position again:\n  treegauge interest {} --start\n",
            source.quoted()
        );
    }
    print(&text)
}

/// The file, where an option works on files only.
fn needed_file<'a>(source: &'a Source, option: &str) -> Outcome<&'a Path> {
    source.file().ok_or_else(|| {
        let message = format!(
            "{option} needs the file of a solved game; to make one that keeps the analysis:\n  \
             treegauge solve {} -o FILE\n  treegauge interest FILE --save",
            source.quoted()
        );
        Failure::new(Exit::Usage, message)
    })
}

/// Rates the positions, and writes them where the user says; that may fail by itself.
fn rated(
    arguments: &Arguments,
    source: &Source,
    table: Option<&Output>,
) -> Outcome<(InterestReport, Outcome)> {
    let interrupted = || Failure::interrupted("interrupted, and nothing is kept");
    let solution = source.solution(&arguments.solve)?;
    let watch = Bar::new();
    let memory_bytes_max = arguments.solve.memory_bytes_max();
    let rated = solution.rate(arguments.choices.options(), memory_bytes_max, &watch);
    watch.finish();
    let rated = rated.map_err(|error| match error.kind() {
        ErrorKind::Interrupted => interrupted(),
        _ => too_large(error),
    })?;
    let tabled = table.map_or(Ok(()), |file| file.write_with(|out| rated.write_csv(out, &Stop)));
    if tabled.as_ref().is_err_and(|failure| failure.exit == Exit::Interrupted) {
        return Err(interrupted());
    }
    Ok((rated.report(), tabled))
}

/// Shows a position of the analysis that a file keeps, or plays from it.
fn start(arguments: &Arguments, source: &Source, remoteness: Option<u16>) -> Outcome {
    let path = needed_file(source, "--start")?;
    Start { arguments, source, path, remoteness }.run()
}

struct Start<'a> {
    arguments: &'a Arguments,
    source: &'a Source,
    path: &'a Path,
    remoteness: Option<u16>,
}

impl Start<'_> {
    fn run(&self) -> Outcome {
        let Start { arguments, source, path, .. } = *self;
        let file = open_solution(path)?;
        let analysis = file.kept_interest().map_err(|error| self.refused(error))?;
        let position = self.chosen(&analysis)?;
        file.check_kept(position).map_err(|error| self.refused(error))?;
        if arguments.play {
            print(&position_task_text(position))?;
            return play::against(source.game(), &position.position, file.as_solved_game());
        }
        let report = KeptPositionReport::new(&analysis, position.clone());
        if arguments.json {
            return print_report(&report);
        }
        let command = match self.remoteness {
            None => format!("treegauge interest {} --start --play", source.quoted()),
            Some(n) => format!("treegauge interest {} --start {n} --play", source.quoted()),
        };
        print(&kept_position_text(&report, source.game(), Some(&command)))
    }

    /// That there is no analysis of use, and how to make one.
    fn refused(&self, error: Error) -> Failure {
        if error.get::<KeptInterestError>().is_none() {
            return error.into();
        }
        let message = format!(
            "{} {error}; to keep one there:\n  treegauge interest {} --save",
            self.path.display(),
            self.source.quoted()
        );
        Failure::new(Exit::Data, message)
    }

    /// The position that is asked for.
    fn chosen<'b>(&self, analysis: &'b InterestAnalysis) -> Outcome<&'b InterestPosition> {
        let none = || {
            let none = format!("no position of {} is a win before the end", analysis.game);
            let Some(n) = self.remoteness else { return none };
            let rows = &analysis.by_remoteness;
            let known = rows.iter().filter_map(|row| row.most.remoteness);
            let mut known: Vec<String> = known.map(|n| n.to_string()).collect();
            // The last one shows how far they reach.
            if known.len() > 12 {
                known.splice(10..known.len() - 1, ["...".to_owned()]);
            }
            match known.is_empty() {
                true => none,
                false => format!("no position is won in {n} plies, but in {}", known.join(", ")),
            }
        };
        analysis.most_interesting_of(self.remoteness).ok_or_else(none).or_data()
    }
}
