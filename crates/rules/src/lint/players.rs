//! Lint of rules that differ between the players: W11.

use super::{Warning, walk};
use crate::identity::{Sides, sides};
use crate::tree::Program;

/// Remark at the first section that differs between the players.
pub(super) fn warnings(program: &Program) -> Vec<Warning> {
    let Sides::Differ(sections) = sides(program) else { return Vec::new() };
    let Some(first) = sections.first() else { return Vec::new() };
    let place = walk::section(program, first).place;
    let names: Vec<String> = sections.iter().map(|name| format!("`{name}`")).collect();
    let message = format!(
        "the rules are not the same for both players: no turn or mirror image of the board makes what {} \
         says of one what it says of the other",
        names.join(" and ")
    );
    vec![Warning::remark("W11", place, message)]
}
