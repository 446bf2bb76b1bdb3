//! Checking and laying out texts that describe games.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::{Deserialize, Serialize};
use treegauge_core::{Head, ReportKind};
use treegauge_report::{Block, Boards, CheckReport, Doc, Document, SavedKind};

use super::{Context, DEFAULT_SEED, Done, Ending, STANDARD_INPUT, Task};
use crate::{Error, ErrorKind, check_source, format_source};

/// A text that describes a game, laid out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FormattedReport {
    /// The kind and the schema.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// The file, as it was named.
    pub file: String,
    /// The text.
    pub source: String,
}

impl ReportKind for FormattedReport {
    const KIND: &'static str = "formatted";
}

impl Document for FormattedReport {
    fn doc(&self, _: &dyn Boards) -> Doc {
        let mut doc = Doc::new(&self.file);
        doc.push(Block::Pages(vec![Block::heading(1, &self.file)]));
        doc.push(Block::Preformatted(self.source.clone()));
        doc
    }
}

/// Check a text that describes a game: what is wrong with it, and what random games show
#[derive(Debug, Args)]
pub struct CheckTask {
    /// The file of a text that describes a game, `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Print the text laid out, and check nothing but its parentheses
    #[arg(long)]
    format: bool,

    /// Seed of the random games
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SEED)]
    seed: u64,
}

impl Task for CheckTask {
    const NAME: &'static str = "check";
    const EXAMPLES: &'static [&'static str] =
        &["check mygame.rules", "check mygame.rules --format", "new othello | treegauge check -"];
    const REPORTS: &'static [SavedKind] =
        &[SavedKind::of::<CheckReport>(), SavedKind::of::<FormattedReport>()];

    fn inputs(&self) -> Result<Vec<PathBuf>, Error> {
        let is_file = self.file != Path::new(STANDARD_INPUT);
        Ok(is_file.then(|| self.file.clone()).into_iter().collect())
    }

    fn run(&self, context: &Context<'_>) -> Result<Done, Error> {
        let file = self.file.display().to_string();
        let source = context.files.rules(&file).map_err(|reason| {
            // A request to stop comes before a problem of the input.
            if context.watch.stop() {
                return Error::interrupted("the text was not read");
            }
            Error::new(ErrorKind::Data, format!("cannot read {file}: {reason}"))
        })?;
        if self.format {
            let source = format_source(&file, &source)?;
            return Ok(Done::new(FormattedReport { head: Head::NEW, file, source }));
        }
        let report = check_source(&file, &source, self.seed, context.watch)?;
        let ending = if report.errors.is_empty() { Ending::Good } else { Ending::Invalid };
        Ok(Done::new(report).ending(ending))
    }
}
