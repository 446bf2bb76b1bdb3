//! The text form of games.

use std::fmt;

use thiserror::Error;
use treegauge_core::{Call, Keyed, Notation};
use treegauge_grammar::Role;

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

/// Why a text is not a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SpecError {
    /// There is no such game or parameter, or a value is out of range.
    #[error(transparent)]
    Written(#[from] treegauge_grammar::Error),
    /// The values are in range, but the combination is not a valid game.
    #[error("`{game}` is not a valid game: {reason}")]
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
        let call = treegauge_grammar::call(Role::Game, text)?;
        let (family, preset) = find(&call)?;
        let presets = preset.map_or(&[][..], |preset| preset.sets);
        let args = family.form().read(Role::Game, &call, presets)?.into();
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

    /// Calls a visitor with the game, whose entry then has the canonical name.
    ///
    /// # Errors
    ///
    /// When the combination of parameters is not a valid game.
    pub fn with_game<V: Visitor>(&self, visitor: V) -> Result<V::Output, SpecError> {
        let visitor = Naming { visitor, canonical_name: self.canonical() };
        visit(self.family.name, &self.args, visitor)
            .map_err(|reason| SpecError::Refused { game: self.text.clone(), reason })
    }
}

/// Sets the name of the entry and passes it to another visitor.
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

fn find(
    call: &Call,
) -> Result<(&'static Family, Option<&'static Preset>), treegauge_grammar::Error> {
    let name = call.name.as_str();
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
    Err(treegauge_grammar::Error::unknown(Role::Game, name, call.at, names))
}
