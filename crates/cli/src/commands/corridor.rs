//! `treegauge corridor`.

use std::path::PathBuf;

use clap::Args;
use treegauge::CorridorRun;
use treegauge::engine::{PlayerSpec, UctPlayer};
use treegauge::report::{NoBoards, corridor_csv, corridor_svg};
use treegauge::search::{Budget, UctVariant};
use treegauge::study::corridor::CorridorPlan;

use crate::exit::Outcome;
use crate::files::{Kind, to_write};
use crate::record::RunRecord;
use crate::solving::{Bar, pool};
use crate::web_page::{PageArgs, present};
use treegauge::grammar::count;
use treegauge::tasks::CpArg;
use treegauge::tasks::DEFAULT_SEED;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Boxes of the corridors, 1 to 60, with commas between them; the probability to take all boxes of one needs
    /// every lesser length too [default: 1 to 24]
    #[arg(long, value_name = "L,...", value_delimiter = ',', value_parser = count::<u32>(1..=60))]
    lengths: Vec<u32>,

    /// Iterations of a search, with commas between them [default: 100,1000,10000]
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = count::<u32>(1..=u64::from(Budget::ITERATIONS_MAX)))]
    iterations: Vec<u32>,

    /// A variant of UCT: `tree`, or some of `merge=`, `backup=`, `counts=` and `solver=` as a player has them, with
    /// commas between them; may be repeated [default: `tree`, `merge=equal`, `merge=equal,backup=all`, `solver=true`
    /// and `merge=equal,solver=true`]
    #[arg(long, value_name = "VARIANT", value_parser = parse_variant)]
    variant: Vec<UctVariant>,

    /// Searches of each corridor
    #[arg(long, value_name = "S", default_value_t = 500, value_parser = count::<u32>(1..=1_000_000))]
    searches: u32,

    /// Random seed
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED)]
    seed: u64,

    #[command(flatten)]
    cp: CpArg,

    /// Number of threads, which the result does not depend on [default: one per core]
    #[arg(long, value_name = "N", value_parser = count::<u16>(1..=1024))]
    threads: Option<u16>,

    /// Write all numbers as comma-separated values
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Write a picture of both figures for each variant
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Keep each search as a line of JSON; searches that are already in FILE are not made again, so a killed run
    /// continues, and more lengths, iterations, variants or searches add to the record
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    page: PageArgs,
}

fn parse_variant(text: &str) -> Result<UctVariant, String> {
    const FORM: &str = "expected `tree`, or with commas between them some of `merge=equal`, `backup=all`, `counts=edge` and `solver=true`";
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
    // What is wrong with a value is said as of a player.
    let player = PlayerSpec::parse(&format!("uct({text})")).map_err(|error| error.to_string())?;
    Ok(player.get::<UctPlayer>().expect("it is this player").variant)
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let or = |given: &[u32], default: Vec<u32>| {
        let mut all = if given.is_empty() { default } else { given.to_vec() };
        all.sort_unstable();
        all.dedup();
        all
    };
    let standard = CorridorPlan::default();
    let mut variants = standard.variants;
    if !arguments.variant.is_empty() {
        variants.clear();
        for &variant in &arguments.variant {
            if !variants.contains(&variant) {
                variants.push(variant);
            }
        }
    }
    let plan = CorridorPlan {
        lengths: or(&arguments.lengths, standard.lengths),
        iterations: or(&arguments.iterations, standard.iterations),
        variants,
        searches: arguments.searches,
        cp: arguments.cp.cp,
        seed: arguments.seed,
    };
    let page = arguments.page.page(arguments.json)?;
    let file =
        |path: &Option<PathBuf>, kind| path.as_deref().map(|path| to_write(path, kind)).transpose();
    let (csv, svg) =
        (file(&arguments.csv, Kind::CorridorTable)?, file(&arguments.svg, Kind::Chart)?);
    let pool = pool(arguments.threads)?;
    let run = CorridorRun::new(plan)?;
    let (record, known) = RunRecord::open(arguments.record.as_deref(), &run.header())?;
    let bar = Bar::new();
    let report = pool.install(|| run.run(&known, record.pieces(), &record.watch(&bar)));
    bar.finish();
    let recorded = record.end(report.incomplete);
    let csv = csv.map_or(Ok(()), |file| file.write(&corridor_csv(&report)));
    let svg = svg.map_or(Ok(()), |file| file.write(&corridor_svg(&report)));
    let presented = present(&report, &NoBoards, arguments.json, &page);
    csv.and(svg).and(recorded).and(presented)
}
