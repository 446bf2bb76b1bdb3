//! `treegauge generate`.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use treegauge::report::Document;
use treegauge::study::generate::{
    Budgets, CANDIDATES_MAX, DEFAULT_CANDIDATES, DEFAULT_GLANCE, GaugeBudget, GeneratePlan,
    GenerateReport, Origin,
};
use treegauge::study::{Measure, Shard};
use treegauge::{
    DEFAULT_STARTS, ErrorKind, GenerateRun, StoredModel, TextBoards, dataset_files, edited_texts,
    generated_files, is_generated, made_again,
};

use crate::exit::{Exit, Failure, Outcome};
use crate::files::{
    Kind, Output, holds_other, is_forced, make_folder, not_ours, to_extend, to_read, to_write,
};
use crate::model::read_model;
use crate::output::{print, print_report, report_json};
use crate::resume;
use crate::solving::{Bar, pool};
use crate::terminal::terminal;
use crate::web_page::{Page, PageArgs};
use treegauge::grammar::count;
use treegauge::tasks::DEFAULT_SEED;
use treegauge::tasks::Given;
use treegauge::tasks::shard_help;

/// The effect of `--shard` on the candidates of a run.
const CANDIDATES: &str = "Make only part I of N of the candidates, with an archive of their own; `merge` joins the \
                          folders of all parts";

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    given: Given,

    /// The texts to begin with: `mygame.rules`, `mygame.rules(option=value)`, or a game of `new --list`;
    /// several are crossed
    #[arg(long, value_name = "FILE", num_args = 1.., default_values = DEFAULT_STARTS)]
    from: Vec<String>,

    /// The folder of the run: its journal, its report and the texts of the best games. It is made where it is missing; a
    /// folder of the same run is continued
    #[arg(short, long, value_name = "DIR", required_unless_present = "again")]
    output: Option<PathBuf>,

    /// Candidates to make and judge
    #[arg(long, value_name = "N", default_value_t = DEFAULT_CANDIDATES, value_parser = count::<u32>(1..=u64::from(CANDIDATES_MAX)))]
    games: u32,

    /// Seed of the run; a candidate is decided by it, its number and the generations before its own
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED)]
    seed: u64,

    /// The best games, which are gauged thoroughly and written to the folder
    #[arg(long, value_name = "K", default_value_t = 10, value_parser = count::<u32>(1..=1_000))]
    best: u32,

    /// Iterations per move of the thorough gauge; the quick gauge has a quarter
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = count::<u32>(4..=1_000_000))]
    iterations: u32,

    /// Games of self-play of the thorough gauge, and as many between unequal searches; the quick gauge has half
    #[arg(long, value_name = "K", default_value_t = 40, value_parser = count::<u32>(2..=100_000))]
    gauge_games: u32,

    /// Candidates of a generation: they descend from the same games
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = count::<u32>(1..=u64::from(CANDIDATES_MAX)))]
    generation: u32,

    /// The share of candidates that no gate stops, to see what the gates stop wrongly
    #[arg(long, value_name = "X", default_value_t = 0.05, value_parser = parse_share)]
    control: f64,

    /// The two measures of a gauge by which the archive keeps games apart: the best game of each cell stays
    #[arg(long, value_name = "A,B", default_value = "plies,branching", value_parser = parse_axes)]
    axes: Axes,

    /// The model that is asked which games are playable: the file of one, or `none` [default: the one of this
    /// program]
    #[arg(long, value_name = "MODEL|none")]
    model: Option<PathBuf>,

    /// Without a model: iterations per move of the weak search
    #[arg(long, value_name = "N", default_value_t = DEFAULT_GLANCE[0], value_parser = count::<u32>(2..=1_000_000))]
    glance_iterations: u32,

    /// Without a model: games of the weak search
    #[arg(long, value_name = "K", default_value_t = DEFAULT_GLANCE[1], value_parser = count::<u32>(2..=100_000))]
    glance_games: u32,

    #[arg(long, value_name = "I/N", help = CANDIDATES, long_help = shard_help(CANDIDATES))]
    shard: Option<Shard>,

    /// Make a candidate of a run again, from its seed, and print its text
    #[arg(long, num_args = 2, value_names = ["DIR", "N"])]
    again: Option<Vec<String>>,

    /// Number of threads, which the result does not depend on [default: one per core]
    #[arg(long, value_name = "N", value_parser = count::<u16>(1..=1024))]
    threads: Option<u16>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    page: PageArgs,
}

/// The options that go with no other command than to make games.
const OF_RUNS: [&str; 16] = [
    "from",
    "output",
    "games",
    "seed",
    "best",
    "iterations",
    "gauge_games",
    "generation",
    "control",
    "axes",
    "model",
    "glance_iterations",
    "glance_games",
    "shard",
    "json",
    "html",
];

/// Two measures.
#[derive(Clone, Copy, Debug)]
struct Axes([&'static Measure; 2]);

fn parse_axes(text: &str) -> Result<Axes, String> {
    let expected = || "expected two measures of `gauge` like plies,branching".to_owned();
    let (one, other) = text.split_once(',').ok_or_else(expected)?;
    let measure = |name: &str| {
        Measure::named(name.trim())
            .ok_or_else(|| format!("{:?} is no measure; {}", name.trim(), expected()))
    };
    let axes = [measure(one)?, measure(other)?];
    if axes[0].name == axes[1].name {
        return Err(format!("the two measures are the same; {}", expected()));
    }
    Ok(Axes(axes))
}

fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a share from 0 to 1".to_owned())
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    if let Some(again) = &arguments.again {
        arguments.given.refuse(&OF_RUNS, "--again")?;
        return print_again(again);
    }
    let Some(folder) = &arguments.output else {
        return Err(Failure::new(Exit::Usage, "--output DIR is missing"));
    };
    let asked = model(arguments)?;
    if asked.is_some() {
        arguments.given.refuse(&["glance_iterations", "glance_games"], "--model")?;
    }
    let run = GenerateRun::new(&arguments.from, plan(arguments), folder)?;
    let page = arguments.page.page(arguments.json)?;
    let place = make_generated(folder)?;
    let pool = pool(arguments.threads)?;
    resume::offer(resume::same_command());
    let bar = Bar::new();
    let report = pool.install(|| run.run(asked.as_deref(), &bar));
    bar.finish();
    let report = report.map_err(|error| match error.kind() {
        ErrorKind::Interrupted => Failure::interrupted(format!(
            "interrupted before all candidates were judged; those that were are kept; to continue:\n  {}",
            resume::same_command()
        )),
        _ => error.into(),
    })?;
    print_generated(&report, folder, &place, arguments.json, &page)
}

/// Makes a candidate again.
fn print_again(again: &[String]) -> Outcome {
    let [folder, number] = again else {
        return Err(Failure::new(Exit::Usage, "--again takes a folder and a number"));
    };
    let number = count::<u32>(0..=u64::from(CANDIDATES_MAX))(number)
        .map_err(|error| Failure::new(Exit::Usage, format!("--again DIR N: {error}")))?;
    let folder = Path::new(folder);
    if is_generated(folder) {
        to_read(&folder.join(generated_files::JOURNAL))?;
    }
    print(&made_again(folder, number)?)
}

fn plan(arguments: &Arguments) -> GeneratePlan {
    let Arguments { iterations, gauge_games, .. } = *arguments;
    let budgets = Budgets::default();
    GeneratePlan {
        candidates: arguments.games,
        seed: arguments.seed,
        generation: arguments.generation,
        axes: arguments.axes.0,
        best: arguments.best,
        control: arguments.control,
        glance: [arguments.glance_iterations, arguments.glance_games],
        budgets: Budgets {
            quick: GaugeBudget {
                games: gauge_games / 2,
                skill_games: gauge_games / 2,
                iterations: iterations / 4,
                ..budgets.quick
            },
            thorough: GaugeBudget {
                games: gauge_games,
                skill_games: gauge_games,
                iterations,
                ..budgets.thorough
            },
            ..budgets
        },
        shard: arguments.shard.unwrap_or(Shard::WHOLE),
    }
}

/// The model that is asked.
fn model(arguments: &Arguments) -> Outcome<Option<Cow<'static, StoredModel>>> {
    match arguments.model.as_deref() {
        Some(path) if path == Path::new("none") => Ok(None),
        path => Ok(Some(read_model(path)?)),
    }
}

/// Makes the folder of a run, where nothing but a run may be replaced, and no text that somebody has changed; where its
/// report goes.
pub(crate) fn make_generated(folder: &Path) -> Outcome<Output> {
    if folder.join(dataset_files::JOURNAL).exists() {
        return Err(holds_other(folder, "a dataset"));
    }
    make_folder(folder)?;
    to_extend(&folder.join(generated_files::JOURNAL))?;
    if let (false, Some(edited)) = (is_forced(), edited_texts(folder)?.first()) {
        return Err(not_ours(edited, NOT_WRITTEN));
    }
    to_write(&folder.join(generated_files::REPORT), Kind::Generation)
}

/// Writes the report and the texts of the best games, and prints what a run gave.
pub(crate) fn print_generated(
    report: &GenerateReport,
    folder: &Path,
    place: &Output,
    json: bool,
    page: &Page,
) -> Outcome {
    let written = write_files(report, folder, place);
    let paged = page.write(|| report.doc(&TextBoards).page());
    let printed = if json {
        print_report(report)
    } else if page.is_printed() {
        Ok(())
    } else {
        let text = report.doc(&TextBoards).text(terminal());
        print(&format!("{text}{}", commands(report, folder)))
    };
    written.and(paged).and(printed)
}

/// The reason that a text in the folder of a run is not replaced.
const NOT_WRITTEN: &str =
    "the text there is not the one that this program writes; move it elsewhere to keep it";

/// Writes a text of a run, unless it is there.
fn write_text(path: &Path, source: &str) -> Outcome {
    let output = to_write(path, Kind::Rules)?;
    let len = fs::metadata(path).map_or(0, |there| there.len());
    if len > 0 {
        if fs::read(path).is_ok_and(|there| there == source.as_bytes()) {
            return Ok(());
        }
        if !is_forced() {
            return Err(not_ours(path, NOT_WRITTEN));
        }
    }
    output.write(source)
}

/// Writes the report, the best games and their parents.
fn write_files(report: &GenerateReport, folder: &Path, place: &Output) -> Outcome {
    place.write(&format!("{}\n", report_json(report)?))?;
    if report.best.is_empty() {
        return Ok(());
    }
    let best = folder.join(generated_files::BEST);
    make_folder(&best)?;
    for game in &report.best {
        write_text(&file_of(&best, game.game), &game.source)?;
    }
    let parents = folder.join(generated_files::PARENTS);
    make_folder(&parents)?;
    let mut done: Vec<Origin> = Vec::new();
    for game in &report.best {
        let is_parent = |origin: &Origin| game.parents.contains(origin);
        for one in game.lineage.iter().filter(|one| is_parent(&one.game)) {
            if !done.contains(&one.game) {
                write_text(&file_of(&parents, one.game), &one.source)?;
                done.push(one.game);
            }
        }
    }
    Ok(())
}

fn file_of(folder: &Path, game: Origin) -> PathBuf {
    folder.join(format!("{game}.rules"))
}

/// How to look on: commands for the best game.
fn commands(report: &GenerateReport, folder: &Path) -> String {
    let Some(best) = report.best.first() else { return String::new() };
    let quoted = |path: PathBuf| resume::quoted(path.as_os_str());
    let game = quoted(file_of(&folder.join(generated_files::BEST), best.game));
    let parents = best
        .parents
        .iter()
        .map(|&parent| quoted(file_of(&folder.join(generated_files::PARENTS), parent)));
    let parents: Vec<String> = parents.collect();
    format!(
        "\nThe texts are in {}. To look on:\n  treegauge show {game}\n  treegauge play {game}\n  treegauge gauge {game}\n  \
         treegauge compare {} {game}\n",
        folder.join(generated_files::BEST).display(),
        parents.join(" "),
    )
}
