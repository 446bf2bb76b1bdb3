//! Checks and formatting of texts that describe games.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::{Deserialize, Serialize};
use treegauge_core::{ReportHeader, ReportKind, input_name};
use treegauge_grammar::count;
use treegauge_report::{Block, Boards, CheckReport, Doc, Document, SavedKind};
use treegauge_store::check_regular;

use super::{Context, DEFAULT_SEED, Done, Ending, Group, STANDARD_INPUT, Task};
use crate::check::{cannot_read_text, text_of_game};
use crate::{Error, check_source, format_source};

/// A formatted text that describes a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FormattedReport {
    /// The kind and the schema.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
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
        doc.push(Block::PagesOnly(vec![Block::heading(1, &self.file)]));
        doc.push(Block::Preformatted(self.source.clone()));
        doc
    }
}

/// Check the text of a game for mistakes, also by random games
#[derive(Debug, Args)]
pub struct CheckTask {
    /// Text that describes a game, or a game of `new --list`; `-` reads standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Print the text formatted; this checks only its parentheses
    #[arg(long)]
    format: bool,

    /// Seed of the random games
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SEED, value_parser = count::<u64>(..))]
    seed: u64,
}

impl Task for CheckTask {
    const NAME: &'static str = "check";
    const GROUP: Group = Group::Make;
    const EXAMPLES: &'static [&'static str] =
        &["check mygame.rules", "check mygame.rules --format", "new othello | treegauge check -"];
    const COMMON: &'static [&'static str] = &["format", "html"];
    const REPORTS: &'static [SavedKind] =
        &[SavedKind::of::<CheckReport>(), SavedKind::of::<FormattedReport>()];

    fn inputs(&self) -> Result<Vec<PathBuf>, Error> {
        if self.file == Path::new(STANDARD_INPUT) || text_of_game(&self.file).is_some() {
            return Ok(Vec::new());
        }
        // The error names the file or the game that may be meant.
        check_regular(&self.file).map_err(|reason| cannot_read_text(&self.file, &reason))?;
        Ok(vec![self.file.clone()])
    }

    fn run(&self, context: &Context<'_>) -> Result<Done, Error> {
        let file = self.file.display().to_string();
        let source = match text_of_game(&self.file) {
            Some(text) => text,
            None => context.files.rules(&file).map_err(|reason| {
                // An interruption is reported rather than the incomplete input.
                if context.watch.stop() {
                    return Error::interrupted("the text was not read");
                }
                cannot_read_text(&self.file, &reason)
            })?,
        };
        if self.format {
            let source = format_source(input_name(&file), &source)?;
            return Ok(Done::new(FormattedReport { head: ReportHeader::NEW, file, source }));
        }
        let report = check_source(&file, &source, self.seed, context.watch)?;
        let ending = if report.errors.is_empty() { Ending::Good } else { Ending::Invalid };
        Ok(Done::new(report).ending(ending))
    }
}
