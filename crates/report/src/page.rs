//! Pages of reports that write HTML themselves.

use maud::Markup;
use treegauge_doc::page_of;

/// A self-contained page about a game.
pub(crate) fn page(title: &str, body: &Markup) -> String {
    page_of(title, &body.clone().into_string())
}
