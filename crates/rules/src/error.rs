//! What is wrong with a text, for the person who wrote it.

use std::error::Error;
use std::fmt;

/// The greatest number of mistakes that are reported of one text.
pub const MISTAKES_MAX: usize = 10;

/// A place in a text: line and column, both from 1; columns are characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The line, from 1.
    pub line: u32,
    /// The character of the line, from 1.
    pub column: u32,
}

/// One mistake in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mistake {
    /// Where it is.
    pub place: Place,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// The known word that is nearest to what was written, where a word is unknown.
    pub nearest: Option<String>,
    /// What may stand there, or an example.
    pub hint: Option<String>,
}

impl Mistake {
    /// A mistake without a nearest word and without a hint.
    pub(crate) fn new(place: Place, message: impl Into<String>) -> Mistake {
        Mistake { place, message: message.into(), nearest: None, hint: None }
    }

    /// The same with a hint.
    pub(crate) fn hint(self, hint: impl Into<String>) -> Mistake {
        Mistake { hint: Some(hint.into()), ..self }
    }

    /// The same with the nearest of some names, where one is near.
    pub(crate) fn near<'a>(
        mut self,
        written: &str,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Mistake {
        self.nearest = nearest(written, names).map(str::to_owned);
        self
    }
}

/// The name that somebody who wrote `written` probably meant: one that differs in a third of its
/// letters at most, or that begins alike.
pub(crate) fn nearest<'a>(
    written: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let mut best: Option<(usize, &str)> = None;
    let letters = written.chars().count();
    for name in names {
        let most = written.len().max(name.len()).div_ceil(3);
        // A text may have a word of many thousand letters, and is compared with all of the table.
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

/// All mistakes of a text that were found, in the order of the text: at least one, at most
/// [`MISTAKES_MAX`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistakes {
    mistakes: Vec<Mistake>,
    /// The lines with a mistake, for the picture below the message.
    lines: Vec<String>,
}

impl Mistakes {
    /// Sorts mistakes and keeps what a reader can use of them.
    ///
    /// # Panics
    ///
    /// When there is none.
    pub(crate) fn of(mut mistakes: Vec<Mistake>, source: &str) -> Mistakes {
        assert!(!mistakes.is_empty(), "a text is refused for a reason");
        mistakes.sort_by_key(|mistake| mistake.place);
        mistakes.dedup();
        mistakes.truncate(MISTAKES_MAX);
        let line = |mistake: &Mistake| {
            let n = mistake.place.line.saturating_sub(1) as usize;
            source.lines().nth(n).unwrap_or_default().chars().take(200).collect()
        };
        let lines = mistakes.iter().map(line).collect();
        Mistakes { mistakes, lines }
    }

    /// The mistakes.
    #[must_use]
    pub fn list(&self) -> &[Mistake] {
        &self.mistakes
    }

    /// All mistakes with the name of the file, the line and a mark below the place: several lines.
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
    /// The first mistake in one line, and how many more there are.
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
