//! `treegauge merge`.

use std::collections::HashSet;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use clap::Args;
use treegauge::report::{NoBoards, listed, missing_parts_words, missing_words};
use treegauge::study::GAMES_MAX;
use treegauge::study::collect::INSTANCES_MAX;
use treegauge::study::journal::{self, Header};
use treegauge::{
    MergeOptions, MergedDataset, MergedReport, MissingGames, StoredModel, dataset_files,
    generated_files, is_dataset, is_generated, merge, merge_datasets, merge_generated,
};

use super::collect::{make_dataset, print_dataset};
use super::generate::{make_generated, print_generated};
use crate::exit::{Exit, Failure, Outcome};
use crate::files::{Kind, is_forced, not_ours, to_read, to_write};
use crate::output::{complain, counted};
use crate::record::say_cut;
use crate::solving::Bar;
use crate::web_page::{PageArgs, present};
use treegauge::grammar::count;
use treegauge::tasks::Report;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The records of the parts, written by `match --record` or `tournament --record`, or the folders
    /// of the parts of a dataset or a run, written by `collect --shard` or `generate --shard`
    #[arg(value_name = "FILE|DIR", required = true)]
    files: Vec<PathBuf>,

    /// Write the record or the dataset of the whole, as a single run would have written it; a dataset
    /// and a run of `generate` need it
    #[arg(short, long, value_name = "FILE|DIR")]
    output: Option<PathBuf>,

    /// Planned number of games (per pairing in a tournament) [default: that of the records, and of older
    /// ones, which do not say it, the highest game number found]
    #[arg(long, value_name = "N", value_parser = count::<u32>(1..=u64::from(GAMES_MAX)))]
    games: Option<u32>,

    /// Apply an SPRT to the merged pairs in order and ignore pairs after its decision:
    /// elo0=E,elo1=E, with alpha=A,beta=B for error rates other than 0.05
    #[arg(long, value_name = "TEST")]
    sprt: Option<String>,

    /// Planned instances of each game of a dataset [default: that of the parts, and of older ones, which do
    /// not say it, the highest number of an instance found]
    #[arg(long, value_name = "K", value_parser = count::<u32>(1..=u64::from(INSTANCES_MAX)))]
    instances: Option<u32>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    page: PageArgs,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    if arguments.files.iter().any(|path| path.is_dir()) {
        return merge_folders(arguments);
    }
    if arguments.instances.is_some() {
        return Err(usage("--instances is for datasets; the games of a record are --games"));
    }
    arguments.files.iter().try_for_each(|path| to_read(path))?;
    let output =
        arguments.output.as_deref().map(|path| to_write(path, Kind::Record)).transpose()?;
    let page = arguments.page.page(arguments.json)?;
    let options = MergeOptions { games: arguments.games, sprt: arguments.sprt.clone() };
    let merged = merge(&arguments.files, &options)?;
    for path in twice(&arguments.files) {
        complain(&format!("{} is given twice and counts once", path.display()));
    }
    arguments.files.iter().for_each(|path| say_cut(path));
    if let Some(found) = merged.assumed_games {
        let found = counted(found, "game");
        let pairing = match merged.report {
            MergedReport::Match(_) => "",
            MergedReport::Tournament(_) => " per pairing",
        };
        complain(&format!(
            "assuming {found}{pairing}, by the highest number of a game; --games N gives the \
             planned number"
        ));
    }
    output.as_ref().map_or(Ok(()), |output| check_place(output.path(), merged.header()))?;
    let written = output.map_or(Ok(()), |output| output.write_with(|out| merged.write_record(out)));
    let report: &dyn Report = match &merged.report {
        MergedReport::Match(report) => report.as_ref(),
        MergedReport::Tournament(report) => report.as_ref(),
    };
    let printed = present(report, &NoBoards, arguments.json, &page);
    if let Some(MissingGames { first, parts, .. }) = &merged.missing {
        let numbers: Vec<String> = first.iter().map(ToString::to_string).collect();
        let mut words = format!("INCOMPLETE: missing are games {}", listed(&numbers, GAMES_NAMED));
        if let Some(parts) = parts {
            words.push_str(&format!("; {}", missing_parts_words(parts)));
        }
        complain(&format!("{words}."));
    }
    written.and(printed).and(whole(merged.missing.is_none()))
}

/// Games that are named where some are missing.
const GAMES_NAMED: usize = 10;

/// The answer to whether parts are a whole.
fn whole(is_whole: bool) -> Outcome {
    if is_whole { Ok(()) } else { Err(Failure { exit: Exit::No, error: None }) }
}

fn usage(message: impl Display) -> Failure {
    Failure::new(Exit::Usage, message)
}

/// Merges the parts of a dataset.
fn merge_folders(arguments: &Arguments) -> Outcome {
    for path in arguments.files.iter().filter(|path| !path.exists()) {
        to_read(path)?;
    }
    if let Some(file) = arguments.files.iter().find(|path| !path.is_dir()) {
        let message = format!("{} is no folder; datasets and records do not mix", file.display());
        return Err(Failure::new(Exit::Data, message));
    }
    if arguments.files.iter().any(|folder| is_generated(folder)) {
        return merge_runs(arguments);
    }
    for folder in &arguments.files {
        if !is_dataset(folder) {
            let message = format!(
                "cannot read {}: it is not a file, and holds no dataset, which `collect` writes",
                folder.display()
            );
            return Err(Failure::new(Exit::Data, message));
        }
    }
    if arguments.games.is_some()
        || arguments.sprt.is_some()
        || arguments.page.page(arguments.json)?.is_asked()
    {
        return Err(usage("--games, --sprt and web pages are for the records of matches"));
    }
    let Some(output) = &arguments.output else {
        return Err(usage("a dataset is merged into a folder: --output DIR is missing"));
    };
    for folder in &arguments.files {
        to_read(&folder.join(dataset_files::JOURNAL))?;
    }
    make_dataset(output)?;
    let bar = Bar::new();
    let report = merge_datasets(&arguments.files, output, arguments.instances, &bar);
    bar.finish();
    let MergedDataset { report, assumed, missing } = report?;
    if let Some(assumed) = assumed {
        let instances = counted(assumed, "instance");
        complain(&format!(
            "assuming {instances} of each game, by the highest number of one; --instances K gives the \
             planned number"
        ));
    }
    if let Some(missing) = &missing {
        complain(&format!("{}: {}", output.display(), missing_words(missing)));
    }
    print_dataset(&report, arguments.json).and(whole(missing.is_none()))
}

/// Merges the parts of a run that makes games.
fn merge_runs(arguments: &Arguments) -> Outcome {
    if arguments.games.is_some() || arguments.sprt.is_some() || arguments.instances.is_some() {
        return Err(usage("--games, --sprt and --instances are for matches and datasets"));
    }
    let Some(output) = &arguments.output else {
        return Err(usage("a run is merged into a folder: --output DIR is missing"));
    };
    let page = arguments.page.page(arguments.json)?;
    for folder in arguments.files.iter().filter(|folder| is_generated(folder)) {
        to_read(&folder.join(generated_files::JOURNAL))?;
    }
    let place = make_generated(output)?;
    // Which model was asked is a part of the journals; its card is known where it is that of the program.
    let report = merge_generated(&arguments.files, output, Some(StoredModel::standard()))?;
    print_generated(&report, output, &place, arguments.json, &page)
}

/// The files that are among those before them.
fn twice(files: &[PathBuf]) -> impl Iterator<Item = &PathBuf> {
    let place = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut seen = HashSet::new();
    files.iter().filter(move |path| !seen.insert(place(path)))
}

/// Refuses to replace anything but a record of the same run.
fn check_place(path: &Path, header: &Header) -> Outcome {
    let is_file = path.metadata().is_ok_and(|there| there.is_file() && there.len() > 0);
    let same = |there: &Header| journal::difference(there, header).is_none();
    if is_file && !is_forced() && !journal::read_header(path).is_ok_and(|there| same(&there)) {
        return Err(not_ours(path, "a file is there that is not a record of these games"));
    }
    Ok(())
}
