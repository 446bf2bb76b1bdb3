//! Mistakes in a text, reported to the person who wrote it.

use std::error::Error;
use std::fmt;

use crate::everyday::{beyond_language, words_for};
use crate::reader::is_symbol;

/// Largest number of mistakes reported for one text.
pub const MISTAKES_MAX: usize = 10;

/// Number of the last kind of warnings, `W15`.
pub(crate) const WARNINGS: u32 = 15;

/// Tests whether a word is the code of a warning.
pub(crate) fn is_code(word: &str) -> bool {
    let number = word.strip_prefix('W').and_then(|number| number.parse().ok());
    number.is_some_and(|number: u32| (1..=WARNINGS).contains(&number))
}

/// Place in a text: line and column, both from 1. Columns count characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Line, from 1.
    pub line: u32,
    /// Character of the line, from 1.
    pub column: u32,
}

/// One mistake in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mistake {
    /// Place of the mistake.
    pub place: Place,
    /// Number of characters of the word at the place, or of a parenthesis with its word; 0 at the
    /// end of a line.
    pub length: u32,
    /// Description in one sentence without a full stop.
    pub message: String,
    /// Known word nearest to an unknown one; `None` if no word is near.
    pub nearest: Option<String>,
    /// Valid alternatives or an example, if any.
    pub hint: Option<String>,
}

impl Mistake {
    /// Mistake without a nearest word or a hint.
    pub(crate) fn new(place: Place, message: impl Into<String>) -> Mistake {
        Mistake { place, length: 0, message: message.into(), nearest: None, hint: None }
    }

    /// Adds a hint.
    pub(crate) fn hint(self, hint: impl Into<String>) -> Mistake {
        Mistake { hint: Some(hint.into()), ..self }
    }

    /// Adds the known name nearest to `written`, if one is near.
    pub(crate) fn near<'a>(
        mut self,
        written: &str,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Mistake {
        if let Some(reason) = beyond_language(written) {
            self.message = format!("{}; {reason}", self.message);
            return self;
        }
        let names: Vec<&str> = names.into_iter().collect();
        let everyday = words_for(written).find(|name| names.contains(name));
        let meant = everyday.or_else(|| nearest(written, names.iter().copied()));
        self.nearest = meant.map(str::to_owned);
        self
    }
}

/// Name that the writer of `written` probably meant: it differs in at most a third of its letters,
/// or begins with `written`, which must then have at least three letters.
pub(crate) fn nearest<'a>(
    written: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let mut best: Option<(usize, &str)> = None;
    let letters = written.chars().count();
    for name in names {
        let most = written.len().max(name.len()).div_ceil(3);
        // Words that differ too much in length are skipped: a text may contain a word of many
        // thousand letters.
        if letters.abs_diff(name.chars().count()) > most && !name.starts_with(written) {
            continue;
        }
        let distance = strsim::osa_distance(written, name);
        let near = distance <= most;
        let begins = written.len() >= 3 && name.starts_with(written);
        if (near || begins) && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, name));
        }
    }
    best.map(|(_, name)| name)
}

/// Number of characters of the word, number or string at a column of a line. The word behind a
/// parenthesis belongs to it.
fn length_at(line: &str, column: u32) -> u32 {
    let mut rest = line.chars().skip(column.saturating_sub(1) as usize);
    let symbols =
        |rest: std::iter::Skip<std::str::Chars<'_>>| 1 + rest.take_while(|&c| is_symbol(c)).count();
    let length = match rest.next() {
        None => 0,
        Some('"') => {
            let text: String = rest.collect();
            1 + text.split_inclusive('"').next().unwrap_or_default().chars().count()
        }
        Some(c) if c == '(' || is_symbol(c) => symbols(rest),
        Some(_) => 1,
    };
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// Mistakes found in a text, in the order of the text: at least one, at most [`MISTAKES_MAX`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistakes {
    mistakes: Vec<Mistake>,
    /// Source line of each mistake, shown below its message.
    lines: Vec<String>,
}

impl Mistakes {
    /// Sorts the mistakes, removes duplicates and keeps the first [`MISTAKES_MAX`].
    ///
    /// # Panics
    ///
    /// When the list is empty.
    pub(crate) fn of(mut mistakes: Vec<Mistake>, source: &str) -> Mistakes {
        assert!(!mistakes.is_empty(), "a text is refused for a reason");
        mistakes.sort_by_key(|mistake| mistake.place);
        mistakes.dedup();
        mistakes.truncate(MISTAKES_MAX);
        let line_of = |mistake: &Mistake| {
            source.lines().nth(mistake.place.line.saturating_sub(1) as usize).unwrap_or_default()
        };
        for mistake in &mut mistakes {
            mistake.length = length_at(line_of(mistake), mistake.place.column);
        }
        let line = |mistake: &Mistake| line_of(mistake).chars().take(200).collect();
        let lines = mistakes.iter().map(line).collect();
        Mistakes { mistakes, lines }
    }

    /// The mistakes in the order of the text.
    #[must_use]
    pub fn list(&self) -> &[Mistake] {
        &self.mistakes
    }

    /// Formats all mistakes on several lines, each with the file name, line, column and a mark
    /// below the place in the source line.
    #[must_use]
    pub fn text(&self, file: &str) -> String {
        use fmt::Write;
        let mut text = String::new();
        for (mistake, line) in self.mistakes.iter().zip(&self.lines) {
            let Place { line: number, column } = mistake.place;
            let _ = writeln!(text, "{file}:{number}:{column}: {}", mistake.message);
            if !line.trim().is_empty() {
                let before: String = line
                    .chars()
                    .take(column.saturating_sub(1) as usize)
                    .map(|c| if c == '\t' { '\t' } else { ' ' })
                    .collect();
                let _ = writeln!(text, "  | {line}\n  | {before}^");
            }
            let meant = mistake.nearest.as_ref().map(|name| format!("did you mean `{name}`?"));
            let hints = meant.iter().chain(&mistake.hint).map(String::as_str);
            let hints: Vec<&str> = hints.collect();
            if !hints.is_empty() {
                let _ = writeln!(text, "  = {}", hints.join(" "));
            }
        }
        text
    }
}

impl fmt::Display for Mistakes {
    /// Writes the first mistake on one line, and the number of others.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = &self.mistakes[0];
        write!(f, "line {}, column {}: {}", first.place.line, first.place.column, first.message)?;
        if let Some(name) = &first.nearest {
            write!(f, "; did you mean `{name}`?")?;
        }
        match self.mistakes.len() - 1 {
            0 => Ok(()),
            1 => f.write_str("; and one mistake more"),
            more => write!(f, "; and {more} mistakes more"),
        }
    }
}

impl Error for Mistakes {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_is_that_of_the_word_at_the_place() {
        let line = "  (gird 8 \"a b\" \u{201c}x";
        for (column, length) in
            [(3, 5), (4, 4), (9, 1), (11, 5), (17, 1), (18, 1), (19, 0), (99, 0)]
        {
            assert_eq!(length_at(line, column), length, "column {column}");
        }
        assert_eq!(length_at("\"open", 1), 5);
    }
}
