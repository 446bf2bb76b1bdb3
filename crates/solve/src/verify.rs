//! Checking a solution file against the rules.
//!
//! The checks share nothing with the solver but the rules of the game: positions are found in the
//! file by their keys, children are made by the game itself, and the rule of values
//! ([`Valued`]) is written down a second time.
//!
//! # Why local checks are enough
//!
//! Assume that each record agrees with those of its children. That a win or a loss is one follows
//! by induction over the remoteness, which is less for the children that it rests on. From a tie
//! or a draw the player to move cannot reach a position that is good for him in one move, and can
//! stay among ties and draws, so nobody can force a win there: wins and losses are all found. A
//! tie has, by induction again, a way to an end without a winner; a draw has none, because no child
//! of it is a tie. So the values have no second solution, and the walk from the start shows that
//! nothing is missing and nothing too much.
//!
//! # What stays unseen
//!
//! [`UNSEEN`] says it to users.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use thiserror::Error;
use treegauge_core::{KeyCode, Keyed};

use crate::digest::Digester;
use crate::file::{FileError, SolutionFile};
use crate::{Counts, Phase, Progress, Value, Valued, Watch};

/// What a file that passes can still hide.
pub const UNSEEN: &str = "\
The check makes every move with this program's own rules, so it proves the values for these rules
and sees no fault in the rules themselves, nor in what they call a symmetry. Repetition, limits of
plies without progress and the ply cap are no part of a solution: a draw is a position in which
neither player can force a win and no line of such moves leads to an end, whatever a limit would
make of it. Sections that other commands added are not checked beyond their checksums.";

/// The faults that are told in full.
const FAULTS_MAX: usize = 10;

/// Keys between two that are searched first.
const STEP: usize = 256;

/// Positions that a thread takes at a time.
const CHUNK: usize = 1 << 10;

/// What is wrong with a file whose checksums are all right.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Fault<S> {
    /// The start is not there.
    #[error("the start is not in the file")]
    NoStart,
    /// A key does not stand for a position, or for another one.
    #[error("the key of the position leads to another one")]
    Key {
        /// The position that the key leads to.
        state: S,
    },
    /// An image with a smaller key should stand for this position.
    #[error("the position is stored although an image of it has a smaller key")]
    NotCanonical {
        /// The position.
        state: S,
    },
    /// A position is worth something else.
    #[error("the position is {found} in the file and {expected} by its children")]
    Worth {
        /// The position.
        state: S,
        /// What the file says.
        found: Worth,
        /// What the rules or the children say.
        expected: Worth,
    },
    /// A child is not there.
    #[error("a move from the position leads to one that is not in the file")]
    NoChild {
        /// The position.
        state: S,
        /// The child.
        child: S,
    },
    /// The position is neither finished nor has it moves.
    #[error("the position is not finished and has no moves")]
    NoMoves {
        /// The position.
        state: S,
    },
    /// No line leads there.
    #[error("the position is in the file, and no line from the start reaches it")]
    NotReached {
        /// The position.
        state: S,
    },
    /// The counts of the header are others.
    #[error("the header counts other numbers of wins, losses, ties, draws or finished positions")]
    Counts,
    /// The digest of the header is another.
    #[error("the digest in the header is not that of the positions")]
    Digest,
}

impl<S> Fault<S> {
    /// The position at fault, where it is one.
    pub fn state(&self) -> Option<&S> {
        match self {
            Fault::Key { state }
            | Fault::NotCanonical { state }
            | Fault::Worth { state, .. }
            | Fault::NoChild { state, .. }
            | Fault::NoMoves { state }
            | Fault::NotReached { state } => Some(state),
            Fault::NoStart | Fault::Counts | Fault::Digest => None,
        }
    }
}

/// A worth whose remoteness need not fit a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worth {
    /// The value for the player to move.
    pub value: Value,
    /// Plies to the end; 0 for a draw.
    pub remoteness: u32,
}

impl std::fmt::Display for Worth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.value {
            Value::Draw if self.remoteness == 0 => f.write_str("a draw"),
            Value::Lose => write!(f, "a loss in {}", self.remoteness),
            value => write!(f, "a {} in {}", value.name(), self.remoteness),
        }
    }
}

/// What a check found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verdict<S> {
    /// The positions of the file.
    pub positions: u64,
    /// The moves that were made.
    pub moves: u64,
    /// The number of faults.
    pub fault_count: u64,
    /// The first faults, in ascending order of keys, the header's at the end.
    pub faults: Vec<Fault<S>>,
}

impl<S> Verdict<S> {
    /// Whether there is no fault.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.fault_count == 0
    }
}

/// Checks every record of a file against the rules and its header against the records; `None` when
/// `watch` says stop. Takes as much memory as the records do, uncompressed.
///
/// # Errors
///
/// When the file cannot be read or is damaged.
pub fn verify<G: Keyed>(
    file: &SolutionFile<G>,
    watch: &dyn Watch,
) -> Result<Option<Verdict<G::State>>, FileError> {
    let (mut keys, mut worth) = (Vec::new(), Vec::new());
    file.for_blocks(|_, block| {
        keys.extend(block.keys.into_iter().map(G::Key::of_code));
        worth.extend(block.worth);
        Ok(())
    })?;
    // Sections are checked as far as they can be.
    let names: Vec<String> = file.section_names().map(str::to_owned).collect();
    for name in names {
        file.section(&name)?;
    }
    let seen = (0..keys.len().div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
    let steps = keys.iter().step_by(STEP).copied().collect();
    let check = Check { file, keys, steps, worth, seen };
    let Some(mut found) = check.walk(watch) else { return Ok(None) };
    check.unreached(&mut found);
    let mut verdict = Verdict {
        positions: check.keys.len() as u64,
        moves: found.moves,
        fault_count: found.fault_count,
        faults: found.faults.into_iter().map(|fault| fault.1).collect(),
    };
    for fault in check.header() {
        verdict.fault_count += 1;
        verdict.faults.push(fault);
    }
    Ok(Some(verdict))
}

struct Check<'a, G: Keyed> {
    file: &'a SolutionFile<G>,
    keys: Vec<G::Key>,
    /// Every so-and-so-many-th key: a search among these few stays in the cache.
    steps: Vec<G::Key>,
    worth: Vec<Valued>,
    /// A bit for each position that was reached.
    seen: Vec<AtomicU64>,
}

/// What a part of the positions gave.
struct Found<S> {
    moves: u64,
    fault_count: u64,
    /// With the numbers of their positions, in ascending order.
    faults: Vec<(usize, Fault<S>)>,
    /// Positions that were reached for the first time.
    reached: Vec<usize>,
}

impl<S> Found<S> {
    fn new() -> Self {
        Found { moves: 0, fault_count: 0, faults: Vec::new(), reached: Vec::new() }
    }

    fn fault(&mut self, place: usize, fault: Fault<S>) {
        self.fault_count += 1;
        self.faults.push((place, fault));
        self.shorten();
    }

    fn shorten(&mut self) {
        // The sort keeps the order of the faults of one position.
        self.faults.sort_by_key(|fault| fault.0);
        self.faults.truncate(FAULTS_MAX);
    }

    fn merge(mut self, other: Self) -> Self {
        self.moves += other.moves;
        self.fault_count += other.fault_count;
        self.faults.extend(other.faults);
        self.shorten();
        self.reached.extend(other.reached);
        self
    }
}

impl<G: Keyed> Check<'_, G> {
    /// The key under which a state is to be found: the smallest of its images' keys.
    fn key_of(&self, state: &G::State) -> G::Key {
        let (rules, reduction) = (self.file.rules(), self.file.reduction());
        let own = rules.game().key(state);
        match rules.symmetries() {
            Some(symmetries) => reduction
                .symmetries()
                .iter()
                .map(|&n| rules.game().key(&(symmetries.map_state)(rules.game(), n, state)))
                .fold(own, G::Key::min),
            None => own,
        }
    }

    fn place(&self, state: &G::State) -> Option<usize> {
        let key = self.key_of(state);
        let begin = self.steps.partition_point(|&step| step <= key).checked_sub(1)? * STEP;
        let keys = &self.keys[begin..self.keys.len().min(begin + STEP)];
        keys.binary_search(&key).ok().map(|place| begin + place)
    }

    /// Whether a position is reached for the first time.
    fn reach(&self, place: usize) -> bool {
        let bit = 1 << (place % 64);
        self.seen[place / 64].fetch_or(bit, Ordering::Relaxed) & bit == 0
    }

    /// Checks everything that can be reached, by breadth from the start.
    fn walk(&self, watch: &dyn Watch) -> Option<Found<G::State>> {
        let mut all = Found::new();
        let mut frontier = Vec::new();
        match self.place(self.file.start()) {
            Some(place) => {
                self.reach(place);
                frontier.push(place);
            }
            None => all.fault(0, Fault::NoStart),
        }
        let known = self.keys.len() as u64;
        let mut done = 0;
        while !frontier.is_empty() {
            if watch.stop() {
                return None;
            }
            // A level can be most of the game: stopping must not wait for its end.
            let mut next = Vec::new();
            for part in frontier.chunks(1 << 18) {
                if watch.stop() {
                    return None;
                }
                let found = part
                    .par_chunks(CHUNK)
                    .map(|places| {
                        let mut found = Found::new();
                        let mut moves = Vec::new();
                        places.iter().for_each(|&place| self.check(place, &mut moves, &mut found));
                        found
                    })
                    .reduce(Found::new, Found::merge);
                all = all.merge(found);
                next.append(&mut all.reached);
                done += part.len() as u64;
                watch.progress(Progress { phase: Phase::Value, done, known });
            }
            frontier = next;
        }
        Some(all)
    }

    /// Checks one position, and reaches its children.
    fn check(&self, place: usize, moves: &mut Vec<G::Move>, found: &mut Found<G::State>) {
        let game = self.file.rules().game();
        let state = game.unkey(self.keys[place]);
        if game.key(&state) != self.keys[place] {
            found.fault(place, Fault::Key { state });
            return;
        }
        if self.key_of(&state) != self.keys[place] {
            found.fault(place, Fault::NotCanonical { state: state.clone() });
        }
        let expected = match game.outcome(&state) {
            Some(outcome) => {
                let value = match outcome.winner() {
                    None => Value::Tie,
                    Some(winner) if winner == game.turn(&state) => Value::Win,
                    Some(_) => Value::Lose,
                };
                Worth { value, remoteness: 0 }
            }
            None => match self.by_children(place, &state, moves, found) {
                Some(worth) => worth,
                None => return,
            },
        };
        let Valued { value, remoteness } = self.worth[place];
        let stored = Worth { value, remoteness: u32::from(remoteness) };
        if stored != expected {
            found.fault(place, Fault::Worth { state, found: stored, expected });
        }
    }

    /// The worth of an unfinished position by those of its children; `None` when one is missing.
    fn by_children(
        &self,
        place: usize,
        state: &G::State,
        moves: &mut Vec<G::Move>,
        found: &mut Found<G::State>,
    ) -> Option<Worth> {
        let game = self.file.rules().game();
        game.moves_into(state, moves);
        if moves.is_empty() {
            found.fault(place, Fault::NoMoves { state: state.clone() });
            return None;
        }
        found.moves += moves.len() as u64;
        let (mut win, mut tie, mut draw, mut longest) = (None, None, false, 0);
        let mut complete = true;
        for &m in moves.iter() {
            let mut child = state.clone();
            game.play(&mut child, m);
            let at = self.place(&child).filter(|_| game.unkey(game.key(&child)) == child);
            let Some(at) = at else {
                found.fault(place, Fault::NoChild { state: state.clone(), child });
                complete = false;
                continue;
            };
            if self.reach(at) {
                found.reached.push(at);
            }
            let Valued { value, remoteness } = self.worth[at];
            let plies = u32::from(remoteness) + 1;
            let nearer = |best: Option<u32>| Some(best.map_or(plies, |best| best.min(plies)));
            match (value, game.turn(&child) == game.turn(state)) {
                (Value::Win, true) | (Value::Lose, false) => win = nearer(win),
                (Value::Tie, _) => tie = nearer(tie),
                (Value::Draw, _) => draw = true,
                (Value::Lose, true) | (Value::Win, false) => longest = longest.max(plies),
            }
        }
        let worth = match (win, tie) {
            (Some(remoteness), _) => Worth { value: Value::Win, remoteness },
            (None, Some(remoteness)) => Worth { value: Value::Tie, remoteness },
            (None, None) if draw => Worth { value: Value::Draw, remoteness: 0 },
            (None, None) => Worth { value: Value::Lose, remoteness: longest },
        };
        complete.then_some(worth)
    }

    /// Adds the positions that the walk did not come to.
    fn unreached(&self, found: &mut Found<G::State>) {
        let game = self.file.rules().game();
        for (place, &key) in self.keys.iter().enumerate() {
            if self.reach(place) {
                found.fault(place, Fault::NotReached { state: game.unkey(key) });
            }
        }
    }

    /// What is wrong with the header.
    fn header(&self) -> Vec<Fault<G::State>> {
        let header = self.file.header();
        let rules = self.file.rules();
        let game = rules.game();
        let (mut stored, mut reachable) = (Counts::default(), Counts::default());
        let (mut stored_finished, mut reachable_finished) = (0, 0);
        let mut digester = Digester::new();
        let mut records: Vec<(G::Key, Valued)> = Vec::new();
        for (&key, &valued) in self.keys.iter().zip(&self.worth) {
            let state = game.unkey(key);
            let mut images = vec![key];
            if let Some(symmetries) = rules.symmetries() {
                images.extend(
                    self.file
                        .reduction()
                        .symmetries()
                        .iter()
                        .map(|&n| game.key(&(symmetries.map_state)(game, n, &state))),
                );
                images.sort_unstable();
                images.dedup();
            }
            add(&mut stored, valued, 1);
            add(&mut reachable, valued, images.len() as u64);
            if game.outcome(&state).is_some() {
                stored_finished += 1;
                reachable_finished += images.len() as u64;
            }
            if header.reduced {
                records.extend(images.into_iter().map(|image| (image, valued)));
            } else {
                digester.add(key, valued);
            }
        }
        stored.finished = stored_finished;
        reachable.finished = reachable_finished;
        records.par_sort_unstable_by_key(|record| record.0);
        records.iter().for_each(|&(key, valued)| digester.add(key, valued));
        let mut faults = Vec::new();
        if stored != header.stored || reachable != header.reachable {
            faults.push(Fault::Counts);
        }
        if digester.finish() != header.digest {
            faults.push(Fault::Digest);
        }
        faults
    }
}

fn add(counts: &mut Counts, valued: Valued, count: u64) {
    match valued.value {
        Value::Win => counts.win += count,
        Value::Lose => counts.lose += count,
        Value::Tie => counts.tie += count,
        Value::Draw => counts.draw += count,
    }
}
