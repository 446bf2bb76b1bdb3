//! Texts to begin a game of one's own from.

use treegauge_catalog::{FAMILIES_WITHOUT_TEMPLATE, TEMPLATES};

use crate::{Error, ErrorKind};

/// The text of a built-in game in the language of `rules`.
///
/// # Errors
///
/// When there is no such game, or no text of it.
///
/// ```
/// let text = treegauge::template("breakthrough").unwrap();
/// assert!(text.contains("(step man forward)"));
/// ```
pub fn template(game: &str) -> Result<String, Error> {
    treegauge_catalog::template(game)
        .map_err(|error| Error::new(ErrorKind::Usage, error.to_string()))
}

/// The games that there is a text of, each with the name that its text gives it.
#[must_use]
pub fn templates() -> Vec<(&'static str, String)> {
    TEMPLATES.iter().map(|template| (template.game, template.title())).collect()
}

/// The families that there is no text of, each with the reason.
#[must_use]
pub fn families_without_template() -> &'static [(&'static str, &'static str)] {
    FAMILIES_WITHOUT_TEMPLATE
}
