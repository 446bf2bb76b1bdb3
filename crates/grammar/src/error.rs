//! Errors of texts that do not match any form of a table.

use std::fmt;

use treegauge_core::CallError;

use crate::nearest::nearest;

/// Kind of thing that a text should name.
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
    /// Indefinite article of the role's name: `a` or `an`.
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

/// Reason why a text is not a valid game, player, evaluator or sequential test. Characters are
/// counted from 1, in the whole text that the user wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The text is not of the form `name(param=value,...)`.
    Form {
        /// Kind of thing that the text should name.
        role: Role,
        /// Text that was parsed.
        text: String,
        /// Fault in the syntax.
        error: CallError,
        /// Valid call of the form that the text names, if an argument is at fault.
        example: Option<Box<str>>,
    },
    /// The table has no form of that name.
    Name {
        /// Kind of thing that the name should name.
        role: Role,
        /// Unknown name.
        found: String,
        /// Character at which it begins.
        at: usize,
        /// Most similar known name; `None` if no name is similar.
        nearest: Option<String>,
        /// All known names; `None` if there are more than 12.
        known: Option<Vec<String>>,
    },
    /// The form has no parameter of that name.
    Parameter {
        /// Kind of the form.
        role: Role,
        /// Name of the form.
        form: String,
        /// Unknown parameter.
        found: String,
        /// Character at which the argument begins.
        at: usize,
        /// Most similar parameter of the form; `None` if none is similar.
        nearest: Option<String>,
        /// All parameters of the form.
        known: Box<[String]>,
        /// Valid call of the form; `None` if it has no parameters of its own.
        example: Option<Box<str>>,
    },
    /// The parameter does not take the value.
    Value {
        /// Kind of the form.
        role: Role,
        /// Name of the form.
        form: String,
        /// Parameter.
        parameter: String,
        /// Refused value.
        found: String,
        /// Character at which the value begins.
        at: usize,
        /// Values that the parameter takes, in words.
        expected: String,
    },
    /// A parameter without a default is not given.
    Missing {
        /// Kind of the form.
        role: Role,
        /// Name of the form.
        form: String,
        /// Missing parameter.
        parameter: String,
        /// Usage line of the form.
        usage: String,
    },
    /// Two parameters that exclude each other are both given.
    Together {
        /// Kind of the form.
        role: Role,
        /// Name of the form.
        form: String,
        /// Group of parameters; at most one of them may be given.
        one_of: Vec<String>,
        /// Second parameter of the group that is given.
        second: String,
        /// Character at which its argument begins.
        at: usize,
    },
}

/// Largest number of known names that an error lists.
const LISTED_MAX: usize = 12;

impl Error {
    /// Error of the name `found` at character `at`, which is not one of `names`.
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
            nearest: nearest(found, names.iter().copied()).map(str::to_owned),
            known: few.then(|| names.iter().map(|&name| name.to_owned()).collect()),
        }
    }

    /// Character at which the error begins; `None` if a parameter is missing or the text has no
    /// name.
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

    /// Moves the error from a text to a longer text that contains it from character `begin` on.
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
            Error::Form { role, text, error, example } => {
                write!(f, "bad {role} {text:?}: {error}{}", as_in(example.as_deref()))
            }
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
                    // The only known name is already the nearest one.
                    Some([_]) if nearest.is_some() => Ok(()),
                    Some(known) if nearest.is_some() => write!(f, " (all: {})", known.join(", ")),
                    Some(known) => write!(f, "; known: {}", known.join(", ")),
                }
            }
            Error::Parameter { role, form, found, at, nearest, known, example } => {
                write!(f, "{role} `{form}` has no parameter {found:?} (character {at}); ")?;
                match (nearest, &known[..]) {
                    (_, []) => f.write_str("it has none"),
                    (_, [only]) => {
                        let example = as_in(example.as_deref());
                        write!(f, "its only parameter is `{only}`{example}")
                    }
                    (Some(nearest), known) => {
                        write!(f, "did you mean `{nearest}`? (all: {})", known.join(", "))
                    }
                    (None, known) => {
                        let example = as_in(example.as_deref());
                        write!(f, "its parameters are {}{example}", known.join(", "))
                    }
                }
            }
            Error::Value { role, form, parameter, found, at, expected } => {
                write!(
                    f,
                    "`{parameter}` of {role} `{form}` cannot be {found:?} (character {at}): it takes {expected}"
                )?;
                if found.contains("..") {
                    write!(f, "; a range stands for several, and here one {role} is needed")?;
                }
                Ok(())
            }
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

/// Example at the end of a message.
fn as_in(example: Option<&str>) -> String {
    example.map_or_else(String::new, |example| format!(", as in `{example}`"))
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        None
    }
}
