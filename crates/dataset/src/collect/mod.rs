//! Self-play with the features of all its search trees: the data of a study.
//!
//! One instance is one game that a UCT search plays against itself from the beginning of a game.
//! The seed of the study, the game, the iterations and the number of the instance determine it, so
//! any machine can play it, and play it again.

mod instance;
mod player_games;
mod report;
mod schema;

use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use treegauge_core::{GameCounter, GamesDone, Watch};
use treegauge_engine::{Engine, PlayerSpec, UctSearch};
use treegauge_gauge::searched_game;
use treegauge_search::{
    Budget, DEFAULT_CP, Expansion, FEATURES, Seed, ShapeOptions, UctOptions, UctVariant,
};
use treegauge_store::{PieceSink, Shard};
use xxhash_rust::xxh3::xxh3_64;

use player_games::Players;

pub use instance::{DatasetHeader, Instance, InstanceKey, PlayerGameRow, TreeRow};
pub use player_games::{PLAYERS_MAX, PlayerGame, PlayersError};
pub use report::{DatasetReport, DatasetTally, GameInstances, GameMissing, MissingInstances};
pub use schema::{
    ColumnType, Schema, TableCell, TableColumn, instance_cells, instance_columns,
    player_game_cells, player_game_columns, tree_cells, tree_columns,
};

/// Maximum number of iterations per move of a plan.
pub const ITERATIONS_MAX: u32 = 40_000_000;

/// Maximum exploration constant of a plan.
pub const CP_MAX: f64 = 1_000.0;

/// Settings of a collection.
#[derive(Clone, Debug, PartialEq)]
pub struct CollectPlan {
    /// Iterations per move.
    pub iterations: u32,
    /// Number of instances of each game.
    pub instances: u32,
    /// Seed of the study.
    pub seed: u64,
    /// Exploration constant on rewards in \[0, 1\].
    pub cp: f64,
    /// Order in which a search tries moves.
    pub expansion: Expansion,
    /// Other differences of the searches from those of Williams 2010.
    pub variant: UctVariant,
    /// Options of the tree features.
    pub shape: ShapeOptions,
    /// Players that meet once in each instance: every two of them in both seats, and each against
    /// itself; see [`PlayerGame`].
    pub players: Vec<PlayerSpec>,
    /// Part of the instances of every game that this run plays: each `count`-th.
    pub shard: Shard,
}

impl Default for CollectPlan {
    /// Protocol of Williams 2010, section 4.1, with the fewest iterations of its strengths.
    fn default() -> Self {
        CollectPlan {
            iterations: 1_000,
            instances: 100,
            seed: 1,
            cp: DEFAULT_CP,
            expansion: Expansion::Order,
            variant: UctVariant::default(),
            shape: ShapeOptions::default(),
            players: Vec::new(),
            shard: Shard::WHOLE,
        }
    }
}

impl CollectPlan {
    /// Seed of an instance. It is derived from the seed of the study, then by the name of the game,
    /// the iterations and the number of the instance, each step a child of the one before.
    #[must_use]
    pub fn seed_of(&self, game: &str, instance: u32) -> Seed {
        Seed(self.seed)
            .child(xxh3_64(game.as_bytes()))
            .child(u64::from(self.iterations))
            .child(u64::from(instance))
    }

    /// Instances of some games, `together` games after the other: the first of each of these, then
    /// the second of each, and so on. The time of the first ones therefore predicts that of the
    /// others.
    fn units<'g>(&self, games: &'g [PlannedGame], together: usize) -> Vec<(&'g PlannedGame, u32)> {
        let Shard { index, count } = self.shard;
        let own = (index..self.instances).step_by(count as usize);
        let of_each = |games: &'g [PlannedGame]| {
            let of_games = move |instance| games.iter().map(move |game| (game, instance));
            own.clone().flat_map(of_games)
        };
        games.chunks(together.max(1)).flat_map(of_each).collect()
    }

    /// Checks that the players of the plan can play these games, and that their games depend on
    /// nothing but the plan.
    ///
    /// # Errors
    ///
    /// When there are too many players, or one cannot play a game, is listed twice, or depends on
    /// time or on a file.
    pub fn check_players(&self, games: &[Arc<dyn Engine>]) -> Result<(), PlayersError> {
        games.iter().try_for_each(|game| Players::open(&self.players, game).map(|_| ()))
    }

    fn options(&self) -> UctOptions {
        let budget = Budget::iterations(self.iterations);
        UctOptions { budget, cp: self.cp, expansion: self.expansion, variant: self.variant }
    }
}

/// Game with the players of the plan.
struct PlannedGame {
    engine: Arc<dyn Engine>,
    players: Players,
}

impl PlannedGame {
    fn name(&self) -> &str {
        &self.engine.info().canonical_name
    }
}

/// Numbers of planned and of played instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Collected {
    /// Instances of the plan.
    pub planned: u64,
    /// Instances of the plan that this run or an earlier one has played.
    pub played: u64,
}

impl Collected {
    /// Tests whether all planned instances are played.
    #[must_use]
    pub fn is_complete(self) -> bool {
        self.played == self.planned
    }
}

/// Plays the instances of a plan that are not `known`, on rayon's current thread pool, and passes
/// them to `keep` in any order. An instance does not depend on the others, on the number of threads
/// or on the order. `together` games are played at the same time, before the next ones begin.
///
/// # Panics
///
/// When the plan has no iterations, a game occurs twice, or the players cannot play the games: see
/// [`CollectPlan::check_players`].
pub fn collect(
    games: &[Arc<dyn Engine>],
    plan: &CollectPlan,
    together: usize,
    known: &FxHashSet<InstanceKey>,
    keep: &dyn PieceSink<Instance>,
    watch: &dyn Watch,
) -> Collected {
    assert!(plan.iterations > 0, "a search of no iterations has no tree");
    let planned_game = |engine: &Arc<dyn Engine>| PlannedGame {
        engine: engine.clone(),
        players: Players::open(&plan.players, engine).expect("the players were checked"),
    };
    let games: Vec<PlannedGame> = games.iter().map(planned_game).collect();
    let names: FxHashSet<&str> = games.iter().map(PlannedGame::name).collect();
    assert_eq!(names.len(), games.len(), "each game is collected once");
    let units = plan.units(&games, together);
    let is_known = |&(game, instance): &(&PlannedGame, u32)| {
        known.contains(&InstanceKey { game: game.name().to_owned(), instance })
    };
    let (done, open): (Vec<_>, Vec<_>) = units.iter().copied().partition(is_known);
    let planned = units.len() as u64;
    let done = done.len() as u64;
    let counter = GameCounter::new(watch, GamesDone::alike(done), GamesDone::alike(planned));
    let searches = Searches::default();
    let play = |&(game, instance): &(&PlannedGame, u32)| {
        if watch.stop() {
            return 0;
        }
        let mut uct =
            searches.take(game.name()).unwrap_or_else(|| game.engine.uct_with(plan.options()));
        let played = play_instance(game, plan, instance, &mut uct, watch);
        searches.keep(game.name(), uct);
        played.map_or(0, |played| {
            keep.keep(&played);
            counter.over(GamesDone::alike(1));
            1
        })
    };
    // Threads take instances one by one, since some games take a hundred times as long as others.
    let played: u64 = open.par_iter().with_max_len(1).map(play).sum();
    Collected { planned, played: done + played }
}

/// Plays one instance; `None` if `watch` says stop before it is over.
fn play_instance(
    game: &PlannedGame,
    plan: &CollectPlan,
    instance: u32,
    uct: &mut Box<dyn UctSearch>,
    watch: &dyn Watch,
) -> Option<Instance> {
    let seed = plan.seed_of(game.name(), instance);
    let start = game.engine.start();
    let mut trees = Vec::new();
    let record = searched_game(
        &start,
        &mut [uct],
        0,
        &mut seed.generator(),
        &mut |_, search| {
            let shape = search.shape(plan.shape).expect("a tree that was grown has a shape");
            trees.push(FEATURES.iter().map(|feature| (feature.of)(&shape)).collect());
        },
        &mut || watch.stop(),
    )?;
    let player_games = game.players.games(&start, seed, watch)?;
    let game = game.name().to_owned();
    Some(Instance { game, instance, seed: seed.0, record, trees, player_games })
}

/// Idle searches by game, kept with their memory for the next instance.
#[derive(Default)]
struct Searches(Mutex<FxHashMap<String, Vec<Box<dyn UctSearch>>>>);

impl Searches {
    fn take(&self, game: &str) -> Option<Box<dyn UctSearch>> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.get_mut(game)?.pop()
    }

    fn keep(&self, game: &str, search: Box<dyn UctSearch>) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.entry(game.to_owned()).or_default().push(search);
    }
}

#[cfg(test)]
mod tests;
