//! Texts that describe games, from files and from standard input.

use std::io::Read;
use std::path::Path;

use treegauge::Game;
use treegauge::catalog::rules::TEXT_BYTES_MAX;

use crate::exit::{Failure, Outcome};
use crate::files::{cannot_read, to_read};
use crate::interrupt;
use crate::standard_input::StandardInput;

/// What stands for standard input.
const STANDARD: &str = "-";

/// The name and the text of a file; `-` is standard input.
pub(crate) fn text_of(path: &Path) -> Outcome<(String, String)> {
    let name = path.display().to_string();
    let text = if path == Path::new(STANDARD) {
        standard_input().map_err(|reason| refused(cannot_read(path, &reason)))?
    } else {
        to_read(path)?;
        treegauge::rules_text(path).map_err(|reason| cannot_read(path, &reason))?
    };
    Ok((name, text))
}

/// The game that a user named; `-` is a text on standard input. Only for commands that record nothing:
/// a record names the file of the rules.
pub(crate) fn game_or_standard(text: &str) -> Outcome<Game> {
    if text != STANDARD {
        return crate::common::game(text);
    }
    Game::parse_with("rules(file=-)", &mut |_| standard_input()).map_err(|e| refused(e.into()))
}

/// Why a text is not read: a request to stop comes before what is wrong with what there is.
fn refused(failure: Failure) -> Failure {
    if interrupt::requested() {
        return Failure::interrupted("interrupted before the text was read");
    }
    failure
}

/// All of standard input, as far as a text may be long.
fn standard_input() -> Result<String, String> {
    let mut bytes = Vec::new();
    let most = TEXT_BYTES_MAX as u64 + 1;
    let read = StandardInput::open().take(most).read_to_end(&mut bytes);
    read.map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|_| "it is no text in UTF-8".to_owned())
}
