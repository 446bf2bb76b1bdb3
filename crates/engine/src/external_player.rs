//! Players of another program, known by a name as long as the process lives.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use treegauge_core::{Clock, Watch};
use treegauge_grammar::{Error, Form, Parameter, Role, Values, parse};
use treegauge_search::Generator;

use crate::agent::{Agent, AgentError, Choice, Forfeit};
use crate::engine::Engine;
use crate::line::{Line, MoveNumber};
use crate::player::{MakeAgent, OpenPlayerError, PlayerKind, PlayerSpec};

/// Form of the texts of these players. It is not in [`PLAYERS`](crate::PLAYERS): a command line has
/// no such players.
const FORM: Form = Form {
    parameters: &[Parameter {
        name: "name",
        default: Parameter::NO_DEFAULT,
        values: Values::Text("NAME"),
        help: "the name under which the player was registered",
    }],
    ..Form::new("external")
};

/// Player of another program.
pub trait ExternalPlayer: Send + Sync {
    /// Chooses a move in a game that has not ended. `game` is its canonical name.
    ///
    /// # Errors
    ///
    /// When the player forfeits the game.
    fn choose(&self, game: &str, at: &Line) -> Result<MoveNumber, Forfeit>;
}

/// Players by name.
static KNOWN: RwLock<Option<HashMap<String, Arc<dyn ExternalPlayer>>>> = RwLock::new(None);

/// Makes a player of another program known under a name of letters, digits and `_`, until the
/// process ends. Returns the text of the player. A player that was registered under the same name
/// is replaced.
///
/// # Panics
///
/// When the name has other characters or is empty.
pub fn register_external_player(name: &str, player: Arc<dyn ExternalPlayer>) -> String {
    let is_word = name.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric());
    assert!(is_word && !name.is_empty(), "{name:?} is a word");
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    known.get_or_insert_default().insert(name.to_owned(), player);
    text_of(name)
}

fn text_of(name: &str) -> String {
    format!("{}(name={name})", FORM.name)
}

/// Reads a player of this kind; `None` for the text of another player.
pub(crate) fn read(text: &str) -> Option<Result<PlayerSpec, Error>> {
    text.trim_start().strip_prefix(FORM.name)?.trim_start().strip_prefix('(')?;
    let name = match parse(Role::Player, &[FORM], text) {
        Ok(parsed) => parsed.args.text("name").to_owned(),
        Err(error) => return Some(Err(error)),
    };
    let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
    let player = known.as_ref().and_then(|known| known.get(&name)).cloned();
    let unknown = || {
        let known = known.iter().flatten().map(|(name, _)| name.as_str());
        Error::unknown(Role::Player, &name, 1, known)
    };
    Some(player.ok_or_else(unknown).map(|player| PlayerSpec::of(Known { name, player })))
}

/// Player with its name.
struct Known {
    name: String,
    player: Arc<dyn ExternalPlayer>,
}

impl fmt::Debug for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text_of(&self.name))
    }
}

impl PlayerKind for Known {
    fn open(
        &self,
        engine: &Arc<dyn Engine>,
        _: &Line,
        _: &Arc<dyn Clock>,
    ) -> Result<MakeAgent, OpenPlayerError> {
        let player = self.player.clone();
        let game: Arc<str> = engine.info().canonical_name.as_str().into();
        let agent = move || KnownAgent { player: player.clone(), game: game.clone() };
        Ok(Box::new(move || Box::new(agent())))
    }
}

/// Agent that asks the other program.
struct KnownAgent {
    player: Arc<dyn ExternalPlayer>,
    /// Canonical name of the game.
    game: Arc<str>,
}

impl Agent for KnownAgent {
    fn choose(
        &mut self,
        at: &Line,
        _: &mut Generator,
        _: &dyn Watch,
    ) -> Result<Choice, AgentError> {
        Ok(Choice::of(self.player.choose(&self.game, at)?))
    }
}
