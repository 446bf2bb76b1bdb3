//! Games between players, which each instance has besides its self-play. Results between players of
//! various strengths show the value of skill.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use treegauge_core::{Ended, NoClock, Watch};
use treegauge_engine::{Agent, Competitor, Engine, Line, OpenPlayerError, Player, PlayerSpec};
use treegauge_search::Seed;

/// Maximum number of players of a plan; the number of their games is its square.
pub const PLAYERS_MAX: usize = 16;

/// One game between two players of a plan, from the beginning of the game of its instance. With n
/// players, an instance has n * n games: each player in the first seat against each one, itself
/// included, in the second.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerGame {
    /// Length in plies.
    pub plies: u32,
    /// End of the game: its result and the rule that ended it.
    pub ended: Ended,
}

/// Reason that a plan cannot have these players.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PlayersError {
    /// Games of the player would depend on more than the seed of the study.
    #[error("{0} cannot take part: its games depend on {1}, and those of a dataset must not")]
    Dependent(String, &'static str),
    /// A player is listed twice.
    #[error("the player {0} is listed twice")]
    Twice(String),
    /// There are too many players.
    #[error("{0} players are too many: {max} are the most", max = PLAYERS_MAX)]
    TooMany(usize),
    /// A player cannot play a game.
    #[error(transparent)]
    Open(#[from] OpenPlayerError),
}

/// Players of a plan, opened for one game.
pub(super) struct Players(Vec<Player>);

impl Players {
    /// Opens players for a game.
    ///
    /// # Errors
    ///
    /// When there are too many, or one cannot play the game, is listed twice, or depends on time or
    /// on a file.
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

    /// Plays the games of an instance: those with the first player in the first seat, then those
    /// with the second one there, and so on. `None` if `watch` says stop before all are over.
    pub(super) fn games(
        &self,
        start: &Line,
        seed: Seed,
        watch: &dyn Watch,
    ) -> Option<Vec<PlayerGame>> {
        let seats = self.0.iter().flat_map(|first| self.0.iter().map(move |other| [first, other]));
        let play = |(n, seats): (u64, [&Player; 2])| {
            let mut agents = seats.map(Player::agent);
            // Child 0 is skipped, so that no game shares the generator of the instance.
            let game = play(start, &mut agents, seed.child(n), watch);
            seats.into_iter().zip(agents).for_each(|(player, agent)| player.put_back(agent));
            game
        };
        (1..).zip(seats).map(play).collect()
    }
}

/// Plays one game; `None` if `watch` says stop before it is over.
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
        // A search that was stopped early may have chosen another move.
        if watch.stop() {
            return None;
        }
        line.play(choice.expect("a player that reads no file always has a move").m);
    }
}
