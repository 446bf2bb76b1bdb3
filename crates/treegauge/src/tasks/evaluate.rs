//! Evaluation of learners on datasets.

use std::path::{Path, PathBuf};

use clap::Args;
use treegauge_dataset::evaluate::{EvaluateOptions, EvaluateReport};
use treegauge_difficulty::DifficultyEvaluation;
use treegauge_grammar::count;
use treegauge_report::{SavedKind, missing_words};

use super::given::GivenOptions;
use super::{Context, DEFAULT_SEED, Done, Group, Means, Task, quoted};
use crate::lists::{corpus_with, ratings_with};
use crate::{
    Error, LabelsByConditions, evaluate, evaluate_difficulty, evaluate_ratings, is_puzzle_table,
    labels_by_conditions, rated_problems,
};

/// Evaluate how well search trees tell playable games from broken
#[derive(Debug, Args)]
pub struct EvaluateTask {
    #[command(flatten)]
    given: GivenOptions,

    /// Datasets that `collect` wrote or tables that `aggregate` wrote, one per number of iterations
    ///
    /// Or one table of rated puzzles, which `difficulty --out csv --attributes all` wrote: this evaluates how well the
    /// difficulty of puzzles is predicted
    #[arg(value_name = "DIR|FILE", required = true)]
    datasets: Vec<PathBuf>,

    /// Labels of the games: labelled games in TOML or CSV, as `train --labels` takes them [default: the 28 games of Williams 2010]
    #[arg(long, visible_alias = "labels", value_name = "FILE")]
    corpus: Option<PathBuf>,

    /// Label the games by the self-play in this dataset, made with another seed or other iterations: playable games are
    /// not drawish, not biased, not too short and not too long (the four conditions of Williams 2010); the groups remain
    /// those of the labels
    #[arg(long, value_name = "DIR")]
    conditions: Option<PathBuf>,

    /// Predict ratings of people instead, from all datasets together: a CSV file with a column `game` (or `rows`, `cols`
    /// and `rule`), and `fun_mean`, `payoff_mean` or both
    #[arg(long, value_name = "FILE", conflicts_with_all = ["corpus", "conditions", "permutations"])]
    ratings: Option<PathBuf>,

    /// Label permutations in the significance test of the learners of Williams 2010, `tree` and `svm`; 0 skips the
    /// test
    #[arg(long, value_name = "N", default_value_t = 99, value_parser = count::<u32>(0..=100_000))]
    permutations: u32,

    /// Resamples of the self-play of each game by which learners are trained and tested again, so that intervals also
    /// cover which games happened to be played; takes as many times as long, and each dataset must be a folder
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = count::<u32>(0..=1_000), conflicts_with = "ratings")]
    play_resamples: u32,

    /// Train networks too: of seven shapes, ten of each, as Williams 2010 did, for playability and for ratings from 1 to
    /// 5; for a table of puzzles, one shape. This takes several times as long
    #[arg(long, conflicts_with = "ratings")]
    networks: bool,

    /// Random seed
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED, value_parser = count::<u64>(..))]
    seed: u64,
}

impl Task for EvaluateTask {
    const NAME: &'static str = "evaluate";
    const GROUP: Group = Group::Study;
    const EXAMPLES: &'static [&'static str] =
        &["evaluate study", "evaluate attributes.csv --labels labels.toml --json"];
    const COMMON: &'static [&'static str] = &["corpus", "ratings", "json"];
    const MEANS: Means = Means { threads: true, ..Means::NONE };
    const REPORTS: &'static [SavedKind] =
        &[SavedKind::of::<EvaluateReport>(), SavedKind::of::<DifficultyEvaluation>()];
    const HAS_PICTURE: bool = true;

    fn inputs(&self) -> Result<Vec<PathBuf>, Error> {
        let files = self.datasets.iter().filter(|path| !path.is_dir());
        Ok(files.chain(&self.corpus).chain(&self.ratings).cloned().collect())
    }

    fn run(&self, context: &Context<'_>) -> Result<Done, Error> {
        if let Some(table) = self.puzzles() {
            let of_games = ["corpus", "conditions", "ratings", "permutations", "play_resamples"];
            self.given.refuse(&of_games, "a table of puzzles")?;
            let data = rated_problems(&context.path(table)?)?;
            let report = evaluate_difficulty(&data, self.networks, self.seed, context.watch)?;
            return Ok(Done::new(report).naming("FILE", table));
        }
        let path = |path: &PathBuf| context.path(path);
        let datasets = self.datasets.iter().map(path).collect::<Result<Vec<_>, _>>()?;
        let labels = self
            .corpus
            .as_ref()
            .map(|file| corpus_with(&path(file)?, &|name| context.game_of_file(name)));
        let labels = labels.transpose()?;
        let options = EvaluateOptions {
            seed: self.seed,
            permutations: self.permutations as usize,
            networks: self.networks,
            ..EvaluateOptions::default()
        };
        let (datasets, watch) = (&datasets[..], context.watch);
        let resamples = self.play_resamples as usize;
        if let Some(file) = &self.ratings {
            let rated = ratings_with(&path(file)?, &|name| context.game_of_file(name))?;
            return Ok(self.named(Done::new(evaluate_ratings(datasets, &rated, options, watch)?)));
        }
        let Some(folder) = &self.conditions else {
            return Ok(self.named(Done::new(evaluate(
                datasets,
                labels.as_ref(),
                resamples,
                options,
                watch,
            )?)));
        };
        let found = labels_by_conditions(&path(folder)?, datasets, labels.as_ref(), watch)?;
        let LabelsByConditions { corpus, from, missing } = found;
        let report = evaluate(datasets, Some(&corpus), resamples, options, watch)?;
        let note = |missing| format!("{}: {}", folder.display(), missing_words(missing));
        let notes = missing.as_ref().map(note).into_iter().collect();
        let report = EvaluateReport { conditions: Some(from), ..report };
        Ok(self.named(Done { notes, ..Done::new(report) }))
    }
}

impl EvaluateTask {
    /// A result whose next command names the datasets and the labels.
    fn named(&self, mut done: Done) -> Done {
        let datasets: Vec<String> =
            self.datasets.iter().map(|path| quoted(path.as_os_str())).collect();
        done.named.push(("train DIR".to_owned(), format!("train {}", datasets.join(" "))));
        for labels in self.corpus.iter().chain(&self.ratings) {
            let name = format!("--labels {}", quoted(labels.as_os_str()));
            done.named.push(("--labels FILE".to_owned(), name));
        }
        done
    }

    /// The table of puzzles, if it is the only dataset.
    fn puzzles(&self) -> Option<&Path> {
        match &self.datasets[..] {
            [table] if is_puzzle_table(table) => Some(table),
            _ => None,
        }
    }
}
