//! `treegauge report`.

use std::path::{Path, PathBuf};

use clap::Args;
use treegauge::catalog::rules::is_game;
use treegauge::report::{Boards, Terminal};
use treegauge::solve::file::is_solution_file;
use treegauge::study::RecordHeader;
use treegauge::study::corridor::CorridorHeader;
use treegauge::study::generate::GenerateHeader;
use treegauge::tasks::read_report;
use treegauge::{Game, TextBoards, rules_text};
use treegauge_store::{read, text_of};

use crate::exit::{OrExit, Outcome};
use crate::files::{cannot_read, to_read};
use crate::output::print;
use crate::terminal::terminal;
use crate::web_page::PageArgs;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// A report that a command printed with --json (all but `bench`)
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    page: PageArgs,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let name = arguments.file.display();
    to_read(&arguments.file)?;
    let page = arguments.page.page(false)?;
    let bytes =
        read(&arguments.file, BYTES_MAX).map_err(|error| cannot_read(&arguments.file, &error))?;
    let other = other_kind(&bytes).map_or(String::new(), |hint| format!("; {hint}"));
    let text = text_of(bytes)
        .map_err(|reason| format!("{name}: not the JSON of a report: {reason}{other}"))
        .or_data()?;
    let report = read_report(&text).map_err(|error| format!("{name}: {error}{other}")).or_data()?;
    let boards: Box<dyn Boards> = match report.game() {
        Some(game) => {
            let boards = Game::parse_with(game, &mut |file| text_of_game(Path::new(file)));
            Box::new(boards.map_err(|error| format!("{name}: {error}")).or_data()?)
        }
        None => Box::new(TextBoards),
    };
    if !page.is_asked() {
        let plain = Terminal { colour: false, ..terminal() };
        return print(&report.doc(&*boards).text(plain));
    }
    page.write(|| report.page(&*boards))
}

/// The text of a game that a report names. Another file is refused without a word of what is in it: whoever
/// wrote the report may want to know.
fn text_of_game(path: &Path) -> Result<String, String> {
    let text = rules_text(path)?;
    if is_game(&text) { Ok(text) } else { Err("it is not the text of a game".to_owned()) }
}

/// The longest report that is read.
const BYTES_MAX: u64 = 1 << 28;

/// What a file that is no report may be, and which commands take it.
fn other_kind(bytes: &[u8]) -> Option<&'static str> {
    let line = bytes.split(|&byte| byte == b'\n').next()?;
    let holds = |what: &str| {
        let text = format!("\"holds\":\"{what}");
        line.windows(text.len()).any(|part| part == text.as_bytes())
    };
    if is_solution_file(bytes) {
        Some("this is the file of a solved game: use `probe`, `interest`, `puzzles` or `verify`")
    } else if holds(RecordHeader::HOLDS) {
        Some("this is the record of a gauge: use `gauge --record` or `replay`")
    } else if holds(CorridorHeader::HOLDS) {
        Some("this is the record of `corridor`: use `corridor --record`")
    } else if holds(GenerateHeader::HOLDS) {
        Some("this is the record of `generate`: its report is the file `report.json` beside it")
    } else if holds("games of a ") {
        Some("this is a record: use `merge` or `replay`")
    } else {
        None
    }
}
