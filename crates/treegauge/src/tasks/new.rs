//! Texts of games.

use clap::Args;
use treegauge_core::ReportHeader;
use treegauge_report::{SavedKind, TemplatesReport};

use super::{Context, Done, FileOption, FormattedReport, Group, Means, Task, TaskFile};
use crate::{Error, ErrorKind, FileKind, template, templates};

/// Print the text of a game, to start your own from
#[derive(Debug, Args)]
pub struct NewTask {
    /// Game of the program, as `--list` lists it
    #[arg(required_unless_present = "list", conflicts_with = "list")]
    game: Option<String>,

    /// List the games with a text, and the reasons for those without
    #[arg(long)]
    list: bool,
}

impl Task for NewTask {
    const NAME: &'static str = "new";
    const GROUP: Group = Group::Make;
    const EXAMPLES: &'static [&'static str] = &[
        "new breakthrough > mygame.rules",
        "new 'konane(size=6)'",
        "new 'mnk(rows=6,cols=7,k=4)' -o mygame.rules",
        "new --list",
    ];
    const COMMON: &'static [&'static str] = &["list", "output"];
    const MEANS: Means = Means {
        files: &[FileOption::file(
            FileOption::OUTPUT,
            FileKind::Template,
            "Write the text to this file [default: print it]",
        )],
        ..Means::NONE
    };
    const REPORTS: &'static [SavedKind] =
        &[SavedKind::of::<TemplatesReport>(), SavedKind::of::<FormattedReport>()];

    fn run(&self, context: &Context<'_>) -> Result<Done, Error> {
        let is_filed = context.wants(FileOption::OUTPUT);
        let Some(game) = &self.game else {
            if is_filed {
                let message = "the argument '--list' cannot be used with '--output <FILE>'";
                return Err(Error::new(ErrorKind::Usage, message));
            }
            return Ok(Done::new(templates()));
        };
        let source = template(game).map_err(|error| match game.as_str() {
            "list" => Error::new(ErrorKind::Usage, "unknown game \"list\"; did you mean `--list`?"),
            _ => Error::new(
                error.kind(),
                format!("{error}; `treegauge new --list` lists those that come as a text"),
            ),
        })?;
        let file = is_filed.then(|| TaskFile::new(FileOption::OUTPUT, source.clone()));
        let report = FormattedReport { head: ReportHeader::NEW, file: game.clone(), source };
        let text = is_filed.then(Default::default);
        Ok(Done { files: file.into_iter().collect(), text, ..Done::new(report) })
    }
}
