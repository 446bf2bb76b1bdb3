//! The evaluators that a game brings along, by name.

use std::fmt::{self, Debug};

use thiserror::Error;
use treegauge_core::{Call, CallError, Evaluator, Game};

use crate::{Args, Parameter};

/// Makes an evaluator of values for its parameters.
type Build<G> = fn(&G, &Args) -> Box<dyn Evaluator<G>>;

/// An evaluator of one game by name, with its parameters.
pub struct NamedEvaluator<G: Game> {
    /// The name.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// The parameters.
    pub parameters: &'static [Parameter],
    build: Build<G>,
}

/// An evaluator as it is described, whatever the type of its game.
#[derive(Clone, Copy, Debug)]
pub struct EvaluatorInfo {
    /// The name.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// The parameters.
    pub parameters: &'static [Parameter],
}

/// Why a text is no evaluator of a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EvaluatorError {
    /// It is not of the form `name(param=value,...)`.
    #[error("bad evaluator {text:?}: {error}")]
    Form {
        /// The text.
        text: String,
        /// What is wrong with it.
        error: CallError,
    },
    /// The game has no such evaluator.
    #[error("the game has no evaluator {name:?} of its own; it has {known}")]
    Name {
        /// The name.
        name: String,
        /// All of them, or `none`.
        known: String,
    },
    /// The evaluator has no such parameter.
    #[error("evaluator `{evaluator}` has no parameter {name:?}; it has {known}")]
    Parameter {
        /// The evaluator.
        evaluator: String,
        /// The parameter.
        name: String,
        /// All of them, or `none`.
        known: String,
    },
    /// The parameter does not take the value.
    #[error("`{name}` of evaluator `{evaluator}` cannot be {value:?}: it takes {expected}")]
    Value {
        /// The evaluator.
        evaluator: String,
        /// The parameter.
        name: String,
        /// The value.
        value: String,
        /// What it takes.
        expected: String,
    },
}

impl<G: Game> NamedEvaluator<G> {
    /// An evaluator that `build` makes. It gets a value for every parameter, each one that the
    /// parameter takes.
    #[must_use]
    pub const fn new(
        name: &'static str,
        summary: &'static str,
        parameters: &'static [Parameter],
        build: Build<G>,
    ) -> Self {
        NamedEvaluator { name, summary, parameters, build }
    }

    /// What is to be told of it.
    #[must_use]
    pub fn info(&self) -> EvaluatorInfo {
        let NamedEvaluator { name, summary, parameters, .. } = *self;
        EvaluatorInfo { name, summary, parameters }
    }
}

/// The evaluator of this text among `known` ones.
pub(crate) fn parse<G: Game>(
    game: &G,
    known: &[NamedEvaluator<G>],
    text: &str,
) -> Result<Box<dyn Evaluator<G>>, EvaluatorError> {
    let Call { name, arguments } =
        Call::parse(text).map_err(|error| EvaluatorError::Form { text: text.to_owned(), error })?;
    let Some(found) = known.iter().find(|evaluator| evaluator.name == name) else {
        return Err(EvaluatorError::Name { name, known: list(known.iter().map(|e| e.name)) });
    };
    let mut args = Args::of(found.parameters.iter());
    for argument in arguments {
        let Some(parameter) = found.parameters.iter().find(|p| p.name == argument.name) else {
            return Err(EvaluatorError::Parameter {
                evaluator: name,
                name: argument.name,
                known: list(found.parameters.iter().map(|p| p.name)),
            });
        };
        if !parameter.values.take(&argument.value) {
            return Err(EvaluatorError::Value {
                evaluator: name,
                name: argument.name,
                value: argument.value,
                expected: parameter.values.to_string(),
            });
        }
        args.set(parameter.name, &argument.value);
    }
    Ok((found.build)(game, &args))
}

fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

// Derives would ask for what is asked of `G` too.
impl<G: Game> Clone for NamedEvaluator<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for NamedEvaluator<G> {}

impl<G: Game> Debug for NamedEvaluator<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NamedEvaluator").field("name", &self.name).finish_non_exhaustive()
    }
}
