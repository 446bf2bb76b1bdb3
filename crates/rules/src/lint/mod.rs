//! Lints of valid texts: findings from their words alone, and from random games.

mod coverage;
mod endless;
mod games;
mod opening;
mod players;
mod statics;
mod walk;

use std::sync::Arc;

use rand_core::Rng;

use crate::error::{Place, is_code};
use crate::tree::Program;

#[cfg(test)]
pub(crate) use endless::{Endless, endless};
pub use games::{LINT_GAMES, LINT_PLIES, RandomGames};
pub(crate) use opening::unplayable;

/// Warning about a part of a text that may not be intended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Warning {
    /// Code of the warning, which `(allow CODE)` silences.
    pub code: &'static str,
    /// Place in the text.
    pub place: Place,
    /// Description in one sentence without a full stop.
    pub message: String,
    /// Whether it is only a remark, about something that is often intended.
    pub remark: bool,
}

impl Warning {
    fn new(code: &'static str, place: Place, message: impl Into<String>) -> Warning {
        debug_assert!(is_code(code), "{code} cannot be allowed");
        Warning { code, place, message: message.into(), remark: false }
    }

    fn remark(code: &'static str, place: Place, message: impl Into<String>) -> Warning {
        Warning { remark: true, ..Warning::new(code, place, message) }
    }
}

/// Findings about a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Findings {
    /// Warnings in the order of the text.
    pub warnings: Vec<Warning>,
    /// Statistics of the random games.
    pub games: RandomGames,
}

/// Warnings that follow from the words of a program, without playing it.
#[must_use]
pub fn statics(program: &Arc<Program>) -> Vec<Warning> {
    sorted(program, statics::warnings(program, &mut || true))
}

/// Warning W12 alone, unless the text allows it: the first player wins within three plies, whatever
/// the reply. `None` also if `go_on`, which is called now and then, returns `false`.
#[must_use]
pub fn forced_win(program: &Arc<Program>, go_on: &mut dyn FnMut() -> bool) -> Option<Warning> {
    sorted(program, opening::forced_win(program, go_on).into_iter().collect()).pop()
}

/// Greatest number of positions that are searched for one that comes back.
const POSITIONS_MAX: usize = 20_000;

/// Warnings that follow from the words of a program and from random games. `rng` makes all random
/// choices; `go_on` is called now and then and stops the work by returning `false`.
pub fn lint(
    program: &Arc<Program>,
    rng: &mut dyn Rng,
    go_on: &mut dyn FnMut() -> bool,
) -> Findings {
    let mut warnings = statics::warnings(program, go_on);
    // A small game is searched for what its words do not tell.
    let must_end = warnings.iter().any(|warning| warning.code == "W4")
        && endless::endless(program, POSITIONS_MAX, go_on) == endless::Endless::No;
    warnings.retain(|warning| warning.code != "W4" || !must_end);
    let (seen, games) = games::play(program, rng, go_on);
    // A static warning makes the same warning from random games redundant.
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

/// Warnings that the text does not allow, in the order of the text.
fn sorted(program: &Program, mut warnings: Vec<Warning>) -> Vec<Warning> {
    warnings.retain(|warning| !program.allowed.iter().any(|code| code == warning.code));
    warnings.sort_by(|a, b| (a.place, a.code, &a.message).cmp(&(b.place, b.code, &b.message)));
    warnings.dedup();
    warnings
}

/// Up to eight site names for a message, with dots if there are more.
fn few(names: &[&str]) -> String {
    let some: Vec<&str> = names.iter().take(8).copied().collect();
    let more = if names.len() > some.len() { ", .." } else { "" };
    format!("{}{more}", some.join(", "))
}
