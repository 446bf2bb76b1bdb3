//! `treegauge report`.

use std::path::{Path, PathBuf};

use clap::Args;
use treegauge::catalog::is_game;
use treegauge::report::{Boards, TextStyle};
use treegauge::tasks::read_report;
use treegauge::{Game, TextBoards, kind_hint, rules_text};
use treegauge_store::{read, text_of};

use crate::exit::{OrExit, Outcome};
use crate::files::{cannot_read, to_read};
use crate::output::print;
use crate::picture::PictureArgs;
use crate::terminal::terminal;
use crate::web_page::PageArgs;

pub(super) const EXAMPLES: &[&str] = &["report achi.json", "report achi.json --html achi.html"];

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Report that a command printed with --json (any but `bench`)
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    page: PageArgs,

    #[command(flatten)]
    picture: PictureArgs,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let name = arguments.file.display();
    to_read(&arguments.file)?;
    let page = arguments.page.page(false)?;
    let picture = arguments.picture.picture(false, &page)?;
    let bytes =
        read(&arguments.file, BYTES_MAX).map_err(|error| cannot_read(&arguments.file, &error))?;
    let other = kind_hint(&bytes).map_or(String::new(), |hint| format!("; {hint}"));
    let text = text_of(bytes)
        .map_err(|reason| format!("{name}: not the JSON of a saved report: {reason}{other}"))
        .or_data()?;
    let report = read_report(&text).map_err(|error| format!("{name}: {error}{other}")).or_data()?;
    let boards: Box<dyn Boards> = match report.game() {
        Some(game) => {
            let boards = Game::parse_with(game, &mut |file| text_of_game(Path::new(file)));
            Box::new(boards.map_err(|error| format!("{name}: {error}")).or_data()?)
        }
        None => Box::new(TextBoards),
    };
    picture.write(|| report.picture(&*boards))?;
    if !page.is_asked() && !picture.is_asked() {
        let plain = TextStyle { colour: false, ..terminal() };
        return print(&report.doc(&*boards).text(plain));
    }
    page.write(|| report.page(&*boards))
}

/// The text of a game that a report names. The refusal of another file does not quote it, since the report may come from
/// somebody who wants to see the file.
fn text_of_game(path: &Path) -> Result<String, String> {
    let text = rules_text(path)?;
    if is_game(&text) { Ok(text) } else { Err("it is not the text of a game".to_owned()) }
}

/// The longest report that is read.
const BYTES_MAX: u64 = 1 << 28;
