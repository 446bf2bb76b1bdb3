//! Text whose parts may stand out.

use crate::terminal::Tone;

/// A part of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The text.
    pub text: String,
    /// How it is emphasised by colour.
    pub tone: Option<Tone>,
    /// Whether it is set in bold.
    pub strong: bool,
}

/// A text of one or more parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words(pub Vec<Span>);

impl Words {
    /// The text without its emphasis.
    #[must_use]
    pub fn plain(&self) -> String {
        self.0.iter().map(|span| span.text.as_str()).collect()
    }

    /// The same with a text behind.
    #[must_use]
    pub fn and(mut self, text: impl Into<String>) -> Words {
        self.0.push(Span { text: text.into(), ..Span::default() });
        self
    }

    /// The same with a text behind that carries a judgement.
    #[must_use]
    pub fn and_toned(mut self, text: impl Into<String>, tone: Tone) -> Words {
        self.0.push(Span { text: text.into(), tone: Some(tone), strong: false });
        self
    }

    /// The same with a text in bold behind.
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
