//! Why a text does not match any of some forms.

use std::fmt;

use treegauge_core::CallError;

use crate::nearest::meant;

/// What a text is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// A game.
    Game,
    /// A player.
    Player,
    /// An evaluator of positions.
    Evaluator,
    /// A sequential test of a match.
    SequentialTest,
}

impl Role {
    /// `a` or `an`.
    pub(crate) const fn article(self) -> &'static str {
        match self {
            Role::Evaluator => "an",
            _ => "a",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Role::Game => "game",
            Role::Player => "player",
            Role::Evaluator => "evaluator",
            Role::SequentialTest => "sequential test",
        })
    }
}

/// Why a text is no game, player, evaluator or sequential test. Places are counted in characters
/// from 1, in the whole text that the user wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// It is not of the form `name(param=value,...)`.
    Form {
        /// What it should be.
        role: Role,
        /// The text.
        text: String,
        /// What is wrong with it.
        error: CallError,
    },
    /// There is no such name.
    Name {
        /// What it should be the name of.
        role: Role,
        /// The name.
        found: String,
        /// Where it stands.
        at: usize,
        /// The most similar name; `None` where none is similar.
        nearest: Option<String>,
        /// All names; `None` where they are many.
        known: Option<Vec<String>>,
    },
    /// The name has no such parameter.
    Parameter {
        /// What it is a parameter of.
        role: Role,
        /// The name of that.
        form: String,
        /// The parameter.
        found: String,
        /// Where it stands.
        at: usize,
        /// The most similar parameter; `None` where there are none.
        nearest: Option<String>,
        /// All parameters.
        known: Vec<String>,
    },
    /// The parameter does not take the value.
    Value {
        /// What it is a parameter of.
        role: Role,
        /// The name of that.
        form: String,
        /// The parameter.
        parameter: String,
        /// The value.
        found: String,
        /// Where the value stands.
        at: usize,
        /// What the parameter takes, in words.
        expected: String,
    },
    /// A parameter without a default is not given.
    Missing {
        /// What it is a parameter of.
        role: Role,
        /// The name of that.
        form: String,
        /// The parameter.
        parameter: String,
        /// How the whole is written.
        usage: String,
    },
    /// Two parameters are given that exclude each other.
    Together {
        /// What they are parameters of.
        role: Role,
        /// The name of that.
        form: String,
        /// The parameters of which at most one may be given.
        one_of: Vec<String>,
        /// The one that is too many.
        second: String,
        /// Where it stands.
        at: usize,
    },
}

/// More names than these are not listed in a sentence.
const LISTED_MAX: usize = 12;

impl Error {
    /// The error of a name, at character `at`, that is none of `names`.
    pub fn unknown<'n>(
        role: Role,
        found: &str,
        at: usize,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Error {
        let names: Vec<&str> = names.into_iter().collect();
        let few = names.len() <= LISTED_MAX;
        Error::Name {
            role,
            found: found.to_owned(),
            at,
            nearest: meant(found, names.iter().copied()).map(str::to_owned),
            known: few.then(|| names.iter().map(|&name| name.to_owned()).collect()),
        }
    }

    /// The character at which the error stands; `None` where something is missing.
    #[must_use]
    pub fn at(&self) -> Option<usize> {
        match self {
            Error::Form { error, .. } => error.at(),
            Error::Name { at, .. }
            | Error::Parameter { at, .. }
            | Error::Value { at, .. }
            | Error::Together { at, .. } => Some(*at),
            Error::Missing { .. } => None,
        }
    }

    /// The same error of a text that begins at character `begin` of a longer one.
    #[must_use]
    pub fn within(mut self, begin: usize) -> Error {
        match &mut self {
            Error::Form { error, .. } => *error = error.clone().moved(begin - 1),
            Error::Name { at, .. }
            | Error::Parameter { at, .. }
            | Error::Value { at, .. }
            | Error::Together { at, .. } => *at += begin - 1,
            Error::Missing { .. } => {}
        }
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Form { role, text, error } => write!(f, "bad {role} {text:?}: {error}"),
            Error::Name { role, found, at, nearest, known } => {
                write!(f, "unknown {role} {found:?}")?;
                if *at > 1 {
                    write!(f, " (character {at})")?;
                }
                if let Some(nearest) = nearest {
                    write!(f, "; did you mean `{nearest}`?")?;
                }
                match known.as_deref() {
                    None => Ok(()),
                    Some([]) => f.write_str("; there are none"),
                    // The nearest one is named already.
                    Some([_]) if nearest.is_some() => Ok(()),
                    Some(known) if nearest.is_some() => write!(f, " (all: {})", known.join(", ")),
                    Some(known) => write!(f, "; known: {}", known.join(", ")),
                }
            }
            Error::Parameter { role, form, found, at, nearest, known } => {
                write!(f, "{role} `{form}` has no parameter {found:?} (character {at}); ")?;
                match nearest {
                    Some(nearest) if known.len() > 1 => {
                        write!(f, "did you mean `{nearest}`? (all: {})", known.join(", "))
                    }
                    Some(only) => write!(f, "its only parameter is `{only}`"),
                    None => f.write_str("it has none"),
                }
            }
            Error::Value { role, form, parameter, found, at, expected } => write!(
                f,
                "`{parameter}` of {role} `{form}` cannot be {found:?} (character {at}): it takes {expected}"
            ),
            Error::Missing { role, form, parameter, usage } => {
                write!(f, "{role} `{form}` needs `{parameter}`: {usage}")
            }
            Error::Together { role, form, one_of, second, at } => write!(
                f,
                "{role} `{form}` takes one of {}, and `{second}` (character {at}) is a second one",
                one_of.join(", ")
            ),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        None
    }
}
