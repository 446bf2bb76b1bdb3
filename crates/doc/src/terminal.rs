//! Properties of the terminal or file that a document is written to.

/// Width and colours of the terminal or file that a document is written to. The default, for a file
/// or a pipe, has neither.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextStyle {
    /// Width in characters, to which wide tables wrap; `None` for no limit.
    pub columns: Option<u16>,
    /// Whether to use colours.
    pub colour: bool,
    /// Whether the reader asked for reasons and methods: folds are printed open.
    pub explain: bool,
    /// Whether to print small charts in tables and between them.
    pub charts: bool,
}

/// Judgement, shown as a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Something is wrong.
    Bad,
    /// Something is undecided.
    Undecided,
    /// All is well.
    Good,
}

impl TextStyle {
    /// Wraps the words in the colour of a tone if the terminal has colours.
    #[must_use]
    pub fn paint(self, words: &str, tone: Tone) -> String {
        if !self.colour || words.is_empty() {
            return words.to_owned();
        }
        let code = match tone {
            Tone::Bad => "1;31",
            Tone::Undecided => "33",
            Tone::Good => "32",
        };
        format!("\x1b[{code}m{words}\x1b[0m")
    }
}

#[cfg(test)]
mod tests {
    use super::{TextStyle, Tone};

    #[test]
    fn words_have_colours_on_a_terminal_that_has_them() {
        let colour = TextStyle { colour: true, ..TextStyle::default() };
        assert_eq!(colour.paint("YES", Tone::Bad), "\x1b[1;31mYES\x1b[0m");
        assert_eq!(colour.paint("", Tone::Bad), "");
        assert_eq!(TextStyle::default().paint("YES", Tone::Bad), "YES");
    }
}
