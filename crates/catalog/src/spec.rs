//! The text form of games.

use std::fmt;

use thiserror::Error;
use treegauge_core::{Call, Keyed, Notation};
use treegauge_grammar::Role;

use treegauge_rules::{Mistakes, Program};

use crate::families::{FAMILIES, visit};
use crate::text_game::{self, TEXT_FAMILY, TextGame};
use crate::{Args, Entry, Family, Preset, Visitor};

/// A game with a value for each of its parameters, read from `name` or `name(param=value,...)`.
#[derive(Clone, Debug)]
pub struct GameSpec {
    family: &'static Family,
    args: Args,
    /// As the user wrote it, without spaces.
    text: String,
    /// The game that a text describes, where it is one.
    described: Option<TextGame>,
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
    /// The file that describes the game cannot be read.
    #[error("cannot read {file}: {reason}")]
    Unreadable {
        /// The file.
        file: String,
        /// Why.
        reason: String,
    },
    /// The text of a file is no game.
    #[error("{file} is no game:\n{}", mistakes.text(file).trim_end())]
    Text {
        /// The file.
        file: String,
        /// What is wrong with its text.
        mistakes: Mistakes,
    },
    /// The text of a file is not the one that was recorded.
    #[error("the text of {file} has changed since it was recorded")]
    Changed {
        /// The file.
        file: String,
    },
    /// The text of a file has no such option.
    #[error("{file} has no option `{option}`{}", did_you_mean(nearest.as_deref(), known))]
    NoOption {
        /// The file.
        file: String,
        /// The option.
        option: String,
        /// The most similar one.
        nearest: Option<String>,
        /// All that it has.
        known: Vec<String>,
    },
    /// An option of a text is out of its range.
    #[error("the option `{option}` of {file} cannot be {value}: it takes {lowest} to {highest}")]
    OptionRange {
        /// The file.
        file: String,
        /// The option.
        option: String,
        /// The value.
        value: i32,
        /// The least value.
        lowest: i32,
        /// The greatest value.
        highest: i32,
    },
}

fn did_you_mean(nearest: Option<&str>, known: &[String]) -> String {
    match nearest {
        Some(nearest) => format!("; did you mean `{nearest}`?"),
        None if known.is_empty() => "; it has none".to_owned(),
        None => format!("; it has {}", known.join(", ")),
    }
}

impl GameSpec {
    /// Reads a game. Of one that a text describes the file is not opened; [`GameSpec::parse_with`]
    /// does that.
    ///
    /// # Errors
    ///
    /// When there is no such game or parameter, with the nearest one, or a value is out of range.
    pub fn parse(text: &str) -> Result<GameSpec, SpecError> {
        if let Some(call) = text_game::call_of(text) {
            let call = call?;
            let (described, args) = TextGame::of(&call)?;
            let mut rest = call.clone();
            rest.arguments.remove(0);
            let rest = rest.to_string();
            let text = format!("{}{}", described.file, &rest[TEXT_FAMILY.name.len()..]);
            return Ok(GameSpec { family: &TEXT_FAMILY, args, text, described: Some(described) });
        }
        let call = treegauge_grammar::call(Role::Game, text)?;
        if call.name == TEXT_FAMILY.name {
            let (described, args) = TextGame::of(&call)?;
            let text = call.to_string();
            return Ok(GameSpec { family: &TEXT_FAMILY, args, text, described: Some(described) });
        }
        let (family, preset) = find(&call)?;
        let presets = preset.map_or(&[][..], |preset| preset.sets);
        let args = family.form().read(Role::Game, &call, presets)?.into();
        Ok(GameSpec { family, args, text: call.to_string(), described: None })
    }

    /// Reads a game; the text of one that a text describes is given by `open`, or it says why it
    /// cannot.
    ///
    /// # Errors
    ///
    /// As [`GameSpec::parse`]; also when the text cannot be read, is no game, or is another than the
    /// one that was recorded.
    ///
    /// ```
    /// use treegauge_catalog::GameSpec;
    ///
    /// let text = "(game \"Three\" (options (k 3 2 4)) (board (grid 4 4)) (play (place)) \
    ///             (end (if (makes (line k)) (win mover)) (stuck draw)))";
    /// let mut open = |_: &str| Ok(text.to_owned());
    /// let spec = GameSpec::parse_with("three.rules(k=4)", &mut open).unwrap();
    /// assert!(spec.canonical().starts_with("rules(file=three.rules,digest="));
    /// ```
    pub fn parse_with(
        text: &str,
        open: &mut dyn FnMut(&str) -> Result<String, String>,
    ) -> Result<GameSpec, SpecError> {
        let mut spec = GameSpec::parse(text)?;
        if let Some(described) = &mut spec.described {
            described.read(open)?;
        }
        Ok(spec)
    }

    /// The program of a game that a text describes, once its text was read.
    #[must_use]
    pub fn program(&self) -> Option<&Program> {
        self.described.as_ref().and_then(|described| described.program.as_deref())
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

    /// The game as the user wrote it, without spaces.
    #[must_use]
    pub fn written(&self) -> &str {
        &self.text
    }

    /// The canonical name of this game: the family's name and the parameters that are not at their
    /// default, in the order of the family. Equal for two specs exactly when the games are; of games
    /// that texts describe also the path and the digest of the text are named.
    #[must_use]
    pub fn canonical(&self) -> String {
        if let Some(described) = &self.described {
            return described.canonical(&self.args);
        }
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
    /// When the combination of parameters is not a valid game, or the text of the game was not read.
    pub fn with_game<V: Visitor>(&self, visitor: V) -> Result<V::Output, SpecError> {
        if let Some(described) = &self.described {
            return described.visit(&self.args, self.naming(visitor));
        }
        self.with_built_in_game(visitor)
    }

    /// Does the same for a built-in game. Such a visitor is not compiled for games that texts describe.
    ///
    /// # Errors
    ///
    /// As [`GameSpec::with_game`]; also when a text describes the game.
    pub fn with_built_in_game<V: Visitor>(&self, visitor: V) -> Result<V::Output, SpecError> {
        let refused = |reason| SpecError::Refused { game: self.text.clone(), reason };
        if self.described.is_some() {
            return Err(refused("it is not a built-in game".to_owned()));
        }
        visit(self.family.name, &self.args, self.naming(visitor)).map_err(refused)
    }

    fn naming<V>(&self, visitor: V) -> Naming<V> {
        Naming { visitor, canonical_name: self.canonical() }
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
    /// The canonical name; of a game that a text describes the path and the options, since its canonical name has the
    /// digest of the text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.described {
            Some(described) => match described.short(&self.args) {
                Some(short) => f.write_str(&short),
                None => f.write_str(&self.text),
            },
            None => f.write_str(&self.canonical()),
        }
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
    let names = names.chain([TEXT_FAMILY.name]);
    Err(treegauge_grammar::Error::unknown(Role::Game, name, call.at, names))
}
