//! `treegauge compare`.

use std::path::{Path, PathBuf};

use clap::Args;
use treegauge::report::{Document, NoBoards};
use treegauge::study::CompareReport;
use treegauge::{Beginning, Game, GaugeRun, Watch, variants};

use crate::exit::{Failure, Outcome};
use crate::files::make_folder;
use crate::gauging::{FailOnArgs, PlanArgs};
use crate::output::{print, print_report};
use crate::record::RunRecord;
use crate::solving::{Bar, pool};
use crate::terminal::terminal;
use crate::web_page::PageArgs;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The games, 2 to 20; each other one is compared with the first. `cols=5..9` is a game for each
    /// number
    #[arg(required = true, value_name = "GAME")]
    names: Vec<String>,

    #[command(flatten)]
    plan: PlanArgs,

    #[command(flatten)]
    fail_on: FailOnArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    page: PageArgs,

    /// Keep the games that are played in files in this folder, one for each variant, so that a killed
    /// run continues
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let games = variants(&arguments.names)?;
    let page = arguments.page.page(arguments.json)?;
    if let Some(folder) = &arguments.record {
        make_folder(folder)?;
    }
    let pool = pool(arguments.plan.threads)?;
    let mut reports = Vec::new();
    let mut recorded = Ok(());
    for game in &games {
        let run = GaugeRun::new(game, &Beginning::default(), arguments.plan.plan()?)?;
        let path = arguments.record.as_deref().map(|folder| record_of(folder, game));
        let (record, known) = match &path {
            Some(path) => RunRecord::open(Some(path), &run.header())?,
            None => (RunRecord::none(), Vec::new()),
        };
        let bar = Bar::new();
        let report = pool.install(|| run.run(known, record.pieces(), &record.watch(&bar)));
        bar.finish();
        let ended = if report.gauge.incomplete { record.close() } else { record.finish() };
        let stops = bar.stop() || ended.is_err();
        recorded = recorded.and(ended);
        reports.push(report);
        if stops {
            break;
        }
    }
    let missing = games.len() - reports.len();
    if reports.len() < 2 {
        recorded?;
        return Err(interrupted(arguments, "fewer than two games were gauged"));
    }
    let report = CompareReport::new(reports);
    let written = page.write(|| report.doc(&NoBoards).page());
    let printed = if arguments.json {
        print_report(&report)
    } else if page.is_printed() {
        Ok(())
    } else {
        print(&report.doc(&NoBoards).text(terminal()))
    };
    written.and(recorded).and(printed)?;
    if report.incomplete() || missing > 0 {
        let cut = report.games.iter().filter(|report| report.gauge.incomplete).count();
        let what = format!("the report above lacks games of {} of the variants", cut + missing);
        return Err(interrupted(arguments, &what));
    }
    report.games.iter().try_for_each(|game| arguments.fail_on.check(game))
}

/// The record of a game in a folder.
fn record_of(folder: &Path, game: &Game) -> PathBuf {
    let name = game.info().canonical_name.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    folder.join(format!("{}.jsonl", name.trim_end_matches('_')))
}

fn interrupted(arguments: &Arguments, what: &str) -> Failure {
    let go_on = match &arguments.record {
        Some(_) => "the same command continues it",
        None => "with --record DIR the same command would continue it",
    };
    Failure::interrupted(format!("interrupted: {what}; {go_on}"))
}
