//! Every game by name.
//!
//! The only crate that knows the games: their families, parameters with ranges, presets and
//! capabilities. Programs ask it in one of two ways:
//!
//! - [`GameSpec::with_game`] leads a [`Visitor`] to the game's own type, so that heavy work is
//!   compiled for each game and no call on a hot path is dynamic;
//! - [`open`] gives a [`DynGame`], which serves text and pictures only.
//!
//! ```
//! use treegauge_catalog::{GameSpec, open};
//!
//! let spec = GameSpec::parse("connect_four(cols=5, rows=4)").unwrap();
//! let mut position = open(&spec).unwrap().start();
//! position.play("c").unwrap();
//! assert_eq!(position.text(), "...../...../...../..x.. o");
//! ```

mod args;
mod described;
mod entry;
mod evaluator;
mod facade;
mod families;
mod family;
mod spec;

pub use args::Args;
pub use described::{DescriptionError, described_game};
pub use entry::{Entry, Visitor};
pub use evaluator::{EvaluatorInfo, NamedEvaluator};
pub use facade::{DynGame, DynPosition, PlayError, open};
pub use families::{FAMILIES, family};
pub use family::{Family, Preset};
pub use spec::{GameSpec, SpecError};
pub use treegauge_core::Capability;
// Families are written with these.
pub use treegauge_grammar::{Parameter, Values, nearest};
