//! Text with emphasised parts.

use crate::terminal::Tone;

/// Part of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// Text of the part.
    pub text: String,
    /// Judgement, shown as a colour; `None` for no colour.
    pub tone: Option<Tone>,
    /// Whether the part is bold.
    pub strong: bool,
}

/// Text of one or more parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words(pub Vec<Span>);

impl Words {
    /// Returns the text without emphasis.
    #[must_use]
    pub fn plain(&self) -> String {
        self.0.iter().map(|span| span.text.as_str()).collect()
    }

    /// Appends a plain text.
    #[must_use]
    pub fn and(mut self, text: impl Into<String>) -> Words {
        self.0.push(Span { text: text.into(), ..Span::default() });
        self
    }

    /// Appends a text that carries a judgement.
    #[must_use]
    pub fn and_toned(mut self, text: impl Into<String>, tone: Tone) -> Words {
        self.0.push(Span { text: text.into(), tone: Some(tone), strong: false });
        self
    }

    /// Appends a bold text.
    #[must_use]
    pub fn and_strong(mut self, text: impl Into<String>) -> Words {
        self.0.push(Span { text: text.into(), strong: true, ..Span::default() });
        self
    }
}

impl<T: Into<String>> From<T> for Words {
    fn from(text: T) -> Words {
        Words::default().and(text)
    }
}
