//! What there is to be said of a text that is a game: what its words show, and what random games do.

mod coverage;
mod games;
mod opening;
mod players;
mod statics;
mod walk;

use std::sync::Arc;

use rand_core::Rng;

use crate::error::Place;
use crate::tree::Program;

pub use games::{LINT_GAMES, LINT_PLIES, RandomGames};
pub(crate) use opening::unplayable;

/// Something about a text that may be meant, and perhaps is not.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Warning {
    /// Its code, which `(allow CODE)` silences.
    pub code: &'static str,
    /// Where it is.
    pub place: Place,
    /// What it is, in one sentence without a full stop.
    pub message: String,
    /// Whether it is a remark: worth knowing, and often meant.
    pub remark: bool,
}

impl Warning {
    fn new(code: &'static str, place: Place, message: impl Into<String>) -> Warning {
        Warning { code, place, message: message.into(), remark: false }
    }

    fn remark(code: &'static str, place: Place, message: impl Into<String>) -> Warning {
        Warning { remark: true, ..Warning::new(code, place, message) }
    }
}

/// What was found out about a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Findings {
    /// What may not be meant, in the order of the text.
    pub warnings: Vec<Warning>,
    /// What the random games were like.
    pub games: RandomGames,
}

/// What the words of a program show without a game being played.
#[must_use]
pub fn statics(program: &Arc<Program>) -> Vec<Warning> {
    sorted(program, statics::warnings(program, &mut || true))
}

/// The warning W12 alone, unless the text allows it: the first player wins within three plies, whatever the reply.
/// `None` also when `go_on`, which is asked now and then, says no.
#[must_use]
pub fn forced_win(program: &Arc<Program>, go_on: &mut dyn FnMut() -> bool) -> Option<Warning> {
    sorted(program, opening::forced_win(program, go_on).into_iter().collect()).pop()
}

/// What the words of a program show, and what random games do; `rng` makes all choices, and `go_on` is
/// asked now and then.
pub fn lint(
    program: &Arc<Program>,
    rng: &mut dyn Rng,
    go_on: &mut dyn FnMut() -> bool,
) -> Findings {
    let mut warnings = statics::warnings(program, go_on);
    let (seen, games) = games::play(program, rng, go_on);
    // What must be so is not also said to have been so.
    let known = |warning: &Warning| {
        warnings.iter().any(|other: &Warning| {
            other.code == warning.code
                && (other.place == warning.place || matches!(warning.code, "W3" | "W5" | "W7"))
        })
    };
    let news: Vec<Warning> = seen.into_iter().filter(|warning| !known(warning)).collect();
    warnings.extend(news);
    Findings { warnings: sorted(program, warnings), games }
}

/// Those that the text does not allow, in the order of the text.
fn sorted(program: &Program, mut warnings: Vec<Warning>) -> Vec<Warning> {
    warnings.retain(|warning| !program.allowed.iter().any(|code| code == warning.code));
    warnings.sort_by(|a, b| (a.place, a.code, &a.message).cmp(&(b.place, b.code, &b.message)));
    warnings.dedup();
    warnings
}

/// Some names of sites for a message, and that there are more.
fn few(names: &[&str]) -> String {
    let some: Vec<&str> = names.iter().take(8).copied().collect();
    let more = if names.len() > some.len() { ", .." } else { "" };
    format!("{}{more}", some.join(", "))
}
