//! Texts to begin a game of one's own from.

use treegauge_catalog::{FAMILIES_WITHOUT_TEMPLATE, TEMPLATES};
use treegauge_core::Head;
use treegauge_report::{TemplateListing, TemplatesReport, WithoutText};

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

/// The games that there is a text of, and the families that there is none of.
#[must_use]
pub fn templates() -> TemplatesReport {
    let games = TEMPLATES.iter().map(|template| TemplateListing {
        game: template.game.to_owned(),
        title: template.title(),
    });
    let without = FAMILIES_WITHOUT_TEMPLATE.iter().map(|&(family, reason)| WithoutText {
        family: family.to_owned(),
        reason: reason.to_owned(),
    });
    TemplatesReport { head: Head::NEW, games: games.collect(), without_text: without.collect() }
}
