//! Lints that follow from the words of a text, without playing it: W3 to W12.

mod ends;
mod idle;
mod pieces;
mod reach;
mod values;

use std::sync::Arc;

use super::{Warning, opening, players, walk};
use crate::tree::Program;
use reach::Reach;

/// All warnings of a program, unsorted. There are fewer if `go_on`, which is called now and then,
/// returns `false`.
pub(super) fn warnings(program: &Arc<Program>, go_on: &mut dyn FnMut() -> bool) -> Vec<Warning> {
    let found = walk::walk(program);
    let reach = Reach::of(program);
    let mut warnings = ends::warnings(program, &found, &reach);
    warnings.extend(pieces::warnings(program, &found, &reach));
    warnings.extend(idle::warnings(program, &found, &reach));
    warnings.extend(opening::warnings(program, go_on));
    warnings.extend(players::warnings(program));
    warnings
}
