//! Rules texts of games, as a start for a user's own game.

use treegauge_catalog::{FAMILIES_WITHOUT_TEMPLATE, TEMPLATES, library};
use treegauge_core::ReportHeader;
use treegauge_report::{FamilyWithoutText, TemplateListing, TemplatesReport};

use crate::{Error, ErrorKind};

/// Rules text of a game of the catalog.
///
/// # Errors
///
/// If the catalog has no such game, or the game has no rules text.
///
/// ```
/// let text = treegauge::template("breakthrough").unwrap();
/// assert!(text.contains("(step man forward)"));
/// ```
pub fn template(game: &str) -> Result<String, Error> {
    treegauge_catalog::template(game)
        .map_err(|error| Error::new(ErrorKind::Usage, error.to_string()))
}

/// Games that have a rules text, and families that have none.
#[must_use]
pub fn templates() -> TemplatesReport {
    let games = TEMPLATES.iter().map(|template| TemplateListing {
        game: template.game.to_owned(),
        title: template.title(),
    });
    let published = library()
        .iter()
        .map(|game| TemplateListing { game: game.name.to_owned(), title: game.title.to_owned() });
    let without = FAMILIES_WITHOUT_TEMPLATE.iter().map(|&(family, reason)| FamilyWithoutText {
        family: family.to_owned(),
        reason: reason.to_owned(),
    });
    TemplatesReport {
        head: ReportHeader::NEW,
        games: games.chain(published).collect(),
        without_text: without.collect(),
    }
}
