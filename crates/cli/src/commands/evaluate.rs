//! `treegauge evaluate`.

use std::path::{Path, PathBuf};

use clap::Args;
use treegauge::report::{Document, NoBoards, missing_words};
use treegauge::study::evaluate::{EvaluateOptions, EvaluateReport};
use treegauge::{
    ErrorKind, LabelsByConditions, corpus, evaluate, evaluate_difficulty, evaluate_ratings,
    is_puzzle_table, labels_by_conditions, rated_problems, ratings,
};

use crate::exit::{Failure, Outcome};
use crate::files::to_read;
use crate::output::{complain, print, print_report};
use crate::solving::{Bar, pool};
use crate::terminal::terminal;
use crate::web_page::PageArgs;
use treegauge::grammar::count;
use treegauge::tasks::DEFAULT_SEED;
use treegauge::tasks::Given;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    given: Given,

    /// Datasets that `collect` wrote, or tables that `aggregate` made of them, each of other iterations. Or
    /// one table of rated puzzles, which `difficulty --out csv --attributes all` wrote: then how well the
    /// difficulty of puzzles is predicted
    #[arg(value_name = "DIR|FILE", required = true)]
    datasets: Vec<PathBuf>,

    /// The labels of the games, in TOML [default: the 28 games of Williams 2010]
    #[arg(long, value_name = "FILE")]
    corpus: Option<PathBuf>,

    /// Call the games playable that are neither drawish nor biased nor too short nor too long in the
    /// self-play of this dataset, of another seed or other iterations (the four conditions of Williams
    /// 2010); groups are those of the labels
    #[arg(long, value_name = "DIR")]
    conditions: Option<PathBuf>,

    /// Predict what people say of the games instead, from all datasets together: a CSV file with a
    /// column `game` (or `rows`, `cols` and `rule`), and `fun_mean`, `payoff_mean` or both
    #[arg(long, value_name = "FILE", conflicts_with_all = ["corpus", "conditions", "permutations"])]
    ratings: Option<PathBuf>,

    /// Permutations of the labels in the test of the learners of Williams 2010, `tree` and `svm`; 0 for no
    /// test
    #[arg(long, value_name = "N", default_value_t = 99, value_parser = count::<u32>(0..=100_000))]
    permutations: u32,

    /// Number of threads, which the result does not depend on [default: one per core]
    #[arg(long, value_name = "N", value_parser = count::<u16>(1..=1024))]
    threads: Option<u16>,

    /// Random seed
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED)]
    seed: u64,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    page: PageArgs,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    if let [table] = &arguments.datasets[..]
        && is_puzzle_table(table)
    {
        return difficulty(arguments, table);
    }
    for path in arguments.datasets.iter().filter(|path| !path.is_dir()) {
        to_read(path)?;
    }
    let labels = arguments.corpus.as_deref().map(|path| {
        to_read(path)?;
        Ok::<_, Failure>(corpus(path)?)
    });
    let labels = labels.transpose()?;
    let rated = arguments.ratings.as_deref().map(|path| {
        to_read(path)?;
        Ok::<_, Failure>(ratings(path)?)
    });
    let rated = rated.transpose()?;
    let page = arguments.page.page(arguments.json)?;
    let options = EvaluateOptions {
        seed: arguments.seed,
        permutations: arguments.permutations as usize,
        ..EvaluateOptions::default()
    };
    let pool = pool(arguments.threads)?;
    let bar = Bar::new();
    let datasets = &arguments.datasets;
    let report = pool.install(|| match (&rated, &arguments.conditions) {
        (Some(rated), _) => evaluate_ratings(datasets, rated, options, &bar),
        (None, Some(folder)) => {
            let labels = labels_by_conditions(folder, datasets, labels.as_ref(), &bar)?;
            let LabelsByConditions { corpus, from, missing } = labels;
            let report = evaluate(datasets, Some(&corpus), options, &bar)?;
            if let Some(missing) = missing {
                complain(&format!("{}: {}", folder.display(), missing_words(&missing)));
            }
            Ok(EvaluateReport { conditions: Some(from), ..report })
        }
        (None, None) => evaluate(datasets, labels.as_ref(), options, &bar),
    });
    bar.finish();
    let report = report.map_err(|error| match error.kind() {
        ErrorKind::Interrupted => Failure::interrupted("interrupted before the end"),
        _ => error.into(),
    })?;
    let written = page.write(|| report.doc(&NoBoards).page());
    let printed = if arguments.json {
        print_report(&report)
    } else if page.is_printed() {
        Ok(())
    } else {
        print(&report.doc(&NoBoards).text(terminal()))
    };
    written.and(printed)
}

/// How well the difficulty of puzzles is predicted.
fn difficulty(arguments: &Arguments, table: &Path) -> Outcome {
    let of_games = ["corpus", "conditions", "ratings", "permutations"];
    arguments.given.refuse(&of_games, "a table of puzzles")?;
    to_read(table)?;
    let page = arguments.page.page(arguments.json)?;
    let data = rated_problems(table)?;
    let pool = pool(arguments.threads)?;
    let bar = Bar::new();
    let report = pool.install(|| evaluate_difficulty(&data, arguments.seed, &bar));
    bar.finish();
    let report = report.map_err(|error| match error.kind() {
        ErrorKind::Interrupted => Failure::interrupted("interrupted before the end"),
        _ => error.into(),
    })?;
    let written = page.write(|| report.doc(&NoBoards).page());
    let printed = if arguments.json {
        print_report(&report)
    } else if page.is_printed() {
        Ok(())
    } else {
        print(&report.doc(&NoBoards).text(terminal()))
    };
    written.and(printed)
}
