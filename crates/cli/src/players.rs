//! Players as they are written on the command line: those of the search, and perfect ones.

use std::fmt;
use std::path::PathBuf;

use treegauge_catalog::nearest;
use treegauge_core::Call;
use treegauge_search::{ChooserError, ChooserSpec};

use crate::exit::{Exit, Failure, OrExit, Outcome};

/// Who plays a side.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PlayerSpec {
    /// A person, chance or a search.
    Chooser(ChooserSpec),
    /// The file of the solved game.
    Perfect(PathBuf),
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerSpec::Chooser(chooser) => chooser.fmt(f),
            PlayerSpec::Perfect(path) => write!(f, "perfect(file={})", path.display()),
        }
    }
}

impl PlayerSpec {
    /// A person.
    pub(crate) const HUMAN: PlayerSpec = PlayerSpec::Chooser(ChooserSpec::Human);

    /// Reads a player, with the nearest name where there is no such one.
    pub(crate) fn parse(text: &str) -> Outcome<PlayerSpec> {
        // What is no call at all is told of below.
        match Call::parse(text) {
            Ok(call) if call.name == "perfect" => perfect(&call),
            _ => ChooserSpec::parse(text).map(PlayerSpec::Chooser).map_err(words).or_usage(),
        }
    }
}

fn perfect(call: &Call) -> Outcome<PlayerSpec> {
    if let Some(odd) = call.arguments.iter().find(|argument| argument.name != "file") {
        let message = format!(
            "player `perfect` has no parameter {:?} (character {}); its one is `file`",
            odd.name, odd.at
        );
        return Err(Failure::new(Exit::Usage, message));
    }
    let file = call.value("file").map(PathBuf::from);
    file.map(PlayerSpec::Perfect).ok_or_else(|| {
        let message = "player `perfect` wants the file of a solved game: perfect(file=PATH)";
        Failure::new(Exit::Usage, message)
    })
}

/// Why a text is no player, with what was perhaps meant.
fn words(error: ChooserError) -> String {
    match &error {
        ChooserError::Name { name } => {
            let names = ChooserSpec::NAMES.into_iter().chain(["perfect"]);
            let near = nearest(name, names).unwrap_or_default();
            format!("{error}, perfect(file=PATH); the nearest is `{near}`")
        }
        ChooserError::Parameter { player, name, .. } => {
            let known = ChooserSpec::parameters(player).unwrap_or_default();
            match nearest(name, known.iter().copied()) {
                Some(near) => format!("{error}; the nearest is `{near}`"),
                None => format!("{error}; it has none"),
            }
        }
        _ => error.to_string(),
    }
}
