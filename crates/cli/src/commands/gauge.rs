//! `treegauge gauge`.

use std::path::PathBuf;

use clap::Args;
use treegauge::GaugeRun;
use treegauge::report::{gauge_html, gauge_text, tree_features_text};

use crate::common::{PositionArgs, game};
use crate::exit::Outcome;
use crate::gauging::{FailOnArgs, PlanArgs};
use crate::output::{print, print_report};
use crate::record::RunRecord;
use crate::solving::{Bar, pool};
use crate::terminal::{hint, terminal};
use crate::web_page::PageArgs;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The game, as `games` lists it
    game: String,

    #[command(flatten)]
    plan: PlanArgs,

    #[command(flatten)]
    fail_on: FailOnArgs,

    #[command(flatten)]
    at: PositionArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Print the features of the search trees too; JSON and the web page always have them
    #[arg(long, conflicts_with = "json")]
    tree_features: bool,

    #[command(flatten)]
    page: PageArgs,

    /// Keep each game as a line of JSON; games that are already in FILE are not played again, so a
    /// killed run continues, and a larger --games adds to the record
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let game = game(&arguments.game)?;
    arguments.page.check(arguments.json)?;
    let pool = pool(arguments.plan.threads)?;
    let run = GaugeRun::new(&game, &arguments.at.beginning(), arguments.plan.plan())?;
    let (record, known) = RunRecord::open(arguments.record.as_deref(), &run.header())?;
    let bar = Bar::new();
    let report = pool.install(|| run.run(known, record.games(), &bar));
    bar.finish();
    arguments.page.write(|| gauge_html(&report, &game))?;
    if arguments.json {
        print_report(&report)?;
    } else if !arguments.page.prints() {
        let mut text = gauge_text(&report, terminal());
        if arguments.tree_features {
            text.push('\n');
            text.push_str(&tree_features_text(&report, terminal()));
        }
        print(&text)?;
        if !arguments.page.asked() {
            hint("`--html FILE` writes a page that explains each measure; `--open` shows it");
        }
    }
    record.end(report.gauge.incomplete)?;
    arguments.fail_on.check(&report)
}
