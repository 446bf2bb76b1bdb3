//! Generation and judgement of games.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use clap::Args;
use treegauge_core::ReportHeader;
use treegauge_generate::{
    Axis, Budgets, CANDIDATES_MAX, DEFAULT_CANDIDATES, DEFAULT_GLANCE, GaugeBudget, GeneratePlan,
    GenerateReport, axes_words,
};
use treegauge_grammar::count;
use treegauge_report::SavedKind;
use treegauge_store::Shard;

use super::folders::GeneratedFolder;
use super::partial::Asked;
use super::{
    Context, DEFAULT_SEED, Done, FormattedReport, GivenOptions, Group, KeptPlace, KeptWork, Means,
    Task, quoted, shard_help,
};
use crate::{
    DEFAULT_STARTS, Error, ErrorKind, GenerateRun, StoredModel, generated_files, is_generated,
    remake_candidate,
};

/// The help of `--shard` for a run.
const CANDIDATES: &str = "Make only part I of N of the candidates, with an archive of their own; `merge` combines the \
                          folders of all parts";

/// Make games by changing and crossing others, and judge them
#[derive(Debug, Args)]
pub struct GenerateTask {
    #[command(flatten)]
    given: GivenOptions,

    /// Texts to start from: `mygame.rules`, `mygame.rules(option=value)` or a game of `new --list`; several texts are
    /// crossed
    #[arg(long, value_name = "FILE", num_args = 1.., default_values = DEFAULT_STARTS)]
    from: Vec<String>,

    /// Candidate games to make and judge
    #[arg(long, value_name = "N", default_value_t = DEFAULT_CANDIDATES, value_parser = count::<u32>(1..=u64::from(CANDIDATES_MAX)))]
    games: u32,

    /// Random seed; it decides a candidate together with its number and the earlier generations
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED, value_parser = count::<u64>(..))]
    seed: u64,

    /// Number of best games to gauge thoroughly and to write to the folder
    #[arg(long, value_name = "K", default_value_t = 10, value_parser = count::<u32>(1..=1_000))]
    best: u32,

    /// Iterations per move of the thorough gauge; the quick gauge uses a quarter
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = count::<u32>(4..=1_000_000))]
    iterations: u32,

    /// Self-play games of the thorough gauge, and as many between unequal searches; the quick gauge plays half
    #[arg(long, value_name = "K", default_value_t = 40, value_parser = count::<u32>(2..=100_000))]
    gauge_games: u32,

    /// Candidates per generation; those of one generation descend from the same games
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = count::<u32>(1..=u64::from(CANDIDATES_MAX)))]
    generation: u32,

    /// Share of candidates that pass every gate unconditionally, as a control of the gates
    #[arg(long, value_name = "X", default_value_t = 0.05, value_parser = parse_share)]
    control: f64,

    /// Two measures of `gauge` or features of search trees that span the archive, which keeps the best game of each cell
    ///
    /// A feature has its mean or its variance over the trees: `spread.variance,worst.mean`
    #[arg(long, value_name = "A,B", default_value = "plies,branching", value_parser = parse_axes)]
    axes: Axes,

    /// Model that predicts playability: a model file or `none` [default: built-in]
    #[arg(long, value_name = "MODEL|none")]
    model: Option<PathBuf>,

    /// Iterations per move of the weak search that stands in for a model
    #[arg(long, value_name = "N", default_value_t = DEFAULT_GLANCE[0], value_parser = count::<u32>(2..=1_000_000))]
    glance_iterations: u32,

    /// Games of the weak search that stands in for a model
    #[arg(long, value_name = "K", default_value_t = DEFAULT_GLANCE[1], value_parser = count::<u32>(2..=100_000))]
    glance_games: u32,

    #[arg(long, value_name = "I/N", help = CANDIDATES, long_help = shard_help(CANDIDATES))]
    shard: Option<Shard>,

    /// Make candidate N of the run in DIR again, from its seed, and print its text
    #[arg(long, num_args = 2, value_names = ["DIR", "N"])]
    again: Option<Vec<String>>,
}

/// The options that `--again` does not have.
const OF_RUNS: [&str; 14] = [
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
];

/// Two axes of the archive.
#[derive(Clone, Copy, Debug)]
struct Axes([Axis; 2]);

fn parse_axes(text: &str) -> Result<Axes, String> {
    const EXPECTED: &str = "expected two axes like plies,branching or spread.variance,worst.mean";
    let (one, other) = text.split_once(',').ok_or_else(|| EXPECTED.to_owned())?;
    let axis = |name: &str| {
        let name = name.trim();
        Axis::named(name)
            .ok_or_else(|| format!("unknown axis {name:?}; known are {}", axes_words()))
    };
    let axes = [axis(one)?, axis(other)?];
    if axes[0].name() == axes[1].name() {
        return Err(format!("the two axes are the same; {EXPECTED}"));
    }
    Ok(Axes(axes))
}

fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a share from 0 to 1".to_owned())
}

impl Task for GenerateTask {
    const NAME: &'static str = "generate";
    const GROUP: Group = Group::Make;
    const EXAMPLES: &'static [&'static str] = &[
        "generate --from mygame.rules -o run",
        "generate --from a.rules --from b.rules --games 5000 --seed 7 -o run --html best.html",
        "generate --from a.rules --games 5000 --shard 1/4 -o part1",
        "generate --again run 17 > game17.rules",
    ];
    const COMMON: &'static [&'static str] = &["from", "games", "output"];
    const MEANS: Means = Means { threads: true, kept: Some(CANDIDATE_FOLDER), ..Means::NONE };
    const REPORTS: &'static [SavedKind] =
        &[SavedKind::of::<GenerateReport>(), SavedKind::of::<FormattedReport>()];
    const HAS_PICTURE: bool = true;

    fn run(&self, context: &Context<'_>) -> Result<Done, Error> {
        if let Some(again) = &self.again {
            self.given.refuse(&OF_RUNS, "--again")?;
            return made(again, context);
        }
        let folder = context.result_folder()?;
        let asked = self.model(context)?;
        if asked.is_some() {
            self.given.refuse(&["glance_iterations", "glance_games"], "--model")?;
        }
        let open = &mut |file: &str| context.files.rules(file);
        let run = GenerateRun::new_with(&self.from, self.plan(), folder, open)?;
        let folder = GeneratedFolder::make(folder, &context.places)?;
        let report = run.run(asked.as_deref(), context.watch, &Asked::of(context))?;
        Ok(generated(report, &folder, context))
    }
}

/// Writes the files of a run that is over.
pub(super) fn generated(
    report: GenerateReport,
    folder: &GeneratedFolder<'_>,
    context: &Context<'_>,
) -> Done {
    let problem = folder.write(&report, context).err();
    let next = next(&report, folder);
    Done { problem, next, ..Done::new(report) }
}

/// Makes a candidate again.
fn made(again: &[String], context: &Context<'_>) -> Result<Done, Error> {
    let [folder, number] = again else {
        return Err(Error::new(ErrorKind::Usage, "--again takes a folder and a number"));
    };
    let number = count::<u32>(0..=u64::from(CANDIDATES_MAX))(number)
        .map_err(|error| Error::new(ErrorKind::Usage, format!("--again DIR N: {error}")))?;
    let path = context.path(Path::new(folder))?;
    if is_generated(&path) {
        context.places.to_read(&path.join(generated_files::JOURNAL))?;
    }
    let source = remake_candidate(&path, number)?;
    let file = format!("{folder}: {number}");
    Ok(Done::new(FormattedReport { head: ReportHeader::NEW, file, source }))
}

/// The next step with the best game; `None` without one.
fn next(report: &GenerateReport, folder: &GeneratedFolder<'_>) -> Option<String> {
    let best = report.best.first()?;
    let game = quoted(folder.best(best.game).as_os_str());
    let games = match report.best.len() {
        1 => "the game".to_owned(),
        n => format!("the first of {n} games in {}", folder.best_games().display()),
    };
    Some(format!(
        "`treegauge show {game}` shows {games}; `play`, `gauge` and `compare` take it too."
    ))
}

impl GenerateTask {
    /// The model that predicts; `None` for `none`.
    fn model(&self, context: &Context<'_>) -> Result<Option<Cow<'static, StoredModel>>, Error> {
        match self.model.as_deref() {
            Some(path) if path == Path::new("none") => Ok(None),
            path => context.model(path).map(Some),
        }
    }

    fn plan(&self) -> GeneratePlan {
        let GenerateTask { iterations, gauge_games, .. } = *self;
        let budgets = Budgets::default();
        GeneratePlan {
            candidates: self.games,
            seed: self.seed,
            generation: self.generation,
            axes: self.axes.0,
            best: self.best,
            control: self.control,
            glance: [self.glance_iterations, self.glance_games],
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
            shard: self.shard.unwrap_or(Shard::WHOLE),
        }
    }
}

/// The folder of a run.
const CANDIDATE_FOLDER: KeptWork = KeptWork {
    place: KeptPlace::Result,
    is_required: false,
    pieces: "candidates",
    help: "Folder of the run: its journal, its report and the texts of the best games; the same command continues an \
           interrupted run",
};
