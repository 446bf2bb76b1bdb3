//! The merge of the parts of a run.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use treegauge_grammar::count;
use treegauge_report::{SavedKind, counted, listed, missing_parts_words, missing_words};
use treegauge_store::journal::{self, Header};
use treegauge_store::{GAMES_MAX, INSTANCES_MAX};

use super::collect::aggregate_hint;
use super::folders::{GeneratedFolder, make_dataset};
use super::generate::generated;
use super::{Context, Done, Ending, Group, KeptPlace, KeptWork, Means, Task};
use crate::{
    Error, ErrorKind, FileKind, MergeOptions, MergedDataset, MergedReport, MissingGames,
    StoredModel, cut_words, dataset_files, generated_files, is_dataset, is_generated, merge,
    merge_datasets, merge_generated, not_ours,
};

/// Merge the parts of a run that was split, and report on the whole
#[derive(Debug, Args)]
pub struct MergeTask {
    /// Records that `match --record` or `tournament --record` wrote, or folders that `collect --shard` or
    /// `generate --shard` wrote
    #[arg(value_name = "FILE|DIR", required = true)]
    files: Vec<PathBuf>,

    /// Planned games (per pairing in a tournament) [default: as in the records; for records of older versions, the
    /// highest game number]
    #[arg(long, value_name = "N", value_parser = count::<u32>(1..=u64::from(GAMES_MAX)))]
    games: Option<u32>,

    /// Apply a sequential test (SPRT) to the merged pairs in order and ignore pairs after its decision: elo0=E,elo1=E,
    /// with alpha=A,beta=B for error rates other than 0.05
    #[arg(long, value_name = "TEST")]
    sprt: Option<String>,

    /// Planned instances per game of a dataset [default: as in the parts; for parts of older versions, the highest
    /// instance number]
    #[arg(long, value_name = "K", value_parser = count::<u32>(1..=u64::from(INSTANCES_MAX)))]
    instances: Option<u32>,
}

impl Task for MergeTask {
    const NAME: &'static str = "merge";
    const GROUP: Group = Group::Files;
    const EXAMPLES: &'static [&'static str] =
        &["merge part1.jsonl part2.jsonl", "merge part1 part2 -o study"];
    const COMMON: &'static [&'static str] = &["games", "output"];
    const MEANS: Means = Means { kept: Some(WHOLE), ..Means::NONE };
    // The reports are those of the tasks whose parts are merged.
    const REPORTS: &'static [SavedKind] = &[];
    const HAS_PICTURE: bool = true;

    fn inputs(&self) -> Result<Vec<PathBuf>, Error> {
        Ok(self.files.iter().filter(|path| path.is_file()).cloned().collect())
    }

    fn run(&self, context: &Context<'_>) -> Result<Done, Error> {
        let path = |path: &PathBuf| context.files.path(path);
        let paths = self.files.iter().map(path).collect::<Result<Vec<_>, _>>()?;
        let merged = self.merge_paths(&paths, context)?;
        let said =
            twice(&paths).map(|path| format!("{} is given twice and counts once", path.display()));
        let notes = said.chain(merged.notes).collect();
        Ok(Done { notes, ..merged })
    }
}

/// The maximum number of missing games that are named.
const GAMES_NAMED: usize = 10;

impl MergeTask {
    /// Merges files or folders, by their kind.
    fn merge_paths(&self, paths: &[PathBuf], context: &Context<'_>) -> Result<Done, Error> {
        if !paths.iter().any(|path| path.is_dir()) {
            return self.records(paths, context);
        }
        for path in paths.iter().filter(|path| !path.exists()) {
            context.places.to_read(path)?;
        }
        if let Some(file) = paths.iter().find(|path| !path.is_dir()) {
            let file = file.display();
            let message = format!("{file} is not a folder; datasets and records do not mix");
            return Err(Error::new(ErrorKind::Data, message));
        }
        match paths.iter().any(|folder| is_generated(folder)) {
            true => self.runs(paths, context),
            false => self.datasets(paths, context),
        }
    }

    /// Merges records of games.
    fn records(&self, paths: &[PathBuf], context: &Context<'_>) -> Result<Done, Error> {
        if self.instances.is_some() {
            return usage("--instances is for datasets; the games of a record are --games");
        }
        paths.iter().try_for_each(|path| context.places.to_read(path))?;
        let output = context.keeping.map(|keeping| keeping.path);
        let output = output.map(|path| context.places.to_write(path, FileKind::Record));
        let output = output.transpose()?;
        let options = MergeOptions { games: self.games, sprt: self.sprt.clone() };
        let merged = merge(paths, &options)?;
        let mut notes: Vec<String> = paths.iter().filter_map(|path| cut_words(path)).collect();
        if let Some(found) = merged.assumed_games {
            let found = counted(found, "game");
            let pairing = match merged.report {
                MergedReport::Match(_) => "",
                MergedReport::Tournament(_) => " per pairing",
            };
            notes.push(format!(
                "assuming {found}{pairing}, by the highest number of a game; --games N gives the planned number"
            ));
        }
        let problem = match &output {
            None => None,
            Some(output) => {
                check_place(output.path(), merged.header(), context)?;
                output.write_with(|out| merged.write_record(out)).err()
            }
        };
        let ending = match &merged.missing {
            None => Ending::Good,
            Some(MissingGames { first, parts, .. }) => {
                let numbers: Vec<String> = first.iter().map(ToString::to_string).collect();
                let games = listed(&numbers, GAMES_NAMED);
                let mut words = format!("INCOMPLETE: missing are games {games}");
                if let Some(parts) = parts {
                    words.push_str(&format!("; {}", missing_parts_words(parts)));
                }
                Ending::No(Some(format!("{words}.")))
            }
        };
        let done = match merged.report {
            MergedReport::Match(report) => Done::new(*report),
            MergedReport::Tournament(report) => Done::new(*report),
        };
        // The games count without the text of their game, too.
        let game = done.report.game().and_then(|name| context.game_of_file(name).ok());
        Ok(Done { notes, problem, game, ..done.ending(ending) })
    }

    /// Merges the parts of a dataset.
    fn datasets(&self, folders: &[PathBuf], context: &Context<'_>) -> Result<Done, Error> {
        if let Some(folder) = folders.iter().find(|folder| !is_dataset(folder)) {
            let message = format!(
                "cannot read {}: not a file and not a dataset, which `collect` writes",
                folder.display()
            );
            return Err(Error::new(ErrorKind::Data, message));
        }
        if self.games.is_some() || self.sprt.is_some() {
            return usage("--games and --sprt are for the records of matches");
        }
        let Some(output) = context.keeping.map(|keeping| keeping.path) else {
            return usage("a dataset is merged into a folder: --output DIR is missing");
        };
        for folder in folders {
            context.places.to_read(&folder.join(dataset_files::JOURNAL))?;
        }
        let merged = || {
            make_dataset(output, &context.places)?;
            merge_datasets(folders, output, self.instances, context.watch)
        };
        let MergedDataset { report, assumed, missing } = or_nothing(output, merged())?;
        let assumed = assumed.map(|assumed| {
            let instances = counted(assumed, "instance");
            format!(
                "assuming {instances} of each game, by the highest number of one; --instances K gives the \
                 planned number"
            )
        });
        let hints = missing.is_none().then(|| aggregate_hint(output)).into_iter().collect();
        let ending = missing.map_or(Ending::Good, |missing| {
            let words = missing_words(&missing);
            Ending::No(Some(format!("{}: {words}", output.display())))
        });
        Ok(Done { notes: assumed.into_iter().collect(), hints, ..Done::new(report).ending(ending) })
    }

    /// Merges the parts of a run of `generate`.
    fn runs(&self, folders: &[PathBuf], context: &Context<'_>) -> Result<Done, Error> {
        if self.games.is_some() || self.sprt.is_some() || self.instances.is_some() {
            return usage("--games, --sprt and --instances are for matches and datasets");
        }
        let Some(output) = context.keeping.map(|keeping| keeping.path) else {
            return usage("a run is merged into a folder: --output DIR is missing");
        };
        for folder in folders.iter().filter(|folder| is_generated(folder)) {
            context.places.to_read(&folder.join(generated_files::JOURNAL))?;
        }
        let merged = || {
            let place = GeneratedFolder::make(output, &context.places)?;
            // The journals say which model was asked; its card is known if it is the model of the library.
            Ok((place, merge_generated(folders, output, Some(StoredModel::standard()))?))
        };
        let (place, report) = or_nothing(output, merged())?;
        Ok(generated(report, &place, context))
    }
}

/// The result; a folder that is empty after an error is removed.
fn or_nothing<T>(folder: &Path, result: Result<T, Error>) -> Result<T, Error> {
    if result.is_err() {
        // A folder with files stays.
        let _ = fs::remove_dir(folder);
    }
    result
}

fn usage(message: &str) -> Result<Done, Error> {
    Err(Error::new(ErrorKind::Usage, message))
}

/// The files that repeat an earlier one.
fn twice(files: &[PathBuf]) -> impl Iterator<Item = &PathBuf> {
    let place = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut seen = HashSet::new();
    files.iter().filter(move |path| !seen.insert(place(path)))
}

/// Refuses to replace anything but a record of the same run.
fn check_place(path: &Path, header: &Header, context: &Context<'_>) -> Result<(), Error> {
    let is_file = path.metadata().is_ok_and(|there| there.is_file() && there.len() > 0);
    let same = |there: &Header| journal::difference(there, header).is_none();
    let is_replacing = context.places.is_replacing();
    if is_file && !is_replacing && !journal::read_header(path).is_ok_and(|there| same(&there)) {
        return Err(not_ours(path, "a file is there that is not a record of these games"));
    }
    Ok(())
}

/// The record or the folder of the whole.
const WHOLE: KeptWork = KeptWork {
    place: KeptPlace::Whole,
    is_required: false,
    pieces: "parts",
    help: "Write the record or the dataset of the whole, as a single run would have written it; required for datasets and \
           runs of `generate`",
};
