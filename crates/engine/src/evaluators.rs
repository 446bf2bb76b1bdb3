//! The evaluators of alpha-beta by name: those of every game, and those that a game brings along.

use std::fmt::{self, Display};
use std::path::{Path, PathBuf};

use treegauge_grammar::{Error, Parsed, Role, call, parse};
use treegauge_solve::ProbeError;

use crate::forms::EVALUATORS;

/// The text form of an evaluator: `name` or `name(param=value,...)`.
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
        /// As its text has it.
        file: PathBuf,
        /// The path at which it is opened.
        place: PathBuf,
    },
    /// A name that the game may have an evaluator for.
    Own,
}

/// Why a game does not have an evaluator.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvaluatorError {
    /// The text is no evaluator of the game.
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
    /// Reads an evaluator. A name that is not one of every game's is looked up in the game when
    /// the evaluator is used.
    ///
    /// # Errors
    ///
    /// When a parameter of an evaluator that every game has is not one of its parameters, or does
    /// not take its value.
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

    /// The file that it reads, if it reads one.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        match &self.kind {
            Kind::Perfect { file, .. } => Some(file),
            _ => None,
        }
    }

    /// The same evaluator, which opens its file where `place` says. Its text stays.
    #[must_use]
    pub fn with_file(&self, place: &dyn Fn(&Path) -> PathBuf) -> EvaluatorSpec {
        let mut moved = self.clone();
        if let Kind::Perfect { file, place: at } = &mut moved.kind {
            *at = place(file);
        }
        moved
    }
}

/// Whether every game has an evaluator of this name.
fn is_common(name: &str) -> bool {
    EVALUATORS.iter().any(|form| form.is_called(name))
}

impl Display for EvaluatorSpec {
    /// As the user wrote it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
