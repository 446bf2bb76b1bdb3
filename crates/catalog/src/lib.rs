//! Catalog of all games by name.
//!
//! This is the only crate that knows the games: their families, parameters with ranges, presets and
//! capabilities. [`GameSpec::with_game`] calls a [`Visitor`] with the game's own type, so that
//! heavy work is compiled per game and no call on a hot path is dynamic.
//!
//! ```
//! use treegauge_catalog::{Entry, GameSpec, Visitor};
//! use treegauge_core::{Keyed, Notation};
//!
//! /// The start position as text.
//! struct Start;
//!
//! impl Visitor for Start {
//!     type Output = String;
//!
//!     fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> String {
//!         entry.game.position_text(&entry.game.start())
//!     }
//! }
//!
//! let spec = GameSpec::parse("connect_four(cols=5, rows=4)").unwrap();
//! assert_eq!(spec.with_game(Start).unwrap(), "...../...../...../..... x");
//! ```

mod args;
mod described;
mod entry;
mod evaluator;
mod external;
mod families;
mod family;
mod library;
mod spec;
mod state_space;
mod templates;
#[cfg(test)]
mod tests;
mod text_game;

pub use args::Args;
pub use described::{DescriptionError, described_game};
pub use entry::{Entry, Visitor};
pub use evaluator::{EvaluatorInfo, NamedEvaluator};
pub use external::{EXTERNAL_FAMILY, ExternalPosition, ExternalRules, Reached, register_external};
pub use families::{FAMILIES, family};
pub use family::{Family, Origin, Preset};
pub use library::{LibraryGame, LibraryGroup, library, library_game};
pub use spec::{GameSpec, SpecError};
pub use state_space::StateSpace;
pub use templates::{FAMILIES_WITHOUT_TEMPLATE, TEMPLATES, Template, TemplateError, template};
pub use text_game::{TEXT_FAMILY, with_path};
pub use treegauge_core::Capability;
pub use treegauge_rules as rules;
// Families are written with these types.
pub use treegauge_grammar::{Parameter, Values, nearest};
