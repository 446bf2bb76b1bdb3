//! Interestingness: a measure of how well hidden the winning moves of a position are.
//!
//! After M. Johnson, *Interestingness* (GamesCrafters, 29 December 2006, version 1.0). Every
//! position has a number from 0 to 1:
//!
//! - A finished position, a tie and a draw have 0.01, [`PRIMITIVE`].
//! - A win has two terms. *Immediate* is the share of its moves that look playable and throw the
//!   win away: (W + T) / (W + L + T). L counts the winning moves, T the moves that tie or draw, and
//!   W the losing moves that are not punished at once. A losing move is punished at once if the
//!   opponent wins in one ply or the game is already over. *Accumulated* is the mean
//!   interestingness of the positions after the winning moves. Together they make 1 - sqrt((1 -
//!   Immediate) (1 - Accumulated)).
//! - A lost position has the mean of all its children.
//!
//! Children are seen from the mover's side: where a move keeps the turn, a child that is a win for
//! the same player is a winning move.
//!
//! The paper counts every move once. With [`Form::Forcing`] a move that leaves n moves has the weight
//! 1 / (1 + n) in the immediate term. People look at forcing moves first, so a quiet win among forcing
//! moves is well hidden, and a forcing win among quiet moves is not. Chess problems that mate in the
//! same number of moves are harder for people the greater this form is, while the published forms do
//! not tell them apart: `record/2026-11-29-interest-of-mates.md`.
//!
//! # Loops
//!
//! A win averages over all its winning moves, also the slow ones, so in a game that can cycle a
//! position may depend on itself. The definition then is the least solution of the equations:
//! positions that depend on no cycle are settled one after the other; the others begin at 0 and are
//! recomputed from each other, all at once, until none changes by more than 1e-13. The equations
//! are monotone, so the values only grow. With [`LoseChildren::Fastest`] no position does:
//! remoteness falls with every step.
//!
//! # The same bits everywhere
//!
//! Values are kept in units of 2^-52 and added as integers, so the order of moves does not matter.
//! That is why neither the number of threads nor symmetry changes a bit: positions that are images
//! of each other have equal values.

mod linked;
mod summary;
mod terms;
mod tiers;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use treegauge_core::KeyCode;

use crate::error::WorkError;
use crate::memory::Memory;
use crate::rules::Bounds;
use crate::solution::Solution;
use crate::value::ExactValue;
use treegauge_core::Watch;

pub use summary::{BINS, InterestRow, Point};
pub use terms::Terms;

use terms::{Cell, Walker};

/// Interestingness of finished positions, ties and draws.
pub const PRIMITIVE: f64 = 0.01;

/// Form of the immediate term of a win.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// Immediate is at least [`PRIMITIVE`], as in the published program (`analysis.c` of GAMESMAN),
    /// so that no value is less.
    #[default]
    Clamped,
    /// Immediate as the document defines it, which may be 0.
    Literal,
    /// As [`Form::Clamped`], and a move that leaves n moves, up to 511, has the weight 1 / (1 + n).
    Forcing,
}

/// Winning moves over which the accumulated term of a win averages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LoseChildren {
    /// All winning moves.
    #[default]
    All,
    /// The quickest winning moves only.
    Fastest,
}

/// Unit that counts as one child.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Children {
    /// Each move, as in the published program: two moves that lead to one position count twice.
    #[default]
    Moves,
    /// Each position, as in the document. Positions that are images of each other count separately.
    Positions,
}

/// Treatment of a winner's move to a draw by endless play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Draws {
    /// The draw counts as a tie.
    #[default]
    Tie,
    /// The draw is not counted.
    Skip,
}

/// Treatment of a winner's move to a tie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ties {
    /// Every tie counts as a misstep.
    #[default]
    All,
    /// A tie that ends the game at once or in one ply is not counted, like a loss that is punished at
    /// once. The document mentions this as possible.
    Late,
}

/// Choices that the definition leaves open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct InterestOptions {
    /// Form of the immediate term of a win.
    pub form: Form,
    /// Winning moves over which a win averages.
    pub lose_children: LoseChildren,
    /// Unit that counts as one child.
    pub children: Children,
    /// Treatment of a move to a draw.
    pub draws: Draws,
    /// Treatment of a move to a tie. Files of earlier versions do not have it.
    #[serde(default)]
    pub ties: Ties,
}

impl InterestOptions {
    /// Tests whether the children of a position are looked at: always if its interestingness depends
    /// on them, and otherwise if their number does matter to its parents.
    #[inline]
    fn looks_at_children(self, valued: ExactValue) -> bool {
        needs_children(valued) || self.form == Form::Forcing && !is_finished(valued)
    }
}

/// Interestingness of every stored position of a solution.
#[derive(Clone, Debug, PartialEq)]
pub struct Interest<K> {
    options: InterestOptions,
    cells: Vec<Cell>,
    start: Point<K>,
    most: Option<Point<K>>,
    by_remoteness: Vec<InterestRow<K>>,
    sweeps: u32,
    in_loops: u64,
}

/// Computes the interestingness of every position.
///
/// Uses all threads of the current rayon pool; the result does not depend on their number, nor on
/// whether the solution is reduced by symmetry. Takes 8 bytes per position and, for a game without
/// tiers, 37 more and 4 for each winning move and each move of a lost position.
///
/// # Errors
///
/// When it takes more than `memory_bytes_max` with the solution, or `watch` says stop.
///
/// # Panics
///
/// When the solution does not have a child of one of its positions.
pub fn interest<K: KeyCode>(
    solution: &Solution<K>,
    options: InterestOptions,
    memory_bytes_max: Option<u64>,
    watch: &dyn Watch,
) -> Result<Interest<K>, WorkError> {
    let memory = Memory::new(memory_bytes_max);
    memory.take(solution.bytes())?;
    memory.take((solution.len() * size_of::<Cell>()) as u64)?;
    let computed = if solution.rules().has_tiers() {
        tiers::compute(solution, options, &memory, watch)?
    } else {
        linked::compute(solution, options, &memory, watch)?
    };
    let summary = summary::summary(solution, &computed);
    Ok(Interest {
        options,
        cells: computed.cells,
        start: summary.start,
        most: summary.most,
        by_remoteness: summary.rows,
        sweeps: computed.sweeps,
        in_loops: summary.in_loops,
    })
}

/// Result of the computation, by tiers or by sweeps.
struct Computed {
    /// Cell of each stored position, by its number.
    cells: Vec<Cell>,
    sweeps: u32,
    /// Numbers of the positions that lie on a cycle or depend on one.
    in_loops: Vec<u32>,
}

impl<K: KeyCode> Interest<K> {
    /// Choices with which this was computed.
    #[must_use]
    pub fn options(&self) -> InterestOptions {
        self.options
    }

    /// Interestingness of a position from 0 to 1, by its number in the solution.
    ///
    /// # Panics
    ///
    /// When the solution has no position with this number.
    #[must_use]
    pub fn of(&self, index: usize) -> f64 {
        self.cells[index].interestingness()
    }

    /// Start of the solution.
    #[must_use]
    pub fn start(&self) -> &Point<K> {
        &self.start
    }

    /// Most interesting unfinished win; among equals the one with the smallest key.
    ///
    /// No lost position is more interesting, since it is the mean of wins. `None` if no unfinished
    /// position is a win.
    #[must_use]
    pub fn most_interesting(&self) -> Option<&Point<K>> {
        self.most.as_ref()
    }

    /// Unfinished wins by ascending remoteness; only remotenesses that occur.
    #[must_use]
    pub fn by_remoteness(&self) -> &[InterestRow<K>] {
        &self.by_remoteness
    }

    /// Number of sweeps over the positions that depend on a cycle, including the last one, which
    /// changed nothing; 1 without such positions.
    #[must_use]
    pub fn sweeps(&self) -> u32 {
        self.sweeps
    }

    /// Number of reachable positions, symmetry not reduced, that lie on a cycle or depend on one.
    #[must_use]
    pub fn in_loops(&self) -> u64 {
        self.in_loops
    }

    /// Terms of the interestingness of a position, by its number.
    ///
    /// # Panics
    ///
    /// When this was made of another solution.
    #[must_use]
    pub fn terms(&self, solution: &Solution<K>, index: usize) -> Terms {
        let (key, valued) = solution.at(index);
        let mut terms = Terms::none(valued, self.cells[index].interestingness());
        if !needs_children(valued) {
            return terms;
        }
        let memory = Memory::new(None);
        let mut walker = Walker::new(solution, self.options, Bounds::new(&memory, &()));
        let walked = walker.each(&[key], |steps| {
            for step in steps {
                let valued = solution.valued(step.index).seen(step.same_turn);
                terms.add(valued, self.cells[step.index], step.same_turn, self.options);
            }
        });
        walked.expect("nothing stops it, and there is no limit");
        terms.finish(self.options);
        terms
    }
}

/// Tests whether the interestingness of a position depends on its children.
#[inline]
fn needs_children(valued: ExactValue) -> bool {
    // Among wins and losses only finished positions have the remoteness 0.
    (valued.value as u8) < 2 && valued.remoteness > 0
}

/// Tests whether a position has no moves. A draw by endless play is never finished.
#[inline]
fn is_finished(valued: ExactValue) -> bool {
    valued.plies() == Some(0)
}

/// Moves the keys for which `select` holds of their entry in `found` to the front, and returns
/// them.
fn keep<'a, K: Copy, T>(keys: &'a mut [K], found: &[T], select: impl Fn(&T) -> bool) -> &'a [K] {
    let mut len = 0;
    for (n, found) in found.iter().enumerate() {
        if select(found) {
            keys[len] = keys[n];
            len += 1;
        }
    }
    &keys[..len]
}
