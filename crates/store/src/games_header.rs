//! Common header of all records of games.

use serde::{Deserialize, Serialize};

/// Settings that decide the games of any experiment: their beginning and the random seed. Each kind
/// of experiment adds the players. The number of games is not included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GamesHeader {
    /// Version of the format: 1.
    pub schema: u32,
    /// Kind of pieces in the file.
    pub holds: String,
    /// Version of the program that plays.
    pub version: String,
    /// Canonical name of the game.
    pub game: String,
    /// Game as the user wrote it; `None` if that is the canonical name. Runs that differ only in
    /// this field are the same run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Position from which `moves` lead to the beginning; `None` for the start of the game.
    pub position: Option<String>,
    /// Moves from that position to the beginning of the games.
    pub moves: Vec<String>,
    /// Seed of all randomness.
    #[serde(with = "treegauge_core::seed_json")]
    pub seed: u64,
    /// Number of random plies at the beginning of each game.
    pub opening_plies: u32,
}

impl GamesHeader {
    /// Creates the header of a file of this version. The kind of experiment sets `holds`.
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

    /// Sets the name by which the user called the game.
    #[must_use]
    pub fn called(mut self, name: &str) -> Self {
        self.name = (name != self.game).then(|| name.to_owned());
        self
    }

    /// Game as the user wrote it.
    #[must_use]
    pub fn shown(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.game)
    }

    /// Sets the kind of pieces in the file.
    #[must_use]
    pub fn holding(mut self, what: &str) -> Self {
        what.clone_into(&mut self.holds);
        self
    }
}
