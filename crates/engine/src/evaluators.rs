//! Evaluators of alpha-beta by name: those of every game, and those of single games.

use std::fmt::{self, Display};
use std::path::{Path, PathBuf};

use treegauge_grammar::{Error, Parsed, Role, call, parse};
use treegauge_solve::ProbeError;

use crate::forms::EVALUATORS;

/// Text form of an evaluator: `name` or `name(param=value,...)`.
#[derive(Clone, Debug, PartialEq)]
pub struct EvaluatorSpec {
    pub(crate) text: String,
    pub(crate) kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Mobility,
    Margin,
    Uct {
        iterations: u32,
        cp: f64,
    },
    Random {
        seed: u64,
    },
    Perfect {
        /// Path in the text.
        file: PathBuf,
        /// Path at which the file is opened.
        place: PathBuf,
    },
    /// Name that the game must have an evaluator for.
    Own,
}

/// Reason that a game does not have an evaluator.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvaluatorError {
    /// The text is not an evaluator of the game.
    #[error(transparent)]
    Text(#[from] Error),
    /// The game has no scores.
    #[error("the game has no scores for `margin`; use `mobility`")]
    NoMargin,
    /// The file of the solved game cannot be used.
    #[error(transparent)]
    SolvedFile(#[from] ProbeError),
}

impl EvaluatorSpec {
    /// Parses an evaluator. A name that not every game has is looked up in the game when the
    /// evaluator is used.
    ///
    /// # Errors
    ///
    /// When an evaluator of every game has a parameter that it does not know, or a value out of
    /// range.
    pub fn parse(text: &str) -> Result<EvaluatorSpec, Error> {
        let kind = if is_common(&call(Role::Evaluator, text)?.name) {
            let Parsed { form, args, .. } = parse(Role::Evaluator, EVALUATORS, text)?;
            match form.name {
                "mobility" => Kind::Mobility,
                "margin" => Kind::Margin,
                "uct" => Kind::Uct { iterations: args.whole("iterations"), cp: args.number("cp") },
                "random" => Kind::Random { seed: args.long("seed") },
                "perfect" => {
                    let file = PathBuf::from(args.text("file"));
                    Kind::Perfect { place: file.clone(), file }
                }
                other => unreachable!("{other} is an evaluator of the table"),
            }
        } else {
            Kind::Own
        };
        Ok(EvaluatorSpec { text: text.trim().to_owned(), kind })
    }

    /// Path of the file that the evaluator reads; `None` if it reads no file.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        match &self.kind {
            Kind::Perfect { file, .. } => Some(file),
            _ => None,
        }
    }

    /// Changes the path at which the file is opened to the result of `place`. The text stays the
    /// same.
    #[must_use]
    pub fn with_file(&self, place: &dyn Fn(&Path) -> PathBuf) -> EvaluatorSpec {
        let mut moved = self.clone();
        if let Kind::Perfect { file, place: at } = &mut moved.kind {
            *at = place(file);
        }
        moved
    }
}

/// Returns whether every game has an evaluator of this name.
fn is_common(name: &str) -> bool {
    EVALUATORS.iter().any(|form| form.is_called(name))
}

impl Display for EvaluatorSpec {
    /// Writes the text as the user wrote it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
