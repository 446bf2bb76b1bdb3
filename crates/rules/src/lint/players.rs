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
    let (names, of_one, of_other) = match &names[..] {
        [name] => (name.clone(), "says", "it says"),
        [others @ .., last] => (format!("{} and {last}", others.join(", ")), "say", "they say"),
        [] => return Vec::new(),
    };
    let message = format!(
        "the rules are not the same for both players: no turn or mirror image of the board makes what \
         {names} {of_one} of one what {of_other} of the other"
    );
    vec![Warning::remark("W11", place, message)]
}
