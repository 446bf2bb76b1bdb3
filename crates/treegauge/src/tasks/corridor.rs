//! Searches of corridors of boxes.

use clap::Args;
use treegauge_engine::{PlayerSpec, UctPlayer};
use treegauge_gauge::corridor::{CorridorPlan, CorridorReport};
use treegauge_grammar::count;
use treegauge_report::{SavedKind, corridor_csv, corridor_svg};
use treegauge_search::{Budget, UctVariant};

use super::partial::{Partials, Stopped};
use super::{
    Context, CpArg, DEFAULT_SEED, Done, Ending, FileOption, Group, KeptPlace, KeptWork, Means,
    Task, TaskFile,
};
use crate::{CorridorRun, Error, FileKind};

/// Test searches on corridors of boxes, which have one correct move
#[derive(Debug, Args)]
pub struct CorridorTask {
    /// Lengths of corridors in boxes, 1 to 60, separated by commas; the probability to take all boxes needs every
    /// smaller length too [default: 1 to 24]
    #[arg(long, value_name = "L,...", value_delimiter = ',', value_parser = count::<u32>(1..=60))]
    lengths: Vec<u32>,

    /// Iterations per search, separated by commas [default: 100,1000,10000]
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = count::<u32>(1..=u64::from(Budget::ITERATIONS_MAX)))]
    iterations: Vec<u32>,

    /// Variant of UCT: `tree`, or any of `merge=`, `backup=`, `counts=` and `solver=` as in a player, separated by
    /// commas; may be repeated [default: `tree`, `merge=equal`, `merge=equal,backup=all`, `solver=true` and
    /// `merge=equal,solver=true`]
    #[arg(long, value_name = "VARIANT", value_parser = parse_variant)]
    variant: Vec<UctVariant>,

    /// Searches per corridor; fewer give wider intervals in less time
    #[arg(long, value_name = "S", default_value_t = 500, value_parser = count::<u32>(1..=1_000_000))]
    searches: u32,

    /// Random seed
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED, value_parser = count::<u64>(..))]
    seed: u64,

    #[command(flatten)]
    cp: CpArg,
}

/// The option for the table of all numbers.
const CSV: &str = "csv";

/// The option for the picture.
const SVG: &str = "svg";

impl Task for CorridorTask {
    const NAME: &'static str = "corridor";
    const GROUP: Group = Group::Study;
    const EXAMPLES: &'static [&'static str] = &[
        "corridor --csv corridor.csv --svg corridor.svg",
        "corridor --lengths 1,2,3,4,5,6,7,8 --iterations 1000 --variant tree --variant merge=equal,solver=true",
    ];
    const COMMON: &'static [&'static str] = &["lengths", "csv", "svg"];
    const MEANS: Means = Means {
        threads: true,
        files: &[
            FileOption::file(CSV, FileKind::CorridorTable, "Write all numbers as CSV"),
            FileOption::file(
                SVG,
                FileKind::Chart,
                "Write a chart of both figures for each variant",
            ),
        ],
        kept: Some(SEARCHES),
        ..Means::NONE
    };
    const REPORTS: &'static [SavedKind] = &[SavedKind::of::<CorridorReport>()];

    fn run(&self, context: &Context<'_>) -> Result<Done, Error> {
        let run = CorridorRun::new(self.plan())?;
        let (record, known) = context.record(&run.header())?;
        let keep = Partials::new(record.pieces(), &known, context, |searches| {
            Some(Box::new(run.run(&searches, &(), &Stopped)))
        });
        let report = run.run(&known, &keep, &record.watch(context.watch));
        let problem = record.end(report.incomplete);
        let mut files = Vec::new();
        if context.wants(CSV) {
            files.push(TaskFile::new(CSV, corridor_csv(&report)));
        }
        if context.wants(SVG) {
            files.push(TaskFile::new(SVG, corridor_svg(&report)));
        }
        let ending = if report.incomplete { Ending::Incomplete(None) } else { Ending::Good };
        Ok(Done { problem, files, ..Done::new(report).ending(ending) })
    }
}

impl CorridorTask {
    fn plan(&self) -> CorridorPlan {
        let or = |given: &[u32], default: Vec<u32>| {
            let mut all = if given.is_empty() { default } else { given.to_vec() };
            all.sort_unstable();
            all.dedup();
            all
        };
        let standard = CorridorPlan::default();
        let mut variants = Vec::new();
        for &variant in &self.variant {
            if !variants.contains(&variant) {
                variants.push(variant);
            }
        }
        CorridorPlan {
            lengths: or(&self.lengths, standard.lengths),
            iterations: or(&self.iterations, standard.iterations),
            variants: if variants.is_empty() { standard.variants } else { variants },
            searches: self.searches,
            cp: self.cp.cp,
            seed: self.seed,
        }
    }
}

/// The record of the searches.
const SEARCHES: KeptWork = KeptWork {
    place: KeptPlace::File,
    is_required: false,
    pieces: "searches",
    help: "Record each search in FILE, a line of JSON each; the same command continues an interrupted run, and more \
           lengths, iterations, variants or searches add to it",
};

fn parse_variant(text: &str) -> Result<UctVariant, String> {
    const FORM: &str = "expected `tree`, or any of `merge=equal`, `backup=all`, `counts=edge` and `solver=true`, separated by commas";
    if text == "tree" {
        return Ok(UctVariant::default());
    }
    let is_known = |part: &str| {
        let name = part.split_once('=').map(|(name, _)| name.trim());
        matches!(name, Some("merge" | "backup" | "counts" | "solver"))
    };
    if !text.split(',').all(is_known) {
        return Err(FORM.to_owned());
    }
    // The reader of players reports an invalid value.
    let player = PlayerSpec::parse(&format!("uct({text})")).map_err(|error| error.to_string())?;
    Ok(player.get::<UctPlayer>().expect("it is this player").variant)
}
