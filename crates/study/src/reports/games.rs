//! The report of the games that the program knows.

use serde::{Deserialize, Serialize};

use treegauge_core::{Head, ReportKind};

/// The games with their parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GamesReport {
    /// The kind and the schema.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// The families of games.
    pub games: Vec<GameListing>,
    /// The evaluators of alpha-beta that every game has.
    pub evaluators: Vec<String>,
}

/// A family of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameListing {
    /// Its name.
    pub name: String,
    /// Other names.
    pub aliases: Vec<String>,
    /// What it is, in a line.
    pub summary: String,
    /// The rules in a few sentences.
    #[serde(default)]
    pub rules: String,
    /// How a move is written, with an example.
    #[serde(default)]
    pub moves: String,
    /// What can be chosen.
    pub parameters: Vec<ParameterListing>,
    /// Short names that set several parameters.
    pub short: Vec<ShortListing>,
    /// What the game can do beyond its rules.
    pub capabilities: Vec<String>,
    /// The evaluators of its own; every game has more.
    pub evaluators: Vec<EvaluatorListing>,
    /// Names of games with some parameters set.
    pub presets: Vec<PresetListing>,
}

/// A parameter of a game or of an evaluator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParameterListing {
    /// Its name.
    pub name: String,
    /// Its value where none is given.
    pub default: String,
    /// The values that it can have, in words.
    pub values: String,
    /// What it is, in a line.
    pub help: String,
}

/// An evaluator of alpha-beta.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvaluatorListing {
    /// Its name.
    pub name: String,
    /// What it is, in a line.
    pub summary: String,
    /// What can be chosen.
    pub parameters: Vec<ParameterListing>,
}

/// A short name that sets several parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShortListing {
    /// The name.
    pub name: String,
    /// The parameters that it sets.
    pub sets: Vec<String>,
}

/// A name of a game with some parameters set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PresetListing {
    /// The name.
    pub name: String,
    /// The canonical name of the game.
    pub game: String,
    /// What it is, in a line.
    pub summary: String,
}

impl ReportKind for GamesReport {
    const KIND: &'static str = "games";
}
