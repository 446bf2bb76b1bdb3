//! Text form of games.

use std::fmt;

use thiserror::Error;
use treegauge_core::{Call, CallError, Keyed, Notation, input_name};
use treegauge_grammar::Role;

use treegauge_rules::{Mistakes, Program};

use crate::external::{self, EXTERNAL_FAMILY};
use crate::families::{FAMILIES, visit};
use crate::family::{Slot, filled};
use crate::library::{LibraryGame, library, library_game};
use crate::text_game::{self, TEXT_FAMILY, TextGame};
use crate::{Args, Entry, Family, Preset, Visitor};

/// Game with a value for each of its parameters, parsed from `name` or `name(param=value,...)`.
#[derive(Clone, Debug)]
pub struct GameSpec {
    family: &'static Family,
    args: Args,
    /// Text as the user wrote it, without spaces.
    text: String,
    /// Game described by a text, in a file or in the library; `None` for a built-in game.
    described: Option<TextGame>,
}

/// Reason that a text is not a valid game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SpecError {
    /// The game or a parameter does not exist, or a value is out of range.
    #[error("{}{}", .0, where_games_are(.0))]
    Written(treegauge_grammar::Error),
    /// The game does not exist, but a file of its name with the ending of texts does.
    #[error("unknown game {name:?}; did you mean the file `{file}`?")]
    WithoutEnding {
        /// Unknown name.
        name: String,
        /// File that exists.
        file: String,
    },
    /// The text is the path of a file without the ending of texts.
    #[error("{file:?} is not a game: a file that describes one ends in `{}`", text_game::EXTENSION)]
    OtherFile {
        /// File that exists.
        file: String,
    },
    /// The text looks like the path of a file, but there is none.
    #[error(
        "{file:?} is neither a game nor a file; a file that describes a game ends in `{}`",
        text_game::EXTENSION
    )]
    NoFile {
        /// Path without a file.
        file: String,
    },
    /// The values are in range, but the combination is not a valid game.
    #[error("`{game}` is not a valid game: {reason}")]
    Refused {
        /// Text of the game.
        game: String,
        /// Reason of the refusal.
        reason: String,
    },
    /// The file that describes the game cannot be read.
    #[error("cannot read {}: {reason}", input_name(file))]
    Unreadable {
        /// Path of the file.
        file: String,
        /// Error of the file.
        reason: String,
    },
    /// The text of a file is not a valid game.
    #[error("{} is not a game:\n{}", input_name(file), mistakes.text(input_name(file)).trim_end())]
    Text {
        /// Path of the file.
        file: String,
        /// Mistakes in its text.
        mistakes: Mistakes,
    },
    /// The text of a file differs from the recorded one.
    #[error("the text of {file} has changed since it was recorded")]
    Changed {
        /// Path of the file.
        file: String,
    },
    /// The canonical name of a game that a text describes stands where the text is needed.
    #[error(
        "{game} is described by a text, and this name does not tell where the text is: write the path of \
         its file instead"
    )]
    NoPath {
        /// Title of the game.
        game: String,
    },
    /// The text of a file does not have the option.
    #[error("{file} has no option `{option}`{}", did_you_mean(nearest.as_deref(), known))]
    NoOption {
        /// Path of the file.
        file: String,
        /// Name of the option.
        option: String,
        /// Most similar option of the text, if any.
        nearest: Option<String>,
        /// All options of the text.
        known: Vec<String>,
    },
    /// An option of a text is out of its range.
    #[error("the option `{option}` of {file} cannot be {value}: it takes {lowest} to {highest}")]
    OptionRange {
        /// Path of the file.
        file: String,
        /// Name of the option.
        option: String,
        /// Value that was given.
        value: i32,
        /// Least allowed value.
        lowest: i32,
        /// Greatest allowed value.
        highest: i32,
    },
}

impl From<treegauge_grammar::Error> for SpecError {
    fn from(error: treegauge_grammar::Error) -> SpecError {
        SpecError::Written(error)
    }
}

/// Words on a famous game that the program does not have; `None` for another name.
fn famous(name: &str) -> Option<&'static str> {
    FAMOUS.iter().find(|(names, _)| names.contains(&name)).map(|(_, words)| *words)
}

/// Commands for a name that resembles none of the games: what is there for a famous game that the
/// program does not have, otherwise the list of games.
fn where_games_are(error: &treegauge_grammar::Error) -> &'static str {
    match error {
        treegauge_grammar::Error::Name { found, nearest: None, known: None, .. } => {
            famous(found).unwrap_or("; `treegauge games` lists all games")
        }
        _ => "",
    }
}

/// Famous games that the program does not have under this name, with the reason or what there is
/// instead.
pub(crate) const FAMOUS: &[(&[&str], &str)] = &[
    (
        &["chess", "western_chess", "international_chess"],
        "; `treegauge difficulty` rates chess puzzles, and `all_queens_chess`, `joust` and \
         `knightthrough` play with pieces of chess",
    ),
    (
        &["shogi", "xiangqi"],
        "; there are no games with a check or with pieces taken back into play",
    ),
    (
        &["go", "baduk", "weiqi", "igo"],
        "; there is `atari_go`, in which the first capture wins, and `nogo`, in which captures are \
         forbidden",
    ),
    (&["havannah"], "; `cross`, `hex` and `y` are connection games"),
    (
        &["backgammon", "poker", "bridge", "ludo", "yahtzee", "senet", "parcheesi"],
        "; the program measures games without chance: no dice, no cards",
    ),
    (
        &["morris", "five_mens_morris", "seven_mens_morris", "eleven_mens_morris"],
        "; there are `three_mens_morris`, `six_mens_morris`, `nine_mens_morris`, `lasker_morris` \
         with ten men and `morabaraba` with twelve",
    ),
    (
        &["mancala"],
        "; games of this kind are `kalah`, `oware`, `congkak`, `mangala`, `toguz_korgool`, \
         `bohnenspiel`, `ali_guli_mane` and `vai_lung_thlan`",
    ),
    (
        &["bao", "bao_la_kiswahili", "omweso"],
        "; the language of rules has one row of pits for each player, and this game has two; \
         `oware` and `toguz_korgool` are games with one",
    ),
    (&["fanorona", "fanoron_tsivy"], "; `fanoron_telo` is Fanorona on 3 x 3 points"),
    (
        &["gonnect"],
        "; `crossway` and `hex` connect sides, and `atari_go` and `nogo` have the captures of Go",
    ),
    (&["mini_othello"], "; `othello(size=6)` is Othello on 6 x 6 cells"),
    (&["isola"], "; it is `isolation(piece=king_remove,starts=fixed)`"),
    (&["stratego", "battleship"], "; the program measures games without hidden information"),
];

fn did_you_mean(nearest: Option<&str>, known: &[String]) -> String {
    match nearest {
        Some(nearest) => format!("; did you mean `{nearest}`?"),
        None if known.is_empty() => "; it has none".to_owned(),
        None => format!("; it has {}", known.join(", ")),
    }
}

impl GameSpec {
    /// Parses a game. The file of a game described by a text is not opened;
    /// [`GameSpec::parse_with`] opens it.
    ///
    /// # Errors
    ///
    /// When the game or a parameter does not exist (the error has the nearest name), or a value is
    /// out of range.
    pub fn parse(text: &str) -> Result<GameSpec, SpecError> {
        if let Some(call) = text_game::call_of(text) {
            let call = call?;
            let (described, args) = TextGame::of(&call)?;
            let mut rest = call.clone();
            rest.arguments.remove(0);
            let rest = rest.to_string();
            let file = described.file.as_deref().unwrap_or_default();
            let text = format!("{file}{}", &rest[TEXT_FAMILY.name.len()..]);
            return Ok(GameSpec { family: &TEXT_FAMILY, args, text, described: Some(described) });
        }
        let form = |name: &str| family_named(name).map(Family::form);
        let call = treegauge_grammar::call_of(Role::Game, text, form)?;
        if call.name == TEXT_FAMILY.name {
            let (described, args) = TextGame::of(&call)?;
            let text = call.to_string();
            return Ok(GameSpec { family: &TEXT_FAMILY, args, text, described: Some(described) });
        }
        if call.name == EXTERNAL_FAMILY.name {
            let args = EXTERNAL_FAMILY.form().read(Role::Game, &call, &[])?.into();
            let text = call.to_string();
            return Ok(GameSpec { family: &EXTERNAL_FAMILY, args, text, described: None });
        }
        if let (None, Some(game)) = (named(&call.name), library_game(&call.name)) {
            return GameSpec::of_library(game, &call);
        }
        let (family, preset) = find(&call)?;
        let presets = preset.map_or(&[][..], |preset| preset.sets);
        let args = family.form().read(Role::Game, &call, presets)?.into();
        Ok(GameSpec { family, args, text: call.to_string(), described: None })
    }

    /// Parses a game. `open` reads the file of a game described by a text, or returns an error
    /// message.
    ///
    /// # Errors
    ///
    /// As [`GameSpec::parse`]; also when the text cannot be read, is not a valid game, or differs
    /// from the recorded one.
    ///
    /// ```
    /// use treegauge_catalog::GameSpec;
    ///
    /// let text = "(game \"Three\" (options (k 3 2 4)) (board (grid 4 4)) (play (place)) \
    ///             (end (if (makes (line k)) (win mover)) (stuck draw)))";
    /// let mut open = |_: &str| Ok(text.to_owned());
    /// let spec = GameSpec::parse_with("three.rules(k=4)", &mut open).unwrap();
    /// assert!(spec.canonical().starts_with("rules(title=three,digest="));
    /// ```
    pub fn parse_with(
        text: &str,
        open: &mut dyn FnMut(&str) -> Result<String, String>,
    ) -> Result<GameSpec, SpecError> {
        let mut spec = match GameSpec::parse(text) {
            Err(SpecError::Written(error @ treegauge_grammar::Error::Name { .. })) => {
                let file = format!("{text}{}", text_game::EXTENSION);
                let is_there = GameSpec::parse(&file).is_ok() && open(&file).is_ok();
                return Err(match is_there {
                    true => SpecError::WithoutEnding { name: text.to_owned(), file },
                    false => error.into(),
                });
            }
            Err(SpecError::Written(treegauge_grammar::Error::Form {
                error: CallError::BadName { found, .. },
                ..
            })) if open(text).is_ok() => return Err(SpecError::OtherFile { file: found }),
            Err(SpecError::Written(treegauge_grammar::Error::Form {
                error: CallError::BadName { found, .. },
                ..
            })) if found.contains(['.', '/']) => return Err(SpecError::NoFile { file: found }),
            parsed => parsed?,
        };
        if let Some(described) = spec.described.as_mut().filter(|one| one.program.is_none()) {
            described.read(open)?;
        }
        Ok(spec)
    }

    /// Game of the library. Its text is checked with the values of the call.
    fn of_library(game: &'static LibraryGame, call: &Call) -> Result<GameSpec, SpecError> {
        let family = game.family();
        let (digest, rest) = text_game::without_digest(call)?;
        let args: Args = family.form().read(Role::Game, &rest, &[])?.into();
        let is_capped = rest.value("ply_cap").is_some();
        let described = TextGame::of_library(game, digest, &args, is_capped).map_err(|error| {
            let SpecError::Text { mistakes, .. } = error else { return error };
            // The user did not write the text, so its lines mean nothing to the user.
            let reason = mistakes.list()[0].message.clone();
            SpecError::Refused { game: rest.to_string(), reason }
        })?;
        Ok(GameSpec { family, args, text: rest.to_string(), described: Some(described) })
    }

    /// Game of the library; `None` for a built-in game or that of a file.
    #[must_use]
    pub fn library_game(&self) -> Option<&'static LibraryGame> {
        let is_own = self.described.is_some() && self.family.name != TEXT_FAMILY.name;
        is_own.then(|| library_game(self.family.name)).flatten()
    }

    /// Program of a game described by a text, that of a game of the library too; `None` for a
    /// built-in game and before the text was read.
    #[must_use]
    pub fn program(&self) -> Option<&Program> {
        self.described.as_ref().and_then(|described| described.program.as_deref())
    }

    /// Whether another program has the rules of the game. Such a game is not solved, and searches
    /// do not merge its positions, since its keys lead back to no positions.
    #[must_use]
    pub fn is_external(&self) -> bool {
        self.family.name == EXTERNAL_FAMILY.name
    }

    /// Family of the game.
    #[must_use]
    pub fn family(&self) -> &'static Family {
        self.family
    }

    /// Values of all parameters.
    #[must_use]
    pub fn args(&self) -> &Args {
        &self.args
    }

    /// Written form of the moves of the game, with an example.
    ///
    /// ```
    /// use treegauge_catalog::GameSpec;
    ///
    /// let spec = GameSpec::parse("hex").unwrap();
    /// assert_eq!(spec.moves_text(), "the cell, `a1`, or `swap`");
    /// ```
    #[must_use]
    pub fn moves_text(&self) -> String {
        self.program().map_or_else(|| self.family.moves.to_owned(), Program::moves_text)
    }

    /// Rules of the game in a few sentences, with the values of its parameters. For a game described
    /// by a text those that the text states, if any.
    ///
    /// ```
    /// use treegauge_catalog::GameSpec;
    ///
    /// let spec = GameSpec::parse("tic_tac_toe(size=4,k=4)").unwrap();
    /// assert!(spec.rules_text().contains("The first with 4 marks in a straight line wins"));
    /// ```
    #[must_use]
    pub fn rules_text(&self) -> String {
        if let Some(about) = self.program().and_then(Program::about) {
            return about.to_owned();
        }
        let values = |name: &str| {
            let mut values: Vec<&str> = Vec::new();
            for parameter in self.family.form().set_by(name) {
                values.extend(self.args.get(parameter.name));
            }
            values.dedup();
            values.join(" or ")
        };
        filled(self.family.rules, |slot| match slot {
            Slot::Value { name, .. } => values(name),
            Slot::If { condition, then, or } => {
                let is_so =
                    condition.split_once('=').is_some_and(|(name, value)| values(name) == value);
                if is_so { then.to_owned() } else { or.to_owned() }
            }
        })
    }

    /// Game as the user wrote it, without spaces.
    #[must_use]
    pub fn written(&self) -> &str {
        &self.text
    }

    /// Canonical name of the game: the family's name and the parameters that are not at their
    /// default, in the order of the family. It is equal for two specs exactly when the games are.
    /// For a game described by a text it also contains the digest of the text, and the title of a
    /// file in place of its path. So it is the same on every machine, and a record of a text that has
    /// changed since is refused. Before the text of a file was read, its path stands there.
    #[must_use]
    pub fn canonical(&self) -> String {
        self.canonical_with(false)
    }

    /// Digest of the text that describes the game; `None` for a built-in game, and for a text that
    /// was not read unless the name has it.
    #[must_use]
    pub fn digest(&self) -> Option<u64> {
        self.described.as_ref().and_then(|described| described.digest)
    }

    /// Path of the text, if a file describes the game.
    #[must_use]
    pub fn text_path(&self) -> Option<&str> {
        let described = self.described.as_ref().filter(|_| self.library_game().is_none());
        described.and_then(|described| described.file.as_deref())
    }

    /// Whether a text describes the game, and the name does not tell where it is: a canonical name that
    /// was not read.
    #[must_use]
    pub fn lacks_path(&self) -> bool {
        self.described.as_ref().is_some_and(|described| described.file.is_none())
    }

    /// Canonical name with the path of the text, if a file describes the game. Such a name opens the
    /// game again; [`without_path`](treegauge_core::without_path) takes the path away.
    #[must_use]
    pub fn canonical_with_path(&self) -> String {
        self.canonical_with(true)
    }

    fn canonical_with(&self, path: bool) -> String {
        match &self.described {
            Some(described) if self.library_game().is_none() => {
                described.canonical(&self.args, path)
            }
            Some(TextGame { digest: Some(digest), .. }) => {
                self.with_values(Some(format!("digest={digest:016x}")))
            }
            _ => self.with_values(None),
        }
    }

    /// Name of the family with the parameters that are not at their default, and another argument.
    fn with_values(&self, last: Option<String>) -> String {
        let set: Vec<String> = self
            .family
            .all_parameters()
            .filter(|p| self.args.text(p.name) != p.default)
            .map(|p| format!("{}={}", p.name, self.args.text(p.name)))
            .chain(last)
            .collect();
        if set.is_empty() {
            self.family.name.to_owned()
        } else {
            format!("{}({})", self.family.name, set.join(","))
        }
    }

    /// Calls a visitor with the game. The entry has the canonical name.
    ///
    /// # Errors
    ///
    /// When the combination of parameters is not a valid game, or the text of the game was not
    /// read.
    pub fn with_game<V: Visitor>(&self, visitor: V) -> Result<V::Output, SpecError> {
        if let Some(described) = &self.described {
            return described.visit(&self.args, self.naming(visitor));
        }
        if self.is_external() {
            return external::visit(&self.args, self.naming(visitor));
        }
        self.with_built_in_game(visitor)
    }

    /// Calls a visitor with a built-in game. Such a visitor is not compiled for games described by
    /// texts.
    ///
    /// # Errors
    ///
    /// As [`GameSpec::with_game`]; also when a text describes the game.
    pub fn with_built_in_game<V: Visitor>(&self, visitor: V) -> Result<V::Output, SpecError> {
        let refused = |reason| SpecError::Refused { game: self.text.clone(), reason };
        if self.described.is_some() || self.is_external() {
            return Err(refused("it is not a built-in game".to_owned()));
        }
        visit(self.family.name, &self.args, self.naming(visitor)).map_err(refused)
    }

    fn naming<V>(&self, visitor: V) -> Naming<V> {
        Naming { visitor, canonical_name: self.canonical() }
    }
}

/// Visitor that sets the name of the entry and passes it to another visitor.
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
    /// Writes the canonical name, without the digest if a text describes the game: its path or its
    /// name in the library, and the options.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.described {
            Some(described) if self.library_game().is_none() => match described.short(&self.args) {
                Some(short) => f.write_str(&short),
                None => f.write_str(&self.text),
            },
            _ => f.write_str(&self.with_values(None)),
        }
    }
}

fn find(
    call: &Call,
) -> Result<(&'static Family, Option<&'static Preset>), treegauge_grammar::Error> {
    let name = call.name.as_str();
    if let Some(found) = named(name) {
        return Ok(found);
    }
    let names = FAMILIES.iter().flat_map(|family| {
        let presets = family.presets.iter().map(|preset| preset.name);
        family.aliases.iter().copied().chain([family.name]).chain(presets)
    });
    let texts = library().iter().flat_map(|game| game.aliases.iter().copied().chain([game.name]));
    let names = names.chain(texts).chain([TEXT_FAMILY.name]);
    let mut error = treegauge_grammar::Error::unknown(Role::Game, name, call.at, names);
    // The words on a famous game say more than a name that is spelt like it.
    if let (treegauge_grammar::Error::Name { nearest, .. }, Some(_)) = (&mut error, famous(name)) {
        *nearest = None;
    }
    Err(error)
}

/// Family of a built-in game, a preset or a game of the library.
fn family_named(name: &str) -> Option<&'static Family> {
    let built_in = named(name).map(|(family, _)| family);
    built_in.or_else(|| library_game(name).map(LibraryGame::family))
}

/// Family or preset of a name of a built-in game.
fn named(name: &str) -> Option<(&'static Family, Option<&'static Preset>)> {
    FAMILIES.iter().find_map(|&family| {
        let preset = family.presets.iter().find(|preset| preset.name == name);
        (family.is_called(name) || preset.is_some()).then_some((family, preset))
    })
}
