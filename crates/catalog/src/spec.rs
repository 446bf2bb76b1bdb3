//! Games as they are written.

use std::fmt;

use thiserror::Error;
use treegauge_core::{Call, CallError, Keyed, Notation};

use crate::families::{FAMILIES, visit};
use crate::{Args, Entry, Family, Preset, Visitor};

/// A game with a value for each of its parameters, read from `name` or `name(param=value,...)`.
#[derive(Clone, Debug)]
pub struct GameSpec {
    family: &'static Family,
    args: Args,
    /// As the user wrote it, without spaces.
    text: String,
}

/// Why a text is no game. Places are counted in characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SpecError {
    /// It is not of the form `name(param=value,...)`.
    #[error("bad game {text:?}: {error}")]
    Form {
        /// The text.
        text: String,
        /// What is wrong with it.
        error: CallError,
    },
    /// There is no such game.
    #[error("there is no game {name:?}; the nearest name is `{nearest}`")]
    Game {
        /// The name.
        name: String,
        /// The most similar name.
        nearest: String,
    },
    /// The game has no such parameter.
    #[error(
        "`{game}` has no parameter {name:?} (character {at}); the nearest is `{nearest}`, all are {known}"
    )]
    Parameter {
        /// The game.
        game: String,
        /// The name.
        name: String,
        /// Where it stands.
        at: usize,
        /// The most similar parameter.
        nearest: String,
        /// All of them.
        known: String,
    },
    /// The parameter does not take the value.
    #[error("`{name}` of `{game}` cannot be {value:?} (character {at}): it takes {expected}")]
    Value {
        /// The game.
        game: String,
        /// The parameter.
        name: String,
        /// The value.
        value: String,
        /// Where the parameter stands.
        at: usize,
        /// What it takes.
        expected: String,
    },
    /// The values are in range, but together they make no game.
    #[error("`{game}` is no game: {reason}")]
    Refused {
        /// The game.
        game: String,
        /// Why.
        reason: String,
    },
}

impl GameSpec {
    /// Reads a game.
    ///
    /// # Errors
    ///
    /// When there is no such game or parameter, with the nearest one, or a value is out of range.
    pub fn parse(text: &str) -> Result<GameSpec, SpecError> {
        let call =
            Call::parse(text).map_err(|error| SpecError::Form { text: text.to_owned(), error })?;
        let (family, preset) = find(&call.name)?;
        let mut args = Args::defaults(family);
        for (name, value) in preset.map_or(&[][..], |preset| preset.sets) {
            args.set(name, value);
        }
        // Short names first: what sets one parameter wins over what sets several.
        let is_short = |name: &str| family.both.iter().any(|(short, _)| *short == name);
        let (short, single): (Vec<_>, Vec<_>) =
            call.arguments.iter().partition(|argument| is_short(&argument.name));
        for argument in short.into_iter().chain(single) {
            let parameters = family.set_by(&argument.name);
            let Some(parameter) = parameters.first() else {
                let names = || {
                    let short = family.both.iter().map(|(short, _)| *short);
                    family.all_parameters().map(|p| p.name).chain(short)
                };
                return Err(SpecError::Parameter {
                    game: call.name.clone(),
                    name: argument.name.clone(),
                    at: argument.at,
                    nearest: nearest(&argument.name, names()).unwrap_or_default().to_owned(),
                    known: names().collect::<Vec<_>>().join(", "),
                });
            };
            if !parameter.values.take(&argument.value) {
                return Err(SpecError::Value {
                    game: call.name.clone(),
                    name: argument.name.clone(),
                    value: argument.value.clone(),
                    at: argument.at,
                    expected: parameter.values.to_string(),
                });
            }
            for parameter in parameters {
                args.set(parameter.name, &argument.value);
            }
        }
        Ok(GameSpec { family, args, text: call.to_string() })
    }

    /// The family.
    #[must_use]
    pub fn family(&self) -> &'static Family {
        self.family
    }

    /// The values of all parameters.
    #[must_use]
    pub fn args(&self) -> &Args {
        &self.args
    }

    /// The canonical name of this game: the family's name and the parameters that are not at their
    /// default, in the order of the family. Equal for two specs exactly when the games are.
    #[must_use]
    pub fn canonical(&self) -> String {
        let set: Vec<String> = self
            .family
            .all_parameters()
            .filter(|p| self.args.text(p.name) != p.default)
            .map(|p| format!("{}={}", p.name, self.args.text(p.name)))
            .collect();
        if set.is_empty() {
            self.family.name.to_owned()
        } else {
            format!("{}({})", self.family.name, set.join(","))
        }
    }

    /// Leads a visitor to the game, whose entry then has the canonical name.
    ///
    /// # Errors
    ///
    /// When the parameters together make no game.
    pub fn with_game<V: Visitor>(&self, visitor: V) -> Result<V::Output, SpecError> {
        let visitor = Naming { visitor, canonical_name: self.canonical() };
        visit(self.family.name, &self.args, visitor)
            .map_err(|reason| SpecError::Refused { game: self.text.clone(), reason })
    }
}

/// Names the entry before it goes to another visitor.
struct Naming<V> {
    visitor: V,
    canonical_name: String,
}

impl<V: Visitor> Visitor for Naming<V> {
    type Output = V::Output;

    fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> V::Output {
        self.visitor.visit(entry.named(self.canonical_name))
    }
}

impl fmt::Display for GameSpec {
    /// As the user wrote it, without spaces.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn find(name: &str) -> Result<(&'static Family, Option<&'static Preset>), SpecError> {
    for family in FAMILIES {
        if family.is_called(name) {
            return Ok((family, None));
        }
        if let Some(preset) = family.presets.iter().find(|preset| preset.name == name) {
            return Ok((family, Some(preset)));
        }
    }
    let names = FAMILIES.iter().flat_map(|family| {
        let presets = family.presets.iter().map(|preset| preset.name);
        family.aliases.iter().copied().chain([family.name]).chain(presets)
    });
    Err(SpecError::Game {
        name: name.to_owned(),
        nearest: nearest(name, names).unwrap_or_default().to_owned(),
    })
}

/// The most similar of some names, by edits that include exchanged neighbours; letter case is
/// ignored.
pub fn nearest<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let name = name.to_lowercase();
    names
        .into_iter()
        .map(|known| {
            let known_low = known.to_lowercase();
            (strsim::normalized_damerau_levenshtein(&name, &known_low), known)
        })
        // The first of equals: `max_by` takes the last, so later ones must be strictly better.
        .reduce(|best, next| if next.0 > best.0 { next } else { best })
        .map(|(_, known)| known)
}
