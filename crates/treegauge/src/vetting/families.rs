//! Families of games: variants of one game that an answer puts in order.

use treegauge_catalog::LibraryGroup;
use treegauge_dataset::vet::group_of;

use crate::Game;

/// Text that variants of one game share: the name of the family, or the rules of a text without
/// their numbers.
pub(super) fn family_key(game: &Game) -> String {
    let spec = &game.info().spec;
    match spec.program().filter(|_| spec.library_game().is_none()) {
        None => spec.family().name.to_owned(),
        Some(program) => {
            let mut key = String::new();
            let mut was_digit = false;
            for c in program.normal_text().chars() {
                if !c.is_ascii_digit() {
                    key.push(c);
                } else if !was_digit {
                    key.push('#');
                }
                was_digit = c.is_ascii_digit();
            }
            without_name(&key).to_owned()
        }
    }
}

/// Rules on one line without their name, which differs between variants.
fn without_name(rules: &str) -> &str {
    let Some(rest) = rules.strip_prefix("(game \"") else { return rules };
    rest.split_once('"').map_or(rules, |(_, rest)| rest)
}

/// Name of a family for readers.
pub(super) fn family_name(game: &Game) -> String {
    let spec = &game.info().spec;
    let program = spec.program().filter(|_| spec.library_game().is_none());
    program.map_or_else(|| spec.family().name.to_owned(), |program| program.name().to_owned())
}

/// Kind of a game: the group of its family; of an own text, whether it is a race or has captures.
pub(super) fn kind_of(game: &Game) -> Option<LibraryGroup> {
    let spec = &game.info().spec;
    let Some(program) = spec.program().filter(|_| spec.library_game().is_none()) else {
        return group_of(spec.family().name);
    };
    let rules = program.normal_text();
    let (moves, end) = rules.split_once("(end").unwrap_or((rules, ""));
    let moves = moves.split_once("(play").map_or("", |(_, moves)| moves);
    let has = |text: &str, words: &[&str]| words.iter().any(|word| text.contains(word));
    if has(end, &["(far ", "(home "]) {
        return Some(LibraryGroup::Race);
    }
    has(moves, &["theirs", "(hop", "custodial", "flip", "(remove"]).then_some(LibraryGroup::Capture)
}
