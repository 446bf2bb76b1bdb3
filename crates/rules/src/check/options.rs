//! Checks of the options of a text.

use crate::error::Mistake;
use crate::reader::{Is, Node};
use crate::tree::OptionValue;
use crate::words::WORDS;

/// Words of the language that may name an option, as they name the sizes of built-in games. An option
/// stands alone in the place of a number; these words begin a list, such as `(rows 1 2)`, or follow
/// `wrap`, so neither is ever taken for the other.
const MAY_NAME_OPTIONS: [&str; 2] = ["rows", "columns"];

/// Options of a text with their defaults.
pub(crate) fn options_of(game: &Node) -> Result<Vec<OptionValue>, Vec<Mistake>> {
    let mut options: Vec<OptionValue> = Vec::new();
    let mut mistakes = Vec::new();
    let section = game.rest().iter().find(|node| node.head() == Some("options"));
    for node in section.map_or(&[][..], |section| section.rest()) {
        let pattern = "an option is written `(name 3 1 19)`: default, lowest, highest";
        let Is::List(parts) = &node.is else {
            mistakes
                .push(Mistake::new(node.place, "an option stands in parentheses").hint(pattern));
            continue;
        };
        let numbers: Vec<i32> = parts
            .iter()
            .skip(1)
            .filter_map(|part| match part.is {
                Is::Number(number) => Some(number as i32),
                _ => None,
            })
            .collect();
        let (Some(Is::Word(name)), [value, lowest, highest], 4) =
            (parts.first().map(|part| &part.is), &numbers[..], parts.len())
        else {
            mistakes.push(Mistake::new(node.place, "this is not an option").hint(pattern));
            continue;
        };
        let (value, lowest, highest) = (*value, *lowest, *highest);
        if !(lowest..=highest).contains(&value) {
            let message = format!("the default {value} is not from {lowest} to {highest}");
            mistakes.push(Mistake::new(parts[1].place, message).hint(pattern));
        } else if options.iter().any(|option| option.name == *name) {
            let message = format!("there is a second option `{name}`");
            mistakes.push(Mistake::new(parts[0].place, message));
        } else if is_word(name) && !MAY_NAME_OPTIONS.contains(&name.as_str())
            || matches!(name.as_str(), "file" | "title" | "digest" | "ply_cap")
        {
            let message = format!("`{name}` is a word, so it cannot name an option");
            mistakes.push(Mistake::new(parts[0].place, message));
        } else {
            options.push(OptionValue {
                name: name.clone(),
                value,
                default: value,
                lowest,
                highest,
            });
        }
    }
    if mistakes.is_empty() { Ok(options) } else { Err(mistakes) }
}

/// Tests whether a name is a word of the language.
pub(super) fn is_word(name: &str) -> bool {
    WORDS.iter().any(|word| word.name == name)
        || matches!(name, "each" | "neutral" | "exactly" | "no" | "must" | "may" | "own")
        || matches!(
            name,
            "then" | "only-if" | "at-most" | "bends" | "track" | "chain" | "offsets" | "mirror"
        )
}
