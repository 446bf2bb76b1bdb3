//! The voice of the project: phrases that comments, messages and documents avoid.
//!
//! The lint knows phrases, not grammar. Each has the words to write in its place, and a phrase that is
//! right in its place is rare enough to be written in another way.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};

use crate::run::{output, root};

/// Texts in which a phrase is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Comment of a source, without its slashes.
    Comment,
    /// Source line that is not a comment, so also its string literals.
    Code,
    /// Line of a document.
    Prose,
}

/// Phrase to avoid.
struct Phrase {
    /// Lower-case words; the last may be the beginning of a word if `...` follows.
    words: &'static str,
    /// Whether only the beginning of a doc comment counts.
    is_beginning: bool,
    /// Words that make the phrase right if they stand directly before or behind it.
    unless: &'static [&'static str],
    /// Words to write in its place.
    instead: &'static str,
}

const fn beginning(words: &'static str) -> Phrase {
    let instead = "begin with a noun phrase or a verb in the third person";
    Phrase { words, is_beginning: true, unless: &[], instead }
}

const fn phrase(words: &'static str, instead: &'static str) -> Phrase {
    Phrase { words, is_beginning: false, unless: &[], instead }
}

/// Phrases of section "Voice" of CONTRIBUTING.md.
const PHRASES: [Phrase; 14] = [
    beginning("what"),
    beginning("how"),
    beginning("why"),
    beginning("whether what"),
    phrase("of which", "`whose` or `that`"),
    phrase("of whom", "`whose` or `who`"),
    phrase("nothing where", "`None` if"),
    phrase("none where", "`None` if"),
    phrase("so many", "`up to n`, `that many` or the number"),
    phrase("as far as", "the condition or the limit"),
    phrase("is none of", "`is not one of` or `invalid`"),
    phrase("whatever is", "the things that are meant"),
    Phrase {
        words: "is no",
        is_beginning: false,
        unless: &["there", "longer", "more", "less", "better", "other", "such"],
        instead: "`is not a`",
    },
    Phrase {
        words: "are no",
        is_beginning: false,
        unless: &["there", "longer", "more", "less", "better", "other", "such"],
        instead: "`are not`",
    },
];

/// Checks every comment, message and document.
pub(crate) fn voice() -> Result<()> {
    let listed = output(Command::new("git").args(["ls-files"]).current_dir(root()))?;
    let mut found = Vec::new();
    for name in listed.lines().filter(|name| is_checked(name)) {
        let text = fs::read_to_string(root().join(name))?;
        let is_source = Path::new(name).extension().is_some_and(|extension| extension == "rs");
        for (n, line) in (1..).zip(text.lines()) {
            let (kind, line) = kind_of(line, is_source);
            found.extend(faults(line, kind).map(|phrase| {
                format!("{name}:{n}: \"{}\": write {}", phrase.words, phrase.instead)
            }));
        }
    }
    ensure!(found.is_empty(), "the voice of CONTRIBUTING.md:\n{}", found.join("\n"));
    Ok(())
}

/// Tests whether a file is written by hand: a source or a document, but not this list.
fn is_checked(name: &str) -> bool {
    let is_source =
        name.ends_with(".rs") && (name.starts_with("crates/") || name.starts_with("xtask/"));
    let is_document = name.ends_with(".md");
    name != "xtask/src/voice.rs" && (is_source || is_document)
}

/// The kind of a line, and the line without the slashes of a comment.
fn kind_of(line: &str, is_source: bool) -> (Kind, &str) {
    let line = line.trim();
    if !is_source {
        return (Kind::Prose, line);
    }
    match line.strip_prefix("//") {
        Some(comment) => (Kind::Comment, comment),
        None => (Kind::Code, line),
    }
}

/// Phrases that a line should not have.
fn faults(line: &str, kind: Kind) -> impl Iterator<Item = &'static Phrase> {
    let is_doc = kind == Kind::Comment && line.starts_with(['/', '!']);
    let text = line.trim_start_matches(['/', '!', ' ']).to_lowercase();
    let is_capital = line.trim_start_matches(['/', '!', ' ']).starts_with(char::is_uppercase);
    let words: Vec<String> = text
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '_')))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    PHRASES.iter().filter(move |phrase| {
        let wanted: Vec<&str> = phrase.words.split(' ').collect();
        if phrase.is_beginning {
            return is_doc
                && is_capital
                && words.len() >= wanted.len()
                && words.iter().zip(&wanted).all(|(a, b)| a == b);
        }
        words.windows(wanted.len()).enumerate().any(|(at, window)| {
            let before = at.checked_sub(1).and_then(|at| words.get(at));
            let behind = words.get(at + wanted.len());
            let is_right = |word: Option<&String>| {
                word.is_some_and(|word| phrase.unless.contains(&word.as_str()))
            };
            // At the end of a line the rest of the phrase stands on the next.
            let is_whole = !phrase.words.ends_with(" no") || behind.is_some();
            window.iter().zip(&wanted).all(|(a, b)| a == b)
                && is_whole
                && !is_right(before)
                && !is_right(behind)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(line: &str, is_source: bool) -> Vec<&'static str> {
        let (kind, line) = kind_of(line, is_source);
        faults(line, kind).map(|phrase| phrase.words).collect()
    }

    #[test]
    fn phrases_are_found_where_they_are_wrong() {
        let source = |line| found(line, true);
        assert_eq!(source("/// What a game is."), ["what"]);
        assert_eq!(source("    //! Whether what it says is true."), ["whether what"]);
        assert_eq!(source("/// Positions, of which one is drawn."), ["of which"]);
        assert_eq!(source(r#"    Err("it is no game".into())"#), ["is no"]);
        assert_eq!(found("The file is none of a run.", false), ["is none of"]);
    }

    #[test]
    fn phrases_are_left_alone_where_they_are_right() {
        let source = |line| found(line, true);
        assert_eq!(source("/// Tests what follows."), [""; 0]);
        // A sentence that goes on with the word, and an ordinary comment.
        assert_eq!(source("/// how it ends."), [""; 0]);
        assert_eq!(source("// What follows is fast."), [""; 0]);
        assert_eq!(source("/// There is no limit, and it is no longer read."), [""; 0]);
        assert_eq!(source("let of_which = 1;"), [""; 0]);
    }
}
