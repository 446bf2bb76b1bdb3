//! What the headers of all records of games have in common.

use serde::{Deserialize, Serialize};

/// What decides the games of any experiment: where they begin, and the random seed. Each
/// kind of experiment adds the players. The number of games is not in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GamesHeader {
    /// The version of the format: 1.
    pub schema: u32,
    /// What the file holds.
    pub holds: String,
    /// The version of the program that plays.
    pub version: String,
    /// The canonical name of the game.
    pub game: String,
    /// The game as the user wrote it, where that is not its canonical name. Runs that differ in it
    /// alone are the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The position from which `moves` lead to the beginning; none for the start of the game.
    pub position: Option<String>,
    /// The moves before the games.
    pub moves: Vec<String>,
    /// The seed.
    #[serde(with = "treegauge_core::seed_json")]
    pub seed: u64,
    /// Random plies at the beginning of each game.
    pub opening_plies: u32,
}

impl GamesHeader {
    /// The header of a file of this version. The kind of experiment says what the file holds.
    #[must_use]
    pub fn new(
        game: String,
        position: Option<String>,
        moves: Vec<String>,
        seed: u64,
        opening_plies: u32,
    ) -> Self {
        GamesHeader {
            schema: 1,
            holds: String::new(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            game,
            name: None,
            position,
            moves,
            seed,
            opening_plies,
        }
    }

    /// The same of a game that the user called so.
    #[must_use]
    pub fn called(mut self, name: &str) -> Self {
        self.name = (name != self.game).then(|| name.to_owned());
        self
    }

    /// The game as the user wrote it.
    #[must_use]
    pub fn shown(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.game)
    }

    /// The same of a file that holds this.
    #[must_use]
    pub fn holding(mut self, what: &str) -> Self {
        what.clone_into(&mut self.holds);
        self
    }
}
