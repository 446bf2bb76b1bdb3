//! Comparing variants of a game.

use clap::Args;
use treegauge_engine::Beginning;
use treegauge_gauge::{CompareReport, GaugeReport};
use treegauge_report::SavedKind;

use super::partial::{Partials, Stopped};
use super::{Context, Done, Ending, FailOnArgs, Kept, KeptPlace, Means, PlanArgs, Report, Task};
use crate::variants::variants_with;
use crate::{Error, Game, GaugeRun};

/// Gauge variants of a game and compare them: what a change of the rules does
#[derive(Debug, Args)]
pub struct CompareTask {
    /// The games, 2 to 20; each other one is compared with the first. `cols=5..9` is a game for each
    /// number
    #[arg(required = true, value_name = "GAME")]
    names: Vec<String>,

    #[command(flatten)]
    plan: PlanArgs,

    #[command(flatten)]
    fail_on: FailOnArgs,
}

impl Task for CompareTask {
    const NAME: &'static str = "compare";
    const EXAMPLES: &'static [&'static str] =
        &["compare 'connect_four(cols=5..9)'", "compare kalah broken_kalah --html kalah.html"];
    const MEANS: Means = Means { threads: true, kept: Some(RECORDS), ..Means::NONE };
    const REPORTS: &'static [SavedKind] = &[SavedKind::of::<CompareReport>()];
    const HAS_PICTURE: bool = true;

    fn run(&self, context: &Context<'_>) -> Result<Done, Error> {
        let games = variants_with(&self.names, &|name| context.game(name))?;
        let mut reports = Vec::new();
        let mut problem = None;
        for game in &games {
            let plan = self.plan.plan(context.memory_bytes_max)?;
            let run = GaugeRun::new(game, &Beginning::default(), plan)?;
            let (record, known) = context.record_in(&record_of(game), &run.header())?;
            let keep = Partials::new(record.pieces(), &known, context, |games| {
                let last = run.run(games, &(), &Stopped);
                let all: Vec<GaugeReport> = reports.iter().cloned().chain([last]).collect();
                (all.len() > 1).then(|| Box::new(CompareReport::new(all)) as Box<dyn Report>)
            });
            let report = run.run(known, &keep, &record.watch(context.watch));
            let ended = record.end(report.gauge.incomplete);
            let stops = report.gauge.incomplete || ended.is_some() || context.watch.stop();
            problem = problem.or(ended);
            reports.push(report);
            if stops {
                break;
            }
        }
        let missing = games.len() - reports.len();
        if reports.len() < 2 {
            let interrupted = Error::interrupted("fewer than two games were gauged");
            return Err(problem.unwrap_or(interrupted));
        }
        let cut = reports.iter().filter(|report| report.gauge.incomplete).count();
        let report = CompareReport::new(reports);
        let ending = if cut + missing > 0 {
            let words =
                format!("the report above lacks games of {} of the variants", cut + missing);
            Ending::Incomplete(Some(words))
        } else {
            match report.games.iter().find_map(|game| self.fail_on.found(game)) {
                Some(found) => Ending::No(Some(found)),
                None => Ending::Good,
            }
        };
        Ok(Done { problem, ..Done::new(report).ending(ending) })
    }
}

/// The folder of the records of the variants.
const RECORDS: Kept = Kept {
    place: KeptPlace::Folder,
    is_required: false,
    pieces: "games",
    help: "Keep the games that are played in files in this folder, one for each variant, so that a killed run continues",
};

/// The name of the record of a game in a folder.
fn record_of(game: &Game) -> String {
    let name = game.info().canonical_name.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    format!("{}.jsonl", name.trim_end_matches('_'))
}
