//! Texts that have been parsed but not checked.

use std::sync::Arc;

use treegauge_core::Plies;

use crate::check;
use crate::error::{Mistake, Mistakes, Place};
use crate::lint;
use crate::reader::{self, Node};
use crate::tree::{OptionValue, Program};

/// Parsed text of a game, with its options.
#[derive(Clone, Debug)]
pub struct Text {
    source: String,
    game: Node,
    options: Vec<OptionValue>,
}

impl Text {
    /// Parses a text.
    ///
    /// # Errors
    ///
    /// When the text is too long, its parentheses do not match, or its options are invalid.
    pub fn read(source: &str) -> Result<Text, Mistakes> {
        let game = reader::read(source).map_err(|m| Mistakes::of(vec![m], source))?;
        let options = check::options_of(&game).map_err(|m| Mistakes::of(m, source))?;
        Ok(Text { source: source.to_owned(), game, options })
    }

    /// Options with their defaults.
    #[must_use]
    pub fn options(&self) -> &[OptionValue] {
        &self.options
    }

    /// Checks the text with its options at their defaults.
    ///
    /// # Errors
    ///
    /// Mistakes of the text, at most [`MISTAKES_MAX`](crate::MISTAKES_MAX).
    pub fn check(&self) -> Result<Program, Mistakes> {
        self.check_with(&[])
    }

    /// Checks the text with values for some of its options.
    ///
    /// # Errors
    ///
    /// Mistakes of the text. A name that is not an option, or a value out of its range, is also an
    /// error.
    pub fn check_with(&self, values: &[(String, i32)]) -> Result<Program, Mistakes> {
        let program = Arc::new(self.unproved(values)?);
        match lint::unplayable(&program) {
            None => Ok(Arc::unwrap_or_clone(program)),
            Some(mistake) => Err(Mistakes::of(vec![mistake], &self.source)),
        }
    }

    /// Tree of the text.
    pub(crate) fn game(&self) -> &Node {
        &self.game
    }

    /// Checks the text, but accepts a game that cannot be played.
    pub(crate) fn unproved(&self, values: &[(String, i32)]) -> Result<Program, Mistakes> {
        let mut options = self.options.clone();
        let refuse = |mistake: Mistake| Mistakes::of(vec![mistake], &self.source);
        for (name, value) in values {
            let names = || self.options.iter().map(|option| option.name.as_str());
            let Some(option) = options.iter_mut().find(|option| option.name == *name) else {
                let message = format!("the game has no option `{name}`");
                let has: Vec<&str> = names().collect();
                let mistake =
                    Mistake::new(Place { line: 1, column: 1 }, message).near(name, names());
                return Err(refuse(if has.is_empty() {
                    mistake.hint("it has no options")
                } else {
                    mistake.hint(format!("its options are {}", has.join(", ")))
                }));
            };
            if !(option.lowest..=option.highest).contains(value) {
                let message = format!(
                    "the option `{name}` cannot be {value}: it can be {} to {}",
                    option.lowest, option.highest
                );
                return Err(refuse(Mistake::new(Place { line: 1, column: 1 }, message)));
            }
            option.value = *value;
        }
        check::program(&self.game, options).map_err(|m| Mistakes::of(m, &self.source))
    }
}

impl Program {
    /// Name of the game.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Description of the game; `None` if the text has none.
    #[must_use]
    pub fn about(&self) -> Option<&str> {
        self.about.as_deref()
    }

    /// Options with their values.
    #[must_use]
    pub fn options(&self) -> &[OptionValue] {
        &self.options
    }

    /// Number of plies after which a game is stopped as capped; `None` if the text has no cap.
    #[must_use]
    pub fn ply_cap(&self) -> Option<Plies> {
        self.cap.map(Plies)
    }

    /// Hash of the text without comments, layout and `about`. Two texts with the same digest
    /// describe the same game.
    #[must_use]
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// Text on one line, without comments and `about`.
    #[must_use]
    pub fn normal_text(&self) -> &str {
        &self.normal
    }
}
