//! Values of the moves at every ply of a line.

use std::ops::Range;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use treegauge_core::{Player, Watch};
use treegauge_search::{Seed, Stopped, UctOptions};

use crate::engine::Engine;
use crate::growing::GrowingSearch;
use crate::line::{Line, MoveNumber};
use crate::solved::SolvedGame;
use crate::values::PositionValues;
use treegauge_solve::ProbeError;

/// Source of the values of moves.
pub enum ValueSource<'a> {
    /// A solved game.
    Solution(&'a dyn SolvedGame),
    /// Search of every position.
    Search {
        /// Options of the search; the budget is that of each position.
        options: UctOptions,
        /// Seed; the search of ply n uses the generator of child n.
        seed: Seed,
    },
}

/// Position of a line with the values of its moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlyValues {
    /// Number of plies since the start of the line.
    pub ply: u32,
    /// Player to move.
    pub turn: Player,
    /// Move that was played here; `None` in the last position of the line.
    pub played: Option<MoveNumber>,
    /// Values of the moves for the player to move; without moves if the game has ended.
    pub values: PositionValues,
}

impl PlyValues {
    /// Value lost by the played move: that of the best move minus that of the played one, 0 to 2.
    /// `None` if no move was played here, or the search did not try it.
    #[must_use]
    pub fn given_away(&self) -> Option<f64> {
        Some(self.values.best()? - self.values.value_of(self.played?)?)
    }
}

/// Values of the moves at some plies of a line, from 0 for its start to `line.played().len()` for
/// its last position; plies beyond are ignored. They do not depend on the number of threads. If
/// `watch` says stop, the result ends before the first unfinished ply.
///
/// # Errors
///
/// When a solved game does not have a position of the line, or its file cannot be read.
///
/// # Panics
///
/// When the line is one of another game.
///
/// ```
/// use treegauge_catalog::GameSpec;
/// use treegauge_engine::{StartingPoint, ValueSource, value_history};
/// use treegauge_search::{Budget, DEFAULT_CP, Seed, UctOptions};
///
/// let engine = treegauge_engine::open(&GameSpec::parse("tic_tac_toe").unwrap()).unwrap();
/// let moves = ["a1", "c3", "a3"].map(str::to_owned).into();
/// let line = engine.begin(&StartingPoint { position: None, moves }).unwrap();
/// let options = UctOptions::new(Budget::iterations(2_000), DEFAULT_CP);
/// let source = ValueSource::Search { options, seed: Seed(1) };
/// let history = value_history(&*engine, &line, 0..4, &source, &()).unwrap();
/// // The reply in the corner loses.
/// assert!(history[1].given_away().unwrap() > 0.2);
/// assert!(history[3].played.is_none());
/// ```
pub fn value_history(
    engine: &dyn Engine,
    line: &Line,
    plies: Range<u32>,
    source: &ValueSource<'_>,
    watch: &dyn Watch,
) -> Result<Vec<PlyValues>, ProbeError> {
    let moves = line.played();
    let mut at = line.start();
    let mut positions = vec![at.clone()];
    for &number in &moves {
        at.play(number);
        positions.push(at.clone());
    }
    let asked = |ply: &usize| plies.contains(&(*ply as u32));
    let asked: Vec<usize> = (0..positions.len()).filter(asked).collect();
    let valued = |&ply: &usize| -> Result<Option<PlyValues>, ProbeError> {
        let at = &positions[ply];
        let values = match source {
            _ if watch.stop() => return Ok(None),
            ValueSource::Solution(_) if at.ended().is_some() => {
                PositionValues::Solution { moves: Vec::new() }
            }
            ValueSource::Solution(solved) => PositionValues::of_rows(at, solved.moves(at)?),
            ValueSource::Search { options, seed } => {
                let rng = seed.child(ply as u64).generator();
                let mut search = GrowingSearch::new(engine, at, *options, rng);
                if search.grow(options.budget.iterations_max, watch).stopped == Stopped::Caller {
                    return Ok(None);
                }
                search.values()
            }
        };
        let (turn, played) = (at.turn(), moves.get(ply).copied());
        Ok(Some(PlyValues { ply: ply as u32, turn, played, values }))
    };
    let found: Result<Vec<_>, ProbeError> = asked.par_iter().map(valued).collect();
    Ok(found?.into_iter().map_while(|ply| ply).collect())
}
