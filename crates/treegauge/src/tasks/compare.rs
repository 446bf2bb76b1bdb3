//! Comparisons of variants of a game.

use clap::Args;
use treegauge_engine::StartingPoint;
use treegauge_gauge::{CompareReport, GaugeReport};
use treegauge_report::SavedKind;

use super::partial::{Partials, Stopped};
use super::{
    Context, Done, Ending, FailOnArgs, Group, KeptPlace, KeptWork, Means, PlanArgs, Report, Task,
};
use crate::variants::variants_with;
use crate::{Error, Game, GaugeRun};

/// Compare variants of a game: what does a change of the rules do?
#[derive(Debug, Args)]
pub struct CompareTask {
    /// Games, 2 to 20: the first is the baseline; `cols=5..9` stands for one game per number
    #[arg(required = true, value_name = "GAME")]
    names: Vec<String>,

    #[command(flatten)]
    plan: PlanArgs,

    #[command(flatten)]
    fail_on: FailOnArgs,
}

impl Task for CompareTask {
    const NAME: &'static str = "compare";
    const GROUP: Group = Group::Judge;
    const EXAMPLES: &'static [&'static str] =
        &["compare 'connect_four(cols=5..9)'", "compare kalah broken_kalah --html kalah.html"];
    const COMMON: &'static [&'static str] = &["budget", "open", "record"];
    const MEANS: Means = Means { threads: true, kept: Some(RECORDS), ..Means::NONE };
    const REPORTS: &'static [SavedKind] = &[SavedKind::of::<CompareReport>()];
    const HAS_PICTURE: bool = true;

    fn run(&self, context: &Context<'_>) -> Result<Done, Error> {
        let games = variants_with(&self.names, &|name| context.game(name))?;
        let start = StartingPoint::default();
        let mut plan = self.plan.plan(context.memory_bytes_max)?;
        let fitted = self.plan.fit(&mut plan, &games, &start)?;
        fitted.notes.iter().for_each(|words| context.watch.note(words));
        let mut reports = Vec::new();
        let mut problem = None;
        for game in &games {
            let run = GaugeRun::new(game, &start, plan.clone())?;
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
const RECORDS: KeptWork = KeptWork {
    place: KeptPlace::Folder,
    is_required: false,
    pieces: "games",
    help: "Record the games in this folder, one file per variant; the same command continues an interrupted run",
};

/// The name of the record of a game in a folder.
fn record_of(game: &Game) -> String {
    let name = game.info().canonical_name.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    format!("{}.jsonl", name.trim_end_matches('_'))
}
