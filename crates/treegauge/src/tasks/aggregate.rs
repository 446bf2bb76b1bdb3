//! Summaries of datasets by game.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use treegauge_catalog::with_path;
use treegauge_dataset::aggregate::{AttributesReport, Source, Split};
use treegauge_dataset::collect::MissingInstances;
use treegauge_report::{Block, Doc, SavedKind, aggregate_parquet, missing_words};

use super::{Context, Done, FileOption, Group, Means, Task, TaskFile};
use crate::dataset::{add_attributes_with, texts_of};
use crate::{Error, FileKind, Summed, TableFormat, add_webs, aggregate};

/// Summarise a dataset by game, as a table of attributes
#[derive(Debug, Args)]
pub struct AggregateTask {
    /// Folder of a dataset that `collect` wrote, or a table that this command wrote
    #[arg(value_name = "DIR|FILE")]
    dataset: PathBuf,

    /// Trees that an attribute covers: all trees of a game, or those of each player apart
    #[arg(long, value_name = "HOW", value_enum, default_value = "both")]
    split: SplitArg,

    /// Further attributes, separated by commas
    #[arg(long, value_name = "LIST", value_enum, value_delimiter = ',')]
    with: Vec<WithArg>,

    /// Add the attributes of search webs of the same games, from a dataset that `collect --merge equal` or
    /// `--merge symmetric` wrote with the same number of iterations
    #[arg(long, value_name = "DIR")]
    webs: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SplitArg {
    /// 64 attributes of all trees
    None,
    /// 128 attributes: 64 of the trees of each player
    Player,
    /// All 192
    Both,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum WithArg {
    /// Measures of a gauge: draws, length, drama and others
    Play,
    /// Results of the matches of `collect --players`
    Players,
    /// Parameters of the games
    Rules,
    /// The exact value of each game with up to 5,000,000 positions
    Solved,
}

impl WithArg {
    fn source(self) -> Source {
        match self {
            WithArg::Play => Source::Play,
            WithArg::Players => Source::Players,
            WithArg::Rules => Source::Rules,
            WithArg::Solved => Source::Solved,
        }
    }
}

impl Task for AggregateTask {
    const NAME: &'static str = "aggregate";
    const GROUP: Group = Group::Study;
    const EXAMPLES: &'static [&'static str] =
        &["aggregate study -o attributes.csv", "aggregate study --split player"];
    const COMMON: &'static [&'static str] = &["split", "with", "output"];
    const MEANS: Means = Means {
        files: &[FileOption::file(
            FileOption::OUTPUT,
            FileKind::AttributeTable,
            "Write the table to this file, as CSV (`.csv`) or Parquet (`.parquet`) [default: print it]",
        )],
        ..Means::NONE
    };
    const REPORTS: &'static [SavedKind] = &[SavedKind::of::<AttributesReport>()];

    fn inputs(&self) -> Result<Vec<PathBuf>, Error> {
        Ok(if self.dataset.is_dir() { Vec::new() } else { vec![self.dataset.clone()] })
    }

    fn file_kind(&self, option: &FileOption, path: &Path) -> Result<FileKind, Error> {
        Ok(match format_of(path)? {
            TableFormat::Parquet => FileKind::Parquet,
            _ => option.kind,
        })
    }

    fn run(&self, context: &Context<'_>) -> Result<Done, Error> {
        let sources = self.sources();
        let mut notes = Vec::new();
        let mut note_of = |path: &Path, missing: Option<MissingInstances>| {
            let words = missing.map(|missing| missing_words(&missing));
            notes.extend(words.map(|words| format!("{}: {words}", path.display())));
        };
        let path = context.path(&self.dataset)?;
        let Summed { aggregate: table, run, missing } = aggregate(&path, context.watch)?;
        note_of(&path, missing);
        let texts = texts_of(&path)?;
        let mut table =
            add_attributes_with(table, &sources, context.watch, &|name| match texts.get(name) {
                Some(text) => context.game_of_file(&with_path(name, text)),
                None => context.game_of_file(name),
            })?;
        if let Some(webs) = &self.webs {
            let path = context.path(webs)?;
            let (with_webs, missing) = add_webs(table, &path, context.watch)?;
            note_of(&path, missing);
            table = with_webs;
        }
        let table = table.only(&sources);
        let report = AttributesReport::of(&table);
        // The text is CSV, so that programs can read it.
        let mut text = Doc::new("attributes");
        let mut files = Vec::new();
        match context.wanted(FileOption::OUTPUT) {
            None => {
                text.push(Block::Preformatted(table.csv()));
            }
            Some(path) if format_of(path)? == TableFormat::Parquet => {
                let parquet = aggregate_parquet(&table, &run.into())?;
                files.push(TaskFile::of_bytes(FileOption::OUTPUT, parquet));
            }
            Some(_) => files.push(TaskFile::new(FileOption::OUTPUT, table.csv())),
        }
        Ok(Done { notes, files, text: Some(text), ..Done::new(report) })
    }
}

impl AggregateTask {
    fn sources(&self) -> Vec<Source> {
        let splits = match self.split {
            SplitArg::None => &[Split::None][..],
            SplitArg::Player => &[Split::Player],
            SplitArg::Both => &Split::BOTH,
        };
        let mut sources: Vec<Source> = splits.iter().map(|split| split.source()).collect();
        // A table that has attributes of webs keeps them.
        sources.extend(splits.iter().map(|split| split.source_of_webs()));
        sources.extend(self.with.iter().map(|with| with.source()));
        sources
    }
}

/// The format of the requested table, by the ending of its name.
fn format_of(path: &Path) -> Result<TableFormat, Error> {
    TableFormat::of(path, &[TableFormat::Csv, TableFormat::Parquet])
}
