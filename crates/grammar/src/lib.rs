//! One grammar for games, players, evaluators and sequential tests: `name(param=value,...)`.
//!
//! [`treegauge_core::Call`] parses the syntax of a text. A [`Form`] is an entry of a table: a name,
//! its parameters and the values that each takes. [`parse`] checks a text against such a table.
//! Every fault is an [`Error`] with its position in the text and, for an unknown name, the nearest
//! known one.
//!
//! ```
//! use treegauge_grammar::{Form, Parameter, Role, Values, parse};
//!
//! const FORMS: &[Form] = &[Form {
//!     summary: "a search by upper confidence bounds",
//!     parameters: &[Parameter {
//!         name: "iterations",
//!         default: "10000",
//!         values: Values::Whole(1, 1_000_000),
//!         help: "iterations per move",
//!     }],
//!     ..Form::new("uct")
//! }];
//!
//! let player = parse(Role::Player, FORMS, "uct(iterations=500)").unwrap();
//! assert_eq!((player.form.name, player.args.whole("iterations")), ("uct", 500));
//! let error = parse(Role::Player, FORMS, "utc").unwrap_err();
//! assert_eq!(error.to_string(), "unknown player \"utc\"; did you mean `uct`?");
//! ```

mod args;
mod error;
mod form;
mod nearest;
mod numbers;
mod values;

pub use args::Args;
pub use error::{Error, Role};
pub use form::{Form, Parsed, arguments, call, call_of, parse};
pub use nearest::nearest;
pub use numbers::{InvalidValue, count, number, parse_size};
pub use values::{Parameter, Values};
