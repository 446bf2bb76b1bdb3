//! Catalog games as sources of move values.

use std::sync::Arc;

use thiserror::Error;
use treegauge_core::Watch;
use treegauge_engine::{Engine, Line, MoveNumber, ProbeError, SolvedGame, UctSearch};
use treegauge_search::{Budget, Seed, Stopped};
use treegauge_solve::Value as Exact;

use crate::{ListedMoves, MoveSource, Value};

/// Origin of the values of a game's moves.
enum Values<'a> {
    Solved(&'a dyn SolvedGame),
    Searched { uct: Box<dyn UctSearch>, seed: u64 },
}

/// Catalog game as a source of move values, which come from a solution or from searches.
pub struct GameSource<'a> {
    values: Values<'a>,
    watch: &'a dyn Watch,
}

/// Reason that values are missing.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LineSourceError {
    /// The solution lacks the position, or its file cannot be read.
    #[error(transparent)]
    Solved(#[from] ProbeError),
    /// A search did not visit every legal move.
    #[error("{iterations} iterations are too few for a position with {moves} moves")]
    Iterations {
        /// Iterations of the search.
        iterations: u32,
        /// Number of legal moves.
        moves: u32,
    },
    /// The caller stopped the work.
    #[error("interrupted")]
    Interrupted,
}

impl<'a> GameSource<'a> {
    /// Takes values from a solved game: forced wins and losses with their remoteness in plies, ties
    /// and draws as a score of 0.
    #[must_use]
    pub fn solved(game: &'a dyn SolvedGame, watch: &'a dyn Watch) -> Self {
        GameSource { values: Values::Solved(game), watch }
    }

    /// Takes values from UCT searches of `iterations` iterations: mean results for the player to
    /// move, -1 to 1. Each search begins with the same seed, so that an answer depends on its
    /// position alone.
    #[must_use]
    pub fn searched(
        engine: &Arc<dyn Engine>,
        iterations: u32,
        cp: f64,
        seed: u64,
        watch: &'a dyn Watch,
    ) -> Self {
        let uct = engine.uct(Budget::iterations(iterations), cp);
        GameSource { values: Values::Searched { uct, seed }, watch }
    }
}

impl MoveSource for GameSource<'_> {
    type Position = Line;
    type Move = MoveNumber;
    type Error = LineSourceError;

    fn list(
        &mut self,
        at: &Line,
        _least: u32,
        _enough: &dyn Fn(&[Value]) -> bool,
    ) -> Result<ListedMoves<MoveNumber>, LineSourceError> {
        let legal = if at.ended().is_some() { 0 } else { at.move_count() };
        if legal == 0 {
            return Ok(ListedMoves { legal: 0, moves: Vec::new() });
        }
        let mut moves: Vec<(MoveNumber, Value)> = match &mut self.values {
            Values::Solved(game) => {
                let moves = game.moves(at)?;
                moves.into_iter().map(|one| (one.m, exact(one.valued))).collect()
            }
            Values::Searched { uct, seed } => {
                let watch = self.watch;
                let found = uct.search(at, &mut Seed(*seed).generator(), &mut || watch.stop());
                let tried = uct.moves();
                if found.stopped == Stopped::Caller {
                    return Err(LineSourceError::Interrupted);
                }
                if tried.len() < legal as usize || tried.iter().any(|one| one.visits == 0) {
                    let iterations = found.iterations;
                    return Err(LineSourceError::Iterations { iterations, moves: legal });
                }
                let value = |(n, mean): (usize, f64)| (n as MoveNumber, Value::Score(mean));
                let means = tried.iter().map(|one| one.mean_for(found.turn));
                means.enumerate().map(value).collect()
            }
        };
        // Moves of equal value stay in the order of the game.
        moves.sort_by(|a, b| b.1.compared_to(a.1));
        Ok(ListedMoves { legal, moves })
    }

    fn after(&self, at: &Line, played: MoveNumber) -> Line {
        let mut after = at.clone();
        after.play(played);
        after
    }

    fn side(&self, at: &Line) -> u8 {
        at.turn().index() as u8
    }

    fn text(&self, at: &Line, played: MoveNumber) -> String {
        at.move_text(played)
    }
}

/// Exact value for the player to move.
fn exact(valued: treegauge_solve::ExactValue) -> Value {
    let plies = u32::from(valued.remoteness);
    match valued.value {
        Exact::Win => Value::Wins(plies),
        Exact::Lose => Value::Loses(plies),
        Exact::Tie | Exact::Draw => Value::Score(0.0),
    }
}
