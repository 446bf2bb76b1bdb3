//! Forced wins of games that are too large to solve.
//!
//! [`forced_wins`] tries positions one by one. A proof-number search finds the fewest plies in which
//! the player to move wins, if these are not too many. Then it follows the lines of best play: all
//! quickest moves of the winner and all moves of the loser. For every other move of the winner it
//! finds whether the loser could win at once after it. As in problems of chess, slower wins are not
//! looked for: a move that wins later than the quickest one counts as a win only if the proof happens
//! to have the positions after it.
//!
//! The positions of a proof are a small game: play ends, without a winner, at every position that the
//! proof does not need. That game is solved like any other, so every win is found by two methods. Its
//! [`Solution`] gives values, interestingness and puzzles like that of a whole game, with one
//! difference: a **tie** says that the move does not win as quickly as another, and not that the game
//! is tied.
//!
//! These results hold for the whole game. A win is a win, with its fewest plies. Repetition does not
//! change it, since the winner comes nearer to the end with every move.

mod proof;

#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::FxHashSet;
use treegauge_core::{Capability, KeyCode, Phase, Progress, Watch};

use crate::error::{Interrupted, WorkError};
use crate::memory::Memory;
use crate::parallel;
use crate::rules::{Child, Solvable};
use crate::solution::Solution;
use crate::solver::{Options, solve};
use crate::value::Value;

use proof::{GivenUp, ProofSearch, Surroundings};

/// Limits of the search for forced wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForcedOptions {
    /// Most plies of a win, up to [`ForcedOptions::PLIES_MAX`].
    pub plies_max: u16,
    /// Most positions that are made, by moves from others, for one position that is tried. What needs
    /// more is left undecided.
    pub nodes_max: u64,
}

impl ForcedOptions {
    /// Greatest limit of the plies.
    pub const PLIES_MAX: u16 = 99;
}

impl Default for ForcedOptions {
    /// Seven plies, which are four moves where turns alternate, and 2,000,000 positions.
    fn default() -> Self {
        ForcedOptions { plies_max: 7, nodes_max: 2_000_000 }
    }
}

/// Forced wins among the positions that were tried.
#[derive(Clone, Debug)]
pub struct ForcedWins<K> {
    /// Limits of the search.
    pub options: ForcedOptions,
    /// Proofs of the positions that the player to move wins, in the order in which they were tried.
    /// Each starts at its position.
    pub won: Vec<Solution<K>>,
    /// Number of positions without a win within the plies.
    pub not_won: u64,
    /// Number of positions for which the search had too few nodes.
    pub undecided: u64,
}

/// Finds the forced wins among some positions, each tried once, on all threads of the current rayon
/// pool. The result does not depend on their number. The proofs take at most `memory_bytes_max`; a search
/// takes some hundred bytes for each of its nodes besides.
///
/// # Errors
///
/// When the proofs take too much memory, or `watch` says stop.
///
/// # Panics
///
/// When the limit of plies is greater than [`ForcedOptions::PLIES_MAX`].
pub fn forced_wins<K: KeyCode>(
    rules: &Solvable<K>,
    positions: &[K],
    options: ForcedOptions,
    memory_bytes_max: Option<u64>,
    watch: &dyn Watch,
) -> Result<ForcedWins<K>, WorkError> {
    assert!(options.plies_max <= ForcedOptions::PLIES_MAX, "the search is recursive");
    let mut seen = FxHashSet::default();
    let tried: Vec<K> = positions.iter().copied().filter(|&state| seen.insert(state)).collect();
    // Tiers take long to find in some games, and no proof needs them.
    let rules = &rules.clone().without(Capability::Tiered);
    let (memory, done) = (Memory::new(memory_bytes_max), AtomicU64::new(0));
    let results = parallel::try_map(tried.len(), &|n| {
        let result = tried_one(rules, tried[n], options, watch)?;
        if let Tried::Won(proof) = &result {
            memory.take(proof.bytes())?;
        }
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        watch.progress(Progress::new(Phase::Searches, done, tried.len() as u64));
        Ok::<_, WorkError>(result)
    })?;
    let mut found = ForcedWins { options, won: Vec::new(), not_won: 0, undecided: 0 };
    for result in results {
        match result {
            Tried::Won(proof) => found.won.push(*proof),
            Tried::NotWon => found.not_won += 1,
            Tried::Undecided => found.undecided += 1,
        }
    }
    Ok(found)
}

/// Result of trying a position.
enum Tried<K> {
    /// The player to move wins.
    Won(Box<Solution<K>>),
    NotWon,
    Undecided,
}

fn tried_one<K: KeyCode>(
    rules: &Solvable<K>,
    state: K,
    options: ForcedOptions,
    watch: &dyn Watch,
) -> Result<Tried<K>, Interrupted> {
    if watch.stop() {
        return Err(Interrupted);
    }
    if rules.outcome(state).is_some() {
        return Ok(Tried::NotWon);
    }
    let surroundings = Surroundings::new();
    let search = ProofSearch::new(rules, &surroundings, options.nodes_max, watch);
    let mut opener = Opener { rules, search, open: FxHashSet::default() };
    match opener.try_one(state, options.plies_max) {
        Ok(true) => solution_of(rules.partial(opener.open), state, watch).map(Tried::Won),
        Ok(false) => Ok(Tried::NotWon),
        Err(GivenUp::Nodes) => Ok(Tried::Undecided),
        Err(GivenUp::Stopped) => Err(Interrupted),
    }
}

/// Solves a part of a game, which must be won at its start.
fn solution_of<K: KeyCode>(
    rules: Solvable<K>,
    start: K,
    watch: &dyn Watch,
) -> Result<Box<Solution<K>>, Interrupted> {
    let solved = solve(&rules, start, Options::default(), watch);
    let solution = solved.expect("a part of a game has no limit").done().ok_or(Interrupted)?;
    assert_eq!(solution.start_valued().value, Value::Win, "a proven win is a win");
    Ok(Box::new(solution))
}

/// Collects the positions that prove a win.
struct Opener<'a, K: KeyCode> {
    rules: &'a Solvable<K>,
    search: ProofSearch<'a, K>,
    open: FxHashSet<K>,
}

impl<K: KeyCode> Opener<'_, K> {
    /// Whether the player to move wins. If it does, the positions of the proofs are collected.
    fn try_one(&mut self, start: K, plies_max: u16) -> Result<bool, GivenUp> {
        let winner = self.rules.turn(start);
        let Some(plies) = self.search.win_in(start, winner, plies_max)? else {
            return Ok(false);
        };
        let mut stack = vec![(start, plies)];
        while let Some((state, plies)) = stack.pop() {
            if self.open.contains(&state) {
                continue;
            }
            let Some(children) = self.search.children(state)? else { continue };
            self.open.insert(state);
            for Child { key, .. } in children {
                if self.rules.turn(state) != winner {
                    // The longest defence takes all plies, and others may take fewer.
                    let plies = self.search.win_in(key, winner, plies - 1)?;
                    stack.push((key, plies.expect("every move of the loser loses")));
                } else if self.search.wins_within(key, winner, plies - 1)? {
                    stack.push((key, plies - 1));
                } else if self.rules.outcome(key).is_none()
                    && self.search.wins_within(key, winner.other(), 1)?
                {
                    self.open.insert(key);
                }
            }
        }
        Ok(true)
    }
}
