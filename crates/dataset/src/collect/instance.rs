//! Instances of a dataset, and the header of their file.

use serde::{Deserialize, Serialize};
use treegauge_catalog::{GameSpec, SpecError};
use treegauge_core::Player;
use treegauge_gauge::GameRecord;
use treegauge_search::{Expansion, FEATURES, ShapeOptions, UctVariant};
use treegauge_store::journal::Piece;

use super::{CP_MAX, CollectPlan, ITERATIONS_MAX, PLAYERS_MAX, PlayerGame};

/// Settings that determine the instances of a dataset: equal headers have equal instances under
/// equal keys. The list of games and the number of instances of each are not part of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DatasetHeader {
    /// Version of the format: 1.
    pub schema: u32,
    /// Contents of the file: [`DatasetHeader::HOLDS`].
    pub holds: String,
    /// Version of the program that plays.
    pub version: String,
    /// Seed of the study.
    #[serde(with = "treegauge_core::seed_json")]
    pub seed: u64,
    /// Iterations per move.
    pub iterations: u32,
    /// Exploration constant on rewards in \[0, 1\].
    pub cp: f64,
    /// Order in which a search tries moves.
    pub expansion: Expansion,
    /// Other differences of the searches from those of Williams 2010.
    #[serde(flatten)]
    pub variant: UctVariant,
    /// Options of the tree features.
    pub shape_options: ShapeOptions,
    /// Names of the features of a tree, in the order of their values.
    pub features: Vec<String>,
    /// Players that meet in each instance.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub players: Vec<String>,
}

impl DatasetHeader {
    /// Text of the field `holds`.
    pub const HOLDS: &str = "instances of a study";

    /// Header of the instances of a plan.
    #[must_use]
    pub fn of(plan: &CollectPlan) -> Self {
        DatasetHeader {
            schema: 1,
            holds: Self::HOLDS.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            seed: plan.seed,
            iterations: plan.iterations,
            cp: plan.cp,
            expansion: plan.expansion,
            variant: plan.variant,
            shape_options: plan.shape,
            features: FEATURES.iter().map(|feature| feature.name.to_owned()).collect(),
            players: plan.players.iter().map(ToString::to_string).collect(),
        }
    }
}

impl DatasetHeader {
    /// Checks that a plan of this program can have the header, which a checksum does not show.
    ///
    /// # Errors
    ///
    /// When it cannot; the error describes the problem.
    pub fn check(&self) -> Result<(), String> {
        let DatasetHeader { schema, holds, iterations, cp, features, players, .. } = self;
        if *schema != 1 || holds != Self::HOLDS {
            return Err(format!("it holds {holds:?} of schema {schema}"));
        }
        if !(1..=ITERATIONS_MAX).contains(iterations) {
            return Err(format!("`iterations` is {iterations}, not 1 to {ITERATIONS_MAX}"));
        }
        if !(0.0..=CP_MAX).contains(cp) {
            return Err(format!("`cp` is {cp}, not 0 to {CP_MAX}"));
        }
        if !features.iter().eq(FEATURES.iter().map(|feature| feature.name)) {
            return Err("`features` differ from those of this program".to_owned());
        }
        if players.len() > PLAYERS_MAX {
            return Err(format!("it has {} players", players.len()));
        }
        Ok(())
    }

    /// Checks that an instance can belong to the plan: its game exists, or is an earlier text of a
    /// game that exists, and it has as many players as the plan. The game is not checked if
    /// `is_known`.
    ///
    /// # Errors
    ///
    /// When it cannot; the error describes the problem.
    pub fn check_instance(&self, instance: &Instance, is_known: bool) -> Result<(), String> {
        // What was measured of an earlier text remains true of it.
        let is_game =
            || matches!(GameSpec::parse(&instance.game), Ok(_) | Err(SpecError::Changed { .. }));
        if !is_known && !is_game() {
            return Err(format!("{:?} is not a game", instance.game));
        }
        if instance.player_count() != self.players.len() {
            let Instance { game, instance, .. } = instance;
            return Err(format!("instance {instance} of {game} has other players than the plan"));
        }
        Ok(())
    }
}

/// Game and number of an instance.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstanceKey {
    /// Canonical name of the game.
    pub game: String,
    /// Number of the instance, from 0.
    pub instance: u32,
}

/// Game of self-play by a search, with the features of each of its trees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Instance {
    /// Canonical name of the game.
    pub game: String,
    /// Number of the instance, from 0.
    pub instance: u32,
    /// Seed of its generator.
    #[serde(with = "treegauge_core::seed_json")]
    pub seed: u64,
    /// Moves, the search's values for them, and the end of the game.
    #[serde(flatten)]
    pub record: GameRecord,
    /// For each move, the features of the tree that chose it, in the order of the header.
    pub trees: Vec<Vec<f64>>,
    /// Games between the players of the header, in the order of [`PlayerGame`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub player_games: Vec<PlayerGame>,
}

/// One tree of an instance.
#[derive(Clone, Copy, Debug)]
pub struct TreeRow<'a> {
    /// Instance of the tree.
    pub instance: &'a Instance,
    /// Ply of the search, from 0.
    pub ply: usize,
}

impl Instance {
    /// Trees in the order of the plies.
    pub fn rows(&self) -> impl Iterator<Item = TreeRow<'_>> {
        (0..self.trees.len()).map(|ply| TreeRow { instance: self, ply })
    }
}

/// Game between two players, in an instance.
#[derive(Clone, Copy, Debug)]
pub struct PlayerGameRow<'a> {
    /// Instance of the game.
    pub instance: &'a Instance,
    /// Indices of both players in the header; the player in the first seat comes first.
    pub players: [usize; 2],
    /// Length and end of the game.
    pub game: PlayerGame,
}

impl Instance {
    /// Number of players that met.
    #[must_use]
    pub fn player_count(&self) -> usize {
        self.player_games.len().isqrt()
    }

    /// Games between players, by the player in the first seat, then by the one in the second.
    pub fn player_game_rows(&self) -> impl Iterator<Item = PlayerGameRow<'_>> {
        let count = self.player_count();
        self.player_games.iter().enumerate().map(move |(n, &game)| PlayerGameRow {
            instance: self,
            players: [n / count, n % count],
            game,
        })
    }
}

impl TreeRow<'_> {
    /// Player to move.
    #[must_use]
    pub fn player(&self) -> Player {
        self.instance.record.plies[self.ply].turn
    }

    /// Features in the order of the header.
    #[must_use]
    pub fn features(&self) -> &[f64] {
        &self.instance.trees[self.ply]
    }

    /// Value of the move played **for the player to move**, -1 to 1.
    #[must_use]
    pub fn value(&self) -> f64 {
        let ply = &self.instance.record.plies[self.ply];
        // Adding 0 turns a negative zero into 0.
        f64::from(ply.turn.sign()) * ply.value_for_first + 0.0
    }
}

impl Piece for Instance {
    type Key = InstanceKey;

    fn key(&self) -> InstanceKey {
        InstanceKey { game: self.game.clone(), instance: self.instance }
    }

    fn check(&self) -> Result<(), String> {
        self.record.check()?;
        if self.trees.len() != self.record.plies.len() {
            let (trees, plies) = (self.trees.len(), self.record.plies.len());
            return Err(format!("there are {trees} trees of {plies} searched moves"));
        }
        for (ply, tree) in self.trees.iter().enumerate() {
            if tree.len() != FEATURES.len() {
                return Err(format!("the tree of ply {ply} has {} features", tree.len()));
            }
            for (feature, value) in FEATURES.iter().zip(tree) {
                let (least, greatest) = feature.range;
                if !value.is_finite() || *value < least || *value > greatest {
                    let name = feature.name;
                    return Err(format!("{name} of the tree of ply {ply} is {value}"));
                }
            }
        }
        if self.player_count().pow(2) != self.player_games.len() {
            let count = self.player_games.len();
            return Err(format!("{count} games between players are not all pairs of them"));
        }
        Ok(())
    }
}
