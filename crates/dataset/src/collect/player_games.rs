//! Games between players that each instance has besides its own: how a game ends between players of
//! various strengths says what its skill is worth.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use treegauge_core::{Ended, NoClock, Watch};
use treegauge_engine::{Agent, Competitor, Engine, Line, OpenPlayerError, Player, PlayerSpec};
use treegauge_search::Seed;

/// The most players of a plan: their games are as many as the square of it.
pub const PLAYERS_MAX: usize = 16;

/// One game between two of the players of a plan, from the beginning of the game of its instance. Of n
/// players an instance has n * n games: each player in the first seat against each one, itself
/// included, in the second.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerGame {
    /// The length in plies.
    pub plies: u32,
    /// How it ended.
    pub ended: Ended,
}

/// Why a plan cannot have some players.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PlayersError {
    /// Its games would depend on more than the seed of the study.
    #[error("{0} cannot take part: its games depend on {1}, and those of a dataset must not")]
    Dependent(String, &'static str),
    /// It is listed twice.
    #[error("the player {0} is listed twice")]
    Twice(String),
    /// There are too many.
    #[error("{0} players are too many: {max} are the most", max = PLAYERS_MAX)]
    TooMany(usize),
    /// It cannot play a game.
    #[error(transparent)]
    Open(#[from] OpenPlayerError),
}

/// The players of a plan, ready for one game.
pub(super) struct Players(Vec<Player>);

impl Players {
    /// Opens players for a game.
    ///
    /// # Errors
    ///
    /// When one cannot play it, is listed twice, or its games depend on time or on a file.
    pub(super) fn open(
        specs: &[PlayerSpec],
        engine: &Arc<dyn Engine>,
    ) -> Result<Players, PlayersError> {
        if specs.len() > PLAYERS_MAX {
            return Err(PlayersError::TooMany(specs.len()));
        }
        let start = engine.start();
        let open = |(n, spec): (usize, &PlayerSpec)| {
            let name = || spec.to_string();
            if spec.has_time_budget() {
                return Err(PlayersError::Dependent(name(), "time"));
            }
            if !spec.files().is_empty() {
                return Err(PlayersError::Dependent(name(), "a file"));
            }
            if specs[..n].contains(spec) {
                return Err(PlayersError::Twice(name()));
            }
            Ok(Player::open(spec, engine, &start, &NoClock::shared())?)
        };
        Ok(Players(specs.iter().enumerate().map(open).collect::<Result<_, _>>()?))
    }

    /// Plays the games of an instance: those with the first player in the first seat, then those with
    /// the second one there, and so on. `None` when `watch` says stop before all are over.
    pub(super) fn games(
        &self,
        start: &Line,
        seed: Seed,
        watch: &dyn Watch,
    ) -> Option<Vec<PlayerGame>> {
        let seats = self.0.iter().flat_map(|first| self.0.iter().map(move |other| [first, other]));
        let play = |(n, seats): (u64, [&Player; 2])| {
            let mut agents = seats.map(Player::agent);
            // Child 0 is left free, so that no game can have the generator of the instance.
            let game = play(start, &mut agents, seed.child(n), watch);
            seats.into_iter().zip(agents).for_each(|(player, agent)| player.put_back(agent));
            game
        };
        (1..).zip(seats).map(play).collect()
    }
}

/// Plays one game; `None` when `watch` says stop before it is over.
fn play(
    start: &Line,
    agents: &mut [Box<dyn Agent>; 2],
    seed: Seed,
    watch: &dyn Watch,
) -> Option<PlayerGame> {
    let mut line = start.clone();
    let mut rng = seed.generator();
    loop {
        if let Some(ended) = line.ended() {
            return Some(PlayerGame { plies: line.ply().0 - start.ply().0, ended });
        }
        let agent = &mut agents[line.turn().index()];
        let choice = agent.choose(&line, &mut rng, watch);
        // A search that was stopped halfway has not chosen as it would have.
        if watch.stop() {
            return None;
        }
        line.play(choice.expect("a player that reads no file always has a move").m);
    }
}
